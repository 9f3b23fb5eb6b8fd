//! Reads `src/**` and enforces the rules that the compiler does not know: who may use
//! whom, what pure modules may not touch, how large files may be.
//!
//! Every rule is a function from a path and a text to complaints, with a test of its own
//! that it does complain.

use std::fs;
use std::path::Path;

use crate::rust_text::code_only;

/// Which top-level modules each one may use. Who is not listed here is the program
/// itself (`main`, `lib`, `commands`) and may use all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("transcript", &[]),
    ("clock", &["transcript"]),
    ("context", &["transcript"]),
    ("engine", &["transcript", "context"]),
    ("disk", &[]),
    ("provider", &["transcript", "clock", "disk"]),
    ("checkpoint", &["transcript", "clock", "disk"]),
    ("tool", &["transcript", "clock", "checkpoint", "disk"]),
    ("session", &["transcript", "clock", "disk"]),
    (
        "config",
        &["transcript", "context", "provider", "tool", "disk"],
    ),
    (
        "agent",
        &[
            "transcript",
            "clock",
            "context",
            "engine",
            "provider",
            "checkpoint",
            "tool",
            "session",
            "config",
            "disk",
        ],
    ),
    (
        "tui",
        &["transcript", "clock", "context", "agent", "config", "disk"],
    ),
    ("headless", &["transcript", "context", "agent", "config"]),
    ("cli", &["transcript", "config"]),
];

/// Modules without clock, files, environment, network, threads or terminal.
const PURE: [&str; 2] = ["transcript", "context"];
/// What of `std` they may not use. Addresses (`std::net::Ipv4Addr`) are mere data.
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

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 7] = [
    "utils", "common", "helpers", "manager", "core", "base", "types",
];

/// Lines of a file; beyond it, a file is two files.
const MAX_LINES: usize = 600;
/// Lines of a file of tests: long tables of cases are fine.
const MAX_TEST_LINES: usize = 800;

/// Places outside the repository. Written in two pieces, because this file is read too.
const FOREIGN: [&str; 2] = [concat!("shared", "/design"), concat!("/wo", "rk/")];

#[test]
fn modules_use_only_what_they_may() {
    check("src", dependencies);
}

#[test]
fn pure_modules_are_pure() {
    check("src", purity);
}

#[test]
fn files_are_small_enough_to_read() {
    check("src", size);
    check("tests", size);
}

#[test]
fn every_file_says_what_it_is() {
    check("src", header);
    check("tests", header);
}

#[test]
fn modules_have_names_that_mean_something() {
    check("src", naming);
}

#[test]
fn nothing_points_outside_the_repository() {
    for folder in ["src", "tests", "assets", "benches", "docs", "fuzz"] {
        check_all(folder, foreign_paths);
    }
}

#[test]
fn nothing_is_left_unfinished() {
    check("src", unfinished);
    check("tests", unfinished);
}

/// A rule: the file's path from the repository's root, with slashes, and its text; what
/// is wrong, by line where that makes sense.
type Rule = fn(&str, &str) -> Vec<String>;

/// Applies a rule to each Rust file below a folder and lists all complaints.
fn check(folder: &str, rule: Rule) {
    report(&files(folder, true), rule);
}

/// The same with every text file.
fn check_all(folder: &str, rule: Rule) {
    report(&files(folder, false), rule);
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

fn files(folder: &str, only_rust: bool) -> Vec<(String, String)> {
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
    assert!(files("src", true).len() > 20);
}

// --- who may use whom ---

fn dependencies(path: &str, text: &str) -> Vec<String> {
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == top_module(path)) else {
        return Vec::new();
    };
    let own = top_module(path);
    let code = code_only(text);
    let mut complaints = Vec::new();
    for (line, used) in uses(path, &code) {
        let known = MAY_USE.iter().any(|(name, _)| *name == used) || used == "commands";
        if known && used != own && !allowed.contains(&used.as_str()) {
            complaints.push(format!("line {line}: {own} may not use {used}"));
        }
    }
    complaints
}

/// `src/tui/view/x.rs` and `src/tui.rs` are of `tui`.
fn top_module(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let first = inside.split('/').next().unwrap_or(inside);
    first.strip_suffix(".rs").unwrap_or(first)
}

/// Top-level modules that code names, with line numbers: by `crate::…`, or by as many
/// `super::` as lead out of the file's own.
fn uses(path: &str, code: &str) -> Vec<(usize, String)> {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let is_folder = inside.ends_with("/mod.rs");
    let depth = inside.split('/').count() - usize::from(is_folder);
    let mut found = segments_behind(code, "crate");
    for up in depth..depth + 2 {
        found.extend(segments_behind(code, &vec!["super"; up].join("::")));
    }
    found
}

/// First segments of the paths that begin with `root::`, groups unfolded.
fn segments_behind(code: &str, root: &str) -> Vec<(usize, String)> {
    let start = format!("{root}::");
    let mut found = Vec::new();
    for (at, _) in code.match_indices(&start) {
        let (before, behind) = code.split_at(at);
        let is_longer_path = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_longer_path || before.ends_with("::") {
            continue;
        }
        let line = before.matches('\n').count() + 1;
        let path = behind.strip_prefix(&start).unwrap_or(behind);
        for segment in first_segments(path) {
            found.push((line, segment));
        }
    }
    found
}

/// `a::b` gives `a`; `{a::b, c::{d, e}}` gives `a` and `c`.
fn first_segments(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = path.strip_prefix('{') else {
        return vec![word(path)];
    };
    let mut depth = 0_usize;
    let mut segments = vec![word(group)];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => segments.push(word(group.split_at(at + 1).1)),
            _ => {}
        }
    }
    segments.retain(|segment| !segment.is_empty());
    segments
}

