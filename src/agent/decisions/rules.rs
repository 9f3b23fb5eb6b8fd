//! What a person wants of a standing rule: strike it, bring it back, confirm, reword or add
//! one. What cannot be done is said with the reason, and leaves nothing in the log.

use crate::agent::compaction::material::tokens_change;
use crate::agent::decisions::ContextActs;
use crate::agent::protocol::{
    ContextEvent, Notice, QueryId, QueryReply, RuleAct, RuleList, RuleListing,
};
use crate::context::rules::{MAX_RULE_CHARS, Rule, RuleState};
use crate::session::Durability;
use crate::transcript::{Decision, EntryBody, RuleChange, RuleId, similar_names};

/// Rules that are named where the beginning of an id fits several.
const MAX_NAMED: usize = 3;

impl ContextActs<'_> {
    /// Lists the rules of the view.
    pub(in crate::agent) async fn list_rules(&mut self, to: Option<QueryId>) {
        let list = RuleList::of(&self.agent.thread.current_view());
        let reply = QueryReply::Rules(Box::new(list));
        self.agent.events.reply(to, reply).await;
    }

    /// Carries out an act on a rule, when that changes something.
    pub(in crate::agent) async fn change_rule(&mut self, act: RuleAct) {
        let before = self.agent.thread.current_view();
        let rules = RuleList::of(&before).rules;
        let act = match allowed(&rules, act) {
            Ok(act) => act,
            Err(notice) => {
                self.agent.events.notice(notice).await;
                return;
            }
        };
        let what = act.done();
        let decision = Decision::Rule {
            rule: act.rule.clone(),
            change: act.change,
        };
        let body = EntryBody::Decision(decision);
        let foreseen = RuleList::of(&self.agent.thread.preview(body.clone())).rules;
        if changed(&rules, &foreseen, &act.rule).is_none() {
            let notice = Notice::error("not possible: that would change no rule");
            let notice = notice.with_hint("/rules shows the state of each rule");
            self.agent.events.notice(notice).await;
            return;
        }
        self.agent.thread.append(body, Durability::Flush).await;
        let after = self.agent.thread.current_view();
        let now = RuleList::of(&after).rules;
        if let Some(rule) = changed(&rules, &now, &act.rule) {
            let rule = Box::new(rule.clone());
            let event = ContextEvent::RuleChanged {
                what,
                rule,
                tokens_change: tokens_change(&before, &after),
            };
            self.agent.events.emit(event).await;
        }
        self.agent.thread.publish_view().await;
    }
}

/// The rule that an act changed: the one that it names, or the one that says the same.
fn changed<'a>(
    before: &[RuleListing],
    after: &'a [RuleListing],
    named: &RuleId,
) -> Option<&'a RuleListing> {
    let is_new = |now: &&RuleListing| {
        let rule = &now.standing.rule;
        !before.iter().any(|it| it.standing.rule == *rule)
    };
    let mut new: Vec<&RuleListing> = after.iter().filter(is_new).collect();
    new.sort_by_key(|it| it.standing.rule.id != *named);
    new.first().copied()
}

/// The act with the whole id of its rule; or why it is not done.
fn allowed(rules: &[RuleListing], act: RuleAct) -> Result<RuleAct, Notice> {
    if let RuleChange::Reword(text) | RuleChange::Add(text) = &act.change {
        may_say(text)?;
    }
    if let RuleChange::Add(text) = &act.change {
        let known = rules.iter().map(|it| &it.standing.rule);
        let mut same = known.filter(|rule| rule.text == *text);
        return match same.next() {
            None => Ok(act),
            // The same words again mean that it holds.
            Some(rule) => may_change(rule, &RuleChange::Confirm)
                .or_else(|refused| match rule.state {
                    RuleState::Struck | RuleState::Superseded => Ok(RuleChange::BringBack),
                    RuleState::Active | RuleState::Possible => Err(refused),
                })
                .map(|change| RuleAct::on(rule.id.as_str(), change)),
        };
    }
    let rule = found(rules, &act.rule)?;
    let change = may_change(rule, &act.change)?;
    Ok(RuleAct::on(rule.id.as_str(), change))
}

/// Whether a rule may have this text.
fn may_say(text: &str) -> Result<(), Notice> {
    let count = text.chars().count();
    if text.trim().is_empty() {
        return Err(Notice::error("not possible: a rule needs a text"));
    }
    if count > MAX_RULE_CHARS {
        let text = format!(
            "not possible: a rule has at most {MAX_RULE_CHARS} characters, this text has {count}"
        );
        return Err(Notice::error(text).with_hint("shorten it, or split it into two rules"));
    }
    Ok(())
}

/// The rule of an id, or of the beginning of one.
fn found<'a>(rules: &'a [RuleListing], id: &RuleId) -> Result<&'a Rule, Notice> {
    let known = || rules.iter().map(|it| it.standing.rule.as_ref());
    if let Some(rule) = known().find(|rule| rule.id == *id) {
        return Ok(rule);
    }
    let wanted = id.as_str();
    let begins = |rule: &&Rule| !wanted.is_empty() && rule.id.as_str().starts_with(wanted);
    let beginning: Vec<&Rule> = known().filter(begins).collect();
    match beginning.as_slice() {
        [rule] => Ok(rule),
        [] => {
            let notice = Notice::error(format!("not possible: no rule {wanted}"));
            let ids = known().map(|rule| rule.id.as_str());
            let nearest = similar_names(wanted, ids, 1).first().copied();
            let nearest = nearest.and_then(|near| known().find(|it| it.id.as_str() == near));
            Err(match nearest {
                Some(rule) => notice.with_hint(format!("did you mean {}: {}", rule.id, rule.text)),
                None => notice.with_hint("/rules lists them with their ids"),
            })
        }
        several => {
            let named: Vec<&str> = several.iter().map(|rule| rule.id.as_str()).collect();
            let named = named.get(..MAX_NAMED.min(named.len())).unwrap_or_default();
            let text = format!(
                "not possible: {wanted} is ambiguous: the ids of {} rules begin \
                with it",
                several.len()
            );
            let hint = format!("type more of the id: {} …", named.join(", "));
            Err(Notice::error(text).with_hint(hint))
        }
    }
}

/// Whether a change makes a difference to a rule as it stands.
fn may_change(rule: &Rule, change: &RuleChange) -> Result<RuleChange, Notice> {
    let already = |what: &str| {
        let text = format!("{} {what}; nothing was changed", rule.id);
        Err(Notice::info(text))
    };
    match (change, rule.state) {
        (RuleChange::Strike, RuleState::Struck) => already("is already struck"),
        (RuleChange::Strike, RuleState::Superseded) => already("is already replaced"),
        (RuleChange::BringBack, RuleState::Active) => already("is already active"),
        (RuleChange::BringBack, RuleState::Possible) => {
            let text = format!(
                "not possible: {} was never struck; it is a possible rule",
                rule.id
            );
            Err(Notice::error(text).with_hint("confirm it instead: /rules confirm ID"))
        }
        (RuleChange::Confirm, RuleState::Active) if rule.is_confirmed => already(
            "is already \
            confirmed",
        ),
        (
            RuleChange::Confirm | RuleChange::Reword(_),
            RuleState::Struck | RuleState::Superseded,
        ) => {
            let text = format!("not possible: {} is not active: {}", rule.id, rule.reason);
            Err(Notice::error(text).with_hint("restore it first: /rules restore ID"))
        }
        (RuleChange::Reword(text), _) if text.trim() == rule.text => already(
            "already has this \
            text",
        ),
        _ => Ok(change.clone()),
    }
}
