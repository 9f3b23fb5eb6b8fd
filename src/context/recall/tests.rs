//! Whatever was planted is found; whatever is withheld is not; pages are the text.

use proptest::prelude::*;

use super::*;
use crate::context::fixture::Case;
use crate::transcript::{
    BashExecution, CutForm, Decision, Entry, EntryBody, Message, Part, ToolResult, Transcript,
};
use std::sync::Arc;

fn index(transcript: &Transcript) -> RecallIndex {
    let mut index = RecallIndex::default();
    index.sync(transcript);
    index
}

fn first(transcript: &Transcript, query: &str) -> Option<RecallHit> {
    let hits = index(transcript).search(transcript, query, 5, &|_| true);
    hits.into_iter().next()
}

fn result(tool: &str, text: &str) -> EntryBody {
    EntryBody::Message(Arc::new(Message::ToolResult(ToolResult {
        call_id: "c".to_owned(),
        tool_name: tool.to_owned(),
        content: vec![Part::Text(text.to_owned())],
        ..ToolResult::default()
    })))
}

#[test]
fn rare_words_win_and_complete_places_come_first() {
    let mut case = Case::new(100_000);
    for n in 0..60 {
        case.say(&format!(
            "The service alpha-{n} listens on port 80{n:02} and belongs to team{n}."
        ));
    }
    let right = case.say("The retries of svc_7f3a9c are limited to 4 by the deployment.");
    let hit = first(&case.transcript, "what is the port of service alpha-17?").unwrap();
    assert!(hit.snippet.contains("port 8017"), "{}", hit.snippet);
    assert!(hit.has_all);
    let hit = first(&case.transcript, "retries svc_7f3a9c service port").unwrap();
    assert_eq!(hit.entry, right);
    assert!(
        index(&case.transcript)
            .search(&case.transcript, "nothingOfTheKind", 5, &|_| true)
            .is_empty()
    );
}

#[test]
fn the_snippet_is_the_place_and_says_its_line() {
    let mut case = Case::new(100_000);
    let line = |n: u32| {
        let note = if n == 217 { " deadline_ms=1750" } else { "" };
        format!("line {n} of a long listing with nothing in it{note}")
    };
    let text = (1..=400).map(line).collect::<Vec<_>>().join("\n");
    case.push(result("read", &text));
    let hit = first(&case.transcript, "deadline_ms").unwrap();
    assert_eq!((hit.line, hit.tool.as_deref()), (217, Some("read")));
    assert!(hit.snippet.contains("deadline_ms=1750"), "{}", hit.snippet);
    assert!(hit.snippet.starts_with("… ") && hit.snippet.ends_with(" …"));
}

#[test]
fn secrets_are_in_no_snippet() {
    let mut case = Case::new(100_000);
    let key = format!("sk-ant-api03-{}", "a1B2c3D4e5F6g7H8".repeat(5));
    case.push(result(
        "read",
        &format!("export ANTHROPIC_API_KEY={key}\nregion=eu-north-7\n"),
    ));
    let hit = first(&case.transcript, "region eu-north-7").unwrap();
    assert!(!hit.snippet.contains(&key), "{}", hit.snippet);
    assert!(hit.snippet.contains("region=eu-north-7"));
    let clean = index(&case.transcript).without_secrets(&format!("it is {key}"));
    assert!(!clean.contains(&key));
}

#[test]
fn what_a_person_kept_from_the_model_is_withheld() {
    let mut case = Case::new(100_000);
    let open = case.say("open words");
    let dropped = case.say("dropped words");
    case.push(EntryBody::Decision(Decision::Drop {
        target: dropped.clone(),
    }));
    let edited = case.say("edited words");
    case.push(EntryBody::ContextEdit {
        target: edited.clone(),
        replacement: None,
    });
    let private = case.push(EntryBody::Message(Arc::new(Message::BashExecution(
        BashExecution {
            command: "cat notes".to_owned(),
            output: "private words".to_owned(),
            excluded: true,
            ..BashExecution::default()
        },
    ))));
    let recalled = case.push(result(RECALL_TOOL, "recalled words"));
    let left = case.say("words of a branch that is left");
    assert!(case.transcript.set_leaf(Some(recalled.clone())));
    case.say("another way");
    let scope = RecallScope::of(&case.transcript, None);
    assert!(scope.is_open(&open));
    for (entry, reason) in [
        (&dropped, WithheldReason::Dropped),
        (&edited, WithheldReason::Edited),
        (&private, WithheldReason::Private),
        (&recalled, WithheldReason::Recalled),
        (&left, WithheldReason::OtherBranch),
    ] {
        assert_eq!(scope.access(entry), RecallAccess::Withheld(reason));
    }
    let may = |entry: &Entry| scope.is_open(&entry.id);
    let found = index(&case.transcript).search(&case.transcript, "words", 20, &may);
    let found: Vec<_> = found.into_iter().map(|hit| hit.entry).collect();
    assert_eq!(found, [open]);
}

