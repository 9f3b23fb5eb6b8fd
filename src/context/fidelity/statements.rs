//! What was said in sentences: decisions, open steps, the newest ask, numbers with units.

use std::collections::HashSet;

use serde_json::Value;

use crate::context::redact;
use crate::context::summary::excerpt;
use crate::transcript::{EntryId, Message, TodoList, TodoState, ToolResult};

use super::branch::SaidMessage;
use super::carried::folded;
use super::quantities::{self, Quantity};
use super::texts;

/// Decisions that count: the newest.
const MAX_DECISIONS: usize = 12;
/// Bounds of a sentence that counts, in characters.
const SENTENCE_CHARS: std::ops::RangeInclusive<usize> = 16..=300;
/// Open steps that count.
const MAX_STEPS: usize = 20;
/// Numbers that count: the newest.
const MAX_QUANTITIES: usize = 20;
/// So much of the newest ask is looked for, in characters.
const ASK_CHARS: usize = 300;
/// Only so much of a message is read for sentences, in characters.
const READ_CHARS: usize = 60_000;

/// Words of a decision.
const DECIDES: &[&str] = &[
    "decided",
    "decision",
    "we'll use",
    "we will use",
    "let's use",
    "let's go with",
    "go with",
    "going with",
    "instead of",
    "rather than",
    "agreed",
    "settled on",
    "stick with",
    "we chose",
    "i chose",
    "opted for",
    "entschieden",
    "beschlossen",
    "nehmen wir",
    "wir nehmen",
    "anstatt",
    "décidé",
    "plutôt que",
    "decidido",
    "en lugar de",
    "deciso",
    "besloten",
    "решили",
    "决定",
    "采用",
    "改用",
    "ことにし",
];
/// Words of what is only thought about.
const HEDGES: &[&str] = &[
    "should we",
    "could ",
    "might ",
    "maybe",
    "would you",
    "what if",
    "vielleicht",
];

/// A statement that a summary ought to have.
pub(super) struct Statement {
    pub text: String,
    pub entry: EntryId,
}

/// Sentences in which something was decided, oldest first.
pub(super) fn decisions(messages: &[SaidMessage]) -> Vec<Statement> {
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    for said in messages {
        if !said.is_typed && !matches!(said.message.as_ref(), Message::Assistant(_)) {
            continue;
        }
        let text = said.message.text();
        texts::each_sentence(excerpt::head(&text, READ_CHARS), &mut |sentence| {
            let sentence = without_mark(sentence);
            let lower = sentence.to_lowercase();
            let has = |cues: &[&str]| cues.iter().any(|cue| lower.contains(cue));
            let is_question = sentence.ends_with(['?', '？']);
            let is_sized = SENTENCE_CHARS.contains(&sentence.chars().count());
            let counts = is_sized && !is_question && has(DECIDES) && !has(HEDGES);
            if counts && redact::find(sentence).is_empty() && seen.insert(lower) {
                out.push(Statement {
                    text: sentence.to_owned(),
                    entry: said.entry.clone(),
                });
            }
        });
    }
    let surplus = out.len().saturating_sub(MAX_DECISIONS);
    out.drain(..surplus);
    out
}

