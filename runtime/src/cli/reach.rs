//! What a component that is tried reached for, and the policy that would give it that.

use doorlist::gate::{Came, Conditions, Gate, GuardedDoor};
use doorlist::grants::GrantedDir;
use doorlist::sandbox::Reached;
use loop_spec::frame::one_line;
use loop_spec::loop_machine::Outcome;
use serde_json::json;

use super::least_policy::{absolute, least_policy};

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
            reached.paths.retain(|path, _| !is_of_runtime(path));
        }
        if !matches!(
            came.outcome,
            Outcome::Said { .. } | Outcome::OwnError { .. }
        ) {
            // What tells of a panic looks there for how much it is to tell.
            reached.environment = false;
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
            history,
            end,
            sockets,
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
            (history, "what other doors returned, and found nothing"),
            (end, "the end of the run"),
            (
                sockets,
                "a socket or the address of a name, which no grant gives; what can be granted are \
                 requests to `hosts`",
            ),
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

    /// The least in a policy.toml that would let it find what it missed; `None` if it misses nothing.
    pub(crate) fn policy(&self) -> Option<String> {
        least_policy(&self.door, &self.reached)
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
            "history": self.reached.history,
            "end": self.reached.end,
            "hosts": self.reached.hosts.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "sockets": self.reached.sockets,
            "folders": self.reached.folders,
            "paths": paths,
        })
    }
}

/// Whether a path is one that a language looks at by itself: Python at its own sources, to quote them
/// under an error. Its folders are `/python`, `/bundled`, and `/0` and so on for the door's own.
fn is_of_runtime(path: &str) -> bool {
    let path = absolute(path);
    let first = path.split('/').nth(1).unwrap_or_default();
    let own = first.bytes().all(|b| b.is_ascii_digit()) || ["python", "bundled"].contains(&first);
    own && !first.is_empty() && path.ends_with(".py")
}
