//! How dispositions look: a symbol, a word and a style each, so that the meaning never
//! hangs on colour alone. The gutter of the transcript and the ledger have the same.

use ratatui::style::Style;

use crate::context::Disposition;
use crate::tui::theme::Theme;

/// Sign of an entry that the user pinned.
pub(super) const PINNED: &str = "⚑";

/// Sign of an entry that the user restored.
pub(super) const RESTORED: &str = "↺";

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
        | Disposition::Replayed => theme.dim,
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
