//! What an action was done to.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::context::audit::keywords;
use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{self, folded_text};
use crate::context::grounding::languages::ActionKind;
use crate::context::grounding::quantity;
use crate::context::identifiers;

use super::super::reader::LineReader;
use super::super::tokens;
use super::DoneAction;

/// Where programs run for real, folded beginnings.
const PLACES: &[&str] = &[
    "prod",
    "stag",
    "live",
    "生产",
    "生產",
    "本番",
    "프로덕션",
    "운영",
    "продакшн",
    "прод",
    "canli",
    "preview",
    "npm",
    "pypi",
    "mastodon",
    "twitter",
    "slack",
    "crates",
];

/// Words of an object that every command leaves out.
const GENERIC: &[&str] = &[
    "branch",
    "branches",
    "commit",
    "commits",
    "pull",
    "merge",
    "change",
    "changes",
    "code",
    "fix",
    "fixes",
    "release",
    "version",
    "tag",
    "build",
    "work",
    "remote",
    "origin",
    "main",
    "master",
    "successfully",
    "new",
    "old",
    "locally",
    "local",
    "file",
    "files",
    "everything",
    "all",
    "was",
    "were",
    "been",
    "has",
    "have",
    "had",
    "the",
    "and",
    "der",
    "die",
    "das",
    "wurde",
    "wurden",
    "ist",
    "sind",
    "hat",
    "haben",
    "auf",
    "mit",
    "von",
    "alle",
    "neue",
    "alten",
    "les",
    "des",
    "est",
    "ont",
    "été",
    "los",
    "las",
    "fue",
    "foi",
    "stato",
    "stata",
    "used",
    "unused",
    "using",
    "afterwards",
    "already",
    "again",
    "also",
    "finally",
    "unnötige",
    "production",
    "staging",
    "request",
    "requests",
    "table",
    "tables",
    "tabelle",
    "tabla",
    "user",
    "with",
    "which",
    "from",
    "into",
    "after",
    "before",
    "who",
    "squash",
    "squashed",
];

/// Words for what does things later, folded.
const SCRIPTS: &[&str] = &[
    "script",
    "skript",
    "migration",
    "guion",
    "скрипт",
    "миграц",
    "脚本",
    "迁移",
    "スクリプト",
    "マイグレーション",
    "스크립트",
    "마이그레이션",
    "betik",
];

/// What an action was done to, as far as it can be recognised again.
pub(super) struct ActionObject {
    pub kind: ActionKind,
    /// It was done by force.
    pub is_forced: bool,
    /// A program was loaded onto a device.
    pub is_flashed: bool,
    /// A person whom the clause names did it.
    pub is_by_another: bool,
    /// It is what a script does.
    pub is_in_a_script: bool,
    /// Words of each identifier of the clause.
    identifiers: Vec<Vec<u64>>,
    /// Those with a slash.
    branches: Vec<Vec<u64>>,
    /// Its other words that tell something.
    words: Vec<u64>,
    /// The number beside the verb: `1,483 dropped`.
    pub amount: Option<f64>,
    /// Beginnings of the places where it was done.
    places: Vec<&'static str>,
    /// All words of its clause.
    said: Vec<u64>,
}

