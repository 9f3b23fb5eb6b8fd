//! Results that a later one supersedes, and others.

use std::collections::HashSet;
use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::json;

use crate::context::fixture::{Case, cuts, item};
use crate::context::view::Disposition;
use crate::transcript::{Cut, CutForm, CutPhase, Decision, EntryBody, EntryId};

/// Tokens of one line of [`lines`].
const LINE_TOKENS: u64 = 10;

/// Lines of a file as it is written in a version, 40 bytes each.
fn lines(version: &str, from: u64, count: u64) -> Vec<String> {
    (from..from + count)
        .map(|n| format!("{:<39}", format!("{version} line {n}")))
        .collect()
}

/// A read of lines from `from` on that a page ended after `held.len()` of them.
fn read(case: &mut Case, path: &str, range: (u64, u64), held: &[String], total: u64) -> EntryId {
    let (from, limit) = range;
    let arguments = json!({"path": path, "offset": from, "limit": limit});
    let last = from + held.len() as u64 - 1;
    let mut text = held.join("\n");
    if from > 1 || last < total {
        let _ = write!(text, "\n\n[lines {from}–{last} of {total}; more]");
    }
    let details = json!({"path": path, "lines": held.len(), "total": total});
    case.call_detailed("read", arguments, &text, details)
}

/// A read that got all that it asked for.
fn page(case: &mut Case, range: (u64, u64)) -> EntryId {
    let held = lines("v1", range.0, range.1);
    read(case, "a", range, &held, 3_000)
}

fn case() -> Case {
    let mut case = Case::new(40_000);
    case.settings.prune.soft.ratio = 1.0;
    case.settings.prune.hard.ratio = 1.0;
    case.user();
    case
}

fn superseded(case: &Case) -> Vec<EntryId> {
    let cut = cuts(&case.evaluate()).into_iter();
    cut.filter(|(_, phase)| *phase == "superseded")
        .map(|(id, _)| id)
        .collect()
}

#[test]
fn a_read_is_taken_out_when_a_later_one_holds_its_lines() {
    let mut case = case();
    let first = page(&mut case, (10, 250));
    page(&mut case, (1, 400));
    case.protected_end();
    assert_eq!(superseded(&case), [first]);
}

#[test]
fn a_later_read_that_is_narrower_stands_for_nothing() {
    let mut case = case();
    page(&mut case, (1, 400));
    page(&mut case, (10, 250));
    case.protected_end();
    assert_eq!(superseded(&case), []);
}

/// A page ends after 50 KiB, also when 2,000 lines were asked for.
#[test]
fn lines_that_a_page_left_out_are_not_superseded() {
    let mut case = case();
    page(&mut case, (1_500, 400));
    read(&mut case, "a", (1, 2_000), &lines("v1", 1, 1_112), 3_000);
    let within = page(&mut case, (700, 412));
    read(&mut case, "a", (1, 2_000), &lines("v1", 1, 1_112), 3_000);
    case.protected_end();
    let cut = superseded(&case);
    assert!(cut.contains(&within), "{cut:?}");
    assert_eq!(cut.len(), 2, "and the page that was read twice: {cut:?}");
}

#[test]
fn a_later_result_that_is_cut_stands_for_nothing() {
    for form in [
        CutForm::Trim {
            head_chars: 4_000,
            tail_chars: 0,
            notice: "[cut]".into(),
        },
        CutForm::Clear {
            placeholder: "[gone]".into(),
        },
    ] {
        let mut case = case();
        page(&mut case, (10, 250));
        let newer = page(&mut case, (1, 400));
        case.protected_end();
        let cut = Cut {
            target: newer,
            form,
            phase: CutPhase::Single,
            reason: "a test".into(),
            tokens_before: 4_000,
            tokens_after: 1_000,
        };
        case.push(EntryBody::Decision(Decision::Guard { cuts: vec![cut] }));
        assert_eq!(superseded(&case), []);
    }
}

