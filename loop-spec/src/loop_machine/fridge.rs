//! The fridge loop on the pure machine: its doors, a mind and a check, for the tests.

use expect_test::expect_file;

use super::play::Play;
use super::{CloseRefusal, LoopMachine, Outcome};
use crate::{Answer, Call};

pub(super) const FRIDGE: &str = "+++\nlist = [\"fridge.count\", \"shopping.add\"]\nclose = \"doors/settled.wasm\"\n+++\n\
    Keep milk and eggs in the house: what is below 2 goes on the shopping list.\n";

/// A mind that obeys the page: it reads the threshold in the prose and the counts in the history.
pub(super) fn mind(page: &str) -> Option<Answer> {
    let counted = page.lines().find_map(|line| line.strip_prefix("| milk "));
    let Some(milk) = counted else {
        return Some(names("fridge.count", r#"{"items":["milk"]}"#));
    };
    let below: u32 = page
        .split("below ")
        .nth(1)?
        .split(' ')
        .next()?
        .parse()
        .ok()?;
    let milk: u32 = milk.split(' ').next()?.parse().ok()?;
    if milk < below && !page.contains("shopping.add {") {
        return Some(names("shopping.add", r#"{"item":"milk"}"#));
    }
    Some(Answer::Close(format!("Milk was {milk}.")))
}

/// The check of a close: what is below the threshold must have been written.
pub(super) fn settled(machine: &LoopMachine, _close: &str) -> Option<CloseRefusal> {
    let page = machine.page()?.to_string();
    let wanted = matches!(mind(&page)?, Answer::Names { .. });
    wanted.then(|| CloseRefusal::Check {
        reason: "milk is low and was not written".to_owned(),
    })
}

pub(super) fn fridge(milk: u32) -> impl FnMut(&Call) -> Result<Outcome, String> {
    move |call| {
        let text = match call.name.as_str() {
            "fridge.count" => format!("milk {milk}\neggs 4"),
            "shopping.add" => "written".to_owned(),
            other => return Err(format!("no door {other}")),
        };
        Ok(Outcome::Said { text })
    }
}

pub(super) fn names(name: &str, arguments: &str) -> Answer {
    Answer::Names {
        calls: vec![Call::new(name, arguments)],
        remark: None,
    }
}

pub(super) fn played(milk: u32, loop_txt: &str) -> Play {
    Play::of(loop_txt)
        .mind(mind)
        .door(fridge(milk))
        .check(settled)
        .run()
}

pub(super) fn golden(play: &Play, name: &str) {
    expect_file![format!(
        "{}/tests/golden/{name}.txt",
        env!("CARGO_MANIFEST_DIR")
    )]
    .assert_eq(&play.story());
}
