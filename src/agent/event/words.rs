//! Events in words, the same for all who have no other way to show them: what is said on
//! stderr, line by line, and in the `text` of a stream of JSON.

use super::{AgentEvent, Notice};
use crate::transcript::grouped;

impl AgentEvent {
    /// What happened, as a sentence; `None` for what is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        Some(match self {
            Self::Notice(notice) => notice.clone(),
            Self::Retrying {
                attempt,
                max_attempts,
                after,
                reason,
            } => Notice::warning(format!(
                "{reason}; trying again in {:.1} s (attempt {attempt} of {max_attempts})",
                after.as_secs_f64()
            )),
            Self::ModelSwitched { model, reason } => {
                Notice::info(format!("{model} answers from here on: {reason}"))
            }
            Self::PlanMode(true) => Notice::info("plan mode: nothing is changed until it is over"),
            Self::PlanMode(false) => Notice::info("plan mode is over: changes are possible again"),
            Self::UndoPlanned(plan) => {
                let command = plan.way.name();
                Notice::warning(plan.words()).with_hint(format!("/{command} --yes does it"))
            }
            other => return other.making_room(),
        })
    }

    fn making_room(&self) -> Option<Notice> {
        Some(match self {
            Self::Overflow {
                requested_tokens,
                limit_tokens,
                attempt,
            } => {
                let sizes = match (requested_tokens, limit_tokens) {
                    (Some(requested), Some(limit)) => {
                        format!(" ({} of {} tokens)", grouped(*requested), grouped(*limit))
                    }
                    _ => String::new(),
                };
                Notice::warning(format!(
                    "the provider refused the request as too long{sizes}; making room, attempt \
                     {attempt}"
                ))
            }
            Self::Replayed { stripped, .. } => {
                let without = if *stripped {
                    " without attachments"
                } else {
                    ""
                };
                Notice::info(format!("your message was sent again{without}"))
            }
            Self::Pruned {
                trimmed,
                cleared,
                tokens_saved,
                dry_run,
                ..
            } => {
                let what = format!(
                    "{trimmed} trimmed, {cleared} cleared, {} tokens",
                    grouped(*tokens_saved)
                );
                Notice::info(if *dry_run {
                    format!("a prune now would free: {what}")
                } else {
                    format!("pruned: {what} freed")
                })
            }
            Self::Guarded { truncated, cleared } => Notice::warning(format!(
                "cut to fit: {truncated} shortened, {cleared} cleared"
            )),
            other => return other.compacting(),
        })
    }

    fn compacting(&self) -> Option<Notice> {
        Some(match self {
            Self::CompactionStarted {
                tokens_before,
                summarized,
                ..
            } => Notice::info(format!(
                "compacting {} tokens: {} messages are summarised",
                grouped(*tokens_before),
                grouped(*summarized)
            )),
            Self::CompactionApplied { compaction, .. } => Notice::info(format!(
                "compacted {} → {} tokens",
                grouped(compaction.tokens_before),
                grouped(compaction.details.tokens_after)
            )),
            Self::CompactionCancelled { reason } => {
                Notice::info(format!("not compacted: {reason}"))
            }
            // Once is enough.
            Self::CompactionFailed {
                ends_turn: true, ..
            } => return None,
            Self::CompactionFailed { message, .. } => Notice::error(message),
            Self::CompactionUndone { tokens_after, .. } => Notice::info(format!(
                "compaction undone: {} tokens in the window",
                grouped(*tokens_after)
            )),
            _ => return None,
        })
    }
}
