use std::fs;
use std::path::{Path, PathBuf};

use loop_spec::policy::{Ceiling, Policy, Source};
use tempfile::TempDir;

use super::*;

/// A loop folder, and beside it the folders where Doorlist keeps what it trusts.
struct Bench {
    top: TempDir,
}

impl Bench {
    fn new() -> Self {
        let top = TempDir::new().unwrap();
        let bench = Self { top };
        for dir in [
            "loop/doors",
            "loop/runs",
            "loop/lists",
            "config",
            "cache",
            "elsewhere",
        ] {
            fs::create_dir_all(bench.path(dir)).unwrap();
        }
        for file in [
            "loop.txt",
            "policy.toml",
            "history.txt",
            "doors.lock",
            "run",
        ] {
            fs::write(bench.path("loop").join(file), "").unwrap();
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.top.path().canonicalize().unwrap().join(name)
    }

    fn requests(&self, policy: &str) -> Result<Requests, GrantError> {
        let own = [self.path("cache"), self.path("config")];
        let own: Vec<&Path> = own.iter().map(PathBuf::as_path).collect();
        Requests::of(&self.path("loop"), &Policy::parse(policy).unwrap(), &own)
    }

    fn dir(&self, host: &str, write: bool) -> Result<Requests, GrantError> {
        self.requests(&dirs(host, write))
    }

    fn allowances(&self) -> Allowances {
        Allowances::in_dir(&self.path("config"))
    }

    /// The message with which a grant for writing is refused.
    fn refused(&self, host: &str) -> String {
        let error = self.dir(host, true).expect_err(host);
        assert!(matches!(error, GrantError::Kept { .. }), "{host}: {error}");
        error.to_string()
    }
}

/// No variable is set.
fn nothing(_: &str) -> Option<String> {
    None
}

fn dirs(host: &str, write: bool) -> String {
    let host = host.escape_default();
    format!("[door.a]\ndirs = [{{ host = \"{host}\", guest = \"/d\", write = {write} }}]\n")
}

#[test]
fn data_needs_no_allowance_and_is_made() {
    let bench = Bench::new();
    let data = bench.path("loop/data");
    for host in ["data", "./data/", data.to_str().unwrap()] {
        let requests = bench.dir(host, true).unwrap();
        assert_eq!(requests.beyond_data(), [], "{host}");
        assert!(!data.exists(), "looking changes nothing");
        let grants = requests.grant(&bench.allowances(), nothing).unwrap();
        let dir = GrantedDir {
            host: data.clone(),
            guest: "/d".to_owned(),
            write: true,
        };
        dir.check().unwrap();
        assert_eq!(grants.of("a").dirs, [dir]);
        fs::remove_dir(&data).unwrap();
    }
    fs::create_dir_all(data.join("lists")).unwrap();
    assert_eq!(bench.dir("data/lists", true).unwrap().beyond_data(), []);
    assert_eq!(bench.dir("lists/../data", true).unwrap().beyond_data(), []);
}

#[test]
fn everything_beyond_data_is_shown_and_waits_for_its_allowance() {
    let bench = Bench::new();
    let requests = bench
        .requests(
            "[door.a]\ndirs = [{ host = \"../elsewhere\", guest = \"/e\" }]\nenv = { LANG = \"\\u001b[2J\" }\n\
             [door.b]\nclock = \"real\"\nrandom = \"real\"\n\
             dirs = [{ host = \"lists\", guest = \"/l\", write = true }]",
        )
        .unwrap();
    let shown: Vec<_> = requests
        .beyond_data()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        shown,
        [
            format!("a may read {} (as /e)", bench.path("elsewhere").display()),
            format!(
                "b may read and change {} (as /l)",
                bench.path("loop/lists").display()
            ),
            r"a sees the variable LANG = \u{1b}[2J".to_owned(),
            "b sees the real time".to_owned(),
            "b gets real random numbers".to_owned(),
        ]
    );
    let error = requests.grant(&bench.allowances(), nothing).unwrap_err();
    assert!(matches!(error, GrantError::NotAllowed { .. }));
    assert!(
        error.to_string().contains("b sees the real time\n"),
        "{error}"
    );

