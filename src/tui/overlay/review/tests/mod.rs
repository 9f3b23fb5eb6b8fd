mod claims;
mod turns;

use std::time::Duration;

use super::*;
use crate::agent::{
    AuditFinding, CompactionEffect, CompactionEvent, ContextOp, SummaryComparison, SummaryLine,
    SummarySources, SummaryVerdict, SummaryWriting,
};
use crate::context::grounding::{Claim, ClaimClass};
use crate::transcript::{
    AskCheck, AuditRecord, Compaction, CompactionStanding, EntryId, SummaryCheck, Trigger,
    UngroundedClaim, Usage,
};
use crate::tui::overlay::fixture::{self, OverlayStage};
use crate::tui::overlay::question::Keyboard;
use crate::tui::widget::{RowMark, TextRow};

const OLD: &str = "## Goal\nfix the token refresh\n## Progress\n### In Progress\n- [ ] lock ordering in refresh.rs\n## Notes\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n## Exact identifiers\nsrc/auth/refresh.rs";
const NEW: &str = "## Goal\nfix the token refresh\n## Progress\n### Done\n- [x] lock ordering in refresh.rs (commit 8f3e21c)\n- [ ] 漢字 input 👩‍🚀\n## Notes\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n## Exact identifiers\nsrc/auth/refresh.rs";

/// A proposal with something of everything.
pub(in crate::tui) fn proposal() -> Box<CompactionProposal> {
    Box::new(CompactionProposal {
        trigger: Trigger::Manual,
        engine: "layered".to_owned(),
        effect: CompactionEffect {
            tokens_before: 171_204,
            tokens_after: 24_310,
            ruler: "o200k_base".to_owned(),
            summarized: 212,
            kept: 18,
            kept_turns: 3,
            first_kept: Some(EntryId::new("b0000000")),
            history_share: None,
            engine_reason: None,
        },
        writing: SummaryWriting {
            model: "anthropic/claude-haiku".to_owned(),
            stages: "2 parts + merge".to_owned(),
            attempts: 3,
            duration: Duration::from_millis(14_200),
            usage: Usage {
                cost_usd: Some(0.03),
                ..Usage::default()
            },

            instructions: Some("keep the migration steps".to_owned()),
            instruction_effects: Vec::new(),
            degraded: false,
        },
        summary: NEW.to_owned(),
        aliases: Vec::new(),
        comparison: SummaryComparison {
            left_title: "previous summary (#2, 13:10)".to_owned(),
            left: OLD.to_owned(),
            turns: Vec::new(),
            rebuilt: None,
            extractive: "- user: why does the refresh race?".to_owned(),
        },
        verdict: SummaryVerdict {
            check: SummaryCheck {
                audit: Some(AuditRecord {
                    sections_found: 9,
                    sections_total: 9,
                    identifiers_found: 40,
                    identifiers_total: 41,
                    identifiers_known: 214,
                    rules_found: 9,
                    rules_total: 9,
                    claims_grounded: 47,
                    claims_total: 48,
                    ask: AskCheck::Verbatim,
                    ..AuditRecord::default()
                }),
                mended: vec!["8f3e21c appended".to_owned()],
                ungrounded: vec![UngroundedClaim {
                    text: "8f3e21c".to_owned(),
                    class: "identifier".to_owned(),
                    is_struck: false,
                }],
                ..SummaryCheck::default()
            },
            findings: vec![
                AuditFinding {
                    code: "missing_identifiers",
                    text: "8f3e21c was missing and was appended".to_owned(),
                    source: Some(EntryId::new("a0000000")),
                    mended: true,
                },
                AuditFinding {
                    code: "altered_identifier",
                    text: "refresh.py → refresh.rs \u{1b}[31m".to_owned(),
                    source: None,
                    mended: false,
                },
            ],
        },
        edited: false,
        sources: None,
    })
}

