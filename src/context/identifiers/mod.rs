//! Identifiers in text: the tokens that a summary must carry over exactly, because a
//! changed character makes them point elsewhere. Whole tokens only: a UUID is one,
//! `3.14159265` is none. Linear in the text; secrets are never identifiers.

mod aliases;
mod classify;
mod tokens;

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::transcript::{EntryId, Message};

use super::redact;
use super::summary::{SourceMessage, excerpt};

pub use aliases::Aliases;
pub use classify::{IdentifierKind, classify, without_line};
pub use tokens::{candidates, contains_whole, each_candidate, is_unspaced, replace_whole};

/// At most this many identifiers are selected: more would crowd out the summary.
pub const MAX_SELECTED: usize = 64;
/// The selected identifiers have at most this many characters together.
pub const MAX_SELECTED_CHARS: usize = 6_000;
/// Longest line that is kept with an identifier, in characters.
pub const MAX_LINE_CHARS: usize = 200;
/// Longest token that can be an identifier, in bytes: beyond, it is data.
pub const MAX_TOKEN_BYTES: usize = 400;

/// Where an identifier was said, in falling order of weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdentifierOrigin {
    /// Typed by the user.
    User,
    /// In the arguments of a tool call.
    Argument,
    /// In an answer, or in the previous summary.
    Answer,
    /// In an error line of a tool result.
    ErrorLine,
}

/// An identifier that a summary must carry over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// Exactly as it was written.
    pub text: String,
    /// The kind of it.
    pub kind: IdentifierKind,
    /// The weightiest place where it was said.
    pub origin: IdentifierOrigin,
    /// The message of that place; `None` for the previous summary.
    pub entry: Option<EntryId>,
    /// The line there, on one line, at most 200 characters, without secrets.
    pub line: String,
}

impl Identifier {
    /// Whether this text, as a whole token, is in `summary`. `folded` is the
    /// summary in lower case: hex compares without case.
    pub fn is_in(&self, summary: &str, folded: &str) -> bool {
        if self.kind.ignores_case() {
            contains_whole(folded, &self.text.to_lowercase())
        } else {
            contains_whole(summary, &self.text)
        }
    }
}

/// One identifier while messages are read.
struct FoundIdentifier {
    identifier: Identifier,
    /// Position of the newest message that says it.
    newest: usize,
    count: u64,
}

/// Collects identifiers message by message, oldest first.
struct IdentifierCollector<'a> {
    secrets: &'a redact::KnownSecrets,
    found: Vec<FoundIdentifier>,
    index: HashMap<String, usize>,
}

/// Stands where a secret was while tokens are cut: a noncharacter, so no text has it.
const REMOVED: char = '\u{FDD0}';

impl IdentifierCollector<'_> {
    fn read(&mut self, text: &str, origin: IdentifierOrigin, at: usize, entry: Option<&EntryId>) {
        let mut mark = [0; REMOVED.len_utf8()];
        let mark = REMOVED.encode_utf8(&mut mark);
        let mut clean = self.secrets.replace(text, mark);
        if clean.contains(redact::PLACEHOLDER) {
            clean = clean.replace(redact::PLACEHOLDER, mark).into();
        }
        for line in clean.lines() {
            let has_secret = line.contains(REMOVED);
            for token in candidates(line) {
                if let Some(kind) = classify(token)
                    && !(has_secret && is_around_secret(line, token))
                {
                    self.add(token, kind, line, origin, at, entry);
                }
            }
        }
    }

    fn add(
        &mut self,
        token: &str,
        kind: IdentifierKind,
        line: &str,
        origin: IdentifierOrigin,
        at: usize,
        entry: Option<&EntryId>,
    ) {
        let key = if kind.ignores_case() {
            token.to_lowercase()
        } else {
            token.to_owned()
        };
        if let Some(&known) = self.index.get(&key)
            && let Some(found) = self.found.get_mut(known)
        {
            found.newest = found.newest.max(at);
            found.count += 1;
            if origin >= found.identifier.origin {
                return;
            }
            found.identifier.origin = origin;
            found.identifier.entry = entry.cloned();
            found.identifier.line = excerpt_around(line, token);
            return;
        }
        self.index.insert(key, self.found.len());
        self.found.push(FoundIdentifier {
            identifier: Identifier {
                text: token.to_owned(),
                kind,
                origin,
                entry: entry.cloned(),
                line: excerpt_around(line, token),
            },
            newest: at,
            count: 1,
        });
    }

    fn ranked(mut self) -> Vec<Identifier> {
        self.found.sort_by(|a, b| {
            (a.identifier.origin, b.newest, b.count)
                .cmp(&(b.identifier.origin, a.newest, a.count))
                .then_with(|| a.identifier.text.cmp(&b.identifier.text))
        });
        let mut chars = 0;
        let mut out = Vec::new();
        for found in self.found {
            let length = found.identifier.text.chars().count();
            if out.len() < MAX_SELECTED && chars + length <= MAX_SELECTED_CHARS {
                chars += length;
                out.push(found.identifier);
            }
        }
        out
    }
}

