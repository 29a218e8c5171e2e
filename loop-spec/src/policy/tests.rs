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
network = "5 MiB"
[lock]
keys = ["ed25519:AAAA"]
[door."shopping.add"]
dirs = [
  { host = "data", guest = "/data", write = true },
  { host = "../lists", guest = "/lists" },
]
hosts = ["https://api.example.com", "https://*.example.org:8443"]
env = { LANG = "en" }
config = { city = "Paris" }
secrets = [
  { host = "https://api.example.com", header = "Authorization", prefix = "Bearer ", from = "env:TOKEN" },
  { host = "https://x.example.org:8443", query = "appid", from = "env:ID" },
]
clock = "real"
random = "recorded"
kv = true
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
        network: 5 * 1024 * 1024,
    };
    assert_eq!(policy.keys()[0].0, "ed25519:AAAA");
    assert_eq!(policy.limits(), &limits);
    assert_eq!(policy.ask().expires, Duration::from_secs(1800));
    assert_eq!(policy.ask().by, [Approver::Terminal, Approver::Client]);
    let door = policy.grants("shopping.add");
    assert_eq!((door.clock, door.random), (Source::Real, Source::Recorded));
    assert_eq!(
        (door.env["LANG"].as_str(), door.marks.concurrent),
        ("en", true)
    );
    assert!(door.kv && !policy.grants("other.door").kv);
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
            line: 20,
            column: 3
        }
    );
    let hosts: Vec<_> = door.hosts.iter().map(ToString::to_string).collect();
    assert_eq!(
        hosts,
        ["https://api.example.com", "https://*.example.org:8443"]
    );
    assert_eq!(door.config["city"], "Paris");
    let secrets = door.secrets.iter();
    let secrets = secrets.map(|s| (s.origin.to_string(), s.put.clone(), &*s.variable));
    let header = SecretPlace::Header {
        name: "authorization".to_owned(),
        prefix: "Bearer ".to_owned(),
    };
    let query = SecretPlace::Query {
        name: "appid".to_owned(),
    };
    assert_eq!(
        secrets.collect::<Vec<_>>(),
        [
            ("https://api.example.com".to_owned(), header, "TOKEN"),
            ("https://x.example.org:8443".to_owned(), query, "ID"),
        ]
    );
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
            "line 2, column 8: expected a whole number, found the text \"x\"",
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
            "line 2, column 7: expected one of `terminal`, `page`, `client`, found `anyone`",
        ),
        (
            "[door.a]\nclock = \"fast\"",
            "expected `recorded` or `real`, found `fast`",
        ),
        (
            "[door.a]\ndirs = [{ host = \"data\" }]",
            "expected the key `guest`, found none",
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
        (
            "[door.a]\nhosts = [\"api.example.com\"]",
            "line 2, column 10: `hosts`: expected a host such as \"https://api.example.com\"",
        ),
        (
            "[door.a]\nsecrets = [{ host = \"https://b.c\", header = \"x-key\", from = \"env:K\" }]",
            "`host`: expected one of this door's `hosts`, found `https://b.c`",
        ),
        (
            "[door.a]\nhosts = [\"http://b.c\"]\n\
             secrets = [{ host = \"http://b.c\", header = \"x-key\", from = \"env:K\" }]",
            "`host`: expected https, since anybody on the way could read the secret",
        ),
        (
            "[door.a]\nhosts = [\"https://b.c\"]\n\
             secrets = [{ host = \"https://b.c\", header = \"Host\", from = \"env:K\" }]",
            "`header`: expected a header such as \"authorization\", found `Host`",
        ),
        (
            "[door.a]\nhosts = [\"https://b.c\"]\n\
             secrets = [{ host = \"https://b.c\", header = \"x\", prefix = \"\\n\", from = \"env:K\" }]",
            "`prefix`: expected ASCII letters such as \"Bearer \", found `\\n`",
        ),
        (
            "[door.a]\nhosts = [\"https://b.c\"]\n\
             secrets = [{ host = \"https://b.c\", header = \"x\", query = \"y\", from = \"env:K\" }]",
            "line 3, column 12: `secrets`: expected `header` (with a `prefix` if there is one) or `query`",
        ),
        (
            "[door.a]\nhosts = [\"https://b.c\"]\n\
             secrets = [{ host = \"https://b.c\", header = \"x\", from = \"TOKEN\" }]",
            "`from`: expected a variable such as \"env:TOKEN\", found `TOKEN`",
        ),
        ("[ask\n", "line 1, column 5: "),
        ("[ask]\n[ask]\n", "line 2, column 2: "),
        (
            "ask = 1",
            "line 1, column 7: expected a table, found the number `1`",
        ),
        (
            "[door.a]\ndirs = [\"data\"]",
            "expected a table such as { host = \"data\", guest = \"/data\" }, found the text \"data\"",
        ),
        (
            "[door.fridge.count]\nclock = \"real\"",
            "line 1, column 14: expected a door's name in quotes, [door.\"fridge.count\"], found \
             [door.fridge.count]",
        ),
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
fn what_a_door_is_like_is_one_word_each() {
    let text =
        "[door.\"web.get\"]\nsource = \"untrusted\"\n[door.\"shop.buy\"]\neffect = \"outside\"\n";
    let policy = Policy::parse(text).unwrap();
    assert!(policy.grants("web.get").marks.untrusted && !policy.grants("web.get").marks.outside);
    assert!(policy.grants("shop.buy").marks.outside);
    let wrong = Policy::parse(&text.replace("outside", "inside")).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "policy.toml, line 4, column 10: `effect`: expected \"outside\", found `inside`"
    );
}

