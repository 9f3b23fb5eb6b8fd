//! Logs made up for tests, and how they are looked at. One token of the ruler used here
//! is four bytes, so a test can say how large a thing is.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::ruler::Approximate;
use super::{
    ContextSettings, ContextView, Evaluation, RequestContext, ShrinkMode, ViewAssembler, ViewItem,
};
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, Decision, EntryBody, EntryId, ExpectedTokens,
    Image, Message, ModelInfo, ModelRef, Part, PromptCache, StopReason, Timestamp, ToolCall,
    ToolResult, Transcript, Usage, UserMessage, WindowSource,
};

pub(crate) const NOW: Timestamp = Timestamp(1_800_000_000_000);
/// The rule of thumb of the ruler used here.
pub(crate) const CHARS_PER_TOKEN: usize = 4;

/// A log under construction, with the window and the settings it is looked at with.
pub(crate) struct Case {
    pub transcript: Transcript,
    pub settings: ContextSettings,
    pub window_tokens: u64,
    pub cache: PromptCache,
    /// How long ago everything was written.
    pub age_secs: i64,
    pub system: Arc<str>,
    /// Typed and not sent.
    pub pending: Option<Arc<Message>>,
}

impl Case {
    pub(crate) fn new(window_tokens: u64) -> Self {
        Self {
            transcript: Transcript::new(),
            settings: ContextSettings::default(),
            window_tokens,
            cache: PromptCache::None,
            age_secs: 1,
            system: Arc::from(""),
            pending: None,
        }
    }

    pub(crate) fn push(&mut self, body: EntryBody) -> EntryId {
        let id = EntryId::new(format!("{:08x}", self.transcript.len()));
        let entry = self.transcript.append(id, NOW, body).unwrap();
        entry.id.clone()
    }

    fn message(&mut self, message: Message) -> EntryId {
        self.push(EntryBody::Message(Arc::new(message)))
    }

    pub(crate) fn user(&mut self) -> EntryId {
        self.say("go on")
    }

    pub(crate) fn say(&mut self, text: &str) -> EntryId {
        self.message(Message::user_text(text))
    }

    /// A user message with an attachment.
    pub(crate) fn show(&mut self, name: &str) -> EntryId {
        let image = Image {
            mime: "image/png".into(),
            data: Arc::from("aGVsbG8="),
            name: Some(name.into()),
        };
        let content = vec![Part::Text("look".into()), Part::Image(image)];
        self.message(Message::User(UserMessage { content }))
    }

    pub(crate) fn answer(&mut self, text: &str) -> EntryId {
        self.answer_with(
            vec![AssistantPart::Text(text.to_owned())],
            StopReason::Stop,
            None,
        )
    }

    /// An answer whose provider counted the prompt.
    pub(crate) fn answer_counted(&mut self, text: &str, prompt_tokens: u64) -> EntryId {
        let usage = Usage {
            input_tokens: prompt_tokens,
            output_tokens: 5,
            expected: Some(ExpectedTokens::text(prompt_tokens)),
            ..Usage::default()
        };
        self.answer_with(
            vec![AssistantPart::Text(text.to_owned())],
            StopReason::Stop,
            Some(usage),
        )
    }

    pub(crate) fn answer_with(
        &mut self,
        content: Vec<AssistantPart>,
        stop: StopReason,
        usage: Option<Usage>,
    ) -> EntryId {
        self.message(Message::Assistant(AssistantMessage {
            content,
            provider: "p".into(),
            model: "m".into(),
            stop,
            usage,
            ..AssistantMessage::default()
        }))
    }

    /// A call and its result of a size; gives the result's id.
    pub(crate) fn call(
        &mut self,
        tool: &str,
        arguments: Value,
        tokens: usize,
        is_error: bool,
    ) -> EntryId {
        let text = "x".repeat(tokens * CHARS_PER_TOKEN);
        self.call_text(tool, arguments, &text, is_error)
    }

    /// A call and its result with this text; gives the result's id.
    pub(crate) fn call_text(
        &mut self,
        tool: &str,
        arguments: Value,
        text: &str,
        is_error: bool,
    ) -> EntryId {
        let call_id = self.call_only(tool, arguments);
        self.message(Message::ToolResult(ToolResult {
            call_id,
            tool_name: tool.to_owned(),
            content: vec![Part::Text(text.to_owned())],
            is_error,
            details: None,
        }))
    }

    /// A command that the user ran; `tokens` of output.
    pub(crate) fn run(&mut self, tokens: usize) -> EntryId {
        let output = "x".repeat(tokens * CHARS_PER_TOKEN);
        self.message(Message::BashExecution(BashExecution {
            command: "make".into(),
            output,
            exit_code: Some(0),
            ..BashExecution::default()
        }))
    }

    /// A call and its result with structured data; gives the result's id.
    pub(crate) fn call_detailed(
        &mut self,
        tool: &str,
        arguments: Value,
        text: &str,
        details: Value,
    ) -> EntryId {
        let call_id = self.call_only(tool, arguments);
        self.message(Message::ToolResult(ToolResult {
            call_id,
            tool_name: tool.to_owned(),
            content: vec![Part::Text(text.to_owned())],
            is_error: false,
            details: Some(details),
        }))
    }

    /// An answer with one call; gives the call's id.
    fn call_only(&mut self, tool: &str, arguments: Value) -> String {
        let call_id = format!("c{}", self.transcript.len());
        let call = ToolCall {
            id: call_id.clone(),
            name: tool.to_owned(),
            arguments,
            malformed: None,
        };
        self.answer_with(
            vec![AssistantPart::ToolCall(call)],
            StopReason::ToolUse,
            None,
        );
        call_id
    }

