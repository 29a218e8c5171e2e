//! What an event says of the nodes that it reaches or leaves.

use crate::frame::one_line;
use crate::loop_machine::{CloseRefusal, Event, HookSaid, Nod, Outcome, Refusal, Stop, node};
use crate::{Answer, Node};

/// What an event says of a row.
pub(super) enum Told {
    Outcome(String),
    /// Something was pasted.
    Pasted,
    /// The run ended here without a word.
    CutOff,
}

/// What `event` says of a row at `node` that has no outcome yet; `is_new` when the event itself
/// led there. `name` is the name that the event is about, if it is about one.
pub(super) fn tell(event: &Event, node: &Node, is_new: bool, name: &str) -> Option<Told> {
    if *node == node::PASTE {
        return Some(Told::Pasted);
    }
    if let Event::Resumed(_) = event {
        return resumed(node, is_new);
    }
    let outcome = match event {
        Event::RunStarted(started) if *node == node::LINE => detailed("started", &started.line),
        Event::PutBack(put_back) if *node == node::ASSEMBLE => {
            format!("page {}, {} bytes", put_back.put_back, put_back.bytes)
        }
        Event::Answered(answered) if *node == node::DECIDE => answer(&answered.answer),
        Event::ModelFailed(failed) if *node == node::DECIDE => detailed("failed", &failed.why),
        Event::Refused(refused) => refusal(&refused.refusal, node, name)?,
        Event::Asked(_) if *node != node::ASK => admitted(name, node)?,
        Event::Opening(_) => admitted(name, node)?,
        Event::NodAnswered(answered) if is_waiting(node) => nod(answered.nod).to_owned(),
        Event::Opened(opened) if node::opened_door(node).is_some() => opening(&opened.outcome),
        Event::Opened(opened) if *node == node::AFTER => {
            hooked(opened.hooked.as_ref().map(|hooked| &hooked.said))
        }
        Event::Compacted(compacted) if *node == node::COMPACT => {
            format!("{} turns summed up", compacted.turns)
        }
        Event::NotCompacted(not) if *node == node::COMPACT => detailed("failed", &not.why),
        Event::Said(said) if *node == node::SAY => detailed("said", &said.text),
        Event::CloseJudged(judged) if *node == node::CLOSE => match &judged.refused {
            None => STANDS.to_owned(),
            Some(refused) => detailed("refused", &reason(refused)),
        },
        // The close had stood, and what led here is told of the hook.
        Event::EndJudged(_) if *node == node::CLOSE => STANDS.to_owned(),
        Event::EndJudged(judged) if *node == node::END => match &judged.refused {
            None => "may end".to_owned(),
            Some(why) => detailed("refused", why),
        },
        Event::Stopped(stopped) => stop(&stopped.stop, node)?,
        _ => return None,
    };
    Some(Told::Outcome(outcome))
}

/// Whether the time before `event` was spent at `node`, though the event itself led there: a page
/// is put together, a name is taken through the gate, before it is written that this was done.
pub(super) fn works(event: &Event, node: &Node) -> bool {
    match event {
        Event::LoopRead(_) | Event::PutBack(_) => *node == node::ASSEMBLE,
        Event::Asked(_) | Event::Opening(_) => *node == node::FIT,
        Event::Refused(refused) => match refused.refusal {
            Refusal::Misfit { .. } | Refusal::Locked { .. } => *node == node::FIT,
            Refusal::Hook { .. } => *node == node::BEFORE,
            _ => *node == node::LIST,
        },
        Event::Stopped(_) => [node::ASSEMBLE, node::LIST].contains(node),
        _ => false,
    }
}

fn resumed(node: &Node, is_new: bool) -> Option<Told> {
    if *node == node::RESUME {
        return Some(Told::Outcome("resumed".to_owned()));
    }
    if *node == node::WAITING_FOR_NOD {
        return Some(Told::Outcome("no answer yet".to_owned()));
    }
    (!is_new).then_some(Told::CutOff)
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Close(_) => "close".to_owned(),
        Answer::Names { calls, .. } if calls.is_empty() => "empty answer".to_owned(),
        Answer::Names { calls, .. } => {
            let names: Vec<_> = calls.iter().map(|call| call.name.as_str()).collect();
            detailed("named", &names.join(", "))
        }
    }
}

