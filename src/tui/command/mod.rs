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

use crate::config::{CommandSources, UserCommands};

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
    ("--dry-run", "show the plan, change nothing"),
    ("--force", "keep fewer turns if nothing else is left"),
    ("--extractive", "summarise without a model"),
    ("--rebuild", "summarise the original messages again"),
    ("--from", "choose the first message to keep"),
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
                "show the context, item by item, with tokens",
                CommandId::Context,
            ),
        ),
    ),
    says(
        PlainListing::Pruned,
        command(
            "pruned",
            "",
            "list trimmed, cleared and dropped messages, with reasons",
            CommandId::Pruned,
        ),
    ),
    command(
        "recall",
        "TEXT",
        "search all that was said in this session, also what left the context",
        CommandId::Recall,
    ),
    runs_with(
        "[--yes|--dry-run|--force|--extractive|--rebuild] [instructions]",
        picks_nothing,
        "`plim compact --from ID`; /context lists the ids",
        plainly(
            "summarise older messages; shows summary and audit before it is applied",
            command(
                "compact",
                "[--yes|--dry-run|--force|--extractive|--rebuild|--from] [instructions]",
                "summarise older messages; shows audit and diff before it is applied",
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
                "list the compactions and the active summary",
                command(
                    "summary",
                    "",
                    "list compactions: read, compare two, undo",
                    CommandId::Summary,
                ),
            ),
        ),
    ),
    command(
        "prune",
        "[--dry-run]",
        "prune now: trim and clear old tool results",
        CommandId::Prune,
    ),
    runs_with(
        "ID",
        names_entry,
        "/pin ID; /context lists the ids",
        plainly(
            "always send a message, never summarise it",
            command(
                "pin",
                "[ID]",
                "always send a message, never summarise it; without ID: choose in the list",
                CommandId::Pin,
            ),
        ),
    ),
    runs_with(
        "ID",
        names_entry,
        "/restore ID; /context lists the ids",
        plainly(
            "send a message in full again",
            command(
                "restore",
                "[ID]",
                "send a message in full again; without ID: choose in the list",
                CommandId::Restore,
            ),
        ),
    ),
    runs_with(
        "ID",
        names_entry,
        "/drop ID; /context lists the ids",
        plainly(
            "remove a message from the context",
            command(
                "drop",
                "[ID]",
                "remove a message from the context; without ID: choose in the list",
                CommandId::Drop,
            ),
        ),
    ),
    plainly(
        "list your standing rules with their states; /rules add TEXT adds one",
        command(
            "rules",
            "[strike|restore|confirm ID, reword ID TEXT, add TEXT]",
            "list your standing rules with their states; strike, confirm, reword, add",
            CommandId::Rules,
        ),
    ),
    command(
        "undo",
        "[--yes]",
        "undo your newest rewind, compaction, prune, pin, restore, drop, edit, rule",
        CommandId::Undo,
    ),
    command(
        "redo",
        "[--yes]",
        "redo the newest undone act",
        CommandId::Redo,
    ),
    command(
        "unqueue",
        "",
        "move the newest queued message back to the input",
        CommandId::Unqueue,
    ),
    command(
        "wire",
        "",
        "show the exact body of the next request",
        CommandId::Wire,
    ),
    command("model", "[NAME]", "switch model", CommandId::Model),
    runs_with(
        "default|off|LEVEL",
        |arguments| !arguments.is_empty(),
        THINKING_HELP,
        command(
            "think",
            "[default|off|LEVEL]",
            "reasoning level: minimal, low, medium, high, xhigh or max",
            CommandId::Think,
        ),
    ),
    command(
        "plan",
        "",
        "plan mode on or off: the model reads and plans, changes nothing",
        CommandId::Plan,
    ),
    says(
        PlainListing::Todo,
        plainly(
            "show the model's list of steps",
            command(
                "todo",
                "",
                "fold or unfold the model's list of steps",
                CommandId::Todo,
            ),
        ),
    ),
    says(
        PlainListing::Jobs,
        plainly(
            "list background commands with their status",
            command(
                "jobs",
                "",
                "background commands: status, output, stop",
                CommandId::Jobs,
            ),
        ),
    ),
    says(
        PlainListing::Agents,
        plainly(
            "list sub-agents with their status and cost",
            command(
                "agents",
                "",
                "sub-agents: status, read along, send a message, stop",
                CommandId::Agents,
            ),
        ),
    ),
    plainly(
        "list the permissions and where each is saved",
        command(
            "permissions",
            "",
            "permissions: calls that run without asking; revoke",
            CommandId::Permissions,
        ),
    ),
    on_screen(
        "--plain has no themes",
        command("theme", "[NAME]", "change theme", CommandId::Theme),
    ),
    runs_with(
        "KEY=VALUE",
        |arguments| arguments.contains('='),
        "list settings with `plim config show`, change one with /settings KEY=VALUE",
        plainly(
            "change a setting for this session",
            command(
                "settings",
                "[KEY=VALUE]",
                "all settings with value and origin: change, save, reset",
                CommandId::Settings,
            ),
        ),
    ),
    on_screen(
        "store a key with `plim login PROVIDER`",
        command(
            "login",
            "[PROVIDER]",
            "enter the key of a provider; it is stored privately",
            CommandId::Login,
        ),
    ),
    command(
        "logout",
        "PROVIDER",
        "delete a stored key",
        CommandId::Logout,
    ),
    command("new", "", "start a new session", CommandId::NewSession),
    command("clear", "", "the same as /new", CommandId::NewSession),
    aliased(
        &["sessions"],
        plainly(
            "list other sessions with the command to open each",
            command(
                "resume",
                "",
                "other sessions: search, preview, open, rename, delete",
                CommandId::Resume,
            ),
        ),
    ),
    on_screen(
        "`plim search WORDS` searches all sessions",
        command(
            "search-all",
            "WORDS",
            "search the text of all sessions, yours and those of other programs",
            CommandId::SearchAll,
        ),
    ),
    on_screen(
        "`plim export` prints the conversation, /retry resends your newest message",
        command(
            "timeline",
            "",
            "earlier messages: rewind, edit, fork",
            CommandId::Timeline,
        ),
    ),
    plainly(
        "list files changed by this session",
        command(
            "diff",
            "",
            "files changed by this session, with diffs",
            CommandId::Diff,
        ),
    ),
    on_screen(
        "`plim diff` shows the files changed by the session",
        command(
            "rewind",
            "",
            "rewind the conversation, files, or both; shows the effect first",
            CommandId::Rewind,
        ),
    ),
    on_screen(
        "`plim export` prints the active branch",
        command(
            "tree",
            "",
            "all branches: switch, rewind, rename",
            CommandId::Tree,
        ),
    ),
    command(
        "fork",
        "",
        "continue in a copy; this session stays unchanged",
        CommandId::Fork,
    ),
    plainly(
        "resend your newest message",
        command(
            "retry",
            "",
            "edit and resend your newest message",
            CommandId::Retry,
        ),
    ),
    command("rename", "NAME", "name this session", CommandId::Rename),
    plainly(
        "print the newest answer again, or only its Nth code block",
        command(
            "copy",
            "[N]",
            "copy the newest answer, or only its Nth code block",
            CommandId::Copy,
        ),
    ),
    on_screen(
        "search with your terminal, or in the output of `plim export`",
        command(
            "search",
            "TEXT",
            "find text in the transcript; n next, N previous, Esc ends",
            CommandId::Search,
        ),
    ),
    command(
        "remember",
        "TEXT",
        "save a note about this project for later sessions",
        CommandId::Remember,
    ),
    command(
        "notes",
        "[undo]",
        "show the notes about this project; undo: remove those of the model",
        CommandId::Notes,
    ),
    command(
        "cost",
        "",
        "cost of this session, by model, pruning and compaction included",
        CommandId::Cost,
    ),
    command(
        "export",
        "[md|html|jsonl|json]",
        "save this session to a file; json: the next request",
        CommandId::Export,
    ),
    command(
        "tools",
        "",
        "tools of the model: tokens, permissions",
        CommandId::Tools,
    ),
    plainly(
        "list the MCP servers, or take the lists that they have now",
        command(
            "mcp",
            "[reload]",
            "MCP servers: state, tokens, calls; switch off, reload",
            CommandId::Mcp,
        ),
    ),
    command(
        "engine",
        "[ID]",
        "list the context engines, or use another one",
        CommandId::Engine,
    ),
    command(
        "init",
        "[WISHES]",
        "let the model write an AGENTS.md for this project",
        CommandId::Init,
    ),
    on_screen(
        "/help lists the commands",
        command(
            "palette",
            "",
            "all commands and actions, by name",
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
        "the introduction shows the screen",
        command(
            "intro",
            "",
            "introduction in a practice session: gauge, ledger, prune, undo",
            CommandId::Intro,
        ),
    ),
    aliased(
        &["keys"],
        says(
            PlainListing::Help,
            plainly(
                "list the commands",
                command("help", "", "keys and commands", CommandId::Help),
            ),
        ),
    ),
    aliased(
        &["exit", "q"],
        command("quit", "", "quit; the session is saved", CommandId::Quit),
    ),
];

/// The command of this name or alias, without the slash.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.name == name || command.aliases.contains(&name))
}

/// The user's own commands as their files are now; no file takes a name of the table.
pub fn read_own(sources: &CommandSources, cwd: &Path) -> UserCommands {
    UserCommands::read(sources, cwd, |name| find(name).is_some())
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
