//! Numbers as people read them on a status line: tokens, durations, clock times.
//! Not for anything that another program reads.

use std::time::Duration;

use jiff::tz::TimeZone;

use crate::transcript::Timestamp;

pub use crate::transcript::{grouped, plural, signed};

/// Below this, tokens are written out.
const THOUSAND: u64 = 1_000;
/// From here on thousands need no decimal.
const HUNDRED_THOUSAND: u64 = 100_000;
/// From here on tokens are counted in millions.
const MILLION: u64 = 1_000_000;

/// Tokens in at most five columns or so: `38`, `2.9k`, `171k`, `1.05M`.
pub fn tokens(count: u64) -> String {
    match count {
        0..THOUSAND => count.to_string(),
        THOUSAND..HUNDRED_THOUSAND => short(count as f64 / THOUSAND as f64, 1, "k"),
        HUNDRED_THOUSAND..MILLION => format!("{}k", count / THOUSAND),
        _ => short(count as f64 / MILLION as f64, 2, "M"),
    }
}

/// A decimal without trailing zeros after the point: `200k`, not `200.0k`.
fn short(value: f64, decimals: usize, unit: &str) -> String {
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}

/// A length of time: `0.4s`, `14s`, `4:12`, `1:02:09`.
pub fn elapsed(duration: Duration) -> String {
    const TENTHS_BELOW_SECS: u64 = 10;
    let secs = duration.as_secs();
    if secs < TENTHS_BELOW_SECS {
        format!("{:.1}s", duration.as_secs_f64())
    } else if secs < 60 {
        format!("{secs}s")
    } else {
        minutes(secs)
    }
}

/// Seconds as `m:ss` or `h:mm:ss`.
pub fn minutes(secs: u64) -> String {
    let (hours, minutes, secs) = (secs / 3600, secs / 60 % 60, secs % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{secs:02}")
    } else {
        format!("{minutes}:{secs:02}")
    }
}

/// Time of day in the user's zone: `14:02`.
pub fn clock(at: Timestamp, zone: &TimeZone) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(
        |_| String::new(),
        |time| {
            let local = time.to_zoned(zone.clone());
            format!("{:02}:{:02}", local.hour(), local.minute())
        },
    )
}

/// Time between two clock readings; zero when the clock went backwards.
pub fn between(start: Timestamp, now: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(now.0.saturating_sub(start.0)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_true() {
        for (count, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (2_940, "2.9k"),
            (99_999, "100k"),
            (171_204, "171k"),
            (1_050_000, "1.05M"),
        ] {
            assert_eq!(tokens(count), expected);
        }
    }

    #[test]
    fn durations_grow_with_their_size() {
        assert_eq!(elapsed(Duration::from_millis(420)), "0.4s");
        assert_eq!(elapsed(Duration::from_secs(14)), "14s");
        assert_eq!(elapsed(Duration::from_secs(252)), "4:12");
        assert_eq!(minutes(3_729), "1:02:09");
        assert_eq!(between(Timestamp(10), Timestamp(5)), Duration::ZERO);
        assert_eq!(clock(Timestamp(0), &TimeZone::UTC), "00:00");
    }
}
