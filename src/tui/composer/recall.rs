//! Looking for a sent message by a part of it, from the newest back. What was being written
//! comes back when nothing is taken.

use super::{Buffer, Composer};
use crate::tui::widget::Needle;

/// A search through what was sent.
#[derive(Debug)]
pub struct Recall {
    query: String,
    /// The line that is shown, when one holds the query.
    at: Option<usize>,
    before: Buffer,
}

impl Recall {
    /// The searched text.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Whether a message holds it.
    pub fn is_found(&self) -> bool {
        self.at.is_some() || self.query.is_empty()
    }
}

impl Composer {
    /// The search that goes on.
    pub fn recall(&self) -> Option<&Recall> {
        self.recall.as_ref()
    }

    /// Begins to look for a sent message.
    pub fn begin_recall(&mut self) {
        self.history.leave();
        self.recall = Some(Recall {
            query: String::new(),
            at: None,
            before: self.buffer.clone(),
        });
    }

    /// One character more: the message that is shown stays when it still fits.
    pub fn extend_recall(&mut self, c: char) {
        let Some(recall) = &mut self.recall else {
            return;
        };
        recall.query.push(c);
        let from = recall.at.map_or(usize::MAX, |at| at + 1);
        self.show_older(from);
    }

    /// One character less: the newest message that fits.
    pub fn shorten_recall(&mut self) {
        if let Some(recall) = &mut self.recall {
            recall.query.pop();
            self.show_older(usize::MAX);
        }
    }

    /// The next older (or newer) message that holds the query.
    pub fn step_recall(&mut self, older: bool) {
        let Some(recall) = self.recall.as_ref().filter(|it| !it.query.is_empty()) else {
            return;
        };
        let Some(at) = recall.at else { return };
        let shown = self.buffer.text();
        let needle = Needle::new(&recall.query);
        let fits = |line: &str| line != shown && needle.is_in(line);
        let lines = self.history.lines();
        let found = if older {
            lines[..at].iter().rposition(|line| fits(line))
        } else {
            let found = lines[at + 1..].iter().position(|line| fits(line));
            found.map(|found| at + 1 + found)
        };
        if found.is_some() {
            self.show(found);
        }
    }

    /// Ends the search with the message that is shown, to be edited.
    pub fn take_recall(&mut self) {
        self.recall = None;
    }

    /// Ends the search; what was being written is back.
    pub fn drop_recall(&mut self) {
        if let Some(recall) = self.recall.take() {
            self.buffer = recall.before;
        }
    }

    /// Shows the newest fitting message before `from`.
    fn show_older(&mut self, from: usize) {
        let Some(recall) = &self.recall else { return };
        let lines = self.history.lines();
        let lines = lines.get(..from).unwrap_or(lines);
        let needle = Needle::new(&recall.query);
        let found = lines.iter().rposition(|line| needle.is_in(line));
        self.show(found);
    }

    fn show(&mut self, at: Option<usize>) {
        let Some(recall) = &mut self.recall else {
            return;
        };
        recall.at = at;
        match at.and_then(|at| self.history.lines().get(at)) {
            Some(line) => self.buffer.replace(line),
            None => self.buffer = recall.before.clone(),
        }
    }
}
