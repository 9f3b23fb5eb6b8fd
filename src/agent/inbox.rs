//! The inbox: what becomes of an [`Op`], while nothing runs and while something does.
//!
//! Whatever waits, waits through [`Actor::wait`], so that an op is never left lying:
//! it takes effect at once, waits in line until what runs is over, or stops it.

use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::compaction::CompactionRun;
use crate::agent::decisions::ContextActs;
use crate::agent::exit;
use crate::agent::files::FileActs;
use crate::agent::mailbox::TurnStop;
use crate::agent::model::switch::ModelSwitch;
use crate::agent::protocol::{
    AgentEvent, ContextOp, Notice, Op, Query, QueryId, ReviewDecision, SessionOp, SettingOp,
    TurnEvent, TurnOp,
};
use crate::agent::sessions::SessionActs;
use crate::agent::settings::SettingActs;
use crate::agent::turn::batch::ToolBatch;
use crate::agent::turn::failure::failure;
use crate::agent::turn::reminder::Reminders;
use crate::agent::waiting::{WaitingCommand, WaitingWork};
use crate::session::Access;
use crate::transcript::{EntryId, EntryOverride, Image, Message, ModelRef};

impl Actor {
    /// An op while nothing runs.
    pub(super) async fn handle(&mut self, op: Op) {
        if let Some(refusal) = self.refusal(&op) {
            let is_message = matches!(op, Op::Turn(TurnOp::Submit { .. }));
            if !is_message || self.setup.is_interactive {
                self.events.notice(refusal).await;
                return;
            }
            // Whoever waits for an answer hears that there will be none.
            let end = failure(refusal, "read_only", exit::FAILED, "");
            let finished = AgentEvent::Turn(TurnEvent::Finished(end));
            self.events.emit(finished).await;
            return;
        }
        match op {
            Op::Turn(op) => self.turn_op(op).await,
            Op::Context(op) => self.context_op(op).await,
            Op::Session(op) => Box::pin(self.session_op(op)).await,
            Op::Setting(SettingOp::Mode(mode)) => SettingActs::of(self).set_work_mode(mode).await,
            Op::Setting(op) => self.setting_op(op).await,
            Op::Query { id, query } => self.answer(id, query).await,
        }
    }

    async fn turn_op(&mut self, op: TurnOp) {
        match op {
            TurnOp::Submit { text, images, .. } => {
                // The text has left the composer. A queued one left it before: what
                // stands there now is another.
                self.thread.draft = None;
                self.submit(text, images).await;
            }
            TurnOp::Draft { text, images } => self.count_draft(text, images).await,
            TurnOp::Shell { command, excluded } => {
                ToolBatch::of(self).shell(command, excluded).await;
            }
            TurnOp::KillJob(id) => self.kill_job(id),
            TurnOp::TellChild { id, text } => self.tell_child(id, text).await,
            TurnOp::StopChild(id) => self.stop_child(id).await,
            // Only a sub-agent in the background asks now.
            TurnOp::Approve { id, decision } => {
                self.answer_child(id, &decision).await;
            }
            TurnOp::Background => Reminders::of(self).send_to_background().await,
            // Nothing runs, waits or asks.
            TurnOp::Interrupt
            | TurnOp::Unqueue { .. }
            | TurnOp::AnswerForm { .. }
            | TurnOp::FitMessage { .. } => {}
        }
    }

    async fn context_op(&mut self, op: ContextOp) {
        match op {
            ContextOp::Compact(options) => CompactionRun::of(self).compact_op(options).await,
            ContextOp::Uncompact => ContextActs::of(self).uncompact().await,
            ContextOp::Undo(undo) => ContextActs::of(self).undo(undo).await,
            ContextOp::Prune { dry_run } => ContextActs::of(self).prune(dry_run).await,
            ContextOp::Pin(target) => self.decide(EntryOverride::Pin, target).await,
            ContextOp::Restore(target) => self.decide(EntryOverride::Restore, target).await,
            ContextOp::Drop(target) => self.decide(EntryOverride::Drop, target).await,
            ContextOp::Rule(act) => ContextActs::of(self).change_rule(act).await,
            // No review is open.
            ContextOp::Review(_) => {}
        }
    }

