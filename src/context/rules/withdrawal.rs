//! Words that take a rule back.

/// A request to forget rules about something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Withdrawal {
    /// The words that say what about.
    pub about: Vec<String>,
}

impl Withdrawal {
    /// The share of its words that a rule holds.
    pub(super) fn match_of(&self, _rule: &str) -> f64 {
        0.0
    }
}
