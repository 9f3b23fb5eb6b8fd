mod carried;
mod selection;
mod sighted;

use proptest::prelude::*;

use super::*;

fn found(text: &str) -> Vec<&str> {
    candidates(text)
        .into_iter()
        .filter(|token| classify(token).is_some())
        .collect()
}

#[test]
fn identifiers_are_whole_tokens() {
    for (text, expected) in [
        (
            "id 550e8400-e29b-41d4-a716-446655440000.",
            vec!["550e8400-e29b-41d4-a716-446655440000"],
        ),
        ("pi is 3.14159265 or 1,204,000", vec![]),
        (
            "see (https://x.example/a?b=1&c=2).",
            vec!["https://x.example/a?b=1&c=2"],
        ),
        (
            "commit 8f3e21c, 8f3e21c9ab and deadbeef",
            vec!["8f3e21c", "8f3e21c9ab", "deadbeef"],
        ),
        (
            "`src/auth/refresh.rs:42:7` and/or read/write",
            vec!["src/auth/refresh.rs:42:7"],
        ),
        (
            "in ./run.sh, ~/notes, /usr/lib/x and /compact",
            vec!["./run.sh", "~/notes", "/usr/lib/x"],
        ),
        (
            r"C:\data\in\a.txt \\srv\share",
            vec![r"C:\data\in\a.txt", r"\\srv\share"],
        ),
        (
            "localhost:8080 db.example.org:5432 12:30",
            vec!["localhost:8080", "db.example.org:5432"],
        ),
        (
            "10.0.0.1, 10.0.0.1:80 10.0.0.0/24 fe80::1ff:fe23",
            vec!["10.0.0.1", "10.0.0.1:80", "10.0.0.0/24", "fe80::1ff:fe23"],
        ),
        (
            "db7.corp.example.com, redis-cache-02; web-01 on db-prod.lindenhof.intern.",
            vec![
                "db7.corp.example.com",
                "redis-cache-02",
                "web-01",
                "db-prod.lindenhof.intern",
            ],
        ),
        (
            "github.com com.example.app tokio.io window.location.host gpt-4 iso-8859-1 utf-8 step-2",
            vec![],
        ),
        ("order 1234567, 12345", vec!["1234567"]),
        (
            "call_abc12345 AUTH-123 UTF-8 SHA-256 #4512",
            vec!["call_abc12345", "AUTH-123", "#4512"],
        ),
        ("修改src/a.rs文件，用Node.js", vec!["src/a.rs"]),
        ("Cargo.toml e.g. foo.bar() i.e.", vec!["Cargo.toml"]),
        (r#"{"path":"src/x.rs","n":1}"#, vec!["src/x.rs"]),
        ("v1.2.3 and 2026-07-01 are none", vec![]),
        (
            "见《docs/说明.md》，以及「src/a.rs:42」。",
            vec!["docs/说明.md", "src/a.rs:42"],
        ),
        (
            "改 docs/说明.md 和 `文档/图1.png`, 文档/说明.md; ./说明/a.rs:3",
            vec![
                "docs/说明.md",
                "文档/图1.png",
                "文档/说明.md",
                "./说明/a.rs:3",
            ],
        ),
        (
            r"'C:\数据\a.txt' C:\数据\b.txt /home/用户/c.rs",
            vec![r"C:\数据\a.txt", r"C:\数据\b.txt", "/home/用户/c.rs"],
        ),
        (
            "请看src/a.rs 修改/etc/hosts.conf src/b.rs和docs/说明.md",
            vec!["src/a.rs", "/etc/hosts.conf", "src/b.rs"],
        ),
        ("请看docs/说明.md和/或 `和/或` 说明。", vec![]),
        (
            "（https://x.example/a/b?c=1）、https://y.example/z!",
            vec!["https://x.example/a/b?c=1", "https://y.example/z"],
        ),
        (
            r"see C:\data\in\a.txt:12, then D:/src/b.rs.",
            vec![r"C:\data\in\a.txt:12", "D:/src/b.rs"],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn whole_means_not_inside_something_longer() {
    for (text, token, expected) in [
        ("x 123456 y", "123456", true),
        ("x 1234567 y", "123456", false),
        ("x abc-123456", "123456", false),
        ("- 123456", "123456", true),
        ("src/a.rs:42", "src/a.rs", true),
        ("src/a.rs.bak", "src/a.rs", false),
        ("end src/a.rs.", "src/a.rs", true),
        ("see `a/b.rs`,", "a/b.rs", true),
        ("见src/a.rs文件", "src/a.rs", true),
        ("../a.rs", "./a.rs", false),
    ] {
        assert_eq!(contains_whole(text, token), expected, "{token} in {text}");
        let replaced = super::replace_whole(text, token, "NEW");
        assert_eq!(replaced.contains("NEW"), expected, "{replaced}");
    }
}

#[test]
fn a_path_in_decomposed_letters_is_one_token() {
    let path = "docs/re\u{301}sume\u{301}/cafe\u{301}.md";
    assert_eq!(found(&format!("see {path}, please")), vec![path]);
    assert!(contains_whole(&format!("`{path}`"), path));
    let stem = "docs/cafe";
    assert!(!contains_whole("docs/cafe\u{301}", stem), "another name");
    // A mark of the kana, as macOS stores them.
    let kana = "docs/\u{30ab}\u{3099}\u{30a4}\u{30c9}.md";
    assert_eq!(found(&format!("`{kana}`")), vec![kana]);
}

/// One identifier of each kind, made of random pieces.
fn any_identifier() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "[0-9]{5,11}[1-9]",
        "[0-9a-f]{5}[a-f][0-9][0-9a-f]{3,20}",
        "https://[a-z]{2,8}\\.example/[a-z0-9]{1,8}(\\?q=[0-9]{1,4})?",
        "(src|lib)/[a-z]{2,8}/[a-z]{2,8}\\.rs(:[1-9][0-9]{0,3})?",
        "/(usr|srv)/[a-z]{2,8}/[a-z]{2,8}\\.(toml|md)",
        r"[CD]:\\[a-z]{2,8}\\[a-z]{2,8}\.txt",
        "[a-z]{2,8}\\.internal:[1-9][0-9]{3}",
        "10\\.[0-9]\\.[0-9]\\.[1-9]",
        "[A-Z]{3,6}-[1-9][0-9]{0,4}X?".prop_map(|id| format!("Q{}", id.trim_end_matches('X'))),
    ]
}

proptest! {
    #[test]
    fn any_identifier_is_found_whole_within_any_punctuation(
        id in any_identifier(),
        open in prop::sample::select(vec!["", "(", "`", "\"", "「", "《", "（", "见", "a ", "= "]),
        close in prop::sample::select(vec!["", ")", "`", "\"", "」", "》", "）", "。", "，然后", ". b", ", b", "; b"]),
    ) {
        let text = format!("{open}{id}{close}");
        prop_assert_eq!(found(&text), vec![id.as_str()], "{}", text);
        prop_assert!(contains_whole(&text, &id), "{}", text);
    }

    #[test]
    fn hostile_text_neither_panics_nor_yields_pieces(text in "\\PC{0,200}") {
        for token in candidates(&text) {
            let _ = classify(token);
            prop_assert!(text.contains(token));
        }
    }
}
