//! `doorlist add`.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::Artifact;
use doorlist::ambient::{Ambient as _, System};
use doorlist::doors::{DoorFile, schema_of};
use doorlist::fetch::{Fetched, SCHEME, fetch, fetch_oci, is_pinned, stem};
use doorlist::lock::signatures;
use doorlist::loop_folder::{Change, LoopFolder, Review};
use loop_spec::Digest;
use loop_spec::lock::Came;
use loop_spec::numbers::grouped;

use super::lock::accept;
use super::print::note;
use super::shown_change::show;
use super::{Exit, Output, own};

/// Bring a stranger's component into a loop: it is shown, and once you accept it, it is in doors/ and in
/// doors.lock.
///
/// Nothing of it runs. To see what it does without giving it anything: `doorlist try FILE`.
#[derive(Args)]
pub(crate) struct Add {
    /// The component: a file (.wasm or .wat; of a command, NAME.schema.json beside NAME.wasm comes
    /// with it, and so do the signatures in NAME.sig), an https:// address, or oci://HOST/NAME:TAG in a registry; with `#sha256=…` behind it
    /// where you know its digest, which an address must have. oci://HOST/NAME@sha256:… has one.
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

/// A component that is to be added.
struct Brought {
    component: Artifact,
    /// What describes it, where it is a command and lies beside a description.
    schema: Option<String>,
    /// What it is called where it comes from.
    stem: Option<String>,
    /// Where it comes from, for doors.lock and for messages.
    from: String,
    /// The file that it comes from, where it is one; a signature may lie beside it.
    path: Option<PathBuf>,
}

impl Add {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::of_doors(&self.dir, own()?)?;
        let brought = bring(&self.file).await?;
        let name = match (&self.name, &brought.stem) {
            (Some(name), _) => name,
            (None, Some(stem)) => stem,
            (None, None) => bail!(
                "{}: expected a name in UTF-8; give one with --name",
                brought.from
            ),
        };
        // It must be usable under the name that it gets.
        let mut named = DoorFile::from_bytes(name, brought.component)?;
        if let Some(schema) = &brought.schema {
            named = named.described(schema)?;
        }
        named.check()?;
        let component = named.artifact.digest();
        if let Some(revocation) = folder.revoked().of(&component)? {
            let told = revocation.told(&component);
            bail!("{}: {told}; nothing was added", brought.from);
        }
        named.path = brought.path;
        let file = folder.doors().join(format!("{name}.wasm"));
        let text_form = folder.doors().join(format!("{name}.wat"));
        if text_form.exists() {
            bail!(
                "{}: it is there already; give another --name",
                text_form.display()
            );
        }
        let came = Came::Accepted {
            at: System.now(),
            from: Some(brought.from),
        };
        let review = folder.review_of(&format!("doors/{name}.wasm"), &named, came)?;
        // Its file may be gone all the same, so it is put there again.
        let is_known = review.changes.iter().all(Change::is_known);
        if is_known && !output.json {
            review.changes.iter().try_for_each(show)?;
        }
        let review = if is_known { Review::default() } else { review };
        if !accept(&folder, &review, self.yes, output).await? {
            return Ok(Exit::Found);
        }
        describe(&schema_of(&file), &named)?;
        let written = |file: &Path| format!("{} cannot be written", file.display());
        if let Some(signatures) = named.path.as_deref().and_then(signatures) {
            let beside = file.with_extension("sig");
            place(&beside, signatures.as_bytes()).with_context(|| written(&beside))?;
        }
        place(&file, &named.artifact).with_context(|| written(&file))?;
        if !output.json {
            note!("{}", file.display());
            let text = self.dir.join("loop.txt");
            match text.exists() {
                true => note!(
                    "put a name of it on the `list` in {} to let the model open it",
                    text.display()
                ),
                false => note!("next: doorlist mcp {}", self.dir.display()),
            }
        }
        Ok(Exit::Done)
    }
}

async fn bring(file: &str) -> anyhow::Result<Brought> {
    let (file, expected) = match file.rsplit_once("#sha256=") {
        Some((file, digits)) => {
            let digest = format!("sha256:{}", digits.to_ascii_lowercase());
            (file, Some(digest.parse::<Digest>()?))
        }
        None => (file, None),
    };
    let registry = file.starts_with(SCHEME);
    let brought = match file.contains("://") {
        false => from_file(Path::new(file))?,
        true if registry && (expected.is_some() || is_pinned(file)) => from_registry(file).await?,
        true if expected.is_some() && !registry => from_address(file).await?,
        true => bail!(
            "{file}: expected `#sha256=` and its digest behind the address, as whoever gave it to \
             you says it; what comes from elsewhere is known by nothing else"
        ),
    };
    let found = brought.component.digest();
    match expected.filter(|expected| *expected != found) {
        Some(expected) => bail!(
            "{}: expected the component {expected}, found {found}; nothing was added",
            brought.from
        ),
        None => Ok(brought),
    }
}

fn from_file(path: &Path) -> anyhow::Result<Brought> {
    let read = DoorFile::read_any(path)?;
    read.check()?;
    let from = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    Ok(Brought {
        component: read.artifact,
        schema: read.schema,
        stem: stem.map(str::to_owned),
        from: from.display().to_string(),
        path: Some(from),
    })
}

async fn from_address(address: &str) -> anyhow::Result<Brought> {
    let shows = io::stderr().is_terminal();
    let mut progress = |bytes: u64, length: Option<u64>| {
        if shows {
            let of = length.map(|length| format!(" of {}", grouped(length)));
            eprint!("\r{} bytes{}", grouped(bytes), of.unwrap_or_default());
        }
    };
    let fetched = fetch(address, &mut progress).await;
    if shows {
        eprint!("\r\x1b[2K");
    }
    let Fetched { component, from } = fetched?;
    let last = from.rsplit('/').next().unwrap_or_default();
    let stem = last.strip_suffix(".wasm").unwrap_or(last).to_owned();
    Ok(Brought {
        component,
        schema: None,
        stem: Some(stem),
        from,
        path: None,
    })
}

async fn from_registry(address: &str) -> anyhow::Result<Brought> {
    let Fetched { component, from } = fetch_oci(address).await?;
    Ok(Brought {
        component,
        schema: None,
        stem: stem(address),
        from,
        path: None,
    })
}

/// Puts what describes a command beside it; what described the one before it goes.
fn describe(file: &Path, named: &DoorFile) -> anyhow::Result<()> {
    let written = match &named.schema {
        Some(schema) => place(file, schema.as_bytes()),
        None if named.interface.is_command() && file.exists() => fs::remove_file(file),
        None => Ok(()),
    };
    written.with_context(|| format!("{} cannot be written", file.display()))
}

/// A reader of the folder sees the old file or the new one, never a part.
fn place(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let part = folder.join(format!(".{}.part", std::process::id()));
    fs::write(&part, bytes)?;
    fs::rename(&part, file)
}
