//! `doorlist call`.

use std::io;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use doorlist::gate::{Admission, Gate, GuardedDoor};
use doorlist::loop_folder::LoopFolder;
use loop_spec::loop_machine::{Asked, Nod};
use loop_spec::policy::{Approver, Ask};
use loop_spec::{LoopText, nearest};
use serde_json::json;

use super::at_terminal::at_terminal;
use super::by_hand::{ByHand, arguments, conditions};
use super::print::{data, note};
use super::run::gate;
use super::{Exit, Output, own};

/// Open one door of a loop, as the model would: the list, the policy and the hooks hold.
///
/// What the door returns is printed on standard output. A name that is not on the list is answered
/// so, and nothing is looked up or run; a door that must be asked first is asked about at the
/// terminal. The call is part of no run and is not kept in runs/.
///
/// Exit codes: 0 it returned, 12 it must be asked first and nobody is there, 20 not on the list, 21 it
/// failed.
#[derive(Args)]
pub(crate) struct Call {
    /// The door, e.g. fridge.count.
    name: String,
    /// Its arguments as a JSON object; `-` reads them from standard input.
    #[arg(value_name = "JSON", default_value = "{}")]
    arguments: String,
    /// The loop's folder.
    #[arg(long, short = 'C', value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

impl Call {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::of_doors(&self.dir, own()?)?;
        let (_, text) = folder.loop_text()?;
        if !text.lists(&self.name) {
            self.off_list(&text, output)?;
            return Ok(Exit::OffList);
        }
        let arguments = arguments(&self.arguments)?;
        let snapshot = folder.snapshot()?;
        let door = snapshot.doors.get(&self.name);
        let door = door.context("a snapshot has every listed door")?;
        let component = door.door.component_digest();
        let locked = door.locked.map(|why| folder.told(why, &component));
        let hand = ByHand {
            door,
            hooks: &snapshot.hooks,
            language: text.language(),
            output,
            tried: false,
            locked: locked.transpose()?,
        };
        let gate = gate(&folder)?;
        let admission = gate.admit(door, &arguments, false);
        if let Admission::Open { arguments, .. } | Admission::Ask { arguments } = &admission
            && let Some(exit) = hand.before(&gate, arguments).await?
        {
            return Ok(exit);
        }
        let nodded = match admission {
            Admission::Ask { arguments } => match self.ask(&snapshot.ask, door, arguments).await? {
                Some(Nod::Given) => true,
                Some(_) => return Ok(Exit::DoorFailed),
                None => return Ok(Exit::WaitingForNod),
            },
            _ => false,
        };
        self.open(&hand, &gate, &arguments, nodded).await
    }

    async fn open(
        &self,
        hand: &ByHand<'_>,
        gate: &Gate,
        arguments: &str,
        nodded: bool,
    ) -> anyhow::Result<Exit> {
        let admission = gate.admit(hand.door, arguments, nodded);
        hand.open(gate, admission, conditions(hand.door)).await
    }

    fn off_list(&self, text: &LoopText, output: Output) -> io::Result<()> {
        let observation = text.language().off_list();
        if output.json {
            let said =
                json!({ "door": self.name, "outcome": "off_list", "observation": observation });
            data!("{said}")?;
        } else {
            data!("{observation}")?;
        }
        let listed: Vec<&str> = text.list().iter().map(String::as_str).collect();
        if let Some(near) = nearest(&self.name, &listed) {
            note!("{near:?} is on it");
        }
        note!(
            "to allow it, add {:?} to `list` in {}",
            self.name,
            self.dir.join("loop.txt").display()
        );
        Ok(())
    }

    /// What a person at the terminal says, where the policy lets them answer there.
    async fn ask(
        &self,
        ask: &Ask,
        door: &GuardedDoor,
        arguments: String,
    ) -> anyhow::Result<Option<Nod>> {
        let asked = Asked {
            call: loop_spec::CallId {
                put_back: 0,
                place: 1,
            },
            door: self.name.clone(),
            component: door.door.component_digest(),
            interface: door.door.interface_digest(),
            arguments,
            tainted_by: None,
            hooked: None,
            // The answer is used at once.
            expires: u64::MAX,
        };
        match at_terminal() {
            Some(mut terminal) if ask.by.contains(&Approver::Terminal) => {
                Ok(terminal.nod(&asked).await?)
            }
            _ => {
                note!("{}", asked.shown().trim_end());
                note!("Nobody can be asked here: call it at a terminal.");
                Ok(None)
            }
        }
    }
}
