//! How much of a tool-heavy session differences of reads free, beside left-out arguments: made-up
//! sessions of the same shape, with files that are read whole or in part, edited and written
//! anew. A session of one's own: `plim context --json`, items that were cut by `seen-before`.

use std::collections::BTreeSet;
use std::sync::Arc;

use plimsoll::context::ruler::Approximate;
use plimsoll::context::{ContextSettings, Evaluation, RequestContext, ShrinkMode, ViewAssembler};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, CutForm, Decision, EntryBody, EntryId, Message, ModelInfo,
    ModelRef, Part, StopReason, ToolCall, ToolResult, Transcript,
};
use serde_json::{Value, json};

use super::argument_share::{CALLS, Dice, FILES, NOW};
use super::figures;

struct Session {
    log: Transcript,
    dice: Dice,
    files: Vec<Vec<String>>,
    assembler: ViewAssembler,
    reads: u64,
    differences: u64,
    freed: u64,
}

impl Session {
    fn new(seed: u64, has_differences: bool) -> Self {
        let mut settings = ContextSettings::default();
        settings.prune.difference_reads = has_differences;
        let mut session = Self {
            log: Transcript::new(),
            dice: Dice(seed),
            files: vec![Vec::new(); FILES],
            assembler: ViewAssembler::new(Arc::new(settings), Arc::new(Approximate)),
            reads: 0,
            differences: 0,
            freed: 0,
        };
        for at in 0..FILES {
            session.files[at] = session.lines(3_000, 9_000);
        }
        session.push(EntryBody::Message(Arc::new(Message::user_text("Faster."))));
        for n in 0..CALLS {
            session.step(n);
        }
        session
    }

    fn push(&mut self, body: EntryBody) {
        let id = EntryId::new(format!("{:08x}", self.log.len()));
        self.log.append(id, NOW, body).unwrap();
    }

    /// Lines that are like no other.
    fn lines(&mut self, usual: u64, seldom: u64) -> Vec<String> {
        let count = self.dice.chars(usual, seldom) / 46 + 1;
        let dice = &mut self.dice;
        (0..count)
            .map(|_| {
                format!(
                    "    let total_{:06} = rows.iter().map(len).sum();",
                    dice.roll(999_999)
                )
            })
            .collect()
    }

