//! What spinning doors take from the host: how late a timer of the host's runtime is while nothing
//! runs, and while [`SPINNING`] doors spin until each one's own fuel ends.
//!
//! The timer sleeps on the runtime that awaits the openings, as a server's would.

use std::time::{Duration, Instant};

use doorlist::Artifact;
use doorlist::sandbox::{Compiled, Export, Fault, Opening, Sandbox, Settings};

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let alone = runtime.block_on(late_by(MEASURED));
    let among = runtime.block_on(among_spinning_doors());
    println!(
        "lateness of a timer of {} ms, {} ticks each",
        TICK.as_millis(),
        alone.len().min(among.len())
    );
    let spin = format!("{SPINNING} doors spin");
    for (what, mut late) in [("nothing else runs", alone), (&spin, among)] {
        late.sort();
        let at = |share: f64| late[((late.len() - 1) as f64 * share) as usize];
        println!(
            "{what:<18} p50 {:>9.1?}  p99 {:>9.1?}  most {:>9.1?}",
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}

async fn among_spinning_doors() -> Vec<Duration> {
    let sandbox = Sandbox::new(Settings::default()).unwrap();
    let component = wat::parse_str(include_str!("../../tests/hostile/spin.wat")).unwrap();
    let spin = sandbox.compile(&Artifact::new(component)).await.unwrap();
    let fuel = fuel_for(&spin, MEASURED / SPINNING).await;
    let spinning: Vec<_> = (0..SPINNING)
        .map(|_| tokio::spawn(open(spin.clone(), fuel)))
        .collect();
    let start = Instant::now();
    let late = late_by(MEASURED).await;
    for spinning in spinning {
        spinning.await.unwrap();
    }
    println!("the doors spun for {:.1?}", start.elapsed());
    late
}

/// The fuel with which a door alone spins for about `time`.
async fn fuel_for(spin: &Compiled, time: Duration) -> u64 {
    let start = Instant::now();
    open(spin.clone(), TRIED).await;
    (TRIED as f64 * time.as_secs_f64() / start.elapsed().as_secs_f64()) as u64
}

async fn open(spin: Compiled, fuel: u64) {
    let export = Export {
        interface: None,
        function: "go",
    };
    let mut opening = Opening::default();
    opening.limits.fuel = fuel;
    opening.limits.time = MEASURED * 10;
    let opened = spin.open(&export, Vec::new(), opening).await;
    assert!(
        matches!(opened.outcome, Err(Fault::Fuel { .. })),
        "{:?}",
        opened.outcome
    );
}

/// How much too late a timer came, again and again for `time`.
async fn late_by(time: Duration) -> Vec<Duration> {
    let end = Instant::now() + time;
    let mut late = Vec::new();
    while Instant::now() < end {
        let due = Instant::now() + TICK;
        tokio::time::sleep_until(due.into()).await;
        late.push(due.elapsed());
    }
    late
}

/// Doors that spin at once.
const SPINNING: u32 = 64;
/// How often the timer is looked at.
const TICK: Duration = Duration::from_millis(2);
/// How long lateness is measured.
const MEASURED: Duration = Duration::from_secs(8);
/// The fuel of the opening by which the others are planned.
const TRIED: u64 = 200_000_000;
