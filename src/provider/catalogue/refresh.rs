//! What models.dev said when it was asked last, kept in the cache folder.
//!
//! Never needed: a file that is missing or broken leaves what the program ships.

use std::io;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;

use crate::disk::{open, private};
use crate::provider::catalogue::models_dev::read_models_dev;
use crate::provider::catalogue::snapshot::{Snapshot, SnapshotHead, write_snapshot};
use crate::transcript::Timestamp;

/// The largest `api.json` that is read. In July 2026 it had 2.3 MB.
pub(in crate::provider) const MAX_ANSWER_BYTES: usize = 12 * 1024 * 1024;

/// What is kept of it is a tenth.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// It is asked once a day, and again an hour after it did not answer.
const AGE: Duration = Duration::from_hours(24);
const AGE_OF_FAILURE: Duration = Duration::from_hours(1);

/// Reads the file; nothing of it is parsed before a model is asked for.
pub fn read_refreshed(path: &Path) -> Snapshot {
    let bytes = open::read(path, MAX_FILE_BYTES).unwrap_or_default();
    Snapshot::new(String::from_utf8(bytes).unwrap_or_default())
}

/// The state of the file, for people; `None` when there is none.
pub fn check_refreshed(path: &Path) -> Option<Result<SnapshotHead, String>> {
    match open::read(path, MAX_FILE_BYTES) {
        Ok(bytes) => Some(check(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

fn check(bytes: Vec<u8>) -> Result<SnapshotHead, String> {
    let text = String::from_utf8(bytes).map_err(|_| "it is not text".to_owned())?;
    let snapshot = Snapshot::new(text);
    let head = snapshot
        .head()
        .ok_or("its first line is not that of a catalogue")?;
    let count = snapshot.count();
    if count.models < count.lines {
        let wrong = count.lines - count.models;
        return Err(format!(
            "{wrong} of {} lines do not describe a model",
            count.lines
        ));
    }
    Ok(head)
}

/// Whether models.dev may be asked again. A clock that ran backwards does not stop it.
pub(in crate::provider) fn is_refresh_due(known: &Snapshot, now: Timestamp) -> bool {
    let Some(head) = known.head() else {
        return true;
    };
    let is_past = |at: Option<Timestamp>, age: Duration| {
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        at.is_none_or(|at| !(0..age).contains(&now.0.saturating_sub(at.0)))
    };
    is_past(head.fetched(), AGE) && is_past(head.tried(), AGE_OF_FAILURE)
}

/// The text of what was fetched.
///
/// # Errors
///
/// Why it is not what models.dev publishes.
pub(in crate::provider) fn refreshed(answer: &[u8], now: Timestamp) -> Result<String, String> {
    let models = read_models_dev(answer)?;
    let day = jiff::Timestamp::from_millisecond(now.0).map_err(|error| error.to_string())?;
    let head = SnapshotHead {
        fetched_ms: Some(now.0),
        tried_ms: Some(now.0),
        ..SnapshotHead::of(day.to_zoned(TimeZone::UTC).date().to_string())
    };
    let text = write_snapshot(&head, &models).map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err("it is too large".to_owned());
    }
    Ok(text)
}

/// What is known, with a note that it could not be refreshed.
pub(in crate::provider) fn not_refreshed(
    known: &Snapshot,
    problem: &str,
    now: Timestamp,
) -> serde_json::Result<String> {
    let head = SnapshotHead {
        tried_ms: Some(now.0),
        problem: Some(problem.to_owned()),
        ..known.head().unwrap_or_else(|| SnapshotHead::of(""))
    };
    let is_ours = known.head().is_some();
    let body = if is_ours { known.body() } else { "" };
    Ok(serde_json::to_string(&head)? + "\n" + body)
}

/// Replaces the file as a whole.
pub(in crate::provider) fn keep_refreshed(path: &Path, text: &str) -> io::Result<()> {
    private::replace(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp(1_795_348_800_000);
    const HOUR_MS: i64 = 3_600_000;

    fn answer() -> Vec<u8> {
        serde_json::json!({"anthropic": {"models": {"claude-x": {
            "tool_call": true, "limit": {"context": 300_000, "output": 64_000},
            "modalities": {"input": ["text"], "output": ["text"]}}}}})
        .to_string()
        .into_bytes()
    }

    #[test]
    fn it_is_asked_once_a_day_and_sooner_after_a_failure() {
        let later = |hours: i64| Timestamp(NOON.0 + hours * HOUR_MS);
        assert!(is_refresh_due(&Snapshot::default(), NOON));
        let fetched = Snapshot::new(refreshed(&answer(), NOON).unwrap());
        for (hours, is_due) in [(0, false), (23, false), (24, true), (-1, true)] {
            assert_eq!(is_refresh_due(&fetched, later(hours)), is_due, "{hours}");
        }
        let text = not_refreshed(&fetched, "no answer", later(25)).unwrap();
        let failed = Snapshot::new(text);
        assert!(!is_refresh_due(&failed, Timestamp(later(25).0 + 1)));
        assert!(is_refresh_due(&failed, later(26)));
        // What was known stays known.
        assert_eq!(failed.models().count(), 1);
        assert_eq!(failed.head().unwrap().problem.as_deref(), Some("no answer"));
        let never = Snapshot::new(not_refreshed(&Snapshot::default(), "no", NOON).unwrap());
        assert!(!is_refresh_due(&never, later(0)) && is_refresh_due(&never, later(1)));
    }

    #[test]
    fn a_broken_file_is_named_and_describes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("models-dev.jsonl");
        assert_eq!(check_refreshed(&path), None);
        let good = refreshed(&answer(), NOON).unwrap();
        keep_refreshed(&path, &good).unwrap();
        assert_eq!(check_refreshed(&path).unwrap().unwrap().date, "2026-11-22");
        assert_eq!(read_refreshed(&path).models().count(), 1);
        let headless = good.split_at(1).1;
        let lying = good.replace("300000", "-1");
        for broken in ["", "\0\0\n", "{}\n", "<html>", &lying, headless] {
            std::fs::write(&path, broken).unwrap();
            assert!(check_refreshed(&path).unwrap().is_err(), "{broken:?}");
            let snapshot = read_refreshed(&path);
            let found: Vec<_> = snapshot
                .models()
                .filter_map(|it| snapshot.find(&it))
                .collect();
            let is_known = broken.contains("300000");
            assert_eq!(found.len(), usize::from(is_known), "{broken:?}");
        }
        std::fs::write(&path, b"\xff\xfe").unwrap();
        assert!(check_refreshed(&path).unwrap().is_err());
        std::fs::write(&path, "x".repeat(5 * 1024 * 1024)).unwrap();
        assert!(check_refreshed(&path).unwrap().is_err());
        assert!(is_refresh_due(&read_refreshed(&path), NOON));
    }
}
