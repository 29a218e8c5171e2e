//! The numbers that stand in a text, in a form in which equal numbers are equal; and numbers as people
//! read them.

/// Every number in `text`: as it is written, and in canonical form.
///
/// A number is a run of digits with an optional fraction and sign that touches no letter: the `2` of
/// `B2` or of a digest is none. `1,000` is 1000; `1.50` is 1.5; `007` is 7.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = (&str, String)> {
    words(text).filter_map(|word| Some((word, canonical(word)?)))
}

/// `number` with its thousands apart, as people read it: `2,000,000,000`.
#[must_use]
pub fn grouped(number: u64) -> String {
    apart(number, ',')
}

/// `number` with its thousands apart, as TOML takes it: `2_000_000_000`.
pub(crate) fn grouped_for_toml(number: u64) -> String {
    apart(number, '_')
}

/// `1 put-back`, `2 put-backs`.
#[must_use]
pub fn counted(count: u32, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// A duration in microseconds, with the unit in which it is short.
#[must_use]
pub fn duration(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        // Dividing a count of microseconds loses only digits that are not shown.
        1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.2} s", micros as f64 / 1e6),
    }
}

fn apart(number: u64, mark: char) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(mark);
        }
        out.push(digit);
    }
    out
}

/// Runs of characters that a number could be made of, without the full stops of sentences.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let part =
        |c: char| c.is_alphanumeric() && !is_ideograph(c) || matches!(c, '.' | ',' | '-' | '_');
    text.split(move |c| !part(c))
        .map(|word| word.trim_matches(['.', ',', '_']))
}

/// Scripts without spaces: a number between two of these stands by itself.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn canonical(word: &str) -> Option<String> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", word),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = without_groups(whole)?;
    let only_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !only_digits(&whole) || whole.is_empty() || !only_digits(fraction) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.trim_end_matches('0');
    let sign = if whole == "0" && fraction.is_empty() {
        ""
    } else {
        sign
    };
    Some(match fraction {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    })
}

/// `1,234,567` is one number, `1,2` is none.
fn without_groups(whole: &str) -> Option<String> {
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let rest: Vec<_> = groups.collect();
    let grouped = first.len() <= 3 && rest.iter().all(|group| group.len() == 3);
    (rest.is_empty() || grouped).then(|| whole.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        numbers(text).map(|(_, number)| number).collect()
    }

    #[test]
    fn equal_numbers_are_equal_however_they_are_written() {
        assert_eq!(
            all("1 01 1.0 1.00 1,000 1000 -0 -2.50"),
            ["1", "1", "1", "1", "1000", "1000", "0", "-2.5"]
        );
    }

    #[test]
    fn a_number_stands_by_itself() {
        assert_eq!(
            all("Milk: 1. Eggs (4), B2, 5f1c, 2nd, 牛奶3盒 [[\"a\",7],[\"b\",8]]"),
            ["1", "4", "3", "7", "8"]
        );
        assert_eq!(all("1.2.3 1,2 - -"), [""; 0]);
    }
    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped_for_toml(2_000_000_000), "2_000_000_000");
    }

    #[test]
    fn a_duration_has_the_unit_in_which_it_is_short() {
        assert_eq!(duration(999), "999 µs");
        assert_eq!(duration(1_250), "1.2 ms");
        assert_eq!(duration(61_000_000), "61.00 s");
    }
}
