//! What a list says of a session file, as it is kept between lists.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{LineSample, SessionSummary, lines, sample};
use crate::session::header::Header;
use crate::session::record::{RecordLine, read_line};
use crate::transcript::{EntryBody, ImportRecord, Message, Timestamp, title_from_text};

/// The first words of a session in characters: one line of a wide list.
const FIRST_WORDS_CHARS: usize = 160;
/// The marker of a line that names the session.
const NAMES: &str = "session_info";
/// The marker of a line with a message of the user.
const ASKS: &str = "\"user\"";
/// The marker of a line that says where an imported session comes from.
const COMES_FROM: &str = "\"plimsoll.import\"";

/// The row of a file. Header and origin are the lines of the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SessionRow {
    /// Empty for a file that is no session.
    header: String,
    name: Option<String>,
    first_words: Option<String>,
    title: Option<String>,
    origin: Option<String>,
    /// Milliseconds since 1970; 0 when nothing says so.
    updated: i64,
    entries: u64,
    is_exact: bool,
    bytes: u64,
}

impl SessionRow {
    /// Reads the ends of a file. `on_disk` is when it was written last, in milliseconds.
    pub(super) fn read(path: &Path, on_disk: i64) -> io::Result<Self> {
        let sample = sample(path)?;
        let mut head = lines(&sample.head);
        let Some(header) = head.next().filter(|it| Header::from_line(it).is_some()) else {
            return Ok(Self::default());
        };
        let mut row = Self {
            header: header.to_owned(),
            entries: count(&sample),
            is_exact: sample.tail.is_empty(),
            bytes: sample.bytes,
            ..Self::default()
        };
        let head: Vec<&str> = head.collect();
        for text in head.iter().copied().chain(lines(&sample.tail)) {
            row.take(text);
        }
        let newest = |text: &str| read_line(text).ok().map(|line| line.timestamp);
        let updated = if row.is_exact {
            head.iter().rev().find_map(|text| newest(text))
        } else {
            lines(&sample.tail).rev().find_map(newest)
        };
        row.updated = updated.map_or(on_disk, |it| it.0);
        Ok(row)
    }

    /// Takes from a line what a list says.
    fn take(&mut self, text: &str) {
        // Reading a line costs a hundred times as much as looking for a word in it.
        let may_name = text.contains(NAMES);
        let may_ask = self.first_words.is_none() && text.contains(ASKS);
        let may_come = text.contains(COMES_FROM);
        if !may_name && !may_ask && !may_come {
            return;
        }
        // A line that a window cuts cannot be read and says nothing.
        let Ok(line) = read_line(text) else { return };
        if let EntryBody::SessionInfo { name } = &line.body {
            self.name = Some(name.clone()).filter(|name| !name.is_empty());
        }
        if let EntryBody::Import(_) = &line.body {
            self.origin = Some(text.to_owned());
        }
        if self.first_words.is_none()
            && let Some(said) = user_text(&line)
        {
            self.first_words = one_line(&said);
            self.title = title_from_text(&said);
        }
    }

    /// The summary of the file; `None` when it is no session.
    pub(super) fn summary(self, path: &Path) -> Option<SessionSummary> {
        let header = Header::from_line(&self.header)?;
        let updated = Timestamp(self.updated);
        Some(SessionSummary {
            path: path.to_owned(),
            name: self.name,
            first_words: self.first_words,
            title: self.title,
            origin: self.origin.as_deref().and_then(origin_of),
            updated: if self.updated > 0 {
                updated
            } else {
                header.timestamp
            },
            entries: self.entries,
            is_exact: self.is_exact,
            bytes: self.bytes,
            header,
        })
    }
}

fn origin_of(line: &str) -> Option<Box<ImportRecord>> {
    match read_line(line).ok()?.body {
        EntryBody::Import(record) => Some(record),
        _ => None,
    }
}

/// Entries in the file: counted, or from the mean length of the lines that were read.
fn count(sample: &LineSample) -> u64 {
    let ends = |window: &[u8]| window.split(|byte| *byte == b'\n').skip(1).count() as u64;
    if sample.tail.is_empty() {
        return (lines(&sample.head).count() as u64).saturating_sub(1);
    }
    let read = (sample.head.len() + sample.tail.len()) as u64;
    let seen = ends(&sample.head) + ends(&sample.tail);
    (seen.saturating_mul(sample.bytes) / read.max(1)).saturating_sub(1)
}

fn user_text(line: &RecordLine) -> Option<String> {
    let EntryBody::Message(message) = &line.body else {
        return None;
    };
    let Message::User(_) = message.as_ref() else {
        return None;
    };
    Some(message.text())
}

/// How a text begins, on one line; `None` for one without words.
fn one_line(text: &str) -> Option<String> {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.len() > FIRST_WORDS_CHARS * char::MAX.len_utf8() {
            break;
        }
    }
    let short: String = words.chars().take(FIRST_WORDS_CHARS).collect();
    (!short.is_empty()).then_some(short)
}
