//! `Pytest passed`, `worker-2 was restarted`, `the push failed`: held against the newest call
//! that did it. A claim that the calls do not speak of is left to others.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{folded_text, tail_of, word_hash};
use crate::context::grounding::index::{OutputTally, SourceCall, SourceIndex, TextOrigin};

use super::super::reader::{Finding, LineReader};
use super::commands::{ended_well, is_command};
use super::is_open;
use super::operations::{OPERATION_CUES, OperationCues};

/// It came to a good end, folded.
static GOOD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let done = "restarted|stopped|tagged|pushed|cloned|committed|merged|deployed|published|uploaded|installed|dropped|counted|queried|retrieved|logged in|built|compiled|created|migrated";
    let words = format!(
        "pass|passes|passed|passing|succeeds?|succeeded|successful(?:ly)?|green|clean(?:ly)?|went through|ran (?:fine|through|ok)|runs? (?:fine|through|ok|cleanly)\
        |works|worked|completed|finished without|no (?:\\w+ )?(?:warnings?|errors?|issues?|failures?)|without (?:any )?(?:warnings?|errors?|issues?|failures?)\
        |(?:was|were|is|are|been|has|have|now|then|successfully|i|we|assistant|agent) (?:{done})|^\\W*(?:\\[x\\] )?(?:{done})\
        |erfolgreich|grun|lief(?:en)? durch|bestanden|fehlerfrei|gelungen|reussi\\w*|passent|passe|verts?|avec succes|sans erreur\
        |con exito|exitosa\\w*|pasan|pasaron|verdes?|correctamente|com sucesso|passaram|passam|funcionou|con successo|riuscit\\w*|passano|geslaagd|gelukt|slagen\
        |powiodl\\w*|przeszl\\w*|pomyslnie|успешно|прошл[аи]?|прошел|basarili\\w*|gecti"
    );
    Regex::new(&format!(r"\b(?:{words})\b|成功|通过|合格|성공|통과")).ok()
});

/// It came to a bad end, folded.
static BAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "fail|fails|failed|failing|failure|broke|broken|red|crashed|rejected|refused|errored|errors out|timed out\
        |(?:reports?|reported|shows?|has|have) (?:an? |some |\\d+ )?errors?|schlagen fehl|schlug fehl|fehlgeschlagen|gescheitert|scheitert\\w*\
        |echoue\\w*|en echec|fallan|fallaron|fallo|falharam|falhou|fallit\\w*|falliscono|mislukt\\w*|faalt|nie powiodl\\w*|упал[аи]?|провал\\w*|не прош\\w+|basarisiz";
    Regex::new(&format!(r"\b(?:{words})\b|失败|失敗|실패")).ok()
});

/// It is so now, folded.
static STILL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "still|now|currently|remains?|immer noch|noch|jetzt|toujours|encore|todavia|aun|ainda|ancora|nog|nadal|все еще|hala";
    Regex::new(&format!(r"\b(?:{words})\b|仍|まだ|아직")).ok()
});

/// It was so then, folded.
static FORMER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "before|earlier|initial\\w*|previously|at first|first|originally|until|used to|baseline|once|after|then|later|again|eventually|second|third|retry\
        |vorher|zuvor|anfangs|zunachst|erst|dann|danach|spater|avant|auparavant|d'abord|ensuite|puis|apres|antes|primero|luego|despues|primeiro|depois|prima|poi|dopo\
        |eerst|daarna|najpierw|potem|раньше|сначала|потом|затем|once";
    Regex::new(&format!(
        r"\b(?:{words})\b|之前|以前|先|然后|后来|最初|その後|이전|나중"
    ))
    .ok()
});

/// No warnings, folded.
static NO_WARNINGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:no|without|zero|free of|0|ohne|keine|sans|aucun|sin|sem|senza|geen|bez)\b (?:\w+ ){0,2}?(?:warnings?|warnungen|avertissements?|advertencias|avisos|avvisi|waarschuwingen)\b").ok()
});
/// Warnings that an output counts, in lower case.
static WARNINGS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b[1-9]\d*\s+warnings?\b|^warning:").ok());

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Good,
    Bad,
    /// It says both, or nothing.
    Unclear,
}

/// A call that does an operation.
struct OperationCall<'a> {
    call: &'a SourceCall,
    /// Its command line and the words of its output, in lower case.
    command: String,
    output: String,
    ending: Ending,
}

