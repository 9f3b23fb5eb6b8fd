//! The command language: one table, from which understanding, the help text and the
//! documentation come.

use serde_json::{Value, json};

use super::words::{CommandWord, after, clauses, unquoted, words};

/// Longer messages are prose, not commands; only their lines up to here are read.
const MAX_LINES: usize = 50;

/// One row of the table.
pub struct Command {
    /// How it is written.
    pub pattern: &'static str,
    /// A sentence that works.
    pub example: &'static str,
    /// The description.
    pub does: &'static str,
    parse: fn(&str) -> Option<OfflineAction>,
}

/// The action of a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OfflineAction {
    /// Call a tool.
    Call {
        /// Its name.
        tool: &'static str,
        /// Its arguments.
        arguments: Value,
    },
    /// Say what the conversation holds.
    Summarise,
    /// List the commands.
    Help,
}

/// The commands read from a message.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ParsedCommands {
    /// In order.
    pub actions: Vec<OfflineAction>,
    /// Clauses that no row matched.
    pub unclear: Vec<String>,
}

/// All commands; the first row that matches wins.
pub const COMMANDS: &[Command] = &[
    Command {
        pattern: "help",
        example: "help",
        does: "lists these commands",
        parse: help_row,
    },
    Command {
        pattern: "what changed",
        example: "what changed",
        does: "shows the changes in the working tree, with git",
        parse: changed,
    },
    Command {
        pattern: "summarise",
        example: "summarise",
        does: "says what this conversation holds so far",
        parse: summarise,
    },
    Command {
        pattern: "read PATH [lines A-B]",
        example: "read src/main.rs lines 1-20",
        does: "reads a file",
        parse: read,
    },
    Command {
        pattern: "list [PATH]",
        example: "list src",
        does: "lists a directory",
        parse: list,
    },
    Command {
        pattern: "search for TEXT [in PATH]",
        example: "search for TODO in src",
        does: "searches files for a pattern",
        parse: search,
    },
    Command {
        pattern: "run COMMAND",
        example: "run cargo check",
        does: "runs a shell command",
        parse: run,
    },
    Command {
        pattern: "write PATH: TEXT",
        example: "write notes.md: remember the milk",
        does: "writes a file (what follows on further lines belongs to it)",
        parse: write,
    },
    Command {
        pattern: "replace \"OLD\" with \"NEW\" in PATH",
        example: "replace \"colour\" with \"color\" in README.md",
        does: "edits a file",
        parse: edit,
    },
];

const POLITE: &[&str] = &[
    "please",
    "now",
    "then",
    "also",
    "first",
    "next",
    "and",
    "can you",
    "could you",
    "would you",
    "kindly",
    "let's",
    "-",
    "*",
];
const READ: &[&str] = &[
    "read", "show me", "show", "open", "view", "cat", "print", "display", "look at",
];
const LIST: &[&str] = &["list", "ls", "dir"];
const SEARCH: &[&str] = &[
    "search for",
    "search",
    "find",
    "grep for",
    "grep",
    "look for",
    "where is",
];
const RUN: &[&str] = &["run", "execute", "exec", "shell", "$"];
const WRITE: &[&str] = &["write", "create", "save"];
const EDIT: &[&str] = &["replace", "change", "substitute"];
const CHANGED: &[&str] = &[
    "what changed",
    "what has changed",
    "what's changed",
    "show changes",
    "show me the changes",
    "git status",
    "status",
];
const SUMMARISE: &[&str] = &["summarise", "summarize", "summary", "recap"];
const HELP: &[&str] = &["help", "?", "commands", "what can you do"];

/// Reads a message.
pub(super) fn understand(text: &str) -> ParsedCommands {
    let text = text.trim();
    let mut out = ParsedCommands::default();
    if let Some(action) = write_lines(text) {
        out.actions.push(action);
        return out;
    }
    for line in text.lines().take(MAX_LINES) {
        for clause in clauses(line.trim(), &begins) {
            let plain = without_politeness(clause);
            if plain.is_empty() {
                continue;
            }
            match COMMANDS.iter().find_map(|command| (command.parse)(plain)) {
                Some(action) => out.actions.push(action),
                None => out.unclear.push(shortened(clause)),
            }
        }
    }
    out
}

