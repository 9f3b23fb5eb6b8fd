//! The fields of each kind of line, except messages, compactions, decisions, measurements and
//! expenses, which have
//! files of their own.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::message::{self, MessageContent};
use super::{ReadBody, child, compaction, decision, files, import, measurement};
use crate::transcript::{Decision, EntryBody, EntryId};

/// Written by other programs where a branch was left before its first entry.
pub(super) const NO_ENTRY: &str = "root";

/// Reads the body of a line of this kind.
pub(super) fn read(kind: &str, text: &str, id: Option<&EntryId>) -> Result<ReadBody, String> {
    match kind {
        "message" => message::read(text),
        "compaction" => compaction::read(text, id),
        "branch_summary" => parse(text).map(branch_summary),
        "context_edit" => parse(text).and_then(context_edit),
        "custom_message" => parse(text).map(custom_message),
        "custom" => parse(text).map(custom),
        "label" => parse(text).map(label),
        "session_info" => parse(text).map(session_info),
        "model_change" => parse(text).map(model_change),
        "thinking_level_change" => parse(text).map(thinking_level),
        _ => Ok(EntryBody::Unknown {
            kind: kind.to_owned(),
        }
        .into()),
    }
}

/// Parses a line as the record of its kind.
pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BranchSummaryRecord {
    from_id: Option<String>,
    summary: String,
}

fn branch_summary(record: BranchSummaryRecord) -> ReadBody {
    EntryBody::BranchSummary {
        from: record.from_id.filter(|id| id != NO_ENTRY).map(EntryId::new),
        summary: record.summary,
    }
    .into()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContextEditRecord {
    target_id: String,
    replacement: Option<ReplacementRecord>,
    plimsoll_replay: Option<ReplayRecord>,
}

/// The message that was sent again in the place of the one that is edited away.
#[derive(Deserialize)]
struct ReplayRecord {
    replay: String,
    #[serde(default)]
    stripped: bool,
}

#[derive(Deserialize)]
struct ReplacementRecord {
    content: MessageContent,
}

fn context_edit(record: ContextEditRecord) -> Result<ReadBody, String> {
    if let Some(again) = record.plimsoll_replay {
        return Ok(EntryBody::Decision(Decision::Replay {
            original: EntryId::new(record.target_id),
            replay: EntryId::new(again.replay),
            stripped: again.stripped,
        })
        .into());
    }
    let mut unknown = Vec::new();
    let replacement = record
        .replacement
        .map(|r| r.content.into_parts(&mut unknown));
    if let Some(kind) = unknown.first() {
        return Err(format!("its part of type {kind} is unknown"));
    }
    Ok(EntryBody::ContextEdit {
        target: EntryId::new(record.target_id),
        replacement,
    }
    .into())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomMessageRecord {
    custom_type: Option<String>,
    content: MessageContent,
    display: Option<bool>,
}

fn custom_message(record: CustomMessageRecord) -> ReadBody {
    message::custom(record.custom_type, record.content, record.display)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomRecord<'a> {
    #[serde(borrow)]
    custom_type: Cow<'a, str>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

fn custom(record: CustomRecord) -> ReadBody {
    let data = record.data.map_or("null", RawValue::get);
    let custom_type = record.custom_type;
    decision::read(&custom_type, data)
        .map(EntryBody::Decision)
        .or_else(|| measurement::read(&custom_type, data))
        .or_else(|| {
            let files = files::read(&custom_type, data)?;
            Some(EntryBody::Files(Box::new(files)))
        })
        .or_else(|| {
            let link = child::read(&custom_type, data)?;
            Some(EntryBody::Child(Box::new(link)))
        })
        .or_else(|| {
            let record = import::read(&custom_type, data)?;
            Some(EntryBody::Import(Box::new(record)))
        })
        .unwrap_or_else(|| EntryBody::Custom {
            custom_type: custom_type.into_owned(),
        })
        .into()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LabelRecord {
    target_id: String,
    label: Option<String>,
}

fn label(record: LabelRecord) -> ReadBody {
    EntryBody::Label {
        target: EntryId::new(record.target_id),
        label: record.label,
    }
    .into()
}

#[derive(Deserialize)]
struct SessionInfoRecord {
    name: Option<String>,
}

fn session_info(record: SessionInfoRecord) -> ReadBody {
    EntryBody::SessionInfo {
        name: record.name.unwrap_or_default(),
    }
    .into()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelChangeRecord {
    provider: String,
    model_id: String,
}

fn model_change(record: ModelChangeRecord) -> ReadBody {
    EntryBody::ModelChange {
        provider: record.provider,
        model: record.model_id,
    }
    .into()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ThinkingLevelRecord {
    thinking_level: String,
}

fn thinking_level(record: ThinkingLevelRecord) -> ReadBody {
    EntryBody::ThinkingLevelChange {
        level: record.thinking_level,
    }
    .into()
}
