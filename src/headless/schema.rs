//! The lines of `--output-format stream-json`, and the object of `json`, as a JSON Schema.
//! Tests hold every line that the program prints in them to it.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// The dialect.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A field and its type: `text`, `count` (a whole number from 0), `number`, `flag`, `texts`, `any`,
/// `a|b` for names, `@object` for an object below. `?` behind a type: or null; behind a name:
/// not always there.
type SchemaField = (&'static str, &'static str);

/// Fields that go together.
struct ObjectRow {
    /// The `type` of an event, else the name of an object.
    name: &'static str,
    /// What it says.
    help: &'static str,
    fields: &'static [SchemaField],
}

const fn row(name: &'static str, help: &'static str, fields: &'static [SchemaField]) -> ObjectRow {
    ObjectRow { name, help, fields }
}

/// A notice with an `event` has the fields of that event too.
const EVENTS: &[ObjectRow] = &[
    row(
        "session",
        "The session is open. The first line.",
        &[
            ("session", "text"),
            ("name", "text"),
            ("path", "text?"),
            ("cwd", "text"),
            ("model", "text"),
            ("model_reason", "text"),
            ("reasoning", "@reasoning?"),
            ("engine", "text"),
            ("resumed", "flag"),
            ("plan_mode", "flag"),
            ("read_only", "text?"),
        ],
    ),
    row(
        "view",
        "The numbers of the next request, before each request and whenever they change.",
        &[
            ("window", "@window"),
            ("ruler", "@ruler"),
            ("usage", "@context_usage"),
            ("items", "count"),
            ("left_out", "count"),
            ("repair", "@repair"),
            ("guard", "@guard"),
            ("prune", "@prune"),
            ("rules", "@rules"),
            ("compaction", "@compaction"),
        ],
    ),
    row("text_delta", "A part of the answer.", &[("text", "text")]),
    row(
        "thinking_delta",
        "A part of the model's reasoning.",
        &[("text", "text")],
    ),
    row(
        "tool_call",
        "The model calls a tool. A tool_result with the same call_id follows.",
        &[
            ("entry", "text"),
            ("call_id", "text"),
            ("name", "text"),
            ("arguments", "any"),
        ],
    ),
    row(
        "tool_result",
        "The result of a call, also of one that was refused.",
        &[
            ("entry", "text"),
            ("call_id", "text"),
            ("name", "text"),
            ("is_error", "flag"),
            ("text", "text"),
        ],
    ),
    row(
        "approval",
        "A call needed consent; without a screen it is refused.",
        &[
            ("call_id", "text"),
            ("name", "text"),
            ("title", "text"),
            ("decision", "refused"),
        ],
    ),
    row(
        "usage",
        "The provider's counts for a request, and their sum.",
        &[("request", "@usage"), ("session", "@usage")],
    ),
    row(
        "pruned",
        "Old tool results were pruned.",
        &[
            ("trimmed", "count"),
            ("cleared", "count"),
            ("tokens_saved", "count"),
            ("cache_given_up", "count"),
            ("reasoning_lost", "count"),
            ("dry_run", "flag"),
        ],
    ),
    row(
        "guarded",
        "Tool results were cut to fit.",
        &[("truncated", "count"), ("cleared", "count")],
    ),
    row(
        "repaired",
        "Calls and results were paired again.",
        &[
            ("added", "count"),
            ("dropped_duplicates", "count"),
            ("dropped_orphans", "count"),
            ("moved", "count"),
        ],
    ),
    row(
        "reasoning",
        "How hard the model reasons from now on.",
        &[("reasoning", "@reasoning?")],
    ),
    row(
        "engine",
        "Another context engine makes the views from now on.",
        &[("engine", "text")],
    ),
    row("agent_started", "A sub-agent has started.", CHILD_FIELDS),
    row(
        "agent_finished",
        "A sub-agent has ended. Its usage includes that of its own sub-agents.",
        &[
            ("id", "text"),
            ("agent", "text"),
            ("task", "text"),
            ("call_id", "text"),
            ("model", "text"),
            ("background", "flag"),
            ("path", "text?"),
            ("state", "done|failed|stopped|interrupted"),
            ("requests", "count"),
            ("usage", "@usage"),
            ("elapsed_ms", "count"),
        ],
    ),
    row("plan_mode", "Plan mode is on or off.", &[("on", "flag")]),
    row(
        "compaction_started",
        "A summary is being written.",
        &[
            ("trigger", "text"),
            ("tokens_before", "count"),
            ("summarized", "count"),
            ("kept_turns", "count"),
        ],
    ),
    row(
        "compaction_progress",
        "A stage of it.",
        &[("stage", "text")],
    ),
    row(
        "compaction_audited",
        "The summary was checked.",
        AUDIT_FIELDS,
    ),
    row(
        "compaction_applied",
        "The summary replaces older messages.",
        &[
            ("entry", "text"),
            ("trigger", "text"),
            ("model", "text"),
            ("tokens_before", "count"),
            ("tokens_after", "count"),
            ("summarized", "count"),
            ("engine_reason", "text?"),
            ("degraded", "flag"),
            ("label", "text?"),
            ("text", "text?"),
        ],
    ),
    row(
        "compaction_cancelled",
        "Nothing was changed, on request.",
        &[("reason", "text")],
    ),
    row(
        "compaction_failed",
        "Nothing was changed, after a failure.",
        &[
            ("trigger", "text"),
            ("cause", "text"),
            ("message", "text"),
            ("attempts", "count"),
        ],
    ),
    row(
        "compaction_undone",
        "A compaction was undone.",
        &[
            ("entry", "text"),
            ("tokens_after", "count"),
            ("over_load_line", "flag"),
        ],
    ),
    row(
        "retrying",
        "A request failed and is sent again.",
        &[
            ("attempt", "count"),
            ("max_attempts", "count"),
            ("after_ms", "count"),
            ("reason", "text"),
        ],
    ),
    row(
        "notice",
        "A sentence for people. `event` names it where it has numbers.",
        &[
            ("level", "info|warning|error"),
            ("text", "text"),
            ("hint", "text?"),
            ("event?", "model_switched|overflow|replayed"),
            ("model?", "text"),
            ("reason?", "text"),
            ("requested_tokens?", "count?"),
            ("limit_tokens?", "count?"),
            ("attempt?", "count"),
            ("sent?", "flag"),
            ("original?", "text"),
            ("replay?", "text"),
            ("stripped?", "flag"),
        ],
    ),
    row(
        "turn_finished",
        "The answer is complete, or ended.",
        &[("stop_reason", STOP_REASONS), ("exit_code", "count")],
    ),
    row(
        "result",
        "How the run ended. The last line, and the only one with json.",
        &[
            ("text", "text"),
            ("stop_reason", STOP_REASONS),
            ("exit_code", "count"),
            ("usage", "@usage"),
            ("cost", "number?"),
            ("session", "text"),
            ("compactions", "count"),
            ("saved", "flag?"),
            ("copy?", "text"),
            ("error?", "@error"),
        ],
    ),
];