    /// One answer with several calls, and their results; gives the results' ids.
    pub(crate) fn batch(&mut self, tokens: &[usize]) -> Vec<EntryId> {
        let at = self.transcript.len();
        let id = |n: usize| format!("b{at}-{n}");
        let call = |n| {
            AssistantPart::ToolCall(ToolCall {
                id: id(n),
                name: "shell".into(),
                arguments: json!({"command": n}),
                malformed: None,
            })
        };
        let calls = (0..tokens.len()).map(call).collect();
        self.answer_with(calls, StopReason::ToolUse, None);
        let results = tokens.iter().enumerate();
        results
            .map(|(n, &tokens)| {
                self.message(Message::ToolResult(ToolResult {
                    call_id: id(n),
                    tool_name: "shell".into(),
                    content: vec![Part::Text("x".repeat(tokens * CHARS_PER_TOKEN))],
                    is_error: false,
                    details: None,
                }))
            })
            .collect()
    }

    pub(crate) fn shell(&mut self, tokens: usize) -> EntryId {
        let n = self.transcript.len();
        self.call("shell", json!({"command": n}), tokens, false)
    }

    pub(crate) fn shell_text(&mut self, text: &str) -> EntryId {
        let n = self.transcript.len();
        self.call_text("shell", json!({"command": n}), text, false)
    }

    pub(crate) fn read(&mut self, path: &str, range: Option<(u64, u64)>, tokens: usize) -> EntryId {
        let arguments = match range {
            Some((offset, limit)) => json!({"path": path, "offset": offset, "limit": limit}),
            None => json!({"path": path}),
        };
        self.call("read", arguments, tokens, false)
    }

    /// Three answers, which the default policy protects with what follows them.
    pub(crate) fn protected_end(&mut self) {
        for _ in 0..3 {
            self.shell(1);
        }
    }

    pub(crate) fn pin(&mut self, target: &EntryId) {
        let target = target.clone();
        self.push(EntryBody::Decision(Decision::Pin { target }));
    }

    pub(crate) fn restore(&mut self, target: &EntryId) {
        let target = target.clone();
        self.push(EntryBody::Decision(Decision::Restore { target }));
    }

    pub(crate) fn around(&self) -> RequestContext {
        RequestContext {
            system: Arc::clone(&self.system),
            tools: Arc::from(Vec::new()),
            memory: None,
            skills: None,
            servers: Arc::default(),
            repeatable: Arc::new(BTreeSet::from(["read".to_owned(), "list".to_owned()])),
            workspace_rules: None,
            model: ModelInfo {
                window_tokens: Some(self.window_tokens),
                window_source: WindowSource::Catalogue,
                prompt_cache: self.cache,
                ..ModelInfo::unknown(ModelRef::new("p", "m"))
            },
            samples: Arc::default(),
            live: None,
            tools_running: false,
        }
    }

    pub(crate) fn evaluate(&self) -> Evaluation {
        self.evaluate_with(ShrinkMode::default())
    }

    pub(crate) fn evaluate_with(&self, pressure: ShrinkMode) -> Evaluation {
        let mut assembler =
            ViewAssembler::new(Arc::new(self.settings.clone()), Arc::new(Approximate));
        let now = Timestamp(NOW.0 + self.age_secs * 1_000);
        let mut evaluation = assembler.evaluate(&self.transcript, &self.around(), now, pressure);
        if let Some(draft) = &self.pending {
            evaluation.view = assembler.with_draft(evaluation.view, draft);
        }
        check_sums(&evaluation);
        evaluation
    }

    /// The cuts: entry, phase and disposition, in order.
    pub(crate) fn cuts(&self) -> Vec<(EntryId, &'static str)> {
        cuts(&self.evaluate())
    }

    pub(crate) fn record(&mut self, evaluation: &Evaluation) {
        for decision in evaluation.decisions.clone() {
            self.push(EntryBody::Decision(decision));
        }
    }

    /// Records what is decided until nothing is, which has to be the second time.
    pub(crate) fn settle(&mut self) -> Evaluation {
        let evaluation = self.evaluate();
        self.record(&evaluation);
        let settled = self.evaluate();
        assert_eq!(
            settled.decisions,
            [],
            "what was recorded is not decided again"
        );
        settled
    }
}

pub(crate) fn cuts(evaluation: &Evaluation) -> Vec<(EntryId, &'static str)> {
    let items = evaluation.view.items.iter();
    items
        .filter_map(|item| Some((item.entry.clone()?, item.cut_by.as_ref()?.phase)))
        .collect()
}

pub(crate) fn item<'a>(view: &'a ContextView, entry: &EntryId) -> &'a ViewItem {
    let mut items = view.items.iter();
    items
        .find(|item| item.entry.as_ref() == Some(entry))
        .expect("the entry is in the view")
}

/// The text that is sent of an entry.
pub(crate) fn sent(view: &ContextView, entry: &EntryId) -> String {
    item(view, entry).sent.as_ref().unwrap().text()
}

fn check_sums(evaluation: &Evaluation) {
    let view = &evaluation.view;
    let items: u64 = view.items.iter().map(|item| item.tokens).sum();
    assert_eq!(view.usage.tokens, items);
    assert_eq!(view.usage.tokens, view.usage.by_category.total());
    let pruned = view
        .items
        .iter()
        .filter(|item| item.cut_by.as_ref().is_some_and(|by| by.policy != "guard"));
    let saved: Vec<u64> = pruned
        .map(|item| item.tokens_full(&view.ruler) - item.tokens)
        .collect();
    let difference = view.prune.tokens_saved.abs_diff(saved.iter().sum());
    assert!(difference <= saved.len() as u64, "rounded item by item");
}
