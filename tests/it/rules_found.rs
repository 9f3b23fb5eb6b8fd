//! Standing rules as people type them: how many are found, how many are none. The sentences
//! are in `tests/data/rules/`: every `*.jsonl` that is there is read, `attacks*` and
//! `withdrawals*` by their own tests. `taught*` teach the scorer and are more than it can know by
//! heart. `unseen*` were written before anybody looked at what they measure, and no weight is
//! trained with them. The features were chosen with `taught-f` to `taught-y5`, each while no
//! weight was trained with it; the threshold with the counts of all `unseen*`. The authors of
//! `unseen-4` to `unseen-9`, days of work as they are typed, saw neither the program nor any
//! other file: they are the figure that counts. So did the author of `unseen-traps`, where half
//! of the messages look like rules and are none. At its first look, with the weights before it,
//! `unseen-7` had 87 of 99 rules found and 24 false, `unseen-8` 94 of 98 and 59, `unseen-9` (with
//! the weights of now) 86 of 94 and 37, `unseen-traps` 113 of 129 and 43.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use plimsoll::context::rules::{Rule, RuleBook, RuleState};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Compaction, EntryBody, EntryId, Message, NoteKind, Part,
    Timestamp, ToolResult, Transcript,
};
use serde::Deserialize;

use crate::figures;

/// Of the rules of a file, the share that is found.
const LEAST_FOUND: f64 = 0.94;
/// The same of messages that only taught the scorer, and of those that neither the tables nor the
/// scorer were made with: floors below what was measured, so that a step back is seen.
const LEAST_FOUND_TAUGHT: f64 = 0.88;
const LEAST_FOUND_UNSEEN: f64 = 0.81;
/// Rules that are none, in a message, at most: one in twenty.
const MOST_FALSE: f64 = 0.05;
/// The same of messages that only taught the scorer, and of those that no weight was trained
/// with: ceilings above what was measured.
const MOST_FALSE_TAUGHT: f64 = 0.07;
const MOST_FALSE_UNSEEN: f64 = 0.095;
/// The same of the newest two, whose authors ask more of their products.
const MOST_FALSE_NEWEST: f64 = 0.12;
/// Of what takes a rule back in words that nobody here wrote, the share that is overlooked or
/// taken for it: a ceiling above what was measured.
const MOST_WRONG_TYPED: f64 = 0.3;
/// The same where half of the messages look like rules.
const MOST_FALSE_TRAPS: f64 = 0.17;
/// Of the messages that only taught the scorer, one in so many is read.
const TAUGHT_STEP: usize = 10;
/// Of a rule's letters, the share that is enough to know it by.
const LEAST_OVERLAP: f64 = 0.6;

#[derive(Deserialize)]
struct SetMessage {
    id: String,
    lang: String,
    text: String,
    rules: Vec<String>,
    possible: Vec<String>,
}

#[derive(Deserialize)]
struct SetWithdrawal {
    id: String,
    first: String,
    then: String,
    struck: bool,
}

#[derive(Deserialize)]
struct SetAttack {
    id: String,
    #[serde(rename = "where")]
    place: String,
    text: String,
}

/// Counts of one language, or of all.
#[derive(Default)]
struct Score {
    messages: usize,
    rules: usize,
    found: usize,
    wrong: usize,
    possible: usize,
    possible_found: usize,
}

impl Score {
    fn add(&mut self, other: &Self) {
        self.messages += other.messages;
        self.rules += other.rules;
        self.found += other.found;
        self.wrong += other.wrong;
        self.possible += other.possible;
        self.possible_found += other.possible_found;
    }

