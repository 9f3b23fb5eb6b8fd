//! Reads as differences: the texts, when they are made, and that a model can always rebuild
//! what was read.

use std::fmt::Write as _;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use super::text::{ShownLines, difference};
use crate::context::fixture::{Case, NOW, item, sent};
use crate::context::projection::item::is_difference;
use crate::context::recall::RECALL_TOOL;
use crate::context::ruler::Approximate;
use crate::context::settings::{GateKind, PrunePolicy};
use crate::context::{ContextView, Disposition, Evaluation, ShrinkMode, ViewAssembler, ViewItem};
use crate::transcript::{
    Compaction, Cut, CutForm, CutPhase, Decision, EntryBody, EntryId, Message, ToolSchema,
};

/// A file of numbered lines.
fn file(count: usize) -> Vec<String> {
    (1..=count)
        .map(|n| format!("    let total_{n} = rows.iter().map(Row::len).sum::<usize>();"))
        .collect()
}

/// The result of a read of some lines, as the tool writes it.
fn page(lines: &[String], from: usize, count: usize) -> (String, usize) {
    let shown = &lines[from - 1..(from - 1 + count).min(lines.len())];
    let last = from - 1 + shown.len();
    let mut text = shown.join("\n");
    if from > 1 || last < lines.len() {
        let _ = write!(text, "\n\n[lines {from}–{last} of {}]", lines.len());
    } else {
        text.push('\n');
    }
    (text, shown.len())
}

fn read(case: &mut Case, lines: &[String], from: usize, count: usize) -> EntryId {
    let (text, shown) = page(lines, from, count);
    let arguments = json!({"path": "src/a.rs", "offset": from, "limit": count});
    let details = json!({"path": "src/a.rs", "lines": shown, "total": lines.len()});
    case.call_detailed("read", arguments, &text, details)
}

fn case() -> Case {
    let mut case = Case::new(200_000);
    case.settings.prune.difference_reads = true;
    case.user();
    case
}

/// Records what is decided, and gives the view.
fn settled(case: &mut Case) -> ContextView {
    case.settle().view
}

/// What a model makes of a difference: the lines of the base with the changes, then the rest.
fn rebuilt(base: &str, base_from: usize, text: &str) -> String {
    let base: Vec<&str> = base.split('\n').collect();
    let at = |number: usize| base[number - base_from];
    let (head, mut rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let numbers = |words: &str| -> (usize, usize) {
        let (from, to) = words.split_once('–').unwrap();
        (from.parse().unwrap(), to.parse().unwrap())
    };
    let (_, said) = head.split_once(", lines ").unwrap();
    let (new, said) = said.split_once(": as lines ").unwrap();
    let (old, _) = said.split_once(" of your latest read").unwrap();
    let ((new_from, new_to), (mut next, old_to)) = (numbers(new), numbers(old));
    let mut out: Vec<&str> = Vec::new();
    while let Some(hunk) = rest.strip_prefix("\n@@ -") {
        let (counts, body) = hunk.split_once(" @@").unwrap();
        let (old, new) = counts.split_once(" +").unwrap();
        let range = |words: &str| -> (usize, usize) {
            let (from, count) = words.split_once(',').unwrap();
            (from.parse().unwrap(), count.parse().unwrap())
        };
        let ((old_at, old_count), (new_at, new_count)) = (range(old), range(new));
        while next < old_at {
            out.push(at(next));
            next += 1;
        }
        assert_eq!(new_from + out.len(), new_at, "{text}");
        let (mut taken, mut made) = (0, 0);
        rest = body;
        while taken < old_count || made < new_count {
            let line = rest.strip_prefix('\n').unwrap();
            let end = line.find('\n').unwrap_or(line.len());
            let (line, after) = line.split_at(end);
            let (sign, words) = line.split_at(1);
            if sign != "+" {
                assert_eq!(at(next), words, "{text}");
                next += 1;
                taken += 1;
            }
            if sign != "-" {
                out.push(words);
                made += 1;
            }
            rest = after;
        }
    }
    while next <= old_to {
        out.push(at(next));
        next += 1;
    }
    assert_eq!(new_from + out.len(), new_to + 1, "{text}");
    out.join("\n") + rest
}

#[test]
fn a_read_of_what_is_in_the_window_is_sent_as_the_difference() {
    let mut case = case();
    let mut lines = file(100);
    let base = read(&mut case, &lines, 1, 2_000);
    "    let total_50 = 0;".clone_into(&mut lines[49]);
    lines.insert(70, "    // A new line.".to_owned());
    let again = read(&mut case, &lines, 1, 2_000);
    let view = settled(&mut case);
    assert!(is_difference(item(&view, &again)));
    let expected = "[src/a.rs, lines 1–101: as lines 1–100 of your latest read above that shows \
        lines 1–100 in full, with these changes]\n@@ -47,7 +47,7 @@\n";
    let text = sent(&view, &again);
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("@@ -68,6 +68,7 @@\n"), "{text}");
    let (whole, _) = page(&lines, 1, 2_000);
    assert_eq!(rebuilt(&sent(&view, &base), 1, &text), whole);
    let shown = item(&view, &again);
    assert!(shown.estimate_tokens * 2 <= shown.full.estimate_tokens);
    assert_eq!(shown.cut_by.as_ref().unwrap().phase, "seen-before");
    assert!(shown.reason.as_ref().unwrap().contains("were read before"));
    assert_eq!(item(&view, &base).disposition, Disposition::Sent);
    assert_eq!((view.prune.trimmed, view.prune.cache_given_up), (1, 0));
}

