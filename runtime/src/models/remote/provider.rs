//! Who serves models over HTTP, and how each is spoken to.

use std::fmt;

/// A provider of models, by the word in front of a model's name: `openai:NAME`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// OpenAI, and with an endpoint of one's own every server that speaks its chat completions:
    /// llama.cpp, vLLM, Mistral, Groq, OpenRouter and others.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Gemini, by its endpoint that speaks like OpenAI's.
    Gemini,
    /// Ollama on this machine, by its endpoint that speaks like OpenAI's.
    Ollama,
}

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    /// `POST …/chat/completions`.
    ChatCompletions,
    /// `POST …/messages`.
    Messages,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Ollama];

    /// The word in front of a model's name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// The provider with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }

    /// Its own endpoint, from its documentation.
    #[must_use]
    pub fn own_endpoint(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta/openai",
            Self::Ollama => "http://127.0.0.1:11434/v1",
        }
    }

    /// The variables that its own tools take a key from, the first that is set going first. A key from
    /// one of them goes to its own endpoint and nowhere else.
    #[must_use]
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["OPENAI_API_KEY"],
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            Self::Ollama => &[],
        }
    }

    pub(super) fn wire(self) -> Wire {
        match self {
            Self::OpenAi | Self::Gemini | Self::Ollama => Wire::ChatCompletions,
            Self::Anthropic => Wire::Messages,
        }
    }
}

impl Wire {
    /// What is put behind an endpoint.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::ChatCompletions => "chat/completions",
            Self::Messages => "messages",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
