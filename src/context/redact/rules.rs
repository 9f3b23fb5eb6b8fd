//! The patterns of secrets: by their own form, or by their surroundings.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

/// Shortest assigned value that can be a password or key, in bytes.
const MIN_VALUE_BYTES: usize = 8;

/// Tokens that say themselves whose they are: the whole match is the secret. Each begins
/// with a literal where it can, so that a scan costs little where nothing matches.
pub(super) const TOKENS: &[&str] = &[
    // Models.
    r"\bsk-[A-Za-z0-9_-]{20,}",
    r"\bhf_[A-Za-z0-9]{30,}",
    r"\bgsk_[A-Za-z0-9]{40,}",
    r"\bxai-[A-Za-z0-9]{60,}",
    r"\br8_[A-Za-z0-9]{35,}",
    r"\bpplx-[A-Za-z0-9]{40,}",
    // Payment and shops.
    r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    r"\bwhsec_[A-Za-z0-9+/]{24,}",
    r"\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",
    r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
    // Code and packages.
    r"\bgh[pousr]_[A-Za-z0-9]{30,}",
    r"\bgithub_pat_[A-Za-z0-9_]{30,}",
    r"\bgl(?:pat|dt|rt|ptt|cbt|ft|soat|oas|agent|imt)-[A-Za-z0-9_.-]{20,}",
    r"\bnpm_[A-Za-z0-9]{36}",
    r"\bpypi-[A-Za-z0-9_-]{40,}",
    r"\bdckr_pat_[A-Za-z0-9_-]{20,}",
    r"\brubygems_[a-f0-9]{48}",
    // Messages.
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bxapp-[0-9]-[A-Za-z0-9-]{20,}",
    r"\bhooks\.slack\.com/services/[A-Z0-9]{8,}/[A-Z0-9]{8,}/[A-Za-z0-9]{20,}",
    r"\bdiscord(?:app)?\.com/api/webhooks/[0-9]{10,}/[A-Za-z0-9_-]{40,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\b(?:SK|AC)[a-f0-9]{32}\b",
    r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b",
    r"\bkey-[a-f0-9]{32}\b",
    // Clouds and services.
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{20,}",
    r"\bdo[opr]_v1_[a-f0-9]{40,}",
    r"\bdapi[a-f0-9]{32}\b",
    r"\bsbp_[a-f0-9]{40}\b",
    r"\bhv[sb]\.[A-Za-z0-9_-]{24,}",
    r"\bATATT3[A-Za-z0-9_=-]{50,}",
    r"\blin_api_[A-Za-z0-9]{32,}",
    r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}",
    r"\bNRAK-[A-Z0-9]{27}",
    r"\bglsa_[A-Za-z0-9]{32}_[a-f0-9]{8}",
    r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}",
    // Signed statements.
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
];

/// Those rules. A name in code may begin as a token does, and has no digit.
pub(super) static WHOLE: LazyLock<Vec<ValueRule>> = LazyLock::new(|| {
    let rules = TOKENS.iter().filter_map(|rule| Regex::new(rule).ok());
    rules
        .map(|rule| ValueRule {
            rule,
            is_plausible: has_letter_and_digit,
        })
        .collect()
});

/// Whether what a rule found looks like a secret.
pub(super) type SecretCheck = fn(&str) -> bool;

/// A rule whose first group is the secret when it looks like one.
pub(super) struct ValueRule {
    pub rule: Regex,
    pub is_plausible: SecretCheck,
}

/// How many rules there are for secrets that only their surroundings give away.
pub(super) const VALUE_RULES: usize = 13;

/// Those rules.
pub(super) static VALUE: LazyLock<Vec<ValueRule>> = LazyLock::new(|| {
    let rules: [(&str, SecretCheck); VALUE_RULES] = [
        (
            r"(?i)\bbearer[ \t]+([A-Za-z0-9._~+/-]{16,}=*)",
            has_letter_and_digit,
        ),
        (
            r"(?i)\bbasic[ \t]+([A-Za-z0-9+/]{16,}={0,2})(?:[^A-Za-z0-9+/=]|$)",
            has_letter_and_digit,
        ),
        (r"(?i)://[^\s/:@]{0,64}:([^\s/@]{3,128})@", |value| {
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
        (
            r#"(?i)secret[ _-]?access[ _-]?key["'`*]{0,3}[ \t]*(?:[=:|>]{1,2}|(?:is|was)\b|[ \t\n])\s*["'`]{0,2}([A-Za-z0-9/+]{40}=?)(?:[^A-Za-z0-9/+=]|$)"#,
            has_letter_and_digit,
        ),
        (
            r#"(?i)(?:account|access|storage|shared)[ _-]?key["'`*]{0,3}[ \t]*(?:[=:|>]{1,2}|(?:is|was)\b|[ \t\n])\s*["'`]{0,2}([A-Za-z0-9/+]{42,}={1,2})"#,
            has_letter_and_digit,
        ),
        (
            r#"(?i)\bpwd["']?[ \t]*[=:][ \t]*["']?([^\s"'`,;)\]}&]{8,200})"#,
            |value| !value.starts_with(['/', '~', '.']) && is_password_like(value),
        ),
        (
            r"(?i)://([A-Za-z0-9_-]{20,128})(?::x-oauth-basic)?@",
            has_letter_and_digit,
        ),
        (
            r#"(?i)(?:\bmachine\s+\S+\s+login\s+\S+\s+password\s+|"auth"\s*:\s*")([^\s"]{8,200})"#,
            has_letter_and_digit,
        ),
        // 64 bytes, as a storage account has them; a checksum of that length has a hyphen
        // before it.
        (
            r#"(?:^|[\s"'`=:;,|>(])([A-Za-z0-9/+]{86}==)"#,
            has_letter_and_digit,
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
const VALUE_MARKS: &[(&str, &[usize])] = &[
    ("bearer", &[0]),
    ("basic", &[1]),
    ("://", &[2, 10]),
    ("passw", &[3]),
    ("passphrase", &[3]),
    ("secret", &[3]),
    ("api_key", &[3]),
    ("api-key", &[3]),
    ("apikey", &[3]),
    ("private_key", &[3]),
    ("private-key", &[3]),
    ("privatekey", &[3]),
    ("access_key", &[3, 7, 8]),
    ("access-key", &[3, 7, 8]),
    ("accesskey", &[3, 7, 8]),
    ("access key", &[7, 8]),
    ("account key", &[8]),
    ("storage key", &[8]),
    ("shared key", &[8]),
    ("==", &[12]),
    ("account_key", &[8]),
    ("account-key", &[8]),
    ("accountkey", &[8]),
    ("storage_key", &[8]),
    ("storage-key", &[8]),
    ("storagekey", &[8]),
    ("shared_key", &[8]),
    ("shared-key", &[8]),
    ("sharedkey", &[8]),
    ("pwd", &[9]),
    ("machine", &[11]),
    ("\"auth\"", &[11]),
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
pub(super) fn can_match(text: &str) -> [bool; VALUE_RULES] {
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

fn has_letter_and_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit()) && value.bytes().any(|b| b.is_ascii_alphabetic())
}

/// The form that makes an assignment's right side a literal secret: code (`get_password()`,
/// `config.secret`, `String`) and stand-ins are none.
pub(super) fn is_password_like(value: &str) -> bool {
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

/// Values that documentation writes where a secret would be.
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
