//! The context engine of a conversation: chosen by id, checked with every view, and set aside
//! when it fails. `layered` takes its place at once, in the same turn, and is itself never set
//! aside.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agent::protocol::{EngineListing, EngineState, Notice};
use crate::context::ruler::Ruler;
use crate::context::{ContextSettings, ContextView, Evaluation, RequestContext, ShrinkMode};
use crate::engine::happening::{EndedSubagent, EndedTurn, SubagentWish};
use crate::engine::process::ProgramLauncher;
use crate::engine::recall::RecallAddress;
use crate::engine::registry::{ENGINES, EngineParts, EngineRow, find};
use crate::engine::shrinking::{ShrinkPlan, ShrinkRequest, ShrinkStep};
use crate::engine::validation::ViewChecker;
use crate::engine::{ContextEngine, DEFAULT_ENGINE, EngineFailure, EngineInfo, Layered};
use crate::transcript::{Decision, Entry, EntryId, Message, Timestamp, Transcript};

/// The program of the engine `process`, or why there is none.
type EngineProgramChoice = Result<Arc<dyn ProgramLauncher>, Arc<str>>;

/// An engine that was late this often is set aside.
const MAX_LATE: u32 = 2;

/// See the module's description.
pub(in crate::agent) struct EngineSlot {
    row: &'static EngineRow,
    /// The engine that was asked for; `None` when it could not be made.
    engine: Option<Box<dyn ContextEngine>>,
    /// In charge while that one is set aside, or fails.
    stand_in: Layered,
    /// Why engines are set aside, by id.
    aside: BTreeMap<&'static str, String>,
    /// How often the engine was late.
    late: u32,
    parts: EngineParts,
    checker: ViewChecker,
    /// Not yet said.
    notices: Vec<Notice>,
    /// The engine in charge was not yet named to the front end.
    is_changed: bool,
}

impl EngineSlot {
    /// The engine with this id; `layered`, with a notice, when there is none.
    pub(in crate::agent) fn new(
        id: &str,
        settings: Arc<ContextSettings>,
        ruler: Arc<dyn Ruler>,
        program: EngineProgramChoice,
    ) -> Self {
        let parts = EngineParts {
            settings,
            ruler,
            program,
        };
        let mut slot = Self {
            row: &ENGINES[0],
            engine: None,
            stand_in: Layered::new(Arc::clone(&parts.settings), Arc::clone(&parts.ruler)),
            aside: BTreeMap::new(),
            late: 0,
            parts,
            checker: ViewChecker::default(),
            notices: Vec::new(),
            is_changed: false,
        };
        match find(id) {
            Some(row) => slot.take(row),
            None => slot.notices.push(unknown(id)),
        }
        slot.is_changed = false;
        slot
    }

    /// Uses another engine from here on, or brings this one back.
    pub(in crate::agent) fn choose(&mut self, id: &str, program: EngineProgramChoice) {
        self.parts.program = program;
        let Some(row) = find(id) else {
            self.notices.push(unknown(id));
            return;
        };
        self.aside.remove(row.id);
        self.take(row);
    }

    fn take(&mut self, row: &'static EngineRow) {
        self.row = row;
        self.late = 0;
        self.is_changed = true;
        self.engine = None;
        if row.id == DEFAULT_ENGINE || self.aside.contains_key(row.id) {
            return;
        }
        match row.make(self.parts.clone()) {
            Ok(engine) => self.engine = Some(engine),
            Err(failure) => self.set_aside(&failure.to_string()),
        }
    }

    /// Counts with another ruler, or by other settings, from here on.
    pub(in crate::agent) fn renew(
        &mut self,
        settings: Arc<ContextSettings>,
        ruler: Arc<dyn Ruler>,
    ) {
        self.parts.settings = Arc::clone(&settings);
        self.parts.ruler = Arc::clone(&ruler);
        if let Some(engine) = &mut self.engine {
            engine.renew(Arc::clone(&settings), Arc::clone(&ruler));
        }
        self.stand_in.renew(settings, ruler);
    }

    /// What was set aside in the conversation before stays so in this one.
    pub(in crate::agent) fn inherit(&mut self, before: &Self) {
        self.aside.clone_from(&before.aside);
        if self.aside.contains_key(self.row.id) {
            self.engine = None;
        }
    }

    /// The engine in charge.
    pub(in crate::agent) fn info(&self) -> EngineInfo {
        self.in_charge().info()
    }

    fn in_charge(&self) -> &dyn ContextEngine {
        match &self.engine {
            Some(engine) => engine.as_ref(),
            None => &self.stand_in,
        }
    }

    fn in_charge_mut(&mut self) -> &mut dyn ContextEngine {
        match &mut self.engine {
            Some(engine) => engine.as_mut(),
            None => &mut self.stand_in,
        }
    }

