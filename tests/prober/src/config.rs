//! Reads `wasi:config`.

use crate::Door;
use crate::exports::test::prober::config::Guest;
use crate::wasi::config::store;

impl Guest for Door {
    fn value(name: String) -> Option<String> {
        store::get(&name).expect("the host has no errors here")
    }

    fn values() -> Vec<String> {
        let all = store::get_all().expect("the host has no errors here");
        all.into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }
}
