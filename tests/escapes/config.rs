//! What a policy configures is there, in the order of its names, and nothing else.

use doorlist::grants::Grants;
use loop_spec::loop_machine::Outcome;

use super::prober::Prober;

#[tokio::test]
async fn a_door_finds_the_values_of_its_policy_and_no_other() {
    let config = [("town", "Paris"), ("api", "v2"), ("unit", "°C")];
    let config = config.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let prober = Prober::new(Grants {
        config: config.into(),
        ..Grants::default()
    });
    let said = async |function, arguments: &[_]| prober.open(function, arguments).await.outcome;
    let text = |text: &str| Outcome::Said {
        text: text.to_owned(),
    };
    assert_eq!(said("value", &["town".into()]).await, text("\"Paris\""));
    assert_eq!(said("value", &["Town".into()]).await, text("null"));
    let all = said("values", &[]).await;
    assert_eq!(all, text(r#"["api=v2","town=Paris","unit=°C"]"#));
    let came = Prober::new(Grants::default()).open("values", &[]).await;
    assert_eq!(came.outcome, text("[]"));
    assert!(came.reached.config);
}
