//! The contract of an engine program, tried on conversations made up for it: what `plim engine
//! check` prints. Nothing of the user's is sent to the program.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::{ProcessEngine, ProgramLauncher};
use crate::context::ruler::Approximate;
use crate::context::{ContextSettings, ContextView, RequestContext, ShrinkMode};
use crate::engine::compaction::KeptTail;
use crate::engine::happening::{EndedSubagent, EndedTurn, SubagentWish};
use crate::engine::selecting::SelectingEngine;
use crate::engine::shrinking::ShrinkRequest;
use crate::engine::{ContextEngine, validation};
use crate::transcript::{
    AssistantMessage, AssistantPart, Decision, Entry, EntryBody, EntryId, Message, ModelInfo,
    ModelRef, Part, StopReason, Timestamp, ToolCall, ToolResult, Transcript, Trigger,
};

/// The window of the trials, in tokens.
const WINDOW_TOKENS: u64 = 8_000;
/// Turns of the long conversation.
const TURNS: usize = 80;
/// A clock reading after all entries.
const NOW: Timestamp = Timestamp(1_800_000_000_000);

/// What came of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialOutcome {
    /// What was tried, as a sentence that is true when it passed.
    pub claim: &'static str,
    /// What was wrong.
    pub fault: Option<String>,
}

/// What is tried, and how.
struct Trial {
    claim: &'static str,
    run: fn(&Arc<dyn ProgramLauncher>) -> Result<(), String>,
}

const fn trial(
    claim: &'static str,
    run: fn(&Arc<dyn ProgramLauncher>) -> Result<(), String>,
) -> Trial {
    Trial { claim, run }
}

const TRIALS: [Trial; 10] = [
    trial("it starts, and speaks this version of the protocol", starts),
    trial("a short conversation is sent whole", short),
    trial(
        "what it leaves out has a reason; pins and the newest message stay",
        long,
    ),
    trial(
        "what it sends fits, if it keeps requests short itself",
        fits,
    ),
    trial(
        "the same conversation gives the same choice, also after a restart",
        restarts,
    ),
    trial(
        "a conversation that grew gives the same choice as one that is read at once",
        grows,
    ),
    trial("a pin that is undone changes nothing", undoes),
    trial("empty, long and strange texts do no harm", strange),
    trial(
        "where it would cut a compaction is a group that is sent, and it says why",
        shrinks,
    ),
    trial(
        "what it is told of entries, turns and sub-agents changes no choice",
        is_told,
    ),
];

/// Runs all trials, the later ones also when one fails.
pub fn run(launcher: &Arc<dyn ProgramLauncher>) -> Vec<TrialOutcome> {
    let outcome = |trial: &Trial| TrialOutcome {
        claim: trial.claim,
        fault: (trial.run)(launcher).err(),
    };
    TRIALS.iter().map(outcome).collect()
}

fn starts(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    engine(launcher).map(drop)
}

fn short(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let view = view(&mut engine(launcher)?, &talk(2))?;
    match view.left_out.len() {
        0 => Ok(()),
        left => Err(format!(
            "it leaves out {left} messages of a window that is nearly empty"
        )),
    }
}

fn long(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let mut log = talk(TURNS);
    let target = first_entry(&log);
    push(&mut log, EntryBody::Decision(Decision::Pin { target }));
    view(&mut engine(launcher)?, &log).map(drop)
}

fn fits(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let mut engine = engine(launcher)?;
    let view = view(&mut engine, &talk(TURNS))?;
    let (tokens, line) = (view.usage.tokens, view.window.load_line_effective);
    if engine.info().owns_compaction && tokens >= line {
        return Err(format!(
            "its view has {tokens} tokens, the load line is at {line}"
        ));
    }
    Ok(())
}

fn restarts(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let log = talk(TURNS);
    let first = view(&mut engine(launcher)?, &log)?;
    let second = view(&mut engine(launcher)?, &log)?;
    same(&first, &second)
}

fn grows(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let log = talk(TURNS / 2);
    let mut grown = engine(launcher)?;
    let mut growing = Transcript::new();
    let mut last = None;
    for entry in log.branch() {
        // Every id of a made-up conversation is new.
        let _ = growing.push(entry);
        last = Some(view(&mut grown, &growing)?);
    }
    let whole = view(&mut engine(launcher)?, &log)?;
    last.map_or(Ok(()), |last| same(&last, &whole))
}

fn undoes(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let mut log = talk(TURNS);
    let mut engine = engine(launcher)?;
    let before = view(&mut engine, &log)?;
    let target = first_entry(&log);
    let pin = push(&mut log, EntryBody::Decision(Decision::Pin { target }));
    view(&mut engine, &log)?;
    push(
        &mut log,
        EntryBody::Decision(Decision::Undo { target: pin }),
    );
    same(&before, &view(&mut engine, &log)?)
}

