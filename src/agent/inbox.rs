//! The inbox: what becomes of an [`Op`], while nothing runs and while something does.
//!
//! Whatever waits, waits through [`Actor::wait`], so that an op is never left lying:
//! it takes effect at once, waits in line until what runs is over, or stops it.

use std::sync::Arc;

use super::actor::Actor;
use super::event::{AgentEvent, Notice, ReturnedInput};
use super::failure::failure;
use super::op::{Op, ReviewDecision};
use super::turn::exit;
use super::waiting::{WaitingCommand, WaitingInput, WaitingWork};
use crate::session::Access;
use crate::transcript::{EntryOverride, Image, Message, ModelRef};

/// Why something that ran was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The user stopped it.
    Interrupted,
    /// The program ends.
    Shutdown,
}

impl Actor {
    /// An op while nothing runs.
    pub async fn handle(&mut self, op: Op) {
        if let Some(refusal) = self.refusal(&op) {
            return match op {
                // Whoever waits for an answer hears that there will be none.
                Op::Submit { .. } if !self.setup.is_interactive => {
                    let end = failure(refusal, "read_only", exit::FAILED, "");
                    self.emit(AgentEvent::TurnFinished(end)).await;
                }
                _ => self.notice(refusal).await,
            };
        }
        if matches!(
            op,
            Op::Pin(_) | Op::Restore(_) | Op::Drop(_) | Op::Undo(_) | Op::Uncompact
        ) {
            self.measure_exactly().await;
        }
        match op {
            Op::Submit { text, images, .. } => {
                // The text has left the composer. A queued one left it before: what
                // stands there now is another.
                self.draft = None;
                self.submit(text, images).await;
            }
            Op::Compact(options) => self.compact_op(options).await,
            Op::Shell { command, excluded } => self.shell(command, excluded).await,
            Op::NewSession => self.new_session().await,
            Op::Resume(path) => self.resume(path).await,
            Op::SetModel(model) => self.set_model(model).await,
            Op::SetPlanMode(on) => {
                self.set_plan_mode(on).await;
                self.record_plan_mode().await;
            }
            Op::GoTo(leaf) => self.go_to(leaf).await,
            Op::Resend {
                target,
                text,
                images,
            } => Box::pin(self.resend(target, text, images)).await,
            Op::Fork(at) => self.fork(at).await,
            Op::Rewind(rewind) => self.rewind(rewind).await,
            Op::Undo(undo) => self.undo(undo).await,
            Op::Interrupt
            | Op::Review(_)
            | Op::Approve { .. }
            | Op::FitMessage { .. }
            | Op::Unqueue { .. } => {}
            Op::Shutdown => self.is_closing = true,
            other => self.handle_anytime(other).await,
        }
    }

    /// Why this cannot be done now: what cannot be kept is not begun.
    fn refusal(&self, op: &Op) -> Option<Notice> {
        if op.writes() { self.closed_to() } else { None }
    }

    /// Why nothing can be added to the session, when it is so.
    pub fn closed_to(&self) -> Option<Notice> {
        let access = self.conversation.closed()?;
        if self.setup.is_interactive {
            let notice = Notice::error(format!("nothing was changed: {access}"));
            let hint = "/fork goes on in a copy, /new in a new session; looking is free";
            return Some(notice.with_hint(hint));
        }
        let path = self.conversation.path().unwrap_or_default();
        let hint = match access {
            Access::Newer(_) => {
                "use the version that wrote it, or a newer one; without -c, -r \
                 and --session this one begins a session of its own"
            }
            Access::Denied(_) => {
                "free space, or correct the rights of the file and of its folder; \
                 --no-session needs no file"
            }
            _ => {
                "wait until it is done, or go on in a copy: `plim export SESSION > COPY.jsonl`, \
                 then `plim --session COPY.jsonl -p …`"
            }
        };
        let text = format!("nothing was sent: {} is {access}", path.display());
        Some(Notice::error(text).with_hint(hint))
    }

