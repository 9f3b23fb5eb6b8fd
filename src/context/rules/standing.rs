//! Which rules the next request holds, and the block of those whose message is out of the
//! window.

use std::cmp::Reverse;
use std::sync::Arc;

use super::{Rule, RuleState};
use crate::transcript::EntryId;

/// The block takes at most this many tokens,
const MAX_BLOCK_TOKENS: u64 = 1_500;
/// or this share of the window, whichever is less.
const BLOCK_SHARE: f64 = 0.05;
/// Of a full block, the share for the lines that name what does not fit.
const ADDRESS_SHARE: f64 = 0.2;
/// Tokens that a line with an address takes, at most.
const ADDRESS_TOKENS: u64 = 24;

/// Tokens of the fence and of the message that holds it, about.
const FRAME_TOKENS: u64 = 12;

const OPENING: &str = "<user_rules>\n";
const CLOSING: &str = "</user_rules>";

/// Where the request holds a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulePlace {
    /// In the message that says it, word for word.
    InWindow,
    /// In the block after the summary.
    InBlock,
    /// Nowhere: the block is full, and only names its message.
    NotFitting,
    /// Nowhere: it does not count.
    NotActive,
}

impl RulePlace {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::InWindow => "in_window",
            Self::InBlock => "in_block",
            Self::NotFitting => "not_fitting",
            Self::NotActive => "not_active",
        }
    }
}

/// A rule and its place in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleStanding {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The ruler's estimate of its line in the block.
    pub tokens: u64,
    /// Its place.
    pub place: RulePlace,
}

/// The rules of a view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesReport {
    /// All rules of the branch, oldest first.
    pub rules: Arc<[RuleStanding]>,
    /// The most that the block may take, in tokens by estimate.
    pub budget_tokens: u64,
}

impl RulesReport {
    /// The rules that count, oldest first.
    pub fn active(&self) -> impl Iterator<Item = &RuleStanding> {
        self.rules
            .iter()
            .filter(|standing| standing.rule.state == RuleState::Active)
    }

    /// The words of the rules that count, oldest first: what a summary has to keep.
    pub fn active_texts(&self) -> Vec<String> {
        self.active().map(|it| it.rule.text.clone()).collect()
    }

    /// The words of possible rules of these entries, oldest first: what a summary may keep.
    pub fn possible_texts(&self, is_counted: impl Fn(&EntryId) -> bool) -> Vec<String> {
        let rules = self.rules.iter().map(|it| &it.rule);
        let possible = rules.filter(|it| it.state == RuleState::Possible);
        let counted = possible.filter(|it| is_counted(&it.source));
        counted.map(|it| it.text.clone()).collect()
    }

    /// How many rules the block holds.
    pub fn in_block(&self) -> usize {
        self.count(RulePlace::InBlock)
    }

    /// How many rules have this place.
    pub fn count(&self, place: RulePlace) -> usize {
        self.rules.iter().filter(|it| it.place == place).count()
    }

    /// Tokens by estimate that the block grows by when the messages of these entries leave
    /// the window.
    pub fn tokens_leaving(&self, is_leaving: impl Fn(&EntryId) -> bool) -> u64 {
        let in_block = self.tokens_at(RulePlace::InBlock, |_| true);
        let leaving = self.tokens_at(RulePlace::InWindow, is_leaving);
        let frame = match (in_block, leaving) {
            (0, 1..) => FRAME_TOKENS,
            _ => 0,
        };
        (leaving + frame).min(self.budget_tokens.saturating_sub(in_block))
    }

    fn tokens_at(&self, place: RulePlace, is_counted: impl Fn(&EntryId) -> bool) -> u64 {
        let rules = self.rules.iter().filter(|it| it.place == place);
        rules
            .filter(|it| is_counted(&it.rule.source))
            .map(|it| it.tokens)
            .sum()
    }
}

/// A message of the branch that says a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::context) struct SaidIn {
    pub entry: EntryId,
    /// Its position on the branch.
    pub position: usize,
}

/// A rule of a branch, with the messages that say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::context) struct SaidRule {
    pub rule: Arc<Rule>,
    /// Messages that say it in its words, oldest first; none of a rule that was reworded or
    /// added by hand.
    pub messages: Vec<SaidIn>,
    /// The position of the decision that dropped all of these messages.
    pub ended_at: Option<usize>,
}

