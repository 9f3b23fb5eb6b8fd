//! The names in a text: paths, symbols of code, addresses, hashes, tickets, versions, flags.
//!
//! Made for measuring only. It shares no code with the selection that summaries are written
//! by, so that a kind of name which that selection overlooks is seen to be lost. It goes by
//! shape alone, word by word: a lower-case word without a sign of code (`parse`) is no name.

use super::tags::end_of_tag;

/// Longer runs of characters are data, not names, in bytes.
const MAX_NAME_BYTES: usize = 300;

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A file or folder.
    Path,
    /// A function, type, field, constant, environment variable.
    Symbol,
    /// A web or mail address, a host.
    Address,
    /// A commit, a UUID.
    Hash,
    /// A ticket, pull request, error code.
    Ticket,
    /// A version.
    Version,
    /// A flag of a command.
    Flag,
}

impl NameKind {
    /// All kinds, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Path,
        Self::Symbol,
        Self::Address,
        Self::Hash,
        Self::Ticket,
        Self::Version,
        Self::Flag,
    ];

    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Symbol => "symbol",
            Self::Address => "address",
            Self::Hash => "hash",
            Self::Ticket => "ticket",
            Self::Version => "version",
            Self::Flag => "flag",
        }
    }
}

/// A name as a text spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SpelledName<'a> {
    /// As it stands there.
    pub text: &'a str,
    /// What it is of.
    pub kind: NameKind,
}

/// Endings of files that are known by their name alone.
const EXTENSIONS: &[&str] = &[
    "bash", "c", "cfg", "cjs", "conf", "cpp", "cs", "css", "csv", "diff", "env", "erl", "ex",
    "exs", "fish", "gif", "go", "gradle", "gz", "h", "hpp", "hs", "html", "ini", "ipynb", "java",
    "jpeg", "jpg", "js", "json", "jsonl", "jsx", "kt", "lock", "log", "lua", "md", "mjs", "ml",
    "patch", "pdf", "php", "plist", "png", "proto", "ps1", "py", "rb", "rs", "rst", "scala",
    "scss", "service", "sh", "snap", "sql", "svelte", "svg", "swift", "tar", "tf", "toml", "ts",
    "tsv", "tsx", "txt", "vue", "wasm", "xml", "yaml", "yml", "zig", "zip", "zsh",
];

/// Words of two humps or with a number that are no names of anything here. Sorted.
const COMMON: &[&str] = &[
    "GitHub",
    "GitLab",
    "JavaScript",
    "MacOS",
    "OpenAI",
    "PostgreSQL",
    "SHA-1",
    "SHA-256",
    "TypeScript",
    "UTF-16",
    "UTF-8",
    "iOS",
    "iPhone",
    "macOS",
    "utf-16",
    "utf-8",
    "x86-64",
];

/// Receivers that say nothing about whose the member is.
const RECEIVERS: [&str; 3] = ["self", "this", "super"];

/// Members that every program calls: nobody has to be told of them. Sorted.
const EVERYDAY: &[&str] = &[
    "append",
    "as_ref",
    "as_str",
    "clone",
    "collect",
    "expect",
    "filter",
    "find",
    "first",
    "forEach",
    "for_each",
    "format",
    "from_str",
    "get",
    "indexOf",
    "insert",
    "into",
    "into_iter",
    "is_empty",
    "is_none",
    "is_some",
    "items",
    "iter",
    "join",
    "keys",
    "last",
    "len",
    "length",
    "log",
    "map",
    "next",
    "pop",
    "println",
    "push",
    "push_str",
    "remove",
    "sort",
    "split",
    "strip",
    "toString",
    "to_owned",
    "to_string",
    "trim",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "values",
    "with_capacity",
];

/// Hands over every name of a text, in order, with repetitions. Linear.
pub(super) fn each_name<'a>(text: &'a str, found: &mut impl FnMut(SpelledName<'a>)) {
    let mut start = None;
    let mut tag_end = 0;
    for (at, c) in text.char_indices() {
        if at < tag_end {
            continue;
        }
        if is_part(c) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            token(text.get(from..at).unwrap_or_default(), found);
        }
        if c == '<' {
            tag_end = end_of_tag(text, at).unwrap_or(0);
        }
    }
    if let Some(from) = start {
        token(text.get(from..).unwrap_or_default(), found);
    }
}

/// Whether a character may stand inside a name. Scripts without spaces end one.
fn is_part(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || "_-./:#@~$%?&=".contains(c);
    }
    c < '\u{2e80}' && c.is_alphanumeric()
}

