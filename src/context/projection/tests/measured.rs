//! What providers counted: when it is believed, whose share it is, and when it is stale.

use super::*;
use crate::transcript::{Cut, CutForm, CutPhase, Decision, Measurement};

fn counted(text: &str, prompt_tokens: u64) -> EntryBody {
    with_usage(answer(text, &[], StopReason::Stop), prompt_tokens, 5)
}

fn tokens_of(view: &ContextView, n: usize) -> u64 {
    let mut items = view.items.iter();
    let item = items.find(|item| item.entry == Some(id(n)));
    item.map_or(0, |item| item.tokens)
}

#[test]
fn reported_usage_makes_the_numbers_exact_until_something_is_added() {
    let mut transcript = log(vec![
        user("a question of some length"),
        with_usage(answer("an answer", &[], StopReason::Stop), 31_000, 5),
    ]);
    let view = view_of(&transcript);
    assert!(view.usage.exact);
    assert_eq!(view.usage.tokens, 31_005);
    transcript.push(entry(2, Some(1), user("more"))).unwrap();
    let view = view_of(&transcript);
    assert!(!view.usage.exact);
    assert!(view.usage.tokens > 31_005);
    check_complete(&view, &transcript);
}

#[test]
fn what_a_compaction_keeps_has_the_number_that_it_had() {
    let mut transcript = log(vec![
        user(&"the first question ".repeat(40)),
        counted("an answer", 900),
        user(&"the second question ".repeat(40)),
        counted("another answer", 1_400),
    ]);
    let before = view_of(&transcript);
    let body = compaction("sum", Some(2));
    transcript.push(entry(4, Some(3), body)).unwrap();
    let after = view_of(&transcript);
    for kept in [2, 3] {
        assert_eq!(tokens_of(&before, kept), tokens_of(&after, kept), "{kept}");
    }
    assert_eq!(
        before.items.get(0).unwrap().tokens,
        after.items.get(0).unwrap().tokens,
        "the system"
    );
    assert!(!after.usage.exact && after.usage.tokens < before.usage.tokens);
    check_complete(&after, &transcript);
}

#[test]
fn usage_of_another_model_or_of_zero_is_no_usage() {
    let transcript = log(vec![
        user("a"),
        with_usage(answer("b", &[], StopReason::Stop), 0, 0),
        user("c"),
    ]);
    assert!(!view_of(&transcript).usage.exact);
    let transcript = log(vec![
        user("a"),
        with_usage(answer("b", &[], StopReason::Stop), 90_000, 5),
    ]);
    let mut assembler =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let mut request_context = around();
    request_context.model.model = ModelRef::new("p", "other");
    let view = assembler
        .evaluate(&transcript, &request_context, NOW, ShrinkMode::default())
        .view;
    assert!(view.usage.tokens < 1_000);
}

#[test]
fn the_next_measurement_leaves_older_items_what_they_were() {
    let mut transcript = log(vec![user("a question"), counted("an answer", 31_000)]);
    let before = view_of(&transcript);
    for (n, body) in [user("more"), counted("well", 31_400)]
        .into_iter()
        .enumerate()
    {
        transcript.push(entry(n + 2, Some(n + 1), body)).unwrap();
    }
    let after = view_of(&transcript);
    assert!(after.usage.exact);
    assert_eq!(after.usage.tokens, 31_405);
    assert_eq!(tokens_of(&before, 0), tokens_of(&after, 0));
    assert_eq!(
        tokens_of(&after, 1),
        5,
        "the answer as its provider counted it"
    );
    assert_eq!(tokens_of(&after, 2), 31_400 - 31_005);
}

#[test]
fn a_measurement_that_surprises_is_shared_out_anew() {
    let check = |second: u64| {
        let transcript = log(vec![
            user("a question"),
            counted("an answer", 31_000),
            user("more"),
            counted("well", second),
        ]);
        let view = view_of(&transcript);
        assert_eq!(view.usage.tokens, second + 5);
        assert!(view.usage.exact);
        check_complete(&view, &transcript);
    };
    check(20_000);
    check(90_000);
}