    /// Ops that take effect at once, whatever runs.
    async fn handle_anytime(&mut self, op: Op) {
        match op {
            Op::Draft { text, images } => self.count_draft(text, images).await,
            Op::Uncompact => self.uncompact().await,
            Op::Prune { dry_run } => self.prune(dry_run).await,
            Op::Pin(target) => self.decide(EntryOverride::Pin, target).await,
            Op::Restore(target) => self.decide(EntryOverride::Restore, target).await,
            Op::Drop(target) => self.decide(EntryOverride::Drop, target).await,
            Op::Foresee(op) => self.foresee(*op).await,
            Op::ShowWire => self.show_wire().await,
            Op::ShowCompaction(entry) => self.show_compaction(&entry).await,
            Op::SetThinking(level) => self.set_thinking(level).await,
            Op::ListPermissions => self.list_permissions().await,
            Op::Revoke(permission) => self.revoke(&permission).await,
            Op::Settings(op) => self.settings(op).await,
            Op::ListLogins => self.list_logins().await,
            Op::Login { provider, key } => self.login(&provider, key).await,
            Op::Logout(provider) => self.logout(&provider).await,
            Op::KillJob(id) => self.kill_job(id),
            Op::Background => self.send_to_background().await,
            Op::ShowChanges => self.show_changes().await,
            Op::PlanRewind { to, ask } => self.plan_rewind(to, ask).await,
            Op::Export(format) => self.export(format).await,
            Op::ShowCost => self.show_cost().await,
            Op::ListTools => self.list_tools().await,
            Op::ListModels => self.list_models().await,
            Op::ListSessions { all } => self.list_sessions(all).await,
            Op::PeekSession(path) => self.peek_session(path).await,
            Op::RenameSession { path, name } => self.rename_other(path, name).await,
            Op::DiscardSession(path) => self.discard_session(path).await,
            Op::ShowHistory => self.show_history().await,
            Op::Label { target, label } => self.label(target, label).await,
            Op::Rename(name) => self.rename(name).await,
            Op::Remember(text) => self.remember(&text).await,
            Op::ShowNotes => self.show_notes().await,
            _ => {}
        }
    }

    /// Waits for something while ops are read. What is waited for must not borrow the
    /// actor; it is dropped when the user stops it.
    pub async fn wait<T>(&mut self, future: impl Future<Output = T>) -> Result<T, Stop> {
        if let Some(stop) = self.late_stop.take() {
            return Err(stop);
        }
        tokio::pin!(future);
        loop {
            tokio::select! {
                biased;
                op = self.ops.recv() => {
                    let Some(op) = op else { return Err(Stop::Shutdown) };
                    self.handle_busy(op).await?;
                }
                output = &mut future => return Ok(output),
            }
        }
    }

    /// Waits until an answer that was asked for has come.
    pub async fn wait_for_answer(&mut self) -> Result<(), Stop> {
        let Some(op) = self.ops.recv().await else {
            return Err(Stop::Shutdown);
        };
        self.handle_busy(op).await
    }

    /// An op while something runs.
    async fn handle_busy(&mut self, op: Op) -> Result<(), Stop> {
        self.ops_heard += 1;
        let before = self.waiting.len();
        let heard = self.hear(op).await;
        if self.waiting.len() > before {
            self.publish_queue().await;
        }
        heard
    }

