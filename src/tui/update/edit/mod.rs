//! Editing in the composer, and the list above it.

pub(super) mod given_back;
pub(super) mod recall;
pub(super) mod vi;

use std::path::PathBuf;

use crate::agent::{NoticeLevel, Op, TurnOp};
use crate::tui::composer::{Composer, Draft, Layout, Motion, names_image};
use crate::tui::effect::{AttachPurpose, EditPurpose, Effect};
use crate::tui::model::Model;
use crate::tui::view::composer_columns;

/// Changes the composer, as a key of the table does.
pub(super) fn apply<R>(model: &mut Model, act: impl FnOnce(&mut Composer) -> R) -> Vec<Effect> {
    act(&mut model.composer);
    changed(model)
}

/// A character was typed.
pub(super) fn on_char(model: &mut Model, c: char) -> Vec<Effect> {
    model.composer.buffer.insert(c.encode_utf8(&mut [0; 4]));
    model.composer.history.leave();
    model.conversation.blur();
    changed(model)
}

/// Words that were written somewhere else are added to what is here already.
pub(super) fn take_words(model: &mut Model, words: &str) -> Vec<Effect> {
    let buffer = &mut model.composer.buffer;
    buffer.go(Motion::End);
    if !buffer.is_empty() {
        buffer.insert("\n");
    }
    buffer.insert(words);
    model.composer.history.leave();
    changed(model)
}

/// Text was pasted into the composer. A path of an image attaches it.
pub(super) fn on_paste(model: &mut Model, text: &str) -> Vec<Effect> {
    if model.composer.recall().is_some() {
        recall::take(model);
    }
    if let Some(path) = image_path(text) {
        let why = AttachPurpose::Instead(text.to_owned());
        return vec![Effect::Attach { path, why }];
    }
    model.composer.buffer.insert_folded(text);
    model.composer.history.leave();
    changed(model)
}

/// The composer's text changed: the list follows, the draft is saved soon.
pub(super) fn changed(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    model.composer.touch(now);
    if model.composer.buffer.is_empty() {
        model.outgoing.given_back.clear();
    }
    if model.composer.history.is_walking() {
        model.completion.close();
        return Vec::new();
    }
    let wants_files = model
        .completion
        .follow(&model.composer.buffer, &model.look.theme_names);
    if wants_files {
        vec![Effect::ScanFiles]
    } else if model.composer.buffer.text() == "/" {
        // A command begins: the user's own may have changed.
        vec![Effect::ReadCommands { line: None }]
    } else {
        Vec::new()
    }
}

/// A command of vi was carried out: nothing is completed while letters are commands.
pub(super) fn commanded(model: &mut Model) -> Vec<Effect> {
    let effects = changed(model);
    let vi = model.composer.vi.as_ref();
    if vi.is_some_and(|vi| !vi.mode().types()) {
        model.completion.close();
    }
    effects
}

/// The workspace was listed.
pub(super) fn on_files(model: &mut Model, files: Vec<String>) -> Vec<Effect> {
    model.completion.set_files(files);
    changed(model)
}

/// A draft was kept of this session. What is in the composer already comes first.
pub(super) fn on_draft(model: &mut Model, draft: Draft) -> Vec<Effect> {
    if !model.composer.buffer.is_empty() {
        return Vec::new();
    }
    model.composer.restore(draft);
    changed(model)
}

/// `$EDITOR` was closed.
pub(super) fn on_edited(model: &mut Model, text: Result<String, String>) -> Vec<Effect> {
    model.screens.wants_clear = true;
    match text {
        Ok(text) => {
            model.composer.buffer.replace(text.trim_end_matches('\n'));
            changed(model)
        }
        Err(reason) => {
            model.say(
                NoticeLevel::Warning,
                format!("{reason}; the text is as it was"),
            );
            Vec::new()
        }
    }
}

/// Opens `$EDITOR` on the text.
pub(super) fn editor(model: &Model) -> Vec<Effect> {
    vec![Effect::Edit {
        text: model.composer.buffer.text(),
        purpose: EditPurpose::Composer,
    }]
}

/// A row up, or an older message; what waits is taken back first.
pub(super) fn up(model: &mut Model) -> Vec<Effect> {
    if model.composer.buffer.is_empty() && !model.activity.queued.is_empty() {
        return take_back(model);
    }
    let layout = Layout::of(&model.composer.buffer, composer_columns(model));
    match layout.caret_row.checked_sub(1) {
        Some(row) => {
            let at = layout.at(&model.composer.buffer, row, layout.caret_column);
            model.composer.buffer.go_to(at);
        }
        None => drop(model.composer.older()),
    }
    changed(model)
}

/// A row down, or a newer message.
pub(super) fn down(model: &mut Model) -> Vec<Effect> {
    let layout = Layout::of(&model.composer.buffer, composer_columns(model));
    let row = layout.caret_row + 1;
    if row < layout.rows.len() {
        let at = layout.at(&model.composer.buffer, row, layout.caret_column);
        model.composer.buffer.go_to(at);
    } else if !model.composer.newer() {
        model.composer.buffer.go(Motion::End);
    }
    changed(model)
}

/// The path in a text that is nothing but a path of an image, as terminals paste a file
/// that is dropped on them.
pub(super) fn image_path(text: &str) -> Option<PathBuf> {
    let path = text.trim().trim_matches(['\'', '"']).replace("\\ ", " ");
    let path = match path.strip_prefix("file://") {
        Some(url) => url.replace("%20", " "),
        None => path,
    };
    (names_image(&path) && !path.contains('\n')).then(|| PathBuf::from(path))
}

/// Asks for the newest input that waits; the agent knows whether it still does.
pub(super) fn take_back(model: &Model) -> Vec<Effect> {
    let newest = model.activity.queued.last();
    newest.map_or_else(Vec::new, |it| {
        vec![Effect::Send(Op::Turn(TurnOp::Unqueue { id: it.id }))]
    })
}
