//! A summary without a model: the same headings, filled from the log alone. The same
//! input gives the same text; nothing in it was invented.

mod cues;
mod gather;

use super::audit::{Ask, keywords};
use super::identifiers::Identifier;
use super::redact;
use super::summary::document::{self, Document};
use super::summary::template::{Heading, NONE, Role};
use super::summary::{MAX_BODY_CHARS, SourceMessage, excerpt};

use gather::Gathered;

/// Lines that one section takes from the previous summary.
const PREVIOUS_LINES: usize = 24;
/// The same for sections whose content passes: it may be done by now.
const PASSING_LINES: usize = 6;
/// How the latest ask begins.
const LATEST_ASK: &str = "- Latest ask: ";
/// Longest quoted ask, in characters.
const ASK_CHARS: usize = 600;
/// Most sentences of one kind.
const MAX_SENTENCES: usize = 12;
/// Most files that are listed; the rest is in the appendix.
const MAX_FILES: usize = 40;
/// Most failures that are listed.
const MAX_FAILURES: usize = 8;

/// What an extractive summary is made from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The messages, oldest first.
    pub messages: &'a [SourceMessage],
    /// The summary of what came before.
    pub previous: Option<&'a str>,
    /// The template.
    pub headings: &'a [Heading],
    /// What the user asked last.
    pub ask: Option<&'a Ask>,
    /// Words to look out for.
    pub instructions: Option<&'a str>,
    /// What must be carried over.
    pub identifiers: &'a [Identifier],
}

/// An extractive summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extract {
    /// The text, under the template's headings, without secrets.
    pub text: String,
    /// Words of the instructions that ranked something first, with how often.
    pub effects: Vec<String>,
}

/// Writes the summary. Linear in the source.
pub fn extract(source: Source<'_>) -> Extract {
    let wanted = source
        .instructions
        .map(keywords::keywords)
        .unwrap_or_default();
    let gathered = Gathered::read(source.messages, &wanted);
    let previous = source
        .previous
        .map(|text| Document::parse(text, source.headings))
        .unwrap_or_default();
    let no_home = source.headings.iter().all(|h| h.role == Role::Other);
    let mut blocks = Vec::new();
    for (index, heading) in source.headings.iter().enumerate() {
        let mut lines = if no_home && index == 0 {
            [
                Role::Goal,
                Role::Done,
                Role::InProgress,
                Role::NextSteps,
                Role::Files,
            ]
            .into_iter()
            .flat_map(|role| lines_for(role, source, &gathered))
            .collect()
        } else {
            lines_for(heading.role, source, &gathered)
        };
        carry_over(&mut lines, &previous, index, heading.role);
        let is_parent = source
            .headings
            .get(index + 1)
            .is_some_and(|h| h.level > heading.level);
        if lines.is_empty() && !is_parent {
            lines.push(NONE.to_owned());
        }
        blocks.push(
            format!("{}\n{}", heading.line(), lines.join("\n"))
                .trim_end()
                .to_owned(),
        );
    }
    let text = blocks.join("\n\n");
    let text = redact::redact(&text).into_owned();
    Extract {
        text: document::trim_by_section(&text, source.headings, MAX_BODY_CHARS),
        effects: gathered.effects(&wanted),
    }
}

