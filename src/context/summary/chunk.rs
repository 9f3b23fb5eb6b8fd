//! How a history that is too large for one request is divided. Works on the token
//! counts of units; a unit is an atomic group, so no division separates a call from
//! its results.

use std::collections::HashSet;
use std::ops::Range;

use crate::transcript::Message;

use super::SourceMessage;

/// Safety factor on estimates that are compared with a limit.
pub const MARGIN: f64 = 1.2;
/// Share of the window that one chunk takes when messages are small.
const BASE_RATIO: f64 = 0.4;
/// Share below which a chunk never falls, however large messages are.
const MIN_RATIO: f64 = 0.15;
/// Mean message size, as a share of the window, above which chunks shrink.
const LARGE_MESSAGE_SHARE: f64 = 0.1;
/// Tokens of a chunk's request that are not history: prompt and framing.
const PROMPT_OVERHEAD_TOKENS: u64 = 4_096;
/// A chunk is worth a request from this many tokens.
const MIN_CHUNK_TOKENS: u64 = 2_000;
/// A chunk takes at least this fraction of the window.
const MIN_CHUNK_DIVISOR: u64 = 8;
/// A message above this share of the window (with margin) is oversized.
const OVERSIZED_SHARE: f64 = 0.5;

/// Divides the messages into atomic groups: an assistant message with everything up
/// to the last result of its calls is one, every other message is its own.
pub fn atomic_groups(messages: &[SourceMessage]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    while start < messages.len() {
        let end = last_result(messages, start).map_or(start + 1, |last| last + 1);
        groups.push(start..end);
        start = end;
    }
    groups
}

/// The last message before the next answer that is a result of a call at `index`.
fn last_result(messages: &[SourceMessage], index: usize) -> Option<usize> {
    let Message::Assistant(assistant) = messages.get(index)?.message.as_ref() else {
        return None;
    };
    let calls: HashSet<&str> = assistant
        .tool_calls()
        .map(|call| call.id.as_str())
        .collect();
    if calls.is_empty() {
        return None;
    }
    messages
        .iter()
        .enumerate()
        .skip(index + 1)
        .take_while(|(_, source)| !matches!(source.message.as_ref(), Message::Assistant(_)))
        .filter(|(_, source)| {
            matches!(source.message.as_ref(), Message::ToolResult(r) if calls.contains(r.call_id.as_str()))
        })
        .map(|(at, _)| at)
        .last()
}

/// Splits units into at most `parts` runs of about equal tokens.
pub fn split_by_share(tokens: &[u64], parts: usize) -> Vec<Range<usize>> {
    let parts = parts.clamp(1, tokens.len().max(1)) as u64;
    let total: u64 = tokens.iter().fold(0, |sum, t| sum.saturating_add(*t));
    let mut out: Vec<Range<usize>> = Vec::new();
    let (mut start, mut sum) = (0, 0_u64);
    for (index, &unit) in tokens.iter().enumerate() {
        let above_share = sum.saturating_add(unit).saturating_mul(parts) > total;
        if index > start && above_share && (out.len() as u64) < parts - 1 {
            out.push(start..index);
            (start, sum) = (index, 0);
        }
        sum = sum.saturating_add(unit);
    }
    if start < tokens.len() {
        out.push(start..tokens.len());
    }
    out
}

/// Fills runs greedily up to `max_tokens` with margin. A unit that is larger stands
/// alone.
pub fn greedy_chunks(tokens: &[u64], max_tokens: u64) -> Vec<Range<usize>> {
    let limit = effective_chunk(max_tokens);
    let mut out: Vec<Range<usize>> = Vec::new();
    let (mut start, mut sum) = (0, 0_u64);
    for (index, &unit) in tokens.iter().enumerate() {
        if index > start && sum.saturating_add(unit) > limit {
            out.push(start..index);
            (start, sum) = (index, 0);
        }
        sum = sum.saturating_add(unit);
    }
    if start < tokens.len() {
        out.push(start..tokens.len());
    }
    out
}

/// Share of the window that one chunk may take, given the mean tokens of a message.
pub fn adaptive_ratio(mean_message_tokens: f64, window_tokens: u64) -> f64 {
    if window_tokens == 0 {
        return BASE_RATIO;
    }
    let share = mean_message_tokens * MARGIN / window_tokens as f64;
    if share > LARGE_MESSAGE_SHARE {
        (BASE_RATIO - (2.0 * share).min(BASE_RATIO - MIN_RATIO)).max(MIN_RATIO)
    } else {
        BASE_RATIO
    }
}

/// Largest chunk in tokens, before margin.
pub fn max_chunk(window_tokens: u64, ratio: f64) -> u64 {
    let share = (window_tokens as f64 * ratio).floor() as u64;
    share
        .saturating_sub(PROMPT_OVERHEAD_TOKENS)
        .max(MIN_CHUNK_TOKENS)
        .max(window_tokens / MIN_CHUNK_DIVISOR)
}

/// Largest chunk in estimated tokens, with margin.
pub fn effective_chunk(max_tokens: u64) -> u64 {
    (max_tokens as f64 / MARGIN).floor() as u64
}

/// Estimated tokens above which a message is oversized.
pub fn oversized_above(window_tokens: u64) -> u64 {
    (window_tokens as f64 * OVERSIZED_SHARE / MARGIN).floor() as u64
}

