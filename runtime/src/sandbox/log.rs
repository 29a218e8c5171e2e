//! `doorlist:host/log`: lines that a door writes for the trace.

use memchr::memchr_iter;
use wasmtime::component::{ComponentType, Lift, Linker};
use wasmtime::{Result, StoreContextMut};

use super::printed::Printer;
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
            print(&store.data().printer, level, &text);
            Ok(())
        },
    )
}

/// Lines are made as long as they are kept. Those behind are counted, all at once: a text can hold
/// millions, and the door pays one call of the host for them.
fn print(printer: &Printer, level: Level, text: &str) {
    let word = level.word();
    let mut rest = text;
    while !rest.is_empty() && !printer.is_full() {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.strip_suffix('\r').unwrap_or(line);
        printer.print(format!("{word}: {line}\n").as_bytes());
        rest = behind;
    }
    let lines = memchr_iter(b'\n', rest.as_bytes()).count() + usize::from(!rest.ends_with('\n'));
    if !rest.is_empty() {
        printer.count_dropped(rest.len() + lines * (word.len() + ": ".len()));
    }
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