/// The text before a token in its line, and the token with what follows. `token` is a slice of
/// `line`.
fn split_at_token<'a>(line: &'a str, token: &str) -> (&'a str, &'a str) {
    let at = (token.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    line.split_at_checked(at).unwrap_or(("", line))
}

/// Whether a token is what is left of something that had a secret in it, such as a URL
/// with a password: by itself it was never said.
fn is_around_secret(line: &str, token: &str) -> bool {
    let is_joint =
        |c: &char| c.is_ascii_punctuation() && !matches!(c, '"' | '\'' | '`' | '<' | '>');
    let (before, rest) = split_at_token(line, token);
    let after = rest.get(token.len()..).unwrap_or_default();
    let ahead = after.chars().find(|c| !is_joint(c));
    let back = before.chars().rev().find(|c| !is_joint(c));
    [ahead, back].contains(&Some(REMOVED))
}

/// The part of a line around a token, so that the token is in it. Reads only the
/// neighbourhood, so that long lines cost no more.
fn excerpt_around(line: &str, token: &str) -> String {
    let (before, rest) = split_at_token(line, token);
    let lead = excerpt::tail(before, MAX_LINE_CHARS / 4);
    let room = MAX_LINE_CHARS
        .max(token.len())
        .saturating_sub(lead.chars().count());
    let near = format!("{lead}{}", excerpt::head(rest, room));
    excerpt::one_line(&near.replace(REMOVED, redact::PLACEHOLDER), MAX_LINE_CHARS)
}

/// The identifiers that a summary of these messages must carry over, ranked: user
/// text, call arguments, answers, error lines; then the newest; then the most frequent.
/// Identifiers in tool results alone do not count, so results are read for their
/// error lines only.
pub fn select(
    previous_summary: Option<&str>,
    messages: &[SourceMessage],
    secrets: &redact::KnownSecrets,
) -> Vec<Identifier> {
    let mut collector = IdentifierCollector {
        secrets,
        found: Vec::new(),
        index: HashMap::new(),
    };
    if let Some(summary) = previous_summary {
        collector.read(summary, IdentifierOrigin::Answer, 0, None);
    }
    for (index, source) in messages.iter().enumerate() {
        let (at, entry) = (index + 1, Some(&source.entry));
        match source.message.as_ref() {
            Message::User(_) => {
                collector.read(&source.message.text(), IdentifierOrigin::User, at, entry);
            }
            Message::BashExecution(run) => {
                collector.read(&run.command, IdentifierOrigin::User, at, entry);
                let failed = run.exit_code != Some(0);
                collector.read(
                    &error_lines(&run.output, failed),
                    IdentifierOrigin::ErrorLine,
                    at,
                    entry,
                );
            }
            Message::Assistant(assistant) => {
                collector.read(&assistant.text(), IdentifierOrigin::Answer, at, entry);
                for call in assistant.tool_calls() {
                    let arguments = named_strings_of(&call.arguments);
                    collector.read(&arguments, IdentifierOrigin::Argument, at, entry);
                }
            }
            Message::ToolResult(result) => {
                let lines = error_lines(&result.text(), result.is_error);
                collector.read(&lines, IdentifierOrigin::ErrorLine, at, entry);
            }
        }
    }
    collector.ranked()
}

/// Longest argument that is read for identifiers, in characters: beyond, it is the
/// content of a file that is being written.
const MAX_ARGUMENT_CHARS: usize = 2_000;
/// How deep arguments are read.
const MAX_ARGUMENT_DEPTH: usize = 8;

/// The strings and numbers of a call's arguments, one a line.
pub fn strings_of(arguments: &serde_json::Value) -> String {
    let mut out = String::new();
    each_string(arguments, &mut |_, text| {
        out.push_str(text);
        out.push('\n');
    });
    out
}

/// A value with its name, as `name=value`: a name can give away that its value is a secret.
pub fn named_strings_of(arguments: &serde_json::Value) -> String {
    let mut out = String::new();
    each_string(arguments, &mut |name, text| {
        if !name.is_empty() {
            out.push_str(name);
            out.push('=');
        }
        out.push_str(text);
        out.push('\n');
    });
    out
}

/// Hands over each string and number with the name that it goes by.
fn each_string(arguments: &serde_json::Value, found: &mut impl FnMut(&str, &str)) {
    let mut stack = vec![("", arguments, 0)];
    while let Some((name, value, depth)) = stack.pop() {
        match value {
            serde_json::Value::String(text) => found(name, whole_head(text, MAX_ARGUMENT_CHARS)),
            serde_json::Value::Number(number) => found(name, &number.to_string()),
            serde_json::Value::Array(items) if depth < MAX_ARGUMENT_DEPTH => {
                stack.extend(items.iter().rev().map(|item| (name, item, depth + 1)));
            }
            serde_json::Value::Object(map) if depth < MAX_ARGUMENT_DEPTH => {
                let members = map.iter().rev();
                stack.extend(members.map(|(name, item)| (name.as_str(), item, depth + 1)));
            }
            _ => {}
        }
    }
}

/// The first `max_chars` characters without a token that the cut goes through: half a
/// path is another path.
fn whole_head(text: &str, max_chars: usize) -> &str {
    let head = excerpt::head(text, max_chars);
    if head.len() == text.len() {
        return head;
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';');
    let end = head.rfind(ends).unwrap_or(0);
    head.get(..end).unwrap_or_default()
}

/// At most this many error lines of one result are read.
const MAX_ERROR_LINES: usize = 20;
/// An error line is at most this long, in characters.
const MAX_ERROR_LINE_CHARS: usize = 500;

/// The lines of a tool result that speak of a failure; of a failed call the first
/// ones when none does.
fn error_lines(text: &str, failed: bool) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(cue) = ERROR_CUE.as_ref().and_then(|cue| cue.find(rest)) {
        let (before, after) = rest.split_at_checked(cue.start()).unwrap_or((rest, ""));
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let end = after.find('\n').map_or(rest.len(), |n| cue.start() + n);
        lines.push(rest.get(start..end).unwrap_or_default());
        rest = rest.get(end..).unwrap_or_default();
        if lines.len() >= MAX_ERROR_LINES {
            break;
        }
    }
    if lines.is_empty() && failed {
        lines.extend(text.lines().filter(|l| !l.trim().is_empty()).take(3));
    }
    lines
        .into_iter()
        .map(|line| whole_head(line, MAX_ERROR_LINE_CHARS))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Words of error lines, as compilers, shells and runtimes write them.
static ERROR_CUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"error|Error|ERROR|panicked|FAILED|fatal|Exception|Traceback|exit code [1-9]").ok()
});

#[cfg(test)]
mod tests;
