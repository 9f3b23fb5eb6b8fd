//! What a permission is for: the telling words of a clause, and whether words of a person speak
//! of the same.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::audit::keywords;
use crate::context::grounding::languages;
use crate::context::identifiers::is_unspaced;

use super::is_hangul;

/// Letters that two words of one stem begin with.
pub(super) const STEM_CHARS: usize = 4;
/// In hundredths: this much of a thing that is told in many words is named by who speaks of it.
const NAMED_SHARE: usize = 60;
/// The same of a thing that is told in signs.
const NAMED_SIGNS: usize = 75;
/// So few words are all named; of one more, one may be missing.
const FEW_WORDS: usize = 2;

/// What a permission is for.
#[derive(Clone, Debug, Default)]
pub(super) struct PermittedThing {
    /// Its telling words, folded, sorted.
    pub words: Vec<String>,
    /// Of those, where it is done or to what: `to main`, `in docs/`.
    places: Vec<String>,
    /// Names in it that are written with signs, by their last part: `uploads`, `sessions_old`.
    names: Vec<String>,
    /// Half of the words name it.
    is_loose: bool,
}

/// Words before a place, folded.
static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "to|into|onto|on|in|inside|from|against|at|within|auf|nach|in|im|ins|aus|vers|sur\
        |dans|depuis|en|hacia|desde|na|no|para|em|su|nel|nella|verso|naar|op|uit|do|w|z|в|на|из|к";
    Regex::new(&format!(
        r"(?:^|\s)(?:{words})\s+([^\s,;:]+(?:\s+[^\s,;:]+)?)"
    ))
    .ok()
});

/// What is not meant, or when, folded.
static EXCEPTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "not|except|excluding|other than|besides|nicht|ausser|pas|sauf|no|salvo|excepto|nao|exceto|non|tranne\
        |niet|behalve|nie|oprocz|не|кроме";
    let conditions = "once|after|as soon as|as long as|provided|assuming|unless|until|if|when|sobald|wenn|falls|quand|cuando|quando\
        |zodra|если|когда";
    Regex::new(&format!(r"\s(?:{words}|{conditions})\s")).ok()
});

impl PermittedThing {
    /// The thing that a folded clause speaks of beside the words at `cue`; `None` where nothing
    /// tells it.
    pub(super) fn of(folded: &str, cue: &Range<usize>) -> Option<Self> {
        let before = folded.get(..cue.start).unwrap_or_default();
        let after = folded.get(cue.end..).unwrap_or_default();
        // `Not those with a tag` is not of it.
        let excepted = EXCEPTED.as_ref().and_then(|cue| cue.find(after));
        let after = excepted.map_or(after, |found| after.get(..found.start()).unwrap_or(after));
        let words = telling_words(&format!("{before}\n{after}"));
        let mut places = Vec::new();
        for part in [before, after] {
            let found = PLACE
                .as_ref()
                .into_iter()
                .flat_map(|place| place.captures_iter(part));
            for groups in found {
                let named = groups.get(1).map_or("", |group| group.as_str());
                // A verb behind `to` is no place.
                places.extend(
                    words_of(named)
                        .take(1)
                        .filter(|word| actions_of(word).next().is_none()),
                );
            }
        }
        (!words.is_empty()).then_some(Self {
            names: names_in(before).chain(names_in(after)).collect(),
            words,
            places,
            is_loose: false,
        })
    }

    /// What a rule is about that has these words: half of them name it.
    pub(super) fn of_rule(words: Vec<String>) -> Self {
        Self {
            words,
            places: Vec::new(),
            names: Vec::new(),
            is_loose: true,
        }
    }

    /// Whether a folded clause speaks of the thing: of its place, of nearly all of it where it
    /// has few words, and of no other action.
    pub(super) fn is_named_in(&self, folded: &str) -> bool {
        let said: Vec<String> = words_of(folded).collect();
        let has = |word: &String| said.iter().any(|other| is_same(word, other));
        let hits = self.words.iter().filter(|word| has(word)).count();
        let count = self.words.len();
        let is_in_signs = self.words.iter().any(|word| word.starts_with(is_unspaced));
        // `You may run plan`: beside words of the thing only a verb.
        let has_no_other = || {
            let mut others = said
                .iter()
                .filter(|word| !self.words.iter().any(|own| is_same(word, own)));
            others.all(|word| actions_of(word).next().is_some())
        };
        let enough = match count {
            _ if self.is_loose => count.div_ceil(2),
            _ if is_in_signs => (count * NAMED_SIGNS).div_ceil(100),
            0..=FEW_WORDS if has_no_other() => count.div_ceil(2),
            0..=FEW_WORDS => count,
            _ => (count * NAMED_SHARE).div_ceil(100).max(FEW_WORDS),
        };
        let contradicts = |word: &String| {
            let bare = ["un", "non", "in"]
                .iter()
                .find_map(|start| word.strip_prefix(start));
            !has(word) && bare.is_some_and(|bare| said.iter().any(|other| is_kin(bare, other)))
        };
        hits > 0
            && hits >= enough
            && self.places.iter().all(has)
            && self.names.iter().all(|name| folded.contains(name.as_str()))
            && !self.words.iter().any(contradicts)
            && self.is_same_action(&said)
    }

