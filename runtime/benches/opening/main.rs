//! What one opening costs, against what wasmtime alone needs for it.
//!
//! - *wasmtime*: the floor, see `floor.rs`;
//! - *sandbox*: a fresh instance under all limits, dynamic values in and out;
//! - *whole*: JSON in, gate, intent in the journal, sandbox, text out, outcome in the journal.
//!
//! First a table of ratios, then one of what each limit adds, taken in rounds that alternate between the two so that a noisy machine
//! slows both; then criterion's figures of each. All warm: the first call after an idle while costs
//! ten times as much.
//!
//! - `min`: a component of 30 instructions, no imports.
//! - `settled`: a Rust door without imports (`wasm32-unknown-unknown`).
//! - `fridge`: a Rust door with WASI (`wasm32-wasip2`), granted nothing, so that its answer is that
//!   it cannot read its file.

mod doors;
mod floor;
mod limits;
mod whole;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use doorlist::Artifact;
use doorlist::sandbox::{Compiled, Export, Opening, Sandbox, Settings};
use tokio::runtime::{Builder, Runtime};

use doors::Door;
use floor::Floor;
use limits::Ladder;
use whole::Whole;

fn main() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let floor = Floor::new();
    let sandbox = Sandbox::new(Settings::default()).unwrap();
    let contests: Vec<Contest> = doors::all()
        .into_iter()
        .map(|door| Contest::new(door, &floor, &sandbox, &runtime))
        .collect();
    println!(
        "{:<10}{:>12}{:>12}{:>8}{:>12}{:>8}   medians, warm",
        "door", "wasmtime", "sandbox", "ratio", "whole", "ratio"
    );
    for contest in &contests {
        contest.print_ratio(&runtime);
    }
    let ladder = Ladder::new(floor.engine(), &contests[0].door);
    runtime.block_on(ladder.print());
    let mut criterion = Criterion::default().configure_from_args();
    for contest in &contests {
        contest.measure(&mut criterion, &runtime);
    }
    criterion.final_summary();
}

/// One door, opened in both ways.
struct Contest {
    door: Door,
    floor: floor::Prepared,
    compiled: Compiled,
    whole: Whole,
}

impl Contest {
    fn new(door: Door, floor: &Floor, sandbox: &Sandbox, runtime: &Runtime) -> Self {
        let component = Artifact::new(door.bytes.clone());
        let compiled = runtime.block_on(sandbox.compile(&component)).unwrap();
        let contest = Self {
            floor: floor.prepare(&door),
            compiled,
            whole: Whole::new(&door, sandbox),
            door,
        };
        let opened = runtime.block_on(contest.open());
        assert!(opened.outcome.is_ok(), "{}: {opened:?}", contest.door.name);
        contest
    }

    async fn open(&self) -> doorlist::sandbox::Opened {
        let export = Export {
            interface: self.door.interface,
            function: self.door.function,
        };
        self.compiled
            .open(&export, self.door.arguments.clone(), Opening::default())
            .await
    }

    fn print_ratio(&self, runtime: &Runtime) {
        let (mut floor, mut sandbox, mut whole) = (Vec::new(), Vec::new(), Vec::new());
        runtime.block_on(async {
            for _ in 0..ROUNDS {
                floor.push(time_of(CALLS, async || self.floor.call()).await);
                sandbox.push(time_of(CALLS, async || drop(black_box(self.open().await))).await);
                let mut run = self.whole.run();
                whole.push(time_of(CALLS, async || self.whole.open(&mut run).await).await);
            }
        });
        let [floor, sandbox, whole] =
            [floor, sandbox, whole].map(|times| median(times).as_secs_f64() * 1e6);
        println!(
            "{:<10}{floor:>9.2} us{sandbox:>9.2} us{:>7.2}x{whole:>9.2} us{:>7.2}x",
            self.door.name,
            sandbox / floor,
            whole / floor,
        );
    }

    fn measure(&self, criterion: &mut Criterion, runtime: &Runtime) {
        let mut group = criterion.benchmark_group(self.door.name);
        group.bench_function("wasmtime", |bencher| bencher.iter(|| self.floor.call()));
        group.bench_function("sandbox", |bencher| {
            bencher.to_async(runtime).iter(|| self.open());
        });
        group.bench_function("whole", |bencher| {
            bencher.iter_custom(|calls| {
                runtime.block_on(async {
                    let (mut run, start) = (self.whole.run(), Instant::now());
                    for _ in 0..calls {
                        self.whole.open(&mut run).await;
                    }
                    start.elapsed()
                })
            });
        });
        group.finish();
    }
}

/// The time of one of `calls`.
async fn time_of(calls: u32, mut call: impl AsyncFnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        call().await;
    }
    start.elapsed() / calls
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

const ROUNDS: u32 = 501;
/// So few that they end within one turn on the processor where others want it too: longer ones would be
/// interrupted more often, and the ratio would tell of that.
const CALLS: u32 = 20;
