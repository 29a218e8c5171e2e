//! Everything that can be known of a loop before its first put-back.

use std::path::Path;

use loop_spec::LoopText;
use loop_spec::diagram::Diagram;
use loop_spec::policy::Policy;
use serde::Serialize;

use super::{Component, FolderError, LARGEST_TEXT, LoopFolder, read_text};
use crate::doors::{Catalogue, Door, DoorFile};
use crate::grants::Allowances;
use crate::loop_run::Snapshot;
use crate::models::ModelSource;
use crate::sandbox::Limits;

/// One thing that is wrong with a loop, or doubtful.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether it refuses the run, or makes the diagram wrong.
    pub error: bool,
    /// What was expected, what was found, and which file to open.
    pub what: String,
}

impl Finding {
    /// What a component would be refused for, in any loop, and what its writer could have better.
    #[must_use]
    pub fn of_component(file: &Path) -> Vec<Self> {
        let read = DoorFile::read(file).and_then(|file| file.check().map(|()| file));
        match read {
            Ok(file) => file.doubts().into_iter().map(warning).collect(),
            Err(wrong) => vec![error(wrong.to_string())],
        }
    }
}

impl LoopFolder {
    /// All that is wrong with the folder, not only the first.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let text = self.keep_all(&mut findings, self.loop_text());
        let text = text.map(|(_, text)| text);
        let policy = self.keep_all(&mut findings, self.policy());
        let doors = self.all_doors(&mut findings, text.as_ref());
        if let Some(text) = &text {
            self.list_findings(&mut findings, text);
        }
        if let (Some(text), Some(policy)) = (&text, &policy) {
            self.policy_findings(&mut findings, policy, &doors, text);
            self.component_findings(&mut findings, policy, text);
            self.lock_findings(&mut findings, policy, text, &doors);
            let names: Vec<&str> = doors.iter().map(|door| door.name.as_str()).collect();
            let loop_txt = self.dir.join(super::LOOP_TXT);
            let doubts = text.doubts(&names).into_iter();
            findings
                .extend(doubts.map(|doubt| warning(format!("{}: {doubt}", loop_txt.display()))));
        }
        // Only what a run would refuse too: each part has told what else is wrong with it.
        if findings.iter().all(|finding| !finding.error) && text.is_some() {
            let lacking = |snapshot: Snapshot| {
                let lacking = snapshot.doors.into_values();
                let lacking =
                    lacking.filter_map(|door| Some(door.grants.secrets.lacking()?.to_owned()));
                lacking.collect::<Vec<_>>()
            };
            let lacking = keep(&mut findings, self.snapshot().map(lacking));
            findings.extend(lacking.into_iter().flatten().map(warning));
        }
        if findings.iter().all(|finding| !finding.error) {
            self.diagram_findings(&mut findings);
        }
        findings
    }

    /// Keeps each fault of a file that has several.
    fn keep_all<T>(
        &self,
        findings: &mut Vec<Finding>,
        result: Result<T, FolderError>,
    ) -> Option<T> {
        let dir = &self.dir;
        let raw = |file: &Path| read_text(file, LARGEST_TEXT).unwrap_or_default();
        let all: Vec<FolderError> = match &result {
            Err(FolderError::LoopText { .. }) => {
                let faults = LoopText::faults(&raw(&dir.join(super::LOOP_TXT))).into_iter();
                let of = |source| FolderError::LoopText {
                    dir: dir.clone(),
                    source,
                };
                faults.map(of).collect()
            }
            Err(FolderError::Policy { dir: of, .. }) if of == dir => {
                let faults = Policy::faults(&raw(&self.policy_file())).into_iter();
                let of = |source| FolderError::Policy {
                    dir: dir.clone(),
                    source,
                };
                faults.map(of).collect()
            }
            _ => Vec::new(),
        };
        let kept = keep(findings, result);
        for fault in all {
            keep::<T>(findings, Err(fault));
        }
        kept
    }

    /// Listed doors that are not there, each of them.
    fn list_findings(&self, findings: &mut Vec<Finding>, text: &LoopText) {
        for stem in text.stems() {
            let catalogue = Catalogue::only(&self.doors(), [stem]).map_err(FolderError::from);
            let Some(catalogue) = keep(findings, catalogue) else {
                continue;
            };
            let of_stem = |name: &&String| name.split('.').next() == Some(stem);
            for name in text.list().iter().filter(of_stem) {
                keep(findings, self.listed(&catalogue, name));
            }
        }
    }

    /// The doors of every file that can be read; an unreadable one is an error where it is listed.
    fn all_doors(&self, findings: &mut Vec<Finding>, text: Option<&LoopText>) -> Vec<Door> {
        let listed = text.map(LoopText::stems).unwrap_or_default();
        let Ok(files) = Catalogue::read_each(&self.doors()) else {
            return Vec::new();
        };
        let mut doors = Vec::new();
        for file in files {
            match file.and_then(|file| file.check().map(|()| file)) {
                Ok(file) => doors.extend(std::sync::Arc::new(file).doors()),
                Err(error) => {
                    let what = error.to_string();
                    let stem = |stem: &&str| what.contains(&format!("doors/{stem}."));
                    if !listed.iter().any(stem) {
                        findings.push(warning(what));
                    }
                }
            }
        }
        doors
    }

    fn policy_findings(
        &self,
        findings: &mut Vec<Finding>,
        policy: &Policy,
        doors: &[Door],
        text: &LoopText,
    ) {
        let names: Vec<&str> = doors.iter().map(|door| door.name.as_str()).collect();
        let listed: Vec<&str> = text.list().iter().map(String::as_str).collect();
        let dir = self.dir.display();
        for stranger in policy.strangers(&names, &listed) {
            let error = stranger.is_error();
            findings.push(Finding {
                error,
                what: format!("{dir}/{stranger}"),
            });
        }
        if let Some(requests) = keep(findings, self.requests(policy)) {
            let allowances = Allowances::in_dir(&self.own.config);
            let allowed = allowances.allows(&requests).unwrap_or(false);
            if !allowed {
                let what = requests
                    .beyond_data()
                    .iter()
                    .map(|request| format!("\n  {request}"));
                let what: String = what.collect();
                findings.push(error(format!(
                    "{}: it asks for what nobody has allowed yet; `doorlist allow {dir}` shows and \
                     allows it:{what}",
                    self.policy_file().display()
                )));
            }
        }
    }

    fn component_findings(&self, findings: &mut Vec<Finding>, policy: &Policy, text: &LoopText) {
        let limits = || Limits::of(policy.limits());
        if let Some(close) = text.close() {
            keep(
                findings,
                Component::CLOSE.read(&self.dir.join(close), limits()),
            );
        }
        if let Some(hooks) = text.hooks() {
            keep(findings, Component::hooks(&self.dir.join(hooks), limits()));
        }
        let base = |file| self.dir.join(file);
        match text.model().map(str::parse) {
            Some(Ok(ModelSource::Component(file))) => {
                keep(findings, Component::MODEL.read(&base(file), limits()));
            }
            Some(Ok(ModelSource::Script(file))) => {
                keep(findings, read_text(&base(file), LARGEST_TEXT));
            }
            Some(Ok(ModelSource::Person | ModelSource::Remote { .. })) | None => {}
            Some(Err(wrong)) => {
                let file = self.dir.join(super::LOOP_TXT);
                findings.push(error(format!("{}: `model`: {wrong}", file.display())));
            }
        }
    }

    /// Components that a run would refuse.
    fn lock_findings(
        &self,
        findings: &mut Vec<Finding>,
        policy: &Policy,
        text: &LoopText,
        doors: &[Door],
    ) {
        let Some(locks) = keep(findings, self.locks(policy)) else {
            return;
        };
        let named = |door: &&Door| {
            let path = door.file.path.as_deref();
            let is = |file: Option<&str>| file.map(|file| self.dir.join(file)).as_deref() == path;
            text.lists(&door.name) || is(text.close()) || is(text.hooks()) || is(text.model())
        };
        for door in doors.iter().filter(named) {
            let Some(why) = locks.refusal(&door.file) else {
                continue;
            };
            let told = self.told(why, &door.file.artifact.digest());
            let Some(told) = keep(findings, told.map_err(FolderError::from)) else {
                return;
            };
            let found = error(format!("{}: {told}", door.file.label()));
            if !findings.contains(&found) {
                findings.push(found);
            }
        }
    }

    fn diagram_findings(&self, findings: &mut Vec<Finding>) {
        let Some(Some(old)) = keep(findings, self.drawn()) else {
            return;
        };
        let Some(drawn) = keep(findings, self.draw()) else {
            return;
        };
        let stale = drawn.stale(&old).into_iter();
        let file = self.diagram();
        findings.extend(stale.map(|stale| error(format!("{}: stale: {stale}", file.display()))));
    }

    /// The diagram as the folder's files draw it now.
    ///
    /// # Errors
    /// When the loop cannot be run.
    pub fn draw(&self) -> Result<Diagram, FolderError> {
        let snapshot = self.snapshot()?;
        Ok(Diagram::draw(&snapshot.text, &self.drawing(&snapshot)?))
    }
}

fn keep<T>(findings: &mut Vec<Finding>, result: Result<T, FolderError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(source) => {
            let found = error(source.to_string());
            if !findings.contains(&found) {
                findings.push(found);
            }
            None
        }
    }
}

fn error(what: String) -> Finding {
    Finding { error: true, what }
}

fn warning(what: String) -> Finding {
    Finding { error: false, what }
}
