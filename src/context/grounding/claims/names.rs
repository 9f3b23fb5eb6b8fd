//! Names of persons and products. Only what is plainly one and stands nowhere is marked:
//! beginnings of sentences, headings, nouns of German and words that everybody uses are no
//! names.

use std::ops::Range;

use crate::context::grounding::ClaimClass;
use crate::context::grounding::fold::{self, WordGap, folded_text, word_hash};
use crate::context::grounding::index::SourceIndex;
use crate::context::grounding::languages;
use crate::context::identifiers::is_unspaced;

use super::{Finding, LineReader, tokens};

/// Verbs that a person, or a product that says something, is the subject of.
const AGENT_VERBS: &[&str] = &[
    "approved",
    "approves",
    "offered",
    "offers",
    "leads",
    "led",
    "merged",
    "said",
    "says",
    "confirmed",
    "confirms",
    "asked",
    "asks",
    "showed",
    "shows",
    "reported",
    "reports",
    "suggested",
    "suggests",
    "wants",
    "wanted",
    "agreed",
    "agrees",
    "explained",
    "explains",
    "reviewed",
    "reviews",
    "found",
    "wrote",
    "decided",
    "prefers",
    "requested",
    "complained",
    "mentioned",
    "noted",
    "recommended",
    "recommends",
    "owns",
    "deployed",
    "sent",
    "pushed",
    "deleted",
    "opened",
    "closed",
    "signed",
    "rejected",
    "promised",
    "proposed",
    "insisted",
    "expects",
    "replied",
    "answered",
    "released",
    "published",
    "paid",
    "from",
    "told",
    "joined",
    "tuned",
    "fixed",
    "handles",
    "maintains",
    "tested",
    "checked",
    "has approved",
    "genehmigte",
    "bestätigte",
    "hat",
    "will",
    "sagte",
    "meint",
    "möchte",
    "prüft",
    "a",
    "ha",
    "approvò",
    "approuve",
    "aprobó",
    "aprovou",
    "keurde",
    "zatwierdził",
    "zatwierdziła",
    "одобрил",
    "одобрила",
    "onayladı",
    "vetoed",
    "warned",
    "claimed",
    "demanded",
    "granted",
];

/// Words at the beginning of a sentence that are no names, folded.
const STARTERS: &[&str] = &[
    "user",
    "users",
    "team",
    "teams",
    "reviewer",
    "everyone",
    "everybody",
    "nobody",
    "someone",
    "somebody",
    "it",
    "he",
    "she",
    "they",
    "we",
    "you",
    "i",
    "this",
    "that",
    "these",
    "those",
    "there",
    "the",
    "a",
    "an",
    "all",
    "both",
    "each",
    "some",
    "none",
    "nothing",
    "everything",
    "tests",
    "test",
    "review",
    "customers",
    "customer",
    "clients",
    "client",
    "server",
    "output",
    "logs",
    "log",
    "support",
    "legal",
    "management",
    "ops",
    "search",
    "build",
    "builds",
    "analysis",
    "benchmarks",
    "benchmark",
    "script",
    "developer",
    "developers",
    "assistant",
    "model",
    "agent",
    "maintainer",
    "maintainers",
    "author",
    "authors",
    "results",
    "result",
    "code",
    "changes",
    "change",
    "production",
    "staging",
    "backup",
    "profiling",
    "tracing",
    "debugging",
    "monitoring",
    "measurements",
    "data",
    "docs",
    "first",
    "second",
    "next",
    "then",
    "also",
    "later",
    "who",
    "what",
    "which",
    "one",
    "two",
    "three",
    "four",
    "only",
    "just",
    "already",
    "not",
    "no",
    "so",
    "and",
    "but",
    "because",
    "after",
    "before",
    "since",
    "er",
    "sie",
    "es",
    "wir",
    "man",
    "der",
    "die",
    "das",
    "ein",
    "eine",
    "benutzer",
    "nutzer",
    "nutzerin",
    "anwender",
    "kunde",
    "niemand",
    "jemand",
    "alle",
    "chef",
    "kollege",
    "il",
    "elle",
    "on",
    "nous",
    "el",
    "ella",
    "ele",
    "ela",
    "notes",
    "note",
    "exports",
    "read",
    "data",
    "value",
    "values",
    "errors",
    "error",
    "feedback",
    "security",
    "design",
];

