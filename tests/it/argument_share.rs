//! How much of a tool-heavy session left-out arguments free. The sessions are made up in the
//! proportions that were measured on real ones: of all tokens 23% are arguments of calls (15%
//! of them edits, 4% whole files), half are results, the rest is text; few edits are long, and
//! the long ones hold most of it. A session of one's own: `plim prune --force --dry-run
//! --json`, cuts of the form `arguments`.

use std::collections::BTreeSet;
use std::sync::Arc;

use plimsoll::context::ruler::Approximate;
use plimsoll::context::{
    ContextSettings, Evaluation, GateKind, RequestContext, ShrinkMode, ViewAssembler,
};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Cut, CutForm, Decision, EntryBody, EntryId, Message,
    ModelInfo, ModelRef, Part, StopReason, Timestamp, ToolCall, ToolResult, Transcript,
};
use serde_json::{Value, json};

use super::figures;

pub const NOW: Timestamp = Timestamp(1_800_000_000_000);
/// Calls of a session.
pub const CALLS: u64 = 240;
/// Files that it is about.
pub const FILES: usize = 17;
/// The share of the conversation that has to go.
const LEAST_SHARE: f64 = 0.10;

/// Numbers in an order that is not one, the same in each run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// Characters of one argument or result: mostly few, seldom many.
    pub fn chars(&mut self, usual: u64, seldom: u64) -> usize {
        let most = if self.roll(4) == 0 { seldom } else { usual };
        (most / 4 + self.roll(most)) as usize
    }
}

struct Session {
    log: Transcript,
    dice: Dice,
}

impl Session {
    fn push(&mut self, message: Message) {
        let id = EntryId::new(format!("{:08x}", self.log.len()));
        let body = EntryBody::Message(Arc::new(message));
        self.log.append(id, NOW, body).unwrap();
    }

    fn call(&mut self, name: &str, arguments: Value, result: String) {
        let call = ToolCall {
            id: format!("c{}", self.log.len()),
            name: name.to_owned(),
            arguments,
            malformed: None,
        };
        let answer = ToolResult {
            call_id: call.id.clone(),
            tool_name: name.to_owned(),
            content: vec![Part::Text(result)],
            is_error: self.dice.roll(12) == 0,
            details: None,
        };
        let said = lines(self.dice.chars(120, 700));
        self.push(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(said), AssistantPart::ToolCall(call)],
            stop: StopReason::ToolUse,
            ..AssistantMessage::default()
        }));
        self.push(Message::ToolResult(answer));
    }

    fn step(&mut self, n: u64) {
        let path = format!("src/part_{}.rs", n % FILES as u64);
        match self.dice.roll(20) {
            0..=6 => {
                let result = lines(self.dice.chars(3_000, 9_000));
                self.call("read", json!({ "path": path }), result);
            }
            7..=11 => {
                let command = "cargo test -- ".to_owned() + &lines(self.dice.chars(60, 900));
                let result = lines(self.dice.chars(1_500, 6_000));
                self.call("shell", json!({ "command": command }), result);
            }
            12..=17 => {
                let (old, new) = (self.dice.chars(250, 3_600), self.dice.chars(400, 5_200));
                let edit = json!({"path": path, "old_text": lines(old), "new_text": lines(new)});
                let result = "Changed 1 passage (+20 −11).".to_owned();
                self.call("edit", edit, result);
            }
            18 => {
                let content = lines(self.dice.chars(2_000, 9_000));
                let result = "Created the file (200 lines).".to_owned();
                self.call("write", json!({"path": path, "content": content}), result);
            }
            _ => {
                let ask = lines(self.dice.chars(200, 2_000));
                self.push(Message::user_text(ask));
            }
        }
    }

    fn new(seed: u64) -> Self {
        let mut session = Self {
            log: Transcript::new(),
            dice: Dice(seed),
        };
        session.push(Message::user_text("Make it faster."));
        for n in 0..CALLS {
            session.step(n);
        }
        session
    }

    fn prune(&self) -> Evaluation {
        let mut settings = ContextSettings::default();
        settings.prune.gate = GateKind::Always;
        let mut assembler = ViewAssembler::new(Arc::new(settings), Arc::new(Approximate));
        let request_context = RequestContext {
            repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
            model: ModelInfo {
                window_tokens: Some(200_000),
                ..ModelInfo::unknown(ModelRef::new("p", "m"))
            },
            ..RequestContext::default()
        };
        assembler.evaluate(&self.log, &request_context, NOW, ShrinkMode::default())
    }
}

fn lines(chars: usize) -> String {
    let line = "    let total = rows.iter().map(Row::len).sum();\n";
    line.repeat(chars / line.len() + 1)
}

fn freed<'a>(cuts: impl Iterator<Item = &'a Cut>) -> u64 {
    cuts.map(|cut| cut.tokens_before - cut.tokens_after).sum()
}

#[test]
fn left_out_arguments_free_a_tenth_of_a_tool_heavy_session() {
    let mut shares = Vec::new();
    for seed in 1..=8 {
        let evaluation = Session::new(seed).prune();
        let items = evaluation.view.items.iter();
        let all: u64 = items.map(|item| item.full.estimate_tokens).sum();
        let cuts = || {
            let decisions = evaluation.decisions.iter();
            decisions.flat_map(|decision| match decision {
                Decision::Prune { cuts, .. } => cuts.as_slice(),
                _ => &[],
            })
        };
        let is_argument = |cut: &&Cut| matches!(cut.form, CutForm::Arguments { .. });
        let by_arguments = freed(cuts().filter(is_argument));
        let by_results = freed(cuts().filter(|cut| !is_argument(cut)));
        let share = by_arguments as f64 / all as f64;
        figures::show(format_args!(
            "{all} tokens; arguments {by_arguments} ({:.1}%), results {by_results}",
            share * 100.0
        ));
        shares.push(share);
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    figures::show(format_args!(
        "mean share of left-out arguments {:.1}%",
        mean * 100.0
    ));
    assert!(mean >= LEAST_SHARE, "{shares:?}");
}
