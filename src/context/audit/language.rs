//! Which language a text is written in, as far as that is plain: by its script, and for
//! Latin script by its commonest words. Says nothing where it is not: a wrong verdict
//! would cost a request and cast doubt on a good summary.

use std::collections::BTreeMap;

use crate::context::summary::document::SummaryDocument;
use crate::context::summary::template::NONE;
use crate::context::summary::{SourceMessage, excerpt};
use crate::transcript::Message;

/// Only this much of a message is read, in characters.
const READ_CHARS: usize = 2_000;
/// Only so many of the newest messages of each side are read.
const READ_MESSAGES: usize = 40;
/// A message needs this many words to count.
const MIN_MESSAGE_WORDS: usize = 4;
/// A summary needs this many.
const MIN_SUMMARY_WORDS: usize = 12;
/// In percent: from this share of the words on a script is the script of a text,
const MAIN_SHARE: usize = 40;
/// below this one it only occurs in it.
const STRAY_SHARE: usize = 10;
/// In percent: this share of the words of a side makes a language its main one.
const MAJORITY: usize = 80;
/// In percent: from this share of the words on, sections in another language are a part of the
/// text.
const PART_SHARE: usize = 25;
/// A section needs this many words to count.
const MIN_SECTION_WORDS: usize = 8;
/// Fewest common words that tell a language, and how many times the runner-up's.
const MIN_COMMON_WORDS: usize = 3;
const LEAD: usize = 2;
/// Letters of a word, for scripts whose words are not counted.
const LETTERS_PER_WORD: usize = 5;
/// Letters of a word where a letter is a syllable or more.
const SYLLABLES_PER_WORD: usize = 2;

/// A language, or a script where its languages are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextLanguage {
    /// Han without kana.
    Chinese,
    /// Han with kana, or kana.
    Japanese,
    /// Hangul.
    Korean,
    /// Cyrillic script.
    Cyrillic,
    /// Arabic script.
    Arabic,
    /// Hebrew script.
    Hebrew,
    /// Greek script.
    Greek,
    /// Thai script.
    Thai,
    /// Devanagari script.
    Devanagari,
    /// Latin script, by its common words.
    Latin(&'static str),
    /// Latin script.
    SomeLatin,
}

/// Common words that are rare in the other languages of the list.
const COMMON: [(&str, &[&str]); 7] = [
    (
        "English",
        &[
            "the", "and", "are", "to", "of", "for", "with", "that", "this", "it", "not", "be",
            "should", "from", "by", "has", "have", "will", "which",
        ],
    ),
    (
        "German",
        &[
            "der", "das", "und", "ist", "nicht", "mit", "für", "ein", "eine", "den", "dem", "auf",
            "wird", "werden", "auch", "bei", "noch", "wurde", "oder", "zu", "im", "von", "bitte",
        ],
    ),
    (
        "French",
        &[
            "le", "les", "des", "et", "est", "une", "dans", "pour", "pas", "avec", "sur", "qui",
            "du", "au", "été", "sont", "nous",
        ],
    ),
    (
        "Spanish",
        &[
            "el", "los", "las", "y", "del", "está", "pero", "más", "cuando", "muy", "hay", "fue",
            "también", "según", "hacer",
        ],
    ),
    (
        "Portuguese",
        &[
            "não", "uma", "em", "são", "os", "ao", "foi", "mais", "você", "pelo", "pela", "isso",
            "também",
        ],
    ),
    (
        "Italian",
        &[
            "il", "che", "di", "è", "della", "sono", "nel", "gli", "anche", "più", "questo",
            "alla", "dei",
        ],
    ),
    (
        "Dutch",
        &[
            "het", "een", "van", "niet", "voor", "zijn", "maar", "ook", "naar", "wordt", "deze",
            "bij",
        ],
    ),
];

