//! What of the identifiers of a session its summary keeps, measured with expressions that
//! the program does not use: in sessions made here, and in the ones that come with it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use plimsoll::context::ruler::{Approximate, Ruler};
use plimsoll::context::summary::{
    self, SourceMessage, SummaryBackground, SummaryJob, SummaryResult,
};
use plimsoll::session::load;
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, EntryId, IdentifierDemand, Message, Part, ToolCall, ToolResult,
};

use crate::figures;
use regex::Regex;

/// Paths, links, hashes, tickets; and the names that code gives things.
struct Extractor {
    hard: Regex,
    symbols: Regex,
}

impl Extractor {
    fn new() -> Self {
        let hard = r"https?://[^\s)>'\x22`]+[a-z0-9/]|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[A-Z]{2,6}-[0-9]{1,5}\b|\b(?:[\w.-]+/)+[\w-]+\.[a-z]{1,4}\b|\b[0-9a-f]{9,40}\b";
        let symbols = r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b";
        Self {
            hard: Regex::new(hard).unwrap(),
            symbols: Regex::new(symbols).unwrap(),
        }
    }

    fn hard(&self, text: &str) -> BTreeSet<String> {
        // A file is the same file by its last two names.
        let found = self.hard.find_iter(text).map(|hit| hit.as_str());
        found.map(ending).collect()
    }

    fn all(&self, text: &str) -> BTreeSet<String> {
        let mut out = self.hard(text);
        out.extend(
            self.symbols
                .find_iter(text)
                .map(|hit| hit.as_str().to_owned()),
        );
        out
    }
}

fn ending(text: &str) -> String {
    if text.contains("://") {
        return text.to_owned();
    }
    let names: Vec<&str> = text.rsplit('/').take(2).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("/")
}

fn source(id: usize, message: Message) -> SourceMessage {
    SourceMessage {
        entry: EntryId::new(format!("e{id:05}")),
        tokens: Approximate.message_tokens(&message),
        message: Arc::new(message),
    }
}

fn job(messages: &[SourceMessage]) -> SummaryJob {
    SummaryJob::new(
        messages.to_vec(),
        Arc::new(|text: &str| Approximate.text_tokens(text)),
    )
}

fn text_of(message: &Message) -> String {
    let mut text = message.text();
    if let Message::Assistant(assistant) = message {
        for call in assistant.tool_calls() {
            let _ = write!(text, "\n{}", call.arguments);
        }
    }
    text
}

fn said(messages: &[SourceMessage]) -> String {
    let all = messages.iter().map(|it| text_of(&it.message));
    all.collect::<Vec<_>>().join("\n")
}

/// What persons and models said themselves, in calls as well.
fn spoken(messages: &[SourceMessage]) -> String {
    let own = messages
        .iter()
        .filter(|it| !matches!(*it.message, Message::ToolResult(_)));
    own.map(|it| text_of(&it.message) + "\n").collect()
}

/// Numbers in an order that nobody chose, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    /// Small numbers more often than large ones: most work is on few things.
    fn skewed(&mut self, most: usize) -> usize {
        let (one, two) = (self.below(most), self.below(most));
        self.below(one.min(two) + 1)
    }
}

const VERBS: [&str; 12] = [
    "parse", "flush", "merge", "rename", "encode", "lock", "trim", "count", "split", "route",
    "bind", "render",
];
const NOUNS: [&str; 12] = [
    "token", "batch", "spool", "cursor", "ledger", "frame", "shard", "lease", "packet", "queue",
    "index", "anchor",
];

