use super::*;

struct Desk {
    _home: tempfile::TempDir,
    cwd: PathBuf,
    watch: Watch,
    ledger: FileLedger,
}

impl Desk {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path().canonicalize().unwrap();
        Self {
            _home: home,
            watch: Watch::new(Store::temporary(), std::slice::from_ref(&cwd)),
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
        let look = self.watch.before_command(&self.ledger);
        run(&self.cwd);
        self.told(look, FileCause::Command)
    }

    fn told(&mut self, look: Look, cause: FileCause) -> Vec<String> {
        let record = self.watch.after_command(look, cause, &self.ledger);
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
    let mut desk = Desk::new();
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
    let mut desk = Desk::new();
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
    let mut desk = Desk::new();
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

#[cfg(unix)]
#[test]
fn permissions_alone_leave_the_content_known() {
    use std::os::unix::fs::PermissionsExt;
    let mut desk = Desk::new();
    desk.write("a", "text");
    let told = desk.command(|cwd| {
        let permissions = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(cwd.join("a"), permissions).unwrap();
    });
    assert_eq!(told, ["a: text → text"]);
}

#[test]
fn what_the_session_wrote_is_known_and_is_not_a_jobs() {
    let mut desk = Desk::new();
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
    assert_eq!(desk.told(look, FileCause::Job), ["b: nothing → by a job"]);
}

#[test]
fn a_tree_that_is_not_looked_at_is_said() {
    let desk = Desk::new();
    let look = Look {
        scan: Err(Unseen::TooMany),
        indexes: Vec::new(),
    };
    let record = desk
        .watch
        .after_command(look, FileCause::Command, &desk.ledger);
    let why = record.unwrap().unseen.unwrap();
    assert!(why.contains("50000 files"), "{why}");
}
