use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::agent::{
    AgentEvent, AnswerDelta, CompactOptions, ContextEvent, Notice, QueuedInput, SessionList,
    SubmitWhen, TurnEnd,
};
use crate::context::{Category, Disposition, LeftOut, Role, ViewItem};
use crate::transcript::{
    AssistantMessage, AssistantPart, AuditRecord, Compaction, CompactionDetails, EntryBody,
    EntryId, Message, ModelRef, StopReason, SummaryCheck,
};
use crate::tui::composer::Draft;
use crate::tui::input::Input;
use crate::tui::testing::{Harness, call, view_of};

use super::*;

fn text(text: &str) -> AssistantPart {
    AssistantPart::Text(text.to_owned())
}

/// A conversation with a bit of everything.
fn story(columns: u16, rows: u16) -> Harness {
    let mut it = Harness::new(columns, rows);
    it.user("why does the token refresh race? 更新 👩‍👩‍👧");
    it.answer(vec![
        AssistantPart::Thinking {
            text: "Let me look.\nThe guard may be dropped early.".to_owned(),
            signature: None,
        },
        call("c1", "read", "path", "src/auth/refresh.rs"),
        call("c2", "bash", "command", "cargo build -p auth"),
    ]);
    it.result("c1", "fn refresh() {}", json!({"lines": 312}));
    it.result(
        "c2",
        "error[E0502]: no\nsecond\nthird\nfourth",
        json!({"exitCode": 101}),
    );
    it.answer(vec![text(
        "The refresh **guard** is dropped before the await.\n\n- 一つ目\n- two",
    )]);
    it.entry(EntryBody::Compaction(Box::new(Compaction {
        summary: "## Goal\nfix it".to_owned(),
        tokens_before: 171_204,
        details: CompactionDetails {
            tokens_after: 24_310,
            check: SummaryCheck {
                audit: Some(AuditRecord {
                    identifiers_found: 41,
                    identifiers_total: 41,
                    passed: true,
                    ..AuditRecord::default()
                }),
                ..SummaryCheck::default()
            },
            ..CompactionDetails::default()
        },
        ..Compaction::default()
    })));
    it.user("go on");
    let mut view = view_of(&[
        4_000, 9_000, 0, 0, 0, 6_000, 0, 12_000, 0, 20_000, 27_200, 38,
    ]);
    view.prune.cache_secs_left = Some(252);
    it.event(AgentEvent::Context(ContextEvent::View(Arc::new(view))));
    it
}

mod attach;
mod boundary;
mod everyday;
mod given_back;
mod happenings;
mod help;
mod history;
mod hostile;
mod keys;
mod modes;
mod mouse;
mod own;
mod questions;
mod recall;
mod replies;
mod screens;
mod search;
mod stray_keys;
mod telling;
mod tour;
mod undo_words;
