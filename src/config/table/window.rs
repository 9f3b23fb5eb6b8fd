//! Rows of how much fits: preset, engine, ruler and the model's window.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::LivePart;
use super::field::{ENGINES, PRESETS, RULERS, SERVER_CONTEXTS};
use super::kind::SettingKind;
use super::row::{MAX_TOKENS, Setting, TOKENS, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("agent.window_cap", context.window.agent_cap_tokens, Live(LivePart::Context), int(1, MAX_TOKENS, "tokens"), "Maximum part of the window for this agent; shown as the agent's cap.", unset "no cap"),
    row!(
        "preset",
        preset,
        AtStart,
        SettingKind::Choice(PRESETS),
        "Set of context settings; your own settings override it."
    ),
    row!("context.engine", agent.engine.id, Live(LivePart::Engine), SettingKind::Choice(ENGINES), "Context engine: the way in which a request is made of the conversation. /engine describes them; legacy is layered.", alias "plugins.slots.contextEngine"),
    row!("context.engine_command", agent.engine.command, Live(LivePart::Engine), SettingKind::Text, "Command of the program that the engine process asks, run by the shell. Never taken from a project's file.", unset "none"),
    row!(
        "context.engine_limit_ms",
        agent.engine.limit_ms,
        Live(LivePart::Engine),
        int(50, 60_000, "milliseconds"),
        "Time that this program may take for an answer; the first one may take four times as long."
    ),
    row!("memory.engine", agent.memory, AtStart, SettingKind::Text, "Notes about a project across sessions: project-notes (.plimsoll/notes.md), or none.", alias "plugins.slots.memory"),
    row!(
        "memory.flush",
        agent.memory_flush,
        AtStart,
        SettingKind::Bool,
        "Before a compaction the model may add notes about the project, in one request. What it added is shown; /notes undo removes it."
    ),
    row!(
        "memory.sessions",
        agent.tools.recall_sessions,
        AtStart,
        SettingKind::Bool,
        "The model's recall also searches other sessions of this directory, where this one has nothing."
    ),
    row!(
        "context.server",
        context.server,
        Live(LivePart::Context),
        SettingKind::Choice(SERVER_CONTEXTS),
        "Context management by the server, in addition to plim's, from 75% of the load line on: clear old tool results (Anthropic) or compact with its own summary (Anthropic, OpenAI Responses). The server ignores pins; the ledger shows what plim sends."
    ),
    row!(
        "ruler",
        context.ruler,
        Live(LivePart::Ruler),
        SettingKind::Choice(RULERS),
        "Token counter. bpe: byte-pair encoding; chars4: a quarter of the characters."
    ),
    row!("ruler_margin", context.ruler_margin, Live(LivePart::Context), SettingKind::Factor, "Fixed safety factor for estimated tokens; turns off calibration on reported usage.", unset "calibrated on reported usage, 1.2 at first"),
    row!("window.user", context.window.user_tokens, Live(LivePart::Context), TOKENS, "Size of the model's window; 0: unknown.", unset "the size from the server or the catalogue"),
    row!("window.cap", context.window.cap_tokens, Live(LivePart::Context), int(1, MAX_TOKENS, "tokens"), "Maximum part of the window to use.", unset "no cap", alias "contextTokens"),
    row!(
        "window.warn_below",
        context.window.warn_below_tokens,
        Live(LivePart::Context),
        TOKENS,
        "Window size below which a warning is shown."
    ),
    row!(
        "window.min",
        context.window.min_tokens,
        Live(LivePart::Context),
        TOKENS,
        "Window size below which a model is not used."
    ),
    row!(
        "window.input_limit",
        context.window.heed_input_limit,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Respect a model's separate limit on input, if it has one."
    ),
];