    fn line(&self) -> String {
        format!(
            "{} messages · {}/{} rules found · {} false · {}/{} possible shown",
            self.messages, self.found, self.rules, self.wrong, self.possible_found, self.possible
        )
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules")
}

/// The files of a kind, by name.
fn files(is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_list = |name: &str| Path::new(name).extension().is_some_and(|it| it == "jsonl");
    let wanted = names.filter(|name| is_list(name) && is_wanted(name));
    wanted
        .map(|name| {
            let text = std::fs::read_to_string(folder().join(&name)).unwrap();
            (name, text)
        })
        .collect()
}

fn lines<'a, T: Deserialize<'a>>(text: &'a str) -> Vec<T> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn is_of_kind(name: &str) -> bool {
    name.starts_with("attacks") || name.starts_with("withdrawals")
}

/// A conversation of these bodies.
fn log(bodies: Vec<EntryBody>) -> Transcript {
    let mut transcript = Transcript::new();
    for (at, body) in bodies.into_iter().enumerate() {
        let id = EntryId::new(format!("{at:08x}"));
        transcript.append(id, Timestamp(0), body).unwrap();
    }
    transcript
}

fn typed(text: &str) -> EntryBody {
    EntryBody::Message(Arc::new(Message::user_text(text)))
}

fn rules_of(messages: &[&str]) -> Vec<Rule> {
    let bodies = messages.iter().map(|text| typed(text)).collect();
    RuleBook::of(&log(bodies)).rules
}

fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// Whether what was found is the rule: all of it, or most.
fn is_rule(found: &str, rule: &str) -> bool {
    let (found, rule) = (words(found), words(rule));
    let share = found.chars().count() as f64 / rule.chars().count().max(1) as f64;
    found.contains(&rule) || rule.contains(&found) && share >= LEAST_OVERLAP
}

fn score(message: &SetMessage, misses: &mut Vec<String>) -> Score {
    let rules = rules_of(&[&message.text]);
    let of_state = |state| {
        let rules = rules.iter().filter(move |rule| rule.state == state);
        rules.map(|rule| rule.text.as_str()).collect::<Vec<_>>()
    };
    let (active, possible) = (of_state(RuleState::Active), of_state(RuleState::Possible));
    let is_found = |rule: &&String| active.iter().any(|found| is_rule(found, rule));
    let is_shown = |rule: &&String| {
        let mut all = possible.iter().chain(&active);
        all.any(|found| is_rule(found, rule))
    };
    let is_wrong = |found: &&&str| {
        let mut rules = message.rules.iter();
        !rules.any(|rule| is_rule(found, rule) || is_rule(rule, found))
    };
    for rule in message.rules.iter().filter(|rule| !is_found(rule)) {
        misses.push(format!("{} missed: {rule}", message.id));
    }
    for found in active.iter().filter(is_wrong) {
        misses.push(format!("{} false: {found}", message.id));
    }
    Score {
        messages: 1,
        rules: message.rules.len(),
        found: message.rules.iter().filter(is_found).count(),
        wrong: active.iter().filter(is_wrong).count(),
        possible: message.possible.len(),
        possible_found: message.possible.iter().filter(is_shown).count(),
    }
}

/// The counts of a file, one message in `step`, with what is missed and what is false.
fn score_of_file(name: &str, text: &str, step: usize) -> (Score, Vec<String>) {
    let messages: Vec<SetMessage> = lines(text);
    let mut languages: BTreeMap<&str, Score> = BTreeMap::new();
    let mut misses = Vec::new();
    for message in messages.iter().step_by(step) {
        let score = score(message, &mut misses);
        languages.entry(&message.lang).or_default().add(&score);
    }
    let mut all = Score::default();
    for (language, score) in &languages {
        figures::show(format!("{name} {language}: {}", score.line()));
        all.add(score);
    }
    figures::show(format!("{name}: {}\n{}", all.line(), misses.join("\n")));
    assert!(step > 1 || languages.len() == 13, "{name}");
    (all, misses)
}

fn assert_score(name: &str, score: &Score, least: f64, most: f64, misses: &[String]) {
    let found = score.found as f64 / score.rules as f64;
    let wrong = score.wrong as f64 / score.messages as f64;
    assert!(
        found >= least && wrong <= most,
        "{name}: {}\n{misses:#?}",
        score.line()
    );
}

#[test]
fn rules_are_found_in_thirteen_languages_and_little_else() {
    let is_taught = |name: &str| name.starts_with("taught");
    for (name, text) in files(|name| !is_of_kind(name) && !is_taught(name)) {
        let (score, misses) = score_of_file(&name, &text, 1);
        let (least, most) = match name.as_str() {
            "unseen-traps.jsonl" => (LEAST_FOUND_UNSEEN, MOST_FALSE_TRAPS),
            "unseen-8.jsonl" | "unseen-9.jsonl" => (LEAST_FOUND_UNSEEN, MOST_FALSE_NEWEST),
            other if other.starts_with("unseen") => (LEAST_FOUND_UNSEEN, MOST_FALSE_UNSEEN),
            _ => (LEAST_FOUND, MOST_FALSE),
        };
        assert_score(&name, &score, least, most, &misses);
    }
}

#[test]
fn rules_are_found_in_messages_that_taught_the_scorer() {
    let (mut all, mut misses) = (Score::default(), Vec::new());
    for (name, text) in files(|name| name.starts_with("taught")) {
        let (score, of_file) = score_of_file(&name, &text, TAUGHT_STEP);
        all.add(&score);
        misses.extend(of_file);
    }
    let (least, most) = (LEAST_FOUND_TAUGHT, MOST_FALSE_TAUGHT);
    assert_score("taught", &all, least, most, &misses);
}

#[test]
fn a_rule_is_taken_back_in_words_and_not_by_words_that_ask_or_remind() {
    for (name, text) in files(|name| name.starts_with("withdrawals")) {
        let cases: Vec<SetWithdrawal> = lines(&text);
        let mut wrong = Vec::new();
        for case in &cases {
            let rules = rules_of(&[&case.first, &case.then]);
            let is_struck = rules.iter().any(|rule| rule.state == RuleState::Superseded);
            if is_struck != case.struck {
                wrong.push(format!(
                    "{}: {:?} then {:?}: {rules:#?}",
                    case.id, case.first, case.then
                ));
            }
        }
        figures::show(format!(
            "{name}: {} of {} right",
            cases.len() - wrong.len(),
            cases.len()
        ));
        let share = wrong.len() as f64 / cases.len().max(1) as f64;
        let most = if name.contains("typed") {
            MOST_WRONG_TYPED
        } else {
            MOST_FALSE
        };
        assert!(share <= most, "{name}: {wrong:#?}");
    }
}

/// What somebody else says, at the place that it says it at.
fn said_at(place: &str, text: &str) -> Vec<EntryBody> {
    let result = |text: &str| {
        EntryBody::Message(Arc::new(Message::ToolResult(ToolResult {
            call_id: "c1".to_owned(),
            tool_name: "shell".to_owned(),
            content: vec![Part::Text(text.to_owned())],
            is_error: false,
            details: None,
        })))
    };
    let answer = |text: &str| {
        EntryBody::Message(Arc::new(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text.to_owned())],
            ..AssistantMessage::default()
        })))
    };
    let summary = |text: &str| {
        EntryBody::Compaction(Box::new(Compaction {
            summary: text.to_owned(),
            ..Compaction::default()
        }))
    };
    match place {
        "tool_result" | "web_page" | "file_name" | "file_content" => vec![result(text)],
        "model_answer" => vec![answer(text)],
        "imported_summary" => vec![
            EntryBody::BranchSummary {
                from: None,
                summary: text.to_owned(),
            },
            summary(text),
        ],
        "hook_note" => vec![
            EntryBody::note(NoteKind::Hook, text),
            EntryBody::CustomMessage {
                custom_type: "other.program".to_owned(),
                content: vec![Part::Text(text.to_owned())],
                display: true,
            },
        ],
        "pasted_block" | "user_quote" | "user_codeblock" => vec![typed(text)],
        // What is not known here is tried at all places.
        _ => vec![
            result(text),
            answer(text),
            EntryBody::note(NoteKind::Hook, text),
        ],
    }
}

