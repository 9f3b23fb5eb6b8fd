//! The approval table.

use std::path::PathBuf;

use proptest::prelude::*;

use super::super::test_scope::TestScope;
use super::command::{CommandFacts, title};
use super::*;

mod attacks;
mod read_only;

const ALL_MODES: [ApprovalMode; 4] = [
    ApprovalMode::Ask,
    ApprovalMode::ReadOnly,
    ApprovalMode::Edits,
    ApprovalMode::All,
];

fn plan(title: &str, outside: bool) -> Plan {
    Plan {
        title: title.to_owned(),
        outside: outside.then(|| PathBuf::from(title)).into_iter().collect(),
        ..Plan::default()
    }
}

fn session(tool: &str, pattern: Option<&str>) -> Permission {
    Permission {
        grant: Grant::Session,
        tool: tool.to_owned(),
        pattern: pattern.map(str::to_owned),
    }
}

fn short(verdict: &Verdict) -> char {
    match verdict {
        Verdict::Allow => '+',
        Verdict::Ask => '?',
        Verdict::Refuse(_) => '-',
    }
}

#[test]
fn modes() {
    // One letter for ask, read-only, edits, all.
    let check = |effect, outside, expected: &str| {
        let found: String = ALL_MODES
            .iter()
            .map(|mode| {
                let policy = ApprovalPolicy::new(*mode, &[]).unwrap();
                short(&policy.decide("tool", effect, &plan("/x", outside)))
            })
            .collect();
        assert_eq!(found, expected, "{effect:?} outside: {outside}");
    };
    check(Effect::Read, false, "++++");
    check(Effect::Read, true, "???+");
    check(Effect::Edit, false, "?-++");
    check(Effect::Edit, true, "?-?+");
    check(Effect::Execute, false, "?-?+");
}

fn command(line: &str) -> Plan {
    Plan {
        title: title(line),
        command: Some(CommandFacts::of(line, &TestScope::new().scope)),
        ..Plan::default()
    }
}

/// Whether a pattern of the settings lets a command run.
fn allows(pattern: &str, line: &str) -> bool {
    let mut policy = ApprovalPolicy::new(ApprovalMode::Ask, &[]).unwrap();
    policy.allow(Permission {
        grant: Grant::Configured,
        ..session("shell", Some(pattern))
    });
    policy.decide("shell", Effect::Execute, &command(line)) == Verdict::Allow
}

#[test]
fn globs_stand_for_plain_commands_only() {
    assert!(allows("cargo *", "cargo build -p auth"));
    assert!(allows("cargo *", "cargo"));
    assert!(allows("cargo *", "cargo run --bin src/a"));
    assert!(allows("*", "ls"));
    assert!(!allows("cargo *", "cargo-evil x"));
    assert!(!allows("cargo *", "sudo cargo build"));
    assert!(!allows("cargo build", "cargo build --release"));
    for tail in [
        "; rm x", " && rm x", " || rm x", " | sh", " & rm x", "\nrm x", " $(rm x)", " `rm x`",
        " > x", " < x", " >> x", "\rrm x",
    ] {
        let line = format!("cargo build{tail}");
        for pattern in [
            "cargo *",
            "cargo build*",
            "*",
            "**",
            "cargo build[!a]*",
            "{cargo,x}*",
        ] {
            assert!(!allows(pattern, &line), "{pattern} let {line:?} through");
        }
        let own = title(&line);
        assert!(allows(&own, &line), "exactly {line:?}");
        assert!(!allows(&own, &format!("{line} y")));
    }
    assert!(!allows("a && *", "a && b"));
}

#[test]
fn odd_patterns_match_themselves() {
    assert!(allows("test [ -f x", "test [ -f x"));
    assert!(!allows("test [ -f x", "test [ -f y"));
    assert!(allows("rm [*].o", "rm *.o"));
    assert!(
        !allows("rm *.o", "rm *.o"),
        "here the shell puts file names"
    );
    assert!(!allows("rm [*].o", "rm a.o"));
}

#[test]
fn rules_belong_to_their_tool() {
    let mut policy = ApprovalPolicy::new(ApprovalMode::Ask, &[]).unwrap();
    policy.allow(session("edit", Some("src/**")));
    let check = |tool, title, outside, expected| {
        let verdict = policy.decide(tool, Effect::Edit, &plan(title, outside));
        assert_eq!(short(&verdict), expected, "{tool} {title}");
    };
    check("edit", "src/a/b.rs", false, '+');
    check("write", "src/a/b.rs", false, '?');
    check("edit", "tests/a.rs", false, '?');
}

