//! The reviewed commands: programs, with the options that may vary once the user said
//! "always". What is not listed asks. When you add a row or an option, show that no value of
//! it runs a program, loads a configuration, writes outside the build folder, waits for
//! ever or follows links out of the folder.
//!
//! Builds and tests (`cargo test`, `go test`, `pytest`) run the project's own code; who
//! always allows them allows that. Scripts (`make`, `npm run`) are not here: what they run is
//! a text in a file, so each is allowed by its own name alone.

/// The rule for words that are not options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandRule {
    None,
    /// Any: they are text.
    Text,
    /// Files that the program shows or takes as source.
    Files,
    /// Names of tests or packages, without a file's meaning.
    Names,
    /// A pattern, then files; only files when an option gives the pattern.
    PatternThenFiles,
    /// Revisions, and files of the repository.
    Revisions,
    /// A pattern, then revisions and files.
    PatternThenRevisions,
}

/// How a program reads words that begin with one hyphen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HyphenStyle {
    /// `-ab` is `-a -b`.
    Clusters,
    /// `-name` is one option.
    Words,
}

/// One reviewed command. Lists are words with blanks between them.
#[derive(Clone, Copy)]
pub(super) struct ReviewedCommand {
    /// The words that name it.
    pub(super) name: &'static str,
    /// Options without a value. `-#` stands for a number after a hyphen.
    pub(super) flags: &'static str,
    /// Options with a value.
    pub(super) valued: &'static str,
    /// The rule for the other words.
    pub(super) operands: OperandRule,
    /// How hyphens are read.
    pub(super) hyphens: HyphenStyle,
    /// Options allowed after `--` for a program that passes it on: flags and options with a value.
    pub(super) passed_on: Option<(&'static str, &'static str)>,
}

const fn command(
    name: &'static str,
    operands: OperandRule,
    flags: &'static str,
    valued: &'static str,
) -> ReviewedCommand {
    ReviewedCommand {
        name,
        flags,
        valued,
        operands,
        hyphens: HyphenStyle::Clusters,
        passed_on: None,
    }
}

const fn with_words(command: ReviewedCommand) -> ReviewedCommand {
    ReviewedCommand {
        hyphens: HyphenStyle::Words,
        ..command
    }
}

const fn passing_on(
    command: ReviewedCommand,
    flags: &'static str,
    valued: &'static str,
) -> ReviewedCommand {
    ReviewedCommand {
        passed_on: Some((flags, valued)),
        ..command
    }
}

/// Options with which a search gets its pattern, so that the first operand is a file.
pub(super) const PATTERN_OPTIONS: [&str; 2] = ["-e", "--regexp"];

const CARGO_FLAGS: &str = "-q --quiet -v -vv --verbose -r --release --all --workspace --all-targets \
     --all-features --no-default-features --lib --bins --tests --examples --benches --doc \
     --no-run --no-fail-fast --keep-going --locked --offline --frozen --no-deps \
     --ignore-rust-version";
const CARGO_VALUED: &str = "-p --package --exclude -F --features -j --jobs --bin --test --example --bench \
     --profile --message-format --color";
const HARNESS_FLAGS: &str = "--nocapture --no-capture --exact --ignored --include-ignored --show-output --list -q \
     --quiet";
const HARNESS_VALUED: &str = "--skip --test-threads --color";
const LINT_LEVELS: &str = "-D -W -A -F";

const GREP_FLAGS: &str = "-n -i -v -w -x -l -L -c -o -h -H -s -q -r -E -F -G -P -I -a --line-number \
     --ignore-case --invert-match --word-regexp --files-with-matches \
     --files-without-match --count --only-matching --no-filename --with-filename \
     --recursive --extended-regexp --fixed-strings --perl-regexp --color --color=never \
     --no-messages";
const GREP_VALUED: &str = "-e --regexp -A -B -C -m --after-context --before-context --context --max-count \
     --include --exclude --exclude-dir";
const RG_FLAGS: &str = "-n -N -i -S -s -w -x -l -c -o -v -F -P -U -H -I -q -p --line-number --no-line-number \
     --ignore-case --smart-case --case-sensitive --word-regexp --files-with-matches \
     --files-without-match --count --count-matches --only-matching --invert-match \
     --fixed-strings --pcre2 --multiline --files --json --stats --heading --no-heading \
     --column --vimgrep --trim --no-filename --with-filename --hidden --no-ignore \
     --no-config";
const RG_VALUED: &str = "-e --regexp -g --glob --iglob -t --type -T --type-not -A -B -C --after-context \
     --before-context --context -m --max-count -d --max-depth --sort --sortr -M \
     --max-columns --color";

const DIFF_FLAGS: &str = "--stat --numstat --shortstat --dirstat --name-only --name-status --summary --cached \
     --staged -w -b -p -u --patch -s --no-patch -M -R -W -a -z --word-diff --color-words \
     --no-color --color=never --check --raw --minimal --patience --histogram \
     --no-ext-diff --no-textconv --exit-code --quiet --merge-base --ignore-all-space \
     --ignore-space-change --ignore-blank-lines --function-context --full-index \
     --find-renames --no-renames --relative";