    fn is_same_action(&self, said: &[String]) -> bool {
        let actions = |words: &[String]| -> Vec<usize> {
            words.iter().flat_map(|word| actions_of(word)).collect()
        };
        let (wanted, named) = (actions(&self.words), actions(said));
        wanted.is_empty() || named.is_empty() || wanted.iter().any(|action| named.contains(action))
    }

    /// Whether a folded clause names something of the thing, and nothing that is not of it.
    pub(super) fn is_all_of(&self, folded: &str) -> bool {
        let mut said = words_of(folded).peekable();
        said.peek().is_some()
            && said.all(|word| self.words.iter().any(|other| is_same(&word, other)))
    }

    /// The words that a folded clause does not have.
    pub(super) fn missing_in(&self, folded: &str) -> Vec<String> {
        let said: Vec<String> = words_of(folded).collect();
        let is_missing = |word: &&String| !said.iter().any(|other| is_same(word, other));
        self.words.iter().filter(is_missing).cloned().collect()
    }
}

/// The names in a folded text that are written with signs, by their last part.
fn names_in(folded: &str) -> impl Iterator<Item = String> {
    let tokens = folded
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '"' | '\'' | '`' | '(' | ')'));
    tokens.filter_map(|token| {
        let token = token.trim_matches(|c: char| !c.is_alphanumeric());
        let is_name = token.contains(['/', '_']) && token.is_ascii();
        let last = token.rsplit('/').next().unwrap_or(token);
        (is_name && last.len() > 2).then(|| last.to_owned())
    })
}

/// Groups of stems, folded, of verbs that ask for the same.
const ACTIONS: &[&str] = &[
    "edit chang modif updat hand-edit touch alter rewrit rewrot adjust tweak ander bearbeit anpass modifi cambi alterar \
     edita wijzig zmien измен правк",
    "delet remov drop wip purg eras clean clear nuk trash losch entfern supprim effac borr elimin apag cancell \
     rimuov verwijder usun удал",
    "deploy rollout ship publish upload bereitstell ausroll despleg veroffentlich publi",
    "push gepush pouss",
    "merg land zusammenfuhr fusion",
    "read look view inspect lesen gelesen lire leer lus",
    "run execut start launch rerun ausfuhr lance ejecut",
    "install",
    "renam umbenenn umbenannt renomm renombr",
    "send sent mail schick gesend envoi envia",
    "write wrote draft compos schreib",
    "creat add make made new anleg erstell",
    "enabl activat turn aktivier einschalt",
    "disabl deactivat turn deaktivier abschalt",
    "skip bypass ignor overrid",
    "upgrad updat bump aktualisier",
    "open file",
    "close closing closed",
    "stop kill shut halt",
    "svuot vid vaci empt flush reset",
    "restart reboot relaunch bounc neustart redemarr reinici",
    "commit",
    "migrat",
];

/// The groups of a verb.
fn actions_of(word: &str) -> impl Iterator<Item = usize> {
    let groups = ACTIONS.iter().enumerate();
    groups.filter_map(move |(number, group)| {
        let mut stems = group.split_whitespace();
        stems.any(|stem| word.starts_with(stem)).then_some(number)
    })
}

/// Whether two folded words are of one stem, or ask for the same.
fn is_same(a: &str, b: &str) -> bool {
    is_kin(a, b) || actions_of(a).any(|action| actions_of(b).any(|other| other == action))
}

