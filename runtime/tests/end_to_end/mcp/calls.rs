//! Calls that are long, many, given up or failing.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rmcp::model::{CallToolRequest, CancelledNotificationParam, ClientRequest};
use rmcp::service::PeerRequestOptions;
use serde_json::json;

use super::client::{Person, call, called, client, spinning};
use crate::laid::Laid;

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_closes_its_door_and_frees_its_place() {
    let laid = spinning();
    let client = client(&laid, Person::mute()).await;
    // More than there are workers, one after another: each must be free again.
    for _ in 0..6 {
        let request =
            ClientRequest::CallToolRequest(CallToolRequest::new(call("top__spin", json!({}))));
        let options = PeerRequestOptions::no_options();
        let handle = client
            .send_cancellable_request(request, options)
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(150)).await;
        let param =
            CancelledNotificationParam::new(Some(handle.id.clone()), Some("enough".to_owned()));
        client.notify_cancelled(param).await.unwrap();
        drop(handle);
    }
    let one = called(&client, "top__one", json!({})).await;
    assert_eq!(one, (true, "1".to_owned()));
    let aborted = || laid.read("sessions/1.jsonl").matches("\"aborted\"").count();
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while aborted() < 6 {
        assert!(
            std::time::Instant::now() < until,
            "{} were aborted",
            aborted()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_told_that_a_long_call_is_under_way() {
    let laid = spinning();
    laid.edit("policy.toml", "60 s", "3 s");
    let person = Person::mute();
    let client = client(&laid, person.clone()).await;
    let ended = called(&client, "top__spin", json!({})).await;
    assert!(!ended.0 && ended.1.contains("limit"), "{}", ended.1);
    let told = person.progress.load(Ordering::SeqCst);
    assert!(told >= 2, "it was told {told} times");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_at_once_are_each_answered() {
    let laid = Laid::fridge();
    let client = Arc::new(client(&laid, Person::mute()).await);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1_000 {
        let client = Arc::clone(&client);
        calls.spawn(async move {
            let item = format!("item {number}");
            let counted = called(&client, "fridge__count", json!({ "items": [&item] })).await;
            assert_eq!(counted, (true, format!("[[\"{item}\",0]]")));
        });
    }
    let mut answered = 0;
    while let Some(call) = calls.join_next().await {
        call.unwrap();
        answered += 1;
    }
    assert_eq!(answered, 1_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_failure_is_not_opened_for_ever() {
    let laid = Laid::fridge();
    std::fs::remove_file(laid.path("data/fridge.txt")).unwrap();
    let client = client(&laid, Person::mute()).await;
    let count = |item: &'static str| called(&client, "fridge__count", json!({ "items": [item] }));
    for _ in 0..3 {
        let failed = count("milk").await;
        assert!(
            failed
                .1
                .starts_with("error: /data/fridge.txt could not be read"),
            "{}",
            failed.1
        );
    }
    let stopped = "not opened: with these arguments it failed 3 times in this session.";
    assert_eq!(count("milk").await, (false, stopped.to_owned()));
    assert!(
        count("eggs").await.1.starts_with("error: "),
        "other arguments are tried"
    );
}
