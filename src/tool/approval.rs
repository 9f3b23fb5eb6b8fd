//! Who has to agree before a tool runs.

/// What runs without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApprovalMode {
    /// Reading inside the workspace; everything else asks.
    #[default]
    Ask,
    /// Reading only; everything else is refused.
    ReadOnly,
    /// Reading and editing inside the workspace; commands ask.
    Edits,
    /// Everything.
    All,
}

impl ApprovalMode {
    /// The name in settings and flags.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::ReadOnly => "read-only",
            Self::Edits => "edits",
            Self::All => "all",
        }
    }

    /// The mode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Ask, Self::ReadOnly, Self::Edits, Self::All]
            .into_iter()
            .find(|m| m.name() == name)
    }
}
