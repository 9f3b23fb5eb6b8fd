use std::path::PathBuf;

use super::super::store::MEGABYTE;
use super::*;

struct RestoreDesk {
    _home: tempfile::TempDir,
    cwd: PathBuf,
    store: ContentStore,
}

impl RestoreDesk {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path().canonicalize().unwrap();
        Self {
            _home: home,
            cwd,
            store: ContentStore::temporary(MEGABYTE),
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.cwd.join(name)
    }

    /// Writes a file; answers its state, kept.
    fn write(&self, name: &str, text: &str) -> FileState {
        std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        std::fs::write(self.at(name), text).unwrap();
        self.store.state(&self.at(name))
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap_or_default()
    }

    fn wanted(&self, name: &str, desired: FileState, expected: FileState) -> WantedFile {
        WantedFile {
            path: self.at(name).display().to_string(),
            before_expected: desired.clone(),
            desired,
            expected,
        }
    }

    fn planned(&self, wanted: Vec<WantedFile>) -> Vec<PlannedFile> {
        plan(&self.store, wanted, &self.cwd, &[])
    }

    fn run(&self, planned: &[PlannedFile], overwrite: bool) -> (Vec<FileChange>, RestoreReport) {
        let (changes, mut applied) = keep_first(&self.store, planned, overwrite);
        apply(&self.store, &changes, &self.cwd, &mut applied);
        (changes, applied)
    }
}

#[test]
fn files_are_restored_recreated_and_removed_and_all_of_it_again() {
    let desk = RestoreDesk::new();
    let old = desk.write("edited", "a\r\n\u{feff}b");
    let new = desk.write("edited", "changed");
    let gone = desk.write("dir/gone", "text");
    std::fs::remove_dir_all(desk.at("dir")).unwrap();
    let added = desk.write("made/by/us", "x");
    let planned = desk.planned(vec![
        desk.wanted("edited", old, new),
        desk.wanted("dir/gone", gone, FileState::Absent),
        desk.wanted("made/by/us", FileState::Absent, added),
    ]);
    let fates: Vec<&FileFate> = planned.iter().map(|it| &it.fate).collect();
    assert_eq!(
        fates,
        [&FileFate::Restore, &FileFate::Recreate, &FileFate::Remove]
    );
    let (changes, applied) = desk.run(&planned, false);
    assert_eq!((applied.restored, applied.removed), (2, 1));
    assert_eq!(desk.text("edited"), "a\r\n\u{feff}b");
    assert_eq!(desk.text("dir/gone"), "text");
    assert!(!desk.at("made").exists(), "empty folders go as well");

    let back: Vec<WantedFile> = changes
        .into_iter()
        .map(|it| WantedFile {
            path: it.path,
            before_expected: it.before.clone(),
            desired: it.before,
            expected: it.after,
        })
        .collect();
    let (_, applied) = desk.run(&desk.planned(back), false);
    assert_eq!((applied.restored, applied.removed), (2, 1));
    assert_eq!(desk.text("edited"), "changed");
    assert_eq!(desk.text("made/by/us"), "x");
    assert!(!desk.at("dir").exists());
}

#[test]
fn what_somebody_else_changed_stays_unless_asked_for_and_is_kept_then() {
    let desk = RestoreDesk::new();
    let old = desk.write("a", "old");
    let ours = desk.write("a", "ours");
    std::fs::write(desk.at("a"), "theirs").unwrap();
    let planned = desk.planned(vec![desk.wanted("a", old, ours)]);
    assert_eq!(planned[0].fate, FileFate::ChangedSince);
    let (changes, applied) = desk.run(&planned, false);
    assert_eq!((changes.len(), applied.left), (0, 1));
    assert_eq!(desk.text("a"), "theirs");
    let (changes, applied) = desk.run(&planned, true);
    assert_eq!(applied.restored, 1);
    assert_eq!(desk.text("a"), "old");
    let FileState::Content { hash, .. } = &changes[0].before else {
        panic!("not kept");
    };
    assert_eq!(desk.store.get(hash).unwrap(), b"theirs");
}

#[test]
fn a_change_between_plan_and_deed_wins() {
    let desk = RestoreDesk::new();
    let old = desk.write("a", "old");
    let ours = desk.write("a", "ours");
    let planned = desk.planned(vec![desk.wanted("a", old, ours)]);
    std::fs::write(desk.at("a"), "just now").unwrap();
    let (changes, applied) = desk.run(&planned, true);
    assert_eq!(changes, []);
    assert_eq!(
        applied.failed,
        [("a".to_owned(), "it changed just now".to_owned())]
    );
    assert_eq!(desk.text("a"), "just now");
}

