//! Reads `src/**` and enforces the rules that the compiler does not know.
//!
//! - `layers`: who may use whom
//! - `purity`: what pure modules may not touch, and who asks for time and chance
//! - `circles`: how many files may import each other in a circle
//! - `seams`: matches over operations and events are exhaustive, and the agent calls the
//!   algorithms of `context` through `engine`
//! - `size`: files, functions, structs, types, folders
//! - `names`: names that can be found, parameters that have one
//! - `tidiness`: headers, nothing foreign, nothing unfinished
//! - `facts`: what these rules want to know of a file
//!
//! Every rule is a function to complaints or numbers, with a test of its own that it does
//! complain. A list `KNOWN_…` holds what breaks a rule today, exactly; whoever repairs one
//! deletes its line.

mod circles;
mod facts;
mod layers;
mod names;
mod purity;
mod seams;
mod size;
mod tidiness;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A rule: the file's path from the repository's root, with slashes, and its text; what
/// is wrong, by line where that makes sense.
type Rule = fn(&str, &str) -> Vec<String>;

/// Applies a rule to each Rust file below a folder and lists all complaints.
fn check(folder: &str, rule: Rule) {
    report(&source_files(folder, true), rule);
}

/// Applies a rule to each text file below a folder.
fn check_all(folder: &str, rule: Rule) {
    report(&source_files(folder, false), rule);
}

fn report(files: &[(String, String)], rule: Rule) {
    let complaints: Vec<String> = files
        .iter()
        .flat_map(|(path, text)| {
            let found = rule(path, text).into_iter();
            found.map(move |complaint| format!("{path}: {complaint}"))
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// Holds named numbers against their limit. Those above it must be in `known` with exactly
/// this number, and nothing else may be there.
fn against_known(
    found: impl IntoIterator<Item = (String, usize)>,
    limit: usize,
    known: &[(&str, usize)],
) {
    let complaints = compare(found, limit, known);
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

fn compare(
    found: impl IntoIterator<Item = (String, usize)>,
    limit: usize,
    known: &[(&str, usize)],
) -> Vec<String> {
    let mut broken: BTreeMap<String, usize> = BTreeMap::new();
    for (name, number) in found.into_iter().filter(|(_, number)| *number > limit) {
        let largest = broken.entry(name).or_default();
        *largest = number.max(*largest);
    }
    let mut complaints = Vec::new();
    for (name, number) in known {
        match broken.remove(*name) {
            Some(now) if now == *number => {}
            Some(now) if now > *number => {
                complaints.push(format!("{name}: {now}, was {number}; at most {limit}"));
            }
            Some(now) => complaints.push(format!("{name}: write {now} in the list, not {number}")),
            None => complaints.push(format!("{name}: mended; delete it from the list")),
        }
    }
    let new = broken.into_iter();
    complaints.extend(new.map(|(name, number)| format!("{name}: {number}; at most {limit}")));
    complaints
}

fn source_files(folder: &str, only_rust: bool) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if !only_rust || path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(root).unwrap_or(&path);
                let name = name.to_string_lossy().replace('\\', "/");
                // Images and the like are no text and hold no rules.
                if let Ok(text) = fs::read_to_string(&path) {
                    found.push((name, text));
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_source_is_found() {
    assert!(source_files("src", true).len() > 20);
}

#[test]
fn a_list_of_known_exceptions_is_exact() {
    let found = |numbers: &[(&str, usize)]| -> Vec<(String, usize)> {
        let named = numbers.iter();
        named
            .map(|(name, number)| ((*name).to_owned(), *number))
            .collect()
    };
    let complaints =
        |numbers: &[(&str, usize)], known: &[(&str, usize)]| compare(found(numbers), 15, known);
    assert!(complaints(&[("a", 15), ("b", 16)], &[("b", 16)]).is_empty());
    assert_eq!(complaints(&[("a", 16)], &[]), ["a: 16; at most 15"]);
    let grown = complaints(&[("a", 17)], &[("a", 16)]);
    assert_eq!(grown, ["a: 17, was 16; at most 15"]);
    let shrunk = complaints(&[("a", 16)], &[("a", 17)]);
    assert_eq!(shrunk, ["a: write 16 in the list, not 17"]);
    let gone = ["a: mended; delete it from the list"];
    assert_eq!(complaints(&[("a", 15)], &[("a", 17)]), gone);
    assert_eq!(complaints(&[], &[("a", 17)]), gone);
}
