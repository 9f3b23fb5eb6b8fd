//! Files in a temporary folder: durability, faults, locks, permissions; drafts in a file of
//! their own.

use std::fs;
use std::sync::{Arc, Mutex};

use super::*;
use crate::session::access::Access;
use crate::session::load;
use crate::transcript::{AssistantMessage, AssistantPart, EntryBody, EntryId, Transcript};

mod drafts;

const NOW: Timestamp = Timestamp(1_795_222_163_267);

fn message(id: &str, parent: &str, message: Message) -> Entry {
    Entry {
        id: EntryId::new(id),
        parent: (!parent.is_empty()).then(|| EntryId::new(parent)),
        timestamp: NOW,
        body: EntryBody::Message(Arc::new(message)),
    }
}

fn user(id: &str, parent: &str, text: &str) -> Entry {
    message(id, parent, Message::user_text(text))
}

fn answer(id: &str, parent: &str, text: &str) -> Entry {
    let answer = AssistantMessage {
        content: vec![AssistantPart::Text(text.to_owned())],
        ..AssistantMessage::default()
    };
    message(id, parent, Message::Assistant(answer))
}

fn header() -> Header {
    Header::new("s1", NOW, "/w")
}

/// A session of three messages with a line of another program among them.
fn three(path: &Path) {
    let mut log = SessionLog::create(path, &header());
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    drop(log);
    let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(
        b"{\"type\":\"future\",\"id\":\"x\",\"parentId\":\"a\",\"deep\":{\"k\": [1.50]}}\n",
    )
    .unwrap();
    let (mut log, _) = SessionLog::open(path, NOW).unwrap();
    log.append(&answer("b", "x", "two"), Durability::Flush)
        .unwrap();
    log.append(&user("c", "b", "three é漢😀"), Durability::Buffered)
        .unwrap();
}

fn texts(transcript: &Transcript) -> Vec<String> {
    let branch = transcript.branch();
    branch
        .iter()
        .filter_map(|e| e.message())
        .map(|m| m.text())
        .collect()
}

#[test]
fn an_empty_session_leaves_no_file() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("deep/er/s.jsonl");
    let mut log = SessionLog::create(&path, &header());
    log.close().unwrap();
    assert_eq!(log.unsaved(), 0);
    drop(log);
    assert!(!home.path().join("deep").exists());
    let mut log = SessionLog::in_memory();
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    assert_eq!((log.path(), log.unsaved()), (None, 0));
}

#[test]
fn what_is_appended_is_loaded_and_the_rest_survives_untouched() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    three(&path);
    let before = fs::read(&path).unwrap();
    let (mut log, loaded) = SessionLog::open(&path, NOW).unwrap();
    assert_eq!(loaded.header, header());
    assert_eq!(loaded.access, Access::Write);
    assert_eq!(loaded.problems, []);
    assert_eq!(texts(&loaded.transcript), ["one", "two", "three é漢😀"]);
    log.append(&user("d", "c", "four"), Durability::Flush)
        .unwrap();
    let after = fs::read(&path).unwrap();
    assert!(after.starts_with(&before), "nothing earlier changes");
}

#[test]
fn only_the_owner_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("one/two/s.jsonl");
    let mut log = SessionLog::create(&path, &header());
    log.append(&user("a", "", "one"), Durability::Buffered)
        .unwrap();
    log.journal().update(&answer("b", "a", "tw"), NOW).unwrap();
    let lock = paths::beside(&path, "lock");
    let draft = journal::draft_path(&path);
    let folder = path.parent().unwrap();
    for (path, expected) in [
        (path.as_path(), 0o600),
        (&lock, 0o600),
        (&draft, 0o600),
        (folder, 0o700),
        (folder.parent().unwrap(), 0o700),
    ] {
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, expected, "{}", path.display());
    }
    drop(log);
    assert!(!lock.exists());
}

