//! Doors that Doorlist brings with it: listed, they are there without a file.

/// The component of Doorlist's own whose doors begin with this stem.
pub(super) fn component(stem: &str) -> Option<&'static [u8]> {
    (stem == HISTORY).then_some(include_bytes!("../../init/doors/history.wasm"))
}

/// Reads what was returned, where a page shows it cut.
const HISTORY: &str = "history";