    async fn decide(&mut self, decision: EntryOverride, target: EntryId) {
        ContextActs::of(self).decide(decision, target).await;
    }

    async fn session_op(&mut self, op: SessionOp) {
        match op {
            SessionOp::New => SessionActs::of(self).new_session().await,
            SessionOp::Resume(path) => SessionActs::of(self).resume(path).await,
            SessionOp::ResumeAt { path, entry } => {
                SessionActs::of(self).resume_at(path, entry).await;
            }
            SessionOp::Fork(at) => SessionActs::of(self).fork(at).await,
            SessionOp::GoTo(leaf) => SessionActs::of(self).go_to(leaf).await,
            SessionOp::Resend {
                target,
                text,
                images,
            } => SessionActs::of(self).resend(target, text, images).await,
            SessionOp::Rewind(rewind) => FileActs::of(self).rewind(rewind).await,
            SessionOp::Label { target, label } => SessionActs::of(self).label(target, label).await,
            SessionOp::Rename(name) => SessionActs::of(self).rename(name).await,
            SessionOp::RenameOther { path, name } => {
                SessionActs::of(self).rename_other(path, name).await;
            }
            SessionOp::Discard(path) => SessionActs::of(self).discard_session(path).await,
            SessionOp::Export(format) => SessionActs::of(self).export(format).await,
            SessionOp::Remember(text) => SessionActs::of(self).remember(&text).await,
            SessionOp::TakeBackNotes => SessionActs::of(self).take_back_notes().await,
            SessionOp::Shutdown => self.mailbox.is_closing = true,
        }
    }

    async fn setting_op(&mut self, op: SettingOp) {
        match op {
            SettingOp::Model(model) => ModelSwitch::of(self).set_model(model).await,
            SettingOp::Thinking(level) => SessionActs::of(self).set_thinking(level).await,
            SettingOp::PlanMode(on) => {
                Reminders::of(self).set_plan_mode(on).await;
                Reminders::of(self).record_plan_mode().await;
            }
            SettingOp::Mode(mode) => {
                SettingActs::of(self).set_work_mode(mode).await;
                Reminders::of(self).record_plan_mode().await;
            }
            SettingOp::Set { key, value } => SettingActs::of(self).set_setting(&key, value).await,
            SettingOp::Save { key, place } => SettingActs::of(self).save_setting(&key, place).await,
            SettingOp::Reset { key } => SettingActs::of(self).reset_setting(&key).await,
            SettingOp::Revoke(permission) => SettingActs::of(self).revoke(&permission).await,
            SettingOp::Login { provider, key } => SettingActs::of(self).login(&provider, key).await,
            SettingOp::Logout(provider) => SettingActs::of(self).logout(&provider).await,
            SettingOp::Servers(act) => SettingActs::of(self).change_servers(act).await,
        }
    }

