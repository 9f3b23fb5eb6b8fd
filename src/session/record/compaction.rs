//! Compactions with all of [`CompactionDetails`]. `readFiles` and `modifiedFiles` are where
//! other programs keep theirs; details of another shape count as none.
//!
//! Other programs send the field `summary` and what was kept, and nothing else. So what a view
//! has besides stands behind the summary in that field, and `summaryChars` in the details says
//! where the summary ends.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value, json};

use super::ReadBody;
use super::body::parse;
use crate::transcript::{
    AskCheck, AuditRecord, Compaction, CompactionCause, CompactionCost, CompactionDetails,
    EntryBody, EntryId, HistoryShare, IdentifierDemand, SummaryAppendix, SummaryCheck,
    TailExceptions, Trigger, UngroundedClaim, Usage,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompactionRecord<'a> {
    summary: String,
    first_kept_entry_id: Option<String>,
    first_kept_entry_index: Option<usize>,
    tokens_before: Option<Number>,
    #[serde(borrow)]
    details: Option<&'a RawValue>,
    from_hook: Option<bool>,
}

/// Reads a compaction; `id` is its own.
pub(super) fn read(text: &str, id: Option<&EntryId>) -> Result<ReadBody, String> {
    let record: CompactionRecord = parse(text)?;
    let details = record.details.map_or("{}", RawValue::get);
    let (summary, for_others) = parted(record.summary, details);
    let mut details = read_details(details);
    details.appendix.for_others = for_others;
    let compaction = Compaction {
        summary,
        first_kept: record
            .first_kept_entry_id
            .map(EntryId::new)
            .filter(|kept| Some(kept) != id),
        tokens_before: record.tokens_before.and_then(|n| n.as_u64()).unwrap_or(0),
        details,
        from_hook: record.from_hook.unwrap_or(false),
    };
    Ok(ReadBody {
        first_kept_index: record.first_kept_entry_index,
        ..ReadBody::from(EntryBody::Compaction(Box::new(compaction)))
    })
}

/// Between the summary and what follows it for other programs.
const SEPARATOR: &str = "\n\n";

/// The summary and the details as they are written.
pub(super) fn values(compaction: &Compaction) -> (Value, Value) {
    let Compaction {
        summary, details, ..
    } = compaction;
    let mut record = serde_json::to_value(DetailsRecord::from(details)).unwrap_or_default();
    let for_others = &details.appendix.for_others;
    if for_others.is_empty() {
        return (json!(summary), record);
    }
    record["summaryChars"] = json!(summary.chars().count());
    (json!(format!("{summary}{SEPARATOR}{for_others}")), record)
}

/// Where the summary ends in its field.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SummaryEnd {
    summary_chars: Option<usize>,
}

/// The summary, and what follows it for other programs.
fn parted(stored: String, details: &str) -> (String, String) {
    let end: SummaryEnd = serde_json::from_str(details).unwrap_or_default();
    let Some(chars) = end.summary_chars else {
        return (stored, String::new());
    };
    let mut starts = stored.char_indices().map(|(at, _)| at);
    let end = starts.nth(chars).unwrap_or(stored.len());
    let (summary, rest) = stored.split_at(end);
    let rest = rest.strip_prefix(SEPARATOR).unwrap_or(rest);
    (summary.to_owned(), rest.to_owned())
}

fn read_details(text: &str) -> CompactionDetails {
    if let Ok(record) = serde_json::from_str::<DetailsRecord>(text) {
        return record.into();
    }
    let files: FilesRecord = serde_json::from_str(text).unwrap_or_default();
    CompactionDetails {
        appendix: SummaryAppendix {
            read_files: files.read_files,
            modified_files: files.modified_files,
            ..SummaryAppendix::default()
        },
        ..CompactionDetails::default()
    }
}

/// The fields that all programs share.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FilesRecord {
    read_files: Vec<String>,
    modified_files: Vec<String>,
}

/// The details, in the order of their fields in the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct DetailsRecord {
    #[serde(flatten)]
    files: FilesRecord,
    #[serde(flatten)]
    origin: OriginFields,
    #[serde(flatten)]
    result: ResultFields,
    #[serde(flatten)]
    extent: ExtentFields,
}

/// How a summary was asked for.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct OriginFields {
    tokens_after: u64,
    ruler: String,
    trigger: String,
    attempt: u32,
    engine: String,
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_reason: Option<String>,
}

/// The fields of a summary's outcome before it counted.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResultFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<AuditFields>,
    mended: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ungrounded: Vec<UngroundedFields>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    demands: Vec<DemandFields>,
    #[serde(skip_serializing_if = "is_zero")]
    written_by_code_percent: u64,
    #[serde(skip_serializing_if = "is_zero")]
    rules_in_block: u64,
    degraded: bool,
    edited: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    history_share: Option<ShareRecord>,
    failures: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<AliasFields>,
}

