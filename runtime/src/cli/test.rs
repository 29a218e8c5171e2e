//! `doorlist test`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::cases::{self, Case, FILE, Found, Wanted};
use doorlist::doors::{DoorFile, Function, stem_of};
use doorlist::gate::Gate;
use doorlist::journal::{Journal as _, RunKey};
use doorlist::lock::Revoked;
use doorlist::loop_folder::LoopFolder;
use loop_spec::frame::visible;
use loop_spec::loop_machine::{Event, Outcome};
use loop_spec::numbers::grouped;
use loop_spec::{Language, Recorded as _};
use serde_json::json;

use super::build::components_of;
use super::place::sandbox;
use super::print::{data, note};
use super::{Exit, Output, own};

/// Open doors as their recorded cases say, and compare what comes of it.
///
/// PATH is the folder of a door's sources, a folder of such folders, or a loop. The cases are the lines
/// of cases.jsonl in it: {"call": "count", "args": {…}, "want": …}, or "error" in the place of "want",
/// with "time" (microseconds since 1970) and "seed" for the inert world. A case is granted a copy of
/// the folder `data` beside it as /data, and nothing else.
///
/// Exit codes: 0 every case is well, 1 one is not.
#[derive(Args)]
pub(crate) struct Test {
    /// What to test.
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Where the components are; where `doorlist build` puts them if left out.
    #[arg(long = "in", value_name = "DIR")]
    components: Option<PathBuf>,
    /// Add the openings of a run of the loop at PATH to the cases of its doors, and test nothing.
    #[arg(long, value_name = "RUN")]
    record: Option<String>,
}

/// A folder with cases, and the component that they are of.
struct Tested {
    cases: PathBuf,
    component: PathBuf,
}

impl Test {
    /// The cases at a path.
    pub(crate) fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            components: None,
            record: None,
        }
    }

    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        if let Some(run) = &self.record {
            return record(&self.path, run, output).await;
        }
        let own = own()?;
        let gate = Gate::new(sandbox(&own)?);
        let mut exit = Exit::Done;
        let mut all = Vec::new();
        for tested in self.tested()? {
            if !tested.component.exists() {
                bail!(
                    "{}: expected the component of these cases in {}, found none; next: doorlist \
                     build {}",
                    tested.cases.display(),
                    tested.component.display(),
                    tested.folder().display()
                );
            }
            let file = Arc::new(DoorFile::read(&tested.component)?);
            file.check()?;
            let component = file.artifact.digest();
            if let Some(revocation) = Revoked::in_dir(&own.config).of(&component)? {
                bail!("{}: {}", file.label(), revocation.told(&component));
            }
            let cases = cases::read(&tested.cases)?;
            let data = Some(tested.folder().join("data")).filter(|data| data.is_dir());
            let (mut failed, mut fuel) = (0, 0);
            for case in &cases {
                let found = cases::run(&gate, &file, case, data.as_deref()).await?;
                fuel += found.fuel;
                if !found.well {
                    failed += 1;
                    exit = Exit::Error;
                }
                if output.json {
                    all.push(json!({
                        "file": tested.cases,
                        "line": case.line,
                        "well": found.well,
                        "observation": found.observation,
                        "fuel": found.fuel,
                        "printed": found.printed,
                    }));
                } else if !found.well {
                    differ(&tested.cases, case, &found)?;
                }
            }
            if !output.json {
                let number = cases.len();
                let plural = if number == 1 { "case" } else { "cases" };
                data!(
                    "{}: {number} {plural}, {failed} failed, {} fuel",
                    file.stem,
                    grouped(fuel)
                )?;
            }
        }
        if output.json {
            data!("{}", json!({ "cases": all }))?;
        } else if exit == Exit::Done {
            self.next();
        }
        Ok(exit)
    }

    fn next(&self) {
        match components_of(&self.path).parent() {
            Some(dir) if dir.join("loop.txt").exists() => note!(
                "next: put the doors on `list` in {}; `doorlist doors {}` names them",
                dir.join("loop.txt").display(),
                match dir == Path::new("") {
                    true => ".".into(),
                    false => dir.to_string_lossy(),
                }
            ),
            _ => note!("next: doorlist add FILE.wasm -C LOOP, to use it in a loop"),
        }
    }

    /// The folder itself, those in its doors/, or those in it.
    fn tested(&self) -> anyhow::Result<Vec<Tested>> {
        let doors = self.path.join("doors");
        let within = match self.path.join("loop.txt").exists() && doors.is_dir() {
            true => doors,
            false => self.path.clone(),
        };
        let mut folders = vec![within.clone()];
        if !within.join(FILE).exists() {
            let entries = within.read_dir().with_context(|| {
                format!("{}: expected a folder that can be read", within.display())
            })?;
            folders = entries.flatten().map(|entry| entry.path()).collect();
            folders.sort();
            folders.retain(|folder| folder.join(FILE).exists());
        }
        if folders.is_empty() {
            bail!(
                "{}: expected {FILE}, or folders with one, found none",
                within.display()
            );
        }
        let of = |folder: &PathBuf| Tested::of(folder, self.components.as_deref());
        folders.iter().map(of).collect()
    }
}

