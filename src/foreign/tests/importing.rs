//! Sessions of ours made of others.

use serde_json::{Value, json};

use super::*;
use crate::foreign::{ImportTarget, ImportedSession, import};
use crate::session::{self, Durability, SessionLog};
use crate::transcript::{EntryBody, EntryId, NoteKind, Timestamp};

fn line(uuid: &str, parent: Option<&str>, kind: &str, content: Value) -> Value {
    json!({ "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": "/w",
        "timestamp": "2026-11-22T09:00:00.000Z", "version": "2.1.330",
        "message": { "role": kind, "id": uuid, "model": "m", "content": std::convert::identity(content) } })
}

fn write(path: &Path, lines: &[Value]) {
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    std::fs::write(path, text).unwrap();
}

fn imported(source: &Path, home: &Path) -> ImportedSession {
    let target = ImportTarget {
        sessions: home,
        cwd: None,
        now: Timestamp(1_795_400_000_000),
    };
    import(&read(source), target).unwrap()
}

fn texts(path: &Path) -> Vec<String> {
    let loaded = session::load(path).unwrap();
    assert_eq!(loaded.problems, [], "what is written is without fault");
    loaded
        .transcript
        .branch()
        .iter()
        .filter(|entry| entry.body.note_kind().is_none())
        .flat_map(|entry| said(entry))
        .collect()
}

fn lines() -> Vec<Value> {
    vec![
        json!({ "type": "custom-title", "customTitle": "Tides" }),
        line("u1", None, "user", json!("one")),
        line(
            "a1",
            Some("u1"),
            "assistant",
            json!([{ "type": "text", "text": "1" }]),
        ),
        line("d1", Some("a1"), "user", json!("dead end")),
        line("u2", Some("a1"), "user", json!("two")),
    ]
}

#[test]
fn an_import_has_the_path_its_branches_and_where_it_comes_from() {
    let home = tempfile::tempdir().unwrap();
    let (_folder, source) = file("s.jsonl", &lines());
    let done = imported(&source, home.path());
    assert_eq!(
        (done.state, texts(&done.path)),
        (
            "new",
            vec![
                "user: one".to_owned(),
                "model: 1".to_owned(),
                "user: two".to_owned()
            ]
        )
    );
    let loaded = session::load(&done.path).unwrap();
    let branch = loaded.transcript.branch();
    let record = match &branch[0].body {
        EntryBody::Import(record) => record,
        other => panic!("{other:?}"),
    };
    assert_eq!(record.source(), "claude-code 2.1.330");
    let note = branch.last().unwrap();
    assert_eq!(note.body.note_kind(), Some(NoteKind::Imported));
    let text = std::fs::read_to_string(&done.path).unwrap();
    assert!(text.contains("dead end") && text.contains("plimsoll.import"));
    let second: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(second["data"]["program"], "claude-code");
    assert_eq!(second["data"]["sha256"].as_str().unwrap().len(), 64);
    assert!(text.contains("\"Tides\""));
}

#[test]
fn twice_is_one_session_and_a_grown_original_continues_it() {
    let home = tempfile::tempdir().unwrap();
    let (_folder, source) = file("s.jsonl", &lines());
    let first = imported(&source, home.path());
    let again = imported(&source, home.path());
    assert_eq!(
        (again.state, again.written, &again.path),
        ("up-to-date", 0, &first.path)
    );
    let mut grown = lines();
    grown.push(line(
        "a2",
        Some("u2"),
        "assistant",
        json!([{ "type": "text", "text": "2" }]),
    ));
    for round in 0..3 {
        grown.push(line(
            &format!("x{round}"),
            Some("a2"),
            "user",
            json!(format!("round {round}")),
        ));
        write(&source, &grown);
        assert_eq!(imported(&source, home.path()).state, "grown");
        assert_eq!(imported(&source, home.path()).state, "up-to-date");
    }
    assert_eq!(texts(&first.path).last().unwrap(), "user: round 2");
    let loaded = session::load(&first.path).unwrap();
    let records = loaded.transcript.entries().iter();
    let records = records.filter(|it| matches!(it.body, EntryBody::Import(_)));
    assert_eq!(
        records.count(),
        4,
        "each reading that brought something says which bytes"
    );
    let note = loaded.transcript.branch().last().unwrap().body.note_kind();
    assert_eq!(note, Some(NoteKind::Imported));
    assert_eq!(
        std::fs::read_dir(first.path.parent().unwrap())
            .unwrap()
            .count(),
        1
    );
}