    /// Answers a question, whatever runs.
    async fn answer(&mut self, id: QueryId, query: Query) {
        let to = Some(id);
        match query {
            Query::Wire => SessionActs::of(self).show_wire(to).await,
            Query::Compaction(entry) => SessionActs::of(self).show_compaction(to, &entry).await,
            Query::Fidelity => SessionActs::of(self).show_fidelity(to),
            Query::Foresee(op) => ContextActs::of(self).foresee(to, *op).await,
            Query::Rules => ContextActs::of(self).list_rules(to).await,
            Query::Permissions => SettingActs::of(self).list_permissions(to).await,
            Query::Settings => SettingActs::of(self).list_settings(to).await,
            Query::Logins => SettingActs::of(self).list_logins(to).await,
            Query::Changes => FileActs::of(self).show_changes(to).await,
            Query::RewindPlan { to: end, ask } => {
                FileActs::of(self).plan_rewind(to, end, ask).await;
            }
            Query::Cost => SessionActs::of(self).show_cost(to).await,
            Query::Tools => SessionActs::of(self).list_tools(to).await,
            Query::Servers => SettingActs::of(self).list_servers(to).await,
            Query::Engines => SessionActs::of(self).list_engines(to).await,
            Query::Models => SessionActs::of(self).list_models(to).await,
            Query::Sessions { all } => SessionActs::of(self).list_sessions(to, all).await,
            Query::ForeignSessions { program, all } => {
                SessionActs::of(self).list_foreign(to, program, all).await;
            }
            Query::SessionText(text) => SessionActs::of(self).search_sessions(to, text),
            Query::SessionPeek(path) => SessionActs::of(self).peek_session(to, path).await,
            Query::History => self.show_history(to).await,
            Query::Notes => SessionActs::of(self).show_notes(to).await,
            Query::Child(id) => self.show_child(to, id).await,
            Query::Recall(text) => SessionActs::of(self).recall(to, &text).await,
        }
    }

    /// Why this cannot be done now: what cannot be kept is not begun.
    fn refusal(&self, op: &Op) -> Option<Notice> {
        if op.writes() { self.closed_to() } else { None }
    }

    /// Why nothing can be added to the session, if so.
    pub(super) fn closed_to(&self) -> Option<Notice> {
        let access = self.thread.conversation.closed()?;
        if self.setup.is_interactive {
            let notice = Notice::error(format!("nothing was changed: {access}"));
            let hint = "/fork continues in a copy, /new starts a new session; reading and \
                searching still work";
            return Some(notice.with_hint(hint));
        }
        let path = self.thread.conversation.path().unwrap_or_default();
        let hint = match access {
            Access::Newer(_) => {
                "use the version of plim that wrote it, or a newer one; without -c, -r and \
                 --session this version starts a new session"
            }
            Access::Denied(_) => {
                "free disk space, or correct the permissions of the file and its folder; \
                 --no-session needs no file"
            }
            _ => {
                "wait for the other process, or continue in a copy: `plim export SESSION > \
                 COPY.jsonl`, then `plim --session COPY.jsonl -p …`"
            }
        };
        let text = format!("nothing was sent: {} is {access}", path.display());
        Some(Notice::error(text).with_hint(hint))
    }

    /// Why a run without a screen asks nothing: its session cannot be made. On a screen that is
    /// said, and the person decides.
    pub(super) fn cannot_begin(&mut self) -> Option<Notice> {
        if self.setup.is_interactive || !self.thread.conversation.is_unbegun() {
            return None;
        }
        let problem = self.thread.conversation.close()?;
        let notice = Notice::error(format!("nothing was sent: {}", problem.text));
        Some(notice.with_hint(
            "free disk space, or correct the permissions of the folder; --no-session needs no \
             file",
        ))
    }

    /// Waits for something while ops are read. What is waited for must not borrow the
    /// actor; it is dropped when the user stops it.
    pub(super) async fn wait<T>(&mut self, future: impl Future<Output = T>) -> Result<T, TurnStop> {
        if let Some(stop) = self.mailbox.late_stop.take() {
            return Err(stop);
        }
        tokio::pin!(future);
        loop {
            tokio::select! {
                biased;
                op = self.mailbox.ops.recv() => {
                    let Some(op) = op else { return Err(TurnStop::Shutdown) };
                    self.handle_busy(op).await?;
                }
                output = &mut future => return Ok(output),
            }
        }
    }

    /// Waits until an answer that was asked for has come.
    pub(super) async fn wait_for_answer(&mut self) -> Result<(), TurnStop> {
        let Some(op) = self.mailbox.ops.recv().await else {
            return Err(TurnStop::Shutdown);
        };
        self.handle_busy(op).await
    }

