//! `/undo` and `/redo`: takes back the newest act of the person on the context or on files,
//! and puts it back. Says in words what that is; asks first when files or messages go with
//! it. Which act that is, is read from the log ([`newest_act`]).

use std::collections::HashSet;

use crate::agent::compaction::material::tokens_change;
use crate::agent::decisions::ContextActs;
use crate::agent::files::FileActs;
use crate::agent::protocol::{
    CompactionEvent, ContextEvent, Notice, SessionEvent, UndoOp, UndoPlan, UndoWay,
};
use crate::agent::sessions::SessionActs;
use crate::checkpoint::{self, WantedFile};
use crate::context::ContextView;
use crate::context::rules::RuleBook;
use crate::engine::text::first_words;
use crate::session::Durability;
use crate::transcript::{
    Decision, Entry, EntryBody, EntryId, FileCause, FileRecord, RuleId, Transcript, Trigger,
    UndoableAct, UndoableKind, Usage, newest_act, newest_compaction, newest_undone_act, plural,
};

/// Characters of a message in the name of an act.
const SUBJECT_CHARS: usize = 40;
/// Files that are named with an act; the rest is counted.
const MAX_NAMED_FILES: usize = 3;

impl ContextActs<'_> {
    /// Undo or redo while nothing runs.
    pub(crate) async fn undo(&mut self, op: UndoOp) {
        let Some(act) = self.act_for(op.way) else {
            let notice = self.nothing_to(op.way);
            self.agent.events.notice(notice).await;
            return;
        };
        let plan = self.undo_plan(op.way, &act).await;
        if plan.asks() && !op.confirmed {
            self.agent
                .events
                .emit(ContextEvent::UndoPlanned(Box::new(plan)))
                .await;
            return;
        }
        match act.kind {
            UndoableKind::Rewind => self.move_back(&act, plan).await,
            UndoableKind::Compaction => self.turn_compaction(&act, plan).await,
            UndoableKind::Prune
            | UndoableKind::Pin
            | UndoableKind::Restore
            | UndoableKind::Drop
            | UndoableKind::Edit
            | UndoableKind::Rule => {
                let target = act.names.clone();
                let body = EntryBody::Decision(Decision::Undo { target });
                self.append_undo(body, &act, plan).await;
            }
        }
    }

    /// While something runs: what it builds on is not pulled away under it.
    pub(crate) async fn undo_while_busy(&mut self, op: UndoOp) {
        let kind = self.act_for(op.way).map(|act| act.kind);
        if let Some(kind @ (UndoableKind::Rewind | UndoableKind::Compaction)) = kind {
            let (way, kind) = (op.way.name(), kind.name());
            let text =
                format!("nothing was changed: cannot {way} the {kind} while something is running");
            let notice = Notice::warning(text);
            let hint = format!("press Esc to stop it, or wait; then /{way} again");
            self.agent.events.notice(notice.with_hint(hint)).await;
            return;
        }
        self.undo(op).await;
    }

    fn act_for(&self, way: UndoWay) -> Option<UndoableAct> {
        let transcript = self.agent.thread.conversation.transcript();
        match way {
            UndoWay::Undo => newest_act(transcript),
            UndoWay::Redo => newest_undone_act(transcript),
        }
    }

    fn nothing_to(&mut self, way: UndoWay) -> Notice {
        if way == UndoWay::Redo {
            return Notice::info("nothing to redo")
                .with_hint("/redo repeats what /undo undid, until you do something else");
        }
        let notice = Notice::info(
            "nothing to undo: no rewind, compaction, prune, pin, restore, drop, edit or rule \
             change of yours on this branch",
        );
        let view = self.agent.thread.current_view();
        if view.items.iter().any(|item| item.is_compaction()) {
            return notice.with_hint("the newest compaction was automatic: /uncompact undoes it");
        }
        notice
    }

    /// A preview of an undo or redo in words, with the files.
    async fn undo_plan(&mut self, way: UndoWay, act: &UndoableAct) -> UndoPlan {
        let files = match self.files_of(act) {
            Some(wanted) => self.agent.planned(wanted).await,
            None => Vec::new(),
        };
        let transcript = self.agent.thread.conversation.transcript();
        UndoPlan {
            way,
            what: describe(transcript, act, &self.agent.toolbox.scope.cwd),
            leaves: messages_left(transcript, act),
            files,
        }
    }

    /// The files of a rewind as they were before it.
    fn files_of(&self, act: &UndoableAct) -> Option<Vec<WantedFile>> {
        let record = rewind_record(self.agent.thread.conversation.transcript(), &act.names)?;
        let wanted = record.changes.iter().cloned().map(|change| WantedFile {
            path: change.path,
            before_expected: change.before.clone(),
            desired: change.before,
            expected: change.after,
        });
        Some(wanted.collect())
    }

    /// Goes back to where the conversation and the files were before a rewind.
    async fn move_back(&mut self, act: &UndoableAct, plan: UndoPlan) {
        let transcript = self.agent.thread.conversation.transcript();
        let Some(record) = rewind_record(transcript, &act.names).cloned() else {
            return;
        };
        let before = self.agent.thread.current_view();
        let wanted = self.files_of(act).unwrap_or_default();
        let Some((changes, applied)) = FileActs::of(self.agent).prepared(wanted, false).await
        else {
            return;
        };
        let came_from = record.cause.moved_from().cloned();
        let leaf = self.agent.thread.conversation.transcript().leaf().cloned();
        let is_moving = came_from.is_some();
        if is_moving && !self.agent.move_to(came_from).await {
            return;
        }
        let cause = FileCause::Rewind {
            from: leaf.filter(|_| is_moving),
            undoes: Some(act.names.clone()),
        };
        FileActs::of(self.agent)
            .put_back(cause, changes, applied, is_moving)
            .await;
        if is_moving {
            SessionActs::of(self.agent).resume_standing().await;
        }
        self.say_undone(act, plan, &before).await;
    }

    /// Takes a compaction back, or puts it back.
    async fn turn_compaction(&mut self, act: &UndoableAct, plan: UndoPlan) {
        if plan.way == UndoWay::Undo {
            return self.take_back_compaction(act.entry.clone()).await;
        }
        let transcript = self.agent.thread.conversation.transcript();
        let is_here = transcript.branch().iter().any(|it| it.id == act.entry);
        let body = if is_here {
            let target = act.names.clone();
            EntryBody::Decision(Decision::Undo { target })
        } else {
            let Some(again) = compaction_again(transcript, &act.entry) else {
                return;
            };
            again
        };
        self.append_undo(body, act, plan).await;
    }

    async fn append_undo(&mut self, body: EntryBody, act: &UndoableAct, plan: UndoPlan) {
        let before = self.agent.thread.current_view();
        self.agent.thread.append(body, Durability::Flush).await;
        // Cards of the conversation say what was pruned and summarised.
        let branch = self.agent.thread.conversation.transcript().branch();
        self.agent
            .events
            .emit(SessionEvent::BranchMoved(branch))
            .await;
        self.say_undone(act, plan, &before).await;
    }

    async fn say_undone(&mut self, act: &UndoableAct, plan: UndoPlan, before: &ContextView) {
        let after = self.agent.thread.current_view();
        self.agent
            .events
            .emit(ContextEvent::ActUndone {
                way: plan.way,
                kind: act.kind,
                what: plan.what,
                tokens_change: tokens_change(before, &after),
            })
            .await;
        self.agent.thread.publish_view().await;
    }

    /// The view after an undo or redo, with its name; `None` when there is nothing to take
    /// back or put back.
    pub(crate) async fn foresee_undo(&mut self, op: &UndoOp) -> Option<(String, u64)> {
        let act = self.act_for(op.way)?;
        let plan = self.undo_plan(op.way, &act).await;
        let transcript = self.agent.thread.conversation.transcript();
        let record = rewind_record(transcript, &act.names);
        let came_from = record.map(|record| record.cause.moved_from().cloned());
        let view = match came_from {
            Some(Some(leaf)) => self
                .agent
                .thread
                .conversation
                .view_at(&self.agent.thread.context, Some(leaf)),
            Some(None) => self.agent.thread.current_view(),
            None => {
                let target = act.names.clone();
                let body = EntryBody::Decision(Decision::Undo { target });
                self.agent.thread.preview(body)
            }
        };
        Some((plan.words(), view.usage.tokens))
    }

    /// Undoes the newest compaction, automatic or not. What was said since stays.
    pub(crate) async fn uncompact(&mut self) {
        let branch = self.agent.thread.conversation.transcript().branch();
        let Some(target) = newest_compaction(&branch) else {
            self.agent
                .events
                .notice(Notice::info("no compaction to undo"))
                .await;
            return;
        };
        self.take_back_compaction(target).await;
    }

    async fn take_back_compaction(&mut self, target: EntryId) {
        self.warn_before_undo(&target).await;
        let transcript = self.agent.thread.conversation.transcript();
        // As the leaf it is simply left behind, so that other programs see it undone too.
        if transcript.leaf() == Some(&target) {
            let parent = transcript.get(&target).and_then(|it| it.parent.clone());
            self.agent.thread.conversation.move_leaf(parent);
        }
        let undo = Decision::Undo {
            target: target.clone(),
        };
        self.agent
            .thread
            .append(EntryBody::Decision(undo), Durability::Flush)
            .await;
        self.agent.compactor.auto.hold();
        let branch = self.agent.thread.conversation.transcript().branch();
        self.agent
            .events
            .emit(SessionEvent::BranchMoved(branch))
            .await;
        let view = self.agent.thread.current_view();
        let over_load_line = view.compaction.due;
        let tokens_after = view.usage.tokens;
        self.agent.thread.show_view(view).await;
        self.agent
            .events
            .emit(CompactionEvent::Undone {
                target,
                tokens_after,
                over_load_line,
            })
            .await;
    }
}

