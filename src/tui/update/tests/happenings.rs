//! The agent's events while it works, as lines and cards between the messages.

use super::*;
use crate::agent::{AnswerEvent, CompactionEvent, ContextEvent, TurnEvent};

#[test]
fn retries_count_down() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Stream(AnswerEvent::RequestStarted {
        model: ModelRef::default(),
    }));
    it.event(AgentEvent::Stream(AnswerEvent::Retrying {
        attempt: 2,
        max_attempts: 8,
        after: Duration::from_secs(20),
        reason: "overloaded".to_owned(),
    }));
    it.wait(5_000);
    assert!(
        it.screen().contains("attempt 2 of 8 in 15s · overloaded"),
        "{}",
        it.screen()
    );
}

#[test]
fn an_edit_shows_its_diff_and_an_undone_compaction_says_so() {
    let mut it = story(80, 40);
    it.answer(vec![call("c9", "edit", "path", "src/a.rs")]);
    let diff = "--- a\n+++ b\n@@ -1 +1 @@\n-let old = 1;\n+let new = 2;\n";
    it.result("c9", "ok", json!({"diff": diff, "added": 1, "removed": 1}));
    let screen = it.screen();
    assert!(
        screen.contains("let new = 2;") && screen.contains("+1 −1"),
        "{screen}"
    );
    let boundary = it.model.conversation.cells().iter().find_map(|cell| {
        let is_boundary = matches!(cell.body, crate::tui::transcript::Body::Compaction { .. });
        cell.entry.clone().filter(|_| is_boundary)
    });
    it.event(AgentEvent::Compaction(CompactionEvent::Undone {
        target: boundary.unwrap(),
        tokens_after: 190_000,
        over_load_line: true,
    }));
    let screen = it.screen();
    assert!(screen.contains("undone: compacted 171k"), "{screen}");
    assert!(screen.contains("over the load line"), "{screen}");
}

#[test]
fn a_compaction_shows_its_progress() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Compaction(CompactionEvent::Started {
        trigger: crate::transcript::Trigger::Threshold,
        tokens_before: 171_204,
        summarized: 212,
        kept_turns: 3,
    }));
    it.event(AgentEvent::Compaction(CompactionEvent::Progress {
        stage: "part 2/3".to_owned(),
    }));
    it.event(AgentEvent::Compaction(CompactionEvent::Delta(
        "## Goal\nfix the race".to_owned(),
    )));
    it.wait(14_200);
    let screen = it.screen();
    assert!(
        screen.contains("compacting 212 messages (171k) · threshold · part 2/3"),
        "{screen}"
    );
    assert!(screen.contains("fix the race"), "{screen}");
    it.event(AgentEvent::Compaction(CompactionEvent::Failed {
        trigger: crate::transcript::Trigger::Threshold,
        cause: "timeout",
        message: "the summariser timed out; nothing was changed".to_owned(),
        attempts: 2,
        ends_turn: false,
    }));
    let screen = it.screen();
    assert!(!screen.contains("fix the race") && screen.contains("nothing was changed"));
}

#[test]
fn a_compaction_is_announced_before_it_happens() {
    let mut it = Harness::new(80, 24);
    let mut view = view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 181_000, 0]);
    view.compaction.due = true;
    view.compaction.before_message.summarized = 212;
    view.compaction.before_message.tokens_after_estimate = 24_310;
    it.event(AgentEvent::Context(ContextEvent::View(
        std::sync::Arc::new(view),
    )));
    let screen = it.screen();
    let told = "the next message first compacts 212 messages → about 24.3k";
    assert!(screen.contains(told), "{screen}");
}

#[test]
fn while_something_goes_on_nothing_is_said_of_the_next_message() {
    let mut it = Harness::new(80, 24);
    let mut view = view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 181_000, 0]);
    view.compaction.due = true;
    it.event(AgentEvent::Context(ContextEvent::View(
        std::sync::Arc::new(view),
    )));
    assert!(it.screen().contains("the next message first compacts"));
    it.event(AgentEvent::Compaction(CompactionEvent::Started {
        trigger: crate::transcript::Trigger::Threshold,
        tokens_before: 181_000,
        summarized: 212,
        kept_turns: 3,
    }));
    for millis in [0, 100, 199, 1, 5_000] {
        it.wait(millis);
        let screen = it.screen();
        assert!(!screen.contains("the next message first"), "{screen}");
    }
    assert!(it.screen().contains("compacting 212 messages"));
    // Its review waits: that is what goes on.
    let proposal = crate::tui::overlay::review::tests::proposal();
    it.event(AgentEvent::Compaction(CompactionEvent::Review(proposal)));
    let screen = it.screen();
    assert!(!screen.contains("the next message first"), "{screen}");
    assert!(screen.contains("waiting for your answer"), "{screen}");
}

