//! What the outcome of a summary says of the model that was asked for it.

use crate::agent::compaction::run_summary::{SummaryOutcome, TIMEOUT};
use crate::engine::summary::MAX_FAILURES;
use crate::transcript::Trigger;

/// The cause of a failure that is the summariser's.
pub(in crate::agent) const SUMMARISER_FAILED: &str = "summariser_failed";

/// A summary that was asked for, as the record of attempts takes it.
#[derive(Clone, Copy)]
pub(in crate::agent) struct AttemptOutcome {
    /// Whether a summary came of it that counts as the model's.
    pub is_usable: bool,
    /// Answers that the last request got.
    pub answers: u64,
}

impl AttemptOutcome {
    /// What an outcome says of the model; `None` when it says nothing: nobody asked it, the
    /// limit on costs forbade that, or a person takes what there is.
    pub(crate) fn of(outcome: &SummaryOutcome, answers: u64, trigger: Trigger) -> Option<Self> {
        let is_usable = match outcome {
            Ok(result) if result.degraded && trigger == Trigger::Manual => return None,
            Ok(result) => !result.degraded,
            Err((cause, _)) if [SUMMARISER_FAILED, TIMEOUT].contains(cause) => false,
            Err(_) => return None,
        };
        Some(Self { is_usable, answers })
    }

    pub(super) fn failures(self) -> u64 {
        if self.is_usable {
            0
        } else {
            self.answers.clamp(1, MAX_FAILURES)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::summary::SummaryResult;

    fn failures(outcome: &SummaryOutcome, answers: u64, trigger: Trigger) -> Option<u64> {
        AttemptOutcome::of(outcome, answers, trigger).map(AttemptOutcome::failures)
    }

    #[test]
    fn a_summary_that_was_answered_twice_in_vain_is_two_failures() {
        let threshold = Trigger::Threshold;
        let failed = || Err((SUMMARISER_FAILED, String::new()));
        for (answers, expected) in [(0, 1), (1, 1), (2, 2), (9, 2)] {
            assert_eq!(failures(&failed(), answers, threshold), Some(expected));
        }
        let degraded = || {
            Ok(SummaryResult {
                degraded: true,
                ..SummaryResult::default()
            })
        };
        assert_eq!(failures(&degraded(), 2, threshold), Some(2));
        assert_eq!(failures(&degraded(), 2, Trigger::Manual), None);
        assert_eq!(
            failures(&Ok(SummaryResult::default()), 2, threshold),
            Some(0)
        );
        assert_eq!(
            failures(&Err((TIMEOUT, String::new())), 0, threshold),
            Some(1)
        );
        assert_eq!(
            failures(&Err(("cost_limit", String::new())), 0, threshold),
            None
        );
    }
}
