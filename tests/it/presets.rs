//! The effect of each preset, end to end: the numbers of the window, what of a log is sent,
//! what a compaction keeps, what the summariser is asked and what follows.

use std::collections::BTreeSet;
use std::sync::Arc;

use plimsoll::agent::{AgentEvent, CompactionEvent};
use plimsoll::config::{self, ContextPreset, FlagSetting, SettingSources};
use plimsoll::context::ruler::Chars4;
use plimsoll::context::tail::{self, TailLimits, TailPlan};
use plimsoll::context::{
    ContextSettings, ContextView, Disposition, Gate, PrunePolicy, RequestContext, ShrinkMode,
    ViewAssembler, window,
};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Compaction, CompactionDetails, EntryBody, EntryId, Image,
    Measurement, Message, ModelInfo, ModelRef, Part, PromptCache, StopReason, TailExceptions,
    Timestamp, ToolCall, ToolResult, Transcript, UsageSample, UserMessage,
};
use serde_json::{Value, json};

use super::agent::{Harness, joined};
use super::server::{Say, Server, Wire, overflow, text};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
/// The ruler of the documented systems.
const CHARS_PER_TOKEN: usize = 4;

/// The settings of a preset, as the flag gives them.
fn preset(preset: ContextPreset) -> ContextSettings {
    let flag = FlagSetting {
        key: "preset".to_owned(),
        value: config::SettingValue::Text(preset.name().to_owned()),
        flag: "--preset".to_owned(),
        adds: false,
    };
    let sources = SettingSources {
        flags: vec![flag],
        ..SettingSources::default()
    };
    config::resolve(&sources).unwrap().settings.context
}

fn model(window_tokens: u64) -> ModelInfo {
    ModelInfo {
        window_tokens: Some(window_tokens),
        prompt_cache: PromptCache::Ttl,
        ..ModelInfo::unknown(ModelRef::new("p", "m"))
    }
}

/// A log under construction.
struct Log {
    transcript: Transcript,
    settings: ContextSettings,
    model: ModelInfo,
}

impl Log {
    fn new(name: ContextPreset, window_tokens: u64) -> Self {
        Self {
            transcript: Transcript::new(),
            settings: preset(name),
            model: model(window_tokens),
        }
    }

    fn push(&mut self, body: EntryBody) -> EntryId {
        let id = EntryId::new(format!("{:08x}", self.transcript.len()));
        let entry = self.transcript.append(id, NOW, body).unwrap();
        entry.id.clone()
    }

    fn say(&mut self, message: Message) -> EntryId {
        self.push(EntryBody::Message(Arc::new(message)))
    }

    fn user(&mut self) -> EntryId {
        self.say(Message::user_text("go on"))
    }

    /// A call with its result; gives the result's entry.
    fn call(&mut self, content: Vec<Part>, is_error: bool) -> EntryId {
        let call_id = format!("c{}", self.transcript.len());
        self.say(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::ToolCall(ToolCall {
                id: call_id.clone(),
                name: "read".to_owned(),
                arguments: json!({"path": "same.txt"}),
                malformed: None,
            })],
            provider: "p".into(),
            model: "m".into(),
            stop: StopReason::ToolUse,
            ..AssistantMessage::default()
        }));
        self.say(Message::ToolResult(ToolResult {
            call_id,
            tool_name: "read".to_owned(),
            content,
            is_error,
            // One line, and all of the file.
            details: Some(json!({"lines": 1, "total": 1})),
        }))
    }

    fn read(&mut self, tokens: usize) -> EntryId {
        self.call(
            vec![Part::Text("x".repeat(tokens * CHARS_PER_TOKEN))],
            false,
        )
    }

    fn view_at(&self, now: Timestamp) -> ContextView {
        let request_context = RequestContext {
            system: Arc::from(""),
            tools: Arc::from(Vec::new()),
            memory: None,
            skills: None,
            servers: Arc::default(),
            repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
            workspace_rules: None,
            model: self.model.clone(),
            samples: Arc::default(),
            live: None,
            tools_running: false,
        };
        let mut assembler = ViewAssembler::new(Arc::new(self.settings.clone()), Arc::new(Chars4));
        let evaluation = assembler.evaluate(
            &self.transcript,
            &request_context,
            now,
            ShrinkMode::default(),
        );
        evaluation.view
    }

    /// As the next request sees it, the provider's cache still warm.
    fn warm(&self) -> ContextView {
        self.view_at(Timestamp(NOW.0 + 1_000))
    }

    /// As a request after a long pause sees it.
    fn cold(&self) -> ContextView {
        self.view_at(Timestamp(NOW.0 + 3_600_000))
    }

    fn tail(&self) -> TailPlan {
        let view = self.warm();
        let limits = TailLimits::of(&self.settings.compaction, view.window.usable);
        tail::select(&view, limits, None)
    }
}

