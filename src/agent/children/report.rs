//! What the caller of a sub-agent is told: results, notes, and what a start would cost.

use serde_json::json;

use super::record::ChildRecord;
use crate::agent::protocol::ChildState;
use crate::tool::ToolOutcome;
use crate::transcript::{Usage, grouped, plural};

/// The result of a call whose sub-agent has ended.
pub(super) fn outcome(child: &ChildRecord) -> ToolOutcome {
    let text = format!("{}\n\n[{}]", findings(child), footer(child));
    let outcome = if child.state == ChildState::Done {
        ToolOutcome::text(text)
    } else {
        ToolOutcome::error(text)
    };
    outcome.with_details(details(child))
}

/// The result of a call whose sub-agent goes on in the background.
pub(super) fn begun(child: &ChildRecord) -> ToolOutcome {
    let info = child.info();
    ToolOutcome::text(format!(
        "[{} works in the background. You are told when it has ended; continue meanwhile.{}]",
        info.label(),
        address(child)
    ))
    .with_details(details(child))
}

/// The note about one that ended in the background, or with an earlier run of the program.
pub(super) fn note(child: &ChildRecord) -> String {
    format!("[{}]\n\n{}", footer(child), findings(child))
}

/// The note about those that still run, after a summary has taken what said so.
pub(super) fn running_note<'a>(children: impl Iterator<Item = &'a ChildRecord>) -> String {
    let lines: Vec<String> = children
        .map(|child| format!("- {}{}", child.info().label(), address(child)))
        .collect();
    format!(
        "[Sub-agents that you started and that still run; you are told when they end:\n{}]",
        lines.join("\n")
    )
}

/// Its answer; or why there is none, and all that it had said.
fn findings(child: &ChildRecord) -> String {
    let why = match child.state {
        ChildState::Running | ChildState::Asking | ChildState::Done => {
            let text = child.end.as_ref().map(|end| end.text.trim());
            let text = text.filter(|text| !text.is_empty());
            return text.map_or_else(
                || said(child, "The sub-agent ended without a final message."),
                str::to_owned,
            );
        }
        ChildState::Failed if child.doing.is_empty() => {
            "The sub-agent failed before it was done.".to_owned()
        }
        ChildState::Failed => format!("The sub-agent failed before it was done: {}.", child.doing),
        ChildState::Stopped => "The sub-agent was stopped before it was done.".to_owned(),
        ChildState::Interrupted => {
            "The sub-agent was interrupted: the program ended before it was done.".to_owned()
        }
    };
    said(child, &why)
}

fn said(child: &ChildRecord, why: &str) -> String {
    match child.words() {
        words if words.is_empty() => format!("{why} It had said nothing yet."),
        words => format!("{why} What it had said so far:\n\n{words}"),
    }
}

fn footer(child: &ChildRecord) -> String {
    format!("{}.{}", child.info().ended_words(), address(child))
}

/// The name of a sub-agent in addresses.
pub(in crate::agent) fn recall_name(number: u64) -> String {
    format!("agent{number}")
}

/// Where its session is, and the address of its task: what was said later has later ones.
fn address(child: &ChildRecord) -> String {
    let path = child.session.as_ref();
    path.map_or_else(String::new, |path| {
        let name = recall_name(child.link.number);
        format!(" Its session: {} · recall {name}/r1", path.display())
    })
}

fn details(child: &ChildRecord) -> serde_json::Value {
    json!({
        "agent": {
            "id": child.id().as_str(),
            "name": child.link.agent,
            "state": child.state.name(),
            "session": child.session.as_ref().map(|path| path.display().to_string()),
        }
    })
}

/// What the first request of a sub-agent carries.
pub(super) struct Forecast<'a> {
    pub agent: &'a str,
    pub task: &'a str,
    pub inherits: &'a str,
    pub tokens: u64,
    /// Those of them that a prompt cache should have.
    pub cached_tokens: u64,
    /// With its price, when that is known.
    pub usage: Usage,
    /// Another model than its caller's.
    pub model: Option<String>,
}

impl Forecast<'_> {
    /// In one line.
    pub(super) fn words(&self) -> String {
        let mut parts = vec![format!("{}: {}", self.agent, self.task)];
        parts.extend(self.model.clone());
        let cached = match self.cached_tokens {
            0 => String::new(),
            tokens => format!(", {} of them cached", grouped(tokens)),
        };
        let cost = self
            .usage
            .cost_usd
            .map_or_else(String::new, |usd| format!(", ${usd:.4}"));
        parts.push(format!(
            "inherits {}, begins with about {}{cached}{cost}",
            self.inherits,
            plural(self.tokens, "token")
        ));
        parts.join(" · ")
    }
}
