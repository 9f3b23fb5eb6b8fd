//! One open session: the log on disk, the transcript in memory, and the assembler that
//! turns both into views. No request is made here; the headless commands use it as the
//! actor does.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::protocol::{ApprovalState, Notice, SaveOutcome, SessionInfo, UnsavedSession};
use crate::agent::setup::AgentSetup;
use crate::agent::thread::adoption::Adoption;
use crate::agent::thread::engine_program::EngineProgram;
use crate::agent::thread::engine_slot::EngineSlot;
use crate::agent::thread::opened_log::{OpenedLog, load_notices, open_log};
use crate::agent::thread::plan_notes;
use crate::clock::Clock;
use crate::context::ruler::Ruler;
use crate::context::{ContextSettings, ContextView, Evaluation, RequestContext, ShrinkMode};
use crate::engine::counting::{TokenCounting, ruler_of};
use crate::engine::recall::{RECALL_TOOL, RecallAddress};
use crate::engine::{DEFAULT_ENGINE, EngineInfo};
use crate::session::{self, Access, Durability, Header, Problem, SessionError, SessionLog};
use crate::transcript::{
    CacheDiagnosis, Decision, EngineMark, Entry, EntryBody, EntryId, ImportRecord, Measurement,
    Message, ModelRef, ThinkingLevel, Timestamp, Transcript,
};

/// See the module's description.
pub struct Conversation {
    header: Header,
    log: SessionLog,
    transcript: Transcript,
    /// Why nothing can be written, if so.
    closed: Option<Access>,
    resumed: bool,
    /// The parts of the file that could not be read.
    problems: Vec<Problem>,
    engines: Box<EngineSlot>,
    clock: Clock,
    /// The entry that a search led to.
    pub(in crate::agent) found: Option<EntryId>,
    /// A problem with saving was already shown.
    is_unsaved_known: bool,
    /// Previews so far: the entries of each have names of their own.
    previews: u64,
}

impl Conversation {
    /// Opens the session of a setup. What was wrong with the file comes back as notices.
    pub fn open(
        setup: &AgentSetup,
        context: ContextSettings,
    ) -> Result<(Self, Vec<Notice>), SessionError> {
        let clock = setup.clock;
        let now = clock.now();
        let mut adoption = Adoption::of(setup, now)?;
        let (log, loaded) = open_log(setup, &adoption.source, now)?;
        let mut notices = std::mem::take(&mut adoption.notices);
        let mut closed = None;
        let mut problems = Vec::new();
        let (header, transcript, resumed) = match loaded {
            OpenedLog::Fresh(header) => (header, Transcript::new(), false),
            OpenedLog::Begun(header, transcript) => (header, transcript, false),
            OpenedLog::Existing(loaded) => {
                notices.extend(load_notices(&loaded));
                notices.extend(adoption.rules_notice(&loaded.transcript));
                if loaded.access != Access::Write {
                    closed = Some(loaded.access.clone());
                }
                problems = loaded.problems;
                (loaded.header, loaded.transcript, true)
            }
        };
        let ruler = ruler_of(context.ruler, TokenCounting::default());
        let engine = &setup.settings.agent.engine.id;
        let program = EngineProgram::of(setup);
        let mut engines = EngineSlot::new(engine, Arc::new(context), ruler, program);
        notices.extend(engines.take_notices());
        let conversation = Self {
            header,
            log,
            transcript,
            closed,
            resumed,
            problems,
            engines: Box::new(engines),
            clock,
            found: None,
            is_unsaved_known: false,
            previews: 0,
        };
        Ok((conversation, notices))
    }

    /// Counts with another ruler, or by other settings, from here on.
    pub fn use_ruler(&mut self, context: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) {
        self.engines.renew(context, ruler);
    }

    /// The context settings in force.
    pub fn context(&self) -> Arc<ContextSettings> {
        Arc::clone(self.engines.settings())
    }

    /// All that was said.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Tokens of an entry's message as it is on disk.
    pub fn entry_tokens(&mut self, entry: &EntryId, message: &Message) -> u64 {
        self.engines.entry_tokens(entry, message)
    }

