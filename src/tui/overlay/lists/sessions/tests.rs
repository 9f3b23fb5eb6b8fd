use super::*;
use crate::agent::{Notice, Query, QueryReply, SessionOp};
use crate::transcript::{EntryId, ModelRef, Timestamp};
use crate::tui::overlay::fixture::{self, OverlayStage, key};

const NOW: i64 = 1_700_000_000_000;

fn session(id: &str, name: Option<&str>, words: &str, hours_ago: i64) -> SessionListing {
    SessionListing {
        path: format!("/s/{id}.jsonl").into(),
        id: id.to_owned(),
        cwd: "/src/api".to_owned(),
        name: name.map(str::to_owned),
        title: None,
        first_words: words.to_owned(),
        origin: (id == "four").then(|| "claude-code 2.1.330".to_owned()),
        created: Timestamp(NOW - (hours_ago + 3) * 3_600_000),
        updated: Timestamp(NOW - hours_ago * 3_600_000),
        entries: 1_204,
        bytes: 48_200,
        hit: None,
    }
}

fn list(all: bool) -> SessionList {
    SessionList {
        all,
        sessions: vec![
            session(
                "open",
                Some("refactor-auth"),
                "why does the token refresh race?",
                0,
            ),
            session("two", None, "漢字の入力 are broken 👩‍🚀", 2),
            session("evil", Some(fixture::HOSTILE), fixture::HOSTILE, 30),
            session("four", Some("release notes"), "write the notes", 100),
        ],
        open: Some("/s/open.jsonl".into()),
        program: None,
        programs: Vec::new(),
        found: None,
    }
}

fn peek(path: &str) -> AgentEvent {
    AgentEvent::reply(QueryReply::SessionPeek(Box::new(SessionPeek {
        path: path.into(),
        messages: vec![
            (true, "漢字の入力 are broken 👩‍🚀".to_owned()),
            (false, "The width table is old. ".repeat(20)),
            (true, fixture::HOSTILE.to_owned()),
            (false, "Done: widths come from one table now.".to_owned()),
        ],
        model: Some(ModelRef::new("anthropic", "claude-sonnet")),
        tokens: Some(78_200),
    })))
}

fn picker(stage: &OverlayStage) -> Sessions {
    let mut it = Sessions::new(list(false));
    stage.report(&mut it, &peek("/s/two.jsonl"));
    it
}

fn send(op: Op) -> Effect {
    Effect::Send(op)
}

#[test]
fn sessions_at_their_sizes() {
    let stage = OverlayStage::empty();
    for (width, height) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let screen = stage.draw(&mut picker(&stage), width, height);
        insta::assert_snapshot!(format!("sessions_{width}x{height}"), screen);
    }
    let mut all = Sessions::new(list(true));
    insta::assert_snapshot!("all_directories_80x24", stage.draw(&mut all, 80, 24));
    fixture::assert_safe_at_all_sizes(&stage, &mut picker(&stage));
    stage.press(&mut all, "Down C-x");
    fixture::assert_safe_at_all_sizes(&stage, &mut all);
}

#[test]
fn letters_of_name_or_first_message_find_a_session() {
    let stage = OverlayStage::empty();
    let mut it = picker(&stage);
    stage.press(&mut it, "r e l n o t");
    let open = stage.press(&mut it, "Enter");
    assert_eq!(
        open,
        [send(Op::Session(SessionOp::Resume("/s/four.jsonl".into())))]
    );
    let mut it = picker(&stage);
    stage.press(&mut it, "b r o k e n");
    let open = stage.press(&mut it, "Enter");
    assert_eq!(
        open,
        [send(Op::Session(SessionOp::Resume("/s/two.jsonl".into())))]
    );
}

#[test]
fn the_preview_follows_the_cursor() {
    let stage = OverlayStage::empty();
    let mut it = picker(&stage);
    assert_eq!(
        it.peek(),
        [send(Op::query(Query::SessionPeek("/s/two.jsonl".into())))]
    );
    let effects = stage.press(&mut it, "Down");
    assert_eq!(
        effects,
        [send(Op::query(Query::SessionPeek("/s/evil.jsonl".into())))]
    );
    // An answer that comes late is of another session.
    stage.report(&mut it, &peek("/s/two.jsonl"));
    assert!(!stage.draw(&mut it, 120, 40).contains("widths come from"));
    stage.report(&mut it, &peek("/s/evil.jsonl"));
    assert!(stage.draw(&mut it, 120, 40).contains("widths come from"));
}

#[test]
fn tab_asks_for_all_directories() {
    let stage = OverlayStage::empty();
    let mut it = picker(&stage);
    let effects = stage.press(&mut it, "Tab");
    assert_eq!(effects, [send(Op::query(Query::Sessions { all: true }))]);
    stage.report(
        &mut it,
        &AgentEvent::reply(QueryReply::Sessions(list(true))),
    );
    assert!(stage.draw(&mut it, 80, 24).contains("all folders"));
    let effects = stage.press(&mut it, "Tab");
    assert_eq!(effects, [send(Op::query(Query::Sessions { all: false }))]);
}

