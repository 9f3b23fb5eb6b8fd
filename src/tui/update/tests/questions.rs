//! Screens on top: they open, ask, answer and close again.

use super::*;
use crate::agent::{CompactionEvent, ContextOp, QueryReply, TurnEvent, TurnOp};

#[test]
fn screens_open_on_top_and_close_again() {
    for (keys, name) in [
        ("?", "help"),
        ("f1", "help"),
        ("f2", "context"),
        ("/ p r u n e d enter", "pruned"),
        ("/ t h e m e enter", "themes"),
    ] {
        let mut it = story(80, 24);
        it.keys(keys);
        // A completion list takes the first enter of a command with arguments.
        if it.model.screens.is_empty() {
            it.keys("enter");
        }
        let top = it
            .model
            .screens
            .top()
            .map(crate::tui::overlay::Overlay::name);
        assert!(top.is_some(), "{keys} opens {name}");
        for (columns, rows) in [(80, 24), (20, 6), (1, 1)] {
            it.resize(columns, rows);
            it.screen();
        }
        it.keys("esc esc");
        assert!(it.model.screens.is_empty(), "{name} closes");
    }
}

fn question() -> AgentEvent {
    asking(3, "rm *")
}

pub(super) fn asking(id: u64, pattern: &str) -> AgentEvent {
    let AssistantPart::ToolCall(call) = call("c7", "shell", "command", "rm -rf target") else {
        unreachable!("a call is a call");
    };
    AgentEvent::Turn(TurnEvent::Approval(Box::new(
        crate::agent::ApprovalRequest {
            id,
            call,
            title: "rm -rf target".to_owned(),
            cwd: "/src/api".into(),
            diff: None,
            pattern: pattern.to_owned(),
            outside: Vec::new(),
            cautions: Vec::new(),
            asked_by: None,
        },
    )))
}

pub(super) fn review() -> AgentEvent {
    AgentEvent::Compaction(CompactionEvent::Review(
        crate::tui::overlay::review::tests::proposal(),
    ))
}

pub(super) fn offer(id: u64) -> AgentEvent {
    AgentEvent::Turn(TurnEvent::Oversize(Box::new(crate::agent::OversizeOffer {
        id,
        needed_tokens: 212_345,
        usable_tokens: 180_000,
        model: ModelRef::new("anthropic", "claude-sonnet-4-5"),
        file_tokens: Some(41_000),
        trim_tokens: Some(123_000),
        larger: None,
    })))
}

