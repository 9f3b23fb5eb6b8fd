//! Paths, identifiers, symbols, addresses, hosts and versions.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{self, WordGap, word_hash};
use crate::context::grounding::index::SourceIndex;
use crate::context::grounding::prose::LineKind;
use crate::context::grounding::quantity;
use crate::context::identifiers::{self, IdentifierKind};

use super::paths::path;
use super::reader::{Finding, LineReader};
use super::vocabulary::{TOP_LEVELS, VOCABULARY};

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let url = r#"[A-Za-z][A-Za-z0-9+.-]*://[^\s<>"'`|，。、；]+"#;
    let mail = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}";
    Regex::new(&format!("{url}|{mail}")).ok()
});
static FLAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s`"'(\[|（])(--[A-Za-z][\w-]*(?:=[^\s`"',;)|]+)?)"#).ok()
});
static METHOD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\(\*?[A-Za-z_]\w*\)\.([A-Za-z_]\w*)").ok());
static VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^v?\d+\.\d+(?:\.\d+)+(?:[-+][0-9A-Za-z.]+)?$|^v\d+(?:\.\d+)+$").ok()
});

pub(super) fn read(reader: &mut LineReader<'_>) {
    addresses(reader);
    flags(reader);
    let text = reader.text();
    let mut tokens: Vec<&str> = Vec::new();
    identifiers::each_candidate(reader.body(), &mut |token| tokens.push(token));
    for token in tokens {
        let mut span = reader.span_of(token);
        // A file that is nothing but an extension keeps its dot, a variable its mark.
        if text
            .get(..span.start)
            .is_some_and(|before| before.ends_with('#'))
        {
            span.start -= 1;
        }
        if reader.is_taken(&span)
            || token.contains(['*', '{', '}', '<', '>', '…'])
            || is_amount_in_groups(text, &span)
        {
            continue;
        }
        if let Some((class, finding)) = judge(reader, token, &span) {
            reader.claim(span, class, finding);
        }
    }
    methods(reader);
    code_words(reader);
}

/// `3.797.033,27`: groups of three digits before a decimal comma are no version.
fn is_amount_in_groups(text: &str, span: &Range<usize>) -> bool {
    let mut groups = text.get(span.clone()).unwrap_or_default().split('.');
    let in_threes = groups.next().is_some_and(|first| first.len() <= 3)
        && groups.all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()));
    let after = text.get(span.end..).unwrap_or_default();
    let mut chars = after.chars();
    in_threes && chars.next() == Some(',') && chars.next().is_some_and(|c| c.is_ascii_digit())
}

/// `(*Batcher).Drain`: the method of a type has to be one that the source names.
fn methods(reader: &mut LineReader<'_>) {
    let Some(pattern) = METHOD.as_ref() else {
        return;
    };
    let base = reader.line.body.start;
    for found in pattern.captures_iter(reader.body()) {
        let Some((whole, method)) = found.get(0).zip(found.get(1)) else {
            continue;
        };
        let span = base + whole.start()..base + whole.end();
        if reader.is_taken(&span) {
            continue;
        }
        let finding = symbol(reader.index, method.as_str());
        reader.claim(span, ClaimClass::Identifier, finding);
    }
}

fn addresses(reader: &mut LineReader<'_>) {
    let Some(pattern) = ADDRESS.as_ref() else {
        return;
    };
    let base = reader.line.body.start;
    for found in pattern.find_iter(reader.body()) {
        let text = found
            .as_str()
            .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '*', '_', '}']);
        let span = base + found.start()..base + found.start() + text.len();
        let words = hashes(text);
        let scheme_words = usize::from(text.contains("://"));
        let finding = Finding::of(sequence(reader.index, &words, &|_, gap| stays_on_line(gap)))
            .or_else(|| {
                let without_scheme = words.get(scheme_words..).unwrap_or_default();
                let joins = |_: usize, gap: WordGap| stays_on_line(gap) && gap != WordGap::Space;
                Finding::of(sequence(reader.index, without_scheme, &joins))
            });
        reader.claim(span, ClaimClass::Address, finding);
    }
}