impl ActionObject {
    pub(super) fn of(reader: &LineReader<'_>, action: &DoneAction) -> Self {
        let text = reader.text().get(action.clause.clone()).unwrap_or_default();
        let within = |span: &Range<usize>| {
            action.clause.start <= span.start && span.end <= action.clause.end
        };
        let named = reader.claims.iter().filter(|claim| {
            within(&claim.span)
                && matches!(
                    claim.class,
                    ClaimClass::Path
                        | ClaimClass::Identifier
                        | ClaimClass::Version
                        | ClaimClass::Host
                )
                && !claim.text.starts_with('-')
        });
        let mut found: Vec<Vec<u64>> = named
            .clone()
            .map(|claim| tokens::hashes(&claim.text))
            .collect();
        let spans: Vec<Range<usize>> = named.map(|claim| claim.span.clone()).collect();
        // `feature/login` is a branch even where it could be two words.
        let mut branches = Vec::new();
        identifiers::each_candidate(text, &mut |token| {
            if token.contains('/') {
                found.push(tokens::hashes(token));
                branches.push(tokens::hashes(token));
            }
        });
        let words = telling_words(text, action, &spans);
        let folded = folded_text(text);
        let places = PLACES.iter().copied().filter(|place| {
            folded
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word.starts_with(place))
                || !place.is_ascii() && folded.contains(place)
        });
        let verb = reader.text().get(action.verb.clone()).unwrap_or_default();
        Self {
            kind: action.kind,
            is_forced: super::says_force(verb),
            is_flashed: ["flash", "load", "aufgespielt"]
                .iter()
                .any(|word| verb.to_lowercase().contains(word)),
            is_by_another: is_by_another(reader, action),
            is_in_a_script: {
                let told = folded_text(reader.body());
                SCRIPTS.iter().any(|word| told.contains(word))
            },
            amount: amount_beside(reader.text(), &action.verb),
            identifiers: found,
            branches,
            words,
            places: places.collect(),
            said: fold::words_of(text).iter().map(|word| word.hash).collect(),
        }
    }

    /// Whether these texts name the object: all identifiers, all places, and a word, unless
    /// the command alone tells it.
    pub(super) fn is_in(&self, texts: &[&str], more: &[&str], is_told: bool) -> bool {
        let parted: Vec<String> = texts
            .iter()
            .map(|text| self.without_namesakes(text))
            .collect();
        let texts: Vec<&str> = parted.iter().map(String::as_str).collect();
        let texts = texts.as_slice();
        let words: Vec<Vec<u64>> = texts.iter().map(|text| tokens::hashes(text)).collect();
        let around: Vec<Vec<u64>> = more.iter().map(|text| tokens::hashes(text)).collect();
        let all = || words.iter().chain(&around);
        // The branch of a commit stands in another command.
        let is_elsewhere = |identifier: &[u64]| {
            self.kind == ActionKind::Commit
                && self.branches.iter().any(|branch| branch == identifier)
        };
        let has_identifiers = self.identifiers.iter().all(|identifier| {
            is_elsewhere(identifier) || all().any(|words| contains(words, identifier))
        });
        let folded: Vec<String> = texts
            .iter()
            .chain(more)
            .map(|text| folded_text(text))
            .collect();
        let has_places = self
            .places
            .iter()
            .all(|place| folded.iter().any(|text| text.contains(place)));
        let has_word = self.words.is_empty()
            || !self.identifiers.is_empty()
            || is_told && self.is_told_by_its_command()
            || words
                .iter()
                .chain(around.iter().filter(|_| self.kind == ActionKind::Deploy))
                .any(|words| words.iter().any(|word| self.words.contains(word)))
            || folded
                .iter()
                .take(texts.len())
                .any(|text| self.is_inside(text));
        has_identifiers && has_places && has_word
    }

    /// A text in which what was deleted is not `users` where it is `users_old`: names with a
    /// qualifier that the object does not have are blank.
    fn without_namesakes(&self, text: &str) -> String {
        static NAMESAKE: LazyLock<Option<Regex>> = LazyLock::new(|| {
            let words = "old|new|bak|backup|tmp|temp|test|copy|archive|archived|legacy|staging|dev|prod|v\\d+|\\d+";
            Regex::new(&format!(r"(?i)\b\w+_({words})\b|\b({words})_\w+\b")).ok()
        });
        let is_deleted = matches!(self.kind, ActionKind::Delete | ActionKind::Empty);
        let Some(cue) = NAMESAKE.as_ref().filter(|_| is_deleted) else {
            return text.to_owned();
        };
        let blank = cue.replace_all(text, |found: &Captures<'_>| {
            let qualifier = found.get(1).or_else(|| found.get(2));
            let qualifier = qualifier.map_or("", |word| word.as_str()).to_lowercase();
            let is_said = self.said.contains(&fold::word_hash(&qualifier));
            if is_said {
                found[0].to_owned()
            } else {
                String::from(" ")
            }
        });
        blank.into_owned()
    }

    /// Whether an edit takes it away: something of it stands before and not after. Of a file
    /// that is written anew, nothing of it stands there afterwards.
    pub(super) fn is_taken_out(&self, before: &[&str], after: &[&str]) -> bool {
        let hashes = |texts: &[&str]| -> Vec<Vec<u64>> {
            texts.iter().map(|text| tokens::hashes(text)).collect()
        };
        let (before, after) = (hashes(before), hashes(after));
        let has = |texts: &[Vec<u64>], run: &[u64]| texts.iter().any(|words| contains(words, run));
        let words = self.words.iter().map(std::slice::from_ref);
        let mut parts = self.identifiers.iter().map(Vec::as_slice).chain(words);
        let goes = |run: &[u64]| has(&before, run) && !has(&after, run);
        if before.len() > 1 {
            return parts.any(goes);
        }
        !self.identifiers.is_empty() && self.words.iter().all(|word| !has(&after, &[*word]))
    }

    /// Whether one of its identifiers or words is in these texts.
    pub(super) fn is_named_in(&self, texts: &[&str]) -> bool {
        let words: Vec<Vec<u64>> = texts.iter().map(|text| tokens::hashes(text)).collect();
        let has = |run: &[u64]| words.iter().any(|words| contains(words, run));
        self.identifiers.iter().any(|identifier| has(identifier))
            || self.words.iter().any(|word| has(&[*word]))
            || texts.iter().any(|text| self.is_inside(&folded_text(text)))
    }

    /// A word of the object inside a longer one: `DatePicker` has `date` and `picker`.
    fn is_inside(&self, folded: &str) -> bool {
        let pieces = folded.split(|c: char| !c.is_alphanumeric());
        let mut hashes = Vec::new();
        for piece in pieces.filter(|piece| piece.len() > 5 && piece.is_ascii()) {
            for cut in 3..piece.len().saturating_sub(2).min(24) {
                hashes.extend(piece.get(..cut).map(fold::word_hash));
                hashes.extend(piece.get(cut..).map(fold::word_hash));
            }
        }
        self.words.iter().any(|word| hashes.contains(word))
    }

    /// Commands that do the one thing without naming it.
    fn is_told_by_its_command(&self) -> bool {
        !matches!(
            self.kind,
            ActionKind::Delete
                | ActionKind::Send
                | ActionKind::Publish
                | ActionKind::Pay
                | ActionKind::Execute
                | ActionKind::Alter
        )
    }
}

