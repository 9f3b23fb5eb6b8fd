//! Rows of pruning: when old tool results are trimmed and cleared.
//!
//! Only data; how a row is read and checked is in `row`.

use super::super::value::SettingValue;
use super::applies::ChangeEffect::Live;
use super::applies::LivePart;
use super::field::{GATES, PRUNE_POLICIES};
use super::kind::SettingKind;
use super::row::{CHARS, MAX_SECS, MAX_TURNS, Setting, TEXTS, TOKENS, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("prune.policy", context.prune.policy, Live(LivePart::Context), SettingKind::Choice(PRUNE_POLICIES), "Method of pruning old tool results.", trusted false, alias "prune.mode" => prune_mode, "compaction.prune" => prune_switch),
    row!(
        "prune.gate",
        context.prune.gate,
        Live(LivePart::Context),
        SettingKind::Choice(GATES),
        "When soft-hard may prune. cache-ttl: after the prompt cache expired, or with --force; always; off: never. protect-recent prunes unless this is off."
    ),
    row!("prune.ttl_secs", context.prune.ttl_secs, Live(LivePart::Context), int(0, MAX_SECS, "seconds"), "Lifetime of the provider's prompt cache after the last request.", unset "300, or 3600 while the provider caches the prompt for an hour", alias "ttlMs" => millis_to_secs),
    row!("prune.force_ratio", context.prune.force_ratio, Live(LivePart::Context), SettingKind::Share, "Share of the usable window from which pruning runs although the prompt cache is still valid.", unset "never"),
    row!(
        "prune.force_min_gain",
        context.prune.force_min_gain,
        Live(LivePart::Context),
        SettingKind::Share,
        "Minimum share of the usable window that such a prune must free, because it invalidates the prompt cache."
    ),
    row!("prune.keep_last_assistants", context.prune.keep_last_assistants, Live(LivePart::Context), int(0, MAX_TURNS, "messages"), "Number of newest assistant messages that are never pruned, nor anything after them.", trusted false, alias "keepLastAssistants"),
    row!("prune.soft_ratio", context.prune.soft.ratio, Live(LivePart::Context), SettingKind::Share, "Share of the window from which long results are trimmed.", trusted false, alias "softTrimRatio"),
    row!("prune.hard_ratio", context.prune.hard.ratio, Live(LivePart::Context), SettingKind::Share, "Share of the window from which old results are cleared.", trusted false, alias "hardClearRatio"),
    row!("prune.min_prunable_chars", context.prune.hard.min_prunable_chars, Live(LivePart::Context), CHARS, "Minimum size of the results to clear; prune.min_prunable_share may lower it.", trusted false, alias "minPrunableToolChars"),
    row!("prune.min_prunable_share", context.prune.hard.min_prunable_share, Live(LivePart::Context), SettingKind::Share, "The same as a share of the window, at four characters per token, if smaller.", unset "only prune.min_prunable_chars", trusted false),
    row!("prune.soft.max_chars", context.prune.soft.max_chars, Live(LivePart::Context), CHARS, "Length above which results are trimmed.", trusted false, alias "softTrim.maxChars"),
    row!("prune.soft.head_chars", context.prune.soft.head_chars, Live(LivePart::Context), CHARS, "Part kept from the start of a trimmed result.", trusted false, alias "softTrim.headChars"),
    row!("prune.soft.tail_chars", context.prune.soft.tail_chars, Live(LivePart::Context), CHARS, "Part kept from the end of a trimmed result.", trusted false, alias "softTrim.tailChars"),
    row!("prune.hard.enabled", context.prune.hard.enabled, Live(LivePart::Context), SettingKind::Bool, "Clear old results, not only trim them.", trusted false, alias "hardClear.enabled"),
    row!("prune.hard.placeholder", context.prune.hard.placeholder, Live(LivePart::Context), SettingKind::Text, "Notice in place of a cleared result.", alias "hardClear.placeholder"),
    row!(
        "prune.superseded",
        context.prune.superseded,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Clear results made obsolete by a later result.", trusted false
    ),
    row!(
        "prune.arguments",
        context.prune.arguments,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Leave out long arguments of old calls that wrote a file; they remain in the session.", trusted false
    ),
    row!(
        "prune.difference_reads",
        context.prune.difference_reads,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Send a repeated read as the difference to the earlier one, if that takes at most half the tokens. Only the engine layered; not if prune.policy or prune.gate is off.", trusted false
    ),
    row!(
        "prune.protect_errors",
        context.prune.protect_errors,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Never prune failed results.", trusted false
    ),
    row!(
        "prune.tools.allow",
        context.prune.tools.allow,
        Live(LivePart::Context),
        TEXTS,
        "Patterns (globs) of tools whose results may be pruned; empty: all.", trusted false
    ),
    row!(
        "prune.tools.deny",
        context.prune.tools.deny,
        Live(LivePart::Context),
        TEXTS,
        "Patterns (globs) of tools whose results are never pruned.", trusted false
    ),
    row!(
        "prune.protect_tokens",
        context.prune.recent.tokens,
        Live(LivePart::Context),
        TOKENS,
        "protect-recent: newest tool output that is kept.", trusted false
    ),
    row!(
        "prune.minimum_tokens",
        context.prune.recent.minimum_tokens,
        Live(LivePart::Context),
        TOKENS,
        "protect-recent: minimum size of a prune.", trusted false
    ),
    row!(
        "prune.protect_turns",
        context.prune.recent.turns,
        Live(LivePart::Context),
        int(0, MAX_TURNS, "turns"),
        "protect-recent: newest turns that are kept.", trusted false
    ),
    row!(
        "prune.protect_whole_turns",
        context.prune.recent.whole_turns,
        Live(LivePart::Context),
        SettingKind::Bool,
        "protect-recent: keep those turns even if they hold more than prune.protect_tokens.", trusted false
    ),
];

fn millis_to_secs(value: &SettingValue) -> Option<SettingValue> {
    match value {
        SettingValue::Int(millis) => Some(SettingValue::Int(millis / 1_000)),
        _ => None,
    }
}

/// `off` or `cache-ttl`, the pruning switch of OpenClaw.
fn prune_mode(value: &SettingValue) -> Option<SettingValue> {
    let policy = match value.as_text()? {
        "off" => "off",
        "cache-ttl" => "soft-hard",
        _ => return None,
    };
    Some(SettingValue::Text(policy.to_owned()))
}

/// The pruning switch of OpenCode.
fn prune_switch(value: &SettingValue) -> Option<SettingValue> {
    let policy = match value {
        SettingValue::Bool(true) => "protect-recent",
        SettingValue::Bool(false) => "off",
        _ => return None,
    };
    Some(SettingValue::Text(policy.to_owned()))
}
