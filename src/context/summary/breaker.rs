//! When a model is not asked for summaries any more: after two in a row that failed or were of
//! no use. Reads the log alone, so that it holds across messages and restarts.

use crate::transcript::{Compaction, EntryBody, Measurement, SummariserKey, Transcript};

/// Failures in a row after which a model is not asked again by itself.
pub const MAX_FAILURES: u64 = 2;

/// How often this model, with these settings, failed in a row: since the last summary that
/// a model wrote, or since it last wrote a usable one.
pub fn failures_of(transcript: &Transcript, key: &SummariserKey) -> u64 {
    let mut failures: u64 = 0;
    for entry in transcript.entries().iter().rev() {
        match &entry.body {
            EntryBody::Compaction(compaction) if is_by_model(compaction) => break,
            EntryBody::Measurement(Measurement::SummaryAttempt(attempt)) if attempt.by == *key => {
                if attempt.failures == 0 {
                    break;
                }
                failures = failures.saturating_add(attempt.failures);
            }
            _ => {}
        }
    }
    failures
}

/// Whether a model wrote a summary that was taken for what it is.
fn is_by_model(compaction: &Compaction) -> bool {
    let details = &compaction.details;
    !details.degraded && !compaction.from_hook && details.model.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::branch;
    use crate::transcript::{CompactionDetails, SummaryAttempt};

    fn key(model: &str, settings: &str) -> SummariserKey {
        SummariserKey {
            provider: "p".to_owned(),
            model: model.to_owned(),
            settings: settings.to_owned(),
        }
    }

    fn attempt(by: SummariserKey, failures: u64) -> EntryBody {
        let attempt = SummaryAttempt { by, failures };
        EntryBody::Measurement(Measurement::SummaryAttempt(attempt))
    }

    fn compaction(model: &str, degraded: bool) -> EntryBody {
        EntryBody::Compaction(Box::new(Compaction {
            details: CompactionDetails {
                model: model.to_owned(),
                degraded,
                ..CompactionDetails::default()
            },
            ..Compaction::default()
        }))
    }

    fn failures(bodies: Vec<EntryBody>) -> u64 {
        failures_of(&branch(bodies), &key("m", "s"))
    }

    #[test]
    fn failures_of_one_model_with_the_same_settings_add_up() {
        let failed = || attempt(key("m", "s"), 1);
        assert_eq!(failures(vec![]), 0);
        assert_eq!(failures(vec![failed(), failed()]), 2);
        let others = vec![
            failed(),
            attempt(key("other", "s"), 1),
            attempt(key("m", "changed"), 2),
            compaction("extractive", true),
            compaction("p/m", true),
            failed(),
        ];
        assert_eq!(failures(others), 2);
    }

    #[test]
    fn a_summary_that_succeeded_ends_the_count() {
        let failed = || attempt(key("m", "s"), 2);
        for success in [
            attempt(key("m", "s"), 0),
            compaction("p/m", false),
            compaction("q/other", false),
        ] {
            assert_eq!(failures(vec![failed(), success.clone()]), 0);
            assert_eq!(
                failures(vec![failed(), success, attempt(key("m", "s"), 1)]),
                1
            );
        }
    }
}
