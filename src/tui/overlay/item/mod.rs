//! One item from both sides: what is on disk and what is sent, aligned, with the part
//! that is missing marked, and the numbers and the rule behind it.

mod frame;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::facts::Facts;
use super::sheet::{self, Mark, Row, SPLIT_MIN_WIDTH, Sheet};
use super::{Overlay, Reaction, Scene, keys, numbers, paint};
use crate::agent::{AgentEvent, ContextEvent};
use crate::context::{Disposition, LeftOut, ViewItem};
use crate::transcript::{
    AssistantPart, Entry, EntryBody, EntryId, Message, Part, is_server_summary,
};
use crate::tui::effect::Effect;
use crate::tui::marks;
use crate::tui::render::safe;

/// From this height on the numbers and the reason are shown above the texts.
const HEAD_MIN_ROWS: u16 = 8;

/// What the view says about the entry.
#[derive(Clone)]
enum Subject {
    Sent(Arc<ViewItem>),
    LeftOut(Arc<LeftOut>),
    Entry(EntryId),
}

/// Shows one item.
pub struct ItemView {
    subject: Subject,
    /// Built on first use: building needs the scene.
    sheet: std::cell::RefCell<Option<Sheet>>,
    /// Which side a narrow screen shows.
    shows_sent: bool,
    copied: bool,
}

impl ItemView {
    /// An item of the request.
    pub fn sent(item: Arc<ViewItem>) -> Self {
        Self::new(Subject::Sent(item))
    }

    /// Something that is not sent.
    pub fn left_out(left: Arc<LeftOut>) -> Self {
        Self::new(Subject::LeftOut(left))
    }

    /// An entry of the log; how it is sent is looked up in the view.
    pub fn entry(id: EntryId) -> Self {
        Self::new(Subject::Entry(id))
    }

    fn new(subject: Subject) -> Self {
        Self {
            subject,
            sheet: std::cell::RefCell::default(),
            shows_sent: false,
            copied: false,
        }
    }

    fn id(&self) -> Option<&EntryId> {
        match &self.subject {
            Subject::Sent(item) => item.entry.as_ref(),
            Subject::LeftOut(left) => Some(&left.entry),
            Subject::Entry(id) => Some(id),
        }
    }

    /// The same entry in the newest view.
    fn find(&self, scene: &Scene<'_>) -> Option<Subject> {
        let id = self.id()?;
        let view = scene.view?;
        let item = view
            .items
            .iter()
            .find(|item| item.entry.as_ref() == Some(id));
        item.map(|item| Subject::Sent(Arc::clone(item)))
            .or_else(|| {
                let left = view.left_out.iter().find(|left| left.entry == *id);
                left.map(|left| Subject::LeftOut(Arc::clone(left)))
            })
    }

    fn subject(&self, scene: &Scene<'_>) -> Subject {
        match &self.subject {
            Subject::Entry(_) => self.find(scene).unwrap_or_else(|| self.subject.clone()),
            known => known.clone(),
        }
    }

    /// The text in full: from the log, or from the settings and files that made the
    /// system prompt and the tools.
    fn disk_text(&self, scene: &Scene<'_>) -> Option<String> {
        match (&self.subject, self.id()) {
            (Subject::Sent(item), None) => frame::text(item.category, &scene.view?.frame),
            (_, id) => scene.entries.get(id?).map(|entry| entry_text(entry)),
        }
    }

    fn build(&self, scene: &Scene<'_>) -> Sheet {
        let disk = self.disk_text(scene);
        let rows = match self.subject(scene) {
            Subject::Sent(item) => match (&disk, &item.sent) {
                (Some(disk), Some(sent)) => compare(disk, &sent_text(sent, scene, &item)),
                (Some(disk), None) => both(disk),
                (None, Some(sent)) => both(&message_text(sent)),
                (None, None) => note(disk, "Nothing is sent for this item."),
            },
            Subject::LeftOut(left) => note(disk, &stand_in(&left, scene)),
            Subject::Entry(_) => note(disk, "Not part of the conversation that is sent."),
        };
        let first = cuts(&rows).next();
        let sheet = Sheet::new(rows);
        // What was cut is what one came to see.
        if let Some(first) = first {
            sheet.reveal(first);
        }
        sheet
    }

