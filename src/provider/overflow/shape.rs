//! Overflows that no known phrase says: a prompt, a comparison, and two sizes of which the
//! first is larger. Servers word the same sentence in endless ways and languages.

use super::{EXCESSES, has_any};

/// Nouns of what does not fit.
const PROMPTS: &[&str] = &[
    "tokens",
    "prompt",
    "context",
    "n_ctx",
    "n_keep",
    "input length",
    "input sequence",
    "sequence length",
    "input size",
    "message length",
    "kontext",
    "contexte",
    "contexto",
    "contesto",
    "contextvenster",
    "kontekst",
    "контекст",
    "токен",
    "bağlam",
    "上下文",
    "词元",
    "输入长度",
    "输入 token",
    "コンテキスト",
    "トークン",
    "컨텍스트",
    "토큰",
];

/// Further words that say it, where two sizes are compared in whatever order they come.
const COMPARISONS: &[&str] = &["over the", ">", "demasiado", "sığm", "слишком"];

/// Words that name a limit: the size before it is beyond it when it is larger.
const LIMITS: &[&str] = &[
    "at most",
    "can only",
    "up to",
    "limit",
    "maximum",
    "allowed",
    "supports",
    "window is",
    "window of",
    "stay within",
    "can attend",
    "admite",
    "máximo",
    "допустимо",
    "fit",
    "höchstens",
    "massimo",
    "最大",
    "上限",
    "최대",
];

/// Words before the size of the request, where the limit is named first.
const GIVEN: &[&str] = &[
    " got ",
    " but ",
    "received",
    " given",
    "provided",
    "actual",
    "requested",
];

/// Subjects whose size is no prompt's, and numbers that are none of tokens.
const OTHER_SUBJECTS: &[&str] = &[
    "image",
    "file",
    "attachment",
    "document",
    "audio",
    "video",
    "tool",
    "functions",
    "function call",
    "function_call",
    "function name",
    "stop",
    "schema",
    "budget_tokens",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "maxoutputtokens",
    "max_new_tokens",
    "output tokens",
    "completion tokens",
    "embedding",
    "dimension",
    "temperature",
    "characters",
    "bytes",
    " kb",
    " mb",
    "per minute",
    "per day",
    "per hour",
    "seconds",
    "token expired",
    "token is",
    "access token",
    "api key",
    "credits",
    "batch",
    "logprobs",
    "queue",
];

/// Smaller numbers are counts of something else, or a status.
const LEAST_TOKENS: u64 = 256;
/// Longer texts are pages, not sentences.
const MAX_BYTES: usize = 4_000;

/// Two sizes that do not fit: the prompt's, and the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ComparedSizes {
    pub requested: u64,
    pub limit: u64,
}

/// The sizes of a sentence of this shape, in normalised text (lower case, single spaces).
pub(super) fn compared_sizes(text: &str) -> Option<ComparedSizes> {
    if text.len() > MAX_BYTES || has_any(text, OTHER_SUBJECTS) {
        return None;
    }
    let is_excess = has_any(text, EXCESSES) || has_any(text, COMPARISONS);
    if !has_any(text, PROMPTS) || !is_excess && !has_any(text, LIMITS) {
        return None;
    }
    let mut found: Vec<u64> = Vec::new();
    for size in sizes(text).filter(|size| *size >= LEAST_TOKENS) {
        // Some bodies say the sentence twice.
        if !found.contains(&size) {
            found.push(size);
        }
    }
    drop_parts(&mut found, text);
    let is_after_limit = has_any(text, GIVEN);
    match found.as_slice() {
        [first, second] if first > second || is_excess || is_after_limit => Some(ComparedSizes {
            requested: *first.max(second),
            limit: *first.min(second),
        }),
        _ => None,
    }
}

