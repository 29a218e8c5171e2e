//! Where a door may send requests.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// What a request goes to: a scheme, a host and a port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    tls: bool,
    host: Host,
    port: u16,
}

/// The host of an [`Origin`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Host {
    /// A name in small letters, without a dot at its end.
    Name(String),
    /// An address. IPv4 that is written as IPv6 is IPv4.
    Address(IpAddr),
}

/// A host that is granted: an [`Origin`], or all that have one label in the place of a `*`.
///
/// ```
/// use loop_spec::policy::{HostGrant, Origin};
/// let one: HostGrant = "https://api.example.com".parse().unwrap();
/// let some: HostGrant = "https://*.example.com".parse().unwrap();
/// let api = Origin::of_request(true, "API.example.com:443").unwrap();
/// assert!(one.fits(&api) && some.fits(&api));
/// let apex = Origin::of_request(true, "example.com").unwrap();
/// assert!(!one.fits(&apex) && !some.fits(&apex));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostGrant {
    /// Whether any one label stands in front of the name.
    any_label: bool,
    origin: Origin,
}

/// A text that names no host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct BadHost {
    /// What was expected.
    pub why: &'static str,
}

impl Origin {
    /// What a request goes to whose authority a door wrote. `None` for anything but a host and a
    /// port: a name and password in front of it, another spelling of an address, a port of none.
    #[must_use]
    pub fn of_request(tls: bool, authority: &str) -> Option<Self> {
        Self::read(tls, authority).ok()
    }

    /// The same scheme and port at `address`.
    #[must_use]
    pub fn at(&self, address: IpAddr) -> Self {
        let host = Host::Address(address.to_canonical());
        Self {
            host,
            ..self.clone()
        }
    }

    /// Whether it is spoken to through TLS: `https`.
    #[must_use]
    pub fn tls(&self) -> bool {
        self.tls
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port, the scheme's own if none was written.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The host, and the port if it is not the scheme's own: what a request's `Host` says.
    #[must_use]
    pub fn authority(&self) -> String {
        match self.port == own_port(self.tls) {
            true => self.host.to_string(),
            false => format!("{}:{}", self.host, self.port),
        }
    }

    /// Whether this machine itself is named.
    #[must_use]
    pub fn is_this_machine(&self) -> bool {
        match &self.host {
            Host::Name(name) => name == LOCALHOST,
            Host::Address(address) => address.is_loopback(),
        }
    }

    fn read(tls: bool, authority: &str) -> Result<Self, BadHost> {
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (address, port) = rest.split_once(']').ok_or(BAD_ADDRESS)?;
                let address: Ipv6Addr = address.parse().map_err(|_| BAD_ADDRESS)?;
                (Host::Address(IpAddr::V6(address).to_canonical()), port)
            }
            None => {
                let end = authority.find(':').unwrap_or(authority.len());
                let (host, port) = authority.split_at(end);
                (name_or_address(host)?, port)
            }
        };
        let port = match port.strip_prefix(':') {
            Some(port) => read_port(port).ok_or(BAD_PORT)?,
            None if port.is_empty() => own_port(tls),
            None => return Err(BAD_ADDRESS),
        };
        Ok(Self { tls, host, port })
    }
}

impl HostGrant {
    /// Whether requests to `origin` are granted.
    #[must_use]
    pub fn fits(&self, origin: &Origin) -> bool {
        if !self.any_label {
            return self.origin == *origin;
        }
        let (Host::Name(below), Host::Name(name)) = (&self.origin.host, &origin.host) else {
            return false;
        };
        let rest = name.split_once('.').map(|(_, rest)| rest);
        (self.origin.tls, self.origin.port) == (origin.tls, origin.port) && rest == Some(below)
    }

    /// Whether all that this grants is granted by `other`.
    #[must_use]
    pub fn lies_in(&self, other: &Self) -> bool {
        match self.any_label {
            true => self == other,
            false => other.fits(&self.origin),
        }
    }
}

impl FromStr for Origin {
    type Err = BadHost;

    fn from_str(text: &str) -> Result<Self, BadHost> {
        let (tls, authority) = scheme(text)?;
        Self::read(tls, authority)
    }
}