#[test]
fn a_session_is_named_from_the_list() {
    let stage = OverlayStage::empty();
    let mut it = picker(&stage);
    let effects = stage.press(&mut it, "C-r i n p u t Enter");
    let path = "/s/two.jsonl".into();
    let name = "input".to_owned();
    assert_eq!(
        effects,
        [send(Op::Session(SessionOp::RenameOther { path, name }))]
    );
    let effects = stage.press(&mut it, "C-r x Esc");
    assert_eq!(effects, []);
    assert!(!stage.closes(&mut it, "C-r"), "the picker stays open");
}

#[test]
fn nothing_is_deleted_without_a_yes_and_never_the_open_one() {
    let stage = OverlayStage::empty();
    let mut it = picker(&stage);
    assert_eq!(stage.press(&mut it, "C-x n"), []);
    assert_eq!(stage.press(&mut it, "C-x Enter"), []);
    stage.press(&mut it, "C-x");
    insta::assert_snapshot!("deleting_80x24", stage.draw(&mut it, 80, 24));
    let effects = stage.press(&mut it, "y");
    assert_eq!(
        effects,
        [send(Op::Session(SessionOp::Discard("/s/two.jsonl".into())))]
    );
    stage.press(&mut it, "Up C-x");
    assert!(
        stage
            .draw(&mut it, 80, 24)
            .contains("the open session cannot be deleted")
    );
    assert_eq!(stage.press(&mut it, "y"), [], "y is a letter to search for");
}

#[test]
fn a_new_list_keeps_what_was_selected() {
    let stage = OverlayStage::empty();
    let mut it = picker(&stage);
    stage.press(&mut it, "Down");
    let mut fewer = list(false);
    fewer.sessions.remove(1);
    stage.report(&mut it, &AgentEvent::reply(QueryReply::Sessions(fewer)));
    assert_eq!(
        it.selected().map(|session| session.id.as_str()),
        Some("evil")
    );
    let why = AgentEvent::Notice(Notice::error("not deleted: process 7 has it open"));
    stage.report(&mut it, &why);
    assert!(
        stage
            .draw(&mut it, 80, 24)
            .contains("process 7 has it open")
    );
    it.on_key(key("Down"), &stage.scene());
    assert!(!stage.draw(&mut it, 80, 24).contains("process 7"));
}

#[test]
fn sessions_of_other_programs_are_a_key_away_and_only_opened() {
    let stage = OverlayStage::empty();
    let mut own = list(true);
    own.programs = vec!["claude-code".to_owned(), "codex".to_owned()];
    let mut it = Sessions::new(own.clone());
    let asked = stage.press(&mut it, "BackTab");
    let query = |program: &str| {
        send(Op::query(Query::ForeignSessions {
            program: program.to_owned(),
            all: true,
        }))
    };
    assert_eq!(asked, [query("claude-code")]);
    let mut theirs = own.clone();
    theirs.program = Some("claude-code".to_owned());
    theirs.sessions.truncate(2);
    stage.report(
        &mut it,
        &AgentEvent::reply(QueryReply::Sessions(theirs.clone())),
    );
    let screen = stage.draw(&mut it, 120, 40);
    assert!(screen.contains("plimsoll [claude-code] codex"), "{screen}");
    assert_eq!(stage.press(&mut it, "C-x"), []);
    assert!(stage.draw(&mut it, 120, 40).contains("are only read"));
    let mut it = Sessions::new(theirs.clone());
    assert_eq!(stage.press(&mut it, "BackTab"), [query("codex")]);
    theirs.program = Some("codex".to_owned());
    let mut it = Sessions::new(theirs);
    let asked = stage.press(&mut it, "BackTab");
    assert_eq!(asked, [send(Op::query(Query::Sessions { all: true }))]);
    let open = stage.press(&mut it, "Enter");
    assert!(
        matches!(&open[..], [Effect::Send(Op::Session(SessionOp::Resume(_)))]),
        "{open:?}"
    );
}

#[test]
fn a_found_text_opens_its_session_where_it_was_said() {
    let stage = OverlayStage::empty();
    let mut found = list(true);
    found.found = Some("race".to_owned());
    found.sessions.truncate(2);
    let hit = |entry: &str, excerpt: &str| {
        Some(crate::agent::SessionHit {
            entry: EntryId::new(entry),
            role: "tool_result",
            tool: Some("shell".to_owned()),
            excerpt: excerpt.to_owned(),
        })
    };
    found.sessions[0].hit = hit("a1", "WARNING: a data race in refresh");
    found.sessions[1].hit = hit("b2", "a race between 漢字 threads");
    let mut it = Sessions::new(found);
    let screen = stage.draw(&mut it, 80, 24);
    assert!(screen.contains("found: race"), "{screen}");
    assert!(screen.contains("a data race in refresh"), "{screen}");
    assert!(screen.contains("result of shell"), "{screen}");
    fixture::assert_safe_at_all_sizes(&stage, &mut it);
    let open = stage.press(&mut it, "Enter");
    let at = |path: &str, entry: &str| {
        send(Op::Session(SessionOp::ResumeAt {
            path: path.into(),
            entry: EntryId::new(entry),
        }))
    };
    assert_eq!(open, [at("/s/two.jsonl", "b2")]);
    stage.press(&mut it, "Up");
    assert_eq!(stage.press(&mut it, "Enter"), [at("/s/open.jsonl", "a1")]);
}