#[test]
fn a_mark_that_makes_careful_holds_if_either_policy_says_so() {
    let marked = "[door.\"a.b\"]\nsource = \"untrusted\"\neffect = \"outside\"\n";
    let plain = "[door.\"a.b\"]\nclock = \"recorded\"\n";
    for (host, folder) in [(marked, plain), (plain, marked)] {
        let folder = Policy::parse(folder).unwrap();
        let policy = Ceiling::parse(host).unwrap().over(folder).unwrap();
        let marks = policy.grants("a.b").marks;
        assert!(marks.untrusted && marks.outside);
    }
}

#[test]
fn a_name_that_fits_nothing_is_a_warning_or_an_error() {
    let text = "[ask]\nfirst = [\"shopping.checkuot\", \"bank.*\", \"shoping.*\", \"fridge.*\"]\n\
                [door.\"fridge.cuont\"]\n[door.\"garage.open\"]\n[door.\"fridge.count\"]\n\
                [door.\"fridge.*\"]\n";
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
            ("fridge.*", 6, Some("fridge.count"), true),
            ("fridge.cuont", 3, Some("fridge.count"), true),
            ("garage.open", 4, None, false),
        ]
    );
    assert!(
        strangers[3]
            .to_string()
            .ends_with("names each door whole, such as `fridge.count`")
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

/// The merged policy of a host's and a folder's.
fn under(host: &str, folder: &str) -> Policy {
    let folder = Policy::parse(folder).unwrap();
    Ceiling::parse(host).unwrap().over(folder).unwrap()
}

#[test]
fn a_host_wide_policy_without_keys_changes_nothing() {
    let alone = Policy::parse(WHOLE).unwrap();
    assert_eq!(under("", WHOLE), alone);
    assert_eq!(under("", ""), Policy::default());
}

#[test]
fn how_components_are_compiled_is_the_hosts_alone() {
    let compile = |text: &str| Ceiling::parse(text).unwrap().compile().cloned();
    assert_eq!(compile(""), None);
    assert_eq!(compile("[compile]\nmemory = \"1 GiB\"\n"), None);
    let text = "[compile]\napart = true\nmemory = \"1 GiB\"\n";
    let limits = CompileLimits {
        memory: 1 << 30,
        time: DEFAULT_COMPILE_TIME,
    };
    assert_eq!(compile(text), Some(limits));
    let folder = Policy::parse(text).unwrap_err().to_string();
    assert!(
        folder.contains("line 1, column 2: unknown key `compile`"),
        "{folder}"
    );
    let wrong = Ceiling::parse("[compile]\napart = true\ntime = \"0s\"\n").unwrap_err();
    assert!(
        wrong.to_string().contains("`time`: expected a time"),
        "{wrong}"
    );
    let unknown = Ceiling::parse("[compile]\naprat = true\n").unwrap_err();
    assert!(
        unknown.to_string().contains("did you mean `apart`?"),
        "{unknown}"
    );
}

#[test]
fn asked_first_is_what_either_names() {
    let policy = under(
        "[ask]\nfirst = [\"bank.*\"]\n",
        "[ask]\nfirst = [\"shop.buy\"]\n",
    );
    let asked = ["bank.pay", "shop.buy", "shop.list"].map(|door| policy.asks(door));
    assert_eq!(asked, [true, true, false]);
    // What the host names need not be a door of this folder.
    let strangers = policy.strangers(&["shop.buy"], &[]);
    assert!(strangers.is_empty(), "{strangers:?}");
}

#[test]
fn a_question_expires_at_the_shorter_time_and_is_answered_by_who_both_trust() {
    let host = "[ask]\nexpires = \"1h\"\nby = [\"terminal\"]\n";
    let ask = |folder| under(host, folder).ask().clone();
    assert_eq!(ask("").expires, Duration::from_secs(3600));
    assert_eq!(
        ask("[ask]\nexpires = \"1 min\"\n").expires,
        Duration::from_secs(60)
    );
    assert_eq!(
        ask("[ask]\nexpires = \"9h\"\n").expires,
        Duration::from_secs(3600)
    );
    assert_eq!(ask("").by, [Approver::Terminal]);
    assert_eq!(
        ask("[ask]\nby = [\"client\", \"terminal\"]\n").by,
        [Approver::Terminal]
    );
    assert_eq!(ask("[ask]\nby = [\"client\"]\n").by, []);
}

#[test]
fn each_limit_is_the_smaller() {
    let small = "[limits]\nfuel = 1\nmemory = \"1 B\"\ntime = \"1s\"\noutput = \"1 B\"\n\
        host-calls = 1\nresources = 1\ntable-elements = 1\nnetwork = \"1 B\"\n";
    let large = "[limits]\nfuel = 900_000_000\nmemory = \"9 GB\"\ntime = \"90s\"\noutput = \"9 MB\"\n\
        host-calls = 9_000_000\nresources = 90_000\ntable-elements = 90_000\n\
        network = \"9 GB\"\n";
    let limits = |policy: &str| Policy::parse(policy).unwrap().limits().clone();
    assert_eq!(under(small, large).limits(), &limits(small));
    assert_eq!(under(large, small).limits(), &limits(small));
    // A folder that says nothing keeps the defaults, which are smaller than these.
    assert_eq!(under(large, "").limits(), &Limits::default());
    assert_eq!(under("", large).limits(), &limits(large));
}

#[test]
fn a_signature_is_by_a_key_of_both() {
    let keys = |policy: &Policy| {
        let keys = policy.keys().iter();
        keys.map(|(key, _)| key.clone()).collect::<Vec<_>>()
    };
    let host = "[lock]\nkeys = [\"a\", \"b\"]\n";
    assert_eq!(keys(&under(host, "")), ["a", "b"]);
    assert_eq!(keys(&under("", host)), ["a", "b"]);
    assert_eq!(keys(&under(host, "[lock]\nkeys = [\"c\", \"b\"]\n")), ["b"]);
    let other = Policy::parse("[lock]\nkeys = [\"c\"]\n").unwrap();
    let refused = Ceiling::parse(host).unwrap().over(other).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "policy.toml, line 2, column 9: `keys`: expected one of the host-wide policy's keys, found \
         none of them"
    );
}

