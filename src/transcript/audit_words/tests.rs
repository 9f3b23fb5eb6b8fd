use super::*;
use crate::transcript::UngroundedClaim;

fn whole() -> SummaryCheck {
    SummaryCheck {
        audit: Some(AuditRecord {
            sections_found: 12,
            sections_total: 12,
            identifiers_found: 61,
            identifiers_total: 61,
            identifiers_known: 1_214,
            rules_found: 9,
            rules_total: 9,
            claims_grounded: 48,
            claims_total: 48,
            ask: AskCheck::Verbatim,
            passed: true,
            ..AuditRecord::default()
        }),
        ..SummaryCheck::default()
    }
}

/// The words after a change of the record of [`whole`].
fn after(change: impl FnOnce(&mut AuditRecord)) -> SummaryCheck {
    let mut check = whole();
    change(check.audit.as_mut().unwrap());
    check
}

fn failing(check: &SummaryCheck) -> Vec<String> {
    let parts = check.parts().into_iter();
    let failing = parts.filter(|part| part.state == AuditState::Fails);
    failing.map(|part| part.words).collect()
}

#[test]
fn each_part_says_what_was_checked_and_what_was_found() {
    let words = "sections 12/12 · identifiers 61/61 (of 1,214 known) · rules 9/9 · \
                 grounded 48/48 · ask kept verbatim · secrets 0";
    assert_eq!(whole().in_words(), words);
    assert_eq!(failing(&whole()), Vec::<String>::new());
    let tally = whole().tally();
    assert_eq!((tally.held, tally.checked, tally.worst), (6, 6, None));
}

#[test]
fn each_part_changes_with_what_is_behind_it() {
    let reason = |code: &'static str| move |it: &mut AuditRecord| it.reasons.push(code.into());
    let claim = UngroundedClaim {
        text: "$50,000".to_owned(),
        class: "money".to_owned(),
        is_struck: true,
    };
    let invented = SummaryCheck {
        ungrounded: vec![claim],
        ..after(|it| it.claims_grounded = 47)
    };
    let by_code = SummaryCheck {
        written_by_code_percent: 62,
        ..whole()
    };
    let cases = [
        (after(|it| it.sections_found = 11), "sections 11/12"),
        (
            after(reason("missing_section")),
            "sections 12/12 (out of order)",
        ),
        (
            after(reason("duplicate_section")),
            "sections 12/12 (one twice)",
        ),
        (
            after(|it| it.identifiers_found = 60),
            "identifiers 60/61 (of 1,214 known)",
        ),
        (
            after(|it| it.altered.push("a → b".to_owned())),
            "identifiers 61/61 (of 1,214 known, 1 altered)",
        ),
        (after(|it| it.rules_found = 0), "rules 0/9"),
        (invented, "grounded 47/48 (1 struck)"),
        (after(|it| it.ask = AskCheck::Missing), "ask ✗"),
        (after(|it| it.secrets = 2), "secrets 2"),
        (after(reason("wrong_language")), "in another language"),
        (after(reason("too_long")), "longer than what it summarises"),
        (after(reason("not_ended")), "cut off"),
        (after(reason("some_new_reason")), "some new reason"),
        (by_code, "62% written by code"),
    ];
    for (check, expected) in cases {
        assert_eq!(failing(&check), [expected]);
        assert_eq!(check.tally().worst.as_deref(), Some(expected));
    }
}

#[test]
fn rules_that_the_block_carries_are_told_from_those_that_the_text_has() {
    let check = SummaryCheck {
        rules_in_block: 7,
        ..whole()
    };
    let words = check.in_words();
    assert!(
        words.contains("rules 9/9 (7 in the rules block) ·"),
        "{words}"
    );
    assert!(!whole().in_words().contains("block"));
}

#[test]
fn the_ask_is_ticked_only_where_a_check_could_have_failed() {
    for (ask, words, state) in [
        (AskCheck::Reflected, "ask ✓", AuditState::Holds),
        (AskCheck::Verbatim, "ask kept verbatim", AuditState::Holds),
        (AskCheck::Missing, "ask ✗", AuditState::Fails),
        (
            AskCheck::Unchecked,
            "ask not checked",
            AuditState::Unchecked,
        ),
    ] {
        let part = after(|it| it.ask = ask).audit.unwrap().ask_part();
        assert_eq!((part.words.as_str(), part.state), (words, state));
    }
}

