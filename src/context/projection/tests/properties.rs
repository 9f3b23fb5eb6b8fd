//! Properties of any log, however damaged.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::context::settings::{MediaAgeing, PrunePolicy, Threshold};
use crate::context::tail::{self, TailLimits};
use crate::context::view::ViewItem;
use crate::transcript::{
    CompactionDetails, Cut, CutForm, CutPhase, Decision, Measurement, PromptCache, TailExceptions,
    UserMessage,
};

/// Arbitrary logs: any order of anything, with ids from a small pool so that they collide.
fn any_body() -> impl Strategy<Value = EntryBody> {
    let call = prop::sample::select(vec!["x", "y", "z", "call|1", ""]);
    let calls = prop::collection::vec(call.clone(), 0..4);
    let stop = prop::sample::select(vec![
        StopReason::Stop,
        StopReason::ToolUse,
        StopReason::Aborted,
        StopReason::Error,
    ]);
    let usage = prop::option::of(0u64..100_000);
    let size = prop::sample::select(vec![0usize, 1, 10, 5_000, 40_000]);
    prop_oneof![
        3 => "[a-z ]{0,12}".prop_map(|text| user(&text)),
        4 => ("[a-z ]{0,6}", calls, stop, usage).prop_map(|(text, calls, stop, usage)| {
            let body = answer(&text, &calls, stop);
            match usage { Some(tokens) => with_usage(body, tokens, 7), None => body }
        }),
        6 => (call, size).prop_map(|(call, size)| result(call, &"word ".repeat(size / 5))),
        1 => prop::option::of(0usize..40).prop_map(|kept| compaction("a summary", kept)),
        1 => (0usize..40).prop_map(|n| decided(Decision::Pin { target: id(n) })),
        1 => (0usize..40).prop_map(|n| decided(Decision::Drop { target: id(n) })),
        1 => (0usize..40).prop_map(|n| decided(Decision::Restore { target: id(n) })),
        1 => (0usize..40).prop_map(|n| decided(Decision::Undo { target: id(n) })),
        1 => (0usize..40).prop_map(|n| EntryBody::ContextEdit { target: id(n), replacement: None }),
        1 => (1u64..9_000, 1u64..9_000, any::<bool>()).prop_map(|(estimate_tokens, actual_tokens, refused)| {
            EntryBody::Measurement(Measurement::Usage(crate::transcript::UsageSample {
                provider: "p".into(), model: "m".into(), ruler: "bytes4".into(),
                estimate_tokens, actual_tokens, refused,
            }))
        }),
        1 => (0usize..40, any::<bool>(), any::<bool>()).prop_map(|(n, is_clear, is_guard)| {
            cut_of(n, is_clear, is_guard)
        }),
        1 => (0usize..40, 0usize..40).prop_map(|(n, base)| difference_of(n, base)),
        1 => Just(EntryBody::Message(Arc::new(Message::User(UserMessage::default())))),
    ]
}

/// Counts that no request of 10,000 tokens can have, and any of a request that was not ours.
fn absurd() -> impl Strategy<Value = Option<Usage>> {
    let beyond = prop::sample::select(vec![0u64, 1, 40, 4_999, 50_001, 9_000_000, u64::MAX]);
    let usage = |expected: Option<u64>, input_tokens| Usage {
        input_tokens,
        output_tokens: 7,
        expected: expected.map(ExpectedTokens::text),
        ..Usage::default()
    };
    prop_oneof![
        beyond.prop_map(move |tokens| Some(usage(Some(10_000), tokens))),
        (0u64..100_000).prop_map(move |tokens| Some(usage(None, tokens))),
        Just(None),
    ]
}

/// The body with this usage, where it is an answer.
fn reporting(body: &EntryBody, usage: Option<Usage>) -> EntryBody {
    match body {
        EntryBody::Message(shared) => match shared.as_ref() {
            Message::Assistant(answer) => message(Message::Assistant(AssistantMessage {
                usage,
                ..answer.clone()
            })),
            _ => body.clone(),
        },
        _ => body.clone(),
    }
}

/// A recorded cut of one result.
fn cut_of(target: usize, is_clear: bool, is_guard: bool) -> EntryBody {
    let notice = "[cut]".to_owned();
    let form = if is_clear {
        CutForm::Clear {
            placeholder: notice,
        }
    } else {
        CutForm::Trim {
            head_chars: 300,
            tail_chars: 100,
            notice,
        }
    };
    let cuts = vec![Cut {
        target: id(target),
        form,
        phase: if is_guard {
            CutPhase::Single
        } else {
            CutPhase::Soft
        },
        reason: "a test".into(),
        tokens_before: 2,
        tokens_after: 1,
    }];
    decided(if is_guard {
        Decision::Guard { cuts }
    } else {
        Decision::Prune {
            policy: "soft-hard".into(),
            cuts,
            cache_given_up_tokens: 0,
            reasoning_lost: 0,
            by_person: false,
        }
    })
}

