use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::context::TemplateKind;
use crate::context::identifiers::{Identifier, IdentifierLimits, IdentifierSources, select};
use crate::context::redact::KnownSecrets;
use crate::context::summary::{MAX_BODY_CHARS, SourceMessage, template};
use crate::transcript::Message;

/// What a summary of these messages must carry.
fn selected(messages: &[SourceMessage], secrets: &KnownSecrets) -> Vec<Identifier> {
    let source = IdentifierSources {
        messages,
        kept: &[],
        previous: None,
        demands: &[],
        secrets,
        limits: IdentifierLimits::default(),
    };
    select(source).identifiers
}

fn basis(kind: &TemplateKind, user: &str, ask: &str) -> AuditBasis {
    let messages = [SourceMessage {
        entry: EntryId::new("u1"),
        message: Arc::new(Message::user_text(user)),
        tokens: 100,
    }];
    AuditBasis {
        headings: template::headings(kind),
        identifiers: selected(&messages, &KnownSecrets::default()),
        ask: Some(LatestAsk {
            text: ask.to_owned(),
            entry: Some(EntryId::new("u1")),
            in_tail: ask.is_empty(),
        }),
        source_tokens: 1_000,
        ..AuditBasis::default()
    }
}

fn openclaw(sections: &[(&str, &str)]) -> String {
    sections
        .iter()
        .map(|(title, body)| format!("## {title}\n{body}\n\n"))
        .collect::<Vec<_>>()
        .concat()
}

/// A log that has something for no section.
fn nothing() -> SummaryDocument {
    SummaryDocument::default()
}

const GOOD: [(&str, &str); 5] = [
    ("Decisions", "- keep `src/auth.rs`"),
    ("Open TODOs", "(none)"),
    ("Constraints/Rules", "(none)"),
    ("Pending user asks", "- fix the token refresh race"),
    (
        "Exact identifiers",
        "- 550e8400-e29b-41d4-a716-446655440000",
    ),
];
const USER: &str = "fix src/auth.rs, request 550e8400-e29b-41d4-a716-446655440000";
const ASK: &str = "fix the token refresh race";

/// Checks one summary: the reasons found, and that mending leaves none of them.
fn check_case(name: &str, text: &str, reasons: &[&str]) {
    let basis = basis(&TemplateKind::Openclaw, USER, ASK);
    let audit = check(&basis, text, 10, &|t| USER.contains(t));
    assert_eq!(audit.record.reasons, reasons, "{name}");
    assert_eq!(audit.record.passed, reasons.is_empty(), "{name}");
    let mendable = !reasons.contains(&EMPTY) && !reasons.contains(&SECRET);
    if mendable {
        let mended = mend::mend(&basis, text, &audit, &nothing());
        let again = check(&basis, &mended.text, 10, &|t| USER.contains(t));
        assert!(
            again.record.passed,
            "{name}: {:?}\n{}",
            again.findings, mended.text
        );
        assert_eq!(mended.clauses.is_empty(), reasons.is_empty(), "{name}");
    }
}

#[test]
fn each_fault_has_its_reason_and_is_mended() {
    check_case("good", &openclaw(&GOOD), &[]);
    check_case(
        "missing",
        &openclaw(&GOOD[..4]),
        &[MISSING_SECTION, MISSING_IDENTIFIERS],
    );
    let mut doubled = GOOD.to_vec();
    doubled.push(GOOD[0]);
    check_case("doubled", &openclaw(&doubled), &[DUPLICATE_SECTION]);
    let mut reordered = GOOD.to_vec();
    reordered.swap(0, 1);
    check_case("reordered", &openclaw(&reordered), &[MISSING_SECTION]);
    check_case(
        "altered",
        &openclaw(&GOOD).replace("446655440000", "446655440010"),
        &[MISSING_IDENTIFIERS, ALTERED_IDENTIFIER],
    );
    check_case(
        "path",
        &openclaw(&GOOD).replace("src/auth.rs", "src/auths.rs"),
        &[MISSING_IDENTIFIERS, ALTERED_IDENTIFIER],
    );
    check_case(
        "ask",
        &openclaw(&GOOD).replace("fix the token refresh race", "(none)"),
        &[ASK_NOT_REFLECTED],
    );
    check_case(
        "empty",
        "  ",
        &[
            EMPTY,
            MISSING_SECTION,
            MISSING_IDENTIFIERS,
            ASK_NOT_REFLECTED,
        ],
    );
    check_case(
        "secret",
        &format!("{}\nsk-abcdefghijklmnopqrstuv123456", openclaw(&GOOD)),
        &[SECRET],
    );
}

