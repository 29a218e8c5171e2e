//! Rows as aligned columns.

use std::fmt;

use super::Row;
use crate::numbers::grouped;

/// Writes the rows below a heading. The outcome is last: it is of any length and of any width.
pub(super) fn write(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    let cells: Vec<[String; 4]> = rows.iter().map(cells).collect();
    let width = |column: usize| {
        let widths = cells.iter().map(|cells| cells[column].chars().count());
        widths
            .chain([HEADING[column].len()])
            .max()
            .unwrap_or_default()
    };
    let [step, node, duration, fuel] = [0, 1, 2, 3].map(width);
    let heading = HEADING.map(str::to_owned);
    let outcomes = std::iter::once("outcome").chain(rows.iter().map(|row| row.outcome.as_str()));
    for ([a, b, c, d], outcome) in std::iter::once(&heading).chain(&cells).zip(outcomes) {
        writeln!(
            f,
            "{a:>step$}  {b:<node$}  {c:>duration$}  {d:>fuel$}  {outcome}"
        )?;
    }
    Ok(())
}

/// A duration with its unit.
pub(super) fn duration(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        // Dividing a count of microseconds loses only digits that are not shown.
        1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.2} s", micros as f64 / 1e6),
    }
}

fn cells(row: &Row) -> [String; 4] {
    let fuel = if row.fuel == 0 {
        NONE.to_owned()
    } else {
        grouped(row.fuel)
    };
    let duration = row.duration.map_or_else(|| NONE.to_owned(), duration);
    [row.step.to_string(), row.node.to_string(), duration, fuel]
}

const HEADING: [&str; 4] = ["step", "node", "duration", "fuel"];
const NONE: &str = "-";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_the_unit_in_which_it_is_short() {
        assert_eq!(duration(999), "999 µs");
        assert_eq!(duration(1_250), "1.2 ms");
        assert_eq!(duration(90_061_000), "90.06 s");
    }
}
