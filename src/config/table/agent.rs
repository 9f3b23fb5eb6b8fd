//! Rows of the agent itself: which model, told what, for how long.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::Applies::{AtStart, Live};
use super::applies::Part;
use super::field::THINKING_LEVELS;
use super::kind::Kind;
use super::row::{MAX_TURNS, Setting, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("model", agent.model, Live(Part::Model), Kind::Model, "The model that answers.", unset "chosen from what is reachable"),
    row!(
        "fallback_models",
        agent.fallback_models,
        Live(Part::Requests),
        Kind::List(&Kind::Model),
        "Models that take over, in order, when the model is overloaded or rate-limited, its key is missing or refused, or its window is below window.min. Not when its server cannot be reached."
    ),
    row!(
        "overflow_upgrade",
        agent.overflow_upgrade,
        Live(Part::Requests),
        Kind::Bool,
        "Whether an overflow may move to a fallback model with a larger window."
    ),
    row!("base_url", agent.base_url, AtStart, Kind::Url, "Base URL of the chosen model's provider.", unset "the provider's own"),
    row!(
        "thinking",
        agent.thinking,
        Live(Part::Thinking),
        Kind::Choice(THINKING_LEVELS),
        "How hard a reasoning model should think."
    ),
    row!("system", agent.system, Live(Part::Prompt), Kind::Prompt, "Replaces the built-in system prompt.", unset "the built-in one"),
    row!("append_system", agent.append_system, Live(Part::Prompt), Kind::Prompt, "Is added to the system prompt.", unset "nothing"),
    row!("max_turns", agent.max_turns, Live(Part::Requests), int(1, MAX_TURNS, "requests"), "Requests that one message may take.", unset "no limit"),
    row!("max_cost", agent.max_cost_usd, Live(Part::Requests), Kind::Dollars, "US dollars that a session may cost, with -p one run; all that was paid counts.", unset "no limit"),
];
