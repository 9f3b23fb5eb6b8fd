//! What the user decides about single parts of the context: pin, restore, drop, undo,
//! prune now. Each is one more entry; nothing is edited.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::actor::Actor;
use super::compact::estimated_tokens;
use super::event::{AgentEvent, Notice};
use super::op::Op;
use crate::context::{Category, ContextView, Disposition, Pressure};
use crate::session::Durability;
use crate::transcript::{Entry, EntryBody, EntryId, Overlay, grouped};

/// Pins may take this share of what is usable: more, and compaction could not help.
const MAX_PINNED_SHARE: f64 = 0.5;

/// What the user wants done with a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Pin,
    Restore,
    Drop,
}

impl Decision {
    fn record(self, target: EntryId) -> (Overlay, &'static str) {
        match self {
            Self::Pin => (Overlay::Pin { target }, "pinned"),
            Self::Restore => (Overlay::Restore { target }, "restored"),
            Self::Drop => (Overlay::Drop { target }, "dropped"),
        }
    }
}

impl Actor {
    /// Pins, restores or drops the group of an entry, when that may be done.
    pub async fn decide(&mut self, decision: Decision, target: EntryId) {
        if self.conversation.transcript().get(&target).is_none() {
            let notice = Notice::error(format!("there is no entry {target} in this session"));
            self.notice(notice.with_hint("entry ids stand in /context"))
                .await;
            return;
        }
        let (overlay, what) = decision.record(target.clone());
        let body = EntryBody::Overlay(overlay);
        let before = self.current_view();
        let allowed = match decision {
            Decision::Pin | Decision::Restore => {
                may_hold(&self.conversation.preview(&self.around, body.clone()))
            }
            Decision::Drop => may_drop(&before, &target),
        };
        if let Err(notice) = allowed {
            self.notice(notice).await;
            return;
        }
        self.append(body, Durability::Flush).await;
        self.say_override(what, target, &before).await;
    }

    fn current_view(&mut self) -> ContextView {
        self.conversation
            .evaluate(&self.around, Pressure::default())
            .view
    }

    /// Says what a decision did to the view, and to what besides its target: both sizes by
    /// estimate, since what a provider counted before says nothing of what follows.
    async fn say_override(&mut self, what: &'static str, target: EntryId, before: &ContextView) {
        let after = self.current_view();
        let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        self.emit(AgentEvent::OverrideApplied {
            what,
            others: others_changed(before, &after, &target),
            target,
            tokens_change: signed(estimated_tokens(&after)) - signed(estimated_tokens(before)),
        })
        .await;
        self.publish_view().await;
    }

    /// Takes back the newest rewind, pin, restore, drop or prune of this branch.
    pub async fn undo_override(&mut self) {
        let transcript = self.conversation.transcript();
        let newest = newest_undoable(&transcript.branch(), is_override);
        let place = newest.as_ref().and_then(|id| transcript.position(id));
        if self.undo_rewind(place).await {
            return;
        }
        let Some(newest) = newest else {
            self.notice(Notice::info(
                "there is no rewind, pin, restore, drop or prune to undo",
            ))
            .await;
            return;
        };
        let before = self.current_view();
        let target = newest.clone();
        let body = EntryBody::Overlay(Overlay::Undo { target });
        self.append(body, Durability::Flush).await;
        self.say_override("undone", newest, &before).await;
    }

    /// What a decision would make of the view, by the same steps that would follow it.
    pub async fn foresee(&mut self, op: Op) {
        let overlay = match &op {
            Op::Pin(target) => Decision::Pin.record(target.clone()).0,
            Op::Restore(target) => Decision::Restore.record(target.clone()).0,
            Op::Drop(target) => Decision::Drop.record(target.clone()).0,
            Op::UndoOverride => {
                let branch = self.conversation.transcript().branch();
                let Some(target) = newest_undoable(&branch, is_override) else {
                    return;
                };
                Overlay::Undo { target }
            }
            _ => return,
        };
        let undoes = match &overlay {
            Overlay::Undo { target } => {
                let undone = self.conversation.transcript().get(target);
                undone.and_then(|entry| override_name(&entry.body))
            }
            _ => None,
        };
        let body = EntryBody::Overlay(overlay);
        let view = self.conversation.preview(&self.around, body);
        self.emit(AgentEvent::Foreseen {
            op,
            undoes,
            tokens_after: view.usage.tokens,
        })
        .await;
    }

    /// Undoes the newest compaction. What was said since stays.
    pub async fn uncompact(&mut self) {
        let branch = self.conversation.transcript().branch();
        let is_compaction = |body: &EntryBody| matches!(body, EntryBody::Compaction(_));
        let Some(target) = newest_undoable(&branch, is_compaction) else {
            self.notice(Notice::info("there is no compaction to undo"))
                .await;
            return;
        };
        self.warn_before_undo(&target).await;
        // As the leaf it is simply left behind, so that other programs see it undone too.
        if self.conversation.transcript().leaf() == Some(&target) {
            let parent = branch.last().and_then(|entry| entry.parent.clone());
            self.conversation.move_leaf(parent);
        }
        self.append(
            EntryBody::Overlay(Overlay::Undo {
                target: target.clone(),
            }),
            Durability::Flush,
        )
        .await;
        self.auto.hold();
        let branch = self.conversation.transcript().branch();
        self.emit(AgentEvent::BranchMoved(branch)).await;
        let view = self
            .conversation
            .evaluate(&self.around, Pressure::default())
            .view;
        let over_load_line = view.compaction.due;
        let tokens_after = view.usage.tokens;
        self.emit(AgentEvent::View(Arc::new(view))).await;
        self.emit(AgentEvent::CompactionUndone {
            target,
            tokens_after,
            over_load_line,
        })
        .await;
    }

