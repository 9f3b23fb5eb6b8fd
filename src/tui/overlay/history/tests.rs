use std::sync::Arc;

use super::super::{Overlay, OverlayExit, Reaction};
use super::rows as rows_of;
use super::*;
use crate::agent::{AgentEvent, CompactOptions, ContextOp, SessionEvent, SessionOp, UndoOp};
use crate::transcript::{
    AssistantMessage, AssistantPart, Compaction, Cut, CutForm, CutPhase, Decision, Timestamp,
    ToolCall, ToolResult,
};
use crate::tui::overlay::fixture::{self, OverlayStage};

const NOW: i64 = 1_700_000_000_000;

/// A log under construction: `id parent` and what the entry says.
struct LogBuilder(Transcript);

impl LogBuilder {
    fn new() -> Self {
        Self(Transcript::new())
    }

    fn add(&mut self, id: &str, parent: Option<&str>, body: EntryBody) {
        let entry = Entry {
            id: EntryId::new(id),
            parent: parent.map(EntryId::new),
            timestamp: Timestamp(NOW - 600_000 + self.0.len() as i64 * 10_000),
            body,
        };
        self.0.push(Arc::new(entry)).unwrap();
    }

    fn message(&mut self, id: &str, parent: Option<&str>, message: Message) {
        self.add(id, parent, EntryBody::Message(Arc::new(message)));
    }

    fn user(&mut self, id: &str, parent: Option<&str>, text: &str) {
        self.message(id, parent, Message::user_text(text));
    }

    fn answer(&mut self, id: &str, parent: &str, text: &str, calls: &[&str]) {
        let mut content = vec![AssistantPart::Text(text.to_owned())];
        for call in calls {
            content.push(AssistantPart::ToolCall(ToolCall {
                id: (*call).to_owned(),
                name: "read".to_owned(),
                arguments: serde_json::json!({ "path": format!("src/{call}.rs") }),
                malformed: None,
            }));
        }
        let answer = AssistantMessage {
            content,
            ..AssistantMessage::default()
        };
        self.message(id, Some(parent), Message::Assistant(answer));
    }

    fn result(&mut self, id: &str, parent: &str, call: &str) {
        let result = ToolResult {
            call_id: call.to_owned(),
            ..ToolResult::default()
        };
        self.message(id, Some(parent), Message::ToolResult(result));
    }
}

/// Two turns with tools, a compaction; from the second message on another branch with a
/// name, and a third one beside it.
fn story() -> Arc<Transcript> {
    let mut log = LogBuilder::new();
    log.user("u1", None, "why does the token refresh race? 更新 👩‍👩‍👧");
    log.answer("a1", "u1", "I look.", &["refresh", "lock"]);
    log.result("r1", "a1", "refresh");
    log.result("r2", "r1", "lock");
    log.answer("a2", "r2", "The guard is dropped before the await.", &[]);
    log.user("u2", Some("a2"), "fix it with a mutex");
    log.answer("a3", "u2", "Done with a mutex.", &["write"]);
    log.result("r3", "a3", "write");
    log.user("u3", Some("a2"), fixture::HOSTILE);
    log.answer("a4", "u3", "A semaphore it is.", &[]);
    log.user("u4", Some("a4"), "and the tests?");
    log.user("u5", Some("a2"), "fix it with a channel");
    log.answer("a5", "u5", "Done with a channel.", &[]);
    let label = |target: &str, label: &str| EntryBody::Label {
        target: EntryId::new(target),
        label: Some(label.to_owned()),
    };
    log.add("l1", Some("a5"), label("u3", "semaphore"));
    let compaction = Compaction {
        summary: "## Goal\nfix the refresh".to_owned(),
        ..Compaction::default()
    };
    log.add(
        "c1",
        Some("l1"),
        EntryBody::Compaction(Box::new(compaction)),
    );
    log.user("u6", Some("c1"), "now document it");
    log.answer("a6", "u6", "Documented.", &[]);
    Arc::new(log.0)
}

fn timeline(stage: &OverlayStage) -> Timeline {
    Timeline::of(story(), &stage.scene()).unwrap()
}

fn id(text: &str) -> EntryId {
    EntryId::new(text)
}

fn go_to(text: &str) -> Effect {
    Effect::Send(Op::Session(SessionOp::GoTo(Some(id(text)))))
}

#[test]
fn timeline_at_its_sizes() {
    let stage = OverlayStage::empty();
    for (width, height) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let screen = stage.draw(&mut timeline(&stage), width, height);
        insta::assert_snapshot!(format!("timeline_{width}x{height}"), screen);
    }
    fixture::assert_safe_at_all_sizes(&stage, &mut timeline(&stage));
}

