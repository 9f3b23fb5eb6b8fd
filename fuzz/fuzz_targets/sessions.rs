//! Any bytes as a session file: no panic; what is read is read the same twice; every entry
//! that speaks to the model is in the next request's view or left out of it, once; and calls
//! and results in it are paired.

#![no_main]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use plimsoll::context::ruler::Approximate;
use plimsoll::context::{ContextSettings, ContextView, RequestContext, ShrinkMode, ViewAssembler};
use plimsoll::export::html;
use plimsoll::session::read;
use plimsoll::transcript::{Message, Timestamp, Transcript};

fn view(transcript: &Transcript) -> ContextView {
    let around = RequestContext {
        system: "system".into(),
        ..RequestContext::default()
    };
    let settings = Arc::new(ContextSettings::default());
    let mut assembler = ViewAssembler::new(settings, Arc::new(Approximate));
    let evaluated = assembler.evaluate(transcript, &around, Timestamp(0), ShrinkMode::default());
    evaluated.view
}

/// Every call that is sent has one result after it, and no result is sent without its call.
fn check_pairs(view: &ContextView) {
    let mut open: HashSet<String> = HashSet::new();
    for message in view.items.iter().filter_map(|item| item.sent.as_deref()) {
        match message {
            Message::Assistant(answer) => {
                assert!(open.is_empty(), "calls without results: {open:?}");
                open.extend(answer.tool_calls().map(|call| call.id.clone()));
            }
            Message::ToolResult(result) => {
                assert!(
                    open.remove(&result.call_id),
                    "{} has no call",
                    result.call_id
                );
            }
            Message::User(_) | Message::BashExecution(_) => {}
        }
    }
    assert!(open.is_empty(), "calls without results: {open:?}");
}

fuzz_target!(|data: &[u8]| {
    let path = Path::new("session.jsonl");
    let Ok(loaded) = read(data, path) else {
        return;
    };
    let again = read(data, path).expect("it was read");
    assert_eq!(loaded.problems, again.problems);
    let transcript = &loaded.transcript;
    assert_eq!(transcript.entries(), again.transcript.entries());
    assert!(!html((&loaded).into()).is_empty());
    let view = view(transcript);
    check_pairs(&view);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let items = view.items.iter().filter_map(|item| item.entry.as_ref());
    for id in items.chain(view.left_out.iter().map(|it| &it.entry)) {
        *places.entry(id.as_str()).or_default() += 1;
    }
    for entry in transcript.branch() {
        if entry.body.speaks_to_model() {
            let count = places.get(entry.id.as_str()).copied().unwrap_or_default();
            assert_eq!(count, 1, "{} of {places:?}", entry.id);
        }
    }
});
