//! Reads the observed size and the limit out of a provider's sentence.
//!
//! Works on normalised text (lower case, single spaces). Finds nothing rather than
//! something doubtful.

/// Phrases directly before the observed count.
const BEFORE_REQUESTED: &[&str] = &[
    "for a total of",
    "prompt is too long",
    "prompt too long",
    "resulted in",
    "you requested about",
    "you requested",
    "requested",
    "input token count",
    "prompt contains at least",
    "prompt contains",
    "your request has",
    "request has",
    "request contains",
    "the request",
    "request",
    "passed",
    "input length",
    "number of input tokens",
    "current length is",
    "tokens in request",
    "prompt length of",
    "prompt has",
    "your prompt",
    "the prompt",
    "prompt",
    "input",
    "token count of",
    "prompt_tokens",
    "n_keep",
    "keep the first",
    "given",
    "received",
    "got",
];

/// Phrases directly before the limit.
const BEFORE_LIMIT: &[&str] = &[
    "maximum context length is",
    "maximum context length of",
    "maximum number of tokens allowed",
    "maximum prompt length is",
    "maximum allowed input length of",
    "max tokens allowed",
    "exceeds the limit of",
    "exceeded model token limit",
    "available context size",
    "configured context size is",
    "context length is only",
    "context length of only",
    "model's context length",
    "max context length of",
    "max context length",
    "too large for model with",
    "greater than the context length",
    "context window of",
    "context window is",
    "context size is",
    "context length of",
    "context length is",
    "context length",
    "maximum model length of",
    "maximum input length is",
    "max_new_tokens must be <=",
    "must have less than",
    "max_seq_len",
    "n_ctx",
    "only supports up to",
    "cannot exceed",
    "maximum of",
    "model's max of",
    "limit of",
    "limit is",
    "limit:",
];

/// Words that may come between the phrase and its number.
const FILLERS: &[&str] = &[
    "a total of",
    "at least",
    "about",
    "approximately",
    "only",
    "length",
    "of",
    "is",
];

/// Phrases directly after the length of the answer that was asked for.
const BEHIND_ANSWER: &[&str] = &[
    "in the completion",
    "for the completion",
    "in the output",
    "for the output",
];

/// The sizes in a sentence, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OverflowNumbers {
    /// The observed size; with the answer that was asked for, where that is counted.
    pub requested: Option<u64>,
    /// The prompt alone, where `requested` is more than that.
    pub prompt: Option<u64>,
    pub limit: Option<u64>,
}

/// The observed sizes and the limit, as far as the text says them.
pub(super) fn find(text: &str) -> OverflowNumbers {
    let compared = comparison(text);
    let requested = compared
        .requested
        .or_else(|| after_any(text, BEFORE_REQUESTED));
    // A window of nothing is none, nor is a prompt of nothing.
    let limit = compared
        .limit
        .or_else(|| range_end(text))
        .or_else(|| after_any(text, BEFORE_LIMIT))
        .filter(|&limit| limit > 0);
    // What is within the limit was counted without the answer, or is another number.
    let requested = requested.filter(|&n| n > 0 && limit.is_none_or(|limit| n > limit));
    let prompt = compared.prompt.or_else(|| {
        let answer = before_any(text, BEHIND_ANSWER)?;
        requested?.checked_sub(answer)
    });
    OverflowNumbers {
        requested,
        prompt: prompt.filter(|&n| n > 0 && requested.is_some_and(|requested| n < requested)),
        limit,
    }
}

/// `A + B > C`, `N tokens > M maximum`, `B > C - A`.
fn comparison(text: &str) -> OverflowNumbers {
    for (at, _) in text.match_indices('>') {
        let (before, after) = text.split_at(at);
        let after = after.trim_start_matches(['>', '=', ' ']);
        let Some(limit) = leading_number(after) else {
            continue;
        };
        let before = before.trim_end().trim_end_matches("tokens").trim_end();
        let Some((last, rest)) = trailing_number(before) else {
            continue;
        };
        let first = rest
            .trim_end()
            .strip_suffix('+')
            .and_then(|rest| trailing_number(rest.trim_end()))
            .map(|(first, _)| first);
        let taken_off = after
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '_'))
            .trim_start()
            .strip_prefix('-')
            .and_then(|rest| leading_number(rest.trim_start()));
        let prompt = first.or(taken_off);
        return OverflowNumbers {
            requested: last.checked_add(prompt.unwrap_or_default()),
            prompt,
            limit: Some(limit),
        };
    }
    OverflowNumbers::default()
}

/// `range of input length should be [1, N]`.
fn range_end(text: &str) -> Option<u64> {
    let (_, after) = text.split_once("input length should be")?;
    let (_, after) = after.split_once(',')?;
    leading_number(after.trim_start())
}

fn after_any(text: &str, phrases: &[&str]) -> Option<u64> {
    phrases.iter().find_map(|phrase| {
        text.match_indices(phrase)
            .find_map(|(at, _)| leading_number(skip_fillers(text.get(at + phrase.len()..)?)))
    })
}

/// The number directly before one of the phrases.
fn before_any(text: &str, phrases: &[&str]) -> Option<u64> {
    phrases.iter().find_map(|phrase| {
        text.match_indices(phrase).find_map(|(at, _)| {
            let before = text.get(..at)?.trim_end().trim_end_matches("tokens");
            trailing_number(before.trim_end()).map(|(number, _)| number)
        })
    })
}

fn skip_fillers(text: &str) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches([' ', ':', '(', '[', '=', '~', '"', '\'']);
        rest = FILLERS
            .iter()
            .find_map(|filler| trimmed.strip_prefix(filler))
            .unwrap_or(trimmed);
        if rest.len() == trimmed.len() {
            return rest;
        }
    }
}

/// The number at the start; thousands may be separated by commas or underscores, and
/// `k` or `m` may follow.
fn leading_number(text: &str) -> Option<u64> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '_')))
        .unwrap_or(text.len());
    let (digits, after) = text.split_at(end);
    let number = digits_of(digits)?;
    let mut rest = after.chars();
    let unit = match (rest.next(), rest.next()) {
        (Some('k'), next) if !next.is_some_and(char::is_alphanumeric) => 1_000,
        (Some('m'), next) if !next.is_some_and(char::is_alphanumeric) => 1_000_000,
        (Some('.' | '%'), Some(next)) if next.is_ascii_digit() => return None,
        _ => 1,
    };
    number.checked_mul(unit)
}

fn trailing_number(text: &str) -> Option<(u64, &str)> {
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_ascii_digit() || matches!(c, ',' | '_'))
        .last()?
        .0;
    let (rest, digits) = text.split_at(start);
    Some((digits_of(digits)?, rest))
}

fn digits_of(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}
