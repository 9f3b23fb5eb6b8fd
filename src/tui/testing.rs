//! A harness for screens: keys and events through the real update loop, the screen as
//! text. For tests only.

use std::collections::BTreeMap;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::effect::Effect;
use super::input::{Input, Pointer};
use super::model::Model;
use super::msg::Msg;
use super::{keymap, update, view};
use crate::agent::{
    AgentEvent, ApprovalState, Op, Query, QueryId, QueryReply, SessionEvent, SessionInfo, TurnOp,
};
use crate::context::{
    ByCategory, Category, CompactionOutlook, ContextView, FrameText, GuardReport, PruneReport,
    RepairReport, RulerReport, UsageReport, WindowReport,
};
use crate::transcript::{
    AssistantMessage, AssistantPart, Entry, EntryBody, EntryId, Message, ModelRef, Part,
    StopReason, Timestamp, ToolCall, ToolResult,
};

/// The window of [`view_of`].
const WINDOW: u64 = 200_000;
/// The load line of [`view_of`].
const LOAD_LINE: u64 = 180_000;
/// 2026-01-02 14:02 UTC, where the harness's clock begins.
const START_MS: i64 = 1_767_362_520_000;

/// The interface without a terminal.
pub struct Harness {
    /// The state.
    pub model: Model,
    /// Everything that was asked of the runner so far.
    pub effects: Vec<Effect>,
    /// Questions to the agent without a reply, oldest first.
    asked: Vec<(QueryId, Query)>,
    size: (u16, u16),
    entries: usize,
}

impl Harness {
    /// An interface of this size with an open, empty session.
    pub fn new(columns: u16, rows: u16) -> Self {
        let mut harness = Self {
            model: Model::default(),
            effects: Vec::new(),
            asked: Vec::new(),
            size: (columns, rows),
            entries: 0,
        };
        harness.wait(START_MS);
        harness.open(Vec::new());
        harness.screen();
        harness
    }

    /// Opens a session with these entries.
    pub fn open(&mut self, branch: Vec<Arc<Entry>>) {
        self.event(AgentEvent::Session(SessionEvent::Opened(Box::new(
            SessionInfo {
                id: "0197".to_owned(),
                name: "refactor-auth".to_owned(),
                path: None,
                cwd: "/src/api".into(),
                read_only: None,
                branch,
                aside: Vec::new(),
                model: ModelRef::new("anthropic", "claude-sonnet"),
                model_reason: "ANTHROPIC_API_KEY is set".to_owned(),
                reasoning: None,
                engine: "layered".to_owned(),
                found: None,
                resumed: false,
                plan_mode: false,
                approvals: ApprovalState::default(),
            },
        ))));
    }

    /// One message through the update loop.
    pub fn send(&mut self, msg: Msg) {
        let effects = update::update(&mut self.model, msg);
        self.record(effects);
    }

    /// Keeps effects. Questions have the same id there, so that they can be compared.
    fn record(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Send(Op::Query { id, query }) = effect {
                self.asked.push((id, query.clone()));
                self.effects.push(Effect::Send(Op::query(query)));
            } else {
                self.effects.push(effect);
            }
        }
    }

    /// Asks for a screen, as a command does.
    pub fn ask_for_screen(&mut self, query: Query) {
        let effects = self.model.ask_for_screen(query);
        self.record(effects);
    }

    /// The reply to the oldest question that it answers; without one, nobody asked.
    pub fn reply(&mut self, reply: QueryReply) {
        let mut asked = self.asked.iter();
        let at = asked.position(|(_, query)| answers(&reply, query));
        let to = at.map(|at| self.asked.remove(at).0);
        self.event(AgentEvent::Reply { to, reply });
    }

    /// An event of the agent.
    pub fn event(&mut self, event: AgentEvent) {
        self.send(Msg::Agent(event));
    }

    /// Lets time pass.
    pub fn wait(&mut self, millis: i64) {
        let now = Timestamp(self.model.now.0 + millis);
        self.send(Msg::Tick(now));
    }

    /// Keys by name, separated by blanks: `ctrl-a alt-enter x`.
    pub fn keys(&mut self, names: &str) {
        for name in names.split(' ') {
            // The transcript scrolls by what the last frame showed.
            self.screen();
            if let Some(key) = keymap::event(name) {
                self.send(Msg::Input(Input::Key(key)));
            }
        }
    }

    /// Types text, character by character.
    pub fn type_text(&mut self, text: &str) {
        use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
        for c in text.chars() {
            let key = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            self.send(Msg::Input(Input::Key(key)));
        }
    }

    /// Clicks a place of the screen.
    pub fn click(&mut self, column: u16, row: u16) {
        for kind in [Pointer::Down, Pointer::Up] {
            self.send(Msg::Input(Input::Pointer { kind, column, row }));
        }
    }

    /// Drags from one place of the screen to another.
    pub fn drag(&mut self, from: (u16, u16), to: (u16, u16)) {
        for (kind, (column, row)) in [
            (Pointer::Down, from),
            (Pointer::Drag, to),
            (Pointer::Up, to),
        ] {
            self.screen();
            self.send(Msg::Input(Input::Pointer { kind, column, row }));
        }
    }

    /// Another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.size = (columns, rows);
        self.send(Msg::Input(Input::Resize { columns, rows }));
    }

    /// The ops for the agent since the last call.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The ops among it. Those about the composer's text come at every key and are left out.
    pub fn take_ops(&mut self) -> Vec<Op> {
        let effects = self.take_effects().into_iter();
        effects
            .filter_map(|effect| match effect {
                Effect::Send(op) if !matches!(op, Op::Turn(TurnOp::Draft { .. })) => Some(op),
                _ => None,
            })
            .collect()
    }

    /// Draws, and gives the screen with the cursor.
    pub fn draw(&mut self) -> (Buffer, Option<Position>) {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let mut buffer = Buffer::empty(area);
        let cursor = view::frame(&mut self.model, area, &mut buffer);
        (buffer, cursor)
    }

    /// The screen as text, lines without trailing blanks.
    pub fn screen(&mut self) -> String {
        let (buffer, _) = self.draw();
        text_of(&buffer)
    }

    /// Writes an entry, as the agent would, and gives its id.
    pub fn entry(&mut self, body: EntryBody) -> EntryId {
        self.entries += 1;
        let entry = entry(self.entries, self.model.now, body);
        let id = entry.id.clone();
        self.event(AgentEvent::Session(SessionEvent::Entry(entry)));
        id
    }

    /// A message of the user.
    pub fn user(&mut self, text: &str) -> EntryId {
        self.entry(EntryBody::Message(Arc::new(Message::user_text(text))))
    }

    /// An answer.
    pub fn answer(&mut self, content: Vec<AssistantPart>) -> EntryId {
        self.entry(EntryBody::Message(Arc::new(Message::Assistant(
            AssistantMessage {
                content,
                stop: StopReason::ToolUse,
                ..AssistantMessage::default()
            },
        ))))
    }

    /// The result of a call.
    pub fn result(&mut self, call_id: &str, text: &str, details: serde_json::Value) -> EntryId {
        self.entry(EntryBody::Message(Arc::new(Message::ToolResult(
            ToolResult {
                call_id: call_id.to_owned(),
                content: vec![Part::Text(text.to_owned())],
                is_error: details.get("exitCode").is_some_and(|code| code != 0),
                details: Some(details),
                ..ToolResult::default()
            },
        ))))
    }
}

