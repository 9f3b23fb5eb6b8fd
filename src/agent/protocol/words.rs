//! Events in words, the same for all who have no other way to show them: what is said on
//! stderr, line by line, and in the `text` of a stream of JSON.

use super::{
    AgentEvent, AnswerEvent, ChildEvent, ChildInfo, ChildState, CompactionEvent, ContextEvent,
    Notice, RuleListing, SessionEvent, UndoPlan,
};
use crate::context::rules::RulePlace;
use crate::transcript::{Compaction, grouped, lost_reasoning_words};

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
            Self::Child(event) => event.in_words(),
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

impl ChildEvent {
    /// The event as a notice; `None` for one that is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        match self {
            Self::Started(info) => Some(Notice::info(format!("{} has started", info.label()))),
            Self::Ended(info) => {
                let text = info.ended_words();
                Some(match info.state {
                    ChildState::Failed | ChildState::Interrupted => Notice::warning(text),
                    _ => Notice::info(text),
                })
            }
            Self::Listed(_) => None,
        }
    }
}

impl ChildInfo {
    /// How it ended and what that took, for people.
    pub fn ended_words(&self) -> String {
        let cost = self.usage.cost_usd;
        let cost = cost.map_or_else(String::new, |usd| format!(", ${usd:.4}"));
        let requests = match self.requests {
            1 => "1 request".to_owned(),
            n => format!("{} requests", grouped(n)),
        };
        let why = match self.state {
            ChildState::Failed if !self.doing.is_empty() => format!(": {}", self.doing),
            _ => String::new(),
        };
        format!(
            "{} {}: {requests}, {} tokens{cost}{why}",
            self.label(),
            self.state.name(),
            grouped(self.tokens_used())
        )
    }
}

/// Why space is freed: a request that was refused, or known to be too long.
fn too_long(is_foreseen: bool, requested: Option<u64>, limit: Option<u64>) -> String {
    let sizes = requested.zip(limit);
    let sizes = sizes.map_or_else(String::new, |(requested, limit)| {
        format!(" ({} of {} tokens)", grouped(requested), grouped(limit))
    });
    if is_foreseen {
        format!("the request would be too long{sizes} and was not sent")
    } else {
        format!("the provider refused the request as too long{sizes}")
    }
}

impl ContextEvent {
    /// The event as a notice; `None` for one that is shown otherwise or not at all.
    pub fn in_words(&self) -> Option<Notice> {
        match self {
            Self::UndoPlanned(plan) => Some(undo_question(plan)),
            Self::Overflow {
                is_foreseen,
                requested_tokens,
                limit_tokens,
                attempt,
            } => {
                let what = too_long(*is_foreseen, *requested_tokens, *limit_tokens);
                let text = format!("{what}; freeing space, attempt {attempt}");
                Some(Notice::warning(text))
            }
            Self::Replayed {
                is_foreseen,
                stripped,
                ..
            } => {
                let without = if *stripped {
                    " without attachments"
                } else {
                    ""
                };
                let was = if *is_foreseen {
                    "is sent now"
                } else {
                    "was resent"
                };
                Some(Notice::info(format!("your message {was}{without}")))
            }
            Self::Pruned {
                trimmed,
                cleared,
                tokens_saved,
                reasoning_lost,
                dry_run,
                ..
            } => {
                let what = format!(
                    "{trimmed} trimmed, {cleared} cleared, {} tokens",
                    grouped(*tokens_saved)
                );
                let lost = lost_reasoning_words(*reasoning_lost);
                Some(Notice::info(if *dry_run {
                    format!("a prune now would free: {what}{lost}")
                } else {
                    format!("pruned: {what} freed{lost}")
                }))
            }
            Self::Guarded { truncated, cleared } => Some(Notice::warning(format!(
                "tool results cut to fit: {truncated} trimmed, {cleared} cleared"
            ))),
            Self::RuleChanged { what, rule, .. } => Some(rule_changed(what, rule)),
            Self::View(_) | Self::OverrideApplied { .. } | Self::ActUndone { .. } => None,
        }
    }
}

fn rule_changed(what: &str, rule: &RuleListing) -> Notice {
    let place = match rule.standing.place {
        RulePlace::NotActive => String::new(),
        RulePlace::InWindow | RulePlace::InBlock | RulePlace::NotFitting => {
            format!(" · {}", rule.place_words())
        }
    };
    let head = rule.head();
    Notice::info(format!("{what}: {head}{place} · undo with /undo"))
}

fn undo_question(plan: &UndoPlan) -> Notice {
    let command = plan.way.name();
    Notice::warning(plan.words()).with_hint(format!("confirm with /{command} --yes"))
}

/// The sizes, who wrote the summary unless it was a model, what the audit found.
fn applied(compaction: &Compaction) -> String {
    let details = &compaction.details;
    let sizes = format!(
        "compacted {} → {} tokens",
        grouped(compaction.tokens_before),
        grouped(details.tokens_after)
    );
    let parts = [
        Some(sizes),
        details.author_label(),
        Some(details.check.in_words()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
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
                "compacting {} tokens: summarising {} messages",
                grouped(*tokens_before),
                grouped(*summarized)
            ))),
            Self::Applied { compaction, .. } => Some(Notice::info(applied(compaction))),
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
            Self::ModelSwitched { model, reason } => {
                Some(Notice::info(format!("switched to {model}: {reason}")))
            }
            Self::PlanMode(true) => Some(Notice::info(
                "plan mode on: the model reads and plans; edits and commands are refused",
            )),
            Self::PlanMode(false) => Some(Notice::info(
                "plan mode off: the model may change files again",
            )),
            Self::Opened(_)
            | Self::Entry(_)
            | Self::Saved(_)
            | Self::BranchMoved(_)
            | Self::Reasoning(_)
            | Self::Approvals(_)
            | Self::ServersOffer(_)
            | Self::ModelsListed(_)
            | Self::Engine(_)
            | Self::Ended(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{AuditRecord, CompactionDetails, EntryId, SummaryCheck};

    #[test]
    fn a_compaction_that_no_model_wrote_says_so() {
        let words = |model: &str, degraded, audit| {
            let compaction = Compaction {
                tokens_before: 24_020,
                details: CompactionDetails {
                    tokens_after: 6_614,
                    model: model.to_owned(),
                    degraded,
                    check: SummaryCheck {
                        audit,
                        ..SummaryCheck::default()
                    },
                    ..CompactionDetails::default()
                },
                ..Compaction::default()
            };
            let event = CompactionEvent::Applied {
                entry: EntryId::new("c"),
                compaction: Box::new(compaction),
            };
            event.in_words().unwrap().text
        };
        assert_eq!(
            words("extractive", true, None),
            "compacted 24,020 → 6,614 tokens · written without a model: it gave no \
             usable text · not audited"
        );
        let audit = AuditRecord {
            secrets: 1,
            ..AuditRecord::default()
        };
        assert_eq!(
            words("p/m", false, Some(audit)),
            "compacted 24,020 → 6,614 tokens · identifiers none · ask not checked · secrets 1"
        );
    }
}
