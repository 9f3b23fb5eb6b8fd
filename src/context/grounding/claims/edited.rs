//! Files that a summary says were changed: a call that does more than look names the file, or
//! somebody tells of the change.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::FoldedLine;
use crate::context::grounding::index::{SourceCall, SourceIndex, TextOrigin};
use crate::context::grounding::languages;
use crate::context::grounding::prose;

use super::counts;
use super::reader::{Finding, LineReader};

/// A file was changed: the first word of a clause, or behind the file or who did it, folded.
static CHANGED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let verbs =
        "edited|modified|rewrote|rewritten|patched|updated|changed|refactored|created|wrote";
    let others = "(?:hat|habe|wurden?) .{0,60}(?:bearbeitet|geandert|umgeschrieben|angelegt|erstellt)\
        |(?:a|ont|ai) (?:ete )?(?:modifie|edite|reecrit|cree)\\w*\
        |(?:se ha|ha|he|fue|fueron|se) ?(?:editado|modificado|reescrito|creado|edito|modifico|reescribio|creo)\
        |(?:foi|foram) (?:editad|modificad|reescrit|criad)\\w+|(?:e stato|sono stati) (?:modificat|riscritt|creat)\\w+";
    Regex::new(&format!(
        r"^(?:(?:i|we|the assistant|assistant|then|also|has|have) ){{0,3}}(?P<v>{verbs})\b|\b(?:was|were|has been|have been) (?P<p>{verbs})\b|\b(?:{others})\b"
    ))
    .ok()
});

/// What tells of a change in words or in the listing of a program, folded.
static TELLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "edited|modified|changed|updated|rewrote|rewritten|patched|refactored|created|wrote\
        |written|added|fixed|removed|replaced|inserted|deleted|renamed|moved|geandert|bearbeitet\
        |erstellt|angelegt|umgeschrieben|modifiee?|creee?|ajoutee?|cambie|cambio|cambiado|editado\
        |modificado|creado|escrito|alterad[oa]|criad[oa]|modificat[oa]|creat[oa]";
    Regex::new(&format!(
        r"\b(?:{words})\b|\| +\d+ [+-]|^ ?[mad]{{1,2}} |[+]{{3}} "
    ))
    .ok()
});
/// Commands that only look, first words.
const LOOKS: [&str; 14] = [
    "cat", "ls", "grep", "rg", "head", "tail", "less", "wc", "find", "tree", "stat", "file", "bat",
    "nl",
];

pub(super) fn read(reader: &mut LineReader<'_>) {
    let line = reader.line;
    if line.is_plan || line.is_rule || line.is_goal || reader.index.calls().is_empty() {
        return;
    }
    let mut found: Vec<(Range<usize>, Finding)> = Vec::new();
    for sentence in prose::sentences(line) {
        for clause in prose::clauses(reader.text(), sentence.clone()) {
            let told = reader.text().get(clause.span.clone()).unwrap_or_default();
            let folded = FoldedLine::of(told);
            let Some(verb) = verb_of(&folded.text) else {
                continue;
            };
            let at = folded.original(verb);
            let span = clause.span.start + at.start..clause.span.start + at.end;
            let within = |claim: &&super::Claim| {
                let is_inside =
                    clause.span.start <= claim.span.start && claim.span.end <= clause.span.end;
                is_inside && claim.class == ClaimClass::Path && claim.is_grounded
            };
            let mut files = reader.claims.iter().filter(within);
            let Some(file) = files.next() else {
                continue;
            };
            found.push((span, witness(reader.index, &file.text)));
        }
    }
    for (span, finding) in found {
        let is_judged = reader.claims.iter().any(|claim| {
            matches!(claim.class, ClaimClass::DoneAction | ClaimClass::Effect)
                && claim.span.start < span.end
                && span.start < claim.span.end
        });
        if !is_judged && !reader.is_in_code(span.start) {
            reader.note(span, ClaimClass::Effect, finding);
        }
    }
}

/// The verb of a folded clause that says that something was changed.
fn verb_of(clause: &str) -> Option<Range<usize>> {
    let groups = CHANGED.as_ref()?.captures(clause)?;
    let verb = groups
        .name("v")
        .or_else(|| groups.name("p"))
        .or_else(|| groups.get(0))?;
    let before = clause.get(..verb.start()).unwrap_or_default();
    (!languages::leave_open(clause, before)).then_some(verb.range())
}

/// Who changed a file, or tells of it.
fn witness(index: &SourceIndex<'_>, path: &str) -> Finding {
    let path = path.trim_matches(['`', '"', '\'']);
    let name = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path);
    let mut calls = index.calls().iter().rev();
    if let Some(call) = calls.find(|call| changes(index, call, name)) {
        let place = index.first_place(call.arguments.start);
        return place.map_or(Finding::Follows, Finding::At);
    }
    let mut told = index.texts().filter(|text| {
        let is_witness = !matches!(text.origin, TextOrigin::Answer | TextOrigin::Argument);
        is_witness && text.text.contains(name)
    });
    let says_so = |line: &str| {
        let folded = FoldedLine::of(line).text;
        TELLS.as_ref().is_some_and(|cue| cue.is_match(&folded))
    };
    let tells = |line: &str| line.contains(name) && says_so(line);
    if told.any(|text| text.text.lines().any(tells)) {
        Finding::Follows
    } else {
        Finding::Nowhere
    }
}

/// Whether a call that does more than look has the file.
fn changes(index: &SourceIndex<'_>, call: &SourceCall, name: &str) -> bool {
    let is_named = index.arguments_of(call).any(|text| text.contains(name));
    let is_command = call.is_shell();
    if !is_named || call.has_ended && !call.has_worked && !is_command {
        return false;
    }
    if !is_command {
        return !counts::is_read_only(&call.tool);
    }
    index.arguments_of(call).any(|text| {
        let mut parts = text.split(['\n', ';', '|', '&']);
        let is_change = |part: &str| {
            let mut words = part.split_whitespace();
            let first = words.next().unwrap_or_default();
            let writes = part.contains('>') || !LOOKS.contains(&first);
            part.contains(name) && writes && !(first == "sed" && part.contains("-n"))
        };
        text.contains(name) && parts.any(is_change)
            // The text of a script names the file on another line than the program.
            || text.contains("<<") && text.contains(name)
    })
}
