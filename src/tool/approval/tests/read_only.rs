//! Commands that only look run unasked; whatever could do more still asks.

use serde_json::json;

use super::super::super::test_scope::object;
use super::attacks::project;
use super::*;
use crate::tool::place::repository::KnownRepository;
use crate::tool::registry::ToolSet;

/// A usual configuration of a repository.
const USUAL_CONFIG: &str = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\
     [remote \"origin\"]\n\turl = git@host:a/b.git\n";

fn repository() -> TestScope {
    let mut t = project();
    t.write(".git/config", USUAL_CONFIG);
    t.scope.repository = KnownRepository::around(&t.scope.cwd).into();
    t
}

fn verdict_in(t: &TestScope, mode: ApprovalMode, is_on: bool, command: &str) -> char {
    let policy = ApprovalPolicy::new(mode, &[])
        .unwrap()
        .with_read_only(is_on);
    let tool = ToolSet::builtin(std::time::Duration::from_secs(1))
        .get("shell")
        .unwrap();
    let plan = tool.plan(&object(json!({ "command": command })), &t.scope);
    plan.map_or('-', |plan| {
        short(&policy.decide("shell", tool.effect(), &plan))
    })
}

fn runs_unasked(t: &TestScope, command: &str) -> bool {
    verdict_in(t, ApprovalMode::Ask, true, command) == '+'
}

const READERS: &[&str] = &[
    "ls",
    "ls -la src",
    "pwd",
    "cat notes.txt src/main.rs",
    "head -n 20 src/main.rs",
    "head -5 notes.txt",
    "tail -n 3 notes.txt",
    "wc -l src/main.rs",
    "stat notes.txt",
    "du -sh src",
    "grep -rn 'fn main' src",
    "grep -n \"a | b\" notes.txt",
    "find . -name '*.rs' -type f",
    "find src -maxdepth 2",
    "diff notes.txt src/main.rs",
    "uname -a",
    "git status",
    "git status --short --branch",
    "git --no-pager log --oneline -n 5",
    "git diff",
    "git diff HEAD~2 -- src/main.rs",
    "git show HEAD",
    "git branch --list",
    "git ls-files",
    "git rev-parse --show-toplevel",
    "git blame src/main.rs",
    "git --version",
    "git log --oneline | head -n 5",
    "git status && git diff | wc -l",
    "ls src; ls tests",
    "cat notes.txt | sort -rn | uniq -c | head -3",
    "ls\npwd\n",
    "grep x notes.txt || ls",
];

/// What must ask in the mode that asks, however it looks.
const ATTACKS: &[&str] = &[
    // More than one program, one of them not a reader.
    "ls; id",
    "ls && rm notes.txt",
    "ls | sh",
    "ls | tee x",
    "ls | xargs rm",
    "cat notes.txt | bash",
    "ls & id",
    "ls &",
    "ls || id",
    "ls\nid",
    "ls\r\nid",
    "ls |& id",
    "git log | less",
    "find . | xargs cat",
    // Redirects, substitutions, expansions, variables.
    "ls > x",
    "ls >> x",
    "ls 2>/dev/null",
    "cat < notes.txt",
    "cat <(id)",
    "ls $(id)",
    "ls `id`",
    "ls \"$(id)\"",
    "ls $HOME",
    "ls ${x:-y}",
    "ls *",
    "ls ?",
    "ls {a,b}",
    "ls ~",
    "ls ~root",
    "X=1 ls",
    "PATH=. ls",
    "GIT_EXTERNAL_DIFF=id git diff",
    "LD_PRELOAD=./x.so ls",
    "env ls",
    "command ls",
    "exec ls",
    "\\ls",
    "'ls' \\-la",
    "./ls",
    "/tmp/ls",
    "src/ls",
    "alias ls=id; ls",
    "ls() { id; }; ls",
    "(ls)",
    "{ ls; }",
    "! ls",
    "ls # x",
    "time ls",
    "sudo ls",
    "if ls; then id; fi",
    // Options that write, run or leave the folder.
    "find . -delete",
    "find . -exec id ;",
    "find . -exec id {} +",
    "find . -execdir id ;",
    "find . -ok id ;",
    "find . -fprint x",
    "find . -fprintf x y",
    "find . -fls x",
    "find -L .",
    "find .. -name x",
    "find / -name x",
    "sort -o notes.txt",
    "sort --output=x",
    "sort --compress-program=id",
    "sort -T /tmp",
    "uniq notes.txt src/main.rs",
    "rg --pre id x",
    "rg --hostname-bin id x",
    "rg -z x",
    "grep -f conf/.env notes.txt",
    "tail -f notes.txt",
    "tail -F notes.txt",
    "file -f conf/.env",
    "wc --files0-from=conf/.env",
    "du --files0-from=conf/.env",
    "cut --output-delimiter=x -f 1 notes.txt -z",
    // Outside of the folder, and secrets within.
    "cat /etc/passwd",
    "cat ../other/file",
    "cat out/file",
    "ls /",
    "ls ..",
    "ls out",
    "head conf/.env",
    "cat conf/id_rsa",
    "cat conf/server.pem",
    "cat conf/.aws/credentials",
    "cat settings.txt",
    "grep -r x conf",
    "grep -r x .",
    "grep x conf/.env",
    "wc -c conf/.env",
    "diff notes.txt conf/.env",
    "diff src tests",
    "stat /etc/shadow",
    "cat .git/../conf/.env",
    // Git that runs, writes or reads elsewhere.
    "git",
    "git push",
    "git add .",
    "git commit -m x",
    "git checkout .",
    "git branch new",
    "git branch -D main",
    "git stash",
    "git stash pop",
    "git -c core.fsmonitor=id status",
    "git -c diff.external=id diff",
    "git -C ../other status",
    "git --git-dir=x status",
    "git --work-tree=/ status",
    "git --exec-path=. status",
    "git -p log",
    "git --paginate log",
    "git diff --ext-diff",
    "git diff --textconv",
    "git log -p --ext-diff",
    "git show --textconv HEAD",
    "git diff --output=x",
    "git diff --outp=x",
    "git log --output=x",
    "git diff -O /etc/passwd",
    "git diff --no-index /etc/passwd notes.txt",
    "git diff notes.txt /etc/passwd",
    "git grep -O'id' x",
    "git grep --open-files-in-pager=id x",
    "git log --format=%G?",
    "git log --pretty=format:%GS",
    "git branch --format='%(signature)'",
    "git log --show-signature",
    "git show HEAD:conf/.env",
    "git show HEAD:../x",
    "git blame conf/.env",
    "git config alias.x '!id'",
    "git config --get user.name",
    "git fetch",
    "git ls-remote ext::id",
    "git submodule status",
    "git help status",
    "git rev-parse --parseopt",
    "git status --untracked-files --porcelain --exec=x",
    // Programs that only sound harmless.
    "less notes.txt",
    "more notes.txt",
    "man ls",
    "awk 1 notes.txt",
    "sed -n 1p notes.txt",
    "cargo build",
    "cargo test",
    "cargo --list",
    "cargo +nightly --version",
    "cargo --version --config x",
    "npm --version",
    "make --version",
    "python3 -c x",
    "node -e x",
    "echo x",
    "sleep 1",
    "xxd notes.txt",
    "tree",
    "curl file:///etc/passwd",
    "ls \u{202e}x",
    "ls\u{a0}-la",
    "ls 'x",
];

#[test]
fn commands_that_only_look_run_unasked() {
    let t = repository();
    let asked: Vec<_> = READERS.iter().filter(|it| !runs_unasked(&t, it)).collect();
    assert!(asked.is_empty(), "asked for: {asked:?}");
}

#[test]
fn commands_that_could_do_more_still_ask() {
    let t = repository();
    assert!(ATTACKS.len() >= 120, "{}", ATTACKS.len());
    let let_through: Vec<_> = ATTACKS.iter().filter(|it| runs_unasked(&t, it)).collect();
    assert!(let_through.is_empty(), "let through: {let_through:?}");
}

#[test]
fn an_attack_is_none_the_better_for_company_that_only_looks() {
    let t = repository();
    for attack in ATTACKS {
        for command in [
            format!("ls; {attack}"),
            format!("git status && {attack}"),
            format!("{attack}\nls"),
            format!("pwd | {attack}"),
        ] {
            assert!(!runs_unasked(&t, &command), "{command:?}");
        }
    }
}

#[test]
fn only_the_modes_that_ask_let_readers_run_and_only_while_that_is_set() {
    let t = repository();
    for (mode, is_on, expected) in [
        (ApprovalMode::Ask, true, '+'),
        (ApprovalMode::Edits, true, '+'),
        (ApprovalMode::Ask, false, '?'),
        (ApprovalMode::Edits, false, '?'),
        (ApprovalMode::ReadOnly, true, '-'),
        (ApprovalMode::All, false, '+'),
    ] {
        assert_eq!(
            verdict_in(&t, mode, is_on, "ls"),
            expected,
            "{mode:?} {is_on}"
        );
    }
    let mut policy = ApprovalPolicy::new(ApprovalMode::Ask, &[])
        .unwrap()
        .with_read_only(true);
    policy.set_plan_mode(true);
    let plan = Plan {
        command: Some(CommandFacts::of("ls", &t.scope)),
        ..plan("ls", false)
    };
    let refused = policy.decide("shell", Effect::Execute, &plan);
    assert!(matches!(refused, Verdict::Refuse(_)));
    policy.set_plan_mode(false);
    assert!(policy.runs_as_read_only("shell", Effect::Execute, &plan));
    policy.allow(session("shell", None));
    assert!(!policy.runs_as_read_only("shell", Effect::Execute, &plan));
}

#[test]
fn git_asks_where_the_repository_would_have_it_run_something() {
    for config in [
        "[core]\n\tfsmonitor = ./evil\n",
        "[diff]\n\texternal = ./evil\n",
        "[include]\n\tpath = ../evil\n",
        "text\n",
    ] {
        let t = repository();
        t.write(".git/config", config);
        for command in ["git status", "git diff", "git log -p", "ls && git status"] {
            assert!(!runs_unasked(&t, command), "{config:?} {command}");
        }
        assert!(runs_unasked(&t, "ls"));
    }
    let t = repository();
    t.write(".git/hooks/post-index-change", "#!/bin/sh\nid\n");
    assert!(!runs_unasked(&t, "git status"));
    let t = repository();
    t.write(".git/config.worktree", "[core]\n\tfsmonitor = ./evil\n");
    assert!(!runs_unasked(&t, "git status"));
    let t = repository();
    t.write(".git/index", "no index");
    assert!(!runs_unasked(&t, "git status"));
    let t = TestScope::new();
    assert!(!runs_unasked(&t, "git status"), "there is no repository");
}

#[test]
fn git_asks_in_a_repository_that_came_up_during_the_session() {
    let t = TestScope::new();
    t.write(".git/config", USUAL_CONFIG);
    t.write(".git/HEAD", "ref: refs/heads/main\n");
    let mut t = t;
    assert!(!runs_unasked(&t, "git status"));
    t.scope.repository = KnownRepository::around(&t.scope.cwd).into();
    assert!(runs_unasked(&t, "git status"));
}

#[test]
fn a_linked_working_tree_is_judged_by_the_repository_it_belongs_to() {
    let mut t = TestScope::new();
    let main = t.root().join("main/.git");
    let own = main.join("worktrees/w");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(main.join("config"), USUAL_CONFIG).unwrap();
    std::fs::write(own.join("commondir"), "../..\n").unwrap();
    t.write(".git", format!("gitdir: {}\n", own.display()));
    t.scope.repository = KnownRepository::around(&t.scope.cwd).into();
    assert!(runs_unasked(&t, "git status"));
    std::fs::write(main.join("config"), "[core]\nfsmonitor = ./x\n").unwrap();
    assert!(!runs_unasked(&t, "git status"));
}

#[test]
fn a_version_is_asked_for_where_the_project_names_the_toolchain() {
    let t = TestScope::new();
    let version = "git --version";
    assert!(runs_unasked(&t, version));
    t.write("rust-toolchain.toml", "[toolchain]\npath = \"./evil\"\n");
    assert!(!runs_unasked(&t, "cargo --version") && !runs_unasked(&t, "rustc --version"));
}

/// What git itself writes, read back: a secret that is tracked, and a repository within.
#[test]
fn tracked_secrets_and_repositories_within_ask() {
    let git = |t: &TestScope, arguments: &str| {
        let ran = std::process::Command::new("git")
            .args(arguments.split(' '))
            .current_dir(&t.scope.cwd)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .unwrap();
        assert!(ran.status.success(), "{arguments}: {ran:?}");
    };
    let mut t = TestScope::new();
    t.write("a.rs", "fn main() {}\n");
    t.write(".env", "KEY=1\n");
    git(&t, "init -q");
    git(&t, "add a.rs");
    t.scope.repository = KnownRepository::around(&t.scope.cwd).into();
    for command in ["git status", "git diff", "git log -p", "git show HEAD"] {
        assert!(runs_unasked(&t, command), "{command}");
    }
    git(&t, "add -f .env");
    assert!(runs_unasked(&t, "git status"), "it names files only");
    for command in ["git diff", "git log -p", "git show HEAD", "git grep KEY"] {
        assert!(!runs_unasked(&t, command), "{command}");
    }
    git(&t, "rm -q --cached .env");
    assert!(runs_unasked(&t, "git diff"));
    let hash = "1".repeat(40);
    git(
        &t,
        &format!("update-index --add --cacheinfo 160000,{hash},vendor"),
    );
    assert!(
        !runs_unasked(&t, "git status"),
        "vendor has a configuration of its own"
    );
}

proptest! {
    /// Whatever is put behind a reader, it runs only when it is all plain.
    #[test]
    fn a_reader_with_a_tail_that_the_shell_would_act_on_asks(
        reader in proptest::sample::select(READERS),
        mark in proptest::sample::select(vec!["$", "`", ">", "<", "&", "(", ")", "\\", "*", "?", "~", "!", "{", "#", "\u{1b}", "\u{200b}"]),
        tail in "[a-z]{0,6}",
    ) {
        let t = repository();
        let command = format!("{} {mark}{tail}", reader.trim());
        prop_assert!(!runs_unasked(&t, &command), "{}", command);
    }
}
