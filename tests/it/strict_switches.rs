//! A conversation that moves from model to model at will: whoever answers next gets a
//! request that its format's strict rules let pass, with its own signed reasoning alone.

use std::sync::Arc;
use std::time::Duration;

use plimsoll::agent::encode;
use plimsoll::context::ruler::Approximate;
use plimsoll::context::{ContextSettings, RequestContext, ShrinkMode, ViewAssembler};
use plimsoll::provider::{Environment, Registry};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Entry, EntryBody, EntryId, Image, Message, ModelInfo,
    ModelRef, Part, StopReason, ThinkingLevel, Timestamp, ToolCall, ToolResult, ToolSchema,
    Transcript,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::server::Wire;
use super::{strict, strict_gemini};

/// Models of each format; one of them Mistral's, which has rules of its own.
const MODELS: [(Wire, &str, &str); 13] = [
    (Wire::Anthropic, "anthropic", "claude-sonnet-4-5"),
    (Wire::Anthropic, "anthropic", "claude-opus-4-6"),
    (Wire::Anthropic, "anthropic", "claude-sonnet-5-5"),
    (Wire::Responses, "openai", "gpt-5"),
    (Wire::Responses, "openai", "gpt-5-mini"),
    (Wire::Responses, "openai", "gpt-6.2-sol"),
    (Wire::Gemini, "gemini", "gemini-3-pro-preview"),
    (Wire::Gemini, "gemini", "gemini-2.5-pro"),
    (Wire::OpenAi, "xai", "grok-4"),
    (Wire::OpenAi, "deepseek", "deepseek-flash"),
    (Wire::OpenAi, "openrouter", "google/gemini-3.8-flash"),
    (Wire::OpenAi, "openrouter", "anthropic/claude-sonnet-5.5"),
    (Wire::OpenAi, "mistral", "mistral-large-latest"),
];

/// One answer and what it follows from.
#[derive(Clone, Debug)]
struct Step {
    /// The model that answers: an index of [`MODELS`].
    who: usize,
    level: ThinkingLevel,
    thinks: bool,
    text: bool,
    calls: usize,
    stop: StopReason,
    /// Results fail and bring a picture.
    fails: bool,
    /// The user says something before it, rather than only tools.
    asks: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let level = prop::sample::select(vec![
        ThinkingLevel::Default,
        ThinkingLevel::Off,
        ThinkingLevel::High,
    ]);
    let stop = prop::sample::select(vec![
        StopReason::Stop,
        StopReason::Stop,
        StopReason::Length,
        StopReason::Error,
        StopReason::Aborted,
        StopReason::Paused,
    ]);
    let flags = any::<[bool; 4]>();
    let one = (0..MODELS.len(), level, flags, 0..3_usize, stop).prop_map(
        |(who, level, [thinks, text, fails, asks], calls, stop)| Step {
            who,
            level,
            thinks,
            text,
            calls,
            stop,
            fails,
            asks,
        },
    );
    prop::collection::vec(one, 1..14)
}

/// The mark of a model in what it signs: whoever else gets it would refuse it.
fn mark(who: usize) -> String {
    format!("SIGNEDBY{who}X")
}

fn signature(who: usize, n: usize) -> String {
    let own = format!("{}{n}", mark(who));
    match MODELS[who].0 {
        Wire::Responses => json!({"type": "reasoning", "id": format!("rs_{n}"), "summary": [],
            "encrypted_content": own})
        .to_string(),
        Wire::OpenAi => {
            json!([{"type": "reasoning.encrypted", "index": 0, "data": own}]).to_string()
        }
        _ => own,
    }
}

fn answer(step: &Step, n: usize) -> AssistantMessage {
    let (wire, provider, model) = MODELS[step.who];
    let mut content = Vec::new();
    if step.thinks {
        let signs = wire != Wire::OpenAi || provider == "openrouter";
        content.push(AssistantPart::Thinking {
            text: "hm".to_owned(),
            signature: signs.then(|| signature(step.who, n)),
        });
    }
    if step.text {
        content.push(AssistantPart::Text(format!("answer {n} ")));
    }
    for at in 0..step.calls {
        content.push(AssistantPart::ToolCall(ToolCall {
            id: format!("call_{at}"),
            name: "read".to_owned(),
            arguments: json!({"path": "a.txt"}),
            malformed: None,
        }));
    }
    AssistantMessage {
        content,
        provider: provider.to_owned(),
        model: model.to_owned(),
        stop: if step.calls > 0 && step.stop == StopReason::Stop {
            StopReason::ToolUse
        } else {
            step.stop
        },
        ..AssistantMessage::default()
    }
}

fn result(at: usize, fails: bool) -> Message {
    let mut content = vec![Part::Text("plum".to_owned())];
    if fails {
        content.push(Part::Image(Image {
            data: Arc::from("aGVsbG8="),
            mime: "image/png".to_owned(),
            name: None,
        }));
    }
    Message::ToolResult(ToolResult {
        call_id: format!("call_{at}"),
        tool_name: "read".to_owned(),
        content,
        is_error: fails,
        details: None,
    })
}

