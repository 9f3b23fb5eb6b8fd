//! One walk over the messages that collects their identifiers with their uses.

use std::collections::{HashMap, HashSet};

use crate::context::appendix::{self, FileUse};
use crate::context::redact;
use crate::context::summary::SourceMessage;
use crate::context::summary::document::SummaryDocument;
use crate::transcript::{AssistantMessage, EntryId, IdentifierDemand, Message, ToolResult};

use super::REMOVED;
use super::classify::{IdentifierKind, classify, without_line};
use super::failures::error_lines;
use super::frames::own_lines;
use super::identifier::{Identifier, IdentifierUse};
use super::sightings::each_sighting;
use super::symbols;
use super::texts::{each_short_string, whole_head};
use super::whole_line::{is_around_secret, line_around};

/// The newest results are read as a whole, up to this many characters each; of the others
/// the lines that tell of a failure.
const RESULTS_READ: usize = 120;
const RESULT_CHARS: usize = 4_000;
/// A message up to this long was typed; of a longer one what reads like prose.
const TYPED_CHARS: usize = 800;
/// Of a message longer than this only the beginning and the end can have been typed.
const PASTED_FROM_CHARS: usize = 6_000;
/// Spellings of one file that are remembered.
const MAX_SPELLINGS: usize = 8;

/// One way to write an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    pub text: String,
    pub is_typed: bool,
    /// A call had it as an argument: whoever writes it so reaches the file.
    pub is_argument: bool,
}

/// One identifier while messages are read.
#[derive(Clone, Debug)]
pub(super) struct FoundIdentifier {
    pub identifier: Identifier,
    /// How it was written, the first way first.
    pub spellings: Vec<Spelling>,
    /// Positions of the first and the newest message that names it; 0 for earlier summaries.
    pub first: usize,
    pub newest: usize,
    /// Its rank among what an earlier summary had to carry.
    pub carried: Option<usize>,
}

/// Where a text was said.
#[derive(Clone, Copy)]
struct SaidAt<'a> {
    origin: IdentifierUse,
    /// Position of the message, from 1; 0 for earlier summaries.
    at: usize,
    entry: Option<&'a EntryId>,
    /// The file that the text is about.
    file: Option<&'a str>,
    is_code: bool,
}

/// Collects identifiers message by message, oldest first.
pub(super) struct IdentifierCollector<'a> {
    secrets: &'a redact::KnownSecrets,
    pub found: Vec<FoundIdentifier>,
    index: HashMap<String, usize>,
}

impl<'a> IdentifierCollector<'a> {
    pub(super) fn new(secrets: &'a redact::KnownSecrets) -> Self {
        Self {
            secrets,
            found: Vec::new(),
            index: HashMap::new(),
        }
    }

    /// What earlier summaries had to carry, the weightiest first.
    pub(super) fn carry(&mut self, demands: &[IdentifierDemand]) {
        for (rank, demand) in demands.iter().enumerate() {
            let text = demand.text.as_str();
            if text.is_empty() || !redact::find(text).is_empty() || self.secrets.is_in(text) {
                continue;
            }
            let kind = classify(text)
                .or_else(|| symbols::kind_by_shape(text))
                .unwrap_or(IdentifierKind::Symbol);
            let origin = if demand.is_typed {
                IdentifierUse::Typed
            } else {
                IdentifierUse::NamedAgain
            };
            let said = SaidAt {
                origin,
                at: 0,
                entry: None,
                file: None,
                is_code: false,
            };
            let known = self.add(text, kind, text, said);
            if let Some(found) = self.found.get_mut(known) {
                found.identifier.uses = demand.uses.max(1);
                found.identifier.line = String::new();
                found.carried = Some(rank);
            }
        }
    }

    /// The previous summary, whoever wrote it.
    pub(super) fn read_summary(&mut self, summary: &str) {
        self.read_prose(
            summary,
            SaidAt {
                origin: IdentifierUse::Named,
                at: 0,
                entry: None,
                file: None,
                is_code: false,
            },
        );
    }

    pub(super) fn read_messages(&mut self, messages: &[SourceMessage]) {
        let results = messages
            .iter()
            .filter(|it| matches!(*it.message, Message::ToolResult(_)))
            .count();
        let mut older_results = results.saturating_sub(RESULTS_READ);
        let failed: HashSet<&str> = messages.iter().filter_map(failed_call).collect();
        let mut files: HashMap<&str, String> = HashMap::new();
        for (index, source) in messages.iter().enumerate() {
            let said = SaidAt {
                origin: IdentifierUse::Named,
                at: index + 1,
                entry: Some(&source.entry),
                file: None,
                is_code: false,
            };
            match source.message.as_ref() {
                Message::User(_) => self.read_user(&source.message.text(), said),
                Message::BashExecution(run) => {
                    let typed = SaidAt {
                        origin: IdentifierUse::Typed,
                        is_code: true,
                        ..said
                    };
                    self.read(&run.command, typed);
                    self.read_failure(&run.output, run.exit_code != Some(0), said);
                }
                Message::Assistant(assistant) => {
                    self.read_prose(&assistant.text(), said);
                    self.read_calls(assistant, said, &failed, &mut files);
                }
                Message::ToolResult(result) => {
                    let is_read = older_results == 0;
                    older_results = older_results.saturating_sub(1);
                    let file = files.get(result.call_id.as_str()).map(String::as_str);
                    self.read_result(result, is_read, SaidAt { file, ..said });
                }
            }
        }
    }

