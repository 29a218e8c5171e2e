//! Builds the repository's doors once for all tests.

use doorlist::build::Build;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The components of `doors/`, as this checkout's sources give them.
pub(crate) fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let out = target_dir().join("built");
        build_all(&repository().join("doors"), &out);
        out
    })
}

/// Builds [`DOORS`] of the folder `doors`.
pub(crate) fn build_all(doors: &Path, out: &Path) {
    build(&DOORS.map(|door| doors.join(door)), out);
}

/// Builds doors, and shows what their toolchain says when they do not compile.
pub(crate) fn build<P: AsRef<Path>>(doors: &[P], out: &Path) {
    let build = Build {
        target_dir: Some(target_dir()),
        locked: true,
        ..Build::default()
    };
    if let Err(error) = build.run(doors, out, &mut |step| eprintln!("{step}")) {
        panic!("{error}");
    }
}

/// The folder of the root Cargo.toml.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests lie in the repository")
}

/// A target directory of its own below that of these tests: Cargo locks the whole of one.
pub(crate) fn target_dir() -> PathBuf {
    let this = std::env::current_exe().expect("a test has a file");
    this.ancestors()
        .nth(3)
        .expect("tests lie in <target>/debug/deps")
        .join("doors")
}

/// The doors of the fridge loop, which the binary carries.
pub(crate) const DOORS: [&str; 5] = ["fridge", "history", "mind", "settled", "shopping"];