/// A question of each kind, and the words that say what it asks.
fn unasked() -> [(AgentEvent, &'static str); 3] {
    [
        (question(), "allow shell?"),
        (review(), "compaction"),
        (offer(4), "larger than the window"),
    ]
}

fn approved(decision: crate::agent::ApprovalDecision) -> Op {
    Op::Turn(TurnOp::Approve { id: 3, decision })
}

fn written(it: &Harness) -> String {
    it.model.composer.buffer.text()
}

/// `stop, do not` granted all shell commands by its `s`.
/// `?` opens the keys in an empty composer, but not over a question.
#[test]
fn a_question_mark_is_text_while_something_is_asked() {
    for (event, words) in unasked() {
        let mut it = Harness::new(80, 24);
        it.event(event.clone());
        it.wait(5_000);
        it.type_text("? why");
        assert_eq!(written(&it), "? why", "{words}");
    }
}

#[test]
fn text_goes_to_the_composer_whatever_is_asked() {
    for (event, words) in unasked() {
        for at_rest in [false, true] {
            let mut it = Harness::new(80, 24);
            it.type_text("oh ");
            if at_rest {
                it.wait(5_000);
            }
            it.event(event.clone());
            it.take_effects();
            it.wait(if at_rest { 5_000 } else { 10 });
            it.type_text("stop, yes 1234 axe?");
            it.send(Msg::Input(Input::Paste(" pasted".to_owned())));
            assert_eq!(written(&it), "oh stop, yes 1234 axe? pasted", "{words}");
            assert_eq!(it.take_ops(), [], "{words}");
            assert!(it.screen().contains(words), "{words}: {}", it.screen());
            it.keys("enter");
            let sent = it.take_ops();
            assert!(
                matches!(sent.as_slice(), [Op::Turn(TurnOp::Submit { text, .. })]
                if text == "oh stop, yes 1234 axe? pasted"),
                "{words}: {sent:?}"
            );
            assert!(it.model.has_question(), "{words}");
        }
        let mut it = Harness::new(80, 24);
        it.event(event);
        it.wait(5_000);
        it.type_text("stop, do not");
        assert_eq!(written(&it), "stop, do not", "{words}");
        it.keys("ctrl-c");
        assert_eq!(it.take_ops(), [], "{words}");
        it.send(Msg::Input(Input::Paste("y\na".to_owned())));
        assert_eq!((written(&it).as_str(), it.take_ops().len()), ("y\na", 0));
    }
}

#[test]
fn enter_allows_once_in_an_empty_composer_at_rest_and_the_hint_says_so() {
    let mut it = Harness::new(80, 24);
    it.type_text("go");
    it.keys("enter");
    it.take_effects();
    it.event(question());
    for millis in [0, 499] {
        it.wait(millis);
        assert!(it.screen().contains("Tab: answer"), "{}", it.screen());
        assert!(!it.screen().contains("Enter: allow"), "{}", it.screen());
        let change = it.model.next_change().unwrap();
        assert!(change.as_millis() <= 500, "the hint is about to change");
    }
    it.wait(1);
    assert!(it.screen().contains("Enter: allow once"), "{}", it.screen());
    assert!(!it.screen().contains("Tab: answer"), "{}", it.screen());
    it.keys("enter");
    assert_eq!(
        it.take_ops(),
        [approved(crate::agent::ApprovalDecision::Once)]
    );
    // The next question does not take the second half of a double press.
    it.event(asking(4, ""));
    it.wait(200);
    it.keys("enter");
    assert_eq!(it.take_ops(), []);
}

#[test]
fn an_enter_that_was_on_its_way_is_not_taken_by_a_question_that_comes_up() {
    for (event, words) in unasked() {
        let mut it = Harness::new(80, 24);
        it.type_text("x");
        it.keys("backspace");
        it.wait(400);
        it.event(event);
        it.wait(90);
        it.keys("enter down enter up enter");
        assert_eq!(it.take_ops(), [], "{words}");
        assert!(it.model.has_question(), "{words}");
        assert!(it.screen().contains("Tab: answer"), "{}", it.screen());
    }
}

#[test]
fn a_question_that_was_not_drawn_yet_takes_no_enter() {
    let enter = || Msg::Input(Input::Key(crate::tui::keymap::event("enter").unwrap()));
    let mut it = Harness::new(80, 24);
    it.wait(60_000);
    it.event(question());
    it.send(enter());
    assert_eq!(it.take_ops(), []);
    it.wait(1_000);
    it.screen();
    // The one that was drawn is gone, another one has come up since.
    it.event(AgentEvent::Turn(TurnEvent::ApprovalClosed { id: 3 }));
    it.event(question());
    it.send(enter());
    assert_eq!(it.take_ops(), []);
    it.wait(1_000);
    it.screen();
    it.send(enter());
    assert_eq!(
        it.take_ops(),
        [approved(crate::agent::ApprovalDecision::Once)]
    );
}

#[test]
fn a_clock_that_is_set_back_does_not_keep_enter_away() {
    let mut it = Harness::new(80, 24);
    it.type_text("x");
    it.keys("backspace");
    it.event(question());
    it.wait(-3_600_000);
    it.wait(500);
    assert!(it.screen().contains("Enter: allow once"), "{}", it.screen());
}

#[test]
fn with_a_draft_only_tab_moves_the_keyboard_in_and_a_letter_moves_it_back() {
    let mut it = Harness::new(80, 24);
    it.event(question());
    it.type_text("a draft");
    it.wait(5_000);
    it.keys("up down");
    assert_eq!(written(&it), "a draft");
    let caret_of = |it: &mut Harness| it.draw().1;
    assert!(caret_of(&mut it).is_some(), "the caret is in the composer");
    it.keys("tab");
    assert!(it.screen().contains("Enter: allow once"), "{}", it.screen());
    assert_eq!(caret_of(&mut it), None, "no letter goes anywhere else");
    it.keys("tab");
    assert!(it.screen().contains("Tab: answer"), "{}", it.screen());
    it.keys("tab down down down");
    assert!(it.screen().contains("Enter: allow ALL"), "{}", it.screen());
    it.type_text("!");
    assert_eq!(written(&it), "a draft!");
    assert!(it.screen().contains("Tab: answer"), "{}", it.screen());
    it.keys("tab enter");
    assert_eq!(
        it.take_ops(),
        [approved(crate::agent::ApprovalDecision::Once)],
        "the list begins anew"
    );
    assert_eq!(written(&it), "a draft!");
}

#[test]
fn esc_denies_and_stops_unless_something_smaller_is_open() {
    let refused = approved(crate::agent::ApprovalDecision::Deny { feedback: None });
    for (draft, at_rest) in [("", true), ("", false), ("a draft", false)] {
        let mut it = Harness::new(80, 24);
        it.type_text(draft);
        it.event(question());
        it.wait(if at_rest { 1_000 } else { 0 });
        assert!(
            it.screen().contains("Esc: deny and stop"),
            "{}",
            it.screen()
        );
        it.keys("esc");
        assert_eq!(it.take_ops(), std::slice::from_ref(&refused));
        assert_eq!(written(&it), draft);
    }
    // A list of commands, a search through what was sent, vi: each has Esc first.
    for (script, vi) in [("/ c o", false), ("ctrl-r", false), ("h i", true)] {
        let mut it = Harness::new(80, 24);
        it.model.composer.vi = vi.then(crate::tui::composer::Vi::default);
        it.event(question());
        it.keys(script);
        assert!(!it.screen().contains("Esc: deny"), "{}", it.screen());
        it.take_effects();
        it.keys("esc");
        assert_eq!(it.take_ops(), [], "{script}");
        it.keys("esc");
        assert_eq!(it.take_ops(), std::slice::from_ref(&refused), "{script}");
    }
}

#[test]
fn letters_of_vi_are_the_composers_also_at_rest() {
    let mut it = Harness::new(80, 24);
    it.model.composer.vi = Some(crate::tui::composer::Vi::default());
    it.type_text("one two");
    it.keys("esc");
    it.event(question());
    it.wait(5_000);
    it.keys("0 d w j k y y p a s");
    assert_eq!(it.take_ops(), []);
    assert!(it.model.has_question());
    assert!(written(&it).contains("two"), "{}", written(&it));
}

#[test]
fn keys_of_questions_that_are_bound_otherwise_work_and_are_in_the_hints() {
    use crate::config::{SettingSources, SourceFile, resolve};
    let text = "[keys.question]\nswitch = \"f6\"\nchoose = \"ctrl-o\"\nrefuse = \"ctrl-q\"";
    let sources = SettingSources {
        user_file: Some(SourceFile {
            path: "/c.toml".into(),
            text: text.to_owned(),
        }),
        ..SettingSources::default()
    };
    let changes = resolve(&sources).unwrap().settings.ui.keys;
    let (keymap, _) = crate::tui::keymap::Keymap::configured(&changes).unwrap();
    let mut it = Harness::new(80, 24);
    it.model.keymap = keymap;
    it.event(question());
    it.type_text("a draft");
    let screen = it.screen();
    assert!(
        screen.contains("F6: answer") && screen.contains("Ctrl-q: deny"),
        "{screen}"
    );
    it.keys("tab f6 enter");
    assert_eq!(
        it.take_ops()
            .iter()
            .filter(|op| matches!(op, Op::Turn(TurnOp::Approve { .. })))
            .count(),
        0,
        "enter is the composer's now"
    );
    it.keys("f6");
    assert!(
        it.screen().contains("Ctrl-o: allow once"),
        "{}",
        it.screen()
    );
    it.keys("ctrl-o");
    assert_eq!(
        it.take_ops(),
        [approved(crate::agent::ApprovalDecision::Once)]
    );
}

#[test]
fn a_list_of_commands_is_above_a_question_and_has_tab() {
    let mut it = Harness::new(80, 24);
    it.event(question());
    it.type_text("/sum");
    it.wait(5_000);
    assert!(it.screen().contains("/summary"), "{}", it.screen());
    it.keys("tab");
    assert_eq!(written(&it), "/summary");
    it.keys("esc tab");
    assert!(it.screen().contains("Enter: allow once"), "{}", it.screen());
}

#[test]
fn what_somebody_opened_keeps_the_keyboard_when_a_question_comes_up() {
    let mut it = story(80, 24);
    it.keys("f2");
    it.event(question());
    it.wait(5_000);
    assert!(it.screen().contains("Tab: answer"), "{}", it.screen());
    it.keys("enter down y s a");
    assert!(
        it.take_ops()
            .iter()
            .all(|op| !matches!(op, Op::Turn(TurnOp::Approve { .. })))
    );
    it.keys("tab y s a enter");
    assert_eq!(
        it.take_ops(),
        [approved(crate::agent::ApprovalDecision::Once)]
    );
    it.event(question());
    it.keys("esc");
    assert_eq!(it.take_ops(), [], "it is the ledger's");
    it.wait(5_000);
    assert!(it.screen().contains("Enter: allow once"), "{}", it.screen());
    // What is opened while a question is there has the keyboard at once.
    it.keys("f2 up down enter");
    assert_eq!(it.take_ops(), []);
}

#[test]
fn a_card_in_focus_keeps_enter() {
    let mut it = story(80, 24);
    it.keys("ctrl-up");
    it.event(question());
    it.wait(5_000);
    assert!(it.screen().contains("Tab: answer"), "{}", it.screen());
    it.keys("enter");
    assert!(
        it.take_ops()
            .iter()
            .all(|op| !matches!(op, Op::Turn(TurnOp::Approve { .. })))
    );
}

#[test]
fn the_reason_is_typed_in_the_question_and_enter_sends_it() {
    let mut it = Harness::new(80, 24);
    it.type_text("a draft");
    it.event(question());
    it.keys("tab down enter");
    it.type_text("use npm");
    it.send(Msg::Input(Input::Paste(", please".to_owned())));
    let screen = it.screen();
    assert!(
        screen.contains("deny, because: use npm, please"),
        "{screen}"
    );
    assert!(screen.contains("Enter: deny with these words"), "{screen}");
    assert!(it.draw().1.is_some(), "the caret is in the field");
    it.keys("enter");
    let feedback = Some("use npm, please".to_owned());
    assert_eq!(
        it.take_ops(),
        [approved(crate::agent::ApprovalDecision::Deny { feedback })]
    );
    assert_eq!(written(&it), "a draft");
    // A question that closes by itself gives the words back.
    it.event(question());
    it.keys("tab down enter");
    it.type_text("no");
    it.event(AgentEvent::Turn(TurnEvent::ApprovalClosed { id: 3 }));
    assert_eq!(written(&it), "a draft\nno");
}

#[test]
fn a_review_that_comes_up_is_read_before_a_key_accepts_it() {
    let accepted = Op::Context(ContextOp::Review(crate::agent::ReviewDecision::Accept));
    let mut it = Harness::new(80, 24);
    it.event(review());
    it.wait(5_000);
    assert!(it.screen().contains("Enter: review it"), "{}", it.screen());
    assert!(
        it.screen().contains("what you type here"),
        "{}",
        it.screen()
    );
    it.keys("enter");
    assert_eq!(it.take_ops(), []);
    assert!(it.screen().contains("a accept"), "{}", it.screen());
    it.keys("enter");
    assert_eq!(it.take_ops(), [], "enter accepts nothing");
    it.keys("shift-tab");
    it.type_text("and a question");
    assert_eq!(written(&it), "and a question");
    it.keys("tab a");
    assert_eq!(it.take_ops(), [accepted]);
    assert_eq!(written(&it), "and a question");
}

#[test]
fn a_review_that_somebody_opened_has_the_keyboard_at_once() {
    let mut it = Harness::new(80, 24);
    it.ask_for_screen(crate::agent::Query::Compaction(EntryId::new("c1")));
    it.take_ops();
    it.reply(QueryReply::Compaction {
        entry: EntryId::new("c1"),
        standing: crate::transcript::CompactionStanding::InForce,
        proposal: crate::tui::overlay::review::tests::proposal(),
    });
    it.keys("u");
    assert_eq!(it.take_ops(), [Op::Context(ContextOp::Uncompact)]);
}

#[test]
fn an_offer_for_a_large_message_is_answered_by_its_rows_only() {
    let mut it = Harness::new(80, 24);
    it.event(offer(4));
    it.wait(1_000);
    it.keys("down");
    it.keys("enter");
    let choice = crate::agent::OversizeChoice::Trim;
    assert_eq!(
        it.take_ops(),
        [Op::Turn(TurnOp::FitMessage { id: 4, choice })]
    );
}

#[test]
fn page_keys_scroll_what_is_asked_about_and_nothing_is_answered() {
    let mut it = Harness::new(80, 24);
    let AgentEvent::Turn(TurnEvent::Approval(mut request)) = question() else {
        unreachable!("it asks");
    };
    let lines: Vec<String> = (1..100).map(|n| format!("echo line-{n}")).collect();
    request.title = lines.join("\n") + "\n";
    it.event(AgentEvent::Turn(TurnEvent::Approval(request)));
    it.type_text("a draft");
    it.screen();
    it.keys("pagedown pagedown");
    assert!(it.screen().contains("line-21"), "{}", it.screen());
    assert_eq!((it.take_ops().len(), written(&it).as_str()), (0, "a draft"));
}

#[test]
fn an_approval_80x24() {
    let mut it = story(80, 24);
    it.event(question());
    it.wait(1_000);
    insta::assert_snapshot!(it.screen());
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        it.resize(columns, rows);
        let screen = it.screen();
        assert!(screen.contains("43%"), "the gauge is hidden:\n{screen}");
        assert!(screen.contains("allow shell"), "no question:\n{screen}");
        assert!(it.draw().1.is_some(), "the composer is hidden:\n{screen}");
        let is_small = rows < 12;
        for words in ["allow once", "deny and say why", "always", "ALL shell"] {
            assert!(is_small || screen.contains(words), "{words}:\n{screen}");
        }
    }
    it.keys("enter");
    assert_eq!(
        it.take_ops(),
        [approved(crate::agent::ApprovalDecision::Once)]
    );
    assert!(it.model.screens.is_empty());
}