#[test]
fn what_nobody_looked_at_is_left_out_or_named() {
    for check in [
        SummaryCheck::default(),
        SummaryCheck {
            audit: Some(AuditRecord {
                passed: true,
                ..AuditRecord::default()
            }),
            ..SummaryCheck::default()
        },
    ] {
        assert_eq!(check.in_words(), "not audited");
        assert!(check.is_unaudited());
    }
    // An entry from before rules and claims were looked at.
    let old = after(|it| {
        *it = AuditRecord {
            sections_found: 12,
            sections_total: 12,
            passed: true,
            ..AuditRecord::default()
        };
    });
    let words = "sections 12/12 · identifiers none · ask not checked · secrets 0";
    assert_eq!(old.in_words(), words);
    let policy_off = after(|it| (it.identifiers_found, it.identifiers_total) = (0, 0));
    let words = policy_off.in_words();
    assert!(
        words.contains("identifiers not checked (1,214 known)"),
        "{words}"
    );
    assert_eq!(failing(&policy_off), Vec::<String>::new());
}

#[test]
fn each_thing_that_was_found_is_told_once_under_its_subject() {
    let claim = |is_struck| UngroundedClaim {
        text: "$50,000".to_owned(),
        class: "money".to_owned(),
        is_struck,
    };
    let check = SummaryCheck {
        ungrounded: vec![claim(true), claim(false)],
        ..after(|it| {
            it.missing.push("src/a.rs".to_owned());
            it.altered = vec!["ENT-221 → ENT-222".to_owned(), "odd".to_owned()];
        })
    };
    let told = |check: &SummaryCheck| -> Vec<String> {
        check.details().into_iter().map(|it| it.text).collect()
    };
    let expected = [
        "`src/a.rs` is missing",
        "`ENT-221` should be `ENT-222`",
        "`odd` was altered",
        "money `$50,000`: nowhere in the conversation; struck",
        "money `$50,000`: nowhere in the conversation",
    ];
    assert_eq!(told(&check), expected);
    assert!(check.details().is_sorted_by_key(|it| it.subject));
    let mended = SummaryCheck {
        mended: vec!["appended 1 missing identifier".to_owned()],
        ..check
    };
    let told = told(&mended);
    assert_eq!(told[0], "`src/a.rs` was missing before the repair");
    assert_eq!(told[5], "appended 1 missing identifier");
    assert_eq!(whole().details(), []);
}

#[test]
fn no_word_says_passed() {
    for check in [
        whole(),
        SummaryCheck::default(),
        after(|it| it.passed = false),
    ] {
        assert!(!check.in_words().contains("pass"), "{}", check.in_words());
    }
}

#[test]
fn a_repair_of_an_unaudited_text_is_said_too() {
    let check = SummaryCheck {
        mended: vec!["cut".to_owned(); 2],
        ..SummaryCheck::default()
    };
    assert_eq!(check.in_words(), "not audited · 2 repairs");
    let check = SummaryCheck {
        written_by_code_percent: 12,
        ..check
    };
    assert_eq!(check.in_words(), "not audited · 12% written by code");
}

#[test]
fn who_wrote_a_summary_is_said_unless_it_was_a_model() {
    let cases = [
        ("p/m", false, 50, None),
        (
            "p/m",
            false,
            51,
            Some("more than half written by code: 51%"),
        ),
        ("p/m", true, 62, Some("more than half written by code: 62%")),
        ("extractive", false, 100, Some("written without a model")),
        (
            "extractive",
            true,
            0,
            Some("written without a model: it gave no usable text"),
        ),
    ];
    for (model, degraded, percent, expected) in cases {
        let label = author_label(model, degraded, percent);
        assert_eq!(label.as_deref(), expected, "{model} {degraded} {percent}");
    }
}
