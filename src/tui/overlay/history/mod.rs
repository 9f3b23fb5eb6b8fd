//! The messages of a session as places to go to: the timeline shows one branch, the tree
//! all of them. What can be done at a place is the same in both, and decided here.
//!
//! Invariant: nothing here changes the log; each act is one op, or text for the composer.

mod acts;
mod draw;
pub mod rewind;
mod rows;
mod timeline;
mod tree;
pub mod undo;

pub use timeline::Timeline;
pub use tree::Tree;

use std::sync::Arc;

use super::{OverlayExit, Reaction};
use crate::agent::{Op, Query, SessionOp};
use crate::transcript::{Entry, EntryBody, EntryId, Message, Transcript};
use crate::tui::effect::Effect;
use acts::TimelineAct;

/// Characters of a message that are read for one row.
const WORDS_CHARS: usize = 400;

/// One message with what belongs to it: an answer with the results of its calls.
#[derive(Clone, Debug)]
struct HistoryPlace {
    entry: Arc<Entry>,
    /// The last entry that belongs to it.
    last: EntryId,
    /// Names that it was given.
    label: Option<String>,
    /// The act of the person that it is, where that can be undone.
    act: Option<TimelineAct>,
}

impl HistoryPlace {
    /// Whether it is an act and nothing that was said.
    fn is_act_alone(&self) -> bool {
        self.act.is_some() && !has_place(&self.entry)
    }

    /// Whether the user wrote it: then one goes back to before it, and can write it again.
    fn is_ask(&self) -> bool {
        self.entry.is_typed_by_user()
    }

    /// Where the conversation ends after a rewind to here: after an answer with its
    /// results, before a message of the user. `None` is before everything.
    fn end(&self) -> Option<EntryId> {
        if self.is_ask() {
            self.entry.parent.clone()
        } else {
            Some(self.last.clone())
        }
    }

    /// Goes back to here.
    fn go_back(&self) -> Reaction {
        Reaction::Close(vec![Effect::Send(Op::Session(SessionOp::GoTo(self.end())))])
    }

    /// The preview of going back to here in files.
    fn rewind(&self) -> Reaction {
        let plan = Op::query(Query::RewindPlan {
            to: self.end(),
            ask: self.is_ask().then(|| self.entry.id.clone()),
        });
        Reaction::Act(vec![Effect::Send(plan)])
    }

    /// A session of its own that ends here. What was asked next is in the composer.
    fn fork(&self) -> Option<Reaction> {
        let fork = Effect::Send(Op::Session(SessionOp::Fork(Some(self.end()?))));
        Some(match self.write(None) {
            Some(way) => Reaction::Leave(way, vec![fork]),
            None => Reaction::Close(vec![fork]),
        })
    }

    /// The message in the composer, to be sent in its own place.
    fn edit(&self) -> Option<Reaction> {
        let way = self.write(Some(self.entry.id.clone()))?;
        Some(Reaction::Leave(way, Vec::new()))
    }

    fn write(&self, replaces: Option<EntryId>) -> Option<OverlayExit> {
        let message = self.entry.message().filter(|_| self.is_ask())?;
        Some(OverlayExit::Write {
            text: message.text(),
            images: message.images().cloned().collect(),
            replaces,
        })
    }

    /// The sign of its kind, one column.
    fn sign(&self) -> &'static str {
        match &self.entry.body {
            EntryBody::Message(message) => match message.as_ref() {
                Message::User(_) => "▌",
                Message::BashExecution(_) => "!",
                Message::Assistant(_) | Message::ToolResult(_) => "●",
            },
            EntryBody::Compaction(_) => "◆",
            _ if self.act.is_some() => "↶",
            _ => "·",
        }
    }

    /// All that it says. Foreign text.
    fn text(&self) -> String {
        match &self.entry.body {
            EntryBody::Message(message) => match message.as_ref() {
                Message::BashExecution(run) => format!("{}\n{}", run.command, run.output),
                Message::Assistant(answer) => {
                    let mut text = answer.text();
                    for call in answer.tool_calls() {
                        if !text.is_empty() {
                            text.push('\n');
                        }
                        let title = crate::tui::transcript::call_title(&call.arguments);
                        text.push_str(format!("{} {title}", call.name).trim_end());
                    }
                    text
                }
                message => message.text(),
            },
            EntryBody::Compaction(compaction) => compaction.summary.clone(),
            EntryBody::BranchSummary { summary, .. } => summary.clone(),
            EntryBody::CustomMessage { content, .. } => {
                Message::User(crate::transcript::UserMessage {
                    content: content.clone(),
                })
                .text()
            }
            _ => self
                .act
                .as_ref()
                .map_or_else(String::new, |act| act.words.clone()),
        }
    }

    /// How it begins.
    fn words(&self) -> String {
        let text = self.text();
        let words: String = text.trim_start().chars().take(WORDS_CHARS).collect();
        match &self.entry.body {
            EntryBody::Compaction(_) => {
                let act = self.act.as_ref().map(|act| act.words.as_str());
                format!("{}: {words}", act.unwrap_or("compaction"))
            }
            _ => words,
        }
    }
}

/// Whether an entry has a row of its own: it says something, and is not a tool result.
fn has_place(entry: &Entry) -> bool {
    match &entry.body {
        EntryBody::Message(message) => !matches!(message.as_ref(), Message::ToolResult(_)),
        EntryBody::CustomMessage { display, .. } => *display,
        body => body.speaks_to_model(),
    }
}

fn is_result(entry: &Entry) -> bool {
    matches!(
        entry.message().map(AsRef::as_ref),
        Some(Message::ToolResult(_))
    )
}

/// A transcript to show when an entry has come: entries are published one by one.
fn with_entry(transcript: &Arc<Transcript>, entry: &Arc<Entry>) -> Option<Arc<Transcript>> {
    let mut grown = Transcript::clone(transcript);
    grown.push(Arc::clone(entry)).ok()?;
    Some(Arc::new(grown))
}

#[cfg(test)]
mod tests;
