//! One opening by hand, outside any run: what `call` and `try` share.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::time::Instant;

use anyhow::Context as _;
use doorlist::ambient::{Ambient as _, System};
use doorlist::gate::{Admission, Before, Came, Conditions, Gate, GuardedDoor, Hooks};
use loop_spec::lock::Unaccepted;
use loop_spec::loop_machine::{Outcome, Refusal};
use loop_spec::numbers::{duration, grouped};
use loop_spec::{Language, frame};
use serde_json::json;

use super::print::{data, note};
use super::reach::Reach;
use super::{Exit, Output};

/// A call by hand, with what it is answered in.
pub(crate) struct ByHand<'a> {
    pub(crate) door: &'a GuardedDoor,
    /// What stands around it.
    pub(crate) hooks: &'a Hooks,
    pub(crate) language: Language,
    pub(crate) output: Output,
    /// Whether to tell what the door reached for: it is tried, and granted nothing.
    pub(crate) tried: bool,
    /// What a person is told of its bytes, where they are refused.
    pub(crate) locked: Option<String>,
}

impl ByHand<'_> {
    /// Says that the arguments do not fit.
    pub(crate) fn misfit(&self, what: String) -> io::Result<Exit> {
        let arguments = String::new();
        self.refused("misfit", &Refusal::Misfit { what, arguments })
    }

    fn locked(&self, why: Unaccepted, arguments: String) -> io::Result<Exit> {
        let told = self.locked.clone().unwrap_or_else(|| why.to_string());
        note!("{}: {told}", self.door.door.file.label());
        self.refused("locked", &Refusal::Locked { why, arguments })
    }

    fn refused(&self, outcome: &str, refusal: &Refusal) -> io::Result<Exit> {
        let observation = self.language.refusal(refusal);
        if self.output.json {
            let name = &self.door.door.name;
            data!(
                "{}",
                json!({ "door": name, "outcome": outcome, "observation": observation })
            )?;
        } else {
            say(&observation)?;
        }
        Ok(Exit::DoorFailed)
    }

    /// Asks the hook before the opening, if there is one, and says so where it keeps the door closed.
    pub(crate) async fn before(&self, gate: &Gate, arguments: &str) -> io::Result<Option<Exit>> {
        let (name, fuel) = (&self.door.door.name, self.door.limits.fuel);
        let asked = self
            .hooks
            .before(gate, name, arguments, fuel, self.language)
            .await;
        let Some(Before {
            refused: Some(reason),
            ..
        }) = asked
        else {
            return Ok(None);
        };
        let arguments = arguments.to_owned();
        let refusal = Refusal::Hook { reason, arguments };
        self.refused("refused", &refusal).map(Some)
    }

    /// Opens the door, and prints what came of it: the observation on standard output.
    pub(crate) async fn open(
        &self,
        gate: &Gate,
        admission: Admission,
        conditions: Conditions,
    ) -> anyhow::Result<Exit> {
        let (arguments, values) = match admission {
            Admission::Open { arguments, values } => (arguments, values),
            Admission::Misfit { what } => return Ok(self.misfit(what)?),
            Admission::Locked { why, arguments } => return Ok(self.locked(why, arguments)?),
            Admission::Ask { .. } => anyhow::bail!("a door that must be asked first was not asked"),
        };
        let began = Instant::now();
        let mut came = gate.open(self.door, values, conditions.clone()).await;
        let (name, fuel) = (&self.door.door.name, self.door.limits.fuel);
        let hooked = self
            .hooks
            .after(gate, name, &arguments, &came.outcome, fuel, self.language)
            .await;
        if let Some(hooked) = hooked {
            came.outcome = hooked.said.told(&came.outcome);
        }
        let took = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let reach = match self.tried {
            true => Some(Reach::of(gate, self.door, &came, &arguments, conditions.clone()).await?),
            false => None,
        };
        if self.output.json {
            let mut printed = self.json(&arguments, &came, conditions, took)?;
            if let Some(reach) = reach {
                printed["reached"] = reach.json();
                printed["policy"] = json!(reach.policy());
            }
            data!("{printed}")?;
        } else {
            self.print(&came, took)?;
            if let Some(reach) = reach {
                tell(&reach);
            }
        }
        Ok(match came.outcome {
            Outcome::Said { .. } => Exit::Done,
            Outcome::HostFault { .. } => Exit::Error,
            _ => Exit::DoorFailed,
        })
    }

    fn print(&self, came: &Came, took: u64) -> io::Result<()> {
        for line in came.printed.lines() {
            note!("printed: {}", frame::one_line(line));
        }
        say(&self.language.observation(&came.outcome))?;
        note!("{} fuel, {}", grouped(came.fuel), duration(took));
        Ok(())
    }

    fn json(
        &self,
        arguments: &str,
        came: &Came,
        conditions: Conditions,
        took: u64,
    ) -> serde_json::Result<serde_json::Value> {
        let arguments: serde_json::Value = serde_json::from_str(arguments)?;
        Ok(json!({
            "door": self.door.door.name,
            "component": self.door.door.component_digest(),
            "arguments": arguments,
            "outcome": came.outcome.word(),
            "observation": self.language.observation(&came.outcome),
            "fuel": came.fuel,
            "microseconds": took,
            "printed": came.printed,
            "pure": self.door.is_pure(),
            "time": conditions.time,
            "seed": conditions.seed.to_string(),
        }))
    }
}

fn tell(reach: &Reach) {
    if let Some(words) = reach.words() {
        note!("it reached for {words}");
    }
    if let Some(policy) = reach.policy() {
        note!("the least in a policy.toml that would give it that (there may be more behind it):");
        note!("{}", policy.trim_end());
    }
}

/// Prints an observation. On a terminal, what does not show is written out: a door is not to move the
/// cursor of the person who tries it.
fn say(observation: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() {
        for line in observation.lines() {
            writeln!(stdout, "{}", frame::visible(line))?;
        }
        return Ok(());
    }
    writeln!(stdout, "{observation}")
}

/// The arguments as they are given, or standard input for `-`.
pub(crate) fn arguments(given: &str) -> anyhow::Result<String> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut typed = String::new();
    let read = io::stdin()
        .lock()
        .take(LARGEST_ARGUMENTS + 1)
        .read_to_string(&mut typed);
    read.context("standard input: expected the arguments as a JSON object")?;
    anyhow::ensure!(
        typed.len() as u64 <= LARGEST_ARGUMENTS,
        "standard input: expected at most {LARGEST_ARGUMENTS} bytes of arguments, found more"
    );
    Ok(typed)
}

/// What an opening is given where nothing of it is prescribed.
pub(crate) fn conditions(door: &GuardedDoor) -> Conditions {
    Conditions {
        time: System.now(),
        seed: System.seed(),
        fuel: door.limits.fuel,
        ..Conditions::default()
    }
}

/// Bytes; as large as the largest component.
const LARGEST_ARGUMENTS: u64 = 100_000_000;
