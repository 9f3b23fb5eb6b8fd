//! Time and chance: the one place that asks for them.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use crate::transcript::{EntryId, Timestamp, Transcript};

/// Clock and ids. With a fixed time, everything that depends on the clock is reproducible.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ambient {
    fixed_now: Option<Timestamp>,
}

impl Ambient {
    /// The real clock, or one that stands still (`--now`).
    pub fn new(fixed_now: Option<Timestamp>) -> Self {
        Self { fixed_now }
    }

    /// The present.
    pub fn now(&self) -> Timestamp {
        self.fixed_now.unwrap_or_else(|| {
            let since = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
        })
    }

    /// A reading of the clock that never goes back, for durations.
    pub fn instant(&self) -> Instant {
        Instant::now()
    }

    /// An id that no entry has: 8 hex digits, more on collision.
    pub fn entry_id(&self, transcript: &Transcript) -> EntryId {
        let mut digits = 8;
        loop {
            let random = Uuid::now_v7().simple().to_string();
            // The end of a version 7 UUID is random; its beginning is the time.
            let id: String = random.chars().skip(random.len() - digits).collect();
            let id = EntryId::new(id);
            if transcript.get(&id).is_none() {
                return id;
            }
            digits = (digits + 1).min(20);
        }
    }

    /// An id for a new session, ordered by time.
    pub fn session_id(&self) -> String {
        Uuid::now_v7().to_string()
    }

    /// A number for spreading retries.
    pub fn seed(&self) -> u64 {
        Uuid::now_v7().as_u64_pair().1
    }
}