/// Adds the previous summary's lines, oldest facts first. What was in progress or next
/// then may be done by now, so the new lines come first there.
fn carry_over(lines: &mut Vec<String>, previous: &Document, index: usize, role: Role) {
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
    let is_passing = matches!(
        role,
        Role::InProgress | Role::NextSteps | Role::PendingAsks | Role::Blocked
    );
    let most = if is_passing {
        PASSING_LINES
    } else {
        PREVIOUS_LINES
    };
    let surplus = old.len().saturating_sub(most);
    if matches!(role, Role::Done | Role::Decisions | Role::Critical) {
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

fn lines_for(role: Role, source: Source<'_>, gathered: &Gathered) -> Vec<String> {
    match role {
        Role::Goal => goal(source, gathered),
        Role::Constraints => gathered.ranked(cues::Cue::Constraint, MAX_SENTENCES),
        Role::Progress | Role::Other => Vec::new(),
        Role::Done => done(source, gathered),
        Role::InProgress => gathered
            .last_words
            .iter()
            .map(|text| bullet(text))
            .collect(),
        Role::Blocked => gathered.ranked(cues::Cue::Blocked, MAX_SENTENCES / 2),
        Role::Decisions => gathered.ranked(cues::Cue::Decision, MAX_SENTENCES),
        Role::PendingAsks => latest_ask(source, gathered)
            .map(|text| bullet(&quote(&text)))
            .into_iter()
            .collect(),
        Role::NextSteps => next_steps(gathered),
        Role::Critical => critical(gathered),
        Role::Identifiers => source
            .identifiers
            .iter()
            .map(|id| format!("- `{}`", id.text))
            .collect(),
        Role::Files => files(gathered),
    }
}

fn bullet(text: &str) -> String {
    format!("- {text}")
}

fn quote(text: &str) -> String {
    excerpt::one_line(&excerpt::head_and_tail(text.trim(), ASK_CHARS), ASK_CHARS)
}

fn latest_ask(source: Source<'_>, gathered: &Gathered) -> Option<String> {
    source
        .ask
        .map(|ask| ask.text.clone())
        .or_else(|| gathered.last_ask.clone())
        .filter(|text| !text.trim().is_empty())
}

fn goal(source: Source<'_>, gathered: &Gathered) -> Vec<String> {
    let first = gathered.first_ask.as_deref().map(quote);
    let latest = latest_ask(source, gathered).map(|text| quote(&text));
    let mut lines = Vec::new();
    if let Some(first) = first.as_ref().filter(|_| source.previous.is_none()) {
        lines.push(format!("- First ask: {first}"));
    }
    if let Some(latest) = latest.filter(|latest| Some(latest) != first.as_ref() || lines.is_empty())
    {
        lines.push(format!("{LATEST_ASK}{latest}"));
    }
    lines
}

fn done(source: Source<'_>, gathered: &Gathered) -> Vec<String> {
    let mut lines: Vec<String> = gathered
        .tools
        .iter()
        .map(|(name, tool)| {
            let failed = match tool.failed {
                0 => String::new(),
                n => format!(", {n} failed"),
            };
            format!("- {name}: {} call(s){failed}", tool.calls)
        })
        .collect();
    if !gathered.modified.is_empty() {
        let shown: Vec<String> = gathered
            .ranked_files(&gathered.modified)
            .into_iter()
            .take(MAX_FILES / 2)
            .map(|file| format!("`{file}`"))
            .collect();
        lines.push(format!("- Changed files: {}", shown.join(", ")));
    }
    lines.extend(gathered.checked.iter().map(|item| format!("- [x] {item}")));
    if lines.is_empty() && !source.messages.is_empty() {
        lines.push(format!(
            "- {} message(s), no tool calls",
            source.messages.len()
        ));
    }
    lines
}

fn next_steps(gathered: &Gathered) -> Vec<String> {
    let mut lines: Vec<String> = gathered
        .unchecked
        .iter()
        .map(|item| format!("- [ ] {item}"))
        .collect();
    for step in &gathered.announced {
        let line = bullet(step);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

fn critical(gathered: &Gathered) -> Vec<String> {
    let mut lines: Vec<String> = gathered
        .wanted_sentences(MAX_SENTENCES)
        .iter()
        .map(|text| bullet(text))
        .collect();
    let from = gathered.failures.len().saturating_sub(MAX_FAILURES);
    let newest = gathered.failures.get(from..).unwrap_or_default();
    lines.extend(newest.iter().map(|line| format!("- Failed: {line}")));
    lines
}

fn files(gathered: &Gathered) -> Vec<String> {
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
