//! Cases for the policies: what is protected, what goes first, and when.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::context::fixture::{CHARS_PER_TOKEN, Case, NOW, cuts, item, sent};
use crate::context::ruler::Approximate;
use crate::context::{
    ContextView, Disposition, Evaluation, Gate, GateKind, PrunePolicy, ShrinkMode, ViewAssembler,
};
use crate::transcript::{
    AssistantPart, Decision, EntryBody, EntryId, LEFT_OUT_FIELD, Message, Part, PromptCache,
    ReasoningFacts, StopReason, ToolCall, ToolResult,
};

#[test]
fn soft_comes_first_and_hard_only_while_the_view_is_still_too_full() {
    // Two large results: trimming both is enough.
    let mut case = Case::new(40_000);
    case.user();
    let first = case.shell(8_000);
    let second = case.shell(8_000);
    case.protected_end();
    assert_eq!(case.cuts(), [(first, "soft"), (second, "soft")]);
    // Many results below the soft limit: only clearing helps, oldest first, no more
    // than it takes.
    let mut case = Case::new(40_000);
    case.user();
    let results: Vec<_> = (0..25).map(|_| case.shell(900)).collect();
    case.protected_end();
    let cut = case.cuts();
    assert!(
        !cut.is_empty() && cut.len() < results.len(),
        "{}",
        cut.len()
    );
    let expected: Vec<_> = results.into_iter().map(|id| (id, "hard")).collect();
    assert_eq!(cut, expected.get(..cut.len()).unwrap());
    let tokens = case.evaluate().view.usage.tokens;
    assert!((18_000..20_000).contains(&tokens), "{tokens}");
}

#[test]
fn little_to_clear_is_left_alone() {
    let mut case = Case::new(40_000);
    // 25% of this window are 40,000 characters; the results hold fewer.
    let long = "y".repeat(15_000 * CHARS_PER_TOKEN);
    case.push(EntryBody::Message(Arc::new(Message::user_text(long))));
    for _ in 0..9 {
        case.shell(990);
    }
    case.protected_end();
    assert_eq!(case.cuts(), []);
    case.settings.prune.hard.min_prunable_chars = 10_000;
    assert!(!case.cuts().is_empty());
    // Between the share and the number, which is what counts without a share.
    case.settings.prune.hard.min_prunable_chars = 50_000;
    case.settings.prune.hard.min_prunable_share = Some(0.2);
    assert!(!case.cuts().is_empty());
    case.settings.prune.hard.min_prunable_share = None;
    assert_eq!(case.cuts(), []);
    case.settings.prune.hard.min_prunable_chars = 35_000;
    assert!(!case.cuts().is_empty());
}

#[test]
fn what_is_protected_stays() {
    let mut case = Case::new(20_000);
    let before_user = case.shell(3_000);
    case.user();
    let failed = case.call("shell", json!({}), 3_000, true);
    let skill = case.call("SKILL", json!({}), 3_000, false);
    let pinned = case.shell(3_000);
    let plain = case.shell(3_000);
    let newest: Vec<_> = (0..3).map(|_| case.shell(1_500)).collect();
    case.push(EntryBody::Decision(Decision::Pin {
        target: pinned.clone(),
    }));
    let cut: Vec<_> = case.cuts().into_iter().map(|(id, _)| id).collect();
    assert_eq!(cut, [plain]);
    for id in [before_user, failed, skill, pinned].iter().chain(&newest) {
        assert!(!cut.contains(id));
    }
}

#[test]
fn the_gate_decides_and_says_what_waits() {
    let mut case = Case::new(40_000);
    case.user();
    case.shell(8_000);
    case.shell(8_000);
    case.protected_end();
    case.cache = PromptCache::Ttl;
    let warm = case.evaluate();
    assert_eq!(warm.view.prune.gate, Gate::Warm);
    assert_eq!(cuts(&warm), []);
    assert!(warm.view.prune.would_free > 10_000);
    assert!(warm.view.prune.would_give_up > 0);
    assert!(warm.view.prune.cache_secs_left.is_some());
    let now = case.evaluate_with(ShrinkMode {
        prune_now: true,
        ..ShrinkMode::default()
    });
    assert_eq!(cuts(&now).len(), 2);
    assert!(now.view.prune.cache_given_up > 0);
    case.settings.prune.force_ratio = Some(0.4);
    assert_eq!(case.evaluate().view.prune.gate, Gate::Forced);
    case.settings.prune.gate = GateKind::Off;
    let off = case.evaluate();
    assert_eq!(
        (off.view.prune.gate, off.view.prune.would_free),
        (Gate::Off, 0)
    );
}

