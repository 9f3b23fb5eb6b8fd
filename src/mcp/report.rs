//! What is known of each server, for people.

use super::link::ServerLink;
use super::link::state::{LinkPhase, ServerReport, ToolCount, ToolReport};
use super::offer::OfferedTool;
use super::session_offer::SessionOffer;
use super::switches::all_of;
use crate::engine::text::one_line;
use crate::tool::names_tool;

/// Characters of what a tool does.
const DOES_CHARS: usize = 200;

/// What is known of a server.
pub(super) fn report(link: &ServerLink, offer: &SessionOffer, off: &[String]) -> ServerReport {
    let name = &link.server.name;
    let is_switched_off = off.contains(&all_of(name));
    let listed = offer.listed.get(name);
    let now = link.tools();
    let known = listed.cloned().unwrap_or_else(|| offer.tools_of(link));
    let tools: Vec<ToolReport> = known.iter().map(|tool| tool_report(tool, off)).collect();
    let count = {
        let offered = tools.iter().filter(|tool| !tool.is_off);
        let is_off = link.server.off || is_switched_off;
        offered
            .filter(|_| !is_off)
            .fold(ToolCount::default(), |count, tool| ToolCount {
                tools: count.tools + 1,
                tokens: count.tokens + tool.tokens,
            })
    };
    let (listed_count, deferred) = match listed {
        Some(_) => (count, ToolCount::default()),
        None => (ToolCount::default(), count),
    };
    let is_ready = link.phase() == LinkPhase::Ready;
    ServerReport {
        name: name.clone(),
        phase: if is_switched_off {
            LinkPhase::Off
        } else {
            link.phase()
        },
        program: link.server.reach.shown(),
        origin: link.server.origin.clone(),
        version: link.version(),
        listed: listed_count,
        deferred,
        has_changed: is_ready && listed.is_some_and(|listed| *listed != now),
        calls: link.calls(),
        tools,
        is_switched_off,
        is_listed: listed.is_some(),
        entering: offer.entering(link, &tools_off(name, off)),
    }
}

/// What is off when all of this server is not.
fn tools_off(server: &str, off: &[String]) -> Vec<String> {
    let all = all_of(server);
    off.iter().filter(|name| **name != all).cloned().collect()
}

fn tool_report(tool: &OfferedTool, off: &[String]) -> ToolReport {
    ToolReport {
        name: tool.name.clone(),
        does: one_line(&tool.description, DOES_CHARS),
        tokens: tool.tokens(),
        is_off: names_tool(off, &tool.name),
    }
}
