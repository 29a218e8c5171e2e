//! Builds the repository's doors once for all tests.

use doorlist::build::Build;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The components of `doors/`, as this checkout's sources give them.
pub(crate) fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let out = target_dir().join("built");
        build(&repository().join("doors"), &out);
        out
    })
}

/// Builds the doors of a folder, and shows what Cargo says when they do not compile.
pub(crate) fn build(doors: &Path, out: &Path) {
    let build = Build {
        target_dir: Some(target_dir()),
        locked: true,
        ..Build::default()
    };
    if let Err(error) = build.run(&[doors], out, &mut |step| eprintln!("{step}")) {
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

/// What a door is called in messages and files.
pub(crate) const DOORS: [&str; 4] = ["fridge", "mind", "settled", "shopping"];
