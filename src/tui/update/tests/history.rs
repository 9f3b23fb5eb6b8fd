//! Going through the history on the main screen: the keys that lead there and back.

use std::sync::Arc;

use crate::agent::{
    CompactOptions, ContextOp, Op, Query, QueryReply, RewindPlan, SessionOp, SubmitWhen, TurnOp,
};
use crate::transcript::{EntryId, Transcript};
use crate::tui::testing::Harness;

/// Three messages, each the child of the one before, and their log.
fn story(columns: u16, rows: u16) -> (Harness, Arc<Transcript>, Vec<EntryId>) {
    let mut it = Harness::new(columns, rows);
    let mut ids: Vec<EntryId> = Vec::new();
    for text in ["first", "second \u{1b}[2J", "third"] {
        ids.push(it.user(text));
    }
    let mut transcript = Transcript::new();
    for (at, id) in ids.iter().enumerate() {
        let mut entry = it.model.session.published.by_id[id].as_ref().clone();
        entry.parent = at.checked_sub(1).map(|above| ids[above].clone());
        transcript.push(Arc::new(entry)).unwrap();
    }
    it.take_effects();
    (it, Arc::new(transcript), ids)
}

#[test]
fn esc_twice_on_an_empty_composer_opens_the_timeline() {
    let (mut it, transcript, _) = story(80, 24);
    it.keys("esc");
    assert_eq!(it.take_ops(), []);
    it.keys("esc");
    assert_eq!(it.take_ops(), [Op::query(Query::History)]);
    it.reply(QueryReply::History(transcript));
    assert!(it.screen().contains("timeline"), "{}", it.screen());
    it.keys("esc");
    assert!(it.model.screens.is_empty());
    // Too slow, or with another key between them, they are two.
    it.keys("esc");
    it.wait(2_000);
    it.keys("esc x backspace esc");
    assert_eq!(it.take_ops(), []);
}

#[test]
fn a_message_that_is_written_anew_takes_the_old_ones_place() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let (mut it, transcript, ids) = story(columns, rows);
        it.type_text("/timeline");
        it.keys("enter");
        it.reply(QueryReply::History(transcript));
        it.keys("left e");
        assert_eq!(it.model.composer.buffer.text(), "second \u{1b}[2J");
        insta::assert_snapshot!(format!("anew_{columns}x{rows}"), it.screen());
        it.take_ops();
        it.type_text("!");
        it.keys("enter");
        let resent = Op::Session(SessionOp::Resend {
            target: ids[1].clone(),
            text: "second \u{1b}[2J!".to_owned(),
            images: Vec::new(),
        });
        assert_eq!(it.take_ops(), [resent], "{columns}x{rows}");
        assert_eq!(it.model.outgoing.replaces, None);
    }
}

#[test]
fn retry_takes_the_newest_message_and_ctrl_c_leaves_it() {
    let (mut it, _, ids) = story(80, 24);
    it.type_text("/retry");
    it.keys("enter");
    assert_eq!(it.model.composer.buffer.text(), "third");
    assert_eq!(it.model.outgoing.replaces.as_ref(), Some(&ids[2]));
    it.keys("ctrl-c");
    assert!(it.model.composer.buffer.is_empty());
    it.take_effects();
    it.type_text("new");
    it.keys("enter");
    let submitted = Op::Turn(TurnOp::Submit {
        text: "new".to_owned(),
        images: Vec::new(),
        when: SubmitWhen::NextStep,
    });
    assert_eq!(it.take_ops(), [submitted]);
}

#[test]
fn a_message_is_found_in_the_transcript() {
    let (mut it, transcript, _) = story(40, 12);
    for _ in 0..20 {
        it.user("more");
    }
    it.ask_for_screen(Query::History);
    it.reply(QueryReply::History(transcript));
    it.keys("g enter");
    assert!(it.model.screens.is_empty());
    let screen = it.screen();
    assert!(screen.contains("first"), "{screen}");
    assert!(!it.model.conversation.is_following());
}

#[test]
fn the_tree_and_a_pick_open_for_what_they_were_asked_for() {
    let (mut it, transcript, ids) = story(80, 24);
    it.type_text("/tree");
    it.keys("enter");
    it.reply(QueryReply::History(Arc::clone(&transcript)));
    assert!(it.screen().contains("1 branch"), "{}", it.screen());
    it.keys("esc");
    it.type_text("/compact --extractive --from the steps");
    it.keys("enter");
    it.take_ops();
    it.reply(QueryReply::History(transcript));
    it.keys("k enter");
    let compaction = Op::Context(ContextOp::Compact(CompactOptions {
        instructions: Some("the steps".to_owned()),
        extractive: true,
        from: Some(ids[1].clone()),
        ..CompactOptions::default()
    }));
    assert_eq!(it.take_ops(), [compaction]);
    it.type_text("/fork");
    it.keys("enter");
    assert_eq!(it.take_ops(), [Op::Session(SessionOp::Fork(None))]);
}

#[test]
fn a_preview_of_a_rewind_keeps_its_keys_from_the_timeline_it_hides() {
    let (mut it, transcript, ids) = story(80, 24);
    it.type_text("/timeline");
    it.keys("enter");
    it.reply(QueryReply::History(transcript));
    it.keys("r");
    it.reply(QueryReply::RewindPlan(Box::new(RewindPlan {
        to: Some(ids[0].clone()),
        ask: Some(ids[1].clone()),
        files: Vec::new(),
    })));
    assert!(
        it.screen().contains("no file has changed"),
        "{}",
        it.screen()
    );
    it.take_ops();
    // There it forks, writes again, and compacts.
    it.keys("f e r");
    assert_eq!(it.take_ops(), []);
    assert!(
        it.screen().contains("no file has changed"),
        "{}",
        it.screen()
    );
}
