//! The user's decisions about single parts of the context: pin, restore, drop, prune now; and
//! about standing rules. Each is one more entry; nothing is edited.

mod rules;
pub(in crate::agent) mod undo;

use std::collections::{BTreeMap, BTreeSet};

use crate::agent::actor::Actor;
use crate::agent::compaction::material::tokens_change;
use crate::agent::protocol::{ContextEvent, ContextOp, Notice, Op, QueryId, QueryReply};
use crate::context::{ContextView, Disposition, ShrinkMode, ViewItem};
use crate::session::Durability;
use crate::transcript::{Decision, EntryBody, EntryId, EntryOverride, grouped};

/// Pins may take this share of what is usable: more, and compaction could not help.
const MAX_PINNED_SHARE: f64 = 0.5;

fn done_name(decision: EntryOverride) -> &'static str {
    match decision {
        EntryOverride::Pin => "pinned",
        EntryOverride::Restore => "restored",
        EntryOverride::Drop => "dropped",
    }
}

/// Carries out a person's decisions on the context.
pub(in crate::agent) struct ContextActs<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> ContextActs<'a> {
    pub(super) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl ContextActs<'_> {
    /// Pins, restores or drops the group of an entry, when that may be done.
    pub(super) async fn decide(&mut self, decision: EntryOverride, target: EntryId) {
        if self
            .agent
            .thread
            .conversation
            .transcript()
            .get(&target)
            .is_none()
        {
            let notice = Notice::error(format!("no entry {target} in this session"));
            self.agent
                .events
                .notice(notice.with_hint("Enter on a row of /context shows its id"))
                .await;
            return;
        }
        let what = done_name(decision);
        let body = EntryBody::Decision(decision.decision(target.clone()));
        let before = self.agent.thread.current_view();
        if self.takes_effect(decision, &target, &before).is_ok() {
            let text = format!("{target} is already {what}; nothing was changed");
            self.agent.events.notice(Notice::info(text)).await;
            return;
        }
        let after = self.agent.thread.preview(body.clone());
        let allowed = match decision {
            EntryOverride::Pin | EntryOverride::Restore => may_hold(&after),
            EntryOverride::Drop => may_drop(&before, &target),
        };
        if let Err(notice) = allowed.and_then(|()| self.takes_effect(decision, &target, &after)) {
            self.agent.events.notice(notice).await;
            return;
        }
        self.agent.thread.append(body, Durability::Flush).await;
        self.say_override(what, target, &before).await;
    }

    /// Whether a view with the decision keeps what the decision promises; else why not. What
    /// is promised is read from the view, so no kind of entry can be forgotten.
    fn takes_effect(
        &self,
        decision: EntryOverride,
        target: &EntryId,
        after: &ContextView,
    ) -> Result<(), Notice> {
        let item = after
            .items
            .iter()
            .find(|item| item.entry.as_ref() == Some(target));
        let left = after.left_out.iter().find(|left| left.entry == *target);
        let is_kept = match (decision, item, left) {
            (EntryOverride::Pin, Some(item), _) => item.is_pinned(),
            (EntryOverride::Restore, Some(item), _) => {
                (item.is_restored() || item.is_pinned()) && item.disposition == Disposition::Sent
            }
            (EntryOverride::Drop, Some(item), _) => item.disposition == Disposition::Dropped,
            (EntryOverride::Drop, None, Some(left)) => left.disposition == Disposition::Dropped,
            _ => false,
        };
        if is_kept {
            return Ok(());
        }
        if item.is_some_and(|item| item.is_compaction()) {
            return Err(
                Notice::error("not possible: the active summary is always sent as it is")
                    .with_hint("/uncompact undoes the compaction"),
            );
        }
        let reason = item.map_or_else(
            || left.map(|left| left.reason.clone()),
            |item| item.reason.clone(),
        );
        let on_branch = |id: &EntryId| {
            let branch = self.agent.thread.conversation.transcript().branch();
            branch.iter().any(|entry| entry.id == *id)
        };
        let why = match reason {
            Some(reason) => reason,
            None if !on_branch(target) => {
                let notice = Notice::error(format!("not possible: {target} is on another branch"));
                return Err(notice.with_hint("switch to that branch with /tree"));
            }
            None => "it is not a message, so it is never sent to a model".to_owned(),
        };
        let verb = match decision {
            EntryOverride::Pin => "pinned",
            EntryOverride::Restore => "restored",
            EntryOverride::Drop => "dropped",
        };
        let notice = Notice::error(format!("not possible: {target} cannot be {verb}: {why}"));
        Err(notice.with_hint(
            "/context shows the messages that are sent, /pruned those that are \
            not",
        ))
    }

    /// Says what a decision did to the view, and to what besides its target: both sizes by
    /// estimate, since what a provider counted before says nothing of what follows.
    async fn say_override(&mut self, what: &'static str, target: EntryId, before: &ContextView) {
        let after = self.agent.thread.current_view();
        self.agent
            .events
            .emit(ContextEvent::OverrideApplied {
                what,
                others: others_changed(before, &after, &target),
                target,
                tokens_change: tokens_change(before, &after),
            })
            .await;
        self.agent.thread.publish_view().await;
    }

    /// Previews the view after a decision, by the steps that would follow it.
    pub(super) async fn foresee(&mut self, to: Option<QueryId>, op: Op) {
        let decision = match &op {
            Op::Context(ContextOp::Pin(target)) => EntryOverride::Pin.decision(target.clone()),
            Op::Context(ContextOp::Restore(target)) => {
                EntryOverride::Restore.decision(target.clone())
            }
            Op::Context(ContextOp::Drop(target)) => EntryOverride::Drop.decision(target.clone()),
            Op::Context(ContextOp::Undo(undo)) => {
                if let Some((what, tokens_after)) = self.foresee_undo(undo).await {
                    let reply = QueryReply::Foreseen {
                        op,
                        undoes: Some(what),
                        tokens_after,
                    };
                    self.agent.events.reply(to, reply).await;
                }
                return;
            }
            Op::Context(
                ContextOp::Compact(_)
                | ContextOp::Review(_)
                | ContextOp::Uncompact
                | ContextOp::Rule(_)
                | ContextOp::Prune { .. },
            )
            | Op::Turn(_)
            | Op::Session(_)
            | Op::Setting(_)
            | Op::Query { .. } => return,
        };
        let body = EntryBody::Decision(decision);
        let view = self.agent.thread.preview(body);
        let reply = QueryReply::Foreseen {
            op,
            undoes: None,
            tokens_after: view.usage.tokens,
        };
        self.agent.events.reply(to, reply).await;
    }

    /// Says before a compaction is undone that the whole conversation is beyond the load
    /// line, and what follows from it.
    pub(super) async fn warn_before_undo(&mut self, target: &EntryId) {
        let undo = Decision::Undo {
            target: target.clone(),
        };
        let body = EntryBody::Decision(undo);
        let view = self.agent.thread.preview(body);
        if !view.compaction.due {
            return;
        }
        let notice = Notice::warning(format!(
            "without the summary the context has {} tokens, above the load line of {}",
            grouped(view.usage.tokens),
            grouped(view.window.load_line_effective)
        ));
        let hint = "your next message starts a compaction; to avoid it, prune, drop messages or \
            choose a model with a larger window";
        self.agent.events.notice(notice.with_hint(hint)).await;
    }

    /// Applies the prune policy now, whatever the gate says; or says what it would do.
    pub(super) async fn prune(&mut self, dry_run: bool) {
        let pressure = ShrinkMode {
            prune_now: true,
            by_person: true,
            ..ShrinkMode::default()
        };
        if !dry_run {
            let before = self.agent.thread.conversation.transcript().len();
            self.agent.thread.settle(pressure).await;
            if self.agent.thread.conversation.transcript().len() == before {
                self.nothing_to_prune().await;
            }
            return;
        }
        let evaluation = self.agent.thread.evaluate(pressure);
        let cuts: Vec<_> = evaluation
            .decisions
            .iter()
            .filter_map(|decision| match decision {
                Decision::Prune { cuts, .. } => Some(cuts),
                _ => None,
            })
            .flatten()
            .collect();
        if cuts.is_empty() {
            self.nothing_to_prune().await;
            return;
        }
        let cleared = cuts
            .iter()
            .filter(|cut| matches!(cut.form, crate::transcript::CutForm::Clear { .. }))
            .count() as u64;
        self.agent
            .events
            .emit(ContextEvent::Pruned {
                trimmed: cuts.len() as u64 - cleared,
                cleared,
                tokens_saved: cuts
                    .iter()
                    .map(|cut| cut.tokens_before.saturating_sub(cut.tokens_after))
                    .sum(),
                cache_given_up_tokens: evaluation.view.prune.cache_given_up,
                reasoning_lost: evaluation.view.prune.reasoning_lost,
                dry_run: true,
                by_person: true,
            })
            .await;
    }

    async fn nothing_to_prune(&mut self) {
        let context = self.agent.thread.conversation.context();
        let view = self.agent.thread.current_view();
        let share = view
            .window
            .tokens
            .map(|window| view.usage.tokens as f64 / window.max(1) as f64 * 100.0);
        let text = match share {
            None => "nothing to prune: the window is unknown".to_owned(),
            Some(share) => format!("nothing to prune: the context takes {share:.0}% of the window"),
        };
        let hint = format!(
            "large results are trimmed from {:.0}%, old ones cleared from {:.0}%; the newest {} \
             answers are never pruned",
            context.prune.soft.ratio * 100.0,
            context.prune.hard.ratio * 100.0,
            context.prune.keep_last_assistants
        );
        self.agent
            .events
            .notice(Notice::info(text).with_hint(hint))
            .await;
    }
}

