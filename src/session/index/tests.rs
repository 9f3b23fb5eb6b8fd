//! Lists and look-ups over a folder of sessions.

use std::fs;

use super::*;
use crate::session::paths::session_file;

/// A session in `cwd` that ends at `ms`.
fn session(root: &Path, cwd: &str, id: &str, ms: i64, extra: &[String]) -> PathBuf {
    let path = session_file(root, Path::new(cwd), Timestamp(ms), id);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut text = Header::new(id, Timestamp(0), cwd).to_line();
    text.push('\n');
    for line in extra {
        text.push_str(line);
        text.push('\n');
    }
    let last = format!(r#"{{"type":"future","id":"z","parentId":null,"timestamp":{ms}}}"#);
    text.push_str(&last);
    text.push('\n');
    fs::write(&path, text).unwrap();
    path
}

fn user(text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"u","parentId":null,"message":{{"role":"user","content":"{text}"}}}}"#
    )
}

fn name(name: &str) -> String {
    format!(r#"{{"type":"session_info","id":"n{name}","parentId":null,"name":"{name}"}}"#)
}

fn listed(root: &Path, scope: Scope<'_>) -> Vec<String> {
    let found = list(root, scope).unwrap();
    found.into_iter().map(|summary| summary.header.id).collect()
}

#[test]
fn sessions_are_listed_newest_first() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path();
    session(root, "/a/b", "old", 1_000, &[]);
    session(
        root,
        "/a/b",
        "new",
        3_000,
        &[user("fix   the\\n bug"), name("one"), name("two")],
    );
    session(root, "/a-b", "same-folder", 2_000, &[]);
    let folder = root.join(paths::encode_cwd(Path::new("/a/b")));
    fs::write(folder.join("junk.jsonl"), "junk").unwrap();
    fs::write(folder.join("notes.txt"), "junk").unwrap();
    fs::write(root.join("stray"), "junk").unwrap();
    assert_eq!(listed(root, Scope::Cwd(Path::new("/a/b"))), ["new", "old"]);
    assert_eq!(listed(root, Scope::All), ["new", "same-folder", "old"]);
    assert_eq!(listed(&root.join("none"), Scope::All), Vec::<String>::new());
    let newest = list(root, Scope::All).unwrap().remove(0);
    assert_eq!(newest.name.as_deref(), Some("two"));
    assert_eq!(newest.first_words.as_deref(), Some("fix the bug"));
    assert_eq!(newest.updated, Timestamp(3_000));
    assert_eq!((newest.entries, newest.is_exact), (4, true));
}

#[test]
fn large_sessions_are_judged_by_their_ends() {
    let home = tempfile::tempdir().unwrap();
    let filler: Vec<String> = (0..1_000).map(|_| user(&"x".repeat(1_000))).collect();
    let lines = [
        &[user("first"), name("early")][..],
        &filler,
        &[name("late")],
    ]
    .concat();
    let path = session(home.path(), "/w", "big", 5_000, &lines);
    assert!(path.metadata().unwrap().len() > WHOLE_BYTES);
    let summary = list(home.path(), Scope::All).unwrap().remove(0);
    assert_eq!(summary.name.as_deref(), Some("late"));
    assert_eq!(summary.first_words.as_deref(), Some("first"));
    assert_eq!(summary.updated, Timestamp(5_000));
    assert!(!summary.is_exact);
    assert!(
        (900..1_100).contains(&summary.entries),
        "{}",
        summary.entries
    );
}

#[test]
fn a_session_is_found_by_path_id_prefix_or_age() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path();
    let first = session(root, "/w", "abc", 1_000, &[]);
    let second = session(root, "/w", "abcd", 2_000, &[]);
    let third = session(root, "/v", "xyz", 3_000, &[]);
    let cwd = Path::new("/w");
    let path_text = third.to_string_lossy();
    let cases = [
        (SessionPick::Newest, &second),
        (SessionPick::Named("abc"), &first),
        (SessionPick::Named("abcd"), &second),
        (SessionPick::Named("x"), &third),
        (SessionPick::Named(&path_text), &third),
    ];
    for (which, expected) in cases {
        assert_eq!(&resolve(root, cwd, which).unwrap(), expected, "{which:?}");
    }
    let error = |which| resolve(root, cwd, which).unwrap_err().to_string();
    assert!(error(SessionPick::Named("ab")).ends_with("abcd, abc"));
    assert!(error(SessionPick::Named("q")).contains("xyz"));
    assert!(error(SessionPick::Named("")).contains("no session"));
    let nowhere = resolve(root, Path::new("/none"), SessionPick::Newest).unwrap_err();
    assert!(nowhere.to_string().contains("/none"));
}

#[test]
fn a_long_list_is_read_once_and_a_session_that_has_changed_again() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path();
    let paths: Vec<PathBuf> = (0..40)
        .map(|n| {
            session(
                root,
                "/a",
                &format!("s{n:02}"),
                1_000 + n,
                &[user("fix it"), name("one")],
            )
        })
        .collect();
    let first = list(root, Scope::All).unwrap();
    let cache = root.join(".list-cache.json");
    let kept = fs::read_to_string(&cache).unwrap();
    // What is kept is what is listed: a changed row shows.
    fs::write(&cache, kept.replacen("\"one\"", "\"kept\"", 1)).unwrap();
    let second = list(root, Scope::All).unwrap();
    let names = |list: &[SessionSummary]| {
        let mut names: Vec<String> = list.iter().filter_map(|it| it.name.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&first), vec!["one"; 40]);
    assert!(names(&second).contains(&"kept".to_owned()));
    // Another size: it is read.
    for path in &paths {
        let mut text = fs::read_to_string(path).unwrap();
        text.push_str(&name("two"));
        text.push('\n');
        fs::write(path, text).unwrap();
    }
    fs::remove_file(&paths[0]).unwrap();
    let third = list(root, Scope::All).unwrap();
    assert_eq!(names(&third), vec!["two"; 39]);
    assert!(
        !fs::read_to_string(&cache).unwrap().contains("s00"),
        "what is gone is not kept"
    );
    for junk in ["", "{}", "no JSON", "{\"version\":1,\"rows\":7}"] {
        fs::write(&cache, junk).unwrap();
        assert_eq!(list(root, Scope::All).unwrap(), third, "{junk:?}");
    }
}

#[test]
fn a_short_list_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    session(home.path(), "/a", "s", 1_000, &[user("fix it")]);
    list(home.path(), Scope::All).unwrap();
    assert!(!home.path().join(".list-cache.json").exists());
}