fn basis_of_line() -> AuditBasis {
    basis(&TemplateKind::Openclaw, "see src/auth.rs:42", "")
}

#[test]
fn a_real_neighbour_is_no_misspelling() {
    let basis = basis(&TemplateKind::Openclaw, USER, "");
    let text = format!("{}\nalso src/auts.rs", openclaw(&GOOD));
    let real = check(&basis, &text, 10, &|t| t == "src/auts.rs");
    assert!(real.record.passed, "{:?}", real.findings);
    let lines = basis_of_line();
    let other = openclaw(&GOOD).replace("src/auth.rs", "src/auth.rs:45");
    assert!(check(&lines, &other, 10, &|_| false).altered.is_empty());
    let beside = check(&basis, &text, 10, &|_| false);
    assert!(beside.altered.is_empty(), "the true one is there as well");
    let text = text.replace("src/auth.rs", "the file");
    let invented = check(&basis, &text, 10, &|_| false);
    assert_eq!(invented.record.altered, ["src/auts.rs → src/auth.rs"]);
}

#[test]
fn longer_than_its_source_is_cut() {
    let mut basis = basis(&TemplateKind::Openclaw, USER, "");
    basis.source_tokens = 2_001;
    let text = openclaw(&GOOD).replace("(none)", &"- words\n".repeat(1_900));
    let audit = check(&basis, &text, 5_000, &|_| false);
    assert_eq!(audit.record.reasons, [TOO_LONG]);
    let mended = mend::mend(&basis, &text, &audit, &nothing());
    // 5,000 tokens are to become 1,800.
    assert!(mended.text.chars().count() <= text.chars().count() * 36 / 100 + 1);
}

#[test]
fn a_template_without_the_headings_gets_them_last() {
    let kind = TemplateKind::Custom(vec!["## Notes".to_owned()]);
    let basis = basis(&kind, USER, ASK);
    let audit = check(&basis, "## Notes\n- x", 5, &|_| false);
    let mended = mend::mend(&basis, "## Notes\n- x", &audit, &nothing()).text;
    assert!(mended.starts_with("## Notes\n- x\n\n## Pending user asks\n- fix the token"));
    assert!(mended.contains("## Exact identifiers\n- `550e8400"));
}