fn strange(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let mut log = talk(20);
    let texts = [
        "\u{1b}[31m\"quotes\" \\ and \u{0} control characters\r\n",
        "上下文 😀 ünïcode \u{202e}backwards\u{2028}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    ];
    for text in texts {
        say(&mut log, text);
        say(&mut log, &text.repeat(2_000));
    }
    view(&mut engine(launcher)?, &log).map(drop)
}

fn shrinks(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let mut engine = engine(launcher)?;
    let view = view(&mut engine, &talk(TURNS))?;
    for trigger in [Trigger::Manual, Trigger::Threshold, Trigger::Overflow] {
        let request = ShrinkRequest {
            trigger,
            attempt: 0,
            instructions: Some("keep the names"),
            kept: KeptTail::default(),
        };
        let planned = engine.plan_shrink(&view, &request);
        if let Some(plan) = planned.map_err(|error| error.to_string())? {
            let step = engine.shrink(&plan, &request);
            step.map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

fn is_told(launcher: &Arc<dyn ProgramLauncher>) -> Result<(), String> {
    let log = talk(TURNS);
    let mut told = engine(launcher)?;
    for entry in log.branch() {
        told.ingest(&entry);
    }
    told.after_turn(&EndedTurn {
        outcome: "done",
        prompt_tokens: Some(4_000),
        expected_tokens: 4_000,
    });
    let wish = SubagentWish {
        call: "call_1".to_owned(),
        agent: "explore".to_owned(),
        task: "look around".to_owned(),
        inherit: "none".to_owned(),
        cap_tokens: None,
        caller_tokens: 4_000,
        ttl_secs: 300,
    };
    let prepared = told.prepare_subagent(&wish);
    prepared.map_err(|error| error.to_string())?;
    told.subagent_ended(&EndedSubagent {
        call: wish.call,
        reason: "done".to_owned(),
        result: "nothing found".to_owned(),
    });
    let fresh = view(&mut engine(launcher)?, &log)?;
    same(&fresh, &view(&mut told, &log)?)
}

type ProgramEngine = SelectingEngine<ProcessEngine>;

fn engine(launcher: &Arc<dyn ProgramLauncher>) -> Result<ProgramEngine, String> {
    let policy = ProcessEngine::start(Arc::clone(launcher)).map_err(|error| error.to_string())?;
    let mut settings = ContextSettings::default();
    settings.window.user_tokens = Some(WINDOW_TOKENS);
    let ruler = Arc::new(Approximate);
    Ok(SelectingEngine::new(policy, Arc::new(settings), ruler))
}

fn view(engine: &mut ProgramEngine, log: &Transcript) -> Result<ContextView, String> {
    let around = RequestContext {
        system: Arc::from("You are a test."),
        model: ModelInfo::unknown(ModelRef::new("check", "check")),
        repeatable: Arc::new(BTreeSet::new()),
        ..RequestContext::default()
    };
    let evaluated = engine.assemble(log, &around, NOW, ShrinkMode::default());
    let view = evaluated.map_err(|error| error.to_string())?.view;
    validation::check(&view, log, false).map_err(|fault| fault.to_string())?;
    Ok(view)
}

fn same(first: &ContextView, second: &ContextView) -> Result<(), String> {
    let sent = |view: &ContextView| -> Vec<Option<EntryId>> {
        view.items.iter().map(|item| item.entry.clone()).collect()
    };
    let (first, second) = (sent(first), sent(second));
    if first == second {
        return Ok(());
    }
    Err(format!(
        "the choice differs: {} items, then {}",
        first.len(),
        second.len()
    ))
}

/// A conversation with a tool call in every third turn.
fn talk(turns: usize) -> Transcript {
    let mut log = Transcript::new();
    for turn in 0..turns {
        let words = "and so on, at some length, as people write ".repeat(8);
        say(
            &mut log,
            &format!("question {turn} about topic-{}: {words}", turn % 7),
        );
        if turn % 3 == 0 {
            call(&mut log, turn);
        }
        answer(
            &mut log,
            vec![AssistantPart::Text(format!("answer {turn}: {words}"))],
        );
    }
    say(&mut log, "one more question about topic-3");
    log
}

fn call(log: &mut Transcript, turn: usize) {
    let call = ToolCall {
        id: format!("call_{turn}"),
        name: "read".to_owned(),
        arguments: json!({ "path": format!("src/topic-{turn}.rs") }),
        malformed: None,
    };
    let result = ToolResult {
        call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: vec![Part::Text("a line of a file\n".repeat(20))],
        is_error: false,
        details: None,
    };
    answer(log, vec![AssistantPart::ToolCall(call)]);
    push(
        log,
        EntryBody::Message(Arc::new(Message::ToolResult(result))),
    );
}

fn answer(log: &mut Transcript, content: Vec<AssistantPart>) {
    let message = Message::Assistant(AssistantMessage {
        content,
        stop: StopReason::Stop,
        ..AssistantMessage::default()
    });
    push(log, EntryBody::Message(Arc::new(message)));
}

fn say(log: &mut Transcript, text: &str) {
    push(log, EntryBody::Message(Arc::new(Message::user_text(text))));
}

fn push(log: &mut Transcript, body: EntryBody) -> EntryId {
    let number = log.len();
    let id = EntryId::new(format!("{number:08x}"));
    let entry = Entry {
        id: id.clone(),
        parent: log.leaf().cloned(),
        timestamp: Timestamp(NOW.0 - 10_000_000 + number as i64 * 1_000),
        body,
    };
    // Every id of a made-up conversation is new.
    let _ = log.push(Arc::new(entry));
    id
}

fn first_entry(log: &Transcript) -> EntryId {
    let first = log.entries().first();
    first.map_or_else(|| EntryId::new(""), |entry| entry.id.clone())
}
