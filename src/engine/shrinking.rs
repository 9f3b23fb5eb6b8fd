//! How a request is made smaller: the engine plans, dry runs and reviews show the plan, and the
//! driver carries it out. Whoever asks a model is the driver; an engine never does.

use super::compaction::KeptTail;
use crate::context::tail::TailPlan;
use crate::transcript::{EntryId, Trigger};

/// Why a request has to become smaller, and what is wished for.
#[derive(Clone, Copy, Debug)]
pub struct ShrinkRequest<'a> {
    /// Why.
    pub trigger: Trigger,
    /// Which attempt of a recovery this is, else 0.
    pub attempt: u32,
    /// What the user wants of the summary.
    pub instructions: Option<&'a str>,
    /// How much is to be kept.
    pub kept: KeptTail<'a>,
}

impl ShrinkRequest<'_> {
    /// Whether the choice is the engine's: neither the user nor a recovery has made it.
    pub fn is_open(&self) -> bool {
        let kept = &self.kept;
        let is_fixed = kept.from.is_some() || kept.held_back.is_some();
        !is_fixed && !kept.keep_nothing && !kept.may_summarise_nothing
    }
}

/// What would go and what would stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShrinkPlan {
    /// The messages that a summary replaces, and those that it leaves.
    pub tail: TailPlan,
    /// Why the engine cuts there, in one clause; `None` where the settings say it.
    pub reason: Option<String>,
    /// A model is asked for the summary.
    pub needs_model: bool,
}

impl ShrinkPlan {
    /// The usual plan: the settings choose, a model writes.
    pub fn usual(tail: TailPlan) -> Self {
        Self {
            tail,
            reason: None,
            needs_model: true,
        }
    }
}

/// Where an engine would cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShrinkChoice {
    /// As the settings say.
    #[default]
    Usual,
    /// Everything before this entry is replaced.
    KeepFrom {
        /// The first entry that is kept.
        entry: EntryId,
        /// Why, in one clause.
        reason: String,
        /// A model is asked for the summary.
        needs_model: bool,
    },
}

/// How a plan is carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShrinkStep {
    /// The driver has the summary written.
    #[default]
    Summarise,
    /// The same, with these instructions where the user gave none.
    SummariseFor(String),
    /// This is the summary. It is checked and reviewed like any other.
    Summary(String),
    /// Nothing was done, and why. A recovery from a refusal goes on without the engine.
    Nothing(String),
}
