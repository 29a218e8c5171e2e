//! What a door may reach beyond the inert world.

use std::path::PathBuf;

/// What one opening is granted. The default is nothing: the door is pure.
///
/// Each part is independent: a granted directory does not start the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Directories of the host, and what the door sees them as.
    pub dirs: Vec<GrantedDir>,
    /// The environment variables the door sees; it sees no other.
    pub env: Vec<(String, String)>,
    /// The clocks are the host's, and sleeping takes time.
    pub real_clock: bool,
    /// Random numbers come from the operating system.
    pub real_random: bool,
}

/// A directory of the host that a door may read, and write where the grant says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedDir {
    /// Where it is on the host. Nothing above it can be reached from inside, by `..` or by links.
    pub host: PathBuf,
    /// What the door calls it, for example `/data`.
    pub guest: String,
    /// Whether the door may also create, change and remove.
    pub write: bool,
}

impl Grants {
    /// Whether nothing is granted: the same component, arguments, time and seed then give the
    /// same bytes and the same fuel every time.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self == &Self::default()
    }
}
