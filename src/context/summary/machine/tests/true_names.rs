//! What anybody said is never altered; a misspelling of what is lost is put right.

use super::*;
use crate::context::identifiers::contains_whole;
use crate::context::summary::source::summary_background;
use crate::context::summary::{SummaryBackground, SummaryTaker};
use crate::transcript::{Compaction, Entry, EntryBody, EntryId, IdentifierDemand, Timestamp};
use std::collections::HashSet;

/// The summary of a model that answers with this text whatever it is told.
fn stored(job: SummaryJob, text: &str) -> SummaryResult {
    let job = SummaryJob {
        taker: SummaryTaker::Reviewer,
        audit: AuditSettings {
            retries: 0,
            ..AuditSettings::default()
        },
        ..job
    };
    done(drive(job, &[says(text)]).0)
}

const PLAN: &str =
    "close ENT-222 and PR #48212, write migrations/0042_users.sql for 10.0.0.12:5432, not 9a4894a8";

fn told() -> Vec<SourceMessage> {
    vec![user(
        0,
        "ENT-221 and PR #48211 need migrations/0041_users.sql on 10.0.0.11:5432, commit 9a4894a7; the next ones close and write the users table",
    )]
}

#[test]
fn the_next_number_of_a_series_is_no_misspelling_of_the_last_one() {
    let text = under_headings(&format!("Next: {PLAN}"));
    let result = stored(job(told()), &text);
    assert!(result.summary.contains(PLAN), "{}", result.summary);
    assert_eq!(result.audit.altered, Vec::<String>::new());
}

#[test]
fn an_ask_in_the_tail_is_quoted_as_it_was_typed() {
    let ask = LatestAsk {
        text: format!("Now {PLAN}."),
        entry: Some(EntryId::new("e9")),
        in_tail: true,
    };
    for extractive in [true, false] {
        let job = SummaryJob {
            ask: Some(ask.clone()),
            extractive,
            ..job(told())
        };
        let result = stored(job, &under_headings(&ask.text));
        assert!(result.summary.contains(PLAN), "{}", result.summary);
        assert!(result.mended.iter().all(|it| !it.contains("corrected")));
    }
}

#[test]
fn what_stays_or_was_said_long_ago_is_as_true_as_what_is_summarised() {
    let messages = vec![user(
        0,
        "look at src/network/parser.rs and src/network/router.rs",
    )];
    let text = under_headings("Next: src/network/parsec.rs");
    let kept = SummaryBackground {
        kept: vec![user(7, "then src/network/parsec.rs")],
        ..SummaryBackground::default()
    };
    let earlier = SummaryBackground {
        earlier: vec![Arc::new(Message::user_text("src/network/parsec.rs"))],
        ..SummaryBackground::default()
    };
    let demanded = SummaryBackground {
        demands: vec![IdentifierDemand {
            text: "src/network/parsec.rs".to_owned(),
            uses: 1,
            is_typed: false,
        }],
        ..SummaryBackground::default()
    };
    // The true one stays beside the summary: nobody needs it in the wrong one's place.
    let real_is_kept = SummaryBackground {
        kept: vec![user(7, "see src/network/parser.rs")],
        ..SummaryBackground::default()
    };
    for background in [kept, earlier, demanded, real_is_kept] {
        let job = SummaryJob {
            background,
            ..job(messages.clone())
        };
        let result = stored(job, &text);
        assert!(
            result.summary.contains("Next: src/network/parsec.rs"),
            "{}",
            result.summary
        );
    }
    let result = stored(job(messages), &text);
    assert!(
        result.summary.contains("Next: src/network/parser.rs"),
        "{}",
        result.summary
    );
    let clause = "corrected `src/network/parsec.rs` to `src/network/parser.rs` (said in e0)";
    assert!(
        result.mended.iter().any(|it| it == clause),
        "{:?}",
        result.mended
    );
}

#[test]
fn the_log_gets_what_a_summary_had_to_carry() {
    let result = stored(job(small()), &good());
    let texts: Vec<&str> = result.demands.iter().map(|it| it.text.as_str()).collect();
    assert!(
        texts.contains(&"src/auth.rs") && texts.contains(&UUID),
        "{texts:?}"
    );
    assert!(result.demands.iter().all(|it| it.is_typed && it.uses > 0));
}