#[test]
fn a_kill_at_any_byte_costs_at_most_the_last_line() {
    let home = tempfile::tempdir().unwrap();
    let whole = home.path().join("whole.jsonl");
    three(&whole);
    let bytes = fs::read(&whole).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    let all = ["one", "two", "three é漢😀"];
    // Lines: header, a, x, b, c.
    for cut in ends[2] + 1..=bytes.len() {
        let path = home.path().join(format!("{cut}.jsonl"));
        fs::write(&path, bytes.get(..cut).unwrap()).unwrap();
        let survivors = 1 + ends[3..].iter().filter(|&&end| cut >= end).count();
        let is_torn = !ends.contains(&cut) && !ends.contains(&(cut - 1));

        let only_read = load(&path).unwrap();
        assert_eq!(only_read.problems.len(), usize::from(is_torn), "{cut}");
        assert_eq!(
            fs::read(&path).unwrap().len(),
            cut,
            "reading changes nothing"
        );

        let (mut log, loaded) = SessionLog::open(&path, NOW).unwrap();
        assert_eq!(texts(&loaded.transcript), all[..survivors], "{cut}");
        assert_eq!(loaded.torn.is_some(), is_torn, "{cut}");
        if let Some(torn) = &loaded.torn {
            let start = ends.iter().rev().find(|&&end| end < cut).unwrap() + 1;
            assert_eq!(fs::read(torn).unwrap(), bytes[start..cut]);
        }
        let leaf = loaded.transcript.leaf().unwrap().to_string();
        log.append(&user("new", &leaf, "new"), Durability::Buffered)
            .unwrap();
        drop(log);
        let again = load(&path).unwrap();
        assert_eq!(again.problems, [], "{cut}");
        assert_eq!(texts(&again.transcript).last().unwrap(), "new");
        assert_eq!(again.transcript.len(), loaded.transcript.len() + 1);
    }
}

#[test]
fn an_old_session_goes_on_without_being_rewritten() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("v1.jsonl");
    let old = concat!(
        r#"{"type":"session","id":"s","cwd":"/w","provider":"p","modelId":"m"}"#,
        "\n",
        r#"{"type":"message","message":{"role":"user","content":"one"}}"#,
    );
    fs::write(&path, old).unwrap();
    let (mut log, loaded) = SessionLog::open(&path, NOW).unwrap();
    let leaf = loaded.transcript.leaf().unwrap().to_string();
    log.append(&answer("b", &leaf, "two"), Durability::Flush)
        .unwrap();
    log.append(&user("c", "b", "three"), Durability::Flush)
        .unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&format!("{old}\n{{")), "{text}");
    let again = load(&path).unwrap();
    assert_eq!(again.problems, []);
    assert_eq!(texts(&again.transcript), ["one", "two", "three"]);
}

/// A disk that fails on demand.
#[derive(Clone, Default)]
struct FaultyDisk(Arc<Mutex<FaultyState>>);

#[derive(Default)]
struct FaultyState {
    bytes: Vec<u8>,
    /// Bytes that still fit.
    room: Option<usize>,
    cannot_cut: bool,
    cannot_sync: bool,
    /// Bytes that would survive the machine's death.
    confirmed: usize,
    /// Beyond this byte a failed sync has lost what it should have written.
    forgotten: Option<usize>,
    /// Somebody has removed the file.
    is_gone: bool,
}

impl LogSink for FaultyDisk {
    fn length(&mut self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().bytes.len() as u64)
    }
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        let fits = disk.room.unwrap_or(usize::MAX).min(bytes.len());
        disk.bytes.extend(&bytes[..fits]);
        disk.room = disk.room.map(|room| room - fits);
        if fits < bytes.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        if disk.cannot_cut {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        disk.bytes.truncate(length as usize);
        Ok(())
    }
    fn rewrite(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        let at = offset as usize;
        assert_eq!(disk.bytes[at..at + bytes.len()], *bytes, "the same bytes");
        disk.forgotten = None;
        Ok(())
    }
    fn sync(&mut self) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        if disk.cannot_sync {
            // As systems do: what could not be written counts as written from here on.
            disk.forgotten = Some(disk.confirmed);
            disk.confirmed = disk.bytes.len();
            return Err(io::Error::other("no"));
        }
        disk.confirmed = disk.forgotten.unwrap_or(disk.bytes.len());
        Ok(())
    }
    fn is_at(&self, _path: &Path) -> bool {
        !self.0.lock().unwrap().is_gone
    }
}

fn on(disk: &FaultyDisk) -> SessionLog {
    let target = LogTarget::Open {
        sink: Box::new(disk.clone()),
        _lock: None,
    };
    let mut log = SessionLog::with_target(Some("x.jsonl".into()), target);
    log.unsaved.push_back(line_bytes(header().to_line()));
    log
}