impl TextLanguage {
    /// For prompts and findings; `None` where nothing precise can be said.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Chinese => "Chinese",
            Self::Japanese => "Japanese",
            Self::Korean => "Korean",
            Self::Cyrillic => "a language in Cyrillic script",
            Self::Arabic => "a language in Arabic script",
            Self::Hebrew => "Hebrew",
            Self::Greek => "Greek",
            Self::Thai => "Thai",
            Self::Devanagari => "a language in Devanagari script",
            Self::Latin(name) => name,
            Self::SomeLatin => return None,
        })
    }

    /// Whether this cannot be the other one.
    pub fn differs_from(self, other: Self) -> bool {
        self != other && !(self.is_latin() && other.is_latin() && self.is_vague_beside(other))
    }

    fn is_latin(self) -> bool {
        matches!(self, Self::Latin(_) | Self::SomeLatin)
    }

    fn is_vague_beside(self, other: Self) -> bool {
        self == Self::SomeLatin || other == Self::SomeLatin
    }
}

/// The language that a conversation is mainly held in. User and model each have a say;
/// where they plainly differ there is no main language.
pub fn main_language(messages: &[SourceMessage]) -> Option<TextLanguage> {
    let of_user = majority(messages, |message| matches!(message, Message::User(_)));
    let of_model = majority(messages, |message| matches!(message, Message::Assistant(_)));
    match (of_user, of_model) {
        (Some(user), Some(model)) if user == model => Some(user),
        (Some(user), Some(model)) if user.is_latin() && model.is_latin() => {
            Some(TextLanguage::SomeLatin)
        }
        (Some(_), Some(_)) => None,
        (user, model) => user.or(model),
    }
}

/// The language of at least [`MAJORITY`] percent of the words of one side. Words in Latin
/// script whose language is not plain count with the one that is plain beside them.
fn majority(
    messages: &[SourceMessage],
    is_side: impl Fn(&Message) -> bool,
) -> Option<TextLanguage> {
    let mut words: BTreeMap<TextLanguage, usize> = BTreeMap::new();
    let side = messages.iter().rev().filter(|m| is_side(&m.message));
    for source in side.take(READ_MESSAGES) {
        let text = source.message.text();
        let judged = WordsByScript::of(excerpt::head(&text, READ_CHARS)).judged(MIN_MESSAGE_WORDS);
        if let Some(language) = judged.language {
            *words.entry(language).or_default() += judged.count;
        }
    }
    let vague = words.remove(&TextLanguage::SomeLatin).unwrap_or(0);
    let latin = words.iter().filter(|(language, _)| language.is_latin());
    let plain_latin: usize = latin.map(|(_, count)| count).sum();
    let total = vague + words.values().sum::<usize>();
    let is_main = |count: usize| total > 0 && count * 100 >= total * MAJORITY;
    let main = words.iter().find(|(language, count)| {
        let beside = if language.is_latin() { vague } else { 0 };
        is_main(**count + beside.min(2 * **count))
    });
    match main {
        Some((language, _)) => Some(*language),
        None => is_main(vague + plain_latin).then_some(TextLanguage::SomeLatin),
    }
}

/// In percent: from this share of a person's words on a language is theirs.
const PERSONAL_SHARE: usize = 80;

/// The language that at least 80 percent of the words in the user role are
/// written in; messages whose language is not plain do not count.
pub fn of_people(messages: &[SourceMessage]) -> Option<TextLanguage> {
    let mut words: BTreeMap<TextLanguage, usize> = BTreeMap::new();
    let people = messages
        .iter()
        .rev()
        .filter(|source| matches!(*source.message, Message::User(_)));
    for source in people.take(READ_MESSAGES) {
        let text = source.message.text();
        let text = excerpt::head(&text, READ_CHARS);
        let language = of(text, MIN_MESSAGE_WORDS);
        if let Some(language) = language.filter(|language| *language != TextLanguage::SomeLatin) {
            *words.entry(language).or_default() += text.chars().count();
        }
    }
    let total: usize = words.values().sum();
    let (language, count) = words.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 100 >= total * PERSONAL_SHARE).then_some(language)
}

/// The language of a summary's own words.
pub fn of_summary(text: &str) -> Option<TextLanguage> {
    of(&text.replace(NONE, ""), MIN_SUMMARY_WORDS)
}

