//! What Doorlist itself says on a page, in each language.

mod chinese;
mod english;

use serde_json::json;

use crate::clip::{Cut, cut};
use crate::frame::{RETURNED, framed, one_line};
use crate::lock::Unaccepted;
use crate::loop_machine::{Limit, Nod, Outcome, Refusal};
use crate::{CallId, clip};

/// A language of Doorlist's own sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, the default.
    #[default]
    En,
    /// Chinese.
    Zh,
}

/// The sentences that stand on a page. Every language has all of them, and each is one line.
pub(crate) trait Words {
    fn off_list(&self) -> &'static str;
    fn names(&self) -> &'static str;
    fn no_names(&self) -> &'static str;
    fn off_list_rule(&self) -> String;
    fn stops(&self, put_backs: u32, same_failure: u32) -> String;
    fn marks(&self) -> &'static str;
    fn line(&self) -> &'static str;
    fn said(&self) -> &'static str;
    fn summary(&self) -> &'static str;
    fn summed_up(&self) -> &'static str;
    fn sum_up(&self) -> &'static str;
    fn so_far(&self) -> &'static str;
    fn close(&self) -> &'static str;
    fn empty_answer(&self) -> &'static str;
    fn refused(&self, reason: &str) -> String;
    fn misfit(&self, what: &str) -> String;
    fn locked(&self, why: Unaccepted) -> &'static str;
    fn hook(&self, reason: &str) -> String;
    fn no_name(&self) -> &'static str;
    fn same_id(&self, id: &str) -> String;
    fn cut_short(&self) -> &'static str;
    fn broken_off(&self) -> &'static str;
    fn too_many(&self, named: u32, most: u32) -> String;
    fn not_reached(&self) -> &'static str;
    fn stopped(&self) -> &'static str;
    fn own_error(&self, text: &str) -> String;
    fn trap(&self, what: &str) -> String;
    fn limit(&self, limit: Limit, amount: u64) -> String;
    fn exit(&self, code: i64) -> String;
    fn unusable(&self, what: &str) -> String;
    fn unsayable(&self, what: &str) -> String;
    fn withheld(&self, why: &str) -> String;
    fn unknown(&self) -> &'static str;
    fn aborted(&self) -> &'static str;
    fn host_fault(&self, what: &str) -> String;
    fn denied(&self) -> &'static str;
    fn nod_expired(&self) -> &'static str;
    fn nod_withdrawn(&self) -> &'static str;
    fn nod_unanswered(&self) -> &'static str;
    fn waiting(&self, ask: &str) -> String;
    fn failed_before(&self, times: u32) -> String;
    fn no_fuel(&self, fuel: u64) -> String;
    fn cut(&self, bytes: usize) -> String;
    fn cut_and_kept(&self, bytes: usize, pointer: &str) -> String;
    fn not_needed_yet(&self, door: &str) -> String;
    fn number_not_on_page(&self, number: &str) -> String;
}

impl Language {
    /// The language of a code such as `en`.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::En),
            "zh" => Some(Self::Zh),
            _ => None,
        }
    }

    /// What a name that is not on the list is answered, letter for letter.
    #[must_use]
    pub fn off_list(self) -> &'static str {
        self.words().off_list()
    }

    /// What a call is answered that must be asked about first, where a client cannot wait: `ask` is
    /// what is typed behind `doorlist nod`.
    #[must_use]
    pub fn waiting(self, ask: &str) -> String {
        self.words().waiting(ask)
    }

    /// What a call is answered whose door has failed so often with the same arguments.
    #[must_use]
    pub fn failed_before(self, times: u32) -> String {
        self.words().failed_before(times)
    }

    /// What a call is answered when the fuel of its session is used up.
    #[must_use]
    pub fn no_fuel(self, fuel: u64) -> String {
        self.words().no_fuel(fuel)
    }

    /// What a call is answered that a person was asked about, where they gave no nod.
    #[must_use]
    pub fn no_nod(self, nod: Nod) -> Option<&'static str> {
        let words = self.words();
        match nod {
            Nod::Given => None,
            Nod::Denied => Some(words.denied()),
            Nod::Expired => Some(words.nod_expired()),
            Nod::Withdrawn => Some(words.nod_withdrawn()),
            Nod::Unanswered => Some(words.nod_unanswered()),
        }
    }

    pub(crate) fn words(self) -> &'static dyn Words {
        match self {
            Self::En => &english::English,
            Self::Zh => &chinese::Chinese,
        }
    }

    /// The one line that a refused name is answered with.
    #[must_use]
    pub fn refusal(self, refusal: &Refusal) -> String {
        let words = self.words();
        match refusal {
            Refusal::OffList => words.off_list().to_owned(),
            Refusal::Misfit { what, .. } => words.misfit(&one_line(what)),
            Refusal::Locked { why, .. } => words.locked(*why).to_owned(),
            Refusal::Hook { reason, .. } => words.hook(&one_line(reason)),
            Refusal::NoName => words.no_name().to_owned(),
            Refusal::SameId { id } => words.same_id(&one_line(&clip(id, ID_SHOWN))),
            Refusal::CutShort => words.cut_short().to_owned(),
            Refusal::BrokenOff => words.broken_off().to_owned(),
            Refusal::TooMany { named, most } => words.too_many(*named, *most),
            Refusal::Aborted => words.not_reached().to_owned(),
            Refusal::Stopped => words.stopped().to_owned(),
        }
    }

    /// Cuts what a door returned to about `most` bytes; `kept` where the rest can be read with
    /// `history.fetch`, so that it says how.
    pub fn cut_result(self, outcome: &mut Outcome, call: CallId, most: usize, kept: bool) {
        if let Outcome::Said { text } | Outcome::OwnError { text } = outcome
            && let Some(cut) = cut(text, most)
        {
            *text = cut.marked(&self.cut(&cut, call, kept));
        }
    }

    fn cut(self, cut: &Cut<'_>, call: CallId, kept: bool) -> String {
        let (bytes, from) = (cut.missing.len(), cut.missing.start);
        if !kept {
            return self.words().cut(bytes);
        }
        let arguments = json!({ "call": call.to_string(), "from-byte": from });
        let pointer = format!("{HISTORY_FETCH} {arguments}");
        self.words().cut_and_kept(bytes, &pointer)
    }

    /// The one line, or the framed lines, that an outcome is on a page.
    pub(crate) fn outcome(self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Said { text } => framed(text, RETURNED),
            outcome => self.observation(outcome) + "\n",
        }
    }

    /// An outcome without a frame: what the door returned as it is, else one line of Doorlist's own.
    #[must_use]
    pub fn observation(self, outcome: &Outcome) -> String {
        let words = self.words();
        match outcome {
            Outcome::Said { text } => text.clone(),
            Outcome::OwnError { text } => words.own_error(&one_line(text)),
            Outcome::Trap { what } => words.trap(&one_line(what)),
            Outcome::Limit { limit, amount } => words.limit(*limit, *amount),
            Outcome::Exit { code } => words.exit(*code),
            Outcome::Unusable { what } => words.unusable(&one_line(what)),
            Outcome::Unsayable { what } => words.unsayable(&one_line(what)),
            Outcome::Withheld { why } => words.withheld(&one_line(why)),
            Outcome::Unknown => words.unknown().to_owned(),
            Outcome::Aborted => words.aborted().to_owned(),
            Outcome::HostFault { what } => words.host_fault(&one_line(what)),
        }
    }
}

/// The door that reads what was returned.
pub const HISTORY_FETCH: &str = "history.fetch";
/// Bytes of a provider's id that are pasted: none has ids as long.
const ID_SHOWN: usize = 64;
