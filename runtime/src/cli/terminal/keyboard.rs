//! Lines that a person types while a run goes on: words to the run, or the answer to a question.
//!
//! A line is an answer only when all of it was typed after its question stood there: what was typed
//! before is thrown away, so that no word to the run can open a door.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use doorlist::ambient::System;
use doorlist::driver::HostError;
use doorlist::loop_folder::{FolderInbox, Letter};
use doorlist::loop_run::Doorkeeper;
use loop_spec::frame::one_line;
use loop_spec::loop_machine::{Asked, Nod};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::getpgrp;
use rustix::stdio::stdin;
use rustix::termios::tcgetpgrp;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::bottom;
use crate::cli::at_terminal::{NOD, forget_typed, is_there, understood};
use crate::cli::print::{ask, note};

/// The person's keyboard.
#[derive(Clone)]
pub(crate) struct Keyboard {
    listening: Arc<Mutex<Listening>>,
    _stays: Arc<Stays>,
}

/// What becomes of the next line. Nothing is read but under this lock.
enum Listening {
    /// It is said to the run.
    ToWords,
    /// It answers the question that stands there.
    ToAnswer(UnboundedSender<String>),
    /// Nothing is read any more.
    No,
}

/// Nothing is read once no keyboard is left.
struct Stays(Arc<Mutex<Listening>>);

impl Drop for Stays {
    fn drop(&mut self) {
        *lock(&self.0) = Listening::No;
    }
}

impl Keyboard {
    /// A keyboard whose lines are left in `inbox`, where there is a terminal on both sides.
    pub(crate) fn of(inbox: FolderInbox) -> Option<Self> {
        if !is_there() {
            return None;
        }
        let listening = Arc::new(Mutex::new(Listening::ToWords));
        let read = Arc::clone(&listening);
        std::thread::spawn(move || while listen(&read, &inbox) {});
        Some(Self {
            _stays: Arc::new(Stays(Arc::clone(&listening))),
            listening,
        })
    }

    /// The next line that is typed after `shown` stands there, and is asked for by `prompt`; `None` when
    /// there is no more.
    async fn answer(&self, shown: &str, prompt: &str) -> Option<String> {
        note!("{shown}");
        // In the background the terminal is somebody else's.
        while !in_front() {
            tokio::time::sleep(LOOK).await;
        }
        let (sender, mut lines) = unbounded_channel();
        {
            let mut listening = lock(&self.listening);
            // Nobody can answer at a terminal that has gone.
            if matches!(*listening, Listening::No) || forget_typed().is_err() {
                return None;
            }
            *listening = Listening::ToAnswer(sender);
            ask(prompt);
        }
        let _back = BackToWords(&self.listening);
        lines.recv().await
    }
}

/// A question that is answered, or no longer asked, leaves the keyboard to words.
struct BackToWords<'a>(&'a Mutex<Listening>);

impl Drop for BackToWords<'_> {
    fn drop(&mut self) {
        let mut listening = lock(self.0);
        if !matches!(*listening, Listening::No) {
            *listening = Listening::ToWords;
        }
    }
}

#[async_trait]
impl Doorkeeper for Keyboard {
    async fn nod(&mut self, asked: &Asked) -> Result<Option<Nod>, HostError> {
        let shown = asked.shown();
        loop {
            let line = self.answer(shown.trim_end(), NOD).await;
            match line.as_deref().map(understood) {
                None => return Ok(None),
                Some(Some(answer)) => {
                    return Ok(answer.map(|yes| if yes { Nod::Given } else { Nod::Denied }));
                }
                Some(None) => {}
            }
        }
    }
}

/// Waits a moment for a line; whether to go on.
fn listen(listening: &Mutex<Listening>, inbox: &FolderInbox) -> bool {
    let is_typed = typed(LOOK);
    if is_typed && !in_front() {
        std::thread::sleep(LOOK);
    }
    let mut listening = lock(listening);
    if matches!(*listening, Listening::No) {
        return false;
    }
    // It may have been thrown away meanwhile.
    if !is_typed || !in_front() || !typed(Duration::ZERO) {
        return true;
    }
    let mut bytes = [0; LONGEST];
    let read = match rustix::io::read(stdin(), &mut bytes) {
        Err(rustix::io::Errno::INTR) => return true,
        Ok(read) => read,
        Err(_) => {
            *listening = Listening::No;
            return false;
        }
    };
    let line = String::from_utf8_lossy(&bytes[..read]).trim().to_owned();
    if read > 0 {
        bottom::typed(&line);
    }
    match &*listening {
        // Whoever asks gets it, or `None` at the end of the input.
        Listening::ToAnswer(sender) if read > 0 => {
            let _ = sender.send(line);
            *listening = Listening::ToWords;
        }
        Listening::ToAnswer(_) => *listening = Listening::ToWords,
        Listening::ToWords => say(inbox, line),
        Listening::No => {}
    }
    drop(listening);
    if read == 0 {
        // A terminal that has gone says so again and again.
        std::thread::sleep(LOOK);
    }
    true
}

/// As `doorlist say` does.
fn say(inbox: &FolderInbox, text: String) {
    if text.is_empty() {
        return;
    }
    let shown = one_line(&text);
    let at_the_end = false;
    match inbox.leave(&Letter { text, at_the_end }, &System) {
        Ok(()) => note!("said, for the next page: {shown}"),
        Err(error) => note!("not said: {shown}: {error}"),
    }
}

/// Whether a line, or the end, can be read within `wait`.
fn typed(wait: Duration) -> bool {
    let stdin = stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let wait = Timespec {
        tv_sec: 0,
        tv_nsec: wait.subsec_nanos().into(),
    };
    poll(&mut fds, Some(&wait)).is_ok_and(|ready| ready > 0)
}

/// Whether the terminal is this process's now: one in the background is stopped when it reads. A
/// terminal that controls no processes is everybody's.
fn in_front() -> bool {
    tcgetpgrp(stdin()).map_or(true, |group| group == getpgrp())
}

fn lock(listening: &Mutex<Listening>) -> MutexGuard<'_, Listening> {
    listening.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Between two looks at whether anything is to be read at all.
const LOOK: Duration = Duration::from_millis(200);
/// Bytes of a line; a terminal keeps no longer one.
const LONGEST: usize = 4_096;
