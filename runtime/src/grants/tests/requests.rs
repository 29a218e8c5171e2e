//! What a folder asks for, and what of it is shown.

use super::*;

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
fn what_a_door_keeps_for_a_run_is_granted_at_once_and_ends_that_it_is_pure() {
    let bench = Bench::new();
    let requests = bench.requests("[door.a]\nkv = true\n[door.b]\nkv = false\n");
    let requests = requests.unwrap();
    assert_eq!(requests.beyond_data(), []);
    let grants = requests.grant(&bench.allowances(), nothing).unwrap();
    assert!(grants.of("a").kv && !requests.is_pure("a"));
    assert!(grants.of("b").is_none() && requests.is_pure("b"));
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
    let origin = "https://api.example.com".parse().unwrap();
    let secrets: Vec<_> = grants.secrets.of(&origin).collect();
    assert_eq!(secrets[0].value, Secret::new("0123456789").unwrap());
    assert_eq!(grants.config["city"], "Paris");
    assert!(!requests.is_pure("a"));
    let lacking = |grants: FolderGrants| grants.of("a").secrets.lacking().unwrap().to_owned();
    for (told, why) in [
        (
            lacking(token("short").unwrap()),
            "expected at least 8 characters",
        ),
        (
            lacking(requests.grant(&bench.allowances(), nothing).unwrap()),
            "expected a secret, found nothing; set it where doorlist is started",
        ),
    ] {
        let expected = format!(
            "policy.toml, line 4, column 12: `from` in secrets of [door.\"a\"]: the environment \
             variable TOKEN: {why}"
        );
        assert_eq!(told, expected);
    }
    assert_eq!(token("0123456789").unwrap().of("a").secrets.lacking(), None);
}