impl FromStr for HostGrant {
    type Err = BadHost;

    fn from_str(text: &str) -> Result<Self, BadHost> {
        let (tls, authority) = scheme(text)?;
        let (any_label, authority) = match authority.strip_prefix("*.") {
            Some(below) => (true, below),
            None => (false, authority),
        };
        let origin = Origin::read(tls, authority)?;
        match (any_label, &origin.host) {
            (true, Host::Address(_)) => Err(BAD_ADDRESS),
            _ => Ok(Self { any_label, origin }),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { HTTPS } else { HTTP };
        write!(f, "{scheme}{}", self.authority())
    }
}

impl fmt::Display for HostGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin { tls, .. } = self.origin;
        let scheme = if tls { HTTPS } else { HTTP };
        let label = if self.any_label { "*." } else { "" };
        write!(f, "{scheme}{label}{}", self.origin.authority())
    }
}

impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for HostGrant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn scheme(text: &str) -> Result<(bool, &str), BadHost> {
    let found = [(HTTPS, true), (HTTP, false)]
        .into_iter()
        .find_map(|(scheme, tls)| Some((tls, text.strip_prefix(scheme)?)));
    let (tls, authority) = found.ok_or(BAD_SCHEME)?;
    match authority.contains(['/', '?', '#', '@', '\\']) {
        true => Err(BAD_REST),
        false => Ok((tls, authority)),
    }
}

/// A name's last part is never a number: what looks like an address and is none would be one to
/// those who also read octal, hexadecimal or shorter spellings.
fn name_or_address(text: &str) -> Result<Host, BadHost> {
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return Ok(Host::Address(IpAddr::V4(address)));
    }
    let name = text.to_ascii_lowercase();
    let label = |label: &str| {
        let inside = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        (1..=LABEL).contains(&label.len()) && label.bytes().all(inside)
    };
    if name.len() > NAME || !name.split('.').all(label) {
        return Err(BAD_NAME);
    }
    let last = name.rsplit('.').next().unwrap_or_default();
    let hexadecimal = |digits: &str| digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = last.bytes().all(|b| b.is_ascii_digit());
    match number || last.strip_prefix("0x").is_some_and(hexadecimal) {
        true => Err(BAD_ADDRESS),
        false => Ok(Host::Name(name)),
    }
}

fn read_port(text: &str) -> Option<u16> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    plain.then(|| text.parse().ok()).flatten()
}

fn own_port(tls: bool) -> u16 {
    if tls { 443 } else { 80 }
}

const HTTPS: &str = "https://";
const HTTP: &str = "http://";
const LOCALHOST: &str = "localhost";

/// Bytes of a name and of one part of it, as the domain name system has them.
const NAME: usize = 253;
const LABEL: usize = 63;

