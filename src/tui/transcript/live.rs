//! The content without an entry yet: the answer that streams, the tools that run, the summary
//! that is being written.

use std::time::Duration;

use super::ChatLog;
use super::card::{ToolCard, ToolState};
use super::cell::{Body, Cell, Note, card_mut};
use super::recovery::end_recovery;
use super::streamed::StreamedText;
use crate::agent::{AnswerDelta, ChildInfo, NoticeLevel};
use crate::transcript::Timestamp;

/// The line below an answer that the user stopped.
pub(super) const STOPPED: &str = "stopped";

impl ChatLog {
    /// More of the answer.
    pub fn stream(&mut self, delta: &AnswerDelta) {
        end_recovery(self);
        match delta {
            AnswerDelta::Text(text) => self.stream_text(text),
            AnswerDelta::Thinking(text) => self.stream_thinking(text),
            AnswerDelta::ToolCall {
                index,
                name,
                argument_bytes,
            } => self.stream_call(*index, name, *argument_bytes),
            AnswerDelta::Reset => self.end_stream(),
        }
    }

    /// The answer ended, or is void: what streamed goes, its entry takes the place.
    pub fn end_stream(&mut self) {
        self.hand_over(Vec::new());
    }

    /// A tool runs from now on.
    pub fn tool_started(&mut self, call_id: &str, name: &str, title: &str, now: Timestamp) {
        let waiting =
            self.find_card(|card| card.call_id() == call_id && card.state == ToolState::Waiting);
        if let Some(cell) = waiting {
            if let Some(card) = card_mut(cell) {
                // A call of one tool may stand for one of another.
                let title = if card.name() == name {
                    title.to_owned()
                } else {
                    format!("{name} {title}")
                };
                card.start(title, now);
            }
            cell.touch();
            return;
        }
        let card = ToolCard::of_run(call_id.to_owned(), name.to_owned(), title.to_owned(), now);
        self.cells.push(Cell::new(None, Body::Tool(Box::new(card))));
    }

    /// A running tool wrote something.
    pub fn tool_output(&mut self, call_id: &str, text: &str) {
        self.with_newest_card(call_id, |card| card.write(text));
    }

    /// The sub-agent of a call is in this state now.
    pub fn agent_changed(&mut self, info: &ChildInfo) {
        let is_news =
            |card: &ToolCard| card.call_id() == info.call_id && card.agent.as_ref() != Some(info);
        let Some(cell) = self.find_card(is_news) else {
            return;
        };
        if let Some(card) = card_mut(cell) {
            card.agent = Some(info.clone());
        }
        cell.touch();
    }

    /// A tool ended.
    pub fn tool_finished(&mut self, call_id: &str, elapsed: Duration) {
        self.with_newest_card(call_id, |card| card.end(elapsed));
    }

    /// The turn is over, at its end or because it was stopped: nothing streams or runs
    /// any more.
    pub fn turn_finished(&mut self, is_stopped: bool) {
        self.end_stream();
        self.end_compacting();
        end_recovery(self);
        let mut is_told = false;
        for cell in self.cells.iter_mut().rev() {
            if matches!(cell.body, Body::User(_)) {
                break;
            }
            is_told |= matches!(&cell.body, Body::Note(note) if note.text == STOPPED);
            if let Some(card) = card_mut(cell) {
                card.stop();
                cell.touch();
            }
        }
        if is_stopped && !is_told {
            self.push_note(Note {
                sign: "✗",
                level: NoticeLevel::Info,
                text: STOPPED.to_owned(),
                hint: None,
            });
        }
    }

    /// More of the summary that is being written; empty to begin.
    pub fn compacting(&mut self, text: &str) {
        if let Some(Cell {
            body: Body::Compacting(summary),
            ..
        }) = self.cells.last_mut()
        {
            summary.push_str(text);
        } else {
            let body = Body::Compacting(text.to_owned());
            self.cells.push(Cell::new(None, body));
        }
    }

    /// The summary is written, or will not be.
    pub fn end_compacting(&mut self) {
        self.remove(|cell| matches!(cell.body, Body::Compacting(_)));
    }

    fn with_newest_card(&mut self, call_id: &str, act: impl FnOnce(&mut ToolCard)) {
        if let Some(cell) = self.find_card(|card| card.call_id() == call_id) {
            if let Some(card) = card_mut(cell) {
                act(card);
            }
            cell.touch();
        }
    }

    fn stream_cell(&mut self, body: Body) {
        self.streaming.get_or_insert(self.cells.len());
        self.cells.push(Cell::new(None, body));
    }

    fn stream_text(&mut self, text: &str) {
        if let Some(cell) = self.newest_streaming()
            && let Body::StreamingText(stream) = &mut cell.body
        {
            stream.push(text);
            cell.touch();
            return;
        }
        let mut stream = StreamedText::default();
        stream.push(text);
        self.stream_cell(Body::StreamingText(Box::new(stream)));
    }

    fn stream_thinking(&mut self, text: &str) {
        if let Some(cell) = self.newest_streaming()
            && let Body::StreamingThinking(thinking) = &mut cell.body
        {
            thinking.push_str(text);
            cell.touch();
            return;
        }
        self.stream_cell(Body::StreamingThinking(text.to_owned()));
    }

    fn stream_call(&mut self, of: u32, tool: &str, size: usize) {
        let first = self.streaming.unwrap_or(self.cells.len());
        let known = self
            .cells
            .iter_mut()
            .skip(first)
            .find_map(|cell| match &mut cell.body {
                Body::StreamingCall { index, bytes, .. } if *index == of => Some(bytes),
                _ => None,
            });
        match known {
            Some(bytes) => *bytes = size,
            None => self.stream_cell(Body::StreamingCall {
                index: of,
                name: tool.to_owned(),
                bytes: size,
            }),
        }
    }
}
