//! Plimsoll's own entries: decisions over the view that are recorded once and
//! replayed byte-identically ever after.

use super::{Author, EntryId, Usage};

/// A recorded decision. None of them changes what was said; each changes what is sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// Tool results cut by the prune policy.
    Prune {
        /// Which policy decided, e.g. `soft-hard`.
        policy: String,
        /// What is cut, in log order.
        cuts: Vec<Cut>,
        /// Cached prompt tokens that were given up by rewriting the prefix.
        cache_given_up_tokens: u64,
        /// The user asked for it: `/undo` takes it back.
        by_person: bool,
    },
    /// Tool results cut because they (or the whole) would not fit.
    Guard {
        /// What is cut, in log order.
        cuts: Vec<Cut>,
    },
    /// Attachments replaced by a line of text.
    Media {
        /// The messages whose images are replaced.
        targets: Vec<EntryId>,
        /// Why, with numbers.
        reason: String,
    },
    /// The user wants this group sent and never summarised.
    Pin {
        /// Any entry of the atomic group.
        target: EntryId,
    },
    /// The user wants this group sent in full again.
    Restore {
        /// Any entry of the atomic group.
        target: EntryId,
    },
    /// The user wants this group out of the context.
    Drop {
        /// Any entry of the atomic group.
        target: EntryId,
    },
    /// Takes back a compaction, a prune, a guard cut, an override, or a message that was
    /// not sent.
    Undo {
        /// The entry that no longer counts.
        target: EntryId,
    },
    /// A user message was sent again after an overflow.
    Replay {
        /// The message as the user typed it.
        original: EntryId,
        /// The message that was appended in its place.
        replay: EntryId,
        /// Whether attachments were removed.
        stripped: bool,
    },
    /// A measured request: what the ruler estimated and what the provider counted.
    Calibration(UsageSample),
    /// The provider's prompt cache was filled or refreshed at this entry's time.
    CacheTouch {
        /// Provider id.
        provider: String,
        /// Model id.
        model: String,
    },
    /// What was paid for and stands in no other entry. It changes nothing that is sent.
    Expense(Expense),
}

/// Requests whose answers are not in the log, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Expense {
    /// What they were for.
    pub purpose: Purpose,
    /// `provider/model` that was asked.
    pub model: String,
    /// Requests that were sent.
    pub requests: u64,
    /// What the provider counted.
    pub usage: Usage,
}

/// What a model was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// An answer of which nothing came but its counts.
    Answer,
    /// A summary that failed, was stopped, or was set aside.
    Summary,
}

impl Overlay {
    /// Who decided it, or measured it.
    pub fn author(&self) -> Author {
        match self {
            Self::Pin { .. } | Self::Restore { .. } | Self::Drop { .. } | Self::Undo { .. } => {
                Author::Person
            }
            Self::Prune {
                by_person: true, ..
            } => Author::Person,
            Self::Prune { .. }
            | Self::Guard { .. }
            | Self::Media { .. }
            | Self::Replay { .. }
            | Self::Calibration(_)
            | Self::CacheTouch { .. }
            | Self::Expense(_) => Author::Plimsoll,
        }
    }
}

/// How one message's text is shortened in the view.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The tool result that is cut.
    pub target: EntryId,
    /// What remains.
    pub form: CutForm,
    /// Which rule did it.
    pub phase: CutPhase,
    /// Why, in one clause with the numbers.
    pub reason: String,
    /// Estimate of the item before.
    pub tokens_before: u64,
    /// Estimate of the item after.
    pub tokens_after: u64,
}

/// What remains of a text. Holds everything needed to produce the same bytes again.
#[derive(Clone, Debug, PartialEq)]
pub enum CutForm {
    /// Head and tail with a notice between.
    Trim {
        /// Kept Unicode scalar values from the start.
        head_chars: usize,
        /// Kept Unicode scalar values from the end; 0 keeps the head only.
        tail_chars: usize,
        /// The line put where text is missing.
        notice: String,
    },
    /// A placeholder instead of everything, images included.
    Clear {
        /// The text that is sent.
        placeholder: String,
    },
}

/// The rule behind a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutPhase {
    /// A later result made it pointless.
    Superseded,
    /// Soft trim: head and tail remain.
    Soft,
    /// Hard clear.
    Hard,
    /// The `protect-recent` policy.
    ProtectRecent,
    /// One result alone was too large for the window.
    Single,
    /// The whole view was too large and nothing else helped.
    Total,
    /// Overflow recovery.
    Overflow,
    /// A compaction keeps the result, which is larger than all that it may keep. Holds as
    /// long as that compaction does.
    Compaction,
    /// The user asked for it.
    Manual,
}

impl CutPhase {
    /// The name in logs and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Superseded => "superseded",
            Self::Soft => "soft",
            Self::Hard => "hard",
            Self::ProtectRecent => "protect-recent",
            Self::Single => "single",
            Self::Total => "total",
            Self::Overflow => "overflow",
            Self::Compaction => "compaction",
            Self::Manual => "manual",
        }
    }

    /// The phase with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Superseded,
            Self::Soft,
            Self::Hard,
            Self::ProtectRecent,
            Self::Single,
            Self::Total,
            Self::Overflow,
            Self::Compaction,
            Self::Manual,
        ]
        .into_iter()
        .find(|phase| phase.name() == name)
    }
}

/// One measured request, for calibration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageSample {
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// Which ruler estimated.
    pub ruler: String,
    /// The uncalibrated estimate of the whole request.
    pub estimate_tokens: u64,
    /// What the provider reported.
    pub actual_tokens: u64,
    /// It was reported when the request was refused as too long: no answer has it.
    pub refused: bool,
}