/// The table as text.
pub(super) fn help(introduction: &str) -> String {
    let mut out = introduction.to_owned();
    out.push('\n');
    for command in COMMANDS {
        out.push_str("\n- `");
        out.push_str(command.pattern);
        out.push_str("` ");
        out.push_str(command.does);
        if command.example != command.pattern {
            out.push_str(", e.g. `");
            out.push_str(command.example);
            out.push('`');
        }
    }
    out
}

fn shortened(clause: &str) -> String {
    /// Enough to recognise it.
    const MAX_CHARS: usize = 80;
    if clause.chars().count() <= MAX_CHARS {
        return clause.to_owned();
    }
    clause.chars().take(MAX_CHARS).chain(['…']).collect()
}

fn begins(text: &str) -> bool {
    let plain = without_politeness(text);
    [
        READ, LIST, SEARCH, RUN, WRITE, EDIT, CHANGED, SUMMARISE, HELP,
    ]
    .iter()
    .any(|verbs| after(plain, verbs).is_some())
}

fn without_politeness(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some(shorter) = after(rest, POLITE) {
        rest = shorter;
    }
    rest
}

fn sentence<'a>(text: &'a str, verbs: &[&str]) -> Option<&'a str> {
    let rest = after(text.trim_end_matches(['.', '!', '?']), verbs)?;
    Some(rest.trim())
}

fn call(tool: &'static str, arguments: Value) -> OfflineAction {
    OfflineAction::Call { tool, arguments }
}

fn help_row(text: &str) -> Option<OfflineAction> {
    (text == "?" || sentence(text, HELP)?.is_empty()).then_some(OfflineAction::Help)
}

fn summarise(text: &str) -> Option<OfflineAction> {
    let rest = sentence(text, SUMMARISE)?;
    let filler = [
        "",
        "this",
        "the conversation",
        "this conversation",
        "so far",
        "what we did",
    ];
    filler
        .iter()
        .any(|words| rest.eq_ignore_ascii_case(words))
        .then_some(OfflineAction::Summarise)
}

fn changed(text: &str) -> Option<OfflineAction> {
    let rest = sentence(text, CHANGED)?;
    let command = "git status --short && git diff --stat";
    let filler = ["", "here", "so far", "in git"];
    filler
        .iter()
        .any(|words| rest.eq_ignore_ascii_case(words))
        .then(|| call("shell", json!({"command": command})))
}

fn read(text: &str) -> Option<OfflineAction> {
    let mut words = words(after(text, READ)?);
    let mut offset = None;
    let mut limit = None;
    if let Some(at) = words.iter().position(|w| w.is("lines") || w.is("line")) {
        let range: Vec<u64> = words.get(at + 1).map(numbers).unwrap_or_default();
        let count = at.checked_sub(1).and_then(|n| words.get(n)).map(numbers);
        match (range.as_slice(), count.unwrap_or_default().as_slice()) {
            ([from, to, ..], _) => {
                offset = Some(*from);
                limit = Some(to.saturating_sub(*from).saturating_add(1));
            }
            ([from], _) => offset = Some(*from),
            ([], [count, ..]) => limit = Some(*count),
            ([], []) => return None,
        }
        words.retain(|w| !w.is("lines") && !w.is("line") && (w.is_quoted || numbers(w).is_empty()));
    }
    words.retain(|w| {
        !["the", "file", "of", "from", "first", "contents"]
            .iter()
            .any(|f| w.is(f))
    });
    let [path] = words.as_slice() else {
        return None;
    };
    let mut arguments = json!({"path": clean_path(path)});
    if let Some(offset) = offset {
        arguments["offset"] = json!(offset);
    }
    if let Some(limit) = limit {
        arguments["limit"] = json!(limit);
    }
    Some(call("read", arguments))
}

