//! The facts of a shell command without running it: whether it is one plain command, whether
//! it is a reviewed one, and which of its words no wildcard stands for.
//!
//! This does not parse the shell's language. Whatever is not surely plain is not plain, and
//! then only its own text, word for word, allows it.

mod read_only;
mod reviewed;
mod reviewed_table;
mod risk;
mod words;

use self::read_only::is_read_only;
use self::reviewed::reviewed_prefix;
use self::reviewed_table::is_table_program;
use self::risk::risks;
use self::words::plain_words;
use crate::tool::scope::ToolScope;

/// Stands for a line break in titles, which are one line.
pub(in crate::tool) const LINE_BREAK_MARK: char = '\u{2424}';

/// Characters that can join, nest or redirect commands.
const JOINING: [char; 8] = [';', '&', '|', '<', '>', '`', '(', LINE_BREAK_MARK];

/// Programs that run what a project's files say. Version 0.1 suggested `PROGRAM WORD *` for
/// them; such a pattern in `permissions.toml` means no more than what is reviewed here.
const PROJECT_RUNNERS: [&str; 14] = [
    "brew", "bun", "cargo", "deno", "dotnet", "git", "go", "gradle", "just", "make", "mvn", "npm",
    "pnpm", "yarn",
];

/// The facts known of a command before it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::tool) struct CommandFacts {
    /// The program of a plain command; `None` when the shell would do more than to run one
    /// program with these words.
    program: Option<String>,
    /// The words that name a reviewed command (`git status`), when its options are reviewed
    /// and its files lie in the workspace.
    reviewed: Option<String>,
    /// It only looks, alone or joined with others that do.
    is_read_only: bool,
    /// Words that run another program, write elsewhere or change what runs. A pattern has to
    /// name them.
    risks: Vec<String>,
}

impl CommandFacts {
    /// Looks at a command that would run in a scope.
    pub(in crate::tool) fn of(command: &str, scope: &ToolScope) -> Self {
        let is_read_only = is_read_only(command, scope);
        let Some(words) = plain_words(command) else {
            return Self {
                is_read_only,
                ..Self::default()
            };
        };
        Self {
            is_read_only,
            reviewed: reviewed_prefix(&words, scope),
            risks: risks(&words),
            program: words.into_iter().next(),
        }
    }

    /// Whether it only looks, at files that need no question.
    pub(in crate::tool) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Whether a wildcard that the user wrote into the settings may stand for parts of this
    /// command: it is plain, and the pattern names each risk.
    pub(in crate::tool) fn fits_written(&self, pattern: &str) -> bool {
        let is_named = |risk: &String| {
            let escaped = globset::escape(risk);
            pattern
                .split(' ')
                .any(|word| word == risk.as_str() || word == escaped)
        };
        self.program.is_some() && self.risks.iter().all(is_named)
    }

    /// Whether a wildcard of a remembered answer may. It was one keystroke, so for programs
    /// that have risky options it stands for what is reviewed and nothing else.
    pub(in crate::tool) fn fits_remembered(&self, pattern: &str) -> bool {
        match &self.program {
            Some(program) if is_judged(program) => self.reviewed.is_some(),
            _ => self.fits_written(pattern),
        }
    }

    /// The pattern for "always": reviewed options of the same command, or this very text.
    pub(in crate::tool) fn suggested(&self, title: &str) -> String {
        match &self.reviewed {
            Some(prefix) if is_below(title, prefix) => format!("{prefix} *"),
            _ => globset::escape(title),
        }
    }
}

/// The coverage of the wildcards in a remembered pattern for commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tool) enum PatternCoverage {
    /// Their usual meaning; or there are none.
    AsWritten,
    /// Reviewed options of the command.
    Reviewed,
    /// Reviewed commands of the program, and the pattern without its `*`.
    Itself,
}

/// The coverage of a remembered pattern.
pub(in crate::tool) fn coverage(pattern: &str) -> PatternCoverage {
    let program = pattern.split(' ').next().unwrap_or(pattern);
    if !has_wildcard(pattern) || is_joined(pattern) || !is_judged(program) {
        return PatternCoverage::AsWritten;
    }
    match pattern.strip_suffix(" *") {
        Some(prefix) if reviewed_table::is_reviewed_prefix(prefix) => PatternCoverage::Reviewed,
        _ => PatternCoverage::Itself,
    }
}

/// The coverage of a remembered pattern for commands, where its wildcard says more than it does.
pub fn narrowing(pattern: &str) -> Option<String> {
    let program = pattern.split(' ').next().unwrap_or(pattern);
    match coverage(pattern) {
        PatternCoverage::AsWritten => None,
        PatternCoverage::Reviewed => Some(format!(
            "`{pattern}` covers reviewed options and files of this folder without secrets; \
             anything else asks"
        )),
        PatternCoverage::Itself => Some(match pattern.strip_suffix(" *") {
            Some(prefix) => format!(
                "`{pattern}` covers only `{prefix}` and reviewed commands: options and files of \
                 {program} can run other programs"
            ),
            None => format!(
                "`{pattern}` covers only reviewed commands: options and files of {program} can \
                 run other programs"
            ),
        }),
    }
}

/// Whether a pattern for commands covers less than version 0.1 took it for.
pub fn is_outdated(pattern: &str) -> bool {
    let Some(prefix) = pattern.strip_suffix(" *") else {
        return false;
    };
    let mut words = prefix.split(' ');
    let program = words.next().unwrap_or_default();
    PROJECT_RUNNERS.contains(&program)
        && words.count() == 1
        && !reviewed_table::is_reviewed_prefix(prefix)
}

fn is_judged(program: &str) -> bool {
    PROJECT_RUNNERS.contains(&program) || is_table_program(program)
}

fn is_below(title: &str, prefix: &str) -> bool {
    title
        .strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Whether a pattern has characters with a meaning in globs.
pub(in crate::tool) fn has_wildcard(pattern: &str) -> bool {
    globset::escape(pattern) != pattern && {
        // What `globset::escape` made is literal: each mark alone in brackets.
        let mut rest = pattern.to_owned();
        for mark in ["[*]", "[?]", "[[]", "[]]", "[{]", "[}]", "[!]"] {
            rest = rest.replace(mark, "");
        }
        rest.contains(['*', '?', '[', ']', '{', '}'])
    }
}

/// A command on one line, for cards and patterns. Different commands keep different titles
/// wherever the difference is in what would run.
pub(in crate::tool) fn title(command: &str) -> String {
    let mut out = String::with_capacity(command.len());
    for letter in command.trim().chars() {
        match letter {
            '\n' => out.push(LINE_BREAK_MARK),
            // A mark in the command itself must not pass for a line break.
            LINE_BREAK_MARK => out.push_str("\\u{2424}"),
            other => out.push(other),
        }
    }
    out
}

/// Whether a text has characters that join, nest or redirect commands.
pub(in crate::tool) fn is_joined(title: &str) -> bool {
    title
        .chars()
        .any(|letter| JOINING.contains(&letter) || (letter.is_control() && letter != '\t'))
}

#[cfg(test)]
mod tests;
