//! Time and chance. No other file of the program asks the operating system for them: it
//! takes a [`Clock`], or a reading that this module made.
//!
//! [`Stopwatch`] and [`deadline`] follow tokio's clock, so that tests can pause it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use crate::transcript::{EntryId, Timestamp, Transcript};

/// Wall clock, ids and random numbers. With a fixed time, everything that depends on the
/// wall clock is reproducible; a fake one also counts its ids.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    fixed_now: Option<Timestamp>,
    fake_seed: Option<u64>,
}

impl Clock {
    /// The system's clock, or with `fixed_now` one that always reads the given time (`--now`).
    /// Ids and seeds are random with both.
    pub fn new(fixed_now: Option<Timestamp>) -> Self {
        Self {
            fixed_now,
            fake_seed: None,
        }
    }

    /// A clock for tests, which always reads `now`. Entry ids are counted, and the session id
    /// and the seed follow from `seed`: two runs write the same log.
    pub fn fake(now: Timestamp, seed: u64) -> Self {
        Self {
            fixed_now: Some(now),
            fake_seed: Some(seed),
        }
    }

    /// The wall clock's reading.
    pub fn now(&self) -> Timestamp {
        self.fixed_now.unwrap_or_else(|| {
            let since = system_time().duration_since(UNIX_EPOCH).unwrap_or_default();
            Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
        })
    }

    /// An id that no entry of the transcript has: 8 hex digits, more on collision.
    pub fn entry_id(&self, transcript: &Transcript) -> EntryId {
        if self.fake_seed.is_some() {
            return counted_id(transcript);
        }
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
        let id = self
            .fake_seed
            .map_or_else(Uuid::now_v7, |seed| Uuid::from_u64_pair(0, seed));
        id.to_string()
    }

    /// A random number that spreads retries.
    pub fn seed(&self) -> u64 {
        self.fake_seed
            .unwrap_or_else(|| Uuid::now_v7().as_u64_pair().1)
    }
}

/// The first id from the number of entries on that is free.
fn counted_id(transcript: &Transcript) -> EntryId {
    let mut number = transcript.entries().len();
    loop {
        let id = EntryId::new(format!("{number:08x}"));
        if transcript.get(&id).is_none() {
            return id;
        }
        number += 1;
    }
}

/// The system's time, which file systems stamp files with. May go backwards.
pub fn system_time() -> SystemTime {
    SystemTime::now()
}

/// A reading of the monotonic clock. It runs on where tests pause tokio's.
pub fn instant() -> Instant {
    Instant::now()
}

/// The moment `limit` from now on tokio's clock, for `sleep_until`.
pub fn deadline(limit: Duration) -> tokio::time::Instant {
    tokio::time::Instant::now() + limit
}

/// Measures a duration on tokio's clock. Needs no runtime.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    began: tokio::time::Instant,
}

impl Stopwatch {
    /// Begins to measure.
    pub fn start() -> Self {
        Self {
            began: tokio::time::Instant::now(),
        }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::testing::entry;
    use crate::transcript::{EntryBody, Message};

    const NOW: Timestamp = Timestamp(1_795_222_163_267);

    #[test]
    fn a_fixed_clock_reads_one_time_and_gives_different_ids() {
        let clock = Clock::new(Some(NOW));
        assert_eq!((clock.now(), clock.now()), (NOW, NOW));
        assert_ne!(clock.session_id(), clock.session_id());
        let transcript = Transcript::default();
        assert_ne!(clock.entry_id(&transcript), clock.entry_id(&transcript));
    }

    #[test]
    fn a_fake_clock_repeats_itself_and_never_gives_an_id_twice() {
        let ids = || {
            let (clock, mut transcript) = (Clock::fake(NOW, 7), Transcript::default());
            let mut said = vec![clock.session_id(), clock.seed().to_string()];
            for _ in 0..3 {
                let id = clock.entry_id(&transcript);
                said.push(id.to_string());
                let said = EntryBody::Message(Arc::new(Message::user_text("Hello")));
                transcript.push(Arc::new(entry(id.as_str(), said))).unwrap();
            }
            said
        };
        assert_eq!(ids(), ids());
        let mut different = ids();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn stopwatch_and_deadline_follow_the_paused_clock() {
        let watch = Stopwatch::start();
        let minute = Duration::from_mins(1);
        tokio::time::sleep_until(deadline(minute)).await;
        assert_eq!(watch.elapsed(), minute);
    }
}