#[test]
fn tree_at_its_sizes() {
    let stage = OverlayStage::empty();
    for (width, height) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let screen = stage.draw(&mut Tree::of(story()).unwrap(), width, height);
        insta::assert_snapshot!(format!("tree_{width}x{height}"), screen);
    }
    fixture::assert_safe_at_all_sizes(&stage, &mut Tree::of(story()).unwrap());
}

#[test]
fn going_back_ends_behind_an_answer_with_its_results_and_before_a_message() {
    let stage = OverlayStage::empty();
    let check = |script: &str, expected: &str| {
        let effects = stage.press(&mut timeline(&stage), script);
        assert_eq!(effects, [go_to(expected)], "{script}");
    };
    check("G b", "a6");
    check("G k b", "c1");
    check("g j b", "r2");
    let effects = stage.press(&mut timeline(&stage), "g b");
    assert_eq!(effects, [Effect::Send(Op::Session(SessionOp::GoTo(None)))]);
}

#[test]
fn a_message_is_written_anew_in_its_place() {
    let stage = OverlayStage::empty();
    let mut it = timeline(&stage);
    stage.press(&mut it, "g Right");
    let reaction = it.on_key(fixture::key("e"), &stage.scene());
    let Reaction::Leave(way, effects) = reaction else {
        panic!("e led nowhere");
    };
    assert_eq!(effects, []);
    let expected = OverlayExit::Write {
        text: "fix it with a channel".to_owned(),
        images: Vec::new(),
        replaces: Some(id("u5")),
    };
    assert_eq!(way, expected);
    // An answer is nobody's to edit.
    stage.press(&mut it, "j e");
    assert!(
        stage
            .draw(&mut it, 80, 24)
            .contains("only your own messages")
    );
}

#[test]
fn a_fork_ends_before_the_message_and_takes_its_text_along() {
    let stage = OverlayStage::empty();
    let mut it = timeline(&stage);
    stage.press(&mut it, "g Right");
    let Reaction::Leave(OverlayExit::Write { text, replaces, .. }, effects) =
        it.on_key(fixture::key("f"), &stage.scene())
    else {
        panic!("f led nowhere");
    };
    assert_eq!((text.as_str(), replaces), ("fix it with a channel", None));
    assert_eq!(
        effects,
        [Effect::Send(Op::Session(SessionOp::Fork(Some(id("a2")))))]
    );
    stage.press(&mut it, "g f");
    assert!(stage.draw(&mut it, 80, 24).contains("nothing comes before"));
    let effects = stage.press(&mut it, "G f");
    assert_eq!(
        effects,
        [Effect::Send(Op::Session(SessionOp::Fork(Some(id("a6")))))]
    );
}

#[test]
fn enter_shows_the_message_in_the_transcript() {
    let stage = OverlayStage::empty();
    let mut it = timeline(&stage);
    stage.press(&mut it, "G");
    let reaction = it.on_key(fixture::key("Enter"), &stage.scene());
    assert!(matches!(reaction, Reaction::Leave(OverlayExit::Show(entry), _) if entry == id("a6")));
}

#[test]
fn the_first_kept_message_is_picked_for_a_compaction() {
    let stage = OverlayStage::empty();
    let options = |from| CompactOptions {
        instructions: Some("keep it".to_owned()),
        yes: true,
        extractive: true,
        from,
        ..CompactOptions::default()
    };
    let mut it = timeline(&stage).picking_for(options(None));
    insta::assert_snapshot!("picking_80x24", stage.draw(&mut it, 80, 24));
    let effects = stage.press(&mut it, "G k b e f Enter");
    assert_eq!(
        effects,
        [Effect::Send(Op::Context(ContextOp::Compact(options(
            Some(id("u6"))
        ))))]
    );
}

#[test]
fn a_search_goes_from_message_to_message() {
    let stage = OverlayStage::empty();
    let mut it = timeline(&stage);
    stage.press(&mut it, "g / c h a n n e l Enter n");
    assert_eq!(it.selected().unwrap().place.entry.id, id("a5"));
}

