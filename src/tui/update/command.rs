//! What the slash commands do; their names and help are in [`crate::tui::command`].

use super::agent::{ask, remark};
use super::{history, open, send};
use crate::agent::{
    CompactOptions, ContextOp, ExportFormat, NoticeLevel, Op, Query, SessionOp, SettingOp, UndoOp,
};
use crate::transcript::{EntryId, ModelRef, ThinkingLevel};
use crate::tui::effect::Effect;
use crate::tui::model::{HistoryUse, Model};
use crate::tui::numbers;
use crate::tui::render::{markdown, safe};
use crate::tui::theme::LoadedTheme;

/// Columns of an id that does not exist.
const ID_COLUMNS: usize = 24;

/// Asks for an `AGENTS.md`; our words, sent as the user's.
const INIT: &str = include_str!("../../../assets/prompts/init.md");

/// `/context`
pub fn context(model: &mut Model, _: &str) -> Vec<Effect> {
    open::ledger(model)
}

/// `/pruned`
pub fn pruned(model: &mut Model, _: &str) -> Vec<Effect> {
    open::pruned(model)
}

/// `/compact`
pub fn compact(model: &mut Model, arguments: &str) -> Vec<Effect> {
    let mut options = CompactOptions::default();
    let mut picks = false;
    let mut rest = arguments;
    // Options come first; from the first other word on everything is instructions.
    while let Some(flag) = rest
        .split_whitespace()
        .next()
        .filter(|w| w.starts_with("--"))
    {
        match flag {
            "--yes" => options.yes = true,
            "--dry-run" => options.dry_run = true,
            "--force" => options.force = true,
            "--extractive" => options.extractive = true,
            "--from" => picks = true,
            _ => {
                model.say(
                    NoticeLevel::Warning,
                    "unknown option; nothing was done: see ?",
                );
                return Vec::new();
            }
        }
        rest = rest
            .trim_start()
            .strip_prefix(flag)
            .unwrap_or_default()
            .trim_start();
    }
    options.instructions = (!rest.is_empty()).then(|| rest.to_owned());
    if picks {
        return history::show(model, HistoryUse::FirstKept(options));
    }
    ask(Op::Context(ContextOp::Compact(options)))
}

/// `/uncompact`
pub fn uncompact(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::Context(ContextOp::Uncompact))
}

/// `/summary`
pub fn summary(model: &mut Model, _: &str) -> Vec<Effect> {
    open::summaries(model)
}

/// `/prune`
pub fn prune(model: &mut Model, arguments: &str) -> Vec<Effect> {
    let dry_run = match arguments {
        "" => false,
        "--dry-run" => true,
        _ => {
            model.say(NoticeLevel::Warning, "/prune takes --dry-run or nothing");
            return Vec::new();
        }
    };
    ask(Op::Context(ContextOp::Prune { dry_run }))
}

/// `/pin`
pub fn pin(model: &mut Model, id: &str) -> Vec<Effect> {
    on_entry(model, id, |it| Op::Context(ContextOp::Pin(it)))
}

/// `/restore`
pub fn restore(model: &mut Model, id: &str) -> Vec<Effect> {
    on_entry(model, id, |it| Op::Context(ContextOp::Restore(it)))
}

/// `/drop`
pub fn drop(model: &mut Model, id: &str) -> Vec<Effect> {
    on_entry(model, id, |it| Op::Context(ContextOp::Drop(it)))
}

fn on_entry(model: &mut Model, id: &str, op: fn(EntryId) -> Op) -> Vec<Effect> {
    let id = id.trim_start_matches('#');
    if id.is_empty() {
        // Without an id it is picked there, with one key.
        return open::ledger(model);
    }
    let entry = EntryId::new(id);
    if model.session.entries.contains_key(&entry) {
        return ask(op(entry));
    }
    let shown = safe::one_line(id, ID_COLUMNS);
    let text =
        format!("there is no entry {shown}; /context lists them, enter on a row shows its id");
    model.say(NoticeLevel::Warning, text);
    Vec::new()
}

/// `/undo`
pub fn undo(_: &mut Model, arguments: &str) -> Vec<Effect> {
    undo_or_redo(UndoOp::UNDO, arguments)
}