const CHILD_FIELDS: &[SchemaField] = &[
    ("id", "text"),
    ("agent", "text"),
    ("task", "text"),
    ("call_id", "text"),
    ("model", "text"),
    ("background", "flag"),
    ("path", "text?"),
];

const STOP_REASONS: &str = "stop|length|toolUse|refusal|paused|error|aborted";

const AUDIT_FIELDS: &[SchemaField] = &[
    ("sections", "@found_of"),
    ("identifiers", "@identifiers"),
    ("rules", "@found_of"),
    ("claims", "@claims"),
    ("ask", "text"),
    ("last_ask", "flag?"),
    ("secrets", "count"),
    ("passed", "flag"),
];

const OBJECTS: &[ObjectRow] = &[
    row(
        "reasoning",
        "Levels: asked for, sent, and the model's own.",
        &[
            ("asked", "text"),
            ("sent", "text?"),
            ("model_default", "text?"),
        ],
    ),
    row(
        "window",
        "The model's window, in tokens.",
        &[
            ("tokens", "count?"),
            ("source", "text"),
            ("capped_by?", "global|agent|model|subagent"),
            ("uncapped_tokens?", "count?"),
            ("verdict", "ok|warn|block"),
            ("reserved", "count"),
            ("usable", "count"),
            ("load_line", "count"),
            ("load_line_effective", "count"),
            ("server?", "@server"),
        ],
    ),
    row(
        "server",
        "What the server does to a prompt by itself, and from how many tokens.",
        &[("context", "text"), ("from_tokens", "count?")],
    ),
    row(
        "ruler",
        "How tokens are counted.",
        &[
            ("name", "text"),
            ("calibration", "number"),
            ("margin", "number"),
            ("samples", "count"),
        ],
    ),
    row(
        "context_usage",
        "Tokens of the next request.",
        &[
            ("tokens", "count"),
            ("exact", "flag"),
            ("by_category", "@by_category"),
        ],
    ),
    row(
        "by_category",
        "They add up to tokens.",
        &[
            ("system", "count"),
            ("tools", "count"),
            ("servers", "count"),
            ("memory", "count"),
            ("skills", "count"),
            ("summary", "count"),
            ("rules", "count"),
            ("user", "count"),
            ("notes", "count"),
            ("assistant", "count"),
            ("tool_results", "count"),
            ("pending", "count"),
        ],
    ),
    row(
        "repair",
        "Messages that were added, removed or moved so that calls have results.",
        &[
            ("added", "count"),
            ("dropped_duplicates", "count"),
            ("dropped_orphans", "count"),
            ("moved", "count"),
        ],
    ),
    row(
        "guard",
        "Tool results that were cut to fit.",
        &[("truncated", "count"), ("cleared", "count")],
    ),
    row(
        "prune",
        "Pruned tool results.",
        &[
            ("policy", "text"),
            ("gate", "cold|warm|forced|off"),
            ("trimmed", "count"),
            ("cleared", "count"),
            ("tokens_saved", "count"),
            ("cache_given_up", "count"),
            ("reasoning_lost", "count"),
        ],
    ),
    row(
        "rules",
        "Standing rules.",
        &[
            ("active", "count"),
            ("in_block", "count"),
            ("not_fitting", "count"),
            ("budget_tokens", "count"),
        ],
    ),
    row(
        "compaction",
        "What a compaction would do now.",
        &[
            ("due", "flag"),
            ("would_summarize", "count"),
            ("would_keep", "count"),
            ("tokens_after_estimate", "count"),
            ("waits_for", "count?"),
            ("compacts_at", "count?"),
        ],
    ),
    row(
        "found_of",
        "Found of all.",
        &[("found", "count"), ("total", "count")],
    ),
    row(
        "identifiers",
        "Identifiers in the summary.",
        &[
            ("found", "count"),
            ("known", "count"),
            ("missing", "texts"),
            ("altered", "texts"),
            ("total", "count"),
        ],
    ),
    row(
        "claims",
        "Claims that the conversation has.",
        &[("grounded", "count"), ("total", "count")],
    ),
    row(
        "usage",
        "Tokens as the provider counts them; cost in US dollars, null without a price.",
        &[
            ("input", "count"),
            ("output", "count"),
            ("reasoning", "count"),
            ("cache_read", "count"),
            ("cache_write", "count"),
            ("cost", "number?"),
            ("server_cut?", "count"),
        ],
    ),
    row(
        "error",
        "Why a run failed; kind is for programs.",
        &[
            ("kind", "text"),
            ("message", "text"),
            ("hint", "text?"),
            ("cause?", "text"),
        ],
    ),
];

