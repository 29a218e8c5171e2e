//! Files of a run that were torn, edited, or could not be written.

use crate::command::Doorlist;
use crate::hand::say;
use crate::laid::{LOOP, Laid, count, shown};

#[test]
fn a_torn_last_line_is_told_of_and_cut_off() {
    let laid = stopped();
    let whole = laid.read("runs/1.jsonl");
    // The stop itself is torn: the run never said that it stood still.
    laid.write("runs/1.jsonl", &whole[..whole.len() - 20]);
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 2");
    let resumed = laid.resume_script().stdout("Done.\n");
    resumed
        .stderr_has(format!("{}: ", shown("runs/1.jsonl")))
        .stderr_has("the last append was interrupted")
        .call();
    let now = laid.read("runs/1.jsonl");
    let kept = whole.lines().count() - 1;
    assert!(whole.lines().take(kept).eq(now.lines().take(kept)));
    assert_eq!(count(&laid.read("history.txt"), "| x"), 1);
    laid.doorlist(["runs", LOOP]).stdout_has("done").call();
}

#[test]
fn an_edited_line_is_named_by_every_command_and_nothing_is_lost() {
    let laid = stopped();
    laid.run_script().exit(10).stderr_has("run 2").call();
    laid.edit("runs/1.jsonl", LINE_OF_THE_RUN, "Who are you?");
    let kept = laid.read("runs/1.jsonl");
    let damaged = format!("{} is damaged: line 1", shown("runs/1.jsonl"));
    let refuses = |call: Doorlist| call.exit(1).stderr_has(&damaged).call();
    refuses(laid.resume_script().arg("1"));
    for command in ["trace", "page", "history"] {
        refuses(laid.doorlist([command, "1", "-C", LOOP]));
    }
    refuses(laid.doorlist(["runs", LOOP]).stdout_has("   2  put-backs"));
    assert_eq!(laid.read("runs/1.jsonl"), kept);
}

#[test]
fn a_line_in_the_middle_is_named() {
    let laid = stopped();
    let text = laid.read("runs/1.jsonl");
    let lines: Vec<_> = text.lines().collect();
    for (number, line) in (1..).zip(&lines).take(lines.len() - 1) {
        for damage in [String::new(), "{}".to_owned(), line.replacen(':', " :", 1)] {
            let mut lines = lines.clone();
            lines[number - 1] = &damage;
            laid.write("runs/1.jsonl", lines.join("\n") + "\n");
            let named = format!("{} is damaged: line {number}", shown("runs/1.jsonl"));
            laid.doorlist(["trace", "-C", LOOP])
                .exit(1)
                .stderr_has(named)
                .call();
        }
    }
    // A line that is gone, and one that stands twice.
    for lines in [
        [&lines[..2], &lines[3..]].concat(),
        [&lines[..3], &lines[2..]].concat(),
    ] {
        laid.write("runs/1.jsonl", lines.join("\n") + "\n");
        laid.doorlist(["trace", "-C", LOOP])
            .exit(1)
            .stderr_has(" is damaged: line ")
            .call();
    }
}

#[test]
fn an_edited_history_is_refused_by_its_line_until_it_is_put_back() {
    let laid = stopped();
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 2");
    let (history, journal) = (laid.read("history.txt"), laid.read("runs/1.jsonl"));
    laid.edit("history.txt", "| x", "| y");
    let refused = laid.resume_script().exit(1);
    refused
        .stderr_has(format!(
            "{}, line 3: expected `| x`, found `| y`",
            shown("history.txt")
        ))
        .call();
    assert_eq!(laid.read("runs/1.jsonl"), journal, "nothing is written");
    laid.write("history.txt", format!("{history}| z\n"));
    let refused = laid.resume_script().exit(1);
    refused
        .stderr_has("history.txt, line 4: expected the end, found `| z`")
        .call();
    laid.write("history.txt", &history);
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("resumed")
        .call();
}

#[test]
fn a_history_that_is_gone_is_written_anew() {
    let laid = stopped();
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 2");
    let history = laid.read("history.txt");
    std::fs::remove_file(laid.path("history.txt")).unwrap();
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("resumed")
        .call();
    assert!(laid.read("history.txt").starts_with(&history));
}

/// A limit on the size of files stops a write in the middle, as a full disk does.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_and_a_resume_goes_on() {
    let text = "x".repeat(1_000);
    let answers = format!("{}\nclose Done.\n", vec![say(&text); 6].join("\n"));
    let laid = Laid::by_hand("").script(&answers);
    let full = laid
        .run_script()
        .by_shell("trap '' XFSZ; ulimit -f 16; exec \"$@\"");
    let full = full.exit(1).stderr_has(shown("runs/1.jsonl")).call();
    for said in [
        "1 entry (",
        "not written (",
        "everything before them is kept, and the run can be resumed",
    ] {
        assert!(full.stderr.contains(said), "{said}: {full}");
    }
    let kept = laid.read("runs/1.jsonl");
    assert!(kept.ends_with('\n') && kept.lines().count() > 6, "{full}");
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("resumed")
        .call();
    assert!(laid.read("runs/1.jsonl").starts_with(&kept));
    let history = laid.read("history.txt");
    assert_eq!(count(&history, &format!("| {text}")), 6);
    laid.doorlist(["history", "-C", LOOP])
        .stdout(history)
        .stderr("run 1\n")
        .call();
}

/// A loop whose run 1 stopped at its cap, with an answer left for a second put-back.
fn stopped() -> Laid {
    let laid = Laid::by_hand("put-backs = 1").script(&format!("{}\nclose Done.\n", say("x")));
    laid.run_script().exit(10).stderr_has("run 1").call();
    laid
}

const LINE_OF_THE_RUN: &str = crate::laid::LINE;
