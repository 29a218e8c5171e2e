//! What a command takes, where there is no interface that says it.

use std::sync::Arc;

use jsonschema::{PatternOptions, Validator};
use loop_spec::frame::one_line;
use serde_json::{Map, Value};
use wasmtime::component::Val;

use super::misfit::Misfit;

/// What a command takes on standard input: a JSON object, as the JSON Schema beside the component
/// describes it. Clones share it.
#[derive(Clone, Debug)]
pub struct Takes(Arc<Described>);

#[derive(Debug)]
struct Described {
    schema: Map<String, Value>,
    validator: Option<Validator>,
}

/// Why a text describes no arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSchema {
    /// It is no JSON.
    #[error("expected a JSON Schema; {problem}")]
    NotJson {
        /// What is wrong, and where.
        problem: String,
    },
    /// It is JSON, but no schema of an object.
    #[error("expected a JSON Schema of an object (`\"type\": \"object\"`), found {found}")]
    NotAnObject {
        /// What it is.
        found: String,
    },
    /// It breaks the rules of JSON Schema, or refers to another file.
    #[error("expected a JSON Schema that stands by itself; {problem}")]
    Invalid {
        /// What is wrong, and where.
        problem: String,
    },
}

impl Takes {
    /// Any object: what a command takes that nothing describes.
    #[must_use]
    pub fn anything() -> Self {
        let schema = Map::from_iter([("type".to_owned(), "object".into())]);
        Self(Arc::new(Described {
            schema,
            validator: None,
        }))
    }

    /// Reads a JSON Schema (2020-12 unless it says another). Nothing is fetched for it, and the
    /// patterns in it are matched in linear time.
    ///
    /// # Errors
    ///
    /// When it is no schema of an object, or refers to something outside of it.
    pub fn read(text: &str) -> Result<Self, NoSchema> {
        let read: Value = serde_json::from_str(text).map_err(|error| NoSchema::NotJson {
            problem: error.to_string(),
        })?;
        let kind = read.get("type").map(Value::to_string);
        let schema = match (read, kind.as_deref()) {
            (Value::Object(schema), Some("\"object\"")) => schema,
            (Value::Object(_), Some(kind)) => {
                let found = format!("`\"type\": {}`", one_line(kind));
                return Err(NoSchema::NotAnObject { found });
            }
            (Value::Object(_), None) => {
                let found = "no `type`".to_owned();
                return Err(NoSchema::NotAnObject { found });
            }
            (_, _) => {
                let found = "a value of another kind".to_owned();
                return Err(NoSchema::NotAnObject { found });
            }
        };
        let options = jsonschema::options().with_pattern_options(PatternOptions::regex());
        let validator = options
            .build(&Value::Object(schema.clone()))
            .map_err(|error| NoSchema::Invalid {
                problem: one_line(&error.to_string()),
            })?;
        Ok(Self(Arc::new(Described {
            schema,
            validator: Some(validator),
        })))
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> Value {
        Value::Object(self.0.schema.clone())
    }

    /// What it says about the command, for who calls it.
    pub(super) fn about(&self) -> Option<&str> {
        self.0.schema.get("description").and_then(Value::as_str)
    }

    /// The arguments as one value: the text that the command reads.
    pub(super) fn fit(&self, arguments: &Value) -> Result<Vec<Val>, Misfit> {
        if !arguments.is_object() {
            return Err(Misfit::not_a_plain_object(arguments));
        }
        if let Some(validator) = &self.0.validator {
            let misfit = |error: jsonschema::ValidationError<'_>| {
                Misfit::schema(error.instance_path().as_str(), &error.to_string())
            };
            validator.validate(arguments).map_err(misfit)?;
        }
        // The keys of an object are in order, so equal arguments are equal texts.
        Ok(vec![Val::String(arguments.to_string())])
    }

    /// `query: string, limit?: integer`, or what stands for an object that nothing describes.
    pub(super) fn outline(&self) -> String {
        let schema = &self.0.schema;
        let Some(Value::Object(properties)) = schema.get("properties") else {
            return "any JSON object".to_owned();
        };
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
        let property = |(name, schema): (&String, &Value)| {
            let kind = match schema.get("type") {
                Some(Value::String(kind)) => one_line(kind),
                _ => "any".to_owned(),
            };
            let optional = if is_required(name) { "" } else { "?" };
            format!("{}{optional}: {kind}", one_line(name))
        };
        let properties: Vec<String> = properties.iter().map(property).collect();
        properties.join(", ")
    }
}

/// By what they describe.
impl PartialEq for Takes {
    fn eq(&self, other: &Self) -> bool {
        self.0.schema == other.0.schema
    }
}

impl Eq for Takes {}
