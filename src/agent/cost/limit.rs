//! The limit on what may be spent (`max_cost`): asked before every request, for an answer as
//! for a summary. Everything that was paid counts, also what no answer came of; where a
//! provider did not count, an estimate does. Without a price nothing can be limited, so
//! nothing is asked.

use crate::agent::cost::bill::UnloggedCost;
use crate::agent::exit;
use crate::agent::protocol::Notice;
use crate::agent::turn::answer::Answer;
use crate::provider::priced;
use crate::transcript::{ModelInfo, ModelRef, Usage};

/// The provider that is part of the program: nothing is paid for it.
const OFFLINE_PROVIDER: &str = "offline";

/// The limit on cost, and the amount spent.
#[derive(Clone)]
pub(in crate::agent) struct CostLimit {
    pub max_usd: Option<f64>,
    /// Cost before counting began, in US dollars.
    pub from_usd: f64,
    /// One session has it, not one run.
    pub is_of_session: bool,
    pub bill: UnloggedCost,
}

/// Why nothing more is asked.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agent) enum CostRefusal {
    /// So much was spent.
    Reached {
        spent_usd: f64,
        max_usd: f64,
        is_of_session: bool,
    },
    /// Nobody knows what this model costs.
    Unpriced(ModelRef),
}

impl CostLimit {
    /// Why a model may not be asked now.
    pub(crate) fn refusal(&self, model: &ModelInfo) -> Option<CostRefusal> {
        let max_usd = self.max_usd?;
        if model.price.is_none() && model.model.provider != OFFLINE_PROVIDER {
            return Some(CostRefusal::Unpriced(model.model.clone()));
        }
        let spent_usd = self.spent_usd();
        (spent_usd >= max_usd).then_some(CostRefusal::Reached {
            spent_usd,
            max_usd,
            is_of_session: self.is_of_session,
        })
    }

    /// US dollars that count against the limit.
    pub(crate) fn spent_usd(&self) -> f64 {
        self.bill.spent_usd() - self.from_usd
    }
}

impl CostRefusal {
    /// Its name for programs.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Reached { .. } => "max_cost",
            Self::Unpriced(_) => "no_price",
        }
    }

    /// The notice of a reached limit, with the next step.
    pub(crate) fn notice(&self) -> Notice {
        match self {
            Self::Reached {
                spent_usd,
                max_usd,
                is_of_session: true,
            } => Notice::warning(format!(
                "no further requests: this session has cost ${spent_usd:.4}, max_cost is \
                 ${max_usd:.4}"
            ))
            .with_hint(
                "raise max_cost in /settings, or start a new session with /new; /cost lists the \
                 costs",
            ),
            Self::Reached {
                spent_usd, max_usd, ..
            } => Notice::warning(format!(
                "no further requests: this run has cost ${spent_usd:.4}, max_cost is \
                 ${max_usd:.4}"
            ))
            .with_hint("--max-cost sets another limit; `plim cost` lists the costs"),
            Self::Unpriced(model) => Notice::error(format!(
                "max_cost cannot be enforced: the price of {model} is unknown; no request was \
                 sent"
            ))
            .with_hint(format!(
                "add its price in dollars per million tokens to the configuration, under \
                 [providers.{}] the line models = [{{ id = \"{}\", price = {{ input = 3, output \
                 = 15 }} }}] (0 if it is free), or unset max_cost",
                model.provider, model.model
            )),
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Reached { .. } => exit::FAILED,
            Self::Unpriced(_) => exit::CREDENTIALS,
        }
    }
}

/// An estimate of uncounted usage of a request: its prompt, and the part of the answer that
/// arrived.
pub(in crate::agent) fn estimated_usage(
    model: &ModelInfo,
    prompt_tokens: u64,
    answer: &Answer,
    count: impl Fn(&str) -> u64,
) -> Usage {
    let output_tokens = answer.texts().map(count).sum();
    let usage = Usage {
        input_tokens: prompt_tokens,
        output_tokens,
        ..Usage::default()
    };
    priced(usage, model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Price, Purpose};

    fn model(price: Option<Price>) -> ModelInfo {
        ModelInfo {
            price,
            ..ModelInfo::unknown(ModelRef::new("p", "m"))
        }
    }

    fn limit(max_usd: Option<f64>) -> CostLimit {
        CostLimit {
            max_usd,
            from_usd: 0.0,
            is_of_session: true,
            bill: UnloggedCost::default(),
        }
    }

    #[test]
    fn summaries_and_answers_that_came_to_nothing_count_as_answers_do() {
        let limit = limit(Some(1.0));
        let priced = model(Some(Price::default()));
        let paid = |usd| Usage {
            input_tokens: 1,
            cost_usd: Some(usd),
            ..Usage::default()
        };
        assert_eq!(limit.refusal(&priced), None);
        limit.bill.spend(0.4);
        limit
            .bill
            .counted(Purpose::Summary, &priced.model, paid(0.3));
        assert_eq!(limit.refusal(&priced), None);
        limit
            .bill
            .counted(Purpose::Answer, &priced.model, paid(0.3));
        let refusal = limit.refusal(&priced).expect("it is reached");
        assert_eq!(refusal.kind(), "max_cost");
        assert!(
            refusal
                .notice()
                .text
                .contains("this session has cost $1.0000")
        );
        // What an entry takes over is not paid a second time, nor forgotten.
        let _ = limit.bill.take_summaries("p/m");
        assert!((limit.spent_usd() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn without_a_price_there_is_no_limit_and_so_no_request() {
        let unpriced = model(None);
        assert_eq!(limit(None).refusal(&unpriced), None);
        let refusal = limit(Some(5.0)).refusal(&unpriced).expect("refused");
        assert_eq!(refusal.exit_code(), 3);
        let hint = refusal.notice().hint.expect("a way on");
        assert!(
            hint.contains("[providers.p]") && hint.contains("models = [{ id = \"m\", price = {"),
            "{hint}"
        );
        let offline = ModelInfo::unknown(ModelRef::new(OFFLINE_PROVIDER, "demo"));
        assert_eq!(limit(Some(5.0)).refusal(&offline), None);
    }
}
