//! How long a server asks to wait, out of the headers of its refusal.
//!
//! Pure: a moment is measured against the server's own `date`, so a wrong clock on this
//! machine changes nothing; without that header a moment says nothing.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::HeaderMap;

use crate::transcript::Timestamp as At;

/// The longest wait that a server may ask for; beyond it the header is nonsense.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// A bare number from here on is a moment in seconds since 1970, not a wait in seconds.
const FIRST_EPOCH_SECOND: f64 = 1e9;
/// And from here on one in milliseconds.
const FIRST_EPOCH_MILLISECOND: f64 = 1e12;
/// Milliseconds of a second.
const MILLIS: f64 = 1_000.0;

/// Reads `retry-after-ms`, `retry-after` (seconds or an HTTP date), and else when the
/// rate limits that are used up begin again.
pub(in crate::provider) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let milliseconds = text(headers, "retry-after-ms")
        .and_then(number)
        .map(|ms| ms / MILLIS);
    let seconds = milliseconds
        .or_else(|| wait(text(headers, "retry-after")?, headers))
        .or_else(|| longest_reset(headers))?;
    let wait = Duration::try_from_secs_f64(seconds);
    Some(wait.map_or(MAX_RETRY_AFTER, |wait| wait.min(MAX_RETRY_AFTER)))
}

/// The latest reset among the limits of which nothing is left:
/// `x-ratelimit-reset-tokens` beside `x-ratelimit-remaining-tokens: 0`, and the like.
fn longest_reset(headers: &HeaderMap) -> Option<f64> {
    let used_up = headers.iter().filter_map(|(name, value)| {
        let name = name.as_str();
        if !name.contains("ratelimit") || !name.contains("reset") {
            return None;
        }
        let left = number(text(headers, &name.replace("reset", "remaining"))?)?;
        if left > 0.0 {
            return None;
        }
        wait(value.to_str().ok()?, headers)
    });
    used_up.max_by(f64::total_cmp)
}

/// Seconds from now on: a number, a moment, or pieces such as `1m30.5s`.
fn wait(value: &str, headers: &HeaderMap) -> Option<f64> {
    let now = || -> Option<f64> { moment(text(headers, "date")?) };
    let seconds = match number(value) {
        Some(ms) if ms >= FIRST_EPOCH_MILLISECOND => ms / MILLIS - now()?,
        Some(at) if at >= FIRST_EPOCH_SECOND && now().is_some() => at - now()?,
        Some(seconds) => seconds,
        None => match moment(value) {
            Some(at) => at - now()?,
            None => pieces(value)?,
        },
    };
    // A period that has already begun needs no wait.
    Some(seconds.max(0.0))
}

/// When the server sent its answer, by its own clock.
pub(super) fn server_time(headers: &HeaderMap) -> Option<At> {
    let seconds = moment(text(headers, "date")?)?;
    Some(At((seconds * MILLIS) as i64))
}

/// Seconds since 1970 of an HTTP date or an RFC 3339 timestamp.
fn moment(text: &str) -> Option<f64> {
    let at = text.trim().parse::<Timestamp>().ok().or_else(|| {
        let parser = rfc2822::DateTimeParser::new();
        parser.parse_timestamp(text.trim()).ok()
    })?;
    Some(at.as_millisecond() as f64 / MILLIS)
}

/// `6m0s`, `20ms`, `1h2m3.5s`.
fn pieces(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (amount, after) = rest.split_at(end);
        let (unit, after) = after.split_at(
            after
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(after.len()),
        );
        let factor = match unit {
            "h" => 3_600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1.0 / MILLIS,
            _ => return None,
        };
        seconds += number(amount)? * factor;
        rest = after;
    }
    Some(seconds)
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn number(text: &str) -> Option<f64> {
    let value: f64 = text.trim().parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pairs: &[(&'static str, &'static str)]) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().unwrap());
        }
        retry_after(&headers)
    }

    fn check(pairs: &[(&'static str, &'static str)], expected: Option<u64>) {
        assert_eq!(
            asked(pairs),
            expected.map(Duration::from_millis),
            "{pairs:?}"
        );
    }

    const NOW: (&str, &str) = ("date", "Fri, 31 Dec 1999 23:59:00 GMT");

    #[test]
    fn waits_in_seconds_milliseconds_and_as_a_date() {
        check(&[("retry-after", "2")], Some(2_000));
        check(&[("retry-after", "0.5")], Some(500));
        check(&[("retry-after-ms", "20"), ("retry-after", "2")], Some(20));
        let date = ("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT");
        check(&[date, NOW], Some(59_000));
        check(&[date], None);
        let past = ("retry-after", "Fri, 31 Dec 1999 23:58:59 GMT");
        check(&[past, NOW], Some(0));
        check(&[("retry-after", "-1")], None);
        check(&[("retry-after", "NaN")], None);
        check(&[("retry-after", "soon")], None);
        check(&[("retry-after", "1e300"), NOW], Some(86_400_000));
        check(&[], None);
    }

    #[test]
    fn the_servers_clock_is_read_from_its_answer() {
        let mut headers = HeaderMap::new();
        assert_eq!(server_time(&headers), None);
        headers.insert("date", NOW.1.parse().unwrap());
        assert_eq!(server_time(&headers), Some(At(946_684_740_000)));
    }

    #[test]
    fn a_limit_that_is_used_up_says_when_it_begins_anew() {
        let left = ("x-ratelimit-remaining-tokens", "0");
        check(&[left, ("x-ratelimit-reset-tokens", "6m0s")], Some(360_000));
        check(&[left, ("x-ratelimit-reset-tokens", "20ms")], Some(20));
        check(
            &[left, ("x-ratelimit-reset-tokens", "1h0m1.5s")],
            Some(3_601_500),
        );
        check(&[left, ("x-ratelimit-reset-tokens", "6 days")], None);
        // Of several, the one that is used up counts, and of those the latest.
        check(
            &[
                left,
                ("x-ratelimit-reset-tokens", "7s"),
                ("x-ratelimit-remaining-requests", "3"),
                ("x-ratelimit-reset-requests", "8m"),
            ],
            Some(7_000),
        );
        check(
            &[
                NOW,
                ("anthropic-ratelimit-input-tokens-remaining", "0"),
                (
                    "anthropic-ratelimit-input-tokens-reset",
                    "1999-12-31T23:59:30Z",
                ),
            ],
            Some(30_000),
        );
        let epoch = [
            ("date", "Thu, 01 Jan 2026 00:00:00 GMT"),
            ("x-ratelimit-remaining", "0"),
        ];
        for reset in ["1767225660", "1767225660000", "60"] {
            let mut pairs = epoch.to_vec();
            pairs.push(("x-ratelimit-reset", reset));
            check(&pairs, Some(60_000));
        }
        check(&[("x-ratelimit-reset", "60")], None);
        // What the server asks for outright counts before that.
        check(
            &[
                ("retry-after", "1"),
                left,
                ("x-ratelimit-reset-tokens", "9s"),
            ],
            Some(1_000),
        );
    }
}
