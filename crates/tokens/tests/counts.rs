//! Counts are those of the reference implementation, for texts of all kinds.

use std::time::{Duration, Instant};

use plimsoll_tokens::Encoding;
use proptest::prelude::*;
use tiktoken_rs::{cl100k_base_singleton, o200k_base_singleton};

const ENCODINGS: [Encoding; 2] = [Encoding::O200k, Encoding::Cl100k];
/// For a megabyte in which the reference gets stuck; what is quadratic takes minutes.
const PATIENCE: Duration = Duration::from_secs(10);
const MEGABYTE: usize = 1_000_000;

fn reference(encoding: Encoding, text: &str) -> usize {
    let tables = match encoding {
        Encoding::O200k => o200k_base_singleton(),
        Encoding::Cl100k => cl100k_base_singleton(),
    };
    tables.count_ordinary(text)
}

fn check(text: &str) {
    for encoding in ENCODINGS {
        let expected = reference(encoding, text);
        assert_eq!(encoding.count(text), expected, "{encoding:?} {text:?}");
    }
}

/// Parts of texts that rules treat in their own way.
const PARTS: &[&str] = &[
    " ",
    "  ",
    "   ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " \n",
    "\n ",
    "\t\n\t",
    "\u{a0}",
    "\u{2003}",
    "\u{85}",
    "\u{3000}",
    "\u{2028}",
    "\u{b}",
    "\u{c}",
    "\u{200b}",
    "\u{feff}",
    "\0",
    "\u{1b}[31m",
    "'s",
    "'S",
    "'t",
    "'T",
    "'re",
    "'RE",
    "'rE",
    "'ve",
    "'Ve",
    "'m",
    "'M",
    "'ll",
    "'LL",
    "'lL",
    "'d",
    "'D",
    "'ſ",
    "ſ",
    "'",
    "''",
    "’s",
    "'l",
    "'r",
    "'x",
    "a",
    "b",
    "A",
    "B",
    "Ab",
    "aB",
    "ABC",
    "ABc",
    "hello",
    "World",
    "HTTPServer",
    "don't",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{301}\u{302}",
    "É",
    "E\u{301}",
    "ǅ",
    "ʰ",
    "ª",
    "ß",
    "İ",
    "K",
    "0",
    "12",
    "345",
    "6789",
    "١٢٣",
    "१२३४",
    "Ⅷ",
    "½",
    "²",
    "①",
    "Ⓐ",
    "/",
    "//",
    "/\n",
    "\n/",
    "!",
    "?!",
    "...",
    "!\n",
    "!\r\n",
    "!/\n/",
    "-",
    "--",
    "_",
    "=>",
    "{\n",
    "}\n",
    "();",
    "$",
    "\"",
    "\\",
    "<|endoftext|>",
    "你好",
    "世界。",
    "日本語",
    "カタカナ",
    "ー",
    "한국어",
    "العربية",
    "مَرْحَبًا",
    "עִבְרִית",
    "हिन्दी",
    "ไทย",
    "ภาษา",
    "Привет",
    "ПРИВЕТ",
    "Ελληνικά",
    "👩‍👩‍👧",
    "👍🏽",
    "🇩🇪",
    "😀",
    "\u{fffd}",
    "\u{e000}",
    "\u{10ffff}",
    "\u{fe0f}",
    "\u{20e3}",
    "𝒳",
    "𐐀",
];

fn texts_of_parts() -> impl Strategy<Value = String> {
    let part = proptest::sample::select(PARTS);
    let run = (part, 1_usize..4).prop_map(|(part, times)| part.repeat(times));
    proptest::collection::vec(run, 0..12).prop_map(|parts| parts.concat())
}