#[test]
fn what_is_offered_to_a_door_is_what_every_fitting_pattern_offers() {
    let host = "[door.\"shop.*\"]\nclock = \"real\"\n[door.\"*.buy\"]\nconcurrent = true\n";
    let folder = "[door.\"shop.buy\"]\nconcurrent = true\n[door.\"shop.list\"]\nconcurrent = true\n\
        [door.\"bank.pay\"]\nconcurrent = true\n";
    let policy = under(host, folder);
    let offers = |door| policy.offered(door).map(|offered| offered.offers.len());
    assert_eq!(
        ["shop.buy", "shop.list", "bank.pay"].map(offers),
        [Some(2), Some(1), None]
    );
    let concurrent = |door| policy.grants(door).marks.concurrent;
    assert_eq!(
        ["shop.buy", "shop.list", "bank.pay"].map(concurrent),
        [true, false, true]
    );
    let wrong = Ceiling::parse("[door.\"shop.{a,b}\"]\n").unwrap_err();
    assert!(
        wrong.to_string().contains("`door`: expected a door's name"),
        "{wrong}"
    );
}

#[test]
fn every_fault_is_told_that_can_be_found() {
    let text = "[limits]\nfuel = \"x\"\nmemroy = \"1 MiB\"\n[ask]\nexpires = \"soon\"\n\
        [door.\"a.b\"]\nclock = \"fast\"\nrandom = \"real\"\n";
    let told: Vec<String> = Policy::faults(text)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(told.len(), 4, "{told:#?}");
    for part in ["line 2, ", "line 3, ", "line 5, ", "line 7, "] {
        assert!(
            told.iter().any(|told| told.contains(part)),
            "{part}: {told:#?}"
        );
    }
    assert_eq!(Policy::faults("[limits]\nfuel = 1\n"), []);
}

#[test]
fn the_host_wide_policy_says_where_models_are_asked_and_where_keys_are() {
    let host = Ceiling::parse(
        "[model.openai]\nendpoint = \"https://a.b/v1\"\nkey = \"env:KEY\"\n[model.gemini]\nkey = \
         \"file:/k\"\n",
    )
    .unwrap();
    let openai = host.model("openai").unwrap();
    assert_eq!(openai.endpoint.as_deref(), Some("https://a.b/v1"));
    assert_eq!(openai.key, Some(KeyFrom::Variable("KEY".to_owned())));
    let gemini = host.model("gemini").unwrap();
    assert_eq!(gemini.key, Some(KeyFrom::File("/k".to_owned())));
    assert_eq!(host.model("anthropic"), None);
    let wrong = |text| Ceiling::parse(text).unwrap_err().to_string();
    let said = wrong("[model.openai]\nkey = \"sk-0123456789\"");
    assert!(
        said.contains("`env:NAME` or `file:PATH`") && !said.contains("sk-"),
        "{said}"
    );
    let said = wrong("[model.openal]\nkey = \"env:A\"");
    assert!(said.contains("openal") && said.contains("openai"), "{said}");
    let said = wrong("[model.openai]\nkeys = \"env:A\"");
    assert!(said.contains("[model.openai]"), "{said}");
    // A folder's policy has no word in it.
    let said = Policy::parse("[model.openai]\nkey = \"env:A\"")
        .unwrap_err()
        .to_string();
    assert!(said.contains("`model`"), "{said}");
}
