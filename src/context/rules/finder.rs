//! Tells rules among the clauses of a message.

use super::withdrawal::Withdrawal;

/// A rule that a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundRule {
    /// Its words, as they are sent.
    pub text: String,
    /// It holds beyond the turn; otherwise that cannot be told.
    pub is_certain: bool,
}

/// What a message says about rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MessageRules {
    pub rules: Vec<FoundRule>,
    pub withdrawals: Vec<Withdrawal>,
}

/// Reads the text of a message that a person typed.
pub(super) fn read(_text: &str) -> MessageRules {
    MessageRules::default()
}