fn long_runs() -> impl Strategy<Value = String> {
    let part = proptest::sample::select(PARTS);
    let run = (part, 1_usize..300).prop_map(|(part, times)| part.repeat(times));
    proptest::collection::vec(run, 1..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn texts_of_ugly_parts_count_as_the_reference_counts(text in texts_of_parts()) {
        check(&text);
    }

    #[test]
    fn any_characters_count_as_the_reference_counts(text in proptest::collection::vec(any::<char>(), 0..40)) {
        check(&text.into_iter().collect::<String>());
    }

    #[test]
    fn letters_of_low_blocks_count_as_the_reference_counts(text in "[\\x00-\u{24f}\u{300}-\u{3ff}\u{2000}-\u{206f}]{0,40}") {
        check(&text);
    }

    #[test]
    fn white_space_counts_as_the_reference_counts(text in "[ \t\r\n\u{a0}\u{85}\u{2003}a!1/]{0,24}") {
        check(&text);
    }

    #[test]
    fn words_with_apostrophes_count_as_the_reference_counts(text in "[a-zA-Z'ſé\u{301} ]{0,24}") {
        check(&text);
    }

    #[test]
    fn base64_counts_as_the_reference_counts(text in "[A-Za-z0-9+/]{0,400}={0,2}") {
        check(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn long_runs_count_as_the_reference_counts(text in long_runs()) {
        check(&text);
    }
}

#[test]
fn every_character_counts_as_the_reference_counts() {
    // Nearly all beyond is for private use or not assigned.
    let assigned = '\0'..'\u{33480}';
    let beyond = ('\u{33480}'..=char::MAX).step_by(61);
    let characters: Vec<char> = assigned.chain(beyond).collect();
    for characters in characters.chunks(512) {
        let texts = characters
            .iter()
            .map(|c| format!("{c}a{c}B {c}\n{c}'s1{c}!"));
        check(&texts.collect::<String>());
    }
}

#[test]
fn every_token_is_one_token_or_what_the_reference_makes_of_it() {
    for (encoding, tables) in [
        (Encoding::O200k, o200k_base_singleton()),
        (Encoding::Cl100k, cl100k_base_singleton()),
    ] {
        let tokens = (0..200_000).filter_map(|rank| tables.decode_bytes(&[rank]).ok());
        for token in tokens.filter_map(|bytes| String::from_utf8(bytes).ok()) {
            assert_eq!(
                encoding.count(&token),
                tables.count_ordinary(&token),
                "{token:?}"
            );
        }
    }
}

#[test]
fn whole_documents_count_as_the_reference_counts() {
    let code = "fn main() {\n    // a comment; with / slashes\n    let x = vec![1, 2, 3];\n}\n\n";
    let prose = "The quick brown fox.\nIt jumps over the lazy dog, and so on.\n";
    let chinese = "上下文窗口已经满了。\n请压缩上下文，然后继续。\n";
    let mixed =
        "  - don't: 日本語 and ünïcödé 🙂👩‍👩‍👧 at 10:45\r\n\r\n\tif (a&&b) { return 1_000; }\n";
    let one_line = "The quick brown fox; 上下文窗口已经满了。 x = y / 2 ";
    for text in [code, prose, chinese, mixed, one_line] {
        check(&text.repeat(1_000));
    }
    for source in [include_str!("counts.rs"), include_str!("../README.md")] {
        check(source);
    }
}

#[test]
fn special_tokens_in_a_text_are_text() {
    assert!(Encoding::O200k.count("<|endoftext|>") > 1);
    assert!(Encoding::Cl100k.count("<|fim_prefix|>") > 1);
    assert_eq!(Encoding::O200k.count(""), 0);
}

#[test]
fn a_megabyte_without_words_is_counted_soon() {
    let mixed = (0..MEGABYTE).map(|n| char::from(b'a' + (n.wrapping_mul(40_503) >> 7 & 15) as u8));
    for text in [
        format!("{}x", " ".repeat(MEGABYTE)),
        " \n".repeat(MEGABYTE / 2),
        "A".repeat(MEGABYTE),
        mixed.collect(),
    ] {
        for encoding in ENCODINGS {
            let begun = Instant::now();
            assert!(encoding.count(&text) > 1_000);
            let took = begun.elapsed();
            assert!(took < PATIENCE, "{:?}: {took:?}", text.chars().next());
        }
    }
}
