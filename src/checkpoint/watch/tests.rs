use super::super::store::MEGABYTE;
use super::*;

struct WatchDesk {
    _home: tempfile::TempDir,
    cwd: PathBuf,
    watch: FileWatch,
    ledger: FileLedger,
}

impl WatchDesk {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path().canonicalize().unwrap();
        Self {
            _home: home,
            watch: FileWatch::new(
                ContentStore::temporary(MEGABYTE),
                std::slice::from_ref(&cwd),
            ),
            cwd,
            ledger: FileLedger::default(),
        }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.cwd.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// What is said of a command that does this.
    fn command(&mut self, run: impl FnOnce(&Path)) -> Vec<String> {
        let look = self.watch.before_command(&self.ledger, false);
        run(&self.cwd);
        self.told(&look, FileCause::Command)
    }

    fn told(&mut self, look: &ScanMoment, cause: FileCause) -> Vec<String> {
        let doing = ChangeSource {
            cause,
            jobs: Vec::new(),
        };
        let record = self.watch.after_command(look, doing, &self.ledger);
        let Some(record) = record else {
            return Vec::new();
        };
        self.ledger.add(&record);
        let told = record.changes.iter().map(|it| {
            let path = super::super::shown(&it.path, &self.cwd);
            format!(
                "{path}: {} → {}",
                self.words(&it.before),
                self.words(&it.after)
            )
        });
        told.collect()
    }

    fn words(&self, state: &FileState) -> String {
        match state {
            FileState::Absent => "nothing".to_owned(),
            FileState::Content { hash, .. } => {
                String::from_utf8(self.watch.store().get(hash).unwrap()).unwrap()
            }
            FileState::Link { target } => format!("link {target}"),
            FileState::Unknown { .. } => "?".to_owned(),
        }
    }
}

#[test]
fn what_a_command_changed_is_found_with_what_is_known_of_it() {
    let mut desk = WatchDesk::new();
    desk.write("a", "a1");
    desk.write("same", "s");
    let first = desk.command(|cwd| {
        std::fs::write(cwd.join("a"), "a2!").unwrap();
        std::fs::write(cwd.join("new"), "n1").unwrap();
    });
    assert_eq!(first, ["a: ? → a2!", "new: nothing → n1"]);
    let second = desk.command(|cwd| {
        std::fs::write(cwd.join("a"), "a3!!").unwrap();
        std::fs::remove_file(cwd.join("new")).unwrap();
    });
    assert_eq!(second, ["a: a2! → a3!!", "new: n1 → nothing"]);
    assert_eq!(desk.command(|_| {}), Vec::<String>::new());
}

#[test]
fn a_change_of_somebody_else_between_commands_is_not_the_commands() {
    let mut desk = WatchDesk::new();
    desk.command(|cwd| std::fs::write(cwd.join("a"), "ours").unwrap());
    desk.write("a", "theirs!");
    desk.write("b", "theirs");
    assert_eq!(desk.command(|_| {}), Vec::<String>::new());
    let told = desk.command(|cwd| std::fs::write(cwd.join("a"), "again!!!").unwrap());
    assert_eq!(
        told,
        ["a: theirs! → again!!!"],
        "it was kept before the command"
    );
}

#[test]
fn a_renamed_folder_can_be_put_back_without_version_control() {
    let mut desk = WatchDesk::new();
    desk.write("old/x", "one");
    desk.write("old/y", "two!");
    let told = desk.command(|cwd| std::fs::rename(cwd.join("old"), cwd.join("new")).unwrap());
    assert_eq!(
        told,
        [
            "new/x: nothing → one",
            "new/y: nothing → two!",
            "old/x: one → nothing",
            "old/y: two! → nothing",
        ]
    );
}