#[test]
fn edit_distance_is_bounded() {
    for (a, b, limit, expected) in [
        ("abcdef", "abcdef", 2, Some(0)),
        ("abcdef", "abxdef", 2, Some(1)),
        ("abcdef", "abdef", 1, Some(1)),
        ("abcdef", "bacdef", 2, Some(2)),
        ("abcdef", "xbcdey", 1, None),
        ("abcdefgh", "abc", 2, None),
        ("", "ab", 2, Some(2)),
    ] {
        assert_eq!(
            identifiers::distance_within(a, b, limit),
            expected,
            "{a} {b}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn after_mending_every_identifier_is_there(
        numbers in prop::collection::vec(100_000_u64..999_999_999, 1..90),
        body in prop::collection::vec("(## (Goal|Decisions|Next Steps|Other)|```|- [a-z0-9/._-]{0,30}|\\PC{0,60})", 0..60),
        repeat in 1_usize..12,
        kind in prop_oneof![Just(TemplateKind::Standard), Just(TemplateKind::Openclaw), Just(TemplateKind::Opencode)],
    ) {
        let user = numbers.iter().map(|n| format!("see /repo/dir{n}/file{n}.rs and {n}\n")).collect::<Vec<_>>().concat();
        let basis = basis(&kind, &user, "fix the token refresh race");
        let text = format!("{}\n", body.join("\n")).repeat(repeat * 3);
        let occurs = |token: &str| user.contains(token);
        let audit = check(&basis, &text, 10, &occurs);
        prop_assume!(audit.record.secrets == 0);
        let mended = mend::mend(&basis, &text, &audit, &nothing()).text;
        prop_assert!(mended.chars().count() <= MAX_BODY_CHARS);
        let folded = mended.to_lowercase();
        for id in &basis.identifiers {
            prop_assert!(id.is_in(&mended, &folded), "{} not in {}", id.text, mended);
        }
        prop_assert_eq!(crate::context::redact::find(&mended).len(), 0);
    }
}

/// Text that is hard on identifiers: brackets, backticks, any script, long URLs, secrets
/// inside URLs and paths, names without spaces around.
fn hostile_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "see <https://x\\.example/[a-z0-9/]{1,300}\\?a=[0-9]{1,9}&lt;b> `src/[a-z]{1,90}\\.rs:[1-9]{1,3}`",
        "docs/[一-龥]{1,9}\\.md，和 [A-F0-9]{8,40} (文档/[a-z]{1,5}\\.png)",
        "postgres://app:[a-z0-9]{6,20}@db\\.example:5432/[a-z]{1,5} token=[a-f0-9]{24}",
        "(password|api_key):? ?\n[A-Za-z]{4}[0-9]{4}[!-]",
        "https://x\\.example/a\\?sig=[a-f0-9]{32}&path=/srv/[a-z]{1,8}/b\\.rs",
        "/home/[a-z]{1,5}/sk-[a-z0-9]{24}/[a-z]{1,5}\\.rs",
        "[a-f0-9]{24} API_KEY=[a-f0-9]{24}",
        "/repo/[a-z]{80,120}/[a-z0-9]{1,20}\\.rs",
        "\\PC{0,80}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn nothing_selected_is_lost_and_no_secret_comes_in(
        lines in prop::collection::vec(hostile_line(), 1..120),
        written in prop::collection::vec("(## (Goal|Notes|Decisions)|- [a-z0-9/._-]{0,30}|\\PC{0,60})", 0..40),
        repeat in 1_usize..9,
        heading_less in any::<bool>(),
    ) {
        use crate::context::summary::{SummaryJob, extract};
        let message = |text: String| SourceMessage {
            entry: EntryId::new("u1"),
            message: Arc::new(Message::user_text(text)),
            tokens: 100_000,
        };
        let said = lines.join("\n");
        let template = if heading_less {
            TemplateKind::Custom(vec!["## Notes".to_owned()])
        } else {
            TemplateKind::Standard
        };
        let messages = vec![message(said.clone())];
        let secrets = crate::context::summary::serialize::secrets(None, &messages);
        let basis = AuditBasis {
            headings: template::headings(&template),
            identifiers: selected(&messages, &secrets),
            ask: Some(LatestAsk { text: said, ..LatestAsk::default() }),
            source_tokens: 100_000,
            secrets: secrets.clone(),
            ..AuditBasis::default()
        };
        for id in &basis.identifiers {
            prop_assert!(crate::context::redact::find(&id.text).is_empty() && !secrets.is_in(&id.text), "{}", id.text);
        }
        let text = format!("{}\n", written.join("\n")).repeat(repeat * 8);
        let audit = check(&basis, &text, 10, &|_| false);
        prop_assume!(audit.record.secrets == 0);
        let mended = mend::mend(&basis, &text, &audit, &nothing()).text;
        let job = SummaryJob {
            template,
            ask: basis.ask.clone(),
            ..SummaryJob::new(messages, Arc::new(|text: &str| text.len() as u64 / 4))
        };
        // The list of an extractive summary is a quarter of it: it has to carry fewer.
        let extract = extract(&job);
        let all = basis.identifiers.iter();
        let is_carried = |id: &&Identifier| extract.demands.contains(&id.demand());
        let carried: Vec<&Identifier> = all.clone().filter(is_carried).collect();
        prop_assert_eq!(carried.len(), extract.demands.len());
        for (stored, kept) in [(mended, all.collect()), (extract.summary, carried)] {
            prop_assert!(stored.chars().count() <= MAX_BODY_CHARS);
            let folded = stored.to_lowercase();
            for id in kept {
                prop_assert!(id.is_in(&stored, &folded), "{} not in {}", id.text, stored);
            }
            prop_assert_eq!(secrets.count_in(&stored), 0, "{}", stored);
        }
    }
}
