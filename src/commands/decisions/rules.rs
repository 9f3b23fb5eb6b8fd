//! `plim rules`: the standing rules of a session with their places, and the user's acts on
//! them. Listing only looks; an act appends one entry, or nothing when it is refused.

use std::fmt::Write as _;

use plimsoll::agent::{
    AgentEvent, ContextEvent, ContextOp, Op, RuleAct, RuleList, RuleListing, SessionSource,
};
use plimsoll::cli::{RulesAct, RulesArgs};
use plimsoll::transcript::{RuleChange, grouped, signed};
use serde_json::{Value, json};

use super::overrides::{decide, refusal};
use crate::commands::output::{CommandResult, put, put_json};
use crate::commands::setup::CommandSetup;
use crate::launch::ExitFailure;

/// Characters of a place or a reason in a row.
const PLACE_CHARS: usize = 26;

/// `plim rules`
pub async fn rules(args: &RulesArgs, at: &CommandSetup<'_>) -> CommandResult {
    let Some(act) = &args.act else {
        let list = RuleList::of(&at.look(&args.session).await?.view());
        if args.json {
            let rules: Vec<Value> = list.rules.iter().map(rule_json).collect();
            return put_json(&json!({"rules": rules, "budget_tokens": list.budget_tokens}));
        }
        return put(&listed(&list));
    };
    match change(act_of(act), args, at).await {
        Ok(done) if args.json => put_json(&done.json()),
        Ok(done) => put(&done.text()),
        Err(failure) => {
            // A program waits for its object, whatever became of it.
            if args.json {
                put_json(&json!({
                    "applied": false,
                    "what": null,
                    "rule": null,
                    "tokens_change": 0,
                    "reason": failure.message,
                }))?;
            }
            Err(failure)
        }
    }
}

fn act_of(act: &RulesAct) -> RuleAct {
    match act {
        RulesAct::Strike { id } => RuleAct::on(id, RuleChange::Strike),
        RulesAct::Restore { id } => RuleAct::on(id, RuleChange::BringBack),
        RulesAct::Confirm { id } => RuleAct::on(id, RuleChange::Confirm),
        RulesAct::Reword { id, text } => RuleAct::on(id, RuleChange::Reword(text.join(" "))),
        RulesAct::Add { text } => RuleAct::add(text.join(" ")),
    }
}

/// An act that took effect.
struct AppliedAct {
    what: &'static str,
    rule: Box<RuleListing>,
    tokens_change: i64,
}

async fn change(
    act: RuleAct,
    args: &RulesArgs,
    at: &CommandSetup<'_>,
) -> Result<AppliedAct, ExitFailure> {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let op = Op::Context(ContextOp::Rule(act));
    let events = decide(op, SessionSource::Open(path), at).await?;
    let applied = events.iter().find_map(|event| {
        if let AgentEvent::Context(ContextEvent::RuleChanged {
            what,
            rule,
            tokens_change,
        }) = event
        {
            Some(AppliedAct {
                what,
                rule: rule.clone(),
                tokens_change: *tokens_change,
            })
        } else {
            None
        }
    });
    applied.ok_or_else(|| refusal(&events))
}

impl AppliedAct {
    fn text(&self) -> String {
        let rule = &self.rule.standing.rule;
        format!(
            "{} {}: {} ({}, {} tokens); undo with `plim undo`\n",
            self.what,
            rule.id,
            rule.text,
            self.rule.place_words(),
            signed(self.tokens_change)
        )
    }

    fn json(&self) -> Value {
        json!({
            "applied": true,
            "what": self.what,
            "rule": rule_json(&self.rule),
            "tokens_change": self.tokens_change,
            "reason": null,
        })
    }
}

fn rule_json(listing: &RuleListing) -> Value {
    let rule = &listing.standing.rule;
    json!({
        "id": rule.id.as_str(),
        "state": rule.state.name(),
        "confirmed": rule.is_confirmed,
        "text": rule.text,
        "source": rule.source.as_str(),
        "turn": listing.turn,
        "place": listing.standing.place.name(),
        "tokens": listing.standing.tokens,
        "reason": (!rule.reason.is_empty()).then_some(&rule.reason),
    })
}

/// A row for each rule, oldest first.
fn listed(list: &RuleList) -> String {
    if list.rules.is_empty() {
        return format!(
            "no rules found in the messages of this session\n{}\nadd one with `plim rules add \
             TEXT`\n",
            RuleList::ABOUT
        );
    }
    let mut out = format!(
        "{}; the rules block has space for {} tokens\n\n",
        list.totals(),
        grouped(list.budget_tokens)
    );
    let _ = writeln!(
        out,
        "{:9}  {:10}  {:PLACE_CHARS$}  {:>6}  {:>4}  rule",
        "id", "state", "place", "tokens", "turn"
    );
    for listing in &list.rules {
        let rule = &listing.standing.rule;
        let turn = listing.turn.map_or_else(String::new, |it| it.to_string());
        let place: String = listing.place_words().chars().take(PLACE_CHARS).collect();
        let _ = writeln!(
            out,
            "{:9}  {:10}  {place:PLACE_CHARS$}  {:>6}  {turn:>4}  {}",
            rule.id.as_str(),
            listing.state_word(),
            grouped(listing.standing.tokens),
            rule.text
        );
    }
    out
}