/// Whether a reply is one to this question.
fn answers(reply: &QueryReply, query: &Query) -> bool {
    match reply {
        QueryReply::Wire(_) => *query == Query::Wire,
        QueryReply::Compaction { .. } => matches!(query, Query::Compaction(_)),
        QueryReply::Fidelity(_) => *query == Query::Fidelity,
        QueryReply::Foreseen { .. } => matches!(query, Query::Foresee(_)),
        QueryReply::Rules(_) => *query == Query::Rules,
        QueryReply::Permissions(_) => *query == Query::Permissions,
        QueryReply::Settings(_) => *query == Query::Settings,
        QueryReply::Logins(_) => *query == Query::Logins,
        QueryReply::Changes(_) => *query == Query::Changes,
        QueryReply::RewindPlan(_) => matches!(query, Query::RewindPlan { .. }),
        QueryReply::Cost(_) => *query == Query::Cost,
        QueryReply::Tools(_) => *query == Query::Tools,
        QueryReply::Servers(_) => *query == Query::Servers,
        QueryReply::Engines(_) => *query == Query::Engines,
        QueryReply::Models(_) => *query == Query::Models,
        QueryReply::Sessions(_) => {
            matches!(
                query,
                Query::Sessions { .. } | Query::ForeignSessions { .. } | Query::SessionText(_)
            )
        }
        QueryReply::SessionPeek(_) => matches!(query, Query::SessionPeek(_)),
        QueryReply::History(_) => *query == Query::History,
        QueryReply::Notes(_) => *query == Query::Notes,
        QueryReply::Child(_) => matches!(query, Query::Child(_)),
        QueryReply::Recall(_) => matches!(query, Query::Recall(_)),
    }
}

/// A call with one argument.
pub fn call(id: &str, name: &str, argument: &str, value: &str) -> AssistantPart {
    AssistantPart::ToolCall(ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: serde_json::json!(BTreeMap::from([(argument, value)])),
        malformed: None,
    })
}

/// An entry with a number for an id.
pub fn entry(number: usize, timestamp: Timestamp, body: EntryBody) -> Arc<Entry> {
    Arc::new(Entry {
        id: EntryId::new(format!("{number:08x}")),
        parent: None,
        timestamp,
        body,
    })
}

/// A view with these tokens by category in a window of 200,000 with the load line at
/// 180,000; no items.
pub fn view_of(by_category: &[u64; Category::COUNT]) -> ContextView {
    let by_category = ByCategory(*by_category);
    ContextView {
        window: WindowReport {
            tokens: Some(WINDOW),
            load_line: LOAD_LINE,
            load_line_effective: LOAD_LINE,
            ..WindowReport::default()
        },
        ruler: RulerReport::default(),
        usage: UsageReport {
            tokens: by_category.total(),
            exact: false,
            measured_tokens: 0,
            by_category,
        },
        items: rpds::VectorSync::new_sync(),
        left_out: rpds::VectorSync::new_sync(),
        repair: RepairReport::default(),
        guard: GuardReport::default(),
        prune: PruneReport::default(),
        compaction: CompactionOutlook {
            compacts_at: Some(LOAD_LINE),
            ..CompactionOutlook::default()
        },
        rules: crate::context::rules::RulesReport::default(),
        frame: FrameText::default(),
    }
}

/// A buffer as text.
pub fn text_of(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer
                .cell((x, y))
                .map_or(" ", ratatui::buffer::Cell::symbol);
            skip = super::render::wrap::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