fn rewind_record<'a>(transcript: &'a Transcript, id: &EntryId) -> Option<&'a FileRecord> {
    match &transcript.get(id)?.body {
        EntryBody::Files(record) if matches!(record.cause, FileCause::Rewind { .. }) => {
            Some(record)
        }
        _ => None,
    }
}

/// The compaction as an entry of its own, where the branch that holds it was left. It costs
/// nothing once more.
fn compaction_again(transcript: &Transcript, id: &EntryId) -> Option<EntryBody> {
    let EntryBody::Compaction(compaction) = &transcript.get(id)?.body else {
        return None;
    };
    let mut again = compaction.clone();
    again.details.cause.trigger = Trigger::Manual;
    again.details.cost.requests = 0;
    again.details.cost.usage = Usage::default();
    Some(EntryBody::Compaction(again))
}

/// Messages that the conversation would leave with the rewind that is taken back: they were
/// said after it.
fn messages_left(transcript: &Transcript, act: &UndoableAct) -> usize {
    let is_moving = rewind_record(transcript, &act.names)
        .is_some_and(|record| record.cause.moved_from().is_some());
    if !is_moving {
        return 0;
    }
    let branch = transcript.branch();
    let at = branch.iter().position(|entry| entry.id == act.names);
    let since = branch.iter().skip(at.map_or(branch.len(), |at| at + 1));
    since.filter(|entry| entry.body.speaks_to_model()).count()
}

