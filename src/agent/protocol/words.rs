//! Events in words, the same for all who have no other way to show them: what is said on
//! stderr, line by line, and in the `text` of a stream of JSON.

use super::{
    AgentEvent, AnswerEvent, CompactionEvent, ContextEvent, Notice, SessionEvent, UndoPlan,
};
use crate::context::rules::RulePlace;
use crate::transcript::grouped;

impl AgentEvent {
    /// The event as a notice; `None` for one that is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        match self {
            Self::Stream(event) => event.in_words(),
            // Questions have screens of their own, and the end of a turn says its error.
            Self::Turn(_) | Self::Reply { .. } => None,
            Self::Context(event) => event.in_words(),
            Self::Compaction(event) => event.in_words(),
            Self::Session(event) => event.in_words(),
            Self::Notice(notice) => Some(notice.clone()),
        }
    }
}

impl AnswerEvent {
    /// The event as a notice; `None` for one that is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        match self {
            Self::Retrying {
                attempt,
                max_attempts,
                after,
                reason,
            } => Some(Notice::warning(format!(
                "{reason}; trying again in {:.1} s (attempt {attempt} of {max_attempts})",
                after.as_secs_f64()
            ))),
            Self::RequestStarted { .. }
            | Self::Delta(_)
            | Self::ToolStarted { .. }
            | Self::ToolOutput { .. }
            | Self::ToolFinished { .. }
            | Self::Usage { .. } => None,
        }
    }
}

impl ContextEvent {
    /// The event as a notice; `None` for one that is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        match self {
            Self::UndoPlanned(plan) => Some(undo_question(plan)),
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
                Some(Notice::warning(format!(
                    "the provider refused the request as too long{sizes}; making room, attempt \
                     {attempt}"
                )))
            }
            Self::Replayed { stripped, .. } => {
                let without = if *stripped {
                    " without attachments"
                } else {
                    ""
                };
                Some(Notice::info(format!(
                    "your message was sent again{without}"
                )))
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
                Some(Notice::info(if *dry_run {
                    format!("a prune now would free: {what}")
                } else {
                    format!("pruned: {what} freed")
                }))
            }
            Self::Guarded { truncated, cleared } => Some(Notice::warning(format!(
                "cut to fit: {truncated} shortened, {cleared} cleared"
            ))),
            Self::RuleChanged { what, rule, .. } => {
                let place = match rule.standing.place {
                    RulePlace::NotActive => String::new(),
                    RulePlace::InWindow | RulePlace::InBlock | RulePlace::NotFitting => {
                        format!(" · {}", rule.place_words())
                    }
                };
                let head = rule.head();
                Some(Notice::info(format!(
                    "{what}: {head}{place} · /undo takes it back"
                )))
            }
            Self::View(_) | Self::OverrideApplied { .. } | Self::ActUndone { .. } => None,
        }
    }
}

fn undo_question(plan: &UndoPlan) -> Notice {
    let command = plan.way.name();
    Notice::warning(plan.words()).with_hint(format!("/{command} --yes does it"))
}

impl CompactionEvent {
    /// The event as a notice; `None` for one that is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        match self {
            Self::Started {
                tokens_before,
                summarized,
                ..
            } => Some(Notice::info(format!(
                "compacting {} tokens: {} messages are summarised",
                grouped(*tokens_before),
                grouped(*summarized)
            ))),
            Self::Applied { compaction, .. } => Some(Notice::info(format!(
                "compacted {} → {} tokens",
                grouped(compaction.tokens_before),
                grouped(compaction.details.tokens_after)
            ))),
            Self::Cancelled { reason } => Some(Notice::info(format!("not compacted: {reason}"))),
            // Else the end of the turn says it.
            Self::Failed {
                ends_turn, message, ..
            } => (!ends_turn).then(|| Notice::error(message)),
            Self::Undone { tokens_after, .. } => Some(Notice::info(format!(
                "compaction undone: {} tokens in the window",
                grouped(*tokens_after)
            ))),
            Self::Progress { .. }
            | Self::Delta(_)
            | Self::Audited(_)
            | Self::Review(_)
            | Self::Sources(_)
            | Self::Planned(_) => None,
        }
    }
}

impl SessionEvent {
    /// The event as a notice; `None` for one that is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        match self {
            Self::ModelSwitched { model, reason } => Some(Notice::info(format!(
                "{model} answers from here on: {reason}"
            ))),
            Self::PlanMode(true) => Some(Notice::info(
                "plan mode: nothing is changed until it is over",
            )),
            Self::PlanMode(false) => Some(Notice::info(
                "plan mode is over: changes are possible again",
            )),
            Self::Opened(_)
            | Self::Entry(_)
            | Self::BranchMoved(_)
            | Self::ModelsListed(_)
            | Self::Ended(_) => None,
        }
    }
}
