//! Keys: first the screens on top, then the table, then text.

use crossterm::event::KeyEvent;

use super::edit::{recall, vi};
use super::{command, edit, help, history, open, overlay, search, send};
use crate::agent::{ContextOp, NoticeLevel, Op, Query, TurnOp, UndoOp};
use crate::tui::composer::Composer;
use crate::tui::effect::Effect;
use crate::tui::keymap::{self, Action, Context};
use crate::tui::model::Model;
use crate::tui::transcript::ChatLog;

/// A key was pressed.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if let Some(effects) = overlay::on_key(model, key) {
        return effects;
    }
    if let Some(effects) = recall::on_key(model, key) {
        return effects;
    }
    if let Some(effects) = vi::on_key(model, key) {
        return effects;
    }
    let effects = by_table(model, key);
    vi::settle(model);
    effects
}

/// Does what the table or, for text, the composer does with a key.
fn by_table(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let mut contexts = vec![Context::Main];
    // Text never answers a question, nor does it open a screen over one.
    let is_text_at_question = model.has_question() && keymap::typed(key).is_some();
    if model.composer.buffer.is_empty() && !is_text_at_question {
        contexts.insert(0, Context::Empty);
        if model.conversation.focused_compaction().is_some() {
            contexts.insert(0, Context::Boundary);
        }
        if model.conversation.search().is_some() {
            contexts.insert(0, Context::Search);
        }
    }
    if model.completion.popup().is_some() {
        contexts.insert(0, Context::List);
    }
    let action = model.keymap.action(key, &contexts);
    if action != Some(Action::Clear) {
        model.status.disarm_exit();
    }
    if action != Some(Action::Escape) {
        model.status.disarm_timeline();
    }
    match (action, keymap::typed(key)) {
        (Some(action), _) => run(model, action),
        (None, Some(c)) => edit::on_char(model, c),
        (None, None) => Vec::new(),
    }
}

/// Text was pasted: first for the screens on top.
pub(super) fn on_paste(model: &mut Model, text: &str) -> Vec<Effect> {
    if let Some(effects) = overlay::on_paste(model, text) {
        return effects;
    }
    vi::watch(model);
    let effects = edit::on_paste(model, text);
    vi::settle(model);
    effects
}

/// Does what a key of the table does.
pub(super) fn run(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Send => send::submit(model, crate::agent::SubmitWhen::NextStep),
        Action::SendAfterTurn => send::submit(model, crate::agent::SubmitWhen::AfterTurn),
        Action::TakeBack => edit::take_back(model),
        Action::Escape => escape(model),
        Action::Clear => clear(model),
        Action::Exit => vec![Effect::Quit],
        Action::Suspend => vec![Effect::Suspend],
        Action::Redraw => redraw(model),
        Action::Help => help::open(model),
        Action::Palette => open::palette(model),
        Action::Ledger => open::ledger(model),
        Action::Legend => open::legend(model),
        Action::NextMode => command::next_mode(model),
        Action::Background => vec![Effect::Send(Op::Turn(TurnOp::Background))],
        Action::ScrollPage(pages) => scroll_page(model, pages),
        Action::ScrollLines(lines) => scroll(model, lines),
        Action::ScrollStart => model.with_paint(ChatLog::scroll_to_start),
        Action::ScrollEnd => model.with_paint(|chat, _| chat.follow()),
        Action::Jump { forward } => model.with_paint(|chat, paint| chat.jump(forward, paint)),
        Action::ToggleCard => toggle_card(model),
        Action::ReviewCompaction => review_compaction(model),
        Action::UndoCompaction => undo_compaction(model),
        Action::UndoAct => command::undo_or_redo(UndoOp::UNDO, ""),
        Action::RedoAct => command::undo_or_redo(UndoOp::REDO, ""),
        Action::Focus { forward } => focus(model, forward),
        Action::Search { forward } => search::open_or_step(model, forward),
        Action::SearchEnd => search::end(model),
        Action::Recall => recall::begin(model),
        Action::Newline => edit::apply(model, |it| it.buffer.insert("\n")),
        Action::Move(motion) => edit::apply(model, |it| it.buffer.go(motion)),
        Action::Delete(motion) => edit::apply(model, |it| it.buffer.delete(motion)),
        Action::Kill(motion) => edit::apply(model, |it| it.buffer.kill(motion)),
        Action::Yank => edit::apply(model, |it| it.buffer.yank()),
        Action::Transpose => edit::apply(model, |it| it.buffer.transpose()),
        Action::Undo => edit::apply(model, |it| it.buffer.undo()),
        Action::Unfold => edit::apply(model, |it| it.buffer.unfold()),
        Action::Up => edit::up(model),
        Action::Down => edit::down(model),
        Action::Older => edit::apply(model, Composer::older),
        Action::Newer => edit::apply(model, Composer::newer),
        Action::Editor => edit::editor(model),
        Action::PasteImage => vec![Effect::AttachClipboard],
        Action::ListSelect { forward } => {
            model.completion.select(forward);
            Vec::new()
        }
        Action::ListAccept => send::accept(model, false),
        Action::ListSubmit => send::accept(model, true),
        Action::ListClose => {
            model.completion.dismiss(&model.composer.buffer);
            Vec::new()
        }
        // Keys of a search through what was sent, of a question, of a screen on top: those see
        // them first.
        Action::RecallStep { .. }
        | Action::RecallErase
        | Action::RecallTake
        | Action::RecallEnd
        | Action::Question(_)
        | Action::Screen(_) => Vec::new(),
    }
}

