//! Runs the slash commands; their names and help are in [`crate::tui::command`].

pub(super) mod user_commands;

use super::{edit, help, history, open, send};
use crate::agent::{
    CompactOptions, ContextOp, ExportFormat, NoticeLevel, Op, Query, RuleAct, ServerAct, SessionOp,
    SettingOp, UndoOp, WorkMode,
};
use crate::config::SettingValue;
use crate::transcript::{EntryId, ModelRef, ThinkingLevel};
use crate::tui::command::{CommandId, THINKING_HELP};
use crate::tui::effect::Effect;
use crate::tui::model::{HistoryUse, Model};
use crate::tui::numbers;
use crate::tui::render::{markdown, safe};
use crate::tui::theme::LoadedTheme;

/// Columns of an id that does not exist.
const ID_COLUMNS: usize = 24;

/// The setting that `/engine ID` changes.
const ENGINE_SETTING: &str = "context.engine";

/// Asks for an `AGENTS.md`; our words, sent as the user's.
const INIT: &str = include_str!("../../../../assets/prompts/init.md");

/// Does what a command does, with what was typed after its name.
pub(super) fn run(model: &mut Model, id: CommandId, arguments: &str) -> Vec<Effect> {
    match id {
        CommandId::Context => open::ledger(model),
        CommandId::Pruned => open::pruned(model),
        CommandId::Compact => compact(model, arguments),
        CommandId::Uncompact => send_op(Op::Context(ContextOp::Uncompact)),
        CommandId::Summary => open::summaries(model),
        CommandId::Prune => prune(model, arguments),
        CommandId::Pin => on_entry(model, arguments, |it| Op::Context(ContextOp::Pin(it))),
        CommandId::Restore => on_entry(model, arguments, |it| Op::Context(ContextOp::Restore(it))),
        CommandId::Drop => on_entry(model, arguments, |it| Op::Context(ContextOp::Drop(it))),
        CommandId::Rules => rules(model, arguments),
        CommandId::Undo => undo_or_redo(UndoOp::UNDO, arguments),
        CommandId::Redo => undo_or_redo(UndoOp::REDO, arguments),
        CommandId::Unqueue => unqueue(model),
        CommandId::Wire => model.ask_for_screen(Query::Wire),
        CommandId::Model => switch_model(model, arguments),
        CommandId::Think => think(model, arguments),
        CommandId::Legend => open::legend(model),
        CommandId::Plan => plan(model),
        CommandId::Todo => todo(model),
        CommandId::Jobs => open::jobs(model),
        CommandId::Agents => open::agents(model),
        CommandId::Permissions => model.ask_for_screen(Query::Permissions),
        CommandId::Theme => theme(model, arguments),
        CommandId::Settings => super::settings::command(model, arguments),
        CommandId::Login => login(model, arguments),
        CommandId::Logout => logout(model, arguments),
        CommandId::NewSession => send_op(Op::Session(SessionOp::New)),
        CommandId::Resume => model.ask_for_screen(Query::Sessions { all: false }),
        CommandId::SearchAll => search_all(model, arguments),
        CommandId::Timeline => history::show(model, HistoryUse::Timeline),
        CommandId::Diff => model.ask_for_screen(Query::Changes),
        CommandId::Rewind => history::show(model, HistoryUse::Rewind),
        CommandId::Tree => history::show(model, HistoryUse::Tree),
        CommandId::Fork => send_op(Op::Session(SessionOp::Fork(None))),
        CommandId::Retry => history::retry(model),
        CommandId::Rename => rename(model, arguments),
        CommandId::Copy => copy(model, arguments),
        CommandId::Search => super::search::start(model, arguments),
        CommandId::Remember => remember(model, arguments),
        CommandId::Notes => notes(model, arguments),
        CommandId::Recall => recall(model, arguments),
        CommandId::Cost => model.ask_for_screen(Query::Cost),
        CommandId::Export => export(model, arguments),
        CommandId::Tools => model.ask_for_screen(Query::Tools),
        CommandId::Mcp => mcp(model, arguments),
        CommandId::Engine => engine(model, arguments),
        CommandId::Init => init(model, arguments),
        CommandId::Palette => open::palette(model),
        CommandId::Intro => intro(model),
        CommandId::Help => help::open(model),
        CommandId::Quit => vec![Effect::Quit],
    }
}

fn send_op(op: Op) -> Vec<Effect> {
    vec![Effect::Send(op)]
}

