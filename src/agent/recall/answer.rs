//! The texts that answer a recall.

use serde_json::json;

use super::RecallSnapshot;
use super::limits::RecallLimits;
use crate::engine::recall::{
    RECALL_PAGE_LINES, RecallAccess, RecallAddress, RecallHit, RecallPage, RecallScope, SpokenText,
    WithheldReason, rough_tokens, spoken_text,
};
use crate::session::to_rfc3339;
use crate::tool::ToolOutcome;
use crate::transcript::{Entry, Part, Timestamp, plural};

/// Tries to make a page fit into what a turn has left.
const MAX_TIGHTENINGS: usize = 12;

/// An answer that gives nothing back.
pub(super) fn notice(kind: &str, text: String) -> ToolOutcome {
    ToolOutcome::text(text).with_details(json!({ "recall": kind }))
}

impl RecallSnapshot {
    /// The original of an entry, or a page of it.
    pub(super) fn entry(&self, id: &str, offset: usize, limits: &RecallLimits) -> ToolOutcome {
        if let Some((session, address)) = id.rsplit_once('/') {
            return self.foreign_entry(session, address, offset, limits);
        }
        let Some(address) = RecallAddress::parse(id) else {
            return ToolOutcome::error(format!(
                "`{id}` is no address: addresses are like r41. To search for words, use `query`."
            ));
        };
        let Some(entry) = address.entry(&self.transcript) else {
            let last = RecallAddress::at(self.transcript.branch().len().saturating_sub(1));
            return ToolOutcome::error(format!(
                "There is no {address}: the newest entry of this conversation is {last}."
            ));
        };
        let scope = RecallScope::of(&self.transcript, Some(&self.view));
        match scope.access(&entry.id) {
            RecallAccess::Open => {}
            RecallAccess::InWindow => {
                let text = format!("{address} is in the window: it is shown in full above.");
                return notice("window", text);
            }
            RecallAccess::Withheld(reason) => {
                return ToolOutcome::error(withheld_text(address, reason));
            }
        }
        let Some(spoken) = spoken_text(&entry) else {
            return ToolOutcome::error(withheld_text(address, WithheldReason::Silent));
        };
        let clean = self
            .desk
            .with_index(&self.session, &self.transcript, |index| {
                index.without_secrets(&spoken.text)
            });
        let source = source_words(&entry, &spoken);
        paged(&address.to_string(), &source, &clean, offset, limits)
    }

    /// The original of an entry of a sub-agent, or of another session of the project.
    fn foreign_entry(
        &self,
        session: &str,
        address: &str,
        offset: usize,
        limits: &RecallLimits,
    ) -> ToolOutcome {
        match self.foreign_text(session, address) {
            Ok((address, text)) => {
                let name = format!("{session}/{address}");
                let is_agent = self.elsewhere.agents.iter().any(|(id, _)| id == session);
                let source = if is_agent {
                    "a sub-agent"
                } else {
                    "another session"
                };
                paged(&name, source, &text, offset, limits)
            }
            Err(refusal) => refusal,
        }
    }

    /// Places in what the window does not show whole.
    pub(super) fn search(&self, query: &str, wanted: usize, limits: &RecallLimits) -> ToolOutcome {
        let scope = RecallScope::of(&self.transcript, Some(&self.view));
        let transcript = &self.transcript;
        let (hits, shown, is_partial) = self.desk.with_index(&self.session, transcript, |index| {
            let find = |access: RecallAccess, limit| {
                let admits = |entry: &Entry| scope.access(&entry.id) == access;
                index.search(transcript, query, limit, &admits)
            };
            (
                find(RecallAccess::Open, wanted),
                find(RecallAccess::InWindow, 1),
                index.lacks_word(query),
            )
        });
        let notes = self.elsewhere.notes_for(query);
        let in_agents = match wanted.saturating_sub(hits.len()) {
            0 => String::new(),
            room => self.in_agents(query, room),
        };
        if hits.is_empty() && notes.is_empty() && !in_agents.is_empty() {
            let text = format!("Not in this conversation; in the logs of sub-agents:{in_agents}");
            return ToolOutcome::text(text).with_details(json!({ "recall": "search" }));
        }
        if hits.is_empty() && notes.is_empty() {
            let others = self.in_other_sessions(query, wanted);
            if others.is_empty() {
                return notice(
                    "nothing",
                    nothing_text(query, shown.first(), is_partial, &scope),
                );
            }
            let text = format!("Not in this session; in other sessions of this project:{others}");
            return ToolOutcome::text(text).with_details(json!({ "recall": "search" }));
        }
        let mut out = if hits.is_empty() {
            format!("Only the notes of this project have {query:?}.")
        } else {
            let places = plural(hits.len() as u64, "place");
            format!(
                "{places} for {query:?}, best first. recall with id, and the line as offset, \
                 returns the original."
            )
        };
        let mut tokens = rough_tokens(&out);
        let mut given = 0;
        for hit in &hits {
            let line = hit_text(hit, &scope, None);
            tokens += rough_tokens(&line);
            if limits.room_tokens.is_some_and(|room| tokens > room) && given > 0 {
                break;
            }
            out.push_str(&line);
            given += 1;
        }
        out.push_str(&in_agents);
        out.push_str(&notes);
        ToolOutcome::text(out).with_details(json!({ "recall": "search", "hits": given }))
    }
}