/// An act in words: "pin of “fix the race”", "rewind of the conversation and 2 files: …".
fn describe(transcript: &Transcript, act: &UndoableAct, cwd: &std::path::Path) -> String {
    let Some(entry) = transcript.get(&act.entry) else {
        return act.kind.name().to_owned();
    };
    let of_message = |target: &EntryId| {
        let words = transcript.get(target).map(|entry| first_words(entry));
        let words = words.filter(|words| !words.is_empty());
        let words = words.map_or_else(|| target.to_string(), |words| clipped(&words));
        format!("{} of “{words}”", act.kind.name())
    };
    match &entry.body {
        EntryBody::Decision(
            Decision::Pin { target } | Decision::Restore { target } | Decision::Drop { target },
        )
        | EntryBody::ContextEdit { target, .. } => of_message(target),
        EntryBody::Decision(Decision::Rule { rule, change }) => {
            let words = change.text().map(clipped);
            let words = words.unwrap_or_else(|| rule_words(transcript, rule));
            format!("{} of the rule “{words}”", change.noun())
        }
        EntryBody::Decision(Decision::Prune { cuts, .. }) => {
            format!("prune of {}", plural(cuts.len() as u64, "tool result"))
        }
        EntryBody::Compaction(compaction) => {
            let messages = compaction.details.summarized_messages;
            format!("compaction of {}", plural(messages, "message"))
        }
        EntryBody::Files(record) => rewind_words(transcript, entry, record, cwd),
        _ => act.kind.name().to_owned(),
    }
}

