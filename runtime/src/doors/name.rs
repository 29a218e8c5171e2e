//! How doors are called.

use std::collections::HashMap;

use super::function::Function;

/// The name of each function's door, for the component of a file with this stem, in the functions'
/// order.
///
/// A command is `<stem>`. Else it is `<stem>.<function>`, or `<stem>.<interface>.<function>` for a function in an interface whose name
/// another function of the component has too.
#[must_use]
pub fn door_names(stem: &str, functions: &[Function]) -> Vec<String> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for function in functions {
        *times.entry(&function.name).or_default() += 1;
    }
    let name = |function: &Function| match function.short_interface() {
        _ if function.command.is_some() => stem.to_owned(),
        Some(interface) if times[function.name.as_str()] > 1 => {
            format!("{stem}.{interface}.{}", function.name)
        }
        _ => format!("{stem}.{}", function.name),
    };
    functions.iter().map(name).collect()
}

/// The stem of the file that a door of this name is in: `fridge` of `fridge.count`.
#[must_use]
pub fn stem_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// A door's name where providers take no dots: `fridge.count` is `fridge__count`.
///
/// Two doors of one catalogue never share a mapped name, so it stands for one door.
#[must_use]
pub fn mapped(name: &str) -> String {
    name.replace('.', "__")
}

/// Whether one part of a door's name can be used: ASCII letters, digits, `-` and `_`, at least one.
#[must_use]
pub fn is_usable(part: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    !part.is_empty() && part.bytes().all(allowed)
}

/// The longest name after mapping, in characters: what the strictest provider of models takes.
pub const LONGEST_NAME: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn function(interface: Option<&str>, name: &str) -> Function {
        Function {
            interface: interface.map(str::to_owned),
            name: name.to_owned(),
            parameters: Vec::new(),
            result: None,
            docs: None,
            command: None,
        }
    }

    #[test]
    fn interfaces_stand_in_a_name_only_where_they_must() {
        let functions = [
            function(Some("home:kitchen/fridge@0.1.0"), "count"),
            function(Some("home:kitchen/fridge@0.1.0"), "clear"),
            function(Some("home:kitchen/shelf"), "count"),
            function(None, "count"),
        ];
        let names = ["k.fridge.count", "k.clear", "k.shelf.count", "k.count"];
        assert_eq!(door_names("k", &functions), names);
        assert_eq!(mapped(names[0]), "k__fridge__count");
    }

    #[test]
    fn parts_are_plain() {
        for part in ["fridge", "a", "get-URL", "my_door2"] {
            assert!(is_usable(part), "{part}");
        }
        for part in ["", "a.b", "a b", "é", "a/b", "a\n"] {
            assert!(!is_usable(part), "{part}");
        }
    }
}
