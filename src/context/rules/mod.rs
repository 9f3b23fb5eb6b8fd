//! Standing rules: what a person said that holds beyond the turn.
//!
//! A rule is a prohibition, an obligation, a condition, a limit, a preference, a permission
//! or a fact to be relied on. Rules come from messages that a person typed, and from nowhere
//! else: tool results, files, hooks, models, pasted blocks, quotes and imported summaries
//! give none. A [`RuleBook`] is derived from a branch by pure code.

use crate::transcript::{EntryId, Transcript};

/// Longest text of a rule, in characters: of a longer sentence the head is kept.
pub const MAX_RULE_CHARS: usize = 400;

/// Identity of a rule: the same for the same words in the same message.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(String);

impl RuleId {
    /// Wraps an id from a log or a command line.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id as it is written in logs and commands.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a rule counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleState {
    /// It counts.
    #[default]
    Active,
    /// It may be one: shown, not sent, until the person confirms it.
    Possible,
    /// The person struck it, or its message was dropped.
    Struck,
    /// The person took it back in words.
    Superseded,
}

impl RuleState {
    /// The name in JSON and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Possible => "possible",
            Self::Struck => "struck",
            Self::Superseded => "superseded",
        }
    }
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// See [`RuleId`].
    pub id: RuleId,
    /// Verbatim, at most [`MAX_RULE_CHARS`] characters, without secrets.
    pub text: String,
    /// The message that says it; of one that was added by hand, the entry that added it.
    pub source: EntryId,
    /// Whether it counts.
    pub state: RuleState,
    /// Why it does not count, in one clause; empty while it does.
    pub reason: String,
    /// The person confirmed, added or reworded it: it leaves a full block last.
    pub is_confirmed: bool,
}

/// The rules of a branch, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleBook {
    /// All of them, whatever their state.
    pub rules: Vec<Rule>,
}

impl RuleBook {
    /// The rules of the active branch.
    pub fn of(_transcript: &Transcript) -> Self {
        Self::default()
    }

    /// The rules that count, oldest first.
    pub fn active(&self) -> impl Iterator<Item = &Rule> {
        self.rules
            .iter()
            .filter(|rule| rule.state == RuleState::Active)
    }
}
