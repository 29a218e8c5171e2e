//! What the fridge loop's prose says, and what its history shows: read in one place by the model
//! `mind` and by the check `settled`.
//!
//! The prose is plain, and three of its turns are understood, in English and in Chinese:
//!
//! | | English | Chinese |
//! |---|---|---|
//! | the items | there should always be **milk and eggs**. | 冰箱里要常备**牛奶和鸡蛋**。 |
//! | the threshold | whatever is below **2** | 低于 **2** 的 |

mod stock;

pub use stock::{ADD, COUNT, Stock, item_arguments, items_arguments};

/// The two languages of the fridge loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// The language of a prose: Chinese when it names its items or its threshold in Chinese.
    pub fn of(prose: &str) -> Self {
        let chinese = [CHINESE_ITEMS, CHINESE_THRESHOLD]
            .iter()
            .any(|turn| prose.contains(turn));
        if chinese {
            Self::Chinese
        } else {
            Self::English
        }
    }
}

/// The number under which an item is low: what stands behind `below` or `低于`.
pub fn threshold(prose: &str) -> Option<u32> {
    let behind = |turn: &str| {
        prose.match_indices(turn).find_map(|(at, _)| {
            let rest = prose[at + turn.len()..].trim_start();
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..digits].parse().ok()
        })
    };
    behind(CHINESE_THRESHOLD).or_else(|| behind(ENGLISH_THRESHOLD))
}

/// The items to watch over, in the order of the prose: what stands between `always be` and the end
/// of its sentence.
pub fn items(prose: &str) -> Vec<String> {
    let sentence = |turn: &str| {
        let (_, rest) = prose.split_once(turn)?;
        rest.split(['.', '。', ';', '；', ':', '：']).next()
    };
    let listed = sentence(CHINESE_ITEMS)
        .or_else(|| sentence(ENGLISH_ITEMS))
        .unwrap_or_default();
    let listed = listed.replace(" and ", ",").replace('和', ",");
    let names = listed
        .split([',', '，', '、'])
        .map(|item| item.split_whitespace());
    names
        .map(|words| words.collect::<Vec<_>>().join(" "))
        .filter(|item| !item.is_empty())
        .collect()
}

const ENGLISH_ITEMS: &str = "always be ";
const CHINESE_ITEMS: &str = "常备";
const ENGLISH_THRESHOLD: &str = "below ";
const CHINESE_THRESHOLD: &str = "低于";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_in_both_languages() {
        assert_eq!(
            items("In it there should always be milk and eggs. More."),
            ["milk", "eggs"]
        );
        assert_eq!(
            items("always be oat milk,\neggs, and butter"),
            ["oat milk", "eggs", "butter"]
        );
        assert_eq!(
            items("冰箱里要常备牛奶、黄油和鸡蛋。"),
            ["牛奶", "黄油", "鸡蛋"]
        );
        assert!(items("Look after the fridge.").is_empty());
    }

    #[test]
    fn the_threshold_is_found_in_both_languages() {
        assert_eq!(threshold("whatever is below 2 goes"), Some(2));
        assert_eq!(threshold("the shelf below that; below 12."), Some(12));
        assert_eq!(threshold("凡是低于 3 的"), Some(3));
        assert_eq!(threshold("低于3的"), Some(3));
        assert_eq!(threshold("below two"), None);
    }

    #[test]
    fn the_language_is_that_of_the_turns() {
        assert_eq!(Language::of("always be milk"), Language::English);
        assert_eq!(Language::of("常备牛奶。"), Language::Chinese);
    }
}