/// Entries besides `target` that are sent in another form than before, or only in one of the
/// two views.
fn others_changed(before: &ContextView, after: &ContextView, target: &EntryId) -> usize {
    let forms = |view: &ContextView| -> BTreeMap<EntryId, Disposition> {
        let items = view.items.iter();
        items
            .filter_map(|item| Some((item.entry.clone()?, item.disposition)))
            .collect()
    };
    let (before, after) = (forms(before), forms(after));
    let entries: BTreeSet<&EntryId> = before.keys().chain(after.keys()).collect();
    let others = entries.into_iter().filter(|entry| *entry != target);
    others
        .filter(|entry| before.get(*entry) != after.get(*entry))
        .count()
}

/// Whether a view may be: pins and restores hold whole groups, so what they would take
/// is read from the view that they would make.
fn may_hold(view: &ContextView) -> Result<(), Notice> {
    let held: u64 = view
        .items
        .iter()
        .filter(|item| item.is_pinned() || item.is_restored())
        .map(|item| item.tokens)
        .sum();
    let limit = (view.window.usable as f64 * MAX_PINNED_SHARE) as u64;
    if view.window.tokens.is_some() && held > limit {
        return Err(Notice::error(format!(
            "not possible: pinned and restored items would take {held} tokens; the limit is \
             {limit} (half of the usable window)"
        ))
        .with_hint("undo a pin with /undo, or drop a message with /drop"));
    }
    Ok(())
}

fn may_drop(view: &ContextView, target: &EntryId) -> Result<(), Notice> {
    let is_sent_ask = |item: &&std::sync::Arc<ViewItem>| {
        item.is_ask() && item.disposition != Disposition::Dropped
    };
    let newest = view.items.iter().rev().find(is_sent_ask);
    if newest.is_some_and(|item| item.entry.as_ref() == Some(target)) {
        return Err(
            Notice::error("not possible: your newest message is always sent")
                .with_hint("send another message first, or start a new session with /new"),
        );
    }
    Ok(())
}