pub(super) fn withheld_text(address: RecallAddress, reason: WithheldReason) -> String {
    match reason {
        WithheldReason::Dropped | WithheldReason::Private | WithheldReason::Edited => {
            format!("{address} is not available: the user keeps it out of the context.")
        }
        WithheldReason::Recalled => format!(
            "{address} is a copy that recall returned. Recall the original by its own address."
        ),
        WithheldReason::Silent => format!("{address} holds no text."),
        WithheldReason::Undone
        | WithheldReason::Broken
        | WithheldReason::Replayed
        | WithheldReason::OtherBranch => format!("{address} is not available."),
    }
}

/// A page that fits into the room; `None` when not even a line does.
fn fitting_page(text: &str, offset: usize, room_tokens: Option<u64>) -> Option<RecallPage> {
    let mut lines = RECALL_PAGE_LINES;
    for _ in 0..MAX_TIGHTENINGS {
        let page = RecallPage::of(text, offset, lines);
        let tokens = rough_tokens(&page.text);
        let Some(room) = room_tokens.filter(|room| tokens > *room) else {
            return Some(page);
        };
        let shown = page.last_line + 1 - page.first_line;
        if shown <= 1 {
            return None;
        }
        let share = room as f64 / tokens as f64;
        lines = ((shown as f64 * share) as usize).clamp(1, shown - 1);
    }
    None
}

/// A page of an original as it is given to a model.
fn paged(
    address: &str,
    source: &str,
    text: &str,
    offset: usize,
    limits: &RecallLimits,
) -> ToolOutcome {
    let Some(page) = fitting_page(text, offset, limits.room_tokens) else {
        let text = format!(
            "Not recalled: no line of {address} fits into what is left for recalls in this turn. \
             Work with what you have."
        );
        return notice("limit", text);
    };
    if page.text.is_empty() {
        let lines = plural(page.lines as u64, "line");
        return ToolOutcome::error(format!("{address} has {lines}; offset is {offset}."));
    }
    let header = format!("[recalled {address}: {source}, {}]", page_words(&page));
    ToolOutcome {
        content: vec![Part::Text(header), Part::Text(page.text)],
        is_error: false,
        details: Some(json!({ "recall": "entry", "address": address })),
    }
}

/// Who said an entry, and when.
fn source_words(entry: &Entry, spoken: &SpokenText) -> String {
    let tool = spoken.tool.as_deref().map(|tool| format!(" of {tool}"));
    let speaker = spoken.speaker.name();
    let time = minute(entry.timestamp);
    format!("{speaker}{}, {time}", tool.unwrap_or_default())
}

/// Which part of an original a page is.
fn page_words(page: &RecallPage) -> String {
    let next = page.next();
    if next.is_none() && page.first_line == 1 {
        return "whole".to_owned();
    }
    let (first, last) = (page.first_line, page.last_line);
    let more = next.map(|line| format!("; more from offset {line}"));
    format!(
        "lines {first} to {last} of {}{}",
        page.lines,
        more.unwrap_or_default()
    )
}

fn nothing_text(
    query: &str,
    shown: Option<&RecallHit>,
    is_partial: bool,
    scope: &RecallScope,
) -> String {
    let in_window = shown.and_then(|hit| {
        let is_whole = hit.has_all && !is_partial;
        Some((is_whole, scope.place(&hit.entry)?.address))
    });
    match in_window {
        Some((true, address)) => format!(
            "Nothing outside of the window has {query:?}. It is in the window: see {address}."
        ),
        Some((false, address)) => format!(
            "Nothing was said with {query:?}. Only a part of it is in the window: see {address}."
        ),
        None => format!(
            "Nothing was said with {query:?}. Try other words, or a part of the name: a file, a \
             symbol, a number."
        ),
    }
}

/// A place as it is given to a model; of another session, with its id before the address.
pub(super) fn hit_text(hit: &RecallHit, scope: &RecallScope, session: Option<&str>) -> String {
    let address = scope.place(&hit.entry).map(|place| place.address);
    let address = address.map_or_else(|| hit.entry.to_string(), |it| it.to_string());
    let address = match session {
        Some(session) => format!("{session}/{address}"),
        None => address,
    };
    let tool = hit.tool.as_deref().map(|tool| format!(" of {tool}"));
    format!(
        "\n\n{address} · {}{} · {} · line {}\n{}",
        hit.speaker.name(),
        tool.unwrap_or_default(),
        minute(hit.timestamp),
        hit.line,
        hit.snippet,
    )
}

/// `2026-11-21 00:49`, UTC.
fn minute(at: Timestamp) -> String {
    to_rfc3339(at)
        .chars()
        .take(16)
        .collect::<String>()
        .replace('T', " ")
}
