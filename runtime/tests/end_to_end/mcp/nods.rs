//! Calls that a person must be asked about first.

use rmcp::model::{ElicitResult, ElicitationAction};
use serde_json::json;

use super::client::{Person, asking, called, client, client_within, nod};
use crate::laid::{LOOP, Laid};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_for_a_nod_uses_it_when_it_is_made_again() {
    let laid = asking();
    let client = client(&laid, Person::answering(Some(nod(true)))).await;
    let add = || called(&client, "shopping__add", json!({ "item": "milk" }));
    let waiting = |answer: (bool, String), ask: &str| {
        assert!(!answer.0, "{}", answer.1);
        let told = format!("waiting for a nod: run `doorlist nod {ask} -C ");
        assert!(answer.1.starts_with(&told), "{}", answer.1);
        assert!(answer.1.ends_with("`, then call again"), "{}", answer.1);
    };
    waiting(add().await, "s1.1");
    // The same call attaches to the open question, another one asks anew.
    waiting(add().await, "s1.1");
    let eggs = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    waiting(eggs, "s1.2");
    // Meanwhile the other doors open.
    let counted = called(&client, "fridge__count", json!({ "items": [] })).await;
    assert_eq!(counted, (true, "[]".to_owned()));

    let sessions = laid.doorlist(["sessions", LOOP]);
    sessions
        .stdout_has("   1  a test 1, 3 calls, ")
        .stdout_has(
            "      waits for a nod: doorlist nod s1.1 -C loop\n        shopping.add must be asked first.",
        )
        .stdout_has("          {\"item\":\"eggs\"}\n")
        .call();
    let given = laid.doorlist(["nod", "s1.1", "-C", LOOP]);
    given
        .stderr_has(
            "shopping.add must be asked first. It would be opened with\n  {\"item\":\"milk\"}",
        )
        .stderr_has("it may open, this once. The client is told when it calls again.")
        .call();
    let again = laid.doorlist(["nod", "s1.1", "-C", LOOP]);
    again
        .exit(1)
        .stderr_has("expected a call that waits for a nod, found s1.2")
        .call();
    assert_eq!(add().await, (true, "milk is on the list".to_owned()));
    // It is used once.
    waiting(add().await, "s1.4");
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");

    laid.doorlist(["deny", "s1.2", "-C", LOOP])
        .stderr_has("denied")
        .call();
    let denied = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    assert_eq!(
        denied,
        (
            false,
            "denied: a person was asked first and said no.".to_owned()
        )
    );
    let eggs = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    waiting(eggs, "s1.5");

    // A nod is for the bytes that were shown.
    laid.doorlist(["nod", "s1.5", "-C", LOOP])
        .stderr_has("")
        .call();
    let other = std::fs::read(laid.path("doors/fridge.wasm")).unwrap();
    laid.write("doors/shopping.wasm", other);
    let swapped = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    assert!(!swapped.0, "{}", swapped.1);
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_answers_only_where_the_policy_lets_it() {
    let laid = asking();
    let person = Person::answering(Some(nod(true)));
    let add = json!({ "item": "milk" });
    let client = client_within(&laid, person.clone()).await;
    let answer = called(&client, "shopping__add", add.clone()).await;
    assert!(answer.1.starts_with("waiting for a nod"), "{}", answer.1);
    assert!(
        person.asked.lock().unwrap().is_empty(),
        "it was not even asked"
    );

    laid.edit(
        "policy.toml",
        "[ask]",
        "[ask]\nby = [\"terminal\", \"client\"]",
    );
    for (answers, told, opened) in [
        (Some(nod(true)), "milk is on the list", true),
        (
            Some(nod(false)),
            "denied: a person was asked first and said no.",
            false,
        ),
        // What a client may do by itself is no denial: the question stays.
        (
            Some(ElicitResult::new(ElicitationAction::Decline)),
            "waiting for a nod",
            false,
        ),
        (
            Some(ElicitResult::new(ElicitationAction::Cancel)),
            "waiting for a nod",
            false,
        ),
        (
            Some(ElicitResult::new(ElicitationAction::Accept)),
            "waiting for a nod",
            false,
        ),
        (None, "waiting for a nod", false),
    ] {
        let person = Person::answering(answers.clone());
        let client = client_within(&laid, person.clone()).await;
        let answer = called(&client, "shopping__add", add.clone()).await;
        assert_eq!(answer.0, opened, "{answers:?}: {}", answer.1);
        assert!(answer.1.starts_with(told), "{answers:?}: {}", answer.1);
        let asked = person.asked.lock().unwrap();
        assert!(asked[0].contains("  {\"item\":\"milk\"}"), "{asked:?}");
    }
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");
    // A client that cannot ask its person.
    let mute = client_within(&laid, Person::mute()).await;
    let answer = called(&mute, "shopping__add", add).await;
    assert!(answer.1.starts_with("waiting for a nod"), "{}", answer.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clients_of_one_folder_are_two_sessions() {
    let laid = asking();
    let (one, two) = (
        client(&laid, Person::mute()).await,
        client(&laid, Person::mute()).await,
    );
    let add = json!({ "item": "milk" });
    let first = called(&one, "shopping__add", add.clone()).await.1;
    let second = called(&two, "shopping__add", add.clone()).await.1;
    assert!(first.contains("nod s1.1 "), "{first}");
    assert!(second.contains("nod s2.1 "), "{second}");
    laid.doorlist(["nod", "s2.1", "-C", LOOP])
        .stderr_has("")
        .call();
    let first = called(&one, "shopping__add", add.clone()).await;
    assert!(
        first.1.starts_with("waiting for a nod"),
        "the nod is the other's: {}",
        first.1
    );
    let second = called(&two, "shopping__add", add).await;
    assert_eq!(second, (true, "milk is on the list".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn taint_a_client_that_has_untrusted_output_is_asked_first_before_it_acts_outside() {
    let laid = Laid::fridge();
    let (count, add) = ("[door.\"fridge.count\"]\n", "[door.\"shopping.add\"]\n");
    laid.edit(
        "policy.toml",
        count,
        &format!("{count}source = \"untrusted\"\n"),
    );
    laid.edit("policy.toml", add, &format!("{add}effect = \"outside\"\n"));
    let client = client(&laid, Person::answering(None)).await;
    let add = |item: &str| called(&client, "shopping__add", json!({ "item": item }));
    assert!(add("milk").await.0, "nothing untrusted was returned yet");
    assert!(
        called(&client, "fridge__count", json!({ "items": [] }))
            .await
            .0
    );
    let (well, told) = add("eggs").await;
    assert!(!well && told.starts_with("waiting for a nod"), "{told}");
    laid.doorlist(["sessions", LOOP])
        .stdout_has("What fridge.count returned is on the page and is not trusted")
        .call();
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");
}
