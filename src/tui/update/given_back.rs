//! Inputs that were not sent and not run: back into the composer, and out of it again.

use super::{edit, send};
use crate::agent::{NoticeLevel, ReturnedInput};
use crate::tui::effect::Effect;
use crate::tui::model::Model;

/// Puts inputs into the composer, in their order, before what was typed since.
pub(super) fn take(model: &mut Model, inputs: Vec<ReturnedInput>) -> Vec<Effect> {
    let said = not_done(&inputs);
    // What was recalled is no draft: the draft is what stands below it.
    while model.composer.history.is_walking() && model.composer.newer() {}
    let since = model.composer.buffer.text();
    let later = model.composer.buffer.images();
    let mut images = Vec::new();
    let mut texts = Vec::with_capacity(inputs.len() + 1);
    for input in inputs {
        // A message stays one, whatever it begins with.
        let is_other = !input.is_command && !send::is_message(&input.text);
        let blank = if is_other { " " } else { "" };
        texts.push(format!("{blank}{}", input.text));
        images.extend(input.images);
    }
    if since.trim().is_empty() {
        model.given_back.clone_from(&texts);
    } else {
        model.given_back.splice(0..0, texts.iter().cloned());
        texts.push(since);
    }
    model.composer.buffer.replace(&texts.join("\n"));
    for image in images.into_iter().chain(later) {
        model.composer.attach(image);
    }
    model.say(NoticeLevel::Info, said);
    edit::changed(model)
}

fn not_done(inputs: &[ReturnedInput]) -> &'static str {
    let commands = inputs.iter().filter(|input| input.is_command).count();
    if commands == 0 {
        "not sent: the text is in the composer again"
    } else if commands == inputs.len() {
        "not run: the text is in the composer again"
    } else {
        "not sent and not run: the text is in the composer again"
    }
}

/// The inputs in a text that is sent. What was given back with commands in it is as many
/// inputs as before: no command takes the message after it for its arguments. One that was
/// edited is what stands between the others.
pub(super) fn apart(model: &mut Model, text: &str) -> Vec<String> {
    let given_back = std::mem::take(&mut model.given_back);
    if given_back.iter().all(|input| send::is_message(input)) {
        return vec![text.to_owned()];
    }
    let mut inputs = Vec::new();
    let mut rest = text;
    for input in &given_back {
        let Some(at) = lines_at(rest, input) else {
            continue;
        };
        inputs.push(rest.get(..at).unwrap_or_default());
        inputs.push(input);
        rest = rest.get(at + input.len()..).unwrap_or_default();
    }
    inputs.push(rest);
    let inputs = inputs.into_iter().map(|it| it.trim_matches('\n'));
    let inputs = inputs.filter(|it| !it.trim().is_empty());
    inputs.map(str::to_owned).collect()
}

/// Where whole lines of a text are these.
fn lines_at(text: &str, lines: &str) -> Option<usize> {
    let mut places = text.match_indices(lines).map(|(at, _)| at);
    places.find(|&at| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + lines.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'))
    })
}
