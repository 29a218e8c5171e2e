//! Compiled components on disk. Only what this host wrote is ever run: an entry carries a keyed
//! checksum, and is checked in the memory from which it is then loaded.

use std::fs;
use std::hash::{Hash as _, Hasher};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use loop_spec::Digest;
use wasmtime::Engine;
use wasmtime::component::Component;

/// A folder of compiled components, each under a name made of its component, wasmtime's version and
/// the engine's settings.
///
/// Whatever is wrong with an entry, or with the folder, means that there is none: the component is
/// compiled again.
pub(super) struct Cache {
    dir: PathBuf,
    key: Option<[u8; KEY_LENGTH]>,
    engine: u64,
}

impl Cache {
    pub(super) fn new(dir: &Path, engine: &Engine) -> Self {
        let mut hasher = Stable::default();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        let key = key(&dir.join(KEY_FILE)).ok();
        Self {
            dir: dir.to_owned(),
            key,
            engine: hasher.finish(),
        }
    }

    /// The entry of a component, if there is a good one.
    pub(super) fn load(&self, digest: &Digest, engine: &Engine) -> Option<Component> {
        let name = self.name(digest);
        let entry = read_regular(&self.dir.join(&name)).ok()?;
        let (mac, body) = entry.split_first_chunk::<MAC_LENGTH>()?;
        // A comparison of blake3 hashes takes the same time wherever they differ.
        if self.mac(&name, body)? != blake3::Hash::from_bytes(*mac) {
            return None;
        }
        deserialize(engine, body).ok()
    }

    /// Keeps a compiled component, if that can be done.
    pub(super) fn store(&self, digest: &Digest, component: &Component) {
        let name = self.name(digest);
        let Ok(body) = component.serialize() else {
            return;
        };
        let Some(mac) = self.mac(&name, &body) else {
            return;
        };
        // Not keeping it costs a compilation next time, and nothing else.
        let _ = write_whole(&self.dir, &name, &[mac.as_bytes(), &body]);
    }

    fn name(&self, digest: &Digest) -> String {
        let hex = digest.to_string().replace("sha256:", "");
        format!("{hex}-{:016x}.compiled", self.engine)
    }

    /// The checksum that only this host can make, over the entry's name and its body.
    fn mac(&self, name: &str, body: &[u8]) -> Option<blake3::Hash> {
        let mut hasher = blake3::Hasher::new_keyed(self.key.as_ref()?);
        hasher.update(name.as_bytes()).update(body);
        Some(hasher.finalize())
    }
}

/// Loads what this host compiled.
#[allow(unsafe_code)]
fn deserialize(engine: &Engine, body: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: the bytes came from `Component::serialize` in this host: they carry a checksum that is
    // made with a key which only this host's user can read, and nobody else holds this memory.
    unsafe { Component::deserialize(engine, body) }
}

/// The host's key, made when there is none.
fn key(path: &Path) -> io::Result<[u8; KEY_LENGTH]> {
    if let Some(key) = read_key(path)? {
        return Ok(key);
    }
    let mut key = [0; KEY_LENGTH];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    let dir = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    // A temporary file is readable by its owner alone, and is put in place whole.
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(&key)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(key),
        // Another process was first: its key counts, unless it is a damaged one.
        Err(error) => match read_key(path)? {
            Some(theirs) => Ok(theirs),
            None => error
                .file
                .persist(path)
                .map(|_| key)
                .map_err(|error| error.error),
        },
    }
}

/// The key that is there, or `None` where it is missing or damaged.
fn read_key(path: &Path) -> io::Result<Option<[u8; KEY_LENGTH]>> {
    match read_regular(path) {
        Ok(bytes) => Ok(bytes.try_into().ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The bytes of a plain file. A link, a pipe or a folder in its place is an error.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let not_plain = || io::Error::new(io::ErrorKind::InvalidData, "not a plain file");
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(not_plain());
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Puts a file in place whole, or not at all.
fn write_whole(dir: &Path, name: &str, parts: &[&[u8]]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    for part in parts {
        file.write_all(part)?;
    }
    file.persist(dir.join(name))
        .map(|_| ())
        .map_err(|error| error.error)
}

/// A hash that is the same in every process, unlike that of the standard library.
#[derive(Default)]
struct Stable(blake3::Hasher);

impl Hasher for Stable {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let hash = self.0.finalize();
        u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes"))
    }
}

/// The file that holds the host's key.
const KEY_FILE: &str = "key";
const KEY_LENGTH: usize = blake3::KEY_LEN;
const MAC_LENGTH: usize = blake3::OUT_LEN;
