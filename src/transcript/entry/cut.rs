//! A cut: how one message is shortened in the view, with all that is needed to send identical
//! bytes ever after.

use super::EntryId;

/// The field that stands beside the arguments of a call of which some are left out, and says
/// so. No tool has an argument of this name.
pub const LEFT_OUT_FIELD: &str = "_pruned";

/// How one message is shortened in the view.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The tool result that is cut, or the answer whose calls are.
    pub target: EntryId,
    /// The remaining part.
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

/// The remaining part of a text. Holds everything needed to produce the same bytes again.
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
    /// Of a read: its difference to an earlier one. Holds while that one is sent whole; else
    /// the whole read is sent.
    Difference {
        /// The result that it is a difference to.
        base: EntryId,
        /// The text that is sent.
        text: String,
    },
    /// Of an answer: long arguments of calls are left out. Everything else of it stays.
    Arguments {
        /// The calls that lose some.
        calls: Vec<ArgumentCut>,
    },
}

/// The arguments that one call loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentCut {
    /// Which of the answer's calls that are sent, from 0.
    pub call: usize,
    /// The arguments that are left out.
    pub names: Vec<String>,
    /// The text of [`LEFT_OUT_FIELD`].
    pub note: String,
}

/// The rule that made a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutPhase {
    /// A later result made it pointless.
    Superseded,
    /// A fresh read of what an earlier one shows.
    SeenBefore,
    /// Soft trim: head and tail remain.
    Soft,
    /// The effect of a call is on disk: its long arguments are left out.
    Arguments,
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
            Self::SeenBefore => "seen-before",
            Self::Soft => "soft",
            Self::Arguments => "arguments",
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
            Self::SeenBefore,
            Self::Soft,
            Self::Arguments,
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
