//! Rules that a summary says were taken back: `the rule about pushing to main is lifted`. Only
//! the words of a person take a rule back, or allow what it forbade.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::{FoldedLine, folded_text};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::grounding::languages;
use crate::context::grounding::prose;

use super::super::reader::Finding;
use super::object::{PermittedThing, share_in, telling_words};
use super::witness::{ClaimedConsent, ConsentKind, witness};

/// How a language says that a rule was taken back, folded.
struct WithdrawalWords {
    /// Wherever it stands: the rule is lifted.
    lifted: &'static str,
    /// Of a person, or in the words of one: took the rule back.
    withdraws: &'static str,
}

/// Of languages without an entry, the rules of [`super::words`] alone are read.
const LANGUAGES: [WithdrawalWords; 12] = [
    WithdrawalWords {
        lifted: r"\b(?:rule|ban|restriction|prohibition|embargo)s?\b.{0,60}?\b(?:(?:is|are|was|were|been) (?:now |also |hereby |since |already |therefore )?(?:lifted|withdrawn|revoked|rescinded|repealed|waived|suspended|cancell?ed|void|overruled)|no longer (?:applies|apply|applied|holds?|counts?|stands?|valid|in force|binding)|(?:does|do)(?: not|n'?t) apply any ?more)\b",
        withdraws: r"\b(?:withdr[ea]ws?|withdrawn|lift(?:s|ed)?|revok(?:es?|ed)|rescind(?:s|ed)?|repeal(?:s|ed)?|waiv(?:es?|ed)|suspend(?:s|ed)?|drop(?:s|ped)?|scrap(?:s|ped)?|cancel(?:s|l?ed)?|relax(?:es|ed)?|overr(?:ode|uled)|took back|takes? back|forget|ignore|never mind)\b (?:\S+ ){0,3}?(?:rule|ban|restriction|prohibition|embargo)s?\b",
    },
    WithdrawalWords {
        lifted: r"\b(?:regel|verbot|einschrankung|beschrankung|vorgabe)(?:n|en|s|es)?\b.{0,60}?\b(?:aufgehoben|zuruckgenommen|zuruckgezogen|hinfallig|ausser kraft|(?:gilt|gelten) nicht (?:mehr|langer))\b",
        withdraws: r"\b(?:aufgehoben|aufheb\w*|hob|zuruckgenommen|zuruckgezogen|vergiss|vergesst|ignorier\w*|streich\w*|gestrichen)\b (?:\S+ ){0,3}?(?:regel|verbot|einschrankung|beschrankung)(?:n|en|s|es)?\b",
    },
    WithdrawalWords {
        lifted: r"\b(?:regle|interdiction|restriction|consigne)s?\b.{0,60}?\b(?:levees?|leves?|retirees?|annulees?|abrogees?|suspendues?|ne s'appliquent? plus|n'est plus valable|n'est plus en vigueur)\b",
        withdraws: r"\b(?:leve|retire|annule|abroge|suspendu|oublie|oubliez|ignore|ignorez)\b (?:\S+ ){0,3}?(?:l['’])?(?:regle|interdiction|restriction|consigne)s?\b",
    },
    WithdrawalWords {
        lifted: r"\b(?:regla|prohibicion|restriccion|norma)(?:s|es)?\b.{0,60}?\b(?:levantad[ao]s?|retirad[ao]s?|anulad[ao]s?|derogad[ao]s?|suspendid[ao]s?|ya no (?:se aplican?|rige|vale|esta vigente))\b",
        withdraws: r"\b(?:levanto|levantado|retiro|retirado|anulo|anulado|derogo|suspendio|olvida|olvidate de|ignora)\b (?:\S+ ){0,3}?(?:regla|prohibicion|restriccion|norma)(?:s|es)?\b",
    },
    WithdrawalWords {
        lifted: r"\b(?:regra|proibicao|restricao|restricoes|norma)s?\b.{0,60}?\b(?:retirad[ao]s?|suspens[ao]s?|revogad[ao]s?|anulad[ao]s?|levantad[ao]s?|nao (?:se aplica|vale) mais|ja nao vale)\b",
        withdraws: r"\b(?:retirou|suspendeu|revogou|anulou|levantou|esqueca|esquece|ignore|ignora)\b (?:\S+ ){0,3}?(?:regra|proibicao|restricao|norma)s?\b",
    },
    WithdrawalWords {
        lifted: r"\b(?:regola|regole|divieto|divieti|restrizion[ei])\b.{0,60}?\b(?:revocat[aoie]|ritirat[aoie]|annullat[aoie]|sospes[aoie]|non vale piu|non si applica piu|non valgono piu)\b",
        withdraws: r"\b(?:revocato|ritirato|annullato|sospeso|tolto|dimentica|ignora)\b (?:\S+ ){0,3}?(?:regola|regole|divieto|restrizion[ei])\b",
    },
    WithdrawalWords {
        lifted: r"\b(?:regel|regels|verbod|beperking|beperkingen)\b.{0,60}?\b(?:opgeheven|ingetrokken|vervallen|geldt niet meer|gelden niet meer|niet langer van kracht)\b",
        withdraws: r"\b(?:hief|trok|vergeet|negeer)\b (?:\S+ ){0,3}?(?:regel|regels|verbod|beperking)\b",
    },
    WithdrawalWords {
        lifted: r"\b(?:zasad[ay]|regul[ay]|zakaz|ograniczeni[ea])\b.{0,60}?\b(?:zniesion[yae]|cofniet[yae]|uchylon[yae]|odwolan[yae]|juz nie (?:obowiazuje|obowiazuja))\b",
        withdraws: r"\b(?:zniosl\w*|cofnal|cofnela|uchylil\w*|odwolal\w*|zapomnij o|zignoruj)\b (?:\S+ ){0,3}?(?:zasad\w+|regul\w+|zakaz\w*|ograniczeni\w+)\b",
    },
    WithdrawalWords {
        lifted: r"(?:правил|запрет|ограничени)\w*.{0,60}?(?:снят[оаы]?\b|отменен[оаы]?\b|отозван[оаы]?\b|больше не (?:действу|применя)\w+)",
        withdraws: r"(?:отменил|снял|отозвал|забудь|игнорируй)\w* (?:\S+ ){0,3}?(?:правил|запрет|ограничени)\w*",
    },
    WithdrawalWords {
        lifted: r"(?:规则|规定|禁令|限制|禁止).{0,20}?(?:已|被)?(?:取消|解除|撤销|撤回|废除|不再适用|作废)",
        withdraws: r"(?:取消|解除|撤销|撤回|废除|忘掉|忽略)了?.{0,20}?(?:规则|规定|禁令|限制)",
    },
    WithdrawalWords {
        lifted: r"(?:ルール|規則|禁止|制限).{0,20}?(?:解除|撤回|取り消|廃止|無効|適用されな)",
        withdraws: r"(?:ルール|規則|禁止|制限)を?(?:忘れて|無視して|解除|撤回)",
    },
    WithdrawalWords {
        lifted: r"(?:규칙|금지|제한).{0,20}?(?:해제|철회|취소|폐지|더 이상 적용되지)",
        withdraws: r"(?:규칙|금지|제한)[을를은는]? ?(?:잊어|무시|해제|철회|취소)",
    },
];