#[test]
fn what_the_guard_cuts_in_the_same_breath_stands_for_nothing() {
    let mut case = case();
    page(&mut case, (10, 250));
    page(&mut case, (1, 400));
    case.protected_end();
    case.settings.guard.single_share = 0.08;
    let evaluation = case.evaluate();
    let cut: Vec<_> = cuts(&evaluation)
        .into_iter()
        .map(|(_, phase)| phase)
        .collect();
    assert_eq!(cut, ["single"]);
}

#[test]
fn what_stands_for_another_is_not_trimmed_in_the_same_breath() {
    let mut case = case();
    case.settings.prune.soft.ratio = 0.15;
    case.settings.prune.hard.ratio = 0.15;
    let first = page(&mut case, (10, 250));
    let newer = page(&mut case, (1, 400));
    let other = case.shell(4_000);
    case.protected_end();
    let view = case.evaluate().view;
    let disposition = |id| item(&view, id).disposition;
    assert_eq!(disposition(&first), Disposition::Cleared);
    assert_eq!(disposition(&newer), Disposition::Sent);
    assert_ne!(disposition(&other), Disposition::Sent);
}

#[test]
fn lines_that_moved_are_not_superseded_by_their_old_numbers() {
    let mut case = case();
    page(&mut case, (1, 250));
    case.call("edit", json!({"path": "a"}), 20, false);
    // Fifty new lines are before what was read.
    let moved = [lines("v2", 1, 50), lines("v1", 1, 350)].concat();
    read(&mut case, "a", (1, 400), &moved, 3_050);
    case.protected_end();
    assert_eq!(superseded(&case), []);
}

#[test]
fn the_whole_file_as_it_is_now_supersedes_what_it_was() {
    let mut case = case();
    let first = read(&mut case, "a", (1, 2_000), &lines("v1", 1, 300), 300);
    case.call("edit", json!({"path": "a"}), 20, false);
    let now = [lines("v1", 1, 200), lines("v2", 201, 150)].concat();
    read(&mut case, "a", (1, 2_000), &now, 350);
    case.protected_end();
    assert_eq!(superseded(&case), [first]);
}

#[test]
fn a_log_that_does_not_say_how_many_lines_it_holds_is_compared_word_for_word() {
    let text = lines("v1", 1, 300).join("\n");
    let longer = format!("{text}\n{}", lines("v1", 301, 50).join("\n"));
    let arguments = json!({"path": "a"});
    let check = |older: &str, newer: &str, expected: usize| {
        let mut case = case();
        case.call_text("read", arguments.clone(), older, false);
        case.call_text("read", arguments.clone(), newer, false);
        case.protected_end();
        assert_eq!(superseded(&case).len(), expected);
    };
    check(&text, &longer, 1);
    check(&text, &text, 1);
    check(&longer, &text, 0);
}

/// What happens to files in the property below.
#[derive(Clone, Copy, Debug)]
enum Step {
    Read {
        path: usize,
        from: usize,
        limit: usize,
    },
    Insert {
        path: usize,
        at: usize,
        count: usize,
    },
    Remove {
        path: usize,
        at: usize,
        count: usize,
    },
    Write {
        path: usize,
        count: usize,
    },
    /// The guard or a prune cut a result before.
    Cut {
        result: usize,
        is_clear: bool,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let read = (0usize..2, 0usize..120, 1usize..150);
    let change = (0usize..2, 0usize..120, 1usize..30);
    prop_oneof![
        5 => read.prop_map(|(path, from, limit)| Step::Read { path, from, limit }),
        2 => (0usize..2).prop_map(|path| Step::Read { path, from: 0, limit: 2_000 }),
        1 => change.clone().prop_map(|(path, at, count)| Step::Insert { path, at, count }),
        1 => change.prop_map(|(path, at, count)| Step::Remove { path, at, count }),
        1 => (0usize..2, 1usize..150).prop_map(|(path, count)| Step::Write { path, count }),
        1 => (0usize..20, any::<bool>()).prop_map(|(result, is_clear)| Step::Cut { result, is_clear }),
    ]
}

/// Files whose lines are all different, with what was read of them.
struct Desk {
    case: Case,
    files: [Vec<String>; 2],
    made: u64,
    reads: Vec<(EntryId, usize, Vec<String>)>,
    /// How many reads there were when a file was rewritten last.
    rewritten_at: [usize; 2],
}

impl Desk {
    fn new() -> Self {
        let mut desk = Self {
            case: case(),
            files: [Vec::new(), Vec::new()],
            made: 0,
            reads: Vec::new(),
            rewritten_at: [0, 0],
        };
        desk.files = [desk.fresh(130), desk.fresh(90)];
        desk
    }

