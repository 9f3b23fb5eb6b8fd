//! Summaries that models really hand in when they misbehave, and good ones: every file of
//! `tests/data/misbehaviour` is read. A bad one is refused or labelled whoever asked for it, a
//! good one is neither.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll::context::AuditSettings;
use plimsoll::context::audit::{self, LatestAsk, RuleCarrier, RuleDemand};
use plimsoll::context::ruler::{Bpe, Ruler};
use plimsoll::context::rules::RuleBook;
use plimsoll::context::summary::{
    FailureMode, KeptContext, Reply, SourceMessage, Summariser, SummaryJob, SummaryResult,
    SummaryStep, SummaryTaker,
};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Encoding, Entry, EntryBody, EntryId, Message, Part,
    StopReason, SummaryCheck, Timestamp, ToolCall, ToolResult, Transcript, Usage,
};
use serde::Deserialize;

use crate::figures;

/// Bad summaries in which every word was said: who wants what, what is open, which rule holds or
/// what was done is told the wrong way round. Only a reader of both tells.
const TOLD_BY_A_READER_ONLY: [&str; 12] = [
    "decision_reversed-11-blind4",
    "extra_asks_invented-11-blind4",
    "newest-ask-altered-38-blind5",
    "newest_ask_inverted-10-blind4",
    "one_rule_reversed-09-blind3",
    "repaired_and_open_swapped-12-blind4",
    "rule-reversed-11-blind5",
    "rule-softened-24-blind5",
    "rule_expired-11-blind4",
    "rules_turned_round-12-blind4",
    "stale_ask_as_newest-09-blind3",
    "success_claimed_for_failure-11-blind4",
];
/// A good summary that tells the newest ask in none of its words. The program keeps that ask word
/// for word beside any summary.
const ASK_IN_OTHER_WORDS: &str = "good_rules_paraphrased-10-blind4";

#[derive(Deserialize)]
struct Source {
    id: String,
    messages: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    role: String,
    text: String,
    #[serde(default)]
    call: String,
    #[serde(default)]
    calls: Vec<Call>,
    #[serde(default)]
    error: bool,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    name: String,
    arguments: serde_json::Value,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    source: String,
    good: bool,
    text: String,
    #[serde(default)]
    previous: Option<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/misbehaviour")
}

/// The files of the set with this ending, sorted.
fn files(ending: &str) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder()).unwrap();
    let paths = found.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == ending))
        .collect();
    paths.sort();
    paths
}

fn message(said: &Said) -> Message {
    match said.role.as_str() {
        "user" => Message::user_text(said.text.clone()),
        "assistant" => {
            let text = AssistantPart::Text(said.text.clone());
            let calls = said.calls.iter().map(|call| {
                AssistantPart::ToolCall(ToolCall {
                    id: call.id.clone(),
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                    malformed: None,
                })
            });
            Message::Assistant(AssistantMessage {
                content: std::iter::once(text).chain(calls).collect(),
                ..AssistantMessage::default()
            })
        }
        _ => Message::ToolResult(ToolResult {
            call_id: said.call.clone(),
            is_error: said.error,
            content: vec![Part::Text(said.text.clone())],
            ..ToolResult::default()
        }),
    }
}

/// A conversation with its standing rules, ready to be summarised as a whole.
struct Talk {
    id: String,
    messages: Vec<SourceMessage>,
    rules: Vec<RuleDemand>,
}

impl Talk {
    fn read(path: &Path, ruler: Bpe) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let source: Source = serde_json::from_str(&text).unwrap();
        let mut transcript = Transcript::default();
        let mut messages = Vec::new();
        for (index, said) in source.messages.iter().enumerate() {
            let message = Arc::new(message(said));
            let id = EntryId::new(format!("m{index:03}"));
            let entry = Entry {
                id: id.clone(),
                parent: transcript.leaf().cloned(),
                timestamp: Timestamp(0),
                body: EntryBody::Message(Arc::clone(&message)),
            };
            let _ = transcript.push(Arc::new(entry));
            messages.push(SourceMessage {
                entry: id,
                tokens: ruler.message_tokens(&message),
                message,
            });
        }
        let book = RuleBook::of(&transcript);
        let demands = book.active().map(|rule| RuleDemand {
            text: rule.text.clone(),
            carrier: RuleCarrier::Block,
        });
        Self {
            id: source.id,
            rules: demands.collect(),
            messages,
        }
    }

    fn job(&self, case: &Case, taker: SummaryTaker, ruler: Bpe) -> SummaryJob {
        let users = self.messages.iter().rev();
        let ask = users
            .into_iter()
            .find(|source| matches!(source.message.as_ref(), Message::User(_)));
        SummaryJob {
            previous_summary: case.previous.clone(),
            ask: ask.map(|source| LatestAsk {
                text: source.message.text(),
                entry: Some(source.entry.clone()),
                in_tail: false,
            }),
            kept: KeptContext {
                rules: self.rules.clone(),
                ..KeptContext::default()
            },
            taker,
            on_failure: FailureMode::Cancel,
            // The same text comes again: asking again changes nothing.
            audit: AuditSettings {
                retries: 0,
                ..AuditSettings::default()
            },
            ..SummaryJob::new(
                self.messages.clone(),
                Arc::new(move |text: &str| ruler.text_tokens(text)),
            )
        }
    }
}

/// What becomes of a text that is handed in again and again.
fn outcome(job: SummaryJob, text: &str) -> Result<SummaryResult, String> {
    let mut machine = Summariser::new(job);
    let mut step = machine.start();
    let mut asked = 0;
    loop {
        match step {
            SummaryStep::Done(result) => return Ok(*result),
            SummaryStep::Failed(failure) => return Err(failure.message),
            SummaryStep::Ask(_) => {}
        }
        asked += 1;
        assert!(asked < 10, "it never ends");
        step = machine.on_reply(Reply::Answer {
            text: text.to_owned(),
            stop: StopReason::Stop,
            had_tool_call: false,
            usage: Usage::default(),
        });
    }
}

