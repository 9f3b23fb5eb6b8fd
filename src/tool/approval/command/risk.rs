//! The words of a command that no wildcard stands for, whoever wrote it: programs inside
//! programs, options that run, load or write something elsewhere, variables and scripts.
//!
//! A pattern that names such a word is taken at it: `shell:timeout 60 cargo test *` allows
//! what it says, `shell:timeout *` allows nothing.

/// Programs that run the one after them, which is named as well.
const SEE_THROUGH: [&str; 8] = [
    "doas", "env", "nice", "nohup", "setsid", "sudo", "time", "timeout",
];

/// Programs that run, in ways of their own, what is among their words: all words are named.
const OPAQUE: &[&str] = &[
    ".",
    "!",
    "ansible",
    "awk",
    "bash",
    "bunx",
    "busybox",
    "bwrap",
    "case",
    "chroot",
    "command",
    "builtin",
    "direnv",
    "docker",
    "ed",
    "emacs",
    "entr",
    "eval",
    "exec",
    "expect",
    "firejail",
    "fish",
    "flock",
    "for",
    "gawk",
    "gdb",
    "hyperfine",
    "if",
    "ionice",
    "kubectl",
    "ksh",
    "less",
    "ltrace",
    "man",
    "mawk",
    "mise",
    "more",
    "nano",
    "npx",
    "nsenter",
    "nvim",
    "osascript",
    "parallel",
    "perf",
    "pipx",
    "pkexec",
    "pnpx",
    "podman",
    "runuser",
    "screen",
    "script",
    "sed",
    "sh",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "systemd-run",
    "taskset",
    "tee",
    "tmux",
    "trap",
    "unshare",
    "until",
    "uvx",
    "vi",
    "view",
    "vim",
    "watch",
    "while",
    "xargs",
    "zsh",
    "dash",
];

/// Programs whose first operand is a script: it is named, and the options before it.
const INTERPRETERS: [&str; 14] = [
    "Rscript", "bun", "deno", "java", "julia", "lua", "node", "perl", "php", "pypy", "python",
    "ruby", "tclsh", "ts-node",
];

/// Programs whose operands are targets of a file in the project.
const TARGET_RUNNERS: [&str; 6] = ["gmake", "gradle", "just", "make", "mvn", "task"];

/// Programs whose first word may be a script of the project, or runs one.
const PACKAGE_RUNNERS: [&str; 4] = ["bun", "npm", "pnpm", "yarn"];

/// First words of those that run no script of the project.
const PACKAGE_WORDS: [&str; 12] = [
    "audit", "help", "info", "list", "ls", "outdated", "search", "show", "version", "view", "why",
    "licenses",
];

/// Long options that name a program, a configuration or a place to write to, of any program.
/// An abbreviation counts as well, as git and GNU programs take them.
const LONG_OPTIONS: &[&str] = &[
    "checkpoint-action",
    "chdir",
    "compress-program",
    "config",
    "config-env",
    "cwd",
    "directory",
    "eval",
    "exec",
    "exec-batch",
    "exec-path",
    "ext-diff",
    "extcmd",
    "file",
    "git-dir",
    "hostname-bin",
    "include-dir",
    "info-script",
    "init-script",
    "justfile",
    "makefile",
    "manifest-path",
    "node-options",
    "open-files-in-pager",
    "output",
    "output-directory",
    "paginate",
    "pre",
    "prefix",
    "receive-pack",
    "rmt-command",
    "rsh",
    "script-shell",
    "shell",
    "template",
    "textconv",
    "to-command",
    "upload-pack",
    "work-tree",
];

/// Options of single programs: words that count as they are, and letters that count wherever
/// they are in a cluster.
const SHORT_OPTIONS: &[(&str, &[&str], &str)] = &[
    (
        "cargo",
        &[
            "-C",
            "-Z",
            "--artifact-dir",
            "--fix",
            "--out-dir",
            "--path",
            "--target-dir",
            "install",
        ],
        "",
    ),
    ("curl", &[], "oOKTx"),
    ("fd", &[], "xX"),
    (
        "find",
        &[
            "-delete", "-exec", "-execdir", "-fls", "-fprint", "-fprint0", "-fprintf", "-ok",
            "-okdir",
        ],
        "",
    ),
    (
        "git",
        &[
            "archive",
            "bisect",
            "bundle",
            "clone",
            "config",
            "credential",
            "daemon",
            "difftool",
            "fast-import",
            "filter-branch",
            "foreach",
            "gc",
            "help",
            "hook",
            "init",
            "instaweb",
            "maintenance",
            "mergetool",
            "p4",
            "rebase",
            "receive-pack",
            "remote-ext",
            "send-email",
            "shell",
            "submodule",
            "svn",
            "upload-pack",
            "web--browse",
            "worktree",
        ],
        "Oo",
    ),
    (
        "go",
        &[
            "-C",
            "-exec",
            "-ldflags",
            "-modfile",
            "-o",
            "-overlay",
            "-toolexec",
            "-vettool",
            "env",
            "generate",
            "get",
            "install",
            "run",
            "tool",
        ],
        "",
    ),
    ("gradle", &[], "bcIp"),
    ("gmake", &["-E"], "fCI"),
    ("just", &[], "cfd"),
    ("make", &["-E"], "fCI"),
    ("mvn", &[], "fs"),
    ("rg", &[], "z"),
    ("rsync", &[], "e"),
    ("sort", &[], "oT"),
    ("tar", &[], "IFC"),
    ("wget", &[], "eioOP"),
];

