use std::sync::Arc;

use super::*;
use crate::agent::Notice;
use crate::context::ContextView;
use crate::context::rules::{RulePlace, RuleStanding};
use crate::transcript::{Decision, EntryBody, Message};
use crate::tui::overlay::fixture::{self, HOSTILE, OverlayStage};

fn ended(rule: RuleStanding, state: RuleState, reason: &str) -> RuleStanding {
    let mut rule = placed(rule, RulePlace::NotActive);
    let ended = Arc::make_mut(&mut rule.rule);
    ended.state = state;
    reason.clone_into(&mut ended.reason);
    rule
}

fn placed(rule: RuleStanding, place: RulePlace) -> RuleStanding {
    RuleStanding { place, ..rule }
}

fn confirmed(mut rule: RuleStanding) -> RuleStanding {
    Arc::make_mut(&mut rule.rule).is_confirmed = true;
    rule
}

/// One of every kind.
fn rules() -> Vec<RuleStanding> {
    let rule = fixture::rule;
    let block = RulePlace::InBlock;
    vec![
        placed(
            rule(
                "r11aa22bb",
                "Never push to main without asking me.",
                "a0000000",
            ),
            block,
        ),
        ended(
            rule("r22bb33cc", "answer in short sentences", "a0000000"),
            RuleState::Superseded,
            "taken back in words",
        ),
        confirmed(placed(
            rule(
                "r33cc44dd",
                "テストは必ず cargo nextest で実行し、cargo test は使わないこと。",
                "a0000001",
            ),
            block,
        )),
        placed(
            rule(
                "r44dd55ee",
                "do not spend more than $5 on models in this project",
                "a0000001",
            ),
            RulePlace::NotFitting,
        ),
        ended(
            rule("r55ee66ff", HOSTILE, "b0000001"),
            RuleState::Struck,
            "struck by you",
        ),
        rule("r66ff7700", "from now on use tabs", "b0000001"),
        ended(
            rule(
                "r77008811",
                "keep the old names for the refactoring",
                "b0000001",
            ),
            RuleState::Possible,
            "may hold for one request only",
        ),
        ended(
            rule("r88119922", "don't touch auth.rs", "b0000001"),
            RuleState::Possible,
            "may hold for one request only",
        ),
        confirmed(placed(
            rule("r9922aa33", &"long ".repeat(79), "d0000001"),
            block,
        )),
    ]
}

fn view_with(rules: Vec<RuleStanding>) -> ContextView {
    let mut view = ContextView::clone(OverlayStage::session().view.as_ref().unwrap());
    view.rules.rules = rules.into();
    view.rules.budget_tokens = 1_500;
    view
}

/// A session with these rules; the last one was added by hand.
fn stage_with(rules: Vec<RuleStanding>) -> OverlayStage {
    let mut stage = OverlayStage::session();
    stage.entry(
        "d0000001",
        EntryBody::Decision(Decision::Rule {
            rule: RuleId::new("r9922aa33"),
            change: RuleChange::Add("long".to_owned()),
        }),
        60,
    );
    stage.view = Some(Arc::new(view_with(rules)));
    stage
}

fn screen_of(stage: &OverlayStage) -> Rules {
    Rules::new(RuleList::of(stage.view.as_ref().unwrap()))
}

fn sent(act: RuleAct) -> [Effect; 1] {
    [Effect::Send(Op::Context(ContextOp::Rule(act)))]
}

fn show(stage: &OverlayStage, screen: &mut Rules, rules: Vec<RuleStanding>) {
    let view = ContextEvent::View(Arc::new(view_with(rules)));
    stage.report(screen, &AgentEvent::Context(view));
}

#[test]
fn rules_look_like_this() {
    let stage = stage_with(rules());
    fixture::assert_looks!("rules", stage, &mut screen_of(&stage));
}

#[test]
fn a_possible_rule_and_one_that_does_not_fit_say_what_can_be_done() {
    let stage = stage_with(rules());
    let mut screen = screen_of(&stage);
    stage.press(&mut screen, "j j");
    let full = stage.draw(&mut screen, 80, 24);
    assert!(full.contains("block is full at 1,500 tokens"), "{full}");
    assert!(!full.contains("every request holds them"), "{full}");
    let mut all_fit = rules();
    all_fit.remove(3);
    let fitting = stage_with(all_fit);
    let drawn = fitting.draw(&mut screen_of(&fitting), 80, 24);
    assert!(drawn.contains("every request holds them"), "{drawn}");
    stage.press(&mut screen, "j j j");
    fixture::assert_looks!("possible", stage, &mut screen);
}