/// The schema of one line; the object of `json` is the event `result`.
pub fn events_schema() -> Value {
    let mut definitions = Map::new();
    for object in OBJECTS {
        definitions.insert(object.name.to_owned(), object.schema(None));
    }
    let events = EVENTS.iter().map(|event| event.schema(Some(event.name)));
    json!({
        "$schema": DIALECT,
        "title": "A line of plim --output-format stream-json",
        "oneOf": events.collect::<Vec<Value>>(),
        "$defs": definitions,
    })
}

/// The same as tables of Markdown.
pub fn events_markdown() -> String {
    let mut out = String::from("## Events\n");
    for event in EVENTS {
        let _ = write!(out, "\n### {}\n\n{}\n\n", event.name, event.help);
        out.push_str(&event.markdown());
    }
    out.push_str("\n## Objects\n");
    for object in OBJECTS {
        let _ = write!(out, "\n### {} object\n\n{}\n\n", object.name, object.help);
        out.push_str(&object.markdown());
    }
    out
}

impl ObjectRow {
    fn schema(&self, event: Option<&str>) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        if let Some(event) = event {
            properties.insert("type".to_owned(), json!({"const": event}));
            required.push("type");
        }
        for (name, kind) in self.fields {
            let always = name.strip_suffix('?');
            if always.is_none() {
                required.push(name);
            }
            properties.insert(always.unwrap_or(name).to_owned(), schema_of(kind));
        }
        json!({
            "type": "object",
            "description": self.help,
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    fn markdown(&self) -> String {
        let mut out = String::from("| field | type |\n|---|---|\n");
        for (name, kind) in self.fields {
            let (kind, or_null) = match kind.strip_suffix('?') {
                Some(kind) => (kind, " or null"),
                None => (*kind, ""),
            };
            let kind = match kind.strip_prefix('@') {
                Some(object) => format!("[{object}](#{object}-object)"),
                None => kind.replace('|', ", "),
            };
            let (name, sometimes) = match name.strip_suffix('?') {
                Some(name) => (name, ", not always there"),
                None => (*name, ""),
            };
            let _ = writeln!(out, "| `{name}` | {kind}{or_null}{sometimes} |");
        }
        out
    }
}

/// The schema of a type of the table.
fn schema_of(kind: &str) -> Value {
    if let Some(kind) = kind.strip_suffix('?') {
        return json!({"anyOf": [schema_of(kind), {"type": "null"}]});
    }
    if let Some(object) = kind.strip_prefix('@') {
        return json!({"$ref": format!("#/$defs/{object}")});
    }
    match kind {
        "text" => json!({"type": "string"}),
        "count" => json!({"type": "integer", "minimum": 0}),
        "number" => json!({"type": "number"}),
        "flag" => json!({"type": "boolean"}),
        "texts" => json!({"type": "array", "items": {"type": "string"}}),
        "any" => json!({}),
        names => json!({"enum": names.split('|').collect::<Vec<_>>()}),
    }
}