/// The words of a plain command that a pattern has to name.
pub(super) fn risks(words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = words;
    loop {
        while let Some((word, after)) = rest.split_first()
            && is_assignment(word)
        {
            found.push(word.clone());
            rest = after;
        }
        let Some((program, arguments)) = rest.split_first() else {
            return found;
        };
        let name = base_name(program);
        let limits = arguments.iter().take_while(|it| is_limit(it)).count();
        let (limits, inner) = arguments.split_at(limits);
        let has_options = inner.first().is_some_and(|it| it.starts_with('-'));
        if SEE_THROUGH.contains(&name) && !has_options {
            found.push(program.clone());
            found.extend_from_slice(limits);
            // The program inside has to be named, whichever it is.
            found.extend(inner.iter().find(|it| !is_assignment(it)).cloned());
            rest = inner;
        } else {
            if SEE_THROUGH.contains(&name) || OPAQUE.contains(&name) {
                found.extend_from_slice(rest);
            } else {
                found.extend(of_program(name, arguments));
            }
            return found;
        }
    }
}

fn of_program(name: &str, arguments: &[String]) -> Vec<String> {
    let mut found: Vec<String> = arguments
        .iter()
        .filter(|word| is_risky_long(word) || is_risky_short(name, word))
        .cloned()
        .collect();
    let is_interpreter = INTERPRETERS.iter().any(|it| {
        name.strip_prefix(it)
            .is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
    });
    if is_interpreter {
        let options = arguments
            .iter()
            .take_while(|it| it.starts_with('-'))
            .count();
        found.extend(arguments.iter().take(options + 1).cloned());
    }
    if TARGET_RUNNERS.contains(&name) {
        let targets = arguments.iter().filter(|it| !it.starts_with('-'));
        found.extend(targets.cloned());
    }
    if PACKAGE_RUNNERS.contains(&name) {
        found.extend(package_script(arguments));
    }
    if name == "git" {
        // Before the subcommand they change which repository and configuration it is.
        let global = arguments.iter().take_while(|it| it.starts_with('-'));
        found.extend(global.filter(|it| *it != "--no-pager").cloned());
    }
    if name == "cargo" {
        found.extend(arguments.iter().filter(|it| it.starts_with('+')).cloned());
        let targets = arguments.iter().filter(|it| is_target_file(it));
        found.extend(targets.cloned());
    }
    found
}

/// The words of `npm run build`, `npm test` or `yarn build` that say what runs.
fn package_script(arguments: &[String]) -> Vec<String> {
    let mut words = arguments.iter().filter(|it| !it.starts_with('-'));
    match words.next() {
        Some(first) if PACKAGE_WORDS.contains(&first.as_str()) => Vec::new(),
        // What `exec` runs takes any of the words.
        Some(first) if matches!(first.as_str(), "exec" | "x" | "dlx" | "create" | "init") => {
            arguments.to_vec()
        }
        Some(first) if matches!(first.as_str(), "run" | "run-script") => {
            [Some(first), words.next()]
                .into_iter()
                .flatten()
                .cloned()
                .collect()
        }
        Some(first) => vec![first.clone()],
        None => Vec::new(),
    }
}

fn is_risky_long(word: &str) -> bool {
    let Some(name) = word.strip_prefix("--") else {
        return false;
    };
    let name = name.split('=').next().unwrap_or(name);
    !name.is_empty() && LONG_OPTIONS.iter().any(|option| option.starts_with(name))
}

fn is_risky_short(program: &str, word: &str) -> bool {
    let Some((_, words, letters)) = SHORT_OPTIONS.iter().find(|(name, ..)| *name == program) else {
        return false;
    };
    let bare = word.split('=').next().unwrap_or(word);
    // Go takes its options with two hyphens as well.
    let single = bare.strip_prefix('-').filter(|it| it.starts_with('-'));
    let is_cluster = word.starts_with('-') && !word.starts_with("--");
    words.contains(&bare)
        || single.is_some_and(|it| words.contains(&it))
        || (is_cluster && word.chars().any(|letter| letters.contains(letter)))
}

/// A target that is a file may name any linker.
fn is_target_file(word: &str) -> bool {
    word.rsplit_once('.')
        .is_some_and(|(_, suffix)| suffix.eq_ignore_ascii_case("json"))
}

/// `NAME=value`, before a program.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

/// `60`, `1.5m`: how long or how nicely.
fn is_limit(word: &str) -> bool {
    let number = word.trim_end_matches(['s', 'm', 'h', 'd']);
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_in_programs_options_variables_and_scripts_are_named() {
        let check = |command: &str, expected: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(risks(&words).join(" "), expected, "{command}");
        };
        check("cargo build -p auth --target x", "");
        check("git status --short", "");
        check("timeout 60 cargo test -q", "timeout 60 cargo");
        check(
            "sudo env A=1 nice make x",
            "sudo env env nice A=1 nice make x",
        );
        check("sudo -u root rm x", "sudo -u root rm x");
        check("A=1 B=2 ls", "A=1 B=2");
        check("xargs rm", "xargs rm");
        check("/bin/sh x.sh", "/bin/sh x.sh");
        check("python3 a.py -c x", "a.py");
        check("python3.12 -c x y", "-c x");
        check("git grep --open-files=x y", "--open-files=x");
        check("git -c a=b status", "-c");
        check("git fetch --upl=x", "--upl=x");
        check("git log --pretty=x", "");
        check("git grep -nOx y", "-nOx");
        check("make -j8 build", "build");
        check("make -fx", "-fx");
        check("make CC=x", "CC=x");
        check("npm run lint -- --fix", "run lint");
        check("npm outdated", "");
        check("yarn build", "build");
        check("go test -exec=x ./...", "-exec=x");
        check("go test --exec x", "--exec");
        check("cargo +nightly test --config=a", "--config=a +nightly");
        check("./run.sh --fast", "");
    }
}