/// Capitalised words within a sentence that are no names, folded.
const COMMON_CAPITALS: &[&str] = &[
    "ok",
    "todo",
    "i",
    "english",
    "german",
    "french",
    "spanish",
    "portuguese",
    "italian",
    "dutch",
    "polish",
    "russian",
    "turkish",
    "chinese",
    "japanese",
    "korean",
    "british",
    "american",
    "european",
    "markdown",
    "unicode",
    "linux",
    "unix",
    "posix",
    "windows",
    "mac",
    "boolean",
    "done",
    "none",
    "goal",
    "next",
    "yes",
    "no",
    "true",
    "false",
    "internet",
    "web",
    "latin",
    "ascii",
    "json",
    "yaml",
    "sql",
    "html",
    "css",
    "api",
    "cli",
    "the",
    "a",
    "an",
    "and",
    "or",
    "not",
    "note",
    "if",
    "in",
    "on",
    "fixed",
    "added",
    "removed",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "mr",
    "mrs",
    "ms",
    "dr",
    "frau",
    "herr",
    "prof",
    "senor",
    "senora",
    "user",
    "assistant",
    "result",
    "option",
    "some",
    "ids",
    "id",
    "urls",
    "prs",
    "apis",
    "wip",
    "ui",
    "ux",
    "ci",
    "fehler",
    "tests",
    "test",
];

/// Names with words of a source that mention the thing in other words.
const IMPLIED: &[(&str, &[&str])] = &[
    ("postgres", &["postgresql", "psql", "pg", "libpq"]),
    ("postgresql", &["postgres", "psql", "pg"]),
    ("typescript", &["ts", "tsx", "tsc"]),
    ("javascript", &["js", "jsx", "mjs", "cjs"]),
    ("python", &["py", "python3", "pytest", "pip"]),
    ("rust", &["rs", "cargo", "rustc"]),
    ("go", &["golang", "gofmt"]),
    ("java", &["jar", "jvm", "gradlew", "mvn"]),
    ("kotlin", &["kt", "kts"]),
    ("ruby", &["rb", "gem", "rails"]),
    ("node", &["npm", "nodejs", "npx", "package", "js"]),
    ("git", &["git", "commit", "branch"]),
    ("github", &["gh", "pr"]),
    ("gitlab", &["glab"]),
    ("docker", &["dockerfile", "container"]),
    ("kubernetes", &["kubectl", "k8s", "helm"]),
    ("react", &["tsx", "jsx"]),
    ("mysql", &["mariadb"]),
    ("sqlite", &["sqlite3"]),
    ("cargo", &["toml", "crate"]),
    ("clippy", &["cargo"]),
];

