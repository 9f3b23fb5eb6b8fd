//! Every slash command: one table. Completion, help, dispatch and the README read it.

mod id;
mod line;
mod plain;

use std::fmt::Write as _;
use std::path::Path;

pub use id::CommandId;
pub use line::{is_message, slash_command};
pub use plain::{PlainListing, PlainUse};
use plain::{names_entry, on_screen, picks_nothing, plainly, runs_with, says};

use crate::config::{TrustedDirs, UserCommands, UserPaths};

/// One command.
#[derive(Clone, Copy)]
pub struct Command {
    /// Its name without the slash.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Its arguments, as help shows them; empty when it takes none.
    pub arguments: &'static str,
    /// The description.
    pub help: &'static str,
    /// Which function does it.
    pub id: CommandId,
    /// Its use line by line, with `--plain`.
    pub plain: PlainUse,
    /// The help where that is less than on the screen.
    pub plain_help: &'static str,
}

/// The arguments of `/think`.
pub const THINKING_HELP: &str =
    "/think takes default, off, minimal, low, medium, high, xhigh or max";

/// Options of `/compact`.
pub const COMPACT_FLAGS: &[(&str, &str)] = &[
    ("--yes", "apply without review"),
    ("--dry-run", "say what would happen, change nothing"),
    ("--force", "keep fewer turns when nothing else is left"),
    ("--extractive", "summarise without a model"),
    ("--rebuild", "read the log behind the summary again"),
    ("--from", "pick the first message that is kept"),
];

const fn command(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    id: CommandId,
) -> Command {
    Command {
        name,
        aliases: &[],
        arguments,
        help,
        id,
        plain: PlainUse::Runs,
        plain_help: help,
    }
}

const fn aliased(aliases: &'static [&'static str], command: Command) -> Command {
    Command { aliases, ..command }
}

