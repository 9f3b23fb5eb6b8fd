//! What providers count: it teaches the ruler, in the session's log and, for later
//! sessions, in a file of its own.

use super::actor::Actor;
use super::call::Outcome;
use super::event::{AgentEvent, Notice};
use crate::context::{ContextView, is_believable_count};
use crate::provider::ProviderError;
use crate::session::Durability;
use crate::transcript::{EntryBody, ModelRef, Overlay, Usage, UsageSample};

/// The sample of a request that carries this view, before anybody counted it.
pub(super) fn unmeasured(view: &ContextView, model: ModelRef) -> UsageSample {
    UsageSample {
        provider: model.provider,
        model: model.model,
        ruler: view.ruler.name.to_owned(),
        estimate_tokens: view.items.iter().map(|item| item.estimate_tokens).sum(),
        actual_tokens: 0,
        refused: false,
    }
}

/// What the server did to the prompt that it was sent.
fn shortened(cut_tokens: u64) -> String {
    match cut_tokens {
        0 => "the server read its own summary in place of what came before it".to_owned(),
        cut => {
            format!("the server left out {cut} tokens of old tool results, as context.server says")
        }
    }
}

impl Actor {
    /// Takes what the provider counted: usage with an answer, or the size that a refusal
    /// names, which then stands in the place of the estimate.
    pub(super) async fn calibrate(&mut self, outcome: &Outcome, mut sample: UsageSample) {
        match outcome {
            Outcome::Answered(answer) => {
                let Some(usage) = answer.usage.filter(Usage::is_reported) else {
                    return;
                };
                if let Some(sent) = usage.sent_tokens() {
                    sample.actual_tokens = sent;
                    self.keep_sample(sample, Durability::Buffered).await;
                }
                self.spend(usage).await;
                if let Some(cut) = usage.server_cut_tokens {
                    self.notice(Notice::info(shortened(cut))).await;
                }
            }
            Outcome::Failed(
                ProviderError::ContextOverflow {
                    requested_tokens: Some(counted),
                    prompt_tokens,
                    ..
                },
                _,
            ) if is_believable_count(sample.estimate_tokens, prompt_tokens.unwrap_or(*counted)) => {
                sample.actual_tokens = prompt_tokens.unwrap_or(*counted);
                sample.refused = true;
                self.keep_sample(sample, Durability::Flush).await;
                self.publish_view().await;
            }
            // What came of an answer was paid for, but its count may not be the last one.
            Outcome::Failed(_, Some(partial)) | Outcome::Stopped(_, Some(partial)) => {
                if let Some(usage) = partial.usage.filter(Usage::is_reported) {
                    self.spend(usage).await;
                }
            }
            Outcome::Failed(_, None) | Outcome::Stopped(_, None) => {}
        }
    }

    /// Adds to what the session has used.
    async fn spend(&mut self, request: Usage) {
        self.usage = self.usage.plus(request);
        self.bill.spend(request.cost_usd.unwrap_or(0.0));
        let session = self.usage;
        self.emit(AgentEvent::Usage { request, session }).await;
    }

    async fn keep_sample(&mut self, sample: UsageSample, durability: Durability) {
        self.setup.remember(&sample, self.conversation.id());
        self.append(EntryBody::Overlay(Overlay::Calibration(sample)), durability)
            .await;
    }
}
