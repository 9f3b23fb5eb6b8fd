//! `process`: a program of the user's chooses what is sent, in any language.
//!
//! It speaks JSON-RPC 2.0, one object a line ([`protocol`]). What could be sent goes to it once
//! and is named by id afterwards; it answers which groups it leaves out, and why. How the
//! program is started and how long it is waited for is the caller's ([`ProgramLauncher`]).
//! Nothing that it answers is taken unchecked.

mod answer;
mod extra;
pub mod protocol;
pub mod trial;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::answer::choices;
use self::protocol::{
    AssembleParams, AssembleResult, GroupRecord, InitializeResult, PROTOCOL_VERSION, PartRecord,
    Request, Response,
};
use super::happening::{EndedSubagent, EndedTurn, SubagentWish};
use super::selecting::SelectionPolicy;
use super::shrinking::{ShrinkChoice, ShrinkPlan, ShrinkRequest, ShrinkStep};
use super::{EngineFailure, EngineInfo};
use crate::clock;
use crate::context::selection::{CandidateGroup, Candidates, Selection};
use crate::context::tail::TailPlan;
use crate::context::{ContextView, ViewItem};
use crate::transcript::{Entry, EntryId, Message};

/// Characters of a text that a program gets unless it asks for another number.
const USUAL_TEXT_CHARS: usize = 4_000;
/// Lines that answer nothing, until the program counts as broken.
const MAX_STRAY_LINES: usize = 1_000;
/// A program that ended is started again at once, then after each of these times; then no more.
const PAUSES: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_secs(1),
    Duration::from_secs(4),
];
/// The first answer may take this many times longer: the program reads the whole conversation.
const COLD_FACTOR: u32 = 4;

/// Starts the program.
pub trait ProgramLauncher: Send + Sync {
    /// Starts it anew; the one before has ended or was ended.
    fn launch(&self) -> Result<Box<dyn ProgramLink>, String>;

    /// The most that an answer may take.
    fn limit(&self) -> Duration;
}

/// A running program. Dropping it ends the program with everything that it started.
pub trait ProgramLink: Send + Sync {
    /// Sends a line, without waiting until it is read.
    fn send(&mut self, line: String) -> Result<(), String>;

    /// The next line, or `None` when none came in this time. An error: there will be no more.
    fn receive(&mut self, limit: Duration) -> Result<Option<String>, String>;
}

/// See the module's description.
pub struct ProcessEngine {
    launcher: Arc<dyn ProgramLauncher>,
    program: Option<RunningProgram>,
    /// What the program said of itself, when it was last started.
    said: InitializeResult,
    /// How often it ended by itself.
    deaths: usize,
    /// Not started again before this moment.
    rests_until: Option<Instant>,
    /// The newest answer, with the budget that it was given for.
    newest: Option<(Option<u64>, Selection)>,
}

struct RunningProgram {
    link: Box<dyn ProgramLink>,
    next_id: u64,
    /// The list that it has.
    list: Vec<SentGroup>,
    /// Where in it the group of an entry is, by the first one of each group.
    places: HashMap<EntryId, usize>,
    /// Entries whose text it has.
    known: HashSet<EntryId>,
    is_warm: bool,
}

/// A group as the program has it.
struct SentGroup {
    items: Vec<Arc<ViewItem>>,
    tokens: u64,
    is_required: bool,
}

impl SentGroup {
    fn of(candidates: &Candidates<'_>, group: &CandidateGroup) -> Self {
        Self {
            items: candidates.of(group).cloned().collect(),
            tokens: group.estimate_tokens,
            is_required: group.is_required,
        }
    }

    /// The entry that names it.
    fn first(&self) -> Option<&EntryId> {
        self.items.iter().find_map(|item| item.entry.as_ref())
    }

    /// Whether the program has a group as it is now. An item that was counted anew is the same.
    fn is(&self, candidates: &Candidates<'_>, group: &CandidateGroup) -> bool {
        let is_same =
            |(a, b): (&Arc<ViewItem>, &Arc<ViewItem>)| Arc::ptr_eq(a, b) || a.entry == b.entry;
        self.tokens == group.estimate_tokens
            && self.is_required == group.is_required
            && self.items.len() == group.items.len()
            && self.items.iter().zip(candidates.of(group)).all(is_same)
    }
}