#[test]
fn addresses_count_along_the_branch() {
    let mut case = Case::new(100_000);
    let first = case.say("one");
    let second = case.say("two");
    assert!(case.transcript.set_leaf(Some(first.clone())));
    let third = case.say("three");
    let of = |id| RecallAddress::of(&case.transcript, id).map(|it| it.to_string());
    assert_eq!(of(&first).as_deref(), Some("r1"));
    assert_eq!(of(&third).as_deref(), Some("r2"));
    assert_eq!(of(&second), None);
    let entry = RecallAddress::parse("R2").unwrap().entry(&case.transcript);
    assert_eq!(entry.unwrap().id, third);
    for text in ["", "r", "r0", "x3", "r-1", "99999999999"] {
        assert_eq!(RecallAddress::parse(text), None, "{text}");
    }
}

#[test]
fn cuts_name_the_address_in_few_words() {
    let address = RecallAddress::parse("r41").unwrap();
    let clear = |text: &str| {
        let form = CutForm::Clear {
            placeholder: text.to_owned(),
        };
        match with_address(&form, address) {
            CutForm::Clear { placeholder } => placeholder,
            other @ (CutForm::Trim { .. }
            | CutForm::Difference { .. }
            | CutForm::Arguments { .. }) => panic!("{other:?}"),
        }
    };
    assert_eq!(
        clear("[Old result cleared]"),
        "[Old result cleared · recall r41]"
    );
    assert_eq!(clear("gone"), "gone [recall r41]");
    let form = CutForm::Trim {
        head_chars: 1,
        tail_chars: 2,
        notice: crate::context::cut::notice(9, "to keep the context small"),
    };
    let CutForm::Trim { notice, .. } = with_address(&form, address) else {
        panic!("a trim stays one");
    };
    assert_eq!(
        notice,
        "[… 9 characters cut to keep the context small · recall r41 …]"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A name planted anywhere is found by its spelling and by its parts.
    #[test]
    fn a_planted_name_is_found(
        before in "[a-z ]{0,1400}", after in "[a-z \n]{0,1400}",
        name in "[a-z]{3,8}[_/.:-][A-Z][a-z]{2,6}[_/.-][0-9]{3,5}",
    ) {
        let mut case = Case::new(100_000);
        for n in 0..5 {
            case.say(&format!("{before} filler {n} {after}"));
        }
        let planted = case.say(&format!("{before} {name} {after}"));
        case.say(&after);
        let by_name = first(&case.transcript, &name).unwrap();
        prop_assert_eq!(&by_name.entry, &planted);
        prop_assert!(by_name.snippet.contains(&name), "{}", by_name.snippet);
        let parts: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        let by_parts = first(&case.transcript, &parts.join(" ").to_uppercase()).unwrap();
        prop_assert_eq!(&by_parts.entry, &planted);
    }

    #[test]
    fn words_without_spaces_are_found(before in "[一-鿿]{0,40}", after in "[一-鿿]{0,40}") {
        let mut case = Case::new(100_000);
        case.say(&after);
        let planted = case.say(&format!("{before}ヴェネツィア港{after}"));
        case.say(&before);
        let hit = first(&case.transcript, "ヴェネツィア港").unwrap();
        prop_assert_eq!(hit.entry, planted);
    }

    /// Pages that follow each other are the text, byte for byte.
    #[test]
    fn pages_are_the_text(text in "(\\PC{0,40}\n?){0,60}", long in 0usize..30_000, limit in 1usize..9) {
        let text = format!("{text}{}\nend", "é".repeat(long));
        let mut joined = String::new();
        let mut from = Some(1);
        while let Some(line) = from {
            let page = RecallPage::of(&text, line, limit);
            prop_assert!(page.text.len() <= RECALL_PAGE_BYTES && !page.text.is_empty());
            joined.push_str(&page.text);
            from = page.next();
        }
        prop_assert_eq!(joined, text);
    }

    /// Added entry by entry or at once: the same index.
    #[test]
    fn the_index_grows_with_the_log(texts in prop::collection::vec("[a-d ]{1,30}", 1..12)) {
        let mut case = Case::new(100_000);
        let mut grown = RecallIndex::default();
        for text in &texts {
            case.say(text);
            grown.sync(&case.transcript);
        }
        let fresh = index(&case.transcript);
        for query in ["a", "a b", "abc d"] {
            prop_assert_eq!(
                grown.search(&case.transcript, query, 9, &|_| true),
                fresh.search(&case.transcript, query, 9, &|_| true)
            );
        }
    }
}
