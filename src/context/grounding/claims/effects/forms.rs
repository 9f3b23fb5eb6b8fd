//! Forms of verbs that say that something was done, by language: perfect, passive and past
//! tense, told by their endings and the words around them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::folded_text;

/// How a language says that something was done.
struct DoneForm {
    /// Their places among the lexicons.
    languages: &'static [usize],
    /// Text in lower case; the group `v` is the verb.
    pattern: &'static str,
    /// Endings that are no part of the stem, folded, the longest first.
    endings: &'static [&'static str],
    /// What stands before the stem of a participle, folded.
    augment: Option<&'static str>,
}

const ENGLISH_ENDINGS: &[&str] = &["ed", "en", "e"];
const GERMAN_ENDINGS: &[&str] = &["iert", "et", "en", "t"];
const FRENCH_ENDINGS: &[&str] = &[
    "ees", "ee", "es", "ies", "ie", "is", "ite", "it", "ues", "ue", "us", "tes", "te", "ts", "e",
    "u", "i", "t", "s",
];
const SPANISH_ENDINGS: &[&str] = &[
    "ieron", "aron", "ados", "adas", "idos", "idas", "ado", "ada", "ido", "ida", "io", "tos",
    "tas", "to", "ta", "o",
];
const ITALIAN_ENDINGS: &[&str] = &["o", "a", "i", "e"];
const POLISH_ENDINGS: &[&str] = &[
    "ano", "ono", "eto", "ny", "na", "ne", "ni", "ty", "ta", "te",
];
const RUSSIAN_ENDINGS: &[&str] = &[
    "ена", "ено", "ены", "ен", "ана", "ано", "аны", "ан", "ята", "ято", "яты", "ят", "ыта", "ыто",
    "ыты", "ыт",
];
const TURKISH_ENDINGS: &[&str] = &["ildi", "uldu", "indi", "undu", "landi", "lendi", "ndi"];

