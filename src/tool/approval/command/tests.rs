//! Titles, suggestions, and what is reviewed.

use super::*;
use crate::tool::test_scope::TestScope;

#[test]
fn joined_commands() {
    let check = |command: &str, expected| {
        assert_eq!(is_joined(&title(command)), expected, "{command}");
    };
    check("cargo build -p auth", false);
    check("echo \"$HOME\" 'a b' {c,d} *.rs", false);
    check("  ls -la\n", false);
    for command in [
        "a; b",
        "a && b",
        "a || b",
        "a | b",
        "a & b",
        "a &",
        "a\nb",
        "a $(b)",
        "a `b`",
        "a > b",
        "a >> b",
        "a < b",
        "a <(b)",
        "(a)",
        "a 2>&1",
        "a\r\nb",
        "a \u{1b}[0m",
        "f() { a",
    ] {
        check(command, true);
    }
}

#[test]
fn titles_do_not_collide_across_line_breaks() {
    assert_eq!(title("a\nb"), "a\u{2424}b");
    assert_ne!(title("a\nb"), title("a\u{2424}b"));
    assert_ne!(title("a\nb"), title("a b"));
}

#[test]
fn wildcards_are_told_from_what_is_escaped() {
    for pattern in ["a *", "a?", "[ab]", "{a,b}", "[*] *"] {
        assert!(has_wildcard(pattern), "{pattern}");
    }
    for text in ["a", "rm *.o", "a{b}", "x[1]?"] {
        assert!(!has_wildcard(&globset::escape(text)), "{text}");
    }
}

#[test]
fn reviewed_commands_suggest_a_pattern_and_all_others_themselves() {
    let t = TestScope::new();
    t.write("src/a.rs", "");
    let check = |command: &str, expected: &str| {
        let suggested = CommandFacts::of(command, &t.scope).suggested(&title(command));
        assert_eq!(suggested, expected, "{command}");
    };
    check("cargo build -p auth", "cargo build *");
    check("cargo test -q parser -- --nocapture", "cargo test *");
    check("git status", "git status *");
    check("git --no-pager log --oneline -5", "git --no-pager log *");
    check("git stash list", "git stash list *");
    check("cat src/a.rs", "cat *");
    check("git -C /x status", "git -C /x status");
    check("git push origin main", "git push origin main");
    check("git commit -m 'a b'", "git commit -m 'a b'");
    check("npm run build", "npm run build");
    check("npm test", "npm test");
    check("make build", "make build");
    check("rm -rf *.o", "rm -rf [*].o");
    check("cargo build && rm -rf /", "cargo build && rm -rf /");
    check("cargo build\nrm x", "cargo build\u{2424}rm x");
    check("git  status", "git  status");
    check("/usr/bin/git status", "/usr/bin/git status");
    check("cat /etc/passwd", "cat /etc/passwd");
    check("", "");
}

#[test]
fn every_row_of_the_table_is_reviewed_bare_and_named_once() {
    let t = TestScope::new();
    let mut seen = std::collections::HashSet::new();
    for row in reviewed_table::REVIEWED_COMMANDS {
        let name = row.name.to_owned();
        let words: Vec<String> = name.split(' ').map(str::to_owned).collect();
        assert_eq!(
            reviewed_prefix(&words, &t.scope).as_deref(),
            Some(name.as_str())
        );
        assert!(reviewed_table::is_reviewed_prefix(&name), "{name}");
        assert!(seen.insert(name), "twice: {words:?}");
        for list in [row.flags, row.valued] {
            let is_option = |word: &str| word.is_empty() || word.starts_with('-');
            assert!(list.split(' ').all(is_option), "{list:?}");
        }
    }
}

#[test]
fn what_a_remembered_wildcard_does_not_cover_is_said() {
    let says = |pattern: &str| narrowing(pattern).unwrap_or_default();
    assert!(says("git status *").contains("covers reviewed options"));
    assert!(says("make build *").contains("covers only `make build` and reviewed commands"));
    assert!(says("git *").contains("covers only `git` and reviewed commands"));
    assert!(says("git push ?rigin").contains("covers only reviewed commands"));
    assert_eq!(narrowing("make build"), None);
    assert_eq!(narrowing("./run.sh *"), None);
    assert_eq!(narrowing("rm [*].o"), None);
    for (pattern, outdated) in [
        ("git grep *", false),
        ("git push *", true),
        ("make all *", true),
        ("npm test *", true),
        ("cargo build *", false),
        ("git stash list *", false),
        ("echo *", false),
        ("make all", false),
    ] {
        assert_eq!(is_outdated(pattern), outdated, "{pattern}");
    }
}
