//! Secrets in text: API keys, tokens, private keys, passwords in assignments. What
//! these rules match is never an identifier and never stays in a summary. Rules ask for
//! enough structure that ordinary code and prose stay as they are.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

/// What stands where a secret was.
pub const PLACEHOLDER: &str = "[secret removed]";

/// Shortest assigned value that can be a password or key, in bytes.
const MIN_VALUE_BYTES: usize = 8;

/// Rules whose whole match is the secret. Each begins with a literal, so that a scan
/// costs little where nothing matches.
static WHOLE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"\bsk-[A-Za-z0-9_-]{20,}",
        r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
        r"\bgh[pousr]_[A-Za-z0-9]{30,}",
        r"\bgithub_pat_[A-Za-z0-9_]{30,}",
        r"\bglpat-[A-Za-z0-9_-]{20,}",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bAIza[A-Za-z0-9_-]{35}",
        r"\bya29\.[A-Za-z0-9_-]{20,}",
        r"\bnpm_[A-Za-z0-9]{36}",
        r"\bpypi-[A-Za-z0-9_-]{40,}",
        r"\bhf_[A-Za-z0-9]{30,}",
        r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    ]
    .iter()
    .filter_map(|rule| Regex::new(rule).ok())
    .collect()
});

/// The first line of a private key.
static KEY_BEGIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----").ok());

/// The mark of a private key's last line.
const KEY_END: &str = "-----END ";

/// Longest private key, in bytes.
const MAX_KEY_BYTES: usize = 20_000;

/// Whether what a rule found looks like a secret.
type Plausible = fn(&str) -> bool;

/// A rule whose first group is the secret when it looks like one.
struct ValueRule {
    rule: Regex,
    is_plausible: Plausible,
}

/// How many rules there are for secrets that only their surroundings give away.
const VALUE_RULES: usize = 7;

/// Those rules.
static VALUE: LazyLock<Vec<ValueRule>> = LazyLock::new(|| {
    let rules: [(&str, Plausible); VALUE_RULES] = [
        (
            r"(?i)\bbearer[ \t]+([A-Za-z0-9._~+/-]{16,}=*)",
            has_letter_and_digit,
        ),
        (
            r"(?i)\bbasic[ \t]+([A-Za-z0-9+/]{16,}={0,2})(?:[^A-Za-z0-9+/=]|$)",
            has_letter_and_digit,
        ),
        (r"(?i)://[^\s/:@]{1,64}:([^\s/@]{3,128})@", |value| {
            !is_stand_in(value)
        }),
        (
            r#"(?i)(?:password|passwd|passphrase|secret|secret[_-]?(?:access[_-]?)?key|api[_-]?key|apikey|access[_-]?token|auth[_-]?token|private[_-]?key|client[_-]?secret)["']?[ \t]*(?:=|:)[ \t]*["'`]?([^\s"'`,;)\]}]{8,200})"#,
            is_password_like,
        ),
        (
            r#"(?i)(?:\b|_)token["']?[ \t]*(?:=|:)[ \t]*["'`]?([^\s"'`,;)\]}&]{16,200})"#,
            is_password_like,
        ),
        (
            r"(?i)[?&](?:sig|signature|key|auth|password|pwd|x-amz-(?:signature|credential|security-token))=([A-Za-z0-9%._~+/-]{16,})",
            has_letter_and_digit,
        ),
        (
            r#"(?i)--(?:password|passwd|token|secret|api-key|access-key|auth-token)[ \t]+["']?([^\s"'`]{8,200})"#,
            is_password_like,
        ),
    ];
    rules
        .into_iter()
        .filter_map(|(rule, is_plausible)| {
            let rule = Regex::new(rule).ok()?;
            Some(ValueRule { rule, is_plausible })
        })
        .collect()
});

/// Words without which a rule of [`VALUE`] matches nothing, with the rule. Looking for
/// them all at once costs less than the rules do.
const VALUE_MARKS: [(&str, &[usize]); 18] = [
    ("bearer", &[0]),
    ("basic", &[1]),
    ("://", &[2]),
    ("passw", &[3]),
    ("passphrase", &[3]),
    ("secret", &[3]),
    ("api_key", &[3]),
    ("api-key", &[3]),
    ("apikey", &[3]),
    ("private_key", &[3]),
    ("private-key", &[3]),
    ("privatekey", &[3]),
    ("access_key", &[3]),
    ("access-key", &[3]),
    ("token", &[3, 4]),
    ("?", &[5]),
    ("&", &[5]),
    ("--", &[6]),
];

