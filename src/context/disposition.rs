//! The disposition of an entry on its way into the request.

/// The treatment of an entry on its way into the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Disposition {
    /// Sent as it is on disk.
    Sent,
    /// Cut by the tool-result guard to fit.
    Truncated,
    /// Soft-trimmed by pruning: head and tail remain.
    Trimmed,
    /// Replaced by a placeholder.
    Cleared,
    /// Attachments replaced by text.
    MediaStripped,
    /// Changed by a `context_edit`.
    Edited,
    /// Made by repair, to answer a call that has no result.
    Synthetic,
    /// Dropped by the user; a placeholder is sent where pairing needs one.
    Dropped,
    /// Left out: a summary stands for it.
    Summarized,
    /// Left out: `!!`, or an aborted or failed answer.
    Excluded,
    /// Left out: a result whose call is not in the view.
    Orphaned,
    /// Left out: a second result for the same call.
    Duplicate,
    /// Left out: sent again as a new message after an overflow.
    Replayed,
    /// Left out: the context engine chose other messages.
    Omitted,
}

impl Disposition {
    /// All of them, in display order.
    pub const ALL: [Self; 14] = [
        Self::Sent,
        Self::Truncated,
        Self::Trimmed,
        Self::Cleared,
        Self::MediaStripped,
        Self::Edited,
        Self::Synthetic,
        Self::Dropped,
        Self::Summarized,
        Self::Excluded,
        Self::Orphaned,
        Self::Duplicate,
        Self::Replayed,
        Self::Omitted,
    ];

    /// Whether text was taken out of it to save room.
    pub fn is_cut(self) -> bool {
        matches!(self, Self::Truncated | Self::Trimmed | Self::Cleared)
    }

    /// Whether such an item gives a summary nothing to tell: repair made it up, or the user
    /// dropped it.
    pub fn adds_nothing_to_summary(self) -> bool {
        matches!(self, Self::Synthetic | Self::Dropped)
    }

    /// The name in JSON, filters and the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Truncated => "truncated",
            Self::Trimmed => "trimmed",
            Self::Cleared => "cleared",
            Self::MediaStripped => "media_stripped",
            Self::Edited => "edited",
            Self::Synthetic => "synthetic",
            Self::Dropped => "dropped",
            Self::Summarized => "summarized",
            Self::Excluded => "excluded",
            Self::Orphaned => "orphaned",
            Self::Duplicate => "duplicate",
            Self::Replayed => "replayed",
            Self::Omitted => "omitted",
        }
    }

    /// The disposition with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }
}