#[test]
fn the_tree_switches_to_the_end_of_a_branch() {
    let stage = OverlayStage::empty();
    let mut it = Tree::of(story()).unwrap();
    let at = |it: &Tree, name: &str| {
        let of = |node: &rows_of::TreeNode| node.place.entry.id == id(name);
        it.nodes.iter().position(of).unwrap()
    };
    it.cursor.select(at(&it, "u3"), it.nodes.len());
    assert_eq!(stage.press(&mut it, "Enter"), [go_to("u4")]);
    it.cursor.select(at(&it, "u2"), it.nodes.len());
    assert_eq!(stage.press(&mut it, "Enter"), [go_to("r3")]);
    it.cursor.select(at(&it, "u5"), it.nodes.len());
    assert_eq!(stage.press(&mut it, "Enter"), []);
    assert!(
        stage
            .draw(&mut it, 80, 24)
            .contains("you are on this branch")
    );
    assert_eq!(it.branches(), 3);
}

#[test]
fn the_tree_is_searched_by_words_and_names() {
    let stage = OverlayStage::empty();
    let mut it = Tree::of(story()).unwrap();
    let shown = |it: &Tree| it.selected().unwrap().place.entry.id.clone();
    stage.press(&mut it, "g / c h a n n e l");
    assert!(stage.draw(&mut it, 80, 24).contains("/channel"));
    stage.press(&mut it, "Enter");
    assert!(it.selected().unwrap().place.text().contains("channel"));
    stage.press(&mut it, "/ t h e Enter");
    let found = shown(&it);
    stage.press(&mut it, "n");
    let next = shown(&it);
    assert_ne!(next, found, "n goes on");
    stage.press(&mut it, "N");
    assert_eq!(shown(&it), found, "N goes back");
    let first = found;
    stage.press(&mut it, "/ z z z");
    assert!(stage.draw(&mut it, 80, 24).contains("not found"));
    assert_eq!(stage.press(&mut it, "Esc"), []);
    assert_eq!(shown(&it), first, "esc ends the search, not the tree");
}

#[test]
fn a_branch_gets_a_name() {
    let stage = OverlayStage::empty();
    let mut it = Tree::of(story()).unwrap();
    let effects = stage.press(&mut it, "l d o c s Enter");
    let label = Op::Session(SessionOp::Label {
        target: id("a6"),
        label: Some("docs".to_owned()),
    });
    assert_eq!(effects, [Effect::Send(label)]);
    let entry = Entry {
        id: id("l9"),
        parent: Some(id("a6")),
        timestamp: Timestamp(NOW),
        body: EntryBody::Label {
            target: id("a6"),
            label: Some("docs".to_owned()),
        },
    };
    stage.report(
        &mut it,
        &AgentEvent::Session(SessionEvent::Entry(Arc::new(entry))),
    );
    let screen = stage.draw(&mut it, 80, 24);
    assert!(screen.contains("[docs] Documented."), "{screen}");
    assert!(screen.contains("◀ here"), "{screen}");
}

#[test]
fn a_branch_of_ten_thousand_messages_is_no_recursion() {
    let mut log = LogBuilder::new();
    log.user("0", None, "start");
    for at in 1..10_000 {
        log.user(&at.to_string(), Some(&(at - 1).to_string()), "more");
    }
    let transcript = Arc::new(log.0);
    let stage = OverlayStage::empty();
    let mut tree = Tree::of(Arc::clone(&transcript)).unwrap();
    assert_eq!(tree.nodes.len(), 10_000);
    let timeline = Timeline::of(transcript, &stage.scene()).unwrap();
    assert_eq!(timeline.steps.len(), 10_000);
    assert!(stage.draw(&mut tree, 40, 12).contains("◀ here"));
}

#[test]
fn the_timeline_marks_messages_that_set_rules() {
    let mut stage = OverlayStage::session();
    let mut log = LogBuilder::new();
    log.user("u1", None, "never push. keep it short");
    log.answer("a1", "u1", "fine", &[]);
    log.user("u2", Some("a1"), "maybe a rule");
    log.user("u3", Some("u2"), "no rule");
    let mut view = crate::context::ContextView::clone(stage.view.as_ref().unwrap());
    let mut possible = fixture::rule("r3", "maybe a rule", "u2");
    Arc::make_mut(&mut possible.rule).state = crate::context::rules::RuleState::Possible;
    let mut struck = fixture::rule("r4", "no rule", "u3");
    Arc::make_mut(&mut struck.rule).state = crate::context::rules::RuleState::Struck;
    view.rules.rules = [
        fixture::rule("r1", "never push", "u1"),
        fixture::rule("r2", "keep it short", "u1"),
        possible,
        struck,
    ]
    .into();
    stage.view = Some(Arc::new(view));
    let mut timeline = Timeline::of(Arc::new(log.0), &stage.scene()).unwrap();
    for (width, height) in fixture::SIZES {
        let drawn = stage.draw(&mut timeline, width, height);
        let row = |words: &str| {
            let row = drawn.lines().find(|row| row.contains(words));
            row.unwrap_or_default().contains('§')
        };
        if width >= 40 {
            assert!(row("never push"), "{drawn}");
            assert!(row("maybe a rule"), "{drawn}");
            assert!(!row("no rule"), "{drawn}");
        }
    }
    stage.press(&mut timeline, "<");
    let drawn = stage.draw(&mut timeline, 120, 40);
    assert!(drawn.contains("§ sets 2 rules"), "{drawn}");
}