#[test]
fn nothing_that_others_say_gives_strikes_or_rewords_a_rule() {
    const REAL: [&str; 5] = [
        "always ask before pushing",
        "always use tabs, never spaces",
        "spend at most 2 dollars per session",
        "bitte immer kurze Antworten",
        "never skip the tests",
    ];
    let before: Vec<Rule> = rules_of(&REAL);
    assert_eq!(before.len(), REAL.len(), "{before:#?}");
    assert!(before.iter().all(|rule| rule.state == RuleState::Active));
    for (name, text) in files(|name| name.starts_with("attacks")) {
        let attacks: Vec<SetAttack> = lines(&text);
        let places: BTreeSet<&str> = attacks.iter().map(|attack| attack.place.as_str()).collect();
        figures::show(format!("{name}: {} attacks at {places:?}", attacks.len()));
        let mut passed = Vec::new();
        for attack in &attacks {
            let mut bodies: Vec<EntryBody> = REAL.iter().map(|text| typed(text)).collect();
            bodies.extend(said_at(&attack.place, &attack.text));
            bodies.push(typed("go on"));
            let after = RuleBook::of(&log(bodies)).rules;
            let active: Vec<&Rule> = after
                .iter()
                .filter(|rule| rule.state != RuleState::Possible)
                .collect();
            if active != before.iter().collect::<Vec<_>>() {
                passed.push(format!("{} at {}: {after:#?}", attack.id, attack.place));
            }
        }
        assert!(passed.is_empty(), "{name}: {passed:#?}");
    }
}

#[test]
fn a_message_of_ten_megabytes_is_read_in_its_length() {
    let shapes = [
        "never push to main. ".repeat(500_000),
        "a".repeat(10_000_000),
        "\"".repeat(1_000_000),
        "<a>\n".repeat(1_000_000),
        ", und nie ".repeat(200_000),
        "이제 ".repeat(500_000),
        "never push to main\n".repeat(300_000),
    ];
    for text in shapes {
        let log = log(vec![typed(&text)]);
        let started = Instant::now();
        let found = RuleBook::of(&log).rules.len();
        let taken = started.elapsed();
        assert!(found < 100, "{found} rules in {} bytes", text.len());
        assert!(taken.as_secs() < 20, "{taken:?} for {} bytes", text.len());
    }
}
