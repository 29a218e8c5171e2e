//! `doorlist dev`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use doorlist::build::BuildError;
use notify::{EventKind, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;

use super::build::{build, components_of};
use super::print::note;
use super::run::ctrl_c;
use super::test::Test;
use super::{Exit, Output};

/// Build doors, run their cases, and do so again whenever a file of theirs changes, until Ctrl-C.
///
/// PATH is as for `doorlist build` and `doorlist test`. What fails is told of, and the next change is
/// waited for.
#[derive(Args)]
pub(crate) struct Dev {
    /// What to build and test.
    #[arg(default_value = ".")]
    path: PathBuf,
}

impl Dev {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let (changed, mut changes) = mpsc::unbounded_channel();
        let whole = std::path::absolute(&self.path)?;
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                // Who no longer listens has ended.
                let _ = changed.send(event);
            })?;
        watcher
            .watch(&whole, RecursiveMode::Recursive)
            .with_context(|| format!("{} cannot be watched", self.path.display()))?;
        let stop = ctrl_c().await;
        let mut is_first = true;
        loop {
            if let Err(error) = self.once(output).await {
                // Where there is nothing to build, no change of a door is to come.
                let nothing = matches!(error.downcast_ref(), Some(BuildError::NoDoor { .. }));
                if is_first && nothing {
                    return Err(error);
                }
                note!("doorlist: {error:#}");
            }
            is_first = false;
            note!(
                "waiting for a change in {}; Ctrl-C ends it",
                self.path.display()
            );
            tokio::select! {
                () = stop.cancelled() => return Ok(Exit::Done),
                () = changed_source(&whole, &mut changes) => {}
            }
        }
    }

    async fn once(&self, output: Output) -> anyhow::Result<Exit> {
        build(std::slice::from_ref(&self.path), &components_of(&self.path)).await?;
        Test::of(&self.path).perform(output).await
    }
}

/// Waits until a source has changed and no other follows at once: an editor writes several.
async fn changed_source(
    within: &Path,
    changes: &mut mpsc::UnboundedReceiver<notify::Result<notify::Event>>,
) {
    let mut seen = false;
    loop {
        let wait = match seen {
            true => Duration::from_millis(200),
            false => Duration::MAX,
        };
        match tokio::time::timeout(wait, changes.recv()).await {
            Ok(Some(Ok(event))) => seen |= is_source(within, &event),
            // What was missed may have been one.
            Ok(Some(Err(_))) => seen = true,
            Ok(None) | Err(_) => return,
        }
    }
}

/// Whether a file was changed that a person writes.
fn is_source(within: &Path, event: &notify::Event) -> bool {
    let changes = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
    );
    changes
        && event
            .paths
            .iter()
            .any(|path| !is_made(path.strip_prefix(within).unwrap_or(path)))
}

/// What a build writes itself.
fn is_made(path: &Path) -> bool {
    let made = |part: &std::ffi::OsStr| {
        let part = part.to_string_lossy();
        part.starts_with('.') || MADE.contains(&&*part)
    };
    let named = path.file_name().unwrap_or_default().to_string_lossy();
    path.iter().any(made) || named.ends_with(".wasm") || named.ends_with(".schema.json")
}

const MADE: [&str; 10] = [
    "target",
    "bindings",
    "node_modules",
    "__pycache__",
    "Cargo.lock",
    "doors.lock",
    "runs",
    "sessions",
    "history.txt",
    "go.sum",
];