/// Names as projects number them.
fn numbered() -> impl Strategy<Value = String> {
    prop_oneof![
        "ENT-[1-9][0-9]{0,3}",
        "#[1-9][0-9]{2,5}",
        "migrations/00[0-9]{2}_(users|orders)\\.sql",
        "10\\.0\\.[0-9]\\.[1-9][0-9]?:5432",
        "src/(net|core)/part_?[a-d1-9]\\.(rs|ts|js)(:[1-9][0-9]?)?",
        "/srv/app/src/[a-c]{3}/mod\\.rs",
        "[0-9a-f]{7}",
        "[0-9a-f]{12}",
        "https://x\\.example/issues/[1-9][0-9]{0,4}",
        "[0-9]{6,8}",
        "docs/第[1-9]章\\.md",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]
    #[test]
    fn no_identifier_that_anybody_said_is_ever_altered(
        said in prop::collection::vec((numbered(), 0_usize..5, "\\PC{0,12}"), 1..24),
        mentions in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
        noise in "\\PC{0,40}",
        extractive in any::<bool>(),
    ) {
        let mut messages = vec![user(0, "begin here with the work")];
        let mut background = SummaryBackground::default();
        let mut ask = String::from("go on");
        for (n, (name, place, around)) in said.iter().enumerate() {
            let text = format!("{around} {name} it is");
            match place {
                0 => messages.push(user(n + 1, &text)),
                1 => messages.push(answer(n + 1, &text)),
                2 => background.kept.push(user(n + 1, &text)),
                3 => background.earlier.push(Arc::new(Message::user_text(text))),
                _ => ask = format!("{ask} {name}"),
            }
        }
        let job = SummaryJob {
            background,
            ask: Some(LatestAsk { text: ask.clone(), entry: None, in_tail: true }),
            extractive,
            ..job(messages)
        };
        prop_assume!(crate::context::redact::find(&ask).is_empty());
        let named: Vec<&str> = mentions.iter().map(|at| at.get(&said).0.as_str()).collect();
        let line = named.join(" and ");
        prop_assume!(crate::context::redact::find(&line).is_empty());
        let text = under_headings(&format!("{noise}\n- Next: {line}"));
        prop_assume!(crate::context::redact::find(&text).is_empty());
        let result = stored(SummaryJob { on_failure: FailureMode::Degrade, ..job }, &text);
        prop_assert!(result.mended.iter().all(|it| !it.starts_with("corrected")), "{:?}", result.mended);
        // A text that is refused as a whole alters nothing either.
        if !extractive && !result.degraded {
            for name in named {
                prop_assert!(contains_whole(&result.summary, name), "{name} in {}", result.summary);
            }
        }
    }
}

#[test]
fn a_figure_that_was_said_long_ago_is_somewhere_in_the_conversation() {
    let text = under_headings("The timeout went from 30 s to 90 s; the bill was $4,800.");
    let messages = vec![user(0, "look at the timeout and at the bill")];
    let ungrounded = |background| {
        let job = SummaryJob {
            background,
            ..job(messages.clone())
        };
        let result = stored(job, &text);
        let claims = result.ungrounded.into_iter();
        claims.map(|claim| claim.text).collect::<Vec<_>>()
    };
    let none = ungrounded(SummaryBackground::default());
    assert!(none.iter().any(|it| it.contains("90")), "{none:?}");
    let said = "raise the timeout from 30 s to 90 s; the bill was $4,800";
    let earlier = SummaryBackground {
        earlier: vec![Arc::new(Message::user_text(said))],
        ..SummaryBackground::default()
    };
    assert_eq!(ungrounded(earlier), [""; 0]);
}

#[test]
fn a_name_that_was_marked_before_is_marked_again() {
    let text = under_headings("Make the function round_half keep rows for ENT-222.");
    let messages = vec![user(0, "keep the rows of invoices for ENT-222")];
    for (previous, is_open) in [
        ("The function round_half [unverified] keeps rows.", true),
        ("The function round_half keeps rows.", false),
    ] {
        let earlier = Compaction {
            summary: under_headings(previous),
            ..Compaction::default()
        };
        let entry = Arc::new(Entry {
            id: EntryId::new("c"),
            parent: None,
            timestamp: Timestamp(0),
            body: EntryBody::Compaction(Box::new(earlier)),
        });
        let none = HashSet::new();
        let background = summary_background(&[entry], &none, &none, None);
        let job = SummaryJob {
            previous_summary: Some(under_headings(previous)),
            background,
            ..job(messages.clone())
        };
        let result = stored(job, &text);
        let mut open = result.ungrounded.iter();
        let is_marked = open.any(|claim| claim.text.contains("round_half"));
        assert_eq!(is_marked, is_open, "{:?}", result.ungrounded);
    }
}
