//! The words of the program: what a person reads has the terms of docs/glossary.md and
//! British spelling.
//!
//! Read are string literals of `src/` with a space in them, outside code of tests; the help
//! of the command line, which is in doc comments; and text files that people read. Names of
//! settings, flags and JSON keys are single words and are not read.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use regex::Regex;

/// A pattern that no text for people has, and the words to use.
struct Banned {
    pattern: Regex,
    instead: &'static str,
}

/// Words that a reader has to decipher, by the glossary.
const PHRASES: &[(&str, &str)] = &[
    (r"\banew\b", "again"),
    (r"\bstands? for it\b", "replaced by summary"),
    (r"\bswallow(s|ed)?\b", "replaced by summary"),
    (r"\b(no longer )?in force\b", "active"),
    (r"\bmend(s|ed|ing)?\b", "repair, correct; 1 problem"),
    (r"\bput(s)? (forward|back)\b", "redo"),
    (r"\bother colours\b", "theme"),
    (r"\bcaret\b", "cursor"),
    (
        r"\b(goes?|went) in(to)? the place of|\btakes? the place of",
        "replaces",
    ),
    (r"\bhad an effect\b", "matched"),
    (r"\bfrom here on\b", "from now on"),
    (r"\b(and|that) is none\b|\bis none of\b", "is not"),
    (r"\bstands? in the\b", "moved back to the input; is in"),
    (r"\bhow (they|it|each of them) stands?\b", "status"),
    (r"\bbeliev(e|es|ed)\b", "trust"),
    (
        r"\bgate (warm|cold|off)\b|\bcache (is|was|counts as) (still )?(warm|cold)\b",
        "cache expires in 5 min; valid for",
    ),
    (r"\bin reach\b|\bwithin reach\b", "available"),
    (r"\bsay \W?go on", "type \"continue\""),
    (r"\b(go|goes|went|gone) on\b", "continue"),
    (r"\bany key go on\b|\bleave that\b", "cancel"),
    (
        r"\b(taken|takes?|took) (it |this |that |them |files )?back\b",
        "undo, undone; rewind, rewound",
    ),
    (
        r"\b(brought|brings?) (it |this |them )?back\b",
        "restore, restored",
    ),
    (r"\bcut away\b", "prune; trimmed, cleared"),
    (
        r"\bnot sent in full, and why\b",
        "trimmed, cleared and dropped",
    ),
    (r"\bcomposer\b", "input"),
    (r"\bnarrow(s|ed|ing)?\b", "filter"),
    (r"\bstruck out\b", "removed"),
    (
        r"\bnobody (says|knows|can|could|asked|said)\b",
        "unknown; not available",
    ),
    (r"\bthe view (has|takes|would)\b", "the context has"),
    (r"\bset aside\b", "ignored; moved"),
    (r"\bbefore it counts\b", "before it is applied"),
    (
        r"\bis no (image|text|command|day|JSON|PEM|model|diff|key|message)\b",
        "is not a",
    ),
    (r"\bhas no working\b", "without a valid"),
    (
        r"\bmargin \d|\bruler \w+ ×",
        "calibrated on N responses (±3%)",
    ),
];

/// American spellings that a text may have by habit.
const SPELLINGS: &[(&str, &str)] = &[
    (r"(^|[^-`])\bcolor(s|ed|ing|ful)?\b", "colour"),
    (
        r"\b(behavior|favor|honor|neighbor|flavor|labor)(s|ed|ing|able|ite|ites)?\b",
        "-our",
    ),
    (
        r"\b(summar|anal|organ|recogn|optim|custom|initial|normal|minim|maxim|categor|priorit|author|emphas|real|visual|util|standard|special|capital|synchron|memor|apolog|critic|final|general)(ize|yze)(s|d|r|rs)?\b",
        "-ise, -yse",
    ),
    (
        r"\b(summar|anal|organ|recogn|optim|custom|initial|normal|minim|maxim|categor|priorit|author|emphas|real|visual|util|standard|special|capital|synchron|memor|apolog|critic|final|general)(iz|yz)(ing|ation|ations)\b",
        "-ising, -isation",
    ),
    (
        r"\b(cancel|label|model|signal|travel|total)(ed|ing)\b",
        "-lled, -lling",
    ),
    (r"\b(center|meter|fiber|theater)(s|ed)?\b", "-re"),
    (r"\b(catalog|dialog|analog)s?\b", "-ogue"),
    (r"\bgray\b", "grey"),
    (r"\bfulfill\b|\benroll\b", "-l"),
    (r"\bdefense\b|\boffense\b", "-ce"),
];

