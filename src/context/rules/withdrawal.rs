//! Words that take a rule back: “forget what I said about tabs”, “the rule about pushing no
//! longer applies”, “you can use tabs again”.

use std::sync::LazyLock;

use plimsoll_cues::{Cue, CueHit, CueHits, NormalText, Script, is_common};
use regex::Regex;

use super::clause::Clause;
use super::clause_reader::ClauseReader;
use super::finder::FoundRule;

/// Two words that begin alike are the same word in two forms: at least so many letters,
const MIN_STEM_CHARS: usize = 3;
/// and at least this share of the shorter one.
const STEM_SHARE: f64 = 0.6;
/// Of the words that say what is done no more, a rule has to hold more than this share.
const LEAST_END_SHARE: f64 = 0.6;
/// Of the words that a permission names, more than this share.
const LEAST_NAMED_SHARE: f64 = 0.7;

/// Han letters that only say how words belong together, or who speaks.
const HAN_PARTICLES: &str = "的了那这我你说过于关之前个条是在";

/// A request to forget rules about something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Withdrawal {
    /// The words that say what about; more than one list where it may be about either.
    about: Vec<Vec<String>>,
    /// What it says when there is nothing to take back: “no emojis any more”.
    pub otherwise: Vec<FoundRule>,
    pub kind: WithdrawalKind,
}

/// What a withdrawal takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithdrawalKind {
    /// Every rule that it is about.
    Any,
    /// It only permits again: what forbids.
    Permission,
    /// It allows a thing by name: what forbids just that.
    Named,
    /// It only says that something is done no more: what orders it.
    End,
    /// It only drops something: how the agent talks.
    Manner,
}

/// What allows something, at the beginning of a clause or behind its subject.
static PERMITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let lead = r"(?:ok|okay|fine|alright|actually|also|now|and|so|yes|gut|also|ja|jetzt|ab jetzt|finalement|bon|d accord|oui|vale|si|bueno|ahora|agora|tudo bem|va bene|ora|adesso|goed|nu|dobra|teraz|ладно|теперь)";
    let you = r"(?:you|u) (?:can|may)|go ahead and|feel free to|du (?:darfst|kannst)|(?:darfst|kannst) du|tu peux|vous pouvez|puedes|podeis|(?:voce )?pode(?:s)?|puoi|potete|je (?:mag|kunt)|mozesz|mozna|можешь|можно";
    let behind = r"(?:may|can) be \w+ again|(?:is|are) (?:fine|ok|okay|allowed) (?:now|again)|(?:ist|sind) (?:jetzt|wieder) (?:erlaubt|ok|okay)|est (?:maintenant )?autorise|ya se puede|ja pode";
    Regex::new(&format!(
        r"^(?:{lead}[ ,]+){{0,2}}(?:{you})\b|\b(?:{behind})\b"
    ))
    .ok()
});
/// A permission for one time, or on a condition: it takes nothing back.
static ONE_TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "once|this time|one time|for now|for today|today|just for|only|if|unless|until|when|after|diesmal|dieses mal|nur|wenn|falls|einmal|heute\
        |cette fois|une fois|seulement|si|quand|apres|esta vez|solo|una vez|cuando|hoy|desta vez|so desta|apenas|quando|hoje|questa volta|oggi\
        |deze keer|alleen|als|tym razem|tylko|jesli|dzis|в этот раз|только|если|сегодня";
    Regex::new(&format!(r"\b(?:{words})\b")).ok()
});
/// What is named in the place of something, or is fine as well.
static ANOTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "fine|ok|okay|good enough|instead|rather|will do|reicht|passt|stattdessen|lieber|okay|d accord|plutot|suffit|ca va|mejor|vale|bien\
        |en su lugar|melhor|tudo bem|em vez|va bene|piuttosto|meglio|prima|goed|liever|w porzadku|lepiej|zamiast|лучше|нормально|вместо|olur|yerine";
    Regex::new(&format!(r"\b(?:{words})\b")).ok()
});

fn has(cue: &LazyLock<Option<Regex>>, text: &str) -> bool {
    cue.as_ref().is_some_and(|cue| cue.is_match(text))
}