/// Whether a name is the subject of an action in the perfect tense: `Tobiah has loaded`.
fn is_by_another(reader: &LineReader<'_>, action: &DoneAction) -> bool {
    let verb = reader.text().get(action.verb.clone()).unwrap_or_default();
    let has_auxiliary = verb.starts_with("has ") || verb.starts_with("have ");
    let names = reader
        .claims
        .iter()
        .filter(|claim| claim.class == ClaimClass::Name);
    let mut between =
        names.filter_map(|claim| reader.text().get(claim.span.end..action.verb.start));
    between.any(|between| match between.trim() {
        "" => has_auxiliary,
        "has" | "have" | "had" | "has already" | "has since" | "has now" => true,
        _ => false,
    })
}

/// The number directly before a verb or behind it.
fn amount_beside(text: &str, verb: &Range<usize>) -> Option<f64> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
    let before = text.get(..verb.start)?.trim_end();
    let start = before.trim_end_matches(is_number).len();
    let rest = text.get(verb.end..)?;
    let behind = verb.end + rest.len() - rest.trim_start().len();
    let mut starts = [start, behind].into_iter();
    let found = starts.find_map(|at| {
        let is_digit = text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        is_digit.then(|| quantity::quantity_at(text, at)).flatten()
    })?;
    found
        .readings()
        .map(|reading| reading.value)
        .reduce(f64::max)
}

/// The words of a clause that tell its object, in both numbers: `spans` are named otherwise.
fn telling_words(text: &str, action: &DoneAction, spans: &[Range<usize>]) -> Vec<u64> {
    let mut words = Vec::new();
    for word in fold::words_of(text) {
        let span = action.clause.start + word.start..action.clause.start + word.end;
        let spelling = folded_text(text.get(word.start..word.end).unwrap_or_default());
        let is_named = spans
            .iter()
            .any(|named| named.start <= span.start && span.end <= named.end);
        let is_verb = action.verb.start <= span.start && span.end <= action.verb.end;
        let is_telling = spelling.chars().count() > 2
            && !spelling.starts_with(|c: char| c.is_ascii_digit())
            && !keywords::is_stop(&spelling)
            && !GENERIC.contains(&spelling.as_str())
            && !PLACES.iter().any(|place| spelling.starts_with(place));
        if !is_named && !is_verb && is_telling {
            words.push(word.hash);
            words.extend(
                tokens::other_number(&spelling)
                    .iter()
                    .map(|word| fold::word_hash(word)),
            );
        }
    }
    words
}

fn contains(words: &[u64], run: &[u64]) -> bool {
    !run.is_empty() && words.windows(run.len()).any(|window| window == run)
}