/// How a rule begins; its id when no message of the branch says it any more.
fn rule_words(transcript: &Transcript, id: &RuleId) -> String {
    let book = RuleBook::of(transcript);
    let rule = book.rules.iter().find(|rule| rule.id == *id);
    rule.map_or_else(|| id.to_string(), |rule| clipped(&rule.text))
}

fn rewind_words(
    transcript: &Transcript,
    entry: &Entry,
    record: &FileRecord,
    cwd: &std::path::Path,
) -> String {
    let mut parts = Vec::new();
    if let Some(from) = record.cause.moved_from() {
        let left = messages_between(transcript, entry, from);
        parts.push(match left {
            0 => "the conversation".to_owned(),
            left => format!("the conversation ({})", plural(left as u64, "message")),
        });
    }
    if !record.changes.is_empty() {
        let names: Vec<String> = record
            .changes
            .iter()
            .take(MAX_NAMED_FILES)
            .map(|change| checkpoint::shown(&change.path, cwd))
            .collect();
        let more = record.changes.len().saturating_sub(MAX_NAMED_FILES);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let files = plural(record.changes.len() as u64, "file");
        parts.push(format!("{files}: {}{more}", names.join(", ")));
    }
    if parts.is_empty() {
        return "rewind".to_owned();
    }
    format!("rewind of {}", parts.join(" and "))
}

/// Messages that were left when the conversation moved from an entry to where this one is.
fn messages_between(transcript: &Transcript, moved: &Entry, from: &EntryId) -> usize {
    let mut there = transcript.clone();
    there.set_leaf(moved.parent.clone());
    let kept: HashSet<EntryId> = there.branch().iter().map(|it| it.id.clone()).collect();
    there.set_leaf(Some(from.clone()));
    let left = there.branch();
    let left = left.iter().filter(|it| !kept.contains(&it.id));
    left.filter(|it| it.body.speaks_to_model()).count()
}

fn clipped(words: &str) -> String {
    if words.chars().count() <= SUBJECT_CHARS {
        return words.to_owned();
    }
    let head: String = words.chars().take(SUBJECT_CHARS).collect();
    format!("{}…", head.trim_end())
}

impl UndoPlan {
    /// Whether the person is asked first: files change, or messages are left.
    pub fn asks(&self) -> bool {
        !self.files.is_empty() || self.leaves > 0
    }

    /// The preview in one line: the act, then the effect on files and messages.
    pub fn words(&self) -> String {
        let act = format!("{} the {}", self.way.name(), self.what);
        let left = (self.leaves > 0).then(|| {
            let left = plural(self.leaves as u64, "message");
            format!("{left} sent since then move to a branch of their own")
        });
        let changed = (!self.files.is_empty()).then(|| {
            let named: Vec<&str> = self.files.iter().map(|it| it.shown.as_str()).collect();
            format!("changes {}", named.join(", "))
        });
        let parts: Vec<String> = [Some(act), left, changed].into_iter().flatten().collect();
        parts.join("; ")
    }
}
