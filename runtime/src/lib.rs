//! Doorlist: a runtime in which a model acts only through doors.
//!
//! A loop without a folder, decided by a script:
//!
//! ```
//! use doorlist::ambient::System;
//! use doorlist::doors::{Catalogue, DoorFile};
//! use doorlist::driver::Unwatched;
//! use doorlist::gate::{Gate, GuardedDoor};
//! use doorlist::journal::{MemoryJournal, RunKey};
//! use doorlist::loop_run::{FixedLoop, LoopHands, LoopRun};
//! use doorlist::models::ScriptModel;
//! use doorlist::sandbox::{Sandbox, Settings};
//! use loop_spec::loop_machine::Stop;
//! use tokio_util::sync::CancellationToken;
//!
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
//! let component = wat::parse_str(
//!     r#"(component
//!         (core module $m (func (export "double") (param i32) (result i32)
//!             (i32.mul (local.get 0) (i32.const 2))))
//!         (core instance $i (instantiate $m))
//!         (func (export "double") (param "number" u32) (result u32)
//!             (canon lift (core func $i "double"))))"#,
//! )?;
//! let catalogue = Catalogue::of([DoorFile::from_bytes("maths", component)?])?;
//! let doors = catalogue.doors().cloned().map(GuardedDoor::pure);
//! let source = FixedLoop::new("+++\nlist = [\"maths.double\"]\n+++\nDouble 21.\n", doors)?;
//!
//! let script = "maths.double {\"number\": 21}\nmaths.halve {}\nclose It is 42.\n";
//! let model = ScriptModel::new("answers.txt", script)?;
//! let gate = Gate::new(Sandbox::new(Settings::default())?);
//! let journal = MemoryJournal::new();
//! let hands = LoopHands::new(&gate, Box::new(source), Box::new(model), "Now.".into());
//! let mut run = LoopRun::new(&journal, &System, RunKey::local("1")?, hands);
//! let stop = run.drive(&mut Unwatched, &CancellationToken::new()).await?;
//!
//! assert_eq!(stop, Stop::Done { close: "It is 42.".into() });
//! let pasted = run.machine().pasted();
//! assert!(pasted.contains("maths.double {\"number\":21}\n| 42\n"));
//! assert!(pasted.contains("maths.halve {}\nnot on the list.\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

pub mod ambient;
mod artifact;
pub mod build;
pub mod cases;
pub mod doors;
pub mod driver;
pub mod fetch;
pub mod gate;
pub mod grants;
pub mod init;
pub mod journal;
pub mod lock;
pub mod loop_folder;
pub mod loop_run;
pub mod mcp;
pub mod models;
pub mod new_door;
mod own_file;
pub mod sandbox;
pub mod session;
mod tls;

pub use artifact::Artifact;
pub use own_file::OwnFileError;
