use std::time::Duration;

use super::*;

const WHOLE: &str = r#"
[ask]
first = ["shopping.checkout", "bank.*"]
expires = "30 min"
by = ["terminal", "client"]
[limits]
fuel = 1_000
memory = "64 MiB"
time = "1s 500ms"
output = "100 kB"
host-calls = 2_000
resources = 30
table-elements = 400
[lock]
keys = ["ed25519:AAAA"]
[door."shopping.add"]
dirs = [
  { host = "data", guest = "/data", write = true },
  { host = "../lists", guest = "/lists" },
]
env = { LANG = "en" }
clock = "real"
random = "recorded"
concurrent = true
"#;

#[test]
fn every_key_is_read() {
    let policy = Policy::parse(WHOLE).unwrap();
    let limits = Limits {
        fuel: 1_000,
        memory: 64 * 1024 * 1024,
        time: Duration::from_millis(1500),
        output: 100_000,
        host_calls: 2_000,
        resources: 30,
        table_elements: 400,
    };
    assert_eq!(policy.keys()[0].0, "ed25519:AAAA");
    assert_eq!(policy.limits(), &limits);
    assert_eq!(policy.ask().expires, Duration::from_secs(1800));
    assert_eq!(policy.ask().by, [Approver::Terminal, Approver::Client]);
    let door = policy.grants("shopping.add");
    assert_eq!((door.clock, door.random), (Source::Real, Source::Recorded));
    assert_eq!((door.env["LANG"].as_str(), door.concurrent), ("en", true));
    let dirs: Vec<_> = door
        .dirs
        .iter()
        .map(|d| (&*d.host, &*d.guest, d.write))
        .collect();
    assert_eq!(
        dirs,
        [("data", "/data", true), ("../lists", "/lists", false)]
    );
    assert_eq!(
        door.dirs[1].place,
        Place {
            line: 19,
            column: 3
        }
    );
    assert_eq!(policy.not_offered(), []);
}

#[test]
fn without_a_file_the_defaults_hold() {
    let policy = Policy::parse("").unwrap();
    assert_eq!(policy, Policy::default());
    assert!(!policy.asks("fridge.count"));
    assert_eq!(policy.grants("fridge.count"), &DoorPolicy::default());
    assert_eq!(policy.limits().fuel, 500_000_000);
    assert_eq!(policy.ask().by, [Approver::Terminal, Approver::Page]);
}