/// Chinese surnames that are no everyday words, with their spelling in Latin letters.
const SURNAMES: &[(&str, &str)] = &[
    ("王", "wang"),
    ("李", "li"),
    ("张", "zhang"),
    ("張", "zhang"),
    ("刘", "liu"),
    ("劉", "liu"),
    ("陈", "chen"),
    ("陳", "chen"),
    ("杨", "yang"),
    ("楊", "yang"),
    ("赵", "zhao"),
    ("趙", "zhao"),
    ("黄", "huang"),
    ("黃", "huang"),
    ("周", "zhou"),
    ("吴", "wu"),
    ("吳", "wu"),
    ("徐", "xu"),
    ("孙", "sun"),
    ("孫", "sun"),
    ("胡", "hu"),
    ("朱", "zhu"),
    ("林", "lin"),
    ("郭", "guo"),
    ("罗", "luo"),
    ("羅", "luo"),
    ("梁", "liang"),
    ("宋", "song"),
    ("郑", "zheng"),
    ("鄭", "zheng"),
    ("谢", "xie"),
    ("韩", "han"),
    ("唐", "tang"),
    ("冯", "feng"),
    ("董", "dong"),
    ("萧", "xiao"),
    ("曹", "cao"),
    ("袁", "yuan"),
    ("邓", "deng"),
    ("傅", "fu"),
    ("沈", "shen"),
    ("彭", "peng"),
    ("吕", "lu"),
    ("苏", "su"),
    ("卢", "lu"),
    ("蒋", "jiang"),
    ("蔡", "cai"),
    ("贾", "jia"),
    ("魏", "wei"),
    ("薛", "xue"),
    ("叶", "ye"),
    ("潘", "pan"),
    ("杜", "du"),
    ("戴", "dai"),
    ("钟", "zhong"),
    ("汪", "wang"),
    ("姜", "jiang"),
    ("姚", "yao"),
    ("谭", "tan"),
    ("廖", "liao"),
    ("邹", "zou"),
    ("熊", "xiong"),
    ("陆", "lu"),
    ("郝", "hao"),
    ("崔", "cui"),
    ("邱", "qiu"),
    ("秦", "qin"),
    ("侯", "hou"),
    ("邵", "shao"),
    ("孟", "meng"),
    ("钱", "qian"),
    ("汤", "tang"),
    ("黎", "li"),
    ("贺", "he"),
    ("赖", "lai"),
    ("龚", "gong"),
];
/// What follows a Chinese name that acts.
const CHINESE_ACTS: [&str; 22] = [
    "已", "说", "要求", "确认", "审核", "负责", "同意", "提出", "建议", "批准", "表示", "认为",
    "决定", "将", "会", "在", "来", "通过", "提醒", "反馈", "报告", "完成",
];
/// What stands before a Chinese name.
const CHINESE_LEADS: &str = "由让请等与和被给经是为，。、；：（(：的";

pub(super) fn read(reader: &mut LineReader<'_>) {
    unspaced_names(reader);
    let words = words(reader);
    let folded = folded_text(reader.body());
    let is_german = std::ptr::eq(languages::likely(&folded), &raw const languages::all()[1]);
    let mut at = 0;
    while at < words.len() {
        let run = words
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take(MAX_NAME_WORDS);
        let mut len = 0;
        for (number, word) in run.enumerate() {
            if !word.is_name_like || number > 0 && (!word.follows_space || word.starts) {
                break;
            }
            len = number + 1;
        }
        if len > 0 {
            judge(reader, &words, at..at + len, is_german);
        }
        at += len.max(1);
    }
}

const MAX_NAME_WORDS: usize = 4;

/// A word of the line.
#[derive(Debug)]
struct LineWord<'a> {
    text: &'a str,
    span: Range<usize>,
    /// It begins a sentence, a cell, a quotation, what follows a colon.
    starts: bool,
    follows_space: bool,
    is_name_like: bool,
}

fn words<'a>(reader: &LineReader<'a>) -> Vec<LineWord<'a>> {
    let text = reader.text();
    let body = reader.line.body.clone();
    let mut out = Vec::new();
    let mut previous_end = body.start;
    for (at, part) in split_words(text.get(body.clone()).unwrap_or_default()) {
        let span = body.start + at..body.start + at + part.len();
        let between = text.get(previous_end..span.start).unwrap_or_default();
        let starts = out.is_empty()
            || between.contains(|c: char| {
                matches!(
                    c,
                    '.' | '!' | '?' | ':' | '|' | '"' | '“' | '(' | '*' | '「' | '：' | '→' | '['
                )
            });
        let mut chars = part.chars();
        let is_capital = chars.next().is_some_and(char::is_uppercase);
        let rest = chars.as_str();
        let shape = is_capital
            && rest.chars().any(char::is_lowercase)
            && rest.chars().all(char::is_alphabetic);
        let after = text.get(span.end..).unwrap_or_default();
        let is_compound = after.starts_with(|c: char| {
            matches!(c, '_' | '/' | ':' | '(') && !after.starts_with(": ") || c.is_ascii_digit()
        }) || between.ends_with(['_', '/', '.', '@', '#']);
        let is_name_like = shape
            && !is_compound
            && !reader.is_in_code(span.start)
            && !reader.is_taken(&span)
            && tokens::humps(part).len() == 1;
        out.push(LineWord {
            text: part,
            starts,
            follows_space: between == " ",
            is_name_like,
            span: span.clone(),
        });
        previous_end = span.end;
    }
    out
}

fn split_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    text.split(move |c: char| !is_part(c))
        .filter(|part| !part.is_empty())
        .map(move |part| {
            let at = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            (at, part)
        })
}

