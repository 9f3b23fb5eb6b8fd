//! Matches over what crosses between the agent and a front end are exhaustive, and the
//! agent calls the algorithms of `context` through `engine`.

use super::against_known;
use super::facts::{FileFacts, MatchFacts, facts_of, source_facts};
use super::layers::top_module;

/// The ops that go down to the agent and the events that come up. A new variant must not
/// compile before every consumer says what it does with it.
const SEAM_TYPES: [&str; 14] = [
    "Op",
    "TurnOp",
    "ContextOp",
    "SessionOp",
    "SettingOp",
    "Query",
    "AgentEvent",
    "AnswerEvent",
    "TurnEvent",
    "ContextEvent",
    "CompactionEvent",
    "SessionEvent",
    "ChildEvent",
    "QueryReply",
];

/// Types of `context` that compute. Its other types are data, which anybody may read.
const ALGORITHM_TYPES: [&str; 5] = ["Approximate", "Assembler", "Bpe", "Chars4", "Summariser"];

/// Files with such matches, and how many.
const KNOWN_CATCH_ALLS: &[(&str, usize)] = &[];
/// Files of the agent that import algorithms of `context`, and how many.
const KNOWN_ALGORITHMS: &[(&str, usize)] = &[];

#[test]
fn matches_over_operations_and_events_are_exhaustive() {
    let found = source_facts().iter().map(catch_alls);
    against_known(found, 0, KNOWN_CATCH_ALLS);
}

/// Matches over the types of the seam that have an arm for whatever is left.
fn catch_alls(facts: &FileFacts) -> (String, usize) {
    let is_seam = |item: &&MatchFacts| {
        let mut names = item.type_names.iter();
        item.has_catch_all && names.any(|name| SEAM_TYPES.contains(&name.as_str()))
    };
    (
        facts.path.clone(),
        facts.matches.iter().filter(is_seam).count(),
    )
}

#[test]
fn catch_all_arms_are_seen() {
    let cases = [
        ("match e { AgentEvent::A => 1, _ => 2 }", 1),
        (
            "match e { AgentEvent::A { x } | AgentEvent::B(x) => 1, other => 2 }",
            1,
        ),
        (
            "match e { Some(super::Op::A(_)) => 1, Some(_) => 2, None => 3 }",
            1,
        ),
        (
            "match e { Op::A => match f { TurnOp::B => 1, TurnOp::C | _ => 2 } }",
            1,
        ),
        (
            "match e { Op::A => 1, Op::B(_) => 2, Op::C { .. } => 3 }",
            0,
        ),
        ("match e { Op::A => 1, _ if late => 2, Op::B => 3 }", 0),
        ("match e { Key::A => 1, _ => 2 }", 0),
        ("match (a, b) { (Op::A, _) => 1, (Op::B, x) => 2 }", 0),
        ("if let Op::A = e { 1 } else { 2 }", 0),
    ];
    for (code, expected) in cases {
        let text = format!("fn f() {{ {code}; }}");
        let (_, found) = catch_alls(&facts_of("src/tui/x.rs", &text));
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn the_agent_calls_the_algorithms_of_context_through_the_engine() {
    let found = source_facts().iter().map(algorithms);
    against_known(found, 0, KNOWN_ALGORITHMS);
}

/// Functions, modules and computing types of `context` that a file of the agent names.
fn algorithms(facts: &FileFacts) -> (String, usize) {
    if top_module(&facts.path) != "agent" {
        return (facts.path.clone(), 0);
    }
    let imports = facts.imports.iter().chain(&facts.reexports);
    let named = imports.map(|import| &import.segments).chain(&facts.paths);
    let computing = named.filter(|segments| is_algorithm(segments));
    (facts.path.clone(), computing.count())
}

/// Whether a path leads to a function, a module or a computing type of `context`.
fn is_algorithm(path: &[String]) -> bool {
    let Some(at) = path.iter().position(|segment| segment == "context") else {
        return false;
    };
    let starts_large = |name: &String| name.starts_with(char::is_uppercase);
    let leads_there = at == 1 && path.first().is_some_and(|first| first == "crate");
    match path.iter().skip(at).find(|name| starts_large(name)) {
        Some(name) => leads_there && ALGORITHM_TYPES.contains(&name.as_str()),
        None => leads_there,
    }
}

#[test]
fn algorithms_of_context_are_told_from_data() {
    let cases = [
        ("use crate::context::{ContextView, Pressure, MAX_ITEMS};", 0),
        ("use crate::context::{ContextView, first_words};", 1),
        ("use crate::context::tail::{self, TailPlan};", 1),
        ("use crate::context::summary::Summariser;", 1),
        ("fn f() { crate::context::window::report(1); }", 1),
        ("fn f() { crate::context::Pressure::default(); }", 0),
        ("use crate::engine::tail;", 0),
        ("use super::context::take;", 0),
    ];
    for (text, expected) in cases {
        let (_, found) = algorithms(&facts_of("src/agent/x.rs", text));
        assert_eq!(found, expected, "{text}");
        assert_eq!(algorithms(&facts_of("src/engine/x.rs", text)).1, 0);
    }
}