/// A recorded difference of one result to another.
fn difference_of(target: usize, base: usize) -> EntryBody {
    decided(Decision::Prune {
        policy: "soft-hard".into(),
        cuts: vec![Cut {
            target: id(target),
            form: CutForm::Difference {
                base: id(base),
                text: "[as before]".into(),
            },
            phase: CutPhase::SeenBefore,
            reason: "a test".into(),
            tokens_before: 2,
            tokens_after: 1,
        }],
        cache_given_up_tokens: 0,
        reasoning_lost: 0,
        by_person: false,
    })
}

/// A message with an attachment.
fn pictured() -> Message {
    let image = crate::transcript::Image {
        data: Arc::from("aGVsbG8="),
        mime: "image/png".into(),
        name: None,
    };
    Message::User(UserMessage {
        content: vec![Part::Text("look".into()), Part::Image(image)],
    })
}

/// Appends with an id that no generated overlay can name.
fn push(transcript: &mut Transcript, body: EntryBody) {
    let entry = Entry {
        id: id(1_000 + transcript.len()),
        parent: transcript.leaf().cloned(),
        timestamp: NOW,
        body,
    };
    transcript.push(Arc::new(entry)).unwrap();
}

fn digest(view: &ContextView) -> String {
    let items: Vec<String> = view
        .items
        .iter()
        .map(|item| {
            format!(
                "{:?} {:?} {} {} {:?} {:?} {}",
                item.entry,
                item.role,
                item.tokens,
                item.full.estimate_tokens,
                item.disposition,
                item.sent,
                item.turn
            )
        })
        .collect();
    let left: Vec<String> = view
        .left_out
        .iter()
        .map(|left| format!("{left:?}"))
        .collect();
    format!(
        "{items:#?} {left:?} {:?} {:?} {:?}",
        view.usage, view.prune, view.compaction
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn any_log_gives_a_valid_complete_view_however_it_is_reached(
        bodies in prop::collection::vec(any_body(), 1..40),
        parents in prop::collection::vec(0usize..3, 40),
    ) {
        let mut transcript = Transcript::new();
        let mut assembler =
            ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
        for (n, body) in bodies.into_iter().enumerate() {
            // Mostly a chain, sometimes a branch.
            let back = if parents[n] == 0 && n > 3 { 3 } else { 1 };
            transcript.push(entry(n, n.checked_sub(back), body)).unwrap();
            let step = assembler.evaluate(&transcript, &around(), NOW, ShrinkMode::default());
            check_valid(&step.view);
            check_complete(&step.view, &transcript);
        }
        let grown = assembler.evaluate(&transcript, &around(), NOW, ShrinkMode::default());
        prop_assert_eq!(digest(&grown.view), digest(&view_of(&transcript)));
    }

    #[test]
    fn all_numbers_of_a_view_agree_under_any_settings_and_surroundings(
        bodies in prop::collection::vec(any_body(), 1..60),
        window in prop::sample::select(vec![0u64, 8_000, 20_000, 60_000, 200_000]),
        policy in prop::sample::select(vec![PrunePolicy::Off, PrunePolicy::SoftHard, PrunePolicy::ProtectRecent]),
        (pending, live, tools_running) in any::<(bool, bool, bool)>(),
        (is_cached, prune_now, total) in any::<(bool, bool, bool)>(),
        threshold in prop::option::of(1_000u64..100_000),
    ) {
        let transcript = log(bodies);
        let mut settings = ContextSettings::default();
        settings.prune.policy = policy;
        settings.compaction.threshold = threshold.map(Threshold::Tokens);
        let mut request_context = around();
        request_context.model.window_tokens = Some(window).filter(|&tokens| tokens > 0);
        request_context.model.prompt_cache = if is_cached { PromptCache::Prefix } else { PromptCache::None };
        request_context.live = live.then(|| Arc::new(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text("so far ".repeat(40))],
            ..AssistantMessage::default()
        })));
        request_context.tools_running = tools_running;
        let pressure = ShrinkMode { prune_now, total, ..ShrinkMode::default() };
        let mut assembler = ViewAssembler::new(Arc::new(settings), Arc::new(Approximate));
        let decided = assembler.evaluate(&transcript, &request_context, NOW, pressure).view;
        let view = &if pending {
            assembler.with_draft(decided, &Arc::new(pictured()))
        } else {
            decided
        };
        check_complete(view, &transcript);
        for category in Category::ALL {
            let items = view.items.iter().filter(|item| item.category == category);
            prop_assert_eq!(items.map(|item| item.tokens).sum::<u64>(), view.usage.by_category.get(category));
        }
        prop_assert_eq!(view.usage.by_category.get(Category::Pending) > 0, pending);
        prop_assert!(!(view.usage.exact && (pending || live)), "nobody counted what is not sent");
        let is_pruned = |item: &&Arc<ViewItem>| {
            item.disposition.is_cut() && item.cut_by.as_ref().is_none_or(|by| by.policy != "guard")
        };
        let pruned: Vec<_> = view.items.iter().filter(is_pruned).collect();
        prop_assert_eq!(view.prune.trimmed + view.prune.cleared, pruned.len() as u64);
        let out = pruned.iter().map(|item| item.tokens_full(&view.ruler) - item.tokens);
        let saved = out.sum::<u64>();
        prop_assert!(view.prune.tokens_saved.abs_diff(saved) <= pruned.len() as u64);
        prop_assert!(view.prune.would_free <= view.usage.by_category.get(Category::ToolResults));
        prop_assert!(view.prune.would_give_up <= view.usage.tokens);
        prop_assert!(view.window.load_line_effective <= view.window.load_line);
        prop_assert!(view.window.tokens.is_none_or(|tokens| view.window.usable <= tokens));
        if view.usage.exact && view.window.tokens.is_some() {
            prop_assert_eq!(view.compaction.due, view.usage.tokens >= view.window.load_line);
        }
    }

    #[test]
    fn usage_that_cannot_be_right_or_is_another_programs_changes_nothing(
        bodies in prop::collection::vec((any_body(), absurd()), 1..50),
        window in prop::sample::select(vec![8_000u64, 20_000, 60_000]),
    ) {
        let mut request_context = around();
        request_context.model.window_tokens = Some(window);
        request_context.model.prompt_cache = PromptCache::None;
        let evaluate = |bodies: Vec<EntryBody>| {
            let mut fresh = ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
            fresh.evaluate(&log(bodies), &request_context, NOW, ShrinkMode::default())
        };
        let said = |is_said: bool| {
            let reported = bodies.iter().map(|(body, usage)| reporting(body, usage.filter(|_| is_said)));
            reported.collect()
        };
        let (with, without) = (evaluate(said(true)), evaluate(said(false)));
        prop_assert_eq!(with.decisions, without.decisions);
        let numbers = |view: &ContextView| -> Vec<_> {
            let items = view.items.iter();
            items.map(|item| (item.entry.clone(), item.tokens, item.disposition)).collect()
        };
        prop_assert_eq!(numbers(&with.view), numbers(&without.view));
        prop_assert_eq!(with.view.usage, without.view.usage);
        prop_assert_eq!(with.view.compaction, without.view.compaction);
    }

    #[test]
    fn restoring_a_cut_item_adds_what_the_view_says_it_would(
        bodies in prop::collection::vec(any_body(), 1..40),
        cuts in prop::collection::vec((0usize..40, any::<bool>(), any::<bool>()), 1..12),
        late in prop::collection::vec(any_body(), 0..12),
    ) {
        let cuts = cuts.into_iter().map(|(n, is_clear, is_guard)| cut_of(n, is_clear, is_guard));
        let mut transcript = log(bodies.into_iter().chain(cuts).chain(late).collect());
        // Nothing else may change, so nothing is decided again; and what providers counted
        // is stale once anything is restored, so it has to be before as well.
        let mut settings = ContextSettings::default();
        settings.guard.enabled = false;
        settings.prune.policy = PrunePolicy::Off;
        settings.media.ageing = MediaAgeing::Off;
        let view_of = |transcript: &Transcript| {
            let mut fresh = ViewAssembler::new(Arc::new(settings.clone()), Arc::new(Approximate));
            fresh.evaluate(transcript, &around(), NOW, ShrinkMode::default()).view
        };
        let counted = view_of(&transcript);
        push(&mut transcript, decided(Decision::Restore { target: id(9_000) }));
        let before = view_of(&transcript);
        for (cut, as_counted) in before.items.iter().zip(&counted.items) {
            prop_assert_eq!(&cut.entry, &as_counted.entry);
            let out = cut.tokens_full(&before.ruler) - cut.tokens;
            prop_assert_eq!(as_counted.tokens_full(&counted.ruler) - as_counted.tokens, out);
        }
        let cut_entries = before.items.iter().filter(|item| item.disposition.is_cut());
        for target in cut_entries.filter_map(|item| item.entry.clone()) {
            let mut restored = transcript.clone();
            push(&mut restored, decided(Decision::Restore { target: target.clone() }));
            let after = view_of(&restored);
            // An id that is used twice ties a summarised call to a result of today: the
            // restore then brings the call along, and there is nothing to compare.
            let entries = |view: &ContextView| -> Vec<_> {
                view.items.iter().map(|item| item.entry.clone()).collect()
            };
            if entries(&before) != entries(&after) {
                continue;
            }
            let (mut added, mut changed) = (0, 0);
            let signed = u64::cast_signed;
            for (old, new) in before.items.iter().zip(&after.items) {
                // What the user dropped elsewhere stays dropped.
                if old.tokens == new.tokens && old.entry.as_ref() != Some(&target) {
                    continue;
                }
                let mut full = old.tokens_full(&before.ruler);
                if old.full.estimate_tokens >= old.estimate_tokens {
                    prop_assert!(full.abs_diff(new.tokens) <= 1, "{full} {}", new.tokens);
                } else {
                    // Made-up cuts may make a thing longer; decided ones do not.
                    full = new.tokens;
                }
                if old.tokens != new.tokens {
                    added += signed(full) - signed(old.tokens);
                    changed += 1;
                }
            }
            let really = signed(after.usage.tokens) - signed(before.usage.tokens);
            prop_assert!(really.abs_diff(added) <= changed, "{target}: {really} for {added}");
        }
    }

    #[test]
    fn recording_the_decisions_gives_the_same_view(
        bodies in prop::collection::vec(any_body(), 1..60),
    ) {
        let mut transcript = log(bodies);
        let mut request_context = around();
        request_context.model.window_tokens = Some(20_000);
        let mut assembler =
            ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
        let first = assembler.evaluate(&transcript, &request_context, NOW, ShrinkMode::default());
        for decision in first.decisions.clone() {
            push(&mut transcript, decided(decision));
        }
        let second = assembler.evaluate(&transcript, &request_context, NOW, ShrinkMode::default());
        let sent = |view: &ContextView| -> Vec<_> {
            view.items.iter().map(|item| (item.entry.clone(), item.sent.clone())).collect()
        };
        prop_assert_eq!(sent(&first.view), sent(&second.view));
        prop_assert_eq!(first.view.usage.tokens, second.view.usage.tokens);
        prop_assert!(second.decisions.is_empty(), "{:?}", second.decisions);
    }

    #[test]
    fn what_a_compaction_does_not_keep_is_in_its_summary(
        bodies in prop::collection::vec(any_body(), 1..50),
        turns in 0u32..4,
        budget_tokens in prop::sample::select(vec![0u64, 30, 2_000, 20_000]),
        few_asks in any::<bool>(),
        holds_back in any::<bool>(),
    ) {
        let mut transcript = log(bodies);
        let mut assembler =
            ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
        let before = assembler.evaluate(&transcript, &around(), NOW, ShrinkMode::default()).view;
        let newest = transcript.branch().into_iter().rev().find(|e| e.body.speaks_to_model());
        let held = newest.filter(|e| holds_back && e.is_typed_by_user()).map(|e| e.id.clone());
        let limits = TailLimits { turns, budget_tokens, few_asks, is_before_message: false };
        let plan = tail::select(&before, limits, held.as_ref());
        if plan.is_empty() {
            return Ok(());
        }
        let append = |transcript: &mut Transcript, body: EntryBody| {
            let entry = Entry {
                id: id(1_000 + transcript.len()),
                parent: transcript.leaf().cloned(),
                timestamp: NOW,
                body,
            };
            let id = entry.id.clone();
            transcript.push(Arc::new(entry)).unwrap();
            id
        };
        append(&mut transcript, EntryBody::Compaction(Box::new(Compaction {
            summary: "new".into(),
            first_kept: plan.first_kept.clone(),
            details: CompactionDetails {
                exceptions: TailExceptions { kept_asks: plan.kept_asks.clone(), cut_entry: None },
                ..CompactionDetails::default()
            },
            ..Compaction::default()
        })));
        if let Some(original) = held.clone() {
            let replay = append(&mut transcript, user("again"));
            append(&mut transcript, decided(Decision::Replay { original, replay, stripped: false }));
        }
        let after = assembler.evaluate(&transcript, &around(), NOW, ShrinkMode::default()).view;
        check_valid(&after);
        check_complete(&after, &transcript);
        let summarized: BTreeSet<_> = plan.history.iter().chain(&plan.turn_prefix).collect();
        let sent: BTreeSet<_> = after.items.iter().filter_map(|item| item.entry.as_ref()).collect();
        for item in &before.items {
            let Some(entry) = &item.entry else { continue };
            let is_summary = item.category == Category::Summary;
            // A result after a later user message can find another call of its id there.
            let is_strayed = item.role == Role::Tool && sent.contains(entry);
            let is_left = is_summary || held.as_ref() == Some(entry)
                || item.disposition == Disposition::Dropped;
            prop_assert!(
                is_left || summarized.contains(entry) != sent.contains(entry) || is_strayed,
                "{entry}: summarised {}, sent {}\nplan {plan:?}\nbefore {}\nafter {}",
                summarized.contains(entry), sent.contains(entry), shape(&before), shape(&after)
            );
        }
    }
}
