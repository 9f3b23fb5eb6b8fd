//! Token counts of providers: they teach the ruler, in the session's log and, for later
//! sessions, in a file of its own.

use crate::agent::actor::Actor;
use crate::agent::protocol::{AnswerEvent, Notice};
use crate::agent::turn::outcome::CallOutcome;
use crate::context::ContextView;
use crate::engine::counting::is_believable_refusal;
use crate::provider::ProviderError;
use crate::session::Durability;
use crate::transcript::{EntryBody, Measurement, Message, ModelRef, Usage, UsageSample, grouped};

/// The sample of a request that carries this view, before anybody counted it.
pub(in crate::agent) fn unmeasured(view: &ContextView, model: ModelRef) -> UsageSample {
    UsageSample {
        provider: model.provider,
        model: model.model,
        ruler: view.ruler.name.to_owned(),
        estimate_tokens: view.items.iter().map(|item| item.estimate_tokens).sum(),
        actual_tokens: 0,
        refused: false,
    }
}

/// Says that the server shortened the prompt.
fn shortened(cut_tokens: u64) -> String {
    match cut_tokens {
        0 => "the server used its own summary instead of the older messages".to_owned(),
        cut => {
            format!("the server cleared {cut} tokens of old tool results (context.server)")
        }
    }
}

/// Learns from what providers count and refuse.
pub(in crate::agent) struct UsageLearner<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> UsageLearner<'a> {
    pub(crate) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl UsageLearner<'_> {
    /// Takes what the provider counted: usage with an answer, or the size that a refusal
    /// names, which then replaces the estimate.
    pub(in crate::agent) async fn calibrate(
        &mut self,
        outcome: &CallOutcome,
        mut sample: UsageSample,
    ) {
        match outcome {
            CallOutcome::Answered(answer) => {
                let Some(usage) = answer.usage.filter(Usage::is_reported) else {
                    return;
                };
                if let Some(counted) = usage.believed_tokens() {
                    sample.actual_tokens = counted;
                    self.agent.keep_sample(sample, Durability::Buffered).await;
                }
                self.say_disbelief(usage).await;
                self.spend(usage).await;
                if let Some(cut) = usage.server_cut_tokens {
                    self.agent.events.notice(Notice::info(shortened(cut))).await;
                }
            }
            CallOutcome::Failed(
                ProviderError::ContextOverflow {
                    requested_tokens: Some(counted),
                    prompt_tokens,
                    ..
                },
                _,
            ) if is_believable_refusal(
                sample.estimate_tokens,
                prompt_tokens.unwrap_or(*counted),
            ) =>
            {
                sample.actual_tokens = prompt_tokens.unwrap_or(*counted);
                sample.refused = true;
                self.agent.keep_sample(sample, Durability::Flush).await;
                self.agent.thread.publish_view().await;
            }
            // What came of an answer was paid for, but its count may not be the last one.
            CallOutcome::Failed(_, Some(partial)) | CallOutcome::Stopped(_, Some(partial)) => {
                if let Some(usage) = partial.usage.filter(Usage::is_reported) {
                    self.spend(usage).await;
                }
            }
            CallOutcome::Failed(_, None)
            | CallOutcome::Stopped(_, None)
            | CallOutcome::Outdated => {}
        }
    }

    /// Says of a model's first number in this session that cannot be right why it is not
    /// used. The log remembers that it was said.
    async fn say_disbelief(&self, usage: Usage) {
        let (Some(counted), Some(expected)) = (usage.disbelieved_tokens(), usage.expected) else {
            return;
        };
        let model = &self.agent.model.connection.model.model;
        let entries = self.agent.thread.conversation.transcript().entries().iter();
        let disbelieved = entries.filter(|entry| match entry.message().map(AsRef::as_ref) {
            Some(Message::Assistant(answer)) => {
                let is_its = answer.provider == model.provider && answer.model == model.model;
                let usage = answer.usage.filter(|_| is_its).unwrap_or_default();
                usage.disbelieved_tokens().is_some()
            }
            _ => false,
        });
        if disbelieved.take(2).count() > 1 {
            return;
        }
        let text = format!(
            "{model} reported {} tokens for a request of about {}: implausible, so the gauge \
             shows estimates",
            grouped(counted),
            grouped(expected.tokens)
        );
        let hint = "some servers report only uncached tokens; such reports are not used for \
            calibration (shown once)";
        self.agent
            .events
            .notice(Notice::warning(text).with_hint(hint))
            .await;
    }

    /// Adds to what the session has used.
    async fn spend(&mut self, request: Usage) {
        self.agent.costs.usage = self.agent.costs.usage.plus(request);
        self.agent.costs.bill.spend(request.cost_usd.unwrap_or(0.0));
        let session = self.agent.costs.usage;
        self.agent
            .events
            .emit(AnswerEvent::Usage { request, session })
            .await;
    }
}

impl Actor {
    async fn keep_sample(&mut self, sample: UsageSample, durability: Durability) {
        self.setup.remember(&sample, self.thread.conversation.id());
        self.thread
            .append(
                EntryBody::Measurement(Measurement::Usage(sample)),
                durability,
            )
            .await;
    }
}
