//! `All tests pass`, `the suite is green`: held against the newest run of the tests.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::folded_text;
use crate::context::grounding::index::{OutputTally, SourceIndex, TextOrigin};

use super::super::reader::{Finding, LineReader};
use super::{is_open, without_code};

/// All tests pass, folded, by language.
const ALL_PASS: &[&str] = &[
    r"\ball (?:of )?(?:the |our |its )?(?:(?:unit|integration|e2e|end-to-end|existing|other|remaining) )?tests? (?:(?:are|were|now|still|also|have|then) ){0,2}(?:pass|passes|passed|passing|green|succeed|succeeded|ok)\b",
    r"\b(?:the )?(?:(?:whole|full|entire|complete) )?test ?suite (?:(?:is|was|are|now|still|again|all|has) ){0,3}(?:green|passes|passed|passing|clean|ok)\b",
    r"\b(?:the |all )?tests (?:are|were) (?:now |again |all ){0,2}(?:green|passing)\b|\btests now pass\b|\btests pass (?:now|again)\b",
    r"\balle tests (?:(?:sind|waren|laufen|liefen|jetzt|nun|wieder|erfolgreich) ){0,3}(?:grun|bestanden|bestehen|durch|erfolgreich|laufen|liefen)\b|\b(?:die )?test-?suite (?:ist|lauft) (?:\w+ )?(?:grun|durch)\b|\btests (?:sind|laufen) (?:jetzt |wieder |alle )*(?:grun|durch)\b",
    r"\btous les tests (?:(?:sont|maintenant|desormais) ){0,2}(?:passent|passes|reussis|reussissent|verts|ok)\b|\bla suite de tests est (?:\w+ )?verte\b",
    r"\btod[ao]s l[ao]s (?:tests|pruebas) (?:(?:ya|ahora|estan) ){0,2}(?:pasan|pasaron|verdes|en verde|superadas)\b",
    r"\btodos os testes (?:(?:ja|agora|estao) ){0,2}(?:passam|passaram|passando|verdes)\b",
    r"\btutti i test (?:(?:ora|sono|adesso) ){0,2}(?:passano|passati|superati|verdi)\b",
    r"\balle tests (?:(?:zijn|nu) ){0,2}(?:slagen|geslaagd|groen)\b|\balle tests (?:nu )?(?:slagen|slaagden)\b",
    r"\bwszystkie testy (?:(?:teraz|sa) ){0,2}(?:przechodza|przeszly|zielone)\b",
    r"все тесты (?:теперь )?(?:проходят|прошли|пройдены|зеленые|успешны)",
    r"\btum testler (?:artik )?(?:geciyor|gecti|basarili|yesil)",
    r"(?:所有|全部)测试(?:都|均|已|全部|现在)*通过|测试(?:已|现在)?(?:全部|全都|都)通过",
    r"(?:すべて|全て|全)の?テスト(?:が|に|は)(?:成功|通|合格|パス)",
    r"모든 테스트(?:가|를|는)? ?(?:통과|성공)",
];

static CUE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("(?:{})", ALL_PASS.join("|"))).ok());

/// What puts a run into the past, folded.
static FORMER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "before|earlier|initially|previously|at first|originally|until|used to|baseline\
        |vorher|zuvor|anfangs|zunachst|avant|auparavant|antes|al principio|prima|eerst|voorheen\
        |wczesniej|раньше|сначала|once";
    Regex::new(&format!(r"\b(?:{words})\b|之前|以前|原来|이전")).ok()
});

/// What says that tests passed, in the words of a person, folded.
static SAYS_GREEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "pass|passes|passed|passing|green|clean|grun|bestanden|passent|verts?|pasan|verdes?\
        |passam|passano|slagen|przechodza|проходят|прошли";
    Regex::new(&format!(r"\b(?:{words})\b|通过|成功|통과")).ok()
});

pub(super) fn read(reader: &mut LineReader<'_>, sentence: &Range<usize>) {
    let told = reader.text().get(sentence.clone()).unwrap_or_default();
    let folded = without_code(told);
    let Some(found) = CUE.as_ref().and_then(|cue| cue.find(&folded.text)) else {
        return;
    };
    let is_former = FORMER
        .as_ref()
        .is_some_and(|cue| cue.is_match(&folded.text));
    if is_former || is_open(&folded.text, &found.range()) {
        return;
    }
    if is_contradicted(reader.index) {
        let at = folded.original(found.range());
        let span = sentence.start + at.start..sentence.start + at.end;
        reader.note(span, ClaimClass::TestCount, Finding::Nowhere);
    }
}

/// Whether the newest run that is told failed, and nobody said better of a later one.
fn is_contradicted(index: &SourceIndex<'_>) -> bool {
    let texts: Vec<_> = index.texts().collect();
    let runs = texts
        .iter()
        .rev()
        .filter(|text| text.origin == TextOrigin::Output);
    let newest = runs.into_iter().find_map(|text| {
        let tally = OutputTally::of(&text.text).filter(|tally| tally.runs > 0)?;
        Some((text.message, tally.bad_runs > 0 && has_failures(&text.text)))
    });
    let Some((Some(message), true)) = newest else {
        return false;
    };
    let runs_later = index.calls().iter().any(|call| {
        let mut arguments = index.arguments_of(call);
        call.message > message
            && call.has_worked
            && arguments.any(|text| text.to_lowercase().contains("test"))
    });
    let is_told = texts.iter().any(|text| {
        let is_person = text.origin == TextOrigin::Person;
        let is_later = text.message.is_some_and(|own| own > message);
        let says = |text: &str| {
            let folded = folded_text(text);
            SAYS_GREEN.as_ref().is_some_and(|cue| cue.is_match(&folded))
        };
        is_person && is_later && says(&text.text)
    });
    !runs_later && !is_told
}

/// `1 failed`, not `2 errors` of a compiler.
fn has_failures(text: &str) -> bool {
    static FAILED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i)\b[1-9]\d*\s+(?:tests?\s+)?fail(?:ed|ing|ures?)\b").ok());
    FAILED.as_ref().is_some_and(|cue| cue.is_match(text))
}
