//! One contract for every context engine: the same log gives the same request, nothing is lost
//! or twice, pairs stay pairs, what a person decided holds, and a restart changes nothing.

use std::sync::Arc;
use std::time::Duration;

use plimsoll::agent::EngineProgram;
use plimsoll::config::{EnvironmentVars, SettingKind};
use plimsoll::context::ruler::Approximate;
use plimsoll::context::{
    ContextSettings, ContextView, Disposition, Evaluation, RequestContext, ShrinkMode,
};
use plimsoll::engine::ContextEngine;
use plimsoll::engine::compaction::KeptTail;
use plimsoll::engine::happening::{EndedSubagent, EndedTurn};
use plimsoll::engine::registry::{self, ENGINES, EngineParts, EngineRow};
use plimsoll::engine::shrinking::ShrinkRequest;
use plimsoll::engine::validation;
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Decision, Entry, EntryBody, EntryId, Message, ModelInfo,
    ModelRef, Part, StopReason, Timestamp, ToolCall, ToolResult, Transcript, Trigger,
};
use proptest::prelude::*;
use serde_json::json;

use super::strict_logs;

const NOW: Timestamp = Timestamp(1_800_000_000_000);
/// Words of a message, so that some turns fill a window.
const WORDS: usize = 120;

/// A conversation in which every third turn calls a tool. Each turn has words of its own.
fn talk(turns: usize) -> Transcript {
    let mut log = Transcript::new();
    for turn in 0..turns {
        let filler = "and so on ".repeat(WORDS / 3);
        say(
            &mut log,
            &format!("question {turn} about topic-{turn}: {filler}"),
        );
        if turn % 3 == 0 {
            call(&mut log, turn);
        }
        answer(&mut log, &format!("answer {turn}"));
    }
    log
}

pub fn push(log: &mut Transcript, body: EntryBody) -> EntryId {
    let n = log.len();
    let id = EntryId::new(format!("{n:08x}"));
    let entry = Entry {
        id: id.clone(),
        parent: log.leaf().cloned(),
        timestamp: Timestamp(NOW.0 - 10_000_000 + n as i64 * 1_000),
        body,
    };
    log.push(Arc::new(entry)).unwrap();
    id
}

pub fn say(log: &mut Transcript, text: &str) -> EntryId {
    push(log, EntryBody::Message(Arc::new(Message::user_text(text))))
}

fn answer(log: &mut Transcript, text: &str) -> EntryId {
    let message = AssistantMessage {
        content: vec![AssistantPart::Text(text.to_owned())],
        stop: StopReason::Stop,
        ..AssistantMessage::default()
    };
    push(
        log,
        EntryBody::Message(Arc::new(Message::Assistant(message))),
    )
}

/// A call and its result; gives the result's entry.
fn call(log: &mut Transcript, turn: usize) -> EntryId {
    let call = ToolCall {
        id: format!("call_{turn}"),
        name: "read".to_owned(),
        arguments: json!({"path": format!("f{turn}")}),
        malformed: None,
    };
    let result = ToolResult {
        call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: vec![Part::Text(format!("file of topic-{turn}"))],
        is_error: false,
        details: None,
    };
    let message = AssistantMessage {
        content: vec![AssistantPart::ToolCall(call)],
        stop: StopReason::ToolUse,
        ..AssistantMessage::default()
    };
    push(
        log,
        EntryBody::Message(Arc::new(Message::Assistant(message))),
    );
    push(
        log,
        EntryBody::Message(Arc::new(Message::ToolResult(result))),
    )
}

fn settings(window: u64) -> Arc<ContextSettings> {
    let mut settings = ContextSettings::default();
    settings.window.user_tokens = Some(window);
    Arc::new(settings)
}

fn around() -> RequestContext {
    RequestContext {
        system: Arc::from("You are a test."),
        model: ModelInfo::unknown(ModelRef::new("p", "m")),
        ..RequestContext::default()
    }
}

