//! A loop's folder, laid out for one test.

use std::fs;
use std::path::{Path, PathBuf};

use doorlist::doors::DoorFile;
use doorlist::lock::LockFile;
use doorlist::loop_folder::{LoopFolder, Own};
use loop_spec::Language;

use crate::command::{Doorlist, cache};
use crate::hand::HAND;

/// A loop's folder, and beside it what is Doorlist's own. Gone at the end of the test.
pub(crate) struct Laid {
    place: tempfile::TempDir,
}

impl Laid {
    /// A folder with nothing in it.
    pub(crate) fn empty() -> Self {
        let place = tempfile::tempdir().expect("a temporary folder can be made");
        fs::create_dir(place.path().join(LOOP)).expect("it is empty");
        Self { place }
    }

    /// The fridge loop as `init` writes it: milk 1, eggs 4.
    pub(crate) fn fridge() -> Self {
        let laid = Self::empty();
        doorlist::init::write(&laid.dir(), Language::En).expect("the folder is empty");
        laid
    }

    /// A loop whose doors are those of [`HAND`], all of them listed; `header` has more lines.
    pub(crate) fn by_hand(header: &str) -> Self {
        let list = crate::hand::NAMES
            .map(|name| format!("\"hand.{name}\""))
            .join(", ");
        Self::empty()
            .file(
                "loop.txt",
                format!("+++\nlist = [{list}]\n{header}\n+++\nTry the doors.\n"),
            )
            .file("doors/hand.wat", HAND)
    }

    /// The fridge loop with its diagram.
    #[track_caller]
    pub(crate) fn drawn() -> Self {
        let laid = Self::fridge();
        laid.redraw();
        laid.fresh();
        laid
    }

    /// With this file in it.
    pub(crate) fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(path, text);
        self
    }

    /// With the answers of a model.
    pub(crate) fn script(self, answers: &str) -> Self {
        self.file("answers.txt", answers)
    }

    /// Writes a file. A component is accepted as it is, as by a person.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write_unaccepted(path, text);
        if path.ends_with(".wasm") || path.ends_with(".wat") {
            self.accept();
        }
    }

    /// Accepts every component that is there, as a person would.
    pub(crate) fn accept(&self) {
        let components = fs::read_dir(self.path("doors")).into_iter().flatten();
        let components = components.map(|entry| entry.expect("a file").path());
        let components = components.filter_map(|file| DoorFile::read(&file).ok());
        LockFile::in_loop(&self.dir())
            .built(&components.collect::<Vec<_>>())
            .expect("a lock can be written");
    }

    pub(crate) fn write_unaccepted(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().expect("it lies in the loop")).expect("a folder");
        fs::write(file, text).expect("a file can be written");
    }

    /// Puts `new` in the place of `old`, which must be there.
    #[track_caller]
    pub(crate) fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has no {old:?}: {text}");
        self.write(path, text.replace(old, new));
    }

    #[track_caller]
    pub(crate) fn read(&self, path: &str) -> String {
        let file = self.path(path);
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir().join(path)
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.place.path().join(LOOP)
    }

    /// A call of the binary above the loop's folder, which is there called [`LOOP`].
    pub(crate) fn doorlist<const N: usize>(&self, args: [&str; N]) -> Doorlist {
        Doorlist::new(self.place.path(), &self.own().config).args(args)
    }

    /// `doorlist run` of this loop.
    pub(crate) fn run(&self) -> Doorlist {
        self.doorlist(["run", LOOP, LINE])
    }

    /// `doorlist run` with the answers that [`Laid::script`] wrote.
    pub(crate) fn run_script(&self) -> Doorlist {
        self.run().args(["--model", "script:loop/answers.txt"])
    }

    /// `doorlist resume` of the newest run.
    pub(crate) fn resume(&self) -> Doorlist {
        self.doorlist(["resume", "-C", LOOP])
    }

    pub(crate) fn resume_script(&self) -> Doorlist {
        self.resume().args(["--model", "script:loop/answers.txt"])
    }

    /// Draws the diagram.
    #[track_caller]
    pub(crate) fn redraw(&self) {
        let wrote = format!("wrote {}\n", shown("diagram.txt"));
        self.doorlist(["diagram", LOOP]).stderr(wrote).call();
    }

    /// `check` finds nothing: the diagram is not stale.
    #[track_caller]
    pub(crate) fn fresh(&self) {
        let check = self.doorlist(["check", LOOP]);
        check.stdout(format!("{LOOP}: nothing is wrong\n")).call();
    }

    /// The folder as the library sees it.
    pub(crate) fn folder(&self) -> LoopFolder {
        LoopFolder::open(&self.dir(), self.own()).expect("it is a loop's folder")
    }

    /// The kinds of a run's events, in order.
    #[track_caller]
    pub(crate) fn kinds(&self, run: &str) -> Vec<String> {
        let kind = |record: &serde_json::Value| record["kind"].as_str().expect("a kind").to_owned();
        self.records(run).iter().map(kind).collect()
    }

    /// The records of a run, as its journal has them.
    #[track_caller]
    pub(crate) fn records(&self, run: &str) -> Vec<serde_json::Value> {
        let text = self.read(&format!("runs/{run}.jsonl"));
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a record"))
            .collect()
    }

    /// The records of a run that are of this kind.
    #[track_caller]
    pub(crate) fn of_kind(&self, run: &str, kind: &str) -> Vec<serde_json::Value> {
        let mut records = self.records(run);
        records.retain(|record| record["kind"] == kind);
        records
    }

    /// Writes the policy of the whole machine.
    pub(crate) fn host_wide(&self, policy: &str) {
        let config = self.own().config;
        std::fs::create_dir_all(&config).expect("the place can be written to");
        std::fs::write(config.join("policy.toml"), policy).expect("the place can be written to");
    }

    fn own(&self) -> Own {
        let config = self.place.path().join("config");
        Own {
            config,
            cache: cache(),
            variable: |_| None,
        }
    }
}

/// How many of the pasted lines are this one.
pub(crate) fn count(text: &str, line: &str) -> usize {
    text.lines().filter(|found| *found == line).count()
}

/// The path of `file`, written as messages do.
pub(crate) fn shown(file: &str) -> String {
    Path::new(LOOP).join(file).display().to_string()
}

/// What the folder is called, seen from where the binary is called.
pub(crate) const LOOP: &str = "loop";
/// The user's line.
pub(crate) const LINE: &str = "What do we need?";
