//! What a component asks of its host.

use std::fmt;

/// Something that a component imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The name, as the component writes it: `wasi:cli/environment@0.2.6`.
    pub name: String,
    /// What it is.
    pub kind: ImportKind,
}

/// What kind of thing is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// The functions and types of an interface.
    Interface,
    /// A function by itself.
    Function,
    /// A resource type by itself.
    Resource,
    /// A core module.
    Module,
    /// A component.
    Component,
    /// A value.
    Value,
}

/// An import that this host does not meet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}`{}", import.escape_debug(), why)]
pub struct UnmetImport {
    /// Its name.
    pub import: String,
    /// Why it is not met.
    pub why: Unmet,
}

/// Why an import is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unmet {
    /// WASI of another version.
    WasiVersion {
        /// The version it asks for, or `None` when it names none.
        found: Option<String>,
    },
    /// An interface that is there in another version.
    OtherVersion {
        /// The one that is there.
        offered: &'static str,
    },
    /// An interface that no grant allows.
    Unknown,
    /// Not an interface at all.
    NotAnInterface(ImportKind),
}

impl Import {
    /// Why this host does not meet the import, if it does not.
    #[must_use]
    pub fn unmet(&self) -> Option<UnmetImport> {
        let why = match self.kind {
            ImportKind::Interface => unmet_interface(&self.name)?,
            other => Unmet::NotAnInterface(other),
        };
        Some(UnmetImport {
            import: self.name.clone(),
            why,
        })
    }
}

fn unmet_interface(name: &str) -> Option<Unmet> {
    let (path, version) = match name.split_once('@') {
        Some((path, version)) => (path, Some(version)),
        None => (name, None),
    };
    if name == CONFIG || HOST.contains(&name) {
        return None;
    }
    if path.starts_with("wasi:config/") {
        return Some(Unmet::OtherVersion { offered: CONFIG });
    }
    let other = |own: &&str| own.split_once('@').is_some_and(|(own, _)| own == path);
    if let Some(offered) = HOST.into_iter().find(other) {
        return Some(Unmet::OtherVersion { offered });
    }
    if !OFFERED.contains(&path) {
        return Some(Unmet::Unknown);
    }
    match version.and_then(|version| version.strip_prefix("0.2.")) {
        Some(patch) if patch.bytes().all(|b| b.is_ascii_digit()) => None,
        _ => Some(Unmet::WasiVersion {
            found: version.map(str::to_owned),
        }),
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WasiVersion { found: Some(found) } => {
                write!(
                    f,
                    " is of WASI {}; this host has WASI 0.2",
                    found.escape_debug()
                )
            }
            Self::WasiVersion { found: None } => {
                f.write_str(" names no version; this host has WASI 0.2")
            }
            Self::OtherVersion { offered } => {
                write!(f, " is not there; this host has `{offered}`")
            }
            Self::Unknown => f.write_str(" is neither WASI 0.2 nor an interface of Doorlist"),
            Self::NotAnInterface(kind) => {
                write!(f, " is {kind}; only interfaces can be imported")
            }
        }
    }
}

impl fmt::Display for ImportKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interface => "an interface",
            Self::Function => "a function by itself",
            Self::Resource => "a resource by itself",
            Self::Module => "a core module",
            Self::Component => "a component",
            Self::Value => "a value",
        })
    }
}

/// The interfaces of WASI 0.2 that are there for every door, in the inert world too.
const OFFERED: [&str; 29] = [
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/stderr",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stderr",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:filesystem/preopens",
    "wasi:filesystem/types",
    "wasi:http/outgoing-handler",
    "wasi:http/types",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:random/insecure",
    "wasi:random/insecure-seed",
    "wasi:random/random",
    "wasi:sockets/instance-network",
    "wasi:sockets/ip-name-lookup",
    "wasi:sockets/network",
    "wasi:sockets/tcp",
    "wasi:sockets/tcp-create-socket",
    "wasi:sockets/udp",
    "wasi:sockets/udp-create-socket",
];