#[test]
fn a_program_killed_before_its_edit_left_no_foreign_change() {
    let desk = RestoreDesk::new();
    let first = desk.write("a", "first");
    let before = desk.write("a", "before");
    let after = FileState::Absent;
    let wanted = WantedFile {
        path: desk.at("a").display().to_string(),
        desired: first,
        expected: after,
        before_expected: before.clone(),
    };
    assert_eq!(desk.planned(vec![wanted])[0].fate, FileFate::Restore);
    let here = desk.wanted("a", before.clone(), FileState::Absent);
    assert_eq!(desk.planned(vec![here])[0].fate, FileFate::AsItWas);
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_touched() {
    let desk = RestoreDesk::new();
    let ours = desk.write("a", "ours");
    let unknown = FileState::Unknown {
        why: "content before unknown".to_owned(),
    };
    let missing = FileState::Content {
        hash: "0".repeat(64),
        bytes: 1,
        mode: None,
    };
    std::fs::create_dir(desk.at("dir")).unwrap();
    let planned = desk.planned(vec![
        desk.wanted("a", unknown, ours.clone()),
        desk.wanted("a", missing, ours.clone()),
        desk.wanted("dir", ours.clone(), FileState::Absent),
    ]);
    let (changes, applied) = desk.run(&planned, true);
    assert_eq!(changes, []);
    let why: Vec<&str> = applied.failed.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(
        why,
        [
            "content before unknown",
            "its earlier content is missing",
            "its present contents cannot be kept: a folder"
        ]
    );
    assert_eq!(desk.text("a"), "ours");
    // A folder that has become a file.
    let below = desk.wanted("a/below", ours, FileState::Absent);
    let (_, applied) = desk.run(&desk.planned(vec![below]), false);
    assert_eq!(applied.failed.len(), 1);
    assert_eq!(desk.text("a"), "ours");
}

#[test]
fn links_permissions_and_folders_that_became_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = RestoreDesk::new();
    desk.write("target", "text");
    symlink("target", desk.at("link")).unwrap();
    let link = desk.store.state(&desk.at("link"));
    std::fs::remove_file(desk.at("link")).unwrap();
    let file = desk.write("link", "a file now");
    let script = desk.write("run.sh", "x");
    let set = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(desk.at("run.sh"), permissions).unwrap();
        desk.store.state(&desk.at("run.sh"))
    };
    let executable = set(0o755);
    assert_ne!(script, executable);
    set(0o600);
    let closed = desk.store.state(&desk.at("run.sh"));
    let (_, applied) = desk.run(
        &desk.planned(vec![
            desk.wanted("link", link, file),
            desk.wanted("run.sh", executable, closed),
        ]),
        false,
    );
    assert_eq!(applied.restored, 2, "{applied:?}");
    assert_eq!(
        std::fs::read_link(desk.at("link")).unwrap(),
        PathBuf::from("target")
    );
    assert_eq!(desk.text("target"), "text");
    let mode = desk.at("run.sh").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);

    let inside = desk.write("sub/a", "x");
    std::fs::create_dir(desk.at("elsewhere")).unwrap();
    std::fs::remove_dir_all(desk.at("sub")).unwrap();
    symlink("elsewhere", desk.at("sub")).unwrap();
    let wanted = desk.wanted("sub/a", inside, FileState::Absent);
    let (_, applied) = desk.run(&desk.planned(vec![wanted]), true);
    assert_eq!(applied.failed[0].1, "its folder is now a link");
    assert!(!desk.at("elsewhere/a").exists());
}

#[test]
fn a_session_puts_nothing_back_outside_its_folders_or_where_programs_are_started_from() {
    let desk = RestoreDesk::new();
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().canonicalize().unwrap();
    let evil = desk.write("source", "evil");
    std::fs::create_dir_all(desk.at("extra")).unwrap();
    let absent = || FileState::Absent;
    let paths = [
        outside.join("x").display().to_string(),
        format!("{}/../x", desk.cwd.display()),
        format!("{}/a/../../x", desk.cwd.display()),
        "relative".to_owned(),
        desk.at(".git/hooks/pre-commit").display().to_string(),
        desk.at("deep/.GIT/config").display().to_string(),
        desk.at(".plimsoll/config.toml").display().to_string(),
    ];
    let wanted = |path: &String| WantedFile {
        path: path.clone(),
        desired: evil.clone(),
        expected: absent(),
        before_expected: absent(),
    };
    let planned = desk.planned(paths.iter().map(wanted).collect());
    for (path, planned) in paths.iter().zip(&planned) {
        assert!(
            matches!(planned.fate, FileFate::Impossible(_)),
            "{path}: {:?}",
            planned.fate
        );
    }
    let (changes, applied) = desk.run(&planned, true);
    assert_eq!((changes.len(), applied.failed.len()), (0, paths.len()));
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    assert!(!desk.at(".git").exists() && !desk.at(".plimsoll").exists());
    // A folder that the user added is one of the session.
    let path = outside.join("x").display().to_string();
    let planned = plan(&desk.store, vec![wanted(&path)], &desk.cwd, &[outside]);
    assert_eq!(planned[0].fate, FileFate::Recreate);
}

#[test]
fn what_is_put_back_does_not_run_with_the_rights_of_its_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = RestoreDesk::new();
    let FileState::Content { hash, bytes, .. } = desk.write("tool", "text") else {
        panic!("no file");
    };
    std::fs::remove_file(desk.at("tool")).unwrap();
    let mode = Some(0o4755);
    let with_rights = FileState::Content { hash, bytes, mode };
    let planned = desk.planned(vec![desk.wanted("tool", with_rights, FileState::Absent)]);
    desk.run(&planned, false);
    let mode = desk.at("tool").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
}