static BANNED: LazyLock<Vec<Banned>> = LazyLock::new(|| {
    let rows = PHRASES.iter().chain(SPELLINGS);
    rows.map(|(pattern, instead)| Banned {
        pattern: Regex::new(&format!("(?i){pattern}")).unwrap(),
        instead,
    })
    .collect()
});

/// Files whose literals no person reads, or that must keep the words of others.
const EXEMPT: &[(&str, &str)] = &[
    (
        "src/context/rules/",
        "words of users that rules are found by",
    ),
    (
        "src/context/grounding/",
        "words of summaries that claims are found by",
    ),
    (
        "src/context/audit/",
        "words of summaries that are looked for",
    ),
    ("src/context/extractive/cues.rs", "words of conversations"),
    ("src/context/extractive/steps.rs", "words of conversations"),
    (
        "src/context/fidelity/statements.rs",
        "words of conversations",
    ),
    ("src/context/identifiers/", "patterns of identifiers"),
    ("src/context/redact/", "patterns of secrets"),
    ("src/context/summary/prompt.rs", "read by models"),
    ("src/provider/overflow/", "error texts of servers"),
    (
        "src/provider/offline/",
        "what people type, and an example with both spellings",
    ),
    (
        "src/tool/",
        "read by models: arguments, results and their advice",
    ),
    (
        "src/agent/turn/batch.rs",
        "results of tools, read by models",
    ),
    ("src/agent/turn/plan_mode.rs", "read by models"),
    (
        "src/context/prune/superseded/",
        "a reason that sessions on disk hold",
    ),
    ("src/provider/protocol/body.rs", "read by models"),
    ("src/provider/openai/wire.rs", "read by models"),
    ("src/transcript/standing.rs", "a value in JSON"),
];

/// The table of terms shows what not to say.
const GLOSSARY: &str = "docs/glossary.md";

/// A text that people read.
struct ReadText {
    line: usize,
    text: String,
}

/// A name in the code, which stands for other words when the text is read.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{[^{}]*\}").unwrap());

/// Names and commands in a document.
static CODE_SPAN: LazyLock<Regex> = LazyLock::new(|| Regex::new("`[^`]*`").unwrap());

fn complaints(text: &str) -> Vec<String> {
    let text = PLACEHOLDER.replace_all(text, "{}");
    let rows = BANNED.iter();
    rows.filter_map(|row| {
        let found = row.pattern.find(&text)?;
        Some(format!("“{}” → {}", found.as_str(), row.instead))
    })
    .collect()
}

/// The literals of a source file that people read.
fn literals(path: &str, source: &str) -> Vec<ReadText> {
    let tokens: TokenStream = source
        .parse()
        .unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut found = Vec::new();
    read(tokens, path.starts_with("src/cli/"), &mut found);
    found.retain(|it| it.text.contains(' ') && it.text.chars().any(char::is_alphabetic));
    found
}

fn read(tokens: TokenStream, has_help: bool, found: &mut Vec<ReadText>) {
    let mut tokens = tokens.into_iter().peekable();
    let mut is_for_tests = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let inner =
                    tokens.next_if(|it| matches!(it, TokenTree::Punct(it) if it.as_char() == '!'));
                let attribute = tokens.next_if(
                    |it| matches!(it, TokenTree::Group(it) if it.delimiter() == Delimiter::Bracket),
                );
                let Some(TokenTree::Group(attribute)) = attribute else {
                    continue;
                };
                let words = attribute.stream().to_string();
                let name = words.split(|c: char| !c.is_alphanumeric()).next();
                let name = name.unwrap_or_default();
                is_for_tests |=
                    words.starts_with("cfg") && words.contains("test") && !words.contains("not");
                let is_read = match name {
                    "error" => true,
                    "doc" | "arg" | "command" => has_help && inner.is_none(),
                    _ => false,
                };
                if is_read {
                    read(attribute.stream(), has_help, found);
                }
            }
            TokenTree::Group(group) => {
                if is_for_tests && group.delimiter() == Delimiter::Brace {
                    is_for_tests = false;
                    continue;
                }
                read(group.stream(), has_help, found);
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => is_for_tests = false,
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                    found.push(ReadText {
                        line,
                        text: text.value(),
                    });
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let names = [
        "tests.rs",
        "testing.rs",
        "fixture.rs",
        "test_scope.rs",
        "simulated.rs",
    ];
    path.contains("/tests/") || names.contains(&name)
}

