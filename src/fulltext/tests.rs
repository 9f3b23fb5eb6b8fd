use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::foreign::{self, ForeignProgram, ImportTarget, SessionPlace, SessionStore};
use crate::session::{self, Durability, Header, SessionLog};
use crate::transcript::{
    AssistantMessage, AssistantPart, Entry, EntryBody, EntryId, Message, Part, Timestamp, ToolCall,
    ToolResult,
};

/// A home with sessions of ours and of Claude Code, and its index.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("claude/projects/-w")).unwrap();
        Self { folder }
    }

    fn sessions(&self) -> PathBuf {
        self.folder.path().join("sessions")
    }

    fn index_file(&self) -> PathBuf {
        self.folder.path().join("cache/search.sqlite3")
    }

    fn places(&self) -> SearchPlaces {
        SearchPlaces {
            sessions: self.sessions(),
            stores: vec![SessionStore {
                program: ForeignProgram::ClaudeCode,
                root: self.folder.path().join("claude/projects"),
            }],
        }
    }

    /// A session of ours with these messages of the user.
    fn own(&self, id: &str, at: i64, texts: &[&str]) -> PathBuf {
        let path = session::session_file(&self.sessions(), Path::new("/w"), Timestamp(at), id);
        let log = &mut SessionLog::create(&path, &Header::new(id, Timestamp(at), "/w"));
        for (n, text) in texts.iter().enumerate() {
            append(
                log,
                n,
                at,
                EntryBody::Message(Arc::new(Message::user_text(*text))),
            );
        }
        path
    }

    /// A session of Claude Code.
    fn claude(&self, name: &str, text: &str) -> PathBuf {
        let path = self
            .folder
            .path()
            .join(format!("claude/projects/-w/{name}.jsonl"));
        let line = json!({ "type": "user", "uuid": "u1", "parentUuid": null, "sessionId": name,
            "cwd": "/elsewhere", "version": "2.1.330", "timestamp": "2026-11-22T09:00:00.000Z",
            "message": { "role": "user", "content": text } });
        std::fs::write(&path, format!("{line}\n")).unwrap();
        path
    }

    fn refreshed(&self) -> SearchIndex {
        let mut index = SearchIndex::open(&self.index_file()).unwrap();
        let report = index.refresh(&self.places(), &mut |_| true).unwrap();
        assert!(!report.is_busy && report.unread.is_empty(), "{report:?}");
        index
    }

    fn found(&self, text: &str) -> Vec<String> {
        ids(&self.refreshed(), text, &SearchFilter::default())
    }
}

fn append(log: &mut SessionLog, n: usize, at: i64, body: EntryBody) {
    let parent = (n > 0).then(|| EntryId::new(format!("{:08}", n - 1)));
    let entry = Entry {
        id: EntryId::new(format!("{n:08}")),
        parent,
        timestamp: Timestamp(at + n as i64),
        body,
    };
    log.append(&entry, Durability::Buffered).unwrap();
}

fn ids(index: &SearchIndex, text: &str, filter: &SearchFilter) -> Vec<String> {
    let found = index.search(text, filter).unwrap();
    found.into_iter().map(|it| it.session).collect()
}

#[test]
fn words_of_all_sessions_are_found_the_newest_session_first() {
    let home = Home::new();
    home.own("old", 1_000_000_000_000, &["the data race in the parser"]);
    home.own(
        "new",
        1_700_000_000_000,
        &["hello", "another Race, in src/main.rs"],
    );
    home.claude("theirs", "a race between two ferries: 漢字入力の問題");
    assert_eq!(home.found("race"), ["theirs", "new", "old"]);
    assert_eq!(home.found("data race"), ["old"]);
    assert_eq!(home.found("\"race between\""), ["theirs"]);
    assert_eq!(home.found("src/main.rs"), ["new"]);
    assert_eq!(home.found("pars"), ["old"], "the beginning of a word");
    assert_eq!(home.found("入力"), ["theirs"]);
    assert_eq!(home.found("字"), ["theirs"]);
    assert_eq!(home.found("力字"), [""; 0]);
    assert_eq!(home.found("absent"), [""; 0]);
    assert_eq!(home.found("e1"), [""; 0], "what filters ask is no text");
    let index = home.refreshed();
    assert!(matches!(
        index.search(" !? ", &SearchFilter::default()),
        Err(SearchError::NoWord { .. })
    ));
    let hits = index
        .search("RACE parser", &SearchFilter::default())
        .unwrap();
    let hit = &hits[0].hits[0];
    assert_eq!((hit.entry.as_str(), hit.role), ("00000000", "user"));
    let marked: Vec<&str> = hit
        .marks
        .iter()
        .filter_map(|it| hit.excerpt.get(it.clone()))
        .collect();
    assert_eq!(marked, ["race", "parser"]);
    assert_eq!(hits[0].title, "the data race in the parser");
}

