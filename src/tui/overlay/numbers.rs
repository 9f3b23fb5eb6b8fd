//! Numbers as people read them on a screen: tokens, shares, ages, money. No clock here;
//! ages are differences that the caller took.

use std::time::Duration;

pub(super) use crate::tui::numbers::{grouped, plural, signed};

const SECS_PER_MINUTE: u64 = 60;
const SECS_PER_HOUR: u64 = 3_600;
const SECS_PER_DAY: u64 = 86_400;

/// At most five columns: `812`, `2.9k`, `171k`, `1.2M`.
pub(super) fn short(value: u64) -> String {
    match value {
        0..=999 => value.to_string(),
        1_000..=99_949 => format!("{:.1}k", value as f64 / 1e3),
        99_950..=999_499 => format!("{:.0}k", value as f64 / 1e3),
        _ => format!("{:.1}M", value as f64 / 1e6),
    }
}

/// Whole percent of `whole`, rounded; `None` when there is no whole.
pub(super) fn percent(part: u64, whole: u64) -> Option<u64> {
    (whole > 0).then(|| (part as f64 * 100.0 / whole as f64).round() as u64)
}

/// The change from one number to another in percent: `−86%`; empty from nothing.
pub(super) fn change(before: u64, after: u64) -> String {
    if before == 0 {
        return String::new();
    }
    let change = (after as f64 - before as f64) * 100.0 / before as f64;
    let rounded = change.round() as i64;
    format!("{}%", signed(rounded))
}

/// How long ago, at most four columns: `now`, `42s`, `7m`, `3h`, `12d`.
pub(super) fn age(secs: u64) -> String {
    match secs {
        0..=4 => "now".to_owned(),
        5..SECS_PER_MINUTE => format!("{secs}s"),
        SECS_PER_MINUTE..SECS_PER_HOUR => format!("{}m", secs / SECS_PER_MINUTE),
        SECS_PER_HOUR..SECS_PER_DAY => format!("{}h", secs / SECS_PER_HOUR),
        _ => format!("{}d", secs / SECS_PER_DAY),
    }
}

/// An age for a sentence: `now`, `7m ago`.
pub(super) fn ago(secs: u64) -> String {
    match age(secs) {
        now if now == "now" => now,
        age => format!("{age} ago"),
    }
}

/// Wall time: `14.2 s`, `2 min 5 s`.
pub(super) fn wall(duration: Duration) -> String {
    let secs = duration.as_secs();
    if secs >= SECS_PER_MINUTE {
        format!(
            "{} min {} s",
            secs / SECS_PER_MINUTE,
            secs % SECS_PER_MINUTE
        )
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

/// Dollars with as many digits as mean something.
pub(super) fn dollars(amount: f64) -> String {
    if amount > 0.0 && amount < 0.01 {
        format!("${amount:.4}")
    } else {
        format!("${amount:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_now_ago() {
        let texts = [0, 4, 5, 3_600].map(ago);
        assert_eq!(texts, ["now", "now", "5s ago", "1h ago"]);
    }

    #[test]
    fn numbers_read_well() {
        let cases: &[(String, &str)] = &[
            (grouped(0), "0"),
            (grouped(999), "999"),
            (grouped(171_204), "171,204"),
            (grouped(u64::MAX), "18,446,744,073,709,551,615"),
            (short(999), "999"),
            (short(2_900), "2.9k"),
            (short(99_949), "99.9k"),
            (short(99_950), "100k"),
            (short(1_250_000), "1.2M"),
            (change(171_204, 24_310), "−86%"),
            (change(0, 5), ""),
            (age(3), "now"),
            (age(59), "59s"),
            (age(7_300), "2h"),
            (age(200_000), "2d"),
            (wall(Duration::from_millis(14_230)), "14.2 s"),
            (wall(Duration::from_secs(125)), "2 min 5 s"),
            (plural(1, "turn"), "1 turn"),
            (plural(1_204, "turn"), "1,204 turns"),
            (dollars(0.03), "$0.03"),
            (dollars(0.0031), "$0.0031"),
        ];
        for (found, wanted) in cases {
            assert_eq!(found, wanted);
        }
        assert_eq!(percent(78_200, 200_000), Some(39));
        assert_eq!(percent(1, 0), None);
    }
}
