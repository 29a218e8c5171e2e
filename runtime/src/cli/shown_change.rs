//! A new or changed component, as a person or a program is shown it.

use std::io;

use doorlist::lock::Signer;
use doorlist::loop_folder::Change;
use loop_spec::frame::{one_line, visible};
use loop_spec::lock::{Entry, LockedFunction};
use loop_spec::numbers::grouped;
use serde_json::{Value, json};

use super::print::data;

/// Prints what a component exports, imports and is granted; of a changed one, old and new.
pub(crate) fn show(change: &Change) -> io::Result<()> {
    let size = grouped(change.size as u64);
    let what = match &change.was {
        Some(_) if change.is_known() => "accepted already",
        Some(_) => "changed",
        None => "new",
    };
    data!("{} is {what}: {size} bytes", visible(&change.file))?;
    let was = change.was.as_ref();
    if let Some(was) = was.filter(|was| was.component != change.is.component) {
        data!("  was {}", was.component)?;
    }
    data!("  is  {}", change.is.component)?;
    let (old, new) = (lines(change.was.as_ref()), lines(Some(&change.is)));
    for line in old.iter().filter(|line| !new.contains(line)) {
        data!("  - {line}")?;
    }
    for line in &new {
        let mark = if change.was.is_some() && !old.contains(line) {
            "+"
        } else {
            " "
        };
        data!("  {mark} {line}")?;
    }
    data!("    {}", signed(&change.signer))?;
    if let Some(revocation) = &change.revoked {
        data!("    {}", revocation.told(&change.is.component))?;
    }
    for request in &change.asks_for {
        data!("    the policy asks: {request}")?;
    }
    Ok(())
}

fn signed(signer: &Signer) -> String {
    match signer {
        Signer::Nobody => "not signed".to_owned(),
        Signer::Unknown => "signed by no key that the policy names".to_owned(),
        Signer::Key(key) => format!("signed by {key}"),
    }
}

/// What stands to be compared, a line each.
fn lines(entry: Option<&Entry>) -> Vec<String> {
    let Some(entry) = entry else {
        return Vec::new();
    };
    let imports = match entry.imports.as_slice() {
        [] => "imports nothing".to_owned(),
        imports => format!("imports {}", one_line(&imports.join(", "))),
    };
    let functions = entry.functions.iter().flat_map(function);
    let sidecar = entry.sidecar.map(|digest| format!("described by {digest}"));
    functions.chain([imports]).chain(sidecar).collect()
}

fn function(function: &LockedFunction) -> Vec<String> {
    let about = function.about.iter().flat_map(|about| about.lines());
    let about = about.map(|line| format!("  {}", visible(line)));
    std::iter::once(one_line(&function.signature))
        .chain(about)
        .collect()
}

/// The same for a program.
pub(crate) fn in_json(change: &Change) -> Value {
    json!({
        "file": change.file,
        "size": change.size,
        "was": change.was.as_ref().map(entry),
        "is": entry(&change.is),
        "signed": change.signer != Signer::Nobody,
        "signed_by": match &change.signer {
            Signer::Key(key) => Some(key.to_string()),
            Signer::Nobody | Signer::Unknown => None,
        },
        "revoked": change.revoked,
        "asks_for": change.asks_for,
    })
}

fn entry(entry: &Entry) -> Value {
    let function = |function: &LockedFunction| json!({ "signature": function.signature, "about": function.about });
    json!({
        "component": entry.component,
        "interface": entry.interface,
        "sidecar": entry.sidecar,
        "imports": entry.imports,
        "functions": entry.functions.iter().map(function).collect::<Vec<_>>(),
    })
}
