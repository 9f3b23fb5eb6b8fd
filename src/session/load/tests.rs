//! Damaged, old and large files.

use super::*;
use crate::transcript::Message;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-21T00:00:00.000Z","cwd":"/w"}"#;

fn user(id: &str, parent: &str, text: &str) -> String {
    let parent = match parent {
        "" => "null".to_owned(),
        parent => format!("\"{parent}\""),
    };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-11-21T00:00:01.000Z","message":{{"role":"user","content":"{text}"}}}}"#
    )
}

fn parsed(lines: &[&str]) -> ParsedFile {
    let text = lines.join("\n") + "\n";
    parse(text.as_bytes(), Path::new("x")).unwrap()
}

/// The texts of the active branch.
fn branch(parsed: &ParsedFile) -> Vec<String> {
    let entries = parsed.transcript.branch();
    entries
        .iter()
        .filter_map(|e| e.message())
        .map(|m| m.text())
        .collect()
}

fn problem_lines(parsed: &ParsedFile) -> Vec<usize> {
    parsed.problems.iter().map(|problem| problem.line).collect()
}

/// Name, lines after the header, texts of the branch, lines with problems.
type LoadCase<'a> = (&'a str, &'a [&'a str], &'a [&'a str], &'a [usize]);

#[test]
fn damage_in_the_middle_costs_its_own_line_only() {
    let (a, b, c) = (user("a", "", "1"), user("b", "a", "2"), user("c", "b", "3"));
    let cases: [LoadCase; 7] = [
        ("whole", &[&a, &b, &c], &["1", "2", "3"], &[]),
        (
            "blank lines",
            &["", &a, " \r", &b, &c],
            &["1", "2", "3"],
            &[],
        ),
        ("garbage", &[&a, "garbage", &b], &["1", "2"], &[3]),
        ("lost parent", &[&a, "{\"type\":", &c], &["1", "3"], &[3, 4]),
        (
            "wrong shape keeps its place",
            &[&a, r#"{"type":"message","id":"b","parentId":"a"}"#, &c],
            &["1", "3"],
            &[3],
        ),
        (
            "used twice",
            &[&a, &b, &user("a", "b", "x"), &c],
            &["1", "2", "3"],
            &[4],
        ),
        (
            "no id",
            &[&a, r#"{"type":"label","targetId":"a"}"#, &b],
            &["1", "2"],
            &[3],
        ),
    ];
    for (name, lines, texts, problems) in cases {
        let lines: Vec<&str> = [HEADER].into_iter().chain(lines.iter().copied()).collect();
        let parsed = parsed(&lines);
        assert_eq!(branch(&parsed), texts, "{name}");
        assert_eq!(
            problem_lines(&parsed),
            problems,
            "{name}: {:?}",
            parsed.problems
        );
        assert!(parsed.torn.is_none() && !parsed.is_unterminated);
    }
}

#[test]
fn only_the_last_bytes_can_be_torn() {
    let good = user("a", "", "1");
    let cases = [
        (format!("{HEADER}\n{good}\n"), None, false),
        (format!("{HEADER}\n{good}"), None, true),
        (HEADER.to_owned(), None, true),
        (format!("{HEADER}\n{good}\n{{\"ty"), Some("{\"ty"), false),
        (format!("{HEADER}\n{good}\n\0\0"), Some("\0\0"), false),
        (format!("{HEADER}\n{good}\n{{\"ty\n"), None, false),
        (format!("{HEADER}\n{good}\n{{\"ty\n  "), None, true),
    ];
    for (text, torn, is_unterminated) in cases {
        let parsed = parse(text.as_bytes(), Path::new("x")).unwrap();
        let found = parsed.torn.clone().and_then(|range| text.get(range));
        assert_eq!(
            (found, parsed.is_unterminated),
            (torn, is_unterminated),
            "{text}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_reported() {
    let mut bytes = format!("{HEADER}\n{}\n", user("a", "", "1")).into_bytes();
    bytes.extend(b"{\"type\":\"label\",\"id\":\"\xff\"}\n");
    bytes.extend(format!("{}\n", user("b", "a", "2")).bytes());
    let parsed = parse(&bytes, Path::new("x")).unwrap();
    assert_eq!(branch(&parsed), ["1", "2"]);
    assert_eq!(problem_lines(&parsed), [3]);
}

#[test]
fn self_and_forward_references_are_no_cycles() {
    let parsed = parsed(&[
        HEADER,
        &user("a", "b", "1"),
        &user("b", "b", "2"),
        &user("c", "a", "3"),
    ]);
    assert_eq!(branch(&parsed), ["1", "3"]);
    assert_eq!(problem_lines(&parsed), [2, 3]);
}

#[test]
fn branches_end_at_the_last_entry() {
    let parsed = parsed(&[
        HEADER,
        &user("a", "", "1"),
        &user("b", "a", "2"),
        &user("c", "a", "3"),
    ]);
    assert_eq!(branch(&parsed), ["1", "3"]);
    assert_eq!(parsed.transcript.len(), 3);
}

#[test]
fn the_first_version_is_upgraded() {
    let lines = [
        r#"{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/w","provider":"p","modelId":"m","thinkingLevel":"low","branchedFrom":"/old.jsonl"}"#,
        r#"{"type":"message","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"1"}}"#,
        r#"{"type":"message","timestamp":"2025-01-01T00:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"2"}],"stopReason":"stop"}}"#,
        r#"{"type":"compaction","timestamp":"2025-01-01T00:00:03.000Z","summary":"s","firstKeptEntryIndex":2,"tokensBefore":5}"#,
        r#"{"type":"message","timestamp":"2025-01-01T00:00:04.000Z","message":{"role":"user","content":"3"}}"#,
    ];
    let parsed = parsed(&lines);
    assert_eq!(parsed.header.version, 1);
    assert_eq!(parsed.header.parent_session.as_deref(), Some("/old.jsonl"));
    assert_eq!(branch(&parsed), ["1", "2", "3"]);
    let ids: Vec<_> = parsed
        .transcript
        .branch()
        .iter()
        .map(|e| e.id.to_string())
        .collect();
    assert_eq!(
        ids,
        [
            "00000001-model",
            "00000001-thinking",
            "00000002",
            "00000003",
            "00000004",
            "00000005"
        ]
    );
    let kept = parsed
        .transcript
        .entries()
        .iter()
        .find_map(|entry| match &entry.body {
            EntryBody::Compaction(compaction) => compaction.first_kept.clone(),
            _ => None,
        });
    assert_eq!(
        kept,
        Some(EntryId::new("00000003")),
        "index 2 with the header"
    );
    assert_eq!(parsed.problems, []);
}

#[test]
fn an_index_beyond_the_file_keeps_nothing() {
    let parsed = parsed(&[
        r#"{"type":"session","id":"s"}"#,
        r#"{"type":"compaction","summary":"s","firstKeptEntryIndex":99}"#,
    ]);
    let EntryBody::Compaction(compaction) = &parsed.transcript.entries()[0].body else {
        panic!("no compaction");
    };
    assert_eq!(compaction.first_kept, None);
}

#[test]
fn the_second_version_has_ids_and_hook_messages() {
    let parsed = parsed(&[
        r#"{"type":"session","version":2,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/w"}"#,
        &user("a", "", "1"),
        r#"{"type":"message","id":"b","parentId":"a","message":{"role":"hookMessage","customType":"t","content":"x","display":false}}"#,
    ]);
    assert_eq!(parsed.problems, []);
    assert!(matches!(
        &parsed.transcript.branch()[1].body,
        EntryBody::CustomMessage { custom_type, display: false, .. } if custom_type == "t"
    ));
}

#[test]
fn what_is_no_session_is_named() {
    let cases = [
        ("", ForeignFile::Empty),
        ("{\"type\":\"message\"}\n", ForeignFile::Unrecognised),
        (
            "{\"type\":\"session_meta\",\"payload\":{}}\n",
            ForeignFile::Codex,
        ),
    ];
    for (text, expected) in cases {
        match parse(text.as_bytes(), Path::new("x")) {
            Err(SessionError::NotASession { looks_like, .. }) => assert_eq!(looks_like, expected),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn several_threads_read_what_one_reads() {
    let filler = "x".repeat(1_000);
    let mut text = format!("{HEADER}\n");
    let mut parent = String::new();
    for n in 0..3_000 {
        let id = format!("{n:08x}");
        text.push_str(&user(&id, &parent, &format!("{n} {filler}")));
        text.push('\n');
        if n % 1_000 == 500 {
            text.push_str("\ndamaged\n");
        }
        parent = id;
    }
    assert!(text.len() > 4 * MIN_CHUNK_BYTES);
    let whole = parse(text.as_bytes(), Path::new("x")).unwrap();
    assert_eq!(whole.transcript.branch().len(), 3_000);
    assert_eq!(problem_lines(&whole), [504, 1_506, 2_508]);
    assert!(matches!(
        whole.transcript.entries()[2_999]
            .message()
            .map(AsRef::as_ref),
        Some(Message::User(_))
    ));
    for parts in 1..9 {
        let chunks = split(text.as_bytes(), parts);
        assert_eq!(chunks.concat(), text.as_bytes());
        assert!(chunks.iter().all(|chunk| chunk.ends_with(b"\n")));
    }
}
