//! When a failed request is made again. Pure: chance is an argument.

/// By at most this share a wait is lengthened by chance, so that many clients do not come
/// back at once.
const JITTER_SHARE: u64 = 4;
/// Waits do not double more often than this; all policies have reached their longest by then.
const MAX_DOUBLINGS: u32 = 16;

/// Waits between tries: each one twice as long as the one before, up to a longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The wait after the first failure, in milliseconds.
    pub first_wait_ms: u64,
    /// The longest wait without chance, in milliseconds.
    pub longest_wait_ms: u64,
}

impl RetryPolicy {
    /// The wait after this many failures in a row, in milliseconds: by chance up to a quarter
    /// longer than the policy says. Same seed, same wait.
    pub fn wait_ms(self, failures: u32, seed: u64) -> u64 {
        let doublings = failures.saturating_sub(1).min(MAX_DOUBLINGS);
        let doubled = self.first_wait_ms.saturating_mul(1 << doublings);
        let wait = doubled.min(self.longest_wait_ms);
        wait.saturating_add(mixed(seed) % (wait / JITTER_SHARE).max(1))
    }
}

/// One step of a linear congruential generator, its best bits: enough to spread retries
/// whose seeds are neighbours.
fn mixed(seed: u64) -> u64 {
    const FACTOR: u64 = 6_364_136_223_846_793_005;
    const INCREMENT: u64 = 1_442_695_040_888_963_407;
    const BEST_BITS: u32 = 33;
    seed.wrapping_mul(FACTOR).wrapping_add(INCREMENT) >> BEST_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: RetryPolicy = RetryPolicy {
        first_wait_ms: 500,
        longest_wait_ms: 5_000,
    };

    #[test]
    fn waits_double_up_to_the_longest() {
        for (failures, expected) in [
            (0, 500),
            (1, 500),
            (2, 1_000),
            (4, 4_000),
            (5, 5_000),
            (99, 5_000),
        ] {
            for seed in [0, 1, 7, u64::MAX] {
                let wait = POLICY.wait_ms(failures, seed);
                let waits = expected..expected + expected / 4;
                assert!(waits.contains(&wait), "{failures} {wait}");
            }
        }
        let odd = RetryPolicy {
            first_wait_ms: u64::MAX,
            longest_wait_ms: 3,
        };
        assert_eq!(odd.wait_ms(u32::MAX, 5), 3);
    }

    #[test]
    fn neighbouring_seeds_spread_the_waits_and_equal_ones_do_not() {
        let waits: std::collections::BTreeSet<u64> =
            (0..20).map(|seed| POLICY.wait_ms(3, seed)).collect();
        assert!(waits.len() > 15, "{waits:?}");
        assert_eq!(POLICY.wait_ms(3, 9), POLICY.wait_ms(3, 9));
    }
}