fn push(log: &mut Transcript, message: Message) {
    let n = log.len();
    let entry = Entry {
        id: EntryId::new(format!("{n:08x}")),
        parent: log.leaf().cloned(),
        timestamp: Timestamp(1_800_000_000_000 + n as i64),
        body: EntryBody::Message(Arc::new(message)),
    };
    log.push(Arc::new(entry)).unwrap();
}

fn around(model: ModelInfo) -> RequestContext {
    let schema = ToolSchema {
        name: "read".to_owned(),
        description: "Reads a file.".to_owned(),
        parameters: json!({"type": "object", "required": ["path"],
            "properties": {"path": {"type": "string"}}}),
    };
    RequestContext {
        system: Arc::from("You are a test."),
        tools: Arc::from(vec![schema]),
        memory: None,
        skills: None,
        servers: Arc::default(),
        repeatable: Arc::default(),
        workspace_rules: None,
        model,
        samples: Arc::default(),
        live: None,
        tools_running: false,
    }
}

fn request(registry: &Registry, log: &Transcript, who: usize, level: ThinkingLevel) -> Value {
    let model = ModelRef::new(MODELS[who].1, MODELS[who].2);
    let request_context = around(registry.model_info(&model));
    let settings = Arc::new(ContextSettings::default());
    let mut assembler = ViewAssembler::new(settings, Arc::new(Approximate));
    let now = Timestamp(1_800_000_100_000);
    let evaluation = assembler.evaluate(log, &request_context, now, ShrinkMode::default());
    let provider = registry.encoder(&model).unwrap();
    provider.wire_body(&encode(&evaluation.view, &request_context, level, None))
}

fn verdict(body: &Value, who: usize) -> Result<(), String> {
    let (wire, provider, model) = MODELS[who];
    match wire {
        Wire::Gemini => strict_gemini::check(body, model.contains("-3-"))?,
        _ if provider == "deepseek" => strict::deepseek(body)?,
        _ if provider == "openrouter" => strict::openrouter(body)?,
        _ => strict::check(wire, body)?,
    }
    if provider == "mistral" {
        strict::mistral(body)?;
    }
    let last = |key: &str| body[key].as_array().and_then(|list| list.last());
    let ends = last("messages").or_else(|| last("contents"));
    if ends.is_some_and(|end| end["role"] == "assistant" || end["role"] == "model") {
        let is_old = model == "claude-sonnet-4-5" && body.get("thinking").is_none();
        strict::ensure(is_old, "an answer stands last", &model.into())?;
    }
    let sent = body.to_string();
    let foreign = (0..MODELS.len()).find(|&other| other != who && sent.contains(&mark(other)));
    foreign.map_or(Ok(()), |other| {
        Err(format!("{model} gets what {} signed", MODELS[other].2))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whoever_answers_next_can_read_the_request(steps in steps()) {
        let registry = Registry::new(Vec::new(), Environment::default(), Duration::from_secs(1));
        let mut log = Transcript::new();
        push(&mut log, Message::user_text("begin"));
        for (n, step) in steps.iter().enumerate() {
            // Nobody is asked before a tool or the user said something, but who paused.
            let is_due = n.checked_sub(1).is_some_and(|before| {
                let Step { calls, stop, .. } = steps[before];
                stop.is_broken() || (calls == 0 && stop != StopReason::Paused)
            });
            if is_due || (step.asks && n > 0) {
                push(&mut log, Message::user_text("and then?"));
            }
            let body = request(&registry, &log, step.who, step.level);
            if let Err(fault) = verdict(&body, step.who) {
                prop_assert!(false, "{}: {fault}\n{body:#}", MODELS[step.who].2);
            }
            push(&mut log, Message::Assistant(answer(step, n)));
            for at in 0..step.calls {
                push(&mut log, result(at, step.fails));
            }
        }
    }
}

/// The model's own reasoning has to be in the loop that it goes on with.
#[test]
fn a_loop_that_nobody_interrupted_brings_its_reasoning_back() {
    let registry = Registry::new(Vec::new(), Environment::default(), Duration::from_secs(1));
    for (who, &(wire, provider, model)) in MODELS.iter().enumerate() {
        if wire == Wire::OpenAi && provider != "openrouter" {
            continue;
        }
        let mut log = Transcript::new();
        push(&mut log, Message::user_text("begin"));
        for n in 0..2 {
            // Without interleaved reasoning only the first answer of a loop thinks.
            let step = Step {
                who,
                level: ThinkingLevel::High,
                thinks: n == 0,
                text: false,
                calls: 1,
                stop: StopReason::Stop,
                fails: false,
                asks: false,
            };
            push(&mut log, Message::Assistant(answer(&step, n)));
            push(&mut log, result(0, false));
        }
        let body = request(&registry, &log, who, ThinkingLevel::High);
        assert_eq!(verdict(&body, who), Ok(()), "{model}");
        assert!(body.to_string().contains(&mark(who)), "{model}: {body:#}");
        if wire == Wire::Anthropic {
            assert!(body["thinking"].is_object(), "{model}: the cache is lost");
        }
    }
}