#[test]
fn a_number_beyond_belief_is_not_believed() {
    for tokens in [1_000_000_001, u64::MAX / 2, u64::MAX] {
        let transcript = log(vec![user("a"), counted("b", tokens), user("c")]);
        let view = view_of(&transcript);
        assert!(view.usage.tokens < 1_000 && !view.usage.exact, "{tokens}");
        let output = with_usage(answer("b", &[], StopReason::Stop), 100, tokens);
        let view = view_of(&log(vec![user("a"), output]));
        assert!(view.usage.tokens < 1_000, "{tokens}");
    }
}

fn cut_of(target: usize) -> EntryBody {
    let cut = Cut {
        target: id(target),
        form: CutForm::Clear {
            placeholder: "[gone]".into(),
        },
        phase: CutPhase::Hard,
        reason: "a test".into(),
        tokens_before: 1_000,
        tokens_after: 5,
    };
    decided(Decision::Guard { cuts: vec![cut] })
}

#[test]
fn a_cut_changes_one_number_by_its_own_factor_and_no_other() {
    let mut transcript = log(vec![
        user("a question"),
        answer("", &["x"], StopReason::ToolUse),
        result("x", &"word ".repeat(800)),
        counted("b", 3_000),
        user("c"),
    ]);
    let before = view_of(&transcript);
    transcript.push(entry(5, Some(4), cut_of(2))).unwrap();
    let after = view_of(&transcript);
    for untouched in [0, 1, 3, 4] {
        let (was, is) = (tokens_of(&before, untouched), tokens_of(&after, untouched));
        assert_eq!(was, is, "{untouched}");
    }
    let item = |view: &ContextView| view.items.get(7).cloned().unwrap();
    let (whole, cut) = (item(&before), item(&after));
    let factor = whole.tokens as f64 / whole.estimate_tokens as f64;
    assert!((cut.tokens as f64 - cut.estimate_tokens as f64 * factor).abs() <= 1.0);
    assert!(factor > 2.0 && !after.usage.exact);
    check_complete(&after, &transcript);
}

/// The total stays what the provider says, also when the guess at what a change took out was
/// wrong.
#[test]
fn the_next_count_after_a_change_is_the_total_whatever_was_expected() {
    let check = |counted_after: u64, is_as_expected: bool| {
        let mut transcript = log(vec![
            user(&"a question ".repeat(50)),
            counted("an answer", 1_000),
            user(&"something else ".repeat(50)),
            counted("well", 1_600),
            decided(Decision::Drop { target: id(2) }),
        ]);
        let before = view_of(&transcript);
        for (at, body) in [(5, user("more")), (6, counted("done", counted_after))] {
            transcript.push(entry(at, Some(at - 1), body)).unwrap();
        }
        let after = view_of(&transcript);
        assert_eq!(after.usage.tokens, counted_after + 5);
        assert!(after.usage.exact);
        let is_same = tokens_of(&before, 0) == tokens_of(&after, 0);
        assert_eq!(is_same, is_as_expected, "{counted_after}");
        check_complete(&after, &transcript);
    };
    check(1_060, true);
    check(900, false);
    check(40_000, false);
}

