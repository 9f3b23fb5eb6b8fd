use super::*;
use crate::agent::FileDifference;
use crate::transcript::ChangedBy;
use crate::tui::effect::Effect;
use crate::tui::overlay::fixture::{self, HOSTILE, OverlayStage};

fn file(shown: &str, kind: ChangeKind, diff: &str) -> ChangedFile {
    let count = |sign: char| {
        diff.lines()
            .skip(2)
            .filter(|it| it.starts_with(sign))
            .count()
    };
    ChangedFile {
        path: format!("/src/api/{shown}"),
        shown: shown.to_owned(),
        kind,
        by: ChangedBy::default(),
        changed_since: false,
        difference: FileDifference {
            added: count('+'),
            removed: count('-'),
            diff: diff.to_owned(),
        },
        note: None,
    }
}

fn by_command() -> ChangedBy {
    ChangedBy {
        command: true,
        ..ChangedBy::default()
    }
}

fn report() -> ChangesReport {
    let edit = "--- src/auth/refresh.rs\n+++ src/auth/refresh.rs\n@@ -12,3 +12,3 @@\n fn refresh() {\n-    let guard = self.lock.lock().await;\n+    let guard = self.lock.lock_owned().await;\n }\n";
    let gone = "--- old.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-fn old() {}\n";
    let since = file(
        "notes/漢字.md",
        ChangeKind::Added,
        "--- /dev/null\n+++ x\n@@ -0,0 +1 @@\n+x\n",
    );
    let image = file("logo.png", ChangeKind::Modified, "");
    ChangesReport {
        files: vec![
            file("src/auth/refresh.rs", ChangeKind::Modified, edit),
            ChangedFile {
                by: by_command(),
                ..file("old.rs", ChangeKind::Deleted, gone)
            },
            ChangedFile {
                changed_since: true,
                by: ChangedBy {
                    user_command: true,
                    jobs: [2, 3].into(),
                    ..ChangedBy::default()
                },
                ..since
            },
            ChangedFile {
                by: by_command(),
                note: Some("content before unknown".to_owned()),
                ..image
            },
            file(HOSTILE, ChangeKind::Added, HOSTILE),
        ],
        unlisted: 12,
        unseen: None,
    }
}

#[test]
fn changes_look_like_this() {
    let stage = OverlayStage::empty();
    let mut screen = Changes::new(report());
    for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
        let name = format!("changes_{columns}x{rows}");
        insta::assert_snapshot!(name, stage.draw(&mut screen, columns, rows));
    }
    fixture::assert_safe_at_all_sizes(&stage, &mut screen);
}

#[test]
fn enter_shows_a_file_in_full_and_what_cannot_be_compared_says_why() {
    let stage = OverlayStage::empty();
    let mut screen = Changes::new(report());
    let mut first = stage.opens(&mut screen, "Enter");
    insta::assert_snapshot!("change_of_a_file", stage.draw(first.as_mut(), 80, 12));
    let diff = report().files[0].difference.diff.clone();
    assert_eq!(stage.press(first.as_mut(), "y"), [Effect::Copy(diff)]);
    fixture::assert_safe_at_all_sizes(&stage, first.as_mut());
    stage.press(&mut screen, "j j j");
    let mut image = stage.opens(&mut screen, "Enter");
    assert!(
        stage
            .draw(image.as_mut(), 80, 12)
            .contains("content before unknown")
    );
    stage.press(&mut screen, "G");
    let mut hostile = stage.opens(&mut screen, "Enter");
    fixture::assert_safe_at_all_sizes(&stage, hostile.as_mut());
    assert!(stage.closes(&mut screen, "Esc"));
}

#[test]
fn a_long_difference_scrolls_to_its_end_and_no_further() {
    let stage = OverlayStage::empty();
    let lines: Vec<String> = (1..=200).map(|n| format!("+line {n}\n")).collect();
    let body = lines.concat();
    let text = format!("--- /dev/null\n+++ a\n@@ -0,0 +1,200 @@\n{body}");
    let mut view = FileDiff::new(&file("a", ChangeKind::Added, &text));
    stage.draw(&mut view, 40, 12);
    stage.press(&mut view, "G j j");
    let end = stage.draw(&mut view, 40, 12);
    assert!(
        end.contains("line 200") && end.contains("line 193"),
        "{end}"
    );
    stage.press(&mut view, "g");
    assert!(stage.draw(&mut view, 40, 12).contains("line 1\n"));
}