impl OperationCall<'_> {
    /// Whether what refused in the output names something, but not this.
    fn refuses_another_than(&self, name: &str) -> bool {
        let Some(cue) = REFUSES.as_ref().filter(|_| self.ending == Ending::Bad) else {
            return false;
        };
        let mut refused = self
            .output
            .lines()
            .filter(|line| cue.is_match(line))
            .peekable();
        has_word(&self.command, name)
            && refused.peek().is_some()
            && refused.all(|line| {
                let others = self.command.split_whitespace().skip(1);
                let mut others = others.filter(|word| word.len() > 2 && *word != name);
                !has_word(line, name) && others.any(|word| has_word(line, word))
            })
    }
}

/// Of an output, bytes that are read.
const OUTPUT_BYTES: usize = 8_000;

pub(super) fn read(reader: &mut LineReader<'_>, clause: &Range<usize>) {
    if reader.index.calls().is_empty() {
        return;
    }
    let told = reader.text().get(clause.clone()).unwrap_or_default();
    let folded = folded_text(told);
    let find = |cue: &LazyLock<Option<Regex>>| {
        cue.as_ref()
            .and_then(|cue| cue.find(&folded))
            .map(|at| at.range())
    };
    let (good, bad) = (find(&GOOD), find(&BAD));
    let (is_good, at) = match (good, bad) {
        (Some(at), None) => (true, at),
        (None, Some(at)) => (false, at),
        _ => return,
    };
    let has = |cue: &LazyLock<Option<Regex>>| cue.as_ref().is_some_and(|cue| cue.is_match(&folded));
    if has(&FORMER) || is_open(&folded, &at) {
        return;
    }
    if let Some(span) = never_run(reader, clause) {
        reader.note(span, ClaimClass::Effect, Finding::Nowhere);
        return;
    }
    let is_told = |cue: &&OperationCues| cue.told.as_ref().is_some_and(|cue| cue.is_match(&folded));
    for operation in OPERATION_CUES.iter().filter(is_told) {
        let calls = calls_of(reader.index, operation);
        let claim = OutcomeClaim {
            is_good,
            is_still: has(&STILL),
            told,
            folded: &folded,
        };
        if claim.is_contradicted(reader.index, &calls) {
            reader.note(clause.clone(), ClaimClass::DoneAction, Finding::Nowhere);
            return;
        }
    }
}

/// Programs that check something: who says how they ended says that they ran.
const CHECKERS: &[&str] = &[
    "clippy",
    "cypress",
    "eslint",
    "flake8",
    "jest",
    "mypy",
    "phpunit",
    "playwright",
    "prettier",
    "pylint",
    "pyright",
    "pytest",
    "rspec",
    "rubocop",
    "ruff",
    "shellcheck",
    "tox",
    "tsc",
    "vitest",
    "npm",
    "pnpm",
    "yarn",
    "cargo",
    "gradle",
    "mvn",
];

/// A program that a clause says came to an end, of which nothing but answers speaks.
fn never_run(reader: &LineReader<'_>, clause: &Range<usize>) -> Option<Range<usize>> {
    let told = reader.text().get(clause.clone())?;
    let words = told
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut names = words.filter(|word| CHECKERS.contains(&word.to_lowercase().as_str()));
    let name = names.find(|word| {
        let hash = word_hash(&word.to_lowercase());
        let mut places = reader.index.places(hash).take(MAX_PLACES);
        !places.any(|place| speaks_of_a_run(reader.index, place))
    })?;
    Some(reader.span_of(name))
}

/// Occurrences of the name of a program that are read.
const MAX_PLACES: usize = 200;
/// Bytes around it.
const LINE_BYTES: usize = 300;

/// Whether a place is in a command, in an output, or in words of a person that tell an end.
fn speaks_of_a_run(index: &SourceIndex<'_>, place: usize) -> bool {
    let origin = index.text_at(place).map(|text| text.origin);
    match origin {
        Some(TextOrigin::Argument | TextOrigin::Output) => true,
        Some(TextOrigin::Person | TextOrigin::Standing) => {
            let folded = folded_text(index.line_at(place, LINE_BYTES));
            [&GOOD, &BAD]
                .iter()
                .any(|cue| cue.as_ref().is_some_and(|cue| cue.is_match(&folded)))
        }
        _ => false,
    }
}

/// The calls that do an operation, oldest first.
fn calls_of<'a>(index: &'a SourceIndex<'_>, operation: &OperationCues) -> Vec<OperationCall<'a>> {
    let calls = index.calls().iter().filter(|call| call.has_ended);
    let found = calls.filter_map(|call| {
        let command = command_of(index, call)?;
        let does = operation
            .command
            .as_ref()
            .is_some_and(|cue| cue.is_match(&command));
        does.then(|| {
            let output = output_of(index, call);
            let ending = ending_of(index, call, &command, &output, operation.is_check);
            OperationCall {
                call,
                command,
                output,
                ending,
            }
        })
    });
    found.collect()
}

