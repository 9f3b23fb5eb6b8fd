//! What `plim --help` adds to the definition: groups of subcommands, examples, variables of
//! the environment, exit codes.

use std::fmt::Write as _;

use super::shell_files::{EXIT_CODES, VARIABLES};

/// The subcommands by task, in the order of the help.
pub(super) const GROUPS: &[(&str, &[&str])] = &[
    (
        "Context commands",
        &[
            "context", "request", "prune", "recall", "pin", "drop", "restore", "rules", "undo",
            "redo",
        ],
    ),
    (
        "Summary commands",
        &["compact", "uncompact", "summary", "fidelity"],
    ),
    (
        "Session commands",
        &[
            "sessions", "search", "resume", "import", "export", "handover", "diff", "cost",
        ],
    ),
    (
        "Setup commands",
        &[
            "doctor", "models", "mcp", "skills", "engine", "login", "logout", "config",
        ],
    ),
];

/// The beginning of the end of `plim --help`.
const EXAMPLES: &str = "\
Examples:
  plim                                   chat in this directory
  plim \"why does the build fail?\"        chat, beginning with this message
  plim -c                                continue the newest session
  plim -p \"list the open TODOs\"          answer one message and exit
  git diff | plim -p \"review this\"       append piped input to the message
  plim -p --output-format json \"...\"     answer as one JSON object
  plim context                           show the context of the next request
  plim doctor                            check model, keys and network
";

/// The end of `plim --help`: examples, variables, exit codes.
pub(super) fn after_help() -> String {
    let mut text = format!("{EXAMPLES}\nEnvironment:\n");
    for (names, meaning) in VARIABLES {
        let _ = writeln!(text, "  {names}\n          {meaning}");
    }
    text.push_str("\nExit codes:\n");
    for (code, meaning) in EXIT_CODES {
        let _ = writeln!(text, "  {:<3}  {meaning}", code as u8);
    }
    text.trim_end().to_owned()
}

/// The section of clap's help that lists subcommands.
const HEADING: &str = "Commands:\n";
/// The group of what is in no other.
const OTHERS: &str = "Other commands";

/// A help text with its subcommands in groups; unchanged where it lists none of them.
pub(super) fn grouped(text: &str) -> String {
    let Some((before, rest)) = text.split_once(HEADING) else {
        return text.to_owned();
    };
    let (listed, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let mut entries = entries(listed);
    let mut sections = Vec::new();
    for (group, names) in GROUPS {
        let of_group = names.iter().filter_map(|name| {
            let at = entries.iter().position(|entry| entry.name == *name)?;
            Some(entries.remove(at).lines)
        });
        let lines: Vec<String> = of_group.collect();
        if !lines.is_empty() {
            sections.push(format!("{group}:\n{}", lines.join("\n")));
        }
    }
    if sections.is_empty() {
        return text.to_owned();
    }
    if !entries.is_empty() {
        let lines: Vec<String> = entries.into_iter().map(|entry| entry.lines).collect();
        sections.push(format!("{OTHERS}:\n{}", lines.join("\n")));
    }
    format!("{before}{}\n\n{after}", sections.join("\n\n"))
}

/// A subcommand as the help lists it.
struct HelpEntry<'a> {
    name: &'a str,
    /// Its line, and those that it wraps to.
    lines: String,
}

fn entries(listed: &str) -> Vec<HelpEntry<'_>> {
    let mut entries: Vec<HelpEntry<'_>> = Vec::new();
    for line in listed.trim_end().lines() {
        let name = line.strip_prefix("  ").filter(|it| !it.starts_with(' '));
        match (name, entries.last_mut()) {
            (None, Some(entry)) => {
                entry.lines.push('\n');
                entry.lines.push_str(line);
            }
            (name, _) => entries.push(HelpEntry {
                name: name
                    .unwrap_or(line)
                    .split_whitespace()
                    .next()
                    .unwrap_or_default(),
                lines: line.to_owned(),
            }),
        }
    }
    entries
}
