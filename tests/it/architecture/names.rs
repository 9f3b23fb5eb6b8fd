//! Names that can be found and parameters that have one.

use std::collections::BTreeMap;

use super::facts::{FileFacts, facts_of, source_facts};
use super::{against_known, check};
use crate::rust_text::code_only;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 7] = [
    "utils", "common", "helpers", "manager", "core", "base", "types",
];

/// Of a thousand names of types, how many may stand for more than one type.
const MAX_AMBIGUOUS_PERMILLE: usize = 40;

const KNOWN_AMBIGUOUS: &[(&str, usize)] = &[];
/// Functions with parameters that are tuples, by file.
const KNOWN_TUPLES: &[(&str, usize)] = &[];

#[test]
fn modules_have_names_that_mean_something() {
    check("src", naming);
}

fn naming(path: &str, text: &str) -> Vec<String> {
    let is_empty_name = |name: &str| EMPTY_NAMES.contains(&name);
    let mut complaints: Vec<String> = path
        .split('/')
        .map(|part| part.strip_suffix(".rs").unwrap_or(part))
        .filter(|part| is_empty_name(part))
        .map(|part| format!("`{part}` says nothing about what is inside"))
        .collect();
    for line in code_only(text).lines() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if words.any(|word| word == "mod")
            && let Some(name) = words.next().filter(|name| is_empty_name(name))
        {
            complaints.push(format!("`mod {name}` says nothing about what is inside"));
        }
    }
    complaints
}

#[test]
fn empty_names_are_seen() {
    let cases = [
        ("src/tui/utils.rs", "", 1),
        ("src/core/mod.rs", "", 1),
        ("src/tui/mod.rs", "pub(crate) mod helpers {", 1),
        ("src/tui/score.rs", "mod database; // mod utils", 0),
    ];
    for (path, text, expected) in cases {
        assert_eq!(naming(path, text).len(), expected, "{path}: {text}");
    }
}

#[test]
fn the_name_of_a_type_stands_for_one_type() {
    let names = ambiguous_names(source_facts());
    let share = names.iter().filter(|(_, types)| **types > 1).count() * 1_000 / names.len();
    let mut worst: Vec<_> = names.iter().filter(|(_, types)| **types > 1).collect();
    worst.sort_by_key(|(_, types)| std::cmp::Reverse(**types));
    let found = [(format!("ambiguous names in a thousand: {worst:?}"), share)];
    against_known(found, MAX_AMBIGUOUS_PERMILLE, KNOWN_AMBIGUOUS);
}

/// Names of types, with the number of types that each stands for.
fn ambiguous_names(files: &[FileFacts]) -> BTreeMap<&str, usize> {
    let mut types = BTreeMap::new();
    for name in files.iter().flat_map(|facts| &facts.type_names) {
        *types.entry(name.as_str()).or_default() += 1;
    }
    types
}

#[test]
fn types_of_one_name_are_counted() {
    let files = [
        facts_of("src/a.rs", "struct Row; enum Kind {} type Place = u8;"),
        facts_of("src/b.rs", "trait Row {} impl X for Y { type Place = u8; }"),
    ];
    let expected = [("Kind", 1), ("Place", 1), ("Row", 2)];
    assert_eq!(ambiguous_names(&files), BTreeMap::from(expected));
}

#[test]
fn parameters_are_no_tuples() {
    let found = source_facts().iter().map(tuple_parameters);
    against_known(found, 0, KNOWN_TUPLES);
}

/// Parameters of functions that are tuples: what is in them has no name for the caller.
fn tuple_parameters(facts: &FileFacts) -> (String, usize) {
    let tuples = facts.functions.iter().map(|it| it.tuple_parameters);
    (facts.path.clone(), tuples.sum())
}

#[test]
fn tuples_among_the_parameters_are_seen() {
    let cases = [
        ("fn f((a, b): (u8, u8), c: u8) {}", 1),
        ("fn f(pair: &(u8, u8)) {}", 1),
        (
            "impl A { fn f(&self, (a, b): (u8, u8), (c, d): (u8, u8)) {} }",
            2,
        ),
        ("trait A { fn f(&self, (): ()) {} }", 0),
        ("fn f(a: &[(u8, u8)]) { g(|(a, b)| a) }", 0),
    ];
    for (text, expected) in cases {
        let (_, found) = tuple_parameters(&facts_of("src/a.rs", text));
        assert_eq!(found, expected, "{text}");
    }
}
