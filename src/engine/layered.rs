//! The default engine: every layer of [`crate::context`], in its fixed order.

use std::sync::Arc;

use super::compaction::{self, KeptTail};
use super::{ContextEngine, DEFAULT_ENGINE, EngineInfo};
use crate::context::cut_to_budget;
use crate::context::ruler::Ruler;
use crate::context::tail::{TailLimits, TailPlan};
use crate::context::{
    ContextSettings, ContextView, Evaluation, RequestContext, ShrinkMode, ViewAssembler,
};
use crate::transcript::{Decision, EntryId, Message, Timestamp, Transcript};

/// See the module's description.
pub struct Layered {
    assembler: ViewAssembler,
}

impl Layered {
    /// Counts with `ruler`.
    pub fn new(settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) -> Self {
        Self {
            assembler: ViewAssembler::new(settings, ruler),
        }
    }
}

impl ContextEngine for Layered {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: DEFAULT_ENGINE,
            name: "projection, guards, pruning, compaction by summary",
            owns_compaction: false,
        }
    }

    fn settings(&self) -> &Arc<ContextSettings> {
        self.assembler.settings()
    }

    fn assemble(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
    ) -> Evaluation {
        self.assembler
            .evaluate(transcript, request_context, now, pressure)
    }

    fn with_draft(&mut self, view: ContextView, draft: &Arc<Message>) -> ContextView {
        self.assembler.with_draft(view, draft)
    }

    fn plan_compaction(&self, view: &ContextView, kept: KeptTail<'_>) -> Option<TailPlan> {
        compaction::plan(&self.settings().compaction, view, kept)
    }

    fn cut_kept_result(&self, view: &ContextView, target: &EntryId) -> Option<Decision> {
        let settings = self.settings();
        let limits = TailLimits::of(&settings.compaction, view.window.usable);
        let notice = settings.guard.notice.as_deref();
        cut_to_budget(view, target, limits.budget_tokens, notice)
    }

    fn entry_tokens(&mut self, entry: &EntryId, message: &Message) -> u64 {
        self.assembler.entry_tokens(entry, message)
    }
}
