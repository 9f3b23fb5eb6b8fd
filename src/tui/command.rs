//! Every slash command: one table. Completion, help, dispatch and the README read it.

use std::fmt::Write as _;
use std::path::Path;

use super::effect::Effect;
use super::model::Model;
use super::update::command as run;
use crate::config::{Paths, TrustedDirs, UserCommands};

/// One command.
#[derive(Clone, Copy)]
pub struct Command {
    /// Its name without the slash.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Its arguments, as help shows them; empty when it takes none.
    pub arguments: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Does it, with what was typed behind the name.
    pub run: fn(&mut Model, &str) -> Vec<Effect>,
}

/// Options of `/compact`.
pub const COMPACT_FLAGS: &[(&str, &str)] = &[
    ("--yes", "apply without review"),
    ("--dry-run", "say what would happen, change nothing"),
    ("--force", "keep fewer turns when nothing else is left"),
    ("--extractive", "summarise without a model"),
    ("--from", "pick the first message that is kept"),
];

const fn command(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&mut Model, &str) -> Vec<Effect>,
) -> Command {
    Command {
        name,
        aliases: &[],
        arguments,
        help,
        run,
    }
}

const fn aliased(aliases: &'static [&'static str], command: Command) -> Command {
    Command { aliases, ..command }
}

/// The table, in the order of help.
pub const COMMANDS: &[Command] = &[
    aliased(
        &["ctx"],
        command(
            "context",
            "",
            "what is in the window, item by item",
            run::context,
        ),
    ),
    command(
        "pruned",
        "",
        "what is not sent in full, and why",
        run::pruned,
    ),
    command(
        "compact",
        "[--yes|--dry-run|--force|--extractive|--from] [instructions]",
        "summarise older messages; shows audit and diff before it counts",
        run::compact,
    ),
    command(
        "uncompact",
        "",
        "undo the newest compaction",
        run::uncompact,
    ),
    aliased(
        &["summaries"],
        command(
            "summary",
            "",
            "all compactions: read, compare two, undo",
            run::summary,
        ),
    ),
    command(
        "prune",
        "[--dry-run]",
        "cut old tool results now",
        run::prune,
    ),
    command(
        "pin",
        "[ID]",
        "always send this message, never summarise it; no ID: from the list",
        run::pin,
    ),
    command(
        "restore",
        "[ID]",
        "send this message in full again; no ID: from the list",
        run::restore,
    ),
    command(
        "drop",
        "[ID]",
        "take this message out of the context; no ID: from the list",
        run::drop,
    ),
    command(
        "undo",
        "[--yes]",
        "take back your newest rewind, compaction, prune, pin, restore, drop or edit",
        run::undo,
    ),
    command(
        "redo",
        "[--yes]",
        "put back what /undo took back",
        run::redo,
    ),
    command(
        "unqueue",
        "",
        "take back the newest message or command that waits",
        run::unqueue,
    ),
    command("wire", "", "the exact body of the next request", run::wire),
    command("model", "[NAME]", "another model from here on", run::model),
    command(
        "think",
        "[off|low|medium|high]",
        "how hard the model reasons",
        run::think,
    ),
    command(
        "plan",
        "",
        "plan mode on or off: look and plan, change nothing",
        run::plan,
    ),
    command(
        "todo",
        "",
        "fold or unfold the list of steps that the model keeps",
        run::todo,
    ),
    command(
        "jobs",
        "",
        "commands in the background: how they stand, output, end them",
        run::jobs,
    ),
    command(
        "permissions",
        "",
        "what may run without a question, where that is kept; revoke",
        run::permissions,
    ),
    command("theme", "[NAME]", "other colours", run::theme),
    command(
        "settings",
        "[KEY=VALUE]",
        "every setting: its value, where that came from; change, save, reset",
        run::settings,
    ),
    command(
        "login",
        "[PROVIDER]",
        "enter the key of a provider; it is stored for you alone",
        run::login,
    ),
    command(
        "logout",
        "PROVIDER",
        "forget the key that was entered",
        run::logout,
    ),
    command(
        "new",
        "",
        "close this session and open a new one",
        run::new_session,
    ),
    command("clear", "", "the same as /new", run::new_session),
    aliased(
        &["sessions"],
        command(
            "resume",
            "",
            "other sessions: search, look into, open, name, delete",
            run::resume,
        ),
    ),
    command(
        "timeline",
        "",
        "go back, edit an earlier message, fork",
        run::timeline,
    ),
    command(
        "diff",
        "",
        "files that this session changed, and how",
        run::diff,
    ),
    command(
        "rewind",
        "",
        "take back: the conversation, files, or both; shows what would happen",
        run::rewind,
    ),
    command(
        "tree",
        "",
        "all branches: switch, go back, name them",
        run::tree,
    ),
    command(
        "fork",
        "",
        "go on in a copy; this session stays as it is",
        run::fork,
    ),
    command(
        "retry",
        "",
        "edit your newest message and send it anew",
        run::retry,
    ),
    command("rename", "NAME", "name this session", run::rename),
    command(
        "copy",
        "[N]",
        "the newest answer to the clipboard, or only its Nth code block",
        run::copy,
    ),
    command(
        "search",
        "TEXT",
        "find text in the transcript; n and N step, esc ends",
        run::search,
    ),
    command(
        "remember",
        "TEXT",
        "keep a note about this project for later sessions",
        run::remember,
    ),
    command(
        "notes",
        "",
        "what is remembered of this project",
        run::notes,
    ),
    command(
        "cost",
        "",
        "what this session has cost, by model; what pruning and compaction cost",
        run::cost,
    ),
    command(
        "export",
        "[md|html|jsonl|json]",
        "write this session to a file; json: the next request",
        run::export,
    ),
    command(
        "tools",
        "",
        "the model's tools: their tokens, and what runs without asking",
        run::tools,
    ),
    command(
        "init",
        "[WISHES]",
        "have the model write an AGENTS.md for this project",
        run::init,
    ),
    command(
        "palette",
        "",
        "everything that can be done, by name",
        run::palette,
    ),
    command(
        "intro",
        "",
        "the introduction: gauge, ledger, pruning, undo, in a practice session",
        run::intro,
    ),
    aliased(
        &["keys"],
        command("help", "", "keys and commands", run::help),
    ),
    aliased(
        &["exit", "q"],
        command("quit", "", "leave; the session can be resumed", run::quit),
    ),
];

/// The command of this name or alias, without the slash.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.name == name || command.aliases.contains(&name))
}

/// The user's own commands as their files are now; no file takes a name of the table.
pub fn read_own(paths: &Paths, cwd: &Path, trusted: &TrustedDirs) -> UserCommands {
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
}
