use super::*;
use crate::agent::{ContextOp, Query, QueryReply, SessionEvent};
use crate::context::fidelity::{ClassScore, FidelityScore, Probe, ProbeClass, ProbeFate};
use crate::transcript::{
    AuditRecord, CompactionCause, CompactionCost, CompactionDetails, Decision, SummaryCheck,
    Trigger,
};
use crate::tui::overlay::fixture::{self, OverlayStage};

const FIRST: &str = "## Goal\nport the parser\n## Progress\n- [ ] lexer\n- [ ] 漢字 input";
const SECOND: &str = "## Goal\nport the parser\n## Progress\n- [x] lexer\n- [ ] 漢字 input";

fn compaction(summary: &str, sizes: (u64, u64), passed: bool) -> EntryBody {
    let mended = if passed { 0 } else { 2 };
    EntryBody::Compaction(Box::new(Compaction {
        summary: summary.to_owned(),
        tokens_before: sizes.0,
        details: CompactionDetails {
            tokens_after: sizes.1,
            cause: CompactionCause {
                trigger: if passed {
                    Trigger::Manual
                } else {
                    Trigger::Threshold
                },
                ..CompactionCause::default()
            },
            model: "anthropic/claude-haiku".to_owned(),
            instructions: passed.then(|| fixture::HOSTILE.to_owned()),
            check: SummaryCheck {
                audit: Some(AuditRecord {
                    sections_found: 8,
                    sections_total: 8,
                    identifiers_found: if passed { 12 } else { 11 },
                    identifiers_total: 12,
                    passed,
                    reasons: vec!["missing_identifiers".to_owned(); mended / 2],
                    ..AuditRecord::default()
                }),
                mended: vec!["appended 1 missing identifier(s)".to_owned(); mended],
                ..SummaryCheck::default()
            },
            summarized_messages: 212,
            cost: CompactionCost {
                duration_ms: 14_200,
                ..CompactionCost::default()
            },
            ..CompactionDetails::default()
        },
        ..Compaction::default()
    }))
}

fn stage() -> OverlayStage {
    let mut stage = OverlayStage::empty();
    let undo = Decision::Undo {
        target: EntryId::new("c3"),
    };
    stage.entry("c1", compaction(FIRST, (171_204, 24_310), true), 7_200);
    stage.entry("c2", compaction(SECOND, (168_000, 30_500), false), 3_600);
    stage.entry("c3", compaction("## Goal\nnone", (90_000, 900), true), 600);
    stage.entry("c4", EntryBody::Decision(undo), 300);
    stage
}

#[test]
fn the_facts_of_a_compaction_say_why_an_engine_cut_there() {
    let mut stage = stage();
    let EntryBody::Compaction(mut compaction) = compaction(FIRST, (90_000, 900), true) else {
        panic!("a compaction");
    };
    compaction.details.engine = "process".to_owned();
    compaction.details.cause.engine_reason = Some("the last question stays".to_owned());
    stage.entry("c5", EntryBody::Compaction(compaction), 60);
    let screen = stage.draw(&mut list(&stage), 160, 40);
    let words = "cut chosen by engine process: the last question stays";
    assert!(screen.contains(words), "{screen}");
}

fn list(stage: &OverlayStage) -> Summaries {
    Summaries::of(&stage.scene()).unwrap()
}

#[test]
fn summaries_at_their_sizes() {
    let stage = stage();
    let mut list = list(&stage);
    stage.press(&mut list, "j space");
    fixture::assert_looks!("summaries", stage, &mut list);
}

#[test]
fn two_marked_summaries_are_compared_older_first() {
    let stage = stage();
    let mut list = list(&stage);
    stage.press(&mut list, "G space k space");
    let mut difference = stage.opens(&mut list, "d");
    fixture::assert_looks!("difference", stage, difference.as_mut());
}

#[test]
fn what_is_compared_depends_on_the_marks() {
    let stage = stage();
    for (keys, expected) in [
        ("", Some((2, 3))),
        ("j", Some((1, 2))),
        ("G", None),
        ("G space k k", Some((1, 3))),
        ("space space j", Some((1, 2))),
        ("space j space j space", Some((1, 2))),
    ] {
        let mut list = list(&stage);
        stage.press(&mut list, keys);
        let pair = list
            .pair()
            .map(|(older, newer)| (older.number, newer.number));
        assert_eq!(pair, expected, "{keys}");
    }
}

