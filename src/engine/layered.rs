//! The default engine: every layer of [`crate::context`], in its fixed order.

use std::borrow::Cow;
use std::sync::Arc;

use super::{ContextEngine, DEFAULT_ENGINE, EngineFailure, EngineInfo};
use crate::context::ruler::Ruler;
use crate::context::{ContextSettings, Evaluation, RequestContext, ShrinkMode, ViewAssembler};
use crate::transcript::{Timestamp, Transcript};

/// See the module's description.
pub struct Layered {
    assembler: ViewAssembler,
}

impl Layered {
    /// One line for people.
    pub const DESCRIPTION: &str =
        "everything, pruned by age and size, older messages replaced by a summary";

    /// Counts with `ruler`.
    pub fn new(settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) -> Self {
        Self {
            assembler: ViewAssembler::new(settings, ruler),
        }
    }

    /// The view of the next request; this engine never fails.
    pub fn evaluate(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
    ) -> Evaluation {
        self.assembler
            .evaluate(transcript, request_context, now, pressure)
    }
}

impl ContextEngine for Layered {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: DEFAULT_ENGINE,
            description: Cow::Borrowed(Self::DESCRIPTION),
            owns_compaction: false,
            is_choosing: false,
        }
    }

    fn assembler(&self) -> &ViewAssembler {
        &self.assembler
    }

    fn assembler_mut(&mut self) -> &mut ViewAssembler {
        &mut self.assembler
    }

    fn renew(&mut self, settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) {
        self.assembler = ViewAssembler::new(settings, ruler);
    }

    fn assemble(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
    ) -> Result<Evaluation, EngineFailure> {
        Ok(self.evaluate(transcript, request_context, now, pressure))
    }
}
