//! Replies of the agent: a screen opens with one, or the screen that asked follows it.

use super::{open, overlay, settings};
use crate::agent::{AgentEvent, QueryReply};
use crate::tui::effect::Effect;
use crate::tui::model::{Model, ReplyPurpose, ScreenRequest};
use crate::tui::overlay::inspect::tables::Tables;

/// Brings a reply to what asked for it.
pub(super) fn deliver(model: &mut Model, event: AgentEvent, purpose: ReplyPurpose) -> Vec<Effect> {
    match purpose {
        ReplyPurpose::Feed(screen) => overlay::feed(model, screen, &event),
        ReplyPurpose::Screen(request) => match event {
            AgentEvent::Reply { reply, .. } => open_with(model, reply, request),
            AgentEvent::Stream(_)
            | AgentEvent::Turn(_)
            | AgentEvent::Context(_)
            | AgentEvent::Compaction(_)
            | AgentEvent::Session(_)
            | AgentEvent::Child(_)
            | AgentEvent::Notice(_) => Vec::new(),
        },
    }
}

fn open_with(model: &mut Model, reply: QueryReply, request: ScreenRequest) -> Vec<Effect> {
    match reply {
        QueryReply::Wire(wire) => open::wire(model, wire),
        QueryReply::Compaction {
            entry,
            standing,
            proposal,
        } => open::stored_review(model, entry, standing, proposal),
        QueryReply::Rules(list) => open::rules(model, *list),
        QueryReply::Permissions(list) => open::permissions(model, *list),
        QueryReply::Settings(report) => open::settings(model, *report, &request.filter),
        QueryReply::Logins(choices) => open::logins(model, choices, &request.filter),
        QueryReply::Changes(report) => open::changes(model, *report),
        QueryReply::RewindPlan(plan) => open::rewind(model, *plan),
        QueryReply::Cost(account) => open::tables(model, Tables::cost(&account)),
        QueryReply::Tools(tools) => open::tables(model, Tables::tools(&tools)),
        QueryReply::Servers(servers) => open::servers(model, servers),
        QueryReply::Engines(engines) => open::tables(model, Tables::engines(&engines)),
        QueryReply::Models(models) => open::models(model, models),
        QueryReply::Sessions(sessions) => open::sessions(model, sessions, request),
        QueryReply::History(transcript) => open::history(model, transcript, request.history_use),
        QueryReply::Notes(notes) => open::notes(model, notes),
        QueryReply::Recall(report) => open::recall(model, *report),
        // Only screens ask for these.
        QueryReply::Fidelity(_)
        | QueryReply::Foreseen { .. }
        | QueryReply::SessionPeek(_)
        | QueryReply::Child(_) => Vec::new(),
    }
}

/// Handles a reply that nobody asked for: something that was listed has changed, and open
/// screens have followed (`is_taken`). A changed setting is said in a line otherwise, and its
/// part of the interface changes in any case.
pub(super) fn refresh(model: &mut Model, reply: QueryReply, is_taken: bool) -> Vec<Effect> {
    // All other replies are lists of the agent: the screens that show them have followed.
    let QueryReply::Settings(report) = reply else {
        return Vec::new();
    };
    if is_taken {
        settings::interface_effects(&report)
    } else {
        settings::tell_setting(model, &report)
    }
}
