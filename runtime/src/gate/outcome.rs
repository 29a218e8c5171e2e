//! Why an opening ended, as the observation that the model is told.

use loop_spec::loop_machine::{Limit, Outcome};

use crate::sandbox::Fault;

pub(super) fn of_fault(fault: Fault) -> Outcome {
    let limit = |limit, amount| Outcome::Limit { limit, amount };
    match fault {
        Fault::Trap { what } => Outcome::Trap { what },
        Fault::Fuel { limit: fuel } => limit(Limit::Fuel, fuel),
        Fault::Memory { limit: bytes } => limit(Limit::Memory, bytes as u64),
        Fault::Table { limit: elements } => limit(Limit::Table, elements as u64),
        Fault::Handles { limit: resources } => limit(Limit::Count, resources as u64),
        Fault::Time { limit: time } => limit(
            Limit::Time,
            u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        ),
        Fault::Output { limit: bytes } => limit(Limit::Output, bytes as u64),
        // Neither has a limit of its own in the journal's format: what it says is enough.
        Fault::Stack { .. } | Fault::Random { .. } => Outcome::Trap {
            what: fault.to_string(),
        },
        Fault::Exit { code } => Outcome::Exit {
            code: i64::from(code),
        },
        Fault::Host { what } => Outcome::HostFault { what },
    }
}
