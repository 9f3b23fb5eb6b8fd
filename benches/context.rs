//! How long a view takes: cold, and after one more message. The second number decides
//! whether the gauge can follow every message of a long session.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use divan::{Bencher, black_box};
use plimsoll::context::ruler::{Approximate, Bpe, Ruler};
use plimsoll::context::rules::RuleBook;
use plimsoll::context::{
    ContextSettings, ContextView, Evaluation, RequestContext, ShrinkMode, ViewAssembler, tail,
};
use plimsoll::engine::process::{ProgramLauncher, ProgramLink};
use plimsoll::engine::registry::{self, EngineParts};
use plimsoll::engine::validation::ViewChecker;
use plimsoll::engine::{ContextEngine, DEFAULT_ENGINE};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Compaction, Encoding, Entry, EntryBody, EntryId,
    ExpectedTokens, Measurement, Message, ModelInfo, ModelRef, Part, StopReason, Timestamp,
    ToolCall, ToolResult, Transcript, Usage, UsageSample,
};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
/// Entries of one round: a message, a call, its sample, a result, an answer.
const ROUND: usize = 5;

fn main() {
    divan::main();
}

/// A window in which nothing is pruned, so that all entries are in the view.
fn roomy() -> RequestContext {
    around(1 << 40)
}

fn around(window_tokens: u64) -> RequestContext {
    RequestContext {
        system: Arc::from("You are a helpful assistant."),
        tools: Arc::from(Vec::new()),
        memory: None,
        skills: None,
        servers: Arc::default(),
        repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
        workspace_rules: None,
        model: ModelInfo {
            window_tokens: Some(window_tokens),
            ..ModelInfo::unknown(ModelRef::new("p", "m"))
        },
        samples: Arc::default(),
        live: None,
        tools_running: false,
    }
}

fn assistant(content: Vec<AssistantPart>, stop: StopReason, prompt_tokens: u64) -> Message {
    Message::Assistant(AssistantMessage {
        content,
        provider: "p".into(),
        model: "m".into(),
        usage: Some(Usage {
            input_tokens: prompt_tokens,
            output_tokens: 20,
            expected: Some(ExpectedTokens::text(prompt_tokens)),
            ..Usage::default()
        }),
        stop,
        error: None,
        ..AssistantMessage::default()
    })
}

fn body(n: usize) -> EntryBody {
    step(n / ROUND, n % ROUND)
}

/// An entry of a round.
fn step(round: usize, step: usize) -> EntryBody {
    let n = round * ROUND + step;
    let prompt_tokens = 2_000 + n as u64 * 90;
    let call = format!("call{round}");
    let message = match step {
        0 => Message::user_text("Please look at the next file and tell me what is wrong with it."),
        1 => assistant(
            vec![AssistantPart::ToolCall(ToolCall {
                id: call,
                name: "read".into(),
                arguments: serde_json::json!({"path": format!("src/file{n}.rs")}),
                malformed: None,
            })],
            StopReason::ToolUse,
            prompt_tokens,
        ),
        2 => {
            return EntryBody::Measurement(Measurement::Usage(UsageSample {
                provider: "p".into(),
                model: "m".into(),
                ruler: Approximate.name().to_owned(),
                estimate_tokens: prompt_tokens * 3 / 4 + n as u64 % 97,
                actual_tokens: prompt_tokens,
                refused: false,
            }));
        }
        3 => Message::ToolResult(ToolResult {
            call_id: call,
            tool_name: "read".into(),
            content: vec![Part::Text("let x = compute(y);\n".repeat(60))],
            is_error: false,
            details: None,
        }),
        _ => assistant(
            vec![AssistantPart::Text("The file looks fine to me.".into())],
            StopReason::Stop,
            prompt_tokens,
        ),
    };
    EntryBody::Message(Arc::new(message))
}

fn id(n: usize) -> EntryId {
    EntryId::new(format!("{n:08x}"))
}

fn push(transcript: &mut Transcript, n: usize, body: EntryBody) {
    let entry = Entry {
        id: id(n),
        parent: n.checked_sub(1).map(id),
        timestamp: Timestamp(NOW.0 - 1_000),
        body,
    };
    let added = transcript.push(Arc::new(entry));
    assert!(added.is_ok(), "ids are made to be different");
}

fn log(entries: usize) -> Transcript {
    let mut transcript = Transcript::new();
    for n in 0..entries {
        push(&mut transcript, n, body(n));
    }
    transcript
}

fn assembler() -> ViewAssembler {
    ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate))
}

