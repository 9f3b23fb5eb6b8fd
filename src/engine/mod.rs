//! The interface of context engines: from a transcript to a view.
//!
//! An engine decides what a request carries; it never talks to a model, a disk or a
//! screen. Whoever runs a session calls the algorithms of [`crate::context`] through this
//! module only. [`registry`] lists the built-in engines by id: `layered` (projection, guards,
//! pruning, compaction by summary) sends everything that fits; the others choose among it
//! ([`selecting`]). [`validation`] checks every view, whoever made it.

pub mod compaction;
pub mod counting;
mod for_others;
pub mod happening;
mod layered;
pub mod process;
pub mod recall;
pub mod registry;
pub mod retrieval;
pub mod selecting;
pub mod shrinking;
pub mod sliding_window;
pub mod summary;
pub mod text;
pub mod validation;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

pub use for_others::text_for_others;
pub use layered::Layered;

use self::happening::{EndedSubagent, EndedTurn, SubagentWish};
use self::recall::RecallAddress;
use self::shrinking::{ShrinkChoice, ShrinkPlan, ShrinkRequest, ShrinkStep};
use crate::context::ruler::Ruler;
use crate::context::tail::{TailLimits, select_from};
use crate::context::{
    ContextSettings, ContextView, Evaluation, RequestContext, ShrinkMode, ViewAssembler,
    cut_to_budget,
};
use crate::transcript::{Decision, Entry, EntryId, Message, Timestamp, Transcript};

/// The engine that is used unless another one is asked for, and in the place of one that is
/// set aside.
pub const DEFAULT_ENGINE: &str = "layered";

/// The id and description of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// As in the setting `context.engine`.
    pub id: &'static str,
    /// One line for people.
    pub description: Cow<'static, str>,
    /// Compacts by itself: the built-in triggers are off.
    pub owns_compaction: bool,
    /// It leaves out what it does not choose.
    pub is_choosing: bool,
}

/// Why an engine gave no view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineFailure {
    /// It took too long.
    #[error("it took {} ms (limit: {} ms)", took.as_millis(), limit.as_millis())]
    Late {
        /// The time it took, or after which nobody waited any more.
        took: Duration,
        /// The most that it may take.
        limit: Duration,
    },
    /// It failed.
    #[error("{0}")]
    Failed(String),
    /// Its program ended, and is started again later.
    #[error("{0}")]
    Ended(String),
    /// Its program is not started yet again.
    #[error("its program is started again in a moment")]
    Resting,
}

/// Decides what the next request carries.
pub trait ContextEngine: Send + Sync {
    /// The engine's id and description.
    fn info(&self) -> EngineInfo;

    /// The assembler that it builds on.
    fn assembler(&self) -> &ViewAssembler;

    /// The assembler that it builds on.
    fn assembler_mut(&mut self) -> &mut ViewAssembler;

    /// Counts with another ruler, or by other settings, from here on.
    fn renew(&mut self, settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>);

    /// The view of the next request, with what has to be recorded for it. The same
    /// arguments give the same view.
    fn assemble(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
    ) -> Result<Evaluation, EngineFailure>;

    /// The settings in force.
    fn settings(&self) -> &Arc<ContextSettings> {
        self.assembler().settings()
    }

    /// A view that was assembled last, with the draft in the composer after it, for display
    /// only: no decision is made of it.
    fn with_draft(&mut self, view: ContextView, draft: &Arc<Message>) -> ContextView {
        self.assembler_mut().with_draft(view, draft)
    }

    /// What of this view would go and what would stay; `None` when everything would be kept.
    /// Dry runs and reviews show it, and [`ContextEngine::shrink`] carries it out.
    fn plan_shrink(
        &mut self,
        view: &ContextView,
        request: &ShrinkRequest<'_>,
    ) -> Result<Option<ShrinkPlan>, EngineFailure> {
        planned(self.settings(), view, request, ShrinkChoice::Usual)
    }

    /// How that plan is carried out. Nothing has changed until the driver has recorded it.
    fn shrink(
        &mut self,
        _: &ShrinkPlan,
        _: &ShrinkRequest<'_>,
    ) -> Result<ShrinkStep, EngineFailure> {
        Ok(ShrinkStep::Summarise)
    }

    /// A new entry of the log. Nobody waits for what the engine makes of it.
    fn ingest(&mut self, _: &Entry) {}

    /// A turn has ended.
    fn after_turn(&mut self, _: &EndedTurn) {}

    /// A sub-agent is about to start. Gives what it is told before its task, if anything. That
    /// counts for [`SubagentWish::ttl_secs`]; [`ContextEngine::subagent_ended`] takes it back
    /// when the sub-agent does not start.
    fn prepare_subagent(&mut self, _: &SubagentWish) -> Result<Option<String>, EngineFailure> {
        Ok(None)
    }

    /// A sub-agent has ended, or never began.
    fn subagent_ended(&mut self, _: &EndedSubagent) {}

    /// Cuts a tool result that a compaction keeps and that is larger than all that it may
    /// keep; `None` when nothing has to be cut. `address` is where the model can have the
    /// original back.
    fn cut_kept_result(
        &self,
        view: &ContextView,
        target: &EntryId,
        address: Option<RecallAddress>,
    ) -> Option<Decision> {
        let settings = self.settings();
        let limits = TailLimits::of(&settings.compaction, view.window.usable);
        let notice = settings.guard.notice.as_deref();
        cut_to_budget(view, target, limits.budget_tokens, notice, address)
    }

    /// Tokens of an entry's message as it is on disk, by the engine's ruler.
    fn entry_tokens(&mut self, entry: &EntryId, message: &Message) -> u64 {
        self.assembler_mut().entry_tokens(entry, message)
    }
}

/// The plan that follows from where an engine would cut. An entry that cannot be the first one
/// that is kept is a failure of the engine.
fn planned(
    settings: &ContextSettings,
    view: &ContextView,
    request: &ShrinkRequest<'_>,
    choice: ShrinkChoice,
) -> Result<Option<ShrinkPlan>, EngineFailure> {
    match choice {
        ShrinkChoice::Usual => {
            let tail = compaction::plan(&settings.compaction, view, request.kept);
            Ok(tail.map(ShrinkPlan::usual))
        }
        ShrinkChoice::KeepFrom {
            entry,
            reason,
            needs_model,
        } => {
            let mut items = view.items.iter();
            if !items.any(|item| item.entry.as_ref() == Some(&entry)) {
                let id = text::one_line(entry.as_str(), QUOTED_CHARS);
                let text = format!("it would keep from {id} on, which is not sent");
                return Err(EngineFailure::Failed(text));
            }
            // Nothing is sent before it: the settings choose.
            let Some(tail) = select_from(view, &entry) else {
                return planned(settings, view, request, ShrinkChoice::Usual);
            };
            Ok(Some(ShrinkPlan {
                tail,
                reason: Some(reason),
                needs_model,
            }))
        }
    }
}

/// Characters of an id that an error quotes.
const QUOTED_CHARS: usize = 40;
