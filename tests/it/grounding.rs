//! Fictions, true sentences and whole summaries against the conversations that they are
//! said to stand for. Every `cases-*.jsonl` below `tests/data/fictions` and every
//! `summaries-*.jsonl` below `tests/data/misbehaviour` is read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll::context::grounding::{
    Claim, ClaimClass, GroundingSources, SourceIndex, Worthless, check_with, strike, worthless,
};
use plimsoll::context::summary::{SourceMessage, SummaryJob, extract};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, EntryId, Message, Part, ToolCall, ToolResult,
};
use serde_json::Value;

use crate::figures;

/// Fictions in which every word was said, of something else: a number of another thing, what
/// somebody else did, what was only planned or taken back. Only a reader of both tells.
const TOLD_BY_A_READER_ONLY: [&str; 23] = [
    "b5-s17-f04-p95-swap",
    "b5-s17-f06-refund-58",
    "b5-s17-f07-release-24",
    "b5-s17-f08-hendrik-token",
    "b5-s18-f02-mb-strlen",
    "b5-s18-f15-dxf",
    "b5-s18-f18-dir-deleted",
    "b5-s19-f03-package-version",
    "b5-s19-f05-vox-28",
    "b5-s19-f06-two-sets",
    "b5-s19-f07-token-date",
    "b5-s19-f08-author-ines",
    "b5-s19-f13-pr-238",
    "b5-s19-f17-x86-bench",
    "b5-s19-f18-ordered",
    "b5-s20-f05-nat-55",
    "b5-s20-f06-endpoint-money",
    "b5-s20-f07-prod-date",
    "b5-s20-f08-vcpus-sefa",
    "b5-s20-f13-met-255",
    "b5-s20-f16-forced-lock",
    "b5-s20-f17-agent-ticket",
    "b5-s20-f18-grid-fallback",
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn text_of<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn messages(folder_name: &str, source: &str) -> Vec<SourceMessage> {
    let path = folder(folder_name).join(format!("{source}.json"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let list = file["messages"].as_array().unwrap();
    let calls = list
        .iter()
        .filter_map(|message| message["calls"].as_array());
    let tools: std::collections::BTreeMap<&str, &str> = calls
        .flatten()
        .map(|call| (text_of(call, "id"), text_of(call, "name")))
        .collect();
    let messages = list
        .iter()
        .enumerate()
        .map(|(number, message)| SourceMessage {
            entry: EntryId::new(format!("m{number}")),
            message: Arc::new(message_of(message, &tools)),
            tokens: 1,
        });
    messages.collect()
}

fn message_of(message: &Value, tools: &std::collections::BTreeMap<&str, &str>) -> Message {
    let text = text_of(message, "text").to_owned();
    match text_of(message, "role") {
        "user" => Message::user_text(text),
        "tool" => Message::ToolResult(ToolResult {
            call_id: text_of(message, "call").to_owned(),
            tool_name: tools
                .get(text_of(message, "call"))
                .map_or_else(String::new, |name| (*name).to_owned()),
            content: vec![Part::Text(text)],
            is_error: message["error"].as_bool().unwrap_or(false),
            details: None,
        }),
        _ => {
            let calls = message["calls"].as_array().cloned().unwrap_or_default();
            let calls = calls.into_iter().map(|call| {
                AssistantPart::ToolCall(ToolCall {
                    id: text_of(&call, "id").to_owned(),
                    name: text_of(&call, "name").to_owned(),
                    arguments: call["arguments"].clone(),
                    malformed: None,
                })
            });
            Message::Assistant(AssistantMessage {
                content: std::iter::once(AssistantPart::Text(text))
                    .chain(calls)
                    .collect(),
                ..AssistantMessage::default()
            })
        }
    }
}

/// The names, without their extensions, of the files of a folder that start so, sorted.
fn file_names(folder_name: &str, prefix: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder(folder_name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(prefix))
        .collect();
    names.sort();
    names
}

fn rows(folder_name: &str, prefix: &str) -> Vec<Value> {
    let files = file_names(folder_name, prefix);
    let texts = files
        .iter()
        .map(|name| folder(folder_name).join(format!("{name}.jsonl")))
        .map(|path| std::fs::read_to_string(path).unwrap());
    let lines: Vec<String> = texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn shown(claims: &[&Claim]) -> String {
    let parts = claims
        .iter()
        .map(|claim| format!("{}:{}", claim.class.name(), claim.text));
    parts.collect::<Vec<_>>().join(" · ")
}

#[test]
fn fictions_are_found_and_true_sentences_stay() {
    let cases = rows("fictions", "cases-");
    let (mut fictions, mut found, mut truths, mut struck, mut marks) = (0, 0, 0, 0, 0);
    let (mut rests, mut kept_rests) = (0, 0);
    let mut missed = 0;
    let mut complaints = Vec::new();
    for case in &cases {
        let messages = messages("fictions", text_of(case, "source"));
        let sources = GroundingSources {
            messages: &messages,
            ..GroundingSources::default()
        };
        let index = SourceIndex::of(sources);
        let sentence = text_of(case, "sentence");
        let is_row = sentence.starts_with('|');
        let summary = if is_row {
            format!("## Progress\n{sentence}\n")
        } else {
            format!("## Progress\n- {sentence}\n")
        };
        let grounding = check_with(&index, &summary);
        let bad: Vec<&Claim> = grounding.ungrounded().collect();
        let id = text_of(case, "id");
        if text_of(case, "verdict") == "fiction" {
            fictions += 1;
            let tokens = case["tokens"].as_array().unwrap();
            let hits = tokens.iter().filter_map(Value::as_str).any(|token| {
                bad.iter()
                    .any(|claim| token.contains(&claim.text) || claim.text.contains(token))
            });
            found += usize::from(!bad.is_empty());
            if bad.is_empty() {
                missed += usize::from(!TOLD_BY_A_READER_ONLY.contains(&id));
                let all: Vec<&Claim> = grounding.claims.iter().collect();
                complaints.push(format!(
                    "MISSED {id}: {sentence} [{}] {:?}",
                    shown(&all),
                    grounding
                        .claims
                        .iter()
                        .map(|c| &c.source)
                        .collect::<Vec<_>>()
                ));
            } else if !hits {
                complaints.push(format!("ELSEWHERE {id}: {sentence} [{}]", shown(&bad)));
            }
            if let Some(rest) = case["rest_true"].as_str() {
                rests += 1;
                let text = strike(&summary, &grounding).text;
                kept_rests += usize::from(text.contains(rest));
                if !text.contains(rest) {
                    complaints.push(format!(
                        "REST {id}: {sentence} [{}] → {text:?}",
                        shown(&bad)
                    ));
                }
            }
        } else {
            truths += 1;
            let is_struck = bad.iter().any(|claim| claim.class.is_hard());
            struck += usize::from(is_struck);
            marks += usize::from(!is_struck && !bad.is_empty());
            if !bad.is_empty() {
                complaints.push(format!("TRUE {id}: {sentence} [{}]", shown(&bad)));
            }
        }
    }
    let figures = format!(
        "fictions found {found}/{fictions}; true sentences struck {struck}/{truths}, marked {marks}; true rests kept {kept_rests}/{rests}"
    );
    figures::show(format!("{figures}\n{}", complaints.join("\n")));
    // One in a hundred may be missed: verbs and counts have no end.
    assert!(
        missed * 100 <= fictions,
        "{figures}\n{}",
        complaints.join("\n")
    );
    assert!(struck * 40 <= truths && marks * 20 <= truths, "{figures}");
}

#[test]
fn ordinary_summaries_keep_their_sentences() {
    let (mut struck, mut marks, mut claims) = (0, 0, 0);
    let mut complaints = Vec::new();
    let mut summaries: Vec<(String, String, Vec<SourceMessage>)> = Vec::new();
    for name in file_names("fictions", "good-") {
        // `good-11b` is the second good summary of `source-11`.
        let number = name.trim_matches(|c: char| !c.is_ascii_digit());
        let text = std::fs::read_to_string(folder("fictions").join(format!("{name}.md"))).unwrap();
        let messages = messages("fictions", &format!("source-{number}"));
        summaries.push((name, text, messages));
    }
    for row in rows("misbehaviour", "summaries-") {
        if row["good"].as_bool() == Some(true) && row["previous"].is_null() {
            let messages = messages("misbehaviour", text_of(&row, "source"));
            summaries.push((
                text_of(&row, "id").to_owned(),
                text_of(&row, "text").to_owned(),
                messages,
            ));
        }
    }
    for (name, text, messages) in &summaries {
        let sources = GroundingSources {
            messages,
            ..GroundingSources::default()
        };
        let grounding = check_with(&SourceIndex::of(sources), text);
        claims += grounding.claims.len();
        let bad: Vec<&Claim> = grounding.ungrounded().collect();
        let hard_lines: std::collections::BTreeSet<usize> = bad
            .iter()
            .filter(|claim| claim.class.is_hard())
            .map(|claim| claim.line)
            .collect();
        struck += hard_lines.len();
        marks += bad.iter().filter(|claim| !claim.class.is_hard()).count();
        for claim in bad {
            let line = text.lines().nth(claim.line).unwrap_or_default();
            complaints.push(format!(
                "{name} [{}:{}] {line}",
                claim.class.name(),
                claim.text
            ));
        }
    }
    let figures = format!(
        "{} summaries, {claims} claims: {struck} true lines struck, {marks} marks",
        summaries.len()
    );
    figures::show(format!("{figures}\n{}", complaints.join("\n")));
    assert!(
        struck * 10 <= summaries.len() && marks <= summaries.len(),
        "{figures}\n{}",
        complaints.join("\n")
    );
}

#[test]
fn texts_about_something_else_are_refused() {
    let mut complaints = Vec::new();
    let (mut refused, mut wanted) = (0, 0);
    for row in rows("misbehaviour", "summaries-") {
        let messages = messages("misbehaviour", text_of(&row, "source"));
        let sources = GroundingSources {
            messages: &messages,
            previous: row["previous"].as_str(),
            texts: &[],
        };
        let verdict: Option<Worthless> = worthless(text_of(&row, "text"), sources);
        let id = text_of(&row, "id");
        let is_good = row["good"].as_bool() == Some(true);
        let must = text_of(&row, "expect") == "refused";
        wanted += usize::from(must);
        refused += usize::from(must && verdict.is_some());
        if is_good && verdict.is_some() || must && verdict.is_none() {
            complaints.push(format!("{id}: {verdict:?}"));
        }
        if !is_good && !must {
            figures::show(format!("labelled {id}: {verdict:?}"));
        }
    }
    let figures = format!("refused {refused}/{wanted}\n{}", complaints.join("\n"));
    figures::show(&figures);
    assert!(complaints.is_empty(), "{figures}");
}

#[test]
fn few_words_tell_a_talk_that_says_the_same_again_and_not_one_of_many_words() {
    let told = |talk: String| {
        let messages = [SourceMessage {
            entry: EntryId::new("e0"),
            message: Arc::new(Message::user_text(&talk)),
            tokens: 10,
        }];
        let sources = GroundingSources {
            messages: &messages,
            previous: None,
            texts: &[],
        };
        worthless("## Goal\n- check the log", sources)
    };
    let same = "check the log, it says the same again\n".repeat(2_000);
    assert_eq!(told(same), None);
    let many = (0..120).map(|n| format!("check the log of station{n}\n"));
    assert_eq!(told(many.collect()), Some(Worthless::Foreign));
}

/// What code writes without a model is quotes and counts: all of it was said or follows.
#[test]
fn a_summary_without_a_model_invents_nothing() {
    let mut open = Vec::new();
    for folder in ["fictions", "misbehaviour"] {
        for source in file_names(folder, "source-") {
            let messages = messages(folder, &source);
            let count: plimsoll::context::summary::TokenCount =
                Arc::new(|text: &str| text.len() as u64 / 4);
            let job = SummaryJob::new(messages.clone(), count);
            let summary = extract(&job).summary;
            let sources = GroundingSources {
                messages: &messages,
                ..GroundingSources::default()
            };
            let grounding = check_with(&SourceIndex::of(sources), &summary);
            // What an answer said was done is quoted as it was said.
            let is_quoted = |claim: &&Claim| claim.class != ClaimClass::DoneAction;
            for claim in grounding.ungrounded().filter(is_quoted) {
                let line = summary.lines().nth(claim.line).unwrap_or_default();
                let class = claim.class.name();
                open.push(format!("{folder} {source} [{class}:{}] {line}", claim.text));
            }
        }
    }
    figures::show(open.join("\n"));
    assert!(open.is_empty(), "{}", open.join("\n"));
}