#[test]
fn a_part_of_what_was_read_is_unchanged_lines_and_the_notice() {
    let mut case = case();
    let lines = file(100);
    read(&mut case, &lines, 1, 2_000);
    let again = read(&mut case, &lines, 30, 40);
    let view = settled(&mut case);
    assert_eq!(
        sent(&view, &again),
        "[src/a.rs, lines 30–69: as lines 30–69 of your latest read above that shows lines \
         1–100 in full, unchanged]\n\n[lines 30–69 of 100]"
    );
}

/// With the tool to recall, both reads are named by their addresses.
#[test]
fn addresses_lead_to_both_reads() {
    let mut case = case();
    let lines = file(100);
    read(&mut case, &lines, 1, 2_000);
    let again = read(&mut case, &lines, 1, 2_000);
    let evaluation = Runner::new(&case, true).evaluate(&case, ShrinkMode::default());
    let text = sent(&evaluation.view, &again);
    let end = "shows lines 1–100 in full (r3), unchanged · recall r5]\n";
    assert!(text.ends_with(end), "{text}");
}

/// The decision is made with the fresh result and stays, whatever the settings say later.
#[test]
fn a_difference_stays_and_only_fresh_results_become_one() {
    let mut case = case();
    case.settings.prune.difference_reads = false;
    let lines = file(100);
    read(&mut case, &lines, 1, 2_000);
    let old = read(&mut case, &lines, 1, 2_000);
    case.answer("I have seen it.");
    case.settings.prune.difference_reads = true;
    let view = settled(&mut case);
    assert_eq!(
        item(&view, &old).disposition,
        Disposition::Sent,
        "sent before"
    );
    case.user();
    let again = read(&mut case, &lines, 1, 2_000);
    let text = sent(&settled(&mut case), &again);
    assert!(text.starts_with("[src/a.rs"), "{text}");
    case.settings.prune.difference_reads = false;
    case.answer("and again");
    assert_eq!(sent(&settled(&mut case), &again), text);
}