fn disposition(view: &ContextView, entry: &EntryId) -> Disposition {
    let mut items = view.items.iter();
    items
        .find(|item| item.entry.as_ref() == Some(entry))
        .unwrap()
        .disposition
}

fn sent(view: &ContextView, entry: &EntryId) -> String {
    let item = view
        .items
        .iter()
        .find(|item| item.entry.as_ref() == Some(entry));
    item.unwrap().sent.as_ref().unwrap().text()
}

fn image() -> Part {
    Part::Image(Image {
        mime: "image/png".to_owned(),
        data: Arc::from("aGVsbG8="),
        name: None,
    })
}

/// Window, largest answer, limit on input.
type Limits = (u64, u64, Option<u64>);

fn check_usable(name: ContextPreset, cases: &[(Limits, u64)]) {
    for &((tokens, max_output, input_limit), usable) in cases {
        let model = ModelInfo {
            max_output_tokens: max_output,
            input_limit_tokens: input_limit,
            ..model(tokens)
        };
        let report = window::report(&preset(name), &model, 1.0);
        let of = format!("{name:?} {tokens} {max_output} {input_limit:?}");
        assert_eq!((report.usable, report.load_line), (usable, usable), "{of}");
    }
}

#[test]
fn usable_is_what_each_preset_documents() {
    check_usable(
        ContextPreset::Default,
        &[
            ((200_000, 64_000, None), 180_000),
            ((200_000, 8_000, None), 192_000),
            ((400_000, 64_000, Some(272_000)), 252_000),
            ((32_000, 64_000, None), 24_000),
        ],
    );
    check_usable(
        ContextPreset::Openclaw,
        &[
            ((200_000, 64_000, None), 180_000),
            ((200_000, 8_000, None), 180_000),
            ((400_000, 64_000, Some(272_000)), 380_000),
            ((32_000, 64_000, None), 16_000),
        ],
    );
    check_usable(
        ContextPreset::Opencode,
        &[
            ((200_000, 64_000, None), 136_000),
            ((200_000, 8_000, None), 192_000),
            ((400_000, 64_000, Some(272_000)), 252_000),
            ((400_000, 8_000, Some(272_000)), 264_000),
        ],
    );
    check_usable(
        ContextPreset::Opencode2,
        &[
            ((200_000, 64_000, None), 148_000),
            ((200_000, 8_000, None), 184_000),
            ((1_000_000, 131_072, None), 948_000),
            ((400_000, 64_000, Some(272_000)), 252_000),
            ((400_000, 8_000, Some(272_000)), 264_000),
            ((32_000, 64_000, None), 16_000),
        ],
    );
}

#[test]
fn only_the_default_learns_from_what_providers_count() {
    for (name, learns, margin) in [
        (ContextPreset::Default, true, 1.03),
        (ContextPreset::Openclaw, false, 1.2),
        (ContextPreset::Opencode, false, 1.0),
        (ContextPreset::Opencode2, false, 1.0),
    ] {
        let mut log = Log::new(name, 200_000);
        log.user();
        for size in 1..10 {
            log.push(EntryBody::Measurement(Measurement::Usage(UsageSample {
                provider: "p".to_owned(),
                model: "m".to_owned(),
                ruler: "chars4".to_owned(),
                estimate_tokens: size * 1_000,
                actual_tokens: size * 1_500,
                refused: false,
            })));
        }
        let ruler = log.warm().ruler;
        assert!((ruler.margin - margin).abs() < 1e-9, "{name:?}: {ruler:?}");
        let factor = if learns { 1.5 } else { 1.0 };
        assert!((ruler.calibration - factor).abs() < 1e-9, "{name:?}");
    }
}