    /// An op while something runs.
    async fn handle_busy(&mut self, op: Op) -> Result<(), TurnStop> {
        self.mailbox.ops_heard += 1;
        let before = self.mailbox.waiting.len();
        let heard = Box::pin(self.hear(op)).await;
        if self.mailbox.waiting.len() > before {
            self.mailbox.publish_queue().await;
        }
        heard
    }

    async fn hear(&mut self, op: Op) -> Result<(), TurnStop> {
        let op = match WaitingCommand::of(op) {
            Ok(command) => {
                self.mailbox.wait_in_line(WaitingWork::Command(command));
                return Ok(());
            }
            Err(op) => op,
        };
        match op {
            Op::Turn(op) => return self.hear_turn_op(op).await,
            Op::Context(op) => return self.hear_context_op(op).await,
            Op::Session(op) => return self.hear_session_op(op).await,
            Op::Setting(SettingOp::Model(model)) => self.set_model_later(model).await,
            // What the model is told has to wait until its calls are answered.
            Op::Setting(SettingOp::PlanMode(on)) => Reminders::of(self).set_plan_mode(on).await,
            Op::Setting(op) => self.setting_op(op).await,
            Op::Query { id, query } => self.answer(id, query).await,
        }
        Ok(())
    }

    async fn hear_turn_op(&mut self, op: TurnOp) -> Result<(), TurnStop> {
        match op {
            // Who stops something wants nothing sent or run after it.
            TurnOp::Interrupt => {
                self.mailbox.give_back(|_| true).await;
                return Err(TurnStop::Interrupted);
            }
            TurnOp::Submit { text, images, when } => {
                // The text has left the composer.
                self.thread.draft = None;
                self.mailbox
                    .wait_in_line(WaitingWork::Message { text, images, when });
            }
            TurnOp::Unqueue { id } => self.mailbox.give_back(|it| it == id).await,
            TurnOp::Approve { id, decision } => {
                if !self.answer_child(id, &decision).await {
                    self.mailbox.answers.approval = Some((id, decision));
                }
            }
            TurnOp::AnswerForm { id, answer } => self.answer_form(id, answer).await,
            TurnOp::FitMessage { id, choice } => self.mailbox.answers.oversize = Some((id, choice)),
            op @ (TurnOp::Draft { .. }
            | TurnOp::Shell { .. }
            | TurnOp::KillJob(_)
            | TurnOp::TellChild { .. }
            | TurnOp::StopChild(_)
            | TurnOp::Background) => self.turn_op(op).await,
        }
        Ok(())
    }

    async fn hear_context_op(&mut self, op: ContextOp) -> Result<(), TurnStop> {
        match op {
            ContextOp::Undo(undo) => ContextActs::of(self).undo_while_busy(undo).await,
            ContextOp::Review(decision) => return self.hear_review(decision).await,
            ContextOp::Pin(target) => {
                ContextActs::of(self)
                    .decide(EntryOverride::Pin, target)
                    .await;
            }
            ContextOp::Restore(target) => {
                ContextActs::of(self)
                    .decide(EntryOverride::Restore, target)
                    .await;
            }
            ContextOp::Drop(target) => {
                ContextActs::of(self)
                    .decide(EntryOverride::Drop, target)
                    .await;
            }
            ContextOp::Rule(act) => ContextActs::of(self).change_rule(act).await,
            ContextOp::Prune { dry_run } => ContextActs::of(self).prune(dry_run).await,
            // They wait in line.
            ContextOp::Compact(_) | ContextOp::Uncompact => {}
        }
        Ok(())
    }

