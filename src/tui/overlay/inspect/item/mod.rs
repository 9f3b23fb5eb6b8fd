//! One item from both sides: what is on disk and what is sent, aligned, with the part
//! that is missing marked, and the numbers and the rule that led to it.

mod frame;
mod sides;

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction, numbers};
use super::facts::ItemFacts;
use crate::agent::{AgentEvent, ContextEvent};
use crate::context::{ContextView, Disposition, LeftOut, ViewItem};
use crate::transcript::{
    AssistantPart, Entry, EntryBody, EntryId, Message, Part, is_server_summary,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::marks::{self, RulesSet};
use crate::tui::render::safe;
use crate::tui::widget::{ScrollText, TextSides, paint};
use sides::{both, compare, cuts, note, row_with};

/// From this height on the numbers and the reason are shown above the texts.
const HEAD_MIN_ROWS: u16 = 8;

/// The item of the view for the entry.
#[derive(Clone)]
enum ItemSubject {
    Sent(Arc<ViewItem>),
    LeftOut(Arc<LeftOut>),
    Entry(EntryId),
}

/// Shows one item.
pub struct ItemView {
    subject: ItemSubject,
    /// `None` until it is needed: building needs the scene.
    sheet: Option<ScrollText>,
    /// Which side a narrow screen shows.
    shows_sent: bool,
    copied: bool,
    /// Words that are in sight at first.
    wanted: Option<String>,
}

impl ItemView {
    /// An item of the request.
    pub fn sent(item: Arc<ViewItem>) -> Self {
        Self::new(ItemSubject::Sent(item))
    }

    /// Something that is not sent.
    pub fn left_out(left: Arc<LeftOut>) -> Self {
        Self::new(ItemSubject::LeftOut(left))
    }

    /// An entry of the log; how it is sent is looked up in the view.
    pub fn entry(id: EntryId) -> Self {
        Self::new(ItemSubject::Entry(id))
    }

    fn new(subject: ItemSubject) -> Self {
        Self {
            subject,
            sheet: None,
            shows_sent: false,
            copied: false,
            wanted: None,
        }
    }

    /// The item with these words in sight, where it has them.
    #[must_use]
    pub fn saying(mut self, words: &str) -> Self {
        self.wanted = Some(words.to_owned());
        self
    }

    fn id(&self) -> Option<&EntryId> {
        match &self.subject {
            ItemSubject::Sent(item) => item.entry.as_ref(),
            ItemSubject::LeftOut(left) => Some(&left.entry),
            ItemSubject::Entry(id) => Some(id),
        }
    }

    /// The entry as the newest view has it.
    fn find(&self, scene: &OverlayScene<'_>) -> Option<ItemSubject> {
        let id = self.id()?;
        let view = scene.view?;
        let item = view
            .items
            .iter()
            .find(|item| item.entry.as_ref() == Some(id));
        item.map(|item| ItemSubject::Sent(Arc::clone(item)))
            .or_else(|| {
                let left = view.left_out.iter().find(|left| left.entry == *id);
                left.map(|left| ItemSubject::LeftOut(Arc::clone(left)))
            })
    }

    fn subject(&self, scene: &OverlayScene<'_>) -> ItemSubject {
        match &self.subject {
            ItemSubject::Entry(_) => self.find(scene).unwrap_or_else(|| self.subject.clone()),
            known => known.clone(),
        }
    }

    /// The text in full: from the log, or from the settings and files that made the
    /// system prompt and the tools.
    fn disk_text(&self, scene: &OverlayScene<'_>) -> Option<String> {
        match (&self.subject, self.id()) {
            (ItemSubject::Sent(item), None) => frame::text(item.category, &scene.view?.frame),
            (_, id) => scene.entries.get(id?).map(|entry| entry_text(entry)),
        }
    }

    fn build(&self, scene: &OverlayScene<'_>) -> ScrollText {
        let disk = self.disk_text(scene);
        let rows = match self.subject(scene) {
            ItemSubject::Sent(item) => match (&disk, &item.sent) {
                (Some(disk), Some(sent)) => compare(disk, &sent_text(sent, scene, &item)),
                (Some(disk), None) => both(disk),
                (None, Some(sent)) => both(&message_text(sent)),
                (None, None) => note(disk, "Nothing is sent for this item."),
            },
            ItemSubject::LeftOut(left) => note(disk, &stand_in(&left, scene)),
            ItemSubject::Entry(_) => note(disk, "Not part of the conversation that is sent."),
        };
        let wanted = self.wanted.as_ref();
        let wanted = wanted.and_then(|words| row_with(&rows, words));
        let first = wanted.or_else(|| cuts(&rows).next());
        let mut sheet = ScrollText::new(rows);
        // The cut is what the user wants to see.
        if let Some(first) = first {
            sheet.reveal(first);
        }
        sheet
    }

    /// Numbers, reason, and the names of the sides.
    fn draw_head(
        &self,
        head: &ItemHead,
        split: bool,
        area: Rect,
        buffer: &mut Buffer,
        scene: &OverlayScene<'_>,
    ) {
        let theme = scene.theme;
        let room = usize::from(area.width.saturating_sub(2));
        for (row, text, style) in [(1, &head.story, theme.text), (2, &head.why, theme.dim)] {
            let shown = safe::one_line(text, room);
            paint::text(buffer, area, (1, row), area.width, &shown, style);
        }
        paint::rule(buffer, area, 3, theme);
        let mut label = |column: u16, text: &str, style| {
            paint::text(buffer, area, (column, 3), area.width, text, style);
        };
        if split {
            label(2, " stored ", theme.heading);
            label(
                area.width.saturating_sub(1) / 2 + 3,
                " sent ",
                theme.heading,
            );
        } else {
            let side = if self.shows_sent {
                " sent "
            } else {
                " stored "
            };
            label(2, side, theme.heading);
            label(12, "(tab: other side) ", theme.dim);
        }
    }

    /// The next place where something was cut, or the one before.
    fn jump(&mut self, forward: bool, scene: &OverlayScene<'_>) {
        let sheet = self.sheet(scene);
        let here = sheet.first_visible();
        let target = if forward {
            cuts(sheet.rows()).find(|&row| row > here)
        } else {
            cuts(sheet.rows()).filter(|&row| row < here).last()
        };
        if let Some(row) = target {
            sheet.show(row);
        }
    }

    fn sheet(&mut self, scene: &OverlayScene<'_>) -> &mut ScrollText {
        let sheet = match self.sheet.take() {
            Some(sheet) => sheet,
            None => self.build(scene),
        };
        self.sheet.insert(sheet)
    }

    fn sides(&self, width: u16) -> TextSides {
        match TextSides::for_width(width) {
            TextSides::Split => TextSides::Split,
            _ if self.shows_sent => TextSides::Right,
            _ => TextSides::Left,
        }
    }
}

impl Overlay for ItemView {
    fn name(&self) -> &'static str {
        "item"
    }

    fn screen(&self) -> Option<Screen> {
        let is_searching = self.sheet.as_ref().is_some_and(ScrollText::is_searching);
        Some(if is_searching {
            Screen::Find
        } else {
            Screen::Item
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.copied = false;
        let action = scene.keymap.screen_action(Screen::Item, key);
        if hints::scrolls_text(self.sheet(scene), action, key) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::OtherSide) => {
                self.shows_sent = !self.shows_sent;
                Reaction::Consumed
            }
            Some(ScreenAction::FindNext { forward }) => {
                self.jump(forward, scene);
                Reaction::Consumed
            }
            Some(ScreenAction::Copy) => match self.disk_text(scene) {
                Some(text) => {
                    self.copied = true;
                    Reaction::Act(vec![Effect::Copy(text)])
                }
                None => Reaction::Consumed,
            },
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, scene: &OverlayScene<'_>) -> Reaction {
        Reaction::taken(self.sheet(scene).on_paste(text))
    }

    fn on_event(&mut self, event: &AgentEvent, scene: &OverlayScene<'_>) -> Reaction {
        if !matches!(event, AgentEvent::Context(ContextEvent::View(_))) {
            return Reaction::Ignored;
        }
        if let Some(subject) = self.find(scene) {
            self.subject = subject;
            let rows = self.build(scene).rows().to_vec();
            self.sheet(scene).replace(rows);
        }
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let sides = self.sides(area.width);
        self.sheet(scene).layout(body(area, scene), sides);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let head = ItemHead::of(&self.subject(scene), scene);
        let split = self.sides(area.width) == TextSides::Split;
        let sheet = self.sheet.as_ref();
        let caret = sheet.and_then(|it| it.draw(body(area, scene), buffer, theme));
        let place = sheet.map_or_else(String::new, ScrollText::place_words);
        let remark = if self.copied {
            "copied".to_owned()
        } else {
            place
        };
        // Without room for all of it, what happened to it says more than whose it is.
        let heading = if area.height < HEAD_MIN_ROWS && !head.story.is_empty() {
            &head.story
        } else {
            &head.title
        };
        paint::title(buffer, area, heading, &remark, theme);
        if area.height >= HEAD_MIN_ROWS {
            self.draw_head(&head, split, area, buffer, scene);
        }
        if !sheet.is_some_and(ScrollText::is_searching) {
            ScreenHints::of(Screen::Item, scene)
                .only_if(!split, ScreenAction::OtherSide)
                .draw(area, buffer);
        }
        caret
    }
}

/// Where the texts are.
fn body(area: Rect, scene: &OverlayScene<'_>) -> Rect {
    let top = if area.height >= HEAD_MIN_ROWS { 4 } else { 1 };
    hints::above(area, top, Screen::Item, scene)
}

/// The lines above an item's texts.
#[derive(Default)]
struct ItemHead {
    title: String,
    /// Its disposition, in numbers.
    story: String,
    /// The reason; may be empty.
    why: String,
}

impl ItemHead {
    fn of(subject: &ItemSubject, scene: &OverlayScene<'_>) -> Self {
        let (facts, rule) = match subject {
            ItemSubject::Sent(item) => {
                let ruler = scene.view.map(|view| view.ruler.clone());
                let facts = ItemFacts::of_item(item, &ruler.unwrap_or_default());
                (facts, rule(item))
            }
            ItemSubject::LeftOut(left) => (ItemFacts::of_left(left, scene.entries), String::new()),
            ItemSubject::Entry(id) => {
                return Self {
                    title: format!("entry {id}"),
                    ..Self::default()
                };
            }
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
        let rules = rules_set(facts.entry, scene.view);
        let pinned = if facts.pinned {
            format!(" · {} pinned", marks::PINNED)
        } else {
            String::new()
        };
        let story = if facts.disposition == Disposition::Sent {
            format!(
                "{mark}{pinned} · {} tokens, in full{rules}",
                numbers::grouped(facts.tokens)
            )
        } else {
            format!(
                "{mark}{pinned} · before {} → after {} tokens ({}){rule}{rules}",
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
        Self { title, story, why }
    }
}

/// The standing rules that a message sets, as a clause.
fn rules_set(entry: Option<&EntryId>, view: Option<&Arc<ContextView>>) -> String {
    let set = entry
        .zip(view)
        .map(|(entry, view)| RulesSet::by(entry, view));
    let words = set.map(RulesSet::in_words).unwrap_or_default();
    if words.is_empty() {
        words
    } else {
        format!(" · {words}")
    }
}

fn rule(item: &ViewItem) -> String {
    let by = item.cut_by.as_ref();
    by.map_or_else(String::new, |by| {
        format!(" · rule {}/{}", by.policy, by.phase)
    })
}

/// The text in the request in place of something that is left out.
fn stand_in(left: &LeftOut, scene: &OverlayScene<'_>) -> String {
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
    format!("Not sent. Replaced by the summary of compaction {id}{number}:\n\n{summary}")
}

/// The sent text, shown like the disk side. A message that is sent as it is shares its text
/// with the log, so both sides are equal by construction.
fn sent_text(sent: &Message, scene: &OverlayScene<'_>, item: &ViewItem) -> String {
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
