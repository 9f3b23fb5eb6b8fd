//! The words of a text that carry its subject, in any script: for finding out whether
//! an ask is reflected and which messages a line draws on.

use crate::context::identifiers::is_unspaced;

/// Keywords of an ask that are looked for.
const MAX_KEYWORDS: usize = 12;
/// Shortest word that carries meaning, in characters.
const MIN_WORD_CHARS: usize = 2;
/// Only this much of an ask is read, in characters: a pasted log is not an ask.
const MAX_ASK_CHARS: usize = 4_000;

/// Words that say nothing about the subject. Sorted.
const STOP_WORDS: &[&str] = &[
    "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "been", "before", "but", "by", "can", "continue", "could", "did", "do", "does", "don", "done",
    "for", "from", "get", "go", "had", "has", "have", "he", "help", "her", "here", "him", "his",
    "how", "if", "in", "into", "is", "it", "its", "just", "let", "like", "ll", "make", "may", "me",
    "more", "my", "need", "no", "not", "now", "of", "ok", "okay", "on", "one", "only", "or", "our",
    "out", "please", "re", "s", "see", "she", "should", "so", "some", "still", "t", "than",
    "thanks", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "too", "up", "us", "use", "ve", "very", "want", "was", "we", "well", "were", "what",
    "when", "where", "which", "who", "why", "will", "with", "would", "yes", "you", "your",
];

/// No stop word is longer, in bytes: looking up the others would be in vain.
const MAX_STOP_BYTES: usize = 8;

/// Bigrams of Chinese and Japanese that say nothing about the subject.
const STOP_BIGRAMS: &[&str] = &[
    "一下",
    "一个",
    "我们",
    "你们",
    "他们",
    "这个",
    "那个",
    "什么",
    "怎么",
    "可以",
    "请你",
    "需要",
    "然后",
    "现在",
    "继续",
    "帮我",
    "です",
    "ます",
    "して",
    "ください",
    "この",
    "その",
    "から",
    "こと",
];

/// Lower case, full-width letters and digits as ASCII, white space as one space: the
/// part of compatibility normalisation that matters for comparing words.
pub fn normalize(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
            continue;
        }
        let folded = match u32::from(c) {
            0x3000 => ' ',
            wide @ 0xFF01..=0xFF5E => char::from_u32(wide - 0xFEE0).unwrap_or(c),
            _ => c,
        };
        out.extend(folded.to_lowercase());
    }
    out
}

/// Every word of a normalised text: runs of letters and digits without stop words;
/// scripts without spaces give their bigrams. In order, with repetitions.
pub fn words(normalized: &str) -> Vec<String> {
    let mut out = Vec::new();
    each_run(normalized, &mut |run| {
        if !is_stop(run) {
            out.push(run.to_owned());
        }
    });
    out
}

/// Hands over the words of a normalised text, stop words included.
pub fn each_run<'a>(normalized: &'a str, found: &mut impl FnMut(&'a str)) {
    let mut word: Option<usize> = None;
    let mut unspaced: Option<usize> = None;
    for (at, c) in normalized.char_indices() {
        let is_part = c.is_alphanumeric() || c == '_';
        if is_part && !is_unspaced(c) {
            word.get_or_insert(at);
            unspaced = None;
            continue;
        }
        if let Some(from) = word.take() {
            offer(normalized.get(from..at).unwrap_or_default(), found);
        }
        if let Some(from) = unspaced.filter(|_| is_part) {
            let bigram = normalized.get(from..at + c.len_utf8());
            found(bigram.unwrap_or_default());
        }
        unspaced = is_part.then_some(at);
    }
    if let Some(from) = word {
        offer(normalized.get(from..).unwrap_or_default(), found);
    }
}

fn offer<'a>(run: &'a str, found: &mut impl FnMut(&'a str)) {
    let is_long_enough = run.chars().nth(MIN_WORD_CHARS - 1).is_some();
    if is_long_enough {
        found(run);
    }
}

/// Whether a word says nothing about the subject.
pub fn is_stop(word: &str) -> bool {
    if word.is_ascii() {
        word.len() <= MAX_STOP_BYTES && STOP_WORDS.binary_search(&word).is_ok()
    } else {
        STOP_BIGRAMS.contains(&word)
    }
}

/// The first distinct keywords of an ask.
pub fn keywords(ask: &str) -> Vec<String> {
    let ask = crate::context::summary::excerpt::head(ask, MAX_ASK_CHARS);
    let mut out: Vec<String> = Vec::new();
    for word in words(&normalize(ask)) {
        if !out.contains(&word) {
            out.push(word);
        }
        if out.len() == MAX_KEYWORDS {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| is_stop(word)));
    }

    #[test]
    fn keywords_of_any_script() {
        for (ask, expected) in [
            (
                "Please fix the Token refresh race",
                "fix token refresh race",
            ),
            ("ＦＩＸ　ｉｔ now", "fix"),
            ("请修复令牌刷新", "请修 修复 复令 令牌 牌刷 刷新"),
            ("ok, continue", ""),
            ("修复auth模块", "修复 auth 模块"),
        ] {
            assert_eq!(keywords(ask).join(" "), expected, "{ask}");
        }
        assert_eq!(
            keywords(
                &(0..50)
                    .map(|n| format!("word{n} "))
                    .collect::<Vec<_>>()
                    .concat()
            )
            .len(),
            12
        );
    }
}
