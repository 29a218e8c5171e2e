//! What a component that is tried reached for, and the policy that would give it that.

use std::collections::BTreeMap;

use doorlist::gate::{Came, Conditions, Gate, GuardedDoor};
use doorlist::grants::GrantedDir;
use doorlist::sandbox::Reached;
use loop_spec::frame;
use serde_json::json;
use wasmtime::component::Val;

/// What an opening that was granted nothing reached for.
pub(crate) struct Reach {
    door: String,
    reached: Reached,
}

impl Reach {
    /// Reads it off an opening. Where that looked for folders, it is opened once more with one that
    /// is empty, which is the only way to learn which paths it wants.
    ///
    /// # Errors
    /// There is no place for the empty folder.
    pub(crate) async fn of(
        gate: &Gate,
        door: &GuardedDoor,
        came: &Came,
        values: Vec<Val>,
        conditions: Conditions,
    ) -> anyhow::Result<Self> {
        let mut reached = came.reached.clone();
        if reached.folders {
            let empty = tempfile::tempdir()?;
            let mut door = door.clone();
            door.grants.dirs.push(GrantedDir {
                host: empty.path().canonicalize()?,
                guest: "/".to_owned(),
                write: false,
            });
            reached.paths = gate.open(&door, values, conditions).await.reached.paths;
        }
        let door = door.door.name.clone();
        Ok(Self { door, reached })
    }

    /// In a few words; `None` if it kept to its own memory.
    pub(crate) fn words(&self) -> Option<String> {
        let Reached {
            clock,
            random,
            environment,
            folders,
            ref paths,
        } = self.reached;
        let mut words: Vec<String> = [
            (clock, "a clock, and got the recorded time"),
            (random, "random numbers, and got those of the seed"),
            (environment, "its environment, and found no variable"),
            (folders && paths.is_empty(), "files, and found no folder"),
        ]
        .into_iter()
        .filter(|(reached, _)| *reached)
        .map(|(_, word)| word.to_owned())
        .collect();
        words.extend(paths.iter().map(|(path, change)| {
            let to = if *change { "to change" } else { "to read" };
            format!("{}, {to}", frame::one_line(&absolute(path)))
        }));
        (!words.is_empty()).then(|| words.join("; "))
    }

    /// The smallest policy with which it would find what it missed. What it was given a stand-in of
    /// is a comment: it may be well with that. `None` if it misses nothing.
    pub(crate) fn policy(&self) -> Option<String> {
        let mut lines = Vec::new();
        let dirs: Vec<String> = self.dirs().iter().map(dir).collect();
        if !dirs.is_empty() {
            lines.push(format!("dirs = [{}]", dirs.join(", ")));
        }
        if self.reached.environment {
            lines.push("# env = { NAME = \"value\" }".to_owned());
        }
        if self.reached.clock {
            lines.push("# clock = \"real\"".to_owned());
        }
        if self.reached.random {
            lines.push("# random = \"real\"".to_owned());
        }
        let name = toml::Value::String(self.door.clone());
        (!lines.is_empty()).then(|| format!("[door.{name}]\n{}\n", lines.join("\n")))
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        let paths = self.reached.paths.iter();
        let paths: Vec<_> = paths
            .map(|(path, change)| json!({ "path": absolute(path), "change": change }))
            .collect();
        json!({
            "clock": self.reached.clock,
            "random": self.reached.random,
            "environment": self.reached.environment,
            "folders": self.reached.folders,
            "paths": paths,
        })
    }

    /// The folders that the paths lie in, and whether something in them is to be changed.
    fn dirs(&self) -> BTreeMap<String, bool> {
        let mut dirs = BTreeMap::new();
        for (path, change) in &self.reached.paths {
            let path = absolute(path);
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let folder = if folder.is_empty() { "/" } else { folder };
            *dirs.entry(folder.to_owned()).or_default() |= change;
        }
        dirs
    }
}

fn dir((guest, write): (&String, &bool)) -> String {
    // A loop's own folder, which needs no allowance, stands behind `/data` by custom.
    let host = match guest.strip_prefix("/data") {
        Some(below) if below.is_empty() || below.starts_with('/') => format!("data{below}"),
        _ if guest == "/" => "data".to_owned(),
        _ => guest.clone(),
    };
    let text = |text: &str| toml::Value::String(text.to_owned());
    let write = if *write { ", write = true" } else { "" };
    format!(
        "{{ host = {}, guest = {}{write} }}",
        text(&host),
        text(guest)
    )
}

/// A path as a door names it, from the folder that stands for all.
fn absolute(path: &str) -> String {
    format!("/{}", path.trim_start_matches("./").trim_start_matches('/'))
}