fn sources() -> AgentEvent {
    let said = |id: &str, words: &str| (EntryId::new(id), words.to_owned());
    let order = "the lock is taken in another order in refresh.rs than in session.rs, 漢字";
    let found = SummarySources {
        claims: vec![
            claim(4, "refresh.rs", Some("a0000000")),
            claim(4, "8f3e21c", None),
            claim(17, "src/auth/refresh.rs", Some("b0000001")),
        ],
        lines: vec![
            SummaryLine {
                line: 1,
                similar: vec![said("a0000000", "why does the refresh race?")],
                ..SummaryLine::default()
            },
            SummaryLine {
                line: 4,
                exact: vec![said("a0000000", "why does the refresh race?")],
                similar: ["b0000001", "b0000002"].map(|id| said(id, order)).to_vec(),
            },
        ],
        uncovered: vec![said("a0000001", "漢字の入力 are broken")],
    };
    AgentEvent::Compaction(CompactionEvent::Sources(Box::new(found)))
}

/// A claim of a line of [`NEW`]; without a message it is one that nothing says.
fn claim(line: usize, text: &str, source: Option<&str>) -> Claim {
    let start = NEW.lines().nth(line).unwrap().find(text).unwrap();
    Claim {
        text: text.to_owned(),
        class: ClaimClass::Identifier,
        line,
        span: start..start + text.len(),
        is_grounded: source.is_some(),
        source: source.map(EntryId::new),
    }
}

/// A review that somebody moved the keyboard into.
fn review() -> Review {
    entered(Review::new(proposal()))
}

fn entered(mut review: Review) -> Review {
    review.give_keyboard(true);
    review
}

fn answer(decision: ReviewDecision) -> [Effect; 1] {
    [Effect::Send(Op::Context(ContextOp::Review(decision)))]
}

#[test]
fn the_review_at_its_sizes() {
    let stage = OverlayStage::session();
    fixture::assert_looks!("review", stage, &mut review());
}

#[test]
fn sources_show_who_says_each_line_and_what_is_only_similar() {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.press(&mut review, "s");
    // The review does not wait for them.
    assert!(
        stage
            .draw(&mut review, 120, 40)
            .contains("reading the messages")
    );
    stage.report(&mut review, &sources());
    fixture::assert_looks!("sources", stage, &mut review);
    stage.press(&mut review, "s v");
    assert!(stage.draw(&mut review, 120, 40).contains("without a model"));
}

#[test]
fn several_sources_of_a_line_stand_in_rows_that_follow_each_other() {
    let stage = OverlayStage::session();
    let mut proposal = proposal();
    proposal.summary = proposal
        .summary
        .replace("(commit 8f3e21c)", &"(commit 8f3e21c) ".repeat(5));
    let mut review = entered(Review::new(proposal));
    stage.press(&mut review, "s");
    stage.report(&mut review, &sources());
    for (width, below) in [(120, false), (80, true)] {
        let screen = stage.draw(&mut review, width, 40);
        let rows: Vec<usize> = ["← a0000000", "≈ similar: b0000001", "≈ similar: b0000002"]
            .map(|id| screen.lines().position(|row| row.contains(id)).unwrap())
            .to_vec();
        let first = screen
            .lines()
            .position(|row| row.contains("lock ordering"))
            .unwrap();
        assert_eq!(rows, [rows[0], rows[0] + 1, rows[0] + 2], "{screen}");
        assert_eq!(rows[0] > first, below, "{screen}");
    }
    insta::assert_snapshot!(
        "sources_of_a_long_line_120x40",
        stage.draw(&mut review, 120, 40)
    );
    insta::assert_snapshot!(
        "sources_of_a_long_line_80x24",
        stage.draw(&mut review, 80, 24)
    );
}

#[test]
fn the_reason_of_an_engine_for_its_cut_has_a_row_and_only_where_there_is_one() {
    let stage = OverlayStage::session();
    let mut it = proposal();
    it.effect.engine_reason = Some("the last question stays \u{1b}[31m".to_owned());
    let mut with = entered(Review::new(it));
    let words = "cut chosen by engine layered: the last question stays";
    for (width, height) in [(120, 40), (80, 24)] {
        let screen = stage.draw(&mut with, width, height);
        assert!(screen.contains(words), "{screen}");
        // What stood above it still does, and the text begins below it.
        assert!(
            screen.contains("instructions: keep the migration"),
            "{screen}"
        );
        assert!(screen.contains("## Goal"), "{screen}");
        assert!(
            !stage
                .draw(&mut review(), width, height)
                .contains("cut chosen")
        );
    }
    fixture::assert_safe_at_all_sizes(&stage, &mut with);
}

