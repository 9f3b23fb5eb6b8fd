//! Rows of the agent itself: which model, told what, for how long.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::LivePart;
use super::field::{THINKING_LEVELS, TITLE_SOURCES};
use super::kind::SettingKind;
use super::row::{MAX_TOKENS, MAX_TURNS, Setting, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("model", agent.model, Live(LivePart::Model), SettingKind::Model, "Model that answers.", unset "the first reachable one"),
    row!(
        "fallback_models",
        agent.fallback_models,
        Live(LivePart::Requests),
        SettingKind::List(&SettingKind::Model),
        "Fallback models, in order: used when the model is overloaded or rate-limited, its key is missing or refused, its server is unreachable, or its window is below window.min."
    ),
    row!(
        "overflow_upgrade",
        agent.overflow_upgrade,
        Live(LivePart::Requests),
        SettingKind::Bool,
        "Switch to a fallback model with a larger window when the context overflows."
    ),
    row!("base_url", agent.base_url, AtStart, SettingKind::Url, "Base URL of the chosen model's provider.", unset "the provider's own"),
    row!(
        "thinking",
        agent.thinking,
        Live(LivePart::Thinking),
        SettingKind::Choice(THINKING_LEVELS),
        "Reasoning level of the model; default leaves it to the provider."
    ),
    row!("system", agent.prompt.system, Live(LivePart::Prompt), SettingKind::Prompt, "System prompt, instead of the built-in one.", unset "the built-in one"),
    row!("append_system", agent.prompt.append, Live(LivePart::Prompt), SettingKind::Prompt, "Text added to the system prompt.", unset "nothing"),
    row!("max_turns", agent.limits.max_turns, Live(LivePart::Requests), int(1, MAX_TURNS, "requests"), "Maximum number of requests for one message.", unset "no limit"),
    row!("max_cost", agent.limits.max_cost_usd, Live(LivePart::Requests), SettingKind::Dollars, "Cost limit of a session in US dollars, with -p of one run; all requests count, those of sub-agents too.", unset "no limit"),
    row!("agents.window_cap", agent.limits.subagent_window_tokens, Live(LivePart::Requests), int(1, MAX_TOKENS, "tokens"), "Maximum part of the window for each sub-agent that starts from now on.", unset "no cap"),
    row!(
        "titles",
        agent.titles.how,
        Live(LivePart::Requests),
        SettingKind::Choice(TITLE_SOURCES),
        "Short titles of sessions that nobody named: auto asks title_model once after the first turn of a chat on the screen (first message and answer, cut short); text takes them from the first message; off shows how it begins."
    ),
    row!("title_model", agent.titles.model, Live(LivePart::Requests), SettingKind::Model, "Model that writes titles.", unset "a small one of the provider that answers, if known"),
];
