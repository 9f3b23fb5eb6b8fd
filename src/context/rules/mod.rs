//! Standing rules: what a person said that holds beyond the turn.
//!
//! A rule is a prohibition, an obligation, a condition, a limit, a preference, a permission
//! or a fact to be relied on. Rules come from messages that a person typed, and from nowhere
//! else: tool results, files, hooks, models, pasted blocks, quotes and imported summaries
//! give none. A [`RuleBook`] is derived from a branch by pure code.
//!
//! `typed` takes out of a message what was not typed; `clause` splits the rest and `joint` a
//! clause; `finder` tells rules among the clauses by their `verdict` with the phrases
//! of `crates/cues`, and by the learned judgement of `scorer`; `withdrawal` reads what takes a rule
//! back; `book` folds the messages of a branch and the person's decisions; `standing` says
//! which rules the request holds and writes the block of those whose message is out of the
//! window. `clause_reader` and `remembered` see to it that nothing is read twice.

mod book;
mod clause;
mod clause_reader;
mod finder;
mod joint;
mod remembered;
mod scorer;
mod standing;
mod typed;
mod verdict;
mod withdrawal;
mod words;

pub use book::RuleReader;
pub use scorer::{FeatureGroup, Lesson, MODEL_BUCKETS, lessons};
pub use standing::{RulePlace, RuleStanding, RulesReport};
pub(in crate::context) use standing::{
    SaidIn, SaidRule, block_budget, rule_line, rules_block, standing,
};

pub use crate::transcript::{RuleChange, RuleId};

use crate::transcript::{EntryId, Transcript};

/// Longest text of a rule, in characters: of a longer sentence the head is kept.
pub const MAX_RULE_CHARS: usize = 400;

/// Whether a rule counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleState {
    /// It counts.
    #[default]
    Active,
    /// It may be one: shown, and summaries are told of it, until the person confirms it.
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
    /// Verbatim, at most [`MAX_RULE_CHARS`] characters, in one line, without secrets,
    /// invisible characters and the tags of other fences: what the block and the audit hold.
    pub text: String,
    /// The newest message that says it; of one that was added by hand, the entry that added
    /// it.
    pub source: EntryId,
    /// Whether it counts.
    pub state: RuleState,
    /// Why it does not count, in one clause; empty while it does.
    pub reason: String,
    /// The person confirmed, added or reworded it: it leaves a full block last.
    pub is_confirmed: bool,
    /// How many messages say it.
    pub uses: u32,
}

/// The rules of a branch, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleBook {
    /// All of them, whatever their state.
    pub rules: Vec<Rule>,
}

impl RuleBook {
    /// The rules of the active branch.
    pub fn of(transcript: &Transcript) -> Self {
        let mut reader = RuleReader::default();
        reader.read(&transcript.branch());
        reader.book()
    }

    /// The rules that count, oldest first.
    pub fn active(&self) -> impl Iterator<Item = &Rule> {
        self.rules
            .iter()
            .filter(|rule| rule.state == RuleState::Active)
    }
}

#[cfg(test)]
mod tests;