/// 80% of 100,000 tokens: an early error, a repeated read, then the protected end.
fn crowded(name: ContextPreset) -> (Log, [EntryId; 3]) {
    let mut log = Log::new(name, 100_000);
    log.user();
    let failed = log.call(vec![Part::Text("x".repeat(24_000 * 4))], true);
    let first = log.read(20_000);
    let second = log.read(20_000);
    for _ in 0..3 {
        log.read(2_000);
    }
    (log, [failed, first, second])
}

#[test]
fn the_default_prunes_by_force_and_spares_errors() {
    let (log, [failed, first, second]) = crowded(ContextPreset::Default);
    let view = log.warm();
    assert_eq!(view.prune.gate, Gate::Forced);
    assert_eq!(disposition(&view, &failed), Disposition::Sent);
    // Read again later: superseded.
    assert_eq!(disposition(&view, &first), Disposition::Cleared);
    assert_eq!(disposition(&view, &second), Disposition::Cleared);
}

#[test]
fn openclaw_prunes_a_cold_cache_only_errors_included_and_nothing_superseded() {
    let (mut log, all) = crowded(ContextPreset::Openclaw);
    log.settings.guard.enabled = false;
    let view = log.warm();
    assert_eq!(view.prune.gate, Gate::Warm);
    for entry in &all {
        assert_eq!(disposition(&view, entry), Disposition::Sent);
    }
    let view = log.cold();
    assert_eq!(view.prune.gate, Gate::Cold);
    for entry in &all {
        assert_eq!(disposition(&view, entry), Disposition::Trimmed);
    }
    // Below 30% of the window a repeated read stays.
    let mut light = Log::new(ContextPreset::Openclaw, 100_000);
    light.user();
    let first = light.read(10_000);
    for _ in 0..4 {
        light.read(3_000);
    }
    assert_eq!(disposition(&light.cold(), &first), Disposition::Sent);
}

#[test]
fn openclaw_holds_single_results_and_the_total_before_each_call() {
    // At two characters a token half of 100,000 tokens are 100,000 characters.
    let mut log = Log::new(ContextPreset::Openclaw, 100_000);
    log.user();
    let fits = log.read(25_000);
    let oversized = log.read(25_001);
    let view = log.warm();
    assert_eq!(disposition(&view, &fits), Disposition::Sent);
    assert_eq!(disposition(&view, &oversized), Disposition::Truncated);
    let cut = sent(&view, &oversized);
    assert!(cut.ends_with("[truncated: output exceeded context limit]"));
    assert!((90_000..=100_000).contains(&cut.len()), "{}", cut.len());

    let mut log = Log::new(ContextPreset::Openclaw, 100_000);
    log.user();
    let old: Vec<EntryId> = (0..3).map(|_| log.read(10_000)).collect();
    let rest: Vec<EntryId> = (0..3).map(|_| log.read(9_000)).collect();
    let view = log.warm();
    for entry in &old[..2] {
        assert_eq!(disposition(&view, entry), Disposition::Cleared);
        assert_eq!(
            sent(&view, entry),
            "[compacted: tool output removed to free context]"
        );
    }
    // By their weight 114% of the window came down to 74%: the others may stay.
    for entry in rest.iter().chain(&old[2..]) {
        assert_eq!(disposition(&view, entry), Disposition::Sent);
    }
    // The default preset leaves that to a compaction.
    log.settings = preset(ContextPreset::Default);
    log.settings.prune.force_ratio = None;
    assert_eq!(disposition(&log.warm(), &old[0]), Disposition::Sent);
}

