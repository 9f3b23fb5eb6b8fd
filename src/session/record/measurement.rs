//! Measurements and expenses as `custom` lines, with the leniency of decisions.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::compaction::UsageFields;
use crate::transcript::{
    EngineMark, EntryBody, Expense, Measurement, Purpose, SummariserKey, SummaryAttempt,
    UsageSample,
};

const CALIBRATION: &str = "plimsoll.calibration";
const CACHE_CONTACT: &str = "plimsoll.cache-touch";
const EXPENSE: &str = "plimsoll.expense";
const ENGINE: &str = "plimsoll.engine";
const SUMMARY_ATTEMPT: &str = "plimsoll.summary-attempt";

/// The measurement or expense that a `custom` line holds, if it holds one.
pub(super) fn read(custom_type: &str, data: &str) -> Option<EntryBody> {
    match custom_type {
        CALIBRATION => parse(data).map(|r: SampleRecord| {
            EntryBody::Measurement(Measurement::Usage(UsageSample {
                provider: r.provider,
                model: r.model,
                ruler: r.ruler,
                estimate_tokens: r.estimate_tokens,
                actual_tokens: r.actual_tokens,
                refused: r.refused,
            }))
        }),
        CACHE_CONTACT => parse(data).map(|r: CacheContactRecord| {
            EntryBody::Measurement(Measurement::CacheContact {
                provider: r.provider,
                model: r.model,
            })
        }),
        SUMMARY_ATTEMPT => parse(data).map(|r: SummaryAttemptRecord| {
            EntryBody::Measurement(Measurement::SummaryAttempt(SummaryAttempt {
                by: SummariserKey {
                    provider: r.provider,
                    model: r.model,
                    settings: r.settings,
                },
                failures: r.failures,
            }))
        }),
        ENGINE => parse(data).map(|r: EngineRecord| {
            EntryBody::Measurement(Measurement::Engine(EngineMark {
                id: r.id,
                is_choosing: r.choosing,
            }))
        }),
        EXPENSE => parse(data).map(|r: ExpenseRecord| {
            EntryBody::Expense(Expense {
                purpose: match r.purpose {
                    PurposeName::Answer => Purpose::Answer,
                    PurposeName::Summary => Purpose::Summary,
                    PurposeName::Title => Purpose::Title,
                },
                model: r.model,
                requests: r.requests,
                usage: r.usage.into(),
                estimated_requests: r.estimated_requests,
            })
        }),
        _ => None,
    }
}

/// `customType` and `data` of a measurement.
pub(super) fn write(measurement: &Measurement) -> (&'static str, Value) {
    match measurement {
        Measurement::Usage(sample) => (CALIBRATION, sample_value(sample)),
        Measurement::CacheContact { provider, model } => (
            CACHE_CONTACT,
            json!({ "provider": provider, "model": model }),
        ),
        Measurement::SummaryAttempt(SummaryAttempt { by, failures }) => (
            SUMMARY_ATTEMPT,
            json!({
                "provider": by.provider,
                "model": by.model,
                "settings": by.settings,
                "failures": failures,
            }),
        ),
        Measurement::Engine(EngineMark { id, is_choosing }) => {
            (ENGINE, json!({ "id": id, "choosing": is_choosing }))
        }
    }
}

/// `customType` and `data` of an expense.
pub(super) fn write_expense(expense: &Expense) -> (&'static str, Value) {
    let record = ExpenseRecord {
        purpose: match expense.purpose {
            Purpose::Answer => PurposeName::Answer,
            Purpose::Summary => PurposeName::Summary,
            Purpose::Title => PurposeName::Title,
        },
        model: expense.model.clone(),
        requests: expense.requests,
        usage: expense.usage.into(),
        estimated_requests: expense.estimated_requests,
    };
    (EXPENSE, serde_json::to_value(record).unwrap_or_default())
}

fn parse<'a, T: Deserialize<'a>>(data: &'a str) -> Option<T> {
    serde_json::from_str(data).ok()
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
#[serde(rename_all = "camelCase")]
struct ExpenseRecord {
    purpose: PurposeName,
    model: String,
    requests: u64,
    usage: UsageFields,
    #[serde(default, skip_serializing_if = "is_zero")]
    estimated_requests: u64,
}

/// As serde asks it: by reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum PurposeName {
    Answer,
    Summary,
    Title,
}

#[derive(Deserialize)]
struct SummaryAttemptRecord {
    provider: String,
    model: String,
    settings: String,
    failures: u64,
}

#[derive(Deserialize)]
struct EngineRecord {
    id: String,
    #[serde(default)]
    choosing: bool,
}

#[derive(Deserialize)]
struct CacheContactRecord {
    provider: String,
    model: String,
}