fn on_disk(disk: &FaultyDisk) -> Vec<String> {
    let bytes = disk.0.lock().unwrap().bytes.clone();
    let parsed = parse(&bytes, Path::new("x")).unwrap();
    assert_eq!(parsed.problems, []);
    texts(&parsed.transcript)
}

#[test]
fn a_full_disk_loses_nothing_and_tears_nothing() {
    for room in [0, 1, 40, 150] {
        for cannot_cut in [false, true] {
            let disk = FaultyDisk::default();
            let mut log = on(&disk);
            log.append(&user("a", "", "one"), Durability::Flush)
                .unwrap();
            {
                let mut disk = disk.0.lock().unwrap();
                disk.room = Some(room);
                disk.cannot_cut = cannot_cut;
            }
            let error = log
                .append(&answer("b", "a", "two"), Durability::Flush)
                .unwrap_err();
            assert!(
                matches!(error, SessionError::Unsaved { unsaved: 1, .. }),
                "{error}"
            );
            assert!(error.to_string().contains("kept in memory"));
            let error = log
                .append(&user("c", "b", "three"), Durability::Flush)
                .unwrap_err();
            assert!(matches!(error, SessionError::Unsaved { unsaved: 2, .. }));
            if !cannot_cut {
                assert_eq!(on_disk(&disk), ["one"], "no torn line");
            }
            assert!(log.close().is_err());
            {
                let mut disk = disk.0.lock().unwrap();
                disk.room = None;
                disk.cannot_cut = false;
            }
            log.close().unwrap();
            assert_eq!(log.unsaved(), 0);
            assert_eq!(on_disk(&disk), ["one", "two", "three"], "in order");
        }
    }
}

#[test]
fn an_unconfirmed_write_is_asked_for_again_and_not_repeated() {
    let disk = FaultyDisk::default();
    let mut log = on(&disk);
    disk.0.lock().unwrap().cannot_sync = true;
    let error = log
        .append(&user("a", "", "one"), Durability::Flush)
        .unwrap_err();
    assert!(matches!(error, SessionError::Unconfirmed { .. }));
    assert!(log.close().is_err());
    disk.0.lock().unwrap().cannot_sync = false;
    log.close().unwrap();
    assert_eq!(on_disk(&disk), ["one"]);
}

/// After a sync that failed, systems take what they could not write for written: the next
/// one succeeds, and the bytes are nowhere.
#[test]
fn what_a_failed_sync_has_forgotten_is_written_once_more() {
    let disk = FaultyDisk::default();
    let mut log = on(&disk);
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    disk.0.lock().unwrap().cannot_sync = true;
    assert!(
        log.append(&answer("b", "a", "two"), Durability::Flush)
            .is_err()
    );
    disk.0.lock().unwrap().cannot_sync = false;
    log.append(&user("c", "b", "three"), Durability::Buffered)
        .unwrap();
    log.close().unwrap();
    let (confirmed, length) = {
        let disk = disk.0.lock().unwrap();
        (disk.confirmed, disk.bytes.len())
    };
    assert_eq!(confirmed, length, "all of it would survive");
    assert_eq!(on_disk(&disk), ["one", "two", "three"]);
}

#[test]
fn a_session_is_closed_only_when_the_disk_has_confirmed_every_entry() {
    let disk = FaultyDisk::default();
    let mut log = on(&disk);
    log.append(&user("a", "", "one"), Durability::Buffered)
        .unwrap();
    assert_eq!(disk.0.lock().unwrap().confirmed, 0, "nobody has asked yet");
    disk.0.lock().unwrap().cannot_sync = true;
    assert!(matches!(log.close(), Err(SessionError::Unconfirmed { .. })));
    disk.0.lock().unwrap().cannot_sync = false;
    log.close().unwrap();
    let disk = disk.0.lock().unwrap();
    assert_eq!(disk.confirmed, disk.bytes.len());
}

#[test]
fn a_session_whose_file_was_removed_is_not_saved() {
    let disk = FaultyDisk::default();
    let mut log = on(&disk);
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    disk.0.lock().unwrap().is_gone = true;
    assert!(matches!(log.close(), Err(SessionError::Gone { .. })));

    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    let mut log = SessionLog::create(&path, &header());
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    log.close().unwrap();
    fs::remove_file(&path).unwrap();
    let removed = log.close().unwrap_err();
    assert!(removed.to_string().contains("was removed"), "{removed}");
    let copied = saved_elsewhere(&log, &removed, &["one"], &[home.path()]);
    assert!(copied.is_confirmed);
    fs::write(&path, "another file").unwrap();
    assert!(matches!(log.close(), Err(SessionError::Gone { .. })));
}