/// Words that tell nothing of an object, folded.
const EMPTY_WORDS: &[&str] = &[
    "user",
    "assistant",
    "agent",
    "may",
    "can",
    "could",
    "allowed",
    "approved",
    "permitted",
    "fine",
    "freely",
    "used",
    "done",
    "made",
    "session",
    "asked",
    "ask",
    "asking",
    "needed",
    "everywhere",
    "anything",
    "longer",
    "welcome",
    "explicitly",
    "already",
    "granted",
    "permission",
    "approval",
    "consent",
    "nutzer",
    "benutzer",
    "anwender",
    "erlaubt",
    "durfen",
    "konnen",
    "werden",
    "wurde",
    "usuario",
    "utilisateur",
    "utente",
    "gebruiker",
    "uzytkownik",
    "пользователь",
    "kullanici",
    "autorise",
    "permitido",
    "autorizado",
    "goedgekeurd",
    "said",
    "says",
    "told",
    "wrote",
    "now",
    "gave",
    "given",
    "agreed",
    "agrees",
    "rule",
    "rules",
    "ban",
    "restriction",
    "restrictions",
    "lifted",
    "withdrew",
    "withdrawn",
    "revoked",
    "rescinded",
    "waived",
    "suspended",
    "applies",
    "regel",
    "regeln",
    "verbot",
    "aufgehoben",
    "regle",
    "interdiction",
    "levee",
    "regla",
    "prohibicion",
    "levantada",
    "правило",
    "отменено",
    "stato",
    "stata",
    "access",
    "besides",
    "yes",
    "okay",
    "ok'd",
    "generally",
    "always",
    "freely",
    "mind",
    "objection",
    "objections",
    "confirmation",
    "directly",
    "please",
    "pls",
    "own",
    "one",
    "ones",
    "any",
    "later",
    "then",
    "first",
    "finally",
    "never",
    "dont",
    "doesnt",
    "without",
    "niemals",
    "jamais",
    "nunca",
    "nooit",
    "nigdy",
    "никогда",
    "ser",
    "sein",
    "etre",
    "essere",
    "worden",
    "byc",
    "быть",
    "zijn",
];
/// Signs that tell nothing of an object.
const EMPTY_SIGNS: &str = "的了是在可以不用户允许同意已经要和与将被把对从为其它也就都很有人我你他这那のをはがにでともてしいなるすれさせまた";

fn words_of(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let words = parts.filter(|word| !word.is_empty());
    words.flat_map(|word| {
        if word.starts_with(is_unspaced) {
            let signs: Vec<String> = word
                .chars()
                .filter(|c| !EMPTY_SIGNS.contains(*c))
                .map(String::from)
                .collect();
            return signs;
        }
        let is_telling = (word.chars().count() > 2 || word.contains(|c: char| c.is_ascii_digit()))
            && !keywords::is_stop(word)
            && !languages::all()
                .iter()
                .any(|language| language.is_common(word))
            && !EMPTY_WORDS.contains(&word);
        is_telling
            .then(|| word.to_owned())
            .into_iter()
            .collect::<Vec<_>>()
    })
}

/// Whether the first word of a folded text tells what is done.
pub(super) fn begins_with_action(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.next().is_some_and(|word| {
        let is_gerund = word.len() > 5 && word.ends_with("ing");
        is_gerund || actions_of(word).next().is_some()
    })
}

/// A short English verb without its ending: `tagging`, `tagged`, `tags`.
fn bare_verb(word: &str) -> &str {
    let endings = ["ing", "ed", "s"];
    let stem = endings.iter().find_map(|ending| word.strip_suffix(ending));
    let stem = stem.filter(|stem| stem.len() >= 3).unwrap_or(word);
    let mut ends = stem.chars().rev();
    match (ends.next(), ends.next()) {
        (Some(a), Some(b)) if a == b && stem != word && stem.len() > 3 => {
            stem.get(..stem.len() - a.len_utf8()).unwrap_or(stem)
        }
        _ => stem,
    }
}

/// Whether two folded words are of one stem.
fn is_kin(a: &str, b: &str) -> bool {
    if a == b || bare_verb(a) == bare_verb(b) {
        return true;
    }
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shorter = a.chars().count().min(b.chars().count());
    let stem = if a.starts_with(is_hangul) {
        2
    } else {
        STEM_CHARS
    };
    common >= stem && common + 2 >= shorter
}

/// The words of a folded text that tell what it is about.
pub(in super::super) fn telling_words(folded: &str) -> Vec<String> {
    let mut out: Vec<String> = words_of(folded).collect();
    out.sort();
    out.dedup();
    out
}

/// How many of the object's words a text has, in hundredths.
pub(in super::super) fn share_in(object: &[String], folded: &str) -> usize {
    let words: Vec<String> = words_of(folded).collect();
    let hits = object
        .iter()
        .filter(|word| words.iter().any(|said| is_kin(word, said)))
        .count();
    hits * 100 / object.len().max(1)
}