fn token<'a>(token: &'a str, found: &mut impl FnMut(SpelledName<'a>)) {
    if token.len() > MAX_NAME_BYTES {
        return;
    }
    let token = token.trim_end_matches(['.', ':', '-', '?', '&', '=', '@', '~', '$', '#', '%']);
    if let Some(at) = token.find("http://").or_else(|| token.find("https://")) {
        let text = token.get(at..).unwrap_or_default().trim_end_matches('/');
        if text.len() > "https://".len() {
            found(SpelledName {
                text,
                kind: NameKind::Address,
            });
        }
        return;
    }
    // `name=value`, `a?b`: each side may be a name.
    for piece in token.split(['=', '?', '&', '$', '%']) {
        name(piece, found);
    }
}

fn name<'a>(piece: &'a str, found: &mut impl FnMut(SpelledName<'a>)) {
    let is_flag = piece.starts_with("--");
    let piece = if is_flag {
        piece
    } else {
        piece.trim_start_matches(['-', ':'])
    };
    let text = without_position(piece);
    if text.len() < 2 || COMMON.contains(&text) {
        return;
    }
    let whole = |kind| SpelledName { text, kind };
    if is_flag {
        let word = text.trim_start_matches('-');
        if word.len() >= 2 && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            found(whole(NameKind::Flag));
        }
    } else if is_address(text) {
        found(whole(NameKind::Address));
    } else if is_version(text) {
        found(whole(NameKind::Version));
    } else if is_path(text) {
        found(whole(NameKind::Path));
    } else if is_ticket(text) {
        found(whole(NameKind::Ticket));
    } else if is_hash(text) {
        found(whole(NameKind::Hash));
    } else if !text.contains('/') && !text.contains('@') {
        symbols(text, found);
    }
}

/// `src/a.rs:12:5` without the line and column.
fn without_position(text: &str) -> &str {
    let mut out = text;
    for _ in 0..2 {
        match out.rsplit_once(':') {
            Some((before, number)) if is_number(number) => out = before,
            _ => break,
        }
    }
    if has_extension(out) { out } else { text }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_address(text: &str) -> bool {
    if let Some((user, host)) = text.split_once('@') {
        return !user.is_empty() && host.contains('.') && !host.contains(['/', '@']);
    }
    let Some((host, port)) = text.split_once(':') else {
        let numbers: Vec<&str> = text.split('.').collect();
        let is_ip = numbers.len() == 4 && numbers.iter().all(|it| is_number(it) && it.len() <= 3);
        return is_ip || is_host(text);
    };
    is_number(port) && port.len() >= 2 && (host.contains('.') || host == "localhost")
}

/// `db7.corp.example.com`: labels in small letters, and an ending that no member of code has.
fn is_host(text: &str) -> bool {
    const ENDINGS: [&str; 10] = [
        "com", "net", "org", "example", "internal", "local", "lan", "corp", "io", "dev",
    ];
    /// These alone are no member of code.
    const SURE_ENDINGS: usize = 3;
    let labels: Vec<&str> = text.split('.').collect();
    let is_label = |label: &&str| {
        let mut bytes = label.bytes();
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        !label.is_empty() && bytes.all(is_plain)
    };
    let ending = labels.last().copied().unwrap_or_default();
    let known = ENDINGS.iter().position(|known| *known == ending);
    let is_known = known.is_some_and(|at| at < SURE_ENDINGS || labels.len() > 2);
    is_known && labels.len() > 1 && labels.iter().all(is_label)
}

fn is_version(text: &str) -> bool {
    let bare = text.strip_prefix('v').unwrap_or(text);
    let numbers = bare.split(['-', '+']).next().unwrap_or_default();
    let parts = numbers.split('.');
    let count = numbers.split('.').count();
    let enough = if bare.len() < text.len() { 2 } else { 3 };
    (enough..=4).contains(&count) && parts.clone().all(|part| is_number(part) && part.len() <= 6)
}

fn has_extension(text: &str) -> bool {
    let base = text.rsplit('/').next().unwrap_or(text);
    base.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && EXTENSIONS
                .binary_search(&ending.to_ascii_lowercase().as_str())
                .is_ok()
    })
}

