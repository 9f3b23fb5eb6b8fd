//! Calls of one answer that run at the same time: each is approved in its turn, then all begin,
//! and their results are written in the order of the calls.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::agent::children::caller::release_children;
use crate::agent::files::FileActs;
use crate::agent::hooks::CallAdvice;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::AnswerEvent;
use crate::agent::turn::batch::{CallRuling, ToolBatch, add_detail, files_of};
use crate::agent::turn::state::TurnState;
use crate::clock::Stopwatch;
use crate::tool::{Tool, ToolJob, ToolOutcome};
use crate::transcript::{FileCause, ToolCall};

/// A call of the group, as far as it has come.
struct GroupCall<'a> {
    call: &'a ToolCall,
    /// What hooks want of it, when it runs.
    advice: Option<CallAdvice>,
    running: Option<JoinHandle<ToolOutcome>>,
    outcome: Option<(ToolOutcome, Duration)>,
}

/// Something that happened while they run.
enum GroupStep {
    /// The state of a sub-agent changed.
    Changed,
    /// The call at this place has ended.
    Ended(usize, ToolOutcome),
}

impl ToolBatch<'_> {
    /// How many calls at the beginning of these run together.
    pub(super) fn group_len(&self, calls: &[ToolCall]) -> usize {
        let tools = &self.agent.toolbox.tools;
        calls
            .iter()
            .take_while(|call| {
                let tool = tools.get(&call.name);
                tool.is_some_and(|tool| tool.runs_beside_others())
            })
            .count()
    }

    /// Runs calls at the same time; true ends the turn. Their results are in the log when this
    /// returns, also when they were stopped.
    pub(super) async fn run_together(
        &mut self,
        calls: &[ToolCall],
        turn: &mut TurnState,
    ) -> Result<bool, TurnStop> {
        let before = self.agent.children.last_number();
        self.agent.prepare_children(calls);
        let ended = self.run_prepared(calls, turn).await;
        release_children(self.agent, calls, before);
        ended
    }

    /// The same with what sub-agents begin with at hand.
    async fn run_prepared(
        &mut self,
        calls: &[ToolCall],
        turn: &mut TurnState,
    ) -> Result<bool, TurnStop> {
        let mut group: Vec<GroupCall<'_>> = Vec::with_capacity(calls.len());
        let mut ready: Vec<(usize, Arc<dyn Tool>, String)> = Vec::new();
        let mut ends = false;
        for call in calls {
            let advice = self.before_call(call).await?;
            let outcome = match self.rule(&advice, turn).await? {
                CallRuling::Run(tool, plan) => {
                    ready.push((group.len(), tool, plan.title));
                    None
                }
                CallRuling::Answer(outcome) => Some(outcome),
                CallRuling::EndTurn(outcome) => {
                    ends = true;
                    Some(outcome)
                }
            };
            group.push(GroupCall {
                call,
                advice: outcome.is_none().then_some(advice),
                running: None,
                outcome: outcome.map(|it| (it, Duration::ZERO)),
            });
            if ends {
                break;
            }
        }
        let mut stopped = None;
        if ends {
            let why = "not run: the user refused another call of the same answer";
            for call in group.iter_mut().filter(|call| call.outcome.is_none()) {
                let text = format!("`{}` was {why}.", call.call.name);
                call.outcome = Some((ToolOutcome::error(text), Duration::ZERO));
            }
        } else if !ready.is_empty() {
            stopped = self.run_group(&mut group, ready).await;
        }
        self.agent.log_children().await;
        for call in group {
            if let Some((mut outcome, elapsed)) = call.outcome {
                if let Some(advice) = call.advice.filter(|_| stopped.is_none() && !ends) {
                    match self.after_call(advice, &mut outcome).await {
                        Ok(is_end) => ends = is_end,
                        Err(stop) => stopped = Some(stop),
                    }
                }
                self.keep_result(call.call, outcome, elapsed).await;
            }
        }
        match stopped {
            Some(stop) => Err(stop),
            None => Ok(ends),
        }
    }

    async fn run_group(
        &mut self,
        group: &mut [GroupCall<'_>],
        ready: Vec<(usize, Arc<dyn Tool>, String)>,
    ) -> Option<TurnStop> {
        let look = FileActs::of(self.agent).look_before().await;
        let cancel = CancellationToken::new();
        let began = Stopwatch::start();
        for (at, tool, title) in ready {
            let Some(item) = group.get_mut(at) else {
                continue;
            };
            let started = AnswerEvent::ToolStarted {
                call_id: item.call.id.clone(),
                name: item.call.name.clone(),
                title,
            };
            self.agent.events.emit(started).await;
            self.agent.children.reserve(&item.call.id);
            let job = self.group_job(item.call, &cancel);
            let asked = item
                .advice
                .as_ref()
                .map_or(item.call, |advice| &advice.call);
            let arguments = asked.arguments_object();
            item.running = Some(tokio::spawn(async move { tool.run(arguments, job).await }));
        }
        let stopped = self.attend_group(group, &cancel, &began).await;
        if let Some(record) = FileActs::of(self.agent)
            .look_after(look, FileCause::Command)
            .await
        {
            let files = files_of(&record, &self.agent.toolbox.scope.cwd);
            let mut ran = group.iter_mut().filter_map(|it| it.outcome.as_mut());
            if let Some((outcome, _)) = ran.next() {
                add_detail(outcome, "files", files);
            }
        }
        stopped
    }

    /// Nobody listens to what such a call prints, and it changes no file itself.
    fn group_job(&self, call: &ToolCall, cancel: &CancellationToken) -> ToolJob {
        ToolJob {
            call_id: call.id.clone(),
            scope: self.agent.toolbox.scope.clone(),
            progress: mpsc::channel(1).0,
            questions: mpsc::channel(1).0,
            cancel: cancel.clone(),
            detach: CancellationToken::new(),
            notes: mpsc::channel(1).0,
            recall: None,
            target: None,
        }
    }

    /// Waits until all have ended. A stop is handed on, and their ends are waited for.
    async fn attend_group(
        &mut self,
        group: &mut [GroupCall<'_>],
        cancel: &CancellationToken,
        began: &Stopwatch,
    ) -> Option<TurnStop> {
        let mut running: FuturesUnordered<_> = group
            .iter_mut()
            .enumerate()
            .filter_map(|(at, item)| {
                let task = item.running.take()?;
                Some(async move { (at, task.await) })
            })
            .collect();
        let mut changes = self.agent.children.changes();
        let mut outcomes = Vec::new();
        let mut stopped = None;
        while !running.is_empty() {
            let next = async {
                tokio::select! {
                    Some((at, outcome)) = running.next() => {
                        let outcome = outcome.unwrap_or_else(|_| ToolOutcome::error(
                            "The tool failed unexpectedly; its effect is not known.",
                        ));
                        GroupStep::Ended(at, outcome)
                    }
                    _ = changes.changed() => GroupStep::Changed,
                }
            };
            let heard = if stopped.is_some() {
                Ok(next.await)
            } else {
                self.agent.wait(next).await
            };
            match heard {
                Err(stop) => {
                    cancel.cancel();
                    stopped = Some(stop);
                }
                // Who was started is in the log before the program can be killed.
                Ok(GroupStep::Changed) => self.agent.log_children().await,
                Ok(GroupStep::Ended(at, outcome)) => outcomes.push((at, outcome, began.elapsed())),
            }
        }
        drop(running);
        for (at, outcome, elapsed) in outcomes {
            if let Some(item) = group.get_mut(at) {
                item.outcome = Some((outcome, elapsed));
            }
        }
        stopped
    }
}
