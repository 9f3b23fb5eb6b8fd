//! Rows of how much fits: preset, engine, ruler and the model's window.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::LivePart;
use super::field::{PRESETS, RULERS, SERVER_CONTEXTS};
use super::kind::SettingKind;
use super::row::{MAX_TOKENS, Setting, TOKENS, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("agent.window_cap", context.window.agent_cap_tokens, Live(LivePart::Context), int(1, MAX_TOKENS, "tokens"), "Never use more of the window than this in this agent; named as the agent's cap.", unset "no cap"),
    row!(
        "preset",
        preset,
        AtStart,
        SettingKind::Choice(PRESETS),
        "The set of context settings that yours are laid over."
    ),
    row!("context.engine", agent.engine, AtStart, SettingKind::Text, "The context engine.", alias "plugins.slots.contextEngine"),
    row!("memory.engine", agent.memory, AtStart, SettingKind::Text, "What is remembered of a project between sessions: project-notes (.plimsoll/notes.md), or none.", alias "plugins.slots.memory"),
    row!(
        "context.server",
        context.server,
        Live(LivePart::Context),
        SettingKind::Choice(SERVER_CONTEXTS),
        "What the server may do to a prompt on top of what is done here: clear old tool results (Anthropic) or go on from its own summary (Anthropic, OpenAI Responses), from three quarters of the load line on. It knows nothing of pins; the ledger is what is sent."
    ),
    row!(
        "ruler",
        context.ruler,
        Live(LivePart::Ruler),
        SettingKind::Choice(RULERS),
        "How tokens are counted: byte-pair encoding, or a quarter of the characters."
    ),
    row!("ruler_margin", context.ruler_margin, Live(LivePart::Context), SettingKind::Factor, "A fixed safety factor on what is not measured; then nothing is learnt from reported usage.", unset "learnt from reported usage, 1.2 at first"),
    row!("window.user", context.window.user_tokens, Live(LivePart::Context), TOKENS, "Your own number for the model's window; 0 says that it is unknown.", unset "what is known of the model"),
    row!("window.cap", context.window.cap_tokens, Live(LivePart::Context), int(1, MAX_TOKENS, "tokens"), "Never use more of the window than this.", unset "no cap", alias "contextTokens"),
    row!(
        "window.warn_below",
        context.window.warn_below_tokens,
        Live(LivePart::Context),
        TOKENS,
        "Warn about windows smaller than this."
    ),
    row!(
        "window.min",
        context.window.min_tokens,
        Live(LivePart::Context),
        TOKENS,
        "Do not call models with a window smaller than this."
    ),
    row!(
        "window.input_limit",
        context.window.heed_input_limit,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Whether a model's own limit on input counts, where it has one."
    ),
];
