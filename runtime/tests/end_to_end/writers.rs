//! Several processes in one folder: one writer of a run, many runs.

use async_trait::async_trait;
use doorlist::driver::DriveError;
use doorlist::gate::Gate;
use doorlist::journal::{
    AppendError, FolderJournal, Journal, ReadError, RunKey, RunReading, Tenant,
};
use doorlist::loop_run::ResumeError;
use doorlist::models::{Decision, Listener, Model, ModelError, ScriptModel};
use loop_spec::loop_machine::Stop;
use loop_spec::{Answer, Page, Stamped};

use crate::driven::{folded, gate, go_on, start};
use crate::hand::say;
use crate::laid::{LOOP, Laid, count};
use crate::talk::Talk;

#[test]
fn the_second_writer_of_a_run_takes_it_over_and_the_first_is_refused() {
    let laid = Laid::by_hand("model = \"person\"");
    let mut first = Talk::with(laid.run());
    first.until("1> ");
    first.type_line(&say("from the first"));
    first.until("2> ");
    let typed = format!("{}\nclose Done.\n", say("from the second"));
    let second = laid.resume().stdin(typed).stdout("Done.\n");
    second.stderr_has("resumed").call();
    let kept = (laid.read("runs/1.jsonl"), laid.read("history.txt"));
    first.type_line(&say("too late"));
    let (code, printed, said) = first.ended_with();
    assert_eq!((code, printed.as_str()), (Some(1), ""), "{said}");
    assert!(said.contains("another writer appended to it"), "{said}");
    let now = (laid.read("runs/1.jsonl"), laid.read("history.txt"));
    assert_eq!(now, kept, "it changed nothing");
    for line in ["| from the first", "| from the second"] {
        assert_eq!(count(&kept.1, line), 1, "{}", kept.1);
    }
    let history = laid.doorlist(["history", "-C", LOOP]).stderr("run 1\n");
    history.stdout(kept.1).call();
}

/// Two calls of `run` can choose the same number: the later one is refused at its first event.
#[tokio::test]
async fn who_starts_a_run_a_moment_too_late_takes_nothing_away() {
    let laid = Laid::by_hand("");
    let gate = gate();
    let journal = laid.folder().journal().unwrap();
    let model = Intruded::new(&laid, &gate, Late::Start);
    start(&laid, &journal, &gate, Box::new(model))
        .await
        .unwrap();
    the_first_is_whole(&laid, &journal).await;
}

/// Two calls of `resume` can read the same run: the later one is refused at its first event.
#[tokio::test]
async fn who_resumes_a_run_a_moment_too_late_takes_nothing_away() {
    let laid = Laid::by_hand("put-backs = 1");
    let gate = gate();
    let journal = laid.folder().journal().unwrap();
    let stop = start(&laid, &journal, &gate, script(&say("x"))).await;
    assert_eq!(stop.unwrap(), Stop::PutBacks { cap: 1 });
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 3");
    let model = Intruded::new(&laid, &gate, Late::Resume);
    go_on(&laid, &journal, &gate, Box::new(model))
        .await
        .unwrap();
    the_first_is_whole(&laid, &journal).await;
}

#[test]
fn two_runs_in_one_folder_keep_apart() {
    let laid = Laid::by_hand("model = \"person\"").script(&format!("{}\nclose B.\n", say("b")));
    let mut first = Talk::with(laid.run());
    first.until("1> ");
    laid.run_script().stdout("B.\n").stderr_has("run 2").call();
    first.type_line(&say("a"));
    first.until("2> ");
    first.type_line("close A.");
    assert_eq!(first.ended(), (Some(0), "A.\n".to_owned()));
    let history = |run: &str| {
        let call = laid.doorlist(["history", run, "-C", LOOP]).stdout_has("");
        call.stderr(format!("run {run}\n")).call().stdout
    };
    let (one, two) = (history("1"), history("2"));
    assert_eq!((count(&one, "| a"), count(&one, "| b")), (1, 0), "{one}");
    assert_eq!((count(&two, "| a"), count(&two, "| b")), (0, 1), "{two}");
    assert_eq!(laid.read("history.txt"), two, "that of the newest run");
    laid.doorlist(["runs", LOOP])
        .stdout_has("   1  done")
        .stdout_has("   2  done")
        .call();
}