/// A conversation with a prune, a pin and, from the newest message on, nothing else.
fn acted() -> Arc<Transcript> {
    let mut log = LogBuilder::new();
    log.user("u1", None, "why does the token refresh race?");
    log.answer("a1", "u1", "I look.", &["refresh"]);
    log.result("r1", "a1", "refresh");
    let cut = |target: &str, before, after| Cut {
        target: id(target),
        form: CutForm::Clear {
            placeholder: "[cleared]".to_owned(),
        },
        phase: CutPhase::Hard,
        reason: String::new(),
        tokens_before: before,
        tokens_after: after,
    };
    let prune = |by_person| {
        EntryBody::Decision(Decision::Prune {
            policy: "soft-hard".to_owned(),
            cuts: vec![cut("r1", 5_000, 100), cut("a1", 1_000, 100)],
            cache_given_up_tokens: 0,
            reasoning_lost: 0,
            by_person,
        })
    };
    log.add("p0", Some("r1"), prune(false));
    log.add("p1", Some("p0"), prune(true));
    let pin = EntryBody::Decision(Decision::Pin { target: id("u1") });
    log.add("d1", Some("p1"), pin);
    log.user("u2", Some("d1"), "and the tests?");
    Arc::new(log.0)
}

fn undo() -> Effect {
    Effect::Send(Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed())))
}

#[test]
fn acts_that_can_be_undone_are_listed_with_their_words() {
    let stage = OverlayStage::empty();
    let mut it = Timeline::of(acted(), &stage.scene()).unwrap();
    for (width, height) in [(80, 24), (40, 12)] {
        let screen = stage.draw(&mut it, width, height);
        insta::assert_snapshot!(format!("acts_{width}x{height}"), screen);
    }
    let screen = stage.draw(&mut it, 80, 24);
    assert!(screen.contains("3 messages"), "acts are none: {screen}");
    assert_eq!(
        screen.matches("prune of 2 results, 5.8k").count(),
        1,
        "what pruning did by itself is no act: {screen}"
    );
    let options = CompactOptions::default();
    for mut picker in [
        Timeline::of(acted(), &stage.scene()).unwrap().rewinding(),
        Timeline::of(acted(), &stage.scene())
            .unwrap()
            .picking_for(options),
    ] {
        let screen = stage.draw(&mut picker, 80, 24);
        assert!(!screen.contains("prune of"), "{screen}");
    }
}

#[test]
fn enter_on_an_act_says_the_effect_and_a_second_enter_undoes_it() {
    let stage = OverlayStage::empty();
    let mut it = Timeline::of(acted(), &stage.scene()).unwrap();
    let asked = stage.press(&mut it, "k Enter");
    assert!(
        matches!(asked.as_slice(), [Effect::Send(Op::Query { .. })]),
        "{asked:?}"
    );
    let screen = stage.draw(&mut it, 80, 24);
    assert!(screen.contains("undo of the pin of “why does"), "{screen}");
    assert!(!stage.closes(&mut it, "Esc"), "esc leaves the undo alone");
    stage.press(&mut it, "Enter");
    assert_eq!(stage.press(&mut it, "Enter"), [undo()]);
}

#[test]
fn an_older_act_is_undone_with_every_newer_one_and_says_so() {
    let stage = OverlayStage::empty();
    let mut it = Timeline::of(acted(), &stage.scene()).unwrap();
    assert_eq!(stage.press(&mut it, "k k Enter"), []);
    let screen = stage.draw(&mut it, 120, 24);
    let words = "undo of 2 acts: pin of “why does the token refresh race?”; prune of 2 results";
    assert!(screen.contains(words), "{screen}");
    assert_eq!(stage.press(&mut it, "Enter"), [undo(), undo()]);
    stage.press(&mut it, "Enter j");
    let screen = stage.draw(&mut it, 120, 24);
    assert!(!screen.contains("undo of 2 acts"), "{screen}");
}