/// The original's guard in its own unit, from its description: a result counts two characters
/// for each of its own, whatever else is said counts one; nothing may have more than three for
/// each token of the window. Gives the positions of the results that it clears.
fn cleared_by_weight(window: usize, texts: usize, results: &[usize], placeholder: usize) -> usize {
    let cut: Vec<usize> = results.iter().map(|&chars| chars.min(window)).collect();
    let mut load = texts + 2 * cut.iter().sum::<usize>();
    let mut cleared = 0;
    for chars in &cut {
        if load <= 3 * window {
            break;
        }
        load -= 2 * chars.saturating_sub(placeholder);
        cleared += 1;
    }
    cleared
}

#[test]
fn openclaw_clears_as_many_results_as_the_original_by_its_own_arithmetic() {
    const WINDOW: usize = 40_000;
    const PLACEHOLDER: usize = 48;
    let mut acted = 0;
    for seed in 0..60_usize {
        let count = 4 + seed % 9;
        let size = |n: usize| (seed * 7_919 + n * 104_729) % 30_000 + 200;
        let sizes: Vec<usize> = (0..count).map(size).collect();
        let mut log = Log::new(ContextPreset::Openclaw, WINDOW as u64);
        log.user();
        let entries: Vec<EntryId> = sizes
            .iter()
            .map(|&chars| log.call(vec![Part::Text("x".repeat(chars))], false))
            .collect();
        let view = log.warm();
        // "go on" and each call's name and arguments; no system prompt, no tools.
        let texts: u64 = view
            .items
            .iter()
            .filter(|item| !matches!(item.sent.as_deref(), Some(Message::ToolResult(_)) | None))
            .map(|item| item.tokens * 4)
            .sum();
        let cleared = entries
            .iter()
            .filter(|entry| disposition(&view, entry) == Disposition::Cleared)
            .count();
        let expected = cleared_by_weight(WINDOW, texts as usize, &sizes, PLACEHOLDER);
        // The two newest stay here whatever they weigh.
        assert_eq!(cleared, expected.min(count - 2), "{seed}: {sizes:?}");
        acted += usize::from(cleared > 0);
    }
    assert!((15..59).contains(&acted), "{acted}");
}

#[test]
fn openclaw_measures_results_in_utf16_units() {
    // 2,100 emoji are 4,200 units: more than the 4,000 from which results are trimmed.
    let mut log = Log::new(ContextPreset::Openclaw, 20_000);
    log.user();
    let emoji = log.call(vec![Part::Text("😀".repeat(2_100))], false);
    let letters = log.call(vec![Part::Text("x".repeat(3_999))], false);
    log.read(5_000);
    (0..3).for_each(|_| drop(log.read(10)));
    let view = log.cold();
    assert_eq!(disposition(&view, &emoji), Disposition::Trimmed);
    assert_eq!(disposition(&view, &letters), Disposition::Sent);
    // 1,500 units of each end.
    let kept = sent(&view, &emoji).matches('😀').count();
    assert_eq!(kept, 1_500);
    log.settings = preset(ContextPreset::Default);
    log.settings.ruler = plimsoll::context::RulerKind::Bpe;
    let mut assembler = ViewAssembler::new(
        Arc::new(log.settings.clone()),
        Arc::new(plimsoll::context::ruler::Approximate),
    );
    let around = RequestContext {
        model: log.model.clone(),
        ..RequestContext::default()
    };
    let later = Timestamp(NOW.0 + 3_600_000);
    let evaluation = assembler.evaluate(&log.transcript, &around, later, ShrinkMode::default());
    assert_eq!(disposition(&evaluation.view, &emoji), Disposition::Sent);
}