fn whole_after(change: impl FnOnce(&mut Case, &mut Vec<String>)) -> bool {
    let mut case = case();
    let mut lines = file(100);
    read(&mut case, &lines, 1, 2_000);
    change(&mut case, &mut lines);
    let again = read(&mut case, &lines, 1, 2_000);
    let view = settled(&mut case);
    let is_whole = sent(&view, &again) == page(&lines, 1, 2_000).0;
    assert_eq!(is_whole, !is_difference(item(&view, &again)));
    is_whole
}

fn edit(case: &mut Case, path: &str, is_error: bool) {
    let arguments = json!({"path": path, "old_text": "a", "new_text": "b"});
    case.call_text("edit", arguments, "edited", is_error);
}

#[test]
fn what_makes_the_next_read_whole() {
    assert!(!whole_after(|_, _| {}));
    assert!(!whole_after(|case, _| edit(case, "src/a.rs", false)));
    assert!(whole_after(|case, _| edit(case, "src/a.rs", true)));
    assert!(whole_after(|case, _| edit(case, "./src/a.rs", true)));
    assert!(!whole_after(|case, _| edit(case, "src/b.rs", true)));
    assert!(whole_after(|case, _| case
        .settings
        .prune
        .difference_reads = false));
    assert!(whole_after(
        |case, _| case.settings.prune.policy = PrunePolicy::Off
    ));
    assert!(whole_after(
        |case, _| case.settings.prune.gate = GateKind::Off
    ));
    assert!(whole_after(
        |case, _| case.settings.prune.tools.deny = vec!["read".to_owned()]
    ));
    // More than half of it is new.
    assert!(whole_after(|_, lines| {
        lines
            .iter_mut()
            .step_by(2)
            .for_each(|line| line.push_str(" // changed"));
    }));
    // The failed edit was before the read that is the base.
    assert!(!whole_after(|case, lines| {
        edit(case, "src/a.rs", true);
        read(case, lines, 1, 2_000);
    }));
}

fn decided(decision: Decision) -> EntryBody {
    EntryBody::Decision(decision)
}

fn cleared(target: &EntryId) -> EntryBody {
    decided(Decision::Prune {
        policy: "soft-hard".to_owned(),
        cuts: vec![Cut {
            target: target.clone(),
            form: CutForm::Clear {
                placeholder: "[cleared]".to_owned(),
            },
            phase: CutPhase::Hard,
            reason: "a test".to_owned(),
            tokens_before: 2_000,
            tokens_after: 4,
        }],
        cache_given_up_tokens: 0,
        reasoning_lost: 0,
        by_person: false,
    })
}

/// What takes the base of a difference out of the view, or gives back the read itself.
fn without_base(name: &str, base: &EntryId, again: &EntryId) -> EntryBody {
    match name {
        "cleared" => cleared(base),
        "dropped" => decided(Decision::Drop {
            target: base.clone(),
        }),
        "edited" => EntryBody::ContextEdit {
            target: base.clone(),
            replacement: None,
        },
        "summarised" => EntryBody::Compaction(Box::new(Compaction {
            summary: "read a file".to_owned(),
            first_kept: Some(EntryId::new(format!("{:08x}", number(again) - 1))),
            ..Compaction::default()
        })),
        _ => decided(Decision::Restore {
            target: again.clone(),
        }),
    }
}

/// Whatever becomes of the base, the model has the whole text.
#[test]
fn without_its_base_a_difference_is_the_whole_read() {
    for name in ["cleared", "dropped", "edited", "summarised", "restored"] {
        let mut case = case();
        let lines = file(100);
        let base = read(&mut case, &lines, 1, 2_000);
        let again = read(&mut case, &lines, 1, 2_000);
        settled(&mut case);
        case.answer("read");
        let difference = sent(&case.evaluate().view, &again);
        let act = case.push(without_base(name, &base, &again));
        let view = settled(&mut case);
        assert_eq!(sent(&view, &again), page(&lines, 1, 2_000).0, "{name}");
        assert_eq!(item(&view, &again).disposition, Disposition::Sent, "{name}");
        if name != "edited" {
            case.push(decided(Decision::Undo { target: act }));
            let view = case.evaluate().view;
            assert_eq!(sent(&view, &again), difference, "{name}, undone");
        }
    }
}