/// The command line of a call of a shell, in lower case.
pub(super) fn command_of(index: &SourceIndex<'_>, call: &SourceCall) -> Option<String> {
    /// A longer argument is a script.
    const MAX_BYTES: usize = 600;
    let line = super::commands::command_line(index, call);
    (call.is_shell() && line.len() <= MAX_BYTES).then(|| line.to_lowercase())
}

pub(super) fn output_of(index: &SourceIndex<'_>, call: &SourceCall) -> String {
    let text = call.output.and_then(|number| index.text(number));
    let text = text.map_or("", |text| text.text.as_ref());
    tail_of(text, OUTPUT_BYTES).to_lowercase()
}

/// Words of an output that refuse, in lower case.
static REFUSES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*(?:fatal|error|err!)\b[:\s]|\b(?:rejected|permission denied|connection refused|could not|cannot|failed to|no such|already exists|not found)\b|\berror:").ok()
});

fn ending_of(
    index: &SourceIndex<'_>,
    call: &SourceCall,
    command: &str,
    output: &str,
    is_check: bool,
) -> Ending {
    let went_well = ended_well(index, call);
    let tally = OutputTally::of(output).filter(|tally| tally.runs > 0);
    let refuses = REFUSES.as_ref().is_some_and(|cue| cue.is_match(output));
    // Of a chain, nobody knows which part failed.
    let is_alone = !super::commands::own_part(command).contains(['&', '|', ';', '\n']);
    match tally {
        Some(tally) if is_check && tally.bad_runs > 0 => Ending::Bad,
        Some(_) if is_check && went_well => Ending::Good,
        Some(_) if is_check => Ending::Unclear,
        _ if went_well && !refuses => Ending::Good,
        _ if went_well => Ending::Unclear,
        _ if is_alone && (is_check || refuses) => Ending::Bad,
        _ => Ending::Unclear,
    }
}

/// What a clause says of the end of an operation.
struct OutcomeClaim<'a> {
    is_good: bool,
    is_still: bool,
    told: &'a str,
    /// The same, folded.
    folded: &'a str,
}

impl OutcomeClaim<'_> {
    /// Words of the clause that tell one call from another: names of programs, of tests and of
    /// machines, kinds of tests.
    fn names(&self, calls: &[OperationCall<'_>]) -> BTreeSet<String> {
        let words = self
            .told
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/')));
        let words = words.map(|word| word.trim_matches(['.', ':', '-', '/']).to_lowercase());
        let in_some = |word: &String| {
            let mut hits = calls.iter().filter(|call| has_word(&call.command, word));
            let count = hits.by_ref().count();
            count > 0 && count < calls.len()
        };
        let is_name = |word: &String| {
            let has_sign = word.contains(['_', '-', '.', ':', '/']);
            has_sign
                && word.contains(|c: char| c.is_ascii_digit() || c == '_' || c == '/' || c == ':')
        };
        words
            .filter(|word| word.len() > 2 && (in_some(word) || is_name(word) || is_command(word)))
            .collect()
    }

    /// Whether it tells a part, and the outputs have its numbers: `15 of 16 tests pass`.
    fn is_tallied(&self, calls: &[&OperationCall<'_>]) -> bool {
        let words = self
            .told
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')'));
        let numbers = words.map(|word| word.trim_end_matches(['.', ';', ':']));
        let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit());
        let mut numbers = numbers.filter(is_number).peekable();
        let is_all = [
            "all", "both", "every", "alle", "todos", "todas", "tous", "tutti",
        ];
        !is_all.iter().any(|word| has_word(self.folded, word))
            && numbers.peek().is_some()
            && numbers.all(|number| calls.iter().any(|call| has_word(&call.output, number)))
    }

    fn is_contradicted(&self, index: &SourceIndex<'_>, calls: &[OperationCall<'_>]) -> bool {
        if self.is_of_more_than_ran(calls) || self.is_warned(calls) {
            return true;
        }
        let names = self.names(calls);
        if names.is_empty() && self.is_of_all() && has_a_failing_kind(index, calls) {
            return true;
        }
        if names.is_empty() {
            let all: Vec<&OperationCall<'_>> = calls.iter().collect();
            return self.is_contradicted_by(index, &all);
        }
        names.iter().any(|name| {
            let runs: Vec<&OperationCall<'_>> = calls
                .iter()
                .filter(|call| has_word(&call.command, name) || has_word(&call.output, name))
                .collect();
            !runs.iter().any(|call| call.refuses_another_than(name))
                && self.is_contradicted_by(index, &runs)
        })
    }

    fn is_of_all(&self) -> bool {
        let words = [
            "all",
            "both",
            "every",
            "alle",
            "tous",
            "todos",
            "todas",
            "tutti",
            "wszystkie",
            "все",
        ];
        self.is_good && words.iter().any(|word| has_word(self.folded, word))
    }

    /// Whether it speaks of the whole suite, and each run of tests was of a part.
    fn is_of_more_than_ran(&self, calls: &[OperationCall<'_>]) -> bool {
        let is_whole = ["full", "whole", "entire", "complete"]
            .iter()
            .any(|word| has_word(self.folded, word));
        let is_suite = has_word(self.folded, "suite") || has_word(self.folded, "tests");
        let is_part =
            |call: &OperationCall<'_>| call.command.contains("::") || call.command.contains(" -k ");
        self.is_good && is_whole && is_suite && !calls.is_empty() && calls.iter().all(is_part)
    }

    /// Whether it denies warnings that the newest run counts.
    fn is_warned(&self, calls: &[OperationCall<'_>]) -> bool {
        let denies = NO_WARNINGS
            .as_ref()
            .is_some_and(|cue| cue.is_match(self.folded));
        let counts = |call: &OperationCall<'_>| {
            WARNINGS
                .as_ref()
                .is_some_and(|cue| cue.is_match(&call.output))
        };
        let names = self.names(calls);
        let mut runs = calls.iter().rev().filter(|call| {
            names.is_empty() || names.iter().any(|name| has_word(&call.command, name))
        });
        denies && runs.next().is_some_and(counts)
    }

    fn is_contradicted_by(&self, index: &SourceIndex<'_>, calls: &[&OperationCall<'_>]) -> bool {
        let Some(newest) = calls.last() else {
            return false;
        };
        if self.is_tallied(calls) || calls.iter().any(|call| call.ending == Ending::Unclear) {
            return false;
        }
        let is_wrong = if self.is_good {
            let never_worked = || calls.iter().all(|call| call.ending == Ending::Bad);
            newest.ending == Ending::Bad && (self.is_still || self.is_present() || never_worked())
        } else if self.is_still {
            newest.ending == Ending::Good
        } else {
            calls.iter().all(|call| call.ending == Ending::Good)
        };
        is_wrong && !is_settled_later(index, newest)
    }

    /// `Pass`, `is green`: as things are.
    fn is_present(&self) -> bool {
        [
            "pass", "passes", "green", "clean", "works", "compiles", "builds", "grun", "verts",
            "passent", "pasan", "passam", "通过",
        ]
        .iter()
        .any(|word| has_word(self.folded, word))
    }
}

