//! Rows of the agent itself: which model, told what, for how long.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::LivePart;
use super::field::THINKING_LEVELS;
use super::kind::SettingKind;
use super::row::{MAX_TURNS, Setting, int, row};

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
    row!("system", agent.system, Live(LivePart::Prompt), SettingKind::Prompt, "System prompt, instead of the built-in one.", unset "the built-in one"),
    row!("append_system", agent.append_system, Live(LivePart::Prompt), SettingKind::Prompt, "Text added to the system prompt.", unset "nothing"),
    row!("max_turns", agent.max_turns, Live(LivePart::Requests), int(1, MAX_TURNS, "requests"), "Maximum number of requests for one message.", unset "no limit"),
    row!("max_cost", agent.max_cost_usd, Live(LivePart::Requests), SettingKind::Dollars, "Cost limit of a session in US dollars, with -p of one run; all requests count.", unset "no limit"),
];
