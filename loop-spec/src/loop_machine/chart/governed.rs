//! What a policy adds to a drawing.

use super::{AskedFirst, Drawing, PolicyLine};
use crate::numbers::grouped_for_toml;
use crate::policy::{Approver, Ask, DirRequest, DoorPolicy, Limits, Policy, SecretRequest, Source};

impl Drawing {
    /// Adds what `policy`, read from `file`, says of the doors of this drawing: which of them are
    /// asked first, their grants and their limits. What is as without a policy is not drawn.
    ///
    /// ```
    /// use loop_spec::diagram::{DoorSketch, Drawing};
    /// use loop_spec::policy::Policy;
    /// let door = DoorSketch {
    ///     name: "shopping.checkout".to_owned(),
    ///     file: "doors/shopping.wasm".to_owned(),
    ///     signature: "shopping.checkout()".to_owned(),
    ///     marks: Default::default(),
    ///     policy: Vec::new(),
    /// };
    /// let policy = Policy::parse("[ask]\nfirst = [\"*.checkout\"]\n").unwrap();
    /// let drawing = Drawing::of("0.1.0", vec![door]).under("policy.toml", &policy);
    /// assert_eq!(drawing.asked_first[0].door, "shopping.checkout");
    /// ```
    #[must_use]
    pub fn under(mut self, file: &str, policy: &Policy) -> Self {
        let line = |(key, value): (String, String)| PolicyLine {
            file: file.to_owned(),
            key,
            value,
        };
        for door in &mut self.doors {
            let grants = grants(policy.grants(&door.name));
            let keyed = |(key, value)| (format!("door.\"{}\".{key}", door.name), value);
            let limits = limits(policy.limits()).map(|limits| ("limits".to_owned(), limits));
            let lines = grants.into_iter().map(keyed).chain(limits).map(line);
            door.policy.extend(lines);
            if policy.asks(&door.name) {
                let (door, file) = (door.name.clone(), file.to_owned());
                self.asked_first.push(AskedFirst { door, file });
            }
        }
        self.ask.extend(asking(policy.ask()).into_iter().map(line));
        self
    }
}

fn grants(door: &DoorPolicy) -> Vec<(&'static str, String)> {
    let said = |is: bool, word: &str| is.then(|| word.to_owned());
    let real = |source| said(source == Source::Real, "real");
    let env = door
        .env
        .iter()
        .map(|(name, value)| format!("{name} = {value:?}"));
    let config = door
        .config
        .iter()
        .map(|(name, value)| format!("{name:?} = {value:?}"));
    let grants = [
        ("dirs", list(door.dirs.iter().map(dir))),
        ("hosts", list(door.hosts.iter().map(ToString::to_string))),
        ("env", list(env)),
        ("config", list(config)),
        ("secrets", list(door.secrets.iter().map(secret))),
        ("clock", real(door.clock)),
        ("random", real(door.random)),
        ("kv", said(door.kv, "true")),
        ("history", said(door.history, "true")),
        ("concurrent", said(door.marks.concurrent, "true")),
        ("source", said(door.marks.untrusted, "untrusted")),
        ("effect", said(door.marks.outside, "outside")),
        ("may-end", said(door.marks.may_end, "true")),
    ];
    let grants = grants.into_iter();
    grants
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
}

fn dir(dir: &DirRequest) -> String {
    let write = if dir.write { "may write" } else { "may read" };
    format!("{} as {}, {write}", dir.host, dir.guest)
}

fn secret(secret: &SecretRequest) -> String {
    let SecretRequest {
        origin,
        put,
        variable,
        ..
    } = secret;
    format!("{variable} in {put} to {origin}")
}

/// The limits, when they are not the default. Sizes in bytes: no change is lost in rounding.
fn limits(limits: &Limits) -> Option<String> {
    (*limits != Limits::default()).then(|| {
        format!(
            "fuel {}, memory {} bytes, time {}, output {} bytes, host calls {}, resources {}, \
             table elements {}, network {} bytes",
            grouped_for_toml(limits.fuel),
            grouped_for_toml(limits.memory),
            humantime::format_duration(limits.time),
            grouped_for_toml(limits.output),
            grouped_for_toml(limits.host_calls),
            grouped_for_toml(limits.resources),
            grouped_for_toml(limits.table_elements),
            grouped_for_toml(limits.network)
        )
    })
}

fn asking(ask: &Ask) -> Vec<(String, String)> {
    let default = Ask::default();
    let mut lines = Vec::new();
    if ask.expires != default.expires {
        let expires = humantime::format_duration(ask.expires).to_string();
        lines.push(("ask.expires".to_owned(), expires));
    }
    if ask.by != default.by {
        let by: Vec<_> = ask
            .by
            .iter()
            .map(|approver| approver_name(*approver))
            .collect();
        lines.push(("ask.by".to_owned(), by.join(", ")));
    }
    lines
}

fn approver_name(approver: Approver) -> &'static str {
    match approver {
        Approver::Terminal => "terminal",
        Approver::Page => "page",
        Approver::Client => "client",
    }
}

fn list(parts: impl Iterator<Item = String>) -> Option<String> {
    let parts: Vec<_> = parts.collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
