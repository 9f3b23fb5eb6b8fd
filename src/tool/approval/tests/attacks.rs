//! Tricks that must ask, and harmless calls that must not: from the arguments of a call,
//! through its plan, to the verdict.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::super::super::test_scope::{TestScope, object};
use super::*;
use crate::tool::place::repository::KnownRepository;
use crate::tool::registry::ToolSet;

/// A project of a user who keeps a few secrets in it, with a repository.
pub(super) fn project() -> TestScope {
    let mut t = TestScope::new();
    for file in [
        "src/main.rs",
        "src/lib.rs",
        "notes.txt",
        "tests/a.rs",
        "docs/b.md",
        ".git/config",
        ".git/HEAD",
        "conf/.env",
        "conf/id_rsa",
        "conf/server.pem",
        "conf/.aws/credentials",
        "conf/.env.example",
        "conf/id_rsa.pub",
        "x.mk",
    ] {
        t.write(file, "text\n");
    }
    t.write(".gitignore", "conf/\n");
    std::fs::create_dir(t.root().join("other")).unwrap();
    std::fs::write(t.root().join("other/file"), "").unwrap();
    symlink(t.root().join("other"), t.path("out")).unwrap();
    symlink("conf/.env", t.path("settings.txt")).unwrap();
    symlink(".git", t.path("repo")).unwrap();
    symlink("notes.txt", t.path(".zshrc")).unwrap();
    t.scope.repository = KnownRepository::around(&t.scope.cwd).into();
    t
}

/// `always shell:git status *; config edit:**`, as permissions.
fn rules(policy: &mut ApprovalPolicy, text: &str) {
    for rule in text.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let (grant, rule) = rule.split_once(' ').unwrap();
        let (tool, pattern) = rule.split_once(':').unwrap();
        policy.allow(Permission {
            grant: match grant {
                "always" => Grant::Always,
                "session" => Grant::Session,
                "config" => Grant::Configured,
                other => panic!("{other}"),
            },
            tool: tool.to_owned(),
            pattern: Some(pattern.to_owned()),
        });
    }
}

fn verdict(t: &TestScope, mode: ApprovalMode, rule: &str, name: &str, arguments: Value) -> char {
    let mut policy = ApprovalPolicy::new(mode, &[]).unwrap();
    rules(&mut policy, rule);
    let tool = ToolSet::builtin(std::time::Duration::from_secs(1))
        .get(name)
        .unwrap();
    match tool.plan(&object(arguments), &t.scope) {
        Ok(plan) => short(&policy.decide(name, tool.effect(), &plan)),
        // An answer without a look at anything.
        Err(_) => '-',
    }
}

fn runs(t: &TestScope, rule: &str, command: &str) -> bool {
    let arguments = json!({ "command": command });
    verdict(t, ApprovalMode::Edits, rule, "shell", arguments) == '+'
}

