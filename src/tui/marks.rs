//! How dispositions look: a symbol, a word and a style each, so that the meaning never
//! hangs on colour alone. The gutter of the transcript and the ledger have the same. And the
//! standing rules that a message sets.

use std::collections::HashMap;

use ratatui::style::Style;

use crate::context::rules::{RuleStanding, RuleState};
use crate::context::{ContextView, Disposition};
use crate::transcript::{EntryId, plural};
use crate::tui::theme::Theme;

/// Sign of an entry that the user pinned.
pub(super) const PINNED: &str = "⚑";

/// Sign of an entry that the user restored.
pub(super) const RESTORED: &str = "↺";

/// Sign of a message that sets standing rules.
pub(super) const SETS_RULES: &str = "§";

/// The standing rules that one message sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RulesSet {
    /// Those that count.
    pub active: u64,
    /// Those that may, until the person says so.
    pub possible: u64,
}

impl RulesSet {
    /// By entry; messages that set none are not there.
    pub(super) fn of_all(rules: &[RuleStanding]) -> HashMap<&EntryId, Self> {
        let mut sets: HashMap<&EntryId, Self> = HashMap::new();
        for standing in rules {
            let rule = &standing.rule;
            match rule.state {
                RuleState::Active => sets.entry(&rule.source).or_default().active += 1,
                RuleState::Possible => sets.entry(&rule.source).or_default().possible += 1,
                RuleState::Struck | RuleState::Superseded => {}
            }
        }
        sets
    }

    /// The rules of one message.
    pub(super) fn by(entry: &EntryId, view: &ContextView) -> Self {
        let sets = Self::of_all(&view.rules.rules);
        sets.get(entry).copied().unwrap_or_default()
    }

    /// What it sets, as a clause; empty when that is nothing.
    pub(super) fn in_words(self) -> String {
        match (self.active, self.possible) {
            (0, 0) => String::new(),
            (0, 1) => "a possible rule".to_owned(),
            (0, possible) => format!("{possible} possible rules"),
            (active, 0) => format!("sets {}", plural(active, "rule")),
            (active, possible) => {
                format!("sets {}, {possible} possible", plural(active, "rule"))
            }
        }
    }

    /// At most four columns; empty when it sets none.
    pub(super) fn sign(self) -> String {
        match (self.active, self.possible) {
            (0, 0) => String::new(),
            (0, _) => format!("{SETS_RULES}?"),
            (active @ 1..100, _) => format!("{SETS_RULES}{active}"),
            (_, _) => format!("{SETS_RULES}99+"),
        }
    }
}

/// One column that stands for a disposition.
pub(super) fn symbol(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Sent => "●",
        Disposition::Truncated => "≠",
        Disposition::Trimmed => "≈",
        Disposition::Cleared => "∅",
        Disposition::MediaStripped => "□",
        Disposition::Edited => "✎",
        Disposition::Synthetic => "+",
        Disposition::Dropped => "✕",
        Disposition::Summarized => "≡",
        Disposition::Excluded => "!",
        Disposition::Orphaned => "?",
        Disposition::Duplicate => "=",
        Disposition::Replayed => "↻",
        Disposition::Omitted => "◌",
    }
}

/// At most ten columns that say what happened.
pub(super) fn word(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::MediaStripped => "no media",
        Disposition::Summarized => "summarised",
        other => other.name(),
    }
}

/// The style of both.
pub(super) fn style(disposition: Disposition, theme: &Theme) -> Style {
    match disposition {
        Disposition::Sent => theme.success,
        Disposition::Truncated
        | Disposition::Trimmed
        | Disposition::MediaStripped
        | Disposition::Edited
        | Disposition::Synthetic => theme.warning,
        Disposition::Cleared | Disposition::Dropped => theme.error,
        Disposition::Summarized
        | Disposition::Excluded
        | Disposition::Orphaned
        | Disposition::Duplicate
        | Disposition::Replayed
        | Disposition::Omitted => theme.dim,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_disposition_is_told_apart_without_colour() {
        let symbols: BTreeSet<_> = Disposition::ALL.into_iter().map(symbol).collect();
        assert_eq!(symbols.len(), Disposition::ALL.len());
        for disposition in Disposition::ALL {
            assert_eq!(crate::tui::render::wrap::width(symbol(disposition)), 1);
            assert!(word(disposition).len() <= 10, "{disposition:?}");
        }
    }
}