/// The block that stands for rules whose message is out of the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::context) struct RulesBlock {
    /// What is sent; `None` when every rule that counts is in the window.
    pub text: Option<String>,
    /// All rules with their places.
    pub rules: Vec<RuleStanding>,
}

/// The most that the block may take in a window of so many tokens (`None`: unknown).
pub(in crate::context) fn block_budget(window_tokens: Option<u64>) -> u64 {
    let share = window_tokens.map(|tokens| (tokens as f64 * BLOCK_SHARE) as u64);
    share.unwrap_or(MAX_BLOCK_TOKENS).min(MAX_BLOCK_TOKENS)
}

/// Places rules in the window, in the block, or beside it when that is full. `place_of` says at
/// the end of a line where a rule is found that has no room.
pub(in crate::context) fn rules_block(
    said: &[SaidRule],
    holds: impl Fn(&SaidIn, &str) -> bool,
    line_tokens: impl Fn(&str) -> u64,
    budget_tokens: u64,
    place_of: impl Fn(&SaidRule) -> String,
) -> RulesBlock {
    let standing = |said: &SaidRule| standing(said, &holds, line_tokens(&said.rule.text));
    let mut rules: Vec<RuleStanding> = said.iter().map(standing).collect();
    fit(&mut rules, budget_tokens);
    RulesBlock {
        text: block_text(said, &rules, budget_tokens, place_of),
        rules,
    }
}

/// A rule in the window, or else in a block that has room.
pub(in crate::context) fn standing(
    said: &SaidRule,
    holds: impl Fn(&SaidIn, &str) -> bool,
    tokens: u64,
) -> RuleStanding {
    let place = if said.rule.state != RuleState::Active {
        RulePlace::NotActive
    } else if said.messages.iter().any(|it| holds(it, &said.rule.text)) {
        RulePlace::InWindow
    } else {
        RulePlace::InBlock
    };
    RuleStanding {
        rule: Arc::clone(&said.rule),
        tokens,
        place,
    }
}

/// Takes rules out of the block until it fits: the least used first, of these the newest;
/// those that the person confirmed after all others.
fn fit(rules: &mut [RuleStanding], budget_tokens: u64) {
    let is_in_block = |it: &RuleStanding| it.place == RulePlace::InBlock;
    let lines = rules
        .iter()
        .filter(|it| is_in_block(it))
        .map(|it| it.tokens);
    let mut tokens = lines.sum::<u64>() + FRAME_TOKENS;
    if tokens <= budget_tokens {
        return;
    }
    let room = budget_tokens - (budget_tokens as f64 * ADDRESS_SHARE) as u64;
    let mut leaving: Vec<usize> = (0..rules.len())
        .filter(|&at| is_in_block(&rules[at]))
        .collect();
    leaving.sort_by_key(|&at| {
        let rule = &rules[at].rule;
        (rule.is_confirmed, rule.uses, Reverse(at))
    });
    for at in leaving {
        if tokens <= room {
            break;
        }
        tokens -= rules[at].tokens;
        rules[at].place = RulePlace::NotFitting;
    }
}

/// The block: rules in order of age, then the addresses of those that do not fit.
fn block_text(
    said: &[SaidRule],
    rules: &[RuleStanding],
    budget_tokens: u64,
    place_of: impl Fn(&SaidRule) -> String,
) -> Option<String> {
    let placed = |place| {
        let rules = said.iter().zip(rules);
        rules.filter(move |(_, it)| it.place == place)
    };
    let mut lines: Vec<String> = placed(RulePlace::InBlock)
        .map(|(_, it)| rule_line(&it.rule.text))
        .collect();
    let left: Vec<&SaidRule> = placed(RulePlace::NotFitting)
        .map(|(said, _)| said)
        .collect();
    let most = (budget_tokens as f64 * ADDRESS_SHARE) as u64 / ADDRESS_TOKENS;
    let named = left.len().min(most as usize);
    let addresses = left.iter().take(named);
    lines.extend(addresses.map(|said| format!("[one more rule{}]\n", place_of(said))));
    if left.len() > named {
        lines.push(format!(
            "[{} more rules have no room here]\n",
            left.len() - named
        ));
    }
    if lines.is_empty() {
        return None;
    }
    Some(format!("{OPENING}{}{CLOSING}", lines.concat()))
}

/// A rule as a line of the block.
pub(in crate::context) fn rule_line(text: &str) -> String {
    format!("- {text}\n")
}
