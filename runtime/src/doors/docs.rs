//! The documentation that a component may carry.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The texts of a `package-docs` section, which wit-parser's `PackageMetadata` writes.
///
/// A world's name is not kept in a component, so texts are looked up in every world of the section.
/// Documentation decides nothing: a section that cannot be read is as none.
#[derive(Default, Deserialize)]
pub(super) struct Docs {
    #[serde(default)]
    worlds: BTreeMap<String, World>,
    #[serde(default)]
    interfaces: BTreeMap<String, Functions>,
}

#[derive(Deserialize)]
struct World {
    #[serde(default)]
    func_exports: BTreeMap<String, Text>,
    #[serde(default)]
    interface_exports: BTreeMap<String, Functions>,
    /// Exports too, in sections of the first format.
    #[serde(default)]
    funcs: BTreeMap<String, Text>,
    #[serde(default)]
    interfaces: BTreeMap<String, Functions>,
}

#[derive(Deserialize)]
struct Functions {
    #[serde(default)]
    funcs: BTreeMap<String, Text>,
}

/// A function's documentation: a text, in later formats with its stability beside it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Bare(Option<String>),
    Beside {
        #[serde(default)]
        docs: Option<String>,
    },
}

impl Docs {
    /// Takes in a custom section, if it is one of documentation.
    pub(super) fn read(&mut self, section: &str, data: &[u8]) {
        if section != SECTION || data.len() > LARGEST {
            return;
        }
        if let Some((FIRST_FORMAT..=LAST_FORMAT, json)) = data.split_first() {
            *self = serde_json::from_slice(json).unwrap_or_default();
        }
    }

    /// The text for a function, by the short name of the interface it is in.
    pub(super) fn of(&self, interface: Option<&str>, function: &str) -> Option<String> {
        let texts = match interface {
            None => self.in_worlds(function),
            Some(interface) => self.in_interfaces(interface, function),
        };
        let text = match texts? {
            Text::Bare(text) => text.as_deref()?,
            Text::Beside { docs } => docs.as_deref()?,
        };
        plain(text)
    }

    fn in_worlds(&self, function: &str) -> Option<&Text> {
        let mut worlds = self.worlds.values();
        worlds.find_map(|w| {
            w.func_exports
                .get(function)
                .or_else(|| w.funcs.get(function))
        })
    }

    fn in_interfaces(&self, interface: &str, function: &str) -> Option<&Text> {
        let named = self.interfaces.get(interface);
        let inline = self.worlds.values().filter_map(|world| {
            let exports = world.interface_exports.get(interface);
            exports.or_else(|| world.interfaces.get(interface))
        });
        named
            .into_iter()
            .chain(inline)
            .find_map(|known| known.funcs.get(function))
    }
}

/// A text without control characters but line breaks, and without those that turn the direction of
/// writing, clipped: it stands on the page.
fn plain(text: &str) -> Option<String> {
    let kept = text.trim().chars().filter(|c| *c == '\n' || !is_hidden(*c));
    let text: String = kept.take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}

fn is_hidden(c: char) -> bool {
    let turns = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || turns || matches!(c, '\u{2028}'..='\u{202e}')
}

const SECTION: &str = "package-docs";
const FIRST_FORMAT: u8 = 0;
const LAST_FORMAT: u8 = 1;
/// In bytes, of the whole section.
const LARGEST: usize = 1 << 20;
/// In characters, of one function's text.
const LONGEST: usize = 4_000;
