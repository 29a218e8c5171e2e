//! Canonical JSON.

use serde_json::Value;

/// `value` as RFC 8785 writes it. Integers beyond 2^53 become decimal strings, so that none is rounded.
#[must_use]
pub fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(value).unwrap_or_else(|_| value.to_string())
}