fn number(id: &EntryId) -> usize {
    usize::from_str_radix(id.as_str(), 16).unwrap()
}

/// A later read that a person makes whole is what the text would seem to name.
#[test]
fn a_difference_names_the_latest_read_of_its_lines() {
    let mut case = case();
    let mut lines = file(100);
    read(&mut case, &lines, 1, 2_000);
    "    let total_9 = 0;".clone_into(&mut lines[8]);
    let second = read(&mut case, &lines, 1, 2_000);
    settled(&mut case);
    case.answer("seen");
    lines.swap(20, 21);
    let third = read(&mut case, &lines, 1, 2_000);
    let is_whole = |case: &mut Case, id| item(&settled(case), id).disposition == Disposition::Sent;
    assert!(!is_whole(&mut case, &second) && !is_whole(&mut case, &third));
    case.answer("seen");
    case.restore(&second);
    assert!(is_whole(&mut case, &second) && is_whole(&mut case, &third));
    case.user();
    let fourth = read(&mut case, &lines, 1, 2_000);
    assert!(!is_whole(&mut case, &fourth));
}

/// Pruning frees nothing where it takes a base: the whole read would come back.
#[test]
fn the_base_of_a_difference_is_pruned_after_it() {
    let mut case = case();
    case.window_tokens = 4_000;
    case.settings.prune.gate = GateKind::Always;
    case.settings.prune.soft.ratio = 0.1;
    case.settings.prune.hard.ratio = 0.1;
    case.settings.prune.hard.min_prunable_chars = 0;
    case.settings.guard.enabled = false;
    let lines = file(60);
    let base = read(&mut case, &lines, 1, 2_000);
    let again = read(&mut case, &lines, 1, 2_000);
    assert!(is_difference(item(&settled(&mut case), &again)));
    case.protected_end();
    let evaluation = case.evaluate();
    let of = |entry| item(&evaluation.view, entry).disposition;
    assert_eq!(
        (of(&base), of(&again)),
        (Disposition::Sent, Disposition::Cleared)
    );
    case.record(&evaluation);
    case.shell(1);
    let view = case.evaluate().view;
    assert_eq!(item(&view, &base).disposition, Disposition::Cleared);
}

/// Evaluates one log again and again, as a session does.
struct Runner {
    assembler: ViewAssembler,
    can_recall: bool,
}

impl Runner {
    fn new(case: &Case, can_recall: bool) -> Self {
        let settings = Arc::new(case.settings.clone());
        Self {
            assembler: ViewAssembler::new(settings, Arc::new(Approximate)),
            can_recall,
        }
    }

    fn evaluate(&mut self, case: &Case, pressure: ShrinkMode) -> Evaluation {
        let mut around = case.around();
        if self.can_recall {
            around.tools = Arc::from(vec![ToolSchema {
                name: RECALL_TOOL.to_owned(),
                description: String::new(),
                parameters: json!({}),
            }]);
        }
        self.assembler
            .evaluate(&case.transcript, &around, NOW, pressure)
    }
}

/// What is sent, message by message.
fn request(view: &ContextView) -> Vec<Option<Arc<Message>>> {
    view.items.iter().map(|item| item.sent.clone()).collect()
}

/// What is sent of each entry, and its tokens.
fn sizes(view: &ContextView) -> Vec<(Option<EntryId>, Disposition, u64)> {
    let items = view.items.iter();
    items
        .map(|item| (item.entry.clone(), item.disposition, item.tokens))
        .collect()
}

