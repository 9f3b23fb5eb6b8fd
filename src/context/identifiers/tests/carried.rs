//! What earlier summaries had to carry is carried on.

use proptest::prelude::*;

use super::super::*;
use super::selection::{Given, answer, chosen, user};
use crate::transcript::IdentifierDemand;

fn demands_of(selection: &IdentifierSelection) -> Vec<IdentifierDemand> {
    selection
        .identifiers
        .iter()
        .map(Identifier::demand)
        .collect()
}

/// Five compactions of new messages each; what each demanded.
fn five_compactions(typed: usize, others: usize, new: usize) -> Vec<Vec<IdentifierDemand>> {
    let lines = |count: usize, line: &dyn Fn(usize) -> String| {
        let lines: Vec<String> = (0..count).map(line).collect();
        lines.join("\n")
    };
    let asks = lines(typed, &|n| format!("and ENT-{n} with lib/part{n}.rs"));
    let said = lines(others, &|n| format!("`handle_case_{n}`"));
    let first = [user("u", &asks), answer("a", &said), answer("b", &said)];
    let mut demands = demands_of(&chosen(&first, &Given::default()));
    let mut out = vec![demands.clone()];
    for round in 1..5 {
        let text = lines(new, &|n| format!("`new_name_{round}_{n}`"));
        let messages = [answer("c", &text), answer("d", &text)];
        let given = Given {
            demands: &demands,
            ..Given::default()
        };
        demands = demands_of(&chosen(&messages, &given));
        out.push(demands.clone());
    }
    out
}

#[test]
fn what_the_user_wrote_is_still_demanded_after_the_fifth_compaction() {
    let rounds = five_compactions(50, 60, 60);
    let typed: Vec<&str> = rounds[0]
        .iter()
        .filter(|it| it.is_typed)
        .map(|it| it.text.as_str())
        .collect();
    assert_eq!(typed.len(), 100);
    let last: Vec<&str> = rounds[4].iter().map(|it| it.text.as_str()).collect();
    for text in typed {
        assert!(last.contains(&text), "{text}");
    }
}

#[test]
fn nine_in_ten_of_what_the_first_demanded_are_demanded_after_the_fifth() {
    let rounds = five_compactions(10, 70, 70);
    let kept = rounds[0]
        .iter()
        .filter(|it| rounds[4].iter().any(|last| last.text == it.text));
    let (kept, all) = (kept.count(), rounds[0].len());
    assert!(all > 60 && kept * 10 >= all * 9, "{kept} of {all}");
    assert!(
        rounds[4].iter().any(|it| it.text.starts_with("new_name_4")),
        "nothing new found room"
    );
}

#[test]
fn the_list_is_full_before_anything_leaves_and_what_left_is_counted() {
    let demands: Vec<IdentifierDemand> = (0..400)
        .map(|n| IdentifierDemand {
            text: format!("carried_symbol_{n}"),
            uses: if n < 50 { 9 } else { 1 },
            is_typed: false,
        })
        .collect();
    let few = Given {
        demands: &demands[..100],
        ..Given::default()
    };
    assert_eq!(chosen(&[], &few).left, 0);
    let many = Given {
        demands: &demands,
        ..Given::default()
    };
    let selection = chosen(&[answer("a", "hello")], &many);
    assert!(selection.left > 0);
    assert_eq!(selection.left as usize + selection.identifiers.len(), 400);
    for n in 0..50 {
        let text = format!("carried_symbol_{n}");
        assert!(
            selection.identifiers.iter().any(|it| it.text == text),
            "{text} is used most"
        );
    }
}

#[test]
fn uses_add_up_and_those_of_what_nobody_names_decay() {
    let demand = |text: &str, is_typed| IdentifierDemand {
        text: text.to_owned(),
        uses: 8,
        is_typed,
    };
    let demands = [
        demand("src/named.rs", false),
        demand("idle_name", false),
        demand("ENT-3", true),
    ];
    let messages = [answer("a", "src/named.rs"), answer("b", "src/named.rs")];
    let given = Given {
        demands: &demands,
        ..Given::default()
    };
    let after = demands_of(&chosen(&messages, &given));
    let uses = |text: &str| after.iter().find(|it| it.text == text).map(|it| it.uses);
    assert_eq!(uses("src/named.rs"), Some(10));
    assert_eq!(uses("idle_name"), Some(6));
    assert_eq!(uses("ENT-3"), Some(8), "what a person typed does not decay");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_demand_that_is_no_secret_is_carried_or_counted(
        texts in prop::collection::btree_set("[a-z]{3,9}_[a-z0-9]{1,9}|[A-Z]{2,4}-[1-9]{1,4}|\\PC{1,30}", 0..60),
    ) {
        let demands: Vec<IdentifierDemand> = texts
            .iter()
            .map(|text| IdentifierDemand { text: text.clone(), uses: 1, is_typed: true })
            .collect();
        let selection = chosen(&[], &Given { demands: &demands, ..Given::default() });
        for demand in &demands {
            let secret = !crate::context::redact::find(&demand.text).is_empty();
            let is_there = selection.identifiers.iter().any(|it| {
                it.text == demand.text || it.spellings.contains(&demand.text) || it.text.eq_ignore_ascii_case(&demand.text)
            });
            prop_assert!(is_there || secret || selection.left > 0 || demand.text.trim().is_empty(), "{:?}", demand.text);
        }
    }
}