#[test]
fn openclaw_takes_the_images_of_a_result_before_it_clears_any_text() {
    let mut log = Log::new(ContextPreset::Openclaw, 40_000);
    log.user();
    let shown: Vec<EntryId> = (0..14)
        .map(|_| log.call(vec![Part::Text("x".repeat(3_600)), image()], false))
        .collect();
    (0..3).for_each(|_| drop(log.read(10)));
    // 73% with the images, 32% without.
    let view = log.cold();
    assert!(view.usage.tokens < 20_000, "{}", view.usage.tokens);
    for entry in &shown {
        assert_eq!(disposition(&view, entry), Disposition::MediaStripped);
        assert!(sent(&view, entry).starts_with(&"x".repeat(3_600)));
    }
    // A long one loses its middle as well, as if it had had no image.
    let mut log = Log::new(ContextPreset::Openclaw, 40_000);
    log.user();
    let wordy = log.call(vec![Part::Text("z".repeat(4_400)), image()], false);
    log.read(10_000);
    (0..3).for_each(|_| drop(log.read(10)));
    let view = log.cold();
    assert_eq!(disposition(&view, &wordy), Disposition::Trimmed);
    let text = sent(&view, &wordy);
    assert_eq!(text.matches('z').count(), 3_000, "{text}");
    assert!(text.ends_with("[Attached image/png]"), "{text}");
}

#[test]
fn openclaw_ages_images_of_tool_results_as_pruning_does() {
    let mut log = Log::new(ContextPreset::Openclaw, 100_000);
    let asked = log.say(Message::User(UserMessage {
        content: vec![Part::Text("see".to_owned()), image()],
    }));
    let shot = log.call(vec![image()], false);
    log.read(24_900);
    let recent: Vec<EntryId> = (0..3).map(|_| log.call(vec![image()], false)).collect();
    assert_eq!(disposition(&log.warm(), &shot), Disposition::Sent);
    let view = log.cold();
    assert_eq!(disposition(&view, &shot), Disposition::MediaStripped);
    assert_eq!(disposition(&view, &asked), Disposition::Sent);
    for entry in &recent {
        assert_eq!(disposition(&view, entry), Disposition::Sent);
    }
}

#[test]
fn openclaw_keeps_three_turns_or_with_few_asks_all_of_them_and_six_messages() {
    let mut log = Log::new(ContextPreset::Openclaw, 200_000);
    let turns: Vec<EntryId> = (0..5)
        .map(|_| {
            let user = log.user();
            log.read(100);
            user
        })
        .collect();
    let plan = log.tail();
    assert_eq!(plan.first_kept.as_ref(), Some(&turns[2]));
    assert!(plan.kept_asks.is_empty());

    let mut log = Log::new(ContextPreset::Openclaw, 200_000);
    let asks = [log.user(), {
        log.read(100);
        log.user()
    }];
    let results: Vec<EntryId> = (0..20).map(|_| log.read(100)).collect();
    let plan = log.tail();
    assert_eq!(plan.kept_asks, asks);
    // Six calls with their results, and both asks.
    assert_eq!((plan.kept, plan.history.len()), (6 * 2 + 2, 2));
    assert_eq!(log.warm().compaction.would_keep, plan.kept);
    let compaction = Compaction {
        summary: "SUMMARY".to_owned(),
        first_kept: plan.first_kept.clone(),
        details: CompactionDetails {
            exceptions: TailExceptions {
                kept_asks: plan.kept_asks.clone(),
                cut_entry: None,
            },
            ..CompactionDetails::default()
        },
        ..Compaction::default()
    };
    log.push(EntryBody::Compaction(Box::new(compaction)));
    let view = log.warm();
    let present = |id: &EntryId| {
        view.items
            .iter()
            .any(|item| item.entry.as_ref() == Some(id))
    };
    assert!(asks.iter().all(present));
    assert!(!present(&results[13]) && present(&results[14]));

    // The budget of 20,000 tokens counts as well.
    let mut log = Log::new(ContextPreset::Openclaw, 200_000);
    log.user();
    (0..6).for_each(|_| drop(log.read(6_000)));
    assert_eq!(log.tail().kept, 3 * 2 + 1);
}

