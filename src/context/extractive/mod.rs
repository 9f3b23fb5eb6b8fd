//! A summary without a model: the same headings, filled from the log alone. The same
//! input gives the same text; nothing in it was invented.

mod calls;
mod cues;
mod gather;
mod sentences;
mod steps;

use std::collections::HashSet;

use crate::transcript::plural;

use super::audit::mend::left_line;
use super::audit::{LatestAsk, keywords};
use super::identifiers::{Identifier, list_chars, list_lines};
use super::redact;
use super::summary::document::{self, SummaryDocument};
use super::summary::template::{NONE, SectionHeading, SectionRole};
use super::summary::{MAX_BODY_CHARS, MAX_POSSIBLE_RULES, SourceMessage, excerpt};

use calls::CallHistory;
use gather::GatheredFacts;

/// Lines that one section takes from the previous summary.
const PREVIOUS_LINES: usize = 24;
/// Lines that a section takes whose content passes: it may be done by now.
const PASSING_LINES: usize = 6;
/// Lines that the goal takes: every compaction adds the asks since the last one.
const GOAL_LINES: usize = 12;
/// How the lines begin that count what was done; older counts are dropped.
const DONE_COUNTS: [&str; 3] = ["Ran: ", "Tool calls: ", "Changed files: "];
/// How the line ends when nothing was done.
const NO_CALLS: &str = "no tool calls";
/// How the latest ask begins.
const LATEST_ASK: &str = "- Latest ask: ";
/// Longest quoted ask, in characters.
const ASK_CHARS: usize = 600;
/// Only so much of an ask is looked at, in characters.
const READ_CHARS: usize = 100_000;
/// Where no white space is this near to a cut, in bytes, it is not moved there.
const MAX_WORD_BYTES: usize = 32;
/// Most asks between the first and the latest that are quoted: the newest.
const MAX_BETWEEN: usize = 6;
/// Longest of these, in characters.
const BETWEEN_CHARS: usize = 480;
/// An ask with fewer keywords says nothing by itself (`ok, go on`).
const MIN_ASK_KEYWORDS: usize = 2;
/// Most commands that are listed: the newest.
const MAX_COMMANDS: usize = 6;
/// Most changed files that are named on one line.
const MAX_DONE_FILES: usize = 12;
/// Most sentences of one kind.
const MAX_SENTENCES: usize = 12;
/// Most files that are listed; the rest is in the appendix.
const MAX_FILES: usize = 40;
/// Most failures that are listed.
const MAX_FAILURES: usize = 8;
/// A list of identifiers up to this long, in characters, is short beside any text.
const SHORT_LIST_CHARS: usize = 700;
/// How the lines begin that tell of failures that are not put right, and of those put right.
const FAILED: &str = "Failed: ";
const FIXED: &str = "Failed, then put right: ";

/// The material of an extractive summary.
#[derive(Clone, Copy, Debug)]
pub struct ExtractSource<'a> {
    /// The messages, oldest first.
    pub messages: &'a [SourceMessage],
    /// The summary of what came before.
    pub previous: Option<&'a str>,
    /// The template.
    pub headings: &'a [SectionHeading],
    /// The user's last message.
    pub ask: Option<&'a LatestAsk>,
    /// Words to look out for.
    pub instructions: Option<&'a str>,
    /// Words of the user that may be rules, oldest first.
    pub possible_rules: &'a [String],
    /// Identifiers to be carried over, the weightiest first.
    pub identifiers: &'a [Identifier],
    /// How many of these, from the first on, must be, however short the text is.
    pub identifiers_fixed: usize,
    /// Identifiers that the summary before had and that found no room.
    pub identifiers_left: u64,
}

/// An extractive summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtractiveSummary {
    /// The text, under the template's headings, without secrets.
    pub text: String,
    /// Words of the instructions that ranked something first, with how often.
    pub effects: Vec<String>,
    /// Positions of the identifiers that it carries over, in the list or in other words.
    pub carried: HashSet<usize>,
}

/// The newest failures of calls that were not put right, oldest first.
pub fn open_failures(messages: &[SourceMessage]) -> Vec<String> {
    CallHistory::read(messages).failures(MAX_FAILURES)
}

