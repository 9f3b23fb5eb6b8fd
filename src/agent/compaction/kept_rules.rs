//! The person's standing rules across a compaction: what carries each of them into the next
//! request, and how many of them are there.

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::CompactionMaterial;
use crate::context::{Category, ContextView};
use crate::engine::summary::{RuleCarrier, RuleDemand, under_aliases};
use crate::transcript::{Compaction, CompactionDetails, EntryBody};

impl CompactionRun<'_> {
    /// The active rules, each with what carries it when a summary that says nothing takes the
    /// place of what is replaced.
    pub(super) fn rule_demands(&mut self, material: &CompactionMaterial) -> Vec<RuleDemand> {
        let rules = material.view.rules.active_texts();
        if rules.is_empty() {
            return Vec::new();
        }
        let silent = Compaction {
            summary: String::new(),
            first_kept: material.plan.first_kept.clone(),
            tokens_before: material.view.estimated_tokens(),
            details: CompactionDetails::default(),
            from_hook: false,
        };
        let body = EntryBody::Compaction(Box::new(silent));
        let after = CarriedTexts::of(&self.agent.thread.preview(body));
        rules
            .into_iter()
            .map(|text| RuleDemand {
                carrier: after.carrier_of(&text),
                text,
            })
            .collect()
    }
}

/// The texts of a request in which a rule counts, with single spaces.
struct CarriedTexts {
    block: String,
    messages: String,
}

impl CarriedTexts {
    fn of(view: &ContextView) -> Self {
        let texts = |category: Category| {
            let items = view.items.iter().filter(|item| item.category == category);
            let sent = items.filter_map(|item| item.sent.as_ref());
            let texts: Vec<String> = sent.map(|message| single_spaced(&message.text())).collect();
            texts.join("\n")
        };
        Self {
            block: texts(Category::Rules),
            messages: texts(Category::User),
        }
    }

    fn carrier_of(&self, rule: &str) -> RuleCarrier {
        if self.block.contains(rule) {
            RuleCarrier::Block
        } else if self.messages.contains(rule) {
            RuleCarrier::Kept
        } else {
            RuleCarrier::Summary
        }
    }
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Counts the rules that the next request has without what code put into the summary.
pub(super) fn count_rules(compaction: &mut Compaction, draft: &SummaryDraft, after: &ContextView) {
    let rules = &draft.job.kept.rules;
    if rules.is_empty() {
        return;
    }
    let after = CarriedTexts::of(after);
    let written = single_spaced(&draft.result.written.text);
    let (mut found, mut in_block) = (0, 0);
    for rule in rules {
        // Messages that stay say it as it is, everything else under the aliases.
        let text = under_aliases(&rule.text, &compaction.details.aliases);
        let carrier = match after.carrier_of(&text) {
            RuleCarrier::Summary => after.carrier_of(&rule.text),
            carrier => carrier,
        };
        in_block += u64::from(carrier == RuleCarrier::Block);
        found += u64::from(carrier != RuleCarrier::Summary || written.contains(&text));
    }
    let check = &mut compaction.details.check;
    check.rules_in_block = in_block;
    if let Some(audit) = &mut check.audit {
        audit.rules_total = rules.len() as u64;
        audit.rules_found = found;
    }
}