#[test]
fn somebody_without_rules_learns_what_they_are() {
    let stage = stage_with(Vec::new());
    let mut screen = screen_of(&stage);
    fixture::assert_looks!("none", stage, &mut screen);
    for key in ["d", "x", "r", "c", "C", "e", "Enter", "space"] {
        assert_eq!(stage.press(&mut screen, key), [], "{key}");
    }
    assert!(stage.closes(&mut screen, "Esc"));
}

#[test]
fn every_key_does_its_act_to_the_selected_rule() {
    let stage = stage_with(rules());
    for (keys, act) in [
        ("d", RuleAct::on("r11aa22bb", RuleChange::Strike)),
        ("x", RuleAct::on("r11aa22bb", RuleChange::Strike)),
        ("j j j c", RuleAct::on("r66ff7700", RuleChange::Confirm)),
        ("j j j j j c", RuleAct::on("r77008811", RuleChange::Confirm)),
        (
            "j j j j j space",
            RuleAct::on("r77008811", RuleChange::Confirm),
        ),
        ("j j j j j d", RuleAct::on("r77008811", RuleChange::Strike)),
        ("G r", RuleAct::on("r55ee66ff", RuleChange::BringBack)),
        (
            "e C-u n o Enter",
            RuleAct::on("r11aa22bb", RuleChange::Reword("no".to_owned())),
        ),
        ("a b space d Enter", RuleAct::add("b d")),
    ] {
        let mut screen = screen_of(&stage);
        assert_eq!(stage.press(&mut screen, keys), sent(act), "{keys}");
    }
    let mut screen = screen_of(&stage);
    let all = ["r77008811", "r88119922"]
        .map(|id| sent(RuleAct::on(id, RuleChange::Confirm)))
        .concat();
    assert_eq!(stage.press(&mut screen, "C"), all);
    let undo = Op::Context(ContextOp::Undo(UndoOp::UNDO));
    assert_eq!(stage.press(&mut screen, "u"), [Effect::Send(undo)]);
}

#[test]
fn a_key_that_would_change_nothing_says_which_one_would() {
    let stage = stage_with(rules());
    for (keys, says) in [
        ("r", "active already"),
        ("j c", "confirmed already"),
        ("j j j j j r", "confirm it"),
        ("G d", "restore it first"),
        ("G c", "restore it first"),
        ("G e", "restore it first"),
        ("j j j j Enter", "added it here"),
    ] {
        let mut screen = screen_of(&stage);
        assert_eq!(stage.press(&mut screen, keys), [], "{keys}");
        let drawn = stage.draw(&mut screen, 80, 24);
        assert!(drawn.contains(says), "{keys}: {drawn}");
        stage.press(&mut screen, "k");
        assert!(!stage.draw(&mut screen, 80, 24).contains(says), "{keys}");
    }
}

#[test]
fn what_is_typed_is_lost_by_esc_alone() {
    let stage = stage_with(rules());
    let mut screen = screen_of(&stage);
    stage.press(&mut screen, "a q d x");
    assert!(stage.draw(&mut screen, 80, 24).contains("new rule: qdx"));
    screen.on_paste(&"y".repeat(500), &stage.scene());
    assert_eq!(stage.press(&mut screen, "Enter"), []);
    let drawn = stage.draw(&mut screen, 80, 24);
    assert!(
        drawn.contains("at most 400 characters, this has 503"),
        "{drawn}"
    );
    assert!(drawn.contains("yyyy"), "it is still there: {drawn}");
    // A view that comes meanwhile changes the list, not the field.
    show(&stage, &mut screen, Vec::new());
    assert!(stage.draw(&mut screen, 80, 24).contains("yyyy"));
    stage.press(&mut screen, "C-u space Enter");
    assert!(stage.draw(&mut screen, 80, 24).contains("needs words"));
    assert!(!stage.closes(&mut screen, "Esc"));
    assert!(!stage.draw(&mut screen, 80, 24).contains("new rule"));
    assert!(stage.closes(&mut screen, "Esc"));
}