fn without_mark(line: &str) -> &str {
    let line = line.trim_start_matches(['-', '*', '•', '>', '#', ' ']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or(line);
    match rest.strip_prefix(". ") {
        Some(item) if digits > 0 => item.trim(),
        _ => line.trim(),
    }
}

/// The open steps of the newest list: of a planning tool, else the boxes of a message.
pub(super) fn open_steps(messages: &[SaidMessage]) -> Vec<Statement> {
    for said in messages.iter().rev() {
        let Some(steps) = steps_of(said) else {
            continue;
        };
        let clean = steps
            .into_iter()
            .filter(|step| redact::find(step).is_empty());
        let statement = |text: String| Statement {
            text,
            entry: said.entry.clone(),
        };
        return clean.take(MAX_STEPS).map(statement).collect();
    }
    Vec::new()
}

/// The open steps of a message that has a list of steps.
fn steps_of(said: &SaidMessage) -> Option<Vec<String>> {
    match said.message.as_ref() {
        Message::ToolResult(result) => listed(result),
        Message::Assistant(assistant) => {
            let planned = assistant
                .tool_calls()
                .filter_map(|call| planned(&call.arguments));
            planned.last().or_else(|| boxes(&assistant.text()))
        }
        Message::User(_) => boxes(&said.message.text()),
        Message::BashExecution(_) => None,
    }
}

fn listed(result: &ToolResult) -> Option<Vec<String>> {
    let list = TodoList::from_details(result.details.as_ref()?)?;
    let open = list
        .items
        .into_iter()
        .filter(|item| item.state != TodoState::Done);
    Some(open.map(|item| item.text).collect())
}

/// The list in the arguments of a planning tool, whatever it is called.
fn planned(arguments: &Value) -> Option<Vec<String>> {
    let list = ["todos", "plan", "tasks", "steps"]
        .iter()
        .find_map(|name| arguments.get(*name)?.as_array())?;
    let text = |item: &Value, names: &[&str]| {
        names
            .iter()
            .find_map(|name| Some(item.get(*name)?.as_str()?.to_owned()))
    };
    let mut out = Vec::new();
    for item in list {
        let step = text(item, &["content", "step", "text", "title", "task"])?;
        let state = text(item, &["status", "state"])?;
        if !["completed", "done", "cancelled"].contains(&state.as_str()) {
            out.push(step);
        }
    }
    Some(out)
}

fn boxes(text: &str) -> Option<Vec<String>> {
    let mut any = false;
    let mut open = Vec::new();
    for line in text.lines() {
        let line = line
            .trim_start()
            .trim_start_matches(['-', '*', '+'])
            .trim_start();
        if let Some(step) = line.strip_prefix("[ ] ") {
            any = true;
            open.push(step.trim().to_owned());
        }
        any |= line.starts_with("[x] ") || line.starts_with("[X] ");
    }
    any.then_some(open)
}

/// The newest thing that a person asked.
pub(super) fn newest_ask(messages: &[SaidMessage]) -> Option<Statement> {
    let said = messages
        .iter()
        .rev()
        .find(|said| said.is_typed && !said.message.text().trim().is_empty())?;
    let text = said.message.text();
    let ask = excerpt::head(text.trim(), ASK_CHARS);
    redact::find(ask).is_empty().then(|| Statement {
        text: ask.to_owned(),
        entry: said.entry.clone(),
    })
}

/// A number that was said, and where last.
pub(super) struct SaidQuantity {
    pub quantity: Quantity,
    pub entry: EntryId,
    uses: usize,
    is_typed: bool,
}

/// Numbers with units that a person wrote, or that were said more than once; oldest first.
pub(super) fn said_quantities(messages: &[SaidMessage]) -> Vec<SaidQuantity> {
    let mut out: Vec<SaidQuantity> = Vec::new();
    for said in messages {
        if !said.is_typed && !matches!(said.message.as_ref(), Message::Assistant(_)) {
            continue;
        }
        let text = said.message.text();
        for quantity in quantities::quantities(excerpt::head(&text, READ_CHARS)) {
            let known = out.iter().position(|it| it.quantity.is_exactly(&quantity));
            let mut now = SaidQuantity {
                quantity,
                entry: said.entry.clone(),
                uses: 1,
                is_typed: said.is_typed,
            };
            if let Some(at) = known {
                let before = out.remove(at);
                now.uses += before.uses;
                now.is_typed |= before.is_typed;
            }
            out.push(now);
        }
        let surplus = out.len().saturating_sub(MAX_QUANTITIES * 20);
        out.drain(..surplus);
    }
    out.retain(|it| it.is_typed || it.uses > 1);
    let surplus = out.len().saturating_sub(MAX_QUANTITIES);
    out.drain(..surplus);
    out
}

/// Whether a text has a statement as it was said.
pub(super) fn is_verbatim(folded_text: &str, statement: &str) -> bool {
    let wanted = folded(statement);
    !wanted.is_empty() && folded_text.contains(&wanted)
}