#[derive(Clone, Debug)]
enum Step {
    Read(usize, usize),
    Change(usize, usize),
    FailEdit,
    Say,
    /// The provider counts the prompt.
    Count(u64),
    Prune,
    Compact(usize),
    Clear(usize),
    Drop(usize),
    Restore(usize),
    Pin(usize),
    Undo(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (1usize..60, 1usize..90).prop_map(|(from, count)| Step::Read(from, count)),
        4 => Just(Step::Read(1, 2_000)),
        3 => (0usize..60, 0usize..6).prop_map(|(at, lines)| Step::Change(at, lines)),
        1 => Just(Step::FailEdit),
        2 => Just(Step::Say),
        2 => (1_000u64..9_000).prop_map(Step::Count),
        1 => Just(Step::Prune),
        1 => (0usize..60).prop_map(Step::Compact),
        1 => (0usize..60).prop_map(Step::Clear),
        1 => (0usize..60).prop_map(Step::Drop),
        1 => (0usize..60).prop_map(Step::Restore),
        1 => (0usize..60).prop_map(Step::Pin),
        1 => (0usize..60).prop_map(Step::Undo),
    ];
    prop::collection::vec(step, 1..40)
}

fn take(case: &mut Case, step: &Step, lines: &mut Vec<String>) -> ShrinkMode {
    let length = case.transcript.len();
    let id = |n: &usize| EntryId::new(format!("{:08x}", n % length));
    let mut pressure = ShrinkMode::default();
    match step {
        Step::Read(from, count) => {
            read(case, lines, (*from).min(lines.len()), *count);
        }
        Step::Change(at, count) => {
            let at = at % lines.len();
            for n in 0..*count {
                lines.insert(at, format!("    // line {length}.{n}"));
            }
            if *count == 0 && lines.len() > 20 {
                lines.drain(at..(at + 3).min(lines.len()));
            }
            edit(case, "src/a.rs", false);
        }
        Step::FailEdit => edit(case, "src/a.rs", true),
        Step::Say => {
            case.answer("done");
            case.user();
        }
        Step::Count(tokens) => {
            case.answer_counted("done", *tokens);
            case.user();
        }
        Step::Prune => pressure.prune_now = true,
        Step::Compact(n) => {
            case.push(EntryBody::Compaction(Box::new(Compaction {
                summary: "what was said".to_owned(),
                first_kept: Some(id(n)),
                ..Compaction::default()
            })));
        }
        Step::Clear(n) => {
            case.push(cleared(&id(n)));
        }
        Step::Drop(n) => {
            case.push(decided(Decision::Drop { target: id(n) }));
        }
        Step::Restore(n) => {
            case.push(decided(Decision::Restore { target: id(n) }));
        }
        Step::Pin(n) => {
            case.push(decided(Decision::Pin { target: id(n) }));
        }
        Step::Undo(n) => {
            case.push(decided(Decision::Undo { target: id(n) }));
        }
    }
    pressure
}

/// The first line that a read was asked for, and the lines that its page has.
fn range_of(case: &Case, id: &EntryId) -> Option<(usize, usize)> {
    let entry = case.transcript.get(id)?;
    let Message::ToolResult(result) = entry.message()?.as_ref() else {
        return None;
    };
    let lines = result.details.as_ref()?["lines"].as_u64()?;
    let answer = case.transcript.get(entry.parent.as_ref()?)?;
    let Message::Assistant(answer) = answer.message()?.as_ref() else {
        return None;
    };
    let from = answer.tool_calls().next()?.arguments["offset"].as_u64()?;
    Some((from as usize, lines as usize))
}