    /// Numbers, reason, and the names of the sides.
    fn draw_head(
        &self,
        (story, why): (&str, &str),
        split: bool,
        area: Rect,
        buffer: &mut Buffer,
        scene: &Scene<'_>,
    ) {
        let theme = scene.theme;
        let room = usize::from(area.width.saturating_sub(2));
        for (row, text, style) in [(1, story, theme.text), (2, why, theme.dim)] {
            let shown = safe::one_line(text, room);
            paint::text(buffer, area, (1, row), area.width, &shown, style);
        }
        paint::rule(buffer, area, 3, theme);
        let mut label = |column: u16, text: &str, style| {
            paint::text(buffer, area, (column, 3), area.width, text, style);
        };
        if split {
            label(2, " on disk ", theme.heading);
            label(
                area.width.saturating_sub(1) / 2 + 3,
                " as sent ",
                theme.heading,
            );
        } else {
            let side = if self.shows_sent {
                " as sent "
            } else {
                " on disk "
            };
            label(2, side, theme.heading);
            label(12, "(tab: other side) ", theme.dim);
        }
    }

    /// The next place where something was cut, or the one before.
    fn jump(&self, forward: bool, scene: &Scene<'_>) {
        self.with_sheet(scene, |sheet| {
            let here = sheet.shown();
            let target = if forward {
                cuts(sheet.rows()).find(|&row| row > here)
            } else {
                cuts(sheet.rows()).filter(|&row| row < here).last()
            };
            if let Some(row) = target {
                sheet.show(row);
            }
        });
    }

    fn with_sheet<T>(&self, scene: &Scene<'_>, act: impl FnOnce(&mut Sheet) -> T) -> T {
        let mut slot = self.sheet.borrow_mut();
        act(slot.get_or_insert_with(|| self.build(scene)))
    }
}

impl Overlay for ItemView {
    fn name(&self) -> &'static str {
        "item"
    }

    fn on_key(&mut self, key: KeyEvent, scene: &Scene<'_>) -> Reaction {
        self.copied = false;
        if self.with_sheet(scene, |sheet| sheet.on_key(key)) {
            return Reaction::Consumed;
        }
        match (key.code, keys::typed(key)) {
            (KeyCode::Esc, _) | (_, Some('q')) => Reaction::Close(Vec::new()),
            (KeyCode::Tab, _) => {
                self.shows_sent = !self.shows_sent;
                Reaction::Consumed
            }
            (_, Some(key @ ('n' | 'N'))) => {
                self.jump(key == 'n', scene);
                Reaction::Consumed
            }
            (_, Some('y')) => match self.disk_text(scene) {
                Some(text) => {
                    self.copied = true;
                    Reaction::Act(vec![Effect::Copy(text)])
                }
                None => Reaction::Consumed,
            },
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, scene: &Scene<'_>) -> Reaction {
        Reaction::taken(self.with_sheet(scene, |sheet| sheet.on_paste(text)))
    }

    fn on_event(&mut self, event: &AgentEvent, scene: &Scene<'_>) -> Reaction {
        if !matches!(event, AgentEvent::Context(ContextEvent::View(_))) {
            return Reaction::Ignored;
        }
        if let Some(subject) = self.find(scene) {
            self.subject = subject;
            let sheet = self.build(scene);
            self.with_sheet(scene, |old| old.replace(sheet.rows().to_vec()));
        }
        Reaction::Consumed
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let (title, story, why) = head(&self.subject(scene), scene);
        let split = area.width >= SPLIT_MIN_WIDTH;
        let top: u16 = if area.height >= HEAD_MIN_ROWS { 4 } else { 1 };
        let body = paint::inner(area, top, 1);
        let (caret, place) = self.with_sheet(scene, |sheet| {
            let caret = if split {
                sheet.draw(body, buffer, true, theme)
            } else {
                sheet.draw_side(body, buffer, self.shows_sent, theme)
            };
            (caret, sheet.place())
        });
        let remark = if self.copied {
            "copied".to_owned()
        } else {
            place
        };
        // Without room for all of it, what happened to it says more than whose it is.
        let heading = if area.height < HEAD_MIN_ROWS && !story.is_empty() {
            &story
        } else {
            &title
        };
        paint::title(buffer, area, 0, (heading, &remark), theme);
        if area.height >= HEAD_MIN_ROWS {
            self.draw_head((&story, &why), split, area, buffer, scene);
        }
        let tab = if split {
            ("n N", "cuts")
        } else {
            ("tab", "other side")
        };
        let hints = [
            ("esc", "back"),
            ("j k", "scroll"),
            tab,
            ("/", "search"),
            ("y", "copy the original"),
        ];
        paint::hints(buffer, area, area.height.saturating_sub(1), &hints, theme);
        caret
    }
}