/// Writes the summary. Linear in the source.
pub fn extract(source: ExtractSource<'_>) -> ExtractiveSummary {
    let wanted = source
        .instructions
        .map(gather::wanted_words)
        .unwrap_or_default();
    let gathered = GatheredFacts::read(source.messages, &wanted);
    let previous = source
        .previous
        .map(|text| SummaryDocument::parse(text, source.headings))
        .unwrap_or_default();
    let no_home = source.headings.iter().all(|h| h.role == SectionRole::Other);
    let mut blocks: Vec<(String, Vec<String>)> = Vec::new();
    for (index, heading) in source.headings.iter().enumerate() {
        let mut lines = if no_home && index == 0 {
            [
                SectionRole::Goal,
                SectionRole::Done,
                SectionRole::InProgress,
                SectionRole::NextSteps,
                SectionRole::Files,
            ]
            .into_iter()
            .flat_map(|role| lines_for(role, source, &gathered))
            .collect()
        } else {
            lines_for(heading.role, source, &gathered)
        };
        carry_over(&mut lines, &previous, index, heading.role, &gathered);
        let is_parent = source
            .headings
            .get(index + 1)
            .is_some_and(|h| h.level > heading.level);
        let is_list = heading.role == SectionRole::Identifiers;
        if lines.is_empty() && !is_parent && !is_list {
            lines.push(NONE.to_owned());
        }
        blocks.push((heading.line(), lines));
    }
    let bodies: Vec<String> = blocks.iter().map(|(_, lines)| lines.join("\n")).collect();
    let (list, carried) = identifier_list(source, &redact::redact(&bodies.join("\n")));
    for (heading, (_, lines)) in source.headings.iter().zip(&mut blocks) {
        if heading.role == SectionRole::Identifiers {
            lines.extend(list.iter().cloned());
            if lines.is_empty() {
                lines.push(NONE.to_owned());
            }
        }
    }
    let blocks = blocks.into_iter().map(|(heading, lines)| {
        let block = format!("{heading}\n{}", lines.join("\n"));
        block.trim_end().to_owned()
    });
    let blocks: Vec<String> = blocks.collect();
    let text = blocks.join("\n\n");
    let text = redact::redact(&text).into_owned();
    ExtractiveSummary {
        text: document::trim_by_section(&text, source.headings, MAX_BODY_CHARS),
        effects: gathered.effects(&wanted),
        carried,
    }
}

/// The list of identifiers beside a text: those that it does not say itself, in a third of its
/// characters, which makes the list a quarter of the whole. With it the positions of all that
/// the summary carries over.
fn identifier_list(source: ExtractSource<'_>, text: &str) -> (Vec<String>, HashSet<usize>) {
    let folded = text.to_lowercase();
    let all = source.identifiers.iter().enumerate();
    let (said, mut missing): (Vec<_>, Vec<_>) = all.partition(|(_, it)| it.is_in(text, &folded));
    let room = (text.chars().count() / 3).max(SHORT_LIST_CHARS);
    let lines_of = |listed: &[(usize, &Identifier)], quotes: usize| {
        let listed: Vec<&Identifier> = listed.iter().map(|&(_, it)| it).collect();
        list_lines(&listed, quotes)
    };
    let mut lines = lines_of(&missing, 0);
    let may_go = |last: Option<&(usize, &Identifier)>| {
        last.is_some_and(|&(at, _)| at >= source.identifiers_fixed)
    };
    while may_go(missing.last()) && list_chars(&lines) > room {
        missing.pop();
        lines = lines_of(&missing, 0);
    }
    let quotes = room.saturating_sub(list_chars(&lines));
    let mut lines = lines_of(&missing, quotes);
    lines.extend(left_line(source.identifiers_left));
    let carried = said.into_iter().chain(missing).map(|(at, _)| at);
    (lines, carried.collect())
}

/// Adds the previous summary's lines, oldest facts first. What was in progress or next
/// then may be done by now, so the new lines come first there.
fn carry_over(
    lines: &mut Vec<String>,
    previous: &SummaryDocument,
    index: usize,
    role: SectionRole,
    gathered: &GatheredFacts,
) {
    // What the previous list had is among the identifiers to be carried over.
    if role == SectionRole::Identifiers {
        return;
    }
    let Some(section) = previous.sections.iter().find(|s| s.known == Some(index)) else {
        return;
    };
    let mut old: Vec<String> = section
        .body
        .lines()
        .filter(|line| !line.trim().is_empty() && line.trim() != NONE)
        .map(str::to_owned)
        .collect();
    // What was asked last then is not the latest ask now.
    old.retain(|line| !lines.contains(line) && !line.starts_with(LATEST_ASK));
    old.retain(|line| !is_overtaken(line, role, gathered));
    let is_passing = matches!(
        role,
        SectionRole::InProgress
            | SectionRole::NextSteps
            | SectionRole::PendingAsks
            | SectionRole::Blocked
    );
    let most = if is_passing {
        PASSING_LINES
    } else {
        PREVIOUS_LINES
    };
    let surplus = old.len().saturating_sub(most);
    if role == SectionRole::Goal && old.len() > GOAL_LINES {
        // What was asked first says what it is all about; of the rest the newest.
        old.drain(1..=old.len() - GOAL_LINES);
    } else if matches!(
        role,
        SectionRole::Done | SectionRole::Decisions | SectionRole::Critical
    ) {
        old.drain(..surplus);
    } else {
        old.truncate(most);
    }
    if is_passing {
        lines.extend(old);
    } else {
        lines.splice(0..0, old);
    }
}