/// What a policy's `config` is read through: a proposal that changes from version to version.
const CONFIG: &str = "wasi:config/store@0.2.0-rc.1";

/// What is there beside WASI.
const HOST: [&str; 5] = [
    "doorlist:door/turn@0.1.0",
    HISTORY,
    "doorlist:host/http@0.1.0",
    KV,
    "doorlist:host/log@0.1.0",
];

/// What is there for doors that are granted `history` alone.
pub(crate) const HISTORY: &str = "doorlist:host/history@0.1.0";

/// What is there for doors that are granted `kv` alone.
pub(crate) const KV: &str = "doorlist:host/kv@0.1.0";

/// The packages that interfaces are imported from: `wasi:io` for `wasi:io/poll@0.2.0`. Anything else
/// goes by its own name.
#[must_use]
pub fn packages(imports: &[Import]) -> Vec<String> {
    let package = |import: &Import| {
        let name = import
            .name
            .split_once('/')
            .map_or(import.name.as_str(), |(package, _)| package);
        loop_spec::frame::one_line(name)
    };
    let mut packages: Vec<String> = imports.iter().map(package).collect();
    packages.sort();
    packages.dedup();
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_met_or_says_why_not() {
        let interface = ImportKind::Interface;
        let rows = [
            ("wasi:cli/environment@0.2.0", interface, None),
            ("wasi:sockets/tcp@0.2.12", interface, None),
            (
                "wasi:cli/environment@0.3.0",
                interface,
                Some("`wasi:cli/environment@0.3.0` is of WASI 0.3.0; this host has WASI 0.2"),
            ),
            (
                "wasi:io/poll@0.2.0-rc-2023-11-10",
                interface,
                Some(
                    "`wasi:io/poll@0.2.0-rc-2023-11-10` is of WASI 0.2.0-rc-2023-11-10; \
                     this host has WASI 0.2",
                ),
            ),
            (
                "wasi:io/poll",
                interface,
                Some("`wasi:io/poll` names no version; this host has WASI 0.2"),
            ),
            ("wasi:http/types@0.2.3", interface, None),
            ("wasi:config/store@0.2.0-rc.1", interface, None),
            (
                "wasi:config/runtime@0.2.0-draft",
                interface,
                Some(
                    "`wasi:config/runtime@0.2.0-draft` is not there; this host has \
                     `wasi:config/store@0.2.0-rc.1`",
                ),
            ),
            ("doorlist:host/http@0.1.0", interface, None),
            ("doorlist:door/turn@0.1.0", interface, None),
            ("doorlist:host/history@0.1.0", interface, None),
            ("doorlist:host/kv@0.1.0", interface, None),
            ("doorlist:host/log@0.1.0", interface, None),
            (
                "doorlist:host/http@0.2.0",
                interface,
                Some(
                    "`doorlist:host/http@0.2.0` is not there; this host has \
                     `doorlist:host/http@0.1.0`",
                ),
            ),
            (
                "doorlist:host/httq@0.1.0",
                interface,
                Some("`doorlist:host/httq@0.1.0` is neither WASI 0.2 nor an interface of Doorlist"),
            ),
            (
                "wasi:http/incoming-handler@0.2.0",
                interface,
                Some(
                    "`wasi:http/incoming-handler@0.2.0` is neither WASI 0.2 nor an interface of \
                     Doorlist",
                ),
            ),
            (
                "acme:store/query@1.0.0",
                interface,
                Some("`acme:store/query@1.0.0` is neither WASI 0.2 nor an interface of Doorlist"),
            ),
            (
                "now",
                ImportKind::Function,
                Some("`now` is a function by itself; only interfaces can be imported"),
            ),
        ];
        for (name, kind, expected) in rows {
            let name = name.to_owned();
            let unmet = Import { name, kind }.unmet().map(|unmet| unmet.to_string());
            assert_eq!(unmet.as_deref(), expected);
        }
    }
}