#[test]
fn permissions_alone_leave_the_content_known() {
    use std::os::unix::fs::PermissionsExt;
    let mut desk = WatchDesk::new();
    desk.write("a", "text");
    let told = desk.command(|cwd| {
        let permissions = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(cwd.join("a"), permissions).unwrap();
    });
    assert_eq!(told, ["a: text → text"]);
}

#[test]
fn what_the_session_wrote_is_known_and_is_not_a_jobs() {
    let mut desk = WatchDesk::new();
    desk.write("a", "before");
    desk.command(|_| {});
    desk.write("b", "by a job");
    // A tool writes while the job runs.
    let path = desk.cwd.join("a");
    desk.watch.keep_file(&path);
    desk.write("a", "by a tool");
    let file = std::fs::File::open(&path).unwrap();
    let state = desk.watch.keep_content(b"by a tool", &file);
    desk.watch.written(&path, &state);
    let look = desk.watch.since_last_look().unwrap();
    assert_eq!(desk.told(&look, FileCause::Job), ["b: nothing → by a job"]);
}

/// Long enough for the stamps of files to settle.
fn settle() {
    std::thread::sleep(Duration::from_millis(60));
}

fn rewrite(path: &Path, text: &str) {
    let times = std::fs::metadata(path).unwrap();
    std::fs::write(path, text).unwrap();
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(times.modified().unwrap()).unwrap();
}

#[test]
fn a_change_that_keeps_size_and_time_is_found_where_the_content_is_known() {
    let mut desk = WatchDesk::new();
    desk.command(|cwd| std::fs::write(cwd.join("a"), "one").unwrap());
    // At once, in the same instant of the file system's clock perhaps,
    let told = desk.command(|cwd| rewrite(&cwd.join("a"), "two"));
    assert_eq!(told, ["a: one → two"]);
    settle();
    // and later, with the time set back.
    let told = desk.command(|cwd| rewrite(&cwd.join("a"), "six"));
    assert_eq!(told, ["a: two → six"]);
}

#[test]
fn another_name_for_a_file_changes_nothing_and_a_write_through_it_is_found() {
    let mut desk = WatchDesk::new();
    desk.command(|cwd| std::fs::write(cwd.join("a"), "one").unwrap());
    let link = |cwd: &Path| std::fs::hard_link(cwd.join("a"), cwd.join("b")).unwrap();
    assert_eq!(desk.command(link), ["b: nothing → one"]);
    let told = desk.command(|cwd| std::fs::write(cwd.join("b"), "two!").unwrap());
    assert_eq!(told, ["a: one → two!", "b: one → two!"]);
}

#[test]
fn a_link_that_is_turned_and_a_file_that_becomes_a_folder() {
    use std::os::unix::fs::symlink;
    let mut desk = WatchDesk::new();
    desk.command(|cwd| {
        symlink("x", cwd.join("link")).unwrap();
        std::fs::write(cwd.join("a"), "one").unwrap();
    });
    let told = desk.command(|cwd| {
        std::fs::remove_file(cwd.join("link")).unwrap();
        symlink("y", cwd.join("link")).unwrap();
        std::fs::remove_file(cwd.join("a")).unwrap();
        std::fs::create_dir(cwd.join("a")).unwrap();
        std::fs::write(cwd.join("a/b"), "two").unwrap();
    });
    assert_eq!(
        told,
        [
            "a: one → nothing",
            "a/b: nothing → two",
            "link: link x → link y"
        ]
    );
}

#[test]
fn what_is_ignored_from_now_on_is_not_deleted_and_what_no_longer_is_is_not_new() {
    let mut desk = WatchDesk::new();
    desk.write("a.log", "old");
    desk.write(".gitignore", "");
    settle();
    let ignore = |text: &'static str| {
        move |cwd: &Path| std::fs::write(cwd.join(".gitignore"), text).unwrap()
    };
    let told = desk.command(ignore("*.log\n"));
    assert_eq!(told, [".gitignore: ? → *.log\n"]);
    let told = desk.command(ignore("*.tmp\n"));
    assert_eq!(told, [".gitignore: *.log\n → *.tmp\n"]);
    let told = desk.command(|cwd| {
        std::fs::write(cwd.join(".gitignore"), "\n").unwrap();
        std::fs::write(cwd.join("b.tmp"), "new").unwrap();
    });
    assert_eq!(told, [".gitignore: *.tmp\n → \n", "b.tmp: nothing → new"]);
}

