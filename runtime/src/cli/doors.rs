//! `doorlist doors`.

use std::io;
use std::sync::Arc;

use clap::Args;
use doorlist::doors::{Catalogue, Door, packages};
use doorlist::grants::Requests;
use doorlist::loop_folder::LoopFolder;
use loop_spec::LoopText;
use loop_spec::numbers::grouped;
use loop_spec::policy::Policy;
use serde_json::{Value, json};

use super::folder_choice::FolderChoice;
use super::print::{data, note};
use super::{Exit, Output, own};

/// List the doors of a loop's folder: name, signature, imports, pure or not, size, digest.
///
/// Everything in doors/ is shown, whether it is on the list or not. Nothing is compiled and nothing
/// runs.
#[derive(Args)]
pub(crate) struct Doors {
    #[command(flatten)]
    folder: FolderChoice,
}

/// A door with what the loop says of it.
struct Described {
    door: Door,
    listed: bool,
    asked_first: bool,
    /// Whether it is granted nothing.
    pure: bool,
    /// Why its bytes are refused, and what changes it.
    locked: Option<String>,
}

impl Doors {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::of_doors(self.folder.dir(), own()?)?;
        let ((_, text), policy) = (folder.loop_text()?, folder.policy()?);
        let requests = folder.requests(&policy)?;
        let locks = folder.locks(&policy)?;
        let (mut good, mut exit) = (Vec::new(), Exit::Done);
        for file in Catalogue::read_each(&folder.doors())? {
            match file.and_then(|file| file.check().map(|()| file)) {
                Ok(file) => good.push(file),
                Err(error) => {
                    // The others are still listed.
                    note!("{error}");
                    exit = Exit::Error;
                }
            }
        }
        let doors = good.into_iter().flat_map(|file| Arc::new(file).doors());
        let described = doors.map(|door| {
            let refusal = locks.refusal(&door.file);
            let told = refusal.map(|why| folder.told(why, &door.component_digest()));
            let described = Described::new(door, &text, &policy, &requests);
            Ok(Described {
                locked: told.transpose()?,
                ..described
            })
        });
        let described = described.collect::<anyhow::Result<Vec<_>>>()?;
        if output.json {
            let doors: Vec<Value> = described.iter().map(Described::json).collect();
            data!("{}", json!({ "doors": doors }))?;
        } else {
            described.iter().try_for_each(Described::print)?;
        }
        Ok(exit)
    }
}

impl Described {
    fn new(door: Door, text: &LoopText, policy: &Policy, requests: &Requests) -> Self {
        Self {
            listed: text.lists(&door.name),
            asked_first: policy.asks(&door.name),
            pure: requests.is_pure(&door.name),
            locked: None,
            door,
        }
    }

    fn print(&self) -> io::Result<()> {
        let file = &self.door.file;
        data!("{}", self.door.signature())?;
        if let Some(about) = &self.door.function.docs {
            for line in about.lines() {
                data!("    {}", loop_spec::frame::visible(line))?;
            }
        }
        let listed = if self.listed {
            "listed"
        } else {
            "not on the list"
        };
        let asked = if self.asked_first {
            ", asked first"
        } else {
            ""
        };
        let pure = if self.pure {
            "pure"
        } else {
            "granted something"
        };
        data!("    {listed}{asked}, {pure}")?;
        if let Some(locked) = &self.locked {
            data!("    refused: {locked}")?;
        }
        let imports = packages(&file.interface.imports);
        let imports = if imports.is_empty() {
            "nothing".to_owned()
        } else {
            imports.join(", ")
        };
        data!("    imports {imports}")?;
        let size = grouped(file.artifact.len() as u64);
        data!(
            "    {}, {size} bytes, {}",
            file.label(),
            file.artifact.digest()
        )
    }

    fn json(&self) -> Value {
        let file = &self.door.file;
        let imports: Vec<&str> = file
            .interface
            .imports
            .iter()
            .map(|i| i.name.as_str())
            .collect();
        json!({
            "name": self.door.name,
            "signature": self.door.signature(),
            "about": self.door.function.docs,
            "schema": self.door.schema(),
            "listed": self.listed,
            "asked_first": self.asked_first,
            "pure": self.pure,
            "refused": self.locked,
            "imports": imports,
            "file": file.label(),
            "size": file.artifact.len(),
            "component": file.artifact.digest(),
            "interface": file.interface.digest,
        })
    }
}
