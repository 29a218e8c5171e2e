//! Chat completions, OpenAI's wire format, which many servers speak.

mod answer;
mod request;

pub(super) use answer::{event, whole};
pub(super) use request::request;