/// `/redo`
pub fn redo(_: &mut Model, arguments: &str) -> Vec<Effect> {
    undo_or_redo(UndoOp::REDO, arguments)
}

/// `--yes` answers their question beforehand.
fn undo_or_redo(op: UndoOp, arguments: &str) -> Vec<Effect> {
    let is_confirmed = arguments.trim() == "--yes";
    ask(Op::Context(ContextOp::Undo(if is_confirmed {
        op.confirmed()
    } else {
        op
    })))
}

/// `/unqueue`
pub fn unqueue(model: &mut Model, _: &str) -> Vec<Effect> {
    if model.session.queued.is_empty() {
        model.say(NoticeLevel::Info, "nothing waits");
    }
    send::take_back(model)
}

/// `/wire`
pub fn wire(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::query(Query::Wire))
}

/// `/model`
pub fn model(model: &mut Model, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        model.palette_asked.models = false;
        return ask(Op::query(Query::Models));
    }
    let choice = match name.split_once('/') {
        Some((provider, id)) => ModelRef::new(provider, id),
        None => ModelRef::new(model.session.model.provider.clone(), name),
    };
    ask(Op::Setting(SettingOp::Model(choice)))
}

/// `/think`
pub fn think(model: &mut Model, level: &str) -> Vec<Effect> {
    if let Some(level) = ThinkingLevel::from_name(level) {
        return ask(Op::Setting(SettingOp::Thinking(level)));
    }
    if !level.is_empty() {
        model.say(NoticeLevel::Warning, "/think off, low, medium or high");
        return Vec::new();
    }
    "thinking".clone_into(&mut model.sought);
    ask(Op::query(Query::Settings))
}

/// `/plan`
pub fn plan(model: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::Setting(SettingOp::PlanMode(!model.session.plan_mode)))
}

/// `/todo`
pub fn todo(model: &mut Model, _: &str) -> Vec<Effect> {
    let Some(list) = model
        .session
        .todo
        .as_ref()
        .filter(|it| !it.items.is_empty())
    else {
        model.say(
            NoticeLevel::Info,
            "there is no list; the model keeps one for a task of several steps",
        );
        return Vec::new();
    };
    let text = format!("todo: {} of {} done", list.done(), list.items.len());
    model.session.todo_folded = !model.session.todo_folded;
    model.say(NoticeLevel::Info, text);
    Vec::new()
}

/// `/jobs`
pub fn jobs(model: &mut Model, _: &str) -> Vec<Effect> {
    open::jobs(model)
}

/// `/permissions`
pub fn permissions(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::query(Query::Permissions))
}

/// `/settings`
pub fn settings(model: &mut Model, arguments: &str) -> Vec<Effect> {
    super::settings::command(model, arguments)
}

/// `/login`
pub fn login(model: &mut Model, provider: &str) -> Vec<Effect> {
    if provider.contains(char::is_whitespace) {
        model.say(
            NoticeLevel::Warning,
            "/login takes the provider alone; the key is asked for",
        );
        return Vec::new();
    }
    provider.clone_into(&mut model.sought);
    ask(Op::query(Query::Logins))
}

/// `/logout`
pub fn logout(model: &mut Model, provider: &str) -> Vec<Effect> {
    if provider.is_empty() {
        model.say(NoticeLevel::Info, "/logout takes the provider");
        return Vec::new();
    }
    ask(Op::Setting(SettingOp::Logout(provider.to_owned())))
}

/// `/theme`
pub fn theme(model: &mut Model, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        return open::themes(model);
    }
    vec![Effect::KeepTheme(name.to_owned())]
}

/// A theme was loaded.
pub(super) fn on_theme(model: &mut Model, theme: Result<LoadedTheme, String>) -> Vec<Effect> {
    match theme {
        Ok(loaded) => {
            model.look.theme = *loaded.theme;
            model.look.generation += 1;
            for text in loaded.warnings {
                remark(model, "▲", NoticeLevel::Warning, text, None);
            }
        }
        Err(reason) => model.say(NoticeLevel::Warning, reason),
    }
    Vec::new()
}

/// `/new`
pub fn new_session(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::Session(SessionOp::New))
}