/// The rows at which a run of cut ones begins.
fn cuts(rows: &[Row]) -> impl Iterator<Item = usize> {
    let is_cut = |at: usize| rows.get(at).is_some_and(|row| row.mark == Mark::Cut);
    (0..rows.len()).filter(move |&at| is_cut(at) && !at.checked_sub(1).is_some_and(is_cut))
}

/// Title, numbers, reason.
fn head(subject: &Subject, scene: &Scene<'_>) -> (String, String, String) {
    let (facts, rule) = match subject {
        Subject::Sent(item) => {
            let ruler = scene.view.map(|view| view.ruler.clone());
            let facts = Facts::of_item(item, &ruler.unwrap_or_default());
            (facts, rule(item))
        }
        Subject::LeftOut(left) => (Facts::of_left(left, scene.entries), String::new()),
        Subject::Entry(id) => return (format!("entry {id}"), String::new(), String::new()),
    };
    let id = facts.entry.map_or(String::new(), |id| format!(" · {id}"));
    let age = facts.timestamp.map_or(String::new(), |at| {
        format!(" · {}", numbers::ago(scene.now.secs_since(at)))
    });
    let turn = if facts.turn == 0 {
        String::new()
    } else {
        format!(" · turn {}", facts.turn)
    };
    let call = facts.call(scene.entries);
    let call = call.map_or(String::new(), |call| format!(" {call}"));
    let title = format!("{}{call}{turn}{id}{age}", facts.speaker(scene.entries));
    let title = title.trim_start_matches(" · ").to_owned();
    let mark = format!(
        "{} {}",
        marks::symbol(facts.disposition),
        marks::word(facts.disposition)
    );
    let pinned = if facts.pinned {
        format!(" · {} pinned", marks::PINNED)
    } else {
        String::new()
    };
    let story = if facts.disposition == Disposition::Sent {
        format!(
            "{mark}{pinned} · {} tokens, as on disk",
            numbers::grouped(facts.tokens)
        )
    } else {
        format!(
            "{mark}{pinned} · before {} → after {} tokens ({}){rule}",
            facts.grouped_full(),
            numbers::grouped(facts.tokens),
            numbers::change(facts.tokens_full, facts.tokens),
        )
    };
    let why = if facts.reason.is_empty() {
        String::new()
    } else {
        format!("why: {}", facts.reason)
    };
    (title, story, why)
}

fn rule(item: &ViewItem) -> String {
    let by = item.cut_by.as_ref();
    by.map_or_else(String::new, |by| {
        format!(" · rule {}/{}", by.policy, by.phase)
    })
}

/// What stands in the request in place of something that is left out.
fn stand_in(left: &LeftOut, scene: &Scene<'_>) -> String {
    let Some(id) = &left.compaction else {
        return format!("Not sent: {}", left.reason);
    };
    let number = scene.entries.get(id).map_or(String::new(), |entry| {
        format!(
            ", written {}",
            numbers::ago(scene.now.secs_since(entry.timestamp))
        )
    });
    let summary = scene
        .entries
        .get(id)
        .map(|entry| entry_text(entry))
        .unwrap_or_default();
    format!("Not sent. The summary of compaction {id}{number}, stands for it:\n\n{summary}")
}

/// The text on disk, and what stands for it on the right, its first line emphasised.
fn note(disk: Option<String>, remark: &str) -> Vec<Row> {
    let left = disk.map(|text| sheet::lines(&text)).unwrap_or_default();
    let right = sheet::lines(remark);
    let row = |at: usize| {
        let beside = right.get(at).map(|line| match at {
            0 => emphasised(line),
            _ => sheet::piece(line),
        });
        Row {
            left: left.get(at).map(|line| emphasised(line)),
            right: beside,
            mark: if at == 0 || at < left.len() {
                Mark::Cut
            } else {
                Mark::Same
            },
            ..Row::default()
        }
    };
    (0..left.len().max(right.len())).map(row).collect()
}

fn both(text: &str) -> Vec<Row> {
    sheet::lines(text).iter().map(|line| same(line)).collect()
}

fn same(line: &str) -> Row {
    Row {
        left: Some(sheet::piece(line)),
        right: Some(sheet::piece(line)),
        mark: Mark::Same,
        ..Row::default()
    }
}