struct WithdrawalCues {
    lifted: Option<Regex>,
    withdraws: Option<Regex>,
}

static CUES: LazyLock<Vec<WithdrawalCues>> = LazyLock::new(|| {
    let rows = LANGUAGES.iter().map(|words| WithdrawalCues {
        lifted: Regex::new(words.lifted).ok(),
        withdraws: Regex::new(words.withdraws).ok(),
    });
    rows.collect()
});

/// Who gives rules, folded beginnings of words.
static PEOPLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let spaced = "user|owner|operator|maintainer|human|boss|manager|client|customer|lead|benutzer\
        |nutzer|anwender|auftraggeber|kunde|chef|utilisat|usuari|cliente|dono|utente|gebruiker\
        |klant|uzytkowni|klient|пользовател|заказчик|kullanici";
    Regex::new(&format!(r"\b(?:{spaced})|用户|客户|ユーザー|利用者|사용자")).ok()
});

/// What makes it a condition or a plan, folded, besides the words of the lexicons.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "until|unless|once|when|if|whether|after|before|falls|bis|sobald|wenn|ob|nachdem\
        |bevor|si|jusqu|quand|apres|avant|des que|hasta|cuando|despues|antes|ate|quando|depois\
        |se|finche|prima|dopo|als|tot|zodra|voordat|nadat|jesli|gdy|dopoki|jezeli|если|пока|когда";
    Regex::new(&format!(r"\b(?:{words})\b")).ok()
});

