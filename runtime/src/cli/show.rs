//! A run as a person watches it, or as JSON lines for a program.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use doorlist::driver::{HostError, Seen, Witness};
use doorlist::loop_folder::HistoryFile;
use loop_spec::loop_machine::{Asked, Event, LoopMachine, Stop};
use loop_spec::numbers::{counted, duration, grouped};
use loop_spec::trace::Summary;
use loop_spec::{CallId, Record, Usage};

use super::Output;
use super::print::{data, note};
use super::terminal::stands;

/// Watches a run: writes its `history.txt`, and shows each round as it happens.
pub(crate) struct Show {
    output: Output,
    history: HistoryFile,
    shown: usize,
    next: u64,
    /// The doors that are open, and since when.
    open: BTreeMap<CallId, (String, u64)>,
    /// Whether doors are open beside each other, so that each line must say of which it speaks.
    together: bool,
    /// What was shown last, of a door that opened: what comes of it is pasted below the same line.
    announced: Option<String>,
}

impl Show {
    /// Shows what comes after `machine`, which is new or folded from `next` records.
    pub(crate) fn new(
        output: Output,
        history: HistoryFile,
        machine: &LoopMachine,
        next: u64,
    ) -> Self {
        Self {
            output,
            history,
            shown: machine.pasted().len(),
            next,
            open: BTreeMap::new(),
            together: false,
            announced: None,
        }
    }

    fn lines(&mut self, machine: &LoopMachine, event: &Event, time: u64) {
        match event {
            Event::Opening(opening) => {
                self.together = !self.open.is_empty();
                let door = opening.door.clone();
                self.open.insert(opening.call, (door, time));
            }
            Event::Resumed(_) => note!("{DIM}resumed{RESET}"),
            Event::Compacted(compacted) => {
                note!(
                    "{DIM}the first {} turns are summed up{RESET}",
                    compacted.turns
                );
                // What stays was shown.
                self.shown = machine.pasted().len();
            }
            Event::NotCompacted(not) => note!("{DIM}not summed up: {}{RESET}", not.why),
            _ => {}
        }
        let mut lines = machine.pasted()[self.shown..].lines().peekable();
        let announced = self.announced.take();
        lines.next_if(|line| announced.as_deref() == Some(*line));
        for line in lines {
            note!("{}", painted(line));
        }
        self.shown = machine.pasted().len();
        if let Event::Opening(opening) = event {
            let arguments = loop_spec::frame::one_line(&opening.arguments);
            let line = format!("{} {arguments}", opening.door);
            note!("{line}");
            // The results of doors that are open beside each other say of which they are.
            self.announced = (!self.together).then_some(line);
        }
        if let Event::Opened(opened) = event {
            let (door, began) = self.open.remove(&opened.call).unwrap_or_default();
            let which = match self.together {
                true => format!("{} {door}: ", opened.call),
                false => String::new(),
            };
            note!(
                "{DIM}  {which}{} fuel, {}{RESET}",
                grouped(opened.fuel),
                duration(time.saturating_sub(began))
            );
            for line in opened.printed.lines() {
                note!(
                    "{DIM}  printed: {}{RESET}",
                    loop_spec::frame::one_line(line)
                );
            }
        }
    }

    fn json(&mut self, seen: Seen<'_>) -> io::Result<()> {
        let entry = seen.entry.clone();
        let record = Record {
            v: loop_spec::RECORD_VERSION,
            seq: self.next,
            time: seen.time,
            entry,
        };
        let line = serde_json::to_string(&record)?;
        writeln!(io::stdout().lock(), "{line}")
    }
}

impl Witness<LoopMachine> for Show {
    fn saw(
        &mut self,
        machine: &LoopMachine,
        event: &Event,
        seen: Seen<'_>,
    ) -> Result<(), HostError> {
        self.history.saw(machine, event, seen)?;
        if self.output.json {
            self.json(seen).map_err(|source| HostError {
                doing: "writing to standard output".to_owned(),
                source: source.into(),
            })?;
        } else {
            self.lines(machine, event, seen.time);
            stands(machine);
        }
        self.next += 1;
        Ok(())
    }
}