#[test]
fn aliases_stand_under_the_summary_with_what_they_stand_for() {
    let stage = OverlayStage::session();
    let mut proposal = proposal();
    proposal.summary =
        "## Goal\nfix the race in id-1\n## Exact identifiers\n- id-1\n- id-2".to_owned();
    proposal.aliases = vec![
        ("id-1".to_owned(), "src/auth/refresh.rs".to_owned()),
        ("id-2".to_owned(), "8f3e21c \u{1b}[31m".to_owned()),
    ];
    let mut review = entered(Review::new(proposal));
    insta::assert_snapshot!("aliases_120x40", stage.draw(&mut review, 120, 40));
    fixture::assert_safe_at_all_sizes(&stage, &mut review);
    stage.press(&mut review, "s");
    assert!(
        stage
            .draw(&mut review, 80, 40)
            .contains("id-1 = src/auth/refresh.rs")
    );
}

fn stored(standing: CompactionStanding) -> Review {
    let mut proposal = proposal();
    proposal.writing.stages = "threshold".to_owned();
    proposal.sources = Some(Box::default());
    Review::stored(EntryId::new("c1000000"), standing, proposal)
}

#[test]
fn a_compaction_of_the_log_is_looked_at_and_undone_but_not_changed() {
    let stage = OverlayStage::session();
    let mut review = stored(CompactionStanding::InForce);
    fixture::assert_looks!("stored", stage, &mut review);
    assert_eq!(stage.press(&mut review, "a x e E i r"), []);
    stage.press(&mut review, "s v v t space");
    let failed = AgentEvent::Compaction(CompactionEvent::Cancelled {
        reason: "another one".to_owned(),
    });
    assert!(matches!(
        stage.report(&mut review, &failed),
        Reaction::Ignored
    ));
    let undo = [Effect::Send(Op::Context(ContextOp::Uncompact))];
    assert_eq!(stage.press(&mut review, "u"), undo);
    let mut old = stored(CompactionStanding::Superseded);
    assert_eq!(stage.press(&mut old, "u"), [], "the newest goes first");
    assert!(stage.closes(&mut old, "Esc"));
}

#[test]
fn hostile_text_and_small_screens_are_safe_in_every_mode() {
    let stage = OverlayStage::session();
    for script in ["", "e", "i", "r", "Tab", "Esc", "v", "t", "space", "/ x"] {
        let mut proposal = proposal();
        proposal.summary = fixture::HOSTILE.repeat(30);
        proposal.comparison.left_title = fixture::HOSTILE.to_owned();
        let mut review = entered(Review::new(proposal));
        stage.press(&mut review, script);
        fixture::assert_safe_at_all_sizes(&stage, &mut review);
    }
}

#[test]
fn what_is_typed_and_waited_for_at_its_sizes() {
    let stage = OverlayStage::empty();
    let mut instructions = review();
    stage.press(&mut instructions, "i k e e p space i t");
    fixture::assert_looks!("instructions", stage, &mut instructions);
    let mut edit = review();
    stage.press(&mut edit, "e");
    fixture::assert_looks!("editing", stage, &mut edit);
    let mut waiting = review();
    stage.press(&mut waiting, "r");
    fixture::assert_looks!("waiting", stage, &mut waiting);
}

#[test]
fn each_answer_leaves_once() {
    let stage = OverlayStage::session();
    let cases = [
        ("a", ReviewDecision::Accept),
        ("x", ReviewDecision::Cancel),
        ("Esc Esc Esc x", ReviewDecision::Cancel),
        ("Esc j a", ReviewDecision::Accept),
        ("d", ReviewDecision::Strike),
        ("r", ReviewDecision::Retry { instructions: None }),
        (
            "i C-u s h o r t Enter",
            ReviewDecision::Retry {
                instructions: Some("short".to_owned()),
            },
        ),
        ("e X C-s", ReviewDecision::Edit(format!("X{NEW}"))),
    ];
    for (script, decision) in cases {
        assert_eq!(
            stage.press(&mut review(), script),
            answer(decision),
            "{script}"
        );
    }
    assert_eq!(
        stage.press(&mut review(), "e C-s i Esc e X Esc"),
        [],
        "nothing changed"
    );
    let mut struck = proposal();
    struck.verdict.check.ungrounded[0].is_struck = true;
    let mut marked = proposal();
    marked.summary.push_str("\n- commit 8f3e21c [unverified]");
    let mut all_said = proposal();
    all_said.verdict.check.ungrounded.clear();
    for proposal in [struck, marked, all_said] {
        let mut review = Review::new(proposal);
        review.give_keyboard(true);
        assert_eq!(stage.press(&mut review, "d"), [], "nothing to strike");
    }
}

