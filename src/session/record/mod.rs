//! One line of the file ↔ one [`Entry`](crate::transcript::Entry). Reading is lenient: what
//! is not known becomes [`EntryBody::Unknown`] and stays in the tree, so that its children
//! keep their place.
//!
//! A line is read in two passes, first the fields all kinds share, then those of its kind:
//! no tree of values is built for what is not one in memory.

mod body;
mod child;
mod compaction;
mod decision;
mod files;
mod import;
mod measurement;
mod message;
#[cfg(test)]
mod tests;
mod write;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, de};

use super::time;
use crate::transcript::{EntryBody, EntryId, Timestamp, mend_halves};

pub(super) use import::value as import_value;
pub(super) use write::to_line;

/// A line as read, before it is linked to the others.
#[derive(Debug, PartialEq)]
pub(super) struct RecordLine {
    /// Absent in version 1.
    pub id: Option<EntryId>,
    /// The entry before it.
    pub parent: ParentLink,
    /// When it was written; 0 when nothing says so.
    pub timestamp: Timestamp,
    /// The content.
    pub body: EntryBody,
    /// Version 1 compactions name their first kept entry by its line, counted from 0 with
    /// the header.
    pub first_kept_index: Option<usize>,
    /// The part that could not be understood, for the list of problems.
    pub complaint: Option<String>,
}

/// The `parentId` of a line.
#[derive(Debug, Default, PartialEq)]
pub(super) enum ParentLink {
    /// No such field: the line before, in linear files.
    #[default]
    Unsaid,
    /// `null`.
    Root,
    Id(EntryId),
}

/// The result of reading a body.
#[derive(Debug)]
pub(super) struct ReadBody {
    entry: EntryBody,
    /// A clock reading inside the body, used when the line has none.
    stamp: Option<Timestamp>,
    first_kept_index: Option<usize>,
    complaint: Option<String>,
}

impl From<EntryBody> for ReadBody {
    fn from(body: EntryBody) -> Self {
        Self {
            entry: body,
            stamp: None,
            first_kept_index: None,
            complaint: None,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LineHead<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    id: Option<String>,
    #[serde(default)]
    parent_id: ParentLink,
    timestamp: Option<RecordTime>,
}

impl<'de> Deserialize<'de> for ParentLink {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let id = Option::<String>::deserialize(from)?;
        Ok(id.map_or(Self::Root, |id| Self::Id(EntryId::new(id))))
    }
}

/// Reads one line. `Err` says why it is not an entry at all; a known kind of the wrong
/// shape is `Unknown` with a complaint.
pub(super) fn read_line(text: &str) -> Result<RecordLine, String> {
    // Derived structs also accept arrays, which no entry is.
    if !text.trim_start().starts_with('{') {
        return Err("not a JSON object".to_owned());
    }
    let head: LineHead = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let id = head.id.filter(|id| !id.is_empty()).map(EntryId::new);
    let read = read_body(&head.kind, text, id.as_ref());
    let timestamp = head.timestamp.and_then(RecordTime::get).or(read.stamp);
    Ok(RecordLine {
        id,
        parent: head.parent_id,
        timestamp: timestamp.unwrap_or_default(),
        body: read.entry,
        first_kept_index: read.first_kept_index,
        complaint: read.complaint,
    })
}

/// Reads the body, or says why it is unknown.
fn read_body(kind: &str, text: &str, id: Option<&EntryId>) -> ReadBody {
    let complaint = match body::read(kind, text, id) {
        Ok(read) => return read,
        Err(complaint) => complaint,
    };
    if let Some(Ok(read)) = mend_halves(text).map(|text| body::read(kind, &text, id)) {
        return ReadBody {
            complaint: Some("an incomplete character in its text was replaced".to_owned()),
            ..read
        };
    }
    ReadBody {
        complaint: Some(format!("this {kind} could not be read: {complaint}")),
        ..ReadBody::from(EntryBody::Unknown {
            kind: kind.to_owned(),
        })
    }
}

/// A clock reading as RFC 3339 text or as milliseconds. Text that is neither is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordTime(Option<Timestamp>);

impl RecordTime {
    pub(super) fn get(self) -> Option<Timestamp> {
        self.0
    }
}

impl<'de> Deserialize<'de> for RecordTime {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct TimeReader;
        impl Visitor<'_> for TimeReader {
            type Value = RecordTime;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a time")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<RecordTime, E> {
                Ok(RecordTime(time::from_rfc3339(text)))
            }
            fn visit_i64<E: de::Error>(self, ms: i64) -> Result<RecordTime, E> {
                Ok(RecordTime(Some(Timestamp(ms))))
            }
            fn visit_u64<E: de::Error>(self, ms: u64) -> Result<RecordTime, E> {
                Ok(RecordTime(i64::try_from(ms).ok().map(Timestamp)))
            }
            fn visit_f64<E: de::Error>(self, ms: f64) -> Result<RecordTime, E> {
                Ok(RecordTime(Some(Timestamp(ms as i64))))
            }
        }
        from.deserialize_any(TimeReader)
    }
}