static VALUE_MARK: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(VALUE_MARKS.iter().map(|(mark, _)| mark))
        .ok()
});

/// Which rules of [`VALUE`] can match.
fn can_match(text: &str) -> [bool; VALUE_RULES] {
    let mut can = [false; VALUE_RULES];
    for found in VALUE_MARK.iter().flat_map(|marks| marks.find_iter(text)) {
        let rules = VALUE_MARKS.get(found.pattern().as_usize());
        for rule in rules.map_or(&[][..], |(_, rules)| rules) {
            if let Some(can) = can.get_mut(*rule) {
                *can = true;
            }
        }
        if can == [true; VALUE_RULES] {
            break;
        }
    }
    can
}

/// Secrets that were given away somewhere by their surroundings: the same value is a
/// secret where nothing around it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    values: BTreeSet<String>,
}

impl Known {
    /// Learns from a text.
    pub fn learn(&mut self, text: &str) {
        for range in values(text) {
            let value = text.get(range).unwrap_or_default();
            // What is as short or plain as a word would be found in any sentence.
            if is_password_like(value) {
                self.values.insert(value.to_owned());
            }
        }
    }

    /// How many of them, or of those that a rule finds, stand in a text.
    pub fn count_in(&self, text: &str) -> usize {
        self.find(text).len()
    }

    /// Whether this is, or contains, one of them.
    pub fn is_in(&self, text: &str) -> bool {
        self.values.iter().any(|value| text.contains(value))
    }

    /// The text without them and without what the rules find.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        replaced(text, self.find(text), PLACEHOLDER)
    }

    /// The same with another mark in their place.
    pub fn replace<'a>(&self, text: &'a str, mark: &str) -> Cow<'a, str> {
        replaced(text, self.find(text), mark)
    }

    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = find(text);
        for value in &self.values {
            let hits = text.match_indices(value.as_str());
            found.extend(hits.map(|(at, _)| at..at + value.len()));
        }
        merged(found)
    }
}

/// Where secrets are, in order, without overlaps. Linear in the text.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for begin in KEY_BEGIN.iter().flat_map(|rule| rule.find_iter(text)) {
        found.push(begin.start()..key_end(text, begin.end()));
    }
    for rule in WHOLE.iter() {
        found.extend(rule.find_iter(text).map(|m| m.range()));
    }
    found.extend(values(text));
    merged(found)
}

/// Where the secrets are that their surroundings give away; in no order.
fn values(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let rules = VALUE.iter().zip(can_match(text));
    for (ValueRule { rule, is_plausible }, _) in rules.filter(|(_, can)| *can) {
        let hits = rule.captures_iter(text).filter_map(|c| c.get(1));
        found.extend(
            hits.filter(|hit| is_plausible(hit.as_str()))
                .map(|hit| hit.range()),
        );
    }
    found
}

/// The text with every secret replaced.
pub fn redact(text: &str) -> Cow<'_, str> {
    replaced(text, find(text), PLACEHOLDER)
}

fn replaced<'a>(text: &'a str, found: Vec<Range<usize>>, mark: &str) -> Cow<'a, str> {
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for range in found {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(mark);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

/// Where a private key ends whose first line ends at `from`: behind its last line, or,
/// where that is cut off, behind the lines that can only be key material.
fn key_end(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    if let Some(at) = rest.find(KEY_END).filter(|at| *at <= MAX_KEY_BYTES) {
        let last = rest.get(at..).unwrap_or_default();
        let after_mark = last.get(KEY_END.len()..).unwrap_or_default();
        let length = after_mark.find("-----").map_or(0, |n| n + "-----".len());
        return from + at + KEY_END.len() + length;
    }
    let is_material = |line: &&str| {
        line.trim()
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='))
    };
    let material: usize = rest
        .split_inclusive('\n')
        .take_while(is_material)
        .map(str::len)
        .sum();
    from + material
}

fn merged(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|range| (range.start, range.end));
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in found {
        match out.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

fn has_letter_and_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit()) && value.bytes().any(|b| b.is_ascii_alphabetic())
}

