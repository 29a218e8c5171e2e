//! A whole journal, read from its bytes.

use super::{Chain, Damage};
use crate::Record;

/// What the bytes of a journal say.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The records, from sequence 0.
    pub records: Vec<Record>,
    /// Where the journal goes on.
    pub chain: Chain,
    /// How many bytes the records take; what follows is the torn tail.
    pub length: u64,
    /// What an interrupted append left at the end, if anything.
    pub torn: Option<TornTail>,
}

/// The rest of an append that was interrupted: it was never acknowledged and does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TornTail {
    /// The line where it begins, from 1.
    pub line: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

impl Reading {
    /// Reads the journal of the run with the id `run`.
    ///
    /// Lines end with `\n`. What stands behind the last `\n`, and lines whose batch is not
    /// complete, are a torn tail: not damage, and not part of the journal.
    ///
    /// # Errors
    /// The first line that does not follow from those before it.
    pub fn of(run: &str, bytes: &[u8]) -> Result<Self, Damage> {
        let mut reading = Self {
            records: Vec::new(),
            chain: Chain::start(run),
            length: 0,
            torn: None,
        };
        let (mut chain, mut rest, mut batch) = (reading.chain.clone(), bytes, Vec::new());
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            batch.push(chain.read(&rest[..end])?);
            rest = &rest[end + 1..];
            if chain.is_whole() {
                reading.records.append(&mut batch);
                reading.chain = chain.clone();
                reading.length = (bytes.len() - rest.len()) as u64;
            }
        }
        let left = bytes.len() as u64 - reading.length;
        reading.torn = (left > 0).then(|| TornTail {
            line: reading.chain.line(),
            bytes: left,
        });
        Ok(reading)
    }
}