/// Aligns what is sent with what is on disk by their common start and end; what lies
/// between was cut (left) and stands for it (right).
fn compare(disk: &str, sent: &str) -> Vec<Row> {
    let left = sheet::lines(disk);
    let right = sheet::lines(sent);
    let head = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let room = left.len().min(right.len()) - head;
    let tail = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take(room)
        .take_while(|(a, b)| a == b)
        .count();
    let cut = left.get(head..left.len() - tail).unwrap_or_default();
    let instead = right.get(head..right.len() - tail).unwrap_or_default();
    let mut rows: Vec<Row> = left.iter().take(head).map(|line| same(line)).collect();
    rows.extend(between(cut, instead));
    rows.extend(left.iter().skip(left.len() - tail).map(|line| same(line)));
    rows
}

/// The lines that differ. A cut in the middle of a line leaves its start or its end:
/// those lines stand beside what is left of them, with the missing part emphasised.
fn between(mut cut: &[String], mut instead: &[String]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut last = None;
    if let ([line, cut_rest @ ..], [kept, rest @ ..]) = (cut, instead)
        && !kept.is_empty()
        && let Some(missing) = line.strip_prefix(kept.as_str())
    {
        rows.push(partly(&[(kept, false), (missing, true)], kept));
        (cut, instead) = (cut_rest, rest);
    }
    if let ([cut_rest @ .., line], [rest @ .., kept]) = (cut, instead)
        && !kept.is_empty()
        && let Some(missing) = line.strip_suffix(kept.as_str())
    {
        last = Some(partly(&[(missing, true), (kept, false)], kept));
        (cut, instead) = (cut_rest, rest);
    }
    for at in 0..cut.len().max(instead.len()) {
        rows.push(Row {
            left: cut.get(at).map(|line| emphasised(line)),
            right: instead.get(at).map(|line| emphasised(line)),
            mark: Mark::Cut,
            ..Row::default()
        });
    }
    rows.extend(last);
    rows
}

fn partly(left: &[(&str, bool)], right: &str) -> Row {
    let pieces = left.iter().flat_map(|(text, strong)| {
        let mut pieces = sheet::piece(text);
        for piece in &mut pieces {
            piece.strong = *strong;
        }
        pieces
    });
    Row {
        left: Some(pieces.collect()),
        right: Some(sheet::piece(right)),
        mark: Mark::Cut,
        ..Row::default()
    }
}

fn emphasised(text: &str) -> Vec<sheet::Piece> {
    let mut pieces = sheet::piece(text);
    for piece in &mut pieces {
        piece.strong = true;
    }
    pieces
}

/// What is sent, shown like the disk side. A message that is sent as it is shares its
/// text with the log, so both sides are equal by construction.
fn sent_text(sent: &Message, scene: &Scene<'_>, item: &ViewItem) -> String {
    let on_disk = item.entry.as_ref().and_then(|id| scene.entries.get(id));
    match on_disk {
        Some(entry) if item.disposition == Disposition::Sent => entry_text(entry),
        _ => message_text(sent),
    }
}

/// An entry as text: all that a model could read of it.
pub fn entry_text(entry: &Entry) -> String {
    match &entry.body {
        EntryBody::Message(message) => message_text(message),
        EntryBody::Compaction(compaction) => compaction.summary.clone(),
        EntryBody::BranchSummary { summary, .. } => summary.clone(),
        EntryBody::CustomMessage { content, .. } => parts_text(content),
        _ => String::new(),
    }
}

/// A message as text, with reasoning, calls and attachments.
fn message_text(message: &Message) -> String {
    match message {
        Message::User(user) => parts_text(&user.content),
        Message::ToolResult(result) => parts_text(&result.content),
        Message::BashExecution(run) => run.as_user_text(),
        Message::Assistant(answer) => {
            let parts = answer.content.iter().map(|part| match part {
                AssistantPart::Text(text) => text.clone(),
                AssistantPart::Thinking { text, .. } => format!("[thinking]\n{text}"),
                AssistantPart::RedactedThinking { data } if is_server_summary(data) => {
                    format!("[the server's own summary of everything before]\n{data}")
                }
                AssistantPart::RedactedThinking { .. } => "[encrypted thinking]".to_owned(),
                AssistantPart::ToolCall(call) => {
                    let arguments = call
                        .malformed
                        .clone()
                        .unwrap_or_else(|| call.arguments.to_string());
                    format!("[call {}] {arguments}", call.name)
                }
            });
            parts.collect::<Vec<_>>().join("\n")
        }
    }
}

fn parts_text(parts: &[Part]) -> String {
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Image(image) => {
            let name = image.name.as_deref().unwrap_or("unnamed");
            format!("[{} {name}]", image.mime)
        }
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
