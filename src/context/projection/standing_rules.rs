//! The standing rules of the branch: which of them the window holds, and the block of those
//! whose message it does not hold any more.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::plan::BranchPlan;
use super::{Projection, item};
use crate::context::identifiers::under_aliases;
use crate::context::recall::RecallAddress;
use crate::context::rules::{
    RulePlace, RuleReader, RuleStanding, RulesReport, SaidIn, SaidRule, rule_line, rules_block,
    standing,
};
use crate::context::view::{Category, ViewItem};
use crate::transcript::{
    Entry, EntryId, EntryOverride, Message, Part, Transcript, UserMessage, plural,
};

/// See the module's description.
#[derive(Default)]
pub(super) struct StandingRules {
    pub reader: RuleReader,
    /// The rules with their places.
    pub report: RulesReport,
    /// Tokens of the lines of a block, by the words of the rule.
    line_tokens: HashMap<String, u64>,
    /// Rules in the report that the reader gave.
    reported: usize,
}

/// Rules with their places, and the item of the block.
#[derive(Default)]
pub(super) struct PlacedRules {
    pub block: Option<ViewItem>,
    pub report: RulesReport,
}

impl Projection {
    /// The rules of the branch with their places in the view.
    pub(in crate::context) fn rules(&self) -> &RulesReport {
        &self.rules.report
    }

    /// Puts the block in its place after the summary.
    pub(super) fn open_with_rules(&mut self, branch: &[Arc<Entry>]) {
        self.rules.reader.read(branch);
        let Some(text) = self.place_rules() else {
            return;
        };
        let block = self.block_item(&text, branch, self.rules.report.in_block());
        self.settled.push(block);
    }

    fn block_item(&self, text: &str, branch: &[Arc<Entry>], count: usize) -> ViewItem {
        let text = under_aliases(text, self.plan.aliases(branch));
        let why = format!(
            "{} of yours from messages outside the window",
            plural(count as u64, "rule")
        );
        let mut block = item::synthetic_user(&text, self.measurer.ruler(), 0, &why);
        block.category = Category::Rules;
        block
    }

    /// The rules, with those in the block whose messages are among `left`.
    pub(super) fn rules_without(
        &self,
        left: &HashSet<EntryId>,
        transcript: &Transcript,
    ) -> PlacedRules {
        let said = self.rules.reader.said();
        if said.is_empty() {
            return PlacedRules::default();
        }
        let lines = &self.rules.line_tokens;
        let budget_tokens = self.frame.rules_tokens;
        let placed = rules_block(
            said,
            |it, text| !left.contains(&it.entry) && holds(&self.plan, it, text),
            |text| lines.get(text).copied().unwrap_or_default(),
            budget_tokens,
            |said| place_of(said, self.frame.can_recall),
        );
        let report = RulesReport {
            rules: Arc::from(placed.rules),
            budget_tokens,
        };
        let block = placed.text.map(|text| {
            let branch = transcript.branch();
            self.block_item(&text, &branch, report.in_block())
        });
        PlacedRules { block, report }
    }

    /// Brings the report up to date with a message that says nothing of older rules.
    pub(super) fn note_new_rules(&mut self) {
        let rules = &mut self.rules;
        let said = rules.reader.said();
        let new = said.get(rules.reported..).unwrap_or_default();
        if new.is_empty() {
            return;
        }
        let (plan, counter) = (&self.plan, self.measurer.ruler());
        let placed: Vec<RuleStanding> = new
            .iter()
            .map(|said| {
                let tokens = counter.text_tokens(&rule_line(&said.rule.text));
                rules.line_tokens.insert(said.rule.text.clone(), tokens);
                standing(said, |it, text| holds(plan, it, text), tokens)
            })
            .collect();
        if placed.iter().any(|it| it.place == RulePlace::InBlock) {
            self.place_rules();
            return;
        }
        rules.reported = said.len();
        let known = rules.report.rules.iter().cloned();
        rules.report = RulesReport {
            rules: known.chain(placed).collect(),
            budget_tokens: self.frame.rules_tokens,
        };
    }

    /// Places the rules; gives the block.
    fn place_rules(&mut self) -> Option<String> {
        let rules = &mut self.rules;
        let said = rules.reader.said();
        rules.reported = said.len();
        let budget_tokens = self.frame.rules_tokens;
        if said.is_empty() {
            rules.report = RulesReport::default();
            return None;
        }
        let (plan, counter) = (&self.plan, self.measurer.ruler());
        for said in said {
            if !rules.line_tokens.contains_key(&said.rule.text) {
                let tokens = counter.text_tokens(&rule_line(&said.rule.text));
                rules.line_tokens.insert(said.rule.text.clone(), tokens);
            }
        }
        let tokens = |text: &str| rules.line_tokens.get(text).copied().unwrap_or_default();
        let block = rules_block(
            said,
            |it, text| holds(plan, it, text),
            tokens,
            budget_tokens,
            |said| place_of(said, self.frame.can_recall),
        );
        rules.report = RulesReport {
            rules: Arc::from(block.rules),
            budget_tokens,
        };
        block.text
    }
}

/// Where the model finds a rule that has no room: by its address, or by the name of its message
/// where it has no tool to ask with.
fn place_of(said: &SaidRule, can_recall: bool) -> String {
    match said.messages.last().filter(|_| can_recall) {
        Some(newest) => format!(" · recall {}", RecallAddress::at(newest.position)),
        None => format!(": see message {}", said.rule.source),
    }
}

/// Whether the view holds these words of a message.
fn holds(plan: &BranchPlan, said: &SaidIn, text: &str) -> bool {
    let SaidIn { entry, position } = said;
    if plan.undone.contains(entry)
        || plan.replayed.contains_key(entry)
        || plan.override_of(entry) == Some(EntryOverride::Drop)
    {
        return false;
    }
    let is_summarized = plan.compaction.as_ref().is_some_and(|active| {
        *position < active.keep_from
            && active.split_ask != Some(*position)
            && !active.kept_asks.contains(entry)
            && !plan.is_kept_anyway(entry)
    });
    if is_summarized {
        return false;
    }
    match plan.edits.get(entry) {
        None => true,
        Some(replacement) => says(replacement.as_deref().unwrap_or_default(), text),
    }
}

/// Whether the text of these parts holds words, whatever the spaces between them.
fn says(parts: &[Part], words: &str) -> bool {
    let sent = Message::User(UserMessage {
        content: parts.to_vec(),
    });
    let sent = sent.text();
    let sent: Vec<&str> = sent.split_whitespace().collect();
    sent.join(" ").contains(words)
}
