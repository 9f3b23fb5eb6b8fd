//! Plan mode on the screen.

use crate::agent::{AgentEvent, Op};
use crate::transcript::{EntryBody, Overlay, Part};
use crate::tui::effect::Effect;
use crate::tui::testing::Harness;

#[test]
fn one_key_begins_plan_mode_and_ends_it_whatever_is_typed() {
    let mut it = Harness::new(80, 24);
    let asked = |it: &mut Harness, on| {
        let effects = it.take_effects();
        assert_eq!(effects.last(), Some(&Effect::Send(Op::SetPlanMode(on))));
        it.event(AgentEvent::PlanMode(on));
    };
    it.take_effects();
    it.keys("shift-tab");
    asked(&mut it, true);
    it.wait(10_000);
    insta::assert_snapshot!("plan_mode_80x24", it.screen());
    it.type_text("half a sentence");
    it.keys("shift-tab");
    asked(&mut it, false);
    it.wait(10_000);
    assert!(!it.screen().contains("PLAN"));
    it.keys("ctrl-c");
    it.type_text("/plan");
    it.take_effects();
    it.keys("enter");
    asked(&mut it, true);
    it.wait(10_000);
    for (columns, rows) in [(40, 12), (20, 6)] {
        it.resize(columns, rows);
        let screen = it.screen();
        assert!(screen.contains("PLAN"), "{screen}");
    }
}

#[test]
fn what_the_model_is_told_of_plan_mode_goes_when_it_is_taken_back() {
    let mut it = Harness::new(80, 24);
    let told = it.entry(EntryBody::CustomMessage {
        custom_type: Overlay::PLAN.to_owned(),
        content: vec![Part::Text("[Plan mode is on.]".to_owned())],
        display: true,
    });
    assert!(it.screen().contains("[Plan mode is on.]"));
    it.entry(EntryBody::Overlay(Overlay::Undo { target: told }));
    assert!(!it.screen().contains("[Plan mode is on.]"));
}
