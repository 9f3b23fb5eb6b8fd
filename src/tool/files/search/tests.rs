//! Matches, filters and limits of `search`.

use serde_json::json;

use super::*;
use crate::tool::page::PAGE_BYTES;
use crate::tool::test_scope::{TestScope, text};

fn project() -> TestScope {
    let t = TestScope::new();
    t.write("src/a.rs", "fn one() {}\nfn two() {}\n// One\n");
    t.write("src/deep/b.ts", "one\r\ntwo\r\n");
    t.write("ignored.log", "one\n");
    t.write(".gitignore", "*.log\n");
    t.write(".git/x", "one\n");
    t.write("bin", b"one\0one\n");
    t
}

async fn check(t: &TestScope, arguments: Value, expected: &str) {
    let outcome = t.run(&SearchTool, arguments.clone()).await;
    assert!(!outcome.is_error, "{}", text(&outcome));
    assert_eq!(text(&outcome), expected, "{arguments}");
}

#[tokio::test]
async fn matches_come_with_path_and_line() {
    let t = project();
    check(
        &t,
        json!({"pattern": "one"}),
        "src/a.rs:1:fn one() {}\nsrc/deep/b.ts:1:one\n\n[2 matching lines in 2 files]",
    )
    .await;
    check(
        &t,
        json!({"pattern": "ONE", "ignore_case": true, "path": "src/a.rs"}),
        "src/a.rs:1:fn one() {}\nsrc/a.rs:3:// One\n\n[2 matching lines in 1 file]",
    )
    .await;
    check(
        &t,
        json!({"pattern": "two$"}),
        "src/deep/b.ts:2:two\n\n[1 matching line in 1 file]",
    )
    .await;
    check(
        &t,
        json!({"pattern": "two", "context": 1, "path": "src/a.rs"}),
        "src/a.rs-1-fn one() {}\nsrc/a.rs:2:fn two() {}\nsrc/a.rs-3-// One\n\n\
         [1 matching line in 1 file]",
    )
    .await;
}

#[tokio::test]
async fn globs_and_literals() {
    let t = project();
    for glob in ["*.rs", "src/*.rs", "src/**/*.rs", "./src/*.{rs,go}"] {
        check(
            &t,
            json!({"pattern": "one()", "literal": true, "glob": glob}),
            "src/a.rs:1:fn one() {}\n\n[1 matching line in 1 file]",
        )
        .await;
    }
    check(
        &t,
        json!({"pattern": "one", "glob": "*.log", "ignored": true}),
        "ignored.log:1:one\n\n[1 matching line in 1 file]",
    )
    .await;
    check(
        &t,
        json!({"pattern": "two", "path": "src/deep"}),
        "src/deep/b.ts:2:two\n\n[1 matching line in 1 file]",
    )
    .await;
    check(
        &t,
        json!({"pattern": "one", "glob": "*.py"}),
        "[no matches for \"one\" in . (0 files)]",
    )
    .await;
}

#[tokio::test]
async fn a_full_page_says_so() {
    let t = TestScope::new();
    t.write("a", "hit\n".repeat(500));
    let outcome = t
        .run(&SearchTool, json!({"pattern": "hit", "limit": 3}))
        .await;
    assert_eq!(
        text(&outcome),
        "a:1:hit\na:2:hit\na:3:hit\n\n[3 matching lines in 1 file; the page is full and there \
         may be more; narrow `path`, `glob` or `pattern`]"
    );
    assert_eq!(outcome.details.unwrap(), json!({"matches": 3, "files": 1}));
    t.write("a", format!("{}\n", "hit".repeat(1_000)).repeat(500));
    let outcome = t
        .run(&SearchTool, json!({"pattern": "hit", "limit": 1000}))
        .await;
    let page = text(&outcome);
    assert!(page.len() < PAGE_BYTES + 300, "{}", page.len());
    assert!(page.contains("may be more") && page.contains("long lines cut"));
}

#[tokio::test]
async fn wrong_patterns_and_paths() {
    let t = project();
    for arguments in [
        json!({"pattern": "("}),
        json!({"pattern": ""}),
        json!({"pattern": "a\nb"}),
        json!({"pattern": "a", "glob": "[a"}),
        json!({"pattern": "(?:a{1000}){1000}"}),
    ] {
        t.plan(&SearchTool, arguments.clone()).unwrap_err();
        assert!(t.run(&SearchTool, arguments).await.is_error);
    }
    let outcome = t
        .run(&SearchTool, json!({"pattern": "a", "path": "srcs"}))
        .await;
    assert!(text(&outcome).contains("There is src."));
}

#[tokio::test]
async fn links_are_not_followed_and_outside_is_named() {
    let t = project();
    std::os::unix::fs::symlink("/etc", t.path("out")).unwrap();
    let outcome = t
        .run(&SearchTool, json!({"pattern": "root", "path": "."}))
        .await;
    assert!(text(&outcome).starts_with("[no matches"));
    let plan = t
        .plan(&SearchTool, json!({"pattern": "root", "path": "out"}))
        .unwrap();
    assert_eq!(plan.title, "\"root\" in /etc");
    assert_eq!(plan.outside, [std::path::PathBuf::from("/etc")]);
}

#[tokio::test]
async fn a_cancelled_search_stops() {
    let t = project();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = t
        .run_until(&SearchTool, json!({"pattern": "one"}), cancel)
        .await;
    assert!(outcome.is_error);
}

#[tokio::test]
async fn files_with_secrets_are_left_out_and_counted_unless_one_is_named() {
    let t = TestScope::new();
    for file in ["a.txt", ".env", "keys/id_rsa", "keys/b.pem", ".env.example"] {
        t.write(file, "token\n");
    }
    let page = text(&t.run(&SearchTool, json!({"pattern": "token"})).await);
    assert!(
        page.contains("a.txt:1") && page.contains(".env.example:1"),
        "{page}"
    );
    assert!(
        !page.contains(".env:") && !page.contains("id_rsa"),
        "{page}"
    );
    assert!(
        page.contains("3 files left out, as files with such names"),
        "{page}"
    );
    let named = json!({"pattern": "token", "path": ".env"});
    assert!(
        !t.plan(&SearchTool, named.clone())
            .unwrap()
            .cautions
            .is_empty()
    );
    assert!(text(&t.run(&SearchTool, named).await).contains(".env:1:token"));
    let page = text(
        &t.run(&SearchTool, json!({"pattern": "token", "glob": "*.txt"}))
            .await,
    );
    assert!(!page.contains("left out"), "{page}");
}

#[tokio::test]
async fn the_programs_own_files_are_not_searched_from_above() {
    let mut t = TestScope::new();
    t.scope.cwd = t.root();
    for folder in ["own", "work"] {
        std::fs::create_dir_all(t.root().join(folder)).unwrap();
        std::fs::write(t.root().join(folder).join("a.toml"), "token\n").unwrap();
    }
    let call = json!({"pattern": "token", "ignored": true});
    let page = text(&t.run(&SearchTool, call).await);
    assert!(
        page.contains("work/a.toml:1") && !page.contains("own/"),
        "{page}"
    );
}
