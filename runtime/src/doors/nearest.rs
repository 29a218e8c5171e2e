//! The known name that a mistyped one was probably meant to be.

/// The name among `names` that is closest to `given`, if any is close enough to be a slip.
pub(super) fn nearest<'a>(
    given: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A longer text is no slip of a name, and measuring it would take time in its length.
    if given.len() > LONGEST {
        return None;
    }
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(given, name), name))
        .filter(|(distance, name)| *distance <= 1.max(name.len() / 3))
        .min()
        .map(|(_, name)| name)
}

/// In bytes.
const LONGEST: usize = 100;
