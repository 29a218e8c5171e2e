//! `doorlist add`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::ambient::{Ambient as _, System};
use doorlist::doors::DoorFile;
use doorlist::loop_folder::{LoopFolder, Review};
use loop_spec::Digest;
use loop_spec::lock::Came;

use super::lock::accept;
use super::print::note;
use super::{Exit, Output, own};

/// Bring a stranger's component into a loop: it is shown, and once you accept it, it is in doors/ and in
/// doors.lock.
///
/// Nothing of it runs. To see what it does without giving it anything: `doorlist try FILE`.
#[derive(Args)]
pub(crate) struct Add {
    /// The component: .wasm or .wat, with `#sha256=…` behind it where you know its digest.
    file: String,
    /// What it is called in the loop: NAME.wasm; its own name if left out.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The loop's folder.
    #[arg(long, short = 'C', value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Accept without a question. What is accepted is still printed.
    #[arg(long)]
    yes: bool,
}

impl Add {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::open(&self.dir, own()?)?;
        let (path, pinned) = pinned(&self.file)?;
        let read = DoorFile::read_any(&path)?;
        read.check()?;
        let found = read.component.digest();
        if let Some(expected) = pinned.filter(|expected| *expected != found) {
            bail!(
                "{}: expected the component {expected}, found {found}; nothing was added",
                path.display()
            );
        }
        let name = match (&self.name, path.file_stem().and_then(|stem| stem.to_str())) {
            (Some(name), _) => name.clone(),
            (None, Some(stem)) => stem.to_owned(),
            (None, None) => bail!(
                "{}: expected a name in UTF-8; give one with --name",
                path.display()
            ),
        };
        // It must be usable under the name that it gets.
        DoorFile::from_bytes(&name, read.component.to_vec())?;
        let file = folder.doors().join(format!("{name}.wasm"));
        let text_form = folder.doors().join(format!("{name}.wat"));
        if text_form.exists() {
            bail!(
                "{}: it is there already; give another --name",
                text_form.display()
            );
        }
        let review = self.review(&folder, &read, &name, &path)?;
        if !accept(&folder, &review, self.yes, output).await? {
            return Ok(Exit::Found);
        }
        place(&file, &read.component)
            .with_context(|| format!("{} cannot be written", file.display()))?;
        if !output.json {
            note!("{}", file.display());
            note!(
                "put a name of it on the `list` in {} to let the model open it",
                self.dir.join("loop.txt").display()
            );
        }
        Ok(Exit::Done)
    }

    /// The one change that adding it is.
    fn review(
        &self,
        folder: &LoopFolder,
        read: &DoorFile,
        name: &str,
        from: &Path,
    ) -> anyhow::Result<Review> {
        let from = fs::canonicalize(from).unwrap_or_else(|_| from.to_owned());
        let came = Came::Accepted {
            at: System.now(),
            from: Some(from.display().to_string()),
        };
        let named = DoorFile::from_bytes(name, read.component.to_vec())?;
        Ok(folder.review_of(&format!("doors/{name}.wasm"), &named, came)?)
    }
}

/// The path, and the digest that the component must have.
fn pinned(file: &str) -> anyhow::Result<(PathBuf, Option<Digest>)> {
    if file.contains("://") {
        bail!("expected a file, found the address {file}; fetch it first, then add the file");
    }
    match file.rsplit_once("#sha256=") {
        Some((path, digits)) => {
            let digest = format!("sha256:{}", digits.to_ascii_lowercase()).parse()?;
            Ok((path.into(), Some(digest)))
        }
        None => Ok((file.into(), None)),
    }
}

/// A reader of the folder sees the old file or the new one, never a part.
fn place(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let part = folder.join(format!(".{}.part", std::process::id()));
    fs::write(&part, bytes)?;
    fs::rename(&part, file)
}