pub(super) fn scroll(model: &mut Model, lines: isize) -> Vec<Effect> {
    model.with_paint(|chat, paint| chat.scroll(lines, paint))
}

fn scroll_page(model: &mut Model, pages: isize) -> Vec<Effect> {
    // One line of the old page stays, so that the eye finds its place.
    let page = model.conversation.page().saturating_sub(1).max(1) as isize;
    scroll(model, pages * page)
}

fn toggle_card(model: &mut Model) -> Vec<Effect> {
    if model.conversation.toggle_focused() {
        reveal_focus(model);
    }
    Vec::new()
}

fn review_compaction(model: &mut Model) -> Vec<Effect> {
    let focused = model.conversation.focused_compaction();
    focused.map_or_else(Vec::new, |entry| {
        model.ask_for_screen(Query::Compaction(entry))
    })
}

/// Undoes the compaction in focus; only the active one can be.
fn undo_compaction(model: &mut Model) -> Vec<Effect> {
    let focused = model.conversation.focused_compaction();
    if focused.is_some() && focused == model.conversation.compaction_in_force() {
        return vec![Effect::Send(Op::Context(ContextOp::Uncompact))];
    }
    let text = "only the newest active compaction can be undone";
    model.say(NoticeLevel::Info, text);
    Vec::new()
}

fn focus(model: &mut Model, forward: bool) -> Vec<Effect> {
    model.conversation.move_focus(forward);
    if model.conversation.focus().is_none() {
        model.conversation.follow();
    }
    reveal_focus(model);
    Vec::new()
}

fn reveal_focus(model: &mut Model) {
    if let Some(at) = model.conversation.focus() {
        model.with_paint(|chat, paint| chat.reveal(at, paint));
    }
}

fn escape(model: &mut Model) -> Vec<Effect> {
    // What was asked for a moment ago is not wanted any more.
    model.queries.withdraw_screens();
    // Between two things that run, what waits can still be stopped.
    if model.activity.is_busy() || !model.activity.queued.is_empty() {
        model.status.show_stopping(model.now);
        return vec![Effect::Send(Op::Turn(TurnOp::Interrupt))];
    }
    if model.conversation.deselect() || model.conversation.blur() {
        return Vec::new();
    }
    if !model.conversation.is_following() {
        model.conversation.follow();
    }
    if model.composer.buffer.is_empty() {
        return history::escape(model);
    }
    Vec::new()
}

fn clear(model: &mut Model) -> Vec<Effect> {
    let was_replacing = model.outgoing.replaces.take().is_some();
    if was_replacing || !model.composer.buffer.is_empty() {
        model.composer.buffer.clear();
        model.composer.history.leave();
        return edit::changed(model);
    }
    if model.status.press_exit(model.now) {
        return vec![Effect::Quit];
    }
    Vec::new()
}

fn redraw(model: &mut Model) -> Vec<Effect> {
    model.screens.wants_clear = true;
    model.completion.files.forget();
    Vec::new()
}