fn evaluate(
    assembler: &mut ViewAssembler,
    transcript: &Transcript,
    request_context: &RequestContext,
) -> u64 {
    let evaluation = assembler.evaluate(transcript, request_context, NOW, ShrinkMode::default());
    evaluation.view.usage.tokens
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn assemble_cold(bencher: Bencher<'_, '_>, entries: usize) {
    let transcript = log(entries);
    let request_context = roomy();
    bencher.bench_local(|| {
        // Returned, because throwing it away is not part of the wait.
        let mut assembler = assembler();
        (
            evaluate(&mut assembler, &transcript, &request_context),
            assembler,
        )
    });
}

#[divan::bench(args = SIZES, sample_count = 50, sample_size = 1)]
fn assemble_one_more(bencher: Bencher<'_, '_>, entries: usize) {
    one_more(bencher, entries, &roomy());
}

/// What lies between Enter and the request, after 10,000 entries, in a window that holds a
/// fifth of them: a message of the user, the view, its check, and what is recorded for it. The
/// rest of each round is said before, with a view after every entry, as in a session.
#[divan::bench(
    args = ["layered", "layered, nothing left out", "sliding-window", "retrieval", "process"],
    sample_count = 100,
    sample_size = 1,
)]
fn enter_after_ten_thousand(bencher: Bencher<'_, '_>, name: &str) {
    let id = name.split(',').next().unwrap_or(name);
    let around = if id == name { around(200_000) } else { roomy() };
    let Some(session) = EngineSession::begin(id, around) else {
        return;
    };
    let session = RefCell::new(session);
    bencher
        .with_inputs(|| session.borrow_mut().finish_round())
        .bench_local_values(|()| session.borrow_mut().enter());
}

/// A session as its agent drives an engine.
struct EngineSession {
    engine: Box<dyn ContextEngine>,
    transcript: Transcript,
    around: RequestContext,
    round: usize,
    checker: Option<ViewChecker>,
}

impl EngineSession {
    fn begin(id: &str, around: RequestContext) -> Option<Self> {
        let parts = EngineParts {
            settings: Arc::default(),
            ruler: Arc::new(Approximate),
            program: Ok(Arc::new(IdleProgram)),
        };
        let engine = registry::find(id).and_then(|row| row.make(parts).ok())?;
        let mut session = Self {
            engine,
            transcript: log(10_000),
            around,
            round: 10_000 / ROUND,
            checker: (id != DEFAULT_ENGINE).then(ViewChecker::default),
        };
        session.settle();
        session.enter();
        Some(session)
    }

    fn push(&mut self, body: EntryBody) {
        let n = self.transcript.len();
        push(&mut self.transcript, n, body);
    }

    fn view(&mut self) -> Evaluation {
        let pressure = ShrinkMode::default();
        let transcript = &self.transcript;
        let made = self
            .engine
            .assemble(transcript, &self.around, NOW, pressure);
        let made = made.unwrap_or_else(|failure| unreachable!("{failure}"));
        if let Some(checker) = &mut self.checker {
            assert_eq!(checker.check(&made.view, transcript, false), Ok(()));
        }
        made
    }

    /// The view with its decisions recorded.
    fn settle(&mut self) -> ContextView {
        let Evaluation { view, decisions } = self.view();
        for decision in decisions {
            self.push(EntryBody::Decision(decision));
        }
        view
    }

    fn enter(&mut self) -> ContextView {
        self.push(step(self.round, 0));
        self.settle()
    }

    fn finish_round(&mut self) {
        for at in 1..ROUND {
            self.push(step(self.round, at));
            black_box(self.view());
        }
        self.round += 1;
        if self.settle().compaction.due {
            let kept = self.transcript.len() - 100;
            let asks = self.transcript.entries().iter().skip(kept);
            let first_kept = asks.clone().find(|entry| entry.is_ask());
            self.push(EntryBody::Compaction(Box::new(Compaction {
                summary: "They looked at many files.".to_owned(),
                first_kept: first_kept.map(|entry| entry.id.clone()),
                ..Compaction::default()
            })));
            self.settle();
        }
    }
}

/// A program of the engine `process` that has nearly nothing to do: it leaves out all but the
/// newest thousand groups.
struct IdleProgram;

impl ProgramLauncher for IdleProgram {
    fn launch(&self) -> Result<Box<dyn ProgramLink>, String> {
        Ok(Box::new(IdleLink::default()))
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(10)
    }
}

#[derive(Default)]
struct IdleLink {
    groups: Vec<String>,
    answer: Option<String>,
}