const DIFF_VALUED: &str = "-U --unified --diff-filter -S -G --word-diff-regex --inter-hunk-context \
     --diff-algorithm --abbrev";
const LOG_FLAGS: &str = "-# --oneline --graph --all --branches --tags --remotes --decorate --no-decorate \
     --stat --numstat --shortstat --name-only --name-status --summary -p -u --patch -s \
     --no-patch --no-merges --merges --first-parent --reverse --follow --abbrev-commit \
     --no-abbrev-commit --no-color --color=never --left-right --cherry-pick --cherry-mark \
     --topo-order --date-order --full-history -i -E -F -w -b -m -M --no-ext-diff \
     --no-textconv --relative-date --no-renames";
const LOG_VALUED: &str = "-n --max-count --skip --since --until --after --before --author --committer --grep \
     --format --pretty --date -S -G -U --unified --diff-filter --decorate-refs --exclude \
     --abbrev";

/// All of them. Names are unique.
pub(super) const REVIEWED_COMMANDS: &[ReviewedCommand] = &[
    // Looking at files. Follows neither `-f` of tail nor links met on the way.
    command(
        "ls",
        OperandRule::Files,
        "-a -A -l -h -1 -t -r -S -R -d -F -p -i -n -s -X -v -g -o --all --almost-all \
         --human-readable --recursive --color=never --group-directories-first",
        "--time-style --sort",
    ),
    command("cat", OperandRule::Files, "-n -b -s -A -e -t -v -E -T", ""),
    command(
        "head",
        OperandRule::Files,
        "-# -q -v",
        "-n -c --lines --bytes",
    ),
    command(
        "tail",
        OperandRule::Files,
        "-# -q -v",
        "-n -c --lines --bytes",
    ),
    command(
        "wc",
        OperandRule::Files,
        "-l -w -c -m -L --lines --words",
        "",
    ),
    command("nl", OperandRule::Files, "", "-b -w"),
    command("stat", OperandRule::Files, "-t", "-c --format"),
    command("file", OperandRule::Files, "-b -i --brief --mime-type", ""),
    command(
        "du",
        OperandRule::Files,
        "-s -h -a -c -k -m",
        "-d --max-depth",
    ),
    command("cmp", OperandRule::Files, "-s -l -b", ""),
    command(
        "diff",
        OperandRule::Files,
        "-u -q -w -b -i -B -y -s -a --brief --unified",
        "-U --label --color",
    ),
    command(
        "cut",
        OperandRule::Files,
        "-s",
        "-d -f -c -b --delimiter --fields",
    ),
    command(
        "grep",
        OperandRule::PatternThenFiles,
        GREP_FLAGS,
        GREP_VALUED,
    ),
    // Not `--pre`, `--hostname-bin`, `-z` (they run programs), `-f`, `--ignore-file` (they
    // read any file) and `-L` (it leaves the folder).
    command("rg", OperandRule::PatternThenFiles, RG_FLAGS, RG_VALUED),
    with_words(command(
        "find",
        OperandRule::Files,
        "-print -print0 -not -o -a -or -and -empty -prune",
        "-name -iname -path -ipath -type -maxdepth -mindepth -size -mtime -mmin -regex",
    )),
    // Words and the machine.
    command("echo", OperandRule::Text, "-n -e", ""),
    command("pwd", OperandRule::None, "-P -L", ""),
    command("which", OperandRule::Text, "-a", ""),
    command("basename", OperandRule::Text, "", ""),
    command("dirname", OperandRule::Text, "", ""),
    command("uname", OperandRule::None, "-a -s -r -m -n", ""),
    command("sleep", OperandRule::Text, "", ""),
    // Repositories: looking, and taking files into the index. Not `--output`, `--no-index`,
    // `--ext-diff`, `--textconv`, `-O`, nor what git itself shortens them to.
    command(
        "git status",
        OperandRule::Files,
        "-s -b -v -z --short --branch --porcelain --long --show-stash --ignored -uno -unormal \
         -uall",
        "--porcelain --untracked-files --ignore-submodules",
    ),
    command("git diff", OperandRule::Revisions, DIFF_FLAGS, DIFF_VALUED),
    command("git log", OperandRule::Revisions, LOG_FLAGS, LOG_VALUED),
    command("git show", OperandRule::Revisions, LOG_FLAGS, LOG_VALUED),
    command(
        "git branch",
        OperandRule::None,
        "-a -r -v -vv -l --list --all --remotes --show-current",
        "--sort --format",
    ),
    command(
        "git ls-files",
        OperandRule::Files,
        "-m -o -d -s -c -u -z --modified --others --deleted --stage --cached \
         --exclude-standard --full-name",
        "",
    ),
    command(
        "git grep",
        OperandRule::PatternThenRevisions,
        "-n -i -l -L -w -v -c -o -h -H -E -F -G -P -I -p -W -q --cached --line-number \
         --ignore-case --count --word-regexp --files-with-matches --name-only --only-matching \
         --heading --break --show-function --extended-regexp --fixed-strings --no-color \
         --no-textconv",
        "-e -A -B -C -m --max-count --max-depth",
    ),
    command(
        "git blame",
        OperandRule::Revisions,
        "-w -s -e -l -M -C --porcelain --line-porcelain --show-email",
        "-L --date",
    ),
    command(
        "git rev-parse",
        OperandRule::Revisions,
        "--show-toplevel --abbrev-ref --short --verify --is-inside-work-tree --show-prefix -q",
        "",
    ),
    command(
        "git merge-base",
        OperandRule::Revisions,
        "--is-ancestor -a --all",
        "",
    ),
    command(
        "git describe",
        OperandRule::Revisions,
        "--tags --always --dirty --long --all",
        "--abbrev --match",
    ),
    command("git stash list", OperandRule::None, "--oneline", ""),
    command(
        "git add",
        OperandRule::Files,
        "-A -u -n -v -N --all --update --dry-run --verbose",
        "",
    ),
    // Builds, checks and tests of the project. Not `--config`, `--manifest-path`,
    // `--target-dir`, `--fix`, `-Z`, nor another toolchain.
    command("cargo build", OperandRule::None, CARGO_FLAGS, CARGO_VALUED),
    command("cargo check", OperandRule::None, CARGO_FLAGS, CARGO_VALUED),
    passing_on(
        command("cargo test", OperandRule::Names, CARGO_FLAGS, CARGO_VALUED),
        HARNESS_FLAGS,
        HARNESS_VALUED,
    ),
    passing_on(
        command("cargo clippy", OperandRule::None, CARGO_FLAGS, CARGO_VALUED),
        "",
        LINT_LEVELS,
    ),
    command("cargo doc", OperandRule::None, CARGO_FLAGS, CARGO_VALUED),
    command("cargo fmt", OperandRule::None, "--all --check -v -q", "-p"),
    command(
        "cargo tree",
        OperandRule::None,
        "-d --duplicates --all-features --workspace --offline --locked",
        "-p -i --invert --depth -e --edges --prefix -F --features",
    ),
    with_words(command(
        "go test",
        OperandRule::Files,
        "-v -race -short -cover -failfast -json -a",
        "-run -skip -count -timeout -bench -p -parallel -cpu -tags",
    )),
    with_words(command(
        "go build",
        OperandRule::Files,
        "-v -race -a -n -x",
        "-p -tags",
    )),
    with_words(command(
        "go vet",
        OperandRule::Files,
        "-v -json",
        "-tags -p",
    )),
    command(
        "pytest",
        OperandRule::Files,
        "-q -v -vv -x -s -l --lf --ff --sw --quiet --verbose --exitfirst --last-failed \
         --failed-first --collect-only",
        "-k -m --tb --maxfail --durations",
    ),
];

