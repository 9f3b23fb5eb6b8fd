//! Going through the history: timeline, tree, messages that are written again.

use super::{edit, key, send};
use crate::agent::{NoticeLevel, Query};
use crate::transcript::{EntryId, Message};
use crate::tui::effect::Effect;
use crate::tui::model::{HistoryUse, Model, ScreenRequest};
use crate::tui::overlay::OverlayExit;
use crate::tui::transcript::Body;

/// Asks for the whole history, for a screen.
pub(super) fn show(model: &mut Model, history_use: HistoryUse) -> Vec<Effect> {
    let request = ScreenRequest {
        history_use,
        ..ScreenRequest::default()
    };
    let op = model.queries.ask_for_screen(Query::History, request);
    vec![Effect::Send(op)]
}

/// Esc with nothing to stop and nothing to clear: the second one opens the timeline.
pub(super) fn escape(model: &mut Model) -> Vec<Effect> {
    if model.conversation.is_empty() {
        return Vec::new();
    }
    if model.status.press_timeline(model.now) {
        return show(model, HistoryUse::Timeline);
    }
    Vec::new()
}

/// Goes where a screen leads when it closes.
pub(super) fn go(model: &mut Model, way: OverlayExit) -> Vec<Effect> {
    match way {
        OverlayExit::Stay => Vec::new(),
        OverlayExit::Show(entry) => show_message(model, &entry),
        OverlayExit::Command(name) => send::begin_command(model, &name),
        OverlayExit::Act(action) => key::run(model, action),
        OverlayExit::Write {
            text,
            images,
            replaces,
        } => {
            model.composer.buffer.replace(&text);
            for image in images {
                model.composer.attach(image);
            }
            model.composer.history.leave();
            model.outgoing.replaces = replaces;
            edit::changed(model)
        }
    }
}

fn show_message(model: &mut Model, entry: &EntryId) -> Vec<Effect> {
    if !model.show_entry(entry) {
        model.say(NoticeLevel::Info, "this message is not in the conversation");
    }
    Vec::new()
}

/// Writes the newest message of the user again.
pub(super) fn retry(model: &mut Model) -> Vec<Effect> {
    let newest = model.conversation.cells().iter().rev().find_map(|cell| {
        let Body::User(entry) = &cell.body else {
            return None;
        };
        entry.is_typed_by_user().then(|| entry.clone())
    });
    let Some((entry, message)) = newest.and_then(|entry| {
        let message = entry.message().cloned()?;
        Some((entry, message))
    }) else {
        model.say(NoticeLevel::Info, "you have sent nothing yet");
        return Vec::new();
    };
    let images = match message.as_ref() {
        Message::User(_) => message.images().cloned().collect(),
        _ => Vec::new(),
    };
    let way = OverlayExit::Write {
        text: message.text(),
        images,
        replaces: Some(entry.id.clone()),
    };
    go(model, way)
}