    /// What a person typed counts most; what they pasted counts like a result.
    fn read_user(&mut self, text: &str, said: SaidAt<'_>) {
        let length = text.len();
        let is_short = length <= TYPED_CHARS;
        let clean = self.without_secrets(text);
        let base = clean.as_ptr() as usize;
        for (line, in_code) in SummaryDocument::lines_with_code(&clean) {
            let at = (line.as_ptr() as usize).saturating_sub(base);
            let is_middle = length > PASTED_FROM_CHARS
                && at > PASTED_FROM_CHARS / 2
                && at + PASTED_FROM_CHARS / 2 < length;
            let is_typed = !is_middle && (is_short || !in_code && reads_like_prose(line));
            let origin = if is_typed {
                IdentifierUse::Typed
            } else {
                IdentifierUse::Seen
            };
            let is_code = in_code || !is_typed;
            self.read_line(
                line,
                SaidAt {
                    origin,
                    is_code,
                    ..said
                },
            );
        }
    }

    fn read_calls<'m>(
        &mut self,
        assistant: &'m AssistantMessage,
        said: SaidAt<'_>,
        failed: &HashSet<&str>,
        files: &mut HashMap<&'m str, String>,
    ) {
        for call in assistant.tool_calls() {
            let touched = appendix::files_of(call);
            let changes = touched
                .iter()
                .any(|(file_use, _)| *file_use == FileUse::Modify);
            let file = match touched.as_slice() {
                [(_, path), ..] if touched.iter().all(|(_, other)| other == path) => Some(*path),
                _ => None,
            };
            if let Some(file) = file {
                files.insert(call.id.as_str(), file_key(file).to_owned());
            }
            let origin = if changes && !failed.contains(call.id.as_str()) {
                IdentifierUse::Changed
            } else {
                IdentifierUse::Named
            };
            let said = SaidAt {
                origin,
                file: file.map(file_key),
                is_code: true,
                ..said
            };
            each_short_string(&call.arguments, &mut |name, text| {
                self.read_argument(name, text, said);
            });
            for (_, path) in touched {
                self.note_argument(path);
            }
        }
    }

    /// The name of an argument tells what is secret and what is a port; it is no identifier.
    fn read_argument(&mut self, name: &str, text: &str, said: SaidAt<'_>) {
        let named = format!("{name}={text}");
        let clean = self.without_secrets(&named);
        let mut skipped = name.len() + 1;
        for line in clean.lines() {
            self.read_line_from(line, skipped, said);
            skipped = 0;
        }
    }

    fn read_result(&mut self, result: &ToolResult, is_read: bool, said: SaidAt<'_>) {
        let text = result.text();
        self.read_failure(&text, result.is_error, said);
        // A note of a program answers no call: what it names counts once the talk takes it up.
        let is_note = result.call_id.is_empty();
        if is_read && !is_note {
            let seen = SaidAt {
                origin: IdentifierUse::Seen,
                is_code: true,
                ..said
            };
            self.read(whole_head(&text, RESULT_CHARS), seen);
        }
    }

    fn read_failure(&mut self, text: &str, failed: bool, said: SaidAt<'_>) {
        let said = SaidAt {
            origin: IdentifierUse::Failed,
            is_code: true,
            ..said
        };
        self.read(&error_lines(text, failed), said);
    }

    fn read_prose(&mut self, text: &str, said: SaidAt<'_>) {
        let clean = self.without_secrets(text);
        for (line, is_code) in SummaryDocument::lines_with_code(&clean) {
            self.read_line(line, SaidAt { is_code, ..said });
        }
    }

    fn read(&mut self, text: &str, said: SaidAt<'_>) {
        let clean = self.without_secrets(text);
        for line in own_lines(&clean) {
            self.read_line(line, said);
        }
    }

    fn without_secrets<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        let mut mark = [0; REMOVED.len_utf8()];
        let mark = REMOVED.encode_utf8(&mut mark);
        let clean = self.secrets.replace(text, mark);
        if clean.contains(redact::PLACEHOLDER) {
            return clean.replace(redact::PLACEHOLDER, mark).into();
        }
        clean
    }

    fn read_line(&mut self, line: &str, said: SaidAt<'_>) {
        self.read_line_from(line, 0, said);
    }

    /// Reads a line from a byte on; what is before it only tells what the rest is.
    fn read_line_from(&mut self, line: &str, from: usize, said: SaidAt<'_>) {
        let has_secret = line.contains(REMOVED);
        let mut sighted: Vec<(&str, IdentifierKind)> = Vec::new();
        each_sighting(line, said.is_code, &mut |token, kind| {
            let at = (token.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
            if at >= from && !(has_secret && is_around_secret(line, token)) {
                sighted.push((token, kind));
            }
        });
        // A line of prose that names one file is about it.
        let mut files = sighted.iter().filter(|(_, kind)| kind.is_file());
        let only = files
            .next()
            .filter(|_| !said.is_code && files.next().is_none());
        let about = only.map(|(path, _)| file_key(path));
        let file = said.file.or(about);
        for (token, kind) in sighted {
            self.add(token, kind, line, SaidAt { file, ..said });
        }
    }

    /// Adds a use of an identifier; says where it is among the found ones.
    fn add(&mut self, token: &str, kind: IdentifierKind, line: &str, said: SaidAt<'_>) -> usize {
        let key = key_of(token, kind);
        let file = said.file.filter(|_| kind == IdentifierKind::Symbol);
        if let Some(&at) = self.index.get(key.as_ref())
            && let Some(found) = self.found.get_mut(at)
        {
            found.on_use(token, line, said);
            if found.identifier.file.is_none() {
                found.identifier.file = file.map(str::to_owned);
            }
            return at;
        }
        let at = self.found.len();
        self.index.insert(key.into_owned(), at);
        self.found.push(FoundIdentifier {
            identifier: Identifier {
                text: token.to_owned(),
                spellings: Vec::new(),
                kind,
                origin: said.origin,
                uses: 1,
                entry: said.entry.cloned(),
                line: line_around(line, token),
                file: file.map(str::to_owned),
                is_kept: false,
                own_name: None,
            },
            spellings: vec![Spelling {
                text: token.to_owned(),
                is_typed: said.origin == IdentifierUse::Typed,
                is_argument: false,
            }],
            first: said.at,
            newest: said.at,
            carried: None,
        });
        at
    }

    /// A call names this file by this path.
    fn note_argument(&mut self, path: &str) {
        let key = key_of(path, IdentifierKind::Path);
        let known = self.index.get(key.as_ref()).copied();
        if let Some(found) = known.and_then(|at| self.found.get_mut(at))
            && let Some(spelling) = found.spellings.iter_mut().find(|it| it.text == path)
        {
            spelling.is_argument = true;
        }
    }
}

