//! Who wanted something: what a person said first is not the assistant's idea, and what only
//! answers and results say is not the person's.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::audit::keywords;
use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{self, FoldedLine};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::grounding::prose;

use super::reader::{Finding, LineReader};
use super::tokens;

/// The assistant wanted, proposed or decided something, folded.
const BY_ASSISTANT: &[&str] = &[
    r"\b(?:assistant|agent|model|bot|ai)\b(?: \w+){0,2} (?:proposed|proposes|suggested|insisted|insists|decided|chose|chooses|demanded|demands|wanted|wants|required|requires|set|imposed|requested|promised|forbade|forbids|ruled out|prefers|preferred|asked for|laid down|stipulated)\b",
    r"\b(?:assistent\w*|agent|modell)\b.{0,24}\b(?:vorgeschlagen|schlug|besteht|bestand|entschied|entschieden|wahlte|gewahlt|verlangte?|verlangt|wollte|will|forderte?|fordert|versprach|versprochen|verbot|verboten|festgelegt|legte)\b",
    r"\b(?:assistant|agent|modele)\b.{0,16}\b(?:propose|suggere|insiste|decide|choisi|exige|demande|voulu|impose|promis|interdit)\b",
    r"\b(?:asistente|agente|modelo)\b.{0,16}\b(?:propuso|sugirio|insistio|decidio|eligio|exigio|pidio|quiso|impuso|prometio|prohibio|propuesto|decidido)\b",
    r"\b(?:assistente|agente|modelo)\b.{0,16}\b(?:propos|sugeriu|insistiu|decidiu|escolheu|exigiu|pediu|quis|impos|prometeu|proibiu|proposto|ha proposto|ha deciso|ha scelto|ha chiesto|ha voluto|ha imposto|ha vietato)\b",
    r"\b(?:assistent|agent)\b.{0,24}\b(?:voorgesteld|stelde|stond erop|besloot|besloten|koos|gekozen|eiste|wilde|beloofde|verbood)\b",
    r"\b(?:asystent|agent)\b.{0,16}\b(?:zaproponowal|zasugerowal|nalegal|zdecydowal|wybral|zazadal|chcial|obiecal|zabronil)\w*",
    r"(?:ассистент|агент|модель|помощник)\w*.{0,16}(?:предложил|настоял|решил|выбрал|потребовал|захотел|пообещал|запретил)",
    r"(?:asistan|model)\w*.{0,30}(?:onerdi|israr etti|karar verdi|secti|istedi|talep etti|soz verdi|yasakladi)",
    r"(?:助手|助理|模型).{0,6}(?:提出|建议|坚持|决定|选择|要求|规定|承诺|禁止)",
    r"(?:アシスタント|モデル|エージェント).{0,20}(?:提案|主張|決め|決定|選ん|選択|要求|求め|約束|禁じ)",
    r"(?:어시스턴트|모델|에이전트).{0,20}(?:제안|주장|결정|선택|요구|요청|약속|금지)",
];
/// The assistant gave the person orders, which none does, folded.
const ORDERS_TO_PERSON: &[&str] = &[
    r"\b(?:assistant|agent|model)\b(?: \w+){0,2} (?:told|forbade|forbids|ordered|orders|instructed|commanded|allowed|permitted) the user\b",
    r"\b(?:assistant|agent|model)\b(?: \w+){0,1} asked the user to (?:write|fix|implement|change|build|add|hold|measure|commit|refactor|port|migrate|code)\b",
    r"\b(?:assistent\w*|agent|modell)\b.{0,16}\b(?:verbot|verbietet|befahl|erlaubte|untersagte|wies)\b.{0,12}\b(?:nutzer|benutzer|anwender)\w*",
    r"\b(?:assistant|agent|modele)\b.{0,8}\b(?:interdit|ordonne|permis|autorise)\b.{0,6}\b(?:a l'utilisateur|a l’utilisateur|l'utilisateur)\b",
    r"\b(?:asistente|assistente|agente|modelo)\b.{0,8}\b(?:prohibio|ordeno|proibiu|ordenou|permitio|permitiu|vieto|ordino|ha vietato|ha ordinato)\b.{0,6}\b(?:usuario|utente)\b",
    r"(?:助手|助理|模型)(?:禁止|命令|不准|允许)用户",
];
/// The person found, proposed or decided something, folded.
const BY_PERSON: &[&str] = &[
    r"\buser\b(?: \w+){0,2} (?:proposed|suggested|insisted|decided|chose|demanded|found out|found|discovered|diagnosed|explained|pointed out|noticed|wrote|fixed|implemented|measured)\b",
    r"\b(?:nutzer|benutzer|anwender)\b.{0,24}\b(?:vorgeschlagen|schlug|entschied|entschieden|gefunden|fand|entdeckte?|erklarte?|behoben|geschrieben|gemessen)\b",
    r"\b(?:utilisateur)\b.{0,16}\b(?:propose|suggere|decide|trouve|decouvert|explique|corrige|ecrit|mesure)\b",
    r"\b(?:usuario)\b.{0,16}\b(?:propuso|sugirio|decidio|encontro|descubrio|explico|corrigio|escribio|midio|propos|sugeriu|decidiu|encontrou|descobriu|explicou|corrigiu|escreveu|mediu)\b",
    r"(?:用户).{0,4}(?:提出|建议|发现|查明|修复|编写|测得)",
];

