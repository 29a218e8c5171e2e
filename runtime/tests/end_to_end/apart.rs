//! Components that are compiled in a process of their own: the same code, and limits that hold.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use doorlist::Artifact;
use doorlist::sandbox::{
    Apart, CompileError, Compiled, Compiling, Export, Opening, Sandbox, Settings,
};
use wasmtime::component::Val;

use crate::laid::{LOOP, Laid};

fn by(program: &str, arguments: &[&str], memory: u64, time: Duration) -> Compiling {
    Compiling::Apart(Apart {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        memory,
        time,
    })
}

/// As the command does it.
fn apart(memory: u64, time: Duration) -> Compiling {
    let (bytes, milliseconds) = (memory.to_string(), time.as_millis().to_string());
    let arguments = ["compile-apart", &bytes, &milliseconds];
    by(env!("CARGO_BIN_EXE_doorlist"), &arguments, memory, time)
}

async fn compile(compiling: Compiling, wat: &str) -> Result<Compiled, CompileError> {
    let settings = Settings {
        compiling,
        ..Settings::for_one_loop(None)
    };
    let sandbox = Sandbox::new(settings).unwrap();
    let component = Artifact::new(wat::parse_str(wat).unwrap());
    sandbox.compile(&component).await
}

/// A component with `functions` of `additions` each.
fn large(functions: usize, additions: usize) -> String {
    let mut wat = String::from("(component (core module $m\n");
    for function in 0..functions {
        write!(
            wat,
            "(func (export \"f{function}\") (param i32) (result i32) local.get 0"
        )
        .unwrap();
        wat.push_str(&" local.get 0 i32.add".repeat(additions));
        wat.push_str(")\n");
    }
    wat.push_str(
        ") (core instance $i (instantiate $m))
        (func (export \"go\") (param \"n\" u32) (result u32) (canon lift (core func $i \"f0\"))))",
    );
    wat
}

#[tokio::test]
async fn what_is_compiled_apart_is_the_same() {
    let wat = large(3, 9);
    let go = Export {
        interface: None,
        function: "go",
    };
    let mut opened = Vec::new();
    for compiling in [Compiling::Here, apart(4 << 30, Duration::from_secs(60))] {
        let door = compile(compiling, &wat).await.unwrap();
        let arguments = vec![Val::U32(2)];
        opened.push(door.open(&go, arguments, Opening::default()).await);
    }
    assert_eq!(opened[0].outcome, Ok(vec![Val::U32(20)]));
    assert_eq!(opened[0], opened[1]);
}

#[tokio::test]
async fn what_is_wrong_with_a_component_is_told_from_apart_as_from_here() {
    let wrong = "(component (core module (func (result i32))))";
    let settings = |compiling| Settings {
        compiling,
        ..Settings::for_one_loop(None)
    };
    let mut told = Vec::new();
    for compiling in [Compiling::Here, apart(4 << 30, Duration::from_secs(60))] {
        let sandbox = Sandbox::new(settings(compiling)).unwrap();
        let bytes = Artifact::new(wat::parse_str(wrong).unwrap());
        told.push(sandbox.compile(&bytes).await.unwrap_err());
    }
    assert!(matches!(&told[0], CompileError::Invalid { .. }), "{told:?}");
    assert_eq!(told[0], told[1]);
}

#[tokio::test]
async fn a_component_that_takes_too_much_to_compile_is_given_up() {
    let wat = large(8, 200_000);
    let memory = 256 << 20;
    let error = compile(apart(memory, Duration::from_secs(60)), &wat).await;
    let what = format!("{memory} bytes of memory");
    assert_eq!(error.unwrap_err(), CompileError::Limit { what });
    let error = compile(apart(8 << 30, Duration::from_millis(300)), &wat).await;
    let what = "300ms".to_owned();
    assert_eq!(error.unwrap_err(), CompileError::Limit { what });
}

#[tokio::test]
async fn a_compiler_that_dies_hangs_or_talks_nonsense_takes_nobody_along() {
    let place = tempfile::tempdir().unwrap();
    let pid = place.path().join("pid");
    let hang = format!("echo $$ > {}; exec sleep 600", pid.display());
    let (minute, moment) = (Duration::from_secs(60), Duration::from_secs(1));
    let shell = |script: &str, time| by("/bin/sh", &["-c", script], 1 << 30, time);
    let attempt = async |compiling| compile(compiling, "(component)").await.unwrap_err();

    let died = attempt(shell("kill -SEGV $$", minute)).await;
    assert!(matches!(died, CompileError::Broke { .. }), "{died}");
    let killed = attempt(shell("kill -XCPU $$", minute)).await;
    assert!(matches!(killed, CompileError::Limit { .. }), "{killed}");
    let nonsense = attempt(shell("cat > /dev/null; echo nonsense", minute)).await;
    assert!(
        matches!(nonsense, CompileError::Invalid { .. }),
        "{nonsense}"
    );
    let missing = attempt(by("/no/such/program", &[], 1 << 30, minute)).await;
    assert!(matches!(missing, CompileError::Host { .. }), "{missing}");
    let hung = attempt(shell(&hang, moment)).await;
    assert!(matches!(hung, CompileError::Limit { .. }), "{hung}");
    let pid = std::fs::read_to_string(pid).unwrap();
    let process = Path::new("/proc").join(pid.trim());
    while cfg!(target_os = "linux") && process.exists() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[test]
fn the_host_wide_policy_has_a_loop_compiled_apart() {
    let laid = Laid::by_hand("");
    let cache = tempfile::tempdir().unwrap();
    let call = || {
        let call = laid.doorlist(["call", "hand.take", "{\"count\": 1}", "-C", LOOP]);
        call.env("DOORLIST_CACHE", cache.path().to_str().unwrap())
    };
    laid.host_wide("[compile]\napart = true\ntime = \"1ms\"\n");
    call()
        .exit(21)
        .stdout_has("cannot be opened: compiling the component takes more than 1ms")
        .stderr_has("")
        .call();
    laid.host_wide("[compile]\napart = true\n");
    call().stdout_has("").stderr_has("fuel").call();
}