    async fn hear_review(&mut self, decision: ReviewDecision) -> Result<(), TurnStop> {
        match decision {
            ReviewDecision::StopRetry => {
                if let Some(is_stopped) = &mut self.compactor.retry_stopped {
                    *is_stopped = true;
                    return Err(TurnStop::Interrupted);
                }
            }
            // Who cancels wants nothing sent or run after it.
            ReviewDecision::Cancel => {
                self.mailbox.give_back(|_| true).await;
                if self.compactor.is_summarising {
                    return Err(TurnStop::Interrupted);
                }
                self.mailbox.answers.review = Some(decision);
            }
            ReviewDecision::Accept
            | ReviewDecision::Edit(_)
            | ReviewDecision::Strike
            | ReviewDecision::Retry { .. } => {
                self.mailbox.answers.review = Some(decision);
            }
        }
        Ok(())
    }

    async fn hear_session_op(&mut self, op: SessionOp) -> Result<(), TurnStop> {
        match op {
            SessionOp::Shutdown => {
                self.mailbox.is_closing = true;
                Err(TurnStop::Shutdown)
            }
            SessionOp::New
            | SessionOp::Resume(_)
            | SessionOp::ResumeAt { .. }
            | SessionOp::GoTo(_)
            | SessionOp::Resend { .. }
            | SessionOp::Fork(_) => {
                self.mailbox.give_back(|_| true).await;
                self.mailbox.stopped_for.push_back(Op::Session(op));
                Err(TurnStop::Interrupted)
            }
            // What runs may change the very files; what was shown would not be what is done.
            SessionOp::Rewind(_) => {
                let notice = Notice::warning("nothing was rewound: something is running");
                self.events
                    .notice(notice.with_hint("press Esc to stop it, or wait; then /rewind again"))
                    .await;
                Ok(())
            }
            SessionOp::Label { .. }
            | SessionOp::Rename(_)
            | SessionOp::RenameOther { .. }
            | SessionOp::Discard(_)
            | SessionOp::Export(_)
            | SessionOp::Remember(_)
            | SessionOp::TakeBackNotes => {
                self.session_op(op).await;
                Ok(())
            }
        }
    }

    /// Another model answers the next request, unless the conversation has to be
    /// summarised first: then the running turn ends with the old one.
    async fn set_model_later(&mut self, model: ModelRef) {
        // The newest choice is the one that counts.
        if self.mailbox.waiting.forget_models() {
            self.mailbox.publish_queue().await;
        }
        if model == self.model.connection.model.model {
            return;
        }
        if ModelSwitch::of(self).misfit(&model).is_none() {
            return ModelSwitch::of(self).choose_model(model).await;
        }
        let text = format!(
            "{model} answers from the next turn on: first the conversation is compacted to fit \
             its window"
        );
        self.events.notice(Notice::info(text)).await;
        self.mailbox
            .wait_in_line(WaitingWork::Command(WaitingCommand::SetModel(model)));
    }

    /// Does what is next in line, now that nothing runs.
    pub(super) async fn go_on_in_line(&mut self) {
        // What was asked meanwhile comes first: it may be that nothing is to go on.
        while let Ok(op) = self.mailbox.ops.try_recv() {
            if self.handle_busy(op).await.is_err() {
                return;
            }
        }
        let Some(next) = self.mailbox.waiting.pop() else {
            return;
        };
        self.mailbox.publish_queue().await;
        match next.work {
            WaitingWork::Message { text, images, .. } => self.submit(text, images).await,
            WaitingWork::Command(WaitingCommand::SetModel(model)) => {
                self.handle(Op::Setting(SettingOp::Model(model.clone())))
                    .await;
                // What follows was meant for that model.
                if self.model.connection.model.model != model {
                    self.mailbox.give_back(|_| true).await;
                }
            }
            WaitingWork::Command(command) => self.handle(command.into_op()).await,
        }
    }

    /// The text in the composer counts as pending input, with what is attached to it.
    async fn count_draft(&mut self, text: String, images: Vec<Image>) {
        let is_empty = text.trim().is_empty() && images.is_empty();
        let draft = (!is_empty).then(|| Arc::new(Message::user_parts(text, images)));
        if draft != self.thread.draft {
            self.thread.draft = draft;
            self.thread.publish_view().await;
        }
    }
}