fn cue(patterns: &[&str]) -> Option<Regex> {
    Regex::new(&format!("(?:{})", patterns.join("|"))).ok()
}

static ASSISTANT: LazyLock<Option<Regex>> = LazyLock::new(|| cue(BY_ASSISTANT));
static ORDERS: LazyLock<Option<Regex>> = LazyLock::new(|| cue(ORDERS_TO_PERSON));
static PERSON: LazyLock<Option<Regex>> = LazyLock::new(|| cue(BY_PERSON));

/// Fewer telling words say nothing of where something comes from.
const MIN_WORDS: usize = 2;
/// Occurrences of a word that are read.
const MAX_PLACES: usize = 400;

pub(super) fn read(reader: &mut LineReader<'_>) {
    let mut found: Vec<(Range<usize>, Finding)> = Vec::new();
    for sentence in prose::sentences(reader.line) {
        for clause in prose::clauses(reader.text(), sentence) {
            let told = reader.text().get(clause.span.clone()).unwrap_or_default();
            let folded = FoldedLine::of(told);
            let find = |cue: &Option<Regex>| {
                let found = cue.as_ref()?.find(&folded.text)?;
                Some(folded.original(found.range()))
            };
            if let Some(at) = find(&ORDERS) {
                let span = clause.span.start + at.start..clause.span.start + at.end;
                found.push((span, Finding::Nowhere));
                continue;
            }
            let (by_assistant, at) = match (find(&ASSISTANT), find(&PERSON)) {
                (Some(at), _) => (true, at),
                (None, Some(at)) => (false, at),
                (None, None) => continue,
            };
            let object = format!(
                "{} {}",
                told.get(..at.start).unwrap_or_default(),
                told.get(at.end..).unwrap_or_default()
            );
            if let Some(finding) = judge(reader.index, &object, by_assistant) {
                let span = clause.span.start + at.start..clause.span.start + at.end;
                found.push((span, finding));
            }
        }
    }
    for (span, finding) in found {
        reader.note(span, ClaimClass::Attribution, finding);
    }
}

/// Whether the object is said by who is named; `None` where that cannot be told.
fn judge(index: &SourceIndex<'_>, object: &str, by_assistant: bool) -> Option<Finding> {
    let words = telling(index, object);
    if words.len() < MIN_WORDS {
        return None;
    }
    let is_swapped = if by_assistant {
        all_said_first_by_person(index, &words)
    } else {
        !words.iter().any(|word| is_said_by_person(index, word))
    };
    Some(if is_swapped {
        Finding::Nowhere
    } else {
        Finding::Follows
    })
}

/// The forms of each word that tells something and that the source has.
fn telling(index: &SourceIndex<'_>, object: &str) -> Vec<Vec<u64>> {
    let mut out: Vec<Vec<u64>> = Vec::new();
    for word in fold::words_of(object) {
        let spelling = fold::folded_text(object.get(word.start..word.end).unwrap_or_default());
        let is_telling = (spelling.chars().count() > 2
            || spelling.contains(|c: char| c.is_ascii_digit()))
            && !keywords::is_stop(&spelling)
            && !["user", "assistant", "itself", "agreed"].contains(&spelling.as_str());
        if !is_telling {
            continue;
        }
        let forms: Vec<u64> = std::iter::once(word.hash)
            .chain(
                tokens::other_number(&spelling)
                    .iter()
                    .map(|form| fold::word_hash(form)),
            )
            .filter(|hash| index.count(*hash) > 0)
            .collect();
        if !forms.is_empty() && !out.contains(&forms) {
            out.push(forms);
        }
    }
    out
}

/// Whether one message of the person has all the words, and no answer before it has them.
fn all_said_first_by_person(index: &SourceIndex<'_>, words: &[Vec<u64>]) -> bool {
    let messages = |origin: TextOrigin, word: &[u64]| -> Vec<usize> {
        let places = word
            .iter()
            .flat_map(|hash| index.places(*hash).take(MAX_PLACES));
        places
            .filter_map(|place| index.text_at(place))
            .filter(|text| text.origin == origin)
            .filter_map(|text| text.message)
            .collect()
    };
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    let mut said = messages(TextOrigin::Person, first);
    for word in rest {
        let own = messages(TextOrigin::Person, word);
        said.retain(|message| own.contains(message));
    }
    let Some(earliest) = said.into_iter().min() else {
        return false;
    };
    // An answer that had said most of it before proposed it.
    let told_before = words
        .iter()
        .filter(|word| {
            let answers = messages(TextOrigin::Answer, word);
            answers.iter().any(|message| *message < earliest)
        })
        .count();
    told_before * 2 < words.len()
}

fn is_said_by_person(index: &SourceIndex<'_>, word: &[u64]) -> bool {
    let mut places = word
        .iter()
        .flat_map(|hash| index.places(*hash).take(MAX_PLACES));
    places.any(|place| {
        index
            .text_at(place)
            .is_some_and(|text| matches!(text.origin, TextOrigin::Person | TextOrigin::Standing))
    })
}