/// A coding session of so many turns: tickets, reads with long results, edits, talk; the work
/// moves on from file to file and comes back.
fn made_session(seed: u64, turns: usize) -> Vec<SourceMessage> {
    let mut dice = Dice(seed);
    let name = |n: usize| {
        let (verb, noun) = (VERBS[n % 12], NOUNS[n / 12 % 12]);
        match n % 3 {
            0 => format!("{verb}_{noun}{}", n / 144),
            1 => format!("{}{}", capital(noun), capital(verb)),
            _ => format!("{verb}{}", capital(noun)),
        }
    };
    let file = |n: usize| format!("src/{}/{}.rs", NOUNS[n % 12], VERBS[n / 3 % 12]);
    let mut out = Vec::new();
    for turn in 0..turns {
        let focus = turn / 4;
        let ticket = format!("ENT-{}", 100 + focus);
        let path = file(focus + dice.skewed(4));
        out.push(Message::user_text(format!(
            "Go on with {ticket}: {} must not block.",
            name(focus * 2)
        )));
        for step in 0..=dice.below(3) {
            let id = format!("c{turn}-{step}");
            let edits = dice.below(2) == 0;
            let symbols: Vec<String> = (0..3).map(|_| name(focus * 2 + dice.skewed(9))).collect();
            let arguments = if edits {
                serde_json::json!({"path": path, "oldText": symbols[0], "newText": format!("{}({})", symbols[1], symbols[0])})
            } else {
                serde_json::json!({"path": format!("/repo/app/{path}")})
            };
            let talk = format!(
                "I look at `{}` in {path}; {} calls it.",
                symbols[0], symbols[2]
            );
            out.push(Message::Assistant(AssistantMessage {
                content: vec![
                    AssistantPart::Text(talk),
                    AssistantPart::ToolCall(ToolCall {
                        id: id.clone(),
                        name: if edits { "edit" } else { "read" }.to_owned(),
                        arguments,
                        malformed: None,
                    }),
                ],
                ..AssistantMessage::default()
            }));
            let body: Vec<String> = (0..30)
                .map(|line| {
                    format!(
                        "    let v{line} = {}(&input, {line});\n",
                        name(dice.below(700))
                    )
                })
                .collect();
            out.push(Message::ToolResult(ToolResult {
                call_id: id,
                tool_name: if edits { "edit" } else { "read" }.to_owned(),
                content: vec![Part::Text(if edits {
                    "ok".to_owned()
                } else {
                    body.concat()
                })],
                is_error: false,
                details: None,
            }));
        }
    }
    out.into_iter()
        .enumerate()
        .map(|(n, message)| source(n, message))
        .collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What a summary of the first part kept of it.
#[derive(Debug, Default)]
struct Kept {
    hard: (usize, usize),
    symbols: (usize, usize),
    /// Of what the later messages name and the last ones before them do not.
    needed: (usize, usize),
    list_percent: usize,
    list_chars: usize,
}

const TAIL: usize = 12;

fn kept_of(messages: &[SourceMessage]) -> Kept {
    let extractor = Extractor::new();
    let cut = messages.len() * 6 / 10;
    let tail = cut.saturating_sub(TAIL);
    let job = SummaryJob {
        background: SummaryBackground {
            kept: messages[tail..cut].to_vec(),
            ..SummaryBackground::default()
        },
        ..job(&messages[..tail])
    };
    let result = summary::extract(&job);
    let before = said(&messages[..tail]);
    let beside = said(&messages[tail..cut]);
    let after = spoken(&messages[cut..(cut + 60).min(messages.len())]);
    let there = |text: &BTreeSet<String>, id: &String| text.contains(id);
    let in_summary = extractor.all(&result.summary);
    let in_tail = extractor.all(&beside);
    let count = |ids: &BTreeSet<String>| {
        let kept = ids
            .iter()
            .filter(|id| there(&in_summary, id) || there(&in_tail, id));
        (kept.count(), ids.len())
    };
    let named = spoken(&messages[..tail]);
    let hard = extractor.hard(&named);
    let symbols = extractor.all(&named).difference(&hard).cloned().collect();
    let needed: BTreeSet<String> = extractor
        .all(&after)
        .into_iter()
        .filter(|id| extractor.all(&before).contains(id) && !in_tail.contains(id))
        .collect();
    let served = needed.iter().filter(|id| in_summary.contains(*id)).count();
    let list = list_of(&result.summary);
    let list_chars = list.chars().count();
    Kept {
        hard: count(&hard),
        symbols: count(&symbols),
        needed: (served, needed.len()),
        list_percent: list_chars * 100 / result.summary.chars().count().max(1),
        list_chars,
    }
}

fn list_of(summary: &str) -> &str {
    let (_, rest) = summary
        .split_once("## Exact identifiers\n")
        .unwrap_or_default();
    rest.split("\n## ").next().unwrap_or_default()
}

#[test]
fn a_summary_keeps_most_of_what_the_session_goes_on_to_need() {
    let mut sum = (0, 0);
    for seed in 1..=6 {
        let kept = kept_of(&made_session(seed, 60));
        figures::show(format!("made {seed}: {kept:?}"));
        assert!(
            kept.list_percent <= 26 || kept.list_chars <= 1_000,
            "{kept:?}"
        );
        assert!(kept.hard.0 * 10 >= kept.hard.1 * 9, "{kept:?}");
        assert!(kept.symbols.0 * 3 >= kept.symbols.1, "{kept:?}");
        assert!(kept.list_chars <= 4_000, "{kept:?}");
        sum = (sum.0 + kept.needed.0, sum.1 + kept.needed.1);
    }
    figures::show(format!("needed {sum:?}"));
    assert!(sum.1 > 20 && sum.0 * 2 >= sum.1, "{sum:?}");
}

#[test]
fn the_list_of_the_coding_session_is_a_quarter_of_its_summary_at_most() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures/coding-session.jsonl");
    let messages = loaded(&file);
    let result = summary::extract(&job(&messages));
    let list = list_of(&result.summary).chars().count();
    let all = result.summary.chars().count();
    assert!(list * 4 <= all + 4, "{list} of {all}\n{}", result.summary);
    assert!(list > 200, "{}", result.summary);
}

