//! The top of a page.

/// What a page begins with: the prose of loop.txt, then the paragraph made from its header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Top {
    /// The goal, in the user's words.
    pub prose: String,
    /// The doors that may be opened, in the order of the list.
    pub list: Vec<Listed>,
}

/// One line of the list: `- fridge.count(items: list<string>) -> list<…>: How many …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name to hand over.
    pub name: String,
    /// The whole line, without its mark.
    pub line: String,
}

impl Top {
    /// Takes the top apart. The paragraph made from the header is the last one.
    pub fn read(text: &str) -> Self {
        let text = text.trim_end();
        let (prose, header) = text.rsplit_once("\n\n").unwrap_or(("", text));
        let list = header
            .lines()
            .filter_map(|line| Listed::read(line.strip_prefix("- ")?));
        Self {
            prose: prose.to_owned(),
            list: list.collect(),
        }
    }

    /// Whether a name is on the list.
    pub fn lists(&self, name: &str) -> bool {
        self.list.iter().any(|listed| listed.name == name)
    }
}

impl Listed {
    fn read(line: &str) -> Option<Self> {
        let (name, _) = line.split_once('(')?;
        Some(Self {
            name: name.to_owned(),
            line: line.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_last_paragraph() {
        let top =
            Top::read("Goal.\n- not.listed(): prose\n\nMore.\n\nNames:\n- a.b(c: u8) -> u8: D.\n");
        assert_eq!(top.prose, "Goal.\n- not.listed(): prose\n\nMore.");
        assert_eq!(top.list.len(), 1);
        assert_eq!(top.list[0].line, "a.b(c: u8) -> u8: D.");
        assert!(top.lists("a.b"));
        assert!(!top.lists("not.listed"));
    }

    #[test]
    fn a_top_may_have_no_prose() {
        let top = Top::read("Names:\n- a.b()");
        assert_eq!(top.prose, "");
        assert!(top.lists("a.b"));
    }
}
