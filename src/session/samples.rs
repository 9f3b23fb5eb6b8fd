//! Token counts of providers, kept per model over all sessions: a small file from which a new
//! session learns how its model counts before the first answer.
//!
//! A convenience, never the truth (that is in the logs): whatever of it cannot be read is
//! left out, and a sample that cannot be written is lost. The file is replaced as a whole.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::log::lock::{LockAttempt, SessionLock};
use crate::disk::{open, private};
use crate::transcript::{ModelRef, Timestamp, UsageSample};

/// Newest samples that are kept of a model.
const MAX_SAMPLES_PER_MODEL: usize = 32;
/// Models that are kept; those that were used longest ago go first.
const MAX_MODELS: usize = 64;
/// A larger file is none of ours.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// How often to ask for the right to write; others hold it for a millisecond.
const MAX_ATTEMPTS: u32 = 64;

/// The file; see the module's description.
#[derive(Clone, Debug)]
pub struct SampleFile {
    path: PathBuf,
}

/// One sample on disk.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct SampleLine {
    /// Milliseconds since 1970.
    time: i64,
    /// The session that it is from: it has the sample in its own log.
    session: String,
    ruler: String,
    estimate_tokens: u64,
    actual_tokens: u64,
}

/// `provider/model` → samples, oldest first.
type SamplesByModel = BTreeMap<String, Vec<SampleLine>>;

#[derive(Deserialize)]
struct SamplesFile {
    /// Read one by one, so that a strange sample does not spoil the others.
    models: BTreeMap<String, Vec<Value>>,
}

#[derive(Serialize)]
struct WrittenFile<'a> {
    models: &'a SamplesByModel,
}

impl SampleFile {
    /// The file at this path, which need not exist.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The samples of a model, oldest first, without those that these sessions added.
    pub fn of_model(&self, model: &ModelRef, without: &[String]) -> Vec<UsageSample> {
        let records = self.read().remove(&model.to_string()).unwrap_or_default();
        records
            .into_iter()
            .filter(|record| !without.contains(&record.session))
            .map(|record| UsageSample {
                provider: model.provider.clone(),
                model: model.model.clone(),
                ruler: record.ruler,
                estimate_tokens: record.estimate_tokens,
                actual_tokens: record.actual_tokens,
                refused: false,
            })
            .collect()
    }

    /// When a model's provider counted something last, by `provider/model`.
    pub fn last_uses(&self) -> BTreeMap<String, Timestamp> {
        let models = self.read().into_iter();
        models
            .filter_map(|(model, records)| Some((model, Timestamp(records.last()?.time))))
            .collect()
    }

    /// Adds a sample to what is there.
    ///
    /// # Errors
    ///
    /// When the folder or the file cannot be written, or another process keeps writing.
    pub fn add(&self, sample: &UsageSample, session: &str, now: Timestamp) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            private::create_folder(folder)?;
        }
        let _lock = self.lock()?;
        let mut models = self.read();
        let name = ModelRef::new(&sample.provider, &sample.model).to_string();
        let samples = models.entry(name).or_default();
        samples.push(SampleLine {
            time: now.0,
            session: session.to_owned(),
            ruler: sample.ruler.clone(),
            estimate_tokens: sample.estimate_tokens,
            actual_tokens: sample.actual_tokens,
        });
        let surplus = samples.len().saturating_sub(MAX_SAMPLES_PER_MODEL);
        samples.drain(..surplus);
        forget_oldest(&mut models);
        let mut bytes = serde_json::to_vec(&WrittenFile { models: &models })?;
        bytes.push(b'\n');
        private::replace(&self.path, &bytes)
    }

    fn lock(&self) -> io::Result<SessionLock> {
        for _ in 0..MAX_ATTEMPTS {
            match SessionLock::acquire(&self.path)? {
                LockAttempt::Held(lock) => return Ok(lock),
                LockAttempt::Busy(_) => std::thread::yield_now(),
            }
        }
        Err(io::Error::from(io::ErrorKind::WouldBlock))
    }

    fn read(&self) -> SamplesByModel {
        let mut text = String::new();
        let is_read = open::following(&self.path)
            .and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text));
        let file = is_read
            .ok()
            .and_then(|_| serde_json::from_str::<SamplesFile>(&text).ok());
        let models = file.map(|file| file.models).unwrap_or_default();
        models
            .into_iter()
            .map(|(model, samples)| {
                let samples = samples.into_iter();
                let sound = samples.filter_map(|sample| serde_json::from_value(sample).ok());
                (model, sound.collect())
            })
            .collect()
    }
}