#[test]
fn the_text_opens_and_the_newest_is_undone() {
    let mut stage = stage();
    let mut list = list(&stage);
    let shown = Op::query(Query::Compaction(EntryId::new("c3")));
    assert_eq!(stage.press(&mut list, "r"), [Effect::Send(shown)]);
    stage.press(&mut list, "G");
    let mut text = stage.opens(&mut list, "Enter");
    let screen = stage.draw(text.as_mut(), 80, 12);
    assert!(screen.contains("summary #1 · manual · 2h ago · replaced"));
    assert!(screen.contains("port the parser"));
    assert_eq!(
        stage.press(&mut list, "u"),
        [Effect::Send(Op::Context(ContextOp::Uncompact))]
    );
    for (id, target) in [("c5", "c2"), ("c6", "c1")] {
        let target = EntryId::new(target);
        stage.entry(id, EntryBody::Decision(Decision::Undo { target }), 1);
        let entry: &Entry = &stage.entries[&EntryId::new(id)];
        let event = AgentEvent::Session(SessionEvent::Entry(std::sync::Arc::new(entry.clone())));
        stage.report(&mut list, &event);
    }
    assert!(
        list.records
            .iter()
            .all(|r| r.state == CompactionStanding::Undone)
    );
    assert_eq!(stage.press(&mut list, "u"), [], "nothing is left to undo");
    assert!(stage.closes(&mut list, "Esc"));
}

#[test]
fn what_each_left_within_reach_is_shown_when_it_has_been_measured() {
    let stage = stage();
    let mut list = list(&stage);
    let line = "kept of what no other message says: ";
    let screen = stage.draw(&mut list, 100, 24);
    assert!(screen.contains(&format!("{line}measuring …")), "{screen}");
    let score = FidelityScore {
        later: 3,
        classes: vec![ClassScore {
            class: ProbeClass::Hindsight,
            probes: [ProbeFate::Verbatim, ProbeFate::Gone, ProbeFate::InTail]
                .map(|fate| Probe {
                    text: "a_name".to_owned(),
                    kind: "symbol",
                    entry: None,
                    fate,
                })
                .to_vec(),
        }],
        ..FidelityScore::default()
    };
    let reply = QueryReply::Fidelity(vec![(EntryId::new("c3"), score)]);
    stage.report(&mut list, &AgentEvent::Reply { to: None, reply });
    let screen = stage.draw(&mut list, 100, 24);
    assert!(screen.contains(&format!("{line}hindsight 1/2")), "{screen}");
    stage.press(&mut list, "j");
    let screen = stage.draw(&mut list, 100, 24);
    assert!(screen.contains(&format!("{line}not measured")), "{screen}");
}

#[test]
fn one_that_another_branch_has_does_not_count() {
    let mut stage = stage();
    stage.aside.insert(EntryId::new("c2"));
    let mut list = list(&stage);
    let states: Vec<&str> = list.records.iter().map(|r| r.state.name()).collect();
    assert_eq!(states, ["undone", "on another branch", "in force"]);
    let screen = stage.draw(&mut list, 120, 24);
    assert!(screen.contains("elsewhere"), "{screen}");
}

#[test]
fn aliases_stand_under_the_text() {
    let mut stage = OverlayStage::empty();
    let EntryBody::Compaction(mut written) = compaction("## Goal\nport id-1", (9_000, 900), true)
    else {
        return;
    };
    written.details.aliases = vec![("id-1".to_owned(), "src/parser.rs".to_owned())];
    stage.entry("c1", EntryBody::Compaction(written), 60);
    let mut text = stage.opens(&mut list(&stage), "Enter");
    let screen = stage.draw(text.as_mut(), 80, 12);
    insta::assert_snapshot!("aliases_80x12", screen);
}

#[test]
fn the_words_of_each_audit_stand_beside_its_compaction_and_open() {
    let stage = stage();
    let mut list = list(&stage);
    stage.press(&mut list, "j");
    let words = list.in_words();
    assert!(
        words[0].contains("audit: sections 8/8 · identifiers 12/12 ·"),
        "{words:?}"
    );
    assert!(words[1].contains("identifiers 11/12"), "{words:?}");
    for (width, expected) in [(120, "! identifiers 11/12"), (80, "! 3/4")] {
        let screen = stage.draw(&mut list, width, 24);
        assert!(screen.contains(expected), "{screen}");
        assert!(!screen.contains("passed"), "{screen}");
    }
    let mut findings = stage.opens(&mut list, "a");
    let screen = stage.draw(findings.as_mut(), 80, 24);
    assert!(screen.contains("summary #2 · audit"), "{screen}");
    assert!(
        screen.contains("appended 1 missing identifier(s)"),
        "{screen}"
    );
}

#[test]
fn a_summary_that_no_model_wrote_or_nobody_checked_says_so() {
    let mut stage = OverlayStage::empty();
    let EntryBody::Compaction(mut written) = compaction("## Goal\nport", (9_000, 900), true) else {
        return;
    };
    let before = stage_words(&mut stage, &written);
    assert!(!before.contains("without a model"), "{before}");
    written.details.model = "extractive".to_owned();
    written.details.check = SummaryCheck::default();
    let screen = stage_words(&mut stage, &written);
    assert!(screen.contains("written without a model"), "{screen}");
    assert!(screen.contains("audit: not audited"), "{screen}");
    written.details.degraded = true;
    let screen = stage_words(&mut stage, &written);
    assert!(screen.contains("it gave no usable text"), "{screen}");
}

/// The list with this compaction alone.
fn stage_words(stage: &mut OverlayStage, written: &Compaction) -> String {
    stage.entry("c1", EntryBody::Compaction(Box::new(written.clone())), 60);
    stage.draw(&mut list(stage), 120, 24)
}