fn refusal(refusal: &Refusal, node: &Node, name: &str) -> Option<String> {
    match refusal {
        Refusal::OffList
        | Refusal::NoName
        | Refusal::SameId { .. }
        | Refusal::CutShort
        | Refusal::BrokenOff
        | Refusal::TooMany { .. }
        | Refusal::Aborted
        | Refusal::Stopped => (*node == node::LIST).then(|| detailed(refusal.word(), name)),
        _ if *node == node::LIST => Some(detailed(LISTED, name)),
        Refusal::Misfit { what, .. } => {
            let fits_not = [node::FIT, node::ASK].contains(node);
            fits_not.then(|| detailed("misfit", what))
        }
        Refusal::Locked { .. } | Refusal::Hook { .. } if *node == node::FIT => {
            Some(FITS.to_owned())
        }
        Refusal::Locked { why, .. } => {
            let unknown = [node::LOCK, node::ASK].contains(node);
            unknown.then(|| detailed("locked", &why.to_string()))
        }
        Refusal::Hook { .. } if *node == node::LOCK => Some(KNOWN.to_owned()),
        Refusal::Hook { reason, .. } => {
            let refused = [node::BEFORE, node::ASK].contains(node);
            refused.then(|| detailed("refused", reason))
        }
    }
}

fn admitted(name: &str, node: &Node) -> Option<String> {
    if *node == node::LIST {
        return Some(detailed(LISTED, name));
    }
    let outcome = [
        (node::FIT, FITS),
        (node::LOCK, KNOWN),
        (node::BEFORE, "may open"),
        (node::ASK, "nod used"),
    ];
    let outcome = outcome.iter().find(|(at, _)| at == node);
    outcome.map(|(_, outcome)| (*outcome).to_owned())
}

fn hooked(said: Option<&HookSaid>) -> String {
    match said {
        None | Some(HookSaid::Same) => "same".to_owned(),
        Some(HookSaid::Instead(text)) => detailed("instead", text),
        Some(HookSaid::Withheld(why)) => detailed("withheld", why),
    }
}

fn is_waiting(node: &Node) -> bool {
    [node::ASK, node::WAITING_FOR_NOD].contains(node)
}

fn nod(nod: Nod) -> &'static str {
    match nod {
        Nod::Given => "nod given",
        nod => nod.word(),
    }
}

fn opening(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Said { text } | Outcome::OwnError { text } => detailed(outcome.word(), text),
        Outcome::Trap { what }
        | Outcome::Unusable { what }
        | Outcome::Unsayable { what }
        | Outcome::HostFault { what } => detailed(outcome.word(), what),
        Outcome::Limit { limit, amount } => detailed(
            outcome.word(),
            &format!("{limit:?}, {amount}").to_lowercase(),
        ),
        Outcome::Withheld { why } => detailed(outcome.word(), why),
        Outcome::Exit { code } => detailed(outcome.word(), &code.to_string()),
        Outcome::Unknown | Outcome::Aborted => outcome.word().to_owned(),
    }
}

fn reason(refused: &CloseRefusal) -> String {
    match refused {
        CloseRefusal::Needs { door } => format!("{door} was not opened well"),
        CloseRefusal::Number { number } => format!("{number} is not on the page"),
        CloseRefusal::Check { reason } => reason.clone(),
        CloseRefusal::CheckFailed { outcome } => format!("check door, {}", opening(outcome)),
    }
}

fn stop(stop: &Stop, node: &Node) -> Option<String> {
    if *node != stop.node() {
        return Some(match stop {
            Stop::Done { .. } => STANDS.to_owned(),
            Stop::WaitingForNod { .. } => "no answer yet".to_owned(),
            _ => "stopped".to_owned(),
        });
    }
    Some(match stop {
        Stop::Done { close } => detailed("done", close),
        Stop::PutBacks { cap } => format!("after {cap} put-backs"),
        Stop::SameFailure { door, times, .. } => format!("{door} failed {times} times"),
        // What comes of waiting is known when the person answers, or the run is resumed.
        Stop::WaitingForNod { .. } => return None,
        Stop::Fuel { used, budget } => format!("used {used} of {budget}"),
        Stop::Length { times } => format!("{times} answers in a row were cut short"),
        Stop::Ended { door } => detailed("asked for by", door),
        Stop::Cancelled => "cancelled".to_owned(),
        Stop::ModelError { why } | Stop::BadLoop { why } => detailed("because", why),
    })
}

/// A word, and the beginning of what follows.
fn detailed(word: &str, detail: &str) -> String {
    let detail = one_line(detail.trim());
    if detail.is_empty() {
        return word.to_owned();
    }
    let mut shown: String = detail.chars().take(DETAIL).collect();
    if shown.len() < detail.len() {
        shown.push('…');
    }
    format!("{word}: {shown}")
}

const LISTED: &str = "listed";
const KNOWN: &str = "known";
const FITS: &str = "fits";
const STANDS: &str = "stands";
/// How much of a detail a row shows, in characters: the journal has all of it.
const DETAIL: usize = 60;