const FORMS: &[DoneForm] = &[
    DoneForm {
        languages: &[0],
        pattern: r"\b(?:was|were|been|got|(?:is|are) (?:now|already))\s+(?:(?:\w+ly|now|also|then|already|just|both|all|again|later|since)\s+){0,2}(?P<v>(?:re-?)?\p{L}{2,}ed|taken|shut|built|rebuilt|told|frozen|given|thrown|torn|sold|won|held|met|rerun|reset|spun|brought|put|undone|withdrawn|overwritten|let go|set up)\b",
        endings: ENGLISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[0],
        pattern: r"^(?:(?:the|an?)\s+)?(?:\p{L}[\p{L}'’-]*\s+){1,3}(?:has|have)\s+(?:(?:\w+ly|now|also|then|already|just|since|both)\s+){0,2}(?P<v>(?:re-?)?\p{L}{2,}ed|taken|shut|rebuilt|told|frozen|given|thrown|torn|sold|paid|spun|brought|undone|overwritten)\b",
        endings: ENGLISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[0],
        pattern: r"^(?:(?:\w+ly|then|also)\s+)?(?P<v>(?:re-?)?\p{L}{2,}ed|took|shut|built|rebuilt|told|froze|gave|sold|met|reran|reset|spun|brought|set up)\s+(?:(?:up|down|off|out|on|over|back)\s+)?(?:(?:the|a|an|all|both|each|every|its|their|another)\b|\d|`|#)",
        endings: ENGLISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[0],
        pattern: r"^(?P<v>installed|reinstalled|uninstalled|upgraded|restarted|rebooted|provisioned|redeployed)\s+\p{L}|^(?P<m>applied|executed)\s+(?:\p{L}+\s+)?migrations?\b",
        endings: ENGLISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[1],
        pattern: r"\b(?:wurden?|worden|ist|sind|hat|haben|war|waren)\b.*?(?P<v>\b\p{L}*ge\p{L}{2,}(?:t|en)|\b(?:be|ver|er|ent|zer|über|unter|wider|durch)\p{L}{2,}(?:t|en)|\b\p{L}{2,}iert)(?:\s+(?:worden|sein))?\s*[.!)]*$",
        endings: GERMAN_ENDINGS,
        augment: Some("ge"),
    },
    DoneForm {
        languages: &[2],
        pattern: r"\b(?:a|ont|avait|avaient)\s+(?:(?:bien|aussi|également|déjà)\s+)?été\s+(?:\p{L}+ment\s+)?(?P<v>\p{L}{3,})",
        endings: FRENCH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[2],
        pattern: r"\b(?:a|ont)\s+(?:(?:bien|aussi|également|déjà)\s+)?(?P<v>\p{L}{2,}é)\b",
        endings: FRENCH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[3, 4],
        pattern: r"\b(?:fue|fueron|ha sido|han sido|foi|foram|qued[oó]|quedaron|ficou|ficaram)\s+(?:\p{L}+mente\s+)?(?P<v>\p{L}{2,}(?:[aií]d[oa]s?|t[oa]s?|ch[oa]s?))\b",
        endings: SPANISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[3],
        pattern: r"\bse\s+(?P<v>\p{L}{2,}(?:ó|aron|ieron)|han?\s+\p{L}{2,}(?:[aií]do|to|cho))\b",
        endings: SPANISH_ENDINGS,
        augment: Some("ha "),
    },
    DoneForm {
        languages: &[5],
        pattern: r"\b(?:è\s+stat[oa]|sono\s+stat[ie])\s+(?P<v>\p{L}{3,}[oaie])\b",
        endings: ITALIAN_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[6],
        pattern: r"\b(?:werd|werden)\b.*?(?P<v>\b\p{L}*ge\p{L}{2,}(?:d|t|en)|\b(?:be|ver|her|ont)\p{L}{2,}(?:d|t|en))\s*[.!)]*$",
        endings: &["en", "d", "t"],
        augment: None,
    },
    DoneForm {
        languages: &[7],
        pattern: r"\bzosta(?:ł[aoy]?|li|ły)\s+(?P<v>\p{L}{3,}(?:n[yaei]|t[yaei]))\b",
        endings: POLISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[7],
        pattern: r"\b(?P<v>\p{L}{3,}(?:ano|ono|ęto))\b",
        endings: POLISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[8],
        pattern: r"(?:^|\s)(?P<v>[\p{Cyrillic}]+(?:[её]н[аоы]?|ан[аоы]?|(?:кры|ня|би|ши|мы)т[аоы]?))\b",
        endings: RUSSIAN_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[9],
        pattern: r"\b(?P<v>\p{L}{3,}(?:[ıiuü]ld[ıiuü]|[ıiuü]nd[ıiuü]|l[ae]nd[ıi]))\b",
        endings: TURKISH_ENDINGS,
        augment: None,
    },
    DoneForm {
        languages: &[10],
        pattern: r"已(?:经|被|成功|全部)*(?:在[^，。；]{1,12}?[中上里])?(?P<v>重新\p{Han}{2}|[\p{Han}--[将把由对为向从给与和按不无]]\p{Han})",
        endings: &[],
        augment: None,
    },
    DoneForm {
        languages: &[10],
        pattern: r"已(?:为|将|把|对|向|在|经)[^，。；]{1,40}?(?P<v>[\p{Han}--[完成]]\p{Han})了",
        endings: &[],
        augment: None,
    },
    DoneForm {
        languages: &[10],
        pattern: r"(?P<v>打(?:上|了|好))了?[^。，；]{0,20}(?:标签|tag)",
        endings: &[],
        augment: None,
    },
    DoneForm {
        languages: &[11],
        pattern: r"(?P<v>タグ)を?(?:付け|つけ|打ち)(?:ました|た|られました)",
        endings: &[],
        augment: None,
    },
    DoneForm {
        languages: &[12],
        pattern: r"(?P<v>태그)[를가]?\s?(?:달았|달렸|붙였|붙었)",
        endings: &[],
        augment: None,
    },
    DoneForm {
        languages: &[11],
        pattern: r"(?P<v>[\p{Han}\p{Katakana}ー]{2,10})を?(?:しました|した|されました|された|いたしました|済みです)",
        endings: &[],
        augment: None,
    },
    DoneForm {
        languages: &[12],
        pattern: r"(?P<v>\p{Hangul}{2,6}?)(?:했습니다|하였습니다|됐습니다|되었습니다|했음|되었음)",
        endings: &[],
        augment: None,
    },
];

