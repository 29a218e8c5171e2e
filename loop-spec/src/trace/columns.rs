//! Rows as aligned columns.

use std::fmt;

use super::Row;
use crate::numbers::{duration, grouped};

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
