//! Commands that only look: they may run without a question, before anybody has said "always".
//!
//! They are reviewed ones of a shorter list, alone or joined by `|`, `&&`, `||`, `;` and line
//! breaks, in a place where their names mean what they usually mean: no program of the project
//! stands in for them, and no configuration of the repository has git run something.

use std::env;
use std::path::{Path, PathBuf};

use super::reviewed::{ReviewedWords, reviewed_words};
use super::reviewed_table::{EXTRA_READERS, READERS, REVIEWED_COMMANDS};
use super::words::plain_words;
use crate::tool::place::path::resolve;
use crate::tool::place::repository::git_folder;
use crate::tool::scope::ToolScope;

/// More parts are not looked at.
const MAX_PARTS: usize = 16;

/// Programs that the shell is itself.
const BUILT_IN: [&str; 1] = ["pwd"];

/// Commands of git that show what tracked files hold.
const CONTENT_COMMANDS: [&str; 5] = ["git blame", "git diff", "git grep", "git log", "git show"];

/// Formats with which git asks another program about signatures.
const SIGNATURE_FORMATS: [&str; 2] = ["%G", "signature"];

/// Variables with which git would use another repository than the one that is looked at.
const GIT_VARIABLES: [&str; 4] = [
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
];

/// Files with which a program of a toolchain runs another one, or fetches it.
const TOOLCHAIN_FILES: [&str; 6] = [
    ".node-version",
    ".nvmrc",
    ".python-version",
    ".tool-versions",
    "rust-toolchain",
    "rust-toolchain.toml",
];

/// Whether a command only looks, at files that need no question.
pub(super) fn is_read_only(command: &str, scope: &ToolScope) -> bool {
    let Some(parts) = parts(command) else {
        return false;
    };
    let is_reader = |part: &&str| only_reads(part, scope);
    !parts.is_empty() && parts.len() <= MAX_PARTS && parts.iter().all(is_reader)
}

/// The commands between `|`, `&&`, `||`, `;` and line breaks that are in no quotes. `None` where
/// a quote is not closed. A part that is not plain otherwise is found out later.
fn parts(command: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut begin, mut quote) = (0, None);
    let mut letters = command.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some(mark), _) if letter == mark => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '|' | '&' | ';' | '\n') => {
                let is_double = matches!(letter, '|' | '&')
                    && letters.next_if(|&(_, next)| next == letter).is_some();
                if letter == '&' && !is_double {
                    return None;
                }
                parts.push(command.get(begin..at)?);
                begin = at + if is_double { 2 } else { 1 };
            }
            (Some(_) | None, _) => {}
        }
    }
    parts.push(command.get(begin..)?);
    // Line breaks and a last `;` leave nothing behind them.
    parts.retain(|part| !part.trim_matches([' ', '\t']).is_empty());
    quote.is_none().then_some(parts)
}

fn only_reads(part: &str, scope: &ToolScope) -> bool {
    let Some(words) = plain_words(part) else {
        return false;
    };
    let reviewed = reviewed_words(&words, REVIEWED_COMMANDS, scope)
        .filter(|it| READERS.contains(&it.command.name))
        .or_else(|| reviewed_words(&words, EXTRA_READERS, scope));
    let Some(reviewed) = reviewed else {
        return false;
    };
    let name = reviewed.command.name;
    let Some(program) = name.split(' ').next() else {
        return false;
    };
    is_what_it_is_called(program, scope)
        && match program {
            "git" if name != "git --version" => git_only_looks(&reviewed, &words, scope),
            "diff" => compares_files(&reviewed.operands, scope),
            _ if name.ends_with("--version") || name == "cargo -V" => {
                has_no_toolchain_of_its_own(scope)
            }
            _ => true,
        }
}

/// Whether the shell would find the usual program under this name: none of the project's.
fn is_what_it_is_called(program: &str, scope: &ToolScope) -> bool {
    if BUILT_IN.contains(&program) {
        return true;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    is_found_outside(program, env::split_paths(&path), scope)
}

fn is_found_outside(
    program: &str,
    folders: impl Iterator<Item = PathBuf>,
    scope: &ToolScope,
) -> bool {
    for folder in folders {
        if !folder.is_absolute() {
            return false;
        }
        let Ok(found) = folder.join(program).canonicalize() else {
            continue;
        };
        let is_own = |place: &PathBuf| {
            place
                .canonicalize()
                .is_ok_and(|place| found.starts_with(&place) || folder.starts_with(&place))
        };
        return !is_own(&scope.cwd) && !scope.extra_dirs.iter().any(is_own);
    }
    false
}

fn git_only_looks(reviewed: &ReviewedWords<'_>, words: &[String], scope: &ToolScope) -> bool {
    let asks_another = |word: &String| SIGNATURE_FORMATS.iter().any(|it| word.contains(it));
    if words.iter().any(asks_another) || GIT_VARIABLES.iter().any(|it| env::var_os(it).is_some()) {
        return false;
    }
    git_folder(&scope.cwd).is_some_and(|git| {
        let shows_content = CONTENT_COMMANDS.contains(&reviewed.command.name);
        git.only_looks() && (!shows_content || git.tracks_no_secrets())
    })
}

/// Whether all operands of `diff` are files: in folders it would follow links.
fn compares_files(operands: &[String], scope: &ToolScope) -> bool {
    operands
        .iter()
        .all(|it| resolve(it, scope).is_ok_and(|path| path.absolute.is_file()))
}

/// Whether no file of the project says which toolchain answers.
fn has_no_toolchain_of_its_own(scope: &ToolScope) -> bool {
    let has_one = |folder: &Path| {
        let mut files = TOOLCHAIN_FILES.iter();
        files.any(|file| folder.join(file).symlink_metadata().is_ok())
    };
    !scope.cwd.ancestors().any(has_one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::test_scope::TestScope;

    #[test]
    fn a_command_is_split_where_no_quotes_are() {
        for (command, expected) in [
            ("ls", Some(vec!["ls"])),
            ("ls | wc -l", Some(vec!["ls ", " wc -l"])),
            ("a && b || c; d", Some(vec!["a ", " b ", " c", " d"])),
            ("a\nb\n", Some(vec!["a", "b"])),
            ("grep 'a | b;c' x", Some(vec!["grep 'a | b;c' x"])),
            ("grep \"a' | b\" x", Some(vec!["grep \"a' | b\" x"])),
            ("a & b", None),
            ("a &", None),
            ("a 'b", None),
            ("", Some(vec![])),
        ] {
            assert_eq!(parts(command), expected, "{command}");
        }
    }

    #[test]
    fn a_program_of_the_project_does_not_pass_for_the_usual_one() {
        let t = TestScope::new();
        t.write("bin/ls", "#!/bin/sh\nid\n");
        let found = |folders: &[PathBuf]| is_found_outside("ls", folders.iter().cloned(), &t.scope);
        let usual = [PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
        assert!(found(&usual));
        assert!(!found(&[vec![t.path("bin")], usual.to_vec()].concat()));
        assert!(!found(
            &[vec![PathBuf::from("bin")], usual.to_vec()].concat()
        ));
        assert!(!found(&[vec![PathBuf::new()], usual.to_vec()].concat()));
        assert!(found(&[vec![t.path("empty")], usual.to_vec()].concat()));
        let link = t.root().join("elsewhere");
        std::os::unix::fs::symlink(t.path("bin"), &link).unwrap();
        assert!(!found(&[link]), "a link into the project");
        assert!(!is_found_outside(
            "no-such-program",
            usual.into_iter(),
            &t.scope
        ));
    }
}
