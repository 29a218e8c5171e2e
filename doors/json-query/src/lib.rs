//! The door `json-query`: JSONPath in a JSON text.

/// The door of queries in JSON.
#[doors_sdk::doors]
pub mod door {
    use serde_json::Value;
    use serde_json_path::JsonPath;

    /// What a JSONPath (RFC 9535), such as `$.items[?@.count < 2].name`, selects of a JSON text: the
    /// JSON of each value, in order.
    pub fn select(json: String, path: String) -> Result<Vec<String>, String> {
        let value: Value =
            serde_json::from_str(&json).map_err(|error| format!("expected JSON: {error}"))?;
        let path = JsonPath::parse(&path)
            .map_err(|error| format!("expected a JSONPath such as $.items[0]: {error}"))?;
        let selected = path.query(&value);
        Ok(selected.all().into_iter().map(Value::to_string).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::door::select;

    #[test]
    fn values_are_selected_in_order() {
        let json = r#"{"items": [{"name": "milk", "count": 1}, {"name": "eggs", "count": 4}]}"#;
        let select = |path: &str| select(json.to_owned(), path.to_owned());
        let milk = vec!["\"milk\"".to_owned()];
        assert_eq!(select("$.items[?@.count < 2].name"), Ok(milk));
        assert_eq!(select("$.nothing"), Ok(Vec::new()));
        assert!(
            select("items")
                .unwrap_err()
                .starts_with("expected a JSONPath")
        );
    }
}
