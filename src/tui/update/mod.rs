//! Applies messages to the model: the only place where it changes. No I/O; what is to be done
//! outside comes out as effects.

mod agent;
mod call;
mod command;
mod edit;
mod help;
mod history;
mod key;
mod mouse;
mod open;
mod overlay;
mod question;
mod reply;
mod search;
mod send;
mod settings;
mod tour;

use super::command::is_message;
use super::effect::{EditPurpose, Effect};
use super::input::Input;
use super::model::Model;
use super::msg::Msg;
use crate::agent::{NoticeLevel, Op, TurnOp};
use crate::transcript::{Image, Timestamp};

pub use agent::follow_in_lines;
pub use settings::tell_setting;

/// Applies one message and says what is to be done.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    if let Some(effects) = tour::before(model, &msg) {
        return effects;
    }
    let effects = apply(model, msg);
    tour::after(model, effects)
}

fn apply(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Tick(now) => tick(model, now),
        Msg::Input(input) => self::input(model, input),
        Msg::Agent(event) => agent::on_event(model, event),
        Msg::Files(files) => edit::on_files(model, files),
        Msg::Edited(purpose, text) => {
            // Keys until a moment ago were the editor's.
            model.attention.last_key = Some(model.now);
            match purpose {
                EditPurpose::Composer => edit::on_edited(model, text),
                EditPurpose::Review => overlay::on_edited(model, text),
            }
        }
        Msg::Attached(why, image) => send::on_attached(model, why, image),
        Msg::Commands(read, line) => command::user_commands::on_read(model, read, line),
        Msg::Draft(draft) => edit::on_draft(model, draft),
        Msg::Theme(theme) => command::on_theme(model, theme),
        // The next frame asks the highlighter itself.
        Msg::Warmed => Vec::new(),
        Msg::Failed(text) => {
            model.say(NoticeLevel::Warning, text);
            Vec::new()
        }
    }
}

/// The effects at the start of the interface.
pub fn start(model: &mut Model, first_prompt: Option<&str>) -> Vec<Effect> {
    match first_prompt {
        Some(prompt) if !prompt.trim().is_empty() => send::submit_text(model, prompt),
        _ => Vec::new(),
    }
}

fn input(model: &mut Model, input: Input) -> Vec<Effect> {
    if !matches!(input, Input::Pointer { .. } | Input::Focus(_)) {
        model.screens.selection.clear();
    }
    let now = model.now;
    match input {
        Input::Key(key) => {
            let effects = key::on_key(model, key);
            model.attention.last_key = Some(now);
            effects
        }
        Input::Paste(text) => {
            let effects = key::on_paste(model, &text);
            model.attention.last_key = Some(now);
            effects
        }
        Input::Scroll { steps, .. } => mouse::on_scroll(model, steps),
        Input::Pointer { kind, column, row } => mouse::on_pointer(model, kind, column, row),
        Input::Resize { .. } => {
            // A size that was left and is back before a frame looks the same to us, but
            // the terminal has cut its screen meanwhile.
            model.screens.wants_clear = true;
            // What was selected is on other lines now.
            model.conversation.deselect();
            Vec::new()
        }
        Input::Focus(has_focus) => {
            call::on_focus(&mut model.attention, has_focus);
            Vec::new()
        }
    }
}

fn tick(model: &mut Model, now: Timestamp) -> Vec<Effect> {
    model.now = now;
    model.attention.on_tick(now);
    model.status.expire(now);
    let pause = model.composer.pause(now);
    let mut effects = Vec::new();
    if let Some((text, images)) = pause.count {
        effects.push(counted(model, text, images));
    }
    if let Some(draft) = pause.save {
        effects.push(Effect::SaveDraft(draft));
    }
    effects
}

/// Has a draft counted. A command is not going to be part of the conversation.
fn counted(model: &Model, text: String, images: Vec<Image>) -> Effect {
    if !is_message(&text) {
        let (text, images) = Default::default();
        return Effect::Send(Op::Turn(TurnOp::Draft { text, images }));
    }
    match model.composer.mention() {
        Some(_) => Effect::CountMentions { text, images },
        None => Effect::Send(Op::Turn(TurnOp::Draft { text, images })),
    }
}

#[cfg(test)]
mod tests;