#[test]
fn a20_asked_first_doors_are_named_or_matched() {
    let policy = Policy::parse(WHOLE).unwrap();
    for (door, asked) in [
        ("shopping.checkout", true),
        ("shopping.checkout2", false),
        ("shopping.Checkout", false),
        ("bank.pay", true),
        ("bank.account.pay", true),
        ("bank", false),
        ("river.bank.pay", false),
    ] {
        assert_eq!(policy.asks(door), asked, "{door}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (text, message) in [
        (
            "[limit]\n",
            "line 1, column 2: unknown key `limit` in policy.toml (did you mean `limits`?)",
        ),
        (
            "[limits]\nfeul = 1",
            "line 2, column 1: unknown key `feul` in [limits] (did you mean `fuel`?)",
        ),
        (
            "[limits]\ncolour = 1",
            "column 1: unknown key `colour` in [limits]; expected one of fuel, memory",
        ),
        (
            "[ask]\n  frist = []",
            "line 2, column 3: unknown key `frist` in [ask] (did you mean `first`?)",
        ),
        (
            "[door.\"a.b\"]\ndir = []",
            "unknown key `dir` in [door.\"a.b\"] (did you mean `dirs`?)",
        ),
        (
            "[door.a]\ndirs = [{ host = \"é\", geust = \"/\" }]",
            "line 2, column 23: unknown key `geust` in dirs of [door.\"a\"] (did you mean `guest`?)",
        ),
        (
            "[door.a]\nsecrets = [{ form = \"x\" }]",
            "did you mean `from`?",
        ),
        (
            "[limits]\nfuel = \"x\"",
            "line 2, column 8: invalid type: string \"x\", expected i64",
        ),
        (
            "[limits]\nfuel = 0",
            "line 2, column 8: `fuel`: expected a whole number above 0, found `0`",
        ),
        (
            "[limits]\nfuel = -1",
            "`fuel`: expected a whole number above 0, found `-1`",
        ),
        (
            "[limits]\nmemory = \"64 Mib of\"",
            "`memory`: expected a size such as \"64 MiB\"",
        ),
        ("[limits]\noutput = \"0\"", "`output`: expected a size"),
        (
            "[limits]\nhost-calls = 0",
            "`host-calls`: expected a whole number above 0",
        ),
        (
            "[limits]\ntime = \"10\"",
            "`time`: expected a time such as \"10 s\" or \"24h\", found `10`",
        ),
        ("[ask]\nexpires = \"0s\"", "`expires`: expected a time"),
        (
            "[ask]\nfirst = [\"a.{b,c}\"]",
            "line 2, column 10: `first`: expected a door's name",
        ),
        (
            "[ask]\nby = [\"anyone\"]",
            "line 2, column 7: unknown variant `anyone`",
        ),
        (
            "[door.a]\nclock = \"fast\"",
            "unknown variant `fast`, expected `recorded` or `real`",
        ),
        (
            "[door.a]\ndirs = [{ host = \"data\" }]",
            "missing field `guest`",
        ),
        (
            "[door.a]\ndirs = [{ host = \"\", guest = \"/\" }]",
            "`host`: expected the path of a folder",
        ),
        (
            "[door.a]\ndirs = [{ host = \"d\", guest = \"data\" }]",
            "`guest`: expected an absolute path",
        ),
        (
            "[door.a]\ndirs = [{ host = \"d\", guest = \"/a/../b\" }]",
            "`guest`: expected an absolute",
        ),
        (
            "[door.a]\ndirs = [{ host = \"d\", guest = \"/d\" }, { host = \"e\", guest = \"/d\" }]",
            "`guest`: expected a path that no other of this door's dirs has, found `/d`",
        ),
        (
            "[door.a]\nenv = { \"A=B\" = \"x\" }",
            "`env`: expected a variable's name without `=`",
        ),
        ("[ask\n", "line 1, column 5: "),
        ("[ask]\n[ask]\n", "line 2, column 2: "),
        ("ask = 1", "line 1, column 7: invalid type: integer `1`"),
    ] {
        let found = Policy::parse(text).expect_err(text).to_string();
        assert!(found.starts_with("policy.toml, line "), "{found}");
        assert!(
            found.contains(message),
            "{text}\n  expected {message}\n  found    {found}"
        );
    }
}

#[test]
fn of_several_unknown_keys_the_first_in_the_file_is_named() {
    let text = "[limits]\nzzz = 1\naaa = 1\n[ask]\nbbb = 1";
    let error = Policy::parse(text).unwrap_err();
    assert!(
        matches!(&error, PolicyError::UnknownKey { key, .. } if key == "zzz"),
        "{error}"
    );
}

#[test]
fn keys_of_later_versions_are_told_honestly() {
    let text = "[door.\"a.b\"]\nhosts = [\"https://x\"]\nconfig = { c = \"d\" }\n\
                secrets = [{ host = \"https://x\", query = \"k\", from = \"env:K\" }]\n\
                effect = \"outside\"\n";
    let policy = Policy::parse(text).unwrap();
    let keys: Vec<_> = policy
        .not_offered()
        .iter()
        .map(|n| (n.key, n.place.line))
        .collect();
    assert_eq!(
        keys,
        [("hosts", 2), ("config", 3), ("secrets", 4), ("effect", 5)]
    );
    assert_eq!(
        policy.not_offered()[0].to_string(),
        "policy.toml, line 2, column 9: `hosts` of the door `a.b`: this version grants no \
         network; remove the key to run without it"
    );
}

#[test]
fn a_name_that_fits_nothing_is_a_warning_or_an_error() {
    let text = "[ask]\nfirst = [\"shopping.checkuot\", \"bank.*\", \"shoping.*\", \"fridge.*\"]\n\
                [door.\"fridge.cuont\"]\n[door.\"garage.open\"]\n[door.\"fridge.count\"]\n";
    let policy = Policy::parse(text).unwrap();
    let doors = ["fridge.count", "shopping.checkout"];
    let strangers = policy.strangers(&doors, &doors);
    let found: Vec<_> = (strangers.iter())
        .map(|s| {
            (
                s.name.as_str(),
                s.place.line,
                s.meant.as_deref(),
                s.is_error(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("shopping.checkuot", 2, Some("shopping.checkout"), true),
            ("bank.*", 2, None, false),
            ("shoping.*", 2, Some("shopping.checkout"), true),
            ("fridge.cuont", 3, Some("fridge.count"), true),
            ("garage.open", 4, None, false),
        ]
    );
    assert_eq!(
        strangers[0].to_string(),
        "policy.toml, line 2, column 10: first in [ask]: no door is named `shopping.checkuot`; \
         the listed door `shopping.checkout` was probably meant"
    );
    let unlisted = policy.strangers(&doors, &["fridge.count"]);
    assert!(
        !unlisted[0].is_error(),
        "a door that is not listed cannot be opened at all"
    );
}
