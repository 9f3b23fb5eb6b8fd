//! Decisions over the view as `custom` lines. Data of a shape this version does not know
//! is left alone: the line then counts as another program's.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::transcript::{
    ArgumentCut, Cut, CutForm, CutPhase, Decision, EntryId, RuleChange, RuleId,
};

const PRUNE: &str = "plimsoll.prune";
const GUARD: &str = "plimsoll.guard";
const MEDIA: &str = "plimsoll.media";
const PIN: &str = "plimsoll.pin";
const RESTORE: &str = "plimsoll.restore";
const DROP: &str = "plimsoll.drop";
const UNDO: &str = "plimsoll.undo";
const REPLAY: &str = "plimsoll.replay";
const RULE: &str = "plimsoll.rule";

/// The decision that a `custom` line holds, if it holds one.
pub(super) fn read(custom_type: &str, data: &str) -> Option<Decision> {
    match custom_type {
        PRUNE => parse::<PruneRecord>(data).and_then(|r| {
            Some(Decision::Prune {
                policy: r.policy,
                cuts: cuts(r.cuts)?,
                cache_given_up_tokens: r.cache_given_up_tokens,
                reasoning_lost: r.reasoning_lost,
                by_person: r.by_person,
            })
        }),
        GUARD => parse::<GuardRecord>(data)
            .and_then(|r| cuts(r.cuts))
            .map(|cuts| Decision::Guard { cuts }),
        MEDIA => parse::<MediaRecord>(data).map(|r| Decision::Media {
            targets: r.targets.into_iter().map(EntryId::new).collect(),
            reason: r.reason,
        }),
        PIN => target(data).map(|target| Decision::Pin { target }),
        RESTORE => target(data).map(|target| Decision::Restore { target }),
        DROP => target(data).map(|target| Decision::Drop { target }),
        UNDO => target(data).map(|target| Decision::Undo { target }),
        REPLAY => parse::<ReplayRecord>(data).map(|r| Decision::Replay {
            original: EntryId::new(r.original),
            replay: EntryId::new(r.replay),
            stripped: r.stripped,
        }),
        RULE => parse::<RuleRecord>(data).and_then(|r| {
            Some(Decision::Rule {
                rule: RuleId::new(r.rule),
                change: RuleChange::from_name(&r.change, &r.text)?,
            })
        }),
        _ => None,
    }
}

