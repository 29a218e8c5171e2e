//! The lines of `fridge.txt`.

use std::collections::BTreeMap;

/// What is in the fridge, keyed by the name of the item in lower case.
pub(crate) struct Contents {
    counts: BTreeMap<String, u32>,
}

impl Contents {
    /// Reads the lines of the file. The error names the line, and what was expected there.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut counts = BTreeMap::new();
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (item, count) = item_and_count(line).ok_or_else(|| {
                format!(
                    "line {number}: expected an item and a count as in `milk 1`, found `{line}`"
                )
            })?;
            if counts.insert(item.to_lowercase(), count).is_some() {
                return Err(format!(
                    "line {number}: `{item}` is on a line above already"
                ));
            }
        }
        Ok(Self { counts })
    }

    /// How many there are of one item. None are there of an item without a line.
    pub(crate) fn count(&self, item: &str) -> u32 {
        self.counts
            .get(&item.trim().to_lowercase())
            .copied()
            .unwrap_or(0)
    }
}

/// An item may be of several words: the count is the last one.
fn item_and_count(line: &str) -> Option<(&str, u32)> {
    let (item, count) = line.rsplit_once(char::is_whitespace)?;
    Some((item.trim_end(), count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_blank_lines_are_passed_over() {
        let contents = Contents::read("# Monday\n\n  milk 1\n").unwrap();
        assert_eq!(contents.count("milk"), 1);
    }

    #[test]
    fn an_item_may_have_several_words_and_any_case() {
        let contents = Contents::read("Oat milk\t2\r\n牛奶 3\n").unwrap();
        assert_eq!(contents.count(" oat MILK"), 2);
        assert_eq!(contents.count("牛奶"), 3);
    }

    #[test]
    fn a_count_that_is_no_whole_number_is_an_error() {
        for line in [
            "milk",
            "milk some",
            "milk -1",
            "milk 1.5",
            "milk 4294967296",
        ] {
            let error = Contents::read(&format!("eggs 4\n{line}")).err().unwrap();
            let expected = "line 2: expected an item and a count as in `milk 1`, found ";
            assert_eq!(error, format!("{expected}`{line}`"));
        }
    }

    #[test]
    fn an_item_on_two_lines_is_an_error() {
        let error = Contents::read("milk 1\neggs 4\nMilk 2").err().unwrap();
        assert_eq!(error, "line 3: `Milk` is on a line above already");
    }
}