    /// All engines with their states.
    pub(in crate::agent) fn listing(&self) -> Vec<EngineListing> {
        let in_charge = self.info().id;
        let state = |id: &'static str| match self.aside.get(id) {
            _ if id == in_charge => EngineState::InCharge,
            Some(why) => EngineState::SetAside(why.clone()),
            None => EngineState::Available,
        };
        let listing = |row: &'static EngineRow| EngineListing {
            id: row.id,
            aliases: row.aliases,
            description: self
                .engine
                .as_ref()
                .filter(|_| row.id == self.row.id)
                .map_or_else(
                    || row.description.to_owned(),
                    |engine| engine.info().description.into_owned(),
                ),
            state: state(row.id),
            is_asked_for: row.id == self.row.id,
        };
        ENGINES.iter().map(listing).collect()
    }

    /// What is to be said since the last time.
    pub(in crate::agent) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// The engine in charge, when it is another one since the last time.
    pub(in crate::agent) fn take_change(&mut self) -> Option<&'static str> {
        std::mem::take(&mut self.is_changed).then(|| self.info().id)
    }

    /// The context settings in force.
    pub(in crate::agent) fn settings(&self) -> &Arc<ContextSettings> {
        &self.parts.settings
    }

    /// The view of the next request. Whatever is wrong with the engine, there is one.
    pub(in crate::agent) fn assemble(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
    ) -> Evaluation {
        let Some(engine) = &mut self.engine else {
            return self
                .stand_in
                .evaluate(transcript, request_context, now, pressure);
        };
        let assembled = engine.assemble(transcript, request_context, now, pressure);
        let checked = assembled.and_then(|evaluation| {
            let (view, is_running) = (&evaluation.view, request_context.tools_running);
            self.checker
                .check(view, transcript, is_running)
                .map_err(|fault| {
                    EngineFailure::Failed(format!("its view is not valid: {fault}"))
                })?;
            Ok(evaluation)
        });
        match checked {
            Ok(evaluation) => return evaluation,
            Err(failure) => self.heed(&failure),
        }
        self.stand_in
            .evaluate(transcript, request_context, now, pressure)
    }

    /// What a failure costs the engine: a notice, or its place.
    fn heed(&mut self, failure: &EngineFailure) {
        match failure {
            EngineFailure::Late { .. } => {
                self.late += 1;
                if self.late >= MAX_LATE {
                    self.set_aside(&format!("late twice: {failure}"));
                } else {
                    self.say_late(failure);
                }
            }
            EngineFailure::Ended(_) => self.say_ended(failure),
            EngineFailure::Resting => {}
            EngineFailure::Failed(_) => self.set_aside(&failure.to_string()),
        }
    }

    fn say_late(&mut self, failure: &EngineFailure) {
        let id = self.row.id;
        let text =
            format!("context engine {id} was late: {failure}; this view is {DEFAULT_ENGINE}'s");
        let hint = "if it is late once more, it is disabled";
        self.notices.push(Notice::warning(text).with_hint(hint));
    }

    fn say_ended(&mut self, failure: &EngineFailure) {
        let id = self.row.id;
        let text = format!("the program of context engine {id} ended: {failure}");
        let hint = format!("{DEFAULT_ENGINE} makes the views until it is started again");
        self.notices.push(Notice::warning(text).with_hint(hint));
    }

    fn set_aside(&mut self, why: &str) {
        let id = self.row.id;
        self.engine = None;
        self.is_changed = true;
        self.aside.insert(id, why.to_owned());
        let text = format!("context engine {id} is disabled: {why}");
        let hint = format!(
            "{DEFAULT_ENGINE} has taken over, nothing is lost; /engine {id} enables it again"
        );
        self.notices.push(Notice::warning(text).with_hint(hint));
    }

    /// The view that was assembled last, with the draft after it.
    pub(in crate::agent) fn with_draft(
        &mut self,
        view: ContextView,
        draft: &Arc<Message>,
    ) -> ContextView {
        self.in_charge_mut().with_draft(view, draft)
    }

    /// What of this view a compaction would replace and keep. Where the engine fails, the
    /// settings say it.
    pub(in crate::agent) fn plan_shrink(
        &mut self,
        view: &ContextView,
        request: &ShrinkRequest<'_>,
    ) -> Option<ShrinkPlan> {
        let planned = self.in_charge_mut().plan_shrink(view, request);
        planned.unwrap_or_else(|failure| {
            self.heed(&failure);
            self.stand_in.plan_shrink(view, request).unwrap_or_default()
        })
    }

    /// How that plan is carried out. Where the engine fails, a model writes the summary.
    pub(in crate::agent) fn shrink(
        &mut self,
        plan: &ShrinkPlan,
        request: &ShrinkRequest<'_>,
    ) -> ShrinkStep {
        let step = self.in_charge_mut().shrink(plan, request);
        step.unwrap_or_else(|failure| {
            self.heed(&failure);
            ShrinkStep::Summarise
        })
    }

    /// Tells the engine of a new entry.
    pub(in crate::agent) fn ingest(&mut self, entry: &Entry) {
        self.in_charge_mut().ingest(entry);
    }

    /// Tells the engine how a turn ended.
    pub(in crate::agent) fn after_turn(&mut self, turn: &EndedTurn) {
        self.in_charge_mut().after_turn(turn);
    }

    /// What a sub-agent is told before its task.
    pub(in crate::agent) fn prepare_subagent(&mut self, wish: &SubagentWish) -> Option<String> {
        let prepared = self.in_charge_mut().prepare_subagent(wish);
        prepared.unwrap_or_else(|failure| {
            self.heed(&failure);
            None
        })
    }

    /// Tells the engine how a sub-agent ended.
    pub(in crate::agent) fn subagent_ended(&mut self, ended: &EndedSubagent) {
        self.in_charge_mut().subagent_ended(ended);
    }

    /// Cuts a tool result that is larger than all that a compaction may keep.
    pub(in crate::agent) fn cut_kept_result(
        &self,
        view: &ContextView,
        target: &EntryId,
        address: Option<RecallAddress>,
    ) -> Option<Decision> {
        self.in_charge().cut_kept_result(view, target, address)
    }

    /// Tokens of an entry's message as it is on disk.
    pub(in crate::agent) fn entry_tokens(&mut self, entry: &EntryId, message: &Message) -> u64 {
        self.in_charge_mut().entry_tokens(entry, message)
    }
}

fn unknown(id: &str) -> Notice {
    let text = format!("no context engine {id:?}; using {DEFAULT_ENGINE}");
    let names = crate::engine::registry::names().join(", ");
    Notice::warning(text).with_hint(format!("context.engine and --engine accept: {names}"))
}
