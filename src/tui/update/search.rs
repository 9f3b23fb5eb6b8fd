//! Search through the transcript, and what its keys do.

use super::edit;
use crate::agent::NoticeLevel;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::render::safe;

/// Columns of what was looked for, in a remark.
const QUERY_COLUMNS: usize = 40;
/// The start of a search in the composer.
const COMMAND: &str = "/search ";

/// `/search TEXT`
pub(super) fn start(model: &mut Model, query: &str) -> Vec<Effect> {
    if query.is_empty() {
        model.say(NoticeLevel::Info, "/search takes the text to look for");
        return Vec::new();
    }
    let mut is_found = false;
    model.with_paint(|chat, paint| {
        is_found = chat.start_search(query, paint);
    });
    if !is_found {
        let query = safe::one_line(query, QUERY_COLUMNS);
        model.say(
            NoticeLevel::Info,
            format!("\"{query}\" is not in the conversation"),
        );
    }
    Vec::new()
}

/// The search key: the next place while a search goes on, else the beginning of one.
pub(super) fn open_or_step(model: &mut Model, forward: bool) -> Vec<Effect> {
    if model.conversation.search().is_some() {
        return model.with_paint(|chat, paint| chat.step_search(forward, paint));
    }
    if !model.composer.buffer.is_empty() {
        let said = "a search needs an empty input";
        model.say(NoticeLevel::Info, said);
        return Vec::new();
    }
    model.composer.buffer.insert(COMMAND);
    edit::changed(model)
}

/// Ends the search; the reader stays where the search led.
pub(super) fn end(model: &mut Model) -> Vec<Effect> {
    model.conversation.end_search();
    Vec::new()
}
