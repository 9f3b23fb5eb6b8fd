//! Every file says what it is, nothing is foreign and nothing unfinished.

use super::{check, check_all};
use crate::rust_text::code_only;

/// Places outside the repository. Written in two pieces, because this file is read too.
const FOREIGN: [&str; 2] = [concat!("shared", "/design"), concat!("/wo", "rk/")];

#[test]
fn every_file_says_what_it_is() {
    check("src", header);
    check("crates", header);
    check("tests", header);
}

#[test]
fn nothing_points_outside_the_repository() {
    for folder in [
        "src", "crates", "tests", "assets", "benches", "docs", "examples", "fuzz", ".github", ".ci",
    ] {
        check_all(folder, foreign_paths);
    }
}

#[test]
fn nothing_is_left_unfinished() {
    check("src", unfinished);
    check("crates", unfinished);
    check("tests", unfinished);
}

/// A `tests.rs` and a `tests/mod.rs` say it by their name.
fn header(path: &str, text: &str) -> Vec<String> {
    if path.ends_with("/tests.rs") || path.ends_with("/tests/mod.rs") {
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
    for path in ["src/a/tests.rs", "src/a/tests/mod.rs"] {
        assert!(header(path, "use super::*;").is_empty());
    }
}

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
