//! Random typing while questions come and go: what is typed is never an answer and never
//! lost.

use proptest::prelude::*;

use super::questions::{asking, offer, review};
use super::*;
use crate::agent::{ApprovalDecision, ContextOp, Op, TurnEvent, TurnOp};
use crate::tui::composer::Vi;

/// One thing that happens.
#[derive(Clone, Debug)]
enum StrayInput {
    Type(char),
    Paste(String),
    Key(&'static str),
    Wait(i64),
    Question,
    Review,
    Offer,
    /// The question is no longer wanted.
    Close,
}

fn stray() -> impl Strategy<Value = StrayInput> {
    let letters = prop::sample::select("yaspnexirvt1234 .,k".chars().collect::<Vec<_>>());
    let keys = [
        "enter",
        "enter",
        "tab",
        "esc",
        "up",
        "down",
        "pagedown",
        "shift-tab",
    ];
    prop_oneof![
        8 => letters.prop_map(StrayInput::Type),
        1 => "[yas\n]{1,6}".prop_map(StrayInput::Paste),
        6 => prop::sample::select(keys.to_vec()).prop_map(StrayInput::Key),
        4 => prop::sample::select(vec![0, 30, 400, 600, 2_000]).prop_map(StrayInput::Wait),
        2 => Just(StrayInput::Question),
        1 => Just(StrayInput::Review),
        1 => Just(StrayInput::Offer),
        1 => Just(StrayInput::Close),
    ]
}

/// What counts of a text: the rest may become a line break between two of them.
fn letters(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    letters.sort_unstable();
    letters
}

/// The screen with what was typed so far and what became of it.
struct Typist {
    it: Harness,
    typed: String,
    sent: String,
    questions: u64,
}

impl Typist {
    fn new(vi: bool) -> Self {
        let mut it = Harness::new(80, 24);
        it.model.composer.vi = vi.then(Vi::default);
        Self {
            it,
            typed: String::new(),
            sent: String::new(),
            questions: 0,
        }
    }

    fn top(&self) -> Option<&'static str> {
        self.it
            .model
            .screens
            .top()
            .map(crate::tui::overlay::Overlay::name)
    }

    /// Whether letters are commands: somebody moved the keyboard into a review.
    fn is_in_review(&self) -> bool {
        let mut all = self.it.model.screens.iter();
        all.any(|it| it.name() == "review" && it.has_keyboard())
    }

    fn step(&mut self, stray: &StrayInput) -> Result<(), TestCaseError> {
        let before = self.it.screen();
        match stray {
            StrayInput::Type(_) | StrayInput::Paste(_) if self.is_in_review() => return Ok(()),
            StrayInput::Type(c) => {
                self.typed.push(*c);
                self.it.type_text(&c.to_string());
            }
            StrayInput::Paste(text) => {
                self.typed.push_str(text);
                let paste = Input::Paste(text.clone());
                self.it.send(Msg::Input(paste));
            }
            // With a text in the composer they walk through what was sent before.
            StrayInput::Key("up" | "down")
                if self.top().is_none() || !before.contains("Enter:") =>
            {
                return Ok(());
            }
            StrayInput::Key(key) => self.it.keys(key),
            StrayInput::Wait(millis) => self.it.wait(*millis),
            StrayInput::Question => {
                self.questions += 1;
                let id = self.questions;
                self.it.event(asking(id, ""));
            }
            StrayInput::Review => self.it.event(review()),
            StrayInput::Offer => {
                self.questions += 1;
                let id = self.questions;
                self.it.event(offer(id));
            }
            StrayInput::Close => {
                let id = self.questions;
                self.it
                    .event(AgentEvent::Turn(TurnEvent::ApprovalClosed { id }));
            }
        }
        self.check(stray, &before)
    }

    /// What was sent, and whether the screen before it said that this key would.
    fn check(&mut self, stray: &StrayInput, before: &str) -> Result<(), TestCaseError> {
        for op in self.it.take_ops() {
            let is_enter = matches!(stray, StrayInput::Key("enter"));
            match op {
                Op::Turn(TurnOp::Submit { text, .. }) => self.sent.push_str(&text),
                Op::Turn(TurnOp::Approve {
                    decision:
                        ApprovalDecision::Deny {
                            feedback: Some(words),
                        },
                    ..
                }) => self.sent.push_str(&words),
                Op::Turn(TurnOp::Approve {
                    decision: ApprovalDecision::Deny { feedback: None },
                    ..
                }) => {
                    let is_refused = matches!(stray, StrayInput::Key("esc")) || is_enter;
                    prop_assert!(is_refused, "{stray:?}\n{before}");
                }
                Op::Turn(TurnOp::Approve { .. }) => {
                    let is_said = before.contains("Enter: allow");
                    prop_assert!(is_enter && is_said, "{stray:?}\n{before}");
                }
                Op::Turn(TurnOp::FitMessage { .. }) => {
                    let is_said = before.contains("Enter: ") || before.contains("Esc: ");
                    prop_assert!(is_said, "{stray:?}\n{before}");
                }
                Op::Context(ContextOp::Review(decision)) => {
                    let is_esc = matches!(stray, StrayInput::Key("esc"));
                    prop_assert!(is_esc, "{stray:?} {decision:?}\n{before}");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What was typed, as far as it is still somewhere: the composer, or an open reason.
    fn left(&mut self) -> String {
        // Closing every question gives back what was typed there.
        for id in 0..=self.questions {
            self.it
                .event(AgentEvent::Turn(TurnEvent::ApprovalClosed { id }));
        }
        self.it.model.composer.buffer.text()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_that_is_typed_answers_or_is_lost(
        strays in prop::collection::vec(stray(), 1..60),
    ) {
        let mut typist = Typist::new(false);
        for stray in &strays {
            typist.step(stray)?;
        }
        let left = typist.left();
        let found = format!("{}{left}", typist.sent);
        prop_assert_eq!(letters(&found), letters(&typist.typed), "top: {:?}", typist.top());
    }

    #[test]
    fn nothing_that_is_typed_in_the_modes_of_vi_answers(
        strays in prop::collection::vec(stray(), 1..60),
    ) {
        let mut typist = Typist::new(true);
        for stray in &strays {
            typist.step(stray)?;
        }
    }
}