const BAD_SCHEME: BadHost = BadHost {
    why: "a host such as \"https://api.example.com\" or \"http://localhost:8080\"",
};
const BAD_REST: BadHost = BadHost {
    why: "a host without a path, a query or a user's name",
};
const BAD_NAME: BadHost = BadHost {
    why: "a host's name in ASCII letters, digits, `-` and dots (`*.` in front for any one label; \
          other letters as `xn--…`)",
};
const BAD_ADDRESS: BadHost = BadHost {
    why: "an address as four decimal numbers such as \"http://127.0.0.1\", or as IPv6 in brackets",
};
const BAD_PORT: BadHost = BadHost {
    why: "a port from 1 to 65535",
};

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(grant: &str, tls: bool, authority: &str) -> bool {
        let grant: HostGrant = grant.parse().unwrap();
        Origin::of_request(tls, authority).is_some_and(|origin| grant.fits(&origin))
    }

    #[test]
    fn scheme_host_and_port_are_exact() {
        let grant = "https://api.example.com";
        assert!(fits(grant, true, "api.example.com"));
        assert!(fits(grant, true, "api.example.com:443"));
        assert!(fits(grant, true, "API.Example.COM"));
        for (tls, authority) in [
            (false, "api.example.com"),
            (false, "api.example.com:443"),
            (true, "api.example.com:80"),
            (true, "api.example.com:4433"),
            (true, "example.com"),
            (true, "x.api.example.com"),
            (true, "api.example.com.evil.org"),
            (true, "evil.org#api.example.com"),
            (true, "api.example.com."),
            (true, "api.example.com@evil.org"),
            (true, "user@api.example.com"),
            (true, "user:pw@api.example.com"),
            (true, "api.example.com:"),
            (true, "api.example.com:0443"),
            (true, "api.example.com:+443"),
            (true, "api.example.com:443:443"),
            (true, "api.example.com:99999"),
            (true, "api.example.com\0"),
            (true, "api.example.com/"),
            (true, "api%2eexample.com"),
            (true, " api.example.com"),
            (true, ""),
        ] {
            assert!(!fits(grant, tls, authority), "{tls} {authority:?}");
        }
        assert!(fits("http://localhost:8080", false, "localhost:8080"));
        assert!(!fits("http://localhost:8080", false, "localhost"));
    }

    #[test]
    fn a_star_is_one_label_and_never_the_apex() {
        let grant = "https://*.example.com:8443";
        assert!(fits(grant, true, "a.example.com:8443"));
        for authority in [
            "example.com:8443",
            ".example.com:8443",
            "a.b.example.com:8443",
            "aexample.com:8443",
            "a.example.com",
            "a.example.org:8443",
            "*.example.com:8443",
        ] {
            assert!(!fits(grant, true, authority), "{authority}");
        }
    }

    #[test]
    fn an_address_has_one_spelling() {
        assert!(fits("http://127.0.0.1:1", false, "127.0.0.1:1"));
        assert!(fits("http://[::1]:1", false, "[0:0::1]:1"));
        assert!(fits("http://10.0.0.1", false, "[::ffff:10.0.0.1]"));
        for authority in [
            "0177.0.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "127.1",
            "127.0.0.01",
            "127.0.0.1.",
            "0",
            "::1",
            "[::1",
            "[::1%lo]",
            "[127.0.0.1]",
            "1.2.3.4.5",
            "example.0x7f",
        ] {
            assert_eq!(Origin::of_request(false, authority), None, "{authority}");
        }
    }

    #[test]
    fn a_bad_host_in_a_policy_says_what_was_expected() {
        for (text, why) in [
            ("api.example.com", BAD_SCHEME),
            ("ftp://api.example.com", BAD_SCHEME),
            ("https://api.example.com/", BAD_REST),
            ("https://me@example.com", BAD_REST),
            ("https://", BAD_NAME),
            ("https://*", BAD_NAME),
            ("https://*.*.example.com", BAD_NAME),
            ("https://a*.example.com", BAD_NAME),
            ("https://münchen.de", BAD_NAME),
            ("https://example.com.", BAD_NAME),
            ("https://0x7f.1", BAD_ADDRESS),
            ("https://*.10.0.0.1", BAD_ADDRESS),
            ("https://[::1", BAD_ADDRESS),
            ("https://example.com:0", BAD_PORT),
        ] {
            assert_eq!(text.parse::<HostGrant>(), Err(why), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "https://api.example.com",
            "http://*.example.com:8080",
            "http://127.0.0.1",
            "https://[2001:db8::1]:8443",
        ] {
            assert_eq!(text.parse::<HostGrant>().unwrap().to_string(), text);
        }
        let written: HostGrant = "https://A.b:443".parse().unwrap();
        assert_eq!(written.to_string(), "https://a.b");
    }

    #[test]
    fn one_grant_lies_in_another() {
        let lies_in = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|text| text.parse::<HostGrant>().unwrap());
            one.lies_in(&other)
        };
        assert!(lies_in("https://a.b.c", "https://a.b.c"));
        assert!(lies_in("https://a.b.c", "https://*.b.c"));
        assert!(lies_in("https://*.b.c", "https://*.b.c"));
        assert!(!lies_in("https://*.b.c", "https://a.b.c"));
        assert!(!lies_in("http://a.b.c", "https://*.b.c"));
        assert!(!lies_in("https://*.a.b.c", "https://*.b.c"));
    }
}