impl FoundIdentifier {
    fn on_use(&mut self, token: &str, line: &str, said: SaidAt<'_>) {
        let identifier = &mut self.identifier;
        if said.at > self.newest {
            identifier.uses += 1;
            let is_again = identifier.origin > IdentifierUse::NamedAgain
                && said.origin <= IdentifierUse::Named
                && self.first != said.at;
            if is_again {
                identifier.origin = IdentifierUse::NamedAgain;
            }
            self.newest = said.at;
        }
        if said.origin < identifier.origin || identifier.entry.is_none() && said.at > 0 {
            identifier.origin = identifier.origin.min(said.origin);
            identifier.entry = said.entry.cloned();
            identifier.line = line_around(line, token);
        }
        let is_typed = said.origin == IdentifierUse::Typed;
        if let Some(known) = self.spellings.iter_mut().find(|it| it.text == token) {
            known.is_typed |= is_typed;
        } else if self.spellings.len() < MAX_SPELLINGS {
            self.spellings.push(Spelling {
                text: token.to_owned(),
                is_typed,
                is_argument: false,
            });
        }
    }
}

/// What tells whether two texts are the same identifier: hex without case, a file without its
/// line and without what leads to it.
pub(super) fn key_of(token: &str, kind: IdentifierKind) -> std::borrow::Cow<'_, str> {
    if kind.ignores_case() {
        token.to_lowercase().into()
    } else if kind == IdentifierKind::Path {
        file_key(token).into()
    } else {
        token.into()
    }
}

/// A path without its line and without `./`, `../`, `~/` and `/` before it.
pub(super) fn file_key(path: &str) -> &str {
    let mut rest = without_line(path);
    while let Some(after) = ["./", "../", "~/", "/"]
        .iter()
        .find_map(|lead| rest.strip_prefix(lead))
    {
        rest = after;
    }
    let bare = rest.trim_end_matches('/');
    if bare.is_empty() { path } else { bare }
}

fn failed_call(source: &SourceMessage) -> Option<&str> {
    match source.message.as_ref() {
        Message::ToolResult(result) if result.is_error => Some(result.call_id.as_str()),
        _ => None,
    }
}

/// Whether a person wrote a line of a long message, not a program that it was copied from.
fn reads_like_prose(line: &str) -> bool {
    let line = line.trim();
    let looks_printed = line.starts_with(['{', '[', '<', '|', '$', '+', '@'])
        || line.starts_with("at ")
        || line.starts_with("--- ")
        || line.ends_with(['{', '}', ';'])
        || line.starts_with(|c: char| c.is_ascii_digit()) && line.matches([':', '-']).count() > 3;
    let words = line.split_whitespace();
    let plain = words.filter(|word| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        !word.is_empty() && word.chars().all(char::is_alphabetic)
    });
    let all = line.split_whitespace().count();
    !looks_printed && plain.count() * 2 >= all
}
