//! Compares a command with the table of reviewed ones: each option is listed there, and each
//! file lies in the workspace, holds no secrets and is none of this program's own.

use std::path::Path;

use super::reviewed_table::{
    HyphenStyle, OperandRule, PATTERN_OPTIONS, REVIEWED_COMMANDS, ReviewedCommand,
};
use crate::tool::files::walk::walker;
use crate::tool::place::path::resolve;
use crate::tool::place::sensitive::{holds_secrets, is_source_glob};
use crate::tool::scope::ToolScope;

/// Entries that are looked at before a search through folders counts as too wide to review.
const MAX_WALKED: usize = 20_000;

/// Options with which a search also looks into hidden and ignored files.
const WIDE_OPTIONS: [&str; 2] = ["--hidden", "--no-ignore"];

/// Options with which it looks into files by name, ignored ones too.
const GLOB_OPTIONS: [&str; 3] = ["-g", "--glob", "--iglob"];

/// The words that name a reviewed command, as they are written; `None` when the command, one
/// of its options or one of its files is not reviewed.
pub(super) fn reviewed_prefix(words: &[String], scope: &ToolScope) -> Option<String> {
    let is_quiet_git = is_quiet_git(words);
    let bare = without_no_pager(words);
    let command = reviewed_in(&bare, REVIEWED_COMMANDS, scope)?.command;
    let named = length(command) + usize::from(is_quiet_git);
    Some(words.get(..named)?.join(" "))
}

/// A command that a table names, with the words that are no options.
pub(super) struct ReviewedWords<'a> {
    /// Its row.
    pub(super) command: &'a ReviewedCommand,
    /// Its operands.
    pub(super) operands: Vec<String>,
}

/// The command of a table that these words are; `None` when it, one of its options or one of
/// its files is not reviewed.
pub(super) fn reviewed_words<'a>(
    words: &[String],
    table: &'a [ReviewedCommand],
    scope: &ToolScope,
) -> Option<ReviewedWords<'a>> {
    reviewed_in(&without_no_pager(words), table, scope)
}

fn reviewed_in<'a>(
    words: &[String],
    table: &'a [ReviewedCommand],
    scope: &ToolScope,
) -> Option<ReviewedWords<'a>> {
    let command = table
        .iter()
        .filter(|it| it.name.split(' ').eq(words.iter().take(length(it))))
        .max_by_key(|it| length(it))?;
    let arguments = words.get(length(command)..)?;
    let review = ArgumentReview::new(command).read(arguments)?;
    review.fit(command, scope).then_some(ReviewedWords {
        command,
        operands: review.operands,
    })
}

fn is_quiet_git(words: &[String]) -> bool {
    words.first().is_some_and(|it| it == "git") && words.get(1).is_some_and(|it| it == "--no-pager")
}

fn without_no_pager(words: &[String]) -> Vec<String> {
    let mut bare = words.to_vec();
    if is_quiet_git(words) {
        bare.remove(1);
    }
    bare
}

/// Words in the name of a reviewed command.
fn length(command: &ReviewedCommand) -> usize {
    command.name.split(' ').count()
}

/// The review of a command's arguments.
struct ArgumentReview<'a> {
    flags: &'a str,
    valued: &'a str,
    hyphens: HyphenStyle,
    passed_on: Option<(&'a str, &'a str)>,
    options: Vec<String>,
    /// Words that follow an option. A program for which the value is optional takes such a
    /// word for an operand, so each is checked as one.
    values: Vec<String>,
    operands: Vec<String>,
    /// Names that ignored files have to be looked into.
    globs: Vec<String>,
}

