//! `plim export` for other programs and `plim handover`, with the real binary.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::program::Program;

/// A session with a call that fails, a compaction, a key, and a turn after it.
fn session(program: &Program) -> String {
    let cwd = program.dir().canonicalize().unwrap();
    let entry = |id: &str, parent: Option<&str>, fields: serde_json::Value| {
        let mut entry = json!({ "type": "message", "id": id, "parentId": parent,
            "timestamp": "2026-11-22T09:00:00.000Z" });
        let held = entry.as_object_mut().unwrap();
        held.extend(fields.as_object().unwrap().clone());
        entry
    };
    let said = |text: &str| json!({ "message": { "role": "user", "content": text } });
    let call = json!({ "message": { "role": "assistant", "provider": "openai", "model": "m",
        "stopReason": "toolUse", "content": [{ "type": "toolCall", "id": "c", "name": "shell",
        "arguments": { "command": "cat tides.csv" } }] } });
    let result = json!({ "message": { "role": "toolResult", "toolCallId": "c",
        "toolName": "shell", "isError": true,
        "content": [{ "type": "text", "text": "API_KEY=sk-proj-aZ3kQ9xT2mN8vB5cL7wR4yH1uJ6pD0" }] } });
    let lines = [
        json!({ "type": "session", "version": 3, "id": "tides",
            "timestamp": "2026-11-22T09:00:00.000Z", "cwd": cwd }),
        entry(
            "a1",
            None,
            said("Which port in tides.csv has the highest tide? Never round."),
        ),
        entry("a2", Some("a1"), call),
        entry("a3", Some("a2"), result),
        entry(
            "a4",
            Some("a3"),
            json!({ "type": "compaction", "summary": "## Goal\n- tides.csv",
                "firstKeptEntryId": "a4", "tokensBefore": 900 }),
        ),
        entry("a5", Some("a4"), said("And Hoefn?")),
    ];
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

#[test]
fn a_session_is_put_where_another_program_looks_for_it_and_reads_back() {
    let program = Program::new();
    program.file("tides.jsonl", &session(&program));
    for (format, folder) in [
        ("claude-code", ".claude/projects"),
        ("codex", ".codex/sessions/2026/11/22"),
        ("pi", ".pi/agent/sessions"),
    ] {
        let args = ["export", "tides.jsonl", "--format", format, "--install"];
        let ran = program.run(&args);
        assert_eq!(ran.code, 0, "{format}: {ran:?}");
        let path = Path::new(ran.out.trim());
        assert!(path.starts_with(program.home().join(folder)), "{path:?}");
        let printed = program
            .run(&["export", "tides.jsonl", "--format", format])
            .out;
        assert_eq!(std::fs::read_to_string(path).unwrap(), printed, "{format}");
        let text = program
            .run(&["export", path.to_str().unwrap(), "--format", "md"])
            .out;
        for part in ["Never round.", "Compaction", "And Hoefn?", "(failed)"] {
            assert!(text.contains(part), "{format}: {part}: {text}");
        }
        std::fs::write(path, "changed there\n").unwrap();
        let again = program.run(&args);
        assert!(again.err.contains("there already"), "{format}: {again:?}");
        assert_eq!(std::fs::read_to_string(path).unwrap(), "changed there\n");
        let second = Path::new(again.out.trim());
        assert_ne!(second, path, "{format}");
        let third = program.run(&args);
        assert_eq!(Path::new(third.out.trim()), second, "{format}: {third:?}");
        assert!(third.err.contains("same content"), "{format}: {third:?}");
    }
    let wrong = program.run(&["export", "tides.jsonl", "--install"]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
}

#[test]
fn a_session_that_has_grown_never_overwrites_what_the_other_program_continued() {
    let program = Program::new();
    let text = session(&program);
    let (shorter, _) = text.trim_end().rsplit_once('\n').unwrap();
    for format in ["claude-code", "codex", "pi"] {
        let args = ["export", "tides.jsonl", "--format", format, "--install"];
        program.file("tides.jsonl", &format!("{shorter}\n"));
        let first = program.run(&args);
        let path = Path::new(first.out.trim()).to_owned();
        let mut continued = std::fs::read_to_string(&path).unwrap();
        continued.push_str("{\"type\":\"continued there\"}\n");
        std::fs::write(&path, &continued).unwrap();
        program.file("tides.jsonl", &text);
        let second = program.run(&args);
        assert!(second.err.contains("changed since"), "{format}: {second:?}");
        assert!(
            second.err.contains("further session"),
            "{format}: {second:?}"
        );
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            continued,
            "{format}"
        );
        let other = Path::new(second.out.trim());
        let name = |path: &Path| path.file_name().map(std::ffi::OsStr::to_owned);
        assert_ne!(name(other), name(&path), "{format}: an id of its own");
        let read = program.run(&["export", other.to_str().unwrap(), "--format", "md"]);
        assert!(read.out.contains("And Hoefn?"), "{format}: {read:?}");
    }
}

#[test]
fn sub_agents_go_with_an_export_and_a_handover() {
    let program = Program::new();
    let path = program.file("tides.jsonl", &session(&program));
    let agents = path.with_extension("d").join("agents");
    std::fs::create_dir_all(&agents).unwrap();
    let text = session(&program).replace(
        "And Hoefn?",
        "Count the rows, sk-proj-abcdefghijklmnopqrstuvwxyz012345.",
    );
    std::fs::write(
        agents.join("a1.jsonl"),
        text.replace("\"id\":\"tides\"", "\"id\":\"helper\""),
    )
    .unwrap();
    for (to, below) in [("pi", ""), ("codex", ""), ("claude-code", "subagents")] {
        let ran = program.run(&[
            "handover",
            "tides.jsonl",
            "--to",
            to,
            "--output",
            to,
            "--json",
        ]);
        assert_eq!(ran.json()["sub_agents"], 1, "{ran:?}");
        let found = files_below(&program.dir().join(to));
        let helpers: Vec<_> = found
            .iter()
            .filter(|path| {
                std::fs::read_to_string(path)
                    .unwrap()
                    .contains("Count the rows")
            })
            .collect();
        assert_eq!(helpers.len(), 1, "{to}: {found:?}");
        let helper = helpers[0];
        assert!(helper.to_str().unwrap().contains(below), "{to}: {helper:?}");
        let text = std::fs::read_to_string(helper).unwrap();
        assert!(
            !text.contains("sk-proj-abcdef"),
            "{to}: no secret of a sub-agent"
        );
        let installed = program.run(&["export", "tides.jsonl", "--format", to, "--install"]);
        assert_eq!(installed.code, 0, "{installed:?}");
    }
    let pi = files_below(&program.home().join(".pi/agent/sessions"));
    assert_eq!(pi.len(), 2, "{pi:?}");
    let heads = pi.iter().map(|path| std::fs::read_to_string(path).unwrap());
    let heads: Vec<String> = heads
        .map(|it| it.lines().next().unwrap().to_owned())
        .collect();
    let of = heads
        .iter()
        .filter(|it| it.contains("parentSession"))
        .count();
    assert_eq!(of, 1, "the helper names its parent: {heads:?}");
    let other = program.run(&["handover", "tides.jsonl", "--to", "gemini", "--output", "g"]);
    assert!(other.err.contains("sub-agent"), "{other:?}");
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_handover_is_a_folder_without_secrets() {
    let program = Program::new();
    program.file("tides.jsonl", &session(&program));
    let ran = program.run(&["handover", "tides.jsonl", "--to", "codex", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let facts = ran.json();
    assert_eq!(facts["ask"], "And Hoefn?");
    assert_eq!(facts["rules"][0], "Never round.");
    assert!(facts["secrets_removed"].as_u64() >= Some(1), "{facts}");
    let folder = program.dir().join("handover-tides");
    let names = std::fs::read_dir(&folder).unwrap();
    let names: Vec<_> = names.map(|it| it.unwrap().path()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for path in names {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("sk-proj-"), "{path:?}: {text}");
    }
    let again = program.run(&["handover", "tides.jsonl", "--to", "codex"]);
    assert!(
        again.code == 1 && again.err.contains("--output"),
        "{again:?}"
    );
    let to = ["handover", "tides.jsonl", "--output", "h2", "--to"];
    let with = |name: &'static str| program.run(&[&to[..], &[name]].concat());
    assert_eq!(with("gemini").code, 0);
    assert!(!program.dir().join("h2/tides.jsonl").exists());
    assert_eq!(with("nobody").code, 2);
}