    /// Says before a compaction is undone that the whole conversation is beyond the load
    /// line, and what follows from it.
    async fn warn_before_undo(&mut self, target: &EntryId) {
        let undo = Overlay::Undo {
            target: target.clone(),
        };
        let body = EntryBody::Overlay(undo);
        let view = self.conversation.preview(&self.around, body);
        if !view.compaction.due {
            return;
        }
        let notice = Notice::warning(format!(
            "without the summary the view has {} tokens, beyond the load line at {}",
            grouped(view.usage.tokens),
            grouped(view.window.load_line_effective)
        ));
        let hint = "nothing is compacted before your next message; prune, drop or choose a larger model to keep it so";
        self.notice(notice.with_hint(hint)).await;
    }

    /// Applies the prune policy now, whatever the gate says; or says what it would do.
    pub async fn prune(&mut self, dry_run: bool) {
        let pressure = Pressure {
            prune_now: true,
            ..Pressure::default()
        };
        if !dry_run {
            let before = self.conversation.transcript().len();
            self.settle(pressure).await;
            if self.conversation.transcript().len() == before {
                self.nothing_to_prune().await;
            }
            return;
        }
        let evaluation = self.conversation.evaluate(&self.around, pressure);
        let cuts: Vec<_> = evaluation
            .decisions
            .iter()
            .filter_map(|decision| match decision {
                Overlay::Prune { cuts, .. } => Some(cuts),
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
        self.emit(AgentEvent::Pruned {
            trimmed: cuts.len() as u64 - cleared,
            cleared,
            tokens_saved: cuts
                .iter()
                .map(|cut| cut.tokens_before.saturating_sub(cut.tokens_after))
                .sum(),
            cache_given_up_tokens: evaluation.view.prune.cache_given_up,
            dry_run: true,
        })
        .await;
    }

    async fn nothing_to_prune(&mut self) {
        let context = self.conversation.context();
        let view = self
            .conversation
            .evaluate(&self.around, Pressure::default())
            .view;
        let share = view
            .window
            .tokens
            .map(|window| view.usage.tokens as f64 / window.max(1) as f64 * 100.0);
        let text = match share {
            None => "nothing to prune: the window is unknown".to_owned(),
            Some(share) => format!("nothing to prune: the view takes {share:.0}% of the window"),
        };
        let hint = format!(
            "large results are trimmed from {:.0}%, old ones cleared from {:.0}%; the newest {} answers are left alone",
            context.prune.soft_ratio * 100.0,
            context.prune.hard_ratio * 100.0,
            context.prune.keep_last_assistants
        );
        self.notice(Notice::info(text).with_hint(hint)).await;
    }
}

/// The newest entry of a kind that no undo on the branch takes back.
fn newest_undoable(branch: &[Arc<Entry>], is_kind: impl Fn(&EntryBody) -> bool) -> Option<EntryId> {
    let mut undone = Vec::new();
    for entry in branch.iter().rev() {
        if undone.contains(&&entry.id) {
            continue;
        }
        match &entry.body {
            EntryBody::Overlay(Overlay::Undo { target }) => undone.push(target),
            body if is_kind(body) => return Some(entry.id.clone()),
            _ => {}
        }
    }
    None
}

fn is_override(body: &EntryBody) -> bool {
    override_name(body).is_some()
}

/// What people call a decision about single parts of the context.
fn override_name(body: &EntryBody) -> Option<&'static str> {
    let EntryBody::Overlay(overlay) = body else {
        return None;
    };
    match overlay {
        Overlay::Pin { .. } => Some("pin"),
        Overlay::Restore { .. } => Some("restore"),
        Overlay::Drop { .. } => Some("drop"),
        Overlay::Prune { .. } => Some("prune"),
        Overlay::Guard { .. } => Some("cut to fit"),
        Overlay::Media { .. } => Some("removal of media"),
        _ => None,
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
        .filter(|item| item.pinned || item.restored)
        .map(|item| item.tokens)
        .sum();
    let limit = (view.window.usable as f64 * MAX_PINNED_SHARE) as u64;
    if view.window.tokens.is_some() && held > limit {
        return Err(Notice::error(format!(
            "not done: pinned and restored items would take {held} tokens, the limit is {limit} (half of what is usable)"
        ))
        .with_hint("undo a pin first (/undo), or drop something"));
    }
    Ok(())
}

fn may_drop(view: &ContextView, target: &EntryId) -> Result<(), Notice> {
    let newest =
        view.items.iter().rev().find(|item| {
            item.category == Category::User && item.disposition != Disposition::Dropped
        });
    if newest.is_some_and(|item| item.entry.as_ref() == Some(target)) {
        return Err(
            Notice::error("not done: the newest user message is always sent")
                .with_hint("say something new first, or start over with /new"),
        );
    }
    Ok(())
}