#[test]
fn one_event_too_many_does_not_stack_screens() {
    let mut it = Harness::new(80, 24);
    let wire = || {
        QueryReply::Wire(Box::new(crate::agent::WireView {
            target: "POST https://example.test/v1".to_owned(),
            body: "{}".to_owned(),
            last_body: None,
            unchanged_prefix_tokens: Some(1_200),
            first_difference: Some("messages[4]".to_owned()),
            cache: None,
        }))
    };
    for _ in 0..2 {
        it.type_text("/wire");
        it.keys("enter");
    }
    it.reply(wire());
    it.reply(wire());
    assert_eq!(it.model.screens.len(), 1);
    assert!(
        it.screen().contains("~1,200 leading tokens"),
        "{}",
        it.screen()
    );
    it.reply(QueryReply::Models(Vec::new()));
    it.reply(QueryReply::Sessions(SessionList::default()));
    it.keys("esc esc esc");
    assert!(it.model.screens.is_empty());
}

#[test]
fn what_is_refused_while_a_question_is_open_is_seen() {
    let mut it = Harness::new(80, 24);
    it.event(question());
    let refusal = "nothing was changed: cannot redo the rewind";
    it.event(AgentEvent::Notice(crate::agent::Notice::warning(refusal)));
    let screen = it.screen();
    assert!(screen.contains(refusal), "{screen}");
}
