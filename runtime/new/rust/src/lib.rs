//! The door `NAME`.

wit_bindgen::generate!({ world: "door" });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn greet(name: String) -> Result<String, String> {
        if name.is_empty() {
            return Err("expected a name".to_owned());
        }
        Ok(format!("Hello, {name}!"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_greets() {
        assert_eq!(Door::greet("Ada".to_owned()), Ok("Hello, Ada!".to_owned()));
    }
}
