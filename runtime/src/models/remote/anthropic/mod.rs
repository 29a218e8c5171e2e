//! Messages, Anthropic's wire format.

mod answer;
mod request;

pub(super) use answer::{event, whole};
pub(super) use request::request;
