//! The check `settled`: whether the close of the fridge loop stands.
//!
//! It stands when something was counted, and everything that was counted below the threshold of the
//! prose was written on the shopping list. It has no imports: all it knows is what it is given.

use doors_sdk::{History, Top};
use exports::doorlist::close::close::Guest;
use prose::{Language, Stock};

wit_bindgen::generate!({ world: "check", path: "../../doors-sdk/wit/close" });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn stands(top: String, _line: String, history: String, _close: String) -> Result<(), String> {
        let prose = Top::read(&top).prose;
        stands(&prose, &Stock::of(&History::read(&history)))
    }
}

fn stands(prose: &str, stock: &Stock) -> Result<(), String> {
    let language = Language::of(prose);
    let Some(threshold) = prose::threshold(prose) else {
        return Err(no_threshold(language));
    };
    if stock.counts.is_empty() {
        return Err(nothing_counted(language));
    }
    let missing = stock
        .low(threshold)
        .filter(|(item, _)| !stock.has_written(item));
    match missing.map(|(item, _)| item.as_str()).collect::<Vec<_>>() {
        missing if missing.is_empty() => Ok(()),
        missing => Err(not_added(language, &missing)),
    }
}

fn no_threshold(language: Language) -> String {
    match language {
        Language::English => "the goal names no threshold as in `below 2`".to_owned(),
        Language::Chinese => "目标里没有写明“低于 2”这样的界限".to_owned(),
    }
}

fn nothing_counted(language: Language) -> String {
    match language {
        Language::English => "nothing was counted".to_owned(),
        Language::Chinese => "还没有数过任何东西".to_owned(),
    }
}

fn not_added(language: Language, missing: &[&str]) -> String {
    match language {
        Language::English => format!("nothing was added for {}", missing.join(", ")),
        Language::Chinese => format!("还没有把{}写进购物单", missing.join("、")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(top: &str, history: &str) -> Result<(), String> {
        Door::stands(
            top.to_owned(),
            String::new(),
            history.to_owned(),
            "Done.".to_owned(),
        )
    }

    fn top(prose: &str) -> String {
        format!("{prose}\n\nNames:\n- fridge.count(items: list<string>)\nPut back 8 times.")
    }

    const COUNTED: &str = "[1 loop.txt ab]\nfridge.count {}\n| [[\"milk\",1],[\"eggs\",4]]\n";
    const ADDED: &str =
        "[2 loop.txt ab]\nshopping.add {\"item\":\"milk\"}\n| milk is on the list\n";
    const FAILED: &str = "[2 loop.txt ab]\nshopping.add {\"item\":\"milk\"}\nerror: full\n";

    #[test]
    fn a16_a_close_after_the_writing_stands() {
        assert_eq!(
            judge(&top("Below that: below 2."), &format!("{COUNTED}{ADDED}")),
            Ok(())
        );
    }

    #[test]
    fn a17_a_close_without_the_writing_is_refused() {
        let refused = Err("nothing was added for milk".to_owned());
        assert_eq!(judge(&top("below 2"), COUNTED), refused);
        assert_eq!(
            judge(&top("below 2"), &format!("{COUNTED}{FAILED}")),
            refused
        );
    }

    #[test]
    fn a17_a_lower_threshold_needs_no_writing() {
        assert_eq!(judge(&top("below 1"), COUNTED), Ok(()));
    }

    #[test]
    fn a_close_before_the_counting_is_refused() {
        assert_eq!(
            judge(&top("below 2"), ""),
            Err("nothing was counted".to_owned())
        );
    }

    #[test]
    fn a_threshold_beside_the_prose_does_not_count() {
        let top = "No number.\n\nNames:\n- a.b(): What is below 9.";
        assert_eq!(
            judge(top, COUNTED),
            Err("the goal names no threshold as in `below 2`".into())
        );
    }

    #[test]
    fn chinese_prose_is_answered_in_chinese() {
        let counted = "[1 loop.txt ab]\nfridge.count {}\n| [[\"牛奶\",1]]\n";
        assert_eq!(
            judge(&top("低于 2 的"), counted),
            Err("还没有把牛奶写进购物单".to_owned())
        );
        assert_eq!(judge(&top("低于 1 的"), counted), Ok(()));
    }
}