/// What an assignment's right side must look like to be a literal secret: code
/// (`get_password()`, `config.secret`, `String`) and stand-ins are none.
fn is_password_like(value: &str) -> bool {
    if value.len() < MIN_VALUE_BYTES || is_stand_in(value) {
        return false;
    }
    let looks_like_code = value.contains(['(', '<', '{', '$', '[']) || value.contains("::");
    let is_dotted_name = value
        .split('.')
        .all(|piece| piece.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        && value.contains('.')
        && value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let classes = [
        value.chars().any(char::is_lowercase),
        value.chars().any(char::is_uppercase),
        value.chars().any(|c| c.is_ascii_digit()),
        value
            .chars()
            .any(|c| c.is_ascii_punctuation() && !matches!(c, '_' | '-' | '.' | '/')),
    ];
    let kinds = classes.iter().filter(|class| **class).count();
    let has_digit_or_mark = classes[2] || classes[3];
    !looks_like_code && !is_dotted_name && kinds >= 2 && has_digit_or_mark
}

/// Values that documentation writes where a secret would stand.
fn is_stand_in(value: &str) -> bool {
    let lower = value.to_lowercase();
    let words = [
        "example",
        "placeholder",
        "changeme",
        "your",
        "redacted",
        "removed",
        "xxxx",
        "****",
        "<",
        "...",
    ];
    words.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_found_and_removed() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
        for (text, secret) in [
            (
                "key sk-proj-abcdefghij1234567890XYZ end",
                "abcdefghij1234567890XYZ",
            ),
            ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_0123"),
            ("xoxb-123456789012-abcdefABCDEF", "xoxb-1234"),
            ("aws AKIAIOSFODNN7EXAMPL3 x", "AKIAIOSFODNN7EXAMPL3"),
            (jwt, "dozjgNryP4J3"),
            (
                "Authorization: Bearer abcDEF1234567890ghijk",
                "abcDEF1234567890ghijk",
            ),
            ("password = \"hunter2-Secret!\"", "hunter2-Secret!"),
            (
                "export API_KEY=a8f5f167f44f4964e6c998de",
                "a8f5f167f44f4964e6c998de",
            ),
            ("{\"client_secret\": \"Zx81-kk29-Qq77\"}", "Zx81-kk29-Qq77"),
            ("postgres://app:s3cr3tpw@db:5432/x", "s3cr3tpw"),
            ("GITHUB_TOKEN=a1b2c3d4e5f6a7b8c9d0", "a1b2c3d4e5f6a7b8c9d0"),
            (
                "https://x.example/a?v=1&X-Amz-Signature=0fe1dc2ba39485760fe1dc2ba3948576&z=2",
                "0fe1dc2ba39485760fe1dc2ba3948576",
            ),
            (
                "https://x.example/a?token=0fe1dc2ba39485760fe1&z=2",
                "0fe1dc2ba39485760fe1",
            ),
            ("deploy --password Tr0ub4dor-3 --now", "Tr0ub4dor-3"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----\nafter",
                "MIIEow",
            ),
        ] {
            let clean = redact(text);
            assert!(!clean.contains(secret), "{text} -> {clean}");
            assert!(clean.contains(PLACEHOLDER), "{text}");
            assert!(find(&clean).is_empty(), "again: {clean}");
        }
        assert!(
            redact("-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\nafter")
                .ends_with("\nafter")
        );
    }

    #[test]
    fn every_rule_compiles_and_a_cut_key_is_removed() {
        assert_eq!(
            (WHOLE.len(), VALUE.len(), KEY_BEGIN.is_some()),
            (14, 7, true)
        );
        let cut = "x -----BEGIN EC PRIVATE KEY-----\nMIIEow\nabc=\nthe end.";
        assert_eq!(redact(cut), "x [secret removed]the end.");
    }

    #[test]
    fn ordinary_text_stays() {
        for text in [
            "the password field is required",
            "password: String",
            "let password = get_password();",
            "password = config.auth.password",
            "api_key = os.environ[\"API_KEY\"]",
            "secret: &str",
            "API_KEY=your-api-key-here1",
            "token bucket: 100000 requests",
            "sk-learn is a library",
            "basic understanding of things",
            "commit 8f3e21c9ab and 550e8400-e29b-41d4-a716-446655440000",
            "passwordless login: enabled",
            "token: String, next_token = parse_token(input)",
            "https://x.example/list?key=name&auth=none",
            "--password needs a value, --token too",
        ] {
            assert_eq!(redact(text), text);
        }
    }
    #[test]
    fn a_known_secret_is_one_everywhere() {
        let mut known = Known::default();
        known.learn("DB_PASSWORD=Tr0ub4dor-3 postgres://postgres:postgres@db/x");
        let text = "the database takes Tr0ub4dor-3, postgres is up";
        assert_eq!(
            known.redact(text),
            "the database takes [secret removed], postgres is up"
        );
        assert!(known.is_in("/srv/Tr0ub4dor-3/x.rs") && !known.is_in("/srv/x.rs"));
        assert_eq!((known.count_in(text), known.count_in("fine")), (1, 0));
    }
}
