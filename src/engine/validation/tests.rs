//! Whatever a view was checked after, the same is found.

use proptest::prelude::*;

use super::entries::places_in_any_order;
use super::*;
use crate::context::ruler::Approximate;
use crate::context::{RequestContext, ShrinkMode, ViewAssembler};
use crate::transcript::{
    AssistantMessage, AssistantPart, Compaction, Part, StopReason, Timestamp, ToolCall, ToolResult,
};

fn call(at: usize) -> EntryBody {
    let call = ToolCall {
        id: format!("c{at}"),
        name: "read".to_owned(),
        arguments: serde_json::json!({}),
        malformed: None,
    };
    EntryBody::Message(Arc::new(Message::Assistant(AssistantMessage {
        content: vec![AssistantPart::ToolCall(call)],
        stop: StopReason::ToolUse,
        ..AssistantMessage::default()
    })))
}

fn result(call: usize) -> EntryBody {
    EntryBody::Message(Arc::new(Message::ToolResult(ToolResult {
        call_id: format!("c{call}"),
        tool_name: "read".to_owned(),
        content: vec![Part::Text("lines".to_owned())],
        ..ToolResult::default()
    })))
}

fn said(steps: &[u8]) -> Transcript {
    let mut transcript = Transcript::new();
    for (at, step) in steps.iter().enumerate() {
        let nth = |back: usize| EntryId::new(format!("e{}", at.saturating_sub(back)));
        let body = match step {
            0..=3 => EntryBody::Message(Arc::new(Message::user_text("hello"))),
            4 => EntryBody::Decision(Decision::Pin { target: nth(3) }),
            5 => EntryBody::Decision(Decision::Undo { target: nth(1) }),
            10 | 11 => call(at),
            12 | 13 => result(at.saturating_sub(1)),
            _ => EntryBody::Compaction(Box::new(Compaction {
                summary: "what was said".to_owned(),
                first_kept: Some(nth(usize::from(*step))),
                ..Compaction::default()
            })),
        };
        let id = EntryId::new(format!("e{at}"));
        transcript.append(id, Timestamp(at as i64), body).unwrap();
    }
    transcript
}

fn view(assembler: &mut ViewAssembler, transcript: &Transcript) -> ContextView {
    let (around, pressure) = (RequestContext::default(), ShrinkMode::default());
    assembler
        .evaluate(transcript, &around, Timestamp(99), pressure)
        .view
}

/// A view with an item too many, too few, or in another place.
fn harmed(mut view: ContextView, harm: u8, at: usize) -> ContextView {
    let mut items: Vec<_> = view.items.iter().cloned().collect();
    let at = at % items.len();
    match harm {
        1 => drop(items.remove(at)),
        2 => items.push(Arc::clone(&items[at])),
        3 => items.rotate_left(at),
        4 => {
            let item = Arc::make_mut(&mut items[at]);
            item.entry = item.entry.is_some().then(|| EntryId::new("other"));
        }
        5 => Arc::make_mut(&mut items[at]).tokens += 1,
        6 => Arc::make_mut(&mut items[at]).disposition = Disposition::Cleared,
        _ => {}
    }
    view.items = items.into_iter().collect();
    view
}

proptest! {
    /// Views of a conversation that grows, and sometimes is another one: whoever saw those
    /// before says the same of each as who sees it alone, whether it is right or not.
    #[test]
    fn a_view_is_checked_alone_as_after_others(
        steps in prop::collection::vec(0u8..14, 1..24),
        looks in prop::collection::vec((1usize..24, 0u8..12, 0usize..30), 1..12),
    ) {
        let mut checker = ViewChecker::default();
        let mut assembler = ViewAssembler::new(Arc::default(), Arc::new(Approximate));
        let all = said(&steps);
        let mut grown = Transcript::new();
        for entry in all.entries() {
            grown.push(Arc::clone(entry)).unwrap();
            let made = view(&mut assembler, &grown);
            prop_assert_eq!(checker.check(&made, &grown, false), check(&made, &grown, false));
            for (upto, harm, at) in &looks {
                let made = harmed(made.clone(), *harm, *at);
                let found = checker.check(&made, &grown, false);
                prop_assert_eq!(&found, &check(&made, &grown, false));
                if *upto == grown.len() {
                    let other = said(&steps[..*at % steps.len()]);
                    let made = view(&mut assembler, &other);
                    let found = checker.check(&made, &other, false);
                    prop_assert_eq!(found, check(&made, &other, false));
                }
            }
        }
    }

    /// The short way to look for entries finds what the long one finds.
    #[test]
    fn both_ways_to_look_for_entries_find_the_same(
        steps in prop::collection::vec(0u8..14, 1..24), harm in 0u8..7, at in 0usize..30,
    ) {
        let transcript = said(&steps);
        let mut assembler = ViewAssembler::new(Arc::default(), Arc::new(Approximate));
        let view = harmed(view(&mut assembler, &transcript), harm, at);
        let branch = transcript.branch();
        let long = places_in_any_order(&view, &branch);
        let mut walk = EntryWalk::default();
        if walk.go_on(&view, &branch) {
            prop_assert_eq!(Ok(walk.places), long);
        } else if harm == 0 {
            prop_assert!(long.is_ok(), "{:?}", long);
        }
    }
}
