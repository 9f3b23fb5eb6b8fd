//! The prune gate: pruning rewrites the prefix, so it waits until the provider's
//! prompt cache is cold anyway, or until the window is so full that it must.

use crate::context::settings::{GateKind, PrunePolicy, PruneSettings};
use crate::context::view::Gate;
use crate::transcript::{PromptCache, Timestamp};

/// The input of the gate.
pub(crate) struct GateInput {
    pub now: Timestamp,
    /// When this provider and model were last heard of.
    pub last_contact: Option<Timestamp>,
    /// It stored what it stored last for an hour.
    pub keeps_hour: bool,
    pub cache: PromptCache,
    pub view_tokens: u64,
    /// 0 when the window is unknown.
    pub usable_tokens: u64,
}

/// Whether pruning may change the view now.
pub(crate) fn gate(settings: &PruneSettings, input: &GateInput) -> Gate {
    match (settings.policy, settings.gate) {
        // It clears much at once and seldom: that is how it spares the cache.
        (PrunePolicy::ProtectRecent, GateKind::CacheTtl) => Gate::Cold,
        _ => cache_gate(settings, input),
    }
}

/// Whether the prefix may change now, as the gate alone says.
pub(crate) fn cache_gate(settings: &PruneSettings, input: &GateInput) -> Gate {
    match settings.gate {
        GateKind::Off => return Gate::Off,
        GateKind::Always => return Gate::Cold,
        GateKind::CacheTtl => {}
    }
    if is_cold(settings, input) {
        return Gate::Cold;
    }
    let is_full = settings.force_ratio.is_some_and(|ratio| {
        input.usable_tokens > 0 && input.view_tokens as f64 >= input.usable_tokens as f64 * ratio
    });
    if is_full { Gate::Forced } else { Gate::Warm }
}

/// Whether no cache would be given up.
pub(crate) fn is_cold(settings: &PruneSettings, input: &GateInput) -> bool {
    let Some(contact) = input.last_contact else {
        return true;
    };
    match input.cache {
        PromptCache::None => true,
        // A prefix cache lives as long as the server that answered.
        PromptCache::Prefix => false,
        PromptCache::Ttl => input.now.secs_since(contact) >= ttl_secs(settings, input),
    }
}

/// How long the provider keeps a prompt.
fn ttl_secs(settings: &PruneSettings, input: &GateInput) -> u64 {
    settings.prompt_ttl_secs(input.keeps_hour)
}

/// Seconds until the cache counts as cold; `None` when it is, or never will be.
pub(crate) fn cache_secs_left(settings: &PruneSettings, input: &GateInput) -> Option<u64> {
    let contact = input.last_contact?;
    if input.cache != PromptCache::Ttl {
        return None;
    }
    ttl_secs(settings, input)
        .checked_sub(input.now.secs_since(contact))
        .filter(|&left| left > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_when_cold_without_cache_or_by_force() {
        let settings = PruneSettings::default();
        let check = |cache, contact_secs_ago: Option<i64>, view_tokens, expected| {
            let input = GateInput {
                now: Timestamp(1_000_000_000),
                last_contact: contact_secs_ago.map(|secs| Timestamp(1_000_000_000 - secs * 1_000)),
                keeps_hour: false,
                cache,
                view_tokens,
                usable_tokens: 100_000,
            };
            assert_eq!(
                gate(&settings, &input),
                expected,
                "{cache:?} {contact_secs_ago:?}"
            );
        };
        check(PromptCache::Ttl, None, 10, Gate::Cold);
        check(PromptCache::Ttl, Some(299), 10, Gate::Warm);
        check(PromptCache::Ttl, Some(300), 10, Gate::Cold);
        check(PromptCache::Ttl, Some(-50), 10, Gate::Warm);
        check(PromptCache::Ttl, Some(1), 70_000, Gate::Forced);
        check(PromptCache::None, Some(1), 10, Gate::Cold);
        check(PromptCache::Prefix, Some(9_999), 10, Gate::Warm);
        check(PromptCache::Prefix, Some(9_999), 69_999, Gate::Warm);
        check(PromptCache::Prefix, Some(9_999), 70_000, Gate::Forced);
    }

    #[test]
    fn a_cache_is_warm_as_long_as_the_provider_stored_it_unless_a_time_is_set() {
        let check = |ttl_secs, keeps_hour, ago: i64, expected| {
            let settings = PruneSettings {
                ttl_secs,
                force_ratio: None,
                ..PruneSettings::default()
            };
            let input = GateInput {
                now: Timestamp(1_000_000_000),
                last_contact: Some(Timestamp(1_000_000_000 - ago * 1_000)),
                keeps_hour,
                cache: PromptCache::Ttl,
                view_tokens: 10,
                usable_tokens: 100_000,
            };
            assert_eq!(gate(&settings, &input), expected, "{ttl_secs:?} {ago}");
            let left = cache_secs_left(&settings, &input);
            assert_eq!(left.is_some(), expected == Gate::Warm, "{left:?}");
        };
        check(None, false, 299, Gate::Warm);
        check(None, false, 300, Gate::Cold);
        check(None, true, 3_599, Gate::Warm);
        check(None, true, 3_600, Gate::Cold);
        check(Some(60), true, 60, Gate::Cold);
        check(Some(7_200), false, 7_199, Gate::Warm);
    }

    #[test]
    fn protect_recent_has_no_gate_unless_pruning_is_off() {
        let mut settings = PruneSettings {
            policy: PrunePolicy::ProtectRecent,
            ..PruneSettings::default()
        };
        let warm = GateInput {
            now: Timestamp(1_000_000_000),
            last_contact: Some(Timestamp(999_999_000)),
            keeps_hour: false,
            cache: PromptCache::Ttl,
            view_tokens: 10,
            usable_tokens: 100_000,
        };
        assert_eq!(settings.gate, GateKind::CacheTtl, "the default");
        assert_eq!(gate(&settings, &warm), Gate::Cold);
        assert_eq!(cache_gate(&settings, &warm), Gate::Warm, "images wait");
        settings.gate = GateKind::Off;
        assert_eq!(gate(&settings, &warm), Gate::Off);
    }
}
