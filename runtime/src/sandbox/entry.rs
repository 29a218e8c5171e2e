//! One compiled component as a file: `magic | authentication code | machine code`.

use loop_spec::Digest;

use super::host_key::HostKey;

/// What an entry is an entry of: a component, for one kind of engine.
pub(super) struct Key([u8; 32]);

impl Key {
    pub(super) fn new(digest: &Digest, engine: &[u8; 32]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher
            .update(MAGIC)
            .update(digest.as_bytes())
            .update(engine);
        Self(hasher.finalize().into())
    }

    pub(super) fn file_name(&self) -> String {
        format!("{}.compiled", blake3::Hash::from_bytes(self.0).to_hex())
    }
}

/// The file that keeps `code` under `key`.
pub(super) fn seal(code: &[u8], key: &Key, secret: &HostKey) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEADER + code.len());
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(authentication(code, key, secret).as_bytes());
    file.extend_from_slice(code);
    file
}

/// The code in `file`, if this host sealed it under `key`.
pub(super) fn open<'a>(file: &'a [u8], key: &Key, secret: &HostKey) -> Option<&'a [u8]> {
    let (written, code) = file.strip_prefix(MAGIC)?.split_first_chunk()?;
    // Comparing `blake3::Hash`es takes the same time wherever they differ.
    let expected = authentication(code, key, secret);
    (blake3::Hash::from_bytes(*written) == expected).then_some(code)
}

fn authentication(code: &[u8], key: &Key, secret: &HostKey) -> blake3::Hash {
    // Both parts before the code have a fixed length, so no two inputs run into each other.
    let mut hasher = blake3::Hasher::new_keyed(secret.bytes());
    hasher.update(MAGIC).update(&key.0).update(code);
    hasher.finalize()
}

/// The format and its version: a change of either makes old entries foreign. So does a change of what
/// may be compiled at all.
const MAGIC: &[u8; 16] = b"doorlist code 2\n";

const HEADER: usize = MAGIC.len() + blake3::OUT_LEN;

#[cfg(test)]
mod tests {
    use super::*;

    fn key(of: &str) -> Key {
        Key::new(&Digest::of(of), &[0; 32])
    }

    #[test]
    fn what_was_sealed_opens() {
        let secret = HostKey::fixed(1);
        let file = seal(b"code", &key("milk"), &secret);
        assert_eq!(open(&file, &key("milk"), &secret), Some(&b"code"[..]));
    }

    #[test]
    fn no_changed_bit_and_no_shorter_file_opens() {
        let secret = HostKey::fixed(1);
        let file = seal(b"code", &key("milk"), &secret);
        for place in 0..file.len() {
            let mut changed = file.clone();
            changed[place] ^= 1;
            assert_eq!(
                open(&changed, &key("milk"), &secret),
                None,
                "bit at {place}"
            );
            assert_eq!(
                open(&file[..place], &key("milk"), &secret),
                None,
                "{place} bytes"
            );
        }
    }

    #[test]
    fn another_component_engine_or_host_opens_nothing() {
        let file = seal(b"code", &key("milk"), &HostKey::fixed(1));
        let other_engine = Key::new(&Digest::of("milk"), &[1; 32]);
        assert_eq!(open(&file, &key("eggs"), &HostKey::fixed(1)), None);
        assert_eq!(open(&file, &other_engine, &HostKey::fixed(1)), None);
        assert_eq!(open(&file, &key("milk"), &HostKey::fixed(2)), None);
    }
}
