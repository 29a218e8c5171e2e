//! Addresses that belong to anybody, and those that a name from outside must not lead to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether anybody on the internet can be meant by `address`: not this machine, not a network of its
/// own, none of the blocks that IANA keeps for special purposes. An IPv4 address within an IPv6 one
/// counts by itself.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(inner) => is_public_v4(inner),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    !SPECIAL_V4
        .iter()
        .any(|&([a, b, c, d], length)| same(bits, u32::from(Ipv4Addr::new(a, b, c, d)), length))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = u128::from(address);
    let within = |(segments, length): &([u16; 8], u32)| {
        let block = u128::from(Ipv6Addr::from(*segments));
        (bits ^ block).leading_zeros() >= *length
    };
    within(&GLOBAL_V6) && !SPECIAL_V6.iter().any(within)
}

/// The IPv4 address that an IPv6 address stands for: mapped (`::ffff:0:0/96`), or behind the
/// well-known prefix of NAT64 (`64:ff9b::/96`), as which an IPv6-only network shows all of IPv4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let nat64 = address.segments()[..6] == [0x64, 0xff9b, 0, 0, 0, 0];
    let [.., a, b, c, d] = address.octets();
    address
        .to_ipv4_mapped()
        .or_else(|| nat64.then(|| Ipv4Addr::new(a, b, c, d)))
}

fn same(one: u32, other: u32, length: u32) -> bool {
    (one ^ other).leading_zeros() >= length
}

/// The blocks of the IANA registry of special IPv4 addresses that are not for everybody, multicast
/// and the reserved rest.
const SPECIAL_V4: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// All that is given out for everybody.
const GLOBAL_V6: ([u16; 8], u32) = ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// What is not for everybody in it: protocol assignments with Teredo, documentation (twice), and
/// 6to4, behind which any IPv4 address can stand.
const SPECIAL_V6: [([u16; 8], u32); 4] = [
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_everybody_is_told_from_the_rest() {
        for (address, public) in [
            ("1.1.1.1", true),
            ("100.63.255.255", true),
            ("100.128.0.0", true),
            ("172.32.0.1", true),
            ("192.0.1.1", true),
            ("223.255.255.255", true),
            ("2606:4700::1111", true),
            ("2001:4860:4860::8888", true),
            ("::ffff:1.1.1.1", true),
            ("64:ff9b::1.1.1.1", true),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("127.0.0.1", false),
            ("127.255.255.254", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.1", false),
            ("192.0.2.1", false),
            ("192.168.0.1", false),
            ("198.19.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::127.0.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("64:ff9b::10.0.0.1", false),
            ("64:ff9b::a9fe:a9fe", false),
            ("64:ff9b:1::1.1.1.1", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::", false),
            ("3fff::1", false),
            ("5f00::1", false),
            ("fc00::1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }
}
