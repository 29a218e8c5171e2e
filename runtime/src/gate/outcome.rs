//! Why an opening ended, as the observation that the model is told.

use loop_spec::loop_machine::{Limit, Outcome};

use crate::sandbox::{CompileError, Fault};

pub(super) fn of_fault(fault: Fault) -> Outcome {
    let limit = |limit, amount| Outcome::Limit { limit, amount };
    match fault {
        Fault::Trap { what } => Outcome::Trap { what },
        Fault::Fuel { limit: fuel } => limit(Limit::Fuel, fuel),
        Fault::Memory { limit: bytes } => limit(Limit::Memory, bytes as u64),
        Fault::Table { limit: elements } => limit(Limit::Table, elements as u64),
        Fault::Handles { limit: resources } => limit(Limit::Resources, resources as u64),
        Fault::Time { limit: time } => limit(
            Limit::Time,
            u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        ),
        Fault::Output { limit: bytes } => limit(Limit::Output, bytes as u64),
        Fault::Stack { limit: bytes } => limit(Limit::Stack, bytes as u64),
        Fault::HostCalls { limit: calls } => limit(Limit::HostCalls, calls),
        Fault::Network { limit: bytes } => limit(Limit::Network, bytes),
        Fault::Random { limit: bytes } => limit(Limit::Random, bytes),
        Fault::Exit { code } => Outcome::Exit {
            code: i64::from(code),
        },
        Fault::Host { what } => Outcome::HostFault { what },
    }
}

/// A component that cannot be compiled is at fault itself, unless the host failed over it.
pub(super) fn of_compile_error(error: CompileError) -> Outcome {
    match error {
        CompileError::Host { what } => Outcome::HostFault { what },
        error => Outcome::Unusable {
            what: error.to_string(),
        },
    }
}
