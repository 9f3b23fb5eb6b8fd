//! The reference of the command line, `docs/cli.md`, from its definition.

use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory as _};
use plimsoll::cli::{Cli, EXIT_CODES, VARIABLES};

/// The generated part of the reference.
pub fn markdown() -> String {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut out = String::new();
    commands(&root, &mut out);
    out.push_str("\n## Flags of every command\n\n");
    let is_flag = |argument: &&Arg| !argument.is_positional();
    arguments(root.get_arguments().filter(is_flag), &mut out);
    out.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in EXIT_CODES {
        let _ = writeln!(out, "| {} | {meaning} |", code as u8);
    }
    out.push_str("\n## Environment\n\n| variable | meaning |\n|---|---|\n");
    for (names, meaning) in VARIABLES {
        let names = names.replace(", ...", "…").replace(", ", "`, `");
        let _ = writeln!(out, "| `{names}` | {meaning} |");
    }
    out.push_str("\n## Each command\n");
    for command in root.get_subcommands() {
        one(command, &root, &mut out);
    }
    out
}

/// What there is, a line each.
fn commands(root: &Command, out: &mut String) {
    out.push_str("## Commands\n\n| command | what it does |\n|---|---|\n");
    for command in root.get_subcommands() {
        let name = command.get_name();
        let about = text(command.get_about());
        let _ = writeln!(out, "| [`plim {name}`](#plim-{name}) | {about} |");
    }
}

/// A command with what only it takes, and its own subcommands.
fn one(command: &Command, root: &Command, out: &mut String) {
    let name = command.get_bin_name().unwrap_or_default();
    let _ = writeln!(out, "\n### {name}\n");
    let about = command.get_long_about().or(command.get_about());
    let _ = writeln!(out, "{}\n", text(about));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let _ = writeln!(out, "```text\n{}\n```\n", usage.trim());
    let is_of_all = |argument: &Arg| {
        let is_same = |other: &Arg| other.is_global_set() && other.get_id() == argument.get_id();
        root.get_arguments().any(is_same)
            || matches!(argument.get_id().as_str(), "help" | "version")
    };
    let is_own = |argument: &&Arg| !is_of_all(argument);
    arguments(command.get_arguments().filter(is_own), out);
    for subcommand in command.get_subcommands() {
        one(subcommand, root, out);
    }
}

fn arguments<'a>(arguments: impl Iterator<Item = &'a Arg>, out: &mut String) {
    let mut is_first = true;
    for argument in arguments.filter(|it| !it.is_hide_set()) {
        if is_first {
            out.push_str("| argument | meaning |\n|---|---|\n");
            is_first = false;
        }
        let help = text(argument.get_long_help().or(argument.get_help()));
        let choices: Vec<String> = argument
            .get_possible_values()
            .iter()
            .filter(|_| argument.get_action().takes_values())
            .map(|value| format!("`{}`", value.get_name()))
            .collect();
        let choices = if choices.is_empty() {
            String::new()
        } else {
            format!(" ({})", choices.join(", "))
        };
        let _ = writeln!(
            out,
            "| `{}` | {help}{choices} |",
            spelled(argument).replace('|', "\\|")
        );
    }
}

/// An argument as one types it: `-m, --model <PROVIDER/MODEL>`.
fn spelled(argument: &Arg) -> String {
    let values = argument.get_value_names().unwrap_or_default();
    let takes_values = argument.get_action().takes_values();
    let values = values.iter().filter(|_| takes_values);
    let values: Vec<String> = values.map(|name| format!(" <{name}>")).collect();
    let values = values.concat();
    if argument.is_positional() {
        return values.trim_start().to_owned();
    }
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    names.join(", ") + &values
}

/// Help as one line of a table.
fn text(help: Option<&StyledStr>) -> String {
    let text = help.map(ToString::to_string).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}
