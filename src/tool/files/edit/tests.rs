//! Replacements and refusals of `edit`.

use serde_json::json;

use super::*;
use crate::tool::test_scope::{TestScope, text};

/// A file, an edit of it, and what is on disk afterwards.
async fn check(before: &str, old: &str, new: &str, after: &str) {
    let t = TestScope::new();
    t.write("a", before);
    t.read("a").await;
    let edit = json!({"path": "a", "old_text": old, "new_text": new});
    let outcome = t.run(&EditTool, edit).await;
    assert!(!outcome.is_error, "{}", text(&outcome));
    assert_eq!(t.content("a"), after);
}

async fn refusal(before: &str, old: &str, new: &str) -> String {
    let t = TestScope::new();
    t.write("a", before);
    t.read("a").await;
    let edit = json!({"path": "a", "old_text": old, "new_text": new});
    let outcome = t.run(&EditTool, edit.clone()).await;
    assert!(outcome.is_error, "{}", text(&outcome));
    assert_eq!(t.plan(&EditTool, edit).unwrap_err().0, text(&outcome));
    assert_eq!(t.content("a"), before);
    text(&outcome)
}

#[tokio::test]
async fn passages_are_replaced_exactly() {
    check("one\ntwo\nthree\n", "two", "2", "one\n2\nthree\n").await;
    check("one\ntwo\n", "one\ntwo\n", "x", "x").await;
    check("a $1 \\n b", "$1 \\n", "$0", "a $0 b").await;
    check("漢字\n", "字", "", "漢\n").await;
}

#[tokio::test]
async fn line_endings_and_byte_order_mark_stay() {
    check("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n").await;
    check("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n").await;
    check("a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n").await;
    check("\u{feff}a\nb\n", "a\n", "c\n", "\u{feff}c\nb\n").await;
    // Mixed: a passage that is there as written is left as written.
    check(
        "a\nb\nc\r\nd\r\ne\r\n",
        "a\nb",
        "x\ny",
        "x\ny\nc\r\nd\r\ne\r\n",
    )
    .await;
}

#[tokio::test]
async fn all_occurrences_only_when_asked() {
    let before = "x = 1\ny = 2\nx = 1\n";
    assert_eq!(
        refusal(before, "x = 1", "z").await,
        "`old_text` occurs 2 times in a (lines 1; 3); nothing was changed. Take in more lines \
         around it to make it unique, or set `replace_all`."
    );
    let t = TestScope::new();
    t.write("a", before);
    t.read("a").await;
    let edit = json!({"path": "a", "old_text": "x = 1", "new_text": "z", "replace_all": true});
    let plan = t.plan(&EditTool, edit.clone()).unwrap();
    assert!(plan.diff.unwrap().contains("-x = 1\n+z\n"));
    let outcome = t.run(&EditTool, edit).await;
    assert_eq!(
        text(&outcome),
        "Replaced 2 passages in a (lines 1; 3; +2 −2)."
    );
    assert_eq!(t.content("a"), "z\ny = 2\nz\n");
    assert_eq!(outcome.details.unwrap()["added"], 2);
}

#[tokio::test]
async fn a_passage_that_is_not_there_gets_a_hint() {
    let code = "fn main() {\n    let total = sum(&items);\n    println!();\n}\n";
    let blank = refusal(code, "let total = sum(&items);\n  println!();", "x").await;
    assert!(
        blank.contains("white space only begins on line 2"),
        "{blank}"
    );
    let near = refusal(code, "let totals = sum(items);", "x").await;
    assert!(
        near.contains("\n2:     let total = sum(&items);\n"),
        "{near}"
    );
    let far = refusal(code, "qqqqqqq", "x").await;
    assert!(far.contains("Nothing like it"), "{far}");
    refusal(code, "\n\n\n\n", "x").await;
}

#[tokio::test]
async fn senseless_edits() {
    assert!(refusal("a", "", "x").await.contains("Use `write`"));
    assert!(
        refusal("a", "a", "a")
            .await
            .contains("nothing would change")
    );
}

#[tokio::test]
async fn unread_changed_missing_and_binary_files_are_refused() {
    let t = TestScope::new();
    let edit = json!({"path": "a", "old_text": "o", "new_text": "x"});
    let failure = async || {
        let outcome = t.run(&EditTool, edit.clone()).await;
        assert!(outcome.is_error);
        text(&outcome)
    };
    assert!(failure().await.contains("does not exist"));
    t.write("a", "o");
    assert!(failure().await.contains("has not been read"));
    t.read("a").await;
    t.write("a", "o, changed");
    assert!(failure().await.contains("changed by something else"));
    t.write("a", b"o\xff");
    assert!(failure().await.contains("not UTF-8"));
    std::fs::remove_file(t.path("a")).unwrap();
    std::fs::create_dir(t.path("a")).unwrap();
    assert!(failure().await.contains("is a directory"));
}

#[tokio::test]
async fn edits_in_a_row_need_one_read() {
    let t = TestScope::new();
    t.write("a", "1 2 3");
    t.read("a").await;
    for (old, new) in [("1", "one"), ("2", "two"), ("3", "three")] {
        let edit = json!({"path": "a", "old_text": old, "new_text": new});
        assert!(!t.run(&EditTool, edit).await.is_error);
    }
    assert_eq!(t.content("a"), "one two three");
}

#[test]
fn line_numbers_of_matches() {
    assert_eq!(lines_of_matches("a\nb a\n\na", "a"), [1, 2, 4]);
    assert_eq!(lines_of_matches("aaaa", "aa"), [1, 1]);
    assert!(lines_of_matches("", "a").is_empty());
}
