//! What a history shows of the fridge and of the shopping list.

use doors_sdk::{Call, History, Outcome};
use serde::Deserialize;

/// What was counted and what was written.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stock {
    /// Each item with its newest count, in the order counted first.
    pub counts: Vec<(String, u32)>,
    /// The items whose writing went well.
    pub written: Vec<String>,
}

impl Stock {
    /// Folds the calls that went well. A call whose text does not fit is passed over: it counts
    /// nothing and writes nothing.
    pub fn of(history: &History) -> Self {
        let mut stock = Self::default();
        for call in history.calls() {
            let Outcome::Returned(returned) = &call.outcome else {
                continue;
            };
            match call.name.as_str() {
                COUNT => stock.count(returned),
                ADD => stock.written.extend(item(call)),
                _ => {}
            }
        }
        stock
    }

    /// The items below a threshold, with their counts.
    pub fn low(&self, threshold: u32) -> impl Iterator<Item = &(String, u32)> {
        self.counts
            .iter()
            .filter(move |(_, count)| *count < threshold)
    }

    /// The newest count of an item, if it was counted.
    pub fn count_of(&self, item: &str) -> Option<u32> {
        self.counts
            .iter()
            .find(|(there, _)| there == item)
            .map(|(_, count)| *count)
    }

    /// Whether an item was written on the list.
    pub fn has_written(&self, item: &str) -> bool {
        self.written.iter().any(|written| written == item)
    }

    fn count(&mut self, returned: &str) {
        let counts: Vec<(String, u32)> = serde_json::from_str(returned).unwrap_or_default();
        for (item, count) in counts {
            match self.counts.iter_mut().find(|(there, _)| *there == item) {
                Some(there) => there.1 = count,
                None => self.counts.push((item, count)),
            }
        }
    }
}

/// The arguments of `shopping.add` as text.
pub fn item_arguments(item: &str) -> String {
    format!("{{\"item\":{}}}", serde_json::Value::from(item))
}

/// The arguments of `fridge.count` as text.
pub fn items_arguments(items: &[String]) -> String {
    format!("{{\"items\":{}}}", serde_json::Value::from(items))
}

fn item(call: &Call) -> Option<String> {
    #[derive(Deserialize)]
    struct Arguments {
        item: String,
    }
    serde_json::from_str(&call.arguments)
        .ok()
        .map(|Arguments { item }| item)
}

/// The door that counts.
pub const COUNT: &str = "fridge.count";
/// The door that writes.
pub const ADD: &str = "shopping.add";

#[cfg(test)]
mod tests {
    use super::*;

    fn stock(history: &str) -> Stock {
        Stock::of(&History::read(history))
    }

    #[test]
    fn the_newest_count_of_an_item_holds() {
        let stock = stock(
            "[1 loop.txt ab]\nfridge.count {}\n| [[\"eggs\",4],[\"milk\",1]]\n\
             [2 loop.txt ab]\nfridge.count {}\n| [[\"milk\",3]]\n",
        );
        assert_eq!(
            stock.counts,
            [("eggs".to_owned(), 4), ("milk".to_owned(), 3)]
        );
        assert_eq!(
            stock.low(4).map(|(item, _)| item).collect::<Vec<_>>(),
            ["milk"]
        );
    }

    #[test]
    fn only_what_went_well_counts() {
        let stock = stock(
            "[1 loop.txt ab]\nfridge.count {}\nerror: no file\nshopping.add {\"item\":\"eggs\"}\n\
             error: no file\nshopping.add {\"item\":\"milk\"}\n| milk is on the list\n",
        );
        assert!(stock.counts.is_empty());
        assert!(stock.has_written("milk"));
        assert!(!stock.has_written("eggs"));
    }

    #[test]
    fn arguments_are_json() {
        assert_eq!(item_arguments("a \"b\""), r#"{"item":"a \"b\""}"#);
        assert_eq!(
            items_arguments(&["a".into(), "b".into()]),
            r#"{"items":["a","b"]}"#
        );
    }
}
