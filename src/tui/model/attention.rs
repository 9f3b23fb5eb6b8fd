//! Whether the user looks at the screen: the focus of the window, and the newest key.

use std::time::Duration;

use crate::config::NotifyWhen;
use crate::transcript::Timestamp;

/// Milliseconds without a key after which a user is at rest: the next key is meant for what is
/// on screen.
const REST_MS: i64 = 500;

/// Whether the user looks, and whether to call.
#[derive(Debug, Default)]
pub struct Attention {
    /// When to call.
    pub when: NotifyWhen,
    /// The window said that it lost the focus.
    pub is_away: bool,
    /// The newest key or paste.
    pub last_key: Option<Timestamp>,
}

impl Attention {
    /// Whether a call is wanted now.
    pub fn wants_call(&self) -> bool {
        match self.when {
            NotifyWhen::Always => true,
            NotifyWhen::Unfocused => self.is_away,
            NotifyWhen::Never => false,
        }
    }

    /// Whether no key came for a while: whoever presses one now has looked up.
    pub fn is_at_rest(&self, now: Timestamp) -> bool {
        self.rest_left(now).is_none()
    }

    /// How long no key may come until the user is at rest; `None` when that is so.
    pub fn rest_left(&self, now: Timestamp) -> Option<Duration> {
        let quiet_ms = now.0.saturating_sub(self.last_key?.0);
        let left_ms = u64::try_from(REST_MS.saturating_sub(quiet_ms)).ok()?;
        (left_ms > 0).then(|| Duration::from_millis(left_ms))
    }

    /// A clock that is set back must not make a rest longer.
    pub fn on_tick(&mut self, now: Timestamp) {
        self.last_key = self.last_key.map(|at| at.min(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_presses_no_key_for_a_while_is_at_rest() {
        let mut attention = Attention::default();
        assert!(attention.is_at_rest(Timestamp(0)));
        attention.last_key = Some(Timestamp(1_000));
        let left = attention.rest_left(Timestamp(1_100));
        assert_eq!(left, Some(Duration::from_millis(400)));
        assert!(attention.is_at_rest(Timestamp(1_500)));
        attention.on_tick(Timestamp(0));
        assert!(attention.is_at_rest(Timestamp(500)), "a clock set back");
    }
}