/// Names of those that only look, at files that are theirs to see: they run unasked. Not `echo`
/// and `sleep`, which look at nothing, nor what builds, tests or changes an index.
pub(super) const READERS: &[&str] = &[
    "ls",
    "cat",
    "head",
    "tail",
    "wc",
    "nl",
    "stat",
    "file",
    "du",
    "cmp",
    "diff",
    "cut",
    "grep",
    "rg",
    "find",
    "pwd",
    "which",
    "basename",
    "dirname",
    "uname",
    "git status",
    "git diff",
    "git log",
    "git show",
    "git branch",
    "git ls-files",
    "git grep",
    "git blame",
    "git rev-parse",
    "git merge-base",
    "git describe",
    "git stash list",
];

/// Further commands that only look: filters without files, and versions.
pub(super) const EXTRA_READERS: &[ReviewedCommand] = &[
    command(
        "sort",
        OperandRule::None,
        "-r -n -u -h -f -V -b -s",
        "-k -t",
    ),
    command("uniq", OperandRule::None, "-c -d -u -i", ""),
    command("tr", OperandRule::Text, "-d -s -c", ""),
    command("cargo --version", OperandRule::None, "", ""),
    command("cargo -V", OperandRule::None, "", ""),
    command("rustc --version", OperandRule::None, "", ""),
    command("git --version", OperandRule::None, "", ""),
    command("node --version", OperandRule::None, "", ""),
    command("python3 --version", OperandRule::None, "", ""),
    command("rg --version", OperandRule::None, "", ""),
];

/// Whether a program is in the table with some command.
pub(super) fn is_table_program(program: &str) -> bool {
    REVIEWED_COMMANDS
        .iter()
        .any(|it| it.name.split(' ').next() == Some(program))
}

/// Whether words name a reviewed command, `--no-pager` of git not counted.
pub(super) fn is_reviewed_prefix(prefix: &str) -> bool {
    let words = prefix.split(' ').filter(|word| *word != "--no-pager");
    let words: Vec<&str> = words.collect();
    REVIEWED_COMMANDS
        .iter()
        .any(|it| it.name == words.join(" "))
}