/// A model that forgets: of the list it keeps every third line, of the rest the headings.
fn lossy(result: &SummaryResult) -> String {
    let lines = result.summary.lines().enumerate();
    let kept = lines.filter(|(n, line)| line.starts_with('#') || n % 3 == 0);
    kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_the_user_wrote_is_all_there_after_the_fifth_compaction() {
    let extractor = Extractor::new();
    let mut typed = BTreeSet::new();
    let mut previous: Option<(String, Vec<IdentifierDemand>)> = None;
    let mut text = String::new();
    for round in 0..5_usize {
        let asks: Vec<String> = (0..14)
            .map(|n| format!("also ENT-{round}{n:02} in lib/unit{round}/case{n}.py\n"))
            .collect();
        let asks = asks.concat();
        if round < 3 {
            typed.extend(extractor.hard(&asks));
        }
        let mut messages = made_session(40 + round as u64, 12);
        if round < 3 {
            messages.insert(3, source(900 + round, Message::user_text(asks)));
        }
        let (summary, demands) = previous.take().unzip();
        let result = summary::extract(&SummaryJob {
            previous_summary: summary,
            background: SummaryBackground {
                demands: demands.unwrap_or_default(),
                ..SummaryBackground::default()
            },
            ..job(&messages)
        });
        text.clone_from(&result.summary);
        previous = Some((lossy(&result), result.demands));
    }
    let there = extractor.hard(&text);
    let lost: Vec<&String> = typed.iter().filter(|id| !there.contains(*id)).collect();
    assert!(
        typed.len() > 80 && lost.is_empty(),
        "lost {lost:?} of {}\n{text}",
        typed.len()
    );
}

fn loaded(file: &Path) -> Vec<SourceMessage> {
    let loaded = load(file).unwrap();
    let branch = loaded.transcript.branch();
    let messages = branch.iter().filter_map(|entry| entry.message().cloned());
    messages
        .enumerate()
        .map(|(n, message)| source(n, Message::clone(&message)))
        .collect()
}
