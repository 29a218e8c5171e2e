//! One opening: what goes in and what comes out.

use std::sync::Arc;

use bytes::Bytes;
use loop_spec::kv::Keys;
use loop_spec::loop_machine::Returned;
use wasmtime::component::Val;

use super::fault::Fault;
use super::limits::Limits;
use super::printed::Printed;
use super::reached::Reached;
use crate::grants::Grants;

/// Everything that an opening depends on besides the component and the arguments.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The recorded time, in microseconds since the Unix epoch: where a door's clocks stand.
    pub time: u64,
    /// The recorded seed of the door's random numbers.
    pub seed: u64,
    /// How much it may use.
    pub limits: Limits,
    /// What it may reach.
    pub grants: Grants,
    /// What its component has kept, see [`Opened::keys`].
    pub keys: Keys,
    /// What the doors of its run returned, for one that is granted to read it.
    pub returned: Arc<Returned>,
    /// What a command reads on standard input. With it, standard output is kept apart, as
    /// [`Opened::answer`]; without it, standard input is at its end.
    pub input: Option<Bytes>,
}

/// What came of an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The function's results, or why there are none.
    pub outcome: Result<Vec<Val>, Fault>,
    /// Fuel used, never more than the limit.
    ///
    /// It is exact, and the same every time, when the function returned and when the fuel ran out.
    /// After a trap it is the same every time too, but may lack what was used since the trapping
    /// function was entered, at most [`YIELD_INTERVAL`](super::YIELD_INTERVAL).
    pub fuel: u64,
    /// What the door printed, for the trace; of a command, what it wrote to standard error.
    pub printed: Printed,
    /// What a command wrote to standard output, up to [`Limits::output`] bytes.
    pub answer: Printed,
    /// What its component would keep: whether it does is up to whoever opens it.
    pub keys: Keys,
    /// What it reached for.
    pub reached: Reached,
}

impl Opened {
    /// Nothing of the door ran.
    pub(super) fn before_it_ran(fault: Fault) -> Self {
        Self {
            outcome: Err(fault),
            fuel: 0,
            printed: Printed::default(),
            answer: Printed::default(),
            keys: Keys::default(),
            reached: Reached::default(),
        }
    }
}
