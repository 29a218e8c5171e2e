//! What the host-wide policy offers bounds what may be asked for.

use super::*;

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

    let keeping = "[door.a]\nkv = true\n";
    // It leaves nothing outside of the run, so that nobody is asked.
    assert_eq!(asks(&host("kv = true"), keeping).unwrap().beyond_data(), []);
    refused(&language, keeping);

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
