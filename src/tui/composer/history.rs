//! Messages sent before, newest last, walked with the arrow keys.

use super::Buffer;

/// Lines that are kept.
const MAX_LINES: usize = 1_000;

/// Sent texts and where the reader is among them.
#[derive(Debug, Default)]
pub struct History {
    lines: Vec<String>,
    at: Option<usize>,
    draft: Option<Buffer>,
}

/// The result of a step towards the present.
#[derive(Debug)]
pub enum NewerText {
    /// A text that was sent.
    Sent(String),
    /// The draft from before the walk began.
    Draft(Buffer),
}

impl History {
    /// From lines, oldest first.
    pub fn new(mut lines: Vec<String>) -> Self {
        let excess = lines.len().saturating_sub(MAX_LINES);
        lines.drain(..excess);
        Self {
            lines,
            ..Self::default()
        }
    }

    /// The sent messages, oldest first.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Adds a line unless it is empty or the newest already. Ends the walk.
    pub fn push(&mut self, line: &str) {
        self.leave();
        if line.trim().is_empty() || self.lines.last().is_some_and(|last| last == line) {
            return;
        }
        if self.lines.len() == MAX_LINES {
            self.lines.remove(0);
        }
        self.lines.push(line.to_owned());
    }

    /// Ends the walk: what is in the composer is a text of its own from here on.
    pub fn leave(&mut self) {
        self.at = None;
        self.draft = None;
    }

    /// Whether the composer shows a line of the history.
    pub fn is_walking(&self) -> bool {
        self.at.is_some()
    }

    /// One step into the past.
    pub fn older(&mut self, present: &Buffer) -> Option<String> {
        let at = self.at.unwrap_or(self.lines.len()).checked_sub(1)?;
        if self.at.is_none() {
            self.draft = Some(present.clone());
        }
        self.at = Some(at);
        self.lines.get(at).cloned()
    }

    /// One step towards the present.
    pub fn newer(&mut self) -> Option<NewerText> {
        let at = self.at? + 1;
        if let Some(line) = self.lines.get(at) {
            self.at = Some(at);
            return Some(NewerText::Sent(line.clone()));
        }
        self.at = None;
        Some(NewerText::Draft(self.draft.take().unwrap_or_default()))
    }
}