/// A remembered or configured rule, with commands that it must not let through.
const TRICKS: &[(&str, &[&str])] = &[
    (
        "always shell:git grep *",
        &[
            "git grep --open-files-in-pager='sh -c id #' x",
            "git grep -O'id #' x",
            "git grep -nOid x",
            "git grep --open-files=id x",
            "git grep --op=id x",
            "git grep --no-index x /etc",
            "git grep -f /etc/passwd",
            "git grep --textconv x",
            "git grep x ../other",
            "git grep x; id",
            "git grep x | sh",
            "git grep \"$(id)\"",
            "git grep `id`",
            "git grep x > src/main.rs",
            "git grep $X",
            "git grep *",
            "git grep x\nid",
            "git grep x\\\nid",
            "git grep x & id",
            "git grep x <(id)",
        ],
    ),
    (
        "always shell:git *",
        &[
            "git -c core.pager=id log",
            "git -c core.fsmonitor=id status",
            "git -C ../other status",
            "git --git-dir=x status",
            "git --exec-path=. status",
            "git -p log",
            "git fetch --upload-pack=id",
            "git push --receive-pack=id",
            "git push",
            "git commit -m x",
            "git diff --output=src/main.rs",
            "git diff --outp=src/main.rs",
            "git diff --ext-diff",
            "git diff --no-index notes.txt /etc/passwd",
            "git diff --abbrev --output=src/main.rs",
            "git diff --abbrev /etc/passwd notes.txt",
            "git log -U --output=x",
            "git log --pretty --output=x",
            "git diff notes.txt /etc/passwd",
            "git log --output=x",
            "git show HEAD:conf/.env",
            "git show HEAD:../../etc/passwd",
            "git rebase -x id HEAD~1",
            "git bisect run id",
            "git submodule foreach id",
            "git config alias.x '!id'",
            "git difftool -x id",
            "git clone ext::id x",
            "git archive --output=x HEAD",
            "git branch new",
            "git stash list --foo",
            "git blame --contents /etc/passwd notes.txt",
            "git add conf/.env",
            "GIT_PAGER=id git log",
            "GIT_EXTERNAL_DIFF=id git diff",
            "./git status",
            "git evil",
        ],
    ),
    (
        "always shell:make build *; always shell:npm test *; always shell:npm *; always shell:just *",
        &[
            "make build -f x.mk",
            "make build CC=id",
            "make build SHELL=/tmp/x",
            "make build deploy",
            "make build -C conf",
            "make build --eval=x",
            "npm test -- --config=x",
            "npm test --script-shell=id",
            "npm exec id",
            "npm run evil",
            "just -f x.mk",
        ],
    ),
    (
        "always shell:cargo test *; always shell:cargo *; always shell:go *; always shell:go test *",
        &[
            "cargo test --config build.rustc-wrapper='id'",
            "cargo test --config=x.toml",
            "cargo test --manifest-path ../x/Cargo.toml",
            "cargo test --target-dir /tmp/x",
            "cargo test --target x.json",
            "cargo +evil test",
            "cargo test -Zunstable-options",
            "cargo -C conf test",
            "cargo test -- --logfile x",
            "cargo run",
            "cargo evil",
            "cargo clippy --fix",
            "cargo install --path .",
            "RUSTC_WRAPPER=id cargo test",
            "cargo test 2>&1",
            "go test -exec id ./...",
            "go test --exec=id ./...",
            "go test -toolexec=id ./...",
            "go test -c -o x",
            "go generate",
            "go vet -vettool=x",
        ],
    ),
    (
        "always shell:cat *; always shell:grep *; always shell:rg *; always shell:find *; \
         always shell:ls *; always shell:head *; always shell:echo *; always shell:diff *; \
         always shell:sort *",
        &[
            "cat /etc/passwd",
            "cat ../other/file",
            "cat out/file",
            "cat ~/.bashrc",
            "cat conf/.env",
            "cat settings.txt",
            "cat conf/id_rsa",
            "cat repo/../conf/server.pem",
            "cat /proc/self/environ",
            "cat notes.txt > src/main.rs",
            "cat $HOME/x",
            "cat conf/*",
            "cat conf/{.env,x}",
            "cat conf/.e''nv",
            "cat conf/\\.env",
            "grep -r text .",
            "grep -r text conf",
            "grep -R text src",
            "grep -f /etc/passwd x",
            "grep -e x /etc/passwd",
            "rg --pre id x",
            "rg --pre=id x",
            "rg -z x",
            "rg --hostname-bin=id x",
            "rg -f /etc/passwd",
            "rg --hidden text conf",
            "rg -L text out",
            "find . -exec id",
            "find . -name x -exec id {} +",
            "find . -delete",
            "find -- . -exec id ';'",
            "find . -name x -exec id ';'",
            "find -L out -name x",
            "rg text -g '.env*'",
            "rg text -g.env",
            "rg text --glob='*.pem'",
            "diff --color /etc/passwd notes.txt",
            "cut -d x -f 1 /etc/passwd",
            "wc --files0-from=/etc/passwd",
            "find . -fprint x",
            "find / -name x",
            "ls ~",
            "ls out",
            "head -c 100 /dev/sda",
            "echo x > .bashrc",
            "echo \"$SECRET\"",
            "echo x >> src/main.rs",
            "diff notes.txt /etc/passwd",
            "diff conf src",
            "sort -o src/main.rs notes.txt",
            "sort --compress-program=id notes.txt",
        ],
    ),
    (
        "config shell:*; config shell:**; config shell:cargo *; config shell:git *; \
         config shell:timeout *; config shell:sudo *; config shell:make *; config shell:npm *; \
         config shell:python3 *; config shell:env *; config shell:xargs *; config shell:sh *",
        &[
            "cargo build; id",
            "cargo build && id",
            "cargo build $(id)",
            "cargo build\nid",
            "cargo build > x",
            "cargo build $IFS--config=x",
            "cargo test --config x",
            "git -c core.pager=id log",
            "git grep -Oid x",
            "git fetch --upload-pack=id",
            "git rebase --exec id",
            "git diff --output=x",
            "sudo id",
            "sudo -u root id",
            "env A=b id",
            "env -S id",
            "xargs id",
            "sh -c id",
            "sh x.mk",
            "bash -c id",
            "/bin/sh -c id",
            "timeout 5 id",
            "timeout -s 9 5 id",
            "nice id",
            "nohup id",
            "time id",
            "exec id",
            "eval id",
            "python3 -c id",
            "python3 x.py",
            "perl -e id",
            "node --eval id",
            "make -f x.mk",
            "make CC=id",
            "npm run evil",
            "npm exec id",
            "npx evil",
            "ssh host id",
            "docker run x",
            "find . -exec id",
            "tar -xf x --to-command=id",
            "rsync -e id a b",
            "awk x",
            "sed -i x y",
            "tee src/main.rs",
            "A=b id",
            "less x",
            "vim x",
            "watch id",
        ],
    ),
];