#[test]
fn the_editor_of_the_user_opens_and_its_text_is_audited() {
    let stage = OverlayStage::session();
    let mut review = review();
    let effects = stage.press(&mut review, "E");
    assert!(matches!(
        effects.as_slice(),
        [Effect::Edit {
            purpose: EditPurpose::Review,
            ..
        }]
    ));
    let Reaction::Act(effects) = review.on_edited("other".to_owned(), &stage.scene()) else {
        panic!("no answer");
    };
    assert_eq!(effects, answer(ReviewDecision::Edit("other".to_owned())));
}

#[test]
fn a_finding_leads_to_its_message() {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.press(&mut review, "Tab j");
    let mut item = stage.opens(&mut review, "Enter");
    assert!(
        stage
            .draw(item.as_mut(), 120, 24)
            .contains("why does the refresh race?")
    );
    stage.press(&mut review, "j Enter Tab");
    assert!(stage.draw(&mut review, 120, 40).contains("a accept"));
}

#[test]
fn folds_open_with_space() {
    let stage = OverlayStage::session();
    let mut review = review();
    assert!(!stage.draw(&mut review, 120, 40).contains("five"));
    stage.press(&mut review, "space");
    assert!(stage.draw(&mut review, 120, 40).contains("five"));
}

#[test]
fn a_retry_streams_and_its_proposal_takes_over() {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.press(&mut review, "r");
    stage.report(
        &mut review,
        &AgentEvent::Compaction(CompactionEvent::Progress {
            stage: "part 2/3".to_owned(),
        }),
    );
    for piece in ["## Go", "al\nsecond", " try"] {
        stage.report(
            &mut review,
            &AgentEvent::Compaction(CompactionEvent::Delta(piece.to_owned())),
        );
    }
    let screen = stage.draw(&mut review, 80, 24);
    assert!(
        screen.contains("part 2/3") && screen.contains("## Goal") && screen.contains("second try"),
        "{screen}"
    );
    assert_eq!(
        stage.press(&mut review, "a"),
        [],
        "an answer is on its way already"
    );
    let mut next = proposal();
    next.writing.model = "another".to_owned();
    stage.report(
        &mut review,
        &AgentEvent::Compaction(CompactionEvent::Review(next.clone())),
    );
    assert!(stage.draw(&mut review, 80, 24).contains("another"));
    let wide = stage.draw(&mut review, 120, 40);
    stage.press(&mut review, "t");
    let chosen = stage.draw(&mut review, 120, 40);
    assert_ne!(chosen, wide);
    stage.report(
        &mut review,
        &AgentEvent::Compaction(CompactionEvent::Review(next)),
    );
    assert_eq!(stage.draw(&mut review, 120, 40), chosen, "the layout stays");
    assert_eq!(
        stage.press(&mut review, "a"),
        answer(ReviewDecision::Accept)
    );
}

#[test]
fn esc_while_it_is_asked_again_keeps_the_summary_that_was_there() {
    let stage = OverlayStage::session();
    for script in ["r", "i m o r e Enter"] {
        for stop in ["Esc", "x"] {
            let mut review = review();
            stage.press(&mut review, script);
            let screen = stage.draw(&mut review, 80, 24);
            assert!(screen.contains("keep the summary before"), "{screen}");
            assert_eq!(
                stage.press(&mut review, stop),
                answer(ReviewDecision::StopRetry)
            );
            assert_eq!(stage.press(&mut review, "Esc x a"), [], "it is on its way");
            stage.report(
                &mut review,
                &AgentEvent::Compaction(CompactionEvent::Review(proposal())),
            );
            assert!(stage.draw(&mut review, 120, 40).contains("lock ordering"));
            assert_eq!(
                stage.press(&mut review, "a"),
                answer(ReviewDecision::Accept)
            );
        }
    }
    // An audit of the user's own text takes a moment and is not given up.
    let mut edited = review();
    stage.press(&mut edited, "e X C-s");
    assert_eq!(stage.press(&mut edited, "Esc x"), []);
}