#[test]
fn files_that_are_too_large_are_named_and_not_read() {
    let mut desk = WatchDesk::new();
    let told = desk.command(|cwd| {
        let file = std::fs::File::create(cwd.join("huge")).unwrap();
        file.set_len(MAX_BYTES * 100).unwrap();
        std::fs::write(cwd.join("small"), "s").unwrap();
    });
    assert_eq!(told, ["huge: nothing → ?", "small: nothing → s"]);
    let told = desk.command(|cwd| std::fs::remove_file(cwd.join("huge")).unwrap());
    assert_eq!(told, ["huge: ? → nothing"]);
}

#[test]
fn where_looking_is_slow_times_tell_what_somebody_else_did_between_commands() {
    let mut desk = WatchDesk::new();
    for name in ["theirs", "ours", "gone", "deep/er/moved"] {
        desk.write(name, name);
    }
    desk.watch.look_early();
    desk.watch.lock().is_slow = true;
    desk.write("theirs", "changed by them");
    desk.write("sub/new", "by them");
    std::fs::remove_file(desk.cwd.join("gone")).unwrap();
    settle();
    let told = desk.command(|cwd| {
        std::fs::write(cwd.join("sub/ours"), "new").unwrap();
        std::fs::write(cwd.join("ours"), "changed").unwrap();
        std::fs::rename(cwd.join("deep/er"), cwd.join("deep/est")).unwrap();
    });
    assert_eq!(
        told,
        [
            "deep/er/moved: deep/er/moved → nothing",
            "deep/est/moved: nothing → deep/er/moved",
            "ours: ? → changed",
            "sub/ours: nothing → new",
        ]
    );
    assert!(!desk.watch.lock().is_slow, "this time it was quick");
}

#[test]
fn what_could_not_be_looked_at_after_a_command_is_with_the_next_list() {
    let mut desk = WatchDesk::new();
    desk.write("a", "one");
    desk.command(|_| {});
    desk.write("theirs", "x");
    settle();
    let mut look = desk.watch.before_command(&desk.ledger, false);
    look.limit = Duration::ZERO;
    for n in 0..2_000 {
        desk.write(&format!("many/{n}"), "x");
    }
    let doing = ChangeSource {
        cause: FileCause::Command,
        jobs: vec![1],
    };
    let record = desk
        .watch
        .after_command(&look, doing, &desk.ledger)
        .unwrap();
    assert_eq!(
        record.unseen.as_deref(),
        Some("the scan took longer than 0 ms")
    );
    assert!(desk.watch.is_owing() && record.changes.is_empty());
    desk.write("a", "two!");
    let told = desk.command(|cwd| std::fs::write(cwd.join("b"), "x").unwrap());
    assert!(told[0].starts_with("a: ") && told[1].starts_with("b: "));
    assert!(told[2].starts_with("many/") && told.len() == 1_000);
    assert!(!told.iter().any(|it| it.starts_with("theirs")));
    assert!(!desk.watch.is_owing());
}

#[test]
fn a_tree_that_is_not_looked_at_is_said() {
    let desk = WatchDesk::new();
    let mut look = desk.watch.before_command(&desk.ledger, false);
    look.unseen = Some(UnseenReason::TooMany);
    let doing = ChangeSource {
        cause: FileCause::Command,
        jobs: Vec::new(),
    };
    let record = desk.watch.after_command(&look, doing, &desk.ledger);
    let why = record.unwrap().unseen.unwrap();
    assert!(why.contains("50000 files"), "{why}");
}