/// The copy that is made when a session cannot be saved; it holds these messages.
fn saved_elsewhere(
    log: &SessionLog,
    problem: &SessionError,
    expected: &[&str],
    folders: &[&Path],
) -> crate::session::rescue::RescueCopy {
    let mut transcript = Transcript::new();
    let mut parent = String::new();
    for (id, text) in ["a", "b", "c"].iter().zip(expected) {
        let entry = match *id {
            "b" => answer(id, &parent, text),
            _ => user(id, &parent, text),
        };
        transcript.push(Arc::new(entry)).unwrap();
        parent = (*id).to_owned();
    }
    let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    let copy = crate::session::rescue(log, problem, &header(), &transcript, &folders)
        .expect("something is missing")
        .expect("a folder takes it");
    let (log, loaded) = SessionLog::open(&copy.path, NOW).unwrap();
    assert_eq!(texts(&loaded.transcript), expected);
    assert_eq!((loaded.problems.len(), loaded.access), (0, Access::Write));
    drop(log);
    copy
}

#[test]
fn what_a_full_disk_did_not_take_is_whole_in_the_first_folder_that_takes_it() {
    let home = tempfile::tempdir().unwrap();
    let not_a_folder = home.path().join("file");
    fs::write(&not_a_folder, "").unwrap();
    for is_begun in [false, true] {
        let disk = FaultyDisk::default();
        let mut log = on(&disk);
        if is_begun {
            log.append(&user("a", "", "one"), Durability::Flush)
                .unwrap();
        }
        disk.0.lock().unwrap().room = Some(20);
        if !is_begun {
            assert!(
                log.append(&user("a", "", "one"), Durability::Flush)
                    .is_err()
            );
        }
        assert!(
            log.append(&answer("b", "a", "two"), Durability::Flush)
                .is_err()
        );
        let problem = log.close().unwrap_err();
        let folders = [not_a_folder.as_path(), home.path()];
        let copy = saved_elsewhere(&log, &problem, &["one", "two"], &folders);
        assert!(copy.path.starts_with(home.path()));
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&copy.path), 0o600);
            assert_eq!(mode(copy.path.parent().unwrap()), 0o700);
        }
        let nowhere = crate::session::rescue(
            &log,
            &problem,
            &header(),
            &Transcript::new(),
            std::slice::from_ref(&not_a_folder),
        );
        let why = nowhere.unwrap().unwrap_err();
        assert!(why.contains("file:"), "{why}");
    }
}

#[test]
fn a_setting_that_is_not_saved_makes_no_copy_of_the_session() {
    let disk = FaultyDisk::default();
    let mut log = on(&disk);
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    disk.0.lock().unwrap().room = Some(0);
    let setting = Entry {
        id: EntryId::new("b"),
        parent: Some(EntryId::new("a")),
        timestamp: NOW,
        body: EntryBody::ThinkingLevelChange {
            level: "high".to_owned(),
        },
    };
    assert!(log.append(&setting, Durability::Buffered).is_err());
    let problem = log.close().unwrap_err();
    let (header, none) = (header(), Transcript::new());
    let folders = [std::env::temp_dir()];
    assert!(crate::session::rescue(&log, &problem, &header, &none, &folders).is_none());
    assert!(problem.at_the_end().starts_with("1 line of the session"));
}

/// Who finds the file of a new session finds its first entry in it.
#[test]
fn a_new_session_is_never_there_without_its_beginning() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    let mut log = SessionLog::create(&path, &header());
    log.append(&user("a", "", "one"), Durability::Buffered)
        .unwrap();
    assert_eq!(texts(&load(&path).unwrap().transcript), ["one"]);
    drop(log);
    let names: Vec<_> = fs::read_dir(home.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["s.jsonl"], "nothing else is left");
}

#[test]
fn a_file_without_a_byte_is_begun() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    fs::write(&path, "").unwrap();
    assert!(is_unbegun(&path));
    let mut log = SessionLog::create(&path, &header());
    log.append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    log.close().unwrap();
    assert!(!is_unbegun(&path));
    let loaded = load(&path).unwrap();
    assert_eq!(
        (texts(&loaded.transcript), loaded.problems),
        (vec!["one".to_owned()], vec![])
    );
}

