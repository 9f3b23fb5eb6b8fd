//! Enter: a message, a shell command, or a slash command.

use super::{edit, help};
use crate::agent::{NoticeLevel, Op, SessionOp, SubmitWhen, TurnOp};
use crate::transcript::Image;
use crate::tui::command::{self, is_message, slash_command};
use crate::tui::completion::Kind;
use crate::tui::composer::{Draft, Motion};
use crate::tui::effect::{AttachPurpose, Effect};
use crate::tui::model::{Model, TurnPhase};

/// Sends what is in the composer.
pub(super) fn submit(model: &mut Model, when: SubmitWhen) -> Vec<Effect> {
    let text = model.composer.buffer.text();
    if model.composer.buffer.caret() == model.composer.buffer.pieces().len() && text.ends_with('\\')
    {
        let end = model.composer.buffer.caret();
        model.composer.buffer.replace_range(end - 1..end, "\n");
        return edit::changed(model);
    }
    if text.trim().is_empty() && model.composer.buffer.images().is_empty() {
        return Vec::new();
    }
    // Commands go on: most only look, and the agent refuses the others.
    if let Some(reason) = &model.session.saving.read_only
        && slash_command(&text).is_none()
    {
        let reason = format!(
            "nothing was sent: {reason}; /fork continues in a copy, /new starts a new session"
        );
        model.say(NoticeLevel::Warning, reason);
        return Vec::new();
    }
    // What is mentioned is attached first, one image after the other.
    if let Some((_, path)) = model.composer.mention().filter(|_| is_message(&text)) {
        return vec![Effect::Attach {
            path: path.clone().into(),
            why: AttachPurpose::Mention { path, when },
        }];
    }
    let (text, images) = model.composer.take();
    model.completion.close();
    let inputs = model.outgoing.inputs_of(&text);
    let mut effects: Vec<Effect> = inputs
        .iter()
        .map(|input| Effect::SaveHistory(remembered(input)))
        .collect();
    effects.push(Effect::SaveDraft(Draft::default()));
    // Of several inputs the first message has the images.
    let message = inputs.iter().position(|input| is_message(input));
    let with_images = message.unwrap_or_default();
    for (at, input) in inputs.iter().enumerate() {
        let images = if at == with_images {
            images.clone()
        } else {
            Vec::new()
        };
        effects.extend(dispatch(model, input, images, when));
    }
    effects
}

/// The text for the history: never what somebody typed after a `/login`.
fn remembered(text: &str) -> String {
    let mut words = text.split_whitespace();
    match words.next() {
        Some(name @ "/login") => words
            .next()
            .map_or_else(|| name.to_owned(), |provider| format!("{name} {provider}")),
        _ => text.to_owned(),
    }
}

/// Sends a text that was not typed here.
pub(super) fn submit_text(model: &mut Model, text: &str) -> Vec<Effect> {
    if is_message(text) {
        return submit_message(model, text);
    }
    dispatch(model, text, Vec::new(), SubmitWhen::NextStep)
}

fn dispatch(model: &mut Model, text: &str, images: Vec<Image>, when: SubmitWhen) -> Vec<Effect> {
    let effects = if let Some(command) = text.strip_prefix('!') {
        model.outgoing.replaces = None;
        shell(model, command)
    } else if let Some(line) = slash_command(text) {
        model.outgoing.replaces = None;
        slash(model, line)
    } else {
        return deliver(model, text, images, when);
    };
    keep_images(model, images, effects)
}

/// A command takes no images: they stay in the composer, for the message that they are for.
fn keep_images(model: &mut Model, images: Vec<Image>, mut effects: Vec<Effect>) -> Vec<Effect> {
    if images.is_empty() {
        return effects;
    }
    for image in images {
        model.composer.attach(image);
    }
    effects.extend(edit::changed(model));
    effects
}

/// Sends a text to the model whatever it begins with: nothing in it is run. Images that it
/// mentions are attached, unless something else is written in the composer; images that
/// are there alone go with it.
pub(super) fn submit_message(model: &mut Model, text: &str) -> Vec<Effect> {
    let mut images = Vec::new();
    if model.composer.buffer.text().trim().is_empty() {
        images = model.composer.buffer.images();
        model.composer.buffer.clear();
    }
    if model.composer.buffer.is_empty() && is_message(text) {
        model.composer.buffer.replace(text);
        if model.composer.mention().is_some() {
            for image in images {
                model.composer.attach(image);
            }
            return submit(model, SubmitWhen::NextStep);
        }
        model.composer.buffer.clear();
    }
    deliver(model, text, images, SubmitWhen::NextStep)
}

