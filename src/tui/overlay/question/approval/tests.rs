use crate::agent::{TurnEvent, TurnOp};
use serde_json::json;

use super::super::Keyboard;
use super::*;
use crate::transcript::ToolCall;
use crate::tui::overlay::fixture::{self, OverlayStage};

fn request() -> Box<ApprovalRequest> {
    Box::new(ApprovalRequest {
        id: 7,
        call: ToolCall {
            id: "c1".to_owned(),
            name: "shell".to_owned(),
            arguments: json!({"command": "cargo build -p auth 漢字 👩‍🚀 \u{1b}[2J"}),
            malformed: None,
        },
        title: "cargo build -p auth 漢字 👩‍🚀 \u{1b}[2J".to_owned(),
        cwd: "/home/me/api".into(),
        diff: None,
        pattern: "cargo build *".to_owned(),
        outside: vec!["/etc/hosts".into()],
        cautions: Vec::new(),
        asked_by: None,
    })
}

fn edit() -> Box<ApprovalRequest> {
    let mut request = request();
    "edit".clone_into(&mut request.call.name);
    "src/lib.rs".clone_into(&mut request.title);
    let body = ["-old\n+new\n"; 40].concat();
    request.diff = Some(format!(
        "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,40 +1,40 @@\n{body}"
    ));
    request.outside.clear();
    request
}

fn sent(decision: ApprovalDecision) -> [Effect; 1] {
    [Effect::Send(Op::Turn(TurnOp::Approve { id: 7, decision }))]
}

#[test]
fn the_question_at_its_sizes() {
    let stage = OverlayStage::empty().with_keyboard(Keyboard::Ready);
    fixture::assert_looks!("shell", stage, &mut Approval::new(request()));
    let stage = OverlayStage::empty().with_keyboard(Keyboard::Away);
    fixture::assert_looks!("edit", stage, &mut Approval::new(edit()));
    let mut wide = request();
    wide.pattern = "cargo build -p auth -p session --release --locked --features all *".into();
    let mut asked = Approval::new(wide);
    let stage = OverlayStage::empty();
    stage.answer(&mut asked, "Down Down Enter");
    fixture::assert_looks!("always", stage, &mut asked);
}

#[test]
fn a_pattern_that_is_the_whole_tool_is_said_in_words() {
    let stage = OverlayStage::empty();
    let mut whole = request();
    "tides__height".clone_into(&mut whole.call.name);
    "*".clone_into(&mut whole.pattern);
    let screen = stage.draw(&mut Approval::new(whole), 80, 20);
    let words = "allow all calls of tides__height always";
    assert!(
        screen.contains(words) && !screen.contains("`*`"),
        "{screen}"
    );
}

#[test]
fn every_row_is_in_sight_from_40_columns_and_8_rows_on() {
    let stage = OverlayStage::empty();
    for (width, height) in [(40, 8), (80, 20), (120, 36)] {
        for request in [request(), edit()] {
            let screen = stage.draw(&mut Approval::new(request), width, height);
            for words in ["allow once", "deny and say why", "always", "ALL"] {
                assert!(
                    screen.contains(words),
                    "{words} at {width}×{height}\n{screen}"
                );
            }
        }
    }
    let screen = stage.draw(&mut Approval::new(edit()), 40, 8);
    assert!(screen.contains("- old"), "no changed line:\n{screen}");
}

#[test]
fn each_row_has_one_meaning() {
    let stage = OverlayStage::empty();
    let always = |pattern: &str| ApprovalDecision::Always(pattern.to_owned());
    let refused = |words: Option<&str>| ApprovalDecision::Deny {
        feedback: words.map(str::to_owned),
    };
    let cases = [
        ("Enter", ApprovalDecision::Once),
        ("Down Enter Enter", refused(None)),
        (
            "Down Enter u s e space n p m Enter",
            refused(Some("use npm")),
        ),
        ("Down Down Enter Enter", always("cargo build *")),
        ("Down Down Enter Backspace x Enter", always("cargo build x")),
        (
            "Down Down Enter Tab Enter",
            ApprovalDecision::Pattern("cargo build *".to_owned()),
        ),
        ("Down Down Enter Tab Tab Enter", always("cargo build *")),
        ("Down Down Down Enter", ApprovalDecision::Session),
        (
            "Down Down Down Down Up Up Up Up Enter",
            ApprovalDecision::Once,
        ),
        ("Esc", refused(None)),
        ("Down Enter Esc Up Enter", ApprovalDecision::Once),
    ];
    for (script, decision) in cases {
        let mut approval = Approval::new(request());
        assert_eq!(
            stage.answer(&mut approval, script),
            sent(decision),
            "{script}"
        );
    }
}

#[test]
fn no_character_answers_and_an_empty_pattern_allows_nothing() {
    let stage = OverlayStage::empty();
    let mut approval = Approval::new(request());
    let letters = "y s a p n Y S A 1 2 3 4 j k space";
    assert_eq!(stage.answer(&mut approval, letters), []);
    assert_eq!(stage.press(&mut approval, letters), []);
    assert_eq!(stage.answer(&mut approval, "Down Down Enter C-u Enter"), []);
}

#[test]
fn a_call_without_a_pattern_has_no_row_for_one() {
    let stage = OverlayStage::empty();
    let mut request = request();
    request.pattern.clear();
    let mut approval = Approval::new(request);
    assert!(!stage.draw(&mut approval, 80, 24).contains("always"));
    let effects = stage.answer(&mut approval, "Down Down Enter");
    assert_eq!(effects, sent(ApprovalDecision::Session));
}

