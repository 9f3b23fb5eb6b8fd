//! What was run: files that were changed, commands with their outcome, tests that failed.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use crate::context::appendix::{self, FileUse};
use crate::context::redact;
use crate::transcript::{EntryId, Message, ToolCall};

use super::branch::SaidMessage;
use super::carried::{CarriedText, Kept, folded, has_whole};
use super::names;

/// Commands that count: the newest.
const MAX_COMMANDS: usize = 12;
/// Failing tests of one run that count.
const MAX_TESTS: usize = 5;
/// Only so many bytes of a result are read for failing tests, from its end.
const READ_BYTES: usize = 200_000;
/// Commands that only look, or prepare: nobody needs to know that they ran.
const LOOKS: [&str; 24] = [
    "ls",
    "cat",
    "head",
    "tail",
    "grep",
    "rg",
    "find",
    "sed -n",
    "wc",
    "which",
    "tree",
    "pwd",
    "echo",
    "cd",
    "git status",
    "git log",
    "git diff",
    "git show",
    "git branch",
    "stat",
    "file",
    "du",
    "sleep",
    "true",
];
/// Pieces of words that say that something was changed.
const CHANGED: [&str; 20] = [
    "modif",
    "chang",
    "edit",
    "creat",
    "wrote",
    "writ",
    "add",
    "updat",
    "fix",
    "implement",
    "refactor",
    "renam",
    "mov",
    "delet",
    "remov",
    "patch",
    "port",
    "rewr",
    "replac",
    "geänder",
];
/// Pieces of words that say that something failed.
const FAILED: [&str; 10] = [
    "fail", "error", "exit", "broke", "panic", "crash", "not pass", "✗", "❌", "fehl",
];

/// A fact of the log, where it is from, and whether it is in the carried text.
pub(super) struct RunFact {
    pub text: String,
    pub kind: &'static str,
    pub entry: EntryId,
    /// What a summary has to name.
    subject: String,
    /// What it has to say of it.
    said: FactWords,
}

/// What a summary has to say besides the subject.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FactWords {
    Changed,
    Failed,
    Nothing,
}

impl FactWords {
    fn are_in(self, line: &str, heading: &str) -> bool {
        let cues: &[&str] = match self {
            Self::Changed => &CHANGED,
            Self::Failed => &FAILED,
            Self::Nothing => return true,
        };
        cues.iter()
            .any(|cue| line.contains(cue) || heading.contains(cue))
    }
}

impl RunFact {
    /// Whether a summary says it.
    pub(super) fn in_text(&self, carried: &CarriedText) -> Kept {
        let whole = folded(&self.subject);
        let is_said = |piece: &str| {
            carried
                .lines_with(piece)
                .any(|(line, heading)| self.said.are_in(line, heading))
        };
        if is_said(&whole) {
            return Kept::Verbatim;
        }
        let is_reworded = match self.kind {
            "command" => self.words_are_in(carried),
            "test" => is_said(whole.rsplit("::").next().unwrap_or(&whole)),
            _ => is_said(names::last_segment(&whole)),
        };
        if is_reworded {
            Kept::Reworded
        } else {
            Kept::No
        }
    }

    /// All words of a command but its flags, in one line.
    fn words_are_in(&self, carried: &CarriedText) -> bool {
        let whole = folded(&self.subject);
        let words = whole.split(' ').filter(|word| {
            word.starts_with(char::is_alphanumeric) || word.starts_with(['.', '/', '~'])
        });
        let words: Vec<&str> = words.collect();
        let Some(first) = words.first() else {
            return false;
        };
        words.len() > 1
            && carried.lines_with(first).any(|(line, heading)| {
                words.iter().all(|word| has_whole(line, word)) && self.said.are_in(line, heading)
            })
    }
}

/// The facts of all runs, in the order of the log.
#[derive(Default)]
pub(super) struct RunFacts {
    pub files: Vec<RunFact>,
    pub commands: Vec<RunFact>,
    pub tests: Vec<RunFact>,
}

/// A command that ran last with this outcome.
struct RanCommand {
    at: usize,
    entry: EntryId,
    has_failed: bool,
}

/// Collects what was run.
#[derive(Default)]
struct RunReader<'a> {
    /// Calls without a result so far.
    open: HashMap<&'a str, &'a ToolCall>,
    files: BTreeMap<String, EntryId>,
    commands: BTreeMap<String, RanCommand>,
    tests: Vec<RunFact>,
}

impl<'a> RunReader<'a> {
    fn read(&mut self, at: usize, said: &'a SaidMessage) {
        match said.message.as_ref() {
            Message::Assistant(assistant) => {
                let calls = assistant.tool_calls();
                self.open = calls.map(|call| (call.id.as_str(), call)).collect();
            }
            Message::ToolResult(result) => {
                let Some(call) = self.open.remove(result.call_id.as_str()) else {
                    return;
                };
                let subject = appendix::subject_of(call);
                if subject.is_command {
                    self.ran(at, said, &subject.text, result.is_error);
                    self.see_tests(&result.text(), said);
                }
                if !result.is_error {
                    self.changed(call, said);
                }
            }
            Message::BashExecution(run) => {
                let command = appendix::shown(&run.command);
                self.ran(at, said, &command, run.exit_code != Some(0));
                self.see_tests(&run.output, said);
            }
            Message::User(_) => {}
        }
    }

    fn ran(&mut self, at: usize, said: &SaidMessage, command: &str, has_failed: bool) {
        if let Some(command) = worth_knowing(command) {
            let ran = RanCommand {
                at,
                entry: said.entry.clone(),
                has_failed,
            };
            self.commands.insert(command, ran);
        }
    }

