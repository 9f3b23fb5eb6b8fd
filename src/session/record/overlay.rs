//! Plimsoll's own decisions as `custom` lines. Data of a shape this version does not know
//! is left alone: the line then counts as another program's.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::compaction::UsageFields;
use crate::transcript::{Cut, CutForm, CutPhase, EntryId, Expense, Overlay, Purpose, UsageSample};

const PRUNE: &str = "plimsoll.prune";
const GUARD: &str = "plimsoll.guard";
const MEDIA: &str = "plimsoll.media";
const PIN: &str = "plimsoll.pin";
const RESTORE: &str = "plimsoll.restore";
const DROP: &str = "plimsoll.drop";
const UNDO: &str = "plimsoll.undo";
const REPLAY: &str = "plimsoll.replay";
const CALIBRATION: &str = "plimsoll.calibration";
const CACHE_TOUCH: &str = "plimsoll.cache-touch";
const EXPENSE: &str = "plimsoll.expense";

/// The overlay that a `custom` line holds, when it is one of ours.
pub(super) fn read(custom_type: &str, data: &str) -> Option<Overlay> {
    match custom_type {
        PRUNE => parse::<PruneRecord>(data).and_then(|r| {
            Some(Overlay::Prune {
                policy: r.policy,
                cuts: cuts(r.cuts)?,
                cache_given_up_tokens: r.cache_given_up_tokens,
                by_person: r.by_person,
            })
        }),
        GUARD => parse::<GuardRecord>(data)
            .and_then(|r| cuts(r.cuts))
            .map(|cuts| Overlay::Guard { cuts }),
        MEDIA => parse::<MediaRecord>(data).map(|r| Overlay::Media {
            targets: r.targets.into_iter().map(EntryId::new).collect(),
            reason: r.reason,
        }),
        PIN => target(data).map(|target| Overlay::Pin { target }),
        RESTORE => target(data).map(|target| Overlay::Restore { target }),
        DROP => target(data).map(|target| Overlay::Drop { target }),
        UNDO => target(data).map(|target| Overlay::Undo { target }),
        REPLAY => parse::<ReplayRecord>(data).map(|r| Overlay::Replay {
            original: EntryId::new(r.original),
            replay: EntryId::new(r.replay),
            stripped: r.stripped,
        }),
        CALIBRATION => parse::<SampleRecord>(data).map(|r| {
            Overlay::Calibration(UsageSample {
                provider: r.provider,
                model: r.model,
                ruler: r.ruler,
                estimate_tokens: r.estimate_tokens,
                actual_tokens: r.actual_tokens,
                refused: r.refused,
            })
        }),
        CACHE_TOUCH => parse::<CacheTouchRecord>(data).map(|r| Overlay::CacheTouch {
            provider: r.provider,
            model: r.model,
        }),
        EXPENSE => parse::<ExpenseRecord>(data).map(|r| {
            Overlay::Expense(Expense {
                purpose: match r.purpose {
                    PurposeName::Answer => Purpose::Answer,
                    PurposeName::Summary => Purpose::Summary,
                },
                model: r.model,
                requests: r.requests,
                usage: r.usage.into(),
            })
        }),
        _ => None,
    }
}

/// `customType` and `data` of an overlay.
pub(super) fn write(overlay: &Overlay) -> (&'static str, Value) {
    match overlay {
        Overlay::Prune {
            policy,
            cuts,
            cache_given_up_tokens,
            by_person,
        } => {
            let mut data = json!({
                "policy": policy,
                "cuts": cut_values(cuts),
                "cacheGivenUpTokens": cache_given_up_tokens,
            });
            if *by_person {
                data["byPerson"] = true.into();
            }
            (PRUNE, data)
        }
        Overlay::Guard { cuts } => (GUARD, json!({ "cuts": cut_values(cuts) })),
        Overlay::Media { targets, reason } => {
            let targets: Vec<&str> = targets.iter().map(EntryId::as_str).collect();
            (MEDIA, json!({ "targets": targets, "reason": reason }))
        }
        Overlay::Pin { target } => (PIN, target_value(target)),
        Overlay::Restore { target } => (RESTORE, target_value(target)),
        Overlay::Drop { target } => (DROP, target_value(target)),
        Overlay::Undo { target } => (UNDO, target_value(target)),
        Overlay::Replay {
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
        Overlay::Calibration(sample) => (CALIBRATION, sample_value(sample)),
        Overlay::CacheTouch { provider, model } => {
            (CACHE_TOUCH, json!({ "provider": provider, "model": model }))
        }
        Overlay::Expense(expense) => {
            let record = ExpenseRecord {
                purpose: match expense.purpose {
                    Purpose::Answer => PurposeName::Answer,
                    Purpose::Summary => PurposeName::Summary,
                },
                model: expense.model.clone(),
                requests: expense.requests,
                usage: expense.usage.into(),
            };
            (EXPENSE, serde_json::to_value(record).unwrap_or_default())
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(data: &'a str) -> Option<T> {
    serde_json::from_str(data).ok()
}

fn target(data: &str) -> Option<EntryId> {
    parse::<TargetRecord>(data).map(|r| EntryId::new(r.target))
}

fn sample_value(sample: &UsageSample) -> Value {
    let mut value = json!({
        "provider": sample.provider,
        "model": sample.model,
        "ruler": sample.ruler,
        "estimateTokens": sample.estimate_tokens,
        "actualTokens": sample.actual_tokens,
    });
    if sample.refused {
        value["refused"] = Value::Bool(true);
    }
    value
}

fn target_value(target: &EntryId) -> Value {
    json!({ "target": target.as_str() })
}

fn cuts(records: Vec<CutRecord>) -> Option<Vec<Cut>> {
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
    let records: Vec<CutRecord> = cuts
        .iter()
        .map(|cut| CutRecord {
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
    cuts: Vec<CutRecord>,
    #[serde(default)]
    cache_given_up_tokens: u64,
    #[serde(default)]
    by_person: bool,
}

#[derive(Deserialize)]
struct GuardRecord {
    cuts: Vec<CutRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CutRecord {
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
struct ReplayRecord {
    original: String,
    replay: String,
    #[serde(default)]
    stripped: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SampleRecord {
    provider: String,
    model: String,
    ruler: String,
    estimate_tokens: u64,
    actual_tokens: u64,
    #[serde(default)]
    refused: bool,
}

#[derive(Serialize, Deserialize)]
struct ExpenseRecord {
    purpose: PurposeName,
    model: String,
    requests: u64,
    usage: UsageFields,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum PurposeName {
    Answer,
    Summary,
}

#[derive(Deserialize)]
struct CacheTouchRecord {
    provider: String,
    model: String,
}