impl ProcessEngine {
    /// Its id.
    pub const ID: &str = "process";
    /// One line for people.
    pub const DESCRIPTION: &str = "a program of yours chooses (context.engine_command)";

    /// Starts the program and asks what it is.
    pub fn start(launcher: Arc<dyn ProgramLauncher>) -> Result<Self, EngineFailure> {
        let mut engine = Self {
            launcher,
            program: None,
            said: InitializeResult::default(),
            deaths: 0,
            rests_until: None,
            newest: None,
        };
        engine.program = Some(engine.launch()?);
        Ok(engine)
    }

    fn launch(&mut self) -> Result<RunningProgram, EngineFailure> {
        let link = self.launcher.launch().map_err(EngineFailure::Failed)?;
        let mut program = RunningProgram {
            link,
            next_id: 1,
            list: Vec::new(),
            places: HashMap::new(),
            known: HashSet::new(),
            is_warm: false,
        };
        let limit = self.launcher.limit() * COLD_FACTOR;
        let params = protocol::initialize_params();
        let said: InitializeResult = program.call("initialize", params, limit)?;
        if said.protocol != PROTOCOL_VERSION {
            let text = format!(
                "it speaks version {} of the protocol, not {PROTOCOL_VERSION}",
                said.protocol
            );
            return Err(EngineFailure::Failed(text));
        }
        self.said = said;
        Ok(program)
    }

    /// The running program, started again if it ended.
    fn running(&mut self) -> Result<RunningProgram, EngineFailure> {
        if let Some(program) = self.program.take() {
            return Ok(program);
        }
        if let Some(until) = self.rests_until
            && clock::instant() < until
        {
            return Err(EngineFailure::Resting);
        }
        self.launch()
    }

    /// Characters of a text that the program gets.
    fn max_chars(&self) -> usize {
        self.said.max_text_chars.unwrap_or(USUAL_TEXT_CHARS)
    }

    fn ask(&mut self, candidates: &Candidates<'_>) -> Result<Selection, EngineFailure> {
        let budget = candidates.budget.least();
        let mut program = self.running()?;
        let max_chars = self.max_chars();
        let (params, is_same) = program.params(candidates, budget, max_chars);
        if let Some((for_budget, selection)) = &self.newest
            && is_same
            && *for_budget == budget
        {
            let selection = selection.clone();
            self.program = Some(program);
            return Ok(selection);
        }
        let limit = self.launcher.limit();
        let limit = if program.is_warm {
            limit
        } else {
            limit * COLD_FACTOR
        };
        let params = serde_json::to_value(&params).unwrap_or_default();
        let answered: AssembleResult = program.call("assemble", params, limit)?;
        program.is_warm = true;
        let chosen = choices(candidates, &program.places, &answered);
        let selection = chosen.map_err(EngineFailure::Failed)?;
        self.program = Some(program);
        self.newest = Some((budget, selection.clone()));
        Ok(selection)
    }
}

impl SelectionPolicy for ProcessEngine {
    fn info(&self) -> EngineInfo {
        let said = &self.said;
        EngineInfo {
            id: Self::ID,
            description: if said.name.is_empty() {
                Cow::Borrowed(Self::DESCRIPTION)
            } else {
                let name = super::text::one_line(&said.name, 40);
                let version = super::text::one_line(&said.version, 20);
                Cow::Owned(format!("your program {name} {version}"))
            },
            owns_compaction: said.owns_compaction,
            is_choosing: true,
        }
    }

    fn select(&mut self, candidates: &Candidates<'_>) -> Result<Selection, EngineFailure> {
        // A start that ends the program again is one more of its ends.
        loop {
            match self.ask(candidates) {
                Err(EngineFailure::Ended(why)) => {
                    self.newest = None;
                    let Some(pause) = PAUSES.get(self.deaths) else {
                        let text = format!("it ended {} times: {why}", self.deaths + 1);
                        return Err(EngineFailure::Failed(text));
                    };
                    self.deaths += 1;
                    if !pause.is_zero() {
                        self.rests_until = Some(clock::instant() + *pause);
                        return Err(EngineFailure::Ended(why));
                    }
                }
                answered => {
                    if answered.is_err() {
                        self.newest = None;
                    }
                    return answered;
                }
            }
        }
    }

    fn plan_shrink(
        &mut self,
        view: &ContextView,
        request: &ShrinkRequest<'_>,
        usual: Option<&TailPlan>,
    ) -> Result<ShrinkChoice, EngineFailure> {
        self.ask_plan(view, request, usual)
    }

