//! The search over a transcript, on all of its branches. Who asks says which entries may be
//! found.

use crate::context::redact::KnownSecrets;
use crate::transcript::{Entry, EntryId, Timestamp, Transcript};

use super::index::{IndexHit, TextIndex};
use super::page::line_at;
use super::query::WeighedQuery;
use super::spoken::{SpeakerKind, spoken_text};

/// Longest query that is read, in characters.
const MAX_QUERY_CHARS: usize = 2_000;
/// Bytes of a snippet at most,
const SNIPPET_BYTES: usize = 320;
/// and of it what comes before the first word of the query.
const LEAD_BYTES: usize = 60;

/// An index that grows with a transcript.
#[derive(Debug, Default)]
pub struct RecallIndex {
    index: TextIndex,
    /// Entries that were read, in file order.
    entries: usize,
    secrets: KnownSecrets,
}

/// A place where a query was found.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallHit {
    /// The entry.
    pub entry: EntryId,
    /// When it was written.
    pub timestamp: Timestamp,
    /// Who said it.
    pub speaker: SpeakerKind,
    /// The tool of a result.
    pub tool: Option<String>,
    /// Line of the entry's text where the snippet begins, from 1.
    pub line: usize,
    /// The text around the words of the query, on one line, without secrets.
    pub snippet: String,
    /// It has every telling word of the query.
    pub has_all: bool,
}

impl RecallIndex {
    /// Reads the entries that were appended since the last time. Another transcript needs
    /// another index.
    pub fn sync(&mut self, transcript: &Transcript) {
        let new = transcript.entries().iter().enumerate().skip(self.entries);
        for (number, entry) in new {
            if let Some(spoken) = spoken_text(entry) {
                self.secrets.learn(&spoken.text);
                self.index.add(number as u32, &spoken.text);
            }
        }
        self.entries = transcript.len();
    }

    /// Entries that were read.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Bytes that the index takes.
    pub fn heap_bytes(&self) -> usize {
        self.index.heap_bytes()
    }

    /// A text of the transcript without the secrets that anything in it gave away.
    pub fn without_secrets(&self, text: &str) -> String {
        self.secrets.redact(text).into_owned()
    }

    /// Whether a word of the query was never said here.
    pub fn lacks_word(&self, query: &str) -> bool {
        self.index.lacks_word(query)
    }

    /// The best places of the query among the entries that are admitted, best first.
    pub fn search(
        &self,
        transcript: &Transcript,
        query: &str,
        limit: usize,
        admits: &dyn Fn(&Entry) -> bool,
    ) -> Vec<RecallHit> {
        let end = query.char_indices().nth(MAX_QUERY_CHARS);
        let query = end.map_or(query, |(at, _)| query.get(..at).unwrap_or(query));
        let entry = |number: u32| transcript.entries().get(number as usize);
        let text = |number: u32| {
            let spoken = entry(number).and_then(|entry| spoken_text(entry));
            spoken.map(|spoken| spoken.text).unwrap_or_default()
        };
        let weighed = self.index.weigh(query);
        let is_admitted = |number: u32| entry(number).is_some_and(|entry| admits(entry));
        let found = self.index.search(&weighed, limit, &is_admitted, &text);
        let hits = found.into_iter().filter_map(|hit| {
            let entry = entry(hit.text)?;
            self.hit(entry, hit, &weighed)
        });
        hits.collect()
    }

    fn hit(&self, entry: &Entry, hit: IndexHit, query: &WeighedQuery) -> Option<RecallHit> {
        let spoken = spoken_text(entry)?;
        let chunk = spoken.text.get(hit.from..hit.to)?;
        let at = hit.from + query.best_window(chunk, SNIPPET_BYTES - LEAD_BYTES);
        let (from, to) = snippet_bounds(&spoken.text, at);
        Some(RecallHit {
            entry: entry.id.clone(),
            timestamp: entry.timestamp,
            speaker: spoken.speaker,
            tool: spoken.tool,
            line: line_at(&spoken.text, at),
            snippet: self.snippet(&spoken.text, from, to),
            has_all: hit.has_all,
        })
    }

    /// A part of a text on one line. Secrets are looked for in all of it: a part does not show
    /// what makes them one.
    fn snippet(&self, text: &str, from: usize, to: usize) -> String {
        let mut clean = String::new();
        let mut at = from;
        for secret in self.secrets.ranges(text) {
            if secret.end <= at || secret.start >= to {
                continue;
            }
            clean.push_str(text.get(at..secret.start).unwrap_or_default());
            clean.push_str(crate::context::redact::PLACEHOLDER);
            at = secret.end;
        }
        clean.push_str(text.get(at..to).unwrap_or_default());
        let words: Vec<&str> = clean.split_whitespace().collect();
        let front = if from > 0 { "… " } else { "" };
        let back = if to < text.len() { " …" } else { "" };
        format!("{front}{}{back}", words.join(" "))
    }
}

/// The bytes around a place: from between two words to between two words where it can be.
fn snippet_bounds(text: &str, at: usize) -> (usize, usize) {
    let earliest = text.floor_char_boundary(at.saturating_sub(LEAD_BYTES));
    let lead = text.get(earliest..at).unwrap_or_default();
    let from = match lead.find(char::is_whitespace) {
        _ if earliest == 0 => 0,
        Some(space) => earliest + space,
        None => at,
    };
    let latest = text.floor_char_boundary((from + SNIPPET_BYTES).min(text.len()));
    let rest = text.get(at..latest).unwrap_or_default();
    let to = match rest.rfind(char::is_whitespace) {
        _ if latest == text.len() => latest,
        Some(space) if space > 0 => at + space,
        _ => latest,
    };
    (from, to)
}