fn deliver(model: &mut Model, text: &str, images: Vec<Image>, when: SubmitWhen) -> Vec<Effect> {
    let replaces = model.outgoing.replaces.take();
    model.conversation.follow();
    model.conversation.blur();
    // What was said of the last thing would hide what goes on now.
    model.status.toast = None;
    // A question that is open comes first: the message waits for it.
    if model.activity.phase == TurnPhase::Idle && !model.has_question() {
        model.enter(TurnPhase::Sending);
    }
    if let Some(target) = replaces {
        return vec![Effect::Send(Op::Session(SessionOp::Resend {
            target,
            text: text.to_owned(),
            images,
        }))];
    }
    vec![Effect::Send(Op::Turn(TurnOp::Submit {
        text: text.to_owned(),
        images,
        when,
    }))]
}

fn shell(model: &mut Model, command: &str) -> Vec<Effect> {
    let (command, excluded) = match command.strip_prefix('!') {
        Some(rest) => (rest.trim(), true),
        None => (command.trim(), false),
    };
    if command.is_empty() {
        model.say(
            NoticeLevel::Info,
            "! runs a command, !! keeps it out of the context",
        );
        return Vec::new();
    }
    model.conversation.follow();
    vec![Effect::Send(Op::Turn(TurnOp::Shell {
        command: command.to_owned(),
        excluded,
    }))]
}

/// Runs a command that was chosen by name. One that cannot do without an argument is
/// written into the composer instead, to be finished; undo brings back the former text.
pub(super) fn begin_command(model: &mut Model, name: &str) -> Vec<Effect> {
    let own = model
        .user_commands
        .known
        .find(name)
        .map(|it| it.arguments.as_str());
    let arguments = command::find(name).map(|it| it.arguments).or(own);
    let needs_more = arguments.is_some_and(|it| !it.is_empty() && !it.starts_with('['));
    if needs_more {
        model.composer.buffer.replace(&format!("/{name} "));
        return edit::changed(model);
    }
    slash(model, name)
}

fn slash(model: &mut Model, line: &str) -> Vec<Effect> {
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if name.is_empty() || name == "?" {
        return help::open(model);
    }
    if let Some(command) = command::find(name) {
        return super::command::run(model, command.id, arguments.trim());
    }
    // Perhaps one of the user's own, as its file is now.
    let line = Some(line.to_owned());
    vec![Effect::ReadCommands { line }]
}

/// Takes the selected item of the list.
pub(super) fn accept(model: &mut Model, submits: bool) -> Vec<Effect> {
    let before = model.composer.buffer.text();
    let Some((kind, item)) = model.completion.accept(&mut model.composer.buffer) else {
        return Vec::new();
    };
    if let Some(path) = (kind == Kind::File)
        .then(|| edit::image_path(&item.label))
        .flatten()
    {
        model.composer.buffer.undo();
        model.composer.buffer.delete(Motion::BigWordLeft);
        let mut effects = edit::changed(model);
        let why = AttachPurpose::Instead(item.insert);
        effects.push(Effect::Attach { path, why });
        return effects;
    }
    let is_whole = kind == Kind::Command && !item.insert.ends_with(' ');
    // A command that is typed in full is sent; so is a finished argument.
    let was_typed = item.insert.trim_end() == before.trim_end();
    if submits && (is_whole || was_typed || kind == Kind::Argument) {
        return submit(model, SubmitWhen::NextStep);
    }
    edit::changed(model)
}

/// An image was read, or is none.
pub(super) fn on_attached(
    model: &mut Model,
    why: AttachPurpose,
    image: Result<Image, String>,
) -> Vec<Effect> {
    match (why, image) {
        (AttachPurpose::Instead(_), Ok(image)) => model.composer.attach(image),
        (AttachPurpose::Instead(text), Err(reason)) => {
            model.composer.buffer.insert_folded(&text);
            model.say(NoticeLevel::Warning, reason);
        }
        (AttachPurpose::Mention { path, when }, Ok(image)) => {
            if model.composer.attach_mention(&path, image) {
                return submit(model, when);
            }
        }
        (AttachPurpose::Mention { path, .. }, Err(reason)) => {
            model.composer.keep_mention(&path);
            let said = format!("{reason}; nothing was sent, enter sends it as text");
            model.say(NoticeLevel::Warning, said);
        }
    }
    edit::changed(model)
}
