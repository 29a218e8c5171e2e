//! Faults of the host: what passes is waited for, what does not is told to the model (acceptance C16).

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use doorlist::models::{Decision, Listener, Model, ModelError};
use loop_spec::loop_machine::Stop;
use loop_spec::{Answer, Call, Page};

use crate::driven::{gate, start};
use crate::laid::Laid;

/// Takes away the folder that the door is granted, and brings it back after a while, if at all.
struct Mover {
    data: PathBuf,
    back_after: Option<Duration>,
}

#[async_trait::async_trait]
impl Model for Mover {
    fn name(&self) -> &str {
        "mover"
    }

    async fn decide(
        &mut self,
        put_back: u32,
        _page: &Page<'_>,
        _listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        if put_back > 1 {
            return Ok(Decision::free(Answer::Close("Done.".to_owned())));
        }
        fs::remove_dir_all(&self.data).unwrap();
        if let Some(after) = self.back_after {
            let data = self.data.clone();
            thread::spawn(move || {
                thread::sleep(after);
                fs::create_dir(data).unwrap();
            });
        }
        Ok(Decision::free(Answer::Names {
            calls: vec![Call::new("hand.say", "{\"text\":\"hello\"}")],
            remark: None,
        }))
    }
}

async fn run(back_after: Option<Duration>) -> Laid {
    let laid = Laid::by_hand("").file(
        "policy.toml",
        "[door.\"hand.say\"]\ndirs = [{ host = \"data\", guest = \"/data\" }]\n",
    );
    let data = laid.path("data");
    let _ = fs::create_dir(&data);
    let (gate, journal) = (gate(), laid.folder().journal().unwrap());
    let mover = Mover { data, back_after };
    let stop = start(&laid, &journal, &gate, Box::new(mover))
        .await
        .unwrap();
    assert!(matches!(stop, Stop::Done { .. }), "{stop:?}");
    laid
}

#[tokio::test]
async fn c16_a_fault_of_the_host_that_passes_is_waited_for() {
    let laid = run(Some(Duration::from_millis(250))).await;
    assert!(laid.read("history.txt").contains("\n| hello\n"));
    assert_eq!(laid.of_kind("1", "opening").len(), 1, "one intent");
}

#[tokio::test]
async fn c16_one_that_stays_is_told_and_is_not_the_doors_failure() {
    let laid = run(None).await;
    let history = laid.read("history.txt");
    assert!(
        history.contains("fault of the host, not of the door"),
        "{history}"
    );
}