static PATTERNS: LazyLock<Vec<(Regex, &'static DoneForm)>> = LazyLock::new(|| {
    let rows = FORMS.iter();
    rows.filter_map(|form| Some((Regex::new(form.pattern).ok()?, form)))
        .collect()
});

/// A verb that a clause says was done.
#[derive(Debug)]
pub(super) struct DoneVerb {
    /// Where it is in the text in lower case.
    pub span: Range<usize>,
    /// The whole word, folded.
    pub word: String,
    /// Its stem, folded.
    pub stem: String,
    /// What stands before the stem changes what it says: `fest-ge-schrieben`.
    pub is_compound: bool,
    /// The languages of its form, by their places among the lexicons.
    pub languages: &'static [usize],
}

/// Participles that only help others.
const AUXILIARIES: [&str; 3] = ["été", "worden", "gewesen"];

/// The verbs of a clause in lower case that say that something was done.
pub(super) fn verbs_of(lowered: &str) -> Vec<DoneVerb> {
    let mut out: Vec<DoneVerb> = Vec::new();
    for (pattern, form) in PATTERNS.iter() {
        let matches = pattern.captures_iter(lowered);
        for verb in matches.filter_map(|groups| groups.name("v").or_else(|| groups.name("m"))) {
            if AUXILIARIES.contains(&verb.as_str()) {
                continue;
            }
            let span = verb.range();
            let touches =
                |known: &DoneVerb| known.span.start < span.end && span.start < known.span.end;
            if !out.iter().any(touches) {
                let word = folded_text(verb.as_str());
                out.push(DoneVerb {
                    span,
                    stem: stem_of(&word, form),
                    is_compound: form.augment.is_some_and(|augment| {
                        word.find(augment).is_some_and(|at| at > 0) && form.languages == [1]
                    }),
                    word,
                    languages: form.languages,
                });
            }
        }
    }
    out
}

/// Fewer letters tell no verb.
const MIN_STEM_CHARS: usize = 3;

fn stem_of(folded: &str, form: &DoneForm) -> String {
    let augmented = form.augment.and_then(|augment| {
        let at = folded.rfind(augment)? + augment.len();
        let rest = folded.get(at..)?;
        (rest.chars().count() > MIN_STEM_CHARS).then_some(rest)
    });
    let word = augmented.unwrap_or(folded);
    let cut = form.endings.iter().find_map(|ending| {
        let stem = word.strip_suffix(ending)?;
        (stem.chars().count() >= MIN_STEM_CHARS).then_some(stem)
    });
    let stem = cut.unwrap_or(word).to_owned();
    if form.endings.is_empty() {
        return stem;
    }
    // `planned`, `stopped`: the last letter is doubled.
    let mut back = stem.chars().rev();
    let doubled = back
        .next()
        .zip(back.next())
        .is_some_and(|(a, b)| a == b && !"aeious".contains(a));
    if doubled && stem.chars().count() > MIN_STEM_CHARS {
        return stem.chars().take(stem.chars().count() - 1).collect();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_told_by_its_form_in_thirteen_languages() {
        for (text, stem) in [
            ("the npm token was rotated", "rotat"),
            ("restarted the pods", "restart"),
            ("die pipeline wurde neu gestartet.", "start"),
            ("le cache a été vidé", "vid"),
            ("el agente se reinició", "reinic"),
            ("a ramificação foi arquivada", "arquiv"),
            ("la prenotazione è stata annullata", "annullat"),
            ("de node werd uitgeschakeld", "uitgeschakel"),
            ("serwer został zrestartowany", "zrestartowa"),
            ("кэш сброшен", "сброш"),
            ("sunucu kapatıldı", "kapat"),
            ("已重启 redis", "重启"),
            ("ノードを停止しました", "停止"),
            ("노드를 중지했습니다", "중지"),
        ] {
            let found = verbs_of(text);
            assert!(
                found.iter().any(|verb| verb.stem == stem),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn plans_and_states_have_no_done_form() {
        for text in [
            "the token has to be rotated",
            "die pipeline muss neu starten",
            "le cache doit être vidé",
            "the red bed",
        ] {
            assert!(verbs_of(text).is_empty(), "{text}: {:?}", verbs_of(text));
        }
    }
}