#[test]
fn superseded_results_go_first_and_only_when_it_is_worth_it() {
    let check = |tokens: usize, expected: usize, build: &dyn Fn(&mut Case, usize)| {
        let mut case = Case::new(20_000);
        case.user();
        build(&mut case, tokens);
        case.protected_end();
        let cut = case.cuts();
        assert_eq!(cut.len(), expected, "{cut:?}");
        assert!(cut.iter().all(|(_, phase)| *phase == "superseded"));
    };
    check(2_500, 1, &|case, tokens| {
        case.call("list", json!({"path": "."}), tokens, false);
        case.call("list", json!({"path": "."}), 900, false);
    });
    // A failed repetition replaces nothing.
    check(2_500, 0, &|case, tokens| {
        case.call("list", json!({"path": "."}), tokens, false);
        case.call("list", json!({"path": "."}), 900, true);
    });
    check(2_500, 1, &|case, tokens| {
        case.read("a", None, tokens);
        case.call("write", json!({"path": "a"}), 900, false);
    });
    // An edit needs what was read.
    check(2_500, 0, &|case, tokens| {
        case.read("a", None, tokens);
        case.call("edit", json!({"path": "a"}), 900, false);
    });
}

fn protect_recent() -> Case {
    let mut case = Case::new(400_000);
    case.settings.prune.policy = PrunePolicy::ProtectRecent;
    case.settings.prune.gate = GateKind::Always;
    case
}

#[test]
fn protect_recent_keeps_the_newest_tokens_and_clears_the_rest_at_once() {
    let mut case = protect_recent();
    case.user();
    let old: Vec<_> = (0..7).map(|_| case.shell(10_000)).collect();
    for _ in 0..2 {
        case.user();
        case.shell(5_000);
    }
    // 40,000 tokens of the old turn are kept, three results are beyond.
    let expected: Vec<_> = old
        .iter()
        .take(4)
        .map(|id| (id.clone(), "protect-recent"))
        .collect();
    assert_eq!(case.cuts(), expected);
    let evaluation = case.evaluate();
    case.record(&evaluation);
    // It stops at the first cleared one.
    assert_eq!(case.evaluate().decisions, []);
}

#[test]
fn protect_recent_does_nothing_for_little_and_is_capped_in_one_long_turn() {
    let mut case = protect_recent();
    case.user();
    for _ in 0..5 {
        case.shell(9_000);
    }
    case.user();
    case.user();
    assert_eq!(case.cuts(), [], "only 9,000 tokens are beyond");
    let mut case = protect_recent();
    case.user();
    for _ in 0..12 {
        case.shell(10_000);
    }
    assert!(
        !case.cuts().is_empty(),
        "one long turn does not protect all"
    );
}

#[test]
fn what_was_recalled_goes_first_under_protect_recent_too() {
    let mut case = protect_recent();
    case.user();
    let results: Vec<_> = (0..7).map(|_| case.shell(5_000)).collect();
    let copy = case.call("recall", json!({"id": "r3"}), 25_000, false);
    case.user();
    case.answer("so");
    case.user();
    case.answer("and");
    let cut: Vec<_> = case.cuts().into_iter().map(|(id, _)| id).collect();
    assert!(cut.contains(&copy), "{cut:?}");
    assert!(
        !cut.contains(&results[6]),
        "newer than the kept tokens: {cut:?}"
    );
    // A copy that is gone hides nothing from the policy.
    let evaluation = case.evaluate();
    case.record(&evaluation);
    let more: Vec<_> = (0..9).map(|_| case.shell(5_000)).collect();
    case.user();
    case.answer("so");
    case.user();
    case.answer("and");
    let cut: Vec<_> = case.cuts().into_iter().map(|(id, _)| id).collect();
    assert!(
        cut.contains(&more[0]) && cut.contains(&results[6]),
        "{cut:?}"
    );
}

