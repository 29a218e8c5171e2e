//! A component that came from anywhere: read, shown, compiled, and never the host's end.
#![no_main]

use std::sync::{Arc, LazyLock};

use doorlist::Artifact;
use doorlist::doors::DoorFile;
use doorlist::sandbox::{Sandbox, Settings};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::{Builder, Runtime};

static HOST: LazyLock<(Runtime, Sandbox)> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    let settings = Settings {
        kept: 1,
        ..Settings::for_one_loop(None)
    };
    (runtime, Sandbox::new(settings).expect("a sandbox"))
});

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = DoorFile::from_bytes("door", bytes.to_vec()) {
        let _ = file.check();
        for door in Arc::new(file).doors() {
            let _ = (door.signature(), door.schema(), door.interface_digest());
        }
    }
    let (runtime, sandbox) = &*HOST;
    let _ = runtime.block_on(sandbox.compile(&Artifact::new(bytes.to_vec())));
});