/// Every engine by id, `process` with the example.
fn engines(settings: &Arc<ContextSettings>) -> Vec<Box<dyn ContextEngine>> {
    let rows = ENGINES.iter();
    rows.map(|row| made(row, settings)).collect()
}

/// Those that need no program.
fn built_in(settings: &Arc<ContextSettings>) -> Vec<Box<dyn ContextEngine>> {
    let rows = ENGINES.iter().filter(|row| row.id != "process");
    rows.map(|row| made(row, settings)).collect()
}

fn made(row: &EngineRow, settings: &Arc<ContextSettings>) -> Box<dyn ContextEngine> {
    let command = super::engine_programs::EXAMPLE.to_owned();
    let environment: EnvironmentVars = std::env::vars().collect();
    // As long as it takes on a busy machine.
    let limit = Duration::from_secs(30);
    let program = EngineProgram::new(command, std::env::temp_dir(), &environment, limit);
    let parts = EngineParts {
        settings: Arc::clone(settings),
        ruler: Arc::new(Approximate),
        program: Ok(Arc::new(program)),
    };
    row.make(parts).unwrap()
}

#[test]
fn the_setting_names_the_engines_of_the_registry() {
    let (setting, _) = plimsoll::config::find("context.engine").unwrap();
    let SettingKind::Choice(names) = setting.kind else {
        panic!("context.engine names none");
    };
    assert_eq!(names, registry::names());
}

fn evaluated(engine: &mut dyn ContextEngine, log: &Transcript) -> Evaluation {
    let pressure = ShrinkMode::default();
    engine.assemble(log, &around(), NOW, pressure).unwrap()
}

fn view(engine: &mut dyn ContextEngine, log: &Transcript) -> ContextView {
    let view = evaluated(engine, log).view;
    let id = engine.info().id;
    assert_eq!(validation::check(&view, log, false), Ok(()), "{id}");
    view
}