    bench.allowances().allow(&requests).unwrap();
    let grants = requests.grant(&bench.allowances(), nothing).unwrap();
    assert_eq!(grants.of("a").env["LANG"], "\u{1b}[2J");
    assert_eq!(grants.of("b").clock, Source::Real);
    assert!(!grants.of("b").is_none() && !requests.is_pure("b"));
    assert!(grants.of("c").is_none() && requests.is_pure("c"));
}

#[test]
fn an_edit_asks_again_and_the_order_of_lines_does_not() {
    let bench = Bench::new();
    let text = "[door.a]\nclock = \"real\"\n[door.b]\nrandom = \"real\"\n";
    bench
        .allowances()
        .allow(&bench.requests(text).unwrap())
        .unwrap();
    let allowed = |text: &str| {
        let requests = bench.requests(text).unwrap();
        bench.allowances().allows(&requests).unwrap()
    };
    assert!(allowed(text));
    assert!(allowed(
        "[door.b]\nrandom = \"real\"\n[door.a]\nclock = \"real\"\n"
    ));
    assert!(
        allowed(&format!("{text}[limits]\nfuel = 5\n")),
        "limits are no grants"
    );
    assert!(
        !allowed("[door.a]\nclock = \"real\"\n"),
        "less is an edit too"
    );
    assert!(!allowed(&format!("{text}[door.c]\nclock = \"real\"\n")));
    assert!(!allowed(&format!("{text}env = {{ A = \"b\" }}\n")));
    assert!(!allowed(&text.replace("door.a", "door.x")));
}

#[cfg(unix)]
#[test]
fn a_link_that_is_turned_elsewhere_asks_again() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    symlink(bench.path("elsewhere"), bench.path("loop/link")).unwrap();
    bench
        .allowances()
        .allow(&bench.dir("link", false).unwrap())
        .unwrap();
    assert!(
        bench
            .allowances()
            .allows(&bench.dir("link", false).unwrap())
            .unwrap()
    );
    fs::remove_file(bench.path("loop/link")).unwrap();
    symlink(bench.path("cache"), bench.path("loop/link")).unwrap();
    assert!(
        !bench
            .allowances()
            .allows(&bench.dir("link", false).unwrap())
            .unwrap()
    );
}

#[cfg(unix)]
#[test]
fn a_link_out_of_data_is_not_in_data() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    fs::create_dir(bench.path("loop/data")).unwrap();
    symlink("../../elsewhere", bench.path("loop/data/out")).unwrap();
    assert_eq!(bench.dir("data/out", false).unwrap().beyond_data().len(), 1);
    symlink("../data", bench.path("loop/lists/in")).unwrap();
    assert_eq!(
        bench.dir("lists/in", false).unwrap().beyond_data(),
        [],
        "and one into it is"
    );

    fs::remove_dir_all(bench.path("loop/data")).unwrap();
    symlink("../elsewhere", bench.path("loop/data")).unwrap();
    assert_eq!(
        bench.dir("data", false).unwrap().beyond_data().len(),
        1,
        "data/ itself a link"
    );
    fs::remove_file(bench.path("loop/data")).unwrap();
    symlink("nowhere", bench.path("loop/data")).unwrap();
    assert!(matches!(
        bench.dir("data", false),
        Err(GrantError::NoFolder { .. })
    ));
}

#[test]
fn a_missing_folder_is_named_with_its_key() {
    let bench = Bench::new();
    for (host, at) in [
        ("data/lists", "data/lists"),
        ("../nowhere", "../nowhere"),
        ("run", "run"),
    ] {
        let error = bench.dir(host, false).unwrap_err().to_string();
        let start =
            "policy.toml, line 2, column 9: `host` in dirs of [door.\"a\"]: expected a folder at ";
        assert!(error.starts_with(start), "{error}");
        assert!(error.contains(at), "{error}");
    }
}