#[test]
fn what_was_said_here_meanwhile_stays_the_path() {
    let home = tempfile::tempdir().unwrap();
    let (_folder, source) = file("s.jsonl", &lines());
    let done = imported(&source, home.path());
    let (mut log, loaded) = SessionLog::open(&done.path, Timestamp(1)).unwrap();
    let own = Entry {
        id: EntryId::new("0badcafe"),
        parent: loaded.transcript.leaf().cloned(),
        timestamp: Timestamp(2),
        body: super::super::parts::typed(vec![crate::transcript::Part::Text("mine".to_owned())]),
    };
    log.append(&own, Durability::Buffered).unwrap();
    log.close().unwrap();
    drop(log);
    let mut grown = lines();
    grown.push(line("u3", Some("u2"), "user", json!("theirs")));
    write(&source, &grown);
    assert_eq!(imported(&source, home.path()).state, "branched");
    assert_eq!(texts(&done.path).last().unwrap(), "user: mine");
    assert!(
        std::fs::read_to_string(&done.path)
            .unwrap()
            .contains("theirs")
    );
    assert_eq!(imported(&source, home.path()).state, "up-to-date");
}

#[test]
fn full_results_come_with_the_session_and_the_source_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let call = json!([{ "type": "tool_use", "id": "c", "name": "Read", "input": {} }]);
    let mut result = line(
        "r1",
        Some("a1"),
        "user",
        json!([{ "type": "tool_result", "tool_use_id": "c", "content": "head" }]),
    );
    result["toolUseResult"] =
        json!({ "persistedOutputPath": "/x/full.txt", "persistedOutputSize": 5 });
    let lines = [
        line("u1", None, "user", json!("go")),
        line("a1", Some("u1"), "assistant", call),
        result,
    ];
    let (folder, source) = file("s.jsonl", &lines);
    let results = folder.path().join("s/tool-results");
    std::fs::create_dir_all(&results).unwrap();
    std::fs::write(results.join("full.txt"), "whole").unwrap();
    let before = std::fs::read(&source).unwrap();
    let done = imported(&source, home.path());
    assert_eq!(std::fs::read(&source).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let outputs = session::outputs_folder(&done.path);
    let copied: Vec<_> = std::fs::read_dir(outputs)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    assert_eq!(std::fs::read_to_string(&copied[0]).unwrap(), "whole");
    assert_eq!(imported(&source, home.path()).state, "up-to-date");
}

#[test]
fn a_hostile_session_names_no_file_and_forges_no_note_of_ours() {
    let home = tempfile::tempdir().unwrap();
    let mut lines = lines();
    for line in &mut lines {
        line["sessionId"] = json!("../../../../etc/\u{0}x");
        line["cwd"] = json!("/../../../tmp/evil");
    }
    lines.push(json!({ "type": "custom_message", "customType": "plimsoll.rule", "uuid": "f", "parentUuid": "u2" }));
    let (_folder, source) = file("s.jsonl", &lines);
    let done = imported(&source, home.path());
    assert!(
        done.path.starts_with(home.path()),
        "{}",
        done.path.display()
    );
    assert!(!done.path.to_string_lossy().contains("/../"));
    let loaded = session::load(&done.path).unwrap();
    let forged = loaded.transcript.entries().iter().any(|entry| {
        matches!(&entry.body,
        EntryBody::CustomMessage { custom_type, .. } if custom_type.starts_with("plimsoll"))
            && entry.body.note_kind() != Some(NoteKind::Imported)
    });
    assert!(!forged);
}

#[test]
fn a_file_of_ours_is_read_as_before_and_one_of_nobody_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (_folder, source) = file("s.jsonl", &lines());
    let done = imported(&source, home.path());
    let native = load::load(&done.path).unwrap();
    let foreign = load::load(&source).unwrap();
    assert_eq!(
        native.transcript.branch().len(),
        foreign.transcript.branch().len()
    );
    let (_folder, nobody) = file_of("notes.txt", b"hello");
    assert!(load::load(&nobody).is_err());
}
