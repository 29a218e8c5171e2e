//! The door `notes`: what a model writes down for itself, for as long as the run lasts.

#[doors_sdk::doors]
mod door {
    use doors_sdk::host::kv;

    /// Keeps a note, in the place of one of the same name.
    pub fn put(name: String, text: String) -> Result<(), String> {
        kv::set(&name, text.as_bytes())
    }

    /// The note of this name.
    pub fn read(name: String) -> Result<String, String> {
        match kv::get(&name) {
            Some(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
            None => Err(format!("expected one of {:?}, found {name:?}", kv::keys())),
        }
    }

    /// The names of all notes, in order.
    pub fn names() -> Vec<String> {
        kv::keys()
    }

    /// Throws a note away, and says whether it was there.
    pub fn forget(name: String) -> bool {
        kv::delete(&name)
    }
}