fn flags(reader: &mut LineReader<'_>) {
    let Some(pattern) = FLAG.as_ref() else {
        return;
    };
    let base = reader.line.body.start;
    let body = reader.body();
    for found in pattern
        .captures_iter(body)
        .filter_map(|groups| groups.get(1))
    {
        let span = base + found.start()..base + found.end();
        let index = reader.index;
        let words = hashes(found.as_str());
        let follows_dash = |place: usize| index.byte_before(place) == b'-';
        let joins = |_: usize, gap: WordGap| stays_on_line(gap);
        let whole = index.find(&words, &joins, &follows_dash);
        // A known flag with a value that was said elsewhere.
        let in_parts = || {
            let (name, value) = found.as_str().split_once('=')?;
            let place = index.find(&hashes(name), &joins, &follows_dash)?;
            let is_known = value.len() >= MIN_FLAG_VALUE && index.place_of(value).is_some();
            is_known.then_some(place)
        };
        let finding = Finding::of(whole.or_else(in_parts));
        reader.claim(span, ClaimClass::Identifier, finding);
    }
}

/// Characters of a value that tells something without its flag.
const MIN_FLAG_VALUE: usize = 3;

/// What a token claims; `None` for words.
fn judge(
    reader: &LineReader<'_>,
    token: &str,
    span: &Range<usize>,
) -> Option<(ClaimClass, Finding)> {
    let index = reader.index;
    if is_dotted_date(token) {
        return None;
    }
    if VERSION
        .as_ref()
        .is_some_and(|version| version.is_match(token))
    {
        return Some((ClaimClass::Version, version(index, token)));
    }
    match identifiers::classify(token) {
        Some(IdentifierKind::Path | IdentifierKind::WindowsPath) => {
            return is_named_file(token).then(|| (ClaimClass::Path, path(index, token)));
        }
        Some(IdentifierKind::Uuid | IdentifierKind::Hex) => {
            return Some((ClaimClass::Identifier, hexadecimal(index, token)));
        }
        Some(IdentifierKind::HostPort | IdentifierKind::Ip) => {
            return Some((ClaimClass::Host, exact(index, token)));
        }
        Some(IdentifierKind::Url) => return Some((ClaimClass::Address, exact(index, token))),
        Some(IdentifierKind::Id) => return Some((ClaimClass::Identifier, loose(index, token))),
        Some(IdentifierKind::Number) => return None,
        // Read below by what they look like, in code and in prose.
        Some(
            IdentifierKind::Mail
            | IdentifierKind::Host
            | IdentifierKind::Symbol
            | IdentifierKind::Flag
            | IdentifierKind::Variable
            | IdentifierKind::ErrorCode
            | IdentifierKind::Version
            | IdentifierKind::GitRef
            | IdentifierKind::Port
            | IdentifierKind::Quantity
            | IdentifierKind::Date,
        )
        | None => {}
    }
    if reader.line.kind == LineKind::Code && !token.contains(['_', ':', '.']) {
        return None;
    }
    named(reader, token, span)
}

