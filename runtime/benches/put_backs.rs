//! A put-back late in a run against one early in it: the time must not grow with the history, except
//! for what the page's own length costs.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use doorlist::ambient::System;
use doorlist::doors::{Catalogue, DoorFile};
use doorlist::driver::{HostError, Seen, Witness};
use doorlist::gate::{Gate, GuardedDoor};
use doorlist::journal::{FolderJournal, Journal, MemoryJournal, RunKey};
use doorlist::loop_run::{FixedLoop, LoopHands, LoopRun};
use doorlist::models::ScriptModel;
use doorlist::sandbox::{Sandbox, Settings};
use loop_spec::loop_machine::{Event, LoopMachine};
use loop_spec::{Language, Page};
use tokio_util::sync::CancellationToken;

/// Put-backs of one run.
const RUN: u32 = 1_000;
/// Put-backs that are timed around the one that is named.
const WINDOW: u32 = 10;

/// When each page was put together.
#[derive(Default)]
struct Clock(Vec<Instant>);

impl Witness<LoopMachine> for Clock {
    fn saw(&mut self, _: &LoopMachine, event: &Event, _: Seen<'_>) -> Result<(), HostError> {
        if matches!(event, Event::PutBack(_)) {
            self.0.push(Instant::now());
        }
        Ok(())
    }
}

struct World {
    gate: Gate,
    source: FixedLoop,
    script: String,
}

impl World {
    fn new() -> Self {
        let door = r#"(component
            (core module $m (func (export "double") (param i32) (result i32)
                (i32.mul (local.get 0) (i32.const 2))))
            (core instance $i (instantiate $m))
            (func (export "double") (param "number" u32) (result u32)
                (canon lift (core func $i "double"))))"#;
        let file = DoorFile::from_bytes("maths", wat::parse_str(door).unwrap()).unwrap();
        let catalogue = Catalogue::of([file]).unwrap();
        let doors = catalogue.doors().cloned().map(GuardedDoor::pure);
        let text = format!("+++\nlist = [\"maths.double\"]\nput-backs = {RUN}\n+++\nDouble.\n");
        let source = FixedLoop::new(&text, doors).unwrap();
        let gate = Gate::new(Sandbox::new(Settings::for_one_loop(None)).unwrap());
        let calls = (1..RUN).map(|n| format!("maths.double {{\"number\": {n}}}\n"));
        let script = calls.collect::<String>() + "close Done.\n";
        Self {
            gate,
            source,
            script,
        }
    }

    /// When each put-back of a whole run began, and what was pasted.
    async fn run(&self, journal: &dyn Journal) -> (Vec<Instant>, String) {
        let model = ScriptModel::new("script", &self.script).unwrap();
        let source = Box::new(self.source.clone());
        let hands = LoopHands::new(&self.gate, source, Box::new(model), String::new());
        let mut run = LoopRun::new(journal, &System, RunKey::local("1").unwrap(), hands);
        let mut clock = Clock::default();
        run.drive(&mut clock, &CancellationToken::new())
            .await
            .unwrap();
        (clock.0, run.machine().pasted().to_owned())
    }
}

/// Time of a put-back, as the mean of the window that ends with it.
fn around(began: &[Instant], put_back: u32) -> Duration {
    let (first, last) = ((put_back - WINDOW) as usize, put_back as usize - 1);
    (began[last] - began[first]) / (WINDOW - 1)
}

/// What a page of this length costs by itself: it is written out, and its digest taken twice.
fn page_alone(pasted: &str) {
    let page = Page::new("top\n", "line", pasted, Language::En);
    black_box((page.to_string(), page.digest(), page.digest()));
}

fn put_backs(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let world = World::new();
    let (_, pasted) = runtime.block_on(world.run(&MemoryJournal::new()));
    let mut group = criterion.benchmark_group("put-back");
    group.sample_size(10);
    for put_back in [WINDOW, RUN] {
        for journal in ["memory", "folder"] {
            group.bench_function(format!("{put_back}, {journal} journal"), |bencher| {
                bencher.iter_custom(|rounds| {
                    let one = || {
                        let dir = tempfile::tempdir().unwrap();
                        let (memory, folder);
                        let journal: &dyn Journal = if journal == "memory" {
                            memory = MemoryJournal::new();
                            &memory
                        } else {
                            folder = FolderJournal::open(dir.path()).unwrap();
                            &folder
                        };
                        around(&runtime.block_on(world.run(journal)).0, put_back)
                    };
                    (0..rounds).map(|_| one()).sum()
                });
            });
        }
        let upto = pasted.len() * put_back as usize / RUN as usize;
        group.bench_function(format!("{put_back}, its page alone"), |bencher| {
            bencher.iter(|| page_alone(&pasted[..upto]));
        });
    }
    group.finish();
}

criterion_group!(benches, put_backs);
criterion_main!(benches);
