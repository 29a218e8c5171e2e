//! Keeps the builder's paths out of what is built: panics name the file they come from.

use super::toolchain::Toolchain;
use cargo_metadata::{Metadata, Package};
use std::path::Path;

/// The flags of the compiler. Of two that fit a path, the later one holds.
pub(crate) fn flags(metadata: &Metadata, toolchain: &Toolchain) -> Vec<String> {
    let library = toolchain.sysroot.join("lib/rustlib/src/rust");
    let mut flags = vec![
        // The name that the standard library's paths have where its sources are not installed.
        flag(&library, &format!("/rustc/{}", toolchain.commit)),
        flag(metadata.workspace_root.as_std_path(), "/door"),
    ];
    let mut packages: Vec<&Package> = metadata.packages.iter().collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    for package in packages {
        let name = format!("/crates/{}-{}", package.name, package.version);
        flags.extend(folders(package, metadata).map(|folder| flag(folder, &name)));
    }
    flags.push("-Cstrip=symbols".to_owned());
    flags
}

/// The dependencies whose absolute paths Cargo puts into symbols.
pub(crate) fn outside(metadata: &Metadata) -> impl Iterator<Item = &str> {
    let by_path = metadata
        .packages
        .iter()
        .filter(|package| package.source.is_none());
    by_path
        .filter(|package| !package.manifest_path.starts_with(&metadata.workspace_root))
        .map(|package| package.name.as_str())
}

/// Where the sources of a package are: its folder, and the folder of a library that lies elsewhere.
/// Cargo gives those inside the workspace to the compiler as relative paths.
fn folders<'a>(package: &'a Package, metadata: &'a Metadata) -> impl Iterator<Item = &'a Path> {
    let own = package.manifest_path.parent();
    let sources = package
        .targets
        .iter()
        .filter(|target| !target.is_custom_build());
    let elsewhere = sources
        .filter_map(|target| target.src_path.parent())
        .filter(move |folder| own.is_none_or(|own| !folder.starts_with(own)));
    own.into_iter()
        .chain(elsewhere)
        .filter(|folder| !folder.starts_with(&metadata.workspace_root))
        .map(|folder| folder.as_std_path())
}

fn flag(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}