#[test]
fn protect_recent_stops_at_a_summary() {
    let mut case = protect_recent();
    case.user();
    for _ in 0..9 {
        case.shell(10_000);
    }
    case.push(EntryBody::BranchSummary {
        from: None,
        summary: "elsewhere".into(),
    });
    case.user();
    case.user();
    case.user();
    assert_eq!(case.cuts(), []);
}

#[test]
fn recorded_decisions_give_the_same_bytes_under_other_settings() {
    let mut case = Case::new(40_000);
    case.user();
    case.shell(8_000);
    for _ in 0..25 {
        case.shell(900);
    }
    case.protected_end();
    let first = case.evaluate();
    case.record(&first);
    case.settings.prune.hard.placeholder = "[other]".into();
    case.settings.prune.soft.head_chars = 10;
    case.settings.prune.gate = GateKind::Off;
    let second = case.evaluate();
    let sent = |evaluation: &Evaluation| -> Vec<_> {
        let items = evaluation.view.items.iter();
        items.map(|item| (item.sent.clone(), item.tokens)).collect()
    };
    assert_eq!(sent(&first), sent(&second));
    assert_eq!(
        first.view.prune.tokens_saved,
        second.view.prune.tokens_saved
    );
}

#[test]
fn a_cut_of_a_cut_result_replays_as_it_was_decided() {
    let mut case = Case::new(20_000);
    case.user();
    let large = case.shell(15_000);
    case.protected_end();
    case.settings.prune.policy = PrunePolicy::Off;
    let guarded = case.evaluate();
    case.record(&guarded);
    case.settings.prune.policy = PrunePolicy::SoftHard;
    let pruned = case.evaluate();
    assert_eq!(cuts(&pruned), [(large.clone(), "soft")]);
    case.record(&pruned);
    let replayed = case.evaluate();
    let text = |evaluation: &Evaluation| {
        let mut items = evaluation.view.items.iter();
        let item = items.find(|item| item.entry.as_ref() == Some(&large));
        item.and_then(|item| item.sent.clone()).unwrap().text()
    };
    assert_eq!(text(&pruned), text(&replayed));
    assert!(text(&pruned).chars().count() < 3_200);
    assert_eq!(replayed.decisions, []);
}

#[test]
fn what_a_command_of_the_users_printed_is_cut_like_a_result_and_what_was_run_stays() {
    let mut case = Case::new(40_000);
    case.user();
    let run = case.run(8_000);
    let result = case.shell(8_000);
    case.protected_end();
    assert_eq!(case.cuts(), [(run.clone(), "soft"), (result, "soft")]);
    let settled = case.settle().view;
    let text = sent(&settled, &run);
    assert!(text.starts_with("I ran `make` (exit code 0):"), "{text}");
    assert!(text.chars().count() < 4_000);
    // The guard holds it to its share of the window, in the turn that it was run in.
    let mut case = Case::new(20_000);
    let run = case.run(27_000);
    assert_eq!(case.cuts(), [(run.clone(), "single")]);
    let view = case.settle().view;
    assert!(view.usage.tokens < 10_000, "{}", view.usage.tokens);
    case.restore(&run);
    case.settings.guard.enabled = false;
    assert!(
        case.evaluate().view.usage.tokens > 27_000,
        "it can be given back"
    );
}

#[test]
fn each_call_of_one_answer_is_judged_by_itself() {
    let mut case = Case::new(20_000);
    case.settings.prune.tools.deny = vec!["skill".into()];
    case.user();
    case.answer("First some words.");
    let batch = case.batch(&[3_000, 3_000]);
    let skill = case.call("skill", json!({}), 3_000, false);
    case.protected_end();
    let cut: Vec<_> = case.cuts().into_iter().map(|(id, _)| id).collect();
    assert_eq!(cut, batch);
    assert!(!cut.contains(&skill));
}

/// A call of a writing tool with content of so many characters; gives its answer's id.
fn wrote(case: &mut Case, path: &str, chars: usize, is_error: bool) -> EntryId {
    let content = format!("{path} {}", "line of a file\n".repeat(chars / 15));
    let arguments = json!({"path": path, "content": content});
    case.call_text("write", arguments, "Created.", is_error);
    let entries = case.transcript.entries();
    entries[entries.len() - 2].id.clone()
}

