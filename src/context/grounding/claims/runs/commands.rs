//! Commands that are said to have succeeded: a call ran them and came to a good end.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::tail_of;
use crate::context::grounding::index::{SourceCall, SourceIndex, TextOrigin};

use super::super::reader::{Finding, LineReader};
use super::{is_open, without_code};

/// Programs that a person runs; else a span of code is a name.
const PROGRAMS: &[&str] = &[
    "ansible",
    "ansible-playbook",
    "apt",
    "apt-get",
    "bash",
    "black",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "clippy",
    "cmake",
    "composer",
    "ctest",
    "curl",
    "deno",
    "docker",
    "dotnet",
    "eslint",
    "flake8",
    "flutter",
    "gcc",
    "gh",
    "git",
    "go",
    "gradle",
    "gradlew",
    "helm",
    "java",
    "javac",
    "jest",
    "just",
    "kubectl",
    "make",
    "mix",
    "mvn",
    "mypy",
    "ninja",
    "node",
    "npm",
    "npx",
    "php",
    "phpunit",
    "pip",
    "pip3",
    "pnpm",
    "poetry",
    "prettier",
    "psql",
    "pytest",
    "python",
    "python3",
    "rake",
    "rspec",
    "rsync",
    "ruby",
    "ruff",
    "rustc",
    "rustfmt",
    "rustup",
    "scp",
    "sh",
    "sqlite3",
    "ssh",
    "swift",
    "systemctl",
    "terraform",
    "tox",
    "tsc",
    "uv",
    "vitest",
    "yarn",
];

/// A good end, folded, by language.
static WELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let spaced = "succeeds?|succeeded|successful|successfully|passe[sd]|passing|is green|worked|works\
        |ran (?:fine|cleanly|clean|through|ok)|runs (?:fine|cleanly|clean|through|ok)\
        |(?:exited|exits) (?:with )?(?:code |status )?0|completed|is clean|came back clean\
        |erfolgreich|gelang|gelungen|lief (?:sauber |fehlerfrei )?durch|fehlerfrei|lauft durch\
        |reussi|avec succes|a fonctionne|sans erreur|con exito|exitosamente|correctamente|paso sin\
        |funciono|com sucesso|funcionou|con successo|riuscito|ha funzionato|succesvol|geslaagd|gelukt\
        |pomyslnie|powiodlo sie|udalo sie|успешно|удалось|прошл[ао]|basariyla|basarili";
    Regex::new(&format!(r"\b(?:{spaced})\b|成功|通过|正常|성공|통과")).ok()
});

/// Words that say that it came to a bad end, folded.
static BADLY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = r"fail\w*|error\w*|crash\w*|broke|refused|fehlgeschlag\w*|scheiter\w*|fehler|echou\w*\
        |echec|fall[oa]\w*|falhou|fallit\w*|mislukt\w*|niepowodz\w*|ошибк\w*";
    Regex::new(&format!(r"\b(?:{words})\b|失败|失敗|실패")).ok()
});

/// An end that a command reports itself.
static BAD_EXIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\bexit(?:ed)?(?: with)?(?: code| status)?:? ?[1-9]\d*\b").ok()
});

/// Of a text, bytes that are read at its end.
const TAIL_BYTES: usize = 400;