    /// Cuts a tool result that is larger than all that a compaction may keep.
    pub fn cut_kept_result(&self, view: &ContextView, target: &EntryId) -> Option<Decision> {
        let mut tools = view.frame.tools.iter();
        let can_recall = tools.any(|tool| tool.name == RECALL_TOOL);
        let address = RecallAddress::of(&self.transcript, target).filter(|_| can_recall);
        self.engines.cut_kept_result(view, target, address)
    }

    /// The context engine in use.
    pub fn engine(&self) -> EngineInfo {
        self.engines.info()
    }

    /// The engines, with the one in charge.
    pub(in crate::agent) fn engines(&mut self) -> &mut EngineSlot {
        &mut self.engines
    }

    /// The file, when there is one.
    pub fn path(&self) -> Option<PathBuf> {
        self.log.path().map(ToOwned::to_owned)
    }

    /// The id in the header.
    pub fn id(&self) -> &str {
        &self.header.id
    }

    /// Its id and those of the sessions that it was forked from.
    pub fn lineage(&self) -> Vec<String> {
        session::lineage(&self.header)
    }

    /// What the server said of its prompt cache with the newest answer.
    pub fn cache_diagnosis(&self) -> Option<CacheDiagnosis> {
        let branch = self.transcript().branch();
        let mut messages = branch.iter().rev().filter_map(|entry| entry.message());
        messages.find_map(|message| match message.as_ref() {
            Message::Assistant(answer) => Some(answer.cache.clone()),
            _ => None,
        })?
    }

    /// Names how the conversation begins: the same after a compaction and in every fork of
    /// it, another one as soon as its first entry is another. Says nothing about where or
    /// what it is. `None` before the first entry.
    pub fn cache_key(&self) -> Option<Arc<str>> {
        let transcript = &self.transcript;
        let branch = transcript.branch();
        let first = branch.first()?;
        let name = format!("{}:{}", first.timestamp.0, first.id);
        Some(Arc::from(session::fingerprint(name.as_bytes())))
    }

    /// Whether it is to have a file that could not be made yet.
    pub fn is_unbegun(&self) -> bool {
        self.log.path().is_some() && !self.log.is_written()
    }

    /// Why nothing can be written, if so.
    pub fn closed(&self) -> Option<&Access> {
        self.closed.as_ref()
    }

    /// Why nothing can be written, in words.
    pub fn read_only(&self) -> Option<String> {
        self.closed.as_ref().map(ToString::to_string)
    }

