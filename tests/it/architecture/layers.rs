//! The allowed uses between top-level modules.

use super::check;
use crate::rust_text::code_only;

/// Which top-level modules each one may use. Who is not listed here is the program
/// itself (`main`, `lib`, `commands`) and may use all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("transcript", &[]),
    ("clock", &["transcript"]),
    ("parallel", &[]),
    ("browser", &[]),
    ("context", &["transcript", "parallel"]),
    ("engine", &["transcript", "clock", "context"]),
    ("disk", &[]),
    ("provider", &["transcript", "clock", "disk"]),
    ("checkpoint", &["transcript", "clock", "disk"]),
    ("tool", &["transcript", "clock", "checkpoint", "disk"]),
    ("session", &["transcript", "clock", "disk"]),
    ("foreign", &["transcript", "session", "disk"]),
    ("fulltext", &["transcript", "session", "foreign", "disk"]),
    (
        "export",
        &["transcript", "context", "session", "foreign", "disk"],
    ),
    (
        "config",
        &["transcript", "context", "provider", "tool", "disk"],
    ),
    (
        "mcp",
        &[
            "transcript",
            "clock",
            "engine",
            "provider",
            "tool",
            "config",
            "disk",
        ],
    ),
    (
        "agent",
        &[
            "mcp",
            "transcript",
            "clock",
            "context",
            "engine",
            "provider",
            "checkpoint",
            "tool",
            "session",
            "foreign",
            "export",
            "fulltext",
            "config",
            "disk",
        ],
    ),
    (
        "tui",
        &[
            "transcript",
            "clock",
            "context",
            "agent",
            "config",
            "disk",
            "browser",
        ],
    ),
    ("headless", &["transcript", "context", "agent", "config"]),
    ("cli", &["transcript", "config"]),
];

#[test]
fn modules_use_only_what_they_may() {
    check("src", dependencies);
}

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
pub(super) fn top_module(path: &str) -> &str {
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
pub(super) fn segments_behind(code: &str, root: &str) -> Vec<(usize, String)> {
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