pub(super) fn read(reader: &mut LineReader<'_>, clause: &Range<usize>) {
    let told = reader.text().get(clause.clone()).unwrap_or_default();
    let folded = without_code(told);
    let well = WELL.as_ref().and_then(|cue| cue.find(&folded.text));
    let badly = BADLY.as_ref().and_then(|cue| cue.find(&folded.text));
    let is_bad = badly.is_some();
    let found = badly.or(well);
    let is_both = badly.is_some() && well.is_some();
    let Some(found) = found.filter(|at| !is_both && !is_open(&folded.text, &at.range())) else {
        return;
    };
    if reader.index.calls().is_empty() {
        return;
    }
    let at = folded.original(found.range());
    let span = clause.start + at.start..clause.start + at.end;
    let inside = |code: &&Range<usize>| clause.start <= code.start && code.end <= clause.end;
    let commands: Vec<Range<usize>> = reader.code.iter().filter(inside).cloned().collect();
    for code in commands {
        let command = reader.text().get(code).unwrap_or_default();
        if !is_command(command) {
            continue;
        }
        if is_bad {
            if never_failed(reader.index, command) {
                reader.note(span.clone(), ClaimClass::DoneAction, Finding::Nowhere);
            }
            continue;
        }
        let (class, finding) = end_of(reader.index, command);
        reader.note(span.clone(), class, finding);
        if finding == Finding::Nowhere {
            break;
        }
    }
}

pub(super) fn is_command(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or(first);
    PROGRAMS.binary_search(&name).is_ok()
}

/// What became of a command: said to be done where a call that did nothing else failed, and
/// unknown where none ran it.
fn end_of(index: &SourceIndex<'_>, command: &str) -> (ClaimClass, Finding) {
    let wanted = spaced(command);
    let mut has_failed = false;
    for call in index.calls().iter().rev().filter(|call| call.has_ended) {
        let run = arguments(index, call);
        if !run.contains(&wanted) {
            continue;
        }
        let place = index.first_place(call.arguments.start);
        let is_alone = !own_part(&run).contains(['&', '|', ';']);
        if ended_well(index, call) || !is_alone {
            return (
                ClaimClass::DoneAction,
                place.map_or(Finding::Follows, Finding::At),
            );
        }
        has_failed = true;
    }
    if has_failed {
        return (ClaimClass::DoneAction, Finding::Nowhere);
    }
    let mut others = index
        .texts()
        .filter(|text| !matches!(text.origin, TextOrigin::Answer | TextOrigin::Argument));
    let is_told = others.any(|text| text.text.contains(command.trim()));
    let finding = if is_told {
        Finding::Follows
    } else {
        Finding::Nowhere
    };
    (ClaimClass::Effect, finding)
}

/// Whether a command ran, by itself, and each time came to a good end.
fn never_failed(index: &SourceIndex<'_>, command: &str) -> bool {
    let wanted = spaced(command);
    let runs = index.calls().iter().filter(|call| call.has_ended);
    let mut runs = runs
        .filter(|call| own_part(&command_line(index, call)).trim() == wanted)
        .peekable();
    runs.peek().is_some() && runs.all(|call| ended_well(index, call))
}

pub(super) fn ended_well(index: &SourceIndex<'_>, call: &SourceCall) -> bool {
    let output = call.output.and_then(|number| index.text(number));
    let reports_bad_end = output.is_some_and(|text| {
        let text = text.text.as_ref();
        let tail = tail_of(text, TAIL_BYTES);
        BAD_EXIT.as_ref().is_some_and(|cue| cue.is_match(tail))
    });
    call.has_worked && !reports_bad_end
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a call of a shell runs: the argument that is called so, else the longest.
pub(super) fn command_line(index: &SourceIndex<'_>, call: &SourceCall) -> String {
    let texts: Vec<&str> = index.arguments_of(call).collect();
    let named = texts.windows(2).find_map(|pair| match pair {
        ["command" | "cmd" | "script" | "input", line] => Some(*line),
        _ => None,
    });
    let longest = || texts.iter().copied().max_by_key(|text| text.len());
    spaced(named.or_else(longest).unwrap_or_default())
}

fn arguments(index: &SourceIndex<'_>, call: &SourceCall) -> String {
    let texts: Vec<&str> = index.arguments_of(call).collect();
    spaced(&texts.join(" "))
}

/// A command line without the change of folder before it.
pub(super) fn own_part(run: &str) -> &str {
    match run.split_once("&& ") {
        Some((folder, rest)) if folder.contains("cd ") && !folder.contains('|') => rest,
        _ => run,
    }
}