    fn fresh(&mut self, count: usize) -> Vec<String> {
        let first = self.made;
        self.made += count as u64;
        lines("new", first, count as u64)
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Read { path, from, limit } => self.read(path, from, limit),
            Step::Insert { path, at, count } => {
                let new = self.fresh(count);
                let at = at.min(self.files[path].len());
                self.files[path].splice(at..at, new);
                self.case
                    .call("edit", json!({"path": name(path)}), 3, false);
            }
            Step::Remove { path, at, count } => {
                let length = self.files[path].len();
                let (from, to) = (at.min(length), (at + count).min(length));
                self.files[path].drain(from..to);
                self.case
                    .call("edit", json!({"path": name(path)}), 3, false);
            }
            Step::Write { path, count } => {
                self.files[path] = self.fresh(count);
                self.rewritten_at[path] = self.reads.len();
                self.case
                    .call("write", json!({"path": name(path)}), 3, false);
            }
            Step::Cut { result, is_clear } => self.cut(result, is_clear),
        }
    }

    /// A page of at most 60 lines, whatever is asked for.
    fn read(&mut self, path: usize, from: usize, limit: usize) {
        let file = &self.files[path];
        let held: Vec<String> = file
            .iter()
            .skip(from)
            .take(limit.min(60))
            .cloned()
            .collect();
        if held.is_empty() {
            return;
        }
        let total = file.len() as u64;
        let range = (from as u64 + 1, limit as u64);
        let id = read(&mut self.case, name(path), range, &held, total);
        self.reads.push((id, path, held));
    }

    fn cut(&mut self, result: usize, is_clear: bool) {
        let Some((target, ..)) = self.reads.get(result) else {
            return;
        };
        let form = if is_clear {
            CutForm::Clear {
                placeholder: "[gone]".into(),
            }
        } else {
            CutForm::Trim {
                head_chars: 80,
                tail_chars: 0,
                notice: "[cut]".into(),
            }
        };
        let cut = Cut {
            target: target.clone(),
            form,
            phase: CutPhase::Single,
            reason: "a test".into(),
            tokens_before: 600,
            tokens_after: 20,
        };
        self.case
            .push(EntryBody::Decision(Decision::Guard { cuts: vec![cut] }));
    }
}

fn name(path: usize) -> &'static str {
    ["a", "b"][path]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_line_of_a_superseded_read_is_sent_or_no_longer_in_the_file(
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let mut desk = Desk::new();
        for step in steps {
            desk.take(step);
        }
        desk.case.protected_end();
        let read_tokens: u64 = desk.reads.iter().map(|(.., held)| held.len() as u64 * LINE_TOKENS).sum();
        desk.case.window_tokens = (read_tokens * 4).max(1_000);
        desk.case.settings.guard.enabled = false;
        let view = desk.case.evaluate().view;
        let sent: HashSet<&String> = desk.reads.iter()
            .filter(|(id, ..)| item(&view, id).disposition == Disposition::Sent)
            .flat_map(|(.., held)| held)
            .collect();
        for (at, (id, path, held)) in desk.reads.iter().enumerate() {
            if item(&view, id).cut_by.as_ref().map(|by| by.phase) != Some("superseded") || at < desk.rewritten_at[*path] {
                continue;
            }
            for line in held {
                let is_there = desk.files[*path].contains(line);
                prop_assert!(!is_there || sent.contains(line), "{line} of {id}");
            }
        }
    }
}