/// Says how a run ended: the close on standard output, every other stop on standard error. `run` is how
/// it is typed after a command, `with_model` how its model is.
pub(crate) fn stopped(
    output: Output,
    run: &str,
    with_model: &str,
    machine: &LoopMachine,
    stop: &Stop,
) -> io::Result<()> {
    if output.json {
        return Ok(());
    }
    let number = run.split(' ').next().unwrap_or(run);
    let used = format!(
        "run {number}: {}, {} fuel",
        counted(machine.put_backs(), "put-back"),
        grouped(machine.fuel_used())
    );
    match stop {
        Stop::Done { close } => {
            note!("\n{BOLD}done{RESET} {DIM}({used}){RESET}");
            data!(
                "{}",
                close
                    .lines()
                    .map(loop_spec::frame::visible)
                    .collect::<Vec<_>>()
                    .join("\n")
            )?;
        }
        stop => note!(
            "\n{BOLD}stopped: {}{RESET} {DIM}({used}){RESET}\n{}",
            stop.name(),
            said(run, with_model, machine, stop)
        ),
    }
    Ok(())
}

/// What the doors of a run and its model used.
pub(crate) fn used(summary: &Summary) {
    for line in summary.doors() {
        note!("{DIM}  {line}{RESET}");
    }
    let tokens = summary.tokens;
    if tokens != Usage::default() {
        note!(
            "{DIM}  the model: tokens {} in, {} out{RESET}",
            grouped(tokens.input),
            grouped(tokens.output)
        );
    }
}

/// What a stop means, and what to do next.
fn said(run: &str, with_model: &str, machine: &LoopMachine, stop: &Stop) -> String {
    let resume = format!("`doorlist resume {run}{with_model}`");
    match stop {
        Stop::Done { close } => close.clone(),
        Stop::PutBacks { cap } => format!(
            "The model was put back {cap} times, as often as `put-backs` in loop.txt allows. Raise \
             it and {resume} goes on."
        ),
        Stop::SameFailure {
            door,
            arguments,
            times,
        } => format!(
            "{door} failed {times} times with the arguments {}. See `doorlist history {run}`.",
            loop_spec::frame::one_line(&loop_spec::clip(arguments, 400))
        ),
        Stop::WaitingForNod { .. } => format!(
            "{}`doorlist nod {run}` or `doorlist deny {run}`, then {resume}.",
            machine.asked().map(Asked::shown).unwrap_or_default()
        ),
        Stop::Fuel { used, budget } => format!(
            "{} fuel of {} is used up. Raise `fuel` in loop.txt and {resume} goes on.",
            grouped(*used),
            grouped(*budget)
        ),
        Stop::Length { times } => format!(
            "{times} answers in a row were cut short by their length. Let the model say more at once \
             (`--max-tokens`), or ask for less, and {resume} goes on."
        ),
        Stop::Ended { door } => format!(
            "{door} asked for the end, and `may-end` lets it. {resume} shows the model what it \
             returned, and goes on."
        ),
        Stop::Cancelled => format!("{resume} goes on where it was."),
        Stop::ModelError { why } => format!("{why}\n{resume} asks again."),
        Stop::BadLoop { why } => format!("{why}\nMend it and {resume} goes on."),
        other => other.name().to_owned(),
    }
}

/// A line of a history, in colours that say whose it is.
fn painted(line: &str) -> String {
    match line.chars().next() {
        Some('[') => format!("\n{DIM}{line}{RESET}"),
        Some('|') => format!("{CYAN}{line}{RESET}"),
        Some('~') => format!("{DIM}{line}{RESET}"),
        _ => line.to_owned(),
    }
}

const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const CYAN: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";