#[test]
fn the_last_row_says_what_it_grants() {
    let stage = OverlayStage::empty();
    let screen = stage.draw(&mut Approval::new(request()), 80, 24);
    assert!(
        screen.contains("allow ALL shell commands until you quit"),
        "{screen}"
    );
    let screen = stage.draw(&mut Approval::new(edit()), 80, 24);
    assert!(
        screen.contains("allow ALL calls of edit until you quit"),
        "{screen}"
    );
}

#[test]
fn the_hint_says_what_enter_does_on_each_row_and_who_has_the_keyboard() {
    let draw = |approval: &mut Approval, keyboard| {
        let stage = OverlayStage::empty().with_keyboard(keyboard);
        stage.draw(approval, 80, 24)
    };
    let mut approval = Approval::new(request());
    for keyboard in [Keyboard::Ready, Keyboard::Inside] {
        let screen = draw(&mut approval, keyboard);
        assert!(screen.contains("Enter: allow once"), "{screen}");
        assert!(!screen.contains("Tab: answer"), "{screen}");
    }
    for keyboard in [Keyboard::Away, Keyboard::Busy] {
        let screen = draw(&mut approval, keyboard);
        assert!(screen.contains("Tab: answer"), "{screen}");
        assert!(!screen.contains("Enter:"), "{screen}");
    }
    let stage = OverlayStage::empty();
    for words in [
        "Enter: deny and say why",
        "Enter: see the pattern",
        "Enter: allow ALL",
    ] {
        stage.answer(&mut approval, "Down");
        let screen = draw(&mut approval, Keyboard::Inside);
        assert!(screen.contains(words), "{screen}");
    }
    approval.give_keyboard(false);
    assert!(draw(&mut approval, Keyboard::Ready).contains("Enter: allow once"));
}

#[test]
fn it_closes_when_the_answer_is_no_longer_wanted_and_gives_the_words_back() {
    let stage = OverlayStage::empty();
    let mut approval = Approval::new(request());
    let close = |id| AgentEvent::Turn(TurnEvent::ApprovalClosed { id });
    assert!(matches!(
        stage.report(&mut approval, &close(6)),
        Reaction::Ignored
    ));
    assert!(matches!(
        stage.report(&mut approval, &close(7)),
        Reaction::Close(_)
    ));
    stage.answer(&mut approval, "Down Enter n o");
    let Reaction::Return(words, effects) = stage.report(&mut approval, &close(7)) else {
        panic!("the words are gone");
    };
    assert_eq!((words.as_str(), effects.len()), ("no", 0));
    stage.answer(&mut approval, "Esc Up");
    let choose = approval.on_question_key(QuestionKey::Choose, &stage.scene());
    let Reaction::Return(words, effects) = choose else {
        panic!("the words are gone");
    };
    assert_eq!(words, "no");
    assert_eq!(effects, sent(ApprovalDecision::Once));
}

#[test]
fn why_it_is_asked_wherever_it_works_is_said() {
    let stage = OverlayStage::empty();
    let words = "! .bashrc: shells run it when they start";
    let mut asked = request();
    let draw =
        |asked: &ApprovalRequest| stage.draw(&mut Approval::new(Box::new(asked.clone())), 80, 24);
    assert!(!draw(&asked).contains(words));
    asked.cautions = vec![".bashrc: shells run it when they start".to_owned()];
    assert!(draw(&asked).contains(words));
}

/// An edit in the middle of a file, with lines around it.
fn placed_edit() -> Box<ApprovalRequest> {
    let mut request = edit();
    let around = |from: u64| {
        [from, from + 1, from + 2]
            .map(|at| format!(" line {at}\n"))
            .concat()
    };
    request.diff = Some(format!(
        "--- src/lib.rs\n+++ src/lib.rs\n@@ -28,7 +28,7 @@\n{}-    old(1);\n+    new(1);\n{}",
        around(28),
        around(32)
    ));
    request
}

#[test]
fn the_changed_lines_of_an_edit_are_in_sight_on_a_small_screen() {
    let stage = OverlayStage::empty();
    for (width, height) in [(40, 12), (40, 8), (60, 12), (80, 24)] {
        let screen = stage.draw(&mut Approval::new(placed_edit()), width, height);
        for words in ["- ", "old(1)", "+ ", "new(1)", "allow once"] {
            assert!(
                screen.contains(words),
                "{words} at {width}×{height}\n{screen}"
            );
        }
        assert_eq!(screen.matches("src/lib.rs").count(), 1, "{screen}");
    }
    let screen = stage.draw(&mut Approval::new(placed_edit()), 80, 24);
    assert!(screen.contains("31    -     old(1);"), "{screen}");
    assert!(screen.contains("   31 +     new(1);"), "{screen}");
    // What must be read first is never scrolled away.
    let mut warned = placed_edit();
    warned.cautions = vec![".bashrc: shells run it when they start".to_owned()];
    let screen = stage.draw(&mut Approval::new(warned), 40, 8);
    assert!(screen.contains("! .bashrc"), "{screen}");
}

#[test]
fn the_diff_of_a_question_is_drawn_once_and_not_in_every_frame() {
    let stage = OverlayStage::empty();
    let mut asked = edit();
    let lines = (0..4_000).map(|at| format!("-let old{at} = {at};\n+let new{at} = {at};\n"));
    let body = lines.collect::<Vec<_>>().concat();
    asked.diff = Some(format!("@@ -1,4000 +1,4000 @@\n{body}"));
    let mut approval = Approval::new(asked);
    let area = Rect::new(0, 0, 80, 24);
    let mut frame = || {
        let start = std::time::Instant::now();
        approval.layout(area, &stage.scene());
        start.elapsed()
    };
    let first = frame();
    let later = (0..5).map(|_| frame()).min().unwrap();
    assert!(later * 20 < first, "{later:?} after {first:?}");
}