#[test]
fn while_a_summary_of_a_turn_is_reviewed_nothing_is_said_to_be_answered() {
    let mut it = Harness::new(120, 40);
    it.user("hello");
    it.event(AgentEvent::Stream(AnswerEvent::RequestStarted {
        model: ModelRef::new("p", "m"),
    }));
    it.wait(2_000);
    assert!(it.screen().contains("Esc: stop"), "{}", it.screen());
    let proposal = crate::tui::overlay::review::tests::proposal();
    it.event(AgentEvent::Compaction(CompactionEvent::Review(proposal)));
    it.wait(2_000);
    let screen = it.screen();
    assert!(screen.contains("waiting for your answer"), "{screen}");
    assert!(!screen.contains("waiting for m"), "{screen}");
    assert!(!screen.contains("Esc: stop"), "{screen}");
    it.event(AgentEvent::Compaction(CompactionEvent::Cancelled {
        reason: "discarded".to_owned(),
    }));
    it.wait(2_000);
    let screen = it.screen();
    assert!(!screen.contains("waiting for your answer"), "{screen}");
}

#[test]
fn a_compaction_that_is_near_is_announced_with_what_can_be_done() {
    let mut it = Harness::new(120, 40);
    let mut near = |tokens: u64, would_free: u64| {
        let mut view = view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, tokens, 0]);
        view.prune.would_free = would_free;
        it.event(AgentEvent::Context(ContextEvent::View(
            std::sync::Arc::new(view),
        )));
        it.screen()
    };
    assert!(!near(100_000, 0).contains("tokens until"));
    let warned = near(140_000, 0);
    assert!(
        warned.contains("40k tokens until compaction · /compact"),
        "{warned}"
    );
    let alarmed = near(170_000, 12_000);
    let told = "10k tokens until compaction · /prune frees 12k";
    assert!(alarmed.contains(told), "{alarmed}");
}

#[test]
fn a_command_of_the_user_runs_and_ends() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Stream(AnswerEvent::ToolStarted {
        call_id: "u1".to_owned(),
        name: "shell".to_owned(),
        title: "make".to_owned(),
    }));
    assert!(it.screen().contains("shell make"));
    it.entry(EntryBody::Message(Arc::new(Message::BashExecution(
        crate::transcript::BashExecution {
            command: "make".to_owned(),
            output: "done\n".to_owned(),
            exit_code: Some(0),
            excluded: true,
            ..Default::default()
        },
    ))));
    it.event(AgentEvent::Stream(AnswerEvent::ToolFinished {
        call_id: "u1".to_owned(),
        is_error: false,
        elapsed: Duration::from_secs(1),
    }));
    let screen = it.screen();
    assert!(!it.model.activity.is_busy());
    assert!(
        screen.contains("!! make") && screen.contains("not in the context"),
        "{screen}"
    );
    assert!(!screen.contains("shell make"), "{screen}");
}

/// The entry of the answer says it, and so does the end of the turn.
#[test]
fn what_ends_an_answer_is_said_once_with_what_to_do_next() {
    let (broke, hint) = ("network error: gone", "the partial answer is kept");
    for (stop, error, text) in [
        (StopReason::Error, Some(broke), broke),
        (StopReason::Refusal, None, "the model declined to answer"),
        (
            StopReason::Length,
            None,
            "the answer was cut off at the output limit",
        ),
        (
            StopReason::Length,
            None,
            "the answer was cut off because the context window is full",
        ),
    ] {
        let mut it = Harness::new(80, 24);
        it.entry(EntryBody::Message(Arc::new(Message::Assistant(
            AssistantMessage {
                content: vec![AssistantPart::Text("half an ans".to_owned())],
                stop,
                error: error.map(str::to_owned),
                ..AssistantMessage::default()
            },
        ))));
        let notice = match stop {
            StopReason::Error => Notice::error(text),
            _ => Notice::warning(text),
        };
        let notice = notice.with_hint(hint);
        if stop == StopReason::Error {
            it.event(AgentEvent::Turn(TurnEvent::Finished(TurnEnd {
                stop,
                text: "half an ans".to_owned(),
                error: Some(notice),
                error_kind: Some("network"),
                exit_code: 1,
            })));
        } else {
            it.event(AgentEvent::Notice(notice));
        }
        let screen = it.screen();
        assert_eq!(screen.matches(text).count(), 1, "{screen}");
        assert_eq!(screen.matches(hint).count(), 1, "{screen}");
        assert!(screen.contains("half an ans"), "{screen}");
    }
}