/// Whether what has happened since makes a line of the previous summary untrue.
fn is_overtaken(line: &str, role: SectionRole, gathered: &GatheredFacts) -> bool {
    let text = line.strip_prefix("- ").unwrap_or(line);
    match role {
        SectionRole::Done => {
            DONE_COUNTS.iter().any(|count| text.starts_with(count)) || text.ends_with(NO_CALLS)
        }
        // The next ask most likely removed it.
        SectionRole::Blocked => !gathered.asks.is_empty(),
        // What was in the tail then is told as a part of the conversation now.
        SectionRole::PendingAsks => gathered
            .asks
            .iter()
            .any(|ask| quote(ask, ASK_CHARS) == text),
        SectionRole::NextSteps => text
            .strip_prefix("[ ] ")
            .is_some_and(|item| gathered.steps.checked.iter().any(|done| done == item)),
        SectionRole::Critical => text
            .strip_prefix(FAILED)
            .is_some_and(|failure| gathered.calls.repeats(failure)),
        SectionRole::Files => gathered
            .modified
            .iter()
            .any(|file| text == format!("`{file}` (read)")),
        _ => false,
    }
}

fn lines_for(
    role: SectionRole,
    source: ExtractSource<'_>,
    gathered: &GatheredFacts,
) -> Vec<String> {
    match role {
        SectionRole::Goal => goal(source, gathered),
        SectionRole::Constraints => constraints(source, gathered),
        // Identifiers are listed when it is known how long the rest is.
        SectionRole::Progress | SectionRole::Other | SectionRole::Identifiers => Vec::new(),
        SectionRole::Done => done(source, gathered),
        SectionRole::InProgress => gathered
            .last_words
            .iter()
            // A list of steps is under the next ones.
            .filter(|text| gathered.steps.open().iter().all(|(_, step)| step != text))
            .map(|text| bullet(text))
            .collect(),
        SectionRole::Blocked => gathered.ranked(cues::SentenceCue::Blocked, MAX_SENTENCES / 2),
        SectionRole::Decisions => gathered.ranked(cues::SentenceCue::Decision, MAX_SENTENCES),
        SectionRole::PendingAsks => latest_ask(source, gathered)
            .map(|text| bullet(&text))
            .into_iter()
            .collect(),
        SectionRole::NextSteps => next_steps(gathered),
        SectionRole::Critical => critical(source, gathered),
        SectionRole::Files => files(gathered),
    }
}

/// Sentences that oblige or forbid, and what else may be a rule of the user.
fn constraints(source: ExtractSource<'_>, gathered: &GatheredFacts) -> Vec<String> {
    let mut lines = gathered.ranked(cues::SentenceCue::Constraint, MAX_SENTENCES);
    let newest = source.possible_rules.iter().rev().take(MAX_POSSIBLE_RULES);
    for rule in newest.rev() {
        if !lines.iter().any(|line| line.contains(rule.as_str())) {
            lines.push(bullet(rule));
        }
    }
    lines
}

fn bullet(text: &str) -> String {
    format!("- {text}")
}

