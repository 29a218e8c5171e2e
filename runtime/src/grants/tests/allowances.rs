//! What a person has allowed: to this loop, exactly this, until it is taken back.

use super::*;

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