#[test]
fn no_trick_gets_through_a_rule() {
    let t = project();
    let mut count = 0;
    for (rule, commands) in TRICKS {
        for command in *commands {
            assert!(!runs(&t, rule, command), "{rule} let through: {command}");
            count += 1;
        }
    }
    assert!(count >= 75, "{count}");
}

#[test]
fn the_question_about_a_trick_suggests_nothing_but_that_trick() {
    let t = project();
    let shell = ToolSet::builtin(std::time::Duration::from_secs(1))
        .get("shell")
        .unwrap();
    for command in TRICKS.iter().flat_map(|(_, commands)| *commands) {
        let plan = t
            .plan(shell.as_ref(), json!({ "command": command }))
            .unwrap();
        assert!(!has_wildcard(&plan.pattern), "{command}: {}", plan.pattern);
        let rule = format!("always shell:{}", plan.pattern);
        // A semicolon parts the rules of this test.
        if !command.contains(';') {
            assert!(runs(&t, &rule, command), "what was asked for: {command}");
        }
    }
}

#[test]
fn harmless_commands_go_through_once_their_like_was_allowed() {
    let t = project();
    // Each with one that is answered with "always" before it.
    let pairs = [
        ("git status", "git status --short"),
        ("git status", "git status -sb src"),
        ("git status -s", "git status --porcelain=v2"),
        ("git diff", "git diff --stat HEAD~2..HEAD -- src/main.rs"),
        ("git diff --cached", "git diff main...feature --name-only"),
        ("git log", "git log --oneline -20 --graph --all"),
        ("git log -1", "git log -p -n 3 --since='2 weeks ago' src"),
        ("git log -1", "git log --format='%h %s' origin/main..HEAD"),
        ("git show", "git show HEAD~1 --stat"),
        ("git show HEAD", "git show main:src/lib.rs"),
        ("git branch", "git branch -a"),
        ("git branch -vv", "git branch --show-current"),
        ("git ls-files", "git ls-files -m src"),
        ("git grep a", "git grep -n 'fn main' src"),
        ("git grep a", "git grep -nE 'a|b' -- src/lib.rs"),
        ("git blame src/lib.rs", "git blame -L 1,20 src/main.rs"),
        ("git rev-parse HEAD", "git rev-parse --abbrev-ref HEAD"),
        ("git merge-base main x", "git merge-base origin/main HEAD"),
        ("git add notes.txt", "git add src/main.rs src/lib.rs"),
        ("git add notes.txt", "git add -A"),
        ("git --no-pager log", "git --no-pager log -5"),
        ("cargo build", "cargo build --release -p auth"),
        ("cargo check", "cargo check --all-targets --all-features"),
        ("cargo test", "cargo test -q parser::tests"),
        (
            "cargo test",
            "cargo test --lib -- --nocapture --test-threads=1",
        ),
        ("cargo clippy", "cargo clippy --all-targets -- -D warnings"),
        ("cargo fmt", "cargo fmt --all --check"),
        ("cargo tree", "cargo tree -i serde --depth 2"),
        ("go test ./...", "go test -run TestX -count=1 ./pkg/..."),
        ("go vet ./...", "go vet ./cmd"),
        ("pytest", "pytest -q -x tests -k 'a and b'"),
        ("ls", "ls -la src"),
        ("ls", "ls -R docs tests"),
        ("cat notes.txt", "cat -n src/main.rs docs/b.md"),
        ("cat notes.txt", "cat conf/.env.example"),
        ("cat notes.txt", "cat conf/id_rsa.pub"),
        ("head notes.txt", "head -20 src/lib.rs"),
        ("head notes.txt", "head -n 5 src/lib.rs"),
        ("tail notes.txt", "tail -n +3 src/lib.rs"),
        ("wc -l notes.txt", "wc -lc src/main.rs src/lib.rs"),
        ("grep a notes.txt", "grep -n 'x|y' src/main.rs"),
        (
            "grep a notes.txt",
            "grep -rn --include='*.rs' text src tests",
        ),
        ("rg a src", "rg -n -A3 'fn \\w' src"),
        ("rg a src", "rg -tC text docs -g '*.md'"),
        (
            "find . -name a",
            "find src -type f -name '*.rs' -maxdepth 3",
        ),
        ("diff notes.txt x.mk", "diff -u src/main.rs src/lib.rs"),
        ("echo a", "echo 'all is well; truly' done"),
        ("pwd", "pwd -P"),
        ("du src", "du -sh src"),
        ("which cargo", "which git"),
    ];
    assert!(pairs.len() >= 40);
    let shell = ToolSet::builtin(std::time::Duration::from_secs(1))
        .get("shell")
        .unwrap();
    for (first, next) in pairs {
        let plan = t.plan(shell.as_ref(), json!({ "command": first })).unwrap();
        assert!(plan.cautions.is_empty(), "{:?}", plan.cautions);
        let rule = format!("always shell:{}", plan.pattern);
        assert!(runs(&t, &rule, first), "{rule} stops: {first}");
        assert!(runs(&t, &rule, next), "{rule} stops: {next}");
        assert!(!runs(&t, "", next), "nothing was allowed: {next}");
    }
}