/// Words that drop a thing, at the beginning of a clause.
static DROPS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "forget(?: about)?|drop|ditch|scrap|never mind|vergiss|lass|oublie|laisse tomber|olvida(?:te de)?|deja|esquece|deixa|dimentica|lascia perdere\
        |vergeet|laat|zapomnij o|забудь (?:про|о)|unut";
    Regex::new(&format!(r"^(?:{words})\b")).ok()
});

/// A thing that a clause drops because the next one names another that will do: “forget the
/// tabs, spaces are fine”.
pub(super) fn of_replaced(clause: &Clause<'_>, next: Option<&Clause<'_>>) -> Option<Withdrawal> {
    let text = clause.normal.text.trim();
    let (head, tail) = text.split_once(',').unwrap_or((text, ""));
    let next = next.filter(|next| !next.is_question);
    let is_named = has(&ANOTHER, tail) || next.is_some_and(|next| has(&ANOTHER, &next.normal.text));
    if !is_named || clause.is_question || !has(&DROPS, head) || has(&ONE_TIME, head) {
        return None;
    }
    let rest = DROPS
        .as_ref()
        .map(|cue| cue.replace(head, " "))
        .unwrap_or_default();
    let words: Vec<String> = content_words(&rest, clause.normal.script)
        .map(|(_, word)| word)
        .collect();
    (!words.is_empty()).then_some(Withdrawal {
        about: vec![words],
        otherwise: Vec::new(),
        kind: WithdrawalKind::Any,
    })
}

/// A clause that allows a thing by name: “finally you can edit the tests”. What forbids just
/// that holds no more.
fn permitted(clause: &Clause<'_>) -> Option<Withdrawal> {
    /// Fewer words may be about anything.
    const MIN_WORDS: usize = 2;
    let text = clause.normal.text.trim();
    let is_meant = has(&PERMITS, text) && !has(&ONE_TIME, text) && !clause.is_question;
    if !is_meant || clause.has_any(&[Cue::Negative, Cue::Suppose, Cue::Report]) {
        return None;
    }
    let rest = PERMITS
        .as_ref()
        .map(|cue| cue.replace(text, " "))
        .unwrap_or_default();
    let rest = rest.split(',').next().unwrap_or_default().to_owned();
    let words = content_words(&rest, clause.normal.script).map(|(_, word)| word);
    let words: Vec<String> = words
        .filter(|word| !["now", "again", "jetzt", "wieder"].contains(&word.as_str()))
        .collect();
    (words.len() >= MIN_WORDS).then_some(Withdrawal {
        about: vec![words],
        otherwise: Vec::new(),
        kind: WithdrawalKind::Named,
    })
}

/// The withdrawal that a clause is.
pub(super) fn read(clause: &Clause<'_>) -> Option<Withdrawal> {
    by_cues(clause).or_else(|| permitted(clause))
}

fn by_cues(clause: &Clause<'_>) -> Option<Withdrawal> {
    let cues = &clause.cues;
    let withdrawing: Vec<CueHit> = cues.of(Cue::Withdraw).chain(dropped_rule(cues)).collect();
    let reallowing = cues.of(Cue::Reallow);
    let mut hits: Vec<CueHit> = withdrawing.iter().copied().chain(reallowing).collect();
    let first = |cue| cues.of(cue).filter(|hit| hit.start <= cues.body);
    let is_dropped = first(Cue::Drop).next().is_some();
    let kind = if !withdrawing.is_empty() || is_dropped && !hits.is_empty() {
        hits.extend(first(Cue::Drop));
        WithdrawalKind::Any
    } else if !hits.is_empty() {
        WithdrawalKind::Permission
    } else {
        hits.extend(first(Cue::Halt));
        hits.extend(first(Cue::Drop));
        if hits.iter().any(|hit| hit.cue == Cue::Halt) {
            WithdrawalKind::End
        } else {
            WithdrawalKind::Manner
        }
    };
    let from = hits.iter().map(|hit| hit.start).min()?;
    if !is_meant(clause, from) {
        return None;
    }
    let mut about: Vec<Vec<String>> = Vec::new();
    for hit in &hits {
        let words = words_about(clause, &hits, hit.start);
        if !words.is_empty() && !about.contains(&words) {
            about.push(words);
        }
    }
    (!about.is_empty()).then_some(Withdrawal {
        about,
        otherwise: Vec::new(),
        kind,
    })
}