#[test]
fn a_loops_own_files_are_never_granted_for_writing() {
    let bench = Bench::new();
    fs::create_dir(bench.path("loop/doors/fridge")).unwrap();
    for host in [
        ".",
        "doors",
        "doors/fridge",
        "runs",
        "..",
        "/",
        "data/../doors",
    ] {
        fs::create_dir_all(bench.path("loop/data")).unwrap();
        let message = bench.refused(host);
        assert!(message.contains("because no door may change"), "{message}");
    }
    bench.dir("lists", true).unwrap();
    bench.dir(".", false).unwrap();
}

#[test]
fn another_loops_files_are_never_granted_for_writing() {
    let bench = Bench::new();
    let other = bench.path("elsewhere");
    fs::write(other.join("loop.txt"), "").unwrap();
    fs::create_dir(other.join("doors")).unwrap();
    fs::create_dir(other.join("data")).unwrap();
    bench.refused("../elsewhere");
    bench.refused("../elsewhere/doors");
    bench.dir("../elsewhere/data", true).unwrap();
}

#[test]
fn doorlists_own_folders_are_never_granted_for_writing() {
    let bench = Bench::new();
    fs::create_dir(bench.path("cache/compiled")).unwrap();
    for host in ["../cache", "../cache/compiled", "../config"] {
        bench.refused(host);
    }
    fs::remove_dir(bench.path("config")).unwrap();
    let above = bench.path("");
    let moved = TempDir::new().unwrap();
    let requests = |own: &Path| {
        let policy = Policy::parse(&dirs(moved.path().to_str().unwrap(), true)).unwrap();
        Requests::of(&bench.path("loop"), &policy, &[own])
    };
    requests(&above.join("config")).unwrap();
    let error = requests(&moved.path().join("not/there/yet")).unwrap_err();
    assert!(matches!(error, GrantError::Kept { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn links_do_not_get_around_what_is_kept() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    symlink("../doors", bench.path("loop/lists/doors")).unwrap();
    bench.refused("lists/doors");

    fs::remove_dir(bench.path("loop/doors")).unwrap();
    symlink("../elsewhere", bench.path("loop/doors")).unwrap();
    bench.refused("../elsewhere");

    fs::create_dir(bench.path("loop/data")).unwrap();
    fs::rename(
        bench.path("loop/loop.txt"),
        bench.path("loop/data/loop.txt"),
    )
    .unwrap();
    symlink("data/loop.txt", bench.path("loop/loop.txt")).unwrap();
    bench.refused("data");
}

#[cfg(unix)]
#[test]
fn a_folder_replaced_by_a_link_is_noticed() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    fs::create_dir_all(bench.path("loop/data/lists")).unwrap();
    let requests = bench.dir("data/lists", false).unwrap();
    let dir = requests
        .grant(&bench.allowances(), nothing)
        .unwrap()
        .of("a")
        .dirs
        .remove(0);
    dir.check().unwrap();
    fs::remove_dir(bench.path("loop/data/lists")).unwrap();
    symlink("../../elsewhere", bench.path("loop/data/lists")).unwrap();
    assert!(matches!(dir.check(), Err(GrantError::Moved { .. })));
}

#[test]
fn an_allowance_is_of_one_loop_and_can_be_taken_back() {
    let bench = Bench::new();
    let policy = "[door.a]\nclock = \"real\"\n";
    let requests = bench.requests(policy).unwrap();
    bench.allowances().allow(&requests).unwrap();
    let other = Requests::of(
        &bench.path("elsewhere"),
        &Policy::parse(policy).unwrap(),
        &[],
    );
    assert!(!bench.allowances().allows(&other.unwrap()).unwrap());
    assert!(bench.allowances().revoke(&bench.path("loop")).unwrap());
    assert!(!bench.allowances().allows(&requests).unwrap());
    assert!(!bench.allowances().revoke(&bench.path("loop")).unwrap());
    assert_eq!(
        fs::read_dir(bench.path("config")).unwrap().count(),
        2,
        "nothing is left over"
    );
}

#[test]
fn allowances_that_cannot_be_read_allow_nothing() {
    let bench = Bench::new();
    let requests = bench.requests("[door.a]\nclock = \"real\"\n").unwrap();
    for (text, message) in [
        ("{", "is not what doorlist writes there"),
        ("", "is not what doorlist writes there"),
        (
            "{\"version\": 9}",
            "has version 9, and this doorlist reads version 1",
        ),
    ] {
        fs::write(bench.path("config/allowed.json"), text).unwrap();
        for error in [
            bench.allowances().allows(&requests).unwrap_err(),
            bench.allowances().allow(&requests).unwrap_err(),
        ] {
            assert!(error.to_string().contains(message), "{error}");
        }
        assert_eq!(
            fs::read_to_string(bench.path("config/allowed.json")).unwrap(),
            text
        );
    }
}

#[test]
fn a_loop_cannot_bring_its_own_allowances() {
    let bench = Bench::new();
    let requests = bench.requests("[door.a]\nclock = \"real\"\n").unwrap();
    let inside = Allowances::in_dir(&bench.path("loop/doors"));
    assert!(matches!(
        inside.allow(&requests),
        Err(AllowanceError::InsideLoop { .. })
    ));
    assert!(matches!(
        inside.allows(&requests),
        Err(AllowanceError::InsideLoop { .. })
    ));
}

#[test]
fn a_folder_gets_no_more_than_the_host_wide_policy_offers() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("elsewhere/below")).unwrap();
    let host = |offer: &str| Ceiling::parse(&format!("[door.\"*\"]\n{offer}\n")).unwrap();
    let own = [bench.path("cache"), bench.path("config")];
    let own: Vec<&Path> = own.iter().map(PathBuf::as_path).collect();
    let asks = |ceiling: &Ceiling, folder: &str| {
        let policy = ceiling.over(Policy::parse(folder).unwrap()).unwrap();
        Requests::of(&bench.path("loop"), &policy, &own)
    };
    let refused = |ceiling: &Ceiling, folder: &str| {
        let error = asks(ceiling, folder).expect_err(folder).to_string();
        assert!(
            error.ends_with("which the host-wide policy does not offer it"),
            "{error}"
        );
        assert!(error.starts_with("policy.toml, line 1, column "), "{error}");
    };
    let elsewhere = bench.path("elsewhere");
    let elsewhere = elsewhere.to_str().unwrap().escape_default();

    let nothing = host("");
    for asked in [
        dirs("data", false),
        dirs("../elsewhere", false),
        "[door.a]\nenv = { LANG = \"en\" }\n".to_owned(),
        "[door.a]\nclock = \"real\"\n".to_owned(),
        "[door.a]\nrandom = \"real\"\n".to_owned(),
        "[door.a]\nhosts = [\"https://a.example.com\"]\n".to_owned(),
        "[door.a]\nconfig = { city = \"Paris\" }\n".to_owned(),
    ] {
        refused(&nothing, &asked);
    }

    let to_read = host(&format!(
        "dirs = [{{ host = \"{elsewhere}\", guest = \"/x\" }}]"
    ));
    asks(&to_read, &dirs("../elsewhere", false)).unwrap();
    asks(&to_read, &dirs("../elsewhere/below", false)).unwrap();
    refused(&to_read, &dirs("../elsewhere", true));
    refused(&to_read, &dirs("..", false));
    refused(&to_read, &dirs("data", false));

    let its_own = host("dirs = [{ host = \"data\", guest = \"/data\", write = true }]");
    asks(&its_own, &dirs("data", true)).unwrap();
    refused(&its_own, &dirs("../elsewhere", false));

    let language = host("env = { LANG = \"en\" }\nclock = \"real\"");
    let asked = "[door.a]\nclock = \"real\"\nenv = { LANG = \"en\" }\n";
    // Offered is not allowed: a person is still asked.
    assert_eq!(asks(&language, asked).unwrap().beyond_data().len(), 2);
    refused(&language, "[door.a]\nenv = { LANG = \"de\" }\n");
    refused(&language, "[door.a]\nrandom = \"real\"\n");

    let hosts = |hosts: &str| format!("[door.a]\nhosts = [{hosts}]\n");
    let some = host("hosts = [\"https://*.example.com\", \"http://localhost:1\"]");
    asks(
        &some,
        &hosts("\"https://a.example.com\", \"http://localhost:1\""),
    )
    .unwrap();
    asks(&some, &hosts("\"https://*.example.com\"")).unwrap();
    refused(
        &some,
        &hosts("\"https://a.example.com\", \"https://example.com\""),
    );
    refused(&some, &hosts("\"http://a.example.com\""));
    refused(
        &host("hosts = [\"https://a.b.c\"]"),
        &hosts("\"https://*.b.c\""),
    );

    let city = host("config = { city = \"Paris\" }");
    asks(&city, "[door.a]\nconfig = { city = \"Paris\" }\n").unwrap();
    refused(&city, "[door.a]\nconfig = { city = \"Rome\" }\n");
    refused(&city, "[door.a]\nconfig = { town = \"Paris\" }\n");

    let secrets = |secret: &str| {
        format!("hosts = [\"https://a.b\"]\nsecrets = [{{ host = \"https://a.b\", {secret} }}]")
    };
    let bearer = "header = \"authorization\", prefix = \"Bearer \", from = \"env:TOKEN\"";
    let token = host(&secrets(bearer));
    let asked = |secret: &str| format!("[door.a]\n{}\n", secrets(secret));
    asks(&token, &asked(bearer)).unwrap();
    for other in [
        "header = \"authorization\", prefix = \"Bearer \", from = \"env:OTHER\"",
        "header = \"authorization\", from = \"env:TOKEN\"",
        "header = \"x-key\", prefix = \"Bearer \", from = \"env:TOKEN\"",
        "query = \"authorization\", from = \"env:TOKEN\"",
    ] {
        refused(&token, &asked(other));
    }

    // A door that no pattern fits is bounded by none.
    let other = Ceiling::parse("[door.b]\n").unwrap();
    asks(&other, &dirs("../elsewhere", true)).unwrap();
}