/// The language of the largest part of a text that is plainly not in the one that is wanted,
/// when such sections have at least a quarter of the words.
pub fn foreign_part<'a>(
    sections: impl Iterator<Item = &'a str>,
    wanted: TextLanguage,
) -> Option<TextLanguage> {
    let mut foreign: BTreeMap<TextLanguage, usize> = BTreeMap::new();
    let mut total = 0;
    for body in sections {
        let judged = WordsByScript::of(body).judged(MIN_SECTION_WORDS);
        total += judged.count;
        let written = judged.language;
        if let Some(written) = written.filter(|written| written.differs_from(wanted)) {
            *foreign.entry(written).or_default() += judged.count;
        }
    }
    let words: usize = foreign.values().sum();
    let most = foreign.iter().max_by_key(|(_, words)| **words);
    most.filter(|_| words * 100 >= total * PART_SHARE)
        .map(|(language, _)| *language)
}

/// Words of a text by script.
#[derive(Default)]
struct WordsByScript {
    latin: usize,
    letters: BTreeMap<TextLanguage, usize>,
    common: [usize; COMMON.len()],
}

/// A text's words and the language they are in.
struct JudgedWords {
    count: usize,
    language: Option<TextLanguage>,
}

fn of(text: &str, min_words: usize) -> Option<TextLanguage> {
    WordsByScript::of(text).judged(min_words).language
}

impl WordsByScript {
    fn of(text: &str) -> Self {
        let mut words = Self::default();
        for (line, in_code) in SummaryDocument::lines_with_code(text) {
            if !in_code && !line.starts_with('#') {
                // What is in code spans is the same in every language.
                line.split('`')
                    .step_by(2)
                    .for_each(|prose| words.read(prose));
            }
        }
        words
    }

    fn read(&mut self, prose: &str) {
        for word in prose.split_whitespace() {
            for c in word.chars() {
                if let Some(script) = script(c) {
                    *self.letters.entry(script).or_default() += 1;
                }
            }
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            // Names of files and functions are not words of a language.
            if word
                .chars()
                .all(|c| is_latin_letter(c) || matches!(c, '-' | '\'' | '’'))
            {
                self.latin += usize::from(word.len() > 1 || word == "y");
                let word = word.to_lowercase();
                for (hits, (_, common)) in self.common.iter_mut().zip(COMMON) {
                    *hits += usize::from(common.contains(&word.as_str()));
                }
            }
        }
    }

    fn judged(mut self, min_words: usize) -> JudgedWords {
        for (language, letters) in &mut self.letters {
            *letters /= match language {
                TextLanguage::Chinese
                | TextLanguage::Japanese
                | TextLanguage::Korean
                | TextLanguage::Thai => SYLLABLES_PER_WORD,
                _ => LETTERS_PER_WORD,
            };
        }
        let kana = self
            .letters
            .get(&TextLanguage::Japanese)
            .copied()
            .unwrap_or(0);
        let han = self
            .letters
            .get(&TextLanguage::Chinese)
            .copied()
            .unwrap_or(0);
        if kana * STRAY_SHARE > han {
            self.letters.remove(&TextLanguage::Chinese);
            self.letters.insert(TextLanguage::Japanese, kana + han);
        }
        let other: usize = self.letters.values().sum();
        let count = self.latin + other;
        JudgedWords {
            count,
            language: (count >= min_words)
                .then(|| self.verdict(count, other))
                .flatten(),
        }
    }

    /// The language of `total` words, `other` of them not in Latin script.
    fn verdict(&self, total: usize, other: usize) -> Option<TextLanguage> {
        let (script, most) = self
            .letters
            .iter()
            .max_by_key(|(_, words)| **words)
            .map_or((TextLanguage::SomeLatin, 0), |(script, words)| {
                (*script, *words)
            });
        if most * 100 >= total * MAIN_SHARE {
            return Some(script);
        }
        (other * 100 < total * STRAY_SHARE).then(|| self.latin_language())
    }

    fn latin_language(&self) -> TextLanguage {
        let mut ranked: Vec<(usize, &str)> = self
            .common
            .iter()
            .zip(COMMON)
            .map(|(hits, (name, _))| (*hits, name))
            .collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        match ranked.as_slice() {
            [(best, name), (next, _), ..] if *best >= MIN_COMMON_WORDS && *best >= next * LEAD => {
                COMMON
                    .iter()
                    .find(|(known, _)| known == name)
                    .map_or(TextLanguage::SomeLatin, |(known, _)| {
                        TextLanguage::Latin(known)
                    })
            }
            _ => TextLanguage::SomeLatin,
        }
    }
}

