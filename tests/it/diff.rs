//! `plim diff`: a patch, lines, or JSON; names that are no good citizens.

use std::process::Command;

use serde_json::{Value, json};

use super::program::Program;
use super::pty::{Pty, command};

/// A session that wrote a file, and removed and made some by command.
fn changed() -> Program {
    let plim = Program::new();
    plim.file("old.txt", "old\n");
    for ask in [
        "write a.txt: one",
        "run printf 'x\\n' > 'b\u{1b}[2J.txt'; rm old.txt; printf '\\0' > data",
    ] {
        let mut args = vec!["--offline", "--approve", "all", "-p", ask];
        if plim.run(&["sessions", "--json"]).json() != json!([]) {
            args.insert(0, "-c");
        }
        let ran = plim.run(&args);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    plim
}

#[test]
fn the_three_forms_of_a_diff() {
    let plim = changed();
    let patch = plim.run(&["diff"]).out;
    assert!(
        patch.contains("--- /dev/null\n+++ a.txt\n@@ -0,0 +1 @@\n+one\n"),
        "{patch}"
    );
    assert!(patch.contains("+++ b\u{fffd}[2J.txt\n"), "{patch}");
    let stat = plim.run(&["diff", "--stat"]).out;
    let lines: Vec<&str> = stat.lines().collect();
    assert_eq!(
        lines,
        [
            "added     +1 -0  a.txt",
            "added     +1 -0  b\u{fffd}[2J.txt  (by command)",
            "added     +0 -0  data  (by command)  (not text)",
            "deleted   +0 -0  old.txt  (by command)  (content before unknown)",
        ]
    );
    let list = plim.run(&["diff", "--json"]).json();
    let keys: Vec<&String> = list.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["session", "files", "unlisted", "unseen"]);
    let dir = plim.dir().canonicalize().unwrap();
    let first = json!({
        "path": dir.join("a.txt"),
        "kind": "added",
        "added": 1,
        "removed": 0,
        "by_command": false,
        "by_user_command": false,
        "jobs": [],
        "changed_since": false,
        "note": null,
        "diff": list["files"][0]["diff"],
    });
    assert_eq!(list["files"][0], first);
    let hostile = dir.join("b\u{1b}[2J.txt");
    assert_eq!(
        list["files"][1]["path"],
        json!(hostile),
        "data is not touched"
    );
    assert_eq!(list["files"][3]["by_command"], Value::Bool(true));
    assert_ne!(plim.run(&["diff", "--json", "--stat"]).code, 0);
}

#[test]
fn the_patch_of_a_text_can_be_taken_back_by_patch() {
    let plim = Program::new();
    plim.file("note.txt", "one\ntwo\n");
    let ask = "read note.txt, then replace \"two\" with \"2\" in note.txt";
    let ran = plim.run(&["--offline", "--approve", "all", "-p", ask]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let patch = plim.file("p.diff", &plim.run(&["diff"]).out);
    let Ok(status) = Command::new("patch")
        .args(["-R", "-s", "-p0", "-i"])
        .arg(&patch)
        .current_dir(plim.dir())
        .status()
    else {
        return;
    };
    assert!(status.success());
    let text = std::fs::read_to_string(plim.dir().join("note.txt")).unwrap();
    assert_eq!(text, "one\ntwo\n");
}

#[test]
fn on_a_terminal_no_file_moves_the_cursor() {
    let plim = changed();
    std::fs::write(plim.dir().join("a.txt"), "one\u{1b}]0;gotcha\u{7}\n").unwrap();
    let home = plim.home().join("plimsoll");
    let mut diff = command(env!("CARGO_BIN_EXE_plim"), &home, plim.dir());
    diff.arg("diff");
    let pty = Pty::start(diff, 120, 40).unwrap();
    pty.wait_for_end().unwrap();
    let bytes = pty.state().bytes.clone();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("gotcha") && text.contains("+++ b"), "{text}");
    assert!(
        !text.contains('\u{1b}') && !text.contains('\u{7}'),
        "{text:?}"
    );
}