/// `14.03.2026`
fn is_dotted_date(token: &str) -> bool {
    let lengths: Vec<usize> = token.split('.').map(str::len).collect();
    matches!(lengths.as_slice(), [1 | 2, 1 | 2, 4])
        && token.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Hosts, branches, packages, constants, error codes and symbols.
fn named(
    reader: &LineReader<'_>,
    token: &str,
    span: &Range<usize>,
) -> Option<(ClaimClass, Finding)> {
    let index = reader.index;
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '@' | '#');
    let token = token.trim_end_matches('-');
    let before = reader.text().get(..span.start).unwrap_or_default();
    let follows_number = before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    if follows_number && (quantity::is_unit(token) || quantity::is_sign_of_unit(token)) {
        return None;
    }
    if !token.chars().any(char::is_alphabetic)
        || !token.chars().all(|c| is_plain(c) || c.is_alphabetic())
    {
        return None;
    }
    if token.starts_with(|c: char| c.is_ascii_digit())
        && !token.contains(['_', '/', '@'])
        && !is_alternating(token)
    {
        // `5-minute`, `24h`: a number; it is read as one.
        return None;
    }
    let in_code = reader.is_in_code(span.start);
    let symbol_class = if in_code {
        ClaimClass::Identifier
    } else {
        ClaimClass::Symbol
    };
    if is_host(token) {
        return Some((ClaimClass::Host, exact(index, token)));
    }
    let has_digit = token.bytes().any(|b| b.is_ascii_digit());
    if token.contains(['/', '@']) && (in_code || has_digit || token.contains(['-', '@'])) {
        return Some((ClaimClass::Identifier, loose(index, token)));
    }
    if token.contains('/') {
        return None;
    }
    if is_screaming(token) {
        return Some((ClaimClass::Identifier, loose(index, token)));
    }
    if token.contains("::") || token.contains('_') || is_dotted(token) || humps(token).len() > 1 {
        return Some((symbol_class, symbol(index, token)));
    }
    if has_digit && is_numbered_name(token) {
        return Some((ClaimClass::Identifier, loose(index, token)));
    }
    None
}

/// Single words in code spans: a name that the source has in no form.
fn code_words(reader: &mut LineReader<'_>) {
    if reader.line.kind == LineKind::Code {
        return;
    }
    for span in reader.code.clone() {
        let word = reader.text().get(span.clone()).unwrap_or_default();
        let is_word = word.chars().nth(2).is_some() && word.chars().all(char::is_alphabetic);
        if is_word && !reader.is_taken(&span) {
            let finding = symbol(reader.index, word);
            reader.claim(span, ClaimClass::Symbol, finding);
        }
    }
}

fn stays_on_line(gap: WordGap) -> bool {
    !matches!(gap, WordGap::Start | WordGap::Newline)
}

pub(in crate::context::grounding) fn hashes(text: &str) -> Vec<u64> {
    fold::words_of(text).iter().map(|word| word.hash).collect()
}

fn sequence(
    index: &SourceIndex<'_>,
    words: &[u64],
    joins: &dyn Fn(usize, WordGap) -> bool,
) -> Option<usize> {
    index.find(words, joins, &|_| true)
}

/// The words of a token joined in any way, on one line.
pub(super) fn loose(index: &SourceIndex<'_>, token: &str) -> Finding {
    Finding::of(sequence(index, &hashes(token), &|_, gap| {
        stays_on_line(gap)
    }))
}

/// The words of a token, joined as it joins them.
fn exact(index: &SourceIndex<'_>, token: &str) -> Finding {
    let words = fold::words_of(token);
    let hashes: Vec<u64> = words.iter().map(|word| word.hash).collect();
    let joins = |number: usize, gap: WordGap| words.get(number).is_some_and(|w| w.gap == gap);
    let goes_on = |place: usize| {
        // `db-1.internal` is not said by `old-db-1.internal`.
        !matches!(
            index.gap_at(place),
            WordGap::Hyphen | WordGap::Dot | WordGap::Underscore
        )
    };
    let found = index.find(&hashes, &joins, &goes_on);
    Finding::of(found).or_else(|| host_and_port(index, token))
}

/// A host and a port that are named apart: `-h db.internal -p 5433`.
fn host_and_port(index: &SourceIndex<'_>, token: &str) -> Finding {
    let Some((host, port)) = token.rsplit_once(':') else {
        return Finding::Nowhere;
    };
    let words = hashes(host);
    let port = fold::word_hash(port);
    let tags = [crate::context::grounding::index::tag_of(port)];
    let accepts =
        |place: usize| index.is_near(place + words.len().saturating_sub(1), PORT_REACH, &tags);
    let is_port = token.len() - host.len() > 2;
    Finding::of(
        index
            .find(&words, &|_, gap| stays_on_line(gap), &accepts)
            .filter(|_| is_port),
    )
}

/// Words between a host and its port.
const PORT_REACH: usize = 3;

