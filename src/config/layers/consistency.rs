//! Values that are fine alone and wrong together. What is refused names the value that
//! somebody set, where, and what it may be.

use super::resolve::ResolvedSettings;
use crate::config::error::ConfigError;
use crate::config::origin::SettingOrigin;
use crate::config::table::find;
use crate::config::value::SettingValue;
use crate::context::IdentifierPolicy;

impl ResolvedSettings {
    /// The first contradiction.
    pub(in crate::config) fn check(&self) -> Result<(), ConfigError> {
        let prune = &self.settings.context.prune;
        let audit = &self.settings.context.audit;
        if prune.soft.ratio > prune.hard.ratio {
            return Err(self.out_of_order("prune.soft_ratio", "prune.hard_ratio"));
        }
        let trimmed = prune.soft.head_chars.saturating_add(prune.soft.tail_chars);
        if trimmed > prune.soft.max_chars {
            return Err(self.more_than_the_whole(
                ["prune.soft.head_chars", "prune.soft.tail_chars"],
                "prune.soft.max_chars",
            ));
        }
        if audit.identifier_policy == IdentifierPolicy::Custom
            && audit.identifier_instructions.is_none()
        {
            let key = "audit.identifier_policy";
            let expected = "`audit.identifier_instructions` to be set with it";
            return Err(self.bad(key, expected));
        }
        self.check_levels_against_windows()
    }

    /// Levels in tokens that somebody set, against windows that somebody set: what is kept
    /// free or kept word for word has to leave room for something else.
    fn check_levels_against_windows(&self) -> Result<(), ConfigError> {
        let context = &self.settings.context;
        let set = [
            ("window.user", context.window.user_tokens),
            ("window.cap", context.window.cap_tokens),
            ("agent.window_cap", context.window.agent_cap_tokens),
        ];
        let set = set.map(|(key, tokens)| (format!("`{key}` ({})", self.origin(key)), tokens));
        let models = &self.settings.models;
        for (model, own) in models {
            // A window of 0 is one that nobody knows.
            if let (Some(reserved), Some(window @ 1..)) = (own.reserved_tokens, own.window_tokens)
                && reserved >= window
            {
                return Err(ConfigError::bad_value(
                    &self.model_origin(model, "reserved"),
                    &format!("models.\"{model}\".reserved"),
                    reserved,
                    &format!("fewer tokens than its window, {window}"),
                ));
            }
        }
        let own = models
            .iter()
            .map(|(model, own)| (format!("the window of {model}"), own.window_tokens));
        let windows: Vec<(String, Option<u64>)> = set.into_iter().chain(own).collect();
        let compaction = &context.compaction;
        for (key, tokens) in [
            ("compaction.reserved", compaction.reserve.tokens),
            ("compaction.keep_recent_tokens", compaction.tail.tokens),
        ] {
            // A preset's level bows to the window by itself.
            if !self.is_set(key) {
                continue;
            }
            for (window, window_tokens) in &windows {
                if let (Some(tokens), Some(limit @ 1..)) = (tokens, *window_tokens)
                    && tokens >= limit
                {
                    return Err(self.bad(key, &format!("fewer tokens than {window}, {limit}")));
                }
            }
        }
        Ok(())
    }

    /// Two values of which the first must not be above the second.
    fn out_of_order(&self, low: &str, high: &str) -> ConfigError {
        if self.is_set(high) {
            self.bad(high, &format!("at least {}", self.named(low)))
        } else {
            self.bad(low, &format!("at most {}", self.named(high)))
        }
    }

    /// Two parts that together are more than the whole they are taken from.
    fn more_than_the_whole(&self, parts: [&str; 2], whole: &str) -> ConfigError {
        let [first, second] = parts;
        let (part, other) = if self.is_set(first) {
            (first, second)
        } else {
            (second, first)
        };
        if self.is_set(part) {
            let (other, whole) = (self.named(other), self.named(whole));
            self.bad(part, &format!("at most {whole} together with {other}"))
        } else {
            let (first, second) = (self.named(first), self.named(second));
            self.bad(whole, &format!("at least the sum of {first} and {second}"))
        }
    }

    /// Whether somebody chose it, and not just a preset.
    fn is_set(&self, key: &str) -> bool {
        !matches!(
            self.origin(key),
            SettingOrigin::Default | SettingOrigin::Preset(_)
        )
    }

    fn value(&self, key: &str) -> SettingValue {
        find(key).map_or(SettingValue::None, |(setting, _)| {
            setting.get(&self.settings)
        })
    }

    /// `` `key` (value, where) ``
    fn named(&self, key: &str) -> String {
        format!("`{key}` ({}, {})", self.value(key), self.origin(key))
    }

    fn bad(&self, key: &str, expected: &str) -> ConfigError {
        ConfigError::bad_value(&self.origin(key), key, self.value(key), expected)
    }
}