impl std::fmt::Display for TornTail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "line {}: the last append was interrupted; its {} bytes do not count and are cut off \
             by the next append",
            self.line, self.bytes
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Payload, Stamped};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn stamped(kind: &str, payload: Value) -> Stamped {
        let (kind, payload) = (kind.to_owned(), Payload::of(&payload).unwrap());
        let entry = Entry { kind, payload };
        Stamped { time: 7, entry }
    }

    /// Three appends: one record, a batch of two, one record.
    fn journal(run: &str) -> Vec<u8> {
        let mut chain = Chain::start(run);
        let mut text = Vec::new();
        for batch in [
            &[stamped("started", json!({"line": "é\n{\"v\":1}"}))][..],
            &[
                stamped("put_back", json!({})),
                stamped("opened", json!({"fuel": u64::MAX})),
            ],
            &[stamped("closed", json!(null))],
        ] {
            chain.write(batch, &mut text).unwrap();
        }
        text
    }

    fn lines(text: &[u8]) -> Vec<Vec<u8>> {
        text.split_inclusive(|b| *b == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    }

    fn damaged_line(lines: &[Vec<u8>]) -> u64 {
        Reading::of("r1", &lines.concat()).unwrap_err().line()
    }

    #[test]
    fn what_was_written_is_read() {
        let text = journal("r1");
        let reading = Reading::of("r1", &text).unwrap();
        let kinds: Vec<_> = reading
            .records
            .iter()
            .map(|r| r.entry.kind.as_str())
            .collect();
        assert_eq!(kinds, ["started", "put_back", "opened", "closed"]);
        assert_eq!(
            reading.records[2].entry.payload.value(),
            json!({"fuel": u64::MAX})
        );
        assert_eq!(
            (reading.chain.next(), reading.length),
            (4, text.len() as u64)
        );
        assert_eq!(reading.torn, None);
        assert!(text.ends_with(&reading.chain.ending()));
    }

    #[test]
    fn an_empty_journal_has_no_records_and_no_torn_tail() {
        let reading = Reading::of("r1", b"").unwrap();
        assert_eq!((reading.records.len(), reading.torn), (0, None));
    }

    #[test]
    fn a_flip_of_any_bit_is_found_or_is_the_torn_tail() {
        let text = journal("r1");
        let whole = Reading::of("r1", &text).unwrap().records;
        for at in 0..text.len() {
            let line = text[..at].iter().filter(|b| **b == b'\n').count() as u64 + 1;
            for bit in 0..8 {
                let mut flipped = text.clone();
                flipped[at] ^= 1 << bit;
                match Reading::of("r1", &flipped) {
                    Err(damage) => assert_eq!(damage.line(), line, "byte {at}, bit {bit}"),
                    Ok(reading) => {
                        assert_eq!(at, text.len() - 1, "only the last newline, bit {bit}");
                        assert_eq!(reading.records, whole[..3]);
                        assert_eq!(reading.torn.unwrap().line, 4);
                    }
                }
            }
        }
    }

    #[test]
    fn a_cut_at_any_byte_leaves_whole_appends() {
        let text = journal("r1");
        let ends: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b'\n').collect();
        for cut in 0..=text.len() {
            let reading = Reading::of("r1", &text[..cut]).unwrap();
            let lines = ends.iter().filter(|end| **end < cut).count();
            let kept = if lines == 2 { 1 } else { lines };
            assert_eq!(reading.records.len(), kept, "cut at {cut}");
            let start = if kept == 0 { 0 } else { ends[kept - 1] + 1 };
            assert_eq!(reading.length as usize, start);
            assert_eq!(
                reading.torn.map_or(0, |torn| torn.bytes as usize),
                cut - start
            );
        }
    }

    #[test]
    fn lines_put_in_taken_out_doubled_and_swapped_are_found() {
        let whole = lines(&journal("r1"));
        let mut forged = whole.clone();
        forged.insert(1, whole[3].clone());
        assert_eq!(damaged_line(&forged), 2, "put in");
        let mut short = whole.clone();
        short.remove(1);
        assert_eq!(damaged_line(&short), 2, "taken out");
        let mut doubled = whole.clone();
        doubled.insert(3, whole[2].clone());
        assert_eq!(damaged_line(&doubled), 4, "doubled");
        let mut swapped = whole.clone();
        swapped.swap(1, 2);
        assert_eq!(damaged_line(&swapped), 2, "swapped");
        let mut blank = whole;
        blank.insert(2, b"\n".to_vec());
        assert_eq!(damaged_line(&blank), 3, "blank");
    }

    #[test]
    fn a_journal_under_another_runs_name_is_found_at_its_first_line() {
        let damage = Reading::of("r2", &journal("r1")).unwrap_err();
        assert!(
            matches!(damage, Damage::Checksum { line: 1, .. }),
            "{damage}"
        );
    }

    #[test]
    fn a_later_version_is_named_with_ours() {
        let mut text = lines(&journal("r1"));
        text[1] = b"{\"v\":12,\"event\":[]}\n".to_vec();
        let damage = Reading::of("r1", &text.concat()).unwrap_err();
        let (line, found, known) = (2, 12, 1);
        assert_eq!(damage, Damage::Version { line, found, known });
        assert!(damage.to_string().contains("version 12"), "{damage}");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_escaped() {
        let damage = Reading::of("r1", b"\xff\xfe\x1b[2J\n")
            .unwrap_err()
            .to_string();
        assert!(damage.contains(r"found `\xff\xfe\x1b[2J`"), "{damage}");
    }

    #[test]
    fn an_entry_too_deep_to_read_back_is_not_written() {
        let nested = |levels| (0..levels).fold(json!(null), |inner, _| json!([inner]));
        let (mut chain, mut text) = (Chain::start("r1"), Vec::new());
        let batch = [stamped("fine", json!({})), stamped("opened", nested(127))];
        let error = chain.write(&batch, &mut text).unwrap_err();
        assert_eq!((error.kind.as_str(), text.len()), ("opened", 0));
        assert_eq!(chain, Chain::start("r1"));

        chain
            .write(&[stamped("opened", nested(126))], &mut text)
            .unwrap();
        let records = Reading::of("r1", &text).unwrap().records;
        assert_eq!(records[0].entry.payload.value(), nested(126));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_payload_comes_back_and_takes_one_line(payload in any_json(), kind in any::<String>()) {
            let mut text = Vec::new();
            let batch = [stamped(&kind, payload)];
            Chain::start("r1").write(&batch, &mut text).unwrap();
            prop_assert_eq!(text.iter().filter(|b| **b == b'\n').count(), 1);
            let records = Reading::of("r1", &text).unwrap().records;
            prop_assert_eq!(&records[0].entry, &batch[0].entry);
        }
    }
}