impl ProgramLink for IdleLink {
    fn send(&mut self, line: String) -> Result<(), String> {
        let line: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let params = &line["params"];
        let result = if line["method"] == "initialize" {
            json!({"protocol": 1, "name": "idle", "owns_compaction": true, "max_text_chars": 200})
        } else {
            let unchanged = params["unchanged"].as_u64().unwrap_or_default();
            self.groups.truncate(unchanged as usize);
            let new = params["groups"].as_array().into_iter().flatten();
            let ids = new.filter_map(|group| group["id"].as_str());
            self.groups.extend(ids.map(str::to_owned));
            match self.groups.len().checked_sub(1_001) {
                None => json!({}),
                Some(last) => json!({
                    "leave_out": [{
                        "from": self.groups[0], "to": self.groups[last], "reason": "older",
                    }],
                }),
            }
        };
        let answer = json!({"jsonrpc": "2.0", "id": line["id"], "result": result});
        self.answer = Some(answer.to_string());
        Ok(())
    }

    fn receive(&mut self, _: Duration) -> Result<Option<String>, String> {
        Ok(self.answer.take())
    }
}

/// So full that the prune policy weighs every result, with a warm cache.
#[divan::bench(args = SIZES, sample_count = 20, sample_size = 1)]
fn assemble_one_more_while_pruning_waits(bencher: Bencher<'_, '_>, entries: usize) {
    one_more(bencher, entries, &around(entries as u64 * 90 * 2));
}

fn one_more(bencher: Bencher<'_, '_>, entries: usize, request_context: &RequestContext) {
    let mut transcript = log(entries);
    let mut assembler = assembler();
    evaluate(&mut assembler, &transcript, request_context);
    bencher.bench_local(|| {
        let n = transcript.len();
        push(&mut transcript, n, body(n));
        evaluate(&mut assembler, &transcript, request_context)
    });
}

/// The first prune of a full view with a cold cache: every decision is made and priced.
#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn prune_decide_and_apply(bencher: Bencher<'_, '_>, entries: usize) {
    let transcript = log(entries);
    let mut request_context = around(entries as u64 * 90);
    request_context.model.prompt_cache = plimsoll::transcript::PromptCache::None;
    bencher.bench_local(|| evaluate(&mut assembler(), &transcript, &request_context));
}

#[divan::bench(sample_count = 5)]
fn count_a_megabyte_with_bpe(bencher: Bencher<'_, '_>) {
    let text = "The quick brown fox jumps over the lazy dog.\n".repeat(23_000);
    let ruler = Bpe::new(Encoding::O200k);
    bencher.bench_local(|| ruler.text_tokens(black_box(&text)));
}

#[divan::bench(args = [1_000, 10_000], sample_count = 10)]
fn select_tail(bencher: Bencher<'_, '_>, entries: usize) {
    let transcript = log(entries);
    let settings = ContextSettings::default();
    let evaluation = assembler().evaluate(&transcript, &roomy(), NOW, ShrinkMode::default());
    let limits = tail::TailLimits::of(&settings.compaction, evaluation.view.window.usable);
    bencher.bench_local(|| tail::select(black_box(&evaluation.view), limits, None));
}

/// Answered messages that a person typed: one in ten says a rule.
fn talk(messages: usize) -> Transcript {
    let mut transcript = Transcript::new();
    for n in 0..messages {
        let text = match n % 10 {
            0 => format!("never touch the folder number {n}, and ask me before you push"),
            5 => format!("der test nummer {n} schlägt immer noch fehl, schau bitte nach"),
            _ => format!("look at src/module_{n}.rs. why does line {n} fail? fix it, please"),
        };
        let question = Message::user_text(text);
        push(
            &mut transcript,
            2 * n,
            EntryBody::Message(Arc::new(question)),
        );
        let answer = Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text("It is done.".to_owned())],
            stop: StopReason::Stop,
            ..AssistantMessage::default()
        });
        push(
            &mut transcript,
            2 * n + 1,
            EntryBody::Message(Arc::new(answer)),
        );
    }
    transcript
}

#[divan::bench(args = [1_000, 10_000], sample_count = 10)]
fn rules_of_a_talk(bencher: Bencher<'_, '_>, messages: usize) {
    let transcript = talk(messages);
    bencher.bench_local(|| RuleBook::of(black_box(&transcript)));
}

/// What Enter waits for in a talk that is read already.
#[divan::bench(args = [1_000, 10_000], sample_count = 50, sample_size = 1)]
fn rules_of_one_more_message(bencher: Bencher<'_, '_>, messages: usize) {
    let mut transcript = talk(messages);
    let mut assembler = assembler();
    let request_context = roomy();
    evaluate(&mut assembler, &transcript, &request_context);
    bencher.bench_local(|| {
        let n = transcript.len();
        let message = Message::user_text(format!("and never touch the file number {n}"));
        push(&mut transcript, n, EntryBody::Message(Arc::new(message)));
        evaluate(&mut assembler, &transcript, &request_context)
    });
}
