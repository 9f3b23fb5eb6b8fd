//! What a sentence takes for done: `after the rollback of gw-02 the loss was gone`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::FoldedLine;
use crate::context::grounding::languages::ActionKind;

use super::DoneAction;

/// Words for a rollback after a word that puts it into the past, one row a language.
const ROLLBACKS: &[&str] = &[
    r"(?:after|since|following)\s+(?:the|a|our|its)\s+(?:\w+\s+)?(?P<v>roll-?\s?back|reversion)",
    r"(?:nach|seit)\s+(?:dem|der|einem)\s+(?:\w+\s+)?(?P<v>rollback|zurückrollen|rücknahme|zurücksetzen)",
    r"(?:après|depuis)\s+(?:le|la|un)\s*(?P<v>rollback|retour arrière|retour en arrière|restauration)",
    r"(?:tras|después de|desde)\s+(?:el|la|un)\s+(?P<v>rollback|reversión|vuelta atrás)",
    r"(?:após|depois d[oa]|desde)\s+(?:[oa]\s+)?(?P<v>rollback|reversão)",
    r"(?:dopo|da)\s+(?:il|la|un)\s+(?P<v>rollback|ripristino)",
    r"(?:na|sinds)\s+(?:de|het)\s+(?P<v>rollback|terugdraaien|terugrol)",
    r"(?:po|od)\s+(?P<v>rollbacku|wycofaniu|wycofania|cofnięciu)",
    r"(?:после|с момента)\s+(?P<v>отката|роллбэка)",
    r"(?P<v>geri al(?:ma|ım)\w*|rollback\w*)\s+(?:sonra|itibaren)",
    r"(?P<v>回滚|回退)(?:之)?后",
    r"(?P<v>ロールバック|切り戻し)の?後",
    r"(?P<v>롤백)(?:한)? ?(?:후|이후|뒤)",
];

/// Words of what is still to come, in lower case.
static TO_COME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:will|would|should|must|shall|can|may|if|plan\w*|wird|werden|soll\w*|muss|kann|wenn|falls|sera|doit|será|debe|deve|zal|moet|als|będzie|jeśli|будет|если|нужно)\b|如果|应|将|予定|べき|もし|예정|해야",
    )
    .ok()
});

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let rows = ROLLBACKS.iter().enumerate();
    let spaced = |number: usize, row: &str| {
        // The last three are written without spaces.
        if number + 3 < ROLLBACKS.len() {
            format!(r"\b{row}\b")
        } else {
            row.to_owned()
        }
    };
    rows.filter_map(|(number, row)| Regex::new(&spaced(number, row)).ok())
        .collect()
});

/// The rollbacks that a sentence takes for done.
pub(super) fn actions_of(text: &str, sentence: &Range<usize>, out: &mut Vec<DoneAction>) {
    let folded = FoldedLine::lowered(text);
    if TO_COME
        .as_ref()
        .is_some_and(|cue| cue.is_match(&folded.text))
    {
        return;
    }
    for pattern in PATTERNS.iter() {
        for verb in pattern
            .captures_iter(&folded.text)
            .filter_map(|found| found.name("v"))
        {
            let at = folded.original(verb.range());
            out.push(DoneAction {
                kind: ActionKind::RollBack,
                verb: sentence.start + at.start..sentence.start + at.end,
                clause: sentence.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rollback_that_something_came_after_is_taken_for_done() {
        for (text, expected) in [
            ("After the rollback of gw-01 no message was lost.", 1),
            ("Nach dem Rollback von gw-01 ging nichts mehr verloren.", 1),
            ("Tras el rollback de gw-01 no se perdió nada.", 1),
            ("Po wycofaniu gw-01 nic nie ginęło.", 1),
            ("После отката gw-01 потерь не было.", 1),
            ("回滚之后没有丢失消息。", 1),
            ("ロールバック後は失われなかった。", 1),
            ("롤백 후 손실이 없었다.", 1),
            ("After the rollback the log should be read.", 0),
            ("The rollback is described in docs/rollback.md.", 0),
        ] {
            let mut out = Vec::new();
            actions_of(text, &(0..text.len()), &mut out);
            assert_eq!(out.len(), expected, "{text}");
        }
    }
}
