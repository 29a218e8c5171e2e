//! How a command ends: each end has a code of its own.

use std::process::ExitCode;

use loop_spec::loop_machine::Stop;

/// The end of a command. The codes are part of the interface: they stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what it was asked.
    Done = 0,
    /// It could not.
    Error = 1,
    /// The run stopped: the cap on put-backs.
    PutBacks = 10,
    /// The run stopped: the same failure.
    SameFailure = 11,
    /// The run stopped: a person must be asked.
    WaitingForNod = 12,
    /// The run stopped: fuel.
    Fuel = 13,
    /// The run stopped: cancelled.
    Cancelled = 14,
    /// The run stopped: the model gave no answer.
    ModelError = 15,
    /// The run stopped, or never began: loop.txt, or what it needs, cannot be read.
    BadLoop = 16,
    /// The run stopped: one answer after another was cut short by its length.
    Length = 17,
    /// The run stopped: the doors of an answer asked for its end.
    Ended = 18,
    /// A name is not on the list.
    OffList = 20,
    /// A door was opened, and did not answer well; or its arguments do not fit.
    DoorFailed = 21,
    /// `check` or `trace --against` found something wrong; or what was shown was not accepted or
    /// allowed.
    Found = 30,
    /// A second Ctrl-C ended a run at once; 128 and the number of the signal, as shells count.
    Interrupted = 130,
}

/// An error with the code that the command ends with, where it is another than [`Exit::Error`].
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct Failed {
    exit: Exit,
    error: anyhow::Error,
}

impl Exit {
    /// An error that ends the command with this code.
    pub(crate) fn with(self, error: impl Into<anyhow::Error>) -> anyhow::Error {
        let error = error.into();
        Failed { exit: self, error }.into()
    }

    /// How a command ends that fails with this error, and what went wrong.
    pub(crate) fn of_error(error: &anyhow::Error) -> (Self, &anyhow::Error) {
        match error.downcast_ref() {
            Some(Failed { exit, error }) => (*exit, error),
            None => (Self::Error, error),
        }
    }

    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }

    /// How a run ends with this stop.
    pub(crate) fn of_stop(stop: &Stop) -> Self {
        match stop {
            Stop::Done { .. } => Self::Done,
            Stop::PutBacks { .. } => Self::PutBacks,
            Stop::SameFailure { .. } => Self::SameFailure,
            Stop::WaitingForNod { .. } => Self::WaitingForNod,
            Stop::Fuel { .. } => Self::Fuel,
            Stop::Length { .. } => Self::Length,
            Stop::Ended { .. } => Self::Ended,
            Stop::Cancelled => Self::Cancelled,
            Stop::ModelError { .. } => Self::ModelError,
            Stop::BadLoop { .. } => Self::BadLoop,
            _ => Self::Error,
        }
    }
}