/// `/search-all`
fn search_all(model: &mut Model, arguments: &str) -> Vec<Effect> {
    let words = arguments.trim();
    if words.is_empty() {
        model.say(NoticeLevel::Info, "/search-all WORDS: the words to find");
        return Vec::new();
    }
    model.ask_for_screen(Query::SessionText(words.to_owned()))
}

/// `/compact`
fn compact(model: &mut Model, arguments: &str) -> Vec<Effect> {
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
            "--rebuild" => options.rebuild = true,
            "--from" => picks = true,
            _ => {
                model.say(
                    NoticeLevel::Warning,
                    "unknown option; nothing was done: see /help",
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
    send_op(Op::Context(ContextOp::Compact(options)))
}

/// `/prune`
fn prune(model: &mut Model, arguments: &str) -> Vec<Effect> {
    let dry_run = match arguments {
        "" => false,
        "--dry-run" => true,
        _ => {
            model.say(NoticeLevel::Warning, "/prune takes --dry-run or nothing");
            return Vec::new();
        }
    };
    send_op(Op::Context(ContextOp::Prune { dry_run }))
}

fn on_entry(model: &mut Model, id: &str, op: fn(EntryId) -> Op) -> Vec<Effect> {
    let id = id.trim_start_matches('#');
    if id.is_empty() {
        // Without an id it is picked there, with one key.
        return open::ledger(model);
    }
    let entry = EntryId::new(id);
    if model.session.published.by_id.contains_key(&entry) {
        return send_op(op(entry));
    }
    let shown = safe::one_line(id, ID_COLUMNS);
    let text =
        format!("there is no entry {shown}; /context lists them, enter on a row shows its id");
    model.say(NoticeLevel::Warning, text);
    Vec::new()
}

/// `/rules`
fn rules(model: &mut Model, words: &str) -> Vec<Effect> {
    if words.is_empty() {
        return model.ask_for_screen(Query::Rules);
    }
    if let Some(act) = RuleAct::from_words(words) {
        return send_op(Op::Context(ContextOp::Rule(act)));
    }
    let text = "/rules strike ID, restore ID, confirm ID, reword ID TEXT or add TEXT";
    model.say(NoticeLevel::Warning, text);
    Vec::new()
}

/// `--yes` answers their question beforehand.
pub(super) fn undo_or_redo(op: UndoOp, arguments: &str) -> Vec<Effect> {
    let is_confirmed = arguments.trim() == "--yes";
    send_op(Op::Context(ContextOp::Undo(if is_confirmed {
        op.confirmed()
    } else {
        op
    })))
}

/// `/recall`
fn recall(model: &mut Model, text: &str) -> Vec<Effect> {
    if text.is_empty() {
        let how = "/recall takes the text to search for, e.g. /recall refresh token";
        model.say(NoticeLevel::Info, how);
        return Vec::new();
    }
    model.ask_for_screen(Query::Recall(text.to_owned()))
}

/// `/unqueue`
fn unqueue(model: &mut Model) -> Vec<Effect> {
    if model.activity.queued.is_empty() {
        model.say(NoticeLevel::Info, "nothing is queued");
    }
    edit::take_back(model)
}

/// `/model`
fn switch_model(model: &mut Model, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        return model.ask_for_screen(Query::Models);
    }
    let choice = match name.split_once('/') {
        Some((provider, id)) => ModelRef::new(provider, id),
        None => ModelRef::new(model.session.model.provider.clone(), name),
    };
    send_op(Op::Setting(SettingOp::Model(choice)))
}

/// `/think`
fn think(model: &mut Model, level: &str) -> Vec<Effect> {
    if let Some(level) = ThinkingLevel::from_name(level) {
        return send_op(Op::Setting(SettingOp::Thinking(level)));
    }
    if !level.is_empty() {
        model.say(NoticeLevel::Warning, THINKING_HELP);
        return Vec::new();
    }
    super::settings::show(model, Query::Settings, "thinking")
}

/// `/mcp`
fn mcp(model: &mut Model, arguments: &str) -> Vec<Effect> {
    match arguments {
        "" => model.ask_for_screen(Query::Servers),
        "reload" => send_op(Op::Setting(SettingOp::Servers(ServerAct::Reload))),
        _ => {
            model.say(NoticeLevel::Info, "/mcp takes reload, or nothing");
            Vec::new()
        }
    }
}

/// `/engine`
fn engine(model: &mut Model, id: &str) -> Vec<Effect> {
    if id.is_empty() {
        return model.ask_for_screen(Query::Engines);
    }
    send_op(Op::Setting(SettingOp::Set {
        key: ENGINE_SETTING.to_owned(),
        value: SettingValue::Text(id.to_owned()),
    }))
}

/// Works in the mode that follows: ask, accept edits, plan.
pub(super) fn next_mode(model: &Model) -> Vec<Effect> {
    let session = &model.session;
    let mode = WorkMode::after(session.mode.approvals.mode, session.mode.is_planning);
    send_op(Op::Setting(SettingOp::Mode(mode)))
}

/// `/plan`
pub(super) fn plan(model: &Model) -> Vec<Effect> {
    send_op(Op::Setting(SettingOp::PlanMode(
        !model.session.mode.is_planning,
    )))
}

/// `/todo`
fn todo(model: &mut Model) -> Vec<Effect> {
    let Some(list) = model
        .session
        .todo
        .list
        .as_ref()
        .filter(|it| !it.items.is_empty())
    else {
        model.say(
            NoticeLevel::Info,
            "no task list; the model makes one for tasks of several steps",
        );
        return Vec::new();
    };
    let text = format!("todo: {} of {} done", list.done(), list.items.len());
    model.session.todo.is_folded = !model.session.todo.is_folded;
    model.say(NoticeLevel::Info, text);
    Vec::new()
}

/// `/login`
fn login(model: &mut Model, provider: &str) -> Vec<Effect> {
    if provider.contains(char::is_whitespace) {
        model.say(
            NoticeLevel::Warning,
            "/login takes the provider; the key is asked for next",
        );
        return Vec::new();
    }
    super::settings::show(model, Query::Logins, provider)
}

/// `/logout`
fn logout(model: &mut Model, provider: &str) -> Vec<Effect> {
    if provider.is_empty() {
        model.say(NoticeLevel::Info, "/logout takes the provider");
        return Vec::new();
    }
    send_op(Op::Setting(SettingOp::Logout(provider.to_owned())))
}

/// `/theme`
fn theme(model: &mut Model, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        return open::themes(model);
    }
    vec![Effect::KeepTheme(name.to_owned())]
}