fn is_latin_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(u32::from(c), 0xC0..=0x24F | 0x1E00..=0x1EFF)
}

fn script(c: char) -> Option<TextLanguage> {
    Some(match u32::from(c) {
        0x0370..=0x03FF => TextLanguage::Greek,
        0x0400..=0x052F => TextLanguage::Cyrillic,
        0x0590..=0x05FF => TextLanguage::Hebrew,
        0x0600..=0x06FF | 0x0750..=0x077F => TextLanguage::Arabic,
        0x0900..=0x097F => TextLanguage::Devanagari,
        0x0E00..=0x0E7F => TextLanguage::Thai,
        0x3041..=0x30FF => TextLanguage::Japanese,
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0x20000..=0x3FFFF => TextLanguage::Chinese,
        0xAC00..=0xD7AF => TextLanguage::Korean,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::{AssistantMessage, AssistantPart, EntryId};

    #[test]
    fn plain_cases_are_told_and_the_others_are_not() {
        for (text, expected) in [
            (
                "Please fix the refresh race and add a test for it",
                Some(TextLanguage::Latin("English")),
            ),
            (
                "Bitte behebe den Fehler und schreibe auch einen Test für das Modul",
                Some(TextLanguage::Latin("German")),
            ),
            (
                "Corrige les tests dans le module et ajoute une option pour le serveur",
                Some(TextLanguage::Latin("French")),
            ),
            (
                "Arregla los errores del módulo y también las pruebas, pero más tarde",
                Some(TextLanguage::Latin("Spanish")),
            ),
            (
                "请修复 src/auth.rs 里的 token refresh 竞态条件，然后补上测试",
                Some(TextLanguage::Chinese),
            ),
            (
                "トークンの更新を直してテストを追加してください",
                Some(TextLanguage::Japanese),
            ),
            (
                "토큰 갱신 경쟁 상태를 고치고 테스트를 추가해 주세요",
                Some(TextLanguage::Korean),
            ),
            (
                "Исправь гонку при обновлении токена и добавь тест",
                Some(TextLanguage::Cyrillic),
            ),
            (
                "fix login widget colours now",
                Some(TextLanguage::SomeLatin),
            ),
            ("ok", None),
            ("```\nthe and for with that\n```\n`the and for with`", None),
            ("src/auth.rs src/main.rs src/lib.rs foo_bar baz()", None),
        ] {
            assert_eq!(of(text, MIN_MESSAGE_WORDS), expected, "{text}");
        }
        let (english, german) = (
            TextLanguage::Latin("English"),
            TextLanguage::Latin("German"),
        );
        assert!(english.differs_from(german) && english.differs_from(TextLanguage::Chinese));
        assert!(!english.differs_from(TextLanguage::SomeLatin) && !english.differs_from(english));
    }

    #[test]
    fn a_language_is_the_main_one_with_four_fifths_of_the_words_of_the_user() {
        let user = |text: &str| SourceMessage {
            entry: EntryId::new("u"),
            message: Arc::new(Message::user_text(text)),
            tokens: 1,
        };
        let answer = |text: &str| SourceMessage {
            message: Arc::new(Message::Assistant(AssistantMessage {
                content: vec![AssistantPart::Text(text.to_owned())],
                ..AssistantMessage::default()
            })),
            ..user("")
        };
        let english = "Please translate this for the team and keep the tone of it";
        let chinese = "请把这些文字翻译成英文，保持原来的语气和格式不变";
        let mut messages = vec![user(english); 8];
        messages.push(user(chinese));
        assert_eq!(
            main_language(&messages),
            Some(TextLanguage::Latin("English"))
        );
        // A talk in two languages is in none.
        messages.extend(vec![user(chinese); 3]);
        assert_eq!(main_language(&messages), None);
        assert_eq!(
            main_language(&[user(chinese), answer(chinese)]),
            Some(TextLanguage::Chinese)
        );
        // Asked in one language and answered in another: neither is the main one.
        assert_eq!(main_language(&[user(chinese), answer(english)]), None);
        assert_eq!(main_language(&[user("ok")]), None);
    }
}