#[test]
fn forbidden_uses_are_seen() {
    let cases = [
        ("src/transcript/x.rs", "use crate::context::View;", 1),
        (
            "src/context/x.rs",
            "use crate::{\n  transcript::{A, B},\n  session::Log,\n};",
            1,
        ),
        ("src/tui/x.rs", "fn f() { crate::session::open() }", 1),
        ("src/tui/x.rs", "use super::super::engine::E;", 1),
        ("src/tui/mod.rs", "use super::tool::T;", 1),
        (
            "src/tui/view/x.rs",
            "mod t { use super::super::super::provider::P; }",
            1,
        ),
        (
            "src/engine/x.rs",
            "use crate::provider::P; use crate::agent::A;",
            2,
        ),
        ("src/config/x.rs", "pub(crate) use crate::agent::Op;", 1),
        ("src/agent/x.rs", "use crate::cli::Cli;", 1),
        ("src/session/x.rs", "use crate::commands::run;", 1),
        // Allowed, own, or no use at all.
        (
            "src/tui/x.rs",
            "use crate::agent::Op; use crate::tui::theme::T;",
            0,
        ),
        ("src/tui/overlay/x.rs", "use super::super::theme::Theme;", 0),
        (
            "src/tui/x.rs",
            "// crate::session is not for us\nlet s = \"crate::session\";",
            0,
        ),
        ("src/tui/x.rs", "use my_crate::session::S;", 0),
        (
            "src/main.rs",
            "use plimsoll::tool::T; use crate::session::S;",
            0,
        ),
        ("src/commands/x.rs", "use crate::session::S;", 0),
    ];
    for (path, text, expected) in cases {
        let complaints = dependencies(path, text);
        assert_eq!(complaints.len(), expected, "{path}: {text}: {complaints:?}");
    }
    assert_eq!(
        dependencies("src/tui/x.rs", "\nuse crate::tool::T;"),
        ["line 2: tui may not use tool"]
    );
}

// --- pure is pure ---

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

// --- size, header, names ---

fn size(path: &str, text: &str) -> Vec<String> {
    let is_test =
        path.starts_with("tests/") || path.ends_with("/tests.rs") || path.contains("/tests/");
    let max = if is_test { MAX_TEST_LINES } else { MAX_LINES };
    let lines = text.lines().count();
    if lines > max {
        vec![format!("{lines} lines; at most {max}")]
    } else {
        Vec::new()
    }
}

#[test]
fn large_files_are_seen() {
    let cases = [
        ("src/a.rs", 600, 0),
        ("src/a.rs", 601, 1),
        ("src/a/tests.rs", 800, 0),
        ("src/a/tests.rs", 801, 1),
        ("src/a/tests/b.rs", 601, 0),
        ("src/latest/b.rs", 601, 1),
        ("tests/it/a.rs", 601, 0),
    ];
    for (path, lines, expected) in cases {
        let complaints = size(path, &"x\n".repeat(lines));
        assert_eq!(complaints.len(), expected, "{path} with {lines}");
    }
}

/// A `tests.rs` says it by its name.
fn header(path: &str, text: &str) -> Vec<String> {
    if path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let first = text.lines().find(|line| !line.trim().is_empty());
    let said = first.and_then(|line| line.strip_prefix("//!"));
    match said.map(str::trim) {
        Some("") | None => {
            vec!["does not begin with what it is (`//!`)".to_owned()]
        }
        Some(_) => Vec::new(),
    }
}

#[test]
fn missing_headers_are_seen() {
    let cases = [
        ("//! Counts tokens.\nfn f() {}", 0),
        ("\n//! Counts tokens.", 0),
        ("fn f() {}\n//! Too late.", 1),
        ("//!\nfn f() {}", 1),
        ("// Not a module comment.", 1),
        ("", 1),
    ];
    for (text, expected) in cases {
        assert_eq!(header("src/a.rs", text).len(), expected, "{text:?}");
    }
    assert!(header("src/a/tests.rs", "use super::*;").is_empty());
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

// --- nothing foreign, nothing unfinished ---

fn foreign_paths(_path: &str, text: &str) -> Vec<String> {
    let numbered = text.lines().enumerate();
    numbered
        .filter(|(_, line)| FOREIGN.iter().any(|foreign| line.contains(foreign)))
        .map(|(index, line)| format!("line {}: {}", index + 1, line.trim()))
        .collect()
}

#[test]
fn foreign_paths_are_seen() {
    let [design, folder] = FOREIGN;
    assert_eq!(
        foreign_paths("src/a.rs", &format!("// see {design}/X.md")).len(),
        1
    );
    assert_eq!(
        foreign_paths("src/a.rs", &format!("\nlet p = \"{folder}x\";")).len(),
        1
    );
    assert_eq!(
        foreign_paths("src/a.rs", "the workspace, /working").len(),
        0
    );
}

fn unfinished(_path: &str, text: &str) -> Vec<String> {
    let signs = ["todo!", "unimplemented!", "#[ignore"];
    let code = code_only(text);
    let numbered = code.lines().enumerate();
    numbered
        .filter_map(|(index, line)| {
            let sign = signs.iter().find(|sign| line.contains(**sign))?;
            Some(format!("line {}: {sign}", index + 1))
        })
        .collect()
}

#[test]
fn unfinished_work_is_seen() {
    let cases = [
        ("fn f() { todo!() }", 1),
        ("fn f() { unimplemented!(\"later\") }", 1),
        ("#[ignore = \"slow\"]\nfn f() {}", 1),
        ("// todo! is not allowed\nlet s = \"todo!\";", 0),
    ];
    for (text, expected) in cases {
        assert_eq!(unfinished("src/a.rs", text).len(), expected, "{text}");
    }
}