pub(super) fn on_theme(model: &mut Model, theme: Result<LoadedTheme, String>) -> Vec<Effect> {
    match theme {
        Ok(loaded) => {
            model.look.use_theme(*loaded.theme);
            for text in loaded.warnings {
                model.remark("▲", NoticeLevel::Warning, text, None);
            }
        }
        Err(reason) => model.say(NoticeLevel::Warning, reason),
    }
    Vec::new()
}

/// `/rename`
fn rename(model: &mut Model, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        model.say(NoticeLevel::Info, "/rename takes the new name");
        return Vec::new();
    }
    send_op(Op::Session(SessionOp::Rename(name.to_owned())))
}

/// `/remember`
fn remember(model: &mut Model, text: &str) -> Vec<Effect> {
    if text.is_empty() {
        model.say(NoticeLevel::Info, "/remember takes the text to note");
        return Vec::new();
    }
    send_op(Op::Session(SessionOp::Remember(text.to_owned())))
}

/// `/notes`
fn notes(model: &mut Model, arguments: &str) -> Vec<Effect> {
    match arguments {
        "" => model.ask_for_screen(Query::Notes),
        "undo" => send_op(Op::Session(SessionOp::TakeBackNotes)),
        _ => {
            model.say(NoticeLevel::Info, "/notes takes undo, or nothing");
            Vec::new()
        }
    }
}

/// `/export`
fn export(model: &mut Model, format: &str) -> Vec<Effect> {
    let format = match format {
        "" => Some(ExportFormat::default()),
        name => ExportFormat::from_name(name),
    };
    let Some(format) = format else {
        model.say(NoticeLevel::Warning, "/export md, html, jsonl or json");
        return Vec::new();
    };
    send_op(Op::Session(SessionOp::Export(format)))
}

/// `/init`
fn init(model: &mut Model, wishes: &str) -> Vec<Effect> {
    let mut text = INIT.trim_end().to_owned();
    if !wishes.is_empty() {
        text = format!("{text}\n\n{wishes}");
    }
    send::submit_text(model, &text)
}

/// `/copy`
fn copy(model: &mut Model, number: &str) -> Vec<Effect> {
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

/// `/intro`
fn intro(model: &mut Model) -> Vec<Effect> {
    if model.activity.is_busy() {
        let text = "the introduction starts when the answer is done";
        model.say(NoticeLevel::Info, text);
        return Vec::new();
    }
    vec![Effect::BeginTour]
}
