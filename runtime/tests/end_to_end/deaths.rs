//! Runs that end without a word, between any two events, and go on.

use doorlist::driver::DriveError;
use doorlist::gate::Gate;
use doorlist::journal::{AppendError, FolderJournal, Journal};
use doorlist::loop_folder::Component;
use doorlist::loop_run::ResumeError;
use doorlist::models::{ComponentModel, Model, ScriptModel};
use doorlist::sandbox::Limits;
use loop_spec::loop_machine::{Event, LoopMachine, Nod, NodAnswered, Outcome, Stop};
use loop_spec::{Machine as _, Recorded as _, Stamped};

use crate::driven::{folded, gate, go_on, run_one, start};
use crate::hand::say;
use crate::kept::keepers;
use crate::laid::{Laid, count};
use crate::mortal::{DIED, Death, Mortal};
use crate::tally::{ran, tally};

#[tokio::test]
async fn a16_a_kill_between_any_two_events_of_the_golden_run() {
    let gate = gate();
    let whole = whole_run(Laid::fridge, &gate, golden).await;
    let deaths = every_death(Laid::fridge, &gate, golden, |laid| {
        assert_eq!(
            laid.read("data/shopping-list.txt"),
            "milk\n",
            "written once, and no eggs"
        );
        if !laid.read("history.txt").contains("\nunknown: ") {
            assert_eq!(laid.read("history.txt"), whole, "nobody sees that it died");
        }
    });
    assert_eq!(deaths.await, 2 * 14, "one before and one after each event");
}

#[tokio::test]
async fn a_kill_between_any_two_events_opens_no_door_twice() {
    let gate = gate();
    let lay = || tally("", "[ask]\nfirst = [\"tally.add\"]");
    let whole = whole_run(lay, &gate, two_tallies).await;
    assert_eq!(count(&whole, "| 1"), 1, "undisturbed, both ran: {whole}");
    let deaths = every_death(lay, &gate, two_tallies, |laid| {
        let history = laid.read("history.txt");
        let (said, unknown) = (
            ["| 0", "| 1"].map(|line| count(&history, line)),
            count(&history, "unknown: it may have run."),
        );
        let said: usize = said.iter().sum();
        assert_eq!(said + unknown, 2, "two calls, two answers: {history}");
        assert!(
            (said..=said + unknown).contains(&ran(laid)),
            "{} times, but: {history}",
            ran(laid)
        );
        if unknown == 0 {
            assert_eq!(history, whole);
        }
    });
    assert!(deaths.await > 2 * 20);
}

#[tokio::test]
async fn a_kill_between_any_two_events_loses_nothing_that_was_recorded_as_kept() {
    let gate = gate();
    let whole = whole_run(keepers, &gate, two_bumps).await;
    assert_eq!([count(&whole, "| 1"), count(&whole, "| 2")], [1, 1]);
    let deaths = every_death(keepers, &gate, two_bumps, |laid| {
        let history = laid.read("history.txt");
        let unknown = count(&history, "unknown: it may have run.");
        // An opening of which nothing is known has kept nothing.
        let said = ["| 1", "| 2"].map(|line| count(&history, line));
        assert_eq!(said, [[1, 1], [1, 0]][unknown], "{history}");
    });
    assert!(deaths.await > 2 * 10);
}

/// Killed again and again, each life a few events long.
#[tokio::test]
async fn many_kills_in_one_run_come_to_its_end() {
    for death in [Death::Before, Death::After] {
        let (gate, laid) = (gate(), tally("", ""));
        let mut lives = 0;
        let journal = folder(&laid);
        while live(
            &laid,
            &Mortal::new(folder(&laid), 2, death),
            &gate,
            two_tallies,
        )
        .await
        .is_err()
        {
            lives += 1;
            assert!(lives < 100, "{death:?}: it does not come to its end");
        }
        assert!(lives > 5, "{death:?}: {lives}");
        adds_up(&laid, &journal).await;
        assert!(ran(&laid) <= 2);
    }
}

/// A run dies at each of its events in turn, and another process goes on with it. Says how often it
/// died; `check` looks at what is there in the end.
async fn every_death(
    lay: impl Fn() -> Laid,
    gate: &Gate,
    model: ModelOf,
    check: impl Fn(&Laid),
) -> usize {
    for appends in 0.. {
        for death in [Death::Before, Death::After] {
            let laid = lay();
            let mortal = Mortal::new(folder(&laid), appends, death);
            if live(&laid, &mortal, gate, model).await.is_ok() {
                return 2 * appends;
            }
            let journal = folder(&laid);
            live(&laid, &journal, gate, model)
                .await
                .expect("nothing is in its way");
            adds_up(&laid, &journal).await;
            check(&laid);
        }
    }
    unreachable!("a run has an end")
}