/// The table, in the order of help.
pub const COMMANDS: &[Command] = &[
    aliased(
        &["ctx"],
        says(
            PlainListing::Context,
            command(
                "context",
                "",
                "what is in the window, item by item",
                CommandId::Context,
            ),
        ),
    ),
    says(
        PlainListing::Pruned,
        command(
            "pruned",
            "",
            "what is not sent in full, and why",
            CommandId::Pruned,
        ),
    ),
    runs_with(
        "[--yes|--dry-run|--force|--extractive|--rebuild] [instructions]",
        picks_nothing,
        "`plim compact --from ID` takes the id that /context says",
        plainly(
            "summarise older messages; shows the summary and its audit before it counts",
            command(
                "compact",
                "[--yes|--dry-run|--force|--extractive|--rebuild|--from] [instructions]",
                "summarise older messages; shows audit and diff before it counts",
                CommandId::Compact,
            ),
        ),
    ),
    command(
        "uncompact",
        "",
        "undo the newest compaction",
        CommandId::Uncompact,
    ),
    aliased(
        &["summaries"],
        says(
            PlainListing::Summaries,
            plainly(
                "all compactions in a line each, and the summary that is sent",
                command(
                    "summary",
                    "",
                    "all compactions: read, compare two, undo",
                    CommandId::Summary,
                ),
            ),
        ),
    ),
    command(
        "prune",
        "[--dry-run]",
        "cut old tool results now",
        CommandId::Prune,
    ),
    runs_with(
        "ID",
        names_entry,
        "/pin ID takes an id that /context says",
        plainly(
            "always send this message, never summarise it",
            command(
                "pin",
                "[ID]",
                "always send this message, never summarise it; no ID: from the list",
                CommandId::Pin,
            ),
        ),
    ),
    runs_with(
        "ID",
        names_entry,
        "/restore ID takes an id that /context says",
        plainly(
            "send this message in full again",
            command(
                "restore",
                "[ID]",
                "send this message in full again; no ID: from the list",
                CommandId::Restore,
            ),
        ),
    ),
    runs_with(
        "ID",
        names_entry,
        "/drop ID takes an id that /context says",
        plainly(
            "take this message out of the context",
            command(
                "drop",
                "[ID]",
                "take this message out of the context; no ID: from the list",
                CommandId::Drop,
            ),
        ),
    ),
    plainly(
        "your standing rules and where each stands; /rules add TEXT adds one",
        command(
            "rules",
            "[strike|restore|confirm ID, reword ID TEXT, add TEXT]",
            "your standing rules and where each stands; strike, confirm, reword, add",
            CommandId::Rules,
        ),
    ),
    command(
        "undo",
        "[--yes]",
        "take back your newest rewind, compaction, prune, pin, restore, drop, edit, rule",
        CommandId::Undo,
    ),
    command(
        "redo",
        "[--yes]",
        "put back what /undo took back",
        CommandId::Redo,
    ),
    command(
        "unqueue",
        "",
        "take back the newest message or command that waits",
        CommandId::Unqueue,
    ),
    command(
        "wire",
        "",
        "the exact body of the next request",
        CommandId::Wire,
    ),
    command(
        "model",
        "[NAME]",
        "another model from here on",
        CommandId::Model,
    ),
    runs_with(
        "default|off|LEVEL",
        |arguments| !arguments.is_empty(),
        THINKING_HELP,
        command(
            "think",
            "[default|off|LEVEL]",
            "how hard the model reasons: minimal, low, medium, high, xhigh or max",
            CommandId::Think,
        ),
    ),
    command(
        "plan",
        "",
        "plan mode on or off: look and plan, change nothing",
        CommandId::Plan,
    ),
    says(
        PlainListing::Todo,
        plainly(
            "the list of steps that the model keeps",
            command(
                "todo",
                "",
                "fold or unfold the list of steps that the model keeps",
                CommandId::Todo,
            ),
        ),
    ),
    says(
        PlainListing::Jobs,
        plainly(
            "commands in the background, and how they stand",
            command(
                "jobs",
                "",
                "commands in the background: how they stand, output, end them",
                CommandId::Jobs,
            ),
        ),
    ),
    plainly(
        "what may run without a question, and where that is kept",
        command(
            "permissions",
            "",
            "what may run without a question, where that is kept; revoke",
            CommandId::Permissions,
        ),
    ),
    on_screen(
        "there are no colours here",
        command("theme", "[NAME]", "other colours", CommandId::Theme),
    ),
    runs_with(
        "KEY=VALUE",
        |arguments| arguments.contains('='),
        "`plim config show` lists the settings, /settings KEY=VALUE changes one",
        plainly(
            "another value of a setting for this session",
            command(
                "settings",
                "[KEY=VALUE]",
                "every setting: its value, where that came from; change, save, reset",
                CommandId::Settings,
            ),
        ),
    ),
    on_screen(
        "`plim login PROVIDER` stores a key",
        command(
            "login",
            "[PROVIDER]",
            "enter the key of a provider; it is stored for you alone",
            CommandId::Login,
        ),
    ),
    command(
        "logout",
        "PROVIDER",
        "forget the key that was entered",
        CommandId::Logout,
    ),
    command(
        "new",
        "",
        "close this session and open a new one",
        CommandId::NewSession,
    ),
    command("clear", "", "the same as /new", CommandId::NewSession),
    aliased(
        &["sessions"],
        plainly(
            "other sessions, each with the command line that opens it",
            command(
                "resume",
                "",
                "other sessions: search, look into, open, name, delete",
                CommandId::Resume,
            ),
        ),
    ),
    on_screen(
        "`plim export` prints the conversation, /retry sends your newest message again",
        command(
            "timeline",
            "",
            "go back, edit an earlier message, fork",
            CommandId::Timeline,
        ),
    ),
    plainly(
        "files that this session changed, and what did it",
        command(
            "diff",
            "",
            "files that this session changed, and how",
            CommandId::Diff,
        ),
    ),
    on_screen(
        "`plim diff` shows which files the session changed",
        command(
            "rewind",
            "",
            "take back: the conversation, files, or both; shows what would happen",
            CommandId::Rewind,
        ),
    ),
    on_screen(
        "`plim export` prints the branch that is gone on with",
        command(
            "tree",
            "",
            "all branches: switch, go back, name them",
            CommandId::Tree,
        ),
    ),
    command(
        "fork",
        "",
        "go on in a copy; this session stays as it is",
        CommandId::Fork,
    ),
    plainly(
        "send your newest message again",
        command(
            "retry",
            "",
            "edit your newest message and send it anew",
            CommandId::Retry,
        ),
    ),
    command("rename", "NAME", "name this session", CommandId::Rename),
    plainly(
        "print the newest answer again, or only its Nth code block",
        command(
            "copy",
            "[N]",
            "the newest answer to the clipboard, or only its Nth code block",
            CommandId::Copy,
        ),
    ),
    on_screen(
        "the terminal finds text in what it shows, and `plim export` prints the conversation",
        command(
            "search",
            "TEXT",
            "find text in the transcript; n and N step, esc ends",
            CommandId::Search,
        ),
    ),
    command(
        "remember",
        "TEXT",
        "keep a note about this project for later sessions",
        CommandId::Remember,
    ),
    command(
        "notes",
        "",
        "what is remembered of this project",
        CommandId::Notes,
    ),
    command(
        "cost",
        "",
        "what this session has cost, by model; what pruning and compaction cost",
        CommandId::Cost,
    ),
    command(
        "export",
        "[md|html|jsonl|json]",
        "write this session to a file; json: the next request",
        CommandId::Export,
    ),
    command(
        "tools",
        "",
        "the model's tools: their tokens, and what runs without asking",
        CommandId::Tools,
    ),
    command(
        "init",
        "[WISHES]",
        "have the model write an AGENTS.md for this project",
        CommandId::Init,
    ),
    on_screen(
        "/help lists the commands",
        command(
            "palette",
            "",
            "everything that can be done, by name",
            CommandId::Palette,
        ),
    ),
    on_screen(
        "/context says how full the window is",
        command(
            "legend",
            "",
            "colours, marks and words of the gauge",
            CommandId::Legend,
        ),
    ),
    on_screen(
        "it is a tour of the screen",
        command(
            "intro",
            "",
            "the introduction: gauge, ledger, pruning, undo, in a practice session",
            CommandId::Intro,
        ),
    ),
    aliased(
        &["keys"],
        says(
            PlainListing::Help,
            plainly(
                "the commands",
                command("help", "", "keys and commands", CommandId::Help),
            ),
        ),
    ),
    aliased(
        &["exit", "q"],
        command(
            "quit",
            "",
            "leave; the session can be resumed",
            CommandId::Quit,
        ),
    ),
];