#[test]
fn a_file_that_another_process_begins_stays_that_process_s() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    let mut first = SessionLog::create(&path, &header());
    let mut second = SessionLog::create(&path, &header());
    first
        .append(&user("a", "", "one"), Durability::Flush)
        .unwrap();
    let error = second
        .append(&user("b", "", "two"), Durability::Flush)
        .unwrap_err();
    assert!(
        matches!(
            error,
            SessionError::ReadOnly {
                access: Access::Held { .. },
                unsaved: 1,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(texts(&load(&path).unwrap().transcript), ["one"]);
}

#[test]
fn a_file_that_cannot_be_made_is_tried_again() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("taken");
    fs::write(&folder, "a file where the folder should be").unwrap();
    let path = folder.join("s.jsonl");
    let mut log = SessionLog::create(&path, &header());
    let error = log
        .append(&user("a", "", "one"), Durability::Flush)
        .unwrap_err();
    assert!(
        matches!(error, SessionError::Unsaved { unsaved: 1, .. }),
        "{error}"
    );
    fs::remove_file(&folder).unwrap();
    log.append(&user("b", "a", "two"), Durability::Flush)
        .unwrap();
    assert_eq!(texts(&load(&path).unwrap().transcript), ["one", "two"]);
}

#[test]
fn a_new_session_never_overwrites() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    fs::write(&path, "precious").unwrap();
    let mut log = SessionLog::create(&path, &header());
    assert!(
        log.append(&user("a", "", "one"), Durability::Flush)
            .is_err()
    );
    assert_eq!(fs::read(&path).unwrap(), b"precious");
}

#[test]
fn the_second_process_may_only_read() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    three(&path);
    let (first, _) = SessionLog::open(&path, NOW).unwrap();
    let before = fs::read(&path).unwrap();
    let (mut second, loaded) = SessionLog::open(&path, NOW).unwrap();
    let holder = Access::Held {
        pid: Some(std::process::id()),
    };
    assert_eq!(loaded.access, holder);
    assert_eq!(loaded.transcript.len(), 4);
    let error = second
        .append(&user("d", "c", "four"), Durability::Flush)
        .unwrap_err();
    assert!(
        matches!(&error, SessionError::ReadOnly { access, unsaved: 1, .. } if *access == holder)
    );
    assert!(error.to_string().contains(&std::process::id().to_string()));
    assert_eq!(fs::read(&path).unwrap(), before);
    drop(second);
    drop(first);
    let (_third, loaded) = SessionLog::open(&path, NOW).unwrap();
    assert_eq!(loaded.access, Access::Write);
}

#[test]
fn a_stale_lock_is_taken_over() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.jsonl");
    three(&path);
    let lock = paths::beside(&path, "lock");
    fs::write(&lock, "4194304999").unwrap();
    let (log, loaded) = SessionLog::open(&path, NOW).unwrap();
    assert_eq!(loaded.access, Access::Write);
    assert_eq!(
        fs::read_to_string(&lock).unwrap(),
        std::process::id().to_string()
    );
    drop(log);
    assert!(!lock.exists());
}

#[test]
fn what_cannot_be_opened_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let missing = home.path().join("missing.jsonl");
    assert!(matches!(
        SessionLog::open(&missing, NOW),
        Err(SessionError::Io { .. })
    ));
    let foreign = home.path().join("foreign.jsonl");
    fs::write(&foreign, "{\"parentUuid\":null}").unwrap();
    let Err(error) = SessionLog::open(&foreign, NOW) else {
        panic!("opened");
    };
    assert!(error.to_string().contains("Claude Code"), "{error}");
    let newer = home.path().join("newer.jsonl");
    fs::write(
        &newer,
        "{\"type\":\"session\",\"version\":4,\"id\":\"s\"}\n{torn",
    )
    .unwrap();
    let (_log, loaded) = SessionLog::open(&newer, NOW).unwrap();
    assert_eq!(loaded.access, Access::Newer(4));
    assert!(fs::read_to_string(&newer).unwrap().ends_with("{torn"));
    assert_eq!(
        fs::read_dir(home.path()).unwrap().count(),
        2,
        "no locks are left behind"
    );
}

#[test]
fn a_device_is_no_session_file() {
    // Reading this one would never end.
    let error = SessionLog::open(std::path::Path::new("/dev/zero"), Timestamp(0))
        .err()
        .expect("it is refused");
    assert!(error.to_string().contains("not a file"), "{error}");
}
