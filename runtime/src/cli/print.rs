//! What a command prints: data on standard output, everything else on standard error.
//!
//! `println!` panics when its reader has gone away, as that of `doorlist runs | head` does.

use std::fmt::Arguments;
use std::io::{self, Write as _};

use super::terminal::bottom;

/// Prints a line of data. When nobody reads it any more, that is an error for `main` to end on.
macro_rules! data {
    ($($arg:tt)*) => {
        $crate::cli::print::print(format_args!($($arg)*))
    };
}

/// Tells the person at the terminal a line. Where nobody listens, that changes nothing.
macro_rules! note {
    ($($arg:tt)*) => {
        $crate::cli::print::tell(format_args!($($arg)*))
    };
}

pub(crate) use {data, note};

pub(crate) fn print(line: Arguments<'_>) -> io::Result<()> {
    let line = format!("{line}\n");
    let _above = bottom::above();
    io::stdout().lock().write_all(line.as_bytes())
}

/// Asks the person at the terminal: what they type stands behind the question.
#[cfg(unix)]
pub(crate) fn ask(question: &str) {
    let _above = bottom::above();
    let mut stderr = anstream::stderr().lock();
    let _ = stderr.write_all(question.as_bytes());
    let _ = stderr.flush();
}

pub(crate) fn tell(line: Arguments<'_>) {
    let line = format!("{line}\n");
    let _above = bottom::above();
    // Colours are taken out again where there is no terminal, or NO_COLOR is set.
    let _ = anstream::stderr().lock().write_all(line.as_bytes());
}
