//! From entries to cells. Nothing is drawn or copied here: a cell holds its entry.

use std::sync::Arc;

use super::ChatLog;
use super::card::ToolCard;
use super::cell::{Body, Cell, Note, card_mut};
use super::live::STOPPED;
use super::recovery::join_recovery;
use crate::agent::NoticeLevel;
use crate::transcript::{
    AssistantPart, Decision, Entry, EntryBody, EntryId, FileCause, FileRecord, Message, StopReason,
    undone_entries,
};
use crate::tui::numbers;

impl ChatLog {
    /// Shows another branch (or session) from its entries, root first.
    pub fn open(&mut self, branch: &[Arc<Entry>]) {
        let marks = std::mem::take(&mut self.marks);
        *self = Self {
            marks,
            viewport: std::mem::take(&mut self.viewport),
            undone: undone_entries(branch),
            ..Self::default()
        };
        for entry in branch {
            self.push(entry);
        }
    }

    /// Shows an entry that was written.
    pub fn push(&mut self, entry: &Arc<Entry>) {
        match &entry.body {
            EntryBody::Message(message) => self.push_message(entry, message),
            EntryBody::Compaction(_) => self.push_compaction(entry),
            EntryBody::BranchSummary { .. } => self.add(entry, Body::User(Arc::clone(entry))),
            EntryBody::CustomMessage { display, .. } if *display => {
                self.add(entry, Body::User(Arc::clone(entry)));
            }
            EntryBody::Decision(decision) => self.push_decision(entry, decision),
            EntryBody::ModelChange { provider, model } => {
                self.note("⇄", format!("model: {provider}/{model} from now on"));
            }
            EntryBody::ThinkingLevelChange { level } => {
                self.note("⇄", format!("reasoning: {level}"));
            }
            EntryBody::Files(record) => self.push_files(record),
            EntryBody::ContextEdit { .. } => {
                let undone = undone_mark(self.undone.contains(&entry.id));
                self.note(
                    "✎",
                    format!("a message was shortened in the context{undone}"),
                );
            }
            EntryBody::CustomMessage { .. }
            | EntryBody::Custom { .. }
            | EntryBody::Import(_)
            | EntryBody::Label { .. }
            | EntryBody::SessionInfo { .. }
            | EntryBody::Measurement(_)
            | EntryBody::Expense(_)
            | EntryBody::Child(_)
            | EntryBody::Unknown { .. } => {}
        }
    }

    /// Of what happened to files only what the user did has a place of its own.
    fn push_files(&mut self, record: &FileRecord) {
        let files = numbers::plural(record.changes.len() as u64, "file");
        match &record.cause {
            // The conversation shows itself where it is now.
            FileCause::Rewind { .. } if record.changes.is_empty() => {}
            FileCause::Rewind { undoes: None, .. } => self.note("↶", format!("rewound: {files}")),
            FileCause::Rewind { .. } => self.note("↷", format!("rewind undone or redone: {files}")),
            FileCause::Tool | FileCause::Command | FileCause::UserCommand | FileCause::Job => {}
        }
    }

    /// A remark between the messages. What the entry of an answer has just said is not said
    /// again: the reason and what to do next join it.
    pub fn push_note(&mut self, note: Note) {
        if let Some(cell) = self.cells.last_mut()
            && let Body::Note(said) = &mut cell.body
            && said.hint.is_none()
            && note.hint.is_some()
            && said.level == note.level
            && note.text.starts_with(&said.text)
        {
            (said.text, said.hint) = (note.text, note.hint);
            cell.touch();
            return;
        }
        self.cells.push(Cell::new(None, Body::Note(note)));
    }

    /// A compaction no longer counts.
    pub fn undo_compaction(&mut self, target: &EntryId) {
        for cell in &mut self.cells {
            if cell.entry.as_ref() != Some(target) {
                continue;
            }
            if let Body::Compaction { is_undone, .. } = &mut cell.body {
                *is_undone = true;
                cell.touch();
            }
        }
    }

    fn note(&mut self, sign: &'static str, text: String) {
        self.push_note(Note {
            sign,
            level: NoticeLevel::Info,
            text,
            hint: None,
        });
    }

    fn add(&mut self, entry: &Arc<Entry>, body: Body) {
        self.cells.push(Cell::new(Some(entry.id.clone()), body));
    }

    fn push_message(&mut self, entry: &Arc<Entry>, message: &Arc<Message>) {
        match message.as_ref() {
            Message::User(_) => self.add(entry, Body::User(Arc::clone(entry))),
            Message::Assistant(_) => self.push_answer(entry, message),
            Message::ToolResult(result) => {
                let open = self.find_card(|card| {
                    card.call_id() == result.call_id && card.result_entry().is_none()
                });
                if let Some(cell) = open {
                    if let Some(card) = card_mut(cell) {
                        card.finish(Arc::clone(entry));
                    }
                    cell.touch();
                }
            }
            Message::BashExecution(_) => {
                // The card that showed it while it ran is replaced.
                self.remove(|cell| matches!(&cell.body, Body::Tool(card) if !card.is_of_call()));
                self.add(entry, Body::Shell(Arc::clone(entry)));
            }
        }
    }