impl Tested {
    fn of(folder: &Path, components: Option<&Path>) -> anyhow::Result<Self> {
        let whole = std::path::absolute(folder)?;
        let name = whole
            .file_name()
            .context("expected a folder with a name")?
            .to_string_lossy();
        Ok(Self {
            cases: folder.join(FILE),
            component: components
                .map_or_else(|| components_of(folder), Path::to_owned)
                .join(format!("{name}.wasm")),
        })
    }

    fn folder(&self) -> &Path {
        self.cases.parent().unwrap_or(Path::new("."))
    }
}

/// Says how what was found differs from what was wanted. A door's text is not to move the cursor.
fn differ(file: &Path, case: &Case, found: &Found) -> anyhow::Result<()> {
    data!(
        "{}, line {}: {} {}",
        file.display(),
        case.line,
        visible(&case.call),
        visible(case.args.get())
    )?;
    let (kind, wanted) = match case.wanted() {
        Wanted::Value(want) => ("want ", want),
        Wanted::Error(error) => ("error", error),
    };
    data!("- {kind} {}", visible(wanted))?;
    data!("+ found {}", visible(&found.observation))?;
    for line in found.printed.lines() {
        note!("printed: {}", visible(line));
    }
    Ok(())
}

/// Adds what a run's doors were opened with, and what came of it, to the cases of their folders.
async fn record(dir: &Path, run: &str, output: Output) -> anyhow::Result<Exit> {
    let folder = LoopFolder::open(dir, own()?)?;
    let reading = folder.journal()?.read(&RunKey::local(run)?, 0).await?;
    if reading.records.is_empty() {
        bail!(
            "expected a run {run} in {}, found none; see `doorlist runs`",
            dir.join("runs").display()
        );
    }
    let doors = folder.snapshot()?.doors;
    let mut openings = Vec::new();
    let mut added = Vec::new();
    for record in &reading.records {
        match Event::of_entry(&record.entry) {
            Ok(Event::Opening(opening)) => openings.push(opening),
            Ok(Event::Opened(opened)) => {
                let at = openings
                    .iter()
                    .position(|opening| opening.call == opened.call);
                let opening = openings.remove(at.context("what opened was opening")?);
                let Some(door) = doors.get(&opening.door) else {
                    note!(
                        "{} is not on the list any more; it is left out",
                        opening.door
                    );
                    continue;
                };
                let Some((want, error)) = wanted(&door.door.function, &opened.outcome) else {
                    continue;
                };
                let stem = stem_of(&opening.door);
                let file = folder.doors().join(stem).join(FILE);
                let case = Case::new(&opening.door, &opening.arguments, want, error)?
                    .at(opening.time, opening.seed);
                added.push((file, serde_json::to_string(&case)?));
            }
            _ => {}
        }
    }
    for (file, case) in &added {
        std::fs::create_dir_all(file.parent().unwrap_or(dir))?;
        let mut cases = OpenOptions::new().create(true).append(true).open(file)?;
        writeln!(cases, "{case}")?;
    }
    if output.json {
        let files: Vec<&PathBuf> = added.iter().map(|(file, _)| file).collect();
        data!("{}", json!({ "added": files }))?;
    } else {
        for (file, case) in &added {
            data!("{}: {}", file.display(), visible(case))?;
        }
        note!("next: doorlist test {}", dir.display());
    }
    Ok(Exit::Done)
}

/// What a case of this outcome wants, a value or an error; `None` where nothing is known of it.
fn wanted(function: &Function, outcome: &Outcome) -> Option<(Option<String>, Option<String>)> {
    match outcome {
        Outcome::Said { text } => {
            let value = function.value_of(text)?;
            Some((Some(value.to_string()), None))
        }
        Outcome::OwnError { text } => Some((None, Some(text.clone()))),
        Outcome::Unknown | Outcome::Aborted | Outcome::HostFault { .. } => None,
        outcome => Some((None, Some(Language::En.observation(outcome)))),
    }
}