#[test]
fn opencode_keeps_two_turns_whole_and_clears_beyond_forty_thousand() {
    let mut log = Log::new(ContextPreset::Opencode, 400_000);
    log.user();
    let old = [log.read(15_000), log.read(15_000)];
    let newest = log.read(39_000);
    let recent: Vec<EntryId> = (0..2)
        .map(|_| {
            log.user();
            log.read(60_000)
        })
        .collect();
    let view = log.warm();
    for entry in &old {
        assert_eq!(disposition(&view, entry), Disposition::Cleared);
        assert_eq!(sent(&view, entry), "[Old tool result content cleared]");
    }
    for entry in recent.iter().chain([&newest]) {
        assert_eq!(disposition(&view, entry), Disposition::Sent);
    }
    // 20,000 or less is not worth it.
    let mut log = Log::new(ContextPreset::Opencode, 400_000);
    log.user();
    let old = log.read(19_900);
    log.read(40_000);
    log.user();
    log.user();
    assert_eq!(disposition(&log.warm(), &old), Disposition::Sent);
}

#[test]
fn opencode_2_keeps_fifteen_thousand_tokens_over_as_many_turns_as_they_reach() {
    let mut log = Log::new(ContextPreset::Opencode2, 400_000);
    for _ in 0..12 {
        log.user();
        log.read(2_000);
    }
    let plan = log.tail();
    assert_eq!((plan.kept_turns, plan.kept), (7, 7 * 3));
    assert!(plan.kept_tokens <= 15_000 && plan.kept_tokens > 13_000);
    // Of the older preset two turns, and 8,000 tokens at most.
    log.settings = preset(ContextPreset::Opencode);
    assert_eq!(log.tail().kept_turns, 2);
    // A quarter of a small window.
    let mut log = Log::new(ContextPreset::Opencode2, 20_000);
    (0..9).for_each(|_| {
        log.user();
        log.read(500);
    });
    assert!(log.tail().kept_tokens <= 2_500);
}

#[test]
fn opencode_2_prunes_only_where_it_is_asked_to() {
    let mut log = Log::new(ContextPreset::Opencode2, 400_000);
    log.user();
    let old = log.read(30_000);
    log.read(40_000);
    log.user();
    log.user();
    assert_eq!(disposition(&log.cold(), &old), Disposition::Sent);
    log.settings.prune.policy = PrunePolicy::ProtectRecent;
    assert_eq!(disposition(&log.warm(), &old), Disposition::Cleared);
}

#[test]
fn opencode_neither_cuts_results_nor_ages_images() {
    let mut log = Log::new(ContextPreset::Opencode, 100_000);
    let shot = log.say(Message::User(UserMessage {
        content: vec![Part::Text("see".to_owned()), image()],
    }));
    for _ in 0..12 {
        log.user();
        log.read(10);
    }
    let large = log.read(99_000);
    let view = log.cold();
    assert_eq!(disposition(&view, &shot), Disposition::Sent);
    assert_eq!(disposition(&view, &large), Disposition::Sent);
    assert!(view.compaction.due);
}

#[test]
fn opencode_keeps_two_turns_within_eight_thousand() {
    let mut log = Log::new(ContextPreset::Opencode, 200_000);
    let turns: Vec<EntryId> = (0..4).map(|_| (log.user(), log.read(100)).0).collect();
    assert_eq!(log.tail().first_kept.as_ref(), Some(&turns[2]));
    let mut log = Log::new(ContextPreset::Opencode, 200_000);
    log.user();
    log.read(7_000);
    let newest = (log.user(), log.read(7_000)).0;
    assert_eq!(log.tail().first_kept.as_ref(), Some(&newest));
}

fn harness(server: &Server, name: ContextPreset) -> Harness {
    let settings = preset(name);
    Harness::new(server).set(|s| s.context = settings)
}

fn whole(body: &Value) -> String {
    body.to_string()
}