fn is_path(text: &str) -> bool {
    if text.contains("::") || text.contains("//") || text.contains('@') {
        return false;
    }
    let segments = text
        .split('/')
        .filter(|it| !it.is_empty() && !it.starts_with('.'))
        .count();
    let has_letters = text.bytes().filter(u8::is_ascii_alphabetic).count() >= 2;
    if !has_letters || segments == 0 {
        let is_dotfile = text.starts_with('.') && !text.contains('/') && text.len() >= 4;
        return is_dotfile && text.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    }
    if has_extension(text) {
        // `e.g` and the like have no such endings; `a.b.c` is a member.
        return text.contains('/')
            || text
                .rsplit_once('.')
                .is_some_and(|(stem, _)| stem.len() >= 2);
    }
    if !text.contains('/') {
        return false;
    }
    let is_rooted = ["/", "./", "../", "~/"]
        .iter()
        .any(|root| text.starts_with(root));
    let has_signs = text.contains(['_', '-', '.']) || text.bytes().any(|b| b.is_ascii_digit());
    is_rooted && text.len() >= 4 || segments >= 3 || segments == 2 && has_signs
}

fn is_ticket(text: &str) -> bool {
    if let Some(number) = text.strip_prefix('#') {
        return is_number(number) && number.len() <= 7;
    }
    if let Some((project, number)) = text.rsplit_once('-') {
        let is_project = project.len() >= 2
            && project.starts_with(|c: char| c.is_ascii_uppercase())
            && project
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
        return is_project && is_number(number);
    }
    // `E0382`, `TS2345`
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = text.get(letters..).unwrap_or_default();
    (1..=4).contains(&letters) && digits.len() >= 3 && is_number(digits)
}

fn is_hash(text: &str) -> bool {
    let bare = text.bytes().filter(|b| *b != b'-').count();
    let is_hex = text
        .bytes()
        .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b) || b == b'-');
    let has = |want: fn(&u8) -> bool| text.as_bytes().iter().any(want);
    let is_spread = text.contains('-');
    is_hex
        && (if is_spread {
            bare == 32 && text.len() == 36
        } else {
            (7..=64).contains(&bare)
        })
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
}

