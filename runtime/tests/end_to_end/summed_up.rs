//! A page that outgrows its window: the model sums up what came first (acceptance C20).

use std::sync::{Arc, Mutex};

use doorlist::models::{Decision, Listener, Model, ModelError};
use loop_spec::loop_machine::Stop;
use loop_spec::{Answer, Call, Message, Page};

use crate::driven::{folded, gate, go_on, start};
use crate::laid::{LOOP, Laid};

const HEADER: &str = "put-backs = 24\nwindow = 2_000\nreserve = 500\nkeep = 300\n";

/// Names the same door at every put-back, and sums up, if it can, when it is told to.
struct Wordy {
    sums_up: bool,
    /// Lengths of the pages that it was given.
    pages: Arc<Mutex<Vec<usize>>>,
}

#[async_trait::async_trait]
impl Model for Wordy {
    fn name(&self) -> &str {
        "wordy"
    }

    fn sums_up(&self) -> bool {
        true
    }

    async fn decide(
        &mut self,
        _put_back: u32,
        page: &Page<'_>,
        _listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        self.pages.lock().unwrap().push(page.len());
        let told = page.messages().last();
        let sum_up = matches!(told, Some(Message::Doorlist { text }) if text.contains("Sum up"));
        if sum_up && self.sums_up {
            return Ok(Decision::free(Answer::Close("I said x a lot.".to_owned())));
        }
        let arguments = serde_json::json!({ "text": "x".repeat(600) }).to_string();
        Ok(Decision::free(Answer::Names {
            calls: vec![Call::new("hand.say", arguments)],
            remark: None,
        }))
    }
}

fn wordy(sums_up: bool) -> (Box<Wordy>, Arc<Mutex<Vec<usize>>>) {
    let pages = Arc::new(Mutex::new(Vec::new()));
    let model = Wordy {
        sums_up,
        pages: pages.clone(),
    };
    (Box::new(model), pages)
}

#[tokio::test]
async fn c20_a_page_stays_within_its_window_and_a_resume_goes_on_from_the_summary() {
    let laid = Laid::by_hand(HEADER);
    let (gate, journal) = (gate(), laid.folder().journal().unwrap());
    let (model, pages) = wordy(true);
    let stop = start(&laid, &journal, &gate, model).await.unwrap();
    assert_eq!(stop, Stop::PutBacks { cap: 24 });
    let longest = pages.lock().unwrap().iter().copied().max().unwrap();
    assert!(longest < 2_000 * 4, "{longest} bytes");
    let compactions = laid.of_kind("1", "compacted").len();
    assert!(compactions > 2, "{compactions}");
    let history = laid.read("history.txt");
    assert!(
        history.starts_with("what came before, summed up in your own words:\n~ I said x a lot.\n"),
        "{history}"
    );
    assert_eq!(history, folded(&journal).await.pasted());
    assert_eq!(
        laid.of_kind("1", "opened").len(),
        24,
        "the journal keeps everything"
    );
    laid.edit("loop.txt", "put-backs = 24", "put-backs = 26");
    let stop = go_on(&laid, &journal, &gate, wordy(true).0).await.unwrap();
    assert_eq!(stop, Stop::PutBacks { cap: 26 });
    laid.doorlist(["runs", LOOP, "--json"])
        .stdout_has("\"compactions\":")
        .call();
}

#[tokio::test]
async fn c20_a_model_that_names_doors_instead_opens_none_of_them_and_the_run_goes_on() {
    let laid = Laid::by_hand(HEADER);
    let (gate, journal) = (gate(), laid.folder().journal().unwrap());
    let stop = start(&laid, &journal, &gate, wordy(false).0).await.unwrap();
    assert_eq!(stop, Stop::PutBacks { cap: 24 });
    assert_eq!(laid.of_kind("1", "not_compacted").len(), 3);
    assert_eq!(laid.of_kind("1", "opening").len(), 24);
}
