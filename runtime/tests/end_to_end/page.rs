//! What stands on the page, and what the model may hand over.

use doorlist::models::{Decision, Listener, Model, ModelError};
use loop_spec::loop_machine::Stop;
use loop_spec::{Answer, Page};

use crate::driven::{gate, start};
use crate::hand::say;
use crate::laid::{LINE, LOOP, Laid, count};
use crate::talk::Talk;

#[test]
fn a01_a_loop_is_a_folder_and_the_users_line_is_in_no_file_of_it() {
    let laid = Laid::fridge();
    laid.run().stdout_has("milk").stderr_has("done").call();
    for file in ["loop.txt", "policy.toml", "history.txt", "run"] {
        assert!(!laid.read(file).contains(LINE), "{file}");
    }
    let page = laid.doorlist(["page", "-C", LOOP, "--put-back", "1"]);
    page.stdout_has(LINE).call();
}

#[test]
fn a03_page_prints_the_bytes_that_the_model_was_given() {
    let laid = Laid::fridge();
    // The page goes to a person whole, so a person's terminal has the bytes to compare with.
    let seen = laid
        .run()
        .args(["--model", "person"])
        .stdin("close\n")
        .exit(15);
    let seen = seen.stderr_has("1> ").call().stderr;
    let page = laid
        .doorlist(["page", "-C", LOOP, "--put-back", "1"])
        .stdout_has("")
        .call()
        .stdout;
    assert!(seen.contains(&format!("{page}1> ")), "{seen}");
}

#[test]
fn a04_each_page_is_the_page_before_and_more() {
    let laid = Laid::fridge();
    laid.run().stdout_has("milk").stderr_has("done").call();
    let page = |put_back: &str| {
        let page = laid.doorlist(["page", "-C", LOOP, "--put-back", put_back]);
        page.stdout_has(LINE).call().stdout
    };
    let pages = ["1", "2", "3"].map(page);
    let history = laid.read("history.txt");
    for (put_back, two) in (1..).zip(pages.windows(2)) {
        let grown = two[1].strip_prefix(two[0].as_str());
        let grown = grown.unwrap_or_else(|| panic!("page {put_back}: {} / {}", two[0], two[1]));
        assert!(
            grown.starts_with(&format!("[{put_back} loop.txt ")),
            "{grown}"
        );
        assert!(
            history.contains(grown),
            "history.txt has it byte for byte: {grown}"
        );
    }
}

#[test]
fn a05_an_edit_between_two_rounds_is_on_the_next_page() {
    let laid = Laid::by_hand("model = \"person\"");
    let mut talk = Talk::with(laid.run());
    talk.until("1> ");
    laid.edit("loop.txt", "Try the doors.", "Try every door.");
    talk.type_line(&say("hello"));
    let second = talk.until("2> ");
    assert!(second.contains("Try every door."), "{second}");
    talk.type_line("close Tried.");
    assert_eq!(talk.ended(), (Some(0), "Tried.\n".to_owned()));
    let digests: Vec<_> = laid.of_kind("1", "put_back").iter().map(digest).collect();
    assert_ne!(digests[0], digests[1]);
    let history = laid.read("history.txt");
    for (put_back, digest) in (1..).zip(digests) {
        let line = format!("[{put_back} loop.txt {digest}]");
        assert_eq!(count(&history, &line), 1, "{line} in {history}");
    }
}

#[test]
fn a06_the_cap_counts_put_backs_and_not_openings() {
    let three = [say("a"), say("b"), say("c")].join("\n& ");
    let laid = Laid::by_hand("put-backs = 2").script(&format!("{three}\n{three}\n"));
    laid.run_script()
        .exit(10)
        .stderr_has("stopped: put-backs (run 1: 2 put-backs")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 6);
}

#[test]
fn a07_text_beside_names_is_a_remark_and_an_empty_answer_is_told() {
    let answers = format!(
        "~ First I look.\n{}\n& hand.take {{\"count\": 7}}\nclose\n",
        say("x")
    );
    let laid = Laid::by_hand("").script(&answers);
    laid.run_script().stdout("\n").stderr_has("done").call();
    let history = laid.read("history.txt");
    let pasted = "~ First I look.\nhand.say {\"text\":\"x\"}\n| x\nhand.take {\"count\":7}\n| 7\n";
    assert!(history.contains(pasted), "{history}");
}

#[tokio::test]
async fn a07_an_empty_answer_is_told_and_costs_a_put_back() {
    let laid = Laid::by_hand("put-backs = 2");
    let gate = gate();
    let journal = laid.folder().journal().unwrap();
    let stop = start(&laid, &journal, &gate, Box::new(Mute)).await.unwrap();
    assert_eq!(stop, Stop::PutBacks { cap: 2 });
    let told = "error: the answer was empty; hand over a close or at least one name.";
    assert_eq!(count(&laid.read("history.txt"), told), 2);
}

/// A model that hands over nothing.
struct Mute;

#[async_trait::async_trait]
impl Model for Mute {
    fn name(&self) -> &str {
        "mute"
    }

    async fn decide(
        &mut self,
        _put_back: u32,
        _page: &Page<'_>,
        _listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        let answer = Answer::Names {
            calls: Vec::new(),
            remark: None,
        };
        Ok(Decision::free(answer))
    }
}

fn digest(record: &serde_json::Value) -> String {
    let digest = record["payload"]["loop_text"].as_str().expect("a digest");
    digest.trim_start_matches("sha256:")[..12].to_owned()
}
