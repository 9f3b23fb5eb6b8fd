//! The lines between plim and an engine program: JSON-RPC 2.0, one object a line. The published
//! schema is `assets/engines/schema.json`; `plim engine schema` prints it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The version of the protocol.
pub const PROTOCOL_VERSION: u64 = 1;

/// The schema of all lines.
pub const SCHEMA: &str = include_str!("../../../assets/engines/schema.json");

/// Characters of a wrong line that an error quotes.
const QUOTED_CHARS: usize = 60;

/// A line to the program.
#[derive(Debug, Serialize)]
pub(super) struct Request {
    jsonrpc: &'static str,
    id: u64,
    method: &'static str,
    params: Value,
}

/// A line that is not answered.
#[derive(Debug, Serialize)]
pub(super) struct Notification {
    jsonrpc: &'static str,
    method: &'static str,
    params: Value,
}

impl Notification {
    pub(super) fn line(method: &'static str, params: Value) -> String {
        let notification = Self {
            jsonrpc: "2.0",
            method,
            params,
        };
        let mut line = serde_json::to_string(&notification).unwrap_or_default();
        line.push('\n');
        line
    }
}

impl Request {
    pub(super) fn new(id: u64, method: &'static str, params: Value) -> Self {
        Self {
            jsonrpc: "2.0",
            id,
            method,
            params,
        }
    }

    pub(super) fn line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

pub(super) fn initialize_params() -> Value {
    json!({
        "protocol": PROTOCOL_VERSION,
        "client": { "name": "plimsoll", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// What a program says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct InitializeResult {
    /// The version of the protocol that it speaks.
    pub protocol: u64,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// It keeps requests below the budget itself: the built-in triggers are off.
    #[serde(default)]
    pub owns_compaction: bool,
    /// Characters of a text that it wants at most.
    #[serde(default)]
    pub max_text_chars: Option<usize>,
    /// What it answers and wants to hear beside `initialize` and `assemble`.
    #[serde(default)]
    pub calls: Vec<String>,
}

/// A call that a program may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraCall {
    /// Where would a compaction cut?
    PlanShrink,
    /// How is that plan carried out?
    Shrink,
    /// A new entry; not answered.
    Ingest,
    /// A turn has ended; not answered.
    AfterTurn,
    /// A sub-agent is about to start.
    PrepareSubagent,
    /// A sub-agent has ended; not answered.
    SubagentEnded,
}

impl ExtraCall {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::PlanShrink,
        Self::Shrink,
        Self::Ingest,
        Self::AfterTurn,
        Self::PrepareSubagent,
        Self::SubagentEnded,
    ];

    /// The name of the method.
    pub fn method(self) -> &'static str {
        match self {
            Self::PlanShrink => "plan_shrink",
            Self::Shrink => "shrink",
            Self::Ingest => "ingest",
            Self::AfterTurn => "after_turn",
            Self::PrepareSubagent => "prepare_subagent",
            Self::SubagentEnded => "subagent_ended",
        }
    }
}

/// What a program is asked before a compaction. Groups are named by the list of the last
/// `assemble`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ShrinkParams {
    /// `manual`, `threshold` or `overflow`.
    pub reason: &'static str,
    /// Which attempt of a recovery this is, else 0.
    pub attempt: u32,
    /// What the user wants of the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Tokens of the context.
    pub tokens: u64,
    /// Tokens that the window has for it; `None`: the window is unknown.
    pub usable_tokens: Option<u64>,
    /// The first group that is kept: in `plan_shrink` what the settings would keep.
    pub keep_from: Option<String>,
}

/// Where a program would cut. Empty: as the settings say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanShrinkResult {
    /// The first group that is kept.
    #[serde(default)]
    pub keep_from: Option<String>,
    /// Why, in one clause.
    #[serde(default)]
    pub reason: Option<String>,
    /// `shrink` gives the summary itself.
    #[serde(default)]
    pub has_summary: bool,
}

/// How a program carries a plan out. Empty: a model writes the summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShrinkResult {
    /// The summary.
    #[serde(default)]
    pub summary: Option<String>,
    /// What the model shall heed that writes it.
    #[serde(default)]
    pub instructions: Option<String>,
    /// Nothing was done, and why.
    #[serde(default)]
    pub nothing: Option<String>,
}

/// What a sub-agent is told before its task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrepareSubagentResult {
    /// The text.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a program is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AssembleParams {
    /// Tokens that the groups may take together; `None`: the window is unknown.
    pub budget_tokens: Option<u64>,
    /// So many groups at the beginning of the list are those of the last call.
    pub unchanged: usize,
    /// The groups after them.
    pub groups: Vec<GroupRecord>,
}

/// An atomic group: an answer with the results of its calls, or one message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GroupRecord {
    /// Its first entry.
    pub id: String,
    /// Number of its turn.
    pub turn: u32,
    /// Its tokens by estimate.
    pub tokens: u64,
    /// It has to be sent.
    pub required: bool,
    /// The entries whose text was not sent before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartRecord>,
}

/// The text of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartRecord {
    /// Its id.
    pub entry: String,
    /// `user`, `assistant` or `tool`.
    pub role: &'static str,
    /// The tool of a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// As it is in the log, its beginning.
    pub text: String,
}

/// What a program answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssembleResult {
    /// Groups that are not sent.
    #[serde(default)]
    pub leave_out: Vec<LeaveRange>,
    /// Why others are sent.
    #[serde(default)]
    pub send_because: Vec<SendReason>,
    /// Said to the model before the conversation.
    #[serde(default)]
    pub note: Option<String>,
}

/// Groups that follow each other and are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaveRange {
    /// The first one.
    pub from: String,
    /// The last one.
    pub to: String,
    /// Why, in one clause.
    pub reason: String,
}

/// Why a group is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendReason {
    /// Which group.
    pub id: String,
    /// Why, in one clause.
    pub reason: String,
}

/// A line from the program.
#[derive(Debug, Deserialize)]
pub(super) struct Response {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<ResponseError>,
}

#[derive(Debug, Deserialize)]
struct ResponseError {
    #[serde(default)]
    message: String,
}

impl Response {
    /// The result that a line holds for this request; `None` for a line about something else.
    pub(super) fn read(line: &str, id: u64) -> Result<Option<Value>, String> {
        let quoted = || crate::engine::text::one_line(line, QUOTED_CHARS);
        let response: Self = serde_json::from_str(line)
            .map_err(|_| format!("it printed a line that is not a JSON object: {}", quoted()))?;
        if response.id != Some(Value::from(id)) {
            return Ok(None);
        }
        if let Some(error) = response.error {
            let said = crate::engine::text::one_line(&error.message, 2 * QUOTED_CHARS);
            return Err(format!("it reports an error: {said}"));
        }
        response
            .result
            .map(Some)
            .ok_or_else(|| format!("its answer has no result: {}", quoted()))
    }
}