    async fn hear(&mut self, op: Op) -> Result<(), Stop> {
        let op = match WaitingCommand::of(op) {
            Ok(command) => {
                self.wait_in_line(WaitingWork::Command(command));
                return Ok(());
            }
            Err(op) => op,
        };
        match op {
            // Who stops something wants nothing sent or run after it.
            Op::Interrupt => {
                self.give_back(|_| true).await;
                return Err(Stop::Interrupted);
            }
            Op::Shutdown => {
                self.is_closing = true;
                return Err(Stop::Shutdown);
            }
            Op::NewSession | Op::Resume(_) | Op::GoTo(_) | Op::Resend { .. } | Op::Fork(_) => {
                self.give_back(|_| true).await;
                self.stopped_for.push_back(op);
                return Err(Stop::Interrupted);
            }
            // What runs may change the very files; what was shown would not be what is done.
            Op::Rewind(_) => {
                let notice = Notice::warning("nothing was taken back: something is running");
                self.notice(notice.with_hint("stop it with esc, or wait; then /rewind again"))
                    .await;
            }
            Op::Undo(undo) => self.undo_while_busy(undo).await,
            Op::Submit { text, images, when } => {
                // The text has left the composer.
                self.draft = None;
                self.wait_in_line(WaitingWork::Message { text, images, when });
            }
            Op::Unqueue { id } => self.give_back(|it| it == id).await,
            Op::Approve { id, decision } => self.approval_answer = Some((id, decision)),
            Op::FitMessage { id, choice } => self.oversize_answer = Some((id, choice)),
            Op::Review(ReviewDecision::Cancel) if self.is_summarising => {
                self.give_back(|_| true).await;
                return Err(Stop::Interrupted);
            }
            Op::Review(ReviewDecision::StopRetry) => {
                if let Some(is_stopped) = &mut self.retry_stopped {
                    *is_stopped = true;
                    return Err(Stop::Interrupted);
                }
            }
            Op::Review(decision) => {
                // Who cancels wants nothing sent or run after it.
                if decision == ReviewDecision::Cancel {
                    self.give_back(|_| true).await;
                }
                self.review_answer = Some(decision);
            }
            Op::SetModel(model) => self.set_model_later(model).await,
            // What the model is told has to wait until its calls are answered.
            Op::SetPlanMode(on) => self.set_plan_mode(on).await,
            other => self.handle_anytime(other).await,
        }
        Ok(())
    }

    /// Another model answers the next request, unless the conversation has to be
    /// summarised first: then the running turn ends with the old one.
    async fn set_model_later(&mut self, model: ModelRef) {
        // The newest choice is the one that counts.
        if self.waiting.forget_models() {
            self.publish_queue().await;
        }
        if model == self.helm.model.model {
            return;
        }
        if self.misfit(&model).is_none() {
            return self.choose_model(model).await;
        }
        let text = format!(
            "{model} answers after this turn: the conversation has to be summarised for its window first"
        );
        self.notice(Notice::info(text)).await;
        self.wait_in_line(WaitingWork::Command(WaitingCommand::SetModel(model)));
    }

    /// Puts something in line. While something runs, it is seen there and can be taken back.
    pub fn wait_in_line(&mut self, work: WaitingWork) {
        let id = self.fresh_id();
        self.waiting.push(WaitingInput { id, work });
    }

    /// Gives what waits back to where it came from.
    pub async fn give_back(&mut self, is_wanted: impl Fn(u64) -> bool) {
        self.give_back_after(Vec::new(), is_wanted).await;
    }

    /// Gives back inputs whose turn had come, and after them what waits.
    pub async fn give_back_after(
        &mut self,
        mut returned: Vec<ReturnedInput>,
        is_wanted: impl Fn(u64) -> bool,
    ) {
        let waited = self.waiting.take_back(is_wanted);
        if !waited.is_empty() {
            self.publish_queue().await;
        }
        returned.extend(waited);
        if !returned.is_empty() {
            self.emit(AgentEvent::InputReturned(returned)).await;
        }
    }

    pub async fn publish_queue(&mut self) {
        let shown = self.waiting.shown();
        self.emit(AgentEvent::Queued(shown)).await;
    }

    /// Does what is next in line, now that nothing runs.
    pub async fn go_on_in_line(&mut self) {
        // What was asked meanwhile comes first: it may be that nothing is to go on.
        while let Ok(op) = self.ops.try_recv() {
            if self.handle_busy(op).await.is_err() {
                return;
            }
        }
        let Some(next) = self.waiting.pop() else {
            return;
        };
        self.publish_queue().await;
        match next.work {
            WaitingWork::Message { text, images, .. } => self.submit(text, images).await,
            WaitingWork::Command(WaitingCommand::SetModel(model)) => {
                self.handle(Op::SetModel(model.clone())).await;
                // What follows was meant for that model.
                if self.helm.model.model != model {
                    self.give_back(|_| true).await;
                }
            }
            WaitingWork::Command(command) => self.handle(command.into_op()).await,
        }
    }

    /// What stands in the composer counts as pending input, with what is attached to it.
    async fn count_draft(&mut self, text: String, images: Vec<Image>) {
        let is_empty = text.trim().is_empty() && images.is_empty();
        let draft = (!is_empty).then(|| Arc::new(Message::user_parts(text, images)));
        if draft != self.draft {
            self.want_ruler();
            self.draft = draft;
            self.publish_view().await;
        }
    }
}