    fn see_tests(&mut self, output: &str, said: &SaidMessage) {
        let failing = failing_tests(output, &said.entry);
        if !failing.is_empty() {
            self.tests = failing;
        }
    }

    fn changed(&mut self, call: &ToolCall, said: &SaidMessage) {
        for (file_use, path) in appendix::files_of(call) {
            if file_use == FileUse::Modify {
                self.files.insert(path.to_owned(), said.entry.clone());
            }
        }
    }
}

/// Reads what was run in these messages, oldest first.
pub(super) fn facts(messages: &[SaidMessage]) -> RunFacts {
    let mut reader = RunReader::default();
    for (at, said) in messages.iter().enumerate() {
        reader.read(at, said);
    }
    let files = reader.files.into_iter();
    RunFacts {
        files: files.map(|(path, entry)| changed(path, entry)).collect(),
        commands: newest(reader.commands),
        tests: reader.tests,
    }
}

fn changed(path: String, entry: EntryId) -> RunFact {
    RunFact {
        text: format!("{path} (changed)"),
        kind: "file",
        entry,
        subject: path,
        said: FactWords::Changed,
    }
}

fn newest(commands: BTreeMap<String, RanCommand>) -> Vec<RunFact> {
    let mut all: Vec<(String, RanCommand)> = commands.into_iter().collect();
    all.sort_by_key(|(_, ran)| ran.at);
    let surplus = all.len().saturating_sub(MAX_COMMANDS);
    all.drain(..surplus);
    let fact = |(command, ran): (String, RanCommand)| RunFact {
        text: format!(
            "{command} ({})",
            if ran.has_failed { "failed" } else { "worked" }
        ),
        kind: "command",
        entry: ran.entry,
        subject: command,
        said: if ran.has_failed {
            FactWords::Failed
        } else {
            FactWords::Nothing
        },
    };
    all.into_iter().map(fact).collect()
}

/// A command without what prepares it; `None` where it only looks.
fn worth_knowing(command: &str) -> Option<String> {
    let mut command = command.trim();
    while let Some((first, rest)) = command.split_once("&&")
        && ["cd ", "export ", "source "]
            .iter()
            .any(|it| first.trim_start().starts_with(it))
    {
        command = rest.trim();
    }
    let looks = LOOKS.iter().any(|look| {
        command
            .strip_prefix(look)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    let is_clean = redact::find(command).is_empty();
    (!command.is_empty() && !looks && is_clean).then(|| command.to_owned())
}

/// How test runners name a test that failed.
static FAILING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?m)^(?:test (\S+) \.\.\. FAILED|FAILED (\S+)|\s*--- FAIL: (\S+)|FAIL:? +(\S+)|not ok \d+ -? ?(\S+))",
    )
    .ok()
});

fn failing_tests(output: &str, entry: &EntryId) -> Vec<RunFact> {
    let mut from = output.len().saturating_sub(READ_BYTES);
    while !output.is_char_boundary(from) {
        from += 1;
    }
    let output = output.get(from..).unwrap_or_default();
    let mut out: Vec<RunFact> = Vec::new();
    for found in FAILING.iter().flat_map(|it| it.captures_iter(output)) {
        let Some(name) = found.iter().skip(1).flatten().next() else {
            continue;
        };
        let name = name.as_str().trim_end_matches([':', ',']);
        if name.len() < 3 || out.iter().any(|fact| fact.subject == name) {
            continue;
        }
        out.push(RunFact {
            text: format!("{name} failed"),
            kind: "test",
            entry: entry.clone(),
            subject: name.to_owned(),
            said: FactWords::Nothing,
        });
        if out.len() == MAX_TESTS {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_tests_of_several_runners_are_found() {
        let entry = EntryId::new("e");
        let output = "running 3 tests\ntest a::b ... ok\ntest a::reads_nothing ... FAILED\n\
                      FAILED tests/test_x.py::test_y - assert 1\n--- FAIL: TestFoo (0.00s)\n\
                      FAIL  src/x.test.ts\nthe test FAILED x\n";
        let found = failing_tests(output, &entry);
        let found: Vec<&str> = found.iter().map(|it| it.subject.as_str()).collect();
        let expected = [
            "a::reads_nothing",
            "tests/test_x.py::test_y",
            "TestFoo",
            "src/x.test.ts",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn commands_that_only_look_are_not_worth_knowing() {
        assert_eq!(
            worth_knowing("cd x && cargo test").as_deref(),
            Some("cargo test")
        );
        for look in ["ls", "ls -la", "git status", "cd x", "cat a.rs", ""] {
            assert_eq!(worth_knowing(look), None, "{look}");
        }
        assert!(worth_knowing("lsof -i").is_some());
    }

    #[test]
    fn a_changed_file_must_be_said_to_have_changed() {
        let fact = changed("src/parser/lexer.rs".to_owned(), EntryId::new("e"));
        for (text, expected) in [
            ("- changed `src/parser/lexer.rs`", Kept::Verbatim),
            (
                "<modified-files>\nsrc/parser/lexer.rs\n</modified-files>",
                Kept::Verbatim,
            ),
            ("## Files\n- lexer.rs: rewrote the loop", Kept::Reworded),
            ("## Files\n- src/parser/lexer.rs (read)", Kept::No),
            ("nothing", Kept::No),
        ] {
            assert_eq!(fact.in_text(&CarriedText::of(text)), expected, "{text}");
        }
    }
}