/// Takes out what is part of a sum that is named as well: the prompt beside the prompt with room
/// for the answer.
fn drop_parts(found: &mut Vec<u64>, text: &str) {
    if found.len() <= 2 {
        return;
    }
    // The room for the answer may be small.
    let all: Vec<u64> = sizes(text).collect();
    let is_part = |part: u64| {
        let rests = all.iter().filter_map(|sum| sum.checked_sub(part));
        rests
            .filter(|rest| *rest > 0)
            .any(|rest| all.contains(&rest))
    };
    found.retain(|size| !is_part(*size));
}

/// Whole numbers that stand alone; thousands may be separated by commas, underscores, dots
/// or thin spaces.
fn sizes(text: &str) -> impl Iterator<Item = u64> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ',' | '_' | '.');
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| c.is_ascii_digit())?;
            let (before, from) = rest.split_at_checked(start)?;
            let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
            let end = spaced_end(from, end);
            let (number, after) = from.split_at_checked(end)?;
            rest = after;
            let touches = |c: Option<char>| {
                c.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '%'))
            };
            if !touches(before.chars().next_back())
                && !touches(after.chars().next())
                && let Some(size) = whole(number.trim_end_matches(['.', ',', '_']))
            {
                return Some(size);
            }
        }
    })
}

/// The end of a number whose thousands may be separated by spaces.
fn spaced_end(from: &str, end: usize) -> usize {
    let is_head = end <= 3 && from.bytes().take(end).all(|byte| byte.is_ascii_digit());
    let mut end = end;
    while is_head && let Some(rest) = from.get(end..) {
        let digits = rest.strip_prefix(' ').map_or(0, |group| {
            group.bytes().take_while(u8::is_ascii_digit).count()
        });
        if digits != 3 {
            break;
        }
        end += 4;
    }
    end
}

/// A number without separators, or with three digits after each of them.
fn whole(number: &str) -> Option<u64> {
    let mut groups = number.split([',', '_', '.', ' ']);
    let first = groups.next()?;
    let is_grouped = groups.clone().all(|group| group.len() == 3) && (1..=3).contains(&first.len());
    if groups.next().is_some() && !is_grouped {
        return None;
    }
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes_of(text: &str) -> Option<(u64, u64)> {
        compared_sizes(&text.to_lowercase()).map(|sizes| (sizes.requested, sizes.limit))
    }

    #[test]
    fn a_prompt_a_comparison_and_two_sizes_are_an_overflow_in_any_words() {
        for text in [
            "Requested tokens (2285) exceed context window of 2048",
            "the prompt has 2,285 tokens; this model supports 2,048",
            "n_keep (2285) >= n_ctx (2048)",
            "Prompt of 2285 is more than the 2048 we can fit",
            "Die Anfrage hat 2285 Tokens und überschreitet den Kontext von 2048",
            "la requête dépasse le contexte : 2285 > 2048",
            "输入长度 2285 超过了 2048",
            "コンテキスト上限 2048 を超えています (2285)",
            "the input should have at most 2048 tokens, got 2285",
            "la requête dépasse le contexte (2 285 jetons, maximum 2 048)",
            "요청 토큰 2285개가 최대 2048개를 초과했습니다",
            "Запрос содержит 2285 токенов, превышает 2048",
        ] {
            assert_eq!(sizes_of(text), Some((2_285, 2_048)), "{text}");
        }
    }

    #[test]
    fn other_sizes_are_none() {
        for text in [
            "max_tokens 9000 exceeds the maximum of 8192",
            "Tool results have 2285 tokens, at most 2048 are allowed",
            "Your token expired 2285 seconds after 2048",
            "the image has 2285 tokens, the limit is 2048",
            "context deadline exceeded after 2285 ms",
            "Unsupported value 1.5 for tokens, at most 2.5",
            "Limit of 512 messages: the prompt has 700, 800 and 900",
            "prompt exceeds the maximum of 2048",
            "top_p must be below 1; the prompt has 2048 tokens, the maximum is 8192",
            "trace 2285-af/2048 context limit",
        ] {
            assert_eq!(sizes_of(text), None, "{text}");
        }
    }
}