fn files(folder: &str, endings: &[&str]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|it| endings.iter().any(|ending| it == *ending))
            {
                let name = path.strip_prefix(root).unwrap_or(&path);
                found.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn text_of(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What is wrong in a file, a line each.
fn wrong_in(path: &str) -> Vec<String> {
    let text = text_of(path);
    let read: Vec<ReadText> = if has_ending(path, "rs") {
        literals(path, &text)
    } else {
        let lines = text.lines().enumerate();
        lines
            .filter(|(_, line)| !(has_ending(path, "toml") && line.contains(" = ")))
            .map(|(at, line)| ReadText {
                line: at + 1,
                text: CODE_SPAN.replace_all(line, "``").into_owned(),
            })
            .collect()
    };
    let found = read.iter().flat_map(|it| {
        let wrong = complaints(&it.text).into_iter();
        wrong.map(move |what| format!("{path}:{}: {what} in {:?}", it.line, it.text))
    });
    found.collect()
}

fn has_ending(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it == ending)
}

fn is_in(path: &str, places: impl IntoIterator<Item = &'static str>) -> bool {
    places.into_iter().any(|place| path.starts_with(place))
}

fn read_paths() -> Vec<String> {
    let source = files("src", &["rs"]).into_iter();
    let source = source
        .filter(|path| !is_test_file(path) && !is_in(path, EXEMPT.iter().map(|(place, _)| *place)));
    let documents = files("docs", &["md"]).into_iter();
    let documents = documents.filter(|path| path != GLOSSARY);
    let single = ["README.md", "CHANGELOG.md", "assets/config.default.toml"];
    source
        .chain(documents)
        .chain(single.into_iter().map(str::to_owned))
        .collect()
}

#[test]
fn people_read_the_terms_of_the_glossary_in_british_spelling() {
    let read = read_paths();
    let wrong: Vec<String> = read.iter().flat_map(|path| wrong_in(path)).collect();
    assert!(
        wrong.is_empty(),
        "{} places\n{}\n",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn exempt_places_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let exempt = EXEMPT.iter().map(|(place, _)| *place);
    for place in exempt {
        let is_there = root.join(place).exists()
            || root
                .join(format!("{}.rs", place.trim_end_matches('/')))
                .exists();
        assert!(is_there, "{place}");
    }
}

#[test]
fn a_planted_phrase_is_found_where_people_read_it_and_nowhere_else() {
    let planted = r##"
        //! The summary in force, in a comment.
        /// A doc comment, from here on.
        #[derive(Debug)]
        #[error("wait, it was taken back: {0}")]
        #[serde(rename = "in force for ever")]
        fn f() -> String {
            let name = "anew";
            let raw = r#"press enter to send "it" anew"#;
            format!("nothing to mend \
                     here", name)
        }
        #[cfg(test)]
        mod tests { const TEXT: &str = "say it anew, please"; }
        #[cfg(test)]
        use something;
        const LATER: &str = "in a new color";
    "##;
    let found = literals("src/x.rs", planted);
    let found: Vec<(usize, Vec<String>)> = found
        .iter()
        .map(|it| (it.line, complaints(&it.text)))
        .collect();
    let said = |text: &str| vec![text.to_owned()];
    assert_eq!(
        found,
        [
            (5, said("“taken back” → undo, undone; rewind, rewound")),
            (9, said("“anew” → again")),
            (10, said("“mend” → repair, correct; 1 problem")),
            (17, said("“ color” → colour")),
        ]
    );
    let help = literals("src/cli/x.rs", "/// Go on with a session\nstruct A;");
    let help: Vec<String> = help.iter().flat_map(|it| complaints(&it.text)).collect();
    assert_eq!(help, ["“Go on” → continue"]);
}

#[test]
fn names_that_scripts_read_are_no_spellings() {
    for text in [
        "`color` is true; expected a share",
        "start with --no-color here",
        "summarised, modelled and cancelled in grey colours",
        "the model is labelled",
        "a total of 5; modest",
    ] {
        assert_eq!(complaints(text), Vec::<String>::new(), "{text}");
    }
    for text in [
        "summarizing the rest",
        "it was canceled",
        "the behavior of it",
        "Color the bar",
        "in the center of",
    ] {
        assert_eq!(complaints(text).len(), 1, "{text}");
    }
}
