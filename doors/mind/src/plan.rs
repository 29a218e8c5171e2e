//! What to hand over, by what the page says.

use crate::exports::doorlist::model::decide::{Answer, Call, Names};
use crate::words::Words;
use doors_sdk::{Outcome, Page};
use prose::{ADD, COUNT, Language, Stock};

/// The goal of the prose against what happened so far.
pub(crate) struct Plan<'a> {
    page: &'a Page,
    items: Vec<String>,
    threshold: u32,
    stock: Stock,
    words: Words,
}

impl<'a> Plan<'a> {
    /// Reads goal and state. An error when the prose has no goal that is understood.
    pub(crate) fn of(page: &'a Page) -> Result<Self, String> {
        let prose = &page.top.prose;
        let words = Words(Language::of(prose));
        let items = prose::items(prose);
        if items.is_empty() {
            return Err(words.no_items());
        }
        let threshold = prose::threshold(prose).ok_or_else(|| words.no_threshold())?;
        Ok(Self {
            page,
            items,
            threshold,
            stock: Stock::of(&page.history),
            words,
        })
    }

    /// What to hand over now: the counting, then the writing, then the close.
    pub(crate) fn next(&self) -> Result<Answer, String> {
        let count = call(COUNT, prose::items_arguments(&self.items));
        if self
            .items
            .iter()
            .any(|item| self.stock.count_of(item).is_none())
        {
            return match self.hopeless(&count) {
                None => Ok(names(vec![count])),
                Some(reason) => self.close(self.words.nothing_counted(&reason)),
            };
        }
        let open: Vec<Call> = self
            .unwritten()
            .filter(|add| self.hopeless(add).is_none())
            .collect();
        match open.is_empty() {
            false => Ok(names(open)),
            true => self.close(self.summary()),
        }
    }

    fn unwritten(&self) -> impl Iterator<Item = Call> {
        self.low()
            .filter(|item| !self.stock.has_written(item))
            .map(add)
    }

    /// The watched items that are low, in the order of the prose.
    fn low(&self) -> impl Iterator<Item = &str> {
        let low = |item: &str| {
            self.stock
                .count_of(item)
                .is_some_and(|count| count < self.threshold)
        };
        self.items
            .iter()
            .map(String::as_str)
            .filter(move |item| low(item))
    }

    /// Why a call need not be handed over again.
    fn hopeless(&self, call: &Call) -> Option<String> {
        if !self.page.top.lists(&call.name) {
            return Some(self.words.not_listed(&call.name));
        }
        let same = self.page.history.calls_of(&call.name);
        let tries: Vec<_> = same
            .filter(|tried| tried.arguments == call.arguments)
            .collect();
        match &tries.get(TRIES - 1..)?.last()?.outcome {
            Outcome::Failed(said) | Outcome::Returned(said) => Some(said.clone()),
            Outcome::Waiting => None,
        }
    }

    /// Closing again with a text that was refused would go on for ever.
    fn close(&self, text: String) -> Result<Answer, String> {
        let closes = self
            .page
            .history
            .rounds
            .iter()
            .filter_map(|round| round.close.as_ref());
        match closes
            .filter(|close| close.text == text)
            .find_map(|close| close.refused.as_ref())
        {
            None => Ok(Answer::Close(text)),
            Some(refused) => Err(self.words.stuck(refused)),
        }
    }

    fn summary(&self) -> String {
        let counted = self
            .items
            .iter()
            .filter_map(|item| Some((item, self.stock.count_of(item)?)));
        let written: Vec<&str> = self
            .low()
            .filter(|item| self.stock.has_written(item))
            .collect();
        let failed: Vec<String> = self
            .unwritten()
            .filter_map(|add| self.hopeless(&add))
            .collect();
        self.words.summary(
            &counted.collect::<Vec<_>>(),
            self.threshold,
            &written,
            &failed,
        )
    }
}

fn names(calls: Vec<Call>) -> Answer {
    Answer::Names(Names {
        calls,
        remark: None,
    })
}

fn add(item: &str) -> Call {
    call(ADD, prose::item_arguments(item))
}

fn call(name: &str, arguments: String) -> Call {
    Call {
        name: name.to_owned(),
        arguments,
    }
}