/// The text of every read that is sent can be rebuilt from the view as a model would: from the
/// latest read above that the difference names by its lines. Gives how many differences there
/// are.
fn check_rebuilding(case: &Case, view: &ContextView) -> usize {
    let logged = |id: &EntryId| -> String {
        let entry = case.transcript.get(id).unwrap();
        entry.message().unwrap().text()
    };
    let mut differences = 0;
    for (at, shown) in view.items.iter().enumerate() {
        let Some(id) = shown.entry.as_ref() else {
            continue;
        };
        let text = shown.sent.as_ref().unwrap().text();
        if !is_difference(shown) {
            let is_read = range_of(case, id).is_some() && shown.disposition == Disposition::Sent;
            assert!(!is_read || text == logged(id), "{text}");
            continue;
        }
        let (_, named) = text.split_once("that shows lines ").unwrap();
        let (named, _) = named.split_once(" in full").unwrap();
        let (from, to) = named.split_once('–').unwrap();
        let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
        let above: Vec<_> = view.items.iter().take(at).collect();
        let is_it = |item: &&&Arc<ViewItem>| {
            let entry = item.entry.as_ref();
            let is_range = entry.and_then(|id| range_of(case, id)) == Some((from, to + 1 - from));
            is_range && item.disposition == Disposition::Sent
        };
        let base = above
            .iter()
            .rev()
            .find(is_it)
            .expect("the read that is named");
        let base = base.sent.as_ref().unwrap().text();
        assert_eq!(rebuilt(&base, from, &text), logged(id));
        differences += 1;
    }
    differences
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_model_can_always_rebuild_what_was_read(steps in steps(), can_recall in any::<bool>()) {
        let mut case = case();
        let mut lines = file(80);
        read(&mut case, &lines, 1, 2_000);
        let mut session = Runner::new(&case, can_recall);
        for step in &steps {
            let pressure = take(&mut case, step, &mut lines);
            let evaluation = session.evaluate(&case, pressure);
            check_rebuilding_of_draft(&evaluation, &mut case);
            let now = session.evaluate(&case, ShrinkMode::default());
            prop_assert_eq!(&now.decisions, &[], "decided once");
            prop_assert_eq!(request(&now.view), request(&evaluation.view));
            // A restart sends the same bytes.
            let restarted = Runner::new(&case, can_recall).evaluate(&case, ShrinkMode::default());
            prop_assert_eq!(request(&restarted.view), request(&now.view));
            prop_assert_eq!(sizes(&restarted.view), sizes(&now.view));
            check_rebuilding(&case, &now.view);
        }
    }

    #[test]
    fn a_difference_says_exactly_what_was_read(
        old in prop::collection::vec("[abc]{0,2}", 1..30),
        new in prop::collection::vec("[abc]{0,2}", 1..30),
        starts in (1u64..50, 1u64..50),
        rest in prop::sample::select(vec!["", "\n", "\n\n[lines 1–2 of 9; continue with offset=3]"]),
    ) {
        let shown = |lines: &[String], from: u64, rest: &str| ShownLines {
            path: "a b.rs".to_owned(),
            from,
            lines: lines.to_vec(),
            rest: rest.to_owned(),
        };
        let (base, read) = (shown(&old, starts.0, ""), shown(&new, starts.1, rest));
        if let Some(text) = difference(&base, &read, Some("r7")) {
            let whole = new.join("\n") + rest;
            prop_assert_eq!(rebuilt(&old.join("\n"), starts.0 as usize, &text), whole);
        }
    }
}

/// Records the decisions of an evaluation.
fn check_rebuilding_of_draft(evaluation: &Evaluation, case: &mut Case) {
    case.record(evaluation);
    check_rebuilding(case, &evaluation.view);
}

/// Differences are made in these sequences: else the property says nothing.
#[test]
fn sequences_hold_differences() {
    let mut case = case();
    let mut lines = file(80);
    let mut session = Runner::new(&case, true);
    let mut made = 0;
    for n in 0..20 {
        let step = if n % 2 == 0 {
            Step::Read(1 + n, 60)
        } else {
            Step::Change(n * 3, 1)
        };
        let pressure = take(&mut case, &step, &mut lines);
        let evaluation = session.evaluate(&case, pressure);
        case.record(&evaluation);
        made = made.max(check_rebuilding(&case, &evaluation.view));
    }
    assert!(made >= 5, "{made}");
}