/// The parts of a qualified name that look like code; where none does, the last two joined.
fn symbols<'a>(text: &'a str, found: &mut impl FnMut(SpelledName<'a>)) {
    let is_joint = |c: char| matches!(c, '.' | ':' | '#' | '~' | '-');
    let symbol = |text| SpelledName {
        text,
        kind: NameKind::Symbol,
    };
    let has_hyphen = text.contains('-');
    let mut any = false;
    for part in text.split(is_joint).filter(|part| !part.is_empty()) {
        if is_symbol(part) && !COMMON.contains(&part) && !EVERYDAY.contains(&part) {
            any = true;
            found(symbol(part));
        }
    }
    if any || has_hyphen {
        return;
    }
    let mut cut = text.rsplitn(3, ['.', ':', '#']).filter(|it| !it.is_empty());
    let (Some(last), Some(owner)) = (cut.next(), cut.next()) else {
        return;
    };
    if !text.contains("::") && !text.contains('#') && !is_member(owner, last) {
        return;
    }
    let says_little = RECEIVERS.contains(&owner) || EVERYDAY.contains(&last);
    if !is_word(last) || !is_word(owner) || says_little {
        return;
    }
    let from = (owner.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    found(symbol(text.get(from..).unwrap_or(text)));
}

/// `config.load`, not `etc.The`, `3.5x` or `e.g`.
fn is_member(owner: &str, member: &str) -> bool {
    let is_plain = |part: &str| {
        part.len() >= 3
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    is_plain(owner) && is_plain(member)
}

fn is_word(part: &str) -> bool {
    part.len() >= 2 && part.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// `snake_case`, `camelCase`, `PascalCase`, `SCREAMING_CASE`.
fn is_symbol(part: &str) -> bool {
    let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
    if part.len() < 4
        || letters < 3
        || !part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    {
        return false;
    }
    if part.trim_matches('_').contains('_') {
        return true;
    }
    let bytes = part.as_bytes();
    let has_hump = bytes
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    // `XMLHttp`: capitals, then a word.
    let has_prefix = bytes.windows(3).any(|three| {
        matches!(three, [a, b, c]
            if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_lowercase())
    });
    has_hump || has_prefix && letters > 4 && !part.ends_with('s')
}

/// What spellings of one name have in common: case, underscores and a plural do not count,
/// and of a path only the last segment does.
pub(super) fn key(name: SpelledName<'_>) -> String {
    match name.kind {
        NameKind::Path => last_segment(name.text).to_lowercase(),
        NameKind::Symbol => {
            let mut folded = name.text.replace('_', "").replace("::", ".").to_lowercase();
            if folded.len() > 4 && folded.ends_with('s') && !folded.ends_with("ss") {
                folded.pop();
            }
            folded
        }
        NameKind::Version => name.text.trim_start_matches('v').to_owned(),
        NameKind::Address => {
            let bare = name
                .text
                .split_once("://")
                .map_or(name.text, |(_, rest)| rest);
            bare.to_lowercase()
        }
        NameKind::Hash => name.text.chars().take(7).collect(),
        NameKind::Ticket | NameKind::Flag => name.text.to_lowercase(),
    }
}

/// The last segment of a path.
pub(super) fn last_segment(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path)
}

/// The folder that a path names its last segment in; empty when it names none.
pub(super) fn folder(path: &str) -> &str {
    let segments = path.trim_end_matches('/').rsplit('/');
    let parent = segments.skip(1).find(|segment| !segment.is_empty());
    parent
        .filter(|parent| !parent.starts_with('.'))
        .unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The names of a text, each with its kind.
    pub(in crate::context::fidelity) fn names(text: &str) -> Vec<(&str, &'static str)> {
        let mut out = Vec::new();
        each_name(text, &mut |name| out.push((name.text, name.kind.name())));
        out
    }

    #[test]
    fn names_are_known_by_their_shape() {
        for (text, expected) in [
            ("see src/a.rs:12:5, then.", &[("src/a.rs", "path")][..]),
            ("`Lexer::next_token()`", &[("next_token", "symbol")]),
            ("lexer::scan", &[("lexer::scan", "symbol")]),
            ("tokens.push(x.unwrap_or_else(y))", &[]),
            ("self.tokens.push(x)", &[]),
            (
                "parseConfig and XMLHttp",
                &[("parseConfig", "symbol"), ("XMLHttp", "symbol")],
            ),
            (
                "MAX_LEN=3 E0382 TS2345",
                &[
                    ("MAX_LEN", "symbol"),
                    ("E0382", "ticket"),
                    ("TS2345", "ticket"),
                ],
            ),
            (
                "ENT-221, #48212.",
                &[("ENT-221", "ticket"), ("#48212", "ticket")],
            ),
            (
                "commit 9a4894a7 of v1.2",
                &[("9a4894a7", "hash"), ("v1.2", "version")],
            ),
            (
                "https://a.org/x?y=1).",
                &[("https://a.org/x?y=1", "address")],
            ),
            (
                "10.0.0.12:5432 localhost:80 me@x.org",
                &[
                    ("10.0.0.12:5432", "address"),
                    ("localhost:80", "address"),
                    ("me@x.org", "address"),
                ],
            ),
            ("cargo test --no-run -q", &[("--no-run", "flag")]),
            ("读取src/解析器", &[]),
            (
                "打开src/a_b/c里的parse_it",
                &[("src/a_b/c", "path"), ("parse_it", "symbol")],
            ),
            ("e.g. and/or 1/2 3.14 100% well-known I/O", &[]),
            (
                ".gitignore ../x/y ~/.ssh/config",
                &[
                    (".gitignore", "path"),
                    ("../x/y", "path"),
                    ("~/.ssh/config", "path"),
                ],
            ),
            ("serde@1.0.2", &[("serde@1.0.2", "address")]),
            (
                "on db7.corp.example.com and example.org",
                &[
                    ("db7.corp.example.com", "address"),
                    ("example.org", "address"),
                ],
            ),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn spellings_of_one_name_have_one_key() {
        let same = |kind, a, b| {
            assert_eq!(
                key(SpelledName { text: a, kind }),
                key(SpelledName { text: b, kind }),
                "{a} {b}"
            );
        };
        same(NameKind::Path, "/home/me/src/a.rs", "src/a.rs");
        same(NameKind::Symbol, "parse_config", "parseConfig");
        same(NameKind::Symbol, "TokenKind", "TokenKinds");
        same(NameKind::Version, "v1.2.3", "1.2.3");
        same(NameKind::Hash, "9a4894a7", "9a4894a7deadbeef");
        assert_eq!(folder("/home/me/src/a.rs"), "src");
        assert_eq!(folder("./a.rs"), "");
    }

    #[test]
    fn tables_are_sorted() {
        assert!(EXTENSIONS.is_sorted());
        assert!(COMMON.is_sorted());
        assert!(EVERYDAY.is_sorted());
    }
}