#[test]
fn what_was_allowed_inside_does_not_reach_outside() {
    let mut policy = ApprovalPolicy::new(ApprovalMode::Ask, &[]).unwrap();
    policy.allow(session("edit", None));
    policy.allow(session("write", Some("**")));
    policy.allow(session("read", Some("/etc/*")));
    policy.allow(session("write", Some(".git/config")));
    let check = |tool, effect, title, outside, expected| {
        let verdict = policy.decide(tool, effect, &plan(title, outside));
        assert_eq!(short(&verdict), expected, "{tool} {title}");
    };
    check("edit", Effect::Edit, "src/a.rs", false, '+');
    check("edit", Effect::Edit, "/etc/passwd", true, '?');
    check("write", Effect::Edit, "src/a.rs", false, '+');
    check("write", Effect::Edit, "/etc/passwd", true, '?');
    check("write", Effect::Edit, ".git/hooks/pre-commit", true, '?');
    check("write", Effect::Edit, ".git/config", true, '+');
    check("read", Effect::Read, "/etc/hosts", true, '+');
    check("read", Effect::Read, "/etc/ssl/key", true, '?');
    check("read", Effect::Read, "/root/x", true, '?');
}

#[test]
fn a_tool_can_be_allowed_but_not_against_read_only() {
    for (mode, expected) in [(ApprovalMode::Ask, '+'), (ApprovalMode::ReadOnly, '-')] {
        let mut policy = ApprovalPolicy::new(mode, &["edit:*".to_owned()]).unwrap();
        policy.allow(session("shell", None));
        let verdict = policy.decide("shell", Effect::Execute, &plan("a; b", false));
        assert_eq!(short(&verdict), expected);
        let verdict = policy.decide("edit", Effect::Edit, &plan("a", false));
        assert_eq!(short(&verdict), expected);
    }
}

#[test]
fn configured_patterns() {
    let check = |patterns: &[&str], command: &str, expected: char| {
        let patterns: Vec<String> = patterns.iter().map(|&p| p.to_owned()).collect();
        let policy = ApprovalPolicy::new(ApprovalMode::Ask, &patterns).unwrap();
        let verdict = policy.decide("shell", Effect::Execute, &self::command(command));
        assert_eq!(short(&verdict), expected, "{patterns:?} {command}");
    };
    check(&["shell:cargo test *"], "cargo test -q", '+');
    check(&["shell:cargo test *"], "cargo build", '?');
    check(&["edit:*"], "cargo build", '?');
    check(&["shell"], "anything; at all", '+');
    check(&["shell:a:b *"], "a:b c", '+');
    check(&["shell:a && b [c"], "a && b [c", '+');
    check(&["", " "], "ls", '?');
    for bad in ["shell:", ":x", "shell:a [b"] {
        let error = ApprovalPolicy::new(ApprovalMode::Ask, &[bad.to_owned()]).unwrap_err();
        assert!(error.0.contains(bad), "{error}");
    }
}

#[test]
fn what_asks_wherever_it_is_is_allowed_by_name_only() {
    let mut policy = ApprovalPolicy::new(ApprovalMode::Edits, &[]).unwrap();
    policy.allow(session("write", None));
    policy.allow(session("write", Some("**")));
    policy.allow(session("write", Some("/home/**")));
    let decide = |policy: &ApprovalPolicy, title: &str, outside| {
        let plan = Plan {
            cautions: vec!["shells run it".to_owned()],
            ..plan(title, outside)
        };
        short(&policy.decide("write", Effect::Edit, &plan))
    };
    assert_eq!(decide(&policy, ".bashrc", false), '?');
    assert_eq!(decide(&policy, "/home/me/.bashrc", true), '?');
    policy.allow(session("write", Some(".bashrc")));
    assert_eq!(decide(&policy, ".bashrc", false), '+');
    assert_eq!(decide(&policy, "sub/.bashrc", false), '?');
}

#[test]
fn a_permission_says_what_it_covers() {
    let calls = |grant, pattern| {
        let permission = Permission {
            grant,
            ..session("shell", pattern)
        };
        permission.calls()
    };
    assert_eq!(calls(Grant::Session, None), "all calls");
    assert_eq!(
        calls(Grant::Always, Some("git status *")),
        "git status * (reviewed options)"
    );
    assert_eq!(
        calls(Grant::Session, Some("make all *")),
        "make all * (reviewed options only)"
    );
    for pattern in ["make all", "./run.sh *"] {
        assert_eq!(calls(Grant::Always, Some(pattern)), pattern);
    }
    assert_eq!(calls(Grant::Configured, Some("make all *")), "make all *");
    assert_eq!(session("edit", Some("git *")).calls(), "git *");
}

#[test]
fn mode_names() {
    for mode in ALL_MODES {
        assert_eq!(ApprovalMode::from_name(mode.name()), Some(mode));
    }
    assert_eq!(ApprovalMode::from_name("yolo"), None);
}

