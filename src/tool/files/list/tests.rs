//! Trees, ignore rules and limits of `list`.

use std::os::unix::fs::symlink;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::tool::test_scope::{TestScope, text};

fn project() -> TestScope {
    let t = TestScope::new();
    for file in [
        "src/main.rs",
        "src/tool/read.rs",
        "Cargo.toml",
        "a.md",
        "target/debug/x",
        ".git/HEAD",
        ".github/ci.yml",
    ] {
        t.write(file, "");
    }
    t.write(".gitignore", "target/\n");
    t
}

#[tokio::test]
async fn a_tree_with_directories_first_and_ignored_files_left_out() {
    let t = project();
    let outcome = t.run(&ListTool, json!({})).await;
    assert_eq!(
        text(&outcome),
        ".github/\n  ci.yml\nsrc/\n  tool/\n  main.rs\n.gitignore\nCargo.toml\na.md\n\
         \n[3 directories, 5 files, 2 levels deep]"
    );
    let outcome = t.run(&ListTool, json!({"ignored": true, "depth": 1})).await;
    assert_eq!(
        text(&outcome),
        ".github/\nsrc/\ntarget/\n.gitignore\nCargo.toml\na.md\n\
         \n[3 directories, 3 files, 1 level deep]"
    );
}

#[tokio::test]
async fn limits_say_what_is_missing() {
    let t = project();
    let outcome = t.run(&ListTool, json!({"depth": 9, "limit": 2})).await;
    assert_eq!(
        text(&outcome),
        ".github/\n  ci.yml\n\n[3 directories, 6 files, 9 levels deep; the first 2 are shown: \
         list a subdirectory, or raise `limit`]"
    );
    assert_eq!(outcome.details.unwrap()["lines"], 2);
}

#[tokio::test]
async fn links_are_shown_and_not_followed() {
    let t = TestScope::new();
    symlink("/etc", t.path("out")).unwrap();
    symlink(".", t.path("loop")).unwrap();
    let outcome = t.run(&ListTool, json!({"depth": 9})).await;
    assert_eq!(
        text(&outcome),
        "loop -> .\nout -> /etc\n\n[0 directories, 2 files, 9 levels deep]"
    );
    let plan = t.plan(&ListTool, json!({"path": "out"})).unwrap();
    assert_eq!(plan.outside, [PathBuf::from("/etc")]);
}

#[tokio::test]
async fn what_is_no_directory() {
    let t = project();
    let check = async |path: &str, expected: &str| {
        let outcome = t.run(&ListTool, json!({ "path": path })).await;
        assert!(outcome.is_error);
        assert!(text(&outcome).contains(expected), "{}", text(&outcome));
    };
    check("Cargo.toml", "is a file (0 bytes)").await;
    check("srcs", "There is src.").await;
    std::fs::create_dir(t.path("void")).unwrap();
    let outcome = t.run(&ListTool, json!({"path": "void"})).await;
    assert_eq!(text(&outcome), "[void is empty]");
    t.write("only/x.log", "");
    t.write(".gitignore", "*.log\n");
    let outcome = t.run(&ListTool, json!({"path": "only"})).await;
    assert!(
        text(&outcome).contains("set `ignored`"),
        "{}",
        text(&outcome)
    );
}

#[tokio::test]
async fn a_cancelled_list_stops() {
    let t = project();
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert!(t.run_until(&ListTool, json!({}), cancel).await.is_error);
}

#[tokio::test]
async fn the_programs_own_folders_are_passed_over() {
    let mut t = TestScope::new();
    t.scope.cwd = t.root();
    std::fs::create_dir_all(t.root().join("own/sessions")).unwrap();
    let page = text(&t.run(&ListTool, json!({"ignored": true})).await);
    assert!(page.contains("work/") && !page.contains("own"), "{page}");
    let outcome = t.run(&ListTool, json!({"path": "own/sessions"})).await;
    assert!(outcome.is_error && text(&outcome).contains("belongs to Plimsoll itself"));
}
