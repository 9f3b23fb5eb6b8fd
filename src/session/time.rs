//! Conversion between [`Timestamp`] and the two texts the log needs: RFC 3339 in entries,
//! and a form of it that every file system accepts in names. Always UTC, milliseconds.

use crate::transcript::Timestamp;

/// `2026-11-21T00:49:23.267Z`. A value outside the calendar's range becomes the epoch.
pub fn to_rfc3339(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .strftime("%Y-%m-%dT%H:%M:%S%.3fZ")
        .to_string()
}

/// `2026-11-21T00-49-23-267Z`: sorts by time and holds no colon.
pub fn to_file_name(at: Timestamp) -> String {
    to_rfc3339(at).replace([':', '.'], "-")
}

/// The instant that an RFC 3339 text with any offset names.
pub fn from_rfc3339(text: &str) -> Option<Timestamp> {
    let at: jiff::Timestamp = text.trim().parse().ok()?;
    Some(Timestamp(at.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_the_same_instant() {
        let at = Timestamp(1_795_222_163_267);
        assert_eq!(to_rfc3339(at), "2026-11-21T00:49:23.267Z");
        assert_eq!(to_file_name(at), "2026-11-21T00-49-23-267Z");
        assert_eq!(from_rfc3339("2026-11-21T01:49:23.267+01:00"), Some(at));
        assert_eq!(from_rfc3339("yesterday"), None);
        assert_eq!(to_rfc3339(Timestamp(i64::MAX)), "1970-01-01T00:00:00.000Z");
    }
}