    fn push_answer(&mut self, entry: &Arc<Entry>, message: &Arc<Message>) {
        let Message::Assistant(answer) = message.as_ref() else {
            return;
        };
        let mut cells = Vec::with_capacity(answer.content.len());
        for (at, part) in answer.content.iter().enumerate() {
            let body = match part {
                AssistantPart::Text(text) if text.trim().is_empty() => continue,
                AssistantPart::Thinking { text, .. } if text.trim().is_empty() => continue,
                AssistantPart::ToolCall(call) => {
                    let mut card = ToolCard::of_call(message, at, call);
                    if answer.stop.is_broken() {
                        card.stop();
                    }
                    Body::Tool(Box::new(card))
                }
                _ => Body::Answer(Arc::clone(message), at),
            };
            cells.push(Cell::new(Some(entry.id.clone()), body));
        }
        self.hand_over(cells);
        let (level, text) = match answer.stop {
            StopReason::Stop if answer.says_nothing() => (
                NoticeLevel::Warning,
                "the model's answer is empty".to_owned(),
            ),
            StopReason::Stop | StopReason::ToolUse | StopReason::Paused => return,
            StopReason::Aborted => (NoticeLevel::Info, STOPPED.to_owned()),
            // Why, the agent says that was there.
            StopReason::Length => (NoticeLevel::Warning, "the answer was cut off".to_owned()),
            StopReason::Refusal => (
                NoticeLevel::Warning,
                "the model declined to answer".to_owned(),
            ),
            StopReason::Error => {
                let error = answer.error.as_deref().unwrap_or("the answer broke off");
                (NoticeLevel::Error, error.to_owned())
            }
        };
        self.push_note(Note {
            sign: "✗",
            level,
            text,
            hint: None,
        });
    }

    fn push_compaction(&mut self, entry: &Arc<Entry>) {
        self.end_compacting();
        let (first_kept, kept_asks) = match &entry.body {
            EntryBody::Compaction(compaction) => (
                compaction.first_kept.as_ref(),
                compaction.details.exceptions.kept_asks.len() as u64,
            ),
            _ => (None, 0),
        };
        let start = first_kept
            .and_then(|kept| self.cells.iter().position(|cell| cell.is_about(kept)))
            .unwrap_or(self.cells.len());
        let kept_turns = kept_asks + turns(self.cells.get(start..).unwrap_or_default());
        let body = Body::Compaction {
            entry: Arc::clone(entry),
            kept_turns,
            is_undone: self.undone.contains(&entry.id),
        };
        self.add(entry, body);
    }

    /// The end of a line about a decision that was undone.
    fn push_decision(&mut self, entry: &Entry, decision: &Decision) {
        match decision {
            Decision::Prune { cuts, .. } if !cuts.is_empty() => {
                let before: u64 = cuts.iter().map(|cut| cut.tokens_before).sum();
                let after: u64 = cuts.iter().map(|cut| cut.tokens_after).sum();
                let results = numbers::plural(cuts.len() as u64, "tool result");
                let (before, after) = (numbers::tokens(before), numbers::tokens(after));
                let end = match undone_mark(self.undone.contains(&entry.id)) {
                    "" => " · /pruned",
                    undone => undone,
                };
                self.note("✂", format!("pruned {results}: {before} → {after}{end}"));
            }
            Decision::Guard { cuts } if !cuts.is_empty() => {
                let results = numbers::plural(cuts.len() as u64, "tool result");
                self.note("✂", format!("cut {results} to fit the window · /pruned"));
            }
            Decision::Media { targets, .. } if !targets.is_empty() => {
                let messages = numbers::plural(targets.len() as u64, "message");
                self.note(
                    "□",
                    format!("old attachments of {messages} are sent as text"),
                );
            }
            Decision::Replay { stripped, .. } => {
                let without = if *stripped {
                    " without attachments"
                } else {
                    ""
                };
                let text = format!("your message was sent again{without}");
                if !join_recovery(self, &text, None) {
                    self.note("↻", text);
                }
            }
            Decision::Undo { target } => {
                self.undo_compaction(target);
                self.remove(|cell| is_added(cell) && cell.entry.as_ref() == Some(target));
            }
            _ => {}
        }
    }

    /// The newest card for which something holds.
    pub(super) fn find_card(&mut self, is: impl Fn(&ToolCard) -> bool) -> Option<&mut Cell> {
        self.cells
            .iter_mut()
            .rev()
            .find(|cell| matches!(&cell.body, Body::Tool(card) if is(card)))
    }
}

/// Whether a program added the message, and nobody typed it.
fn is_added(cell: &Cell) -> bool {
    matches!(&cell.body, Body::User(entry) if matches!(entry.body, EntryBody::CustomMessage { .. }))
}

/// Turns in these cells. The first one may have lost its beginning.
fn turns(cells: &[Cell]) -> u64 {
    let is_ask = |cell: &&Cell| matches!(&cell.body, Body::User(entry) if entry.is_typed_by_user());
    let first = cells
        .iter()
        .find(|cell| !matches!(cell.body, Body::Note(_)));
    let is_cut = first.is_some_and(|cell| !is_ask(&cell));
    cells.iter().filter(is_ask).count() as u64 + u64::from(is_cut)
}

fn undone_mark(is_undone: bool) -> &'static str {
    if is_undone { " · undone" } else { "" }
}
