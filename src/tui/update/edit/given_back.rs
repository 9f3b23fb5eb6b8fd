//! Inputs that were not sent and not run: back into the composer, and out of it again.

use super::changed;
use crate::agent::{NoticeLevel, ReturnedInput};
use crate::tui::command::is_message;
use crate::tui::effect::Effect;
use crate::tui::model::Model;

/// Puts inputs into the composer, in their order, before what was typed since.
pub(in crate::tui::update) fn take(model: &mut Model, inputs: Vec<ReturnedInput>) -> Vec<Effect> {
    let said = not_done(&inputs);
    // What was recalled is no draft: the draft is what is below it.
    while model.composer.history.is_walking() && model.composer.newer() {}
    let since = model.composer.buffer.text();
    let later = model.composer.buffer.images();
    let mut images = Vec::new();
    let mut texts = Vec::with_capacity(inputs.len() + 1);
    for input in inputs {
        // A message stays one, whatever it begins with.
        let is_other = !input.is_command && !is_message(&input.text);
        let blank = if is_other { " " } else { "" };
        texts.push(format!("{blank}{}", input.text));
        images.extend(input.images);
    }
    if since.trim().is_empty() {
        model.outgoing.given_back.clone_from(&texts);
    } else {
        model
            .outgoing
            .given_back
            .splice(0..0, texts.iter().cloned());
        texts.push(since);
    }
    model.composer.buffer.replace(&texts.join("\n"));
    for image in images.into_iter().chain(later) {
        model.composer.attach(image);
    }
    model.say(NoticeLevel::Info, said);
    changed(model)
}

fn not_done(inputs: &[ReturnedInput]) -> &'static str {
    let commands = inputs.iter().filter(|input| input.is_command).count();
    if commands == 0 {
        "not sent: moved back to the input"
    } else if commands == inputs.len() {
        "not run: moved back to the input"
    } else {
        "not sent and not run: moved back to the input"
    }
}
