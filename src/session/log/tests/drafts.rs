//! What is left of an answer when the program is killed while it streams.

use super::*;
use crate::session::log::journal::DRAFT_INTERVAL;
use crate::transcript::StopReason;

#[test]
fn drafts_are_written_after_an_interval_and_end_with_the_answer() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    let mut log = SessionLog::create(&path, &header());
    assert!(!log.journal().is_due(NOW), "nowhere to write yet");
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    let draft = journal::draft_path(&path);
    let mut journal = log.journal();
    let later = |ms: i64| Timestamp(NOW.0 + ms);
    let interval = i64::try_from(DRAFT_INTERVAL.as_millis()).unwrap();
    journal.update(&answer("b", "a", "1"), NOW).unwrap();
    let first = fs::read(&draft).unwrap();
    journal
        .update(&answer("b", "a", "12"), later(interval - 1))
        .unwrap();
    assert_eq!(fs::read(&draft).unwrap(), first);
    journal
        .update(&answer("b", "a", "123"), later(interval))
        .unwrap();
    assert_ne!(fs::read(&draft).unwrap(), first);
    assert!(journal.is_due(Timestamp(0)), "the clock went back");
    log.append(&answer("b", "a", "1234"), Durability::Flush)
        .unwrap();
    assert!(!draft.exists());
}

#[test]
fn a_killed_answer_is_recovered_once() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    three(&path);
    let (log, _) = SessionLog::open(&path, NOW).unwrap();
    log.journal()
        .update(&answer("d", "c", "half an ans"), NOW)
        .unwrap();
    drop(log);
    assert_eq!(
        load(&path).unwrap().recovered,
        None,
        "reading changes nothing"
    );
    let (log, loaded) = SessionLog::open(&path, NOW).unwrap();
    assert_eq!(loaded.recovered, Some(EntryId::new("d")));
    let last = loaded.transcript.branch().pop().unwrap();
    let Some(Message::Assistant(recovered)) = last.message().map(AsRef::as_ref) else {
        panic!("{last:?}");
    };
    assert_eq!(recovered.stop, StopReason::Aborted);
    assert_eq!(recovered.text(), "half an ans");
    drop(log);
    assert!(!journal::draft_path(&path).exists());
    let (_log, again) = SessionLog::open(&path, NOW).unwrap();
    assert_eq!(again.recovered, None);
    assert_eq!(again.transcript.entries(), loaded.transcript.entries());
}

#[test]
fn a_draft_that_came_too_late_is_not_used() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    three(&path);
    let draft = journal::draft_path(&path);
    let cases = [
        (
            "of an answer that was written",
            to_line(&answer("b", "x", "x")),
            0,
        ),
        ("of another branch", to_line(&answer("d", "a", "x")), 1),
        ("of a lost branch", to_line(&answer("d", "gone", "x")), 1),
        ("no answer", to_line(&user("d", "c", "x")), 1),
        ("garbage", "garb".to_owned(), 1),
    ];
    for (name, text, problems) in cases {
        fs::write(&draft, text).unwrap();
        let (_log, loaded) = SessionLog::open(&path, NOW).unwrap();
        assert_eq!(loaded.recovered, None, "{name}");
        assert_eq!(loaded.transcript.len(), 4, "{name}");
        assert_eq!(loaded.problems.len(), problems, "{name}");
        // What is not used is kept, and where is said.
        for problem in &loaded.problems {
            let (_, aside) = problem.what.rsplit_once("kept in ").unwrap();
            assert!(Path::new(aside).is_file(), "{problem:?}");
        }
        assert!(!draft.exists(), "{name}");
    }
}

#[test]
fn a_killed_answer_is_recovered_whatever_the_clock_says_and_whatever_was_set_meanwhile() {
    let setting = |id: &str, parent: &str| Entry {
        id: EntryId::new(id),
        parent: Some(EntryId::new(parent)),
        timestamp: Timestamp(NOW.0 + 5_000),
        body: EntryBody::ThinkingLevelChange {
            level: "high".to_owned(),
        },
    };
    for settings in 0..3 {
        for clock in [-86_400_000, 0, 86_400_000] {
            let home = tempfile::tempdir().unwrap();
            let path = home.path().join("s.jsonl");
            three(&path);
            let (mut log, _) = SessionLog::open(&path, NOW).unwrap();
            let mut draft = answer("d", "c", "half an ans");
            draft.timestamp = Timestamp(NOW.0 + clock);
            log.journal().update(&draft, draft.timestamp).unwrap();
            let mut leaf = "c".to_owned();
            for n in 0..settings {
                let id = format!("e{n}");
                log.append(&setting(&id, &leaf), Durability::Buffered)
                    .unwrap();
                leaf = id;
            }
            drop(log);
            let (_log, loaded) = SessionLog::open(&path, NOW).unwrap();
            let case = format!("{settings} settings, clock {clock}");
            assert_eq!(loaded.recovered, Some(EntryId::new("d")), "{case}");
            let last = loaded.transcript.branch().pop().unwrap();
            assert_eq!(last.parent, Some(EntryId::new(leaf)), "{case}");
            assert_eq!(texts(&loaded.transcript).last().unwrap(), "half an ans");
            let again = load(&path).unwrap();
            assert_eq!(texts(&again.transcript), texts(&loaded.transcript));
        }
    }
}

#[test]
fn the_first_answer_of_a_session_is_recovered_too() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    fs::write(&path, header().to_line() + "\n").unwrap();
    fs::write(journal::draft_path(&path), to_line(&answer("d", "", "h"))).unwrap();
    let (_log, loaded) = SessionLog::open(&path, NOW).unwrap();
    assert_eq!(loaded.recovered, Some(EntryId::new("d")));
}