fn judge(
    reader: &mut LineReader<'_>,
    words: &[LineWord<'_>],
    range: Range<usize>,
    is_german: bool,
) {
    let Some(mut run) = words.get(range.clone()) else {
        return;
    };
    let next = words.get(range.end).map(|word| folded_text(word.text));
    let previous = range
        .start
        .checked_sub(1)
        .and_then(|at| words.get(at))
        .map(|word| folded_text(word.text));
    let has_agent_verb = next
        .as_deref()
        .is_some_and(|next| AGENT_VERBS.iter().any(|verb| folded_text(verb) == next));
    if is_german {
        let Some(first) = run.first() else {
            return;
        };
        let after_title = previous
            .as_deref()
            .is_some_and(|p| matches!(p, "frau" | "herr" | "herrn" | "dr"));
        let from_somewhere = previous
            .as_deref()
            .is_some_and(|p| matches!(p, "aus" | "via" | "laut"))
            && run.len() == 1
            && !is_german_noun(first.text);
        let acts = first.starts
            && run.len() == 1
            && next.as_deref() == Some("hat")
            && !is_german_noun(first.text);
        if !after_title && !from_somewhere && !acts {
            return;
        }
    } else if run.first().is_some_and(|word| word.starts) {
        let is_known_start = |word: &LineWord<'_>| is_starter(word.text);
        if run.len() > 1 && run.first().is_some_and(is_known_start) {
            run = run.get(1..).unwrap_or_default();
        } else if !has_agent_verb || run.first().is_some_and(is_known_start) {
            return;
        }
    }
    let Some((first, last)) = run.first().zip(run.last()) else {
        return;
    };
    let span = first.span.start..last.span.end;
    if let Some(finding) = said(reader.index, run.iter().map(|word| word.text)) {
        reader.claim(span, ClaimClass::Name, finding);
    }
}

fn is_starter(word: &str) -> bool {
    let folded = folded_text(word);
    let by_ending = [
        "ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ures", "ers", "ors", "ed",
        "ly", "tests",
    ];
    STARTERS.contains(&folded.as_str())
        || COMMON_CAPITALS.contains(&folded.as_str())
        || folded.len() > 4 && by_ending.iter().any(|ending| folded.ends_with(ending))
}

/// Endings of German nouns that are no names.
fn is_german_noun(word: &str) -> bool {
    let folded = folded_text(word);
    let endings = [
        "ung", "ungen", "heit", "keit", "schaft", "tion", "tionen", "tat", "nis", "tum", "chen",
        "lein", "ling", "ismus", "grunden", "sicht", "angst", "versehen", "zeit", "daten", "datei",
        "dateien", "fehler", "tests", "en", "er",
    ];
    STARTERS.contains(&folded.as_str())
        || COMMON_CAPITALS.contains(&folded.as_str())
        || endings.iter().any(|ending| folded.ends_with(ending))
}

/// Whether the source has a name; `None` for words that are none.
fn said<'w>(index: &SourceIndex<'_>, words: impl Iterator<Item = &'w str>) -> Option<Finding> {
    let mut finding = None;
    for word in words {
        let folded = folded_text(word);
        if COMMON_CAPITALS.contains(&folded.as_str()) {
            continue;
        }
        let place = place_of_name(index, &folded);
        if place == Finding::Nowhere {
            return Some(Finding::Nowhere);
        }
        finding = Some(place);
    }
    finding
}

/// Endings that languages put to names, and take from them.
const NAME_ENDINGS: [&str; 14] = [
    "a", "u", "y", "e", "i", "em", "ie", "owi", "ом", "у", "а", "е", "ой", "ы",
];