#[test]
fn wide_patterns_that_the_user_wrote_into_the_settings_hold() {
    let t = project();
    for (rule, command) in [
        ("config shell:git *", "git push origin main"),
        ("config shell:git *", "git commit -m 'a b'"),
        ("config shell:git push *", "git push -u origin main"),
        ("config shell:cargo *", "cargo run --bin a"),
        ("config shell:cargo test *", "cargo test --target x"),
        ("config shell:npm run lint *", "npm run lint -- --fix"),
        ("config shell:npm run *", "npm run"),
        ("config shell:make -j8 build *", "make -j8 build"),
        ("config shell:make -f x.mk *", "make -f x.mk"),
        (
            "config shell:timeout 60 cargo test *",
            "timeout 60 cargo test -q",
        ),
        ("config shell:sudo systemctl *", "sudo systemctl status"),
        (
            "config shell:python3 manage.py *",
            "python3 manage.py migrate",
        ),
        ("config shell:./run.sh *", "./run.sh --fast all"),
        ("config shell:*", "uptime"),
        ("config shell:cp *", "cp a b"),
        ("session shell:./run.sh *", "./run.sh --fast all"),
    ] {
        assert!(runs(&t, rule, command), "{rule} stops: {command}");
    }
}

#[test]
fn files_that_other_programs_load_are_not_written_unasked_in_edits_mode() {
    let t = project();
    let asks = |path: &str| {
        let arguments = json!({"path": path, "content": "x"});
        verdict(
            &t,
            ApprovalMode::Edits,
            "session write:**",
            "write",
            arguments,
        )
    };
    let absolute = t.path("sub/.vscode/tasks.json");
    for path in [
        ".bashrc",
        "sub/.profile",
        ".ZSHENV",
        ".bashrc.",
        ".ssh/authorized_keys",
        ".gitconfig",
        ".git/hooks/post-commit",
        "repo/hooks/post-commit",
        "src/../.git/config",
        ".zshrc",
        ".vscode/tasks.json",
        ".idea/x.xml",
        ".envrc",
        ".husky/pre-commit",
        ".claude/settings.json",
        ".mcp.json",
        ".npmrc",
        ".pre-commit-config.yaml",
        "deep/HEAD",
        "x/./y/../.cursor/mcp.json",
        "conf/.env",
        absolute.to_str().unwrap(),
        "out/new",
        "../x",
        "~/.bashrc",
        "/etc/x",
        "package.json",
        "Makefile",
        "build.rs",
        ".github/workflows/ci.yml",
        ".git/hooks/pre-commit",
        ".envrc",
        ".vscode/tasks.json",
        ".plimsoll/config.toml",
    ] {
        assert_eq!(asks(path), '?', "{path}");
    }
    for path in [
        "src/new.rs",
        "Dockerfile",
        "deep/.env.example",
        "deep/config",
        "docs/bash.md",
    ] {
        assert_eq!(asks(path), '+', "{path}");
    }
}

