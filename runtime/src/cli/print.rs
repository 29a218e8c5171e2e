//! What a command prints: data on standard output, everything else on standard error.
//!
//! `println!` panics when its reader has gone away, as that of `doorlist runs | head` does.

/// Prints a line of data. When nobody reads it any more, that is an error for `main` to end on.
macro_rules! data {
    ($($arg:tt)*) => {
        std::io::Write::write_fmt(
            &mut std::io::stdout().lock(),
            format_args!("{}\n", format_args!($($arg)*)),
        )
    };
}

/// Tells the person at the terminal a line. Where nobody listens, that changes nothing.
macro_rules! note {
    ($($arg:tt)*) => {{
        // Colours are taken out again where there is no terminal, or NO_COLOR is set.
        let _ = std::io::Write::write_fmt(
            &mut anstream::stderr().lock(),
            format_args!("{}\n", format_args!($($arg)*)),
        );
    }};
}

pub(crate) use {data, note};