#[test]
fn calls_and_results_are_found_by_tool_and_by_failure() {
    let home = Home::new();
    let path = home.own("s", 1_700_000_000_000, &["build it"]);
    let (mut log, _) = SessionLog::open(&path, Timestamp(1)).unwrap();
    let call = ToolCall {
        id: "c".to_owned(),
        name: "shell".to_owned(),
        arguments: json!({"command": "make ferrytable"}),
        malformed: None,
    };
    let answer = AssistantMessage {
        content: vec![AssistantPart::ToolCall(call)],
        ..AssistantMessage::default()
    };
    let message = |message: Message| EntryBody::Message(Arc::new(message));
    append(&mut log, 1, 0, message(Message::Assistant(answer)));
    let result = ToolResult {
        call_id: "c".to_owned(),
        tool_name: "shell".to_owned(),
        content: vec![Part::Text("make: ferrytable failed".to_owned())],
        is_error: true,
        details: None,
    };
    append(&mut log, 2, 0, message(Message::ToolResult(result)));
    log.close().unwrap();
    home.own("t", 1_700_000_000_001, &["ferrytable is a tool"]);
    let index = home.refreshed();
    let roles = |filter: &SearchFilter| -> Vec<&str> {
        let found = index.search("ferrytable", filter).unwrap();
        found
            .iter()
            .flat_map(|it| it.hits.iter().map(|hit| hit.role))
            .collect()
    };
    let all = SearchFilter::default();
    assert_eq!(roles(&all), ["user", "tool_result", "tool_call"]);
    let tool = Some("Shell".to_owned());
    assert_eq!(
        roles(&SearchFilter {
            tool,
            ..all.clone()
        }),
        ["tool_result", "tool_call"]
    );
    assert_eq!(
        roles(&SearchFilter {
            errors: true,
            ..all.clone()
        }),
        ["tool_result"]
    );
    let since = Some(Timestamp(1_700_000_000_001));
    assert_eq!(roles(&SearchFilter { since, ..all }), ["user"]);
}

#[test]
fn program_and_directory_narrow_a_search() {
    let home = Home::new();
    home.own("ours", 1_700_000_000_000, &["tides"]);
    home.claude("theirs", "tides");
    let index = home.refreshed();
    let by = |program: Option<&str>, dir: Option<&str>| {
        let filter = SearchFilter {
            program: program.map(str::to_owned),
            dir: dir.map(str::to_owned),
            ..SearchFilter::default()
        };
        ids(&index, "tides", &filter)
    };
    assert_eq!(by(Some("plimsoll"), None), ["ours"]);
    assert_eq!(by(Some("claude-code"), None), ["theirs"]);
    assert_eq!(by(None, Some("/w")), ["ours"]);
    assert_eq!(by(None, Some("/")), ["theirs", "ours"]);
    assert_eq!(by(None, Some("/else")), [""; 0]);
    assert_eq!(by(None, Some("/elsewhere/")), ["theirs"]);
}

#[test]
fn what_changes_is_read_again_and_what_is_gone_is_forgotten() {
    let home = Home::new();
    let path = home.own("s", 1_700_000_000_000, &["first words"]);
    let theirs = home.claude("theirs", "first ferry");
    assert_eq!(home.found("first"), ["theirs", "s"]);
    let mut index = home.refreshed();
    let again = index.refresh(&home.places(), &mut |_| true).unwrap();
    assert_eq!((again.read, again.gone), (0, 0));
    let (mut log, _) = SessionLog::open(&path, Timestamp(1)).unwrap();
    let later = EntryBody::Message(Arc::new(Message::user_text("second thoughts")));
    append(&mut log, 1, 1_700_000_000_000, later);
    log.close().unwrap();
    assert_eq!(home.found("second"), ["s"]);
    assert_eq!(home.found("first").len(), 2, "nothing is there twice");
    std::fs::remove_file(theirs).unwrap();
    assert_eq!(home.found("first"), ["s"]);
    assert_eq!(home.refreshed().session_count().unwrap(), 1);
}

#[test]
fn a_missing_or_damaged_index_is_made_again() {
    let home = Home::new();
    home.own("s", 1_700_000_000_000, &["first words"]);
    assert_eq!(home.found("words"), ["s"]);
    for damage in [
        &b"no database at all, but longer than a header would be"[..],
        b"",
    ] {
        for ending in ["-wal", "-shm"] {
            let beside = format!("{}{ending}", home.index_file().display());
            let _ = std::fs::remove_file(beside);
        }
        std::fs::write(home.index_file(), damage).unwrap();
        assert_eq!(home.found("words"), ["s"]);
    }
    {
        let other = rusqlite::Connection::open(home.index_file()).unwrap();
        other.execute_batch("PRAGMA user_version = 99").unwrap();
    }
    assert_eq!(home.found("words"), ["s"]);
    std::fs::remove_file(home.index_file()).unwrap();
    assert_eq!(home.found("words"), ["s"]);
}

#[test]
fn an_imported_session_is_found_once_and_as_the_one_that_can_be_continued() {
    let home = Home::new();
    let theirs = home.claude("theirs", "the tides of St Malo");
    assert_eq!(home.found("tides"), ["theirs"]);
    let read = foreign::read(&SessionPlace::of(&theirs), None).unwrap();
    let sessions = home.sessions();
    let target = ImportTarget {
        sessions: &sessions,
        cwd: None,
        now: Timestamp(1),
    };
    let import = foreign::import(&read, target).unwrap();
    let index = home.refreshed();
    let found = index.search("tides", &SearchFilter::default()).unwrap();
    let places: Vec<&PathBuf> = found.iter().map(|it| &it.place).collect();
    assert_eq!(places, [&import.path]);
}

#[test]
fn an_update_can_be_stopped_and_goes_on_later() {
    let home = Home::new();
    for n in 0..5 {
        home.own(&format!("s{n}"), 1_700_000_000_000 + n, &["same words"]);
    }
    let mut index = SearchIndex::open(&home.index_file()).unwrap();
    let stopped = index
        .refresh(&home.places(), &mut |it| it.done < 2)
        .unwrap();
    assert_eq!(stopped.read, 2);
    assert_eq!(index.session_count().unwrap(), 2);
    let rest = index.refresh(&home.places(), &mut |_| true).unwrap();
    assert_eq!(rest.read, 3);
    assert_eq!(ids(&index, "words", &SearchFilter::default()).len(), 5);
}