/// Whether the newest run of one kind of command failed, and no wider run of it came after.
fn has_a_failing_kind(index: &SourceIndex<'_>, calls: &[OperationCall<'_>]) -> bool {
    let is_clear = calls.iter().all(|call| call.ending != Ending::Unclear);
    is_clear
        && calls.iter().enumerate().any(|(number, call)| {
            let kind = kind_of(&call.command);
            let mut later = calls.iter().skip(number + 1);
            call.ending == Ending::Bad
                && !later.any(|later| kind.starts_with(&kind_of(&later.command)))
                && !is_settled_later(index, call)
        })
}

/// A command up to its first option or path: `pytest tests/auth -q` is a `pytest`.
fn kind_of(command: &str) -> String {
    let words = super::commands::own_part(command).split_whitespace();
    let words = words.take_while(|word| !word.starts_with('-') && !word.contains(['/', '=']));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a text has a word as a whole, not as a part of a longer name.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text
            .get(at + word.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

/// Whether something after a call may have changed its end: an edit or another command that
/// worked, or a person's word.
fn is_settled_later(index: &SourceIndex<'_>, newest: &OperationCall<'_>) -> bool {
    let is_later = |call: &&SourceCall| call.message > newest.call.message && call.has_worked;
    let acts = |call: &SourceCall| {
        command_of(index, call).is_none_or(|command| {
            let first = command.split_whitespace().next().unwrap_or_default();
            let shares = command
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word.len() > 3 && has_word(&newest.command, word));
            shares && !["cat", "ls", "grep", "rg", "head", "tail", "git"].contains(&first)
        })
    };
    let is_changed =
        newest.ending == Ending::Bad && index.calls().iter().filter(is_later).any(acts);
    let is_told = index.texts().any(|text| {
        let is_after = text
            .message
            .is_some_and(|message| message > newest.call.message);
        text.origin == TextOrigin::Person && is_after && {
            let folded = folded_text(&text.text);
            GOOD.as_ref().is_some_and(|cue| cue.is_match(&folded))
                || BAD.as_ref().is_some_and(|cue| cue.is_match(&folded))
        }
    });
    is_changed || is_told
}