/// Also after a restart: what is shown follows from the log.
#[test]
fn an_entry_that_nothing_touches_keeps_its_number_through_every_change() {
    let changes = [
        decided(Decision::Drop { target: id(2) }),
        decided(Decision::Pin { target: id(4) }),
        decided(Decision::Restore { target: id(2) }),
        decided(Decision::Undo { target: id(8) }),
        decided(Decision::Drop { target: id(9) }),
        cut_of(6),
    ];
    let mut transcript = log(vec![
        user(&"a question ".repeat(20)),
        counted("an answer", 1_000),
        user(&"something else ".repeat(30)),
        counted("well", 1_500),
        user("look"),
        answer("", &["x"], StopReason::ToolUse),
        result("x", &"word ".repeat(300)),
        counted("seen", 3_000),
    ]);
    let first = view_of(&transcript);
    let restored = tokens_of(&first, 2);
    let mut running =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let mut at = 8;
    for change in changes {
        for body in [change, user("and?")] {
            transcript.push(entry(at, Some(at - 1), body)).unwrap();
            at += 1;
        }
        let prompt = view_of(&transcript).usage.tokens + 3;
        transcript
            .push(entry(at, Some(at - 1), counted("so", prompt)))
            .unwrap();
        at += 1;
        let view = running
            .evaluate(&transcript, &around(), NOW, ShrinkMode::default())
            .view;
        let restarted = view_of(&transcript);
        for (one, other) in view.items.iter().zip(restarted.items.iter()) {
            assert_eq!(one.tokens, other.tokens, "{at}: {:?}", one.entry);
        }
        for kept in [0, 1, 3, 4, 7] {
            let (was, is) = (tokens_of(&first, kept), tokens_of(&view, kept));
            assert_eq!(was, is, "{at}: {kept}");
        }
        assert_eq!(view.usage.tokens, prompt + 5);
    }
    let last = view_of(&transcript);
    assert_eq!(restored, tokens_of(&last, 2), "given back as it was");
}

#[test]
fn after_many_changes_a_restart_still_counts_as_the_run_did() {
    let mut transcript = log(vec![user("a question"), counted("an answer", 1_000)]);
    let mut running =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    for round in 0..40 {
        let at = transcript.entries().len();
        let bodies = [
            user(&"more ".repeat(round + 1)),
            counted("well", 1_100 + round as u64 * 37),
            decided(Decision::Drop { target: id(at) }),
        ];
        for (offset, body) in bodies.into_iter().enumerate() {
            let at = at + offset;
            transcript.push(entry(at, Some(at - 1), body)).unwrap();
            let view = running
                .evaluate(&transcript, &around(), NOW, ShrinkMode::default())
                .view;
            let restarted = view_of(&transcript);
            assert_eq!(view.usage, restarted.usage, "{at}");
            let tokens = |view: &ContextView| view.items.iter().map(|it| it.tokens).collect();
            let (one, other): (Vec<u64>, Vec<u64>) = (tokens(&view), tokens(&restarted));
            assert_eq!(one, other, "{at}");
        }
    }
}

#[test]
fn an_edit_that_adds_text_took_nothing_out() {
    let transcript = log(vec![
        user("a"),
        EntryBody::ContextEdit {
            target: id(0),
            replacement: Some(vec![Part::Text("word ".repeat(100))]),
        },
    ]);
    let view = view_of(&transcript);
    let item = view.items.get(5).unwrap();
    assert_eq!((item.tokens, item.tokens_full(&view.ruler)), (129, 129));
}

#[test]
fn a_result_that_arrives_after_its_answer_was_pinned_is_pinned_with_it() {
    let mut transcript = log(vec![
        user("a"),
        answer("", &["x"], StopReason::ToolUse),
        decided(Decision::Pin { target: id(1) }),
    ]);
    let mut assembler =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    assembler.evaluate(&transcript, &around(), NOW, ShrinkMode::default());
    transcript
        .push(entry(3, Some(2), result("x", "late")))
        .unwrap();
    let grown = assembler.evaluate(&transcript, &around(), NOW, ShrinkMode::default());
    for view in [&grown.view, &view_of(&transcript)] {
        let pinned: Vec<_> = view.items.iter().filter(|item| item.is_pinned()).collect();
        assert_eq!(pinned.len(), 2);
        assert_eq!(pinned[1].entry, Some(id(3)));
    }
}

