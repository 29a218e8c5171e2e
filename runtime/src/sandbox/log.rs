//! `doorlist:host/log`: lines that a door writes for the trace.

use wasmtime::component::{ComponentType, Lift, Linker};
use wasmtime::{Result, StoreContextMut};

use super::state::State;

/// How much a line matters.
#[derive(ComponentType, Lift, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "a door makes them")]
enum Level {
    #[component(name = "trace")]
    Trace,
    #[component(name = "debug")]
    Debug,
    #[component(name = "info")]
    Info,
    #[component(name = "warn")]
    Warn,
    #[component(name = "error")]
    Error,
}

/// Links it. What is written goes where standard error goes, and counts with it.
pub(super) fn add_log(linker: &mut Linker<State>) -> Result<()> {
    linker.instance(LOG)?.func_wrap(
        "log",
        |store: StoreContextMut<'_, State>, (level, text): (Level, String)| -> Result<()> {
            for line in text.lines() {
                let line = format!("{}: {line}\n", level.word());
                store.data().printer.print(line.as_bytes());
            }
            Ok(())
        },
    )
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

const LOG: &str = "doorlist:host/log@0.1.0";