/// Findings that tell a reader more than that something was missing and was put in.
const LABELS: [&str; 8] = [
    audit::ALTERED_IDENTIFIER,
    audit::ASK_NOT_REFLECTED,
    audit::TOO_LONG,
    audit::NOT_ENDED,
    audit::PARTLY_WRONG_LANGUAGE,
    audit::UNGROUNDED,
    audit::FAILURES_NOT_TOLD,
    audit::RULES_NOT_TOLD,
];

/// What a stored summary says against itself; empty when nothing.
fn labels(result: &SummaryResult) -> Vec<String> {
    let reasons = result.audit.reasons.iter();
    let mut labels: Vec<String> = reasons
        .filter(|reason| LABELS.contains(&reason.as_str()))
        .cloned()
        .collect();
    if result.degraded {
        labels.push(format!("degraded {}%", result.written.lacking_percent));
    }
    labels
}

/// What the set made of it.
#[derive(Default)]
struct Tally {
    runs: usize,
    /// Bad ones without a word, and good ones with one.
    wrong: Vec<String>,
    good: usize,
    struck: usize,
    marked: usize,
}

impl Tally {
    fn count(&mut self, case: &Case, talk: &Talk, taker: SummaryTaker, ruler: Bpe) {
        self.runs += 1;
        let got = outcome(talk.job(case, taker, ruler), &case.text);
        let told = match &got {
            Ok(result) => labels(result),
            Err(why) => vec![why.clone()],
        };
        if !case.good {
            if told.is_empty() && !TOLD_BY_A_READER_ONLY.contains(&case.id.as_str()) {
                self.wrong.push(format!("{} {taker:?}", case.id));
            }
            return;
        }
        self.good += 1;
        // What is struck or marked in a good text is counted, and so little that it passes.
        let is_reworded = case.id == ASK_IN_OTHER_WORDS;
        let is_expected = |label: &str| {
            label == audit::UNGROUNDED || is_reworded && label == audit::ASK_NOT_REFLECTED
        };
        if !told.iter().all(|label| is_expected(label)) {
            self.wrong.push(format!("{} {taker:?}: {told:?}", case.id));
        }
        let ungrounded = got.map_or_else(|_| Vec::new(), |result| result.ungrounded);
        for claim in &ungrounded {
            figures::show(format!("{} {taker:?}: {claim:?}", case.id));
        }
        let struck = ungrounded.iter().filter(|claim| claim.is_struck).count();
        self.struck += struck;
        self.marked += ungrounded.len() - struck;
    }
}

#[test]
fn a_bad_summary_that_a_person_asks_for_is_refused_or_labelled_and_a_good_one_is_neither() {
    judge_all(SummaryTaker::Requester, 0);
}

#[test]
fn a_bad_summary_that_the_program_wants_is_refused_or_labelled_and_a_good_one_is_neither() {
    judge_all(SummaryTaker::Program, 1);
}

/// Judges every second text: those whose number, divided by two, leaves `rest`. What the takers
/// do with a text differs only in the end, and both would take three minutes.
fn judge_all(taker: SummaryTaker, rest: usize) {
    let ruler = Bpe::new(Encoding::O200k);
    let talks: Vec<Talk> = files("json")
        .iter()
        .map(|path| Talk::read(path, ruler))
        .collect();
    let mut tally = Tally::default();
    for file in files("jsonl") {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            if number % 2 != rest {
                continue;
            }
            let case: Case = serde_json::from_str(line).unwrap();
            let talk = talks.iter().find(|talk| talk.id == case.source).unwrap();
            tally.count(&case, talk, taker, ruler);
        }
    }
    let Tally {
        runs,
        wrong,
        good,
        struck,
        marked,
    } = tally;
    figures::show(format!(
        "{runs} runs; {good} of good texts: {struck} claims struck, {marked} marked"
    ));
    assert!(
        wrong.is_empty(),
        "{} of {runs}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        struck * 10 <= good && marked <= good,
        "{struck} {marked} of {good}"
    );
}

#[test]
fn an_ask_that_is_neither_kept_nor_told_is_crossed_in_the_words_of_the_audit() {
    let ruler = Bpe::new(Encoding::O200k);
    let talks: Vec<Talk> = files("json")
        .iter()
        .map(|path| Talk::read(path, ruler))
        .collect();
    let mut seen = 0;
    for file in files("jsonl") {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let case: Case = serde_json::from_str(line).unwrap();
            let is_terse = case.id.starts_with("good_terse");
            if !case.id.starts_with("no_newest_ask") && !is_terse {
                continue;
            }
            let talk = talks.iter().find(|talk| talk.id == case.source).unwrap();
            for in_tail in [false, true] {
                let mut job = talk.job(&case, SummaryTaker::Requester, ruler);
                if let Some(ask) = &mut job.ask {
                    ask.in_tail = in_tail;
                }
                let check = SummaryCheck {
                    audit: Some(outcome(job, &case.text).unwrap().audit),
                    ..SummaryCheck::default()
                };
                let words = check.in_words();
                let expected = match (in_tail, is_terse) {
                    (true, _) => "ask kept verbatim",
                    (false, true) => "ask ✓",
                    (false, false) => "ask ✗",
                };
                assert!(words.contains(expected), "{}: {words}", case.id);
                seen += 1;
            }
        }
    }
    assert!(seen >= 8, "{seen}");
}