proptest! {
    #[test]
    fn no_pattern_but_the_command_itself_allows_a_compound_command(
        pattern in "[a-c *?\\[\\]{},!;|&\\\\]{0,12}",
        before in "[a-c *]{0,6}",
        joint in prop_oneof![
            Just(";"), Just("&"), Just("|"), Just(">"), Just("<"), Just("`"), Just("$("),
            Just("\n"), Just("\r"), Just("\u{2424}"),
        ],
        after in "[a-c *]{0,6}",
    ) {
        let line = format!("{before}{joint}{after}");
        // Line breaks around a command join nothing.
        prop_assume!(line.trim().contains(joint));
        let own = title(&line);
        let is_itself = pattern == own || pattern == globset::escape(&own);
        prop_assert!(!allows(&pattern, &line) || is_itself);
        prop_assert!(allows(&globset::escape(&own), &line));
    }
}

#[test]
fn plan_mode_leaves_only_looking_whatever_is_allowed() {
    for mode in ALL_MODES {
        let mut policy = ApprovalPolicy::new(mode, &["shell".to_owned()]).unwrap();
        policy.set_plan_mode(true);
        for effect in [Effect::Edit, Effect::Execute] {
            let verdict = policy.decide("shell", effect, &plan("ls", false));
            assert!(
                matches!(&verdict, Verdict::Refuse(why) if why.contains("plan mode is on")),
                "{verdict:?}"
            );
        }
        let looks = policy.decide("read", Effect::Read, &plan("a.rs", false));
        assert_eq!(looks, Verdict::Allow);
        policy.set_plan_mode(false);
        let refused = matches!(
            policy.decide("shell", Effect::Execute, &plan("ls", false)),
            Verdict::Refuse(_)
        );
        assert_eq!(refused, mode == ApprovalMode::ReadOnly);
    }
}

#[test]
fn permissions_are_listed_revoked_and_end_with_their_session() {
    let mut policy =
        ApprovalPolicy::new(ApprovalMode::Ask, &["shell:cargo test *".to_owned()]).unwrap();
    let always = Permission {
        grant: Grant::Always,
        ..session("shell", Some("make all"))
    };
    policy.allow(session("edit", None));
    policy.allow(always.clone());
    policy.allow(always.clone());
    let listed = policy.permissions();
    let grants: Vec<Grant> = listed.iter().map(|it| it.grant).collect();
    assert_eq!(grants, [Grant::Configured, Grant::Always, Grant::Session]);
    let run =
        |policy: &ApprovalPolicy| policy.decide("shell", Effect::Execute, &command("make all"));
    assert_eq!(run(&policy), Verdict::Allow);
    assert!(policy.revoke(&always));
    assert!(!policy.revoke(&always));
    assert_eq!(run(&policy), Verdict::Ask);
    policy.end_session();
    let edits = policy.decide("edit", Effect::Edit, &plan("a.rs", false));
    assert_eq!(edits, Verdict::Ask);
    assert_eq!(policy.permissions().len(), 1);
}

#[test]
fn an_address_is_allowed_by_its_host() {
    let plan = |url: &str| Plan {
        title: url.to_owned(),
        pattern: String::new(),
        ..Plan::default()
    };
    let decide = |mode, allow: &str, url: &str| {
        let policy = ApprovalPolicy::new(mode, &[allow.to_owned()]).unwrap();
        policy.decide("fetch", Effect::Fetch, &plan(url))
    };
    let docs = "fetch:https://docs.example/*";
    for (allow, url, verdict) in [
        ("", "https://docs.example/a/b?c", Verdict::Ask),
        (docs, "https://docs.example/a/b?c", Verdict::Allow),
        (docs, "https://docs.example/", Verdict::Allow),
        (docs, "http://docs.example/a", Verdict::Ask),
        (docs, "https://docs.example.evil.example/a", Verdict::Ask),
        (docs, "https://docs.example:8443/a", Verdict::Ask),
        (
            "fetch:https://docs.example*",
            "https://docs.example.evil.example/",
            Verdict::Ask,
        ),
        (
            "fetch:https://docs.example/a",
            "https://docs.example/ab",
            Verdict::Ask,
        ),
        (
            "fetch:https://docs.example/a",
            "https://docs.example/a",
            Verdict::Allow,
        ),
        ("fetch:https://*", "https://docs.example/", Verdict::Ask),
        ("fetch", "https://docs.example/", Verdict::Allow),
    ] {
        for mode in [ApprovalMode::Ask, ApprovalMode::Edits] {
            assert_eq!(decide(mode, allow, url), verdict, "{allow} {url}");
        }
        assert_eq!(decide(ApprovalMode::All, allow, url), Verdict::Allow);
        let refused = decide(ApprovalMode::ReadOnly, allow, url);
        assert!(
            matches!(refused, Verdict::Refuse(_)),
            "an address tells something"
        );
    }
    let mut policy = ApprovalPolicy::new(ApprovalMode::Ask, &[]).unwrap();
    policy.set_plan_mode(true);
    let verdict = policy.decide("fetch", Effect::Fetch, &plan("https://docs.example/"));
    assert_eq!(verdict, Verdict::Ask);
}
