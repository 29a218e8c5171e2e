//! What a component that is tried reached for, and the policy that would give it that.

use std::collections::BTreeMap;

use doorlist::gate::{Came, Conditions, Gate, GuardedDoor};
use doorlist::grants::GrantedDir;
use doorlist::sandbox::Reached;
use loop_spec::frame::{deceives, one_line};
use serde_json::json;

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
        arguments: &str,
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
            let again = gate.open_recorded(&door, arguments, conditions).await;
            reached.paths = again.reached.paths;
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
            config,
            kv,
            folders,
            ref hosts,
            ref paths,
        } = self.reached;
        let mut words: Vec<String> = [
            (clock, "a clock, and got the recorded time"),
            (random, "random numbers, and got those of the seed"),
            (environment, "its environment, and found no variable"),
            (config, "wasi:config, and found no value"),
            (kv, "the keys that it keeps, and found none"),
            (folders && paths.is_empty(), "files, and found no folder"),
        ]
        .into_iter()
        .filter(|(reached, _)| *reached)
        .map(|(_, word)| word.to_owned())
        .collect();
        words.extend(hosts.iter().map(|host| format!("{host}, and was refused")));
        words.extend(paths.iter().map(|(path, change)| {
            let to = if *change { "to change" } else { "to read" };
            format!("{}, {to}", one_line(&absolute(path)))
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
        let hosts: Vec<String> = self
            .reached
            .hosts
            .iter()
            .map(|it| quoted(&it.to_string()))
            .collect();
        if !hosts.is_empty() {
            lines.push(format!("hosts = [{}]", hosts.join(", ")));
        }
        if self.reached.kv {
            lines.push("kv = true".to_owned());
        }
        if self.reached.config {
            lines.push("# config = { name = \"value\" }".to_owned());
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
        let name = quoted(&self.door);
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
            "config": self.reached.config,
            "kv": self.reached.kv,
            "hosts": self.reached.hosts.iter().map(ToString::to_string).collect::<Vec<_>>(),
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
    let write = if *write { ", write = true" } else { "" };
    format!(
        "{{ host = {}, guest = {}{write} }}",
        quoted(&host),
        quoted(guest)
    )
}

/// A string of TOML that stays on its line and shows all that is in it: a door chose its text.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if deceives(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A path as a door names it, from the folder that stands for all.
fn absolute(path: &str) -> String {
    format!("/{}", path.trim_start_matches("./").trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_would_forge_a_line_stays_in_its_own_and_comes_back() {
        let folder = "a\"b\\'\n[door.\"x\"]\r\t\u{7f}\u{202e}\u{e0041}";
        let reach = Reach {
            door: "d.e".to_owned(),
            reached: Reached {
                paths: [(format!("{folder}/file"), true)].into(),
                ..Reached::default()
            },
        };
        let policy = reach.policy().unwrap();
        assert_eq!(policy.lines().count(), 2, "{policy}");
        assert!(!policy.contains(|c| c != '\n' && deceives(c)), "{policy:?}");
        assert_eq!(reach.words().unwrap().lines().count(), 1);
        let read: toml::Table = policy.parse().unwrap();
        let dir = &read["door"]["d.e"]["dirs"][0];
        assert_eq!(dir["guest"].as_str(), Some(format!("/{folder}").as_str()));
        assert_eq!(dir["write"].as_bool(), Some(true));
    }
}
