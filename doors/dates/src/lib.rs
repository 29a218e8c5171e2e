//! The door `dates`: arithmetic with days of the calendar.

#![allow(
    clippy::too_many_arguments,
    reason = "an option is two in the functions that are generated"
)]

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Unit};

wit_bindgen::generate!({ world: "dates" });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn today() -> String {
        Timestamp::now().to_zoned(TimeZone::UTC).date().to_string()
    }

    fn add(
        day: String,
        years: Option<i32>,
        months: Option<i32>,
        weeks: Option<i32>,
        days: Option<i32>,
    ) -> Result<String, String> {
        let date = date(&day)?;
        let far = || format!("expected a day from -9999 to 9999, found one beyond, from {day}");
        // Months first, then days, so that one may go forth and the other back.
        let months =
            i64::from(years.unwrap_or_default()) * 12 + i64::from(months.unwrap_or_default());
        let days = i64::from(weeks.unwrap_or_default()) * 7 + i64::from(days.unwrap_or_default());
        let months = Span::new()
            .try_months(months)
            .and_then(|span| date.checked_add(span));
        let later = months.and_then(|date| date.checked_add(Span::new().try_days(days)?));
        later.map(|date| date.to_string()).map_err(|_| far())
    }

    fn between(start: String, end: String) -> Result<i32, String> {
        let (start, end) = (date(&start)?, date(&end)?);
        let span = start.until((Unit::Day, end));
        span.map(|span| span.get_days())
            .map_err(|error| error.to_string())
    }

    fn weekday(day: String) -> Result<String, String> {
        Ok(date(&day)?.strftime("%A").to_string())
    }
}

fn date(text: &str) -> Result<Date, String> {
    text.parse()
        .map_err(|_| format!("expected a day such as 2026-12-31, found {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_month_stays_one() {
        let add = |months| Door::add("2026-01-31".to_owned(), None, Some(months), None, None);
        assert_eq!(add(1).as_deref(), Ok("2026-02-28"));
        assert_eq!(add(25).as_deref(), Ok("2028-02-29"));
        let both = Door::add("2026-03-01".to_owned(), Some(2), None, None, Some(-1));
        assert_eq!(both.as_deref(), Ok("2028-02-29"));
        assert!(add(i32::MAX).unwrap_err().contains("beyond"));
    }
}
