//! The effect of each setting of the context on the window and on the view of the next request.
//! Every setting is given by its key, as a file or `/settings` gives it.

use std::collections::BTreeSet;
use std::sync::Arc;

use plimsoll::config::Settings;
use plimsoll::context::ruler::Chars4;
use plimsoll::context::tail::{self, TailLimits, TailPlan};
use plimsoll::context::{
    ContextView, Disposition, Gate, RequestContext, ShrinkMode, ViewAssembler, WindowReport,
    WindowVerdict, window,
};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, EntryBody, EntryId, Image, Measurement, Message, ModelInfo,
    ModelRef, Part, PromptCache, StopReason, Timestamp, ToolCall, ToolResult, Transcript,
    UsageSample, UserMessage,
};
use serde_json::json;

use super::setting_effects::settings;

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const WINDOW: u64 = 100_000;
/// The ruler used here.
const CHARS_PER_TOKEN: usize = 4;

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
}

impl Log {
    fn new() -> Self {
        Self {
            transcript: Transcript::new(),
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

    fn answer(&mut self, content: Vec<AssistantPart>, stop: StopReason) -> EntryId {
        self.say(Message::Assistant(AssistantMessage {
            content,
            provider: "p".into(),
            model: "m".into(),
            stop,
            ..AssistantMessage::default()
        }))
    }

    fn reply(&mut self) -> EntryId {
        let text = AssistantPart::Text("done".to_owned());
        self.answer(vec![text], StopReason::Stop)
    }

    /// A call with its result; gives the result's entry.
    fn call(&mut self, tool: &str, path: &str, content: Vec<Part>, is_error: bool) -> EntryId {
        let call_id = format!("c{}", self.transcript.len());
        let call = AssistantPart::ToolCall(ToolCall {
            id: call_id.clone(),
            name: tool.to_owned(),
            arguments: json!({"path": path}),
            malformed: None,
        });
        self.answer(vec![call], StopReason::ToolUse);
        self.say(Message::ToolResult(ToolResult {
            call_id,
            tool_name: tool.to_owned(),
            content,
            is_error,
            details: None,
        }))
    }

    /// A file of its own, read.
    fn read(&mut self, tokens: usize) -> EntryId {
        let path = format!("{}.txt", self.transcript.len());
        self.call("read", &path, vec![text(tokens)], false)
    }

    fn picture(&mut self) -> EntryId {
        let image = Part::Image(Image {
            mime: "image/png".to_owned(),
            data: Arc::from("aGVsbG8="),
            name: Some("plan.png".to_owned()),
        });
        self.say(Message::User(UserMessage {
            content: vec![image],
        }))
    }

    fn view_at(&self, settings: &Settings, after_secs: i64, pressure: ShrinkMode) -> ContextView {
        let request_context = RequestContext {
            system: Arc::from(""),
            tools: Arc::from(Vec::new()),
            memory: None,
            skills: None,
            servers: Arc::default(),
            repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
            workspace_rules: None,
            model: model(WINDOW),
            samples: Arc::default(),
            live: None,
            tools_running: false,
        };
        let context = Arc::new(settings.context.clone());
        let mut assembler = ViewAssembler::new(context, Arc::new(Chars4));
        let now = Timestamp(NOW.0 + after_secs * 1_000);
        let evaluation = assembler.evaluate(&self.transcript, &request_context, now, pressure);
        evaluation.view
    }

    /// As a request sees it while the provider's cache is warm.
    fn warm(&self, pairs: &[(&str, &str)]) -> ContextView {
        self.view_at(&settings(pairs), 1, ShrinkMode::default())
    }

    /// As a request after a long pause sees it.
    fn cold(&self, pairs: &[(&str, &str)]) -> ContextView {
        self.view_at(&settings(pairs), 3_600, ShrinkMode::default())
    }

    fn tail(&self, pairs: &[(&str, &str)]) -> TailPlan {
        let settings = settings(pairs);
        let view = self.view_at(&settings, 1, ShrinkMode::default());
        let limits = TailLimits::of(&settings.context.compaction, view.window.usable);
        tail::select(&view, limits, None)
    }
}

fn text(tokens: usize) -> Part {
    Part::Text("x".repeat(tokens * CHARS_PER_TOKEN))
}

fn disposition(view: &ContextView, entry: &EntryId) -> Disposition {
    let mut items = view.items.iter();
    items
        .find(|item| item.entry.as_ref() == Some(entry))
        .unwrap()
        .disposition
}

fn sent(view: &ContextView, entry: &EntryId) -> String {
    let mut items = view.items.iter();
    let item = items.find(|item| item.entry.as_ref() == Some(entry));
    item.unwrap().sent.as_ref().unwrap().text()
}

fn report_of(model: &ModelInfo, pairs: &[(&str, &str)]) -> WindowReport {
    window::report(&settings(pairs).context, model, 1.0)
}

fn report(pairs: &[(&str, &str)]) -> WindowReport {
    let model = ModelInfo {
        max_output_tokens: 64_000,
        input_limit_tokens: Some(150_000),
        ..model(200_000)
    };
    report_of(&model, pairs)
}

#[test]
fn windows_and_caps_decide_how_much_is_used() {
    assert_eq!(report(&[]).tokens, Some(200_000));
    for (key, tokens) in [
        ("window.user", 50_000),
        ("window.cap", 40_000),
        ("agent.window_cap", 30_000),
    ] {
        let set = report(&[(key, &tokens.to_string())]);
        assert_eq!(set.tokens, Some(tokens), "{key}");
    }
    assert_eq!(report(&[]).usable, 130_000, "the model's limit on input");
    assert_eq!(report(&[("window.input_limit", "false")]).usable, 180_000);
    let verdict = |key| report(&[(key, "200001")]).verdict;
    assert_eq!(report(&[]).verdict, WindowVerdict::Ok);
    assert_eq!(verdict("window.warn_below"), WindowVerdict::Warn);
    assert_eq!(verdict("window.min"), WindowVerdict::Block);
}

#[test]
fn reserve_and_threshold_place_the_load_line() {
    let model = ModelInfo {
        max_output_tokens: 64_000,
        ..model(200_000)
    };
    let lines = |pairs: &[(&str, &str)]| {
        let report = report_of(&model, pairs);
        (report.usable, report.load_line)
    };
    assert_eq!(lines(&[]), (180_000, 180_000));
    let half = [("compaction.threshold", "0.5")];
    assert_eq!(lines(&half), (180_000, 100_000));
    let tokens = [("compaction.threshold", "70000")];
    assert_eq!(lines(&tokens), (180_000, 70_000));
    let reserved = [("compaction.reserved", "30000")];
    assert_eq!(lines(&reserved), (170_000, 170_000));
    let output = ("compaction.reserve", "output");
    let share = ("compaction.reserve_max_share", "0.5");
    assert_eq!(lines(&[output, share]).0, 136_000);
    assert_eq!(lines(&[output]).0, 150_000, "a quarter at most");
    let share = ("compaction.reserve_max_share", "0.05");
    assert_eq!(lines(&[share]).0, 190_000);
}

#[test]
fn a_fixed_margin_ends_what_is_learnt_from_usage() {
    let mut log = Log::new();
    log.user();
    for size in 1..10 {
        log.push(EntryBody::Measurement(Measurement::Usage(UsageSample {
            provider: "p".to_owned(),
            model: "m".to_owned(),
            ruler: "chars4".to_owned(),
            estimate_tokens: size * 1_000,
            actual_tokens: size * 1_200,
            refused: false,
        })));
    }
    let learnt = log.warm(&[]).ruler;
    assert!(learnt.calibration > 1.1, "{learnt:?}");
    let fixed = log.warm(&[("ruler_margin", "2")]).ruler;
    assert!((fixed.calibration - 1.0).abs() < 1e-9, "{fixed:?}");
    assert!((fixed.margin - 2.0).abs() < 1e-9, "{fixed:?}");
}

/// An error, then reads of 20,000 tokens, then an end that the default protects: 86% of the
/// window.
struct Crowded {
    log: Log,
    failed: EntryId,
    reads: Vec<EntryId>,
    newest: EntryId,
}

fn crowded() -> Crowded {
    let mut log = Log::new();
    log.user();
    let failed = log.call("shell", "x", vec![text(20_000)], true);
    let reads = (0..3).map(|_| log.read(20_000)).collect();
    let mut newest = log.read(2_000);
    for _ in 0..2 {
        newest = log.read(2_000);
    }
    Crowded {
        log,
        failed,
        reads,
        newest,
    }
}

#[test]
fn the_policy_says_whether_and_how_results_are_shortened() {
    let Crowded {
        log, reads, newest, ..
    } = crowded();
    let of = |policy| disposition(&log.cold(&[("prune.policy", policy)]), &reads[0]);
    assert_eq!(of("soft-hard"), Disposition::Trimmed);
    assert_eq!(of("off"), Disposition::Sent);
    let recent = log.cold(&[
        ("prune.policy", "protect-recent"),
        ("prune.minimum_tokens", "1"),
        ("prune.protect_tokens", "20000"),
        ("prune.protect_turns", "0"),
    ]);
    assert_eq!(disposition(&recent, &reads[0]), Disposition::Cleared);
    assert_eq!(disposition(&recent, &newest), Disposition::Sent);
}

#[test]
fn gate_ttl_and_force_say_when_a_prune_runs() {
    let Crowded { log, reads, .. } = crowded();
    let is_pruned = |view: &ContextView| disposition(view, &reads[0]) == Disposition::Trimmed;
    let calm = ("prune.force_ratio", "none");
    assert!(!is_pruned(&log.warm(&[calm])));
    assert!(is_pruned(&log.warm(&[calm, ("prune.gate", "always")])));
    assert!(!is_pruned(&log.cold(&[("prune.gate", "off")])));
    // An hour later the cache is cold, unless it is said to live for two.
    assert_eq!(log.cold(&[calm]).prune.gate, Gate::Cold);
    let long = ("prune.ttl_secs", "7200");
    assert_eq!(log.cold(&[calm, long]).prune.gate, Gate::Warm);
    assert!(is_pruned(&log.warm(&[("prune.force_ratio", "0.5")])));
    assert!(!is_pruned(&log.warm(&[("prune.force_ratio", "0.99")])));
    let much = ("prune.force_min_gain", "1");
    assert!(!is_pruned(&log.warm(&[("prune.force_ratio", "0.5"), much])));
}

#[test]
fn ratios_say_from_which_share_results_are_trimmed_and_cleared() {
    let Crowded { log, reads, .. } = crowded();
    let of = |pairs: &[(&str, &str)]| disposition(&log.cold(pairs), &reads[0]);
    // Trimming is enough, unless clearing is to begin much earlier.
    assert_eq!(of(&[]), Disposition::Trimmed);
    let high = [("prune.hard_ratio", "0.95"), ("prune.soft_ratio", "0.95")];
    assert_eq!(of(&high), Disposition::Sent);
    let early = ("prune.hard_ratio", "0.2");
    let (soft, few) = (
        ("prune.soft_ratio", "0.2"),
        ("prune.min_prunable_chars", "1"),
    );
    assert_eq!(of(&[early, soft, few]), Disposition::Cleared);
    assert_eq!(
        of(&[early, soft]),
        Disposition::Trimmed,
        "too little is left"
    );
    let off = ("prune.hard.enabled", "false");
    assert_eq!(of(&[early, soft, few, off]), Disposition::Trimmed);
}

#[test]
fn a_trimmed_result_has_the_length_that_is_set() {
    let Crowded { log, reads, .. } = crowded();
    let trims = ("prune.hard.enabled", "false");
    let long = ("prune.soft.max_chars", "1000000");
    let view = log.cold(&[trims, long]);
    assert_eq!(disposition(&view, &reads[0]), Disposition::Sent);
    let kept = |head: &str, tail: &str| {
        let view = log.cold(&[
            trims,
            ("prune.soft.head_chars", head),
            ("prune.soft.tail_chars", tail),
        ]);
        let text = sent(&view, &reads[0]);
        let head = text.chars().take_while(|c| *c == 'x').count();
        let tail = text.chars().rev().take_while(|c| *c == 'x').count();
        (head, tail)
    };
    assert_eq!(kept("10", "20"), (10, 20));
    assert_eq!(kept("300", "0"), (300, 0));
}

#[test]
fn placeholders_are_the_words_that_are_set() {
    let Crowded { log, reads, .. } = crowded();
    let view = log.cold(&[
        ("prune.hard.placeholder", "PRUNED AWAY"),
        ("prune.soft.max_chars", "1000000"),
    ]);
    assert_eq!(sent(&view, &reads[0]), "PRUNED AWAY");
    let total = ShrinkMode {
        total: true,
        ..ShrinkMode::default()
    };
    let off = ("prune.policy", "off");
    let words = settings(&[off, ("guard.placeholder", "NO ROOM")]);
    let view = log.view_at(&words, 1, total);
    assert_eq!(sent(&view, &reads[0]), "NO ROOM");
}

#[test]
fn what_is_protected_from_a_prune_is_what_is_set() {
    let Crowded {
        log,
        failed,
        reads,
        newest,
    } = crowded();
    let of = |pairs: &[(&str, &str)], entry| disposition(&log.cold(pairs), entry);
    assert_eq!(of(&[], &failed), Disposition::Sent);
    let errors = [("prune.protect_errors", "false")];
    assert_eq!(of(&errors, &failed), Disposition::Trimmed);
    let none = [("prune.keep_last_assistants", "0")];
    assert_eq!(of(&[], &newest), Disposition::Sent);
    assert_eq!(of(&none, &newest), Disposition::Trimmed);
    let only = [("prune.tools.allow", "[\"shell\"]")];
    assert_eq!(of(&only, &reads[0]), Disposition::Sent);
    let denied = [("prune.tools.deny", "[\"re*\"]")];
    assert_eq!(of(&denied, &reads[0]), Disposition::Sent);
}

#[test]
fn a_result_that_a_later_one_made_pointless_goes_when_that_is_set() {
    let mut log = Log::new();
    log.user();
    let first = log.call("read", "same.txt", vec![text(20_000)], false);
    log.call("read", "same.txt", vec![text(20_000)], false);
    for _ in 0..3 {
        log.read(100);
    }
    // Below the share from which anything else is pruned.
    let ratios = [("prune.soft_ratio", "0.9"), ("prune.hard_ratio", "0.9")];
    let [soft, hard] = ratios;
    let of = |on| disposition(&log.cold(&[soft, hard, ("prune.superseded", on)]), &first);
    assert_eq!(of("true"), Disposition::Cleared);
    assert_eq!(of("false"), Disposition::Sent);
}

#[test]
fn arguments_of_old_writes_are_left_out_when_that_is_set() {
    let mut log = Log::new();
    log.user();
    let call = AssistantPart::ToolCall(ToolCall {
        id: "w".to_owned(),
        name: "write".to_owned(),
        arguments: json!({"path": "a.txt", "content": "x".repeat(200_000)}),
        malformed: None,
    });
    let answer = log.answer(vec![call], StopReason::ToolUse);
    log.say(Message::ToolResult(ToolResult {
        call_id: "w".to_owned(),
        tool_name: "write".to_owned(),
        content: vec![Part::Text("Created a.txt.".to_owned())],
        ..ToolResult::default()
    }));
    for _ in 0..3 {
        log.read(100);
    }
    let of = |on| disposition(&log.cold(&[("prune.arguments", on)]), &answer);
    assert_eq!(of("true"), Disposition::Trimmed);
    assert_eq!(of("false"), Disposition::Sent);
}

#[test]
fn a_read_of_what_was_read_is_a_difference_when_that_is_set() {
    let mut log = Log::new();
    log.user();
    let mut again = None;
    for n in 0..2 {
        let call_id = format!("r{n}");
        let call = AssistantPart::ToolCall(ToolCall {
            id: call_id.clone(),
            name: "read".to_owned(),
            arguments: json!({"path": "a.txt"}),
            malformed: None,
        });
        log.answer(vec![call], StopReason::ToolUse);
        again = Some(log.say(Message::ToolResult(ToolResult {
            call_id,
            tool_name: "read".to_owned(),
            content: vec![Part::Text("a line of the file\n".repeat(100))],
            details: Some(json!({"path": "a.txt", "lines": 100, "total": 100})),
            is_error: false,
        })));
    }
    let again = again.unwrap();
    let of = |on| disposition(&log.cold(&[("prune.difference_reads", on)]), &again);
    assert_eq!(of("true"), Disposition::Trimmed);
    assert_eq!(of("false"), Disposition::Sent);
}

#[test]
fn protect_recent_keeps_the_tokens_and_turns_that_are_set() {
    let mut log = Log::new();
    let turns: Vec<EntryId> = (0..4)
        .map(|_| {
            log.user();
            log.read(10_000)
        })
        .collect();
    let kept = |pairs: &[(&str, &str)]| {
        let mut all = vec![
            ("prune.policy", "protect-recent"),
            ("prune.minimum_tokens", "1"),
            ("prune.protect_turns", "0"),
            ("prune.protect_tokens", "15000"),
        ];
        all.extend(pairs);
        let view = log.cold(&all);
        let is_kept = |entry: &&EntryId| disposition(&view, entry) == Disposition::Sent;
        turns.iter().filter(is_kept).count()
    };
    assert_eq!(kept(&[]), 1);
    assert_eq!(kept(&[("prune.protect_tokens", "25000")]), 2);
    assert_eq!(kept(&[("prune.minimum_tokens", "90000")]), 4);
    let whole = ("prune.protect_whole_turns", "true");
    let (turns, no_tokens) = (("prune.protect_turns", "3"), ("prune.protect_tokens", "1"));
    assert_eq!(kept(&[turns, no_tokens, whole]), 3);
    assert_eq!(
        kept(&[turns, no_tokens]),
        0,
        "no more of them than the tokens"
    );
    // What is within the turns does not count against the tokens that stay besides.
    assert_eq!(kept(&[turns]), 2);
}

#[test]
fn the_guard_cuts_what_is_too_large_for_its_share_and_says_so_in_the_words_set() {
    let mut log = Log::new();
    log.user();
    let large = log.read(60_000);
    let off = ("prune.policy", "off");
    let of = |pairs: &[(&str, &str)]| {
        let mut all = vec![off];
        all.extend(pairs);
        log.warm(&all)
    };
    assert_eq!(disposition(&of(&[]), &large), Disposition::Truncated);
    let disabled = of(&[("guard.enabled", "false")]);
    assert_eq!(disposition(&disabled, &large), Disposition::Sent);
    let share = of(&[("guard.single_share", "0.7")]);
    assert_eq!(disposition(&share, &large), Disposition::Sent);
    let notice = of(&[("guard.notice", "CUT HERE")]);
    assert!(sent(&notice, &large).ends_with("CUT HERE"));
    let chars = of(&[("guard.tool_output_max_chars", "1000")]);
    assert!(sent(&chars, &large).chars().count() < 1_500);
}

#[test]
fn the_total_guard_holds_the_shares_that_are_set_when_it_is_asked_for_or_always() {
    let mut log = Log::new();
    log.user();
    let reads: Vec<EntryId> = (0..7).map(|_| log.read(10_000)).collect();
    let cleared = |pairs: &[(&str, &str)]| {
        let mut all = vec![("prune.policy", "off"), ("ruler_margin", "1")];
        all.extend(pairs);
        let view = log.warm(&all);
        let is_gone = |entry: &&EntryId| disposition(&view, entry) == Disposition::Cleared;
        reads.iter().filter(is_gone).count()
    };
    let always = ("guard.total_always", "true");
    let share = ("guard.total_share", "0.5");
    assert_eq!(cleared(&[]), 0);
    assert_eq!(cleared(&[share]), 0, "not before each request");
    assert_eq!(cleared(&[always]), 0, "below the load line");
    assert_eq!(cleared(&[always, share, ("guard.total_target", "0.5")]), 3);
    assert_eq!(cleared(&[always, share, ("guard.total_target", "0.3")]), 5);
}

#[test]
fn attachments_become_text_after_the_turns_and_groups_that_are_set() {
    let mut log = Log::new();
    let picture = log.picture();
    log.reply();
    log.user();
    log.reply();
    let of = |pairs: &[(&str, &str)]| disposition(&log.cold(pairs), &picture);
    assert_eq!(of(&[]), Disposition::Sent);
    let turns = ("media.keep_turns", "0");
    assert_eq!(of(&[turns]), Disposition::MediaStripped);
    assert_eq!(of(&[turns, ("media.ageing", "off")]), Disposition::Sent);
    assert_eq!(of(&[turns, ("media.ageing", "pruning")]), Disposition::Sent);
    assert_eq!(of(&[("media.keep_groups", "4")]), Disposition::Sent);
    assert_eq!(
        of(&[("media.keep_groups", "3")]),
        Disposition::MediaStripped
    );
}

#[test]
fn no_group_is_kept_when_none_is_to_be() {
    // The picture was answered by the newest message: one group is none older.
    let mut log = Log::new();
    let picture = log.picture();
    log.reply();
    let of = |groups| disposition(&log.cold(&[("media.keep_groups", groups)]), &picture);
    assert_eq!(of("2"), Disposition::Sent);
    assert_eq!(of("1"), Disposition::MediaStripped);
    assert_eq!(of("0"), Disposition::MediaStripped);
    // A tool's picture that the newest answer has seen is in the newest group but one.
    let mut log = Log::new();
    log.user();
    log.reply();
    let newest = log.picture();
    assert_eq!(
        disposition(&log.cold(&[("media.keep_groups", "0")]), &newest),
        Disposition::Sent,
        "nobody has seen it yet"
    );
}

#[test]
fn a_compaction_keeps_the_turns_and_tokens_that_are_set() {
    let mut log = Log::new();
    let turns: Vec<EntryId> = (0..6)
        .map(|_| {
            let user = log.user();
            log.read(1_000);
            user
        })
        .collect();
    let first = |pairs: &[(&str, &str)]| {
        let kept = log.tail(pairs).first_kept.unwrap();
        turns.iter().position(|turn| *turn == kept)
    };
    assert_eq!(first(&[]), Some(3));
    assert_eq!(first(&[("compaction.tail_turns", "1")]), Some(5));
    let few = [("compaction.keep_recent_tokens", "1500")];
    assert_eq!(first(&few), Some(5));
    let most = [("compaction.keep_recent_max", "1500")];
    assert_eq!(first(&most), Some(5));
}

#[test]
fn with_few_asks_all_of_them_are_kept_when_that_is_set() {
    let mut log = Log::new();
    let ask = log.user();
    for _ in 0..20 {
        log.read(100);
    }
    let asks = |on| log.tail(&[("compaction.tail_few_asks", on)]).kept_asks;
    assert_eq!(asks("true"), [ask]);
    assert_eq!(asks("false"), []);
}