#[tokio::test]
async fn the_default_mends_a_summary_that_fails_its_audit() {
    let mut script: Vec<_> = (0..5).map(|turn| text(format!("answer {turn}"))).collect();
    script.extend([
        text("## Goal\nfirst"),
        text("## Goal\nsecond"),
        text("next"),
    ]);
    let server = Server::start(Wire::Anthropic, script).await;
    let mut agent = harness(&server, ContextPreset::Default)
        .wordy()
        .set(|s| s.context.ruler = plimsoll::context::RulerKind::Chars4)
        .start()
        .await;
    for turn in 0..5 {
        agent.ask(&format!("question {turn}")).await;
    }
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    assert!(whole(&server.body(5)).contains("## Exact identifiers"));
    agent.ask("and now").await;
    let all = joined(&server.body(7));
    assert!(
        all.contains("## Relevant Files") && all.contains("(none)"),
        "{all}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn openclaw_cancels_a_summary_that_fails_its_audit() {
    let mut script: Vec<_> = (0..5).map(|turn| text(format!("answer {turn}"))).collect();
    script.extend([text("no headings"), text("none again"), text("next")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server, ContextPreset::Openclaw);
    let mut agent = harness.start().await;
    for turn in 0..5 {
        agent.ask(&format!("question {turn}")).await;
    }
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Failed { .. })))
        .await;
    let asked = whole(&server.body(5));
    assert!(asked.contains("## Open TODOs") && !asked.contains("## Critical Context"));
    // One retry, and the conversation is as it was.
    agent.ask("and now").await;
    let all = joined(&server.body(7));
    assert!(
        all.contains("question 0") && all.contains("answer 4"),
        "{all}"
    );
    assert_eq!(server.left(), 0);
    agent.stop().await;
}

#[tokio::test]
async fn openclaw_always_reads_history_in_chunks() {
    let summary = "## Decisions\n(none)\n\n## Open TODOs\n(none)\n\n## Constraints/Rules\n(none)\n\n\
                   ## Pending user asks\nquestion\n\n## Exact identifiers\n(none)";
    let long = "word ".repeat(4_000);
    let mut script: Vec<_> = (0..6).map(|_| text(long.clone())).collect();
    script.extend((0..6).map(|_| text(summary)));
    let server = Server::start(Wire::Anthropic, script).await;
    // An answer has 5,000 tokens, a chunk at most (64,000 × 0.4 − 4,096) / 1.2.
    let harness = harness(&server, ContextPreset::Openclaw)
        .window(64_000)
        .set(|s| s.context.compaction.tail.tokens = Some(100));
    let mut agent = harness.start().await;
    for turn in 0..6 {
        agent.ask(&format!("question {turn}")).await;
    }
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    let requests = server.seen().len();
    assert!(requests > 7, "{requests} requests");
    agent.stop().await;
}

#[tokio::test]
async fn opencode_goes_on_by_itself_after_a_summary_that_nobody_audits() {
    // Two turns stay: what the first one said is what a summary frees.
    let script = [
        text(format!("first answer {}", "lorem ipsum ".repeat(560))),
        text("second answer"),
        Say::text("third answer").usage(23_900).reply(),
        text("JUST A SUMMARY"),
        text("went on"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server, ContextPreset::Opencode).window(24_000);
    let mut agent = harness.start().await;
    for question in ["one", "two", "three"] {
        agent.ask(question).await;
    }
    assert_eq!(server.left(), 0);
    let asked = whole(&server.body(3));
    assert!(asked.contains("## Key Decisions") && !asked.contains("## Exact identifiers"));
    let continued = joined(&server.body(4));
    assert!(continued.contains("JUST A SUMMARY"), "{continued}");
    assert!(
        continued.contains("Continue with the next steps"),
        "{continued}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn opencode_sends_the_message_again_after_an_overflow() {
    let script = [
        text("first answer"),
        overflow(Wire::Anthropic),
        text("JUST A SUMMARY"),
        text("after"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let mut agent = harness(&server, ContextPreset::Opencode).start().await;
    agent.ask("first question").await;
    let end = agent.ask("second question").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "after"));
    let all = joined(&server.body(3));
    assert!(
        all.contains("JUST A SUMMARY") && !all.contains("first answer"),
        "{all}"
    );
    assert_eq!(all.matches("second question").count(), 1, "{all}");
    agent.stop().await;
}