    fn call(&mut self, name: &str, arguments: Value, result: ToolResult) {
        let call = ToolCall {
            id: format!("c{}", self.log.len()),
            name: name.to_owned(),
            arguments,
            malformed: None,
        };
        let result = ToolResult {
            call_id: call.id.clone(),
            tool_name: name.to_owned(),
            ..result
        };
        let said = self.lines(120, 700).join("\n");
        let answer = Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(said), AssistantPart::ToolCall(call)],
            stop: StopReason::ToolUse,
            ..AssistantMessage::default()
        });
        for message in [answer, Message::ToolResult(result)] {
            self.push(EntryBody::Message(Arc::new(message)));
        }
        self.settle();
    }

    /// What would be sent next.
    fn evaluate(&mut self, mode: ShrinkMode) -> Evaluation {
        let request_context = RequestContext {
            repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
            model: ModelInfo {
                window_tokens: Some(200_000),
                ..ModelInfo::unknown(ModelRef::new("p", "m"))
            },
            ..RequestContext::default()
        };
        self.assembler
            .evaluate(&self.log, &request_context, NOW, mode)
    }

    /// Records what is decided before the next request.
    fn settle(&mut self) {
        let evaluation = self.evaluate(ShrinkMode::default());
        for decision in evaluation.decisions {
            if let Decision::Prune { cuts, .. } = &decision {
                for cut in cuts {
                    if matches!(cut.form, CutForm::Difference { .. }) {
                        self.differences += 1;
                        self.freed += cut.tokens_before - cut.tokens_after;
                    }
                }
            }
            self.push(EntryBody::Decision(decision));
        }
    }

    fn read(&mut self, at: usize) {
        let path = format!("src/part_{at}.rs");
        let all = self.files[at].clone();
        // A third of the reads are of a part.
        let (from, count) = if self.dice.roll(3) == 0 {
            (
                1 + self.dice.roll(all.len() as u64) as usize / 2,
                1 + all.len() / 3,
            )
        } else {
            (1, 2_000)
        };
        let shown: Vec<String> = all.iter().skip(from - 1).take(count).cloned().collect();
        let details = json!({"path": path, "lines": shown.len(), "total": all.len()});
        let text = shown.join("\n") + "\n\n[the notice of the page]";
        let arguments = json!({"path": path, "offset": from, "limit": count});
        self.reads += 1;
        self.call("read", arguments, result(text, false, Some(details)));
    }

    fn edit(&mut self, at: usize) {
        let path = format!("src/part_{at}.rs");
        let (old, new) = (self.lines(250, 3_600), self.lines(400, 5_200));
        let is_error = self.dice.roll(12) == 0;
        let arguments =
            json!({"path": path, "old_text": old.join("\n"), "new_text": new.join("\n")});
        if !is_error {
            let lines = &mut self.files[at];
            let from = (self.dice.roll(lines.len() as u64 + 1) as usize).min(lines.len());
            let to = (from + old.len()).min(lines.len());
            lines.splice(from..to, new);
        }
        let text = "Changed 1 passage (+20 −11).".to_owned();
        self.call("edit", arguments, result(text, is_error, None));
    }

    fn step(&mut self, n: u64) {
        let at = n as usize % FILES;
        match self.dice.roll(20) {
            0..=6 => self.read(at),
            7..=11 => {
                let text = self.lines(1_500, 6_000).join("\n");
                let arguments = json!({"command": format!("cargo test {n}")});
                self.call("shell", arguments, result(text, false, None));
            }
            12..=17 => self.edit(at),
            18 => {
                self.files[at] = self.lines(2_000, 9_000);
                let content = self.files[at].join("\n");
                let arguments = json!({"path": format!("src/part_{at}.rs"), "content": content});
                self.call(
                    "write",
                    arguments,
                    result("Created.".to_owned(), false, None),
                );
            }
            _ => {
                let ask = self.lines(200, 2_000).join("\n");
                self.push(EntryBody::Message(Arc::new(Message::user_text(ask))));
            }
        }
    }

    /// Tokens of the next request when all is pruned that can be.
    fn pruned_tokens(&mut self) -> u64 {
        let mode = ShrinkMode {
            prune_now: true,
            ..ShrinkMode::default()
        };
        self.evaluate(mode).view.usage.tokens
    }

    /// Tokens of everything that was said.
    fn tokens(&self) -> u64 {
        let branch = self.log.branch();
        let messages = branch.iter().filter_map(|entry| entry.message());
        let chars: usize = messages
            .map(|message| match message.as_ref() {
                Message::Assistant(answer) => {
                    let calls = answer.tool_calls();
                    let calls: usize = calls.map(|it| it.arguments.to_string().len()).sum();
                    answer.text().len() + calls
                }
                other => other.text().len(),
            })
            .sum();
        chars as u64 / 4
    }
}

fn result(text: String, is_error: bool, details: Option<Value>) -> ToolResult {
    ToolResult {
        content: vec![Part::Text(text)],
        is_error,
        details,
        ..ToolResult::default()
    }
}

#[test]
fn differences_of_reads_free_a_part_of_a_tool_heavy_session() {
    let mut shares = Vec::new();
    for seed in 1..=8 {
        let mut session = Session::new(seed, true);
        let all = session.tokens();
        let share = session.freed as f64 / all as f64;
        figures::show(format_args!(
            "{all} tokens; {} of {} reads are differences, {} tokens freed ({:.1}%)",
            session.differences,
            session.reads,
            session.freed,
            share * 100.0
        ));
        let whole = Session::new(seed, false).pruned_tokens();
        let with = session.pruned_tokens();
        figures::show(format_args!(
            "pruned now: {with} tokens with differences, {whole} without"
        ));
        shares.push(share);
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    figures::show(format_args!(
        "mean share of differences {:.1}%",
        mean * 100.0
    ));
    assert!(mean > 0.01, "{shares:?}");
}