/// The fields of a summary's extent and cost.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ExtentFields {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept_asks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_entry: Option<String>,
    summarized_messages: u64,
    #[serde(skip_serializing_if = "is_zero")]
    requests: u64,
    usage: UsageFields,
    duration_ms: u64,
    #[serde(skip_serializing_if = "is_zero")]
    load_line_tokens: u64,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct UngroundedFields {
    text: String,
    class: String,
    #[serde(rename = "struck")]
    is_struck: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DemandFields {
    text: String,
    uses: u64,
    #[serde(rename = "typed")]
    is_typed: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AuditFields {
    sections_found: u64,
    sections_total: u64,
    identifiers_found: u64,
    identifiers_total: u64,
    #[serde(skip_serializing_if = "is_zero")]
    identifiers_known: u64,
    #[serde(skip_serializing_if = "is_zero")]
    rules_found: u64,
    #[serde(skip_serializing_if = "is_zero")]
    rules_total: u64,
    #[serde(skip_serializing_if = "is_zero")]
    claims_grounded: u64,
    #[serde(skip_serializing_if = "is_zero")]
    claims_total: u64,
    missing: Vec<String>,
    altered: Vec<String>,
    #[serde(flatten)]
    latest_ask: AskFields,
    secrets: u64,
    passed: bool,
    reasons: Vec<String>,
}

/// What a summary says of the latest ask.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AskFields {
    /// As versions before `ask` read it.
    last_ask: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    ask: String,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct AliasFields {
    alias: String,
    identifier: String,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct ShareRecord {
    #[serde(rename = "droppedChunks")]
    chunks: u64,
    #[serde(rename = "droppedMessages")]
    messages: u64,
    #[serde(rename = "droppedTokens")]
    tokens: u64,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct UsageFields {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
    #[serde(skip_serializing_if = "is_zero")]
    reasoning: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl From<&CompactionDetails> for DetailsRecord {
    fn from(d: &CompactionDetails) -> Self {
        Self {
            files: FilesRecord {
                read_files: d.appendix.read_files.clone(),
                modified_files: d.appendix.modified_files.clone(),
            },
            origin: OriginFields {
                tokens_after: d.tokens_after,
                ruler: d.ruler.clone(),
                trigger: d.cause.trigger.name().to_owned(),
                attempt: d.cause.attempt,
                engine: d.engine.clone(),
                model: d.model.clone(),
                instructions: d.instructions.clone(),
                engine_reason: d.cause.engine_reason.clone(),
            },
            result: ResultFields {
                audit: d.check.audit.as_ref().map(AuditFields::from),
                mended: d.check.mended.clone(),
                ungrounded: d.check.ungrounded.iter().map(Into::into).collect(),
                demands: d.check.demands.iter().map(Into::into).collect(),
                written_by_code_percent: d.check.written_by_code_percent,
                rules_in_block: d.check.rules_in_block,
                degraded: d.degraded,
                edited: d.edited,
                history_share: d.history_share.map(|share| ShareRecord {
                    chunks: share.dropped_chunks,
                    messages: share.dropped_messages,
                    tokens: share.dropped_tokens,
                }),
                failures: d.appendix.failures.clone(),
                aliases: d
                    .aliases
                    .iter()
                    .cloned()
                    .map(|(alias, identifier)| AliasFields { alias, identifier })
                    .collect(),
            },
            extent: ExtentFields {
                kept_asks: d
                    .exceptions
                    .kept_asks
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                cut_entry: d.exceptions.cut_entry.as_ref().map(ToString::to_string),
                summarized_messages: d.summarized_messages,
                requests: d.cost.requests,
                usage: d.cost.usage.into(),
                duration_ms: d.cost.duration_ms,
                load_line_tokens: d.cause.load_line_tokens,
            },
        }
    }
}

impl From<DetailsRecord> for CompactionDetails {
    fn from(record: DetailsRecord) -> Self {
        let DetailsRecord {
            files,
            origin,
            result,
            extent,
        } = record;
        Self {
            cause: CompactionCause {
                trigger: Trigger::from_name(&origin.trigger).unwrap_or_default(),
                attempt: origin.attempt,
                load_line_tokens: extent.load_line_tokens,
                engine_reason: origin.engine_reason,
            },
            tokens_after: origin.tokens_after,
            ruler: origin.ruler,
            engine: origin.engine,
            model: origin.model,
            instructions: origin.instructions,
            check: SummaryCheck {
                audit: result.audit.map(AuditRecord::from),
                mended: result.mended,
                ungrounded: result.ungrounded.into_iter().map(Into::into).collect(),
                demands: result.demands.into_iter().map(Into::into).collect(),
                written_by_code_percent: result.written_by_code_percent,
                rules_in_block: result.rules_in_block,
            },
            degraded: result.degraded,
            edited: result.edited,
            history_share: result.history_share.map(|share| HistoryShare {
                dropped_chunks: share.chunks,
                dropped_messages: share.messages,
                dropped_tokens: share.tokens,
            }),
            appendix: SummaryAppendix {
                read_files: files.read_files,
                modified_files: files.modified_files,
                failures: result.failures,
                ..SummaryAppendix::default()
            },
            aliases: result
                .aliases
                .into_iter()
                .map(|known| (known.alias, known.identifier))
                .collect(),
            exceptions: TailExceptions {
                kept_asks: extent.kept_asks.into_iter().map(EntryId::new).collect(),
                cut_entry: extent.cut_entry.map(EntryId::new),
            },
            summarized_messages: extent.summarized_messages,
            cost: CompactionCost {
                requests: extent.requests,
                usage: extent.usage.into(),
                duration_ms: extent.duration_ms,
            },
        }
    }
}

impl From<Usage> for UsageFields {
    fn from(usage: Usage) -> Self {
        Self {
            input: usage.input_tokens,
            output: usage.output_tokens,
            cache_read: usage.cache_read_tokens,
            cache_write: usage.cache_write_tokens,
            reasoning: usage.reasoning_tokens,
            cost: usage.cost_usd,
        }
    }
}

impl From<UsageFields> for Usage {
    fn from(fields: UsageFields) -> Self {
        Self {
            input_tokens: fields.input,
            output_tokens: fields.output,
            cache_read_tokens: fields.cache_read,
            cache_write_tokens: fields.cache_write,
            reasoning_tokens: fields.reasoning,
            cost_usd: fields.cost,
            cache_write_hour_tokens: 0,
            // What a server left out of a prompt is told with the answer, which is not here.
            server_cut_tokens: None,
            expected: None,
        }
    }
}

impl From<&UngroundedClaim> for UngroundedFields {
    fn from(claim: &UngroundedClaim) -> Self {
        Self {
            text: claim.text.clone(),
            class: claim.class.clone(),
            is_struck: claim.is_struck,
        }
    }
}

impl From<UngroundedFields> for UngroundedClaim {
    fn from(fields: UngroundedFields) -> Self {
        Self {
            text: fields.text,
            class: fields.class,
            is_struck: fields.is_struck,
        }
    }
}

impl From<&IdentifierDemand> for DemandFields {
    fn from(demand: &IdentifierDemand) -> Self {
        Self {
            text: demand.text.clone(),
            uses: demand.uses,
            is_typed: demand.is_typed,
        }
    }
}

impl From<DemandFields> for IdentifierDemand {
    fn from(fields: DemandFields) -> Self {
        Self {
            text: fields.text,
            uses: fields.uses,
            is_typed: fields.is_typed,
        }
    }
}

impl From<&AuditRecord> for AuditFields {
    fn from(a: &AuditRecord) -> Self {
        Self {
            sections_found: a.sections_found,
            sections_total: a.sections_total,
            identifiers_found: a.identifiers_found,
            identifiers_total: a.identifiers_total,
            identifiers_known: a.identifiers_known,
            rules_found: a.rules_found,
            rules_total: a.rules_total,
            claims_grounded: a.claims_grounded,
            claims_total: a.claims_total,
            missing: a.missing.clone(),
            altered: a.altered.clone(),
            latest_ask: AskFields {
                last_ask: a.ask != AskCheck::Missing,
                ask: match a.ask {
                    AskCheck::Unchecked => String::new(),
                    known => known.name().to_owned(),
                },
            },
            secrets: a.secrets,
            passed: a.passed,
            reasons: a.reasons.clone(),
        }
    }
}

impl From<AuditFields> for AuditRecord {
    fn from(a: AuditFields) -> Self {
        Self {
            sections_found: a.sections_found,
            sections_total: a.sections_total,
            identifiers_found: a.identifiers_found,
            identifiers_total: a.identifiers_total,
            identifiers_known: a.identifiers_known,
            rules_found: a.rules_found,
            rules_total: a.rules_total,
            claims_grounded: a.claims_grounded,
            claims_total: a.claims_total,
            missing: a.missing,
            altered: a.altered,
            ask: match AskCheck::from_name(&a.latest_ask.ask) {
                Some(known) => known,
                None if a.latest_ask.last_ask => AskCheck::Unchecked,
                None => AskCheck::Missing,
            },
            secrets: a.secrets,
            passed: a.passed,
            reasons: a.reasons,
        }
    }
}