/// The command of this name or alias, without the slash.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.name == name || command.aliases.contains(&name))
}

/// The user's own commands as their files are now; no file takes a name of the table.
pub fn read_own(paths: &UserPaths, cwd: &Path, trusted: &TrustedDirs) -> UserCommands {
    UserCommands::read(paths, cwd, trusted, |name| find(name).is_some())
}

/// The table for the README.
pub fn commands_markdown() -> String {
    let mut out = String::from("| command | what it does |\n|---|---|\n");
    for command in COMMANDS {
        let usage = format!("/{} {}", command.name, command.arguments);
        let usage = usage.trim_end().replace('|', "\\|");
        let _ = writeln!(out, "| `{usage}` | {} |", command.help);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_documented() {
        let mut names: Vec<&str> = COMMANDS
            .iter()
            .flat_map(|command| command.aliases.iter().copied().chain([command.name]))
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for command in COMMANDS {
            assert!(!command.help.is_empty());
            assert!(commands_markdown().contains(command.help));
            assert_eq!(
                find(command.name).map(|found| found.name),
                Some(command.name)
            );
        }
        assert_eq!(find("q").map(|found| found.name), Some("quit"));
    }

    #[test]
    fn what_is_refused_line_by_line_is_not_in_its_help() {
        for command in COMMANDS {
            let is_listed = command.plain_row().is_some();
            let needs_screen = matches!(command.plain, PlainUse::NeedsScreen { .. });
            assert_eq!(is_listed, !needs_screen, "{}", command.name);
            if let PlainUse::NeedsScreen { instead } | PlainUse::RunsWith { instead, .. } =
                command.plain
            {
                assert!(!instead.is_empty() && !instead.ends_with('.'));
            }
        }
        let compact = find("compact").unwrap();
        let refused = compact.plain_refusal("--yes --from").unwrap();
        assert!(refused.starts_with("/compact --from needs the screen"));
        assert_eq!(compact.plain_refusal("--yes keep what --from means"), None);
        assert_eq!(find("think").unwrap().plain_refusal("high"), None);
    }
}
