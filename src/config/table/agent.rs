//! Rows of the agent itself: which model, told what, for how long.
//!
//! Only data; how a row is read and checked is in `row`.

use super::super::field::THINKING_LEVELS;
use super::super::value::Kind;
use super::row::{MAX_TURNS, Setting, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("model", agent.model, Kind::Model, "The model that answers.", unset "chosen from what is reachable"),
    row!(
        "fallback_models",
        agent.fallback_models,
        Kind::List(&Kind::Model),
        "Models to use, in order, when the first cannot be."
    ),
    row!(
        "overflow_upgrade",
        agent.overflow_upgrade,
        Kind::Bool,
        "Whether an overflow may move to a fallback model with a larger window."
    ),
    row!("base_url", agent.base_url, Kind::Url, "Base URL of the chosen model's provider.", unset "the provider's own"),
    row!(
        "thinking",
        agent.thinking,
        Kind::Choice(THINKING_LEVELS),
        "How hard a reasoning model should think."
    ),
    row!("system", agent.system, Kind::Prompt, "Replaces the built-in system prompt.", unset "the built-in one"),
    row!("append_system", agent.append_system, Kind::Prompt, "Is added to the system prompt.", unset "nothing"),
    row!("max_turns", agent.max_turns, int(1, MAX_TURNS, "requests"), "Requests that one message may take.", unset "no limit"),
    row!("max_cost", agent.max_cost_usd, Kind::Dollars, "US dollars that a session may cost, with -p one run; all that was paid counts.", unset "no limit"),
];