/// The outcome of dropping the oldest halves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DroppedHistory {
    /// Units dropped from the start.
    pub units: usize,
    /// Rounds of dropping.
    pub rounds: u64,
    /// Estimated tokens of what was dropped.
    pub tokens: u64,
}

/// Whether new content leaves so little room that history must keep to its share.
pub fn needs_history_share(new_content_tokens: u64, window_tokens: u64, share: f64) -> bool {
    new_content_tokens as f64 > window_tokens as f64 * share * MARGIN
}

/// Drops the oldest token-half repeatedly until the rest is within `share` of
/// `max_tokens`. A single unit is never dropped.
pub fn drop_to_share(tokens: &[u64], max_tokens: u64, share: f64) -> DroppedHistory {
    let budget = (max_tokens as f64 * share.max(0.0)).floor() as u64;
    let mut dropped = DroppedHistory::default();
    loop {
        let kept = tokens.get(dropped.units..).unwrap_or_default();
        let sum: u64 = kept.iter().fold(0, |sum, t| sum.saturating_add(*t));
        let halves = split_by_share(kept, 2);
        let (Some(oldest), true) = (halves.first(), halves.len() > 1 && sum > budget) else {
            return dropped;
        };
        dropped.tokens = dropped
            .tokens
            .saturating_add(kept.iter().take(oldest.end).sum());
        dropped.units += oldest.end;
        dropped.rounds += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::transcript::{AssistantMessage, AssistantPart, EntryId, ToolCall, ToolResult};

    fn sizes(runs: &[Range<usize>]) -> Vec<usize> {
        runs.iter().map(ExactSizeIterator::len).collect()
    }

    #[test]
    fn token_share_vectors() {
        let check = |tokens: &[u64], parts, expected: &[usize]| {
            assert_eq!(
                sizes(&split_by_share(tokens, parts)),
                expected,
                "{tokens:?}"
            );
        };
        check(&[100; 5], 2, &[2, 3]);
        check(&[10, 10, 10, 1000], 2, &[3, 1]);
        check(&[1000, 10, 10, 10], 2, &[1, 3]);
        check(&[100; 9], 3, &[3, 3, 3]);
        check(&[], 2, &[]);
        check(&[7], 4, &[1]);
    }

    #[test]
    fn greedy_vectors() {
        assert_eq!(sizes(&greedy_chunks(&[100; 5], 300)), [2, 2, 1]);
        assert_eq!(sizes(&greedy_chunks(&[100, 400, 100], 300)), [1, 1, 1]);
    }

    #[test]
    fn adaptive_ratio_vectors() {
        for (mean, expected) in [
            (100.0, 0.4),
            (16_000.0, 0.4),
            (16_666.0, 0.4),
            (16_667.0, 0.199_996),
            (20_000.0, 0.16),
            (20_834.0, 0.15),
            (30_000.0, 0.15),
        ] {
            let got = adaptive_ratio(mean, 200_000);
            assert!((got - expected).abs() < 1e-9, "{mean}: {got}");
        }
        assert_eq!(max_chunk(16_000, 0.15), 2_000);
        assert_eq!(max_chunk(200_000, 0.4), 75_904);
        assert_eq!(effective_chunk(75_904), 63_253);
        assert_eq!(oversized_above(200_000), 83_333);
    }

    #[test]
    fn history_share_vectors() {
        let six = drop_to_share(&[30; 6], 100, 0.5);
        assert_eq!(
            six,
            DroppedHistory {
                units: 5,
                rounds: 3,
                tokens: 150
            }
        );
        assert_eq!(drop_to_share(&[500], 100, 0.5), DroppedHistory::default());
        assert!(!needs_history_share(120_000, 200_000, 0.5));
        assert!(needs_history_share(120_001, 200_000, 0.5));
    }

    #[test]
    fn a_call_is_never_separated_from_its_results() {
        let source = |message| SourceMessage {
            entry: EntryId::new("e"),
            message: Arc::new(message),
            tokens: 1,
        };
        let call = |id: &str| {
            AssistantPart::ToolCall(ToolCall {
                id: id.to_owned(),
                name: "read".to_owned(),
                arguments: serde_json::json!({}),
                malformed: None,
            })
        };
        let result = |id: &str| {
            source(Message::ToolResult(ToolResult {
                call_id: id.to_owned(),
                ..ToolResult::default()
            }))
        };
        let messages = vec![
            source(Message::user_text("hi")),
            source(Message::Assistant(AssistantMessage {
                content: vec![call("a"), call("b")],
                ..AssistantMessage::default()
            })),
            result("a"),
            source(Message::user_text("steer")),
            result("b"),
            source(Message::user_text("next")),
            result("stray"),
        ];
        assert_eq!(atomic_groups(&messages), [0..1, 1..5, 5..6, 6..7]);
    }

    proptest! {
        #[test]
        fn runs_cover_every_unit_once_in_order(
            tokens in prop::collection::vec(0_u64..5_000, 0..60), parts in 0_usize..8, max in 0_u64..9_000,
        ) {
            for runs in [split_by_share(&tokens, parts), greedy_chunks(&tokens, max)] {
                let mut at = 0;
                for run in &runs {
                    prop_assert_eq!(run.start, at);
                    prop_assert!(run.end > run.start);
                    at = run.end;
                }
                prop_assert_eq!(at, tokens.len());
            }
        }
    }
}