impl<'a> ArgumentReview<'a> {
    fn new(command: &ReviewedCommand) -> ArgumentReview<'static> {
        ArgumentReview {
            flags: command.flags,
            valued: command.valued,
            hyphens: command.hyphens,
            passed_on: command.passed_on,
            options: Vec::new(),
            values: Vec::new(),
            operands: Vec::new(),
            globs: Vec::new(),
        }
    }

    /// `None` at the first option that is not listed.
    fn read(mut self, arguments: &'a [String]) -> Option<Self> {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                if self.hyphens == HyphenStyle::Words {
                    // For `find` it ends nothing.
                    return None;
                }
                match self.passed_on.take() {
                    // The rest is for the program that is run.
                    Some((flags, valued)) => (self.flags, self.valued) = (flags, valued),
                    None => self.operands.extend(words.by_ref().cloned()),
                }
            } else if word == "-" || !word.starts_with('-') {
                self.operands.push(word.clone());
            } else if self.takes_value(word)? {
                let value = words.next().filter(|it| !it.starts_with('-'))?;
                self.note_glob(value);
                self.values.push(value.clone());
            }
        }
        Some(self)
    }

    /// Whether the option takes the next word; `None` when it is not listed.
    fn takes_value(&mut self, word: &str) -> Option<bool> {
        if is_listed(self.flags, word) {
            self.options.push(word.to_owned());
            return Some(false);
        }
        if is_listed(self.valued, word) {
            self.options.push(word.to_owned());
            return Some(true);
        }
        if let Some((name, value)) = word.split_once('=')
            && (name.starts_with("--") || self.hyphens == HyphenStyle::Words)
        {
            self.options.push(name.to_owned());
            self.note_glob(value);
            return is_listed(self.valued, name).then_some(false);
        }
        let letters = word.strip_prefix('-')?;
        if letters.starts_with('-') || self.hyphens == HyphenStyle::Words {
            return None;
        }
        if letters.chars().all(|letter| letter.is_ascii_digit()) {
            return is_listed(self.flags, "-#").then_some(false);
        }
        self.cluster(letters)
    }

    /// `-nA3`: flags, then perhaps one option with its value.
    fn cluster(&mut self, letters: &str) -> Option<bool> {
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            let option = format!("-{letter}");
            let is_flag = is_listed(self.flags, &option);
            let is_valued = is_listed(self.valued, &option);
            self.options.push(option);
            if is_valued {
                self.note_glob(rest.as_str());
                return Some(rest.as_str().is_empty());
            }
            if !is_flag {
                return None;
            }
        }
        Some(false)
    }

    /// Notes what the last option was given, when that is a glob.
    fn note_glob(&mut self, value: &str) {
        let is_glob = self
            .options
            .last()
            .is_some_and(|it| GLOB_OPTIONS.contains(&it.as_str()));
        if is_glob && !value.is_empty() {
            self.globs.push(value.to_owned());
        }
    }

    /// Whether all operands are what the command may look at.
    fn fit(&self, command: &ReviewedCommand, scope: &ToolScope) -> bool {
        let operands = self.operands.as_slice();
        let files = match command.operands {
            OperandRule::None => return operands.is_empty(),
            OperandRule::Text | OperandRule::Names => return true,
            OperandRule::Files | OperandRule::Revisions => operands,
            OperandRule::PatternThenFiles | OperandRule::PatternThenRevisions => {
                let has_pattern = self.has_option(&PATTERN_OPTIONS);
                let skipped = usize::from(!has_pattern && !self.has_option(&["--files"]));
                operands.get(skipped..).unwrap_or_default()
            }
        };
        let is_of_repository = matches!(
            command.operands,
            OperandRule::Revisions | OperandRule::PatternThenRevisions
        );
        files.iter().chain(&self.values).all(|file| {
            let inner = file.rsplit_once(':').map(|(_, path)| path);
            may_look_at(file, scope)
                && (!is_of_repository
                    || inner.is_none_or(|it| it.is_empty() || may_look_at(it, scope)))
        }) && self.finds_no_secrets(command, files, scope)
    }

    fn has_option(&self, wanted: &[&str]) -> bool {
        self.options.iter().any(|it| wanted.contains(&it.as_str()))
    }

    /// A search that goes through folders does not come by a file that asks before it is read.
    fn finds_no_secrets(
        &self,
        command: &ReviewedCommand,
        files: &[String],
        scope: &ToolScope,
    ) -> bool {
        let (is_recursive, with_ignored) = match command.name {
            "grep" => (self.has_option(&["-r", "--recursive"]), true),
            // Of two folders it shows the files.
            "diff" => (true, true),
            "rg" => (
                true,
                self.has_option(&WIDE_OPTIONS) || !is_in_working_tree(scope),
            ),
            "git grep" => (true, false),
            _ => (false, false),
        };
        if !is_recursive {
            return true;
        }
        if !self
            .globs
            .iter()
            .all(|glob| glob.starts_with('!') || is_source_glob(glob))
        {
            return false;
        }
        let here = [".".to_owned()];
        let roots = if files.is_empty() { &here } else { files };
        roots.iter().all(|root| {
            // What does not exist is a revision, or finds nothing.
            resolve(root, scope)
                .is_ok_and(|root| has_no_secrets(&root.absolute, with_ignored, scope))
        })
    }
}

fn is_listed(list: &str, option: &str) -> bool {
    list.split(' ').any(|it| it == option)
}

/// Without a repository ripgrep does not know what git would ignore.
fn is_in_working_tree(scope: &ToolScope) -> bool {
    let mut folders = scope.cwd.ancestors();
    folders.any(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// Whether a file may be looked at without a question.
fn may_look_at(raw: &str, scope: &ToolScope) -> bool {
    resolve(raw, scope)
        .is_ok_and(|path| !path.is_outside && path.cautions_for_reading(scope).is_empty())
}

fn has_no_secrets(root: &Path, with_ignored: bool, scope: &ToolScope) -> bool {
    let mut walked = 0;
    for entry in walker(root, with_ignored, scope).build().flatten() {
        walked += 1;
        if walked > MAX_WALKED || holds_secrets(entry.path()) {
            return false;
        }
    }
    // What the walk leaves out is this program's own; another program would find it.
    !scope.sealed.is_below(root)
}