/// The history of a run that nothing happens to.
async fn whole_run(lay: impl Fn() -> Laid, gate: &Gate, model: ModelOf) -> String {
    let laid = lay();
    let journal = folder(&laid);
    live(&laid, &journal, gate, model)
        .await
        .expect("nothing is in its way");
    adds_up(&laid, &journal).await;
    laid.read("history.txt")
}

/// One process: it starts the run or goes on with it, until it is done or the process dies. A person
/// gives every nod that is asked for.
async fn live(laid: &Laid, journal: &dyn Journal, gate: &Gate, model: ModelOf) -> Result<(), Died> {
    let mut stop = match journal.read(&run_one(), 0).await.unwrap().records.len() {
        0 => start(laid, journal, gate, model(laid, gate))
            .await
            .map_err(died)?,
        _ => match go_on(laid, journal, gate, model(laid, gate)).await {
            Err(ResumeError::Done { .. }) => return Ok(()),
            stop => stop.map_err(died_again)?,
        },
    };
    while let Stop::WaitingForNod { .. } = stop {
        nod(laid).await;
        stop = go_on(laid, journal, gate, model(laid, gate))
            .await
            .map_err(died_again)?;
    }
    assert!(matches!(stop, Stop::Done { .. }), "{stop:?}");
    Ok(())
}

/// The process is dead.
#[derive(Debug)]
struct Died;

fn died(error: DriveError) -> Died {
    match error {
        DriveError::Append(AppendError::NotWritten { place, .. }) if place == DIED => Died,
        other => panic!("{other}"),
    }
}

fn died_again(error: ResumeError) -> Died {
    match error {
        ResumeError::Drive(error) => died(error),
        other => panic!("{other}"),
    }
}

/// A nod from a person in another process.
async fn nod(laid: &Laid) {
    let journal = folder(laid);
    let machine = folded(&journal).await;
    let call = machine.asked().expect("somebody is asked").call;
    let nod = Event::NodAnswered(NodAnswered {
        call,
        nod: Nod::Given,
    });
    let stamped = Stamped {
        time: 0,
        entry: nod.to_entry(),
    };
    let records = laid.records("1").len() as u64;
    journal
        .append(&run_one(), records, &[stamped])
        .await
        .unwrap();
}

/// The journal, counted by hand, says what its fold says, and `history.txt` is what was pasted.
async fn adds_up(laid: &Laid, journal: &dyn Journal) {
    let machine = folded(journal).await;
    let records = journal.read(&run_one(), 0).await.unwrap().records;
    let events: Vec<Event> = records
        .iter()
        .map(|record| Event::of_entry(&record.entry).unwrap())
        .collect();
    let put_backs = events
        .iter()
        .filter(|event| matches!(event, Event::PutBack(_)))
        .count();
    assert_eq!(machine.put_backs() as usize, put_backs);
    assert_eq!(machine.fuel_used(), fuel(&events));
    assert_eq!(laid.read("history.txt"), machine.pasted());
    let mut opened: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Opening(opening) => Some(opening.call.to_string()),
            _ => None,
        })
        .collect();
    let openings = opened.len();
    opened.dedup();
    assert_eq!(opened.len(), openings, "no call has two openings");
    let again = events
        .iter()
        .try_fold(LoopMachine::new(), |mut machine, event| {
            machine.apply(event).map(|_| machine)
        });
    assert_eq!(again.unwrap().pasted(), machine.pasted());
}

/// What was used: of an opening that nobody knows the end of, all that it was given.
fn fuel(events: &[Event]) -> u64 {
    let mut given = 0;
    let used = events.iter().map(|event| match event {
        Event::Answered(answered) => answered.fuel,
        Event::CloseJudged(judged) => judged.fuel,
        Event::Opening(opening) => {
            given = opening.fuel;
            0
        }
        Event::Opened(opened) if opened.outcome == Outcome::Unknown => given,
        Event::Opened(opened) => opened.fuel,
        _ => 0,
    });
    used.sum()
}

/// How a process comes to its model.
type ModelOf = for<'g> fn(&Laid, &'g Gate) -> Box<dyn Model + 'g>;

fn golden<'g>(laid: &Laid, gate: &'g Gate) -> Box<dyn Model + 'g> {
    let mind = Component::MODEL.read(&laid.path("doors/mind.wasm"), Limits::default());
    Box::new(ComponentModel::new("mind", gate, mind.unwrap()))
}

fn two_tallies<'g>(_: &Laid, _: &'g Gate) -> Box<dyn Model + 'g> {
    let answers = format!(
        "{}\n& tally.add\ntally.add\n& {}\nclose Done.\n",
        say("one"),
        say("two")
    );
    Box::new(ScriptModel::new("script", &answers).unwrap())
}

fn two_bumps<'g>(_: &Laid, _: &'g Gate) -> Box<dyn Model + 'g> {
    let answers = "keeper.bump\nkeeper.bump\nclose Done.\n";
    Box::new(ScriptModel::new("script", answers).unwrap())
}

fn folder(laid: &Laid) -> FolderJournal {
    laid.folder().journal().unwrap()
}
