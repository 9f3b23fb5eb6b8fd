//! The modules that pure modules may not touch, and those that ask the system for time and chance.

use super::facts::{FileFacts, facts_of, source_facts};
use super::layers::{segments_behind, top_module};
use super::{against_known, check};
use crate::rust_text::code_only;

/// Modules without clock, files, environment, network, threads or terminal.
const PURE: [&str; 2] = ["transcript", "context"];
/// The parts of `std` that they may not use. Addresses (`std::net::Ipv4Addr`) are mere data.
const IMPURE_STD: [&str; 5] = ["fs", "env", "thread", "process", "io"];
/// Words that have no place in them.
const IMPURE_WORDS: [&str; 11] = [
    "Instant",
    "SystemTime",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "ToSocketAddrs",
    "tokio",
    "crossterm",
    "ratatui",
    "reqwest",
    "jiff",
];

#[test]
fn pure_modules_are_pure() {
    check("src", purity);
}

fn purity(path: &str, text: &str) -> Vec<String> {
    if !PURE.contains(&top_module(path)) {
        return Vec::new();
    }
    let code = code_only(text);
    let mut complaints = Vec::new();
    for (line, segment) in segments_behind(&code, "std") {
        if IMPURE_STD.contains(&segment.as_str()) {
            complaints.push(format!("line {line}: std::{segment} is not pure"));
        }
    }
    for (index, line) in code.lines().enumerate() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if let Some(word) = words.find(|word| IMPURE_WORDS.contains(word)) {
            complaints.push(format!("line {}: {word} is not pure", index + 1));
        }
    }
    complaints
}

#[test]
fn impurities_are_seen() {
    let cases = [
        ("src/context/x.rs", "use std::time::Instant;", 1),
        (
            "src/context/x.rs",
            "let t = std::time::SystemTime::now();",
            1,
        ),
        ("src/context/x.rs", "use std::{fmt, fs::File, env};", 2),
        ("src/transcript/x.rs", "std::thread::spawn(f)", 1),
        ("src/transcript/x.rs", "use tokio::sync::mpsc;", 1),
        (
            "src/transcript/x.rs",
            "fn f(c: ratatui::style::Color) {}",
            1,
        ),
        (
            "src/context/x.rs",
            "use std::time::Duration; use std::fmt;",
            0,
        ),
        ("src/context/x.rs", "let text = \"tokio\"; // Instant", 0),
        ("src/context/x.rs", "std::net::TcpStream::connect(a)", 1),
        ("src/context/x.rs", "text.parse::<std::net::Ipv4Addr>()", 0),
        ("src/context/x.rs", "struct Instantly;", 0),
        ("src/agent/x.rs", "use std::time::Instant;", 0),
    ];
    for (path, text, expected) in cases {
        let complaints = purity(path, text);
        assert_eq!(complaints.len(), expected, "{path}: {text}: {complaints:?}");
    }
}

/// The file that asks for time and chance; whoever else needs them calls it.
const CLOCK: &str = "src/clock.rs";
/// Files that ask themselves, and how often.
const KNOWN_ASKERS: &[(&str, usize)] = &[];
/// Types and crates that give a reading or a random number, with the function's beginning.
const QUESTIONS: [(&str, &str); 11] = [
    ("Instant", "now"),
    ("SystemTime", "now"),
    ("Timestamp", "now"),
    ("Zoned", "now"),
    ("Uuid", "now"),
    ("Uuid", "new_v"),
    ("SystemRandom", ""),
    ("RandomState", ""),
    ("rand", ""),
    ("fastrand", ""),
    ("getrandom", ""),
];

#[test]
fn one_file_asks_for_time_and_chance() {
    let files = source_facts().iter();
    let found = files.map(|facts| (facts.path.clone(), questions(facts)));
    against_known(found, 0, KNOWN_ASKERS);
}

/// How often code asks the system for time or chance.
fn questions(facts: &FileFacts) -> usize {
    let is_question = |segments: &[String]| {
        segments.windows(2).any(|pair| {
            let mut asked = QUESTIONS.iter();
            asked.any(|(of, function)| pair[0] == *of && pair[1].starts_with(function))
        })
    };
    if facts.path == CLOCK {
        return 0;
    }
    facts.paths.iter().filter(|path| is_question(path)).count()
}

#[test]
fn questions_for_time_and_chance_are_seen() {
    let cases = [
        ("src/tui/x.rs", "fn f() { Instant::now(); }", 1),
        (
            "src/tui/x.rs",
            "fn f() { std::time::SystemTime::now(); }",
            1,
        ),
        (
            "src/tui/x.rs",
            "fn f() { select! { _ = g(Uuid::now_v7()) => {} } }",
            1,
        ),
        (
            "src/tui/x.rs",
            "fn f() { jiff::Zoned::now(); rand::random(); }",
            2,
        ),
        ("src/clock.rs", "fn f() { Instant::now(); }", 0),
        (
            "src/tui/x.rs",
            "#[cfg(test)] mod tests { fn f() { Instant::now(); } }",
            0,
        ),
        (
            "src/tui/x.rs",
            "fn f(at: Instant) { at.now(); clock::instant(); }",
            0,
        ),
    ];
    for (path, text, expected) in cases {
        assert_eq!(questions(&facts_of(path, text)), expected, "{path}: {text}");
    }
}