/// The arguments that are sent of an answer's first call.
fn arguments(view: &ContextView, answer: &EntryId) -> Value {
    match item(view, answer).sent.as_deref() {
        Some(Message::Assistant(answer)) => answer.tool_calls().next().unwrap().arguments.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn old_arguments_whose_effect_is_on_disk_are_left_out_and_the_rest_of_the_call_stays() {
    let mut case = Case::new(20_000);
    case.user();
    let old = wrote(&mut case, "src/a.rs", 20_000, false);
    let short = wrote(&mut case, "src/b.rs", 1_500, false);
    let failed = wrote(&mut case, "src/c.rs", 6_000, true);
    let command = "x".repeat(6_000);
    case.call_text("shell", json!({"command": command}), "done", false);
    let shell = case.transcript.entries()[case.transcript.len() - 2]
        .id
        .clone();
    let pinned = wrote(&mut case, "src/d.rs", 6_000, false);
    case.pin(&pinned);
    case.protected_end();
    let newest = wrote(&mut case, "src/e.rs", 6_000, false);
    let before = case.evaluate_with(ShrinkMode::default());
    assert_eq!(cuts(&before), [(old.clone(), "arguments")]);
    let view = case.settle().view;
    let sent = arguments(&view, &old);
    let fields: Vec<&str> = sent
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(fields, ["path", LEFT_OUT_FIELD]);
    assert_eq!(sent["path"], "src/a.rs");
    let note = sent[LEFT_OUT_FIELD].as_str().unwrap();
    assert!(
        note.contains("content") && note.contains(old.as_str()),
        "{note}"
    );
    let reason = item(&view, &old).reason.clone().unwrap();
    assert!(
        reason.contains("write src/a.rs") && reason.contains("from 30%"),
        "{reason}"
    );
    for kept in [short, failed, pinned, newest] {
        assert!(arguments(&view, &kept)["content"].is_string(), "{kept}");
    }
    assert_eq!(arguments(&view, &shell)["command"], command);
    // Given back, all of it is sent again.
    case.restore(&old);
    let whole = arguments(&case.settle().view, &old);
    assert!(whole["content"].as_str().unwrap().len() > 19_000);
    assert_eq!(whole.get(LEFT_OUT_FIELD), None);
}

#[test]
fn arguments_of_several_calls_of_one_answer_go_each_by_itself() {
    let mut case = Case::new(20_000);
    case.user();
    let long = "y".repeat(9_000);
    let call = |n: usize, arguments: Value| {
        AssistantPart::ToolCall(ToolCall {
            id: format!("c{n}"),
            name: "edit".into(),
            arguments,
            malformed: None,
        })
    };
    let calls = vec![
        call(
            0,
            json!({"path": "a", "edits": [{"old_text": "x", "new_text": long}]}),
        ),
        call(
            1,
            json!({"path": "b", "edits": [{"old_text": "x", "new_text": "z"}]}),
        ),
        call(
            2,
            json!({"path": "c", "edits": [{"old_text": long, "new_text": ""}], "note": 1}),
        ),
    ];
    let answer = case.answer_with(calls, StopReason::ToolUse, None);
    for n in 0..3 {
        case.push(EntryBody::Message(Arc::new(Message::ToolResult(
            ToolResult {
                call_id: format!("c{n}"),
                tool_name: "edit".into(),
                content: vec![Part::Text("Changed.".into())],
                is_error: false,
                details: None,
            },
        ))));
    }
    case.shell(3_000);
    case.protected_end();
    let view = case.settle().view;
    let Some(Message::Assistant(sent)) = item(&view, &answer).sent.as_deref() else {
        panic!("not an answer");
    };
    let kept: Vec<Vec<&str>> = sent
        .tool_calls()
        .map(|call| {
            let fields = call.arguments.as_object().unwrap().keys();
            fields.map(String::as_str).collect()
        })
        .collect();
    assert_eq!(
        kept,
        [
            vec!["path", LEFT_OUT_FIELD],
            vec!["path", "edits"],
            vec!["path", "note", LEFT_OUT_FIELD],
        ]
    );
}

#[test]
fn arguments_stay_when_that_is_set_and_where_the_server_checks_what_it_signed() {
    let mut case = Case::new(20_000);
    case.user();
    let long = json!({"path": "a", "content": "z".repeat(40_000)});
    let parts = |signature: Option<&str>| {
        vec![
            AssistantPart::Thinking {
                text: "so".into(),
                signature: signature.map(str::to_owned),
            },
            AssistantPart::ToolCall(ToolCall {
                id: "w".into(),
                name: "write".into(),
                arguments: long.clone(),
                malformed: None,
            }),
        ]
    };
    let answer = case.answer_with(parts(Some("sig")), StopReason::ToolUse, None);
    case.push(EntryBody::Message(Arc::new(Message::ToolResult(
        ToolResult {
            call_id: "w".into(),
            tool_name: "write".into(),
            content: vec![Part::Text("Created.".into())],
            is_error: false,
            details: None,
        },
    ))));
    case.protected_end();
    let cut = |case: &Case, change: &dyn Fn(&mut ReasoningFacts)| {
        let mut assembler =
            ViewAssembler::new(Arc::new(case.settings.clone()), Arc::new(Approximate));
        let mut around = case.around();
        change(Arc::make_mut(&mut around.model.reasoning));
        let mode = ShrinkMode::default();
        let evaluation = assembler.evaluate(&case.transcript, &around, NOW, mode);
        item(&evaluation.view, &answer).disposition
    };
    assert_eq!(cut(&case, &|_| {}), Disposition::Trimmed);
    assert_eq!(
        cut(&case, &|facts| facts.is_bound = true),
        Disposition::Sent
    );
    assert_eq!(
        cut(&case, &|facts| facts.signs_calls = true),
        Disposition::Sent
    );
    case.settings.prune.arguments = false;
    assert_eq!(cut(&case, &|_| {}), Disposition::Sent);
}

#[test]
fn a_closed_gate_says_what_left_out_arguments_would_free() {
    let mut case = Case::new(40_000);
    case.user();
    wrote(&mut case, "a", 60_000, false);
    case.protected_end();
    case.cache = PromptCache::Ttl;
    let warm = case.evaluate();
    assert_eq!(cuts(&warm), []);
    assert!(warm.view.prune.would_free > 14_000, "{:?}", warm.view.prune);
    case.cache = PromptCache::None;
    let freed = case.evaluate().view.prune.tokens_saved;
    assert!(
        freed.abs_diff(warm.view.prune.would_free) < freed / 10,
        "{freed}"
    );
}

#[test]
fn protect_recent_leaves_out_the_arguments_of_the_calls_that_it_clears() {
    let mut case = Case::new(200_000);
    case.settings.prune.policy = PrunePolicy::ProtectRecent;
    case.settings.prune.recent.tokens = 1_000;
    case.settings.prune.recent.minimum_tokens = 100;
    case.settings.prune.recent.turns = 1;
    case.user();
    let old = wrote(&mut case, "a", 9_000, false);
    case.shell(500);
    case.user();
    case.shell(1_500);
    let newest = wrote(&mut case, "b", 9_000, false);
    case.user();
    let view = case.evaluate().view;
    assert_eq!(item(&view, &old).disposition, Disposition::Trimmed);
    assert_eq!(item(&view, &newest).disposition, Disposition::Sent);
}

#[test]
fn schemas_of_found_tools_in_use_stay_and_the_others_go() {
    let found = |case: &mut Case, names: &[&str]| {
        let text = "y".repeat(6_000 * CHARS_PER_TOKEN);
        let query = json!({"query": names});
        case.call_detailed("find_tools", query, &text, json!({ "found": names }))
    };
    for policy in [PrunePolicy::SoftHard, PrunePolicy::ProtectRecent] {
        let mut case = Case::new(40_000);
        case.settings.prune.policy = policy;
        case.settings.prune.recent.tokens = 1_000;
        case.settings.prune.recent.minimum_tokens = 100;
        case.settings.prune.recent.turns = 1;
        case.user();
        let older = found(&mut case, &["a__x", "b__y"]);
        let used = found(&mut case, &["a__x"]);
        let unused = found(&mut case, &["c__z"]);
        case.call(
            "use_tool",
            json!({"name": "a__x", "arguments": {}}),
            1,
            false,
        );
        case.user();
        case.user();
        case.protected_end();
        let cut: Vec<EntryId> = case.cuts().into_iter().map(|(id, _)| id).collect();
        assert!(
            cut.contains(&older) && cut.contains(&unused),
            "{policy:?}: {cut:?}"
        );
        assert!(!cut.contains(&used), "{policy:?}: {cut:?}");
    }
}