fn forget_oldest(models: &mut SamplesByModel) {
    while models.len() > MAX_MODELS {
        let oldest = models
            .iter()
            .min_by_key(|(_, samples)| samples.last().map(|sample| sample.time))
            .map(|(name, _)| name.clone());
        match oldest {
            Some(name) => models.remove(&name),
            None => return,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(model: &str, estimate_tokens: u64) -> UsageSample {
        UsageSample {
            provider: "p".into(),
            model: model.into(),
            ruler: "o200k_base".into(),
            estimate_tokens,
            actual_tokens: estimate_tokens * 2,
            refused: false,
        }
    }

    fn estimates(file: &SampleFile, model: &str, session: &str) -> Vec<u64> {
        let samples = file.of_model(&ModelRef::new("p", model), &[session.to_owned()]);
        samples.iter().map(|s| s.estimate_tokens).collect()
    }

    #[test]
    fn another_session_finds_the_newest_samples_of_its_model() {
        let dir = tempfile::tempdir().unwrap();
        let file = SampleFile::new(dir.path().join("new/calibration.json"));
        assert_eq!(estimates(&file, "m", "b"), [0; 0]);
        for n in 1..=40 {
            file.add(&sample("m", n), "a", Timestamp(n as i64)).unwrap();
        }
        file.add(&sample("other", 7), "a", Timestamp(41)).unwrap();
        file.add(&sample("m", 99), "b", Timestamp(42)).unwrap();
        let expected: Vec<u64> = (10..=40).collect();
        assert_eq!(
            estimates(&file, "m", "b"),
            expected,
            "its own are in its log"
        );
        assert_eq!(estimates(&file, "other", "b"), [7]);
        assert_eq!(estimates(&file, "m", "a"), [99]);
        let names: Vec<_> = std::fs::read_dir(dir.path().join("new")).unwrap().collect();
        assert_eq!(names.len(), 1, "no lock and no temporary file stay behind");
    }

    #[test]
    fn damage_costs_only_what_it_hit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("calibration.json");
        let file = SampleFile::new(path.clone());
        file.add(&sample("m", 5), "a", Timestamp(1)).unwrap();
        let sound = std::fs::read_to_string(&path).unwrap();
        let strange = sound.replace("[{", "[{\"time\":\"noon\"},17,{");
        std::fs::write(&path, strange).unwrap();
        assert_eq!(estimates(&file, "m", "b"), [5]);
        for broken in ["", "{", "[]", "\u{0}\u{1}", "{\"models\":3}"] {
            std::fs::write(&path, broken).unwrap();
            assert_eq!(estimates(&file, "m", "b"), [0; 0], "{broken:?}");
            file.add(&sample("m", 6), "a", Timestamp(1)).unwrap();
            assert_eq!(estimates(&file, "m", "b"), [6], "{broken:?}");
        }
    }

    #[test]
    fn models_that_nobody_uses_are_forgotten_oldest_first() {
        let dir = tempfile::tempdir().unwrap();
        let file = SampleFile::new(dir.path().join("calibration.json"));
        for n in 0..=MAX_MODELS {
            file.add(&sample(&format!("m{n}"), 1), "a", Timestamp(n as i64))
                .unwrap();
        }
        assert_eq!(estimates(&file, "m0", "b"), [0; 0]);
        assert_eq!(estimates(&file, "m1", "b"), [1]);
    }

    #[test]
    fn writers_at_the_same_time_never_break_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("calibration.json");
        std::thread::scope(|scope| {
            for writer in 0..4u64 {
                let file = SampleFile::new(path.clone());
                scope.spawn(move || {
                    let model = format!("m{writer}");
                    for n in 1..=20 {
                        while file.add(&sample(&model, n), "a", Timestamp(1)).is_err() {}
                    }
                });
            }
        });
        let file = SampleFile::new(path);
        let all: Vec<u64> = (1..=20).collect();
        for writer in 0..4 {
            assert_eq!(estimates(&file, &format!("m{writer}"), "b"), all);
        }
    }
}
