//! The origin of an imported session as a `custom` line: other programs keep it and send
//! nothing of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::transcript::{ImportRecord, LostPart};

const IMPORT: &str = "plimsoll.import";

/// The record that a `custom` line holds, when it is one.
pub(super) fn read(custom_type: &str, data: &str) -> Option<ImportRecord> {
    if custom_type != IMPORT {
        return None;
    }
    let line: ImportLine = serde_json::from_str(data).ok()?;
    let lost = line.lossy.into_iter().map(|it| LostPart {
        line: it.line,
        row: it.row,
        reason: it.reason,
    });
    Some(ImportRecord {
        program: line.program,
        version: line.version,
        generation: line.generation,
        path: line.path,
        session: line.session,
        sha256: line.sha256,
        bytes: line.bytes,
        records: line.lines,
        unknown: line.unknown,
        lost: lost.collect(),
    })
}

/// `customType` and `data` of a record.
pub(super) fn write(record: &ImportRecord) -> (&'static str, Value) {
    (IMPORT, value(record))
}

/// The record as JSON.
pub(in crate::session) fn value(record: &ImportRecord) -> Value {
    let lossy = record.lost.iter().map(|it| LostFields {
        line: it.line,
        row: it.row.clone(),
        reason: it.reason.clone(),
    });
    json!(ImportLine {
        program: record.program.clone(),
        version: record.version.clone(),
        generation: record.generation.clone(),
        path: record.path.clone(),
        session: record.session.clone(),
        sha256: record.sha256.clone(),
        bytes: record.bytes,
        lines: record.records,
        unknown: record.unknown.clone(),
        lossy: lossy.collect(),
    })
}

#[derive(Serialize, Deserialize)]
struct ImportLine {
    program: String,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    generation: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    session: String,
    #[serde(default)]
    sha256: String,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    lines: u64,
    #[serde(default)]
    unknown: BTreeMap<String, u64>,
    #[serde(default)]
    lossy: Vec<LostFields>,
}

#[derive(Serialize, Deserialize)]
struct LostFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    row: Option<String>,
    reason: String,
}
