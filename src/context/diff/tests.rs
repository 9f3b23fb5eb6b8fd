use proptest::prelude::*;

use super::*;

#[test]
fn sections_then_lines_then_words() {
    let left = "## Progress\n### In Progress\n- [ ] lock ordering in refresh.rs\n- other\n## Old\n- gone\n";
    let right = "## Progress\n### Done\n- new point\n### In Progress\n- other\n- [x] lock ordering in refresh.rs (commit 8f3e21c)\n";
    assert_eq!(
        unified_text(left, right),
        "  ## Progress\n+ ### Done\n+ - new point\n  ### In Progress\n- - [ ] lock ordering in refresh.rs\n  - other\n+ - [x] lock ordering in refresh.rs (commit 8f3e21c)\n- ## Old\n- - gone\n"
    );
}

#[test]
fn changed_lines_pair_with_the_nearest_and_mark_words() {
    let left = "## A\n- alpha beta gamma\n- use the old mutex here";
    let right = "## A\n- something new entirely\n- use the new mutex here";
    let rows = summary(left, right);
    let kinds: Vec<SummaryDiffKind> = rows.iter().map(|row| row.kind).collect();
    assert_eq!(
        kinds,
        [
            SummaryDiffKind::Heading,
            SummaryDiffKind::Removed,
            SummaryDiffKind::Added,
            SummaryDiffKind::Changed
        ]
    );
    let marked = |spans: &Option<Vec<Span>>| -> Vec<String> {
        let spans = spans.iter().flatten().filter(|span| span.changed);
        spans.map(|span| span.text.clone()).collect()
    };
    assert_eq!(marked(&rows[3].left), ["old"]);
    assert_eq!(marked(&rows[3].right), ["new"]);
}

#[test]
fn unchanged_runs_fold_but_headings_stay() {
    let body = (0..20)
        .map(|n| format!("- line {n}\n"))
        .collect::<Vec<_>>()
        .concat();
    let left = format!("## A\n{body}## B\n- x\n");
    let right = format!("## A\n{body}## B\n- y\n");
    let rows = summary(&left, &right);
    assert!(
        rows.iter()
            .any(|row| row.kind == SummaryDiffKind::Fold { count: 19 }),
        "{rows:?}"
    );
    assert_eq!(
        rows.iter()
            .filter(|row| row.kind == SummaryDiffKind::Heading)
            .count(),
        2
    );
    assert!(unified_text(&left, &right).contains("… 19 unchanged lines"));
}

#[test]
fn large_summaries_are_bounded() {
    let text = |seed: usize| -> String {
        (0..400)
            .map(|n| format!("- point {} of {n}\n", (n * seed) % 391))
            .collect::<Vec<_>>()
            .concat()
    };
    assert!(!summary(&text(7), &text(11)).is_empty());
    let long = "word ".repeat(3_200);
    assert!(!summary(&long, &long.replace("word", "other")).is_empty());
}

proptest! {
    #[test]
    fn both_sides_can_be_read_back(
        left in prop::collection::vec("(## [AB]|- [a-c ]{0,6}|)", 0..20),
        right in prop::collection::vec("(## [AB]|- [a-c ]{0,6}|)", 0..20),
    ) {
        let (left, right) = (left.join("\n"), right.join("\n"));
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for line in align(&left, &right) {
            match line {
                AlignedLine::Same(text) => { old.push(text); new.push(text); }
                AlignedLine::Removed(text) => old.push(text),
                AlignedLine::Added(text) => new.push(text),
                AlignedLine::Changed(a, b) => { old.push(a); new.push(b); }
            }
        }
        prop_assert_eq!(old, left.lines().collect::<Vec<_>>());
        prop_assert_eq!(new, right.lines().collect::<Vec<_>>());
    }
}
