//! The rows at the bottom of the terminal that say what happens now. They are drawn over again and are
//! gone before anything else is written.
//!
//! Below them is a row for what the person types: it is never drawn over while they type.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use tokio::task::JoinHandle;

use super::status::Status;

/// The rows are drawn for as long as this lives.
pub(crate) struct Bottom {
    drawing: JoinHandle<()>,
}

struct Rows {
    status: Option<Status>,
    /// What stands on the terminal, above the row that is typed in.
    drawn: Vec<String>,
    /// Rows that the cursor has gone down since.
    below: usize,
}

/// One process has one terminal.
static ROWS: Mutex<Rows> = Mutex::new(Rows {
    status: None,
    drawn: Vec::new(),
    below: 0,
});

impl Bottom {
    /// `None` where standard error is no terminal, or one that cannot move its cursor.
    pub(crate) fn begin(status: Status) -> Option<Self> {
        let moves = std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        if !moves || !io::stderr().is_terminal() {
            return None;
        }
        rows().status = Some(status);
        let drawing = tokio::spawn(async {
            loop {
                tokio::time::sleep(BETWEEN).await;
                rows().draw();
            }
        });
        Some(Self { drawing })
    }
}

impl Drop for Bottom {
    fn drop(&mut self) {
        self.drawing.abort();
        let mut rows = rows();
        rows.clear();
        rows.status = None;
    }
}

/// Nothing stands at the bottom for as long as this lives.
pub(crate) struct Above(#[expect(dead_code, reason = "it is held")] MutexGuard<'static, Rows>);

/// Clears the bottom, for whatever is to be written now.
pub(crate) fn above() -> Above {
    let mut rows = rows();
    rows.clear();
    Above(rows)
}

/// Changes what is drawn next, if anything is.
pub(super) fn update(change: impl FnOnce(&mut Status)) {
    if let Some(status) = &mut rows().status {
        change(status);
    }
}

/// A line was typed: the terminal has shown it, and moved the cursor down.
#[cfg(unix)]
pub(super) fn typed(line: &str) {
    let mut rows = rows();
    if !rows.drawn.is_empty() {
        rows.below += 1 + console::measure_text_width(line).saturating_sub(1) / columns();
    }
}

impl Rows {
    fn clear(&mut self) {
        if !self.drawn.is_empty() {
            let up = self.drawn.len() + self.below;
            write(&format!("\r\x1b[{up}A\x1b[J"));
            self.drawn.clear();
        }
        self.below = 0;
    }

    fn draw(&mut self) {
        let Some(status) = &self.status else {
            return;
        };
        let rows = status.rows(columns(), Instant::now());
        if self.below > 0 {
            self.clear();
        }
        if rows == self.drawn {
            return;
        }
        if rows.len() != self.drawn.len() {
            self.clear();
            write(
                &rows
                    .iter()
                    .map(|row| format!("{row}\r\n"))
                    .collect::<String>(),
            );
        } else {
            // The cursor goes back to where the person types.
            let drawn: String = rows
                .iter()
                .map(|row| format!("\r{row}\x1b[K\x1b[1B"))
                .collect();
            write(&format!("\x1b7\x1b[{}A{drawn}\x1b8", rows.len()));
        }
        self.drawn = rows;
    }
}

fn rows() -> MutexGuard<'static, Rows> {
    ROWS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn columns() -> usize {
    let size = Term::stderr().size_checked();
    size.map_or(80, |(_, columns)| usize::from(columns).max(20))
}

/// Where nobody looks, that changes nothing.
fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// No oftener can be read.
const BETWEEN: Duration = Duration::from_millis(100);