/// An ask on one line: without its code, redacted before it is cut (a cut secret is
/// not recognised).
fn quote(text: &str, max_chars: usize) -> String {
    let mut prose = String::new();
    let mut has_code = false;
    for (line, in_code) in SummaryDocument::lines_with_code(text) {
        if in_code {
            has_code = true;
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    let text = if prose.trim().is_empty() {
        text
    } else {
        if has_code {
            prose.push_str("[code left out]");
        }
        &prose
    };
    let clean = redact::redact(text);
    let clean = excerpt::one_line(&clean, READ_CHARS);
    if !excerpt::is_longer(&clean, max_chars) {
        return clean;
    }
    // Whole words on both sides of the gap.
    let head = excerpt::head(&clean, max_chars * 2 / 3);
    let tail = excerpt::tail(&clean, max_chars / 3 - 3);
    let is_word = |cut: &str| cut.len() <= MAX_WORD_BYTES;
    let head = match head.rsplit_once(' ') {
        Some((whole, cut)) if is_word(cut) => whole,
        _ => head,
    };
    let tail = match tail.split_once(' ') {
        Some((cut, whole)) if is_word(cut) => whole,
        _ => tail,
    };
    format!("{head} … {tail}")
}

fn latest_ask(source: ExtractSource<'_>, gathered: &GatheredFacts) -> Option<String> {
    source
        .ask
        .map(|ask| ask.text.as_str())
        .or_else(|| gathered.asks.last().map(String::as_str))
        .filter(|text| !text.trim().is_empty())
        .map(|text| quote(text, ASK_CHARS))
}

/// The first ask, what was asked since, the latest ask.
fn goal(source: ExtractSource<'_>, gathered: &GatheredFacts) -> Vec<String> {
    let latest = latest_ask(source, gathered);
    let mut lines = Vec::new();
    let mut between = gathered.asks.as_slice();
    if source.previous.is_none()
        && let Some((first, rest)) = between.split_first()
    {
        lines.push(format!("- First ask: {}", quote(first, ASK_CHARS)));
        between = rest;
    }
    let mut since: Vec<String> = Vec::new();
    for ask in between.iter().rev() {
        let says_something = keywords::keywords(ask).len() >= MIN_ASK_KEYWORDS;
        if !says_something || Some(quote(ask, ASK_CHARS)) == latest {
            continue;
        }
        let line = format!("- Then asked: {}", quote(ask, BETWEEN_CHARS));
        if !since.contains(&line) {
            since.push(line);
        }
        if since.len() == MAX_BETWEEN {
            break;
        }
    }
    lines.extend(since.into_iter().rev());
    if let Some(latest) = latest
        && lines.first() != Some(&format!("- First ask: {latest}"))
    {
        lines.push(format!("{LATEST_ASK}{latest}"));
    }
    lines
}

fn done(source: ExtractSource<'_>, gathered: &GatheredFacts) -> Vec<String> {
    let mut lines = gathered.ranked(cues::SentenceCue::Done, MAX_SENTENCES);
    let checked = gathered.wanted_first(gathered.steps.checked.iter().collect(), |item| item);
    lines.extend(checked.iter().map(|item| format!("- [x] {item}")));
    let fixed = gathered.calls.fixed(MAX_FAILURES);
    lines.extend(fixed.iter().map(|line| format!("- {FIXED}{line}")));
    let commands = gathered.calls.commands(MAX_COMMANDS);
    if !commands.is_empty() {
        lines.push(format!("- Ran: `{}`", commands.join("`, `")));
    }
    if let Some(counts) = gathered.calls.counts() {
        lines.push(format!("- Tool calls: {counts}"));
    }
    if !gathered.modified.is_empty() {
        let files = gathered.ranked_files(&gathered.modified);
        let shown = files.iter().take(MAX_DONE_FILES).map(|f| format!("`{f}`"));
        let mut shown: Vec<String> = shown.collect();
        if files.len() > MAX_DONE_FILES {
            shown.push(format!("{} more", files.len() - MAX_DONE_FILES));
        }
        lines.push(format!("- Changed files: {}", shown.join(", ")));
    }
    if lines.is_empty() && !source.messages.is_empty() {
        let count = source.messages.len() as u64;
        // What came before is told by the lines of the earlier summary.
        let messages = if source.previous.is_some() {
            plural(count, "newer message")
        } else {
            plural(count, "message")
        };
        lines.push(format!("- {messages}, {NO_CALLS}"));
    }
    lines
}

fn next_steps(gathered: &GatheredFacts) -> Vec<String> {
    gathered
        .wanted_first(gathered.steps.open(), |(_, text)| text)
        .into_iter()
        .map(|(is_box, text)| {
            if is_box {
                format!("- [ ] {text}")
            } else {
                bullet(text)
            }
        })
        .collect()
}

/// Facts that the instructions ask for and no other section has; failures that are not put right.
fn critical(source: ExtractSource<'_>, gathered: &GatheredFacts) -> Vec<String> {
    let goal = goal(source, gathered).join("\n");
    let mut lines: Vec<String> = gathered
        .wanted_sentences(MAX_SENTENCES)
        .iter()
        .filter(|text| !goal.contains(text.as_str()))
        .filter(|text| !gathered.last_words.contains(text))
        .filter(|text| gathered.steps.announced().all(|step| step != text.as_str()))
        .map(|text| bullet(text))
        .collect();
    let failures = gathered.calls.failures(MAX_FAILURES);
    lines.extend(failures.iter().map(|line| format!("- {FAILED}{line}")));
    lines
}

fn files(gathered: &GatheredFacts) -> Vec<String> {
    let modified = gathered.ranked_files(&gathered.modified);
    let read = gathered.ranked_files(&gathered.read);
    let modified = modified
        .into_iter()
        .map(|file| format!("- `{file}` (modified)"));
    let read = read.into_iter().map(|file| format!("- `{file}` (read)"));
    modified.chain(read).take(MAX_FILES).collect()
}

#[cfg(test)]
mod tests;