/// `12`, `1-20`, `1..20`; empty when the word is anything else.
fn numbers(word: &CommandWord) -> Vec<u64> {
    word.text
        .split(['-', '–', '.'])
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_end_matches(',').parse().ok())
        .collect::<Option<Vec<u64>>>()
        .unwrap_or_default()
}

fn clean_path(word: &CommandWord) -> &str {
    if word.is_quoted || word.text.chars().all(|c| c == '.') {
        return &word.text;
    }
    word.text
        .trim_start_matches('@')
        .trim_end_matches(['?', '!', ',', '.'])
}

fn list(text: &str) -> Option<OfflineAction> {
    let mut words = words(after(text, LIST)?);
    let filler = [
        "the",
        "all",
        "files",
        "folder",
        "directory",
        "in",
        "of",
        "contents",
        "here",
    ];
    words.retain(|w| !filler.iter().any(|f| w.is(f)));
    match words.as_slice() {
        [] => Some(call("list", json!({"path": "."}))),
        [path] => Some(call("list", json!({"path": clean_path(path)}))),
        _ => None,
    }
}

fn search(text: &str) -> Option<OfflineAction> {
    let rest = after(text, SEARCH)?;
    let words = words(rest);
    let in_path = words.len().checked_sub(2).and_then(|at| {
        let path = words.get(at + 1)?;
        (at > 0 && words.get(at)?.is("in")).then_some((at, path))
    });
    if let Some((at, path)) = in_path {
        let pattern = joined(words.get(..at)?);
        let arguments = json!({"pattern": pattern, "path": clean_path(path)});
        return Some(call("search", arguments));
    }
    let pattern = unquoted(rest);
    (!pattern.is_empty()).then(|| call("search", json!({"pattern": pattern})))
}

fn joined(words: &[CommandWord]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

fn run(text: &str) -> Option<OfflineAction> {
    let rest = after(text, RUN)?;
    let rest = after(rest, &["the command", "command"]).unwrap_or(rest);
    let command = unquoted(rest);
    (!command.is_empty()).then(|| call("shell", json!({"command": command})))
}

fn write(text: &str) -> Option<OfflineAction> {
    let rest = after(text, WRITE)?;
    let words = words(rest);
    if let [content, to, path] = words.as_slice()
        && content.is_quoted
        && (to.is("to") || to.is("into"))
    {
        return Some(write_call(clean_path(path), &content.text));
    }
    if let [path, with, content] = words.as_slice()
        && with.is("with")
        && content.is_quoted
    {
        return Some(write_call(clean_path(path), &content.text));
    }
    let (path, content) = rest.split_once(':')?;
    let path = unquoted(path);
    let is_path = !path.is_empty() && !path.contains(char::is_whitespace);
    (is_path && !content.trim().is_empty()).then(|| write_call(path, unquoted(content)))
}

/// `write PATH:` with the content on the lines that follow.
fn write_lines(text: &str) -> Option<OfflineAction> {
    let (first, content) = text.split_once('\n')?;
    let rest = after(without_politeness(first), WRITE)?;
    let path = unquoted(rest.trim_end().strip_suffix(':')?);
    let content = content.trim_matches('\n');
    let fenced = content
        .strip_prefix("```")
        .and_then(|inner| inner.split_once('\n'))
        .and_then(|(_, inner)| inner.trim_end().strip_suffix("```"));
    let content = fenced.unwrap_or(content);
    (!path.contains(char::is_whitespace)).then(|| write_call(path, content))
}

fn write_call(path: &str, content: &str) -> OfflineAction {
    let content = format!("{}\n", content.trim_end_matches('\n'));
    call("write", json!({"path": path, "content": content}))
}

fn edit(text: &str) -> Option<OfflineAction> {
    let words = words(after(text, EDIT)?);
    let [old, with, new, within, path] = words.as_slice() else {
        return None;
    };
    let joins = (with.is("with") || with.is("by") || with.is("to")) && within.is("in");
    joins.then(|| {
        call(
            "edit",
            json!({"path": clean_path(path), "old_text": old.text, "new_text": new.text}),
        )
    })
}
