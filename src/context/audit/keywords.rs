//! The words of a text that carry its subject, in any script: for finding out whether
//! an ask is reflected and which messages a line draws on.

use crate::context::identifiers::is_unspaced;

/// Keywords of an ask that are looked for.
const MAX_KEYWORDS: usize = 12;
/// Shortest word that carries meaning, in characters.
const MIN_WORD_CHARS: usize = 2;
/// Only this much of an ask is read, in characters: a pasted log is no ask.
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
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
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
    for run in normalized.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let mut spaced = String::new();
        let mut unspaced: Option<char> = None;
        for c in run.chars() {
            if is_unspaced(c) {
                flush(&mut spaced, &mut out);
                if let Some(before) = unspaced {
                    let bigram: String = [before, c].iter().collect();
                    if !STOP_BIGRAMS.contains(&bigram.as_str()) {
                        out.push(bigram);
                    }
                }
                unspaced = Some(c);
            } else {
                unspaced = None;
                spaced.push(c);
            }
        }
        flush(&mut spaced, &mut out);
    }
    out
}

fn flush(word: &mut String, out: &mut Vec<String>) {
    let long_enough = word.chars().nth(MIN_WORD_CHARS - 1).is_some();
    if long_enough && STOP_WORDS.binary_search(&word.as_str()).is_err() {
        out.push(std::mem::take(word));
    }
    word.clear();
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