#[test]
fn hosts_and_values_are_shown_and_a_secret_is_named_but_not_told() {
    let bench = Bench::new();
    let text = "[door.a]\nhosts = [\"https://API.example.com:443\"]\nconfig = { city = \"Paris\" }\n\
        secrets = [{ host = \"https://api.example.com\", header = \"authorization\", \
        prefix = \"Bearer \", from = \"env:TOKEN\" }]\n";
    let requests = bench.requests(text).unwrap();
    let shown = requests.beyond_data().iter().map(ToString::to_string);
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "a may send requests to https://api.example.com",
            "a is configured with city = Paris",
            "requests of a to https://api.example.com carry your TOKEN in the header authorization: \
             Bearer …; a does not see it",
        ]
    );
    bench.allowances().allow(&requests).unwrap();
    let token = |value: &'static str| {
        requests.grant(&bench.allowances(), move |name| {
            (name == "TOKEN").then(|| value.to_owned())
        })
    };
    let grants = token("0123456789").unwrap().of("a");
    assert_eq!(grants.secrets[0].value, Secret::new("0123456789").unwrap());
    assert_eq!(grants.config["city"], "Paris");
    assert!(!requests.is_pure("a"));
    for (error, why) in [
        (
            token("short").unwrap_err(),
            "expected at least 8 characters",
        ),
        (
            requests.grant(&bench.allowances(), nothing).unwrap_err(),
            "expected a secret, found nothing; set it where doorlist is started",
        ),
    ] {
        let expected = format!(
            "policy.toml, line 4, column 12: `from` in secrets of [door.\"a\"]: the environment \
             variable TOKEN: {why}"
        );
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?}").contains("short"));
    }
}
