//! Bytes that go by their digest.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use loop_spec::Digest;

/// Some bytes and their digest, which are never apart: what is compiled is what was digested. Clones
/// share the bytes.
///
/// ```
/// use doorlist::Artifact;
/// use loop_spec::Digest;
/// let artifact = Artifact::new(*b"milk");
/// assert_eq!(artifact.digest(), Digest::of("milk"));
/// assert_eq!(artifact[..2], *b"mi");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Artifact {
    bytes: Arc<[u8]>,
    digest: Digest,
}

impl Artifact {
    /// Digests `bytes`.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let digest = Digest::of(&bytes);
        Self { bytes, digest }
    }

    /// The digest of the bytes.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

impl From<Artifact> for Arc<[u8]> {
    fn from(artifact: Artifact) -> Self {
        artifact.bytes
    }
}

impl Deref for Artifact {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Without the bytes.
impl fmt::Debug for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes)", self.digest, self.bytes.len())
    }
}
