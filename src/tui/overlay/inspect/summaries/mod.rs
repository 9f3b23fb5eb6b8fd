//! Every compaction of the session with its numbers, the newest first: read one, compare
//! two, undo the newest. Nothing is kept here but the cursor and the marks; what counts
//! is read from the log and the view.

mod difference;
mod draw;

use std::collections::HashMap;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::hints;
use super::super::{Overlay, OverlayScene, Reaction, numbers};
use super::findings::AuditFindings;
use super::text::TextView;
use crate::agent::{AgentEvent, ContextOp, Op, Query, QueryReply, SessionEvent};
use crate::transcript::{
    Compaction, CompactionStanding, Decision, Entry, EntryBody, EntryId, Timestamp,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::review::ALIASES_TITLE;
use crate::tui::widget::ListCursor;
use difference::SummaryDifference;

/// At most this many summaries are compared.
const MARKED_MAX: usize = 2;

/// A compaction of the log.
#[derive(Clone, Debug)]
struct SummaryRecord {
    /// From 1, oldest first.
    number: usize,
    entry: EntryId,
    timestamp: Timestamp,
    compaction: Compaction,
    state: CompactionStanding,
}

/// The list of compactions.
pub struct Summaries {
    /// Newest first.
    records: Vec<SummaryRecord>,
    cursor: ListCursor,
    /// In the order they were marked.
    marked: Vec<EntryId>,
    /// What each left within reach, in a phrase; `None` while that is being measured.
    kept: Option<HashMap<EntryId, String>>,
}

impl Summaries {
    /// The compactions of a scene; `None` when there is none.
    pub fn of(scene: &OverlayScene<'_>) -> Option<Self> {
        let records = records(scene);
        (!records.is_empty()).then(|| Self {
            records,
            cursor: ListCursor::default(),
            marked: Vec::new(),
            kept: None,
        })
    }

    /// Each compaction in a line, the newest first; then the summary that counts, whole.
    pub fn in_words(&self) -> Vec<String> {
        let line = |record: &SummaryRecord| {
            let compaction = &record.compaction;
            let details = &compaction.details;
            let label = details.author_label().map(|label| format!(", {label}"));
            format!(
                "compaction {} ({}), {}: {} to {} tokens, {} summarised{}; audit: {}",
                record.number,
                record.entry,
                record.state.words(),
                crate::tui::numbers::tokens(compaction.tokens_before),
                crate::tui::numbers::tokens(details.tokens_after),
                crate::tui::numbers::plural(details.summarized_messages, "message"),
                label.unwrap_or_default(),
                details.check.in_words(),
            )
        };
        let mut lines: Vec<String> = self.records.iter().map(line).collect();
        let is_sent = |record: &&SummaryRecord| record.state == CompactionStanding::InForce;
        if let Some(record) = self.records.iter().find(is_sent) {
            let summary = with_aliases(&record.compaction);
            lines.push(format!("summary {}:", record.number));
            lines.extend(summary.lines().map(str::to_owned));
        }
        lines
    }

    fn selected(&self) -> Option<&SummaryRecord> {
        self.records.get(self.cursor.selected())
    }

    /// What a compaction left within reach.
    fn kept(&self, record: &SummaryRecord) -> &str {
        let Some(kept) = &self.kept else {
            return "measuring …";
        };
        kept.get(&record.entry)
            .map_or("not measured", String::as_str)
    }

    fn is_marked(&self, record: &SummaryRecord) -> bool {
        self.marked.contains(&record.entry)
    }

    /// Marks the selected one, or takes its mark away; a third mark ends the first.
    fn mark(&mut self) {
        let Some(entry) = self.selected().map(|record| record.entry.clone()) else {
            return;
        };
        if let Some(at) = self.marked.iter().position(|marked| *marked == entry) {
            self.marked.remove(at);
            return;
        }
        self.marked.push(entry);
        if self.marked.len() > MARKED_MAX {
            self.marked.remove(0);
        }
    }

    /// The summaries that `d` compares, older first: both marked ones; else the selected one
    /// with the marked one, or with the one before it.
    fn pair(&self) -> Option<(&SummaryRecord, &SummaryRecord)> {
        let at = self.cursor.selected();
        let selected = self.records.get(at)?;
        let mut marked = self.records.iter().filter(|record| self.is_marked(record));
        let pair = match (marked.next(), marked.next()) {
            (Some(newer), Some(older)) => [newer, older],
            (Some(marked), None) if marked.entry != selected.entry => [selected, marked],
            _ => [selected, self.records.get(at + 1)?],
        };
        let [a, b] = pair;
        Some(if a.number < b.number { (a, b) } else { (b, a) })
    }

    fn act(&mut self, action: ScreenAction, scene: &OverlayScene<'_>) -> Reaction {
        match action {
            ScreenAction::Back => Reaction::Close(Vec::new()),
            ScreenAction::Open => self.open(scene),
            ScreenAction::Mark => {
                self.mark();
                Reaction::Consumed
            }
            ScreenAction::Compare => match self.pair() {
                Some((older, newer)) => {
                    Reaction::Open(Box::new(SummaryDifference::new(older, newer)))
                }
                None => Reaction::Consumed,
            },
            // Without an active one there is nothing to undo.
            ScreenAction::Undo
                if self
                    .records
                    .iter()
                    .any(|r| r.state == CompactionStanding::InForce) =>
            {
                Reaction::Act(vec![Effect::Send(Op::Context(ContextOp::Uncompact))])
            }
            ScreenAction::Review => match self.selected() {
                Some(record) => {
                    let op = Op::query(Query::Compaction(record.entry.clone()));
                    Reaction::Act(vec![Effect::Send(op)])
                }
                None => Reaction::Consumed,
            },
            ScreenAction::Audit => self.findings(),
            ScreenAction::Copy => match self.selected() {
                Some(record) => {
                    Reaction::Act(vec![Effect::Copy(record.compaction.summary.clone())])
                }
                None => Reaction::Consumed,
            },
            _ => Reaction::Ignored,
        }
    }

    /// What the audit of the selected one found.
    fn findings(&self) -> Reaction {
        let Some(record) = self.selected() else {
            return Reaction::Consumed;
        };
        let check = &record.compaction.details.check;
        let title = format!("summary #{} · audit", record.number);
        let findings = AuditFindings::new(title, check, check.details(), None);
        Reaction::Open(Box::new(findings))
    }

    fn open(&self, scene: &OverlayScene<'_>) -> Reaction {
        let Some(record) = self.selected() else {
            return Reaction::Consumed;
        };
        let title = format!(
            "summary #{} · {} · {} · {}",
            record.number,
            record.compaction.details.cause.trigger.name(),
            numbers::ago(scene.now.secs_since(record.timestamp)),
            record.state.words()
        );
        let text = with_aliases(&record.compaction);
        Reaction::Open(Box::new(TextView::new(title, text)))
    }
}

/// The summary, and what its aliases stand for.
fn with_aliases(compaction: &Compaction) -> String {
    let mut text = compaction.summary.clone();
    if !compaction.details.aliases.is_empty() {
        text.push_str("\n\n");
        text.push_str(ALIASES_TITLE);
        for (alias, name) in &compaction.details.aliases {
            for piece in ["\n", alias, " = ", name] {
                text.push_str(piece);
            }
        }
    }
    text
}

/// All compactions of the log, newest first.
fn records(scene: &OverlayScene<'_>) -> Vec<SummaryRecord> {
    let mut entries: Vec<&Entry> = scene.entries.values().map(AsRef::as_ref).collect();
    // Ids tell entries of one millisecond apart; a map has no order of its own.
    entries.sort_by(|a, b| (a.timestamp, &a.id).cmp(&(b.timestamp, &b.id)));
    let found = CompactionStanding::of_all(&entries, |id| !scene.aside.contains(id));
    let records = found.into_iter().enumerate();
    let mut records: Vec<SummaryRecord> = records
        .map(|(at, (entry, compaction, state))| SummaryRecord {
            number: at + 1,
            entry: entry.id.clone(),
            timestamp: entry.timestamp,
            compaction: compaction.clone(),
            state,
        })
        .collect();
    records.reverse();
    records
}

impl Overlay for Summaries {
    fn name(&self) -> &'static str {
        "summaries"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Summaries)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Summaries, key);
        if hints::scrolls_list(&mut self.cursor, action, self.records.len()) {
            return Reaction::Consumed;
        }
        action.map_or(Reaction::Ignored, |action| self.act(action, scene))
    }

    fn on_event(&mut self, event: &AgentEvent, scene: &OverlayScene<'_>) -> Reaction {
        let event = match event {
            AgentEvent::Session(event) => event,
            AgentEvent::Reply {
                reply: QueryReply::Fidelity(scores),
                ..
            } => {
                let phrases = scores
                    .iter()
                    .map(|(entry, score)| (entry.clone(), score.phrase()));
                self.kept = Some(phrases.collect());
                return Reaction::Consumed;
            }
            AgentEvent::Reply { .. }
            | AgentEvent::Stream(_)
            | AgentEvent::Turn(_)
            | AgentEvent::Context(_)
            | AgentEvent::Compaction(_)
            | AgentEvent::Child(_)
            | AgentEvent::Notice(_) => return Reaction::Ignored,
        };
        let is_ours = match event {
            SessionEvent::Entry(entry) => matches!(
                entry.body,
                EntryBody::Compaction(_) | EntryBody::Decision(Decision::Undo { .. })
            ),
            SessionEvent::BranchMoved(_) => true,
            SessionEvent::Opened(_) => return Reaction::Close(Vec::new()),
            SessionEvent::ModelSwitched { .. }
            | SessionEvent::Reasoning(_)
            | SessionEvent::Engine(_)
            | SessionEvent::PlanMode(_)
            | SessionEvent::Saved(_)
            | SessionEvent::Approvals(_)
            | SessionEvent::ServersOffer(_)
            | SessionEvent::ModelsListed(_)
            | SessionEvent::Ended(_) => false,
        };
        if !is_ours {
            return Reaction::Ignored;
        }
        self.records = records(scene);
        self.cursor
            .select(self.cursor.selected(), self.records.len());
        Reaction::Act(vec![Effect::Send(Op::query(Query::Fidelity))])
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let height = draw::body(area, scene).height;
        self.cursor.layout(height, self.records.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::summaries(self, area, buffer, scene);
        None
    }
}

#[cfg(test)]
mod tests;