#[test]
fn an_older_run_that_goes_on_takes_its_history_along() {
    let laid = Laid::by_hand("put-backs = 1").script(&format!("{}\nclose Done.\n", say("old")));
    laid.run_script().exit(10).stderr_has("run 1").call();
    laid.write("answers.txt", "close New.\n");
    laid.run_script()
        .stdout("New.\n")
        .stderr_has("run 2")
        .call();
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 2");
    laid.write("answers.txt", "close Never.\nclose Done.\n");
    let resumed = laid.resume_script().arg("1").stdout("Done.\n");
    resumed.stderr_has("run 1").call();
    assert_eq!(count(&laid.read("history.txt"), "| old"), 1);
}

/// What the first process did is there, in both files.
async fn the_first_is_whole(laid: &Laid, journal: &FolderJournal) {
    let machine = folded(journal).await;
    let close = "First.".to_owned();
    assert_eq!(machine.stop(), Some(&Stop::Done { close }));
    assert_eq!(laid.read("history.txt"), machine.pasted());
    let beside = std::fs::read_dir(laid.dir()).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().contains("history")
    });
    assert_eq!(beside.count(), 1, "nothing is left behind");
}

/// A model that closes, and while it decides another process tries to write the same run.
struct Intruded<'a> {
    laid: &'a Laid,
    gate: &'a Gate,
    late: Late,
}

/// What the other process does.
#[derive(Clone, Copy)]
enum Late {
    Start,
    Resume,
}

impl<'a> Intruded<'a> {
    fn new(laid: &'a Laid, gate: &'a Gate, late: Late) -> Self {
        Self { laid, gate, late }
    }

    async fn intrude(&self) -> DriveError {
        let (laid, gate, model) = (self.laid, self.gate, script("close Second."));
        let journal = Behind(laid.folder().journal().expect("there is a folder"));
        match self.late {
            Late::Start => start(laid, &journal, gate, model)
                .await
                .expect_err("the number is taken"),
            Late::Resume => match go_on(laid, &journal, gate, model).await {
                Err(ResumeError::Drive(error)) => error,
                other => panic!("{other:?}"),
            },
        }
    }
}

#[async_trait]
impl Model for Intruded<'_> {
    fn name(&self) -> &str {
        "intruded"
    }

    async fn decide(
        &mut self,
        _put_back: u32,
        _page: &Page<'_>,
        _listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        let refused = self.intrude().await;
        let conflict = matches!(refused, DriveError::Append(AppendError::Conflict { .. }));
        assert!(conflict, "{refused}");
        let answer = Answer::Close("First.".to_owned());
        Ok(Decision::free(answer))
    }
}

/// A journal that was read just before its last record came.
struct Behind(FolderJournal);

#[async_trait]
impl Journal for Behind {
    async fn append(
        &self,
        run: &RunKey,
        expected: u64,
        entries: &[Stamped],
    ) -> Result<u64, AppendError> {
        self.0.append(run, expected, entries).await
    }

    async fn read(&self, run: &RunKey, from: u64) -> Result<RunReading, ReadError> {
        let mut reading = self.0.read(run, from).await?;
        reading.records.pop();
        Ok(reading)
    }

    async fn runs(&self, tenant: &Tenant) -> Result<Vec<RunKey>, ReadError> {
        self.0.runs(tenant).await
    }
}

fn script(answers: &str) -> Box<dyn Model> {
    Box::new(ScriptModel::new("script", answers).expect("these are answers"))
}