#[test]
fn a_repository_made_of_plain_files_runs_nothing_unasked() {
    let t = project();
    let mut inner = project();
    inner.scope.cwd = inner.path("src");
    inner.scope.repository = KnownRepository::around(&inner.scope.cwd).into();
    let rule = "always shell:git status *; always shell:git status; config shell:git *";
    assert!(runs(&inner, rule, "git status"));
    for file in ["objects/a", "refs/a", "config"] {
        let arguments = json!({"path": file, "content": "[core]\nfsmonitor = id\n"});
        let free = verdict(&inner, ApprovalMode::Edits, "", "write", arguments);
        assert_eq!(free, '+', "{file} alone makes no repository");
        inner.write(file, "x");
    }
    let arguments = json!({"path": "HEAD", "content": "ref: refs/heads/x\n"});
    assert_eq!(
        verdict(&inner, ApprovalMode::Edits, "", "write", arguments),
        '?'
    );
    // By a command, say.
    inner.write("HEAD", "ref: refs/heads/x\n");
    for command in ["git status", "git log -1", "timeout 5 git status"] {
        assert!(!runs(&inner, rule, command), "{command}");
    }
    let arguments = json!({"path": "config", "content": "x"});
    assert_eq!(
        verdict(&inner, ApprovalMode::Edits, "", "write", arguments),
        '?'
    );
    assert!(
        runs(&t, rule, "git status"),
        "elsewhere nothing has changed"
    );
}

#[test]
fn secrets_in_the_project_ask_before_they_are_read() {
    let t = project();
    let read = |mode, path: &str| verdict(&t, mode, "", "read", json!({ "path": path }));
    for path in [
        "conf/.env",
        "settings.txt",
        "conf/id_rsa",
        "conf/server.pem",
        "conf/.aws/credentials",
    ] {
        for mode in [
            ApprovalMode::Ask,
            ApprovalMode::Edits,
            ApprovalMode::ReadOnly,
        ] {
            assert_eq!(read(mode, path), '?', "{path}");
        }
        assert_eq!(read(ApprovalMode::All, path), '+', "{path}");
        let search = json!({"pattern": "x", "path": path});
        assert_eq!(verdict(&t, ApprovalMode::Edits, "", "search", search), '?');
    }
    for path in [
        "conf/.env.example",
        "conf/id_rsa.pub",
        "src/main.rs",
        "conf",
    ] {
        assert_eq!(read(ApprovalMode::Ask, path), '+', "{path}");
    }
}

#[test]
fn own_files_and_the_running_system_are_refused_in_every_mode() {
    let t = project();
    let own = t.root().join("own");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("credentials.toml"), "key").unwrap();
    symlink(&own, t.path("theirs")).unwrap();
    let own = own.display().to_string();
    let key = format!("{own}/credentials.toml");
    for path in [
        own.as_str(),
        key.as_str(),
        "theirs",
        "theirs/credentials.toml",
        "../own/new",
        "/proc/self/environ",
        "/proc/1/environ",
        "/sys/kernel",
        "/dev/null",
    ] {
        for mode in ALL_MODES {
            let calls = [
                ("read", json!({ "path": path })),
                ("list", json!({ "path": path })),
                ("search", json!({"pattern": "x", "path": path})),
                ("write", json!({"path": path, "content": "x"})),
                (
                    "edit",
                    json!({"path": path, "old_text": "a", "new_text": "b"}),
                ),
            ];
            for (tool, arguments) in calls {
                assert_eq!(verdict(&t, mode, "", tool, arguments), '-', "{tool} {path}");
            }
        }
    }
}
