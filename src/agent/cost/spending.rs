//! Books what requests cost, and asks the limit on costs.

use crate::agent::actor::Actor;
use crate::agent::cost::limit::{CostLimit, estimated_usage};
use crate::agent::protocol::TurnEnd;
use crate::agent::turn::answer::Answer;
use crate::agent::turn::failure::failure;
use crate::session::Durability;
use crate::transcript::{EntryBody, Usage};

impl Actor {
    /// Records what was spent and is in no entry, once it is known that no entry
    /// will have it: a summary that is being prepared may still be put in.
    pub(crate) async fn settle_bill(&mut self) {
        if self.compactor.background.is_some() {
            return;
        }
        for expense in self.costs.bill.take() {
            self.costs.usage = self.costs.usage.plus(expense.usage);
            let body = EntryBody::Expense(expense);
            self.thread.append(body, Durability::Buffered).await;
        }
    }
}

impl Actor {
    /// The limit on cost: on a screen for the whole session, else for this run.
    pub(crate) fn cost_limit(&self) -> CostLimit {
        // Sub-agents share the limit of the person's session.
        if let Some(role) = &self.setup.child {
            return role.limit.clone();
        }
        let is_of_session = self.setup.is_interactive;
        CostLimit {
            max_usd: self.setup.settings.agent.limits.max_cost_usd,
            from_usd: if is_of_session {
                0.0
            } else {
                self.costs.spent_before_usd
            },
            is_of_session,
            bill: self.costs.bill.clone(),
        }
    }

    /// The end of a turn whose next request may not be paid.
    pub(crate) fn unpayable(&self, text: &str) -> Option<TurnEnd> {
        let refusal = self.cost_limit().refusal(&self.model.connection.model)?;
        let (kind, code) = (refusal.kind(), refusal.exit_code());
        Some(failure(refusal.notice(), kind, code, text))
    }

    /// An answer that is not whole and that nobody counted was paid for all the same: what
    /// it is estimated to have used.
    pub(crate) fn uncounted_usage(&self, answer: &Answer) -> Option<Usage> {
        if answer.usage().is_some() || !answer.has_content() {
            return None;
        }
        let ruler = self.thread.current_ruler();
        let count = |text: &str| ruler.text_tokens(text);
        let model = &self.model.connection.model;
        Some(estimated_usage(
            model,
            self.thread.asked_tokens,
            answer,
            count,
        ))
    }
}
