//! Compiled components on disk, believed only when this host wrote them.

use std::fs::{self, DirBuilder, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use loop_spec::Digest;
use tempfile::NamedTempFile;
use wasmtime::Engine;
use wasmtime::component::Component;

use super::entry::{self, Key};
use super::host_key::HostKey;

/// A directory of compiled components.
///
/// Machine code that is read back is run, so nothing in the directory is believed by its name:
/// each entry carries an authentication code over its key and its bytes, made with a secret of
/// this host. What does not check out is as good as missing. Nothing here is ever an error of the
/// run: at worst a component is compiled again.
pub(super) struct Cache {
    dir: PathBuf,
    secret: HostKey,
    /// Compatible engines (version, processor, settings) have the same.
    engine: [u8; 32],
}

/// Why compiled components are not kept on disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CacheFault {
    /// No directory was given.
    #[error("no directory was given for compiled components")]
    NotAsked,
    /// The directory cannot be made, read or written.
    #[error("the directory for compiled components {} cannot be used: {what}", dir.display())]
    Unusable {
        /// The directory.
        dir: PathBuf,
        /// What the system says.
        what: String,
    },
    /// Others could put their own code there.
    #[error(
        "the directory for compiled components {} must belong to you and be writable by you \
         alone (`chmod 700`): others could put their own code there",
        dir.display()
    )]
    NotPrivate {
        /// The directory.
        dir: PathBuf,
    },
}

impl Cache {
    pub(super) fn open(dir: Option<&Path>, engine: &Engine) -> Result<Self, CacheFault> {
        let dir = dir.ok_or(CacheFault::NotAsked)?;
        let unusable = |error: io::Error| CacheFault::Unusable {
            dir: dir.to_owned(),
            what: error.to_string(),
        };
        private_dir(dir).map_err(unusable)?;
        match HostKey::in_dir(dir).map_err(unusable)? {
            Some(secret) => Ok(Self {
                dir: dir.to_owned(),
                secret,
                engine: fingerprint(engine),
            }),
            None => Err(CacheFault::NotPrivate {
                dir: dir.to_owned(),
            }),
        }
    }

    /// What was stored for `digest`, if it is whole and this host's own.
    pub(super) fn load(&self, engine: &Engine, digest: &Digest) -> Option<Component> {
        let key = self.key(digest);
        let bytes = read_regular(&self.dir.join(key.file_name())).ok()?;
        let code = entry::open(&bytes, &key, &self.secret)?;
        deserialize(engine, code).ok()
    }

    /// Keeps `component` for `digest`. What cannot be written is compiled again another time.
    pub(super) fn store(&self, component: &Component, digest: &Digest) {
        let Ok(code) = component.serialize() else {
            return;
        };
        let key = self.key(digest);
        let entry = entry::seal(&code, &key, &self.secret);
        // A reader sees the whole entry or the one before it, whoever else is writing.
        let _: Result<(), io::Error> = write_whole(&self.dir, &key.file_name(), &entry);
    }

    fn key(&self, digest: &Digest) -> Key {
        Key::new(digest, &self.engine)
    }
}

/// Turns bytes that this host compiled back into code: those that `store` wrote, or those that come
/// straight from a process of its own.
#[allow(unsafe_code)]
pub(super) fn deserialize(engine: &Engine, code: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: wasmtime requires that the bytes came from `Component::serialize`, or were compiled
    // ahead, and were not changed. For an entry of the cache, `entry::open` has just verified, on
    // these same bytes in our own memory, a code that only a holder of this host's secret can make,
    // and `store` makes it for nothing else; the key under it binds the engine. From a process apart
    // (`apart.rs`) they come through a pipe that nobody else holds, from the program that the host
    // named for it. Wasmtime checks version and settings once more.
    unsafe { Component::deserialize(engine, code) }
}

/// The engine's version, processor and settings in 32 bytes, the same in every process.
fn fingerprint(engine: &Engine) -> [u8; 32] {
    struct Blake(blake3::Hasher);
    impl Hasher for Blake {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            0 // Only `write` is used: the hash is taken whole below.
        }
    }
    let mut hasher = Blake(blake3::Hasher::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.0.finalize().into()
}

fn private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// The bytes of a file that is no link, device or pipe.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn write_whole(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(dir)?;
    file.write_all(bytes)?;
    file.persist(dir.join(name))?;
    Ok(())
}

/// Bytes of the largest entry that is read: no component that is compiled comes near.
const LARGEST: u64 = 2 << 30;
