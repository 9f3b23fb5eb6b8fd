//! Text as cues are looked for in it: lower case, no accents, words between single spaces,
//! commas and colons as words of their own. Every byte knows where it comes from.

use crate::cue::Script;

/// Stands for what is quoted, in a masked text.
pub const MASK: char = '\u{1}';
/// The word in a normal text for what was masked.
pub const MASKED_WORD: char = '§';

/// See the module's description.
#[derive(Clone, Debug)]
pub struct NormalText {
    /// Words between single spaces, with one at each end where the script has spaces.
    pub text: String,
    /// For every byte of `text`, the byte of the original that it comes from.
    origins: Vec<u32>,
    /// How most of it is written.
    pub script: Script,
}

impl NormalText {
    /// The normal form of a masked text.
    pub fn of(masked: &str) -> Self {
        let mut out = Self {
            text: String::with_capacity(masked.len() + 2),
            origins: Vec::with_capacity(masked.len() + 2),
            script: script_of(masked),
        };
        let is_spaced = !matches!(out.script, Script::Han | Script::Kana);
        if out.script == Script::Latin || out.script == Script::Cyrillic {
            out.push(' ', 0);
        }
        let mut chars = masked.char_indices().peekable();
        let mut before = ' ';
        while let Some((at, c)) = chars.next() {
            let after = chars.peek().map_or(' ', |(_, after)| *after);
            out.take(at, c, before, after);
            before = c;
        }
        if out.script == Script::Latin || out.script == Script::Cyrillic {
            out.space(masked.len());
        }
        if !is_spaced {
            out.drop_spaces();
        }
        out
    }

    /// A phrase as it stands in a normal text.
    pub fn of_phrase(phrase: &str) -> String {
        Self::of(phrase).text.trim().to_owned()
    }

    /// Where a byte of the normal text comes from.
    pub fn origin(&self, at: usize, end: usize) -> usize {
        self.origins.get(at).map_or(end, |&origin| origin as usize)
    }

    /// Puts other words in the place of some. Their letters come from where those began.
    pub fn replace_words<'a>(&mut self, other: impl Fn(&str) -> Option<&'a str>) {
        let found: Vec<(usize, usize, &str)> = words(&self.text)
            .filter_map(|(at, word)| Some((at, at + word.len(), other(word)?)))
            .collect();
        for (start, end, word) in found.into_iter().rev() {
            let origin = self.origins.get(start).copied().unwrap_or(0);
            self.text.replace_range(start..end, word);
            self.origins
                .splice(start..end, std::iter::repeat_n(origin, word.len()));
        }
    }

    fn take(&mut self, at: usize, c: char, before: char, after: char) {
        match c {
            MASK => {
                if before != MASK {
                    self.space(at);
                    self.push(MASKED_WORD, at);
                }
                if after != MASK {
                    self.space(at + 1);
                }
            }
            '.' | '/' | '_' | '@' | '#' if before.is_alphanumeric() && after.is_alphanumeric() => {
                self.push(c, at);
            }
            ':' | '：' if !(before.is_alphanumeric() && after.is_alphanumeric() && c == ':') => {
                self.word(':', at);
            }
            ',' | '，' | '、' | ';' | '；' => self.word(',', at),
            '%' | '$' | '€' | '+' => self.push(c, at),
            c if is_combining(c) => {}
            c if c.is_alphanumeric() => self.letter(c, at),
            _ => self.space(at),
        }
    }

    fn letter(&mut self, c: char, at: usize) {
        match c {
            'ß' => {
                self.push('s', at);
                self.push('s', at);
            }
            'æ' | 'Æ' => {
                self.push('a', at);
                self.push('e', at);
            }
            'œ' | 'Œ' => {
                self.push('o', at);
                self.push('e', at);
            }
            'ー' | '々' => self.push(c, at),
            c => {
                for lower in c.to_lowercase().filter(|c| !is_combining(*c)) {
                    self.push(without_accent(lower), at);
                }
            }
        }
    }

    fn word(&mut self, c: char, at: usize) {
        self.space(at);
        self.push(c, at);
        self.space(at + 1);
    }

    fn space(&mut self, at: usize) {
        if !self.text.ends_with(' ') {
            self.push(' ', at);
        }
    }

    fn push(&mut self, c: char, at: usize) {
        self.text.push(c);
        let origin = u32::try_from(at).unwrap_or(u32::MAX);
        self.origins
            .extend(std::iter::repeat_n(origin, c.len_utf8()));
    }

    /// Takes out the spaces that writers of Han and kana put where they like.
    fn drop_spaces(&mut self) {
        let mut text = String::with_capacity(self.text.len());
        let mut origins = Vec::with_capacity(self.origins.len());
        for (at, c) in self.text.char_indices().filter(|(_, c)| *c != ' ') {
            text.push(c);
            origins.extend_from_slice(self.origins.get(at..at + c.len_utf8()).unwrap_or_default());
        }
        self.text = text;
        self.origins = origins;
    }
}

/// The words of a normal text, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(' ').map(move |word| {
        let start = at;
        at += word.len() + 1;
        (start, word)
    })
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{feff}')
}

/// The script of a text: that of Latin letters, unless enough others are in it.
fn script_of(text: &str) -> Script {
    let (mut cyrillic, mut han, mut kana, mut hangul) = (0, 0, 0, 0);
    for c in text.chars().filter(|c| !c.is_ascii()) {
        match c {
            '\u{400}'..='\u{52f}' => cyrillic += 1,
            '\u{3041}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => kana += 1,
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
                hangul += 1;
            }
            '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => han += 1,
            _ => {}
        }
    }
    let most = cyrillic.max(han).max(kana).max(hangul);
    if most == 0 {
        Script::Latin
    } else if hangul == most {
        Script::Hangul
    } else if kana > 0 {
        Script::Kana
    } else if han == most {
        Script::Han
    } else if cyrillic > 1 {
        Script::Cyrillic
    } else {
        Script::Latin
    }
}

/// A lower-case letter as it is typed where there is no key for its accent.
fn without_accent(c: char) -> char {
    match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ё' => 'е',
        'й' => 'и',
        // Letters of double width, as an input method may leave them.
        '\u{ff41}'..='\u{ff5a}' | '\u{ff10}'..='\u{ff19}' => {
            char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
        }
        c => c,
    }
}