fn version(index: &SourceIndex<'_>, token: &str) -> Finding {
    let bare = token.strip_prefix('v').unwrap_or(token);
    let forms = [bare.to_owned(), format!("v{bare}")];
    let places = forms.iter().filter_map(|form| {
        let words = hashes(form);
        index.find(
            &words,
            &|_, gap| matches!(gap, WordGap::Dot | WordGap::Hyphen | WordGap::Sign),
            &|place| index.gap_at(place) != WordGap::Dot,
        )
    });
    Finding::of(places.max())
}

/// A hash, in full or shortened on either side.
fn hexadecimal(index: &SourceIndex<'_>, token: &str) -> Finding {
    let bare = token.strip_prefix("0x").unwrap_or(token).to_lowercase();
    loose(index, token)
        .or_else(|| Finding::of(index.place_of(&bare)))
        .or_else(|| Finding::of(index.hex_that_begins(&bare)))
        .or_else(|| {
            let shorter = (MIN_SHORT_HASH..bare.len()).rev();
            let places = shorter.filter_map(|len| index.place_of(bare.get(..len)?));
            Finding::of(places.take(1).next())
        })
}

/// Fewest digits of a hash that stands for a longer one.
const MIN_SHORT_HASH: usize = 7;

/// `Node.js`, `e.g.`: no files.
fn is_named_file(token: &str) -> bool {
    let is_long = token.chars().filter(|c| c.is_alphanumeric()).count() > 2;
    is_long && token.strip_suffix(".js").is_none()
        || token.starts_with(|c: char| c.is_lowercase())
        || token.contains('/')
}