    fn shrink(
        &mut self,
        plan: &ShrinkPlan,
        request: &ShrinkRequest<'_>,
    ) -> Result<ShrinkStep, EngineFailure> {
        self.ask_shrink(plan, request)
    }

    fn ingest(&mut self, entry: &Entry) {
        self.tell_entry(entry);
    }

    fn after_turn(&mut self, turn: &EndedTurn) {
        self.tell_turn(turn);
    }

    fn prepare_subagent(&mut self, wish: &SubagentWish) -> Result<Option<String>, EngineFailure> {
        self.ask_subagent(wish)
    }

    fn subagent_ended(&mut self, ended: &EndedSubagent) {
        self.tell_subagent_end(ended);
    }

    fn forget(&mut self) {
        self.newest = None;
    }

    /// The program has limits of its own.
    fn limit(&self) -> Option<Duration> {
        None
    }
}

impl RunningProgram {
    /// Calls a method and waits for its result.
    fn call<T: serde::de::DeserializeOwned>(
        &mut self,
        method: &'static str,
        params: serde_json::Value,
        limit: Duration,
    ) -> Result<T, EngineFailure> {
        let id = self.next_id;
        self.next_id += 1;
        let line = Request::new(id, method, params).line();
        self.link.send(line).map_err(EngineFailure::Ended)?;
        let began = clock::instant();
        let mut strays = 0;
        loop {
            let took = clock::instant().saturating_duration_since(began);
            let left = limit.saturating_sub(took);
            let line = self.link.receive(left).map_err(EngineFailure::Ended)?;
            let Some(line) = line else {
                return Err(EngineFailure::Late { took: limit, limit });
            };
            match Response::read(&line, id).map_err(EngineFailure::Failed)? {
                Some(result) => {
                    return serde_json::from_value(result).map_err(|error| {
                        EngineFailure::Failed(format!("its answer to {method} is wrong: {error}"))
                    });
                }
                None if strays >= MAX_STRAY_LINES => {
                    let text = format!("it printed {strays} lines and no answer");
                    return Err(EngineFailure::Failed(text));
                }
                None => strays += 1,
            }
        }
    }

    /// What is asked, and whether the program has this list already. It has it afterwards.
    fn params(
        &mut self,
        candidates: &Candidates<'_>,
        budget_tokens: Option<u64>,
        max_chars: usize,
    ) -> (AssembleParams, bool) {
        let groups = candidates.groups;
        let both = self.list.iter().zip(groups);
        let unchanged = both
            .take_while(|(sent, now)| sent.is(candidates, now))
            .count();
        let is_same = unchanged == groups.len() && unchanged == self.list.len();
        for gone in self.list.drain(unchanged..) {
            gone.first().map(|entry| self.places.remove(entry));
        }
        let mut params = AssembleParams {
            budget_tokens,
            unchanged,
            groups: Vec::new(),
        };
        for (at, group) in groups.iter().enumerate().skip(unchanged) {
            let record = self.record(candidates, group, max_chars);
            params.groups.push(record);
            let sent = SentGroup::of(candidates, group);
            if let Some(first) = sent.first() {
                self.places.insert(first.clone(), at);
            }
            self.list.push(sent);
        }
        (params, is_same)
    }

    fn record(
        &mut self,
        candidates: &Candidates<'_>,
        group: &CandidateGroup,
        max_chars: usize,
    ) -> GroupRecord {
        let mut record = GroupRecord {
            id: String::new(),
            turn: group.turn,
            tokens: group.estimate_tokens,
            required: group.is_required,
            parts: Vec::new(),
        };
        for item in candidates.of(group) {
            let Some(entry) = &item.entry else { continue };
            if record.id.is_empty() {
                entry.as_str().clone_into(&mut record.id);
            }
            if self.known.insert(entry.clone()) {
                let text = candidates.text_of(entry);
                record.parts.push(PartRecord {
                    entry: entry.as_str().to_owned(),
                    role: item.role.name(),
                    tool: tool_of(item.sent.as_deref()),
                    text: text.chars().take(max_chars).collect(),
                });
            }
        }
        record
    }
}

fn tool_of(message: Option<&Message>) -> Option<String> {
    match message {
        Some(Message::ToolResult(result)) => Some(result.tool_name.clone()),
        _ => None,
    }
}
