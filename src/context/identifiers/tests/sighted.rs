//! What of a line is an identifier.

use proptest::prelude::*;

use super::super::sightings::each_sighting;

fn sighted(line: &str, is_code: bool) -> Vec<&str> {
    let mut out = Vec::new();
    each_sighting(line, is_code, &mut |text, _| out.push(text));
    out
}

#[test]
fn names_in_code_are_told_by_their_shape() {
    for (line, expected) in [
        (
            "call Lexer::next_token in `parse`",
            vec!["Lexer::next_token", "parse"],
        ),
        (
            "parse_config and tokenStore, TokenStore",
            vec!["parse_config", "tokenStore", "TokenStore"],
        ),
        (
            "KELP_SPOOL_DIR=/var/spool/kelp must be set",
            vec!["KELP_SPOOL_DIR", "/var/spool/kelp"],
        ),
        (
            "config.tokenStore.get and Array#flat",
            vec!["config.tokenStore.get", "Array#flat"],
        ),
        ("use --no-verify, not -n", vec!["--no-verify"]),
        ("then flush() and render(s) it", vec!["flush"]),
        (
            "serde@1.0.200 and @types/node@22.1.0, v0.7.29 of 1.24.0",
            vec!["serde@1.0.200", "@types/node@22.1.0", "v0.7.29", "1.24.0"],
        ),
        (
            "migrations/0042_users.sql or 0042_users",
            vec!["migrations/0042_users.sql", "0042_users"],
        ),
        (
            "error[E0382], TS2345 and ENOENT, SIGTERM",
            vec!["E0382", "TS2345", "ENOENT", "SIGTERM"],
        ),
        (
            "rebase origin/main, main..topic/x and HEAD~2",
            vec!["origin/main", "main..topic/x", "HEAD~2"],
        ),
        (
            "on port 8080 and :9090 of db.example.org:5432",
            vec!["8080", "9090", "db.example.org:5432"],
        ),
        (
            "costs $47,500 or €12.50, 256 MiB and 10GB",
            vec!["$47,500", "€12.50", "256 MiB", "10GB"],
        ),
        (
            "saves 1,736 GB, 12,736 GB, 218,736 GB, 1,204,736 bytes and $1,204; of 1 736 GB nothing",
            vec![
                "1,736 GB",
                "12,736 GB",
                "218,736 GB",
                "1,204,736 bytes",
                "$1,204",
            ],
        ),
        (
            "due 2026-03-10 for ops@kelp.example",
            vec!["2026-03-10", "ops@kelp.example"],
        ),
        ("CVE-2024-3094 and #174", vec!["CVE-2024-3094", "#174"]),
        ("见 `解析器` 和 parse_config。", vec!["parse_config"]),
    ] {
        assert_eq!(sighted(line, false), expected, "{line}");
    }
    assert_eq!(
        sighted("pub fn parse(input: &str) -> TokenTree {", true),
        ["parse", "TokenTree"]
    );
}

#[test]
fn words_measures_patterns_and_halves_are_none() {
    for line in [
        "the quick brown fox, e.g. this one and/or that",
        "GitHub, TypeScript and PostgreSQL on macOS",
        "timeout 300000 and 120000 ms, mode 100644",
        "> /dev/null 2>&1",
        r"grep agent\.AgentType and ^\s*foo\b",
        "all *_test.go and **/*.rs files in src/{a,b}/x",
        "${dir}/a.rs and $(pwd)/b.rs, app/[id]/page.tsx",
        "README, TODO, API, HTTP and UTF-8, SHA256",
        "it took 3.5 seconds, 42 times, 99%",
        "Node.js, Vue.js, U.S.A.",
        "option(al) and file(s)",
        "word--word -- and ---",
    ] {
        assert_eq!(sighted(line, false), Vec::<&str>::new(), "{line}");
    }
}

#[test]
fn a_slash_between_files_makes_two_of_them() {
    assert_eq!(
        sighted("main.ts/tui-renderer.ts", false),
        ["main.ts", "tui-renderer.ts"]
    );
    assert_eq!(
        sighted(r#""\`./modes/index.js\`""#, false),
        ["./modes/index.js"]
    );
}

#[test]
fn a_megabyte_on_one_line_is_read_once() {
    let line = "src/a/b.rs,parse_config;`x`(*".repeat(40_000);
    let mut count = 0;
    each_sighting(&line, true, &mut |_, _| count += 1);
    assert!(count >= 80_000, "{count}");
}

proptest! {
    #[test]
    fn whatever_is_sighted_stands_in_the_line_as_a_whole(
        line in "(\\PC{0,20}|src/[a-z]{1,5}\\.rs|[a-z]{1,5}_[a-z]{1,5}|\\$[0-9]{1,3},[0-9]{3}|[0-9]{1,4} (MB|GiB)|--[a-z-]{2,8}|[*{}`\\[\\]()/. ]){0,30}",
        is_code in any::<bool>(),
    ) {
        each_sighting(&line, is_code, &mut |text, _| {
            assert!(line.contains(text) && !text.is_empty());
        });
    }
}
