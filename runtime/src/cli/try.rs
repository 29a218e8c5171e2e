//! `doorlist try`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use doorlist::doors::{Door, DoorFile, packages};
use doorlist::gate::{Gate, GuardedDoor, Hooks};
use doorlist::lock::Revoked;
use loop_spec::Language;
use loop_spec::lock::Unaccepted;

use super::by_hand::{ByHand, arguments, conditions};
use super::place::sandbox;
use super::print::note;
use super::{Exit, Output, own};

/// Open a function of any component, granted nothing.
///
/// It runs in an inert world: no files, no environment, no network; its clock stands still and its
/// random numbers come from a seed. What it would be given more of is up to a loop's policy. With the
/// same --time and --seed, the same arguments give the same bytes and the same fuel.
///
/// Told too is what it reached for, and the least in a policy.toml that would give it that. For the
/// paths it is opened once more, with an empty folder that it may only read.
///
/// Exit codes: 0 it returned, 21 it failed, or is revoked.
#[derive(Args)]
pub(crate) struct Try {
    /// The component: .wasm or .wat.
    file: PathBuf,
    /// The arguments as a JSON object; `-` reads them from standard input.
    #[arg(value_name = "JSON", default_value = "{}")]
    arguments: String,
    /// Which function, where it exports several.
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Where its clock stands, in microseconds since the Unix epoch; now if left out.
    #[arg(long, value_name = "MICROSECONDS")]
    time: Option<u64>,
    /// The seed of its random numbers; a new one if left out.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// The fuel that it may use, about one a WebAssembly instruction.
    #[arg(long, value_name = "NUMBER")]
    fuel: Option<u64>,
    /// Open it although it is revoked on this machine.
    #[arg(long)]
    although_revoked: bool,
}

impl Try {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let file = Arc::new(DoorFile::read_any(&self.file)?);
        note!("{}", asks(&file));
        file.check()?;
        let mut door = GuardedDoor::pure(self.choose(file.doors())?);
        door.limits.fuel = self.fuel.unwrap_or(door.limits.fuel);
        let own = own()?;
        let component = door.door.component_digest();
        let revocation = Revoked::in_dir(&own.config).of(&component)?;
        let revocation = revocation.filter(|_| !self.although_revoked);
        door.locked = revocation.as_ref().map(|_| Unaccepted::Revoked);
        let gate = Gate::new(sandbox(&own)?);
        let mut conditions = conditions(&door);
        conditions.time = self.time.unwrap_or(conditions.time);
        conditions.seed = self.seed.unwrap_or(conditions.seed);
        let admission = gate.admit(&door, &arguments(&self.arguments)?, false);
        let hand = ByHand {
            door: &door,
            hooks: &Hooks::default(),
            language: Language::En,
            output,
            tried: true,
            locked: revocation.map(|revocation| revocation.told(&component)),
        };
        hand.open(&gate, admission, conditions).await
    }

    /// The door that is named by its function or by its whole name, or the only one.
    fn choose(&self, doors: Vec<Door>) -> anyhow::Result<Door> {
        let file = self.file.display();
        let all = doors
            .iter()
            .map(|door| door.name.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        let fits = |door: &Door| {
            self.function
                .as_ref()
                .is_none_or(|name| door.name == *name || door.function.name == *name)
        };
        let mut fitting = doors.into_iter().filter(fits);
        match (fitting.next(), fitting.next(), &self.function) {
            (Some(door), None, _) => Ok(door),
            (None, _, None) => bail!("{file}: expected an exported function, found none"),
            (_, _, None) => bail!("{file}: expected --function with one of {all}"),
            (None, _, Some(name)) => bail!("{file}: expected a function `{name}`, found {all}"),
            (Some(_), Some(_), Some(name)) => {
                bail!("{file}: `{name}` is in more than one interface; name one of {all}")
            }
        }
    }
}

/// What the component asks its host for.
fn asks(file: &DoorFile) -> String {
    let asked = packages(&file.interface.imports);
    if asked.is_empty() {
        return "it imports nothing".to_owned();
    }
    format!("it imports {}; it is granted nothing", asked.join(", "))
}
