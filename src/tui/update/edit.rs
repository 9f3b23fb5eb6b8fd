//! Editing in the composer, and the list above it.

use std::path::PathBuf;

use super::send;
use crate::agent::NoticeLevel;
use crate::transcript::Image;
use crate::tui::completion::Kind;
use crate::tui::composer::{Draft, Layout, Motion, names_image};
use crate::tui::effect::{Attaching, EditPurpose, Effect};
use crate::tui::keymap::Action;
use crate::tui::model::Model;
use crate::tui::view::composer_columns;

/// A key that edits, or works on the list.
pub(super) fn run(model: &mut Model, action: Action) -> Vec<Effect> {
    let composer = &mut model.composer;
    match action {
        Action::Newline => composer.buffer.insert("\n"),
        Action::Move(motion) => composer.buffer.go(motion),
        Action::Delete(motion) => composer.buffer.delete(motion),
        Action::Kill(motion) => composer.buffer.kill(motion),
        Action::Yank => composer.buffer.yank(),
        Action::Transpose => composer.buffer.transpose(),
        Action::Undo => drop(composer.buffer.undo()),
        Action::Unfold => drop(composer.buffer.unfold()),
        Action::Up => return up(model),
        Action::Down => return down(model),
        Action::Older => drop(composer.older()),
        Action::Newer => drop(composer.newer()),
        Action::Editor => return editor(model),
        Action::PasteImage => return vec![Effect::AttachClipboard],
        Action::ListSelect { forward } => {
            model.completion.select(forward);
            return Vec::new();
        }
        Action::ListAccept => return accept(model, false),
        Action::ListSubmit => return accept(model, true),
        Action::ListClose => {
            model.completion.dismiss(&model.composer.buffer);
            return Vec::new();
        }
        _ => return Vec::new(),
    }
    changed(model)
}

/// A character was typed.
pub(super) fn on_char(model: &mut Model, c: char) -> Vec<Effect> {
    model.composer.buffer.insert(c.encode_utf8(&mut [0; 4]));
    model.composer.history.leave();
    model.conversation.blur();
    changed(model)
}

/// Words that were written somewhere else go on here, after what stands here already.
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

/// Text was pasted. A path of an image attaches it.
pub(super) fn on_paste(model: &mut Model, text: &str) -> Vec<Effect> {
    if let Some(effects) = super::overlay::on_paste(model, text) {
        return effects;
    }
    if model.composer.recall().is_some() {
        super::recall::take(model);
    }
    if let Some(path) = image_path(text) {
        let why = Attaching::Instead(text.to_owned());
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
        model.given_back.clear();
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

/// The workspace was listed.
pub(super) fn on_files(model: &mut Model, files: Vec<String>) -> Vec<Effect> {
    model.completion.files.set(files);
    changed(model)
}

/// A draft was kept of this session. What stands in the composer already comes first.
pub(super) fn on_draft(model: &mut Model, draft: Draft) -> Vec<Effect> {
    if !model.composer.buffer.is_empty() {
        return Vec::new();
    }
    model.composer.restore(draft);
    changed(model)
}

/// `$EDITOR` was closed.
pub(super) fn on_edited(model: &mut Model, text: Result<String, String>) -> Vec<Effect> {
    model.wants_clear = true;
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

/// An image was read, or is none.
pub(super) fn on_attached(
    model: &mut Model,
    why: Attaching,
    image: Result<Image, String>,
) -> Vec<Effect> {
    match (why, image) {
        (Attaching::Instead(_), Ok(image)) => model.composer.attach(image),
        (Attaching::Instead(text), Err(reason)) => {
            model.composer.buffer.insert_folded(&text);
            model.say(NoticeLevel::Warning, reason);
        }
        (Attaching::Mention { path, when }, Ok(image)) => {
            if model.composer.attach_mention(&path, image) {
                return send::submit(model, when);
            }
        }
        (Attaching::Mention { path, .. }, Err(reason)) => {
            model.composer.keep_mention(&path);
            let said = format!("{reason}; nothing was sent, enter sends it as text");
            model.say(NoticeLevel::Warning, said);
        }
    }
    changed(model)
}

fn editor(model: &mut Model) -> Vec<Effect> {
    vec![Effect::Edit {
        text: model.composer.buffer.text(),
        purpose: EditPurpose::Composer,
    }]
}

fn up(model: &mut Model) -> Vec<Effect> {
    if model.composer.buffer.is_empty() && !model.session.queued.is_empty() {
        return send::take_back(model);
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

fn down(model: &mut Model) -> Vec<Effect> {
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

fn accept(model: &mut Model, submit: bool) -> Vec<Effect> {
    let before = model.composer.buffer.text();
    let Some((kind, item)) = model.completion.accept(&mut model.composer.buffer) else {
        return Vec::new();
    };
    if let Some(path) = (kind == Kind::File)
        .then(|| image_path(&item.label))
        .flatten()
    {
        model.composer.buffer.undo();
        model.composer.buffer.delete(Motion::BigWordLeft);
        let mut effects = changed(model);
        let why = Attaching::Instead(item.insert);
        effects.push(Effect::Attach { path, why });
        return effects;
    }
    let is_whole = kind == Kind::Command && !item.insert.ends_with(' ');
    // A command that is typed in full is sent; so is a finished argument.
    let was_typed = item.insert.trim_end() == before.trim_end();
    if submit && (is_whole || was_typed || kind == Kind::Argument) {
        return send::submit(model, crate::agent::SubmitWhen::NextStep);
    }
    changed(model)
}

/// The path in a text that is nothing but a path of an image, as terminals paste a file
/// that is dropped on them.
fn image_path(text: &str) -> Option<PathBuf> {
    let path = text.trim().trim_matches(['\'', '"']).replace("\\ ", " ");
    let path = match path.strip_prefix("file://") {
        Some(url) => url.replace("%20", " "),
        None => path,
    };
    (names_image(&path) && !path.contains('\n')).then(|| PathBuf::from(path))
}
