//! `policy.toml`, a folder's and a host's: neither can be loosened by the other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loop_spec::policy::{Ceiling, Policy};

fuzz_target!(|text: &str| {
    let (folder, host) = text.split_once('\0').unwrap_or((text, text));
    let (folder, host) = (Policy::parse(folder), Ceiling::parse(host));
    let Ok(folder) = folder else { return };
    for name in ["fridge.count", "a", ""] {
        let grants = folder.grants(name);
        for secret in &grants.secrets {
            assert!(grants.hosts.iter().any(|host| host.fits(&secret.origin)));
        }
    }
    let Ok(host) = host else { return };
    let Ok(merged) = host.over(folder.clone()) else {
        return;
    };
    for name in ["fridge.count", "a", "a.b"] {
        assert!(merged.asks(name) || !folder.asks(name));
    }
    let (limits, asked) = (merged.limits(), folder.limits());
    assert!(limits.fuel <= asked.fuel && limits.memory <= asked.memory);
    assert!(limits.time <= asked.time && limits.network <= asked.network);
    assert!(merged.ask().expires <= folder.ask().expires);
});