/// A rule that is named and dropped, or at an end: “ignore that rule”, “the limit is off”.
fn dropped_rule(cues: &CueHits) -> Vec<CueHit> {
    let mut hits = Vec::new();
    for noun in cues.of(Cue::RuleNoun) {
        let verbs = cues.of(Cue::Drop).filter(|verb| {
            verb.end <= noun.start + 1 || cues.is_verb_last && verb.start + 1 >= noun.end
        });
        let ends = cues.of(Cue::Over).filter(|over| over.start + 1 >= noun.end);
        let mut partners: Vec<CueHit> = verbs.chain(ends).collect();
        if !partners.is_empty() {
            hits.push(noun);
            hits.append(&mut partners);
        }
    }
    hits
}

/// The words that say what a withdrawal is about: those between the commas around a place in it,
/// and behind words like “so”.
fn words_about(clause: &Clause<'_>, hits: &[CueHit], from: usize) -> Vec<String> {
    let text = &clause.normal.text;
    let is_named = |at: usize| {
        let mut names = clause
            .cues
            .of(Cue::RuleName)
            .chain(clause.cues.of(Cue::RuleNoun));
        names.any(|hit| at >= hit.start && at < hit.end)
    };
    let before = text.get(..from).unwrap_or_default();
    let comma = before.rfind(',').unwrap_or(0);
    let reasons = clause.cues.of(Cue::Reason).filter(|hit| hit.end <= from);
    let reason_end = reasons.map(|hit| hit.end).max().unwrap_or(0);
    // What follows the next comma is the reason.
    let behind = text.get(from..).and_then(|rest| rest.find(','));
    let reason = behind.map_or(text.len(), |at| from + at);
    let mut words: Vec<(usize, String)> = content_words(text, clause.normal.script)
        .filter(|(at, _)| {
            let is_cue = hits.iter().any(|hit| *at >= hit.start && *at < hit.end);
            *at >= comma && *at < reason && !is_cue && !is_named(*at)
        })
        .collect();
    if words.iter().any(|(at, _)| *at >= reason_end) {
        words.retain(|(at, _)| *at >= reason_end);
    }
    words.into_iter().map(|(_, word)| word).collect()
}

/// Whether words that begin here take something back: not asked, told, supposed or negated
/// (“don't forget what I said”).
fn is_meant(clause: &Clause<'_>, from: usize) -> bool {
    let cues = &clause.cues;
    // Where the verb comes last, a case that comes first is part of what is taken back.
    let is_verb_first = matches!(clause.normal.script, Script::Latin | Script::Cyrillic);
    let lead = clause.normal.text.get(..from).unwrap_or_default();
    let is_case = is_verb_first && cues.begins_with(Cue::Whenever) && lead.contains(',');
    if clause.is_question || is_case || cues.has(Cue::Suppose) {
        return false;
    }
    // “the linter thing” is a name, “he said forget …” is not.
    let is_name = |report: usize| cues.of(Cue::RuleName).any(|name| name.start == report);
    let is_said = cues
        .of(Cue::Report)
        .any(|hit| hit.end <= from && !is_name(hit.end));
    // “forget about … for now” puts off.
    let phrases = || cues.of(Cue::Idiom);
    let is_phrase = phrases().any(|hit| hit.start == from) && phrases().any(|hit| hit.start > from);
    if is_said || is_phrase || cues.of(Cue::Question).any(|hit| hit.start < from) {
        return false;
    }
    let before = clause.normal.text.get(..from).unwrap_or_default();
    let is_negated = [Cue::Negative, Cue::Absolute].into_iter().any(|cue| {
        let mut hits = cues.of(cue);
        hits.any(|hit| hit.end <= from && hit.end >= before.trim_end().len())
    });
    let mut reminders = cues.of(Cue::Remember);
    !is_negated && !reminders.any(|hit| hit.start <= from && hit.end > from)
}