/// What is sent, byte for byte.
fn sent(view: &ContextView) -> String {
    let sent = view.items.iter().filter_map(|item| item.sent.as_ref());
    sent.map(|message| format!("{message:?}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_same_log_gives_the_same_request_at_once_or_entry_by_entry() {
    let log = talk(60);
    let settings = settings(8_000);
    for (mut grown, mut fresh) in engines(&settings).into_iter().zip(engines(&settings)) {
        let id = grown.info().id;
        let whole = sent(&view(fresh.as_mut(), &log));
        let mut growing = Transcript::new();
        for entry in log.branch() {
            growing.push(entry).unwrap();
            view(grown.as_mut(), &growing);
        }
        assert_eq!(sent(&view(grown.as_mut(), &growing)), whole, "{id}");
        assert_eq!(sent(&view(fresh.as_mut(), &log)), whole, "{id}");
    }
}

#[test]
fn between_two_steps_of_the_window_a_request_begins_as_the_one_before() {
    let settings = settings(8_000);
    let steady = ["layered", "sliding-window"];
    for mut engine in built_in(&settings) {
        let info = engine.info();
        if !steady.contains(&info.id) {
            continue;
        }
        let mut log = talk(40);
        let mut before = sent(&view(engine.as_mut(), &log));
        let mut moved = 0;
        for turn in 40..80 {
            say(
                &mut log,
                &format!("question {turn}: {}", "and so on ".repeat(40)),
            );
            answer(&mut log, "yes");
            let now = sent(&view(engine.as_mut(), &log));
            moved += usize::from(!now.starts_with(&before));
            before = now;
        }
        assert!(moved <= 10, "{}: {moved} of 40", info.id);
    }
}

#[test]
fn an_engine_that_compacts_by_itself_stays_below_the_load_line_and_triggers_nothing() {
    let settings = settings(8_000);
    for mut engine in engines(&settings) {
        let info = engine.info();
        let view = view(engine.as_mut(), &talk(200));
        if info.owns_compaction {
            let line = view.window.load_line_effective;
            assert!(
                view.usage.tokens < line,
                "{}: {}",
                info.id,
                view.usage.tokens
            );
            assert!(!view.compaction.due && view.compaction.compacts_at.is_none());
        } else {
            assert!(view.compaction.due, "{}", info.id);
        }
    }
}

#[test]
fn what_is_left_out_has_a_reason_and_can_be_brought_back() {
    let settings = settings(8_000);
    for mut engine in engines(&settings) {
        let info = engine.info();
        let mut log = talk(100);
        let before = view(engine.as_mut(), &log);
        let omitted: Vec<_> = before
            .left_out
            .iter()
            .filter(|left| left.disposition == Disposition::Omitted)
            .collect();
        assert_eq!(info.is_choosing, !omitted.is_empty(), "{}", info.id);
        assert!(
            omitted
                .iter()
                .all(|left| left.reason.contains("window") && left.is_told)
        );
        let early = EntryId::new("00000000");
        let is_sent = |view: &ContextView| {
            view.items
                .iter()
                .any(|item| item.entry.as_ref() == Some(&early))
        };
        assert_eq!(is_sent(&before), !info.is_choosing, "{}", info.id);
        let bytes = sent(&before);
        let pin = push(
            &mut log,
            EntryBody::Decision(Decision::Pin {
                target: early.clone(),
            }),
        );
        let pinned = view(engine.as_mut(), &log);
        assert!(is_sent(&pinned), "{}", info.id);
        push(
            &mut log,
            EntryBody::Decision(Decision::Undo { target: pin }),
        );
        assert_eq!(sent(&view(engine.as_mut(), &log)), bytes, "{}", info.id);
    }
}

#[test]
fn a_pinned_result_comes_with_its_call_and_a_rule_of_an_early_message_stays() {
    let settings = settings(8_000);
    for mut engine in engines(&settings) {
        let id = engine.info().id;
        let mut log = Transcript::new();
        say(&mut log, "Never push to main. What is in f0?");
        let result = call(&mut log, 0);
        answer(&mut log, "a file");
        for entry in talk(100).branch() {
            push(&mut log, entry.body.clone());
        }
        push(
            &mut log,
            EntryBody::Decision(Decision::Pin { target: result }),
        );
        let all = sent(&view(engine.as_mut(), &log));
        assert!(all.contains("file of topic-0"), "{id}");
        assert!(
            all.to_lowercase().contains("never push to main"),
            "{id}: {all}"
        );
    }
}

#[test]
fn retrieval_brings_the_turn_that_a_question_is_about_and_a_sliding_window_does_not() {
    let settings = settings(8_000);
    let mut log = Transcript::new();
    say(
        &mut log,
        "The gyroscope of the heron drone drifts by 4.2 degrees an hour.",
    );
    answer(
        &mut log,
        "Noted: recalibrate the gyroscope before each flight.",
    );
    for entry in talk(100).branch() {
        push(&mut log, entry.body.clone());
    }
    say(&mut log, "How much does the gyroscope drift?");
    for mut engine in built_in(&settings) {
        let id = engine.info().id;
        let made = view(engine.as_mut(), &log);
        let all = sent(&made);
        let has_turn = all.contains("4.2 degrees") && all.contains("recalibrate");
        assert_eq!(has_turn, !matches!(id, "sliding-window"), "{id}");
        if id == "retrieval" {
            let reason = made.items.iter().find_map(|item| {
                let reason = item.reason.clone()?;
                reason.contains("score").then_some(reason)
            });
            assert!(reason.unwrap().contains("selected for"), "{id}");
            // All requests of a turn begin alike.
            let mut longer = log.clone();
            call(&mut longer, 7);
            let later = sent(&view(engine.as_mut(), &longer));
            assert!(later.starts_with(&all), "{later}");
        }
    }
}

#[test]
fn the_newest_message_is_sent_whole_however_long_it_is() {
    let settings = settings(4_000);
    for mut engine in engines(&settings) {
        let mut log = talk(30);
        let asked = format!("{} the end", "a very long message ".repeat(2_000));
        say(&mut log, &asked);
        let all = sent(&view(engine.as_mut(), &log));
        assert!(all.contains("the end"), "{}", engine.info().id);
        // Its own steps make room for each other.
        for turn in 0..30 {
            call(&mut log, turn);
        }
        let all = sent(&view(engine.as_mut(), &log));
        assert!(all.contains("the end"), "{}", engine.info().id);
    }
}

#[test]
fn a_plan_to_shrink_parts_no_pair_is_the_same_twice_and_changes_nothing() {
    let settings = settings(8_000);
    for mut engine in engines(&settings) {
        let id = engine.info().id;
        let log = talk(60);
        let before = view(engine.as_mut(), &log);
        for trigger in [Trigger::Manual, Trigger::Overflow] {
            let request = ShrinkRequest {
                trigger,
                attempt: 0,
                instructions: None,
                kept: KeptTail {
                    may_keep_less: true,
                    ..KeptTail::default()
                },
            };
            let plan = engine.plan_shrink(&before, &request).unwrap().unwrap();
            let again = engine.plan_shrink(&before, &request).unwrap();
            assert_eq!(again.as_ref(), Some(&plan), "{id}");
            assert!(!plan.tail.history.is_empty(), "{id}");
            let first = plan.tail.first_kept.clone().unwrap();
            let first = log.get(&first).unwrap().message().unwrap();
            assert!(!matches!(first.as_ref(), Message::ToolResult(_)), "{id}");
            engine.shrink(&plan, &request).unwrap();
        }
        // What it is told of changes no choice.
        for entry in log.branch() {
            engine.ingest(&entry);
        }
        engine.after_turn(&EndedTurn::default());
        engine.subagent_ended(&EndedSubagent::default());
        assert_eq!(sent(&view(engine.as_mut(), &log)), sent(&before), "{id}");
    }
}

#[test]
fn a_window_of_unknown_size_leaves_nothing_out() {
    let settings = settings(0);
    for mut engine in engines(&settings) {
        let view = view(engine.as_mut(), &talk(100));
        assert!(view.left_out.is_empty(), "{}", engine.info().id);
    }
}

/// A log that names a message where an act belongs: the message is still a part of its group.
#[test]
fn an_undo_that_names_a_result_does_not_part_it_from_its_call() {
    use super::strict_logs::Step;
    let steps = [Step::Write(0, 0, false), Step::Undo(1), Step::Drop(1)];
    let log = strict_logs::log(&steps);
    let settings = Arc::new(strict_logs::eager());
    for mut engine in built_in(&settings) {
        let model = ModelInfo::unknown(ModelRef::new("openai", "gpt-4o"));
        let around = strict_logs::around(&model);
        let evaluated = engine.assemble(&log, &around, NOW, ShrinkMode::default());
        let checked = validation::check(&evaluated.unwrap().view, &log, false);
        assert_eq!(checked, Ok(()), "{}", engine.info().id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn views_of_any_log_are_valid(steps in strict_logs::steps(), total in any::<bool>()) {
        let log = strict_logs::log(&steps);
        let settings = Arc::new(strict_logs::eager());
        for mut engine in built_in(&settings) {
            let model = ModelInfo::unknown(ModelRef::new("openai", "gpt-4o"));
            let around = strict_logs::around(&model);
            let pressure = ShrinkMode { total, ..ShrinkMode::default() };
            let view = engine.assemble(&log, &around, NOW, pressure).unwrap().view;
            let checked = validation::check(&view, &log, false);
            prop_assert_eq!(checked, Ok(()), "{}", engine.info().id);
        }
    }
}
