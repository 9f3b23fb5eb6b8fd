//! Formats that a session can be written in.

/// As what a session is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// Markdown, for reading.
    #[default]
    Md,
    /// One HTML file, for reading in a browser.
    Html,
    /// The session file itself.
    Jsonl,
    /// The body of the next request, as the provider would get it.
    Json,
}

impl ExportFormat {
    /// All of them, the one that is meant when none is named first.
    pub const ALL: [Self; 4] = [Self::Md, Self::Html, Self::Jsonl, Self::Json];

    /// The name of the format, also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}
