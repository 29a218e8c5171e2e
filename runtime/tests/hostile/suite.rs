//! The files of `tests/hostile/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use doorlist::doors::DoorFile;
use doorlist::gate::Gate;
use loop_spec::frame;
use serde_json::Value;

use crate::{FUEL, answer};

/// One hostile door.
pub(crate) struct Hostile {
    pub(crate) name: String,
    /// Which public report or class it stands for.
    pub(crate) class: String,
    /// What the model is told, on one line.
    pub(crate) expect: String,
    arguments: String,
    file: PathBuf,
}

/// All of them, in the order of their names.
pub(crate) fn all() -> Vec<Hostile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hostile");
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(Hostile::read).collect()
}

impl Hostile {
    fn read(file: PathBuf) -> Self {
        let text = fs::read_to_string(&file).unwrap();
        let said = |key: &str| {
            let mut comments = text.lines().take_while(|line| line.starts_with(";; "));
            comments
                .find_map(|line| line[3..].strip_prefix(key))
                .map(str::to_owned)
        };
        let must =
            |key: &str| said(key).unwrap_or_else(|| panic!("{} has no `{key}`", file.display()));
        Self {
            name: file.file_stem().unwrap().to_string_lossy().into_owned(),
            class: must("class: "),
            expect: must("expect: "),
            arguments: said("with: ").unwrap_or_else(|| "{}".to_owned()),
            file,
        }
    }

    /// What comes of it through the library.
    pub(crate) async fn answer(&self, gate: &Gate) -> String {
        let answer = answer(gate, DoorFile::read(&self.file), &self.arguments).await;
        answer.unwrap_or_else(|refused| refused)
    }

    /// What comes of it through `doorlist try`, which must end by itself and well.
    pub(crate) fn tried(&self, own: &Path) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_doorlist"))
            .arg("try")
            .arg(&self.file)
            .args([&self.arguments, "--json", "--time", "0", "--seed", "0"])
            .args(["--fuel", &FUEL.to_string()])
            .env("DOORLIST_CONFIG", own)
            .env("DOORLIST_CACHE", own.join("cache"))
            .output()
            .unwrap();
        let (stdout, stderr) = (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        let code = output.status.code();
        let told: Value = serde_json::from_str(&stdout).expect("JSON, whatever comes of it");
        if !told["error"].is_null() {
            assert_eq!(code, Some(1), "{}: {stderr}", self.name);
            let last = stderr.lines().last().unwrap_or_default();
            let said = last.splitn(3, ": ").last().unwrap_or_default();
            return format!("refused: {said}");
        }
        let expected = if told["outcome"] == "said" { 0 } else { 21 };
        assert_eq!(code, Some(expected), "{}: {stderr}", self.name);
        frame::one_line(told["observation"].as_str().unwrap())
    }
}
