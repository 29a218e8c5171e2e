//! Doors whose openings are counted outside of Doorlist.

use std::fs;

use crate::laid::Laid;

/// A loop that lists `tally.add` and `tally.hold`, which may write into `data/` and so are not pure,
/// and `hand.say`, which is. `policy` has more lines.
pub(crate) fn tally(header: &str, policy: &str) -> Laid {
    let grant = "dirs = [{ host = \"data\", guest = \"/data\", write = true }]";
    let policy =
        format!("{policy}\n[door.\"tally.add\"]\n{grant}\n[door.\"tally.hold\"]\n{grant}\n");
    let laid = Laid::by_hand("")
        .file("doors/tally.wat", include_str!("tally.wat"))
        .file("policy.toml", policy)
        .file(
            "loop.txt",
            format!(
                "+++\nlist = [\"tally.add\", \"tally.hold\", \"hand.say\"]\n{header}\n+++\nCount.\n"
            ),
        );
    fs::create_dir(laid.path("data")).expect("there is none");
    laid
}

/// How often a door of [`tally`] has really run.
pub(crate) fn ran(laid: &Laid) -> usize {
    let data = fs::read_dir(laid.path("data")).expect("it was made");
    data.count()
}