fn place_of_name(index: &SourceIndex<'_>, name: &str) -> Finding {
    let direct = Finding::of(index.place_of(name));
    direct
        .or_else(|| {
            let implied = IMPLIED.iter().find(|(known, _)| *known == name);
            let words = implied.into_iter().flat_map(|(_, words)| words.iter());
            Finding::of(words.filter_map(|word| index.place_of(word)).max())
        })
        .or_else(|| tokens::symbol(index, name))
        .or_else(|| {
            let count = name.chars().count();
            let stems = (1..=3)
                .filter(|cut| count > cut + 2)
                .map(|cut| name.chars().take(count - cut).collect::<String>());
            let forms = stems.flat_map(|stem| {
                let other = NAME_ENDINGS.map(|ending| format!("{stem}{ending}"));
                std::iter::once(stem).chain(other)
            });
            Finding::of(
                forms
                    .filter(|form| form.chars().count() > 3 || !form.is_ascii())
                    .find_map(|form| index.place_of(&form)),
            )
        })
        .or_else(|| {
            let signs = SURNAMES.iter().filter(|(_, latin)| *latin == name);
            Finding::of(signs.filter_map(|(sign, _)| index.place_of(sign)).max())
        })
        .or_else(|| given_name(index, name))
}

/// A Latin given name of a source that writes Chinese names: what it is written with
/// cannot be told, so it counts as said where its surname does.
fn given_name(index: &SourceIndex<'_>, name: &str) -> Finding {
    let is_syllable = name.is_ascii() && name.len() <= MAX_GIVEN_NAME;
    let people = SURNAMES.iter().filter(|_| is_syllable);
    let found = people
        .filter(|(sign, _)| index.count(word_hash(sign)) > 1)
        .count();
    if found > 0 {
        Finding::Follows
    } else {
        Finding::Nowhere
    }
}

/// Letters of a Chinese given name in Latin letters.
const MAX_GIVEN_NAME: usize = 7;

/// Chinese names that act, Japanese and Korean ones with their address.
fn unspaced_names(reader: &mut LineReader<'_>) {
    let body = reader.line.body.clone();
    let text = reader.text();
    let chars: Vec<(usize, char)> = text
        .get(body.clone())
        .unwrap_or_default()
        .char_indices()
        .map(|(at, c)| (body.start + at, c))
        .collect();
    let slice = |from: usize, to: usize| {
        let start = chars.get(from).map_or(body.end, |(at, _)| *at);
        let end = chars.get(to).map_or(body.end, |(at, _)| *at);
        start..end.max(start)
    };
    for (number, (at, c)) in chars.iter().enumerate() {
        if !is_unspaced(*c) || reader.is_taken(&(*at..*at + c.len_utf8())) {
            continue;
        }
        let is_surname = SURNAMES.iter().any(|(sign, _)| sign.starts_with(*c));
        let before = number
            .checked_sub(1)
            .and_then(|n| chars.get(n))
            .map(|(_, c)| *c);
        let begins = before.is_none_or(|c| CHINESE_LEADS.contains(c) || c.is_whitespace());
        if is_surname && begins {
            let lengths = [2, 3].into_iter().filter(|len| {
                let after = text
                    .get(slice(number + len, chars.len()))
                    .unwrap_or_default();
                CHINESE_ACTS.iter().any(|act| after.starts_with(act))
            });
            if let Some(len) = lengths.into_iter().next() {
                claim_unspaced(reader, slice(number, number + len));
            }
        }
        let rest = text.get(*at..).unwrap_or_default();
        let is_address = ["さん", "씨", "님 "]
            .iter()
            .any(|address| rest.starts_with(address));
        if is_address {
            let from = (0..number)
                .rev()
                .take(MAX_NAME_WORDS)
                .take_while(|n| {
                    chars.get(*n).is_some_and(|(_, c)| {
                        is_unspaced(*c) && c.is_alphabetic() && !is_hiragana(*c)
                    })
                })
                .last();
            if let Some(from) = from.filter(|from| number - from > 1) {
                claim_unspaced(reader, slice(from, number));
            }
        }
    }
}

fn is_hiragana(c: char) -> bool {
    matches!(u32::from(c), 0x3041..=0x309F)
}

fn claim_unspaced(reader: &mut LineReader<'_>, span: Range<usize>) {
    let name = reader.text().get(span.clone()).unwrap_or_default();
    let joins = |_: usize, gap: WordGap| gap == WordGap::None;
    let hashes: Vec<u64> = fold::words_of(name).iter().map(|word| word.hash).collect();
    let place = reader.index.find(&hashes, &joins, &|_| true);
    reader.claim(span, ClaimClass::Name, Finding::of(place));
}