/// `customType` and `data` of a decision.
pub(super) fn write(decision: &Decision) -> (&'static str, Value) {
    match decision {
        Decision::Prune {
            policy,
            cuts,
            cache_given_up_tokens,
            reasoning_lost,
            by_person,
        } => {
            let mut data = json!({
                "policy": policy,
                "cuts": cut_values(cuts),
                "cacheGivenUpTokens": cache_given_up_tokens,
            });
            if *reasoning_lost > 0 {
                data["reasoningLost"] = json!(reasoning_lost);
            }
            if *by_person {
                data["byPerson"] = true.into();
            }
            (PRUNE, data)
        }
        Decision::Guard { cuts } => (GUARD, json!({ "cuts": cut_values(cuts) })),
        Decision::Media { targets, reason } => {
            let targets: Vec<&str> = targets.iter().map(EntryId::as_str).collect();
            (MEDIA, json!({ "targets": targets, "reason": reason }))
        }
        Decision::Pin { target } => (PIN, target_value(target)),
        Decision::Restore { target } => (RESTORE, target_value(target)),
        Decision::Drop { target } => (DROP, target_value(target)),
        Decision::Undo { target } => (UNDO, target_value(target)),
        Decision::Replay {
            original,
            replay,
            stripped,
        } => (
            REPLAY,
            json!({
                "original": original.as_str(),
                "replay": replay.as_str(),
                "stripped": stripped,
            }),
        ),
        Decision::Rule { rule, change } => {
            let mut data = json!({ "rule": rule.as_str(), "change": change.name() });
            if let Some(text) = change.text() {
                data["text"] = text.into();
            }
            (RULE, data)
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(data: &'a str) -> Option<T> {
    serde_json::from_str(data).ok()
}

fn target(data: &str) -> Option<EntryId> {
    parse::<TargetRecord>(data).map(|r| EntryId::new(r.target))
}

fn target_value(target: &EntryId) -> Value {
    json!({ "target": target.as_str() })
}

fn cuts(records: Vec<CutFields>) -> Option<Vec<Cut>> {
    records
        .into_iter()
        .map(|r| {
            Some(Cut {
                target: EntryId::new(r.target),
                form: match r.form {
                    FormRecord::Trim {
                        head_chars,
                        tail_chars,
                        notice,
                    } => CutForm::Trim {
                        head_chars,
                        tail_chars,
                        notice,
                    },
                    FormRecord::Clear { placeholder } => CutForm::Clear { placeholder },
                    FormRecord::Difference { base, text } => CutForm::Difference {
                        base: EntryId::new(base),
                        text,
                    },
                    FormRecord::Arguments { calls } => CutForm::Arguments {
                        calls: calls.into_iter().map(ArgumentCut::from).collect(),
                    },
                },
                phase: CutPhase::from_name(&r.phase)?,
                reason: r.reason,
                tokens_before: r.tokens_before,
                tokens_after: r.tokens_after,
            })
        })
        .collect()
}

fn cut_values(cuts: &[Cut]) -> Value {
    let records: Vec<CutFields> = cuts
        .iter()
        .map(|cut| CutFields {
            target: cut.target.as_str().to_owned(),
            form: match &cut.form {
                CutForm::Trim {
                    head_chars,
                    tail_chars,
                    notice,
                } => FormRecord::Trim {
                    head_chars: *head_chars,
                    tail_chars: *tail_chars,
                    notice: notice.clone(),
                },
                CutForm::Clear { placeholder } => FormRecord::Clear {
                    placeholder: placeholder.clone(),
                },
                CutForm::Difference { base, text } => FormRecord::Difference {
                    base: base.to_string(),
                    text: text.clone(),
                },
                CutForm::Arguments { calls } => FormRecord::Arguments {
                    calls: calls.iter().map(ArgumentRecord::from).collect(),
                },
            },
            phase: cut.phase.name().to_owned(),
            reason: cut.reason.clone(),
            tokens_before: cut.tokens_before,
            tokens_after: cut.tokens_after,
        })
        .collect();
    json!(records)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PruneRecord {
    #[serde(default)]
    policy: String,
    cuts: Vec<CutFields>,
    #[serde(default)]
    cache_given_up_tokens: u64,
    #[serde(default)]
    reasoning_lost: u64,
    #[serde(default)]
    by_person: bool,
}

#[derive(Deserialize)]
struct GuardRecord {
    cuts: Vec<CutFields>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CutFields {
    target: String,
    form: FormRecord,
    phase: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    tokens_before: u64,
    #[serde(default)]
    tokens_after: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
enum FormRecord {
    Trim {
        head_chars: usize,
        tail_chars: usize,
        notice: String,
    },
    Clear {
        placeholder: String,
    },
    Difference {
        base: String,
        text: String,
    },
    Arguments {
        calls: Vec<ArgumentRecord>,
    },
}

#[derive(Serialize, Deserialize)]
struct ArgumentRecord {
    call: usize,
    names: Vec<String>,
    note: String,
}

impl From<ArgumentRecord> for ArgumentCut {
    fn from(record: ArgumentRecord) -> Self {
        Self {
            call: record.call,
            names: record.names,
            note: record.note,
        }
    }
}

impl From<&ArgumentCut> for ArgumentRecord {
    fn from(cut: &ArgumentCut) -> Self {
        Self {
            call: cut.call,
            names: cut.names.clone(),
            note: cut.note.clone(),
        }
    }
}

#[derive(Deserialize)]
struct MediaRecord {
    targets: Vec<String>,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct TargetRecord {
    target: String,
}

#[derive(Deserialize)]
struct RuleRecord {
    rule: String,
    change: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct ReplayRecord {
    original: String,
    replay: String,
    #[serde(default)]
    stripped: bool,
}