/// How often the same name is handed over with the same arguments.
const TRIES: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    const GOAL: &str = "There should always be milk and eggs. What is below 2 is written.";
    const LIST: &str = "- fridge.count(items: list<string>)\n- shopping.add(item: string)";
    const ROUND: &str = "[1 loop.txt ab]\n";
    const COUNT_LINE: &str = "fridge.count {\"items\":[\"milk\",\"eggs\"]}\n";
    const ADD_LINE: &str = "shopping.add {\"item\":\"milk\"}\n";
    const COUNTED: &str = "| [[\"milk\",1],[\"eggs\",4]]\n";

    fn decide_by(goal: &str, list: &str, happened: &[&str]) -> Result<Answer, String> {
        let history = happened.concat();
        let text = format!("{goal}\n\nNames:\n{list}\n\nLine:\n| What?\n\nSo far:\n{history}");
        Plan::of(&Page::read(&text).unwrap())?.next()
    }

    fn decide(goal: &str, happened: &[&str]) -> String {
        match decide_by(goal, LIST, happened) {
            Ok(Answer::Close(text)) => format!("close: {text}"),
            Ok(Answer::Names(names)) => {
                let calls = names
                    .calls
                    .iter()
                    .map(|call| format!("{} {}", call.name, call.arguments));
                calls.collect::<Vec<_>>().join("; ")
            }
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn a16_counts_then_writes_then_closes() {
        let counted = [ROUND, COUNT_LINE, COUNTED];
        assert_eq!(decide(GOAL, &[]), COUNT_LINE.trim_end());
        assert_eq!(decide(GOAL, &counted), ADD_LINE.trim_end());
        assert_eq!(
            decide(
                GOAL,
                &[&counted[..], &[ROUND, ADD_LINE, "| milk is on the list\n"]].concat()
            ),
            "close: Counted milk 1, eggs 4. Below 2: milk, now on the shopping list."
        );
    }

    #[test]
    fn a17_the_threshold_is_that_of_the_page() {
        assert_eq!(
            decide(
                &GOAL.replace("below 2", "below 1"),
                &[ROUND, COUNT_LINE, COUNTED]
            ),
            "close: Counted milk 1, eggs 4. Nothing is below 1, so nothing was written."
        );
        assert_eq!(
            decide(
                &GOAL.replace("below 2", "below 5"),
                &[ROUND, COUNT_LINE, COUNTED]
            ),
            "shopping.add {\"item\":\"milk\"}; shopping.add {\"item\":\"eggs\"}"
        );
    }

    #[test]
    fn a_failing_count_is_tried_twice_and_then_said() {
        let failed = [ROUND, COUNT_LINE, "error: no such file\n"];
        assert_eq!(decide(GOAL, &failed), COUNT_LINE.trim_end());
        assert_eq!(
            decide(GOAL, &[failed, failed].concat()),
            "close: Nothing could be counted (error: no such file)."
        );
    }

    #[test]
    fn a_failing_writing_is_tried_twice_and_then_said() {
        let counted = [ROUND, COUNT_LINE, COUNTED];
        let failed = [ROUND, ADD_LINE, "error: full\n"];
        assert_eq!(
            decide(GOAL, &[counted, failed].concat()),
            ADD_LINE.trim_end()
        );
        assert_eq!(
            decide(GOAL, &[counted, failed, failed].concat()),
            "close: Counted milk 1, eggs 4. Not everything could be written (error: full)."
        );
    }

    #[test]
    fn a_count_that_lacks_an_item_is_tried_twice() {
        let half = [ROUND, COUNT_LINE, "| [[\"milk\",1]]\n"];
        assert_eq!(decide(GOAL, &half), COUNT_LINE.trim_end());
        assert!(
            decide(GOAL, &[half, half].concat()).starts_with("close: Nothing could be counted")
        );
    }

    #[test]
    fn a_name_that_is_not_listed_is_not_handed_over() {
        let close = decide_by(
            GOAL,
            "- fridge.count(items: list<string>)",
            &[ROUND, COUNT_LINE, COUNTED],
        );
        let Ok(Answer::Close(text)) = close else {
            panic!("expected a close")
        };
        assert!(
            text.ends_with("(shopping.add is not on the list)."),
            "{text}"
        );
    }

    #[test]
    fn a_refused_close_is_not_handed_over_again() {
        let failed = [ROUND, COUNT_LINE, "error: no such file\n"];
        let close =
            "close\n~ Nothing could be counted (error: no such file).\nrefused: not counted\n";
        assert_eq!(
            decide(GOAL, &[&failed[..], &failed, &[ROUND, close]].concat()),
            "error: the close was refused (refused: not counted), and nothing else is left to do"
        );
    }

    #[test]
    fn chinese_prose_is_read_and_answered_in_chinese() {
        let goal = "冰箱里要常备牛奶和鸡蛋。低于 2 的写进购物单。";
        let count = "fridge.count {\"items\":[\"牛奶\",\"鸡蛋\"]}\n";
        let add = "shopping.add {\"item\":\"牛奶\"}\n";
        let counted = [ROUND, count, "| [[\"牛奶\",1],[\"鸡蛋\",4]]\n"];
        assert_eq!(decide(goal, &[]), count.trim_end());
        assert_eq!(decide(goal, &counted), add.trim_end());
        assert_eq!(
            decide(goal, &[&counted[..], &[ROUND, add, "| ok\n"]].concat()),
            "close: 数过了：牛奶 1、鸡蛋 4。低于 2 的牛奶已写进购物单。"
        );
    }

    #[test]
    fn a_prose_without_a_goal_is_an_error() {
        assert!(decide("Look around. Below 2.", &[]).starts_with("error: the goal names no items"));
        assert!(decide("Always be milk.", &[]).starts_with("error: "));
        assert!(decide("always be milk.", &[]).starts_with("error: the goal names no threshold"));
    }
}
