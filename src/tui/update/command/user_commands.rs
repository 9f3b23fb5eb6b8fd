//! The user's own commands: what was read of them, and one of them run.

use crate::agent::{NoticeLevel, Op, SettingOp};
use crate::config::{UserCommand, UserCommands};
use crate::tui::completion::Item;
use crate::tui::effect::Effect;
use crate::tui::model::user_commands::{help, usage};
use crate::tui::model::{Appearance, Model};
use crate::tui::render::safe;
use crate::tui::update::{open, send};

/// Columns of a foreign word in a remark.
const WORD_COLUMNS: usize = 40;

/// Columns of a remark about a command.
const REMARK_COLUMNS: usize = 120;

/// The files were read: offered from here on, and the one that was asked for is run.
pub(in crate::tui::update) fn on_read(
    model: &mut Model,
    mut read: UserCommands,
    line: Option<String>,
) -> Vec<Effect> {
    let prompts = model.completion.prompts();
    let prompts: Vec<UserCommand> = prompts.filter(|it| read.find(&it.name).is_none()).collect();
    read.commands.extend(prompts);
    for problem in model.user_commands.new_problems(&read) {
        model.remark("▲", NoticeLevel::Warning, problem, None);
    }
    if model.user_commands.known != read {
        model.user_commands.known = read;
        let known = model.user_commands.known.commands.iter();
        model.completion.own = known.map(|it| item(&model.look, it)).collect();
        model
            .completion
            .refresh(&model.composer.buffer, &model.look.theme_names);
        open::renew_offers(model);
    }
    line.map_or_else(Vec::new, |line| run(model, &line))
}

fn item(appearance: &Appearance, command: &UserCommand) -> Item {
    Item {
        insert: match command.arguments.as_str() {
            "" => format!("/{}", command.name),
            _ => format!("/{} ", command.name),
        },
        label: usage(command),
        detail: help(appearance, command),
    }
}

fn run(model: &mut Model, line: &str) -> Vec<Effect> {
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let Some(command) = model.user_commands.known.find(name).cloned() else {
        let name = safe::one_line(name, WORD_COLUMNS);
        if model.composer.buffer.text().trim().is_empty() {
            // What was typed comes back, to be repaired, with its images.
            let images = model.composer.buffer.images();
            model.composer.older();
            for image in images {
                model.composer.attach(image);
            }
        }
        let meant = model.completion.meant(&name);
        let text = meant.map_or_else(
            || format!("there is no /{name}; ? lists all"),
            |meant| format!("there is no /{name} · did you mean /{meant}?"),
        );
        model.say(NoticeLevel::Warning, text);
        return Vec::new();
    };
    let wanted = command.model.as_ref();
    let switch = wanted.filter(|it| **it != model.session.model);
    if let Some(it) = switch {
        let text = format!("/{} names {it}; /model goes back", command.name);
        let text = safe::one_line(&text, REMARK_COLUMNS);
        model.remark("·", NoticeLevel::Info, text, None);
    }
    let mut effects: Vec<Effect> = switch
        .map(|it| Effect::Send(Op::Setting(SettingOp::Model(it.clone()))))
        .into_iter()
        .collect();
    effects.extend(send::submit_message(model, &command.message(arguments)));
    effects
}
