//! The policy that would give a component what it reached for, as a person is to read it before they
//! use it.

use std::collections::BTreeMap;

use doorlist::sandbox::Reached;
use loop_spec::frame::deceives;

/// The smallest policy with which a door would find what it missed, as TOML. Only what lies in the
/// loop's own `data/` is granted by it as it stands: a stranger chose the rest, so a person must take
/// that out of its comment. `None` if the door misses nothing.
pub(crate) fn least_policy(door: &str, reached: &Reached) -> Option<String> {
    let mut lines = Vec::new();
    let (own, beyond): (Vec<_>, Vec<_>) = dirs(reached)
        .into_iter()
        .partition(|(guest, _)| in_data(guest).is_some());
    if !own.is_empty() {
        let own: Vec<String> = own
            .iter()
            .map(|(guest, write)| dir(guest, *write))
            .collect();
        lines.push(format!("dirs = [{}]", own.join(", ")));
    }
    if !beyond.is_empty() {
        lines.push("# these lie outside data/; put into dirs only what it may see:".to_owned());
        let beyond = beyond.iter().map(|(guest, write)| dir(guest, *write));
        lines.extend(beyond.map(|dir| format!("#   {dir},")));
    }
    let hosts = reached.hosts.iter().map(|host| quoted(&host.to_string()));
    let hosts: Vec<String> = hosts.collect();
    if !hosts.is_empty() {
        lines.push(format!("# hosts = [{}]", hosts.join(", ")));
    }
    let kinds = [
        (reached.kv, "kv = true"),
        (reached.history, "history = true"),
        (reached.end, "may-end = true"),
        (reached.config, "# config = { name = \"value\" }"),
        (reached.environment, "# env = { NAME = \"value\" }"),
        (reached.clock, "# clock = \"real\""),
        (reached.random, "# random = \"real\""),
    ];
    let kinds = kinds.into_iter().filter(|(reached, _)| *reached);
    lines.extend(kinds.map(|(_, line)| line.to_owned()));
    (!lines.is_empty()).then(|| format!("[door.{}]\n{}\n", quoted(door), lines.join("\n")))
}

/// A path as a door names it, from the folder that stands for all, without `.` and `..`.
pub(crate) fn absolute(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The folders that the paths lie in, and whether something in them is to be changed.
fn dirs(reached: &Reached) -> BTreeMap<String, bool> {
    let mut dirs = BTreeMap::new();
    for (path, change) in &reached.paths {
        let path = absolute(path);
        let folder = match path.rsplit_once('/') {
            // The folder itself, by custom.
            _ if path == DATA => DATA,
            None | Some(("", _)) => "/",
            Some((folder, _)) => folder,
        };
        *dirs.entry(folder.to_owned()).or_default() |= change;
    }
    dirs
}

/// Where a folder lies in the loop's own data, if it does: that stands behind `/data` by custom, and
/// behind `/` for a door that names its files without a folder.
fn in_data(guest: &str) -> Option<String> {
    let below = match guest {
        "/" => "",
        guest => guest.strip_prefix(DATA)?,
    };
    (below.is_empty() || below.starts_with('/')).then(|| format!("data{below}"))
}

fn dir(guest: &str, write: bool) -> String {
    let host = in_data(guest).unwrap_or_else(|| guest.to_owned());
    let write = if write { ", write = true" } else { "" };
    format!(
        "{{ host = {}, guest = {}{write} }}",
        quoted(&host),
        quoted(guest)
    )
}

/// A string of TOML that stays on its line and shows all that is in it: a door chose its text.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if deceives(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

const DATA: &str = "/data";

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(paths: &[(&str, bool)]) -> String {
        let paths = paths
            .iter()
            .map(|(path, change)| ((*path).to_owned(), *change));
        let reached = Reached {
            paths: paths.collect(),
            hosts: ["https://example.com".parse().unwrap()].into(),
            ..Reached::default()
        };
        least_policy("d.e", &reached).unwrap()
    }

    #[test]
    fn only_what_lies_in_data_is_granted_as_it_stands() {
        let policy = policy(&[
            ("data/a/file", true),
            ("data/../data/list", false),
            ("data", false),
            ("/etc/passwd", false),
            ("data/../../root/.ssh/id", false),
            ("database/file", false),
        ]);
        let read: toml::Table = policy.parse().unwrap();
        let door = read["door"]["d.e"].as_table().unwrap();
        assert_eq!(door.keys().collect::<Vec<_>>(), ["dirs"], "{policy}");
        let hosts = door["dirs"].as_array().unwrap().iter();
        let hosts: Vec<&str> = hosts.map(|dir| dir["host"].as_str().unwrap()).collect();
        assert_eq!(hosts, ["data", "data/a"], "{policy}");
        for beyond in ["/etc", "/root/.ssh", "/database"] {
            let line = format!("#   {{ host = \"{beyond}\", guest = \"{beyond}\" }},\n");
            assert!(policy.contains(&line), "{policy}");
        }
        assert!(
            policy.contains("# hosts = [\"https://example.com\"]\n"),
            "{policy}"
        );
    }

    #[test]
    fn a_path_that_would_forge_a_line_stays_in_its_own_and_comes_back() {
        let folder = "a\"b\\'\n[door.\"x\"]\r\t\u{7f}\u{202e}\u{e0041}";
        let reached = |within: &str| Reached {
            paths: [(format!("{within}{folder}/file"), true)].into(),
            ..Reached::default()
        };
        let policy = least_policy("d.e", &reached("data/")).unwrap();
        assert_eq!(policy.lines().count(), 2, "{policy}");
        assert!(!policy.contains(|c| c != '\n' && deceives(c)), "{policy:?}");
        let read: toml::Table = policy.parse().unwrap();
        let dir = &read["door"]["d.e"]["dirs"][0];
        assert_eq!(
            dir["guest"].as_str(),
            Some(format!("/data/{folder}").as_str())
        );
        assert_eq!(dir["write"].as_bool(), Some(true));
        let policy = least_policy("d.e", &reached("")).unwrap();
        assert_eq!(policy.lines().count(), 3, "{policy}");
        let read: toml::Table = policy.parse().unwrap();
        assert!(
            read["door"]["d.e"].as_table().unwrap().is_empty(),
            "{policy}"
        );
    }
}