impl Withdrawal {
    /// The share of its words that a rule holds.
    pub(super) fn match_of(&self, rule: &str) -> f64 {
        let is_other = match self.kind {
            WithdrawalKind::Any => false,
            WithdrawalKind::Permission | WithdrawalKind::Named => {
                !has_any(rule, &[Cue::Negative, Cue::Forbidden])
            }
            WithdrawalKind::End => has_any(rule, &[Cue::Negative, Cue::Forbidden]),
            WithdrawalKind::Manner => !has_any(rule, &[Cue::Manner]),
        };
        if is_other {
            return 0.0;
        }
        let normal = NormalText::of(rule);
        let script = normal.script;
        let held: Vec<String> = content_words(&normal.text, script)
            .map(|(_, word)| word)
            .collect();
        let is_held = |word: &&String| held.iter().any(|held| are_alike(word, held));
        let share_of = |about: &Vec<String>| {
            let found = about.iter().filter(is_held).count();
            found as f64 / about.len().max(1) as f64
        };
        let share = self.about.iter().map(share_of).fold(0.0, f64::max);
        // What orders the same otherwise is no end of it.
        let least = match self.kind {
            WithdrawalKind::Any | WithdrawalKind::Permission => 0.0,
            WithdrawalKind::Named => LEAST_NAMED_SHARE,
            WithdrawalKind::End | WithdrawalKind::Manner => LEAST_END_SHARE,
        };
        if share > least { share } else { 0.0 }
    }
}

/// Whether a rule has one of some cues.
fn has_any(rule: &str, cues: &[Cue]) -> bool {
    Clause::of(rule, rule, false, &ClauseReader::default()).has_any(cues)
}

/// The words of a normal text that say what it is about, with their places. Where writers put
/// no spaces, runs of one kind of letters; of Han letters every two.
fn content_words(text: &str, script: Script) -> impl Iterator<Item = (usize, String)> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut kind = LetterKind::Other;
    for (at, c) in text.char_indices() {
        let own = LetterKind::of(c, script);
        if own != kind {
            push_words(
                &mut words,
                start,
                text.get(start..at).unwrap_or_default(),
                kind,
            );
            start = at;
            kind = own;
        }
    }
    push_words(
        &mut words,
        start,
        text.get(start..).unwrap_or_default(),
        kind,
    );
    words.into_iter()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterKind {
    Alphabet,
    Han,
    Katakana,
    Hangul,
    /// Spaces, marks, and letters that only say how words belong together.
    Other,
}

impl LetterKind {
    fn of(c: char, script: Script) -> Self {
        match c {
            '\u{30a1}'..='\u{30ff}' => Self::Katakana,
            '\u{3041}'..='\u{3096}' => Self::Other,
            c if HAN_PARTICLES.contains(c) => Self::Other,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Self::Han,
            '\u{ac00}'..='\u{d7af}' => Self::Hangul,
            '.' | '_' | '/' | '-' if script != Script::Han => Self::Alphabet,
            c if c.is_alphanumeric() => Self::Alphabet,
            _ => Self::Other,
        }
    }
}

/// Appends the words of a run of letters of one kind, which begins at `start`.
fn push_words(words: &mut Vec<(usize, String)>, start: usize, run: &str, kind: LetterKind) {
    match kind {
        LetterKind::Other => {}
        LetterKind::Alphabet if is_common(run) => {}
        LetterKind::Han => {
            let letters: Vec<(usize, char)> = run.char_indices().collect();
            if let [(offset, letter)] = letters.as_slice() {
                words.push((start + offset, letter.to_string()));
            }
            for pair in letters.windows(2) {
                if let [(offset, first), (_, second)] = pair {
                    words.push((start + offset, [*first, *second].iter().collect()));
                }
            }
        }
        LetterKind::Alphabet | LetterKind::Katakana | LetterKind::Hangul => {
            words.push((start, run.to_owned()));
        }
    }
}

/// Whether two words are forms of the same.
fn are_alike(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let letters = |word: &str| word.chars().count();
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let shorter = letters(one).min(letters(other));
    let is_hangul = one.starts_with(|c| matches!(c, '\u{ac00}'..='\u{d7af}'));
    let least = if is_hangul { 1 } else { MIN_STEM_CHARS };
    let share = if is_hangul { 0.5 } else { STEM_SHARE };
    same >= least && same as f64 >= shorter as f64 * share
}