#[test]
fn cut_and_stripped_gives_the_same_in_either_order() {
    let image = Part::Image(crate::transcript::Image {
        data: Arc::from("aGVsbG8="),
        mime: "image/png".into(),
        name: None,
    });
    let pictured = Message::ToolResult(ToolResult {
        call_id: "x".into(),
        tool_name: "read".into(),
        content: vec![Part::Text("line\n".repeat(400)), image],
        is_error: false,
        details: None,
    });
    let cut = decided(Decision::Guard {
        cuts: vec![Cut {
            target: id(2),
            form: CutForm::Trim {
                head_chars: 100,
                tail_chars: 0,
                notice: "[cut]".into(),
            },
            phase: CutPhase::Single,
            reason: "a test".into(),
            tokens_before: 1_000,
            tokens_after: 50,
        }],
    });
    let strip = decided(Decision::Media {
        targets: vec![id(2)],
        reason: "old".into(),
    });
    let sent = |first: &EntryBody, second: &EntryBody| {
        let view = view_of(&log(vec![
            user("a"),
            answer("", &["x"], StopReason::ToolUse),
            message(pictured.clone()),
            first.clone(),
            second.clone(),
        ]));
        view.items.get(7).unwrap().sent.clone().unwrap()
    };
    let message = sent(&cut, &strip);
    assert_eq!(message, sent(&strip, &cut));
    assert_eq!(message.images().count(), 0);
    assert!(
        message.text().contains("[Attached image/png]"),
        "{}",
        message.text()
    );
    assert!(message.text().contains("[cut]"));
}

fn sample(estimate_tokens: u64, actual_tokens: u64, refused: bool) -> EntryBody {
    EntryBody::Measurement(Measurement::Usage(crate::transcript::UsageSample {
        provider: "p".into(),
        model: "m".into(),
        ruler: "bytes4".into(),
        estimate_tokens,
        actual_tokens,
        refused,
    }))
}

#[test]
fn the_count_in_a_refusal_takes_the_place_of_the_estimate() {
    let mut bodies = vec![
        user("a question of some length"),
        answer("", &["x"], StopReason::ToolUse),
        result("x", &"word ".repeat(800)),
        sample(1_000, 2_500, true),
    ];
    let transcript = log(bodies.clone());
    let view = view_of(&transcript);
    assert_eq!(view.usage.tokens, 2_500);
    assert!(view.usage.exact);
    assert_eq!(view.ruler.samples, 1);
    check_complete(&view, &transcript);
    bodies.push(user("more"));
    let view = view_of(&log(bodies.clone()));
    assert!(view.usage.tokens > 2_500 && !view.usage.exact);
    // What was taken out since makes the number stale; what it taught stays.
    bodies.push(decided(Decision::Drop { target: id(2) }));
    let view = view_of(&log(bodies));
    assert!(view.usage.tokens < 500, "{}", view.usage.tokens);
    assert_eq!(view.ruler.samples, 1);
}

#[test]
fn a_sample_of_an_answer_measures_nothing_by_itself() {
    let view = view_of(&log(vec![user("a question"), sample(1_000, 2_500, false)]));
    assert!(view.usage.tokens < 100 && !view.usage.exact);
}

#[test]
fn a_refusal_while_a_call_is_open_does_not_part_it_from_its_result() {
    let transcript = log(vec![
        user("a"),
        answer("", &["x", "y"], StopReason::ToolUse),
        result("x", "one"),
        sample(1_000, 2_500, true),
        result("y", "two"),
    ]);
    let view = view_of(&transcript);
    assert_eq!(view.repair.dropped_orphans + view.repair.added, 0);
    check_complete(&view, &transcript);
}

#[test]
fn what_the_cache_served_is_part_of_the_prompt() {
    let usage = Usage {
        input_tokens: 1_000,
        cache_read_tokens: 28_000,
        cache_write_tokens: 2_000,
        output_tokens: 5,
        expected: Some(ExpectedTokens::text(25_000)),
        ..Usage::default()
    };
    let mut said = answer("an answer", &[], StopReason::Stop);
    if let EntryBody::Message(shared) = &mut said
        && let Message::Assistant(answer) = Arc::make_mut(shared)
    {
        answer.usage = Some(usage);
    }
    let view = view_of(&log(vec![user("a question"), said]));
    assert_eq!((view.usage.tokens, view.usage.exact), (31_005, true));
}

