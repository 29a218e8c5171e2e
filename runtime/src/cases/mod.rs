//! Recorded cases of a door: calls, and what each must return, the same in every language.
//!
//! `cases.jsonl` lies in the folder of a door's sources and has one case a line:
//!
//! ```json
//! {"call": "count", "args": {"items": ["milk"]}, "want": [["milk", 1]], "time": 0, "seed": 7}
//! {"call": "count", "args": {"items": []}, "error": "expected an item"}
//! {"call": "limits", "error": {"too-much": 1000000}}
//! ```
//!
//! `call` is a function or a whole door's name, `args` may be left out where it takes nothing, `want` is
//! the JSON of what it returns, `error` what it says instead: its own error, as text or as the JSON of
//! its type, or the observation of any other failure. Each case finds a copy of
//! the folder `data` beside it, where there is one, as `/data`, and is granted nothing else.

mod read;
mod run;

pub use read::{Case, CasesError, Wanted, read};
pub use run::{Found, run};

/// What the file of a door's cases is called.
pub const FILE: &str = "cases.jsonl";
