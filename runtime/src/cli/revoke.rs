//! `doorlist revoke`.

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::ambient::{Ambient as _, System};
use doorlist::lock::{Revocation, Revoked};
use loop_spec::Digest;
use serde_json::json;

use super::print::{data, note};
use super::{Exit, Output, own};

/// Never open a component on this machine again, whatever a loop says of it.
///
/// A component is named by the digest of its bytes, as `doorlist doors` prints it. What is revoked is
/// kept in your configuration, outside any loop; a run that is under way refuses it from its next page
/// on. Without a digest, lists what is revoked.
#[derive(Args)]
pub(crate) struct Revoke {
    /// The component: sha256:…
    digest: Option<String>,
    /// Why, for whoever meets the refusal.
    #[arg(long, value_name = "TEXT", requires = "digest")]
    why: Option<String>,
    /// Take the revocation back.
    #[arg(long, requires = "digest", conflicts_with = "why")]
    undo: bool,
}

impl Revoke {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let revoked = Revoked::in_dir(&own()?.config);
        let Some(digest) = &self.digest else {
            return list(&revoked, output);
        };
        let digest: Digest = digest
            .parse()
            .context("`doorlist doors` prints the digest of each component")?;
        let what = if self.undo {
            if !revoked.restore(&digest)? {
                bail!("expected a component that is revoked, found none with the digest {digest}");
            }
            "taken back"
        } else {
            let (at, why) = (System.now(), self.why);
            let is_new = revoked.revoke(digest, Revocation { at, why })?;
            if is_new { "revoked" } else { "revoked already" }
        };
        if output.json {
            data!("{}", json!({ "component": digest, "what": what }))?;
        } else {
            note!("{digest}: {what}");
        }
        Ok(Exit::Done)
    }
}

fn list(revoked: &Revoked, output: Output) -> anyhow::Result<Exit> {
    let all = revoked.all()?;
    if output.json {
        let all: Vec<_> = all
            .iter()
            .map(|(component, revocation)| {
                json!({ "component": component, "at": revocation.at, "why": revocation.why })
            })
            .collect();
        data!("{}", json!({ "revoked": all }))?;
        return Ok(Exit::Done);
    }
    if all.is_empty() {
        note!("nothing is revoked");
    }
    for (component, revocation) in &all {
        match &revocation.why {
            Some(why) => data!("{component}  {}", loop_spec::frame::one_line(why))?,
            None => data!("{component}")?,
        }
    }
    Ok(Exit::Done)
}