/// `/resume`
pub fn resume(model: &mut Model, _: &str) -> Vec<Effect> {
    model.palette_asked.sessions = false;
    ask(Op::query(Query::Sessions { all: false }))
}

/// `/timeline`
pub fn timeline(model: &mut Model, _: &str) -> Vec<Effect> {
    history::show(model, HistoryUse::Timeline)
}

/// `/rewind`
pub fn rewind(model: &mut Model, _: &str) -> Vec<Effect> {
    history::show(model, HistoryUse::Rewind)
}

/// `/diff`
pub fn diff(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::query(Query::Changes))
}

/// `/tree`
pub fn tree(model: &mut Model, _: &str) -> Vec<Effect> {
    history::show(model, HistoryUse::Tree)
}

/// `/fork`
pub fn fork(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::Session(SessionOp::Fork(None)))
}

/// `/retry`
pub fn retry(model: &mut Model, _: &str) -> Vec<Effect> {
    history::retry(model)
}

/// `/rename`
pub fn rename(model: &mut Model, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        model.say(NoticeLevel::Info, "/rename takes the new name");
        return Vec::new();
    }
    ask(Op::Session(SessionOp::Rename(name.to_owned())))
}

/// `/remember`
pub fn remember(model: &mut Model, text: &str) -> Vec<Effect> {
    if text.is_empty() {
        model.say(NoticeLevel::Info, "/remember takes what should be noted");
        return Vec::new();
    }
    ask(Op::Session(SessionOp::Remember(text.to_owned())))
}

/// `/notes`
pub fn notes(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::query(Query::Notes))
}

/// `/cost`
pub fn cost(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::query(Query::Cost))
}

/// `/export`
pub fn export(model: &mut Model, format: &str) -> Vec<Effect> {
    let format = match format {
        "" => Some(ExportFormat::default()),
        name => ExportFormat::from_name(name),
    };
    let Some(format) = format else {
        model.say(NoticeLevel::Warning, "/export md, html, jsonl or json");
        return Vec::new();
    };
    ask(Op::Session(SessionOp::Export(format)))
}

/// `/tools`
pub fn tools(_: &mut Model, _: &str) -> Vec<Effect> {
    ask(Op::query(Query::Tools))
}

/// `/init`
pub fn init(model: &mut Model, wishes: &str) -> Vec<Effect> {
    let mut text = INIT.trim_end().to_owned();
    if !wishes.is_empty() {
        text = format!("{text}\n\n{wishes}");
    }
    send::submit_text(model, &text)
}

/// `/copy`
pub fn copy(model: &mut Model, number: &str) -> Vec<Effect> {
    let Some(answer) = model.conversation.last_answer() else {
        model.say(NoticeLevel::Info, "there is no answer yet");
        return Vec::new();
    };
    if number.is_empty() {
        model.say(NoticeLevel::Info, "the newest answer is on the clipboard");
        return vec![Effect::Copy(answer)];
    }
    let blocks = markdown::code_blocks(&answer);
    let number = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let Some(block) = number.and_then(|at| blocks.get(at)) else {
        let count = numbers::plural(blocks.len() as u64, "code block");
        model.say(
            NoticeLevel::Warning,
            format!("nothing was copied: the newest answer has {count}"),
        );
        return Vec::new();
    };
    let lines = numbers::plural(block.lines().count() as u64, "line");
    model.say(NoticeLevel::Info, format!("copied {lines} of code"));
    vec![Effect::Copy(block.clone())]
}

/// `/search`
pub fn search(model: &mut Model, query: &str) -> Vec<Effect> {
    super::search::start(model, query)
}

/// `/palette`
pub fn palette(model: &mut Model, _: &str) -> Vec<Effect> {
    open::palette(model)
}

/// `/intro`
pub fn intro(model: &mut Model, _: &str) -> Vec<Effect> {
    if model.activity.is_busy() {
        let text = "the introduction has to wait until the answer is done";
        model.say(NoticeLevel::Info, text);
        return Vec::new();
    }
    vec![Effect::BeginTour]
}

/// `/help`
pub fn help(model: &mut Model, _: &str) -> Vec<Effect> {
    open::help(model)
}

/// `/quit`
pub fn quit(_: &mut Model, _: &str) -> Vec<Effect> {
    vec![Effect::Quit]
}
