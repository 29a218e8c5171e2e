//! What `mind` says, in the language of the prose.

use prose::Language;

/// The sentences of one language.
pub(crate) struct Words(pub(crate) Language);

impl Words {
    pub(crate) fn no_items(&self) -> String {
        match self.0 {
            Language::English => "the goal names no items as in `there should always be milk.`",
            Language::Chinese => "目标里没有写明“常备牛奶。”这样的物品",
        }
        .to_owned()
    }

    pub(crate) fn no_threshold(&self) -> String {
        match self.0 {
            Language::English => "the goal names no threshold as in `below 2`",
            Language::Chinese => "目标里没有写明“低于 2”这样的界限",
        }
        .to_owned()
    }

    pub(crate) fn not_listed(&self, name: &str) -> String {
        match self.0 {
            Language::English => format!("{name} is not on the list"),
            Language::Chinese => format!("{name} 不在名单上"),
        }
    }

    pub(crate) fn stuck(&self, refused: &str) -> String {
        match self.0 {
            Language::English => {
                format!("the close was refused ({refused}), and nothing else is left to do")
            }
            Language::Chinese => format!("结束被拒绝（{refused}），也没有别的可做了"),
        }
    }

    pub(crate) fn nothing_counted(&self, reason: &str) -> String {
        match self.0 {
            Language::English => format!("Nothing could be counted ({reason})."),
            Language::Chinese => format!("没能数（{reason}）。"),
        }
    }

    /// What was counted, what was written, and what came of the writing that failed.
    pub(crate) fn summary(
        &self,
        counted: &[(&String, u32)],
        threshold: u32,
        written: &[&str],
        failed: &[String],
    ) -> String {
        let counted = counted
            .iter()
            .map(|(item, count)| format!("{item} {count}"));
        let counted = self.join(&counted.collect::<Vec<_>>());
        let mut sentences = vec![match self.0 {
            Language::English => format!("Counted {counted}."),
            Language::Chinese => format!("数过了：{counted}。"),
        }];
        if written.is_empty() && failed.is_empty() {
            sentences.push(self.nothing_low(threshold));
        }
        if !written.is_empty() {
            sentences.push(self.written(threshold, &self.join(written)));
        }
        if !failed.is_empty() {
            sentences.push(self.failed(&self.join(failed)));
        }
        sentences.join(match self.0 {
            Language::English => " ",
            Language::Chinese => "",
        })
    }

    fn nothing_low(&self, threshold: u32) -> String {
        match self.0 {
            Language::English => format!("Nothing is below {threshold}, so nothing was written."),
            Language::Chinese => format!("没有低于 {threshold} 的，什么也没写。"),
        }
    }

    fn written(&self, threshold: u32, items: &str) -> String {
        match self.0 {
            Language::English => format!("Below {threshold}: {items}, now on the shopping list."),
            Language::Chinese => format!("低于 {threshold} 的{items}已写进购物单。"),
        }
    }

    fn failed(&self, reasons: &str) -> String {
        match self.0 {
            Language::English => format!("Not everything could be written ({reasons})."),
            Language::Chinese => format!("没能全部写下（{reasons}）。"),
        }
    }

    fn join<S: AsRef<str>>(&self, parts: &[S]) -> String {
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        parts.join(match self.0 {
            Language::English => ", ",
            Language::Chinese => "、",
        })
    }
}