fn has(cue: Option<&Regex>, text: &str) -> bool {
    cue.is_some_and(|cue| cue.is_match(text))
}

/// Where a sentence, folded, says that a rule was taken back.
fn said_in(sentence: &str) -> Option<Range<usize>> {
    let is_of_a_person = has(PEOPLE.as_ref(), sentence);
    CUES.iter().find_map(|cues| {
        let lifted = cues.lifted.as_ref().and_then(|cue| cue.find(sentence));
        let active = cues.withdraws.as_ref().filter(|_| is_of_a_person);
        let found = lifted.or_else(|| active.and_then(|cue| cue.find(sentence)))?;
        Some(found.range())
    })
}

/// Whether a word says that a rule is one or was taken back, and not what it is about.
fn is_of_a_cue(word: &str) -> bool {
    /// Letters of a word that the cues have without its ending.
    const STEM_CHARS: usize = 5;
    let stem: String = word.chars().take(STEM_CHARS).collect();
    let mut cues = LANGUAGES
        .iter()
        .flat_map(|words| [words.lifted, words.withdraws]);
    stem.chars().count() == STEM_CHARS && cues.any(|cue| cue.contains(&stem))
}

/// Whether what stands before makes it a plan or a condition: `once the user approves`.
pub(super) fn is_conditional(before: &str) -> bool {
    let conditional = |text: &str| {
        let mut lexicons = languages::all().iter();
        lexicons.any(|lexicon| has(lexicon.conditional.as_ref(), text))
    };
    has(OPEN.as_ref(), before) || conditional(before)
}

/// What the sentences of a line say was taken back, with whether a person did.
pub(super) fn claims_of(
    index: &SourceIndex<'_>,
    line: &prose::ProseLine<'_>,
) -> Vec<(Range<usize>, Finding)> {
    let mut out = Vec::new();
    for sentence in prose::sentences(line) {
        let text = line.text.get(sentence.clone()).unwrap_or_default();
        let folded = FoldedLine::of(text);
        let Some(at) = said_in(&folded.text) else {
            continue;
        };
        let before = folded.text.get(..at.start).unwrap_or_default();
        if text.trim_end().ends_with(['?', '？']) || is_conditional(before) {
            continue;
        }
        let mut object = telling_words(&folded.text);
        if object.iter().any(|word| !is_of_a_cue(word)) {
            object.retain(|word| !is_of_a_cue(word));
        }
        out.push((sentence, taken_back(index, &object)));
    }
    out
}

/// In hundredths: this much of the object stands in the words that take a rule back.
const WITHDRAWN_SHARE: usize = 30;
/// So few words that take a rule back mean the one that was spoken of.
const MAX_SHORT_WORDS: usize = 8;
/// Of a message, characters that are read.
const MAX_CHARS: usize = 4_000;

/// Where a person takes the rule back, or permits what it forbade.
fn taken_back(index: &SourceIndex<'_>, object: &[String]) -> Finding {
    let permitted = witness(
        index,
        &ClaimedConsent {
            kind: ConsentKind::Granted,
            thing: PermittedThing::of_rule(object.to_vec()),
            is_conditional: false,
            is_wide: false,
        },
    );
    permitted.or_else(|| {
        let by_person = |origin| matches!(origin, TextOrigin::Person | TextOrigin::Standing);
        let takes_back = |text: &str| {
            let folded = folded_text(text);
            let is_short = folded.split_whitespace().count() <= MAX_SHORT_WORDS;
            let says = CUES.iter().any(|cues| {
                has(cues.withdraws.as_ref(), &folded) || has(cues.lifted.as_ref(), &folded)
            });
            let is_meant = is_short || share_in(object, &folded) >= WITHDRAWN_SHARE;
            says && is_meant && !text.ends_with(['?', '？'])
        };
        let mut texts = index.texts().filter(|text| by_person(text.origin));
        let is_said = texts.any(|text| {
            let end = text.text.char_indices().nth(MAX_CHARS);
            let head = text.text.get(..end.map_or(text.text.len(), |(at, _)| at));
            let mut sentences = head
                .unwrap_or_default()
                .split_inclusive(['.', '!', '?', '\n', ';', '。', '？', '！']);
            sentences.any(|sentence| takes_back(sentence.trim()))
        });
        if is_said {
            Finding::Follows
        } else {
            Finding::Nowhere
        }
    })
}