    /// The newest name that the session was given.
    pub fn name(&self) -> String {
        self.newest(|body| match body {
            EntryBody::SessionInfo { name } => Some(name.clone()),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// The parts of the file that could not be read when it was opened.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Where the session was imported from.
    pub fn origin(&self) -> Option<&ImportRecord> {
        let entries = self.transcript.entries().iter().rev();
        entries.into_iter().find_map(|entry| match &entry.body {
            EntryBody::Import(record) => Some(record.as_ref()),
            _ => None,
        })
    }

    /// The model that answered last on this branch, or was chosen since.
    pub fn last_model(&self) -> Option<ModelRef> {
        let named = |provider: &str, model: &str| {
            let is_whole = !provider.is_empty() && !model.is_empty();
            is_whole.then(|| ModelRef::new(provider, model))
        };
        self.newest(|body| match body {
            EntryBody::ModelChange { provider, model } => named(provider, model),
            EntryBody::Message(message) => match message.as_ref() {
                Message::Assistant(answer) => named(&answer.provider, &answer.model),
                _ => None,
            },
            _ => None,
        })
    }

    /// The reasoning level that was chosen last on this branch.
    pub fn last_thinking(&self) -> Option<ThinkingLevel> {
        self.newest(|body| match body {
            EntryBody::ThinkingLevelChange { level } => ThinkingLevel::from_name(level),
            _ => None,
        })
    }

    fn newest<T>(&self, pick: impl Fn(&EntryBody) -> Option<T>) -> Option<T> {
        let mut newest_first = self.transcript.ancestors();
        newest_first.find_map(|entry| pick(&entry.body))
    }

    /// The facts that a front end needs to show the session.
    pub fn info(&self, cwd: PathBuf, model: &ModelRef, reason: &str) -> SessionInfo {
        let branch = self.transcript.branch();
        let active: HashSet<&EntryId> = branch.iter().map(|entry| &entry.id).collect();
        let is_aside = |entry: &&Arc<Entry>| {
            let is_listed = matches!(
                entry.body,
                EntryBody::Compaction(_) | EntryBody::Decision(Decision::Undo { .. })
            );
            is_listed && !active.contains(&entry.id)
        };
        let aside = self.transcript.entries().iter().filter(is_aside).cloned();
        SessionInfo {
            aside: aside.collect(),
            id: self.header.id.clone(),
            name: self.name(),
            path: self.path(),
            cwd,
            read_only: self.read_only(),
            branch,
            model: model.clone(),
            model_reason: reason.to_owned(),
            reasoning: None,
            engine: self.engines.info().id.to_owned(),
            resumed: self.resumed,
            found: self.found.clone(),
            plan_mode: plan_notes::is_on(&self.transcript.branch()),
            approvals: ApprovalState::default(),
        }
    }

    /// An id for the next entry.
    pub fn next_id(&self) -> EntryId {
        self.clock.entry_id(&self.transcript)
    }

    /// The journal that keeps a streaming answer through a kill.
    pub fn journal(&self) -> crate::session::StreamJournal {
        self.log.journal()
    }

    /// Appends an entry at the leaf; it is on disk when this returns, or a notice says
    /// why not (then it is kept and tried again).
    pub fn append(
        &mut self,
        body: EntryBody,
        durability: Durability,
    ) -> (Arc<Entry>, Option<Notice>) {
        let id = self.next_id();
        self.append_as(id, body, durability)
    }

    /// Appends an entry under an id from [`Self::next_id`].
    pub fn append_as(
        &mut self,
        id: EntryId,
        body: EntryBody,
        durability: Durability,
    ) -> (Arc<Entry>, Option<Notice>) {
        let entry = Arc::new(Entry {
            id,
            parent: self.transcript.leaf().cloned(),
            timestamp: self.clock.now(),
            body,
        });
        let saved = self.log.append(&entry, durability);
        // The id was checked against this transcript, so it cannot be taken.
        let _ = self.transcript.push(Arc::clone(&entry));
        self.engines.ingest(&entry);
        let notice = match saved {
            Ok(()) => std::mem::take(&mut self.is_unsaved_known)
                .then(|| Notice::info("the session is saved again, with all messages")),
            Err(error) => {
                // Somebody else began this file first: it stays theirs.
                if let (None, SessionError::ReadOnly { access, .. }) = (&self.closed, &error) {
                    self.closed = Some(access.clone());
                }
                let is_known = std::mem::replace(&mut self.is_unsaved_known, true);
                (!is_known).then(|| {
                    Notice::error(error.to_string()).with_hint(
                    "the conversation continues in memory; saving is retried with every message. \
                     On exit, a copy of the unsaved part is written to another folder and its \
                     path is shown",
                )
                })
            }
        };
        (entry, notice)
    }

    /// Whether every entry is on disk, as far as the last write tells.
    pub fn is_saved(&self) -> bool {
        !self.is_unsaved_known
    }

    /// Moves the leaf, so that the next entry starts a branch there.
    pub fn move_leaf(&mut self, leaf: Option<EntryId>) -> bool {
        self.transcript.set_leaf(leaf)
    }

    /// The view of the next request. Nothing is recorded.
    pub fn evaluate(
        &mut self,
        request_context: &RequestContext,
        pressure: ShrinkMode,
    ) -> Evaluation {
        self.evaluate_at(request_context, pressure, self.clock.now())
    }

    /// The view of the next request at another clock reading. Nothing is recorded.
    pub fn evaluate_at(
        &mut self,
        request_context: &RequestContext,
        pressure: ShrinkMode,
        now: Timestamp,
    ) -> Evaluation {
        self.engines
            .assemble(&self.transcript, request_context, now, pressure)
    }

    /// The view that was evaluated last, with the draft in the composer after it.
    pub fn with_draft(&mut self, view: ContextView, draft: &Arc<Message>) -> ContextView {
        self.engines.with_draft(view, draft)
    }

    /// The session's header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The view of the next request with its decisions recorded, so that it is the same
    /// ever after.
    pub fn settle(
        &mut self,
        request_context: &RequestContext,
        pressure: ShrinkMode,
    ) -> SettledView {
        let Evaluation { view, decisions } = self.evaluate(request_context, pressure);
        let mut settled = SettledView {
            view,
            recorded: Vec::new(),
            notices: Vec::new(),
        };
        if let Some(mark) = self.engine_mark() {
            let body = EntryBody::Measurement(Measurement::Engine(mark));
            let (entry, notice) = self.append(body, Durability::Buffered);
            settled.recorded.push(entry);
            settled.notices.extend(notice);
        }
        for decision in decisions {
            let (entry, notice) = self.append(EntryBody::Decision(decision), Durability::Buffered);
            settled.recorded.push(entry);
            settled.notices.extend(notice);
        }
        settled
    }

    /// The engine that makes the requests from here on, when the log names another one. A
    /// log that names none is `layered`'s.
    fn engine_mark(&self) -> Option<EngineMark> {
        let info = self.engines.info();
        let named = self.newest(|body| match body {
            EntryBody::Measurement(Measurement::Engine(mark)) => Some(mark.id.clone()),
            _ => None,
        });
        let before = named.unwrap_or_else(|| DEFAULT_ENGINE.to_owned());
        (before != info.id).then(|| EngineMark {
            id: info.id.to_owned(),
            is_choosing: info.is_choosing,
        })
    }

    /// The view as it would be with `body` appended. The transcript is untouched.
    pub fn preview(&mut self, request_context: &RequestContext, body: EntryBody) -> ContextView {
        self.preview_all(request_context, vec![body])
    }

    /// The id of an entry that the next preview appends, by its place. No entry of a log has it,
    /// nor one of another preview: what was counted for that is not taken for this.
    pub(crate) fn preview_id(&self, at: usize) -> EntryId {
        EntryId::new(format!("preview {}.{at}", self.previews))
    }

    /// The view as it would be with these entries appended, named by `preview_id`. The
    /// transcript is untouched.
    pub fn preview_all(
        &mut self,
        request_context: &RequestContext,
        bodies: Vec<EntryBody>,
    ) -> ContextView {
        let mut transcript = self.transcript.clone();
        let now = self.clock.now();
        for (at, body) in bodies.into_iter().enumerate() {
            let entry = Entry {
                id: self.preview_id(at),
                parent: transcript.leaf().cloned(),
                timestamp: now,
                body,
            };
            let _ = transcript.push(Arc::new(entry));
        }
        self.previews += 1;
        self.engines
            .assemble(&transcript, request_context, now, ShrinkMode::default())
            .view
    }

    /// The view as it would be with another entry as the leaf. The transcript is untouched.
    pub fn view_at(
        &mut self,
        request_context: &RequestContext,
        leaf: Option<EntryId>,
    ) -> ContextView {
        let mut transcript = self.transcript.clone();
        transcript.set_leaf(leaf);
        let now = self.clock.now();
        self.engines
            .assemble(&transcript, request_context, now, ShrinkMode::default())
            .view
    }

    /// Tries once more to save what could not be saved, and has the disk confirm it all.
    pub fn close(&mut self) -> Option<Notice> {
        self.log
            .close()
            .err()
            .map(|error| Notice::error(error.to_string()))
    }

    /// Closes the session for good: what still cannot be saved is copied into the first of
    /// these folders that can be written.
    pub fn leave(&mut self, folders: &[PathBuf]) -> SaveOutcome {
        let Err(problem) = self.log.close() else {
            let has_file = self.log.is_written();
            return if has_file {
                SaveOutcome::Saved
            } else {
                SaveOutcome::Nothing
            };
        };
        SaveOutcome::Unsaved(UnsavedSession {
            reason: problem.at_the_end(),
            copy: session::rescue(&self.log, &problem, &self.header, &self.transcript, folders),
        })
    }
}

/// A view whose decisions are in the log.
pub struct SettledView {
    /// The view.
    pub view: ContextView,
    /// The entries recorded for it.
    pub recorded: Vec<Arc<Entry>>,
    /// Problems with saving.
    pub notices: Vec<Notice>,
}

impl SettledView {
    /// The recorded overlays.
    pub fn overlays(&self) -> impl Iterator<Item = &Decision> {
        self.recorded.iter().filter_map(|entry| match &entry.body {
            EntryBody::Decision(overlay) => Some(overlay),
            _ => None,
        })
    }
}