#[test]
fn the_filter_narrows_by_words_state_and_place() {
    let stage = stage_with(rules());
    for (words, found) in [
        ("p u s h", vec!["Never push"]),
        ("p o s s i b l e", vec!["keep the old", "touch auth"]),
        ("f i t", vec!["do not spend"]),
        ("r 6 6", vec!["use tabs"]),
    ] {
        let mut screen = screen_of(&stage);
        stage.press(&mut screen, &format!("/ {words} Enter"));
        let drawn = stage.draw(&mut screen, 120, 40);
        for text in [
            "Never push",
            "use tabs",
            "keep the old",
            "do not spend",
            "touch auth",
        ] {
            assert_eq!(
                drawn.contains(text),
                found.contains(&text),
                "{words}: {text}\n{drawn}"
            );
        }
        assert!(!stage.closes(&mut screen, "Esc"), "the filter goes first");
        assert!(stage.draw(&mut screen, 120, 40).contains("Never push"));
        assert!(stage.closes(&mut screen, "Esc"));
    }
    let mut screen = screen_of(&stage);
    stage.press(&mut screen, "/ z z z");
    assert!(
        stage
            .draw(&mut screen, 80, 24)
            .contains("no rule has these words")
    );
}

#[test]
fn the_screen_follows_the_view_and_the_cursor_its_rule() {
    let stage = stage_with(rules());
    let mut screen = screen_of(&stage);
    stage.press(&mut screen, "j j j");
    let mut fewer = rules();
    fewer.remove(0);
    show(&stage, &mut screen, fewer);
    let strike = |id: &str| sent(RuleAct::on(id, RuleChange::Strike));
    assert_eq!(stage.press(&mut screen, "d"), strike("r66ff7700"));
    // Once it is struck, the cursor is on the one that comes after it.
    let mut struck = rules();
    struck.remove(0);
    Arc::make_mut(&mut struck[4].rule).state = RuleState::Struck;
    struck[4].place = RulePlace::NotActive;
    show(&stage, &mut screen, struck);
    assert_eq!(stage.press(&mut screen, "d"), strike("r9922aa33"));
    show(&stage, &mut screen, Vec::new());
    assert_eq!(stage.press(&mut screen, "d"), []);
}

#[test]
fn what_became_of_an_act_is_said_on_the_screen() {
    let stage = stage_with(rules());
    let mut screen = screen_of(&stage);
    let list = RuleList::of(stage.view.as_ref().unwrap());
    let changed = ContextEvent::RuleChanged {
        what: "struck",
        rule: Box::new(list.rules[0].clone()),
        tokens_change: -12,
    };
    stage.report(&mut screen, &AgentEvent::Context(changed));
    let drawn = stage.draw(&mut screen, 80, 24);
    let said = "struck · u: undo · −12 tokens: Never push to main";
    assert!(drawn.contains(said), "{drawn}");
    let refused = AgentEvent::Notice(Notice::error("not done: closed").with_hint("/fork"));
    stage.report(&mut screen, &refused);
    let drawn = stage.draw(&mut screen, 80, 24);
    assert!(drawn.contains("not done: closed · /fork"), "{drawn}");
}

#[test]
fn enter_opens_the_message_that_says_the_rule() {
    let mut stage = stage_with(rules());
    let text = format!("{}\nfrom now on use tabs", "line\n".repeat(100));
    stage.message("b0000001", Message::user_text(&text), 5);
    let mut screen = screen_of(&stage);
    stage.press(&mut screen, "j j j");
    let mut source = stage.opens(&mut screen, "Enter");
    assert_eq!(source.name(), "item");
    let drawn = stage.draw(source.as_mut(), 80, 24);
    assert!(drawn.contains("from now on use tabs"), "{drawn}");
}

#[test]
fn ten_thousand_rules_are_drawn_by_the_row() {
    let many: Vec<RuleStanding> = (0..10_000)
        .map(|n| fixture::rule(&format!("r{n:08x}"), &format!("rule {n}"), "b0000001"))
        .collect();
    let mut stage = OverlayStage::session();
    stage.view = Some(Arc::new(view_with(many)));
    let mut screen = screen_of(&stage);
    stage.press(&mut screen, "G");
    let drawn = stage.draw(&mut screen, 80, 24);
    assert!(drawn.contains("rule 9999"), "{drawn}");
    assert!(drawn.contains("10,000 rules active"), "{drawn}");
}