#[test]
fn what_a_server_left_out_was_in_the_prompt_and_an_unknown_cut_measures_nothing() {
    let with_cut = |cut: Option<u64>| {
        let usage = Usage {
            input_tokens: 60,
            output_tokens: 9,
            reasoning_tokens: 5,
            server_cut_tokens: cut,
            expected: Some(ExpectedTokens::text(50)),
            ..Usage::default()
        };
        let EntryBody::Message(shared) = answer("b", &[], StopReason::Stop) else {
            panic!("not a message")
        };
        let Message::Assistant(mut said) = Message::clone(&shared) else {
            panic!("not an answer")
        };
        said.usage = Some(usage);
        let view = view_of(&log(vec![user("a"), message(Message::Assistant(said))]));
        (view.usage.exact, view.usage.tokens)
    };
    // Reasoning is generated and not sent back: 4 of the 9 tokens of the answer remain.
    assert_eq!(with_cut(None), (true, 64));
    assert_eq!(with_cut(Some(40)), (true, 104));
    assert!(!with_cut(Some(0)).0);
}

#[test]
fn another_branch_is_counted_by_its_own_answers() {
    let mut transcript = log(vec![
        user("a"),
        counted("b", 40_000),
        user("c"),
        counted("d", 90_000),
    ]);
    let mut assembler =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let mut tokens = |transcript: &Transcript| {
        let evaluation = assembler.evaluate(transcript, &around(), NOW, ShrinkMode::default());
        evaluation.view.usage.tokens
    };
    assert_eq!(tokens(&transcript), 90_005);
    assert!(transcript.set_leaf(Some(id(1))));
    assert_eq!(tokens(&transcript), 40_005);
    assert!(transcript.set_leaf(Some(id(0))));
    assert!(tokens(&transcript) < 100, "nothing there was counted");
    assert!(transcript.set_leaf(Some(id(3))));
    assert_eq!(tokens(&transcript), 90_005);
}

#[test]
fn after_a_switch_of_the_model_and_back_the_old_counts_hold_again() {
    let transcript = log(vec![user("a"), counted("b", 40_000)]);
    let mut assembler =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let mut tokens = |model: &str| {
        let mut request_context = around();
        request_context.model.model = ModelRef::new("p", model);
        let evaluation =
            assembler.evaluate(&transcript, &request_context, NOW, ShrinkMode::default());
        evaluation.view.usage.tokens
    };
    assert_eq!(tokens("m"), 40_005);
    assert!(tokens("other") < 100);
    assert_eq!(tokens("m"), 40_005);
}

#[test]
fn what_is_known_of_a_models_tokens_counts_until_its_provider_has_counted() {
    let around_with = |token_factor: f64| {
        let mut request_context = around();
        request_context.model.token_factor = token_factor;
        request_context
    };
    let mut assembler =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let mut tokens = |transcript: &Transcript, token_factor: f64| {
        let request_context = around_with(token_factor);
        let evaluation =
            assembler.evaluate(transcript, &request_context, NOW, ShrinkMode::default());
        let view = evaluation.view;
        (view.usage.tokens, view.ruler.calibration)
    };
    let text = "a question of some length. ".repeat(100);
    let asked = log(vec![user(&text)]);
    let (plain, _) = tokens(&asked, 1.0);
    let (more, factor) = tokens(&asked, 1.5);
    assert!((factor - 1.5).abs() < f64::EPSILON, "{factor}");
    assert!(more.abs_diff(plain * 3 / 2) <= 3, "{more} for {plain}");
    let answered = log(vec![
        user(&text),
        with_usage(answer("b", &[], StopReason::Stop), plain * 2, 5),
    ]);
    assert_eq!(tokens(&answered, 1.0).0, tokens(&answered, 1.5).0);
}
