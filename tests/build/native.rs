//! The doors' own tests, which run on the machine itself.

use super::workshop::{repository, target_dir};
use std::process::Command;

/// In release, since the macros that the doors use are compiled for that already.
#[test]
fn the_doors_pass_their_own_tests() {
    let output = Command::new("cargo")
        .args([
            "test",
            "--release",
            "--locked",
            "--workspace",
            "--target-dir",
        ])
        .arg(target_dir())
        .args(["--config", "profile.release.lto=false"])
        .current_dir(repository().join("doors"))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&text)
    );
}