#[test]
fn a_try_that_fails_says_so_above_the_summary_from_before() {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.press(&mut review, "r");
    let event = AgentEvent::Compaction(CompactionEvent::Failed {
        trigger: Trigger::Manual,
        cause: "timeout",
        message: "no answer in 300 s".to_owned(),
        attempts: 2,
        ends_turn: false,
    });
    stage.report(&mut review, &event);
    stage.report(
        &mut review,
        &AgentEvent::Compaction(CompactionEvent::Review(proposal())),
    );
    let screen = stage.draw(&mut review, 120, 40);
    assert!(
        screen.contains("no new summary: no answer in 300 s"),
        "{screen}"
    );
    assert!(screen.contains("lock ordering"), "{screen}");
    stage.report(
        &mut review,
        &AgentEvent::Compaction(CompactionEvent::Review(proposal())),
    );
    assert!(!stage.draw(&mut review, 120, 40).contains("the new try"));
}

#[test]
fn before_the_keyboard_is_moved_in_nothing_is_accepted_and_two_refusals_cancel() {
    let mut stage = OverlayStage::session().with_keyboard(Keyboard::Ready);
    let mut review = Review::new(proposal());
    fixture::assert_looks!("unasked", stage, &mut review);
    assert!(stage.draw(&mut review, 80, 24).contains("Enter: review it"));
    stage.keyboard.keyboard = Keyboard::Away;
    assert!(stage.draw(&mut review, 80, 24).contains("Tab: answer"));
    let press = |review: &mut Review, key| match review.on_question_key(key, &stage.scene()) {
        Reaction::Act(effects) | Reaction::Close(effects) => effects,
        _ => Vec::new(),
    };
    for key in [QuestionKey::Choose, QuestionKey::Up, QuestionKey::PageDown] {
        assert_eq!(press(&mut review, key), [], "{key:?}");
    }
    assert_eq!(press(&mut review, QuestionKey::Refuse), []);
    // Somebody goes on writing: it is as before.
    review.give_keyboard(false);
    assert_eq!(press(&mut review, QuestionKey::Refuse), []);
    assert_eq!(
        press(&mut review, QuestionKey::Refuse),
        answer(ReviewDecision::Cancel)
    );
}

#[test]
fn the_end_is_shown_or_closes() {
    let stage = OverlayStage::session();
    let mut failed = review();
    let event = AgentEvent::Compaction(CompactionEvent::Failed {
        trigger: Trigger::Manual,
        cause: "timeout",
        message: "the summariser did not answer in 300 s".to_owned(),
        attempts: 2,
        ends_turn: false,
    });
    stage.report(&mut failed, &event);
    assert!(stage.draw(&mut failed, 80, 24).contains("did not answer"));
    assert!(stage.closes(&mut failed, "j"));
    let applied = AgentEvent::Compaction(CompactionEvent::Applied {
        entry: EntryId::new("c1"),
        compaction: Box::new(Compaction::default()),
    });
    assert!(matches!(
        stage.report(&mut review(), &applied),
        Reaction::Close(_)
    ));
}

#[test]
fn what_replaced_a_line_stands_beside_it() {
    let rows = rows::compare(
        "## Goal\nmove the ferries\n## Next\nalpha",
        "## Goal\nrewrite 42 tables\nsecond thing\n## Next\nalpha",
        true,
    );
    let marks: Vec<_> = rows.iter().map(|row| row.mark).collect();
    assert!(marks.contains(&RowMark::Replaced), "{marks:?}");
    let is_both = |row: &TextRow| row.left.is_some() && row.right.is_some();
    let replaced = rows.iter().filter(|row| row.mark == RowMark::Replaced);
    assert!(replaced.clone().count() >= 1 && replaced.clone().all(is_both));
}

#[test]
fn one_escape_does_not_throw_away_what_was_typed() {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.press(&mut review, "e M i n e Esc");
    assert!(
        stage
            .draw(&mut review, 80, 24)
            .contains("discard your edit")
    );
    stage.press(&mut review, "j");
    let edited = format!("Mine{}", proposal().summary);
    assert_eq!(
        stage.press(&mut review, "C-s"),
        answer(ReviewDecision::Edit(edited))
    );
    let mut review = self::review();
    assert_eq!(
        stage.press(&mut review, "e M Esc x a"),
        answer(ReviewDecision::Accept)
    );
}