fn is_host(token: &str) -> bool {
    let labels: Vec<&str> = token.split('.').collect();
    labels.len() > 1
        && labels.iter().all(|label| {
            !label.is_empty()
                && label
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
        && labels.iter().any(|label| label.len() > 2)
        && labels.last().is_some_and(|last| {
            // `db-prod.lindenhof.intern`: no name of code has a hyphen and three parts.
            let is_long = labels.len() > 2 && last.bytes().all(|b| b.is_ascii_lowercase());
            TOP_LEVELS.contains(last) || is_long && token.contains('-')
        })
}

fn is_screaming(token: &str) -> bool {
    token.contains('_')
        && token
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && token.bytes().filter(u8::is_ascii_uppercase).count() > 1
}

/// `orders.address`, `a.b.c`, not `e.g` and not a sentence without a space.
fn is_dotted(token: &str) -> bool {
    let parts: Vec<&str> = token.split('.').collect();
    parts.len() > 1
        && parts
            .iter()
            .all(|part| part.len() > 1 && part.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// `8xw4t`: digits and letters that take turns.
fn is_alternating(token: &str) -> bool {
    let classes: Vec<bool> = token.bytes().map(|b| b.is_ascii_digit()).collect();
    token.bytes().all(|b| b.is_ascii_alphanumeric())
        && classes.windows(2).filter(|pair| pair[0] != pair[1]).count() > 2
}

/// `E0308`, `pg15`, `shared-runner-07`; not `utf8`.
fn is_numbered_name(token: &str) -> bool {
    let folded = token.to_lowercase();
    if VOCABULARY.contains(&folded.as_str()) {
        return false;
    }
    match token.rsplit_once('-') {
        None => token.bytes().all(|b| b.is_ascii_alphanumeric()),
        Some((name, number)) => {
            name.contains('-')
                || name.bytes().any(|b| b.is_ascii_digit())
                || number.len() > 1 && number.bytes().all(|b| b.is_ascii_digit())
                || name.len() > 2 && is_numbered_word(number)
        }
    }
}

/// `xfer2`, `login12`, not `v2` and not `utf8`: a word with its number.
fn is_numbered_word(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = word.len() - letters.len();
    letters.len() > 1
        && (1..=3).contains(&digits)
        && letters.bytes().all(|b| b.is_ascii_alphabetic())
        && !VOCABULARY.contains(&word.to_lowercase().as_str())
}

/// The words of a camel-case name: `MergeError` has two, `HTTPServer` too.
pub(super) fn humps(word: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    for (number, (at, c)) in chars.iter().enumerate() {
        let before = number
            .checked_sub(1)
            .and_then(|n| chars.get(n))
            .map(|(_, c)| *c);
        let after = chars.get(number + 1).map(|(_, c)| *c);
        let rises = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase()
                    || b.is_ascii_digit()
                    || b.is_uppercase() && after.is_some_and(char::is_lowercase)
            });
        if rises {
            out.push(word.get(start..*at).unwrap_or_default());
            start = *at;
        }
    }
    out.push(word.get(start..).unwrap_or_default());
    out
}

/// A name of code in any spelling: joined, apart, in the plural.
pub(super) fn symbol(index: &SourceIndex<'_>, token: &str) -> Finding {
    let parts: Vec<&str> = token
        .split(|c: char| !c.is_alphanumeric())
        .filter(|p| !p.is_empty())
        .collect();
    let pieces: Vec<&str> = parts.iter().flat_map(|part| humps(part)).collect();
    let joined: String = parts.concat();
    let joins = |_: usize, gap: WordGap| gap.joins();
    let seq = |words: &[&str]| {
        let hashes: Vec<u64> = words.iter().map(|word| word_hash(word)).collect();
        Finding::of(sequence(index, &hashes, &joins))
    };
    loose(index, token)
        .or_else(|| Finding::of(index.place_of(&joined)))
        .or_else(|| seq(&pieces))
        .or_else(|| {
            Finding::of(
                other_number(&joined)
                    .iter()
                    .find_map(|word| index.place_of(word)),
            )
        })
        .or_else(|| {
            let Some((last, before)) = pieces.split_last() else {
                return Finding::Nowhere;
            };
            let other = other_number(last);
            let found = other.iter().map(|last| {
                let words: Vec<&str> = before.iter().copied().chain([last.as_str()]).collect();
                seq(&words)
            });
            found.fold(Finding::Nowhere, |best, next| best.or_else(|| next))
        })
        .or_else(|| {
            let is_qualified = token.contains([':', '.']);
            let all = parts.iter().map(|part| index.place_of(part));
            let all: Option<Vec<usize>> = all.collect();
            Finding::of(
                all.and_then(|places| places.last().copied())
                    .filter(|_| is_qualified),
            )
        })
        .or_else(|| compound(index, &parts, token))
}

/// `iCal-Datei`: a name that the source has and common nouns behind it.
fn compound(index: &SourceIndex<'_>, parts: &[&str], token: &str) -> Finding {
    let is_noun = |part: &&str| {
        let rest = part.chars().skip(1);
        part.starts_with(char::is_uppercase)
            && rest.clone().count() > 2
            && rest.clone().all(char::is_lowercase)
    };
    let nouns = parts.iter().rev().take_while(|part| is_noun(part)).count();
    let names = parts.get(..parts.len() - nouns).unwrap_or_default();
    let is_joined = !token.contains(['_', '.', ':', '/']);
    if !is_joined || nouns == 0 || names.is_empty() {
        return Finding::Nowhere;
    }
    let places = names.iter().map(|name| index.place_of(name));
    let places: Option<Vec<usize>> = places.collect();
    Finding::of(places.and_then(|places| places.last().copied()))
}

/// Singular and plural forms of a word.
pub(in crate::context::grounding) fn other_number(word: &str) -> Vec<String> {
    let mut out = vec![
        format!("{word}s"),
        format!("{word}es"),
        format!("{word}n"),
        format!("{word}en"),
        format!("{word}e"),
    ];
    for ending in ["s", "es", "n", "en", "e", "ies", "y"] {
        let Some(stem) = word
            .strip_suffix(ending)
            .filter(|stem| stem.chars().count() > 2)
        else {
            continue;
        };
        match ending {
            "ies" => out.push(format!("{stem}y")),
            "y" => out.push(format!("{stem}ies")),
            _ => out.push(stem.to_owned()),
        }
    }
    out
}
