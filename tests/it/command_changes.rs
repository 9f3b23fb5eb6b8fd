//! The commands that change a session, and only when they are told to: prune, compact, pin,
//! drop, restore.

use plimsoll::session;
use serde_json::{Value, json};

use super::commands::{LATER, long_session};
use super::program::Program;

#[test]
fn a_dry_run_says_exactly_what_the_prune_then_does() {
    let plim = Program::new();
    long_session(&plim);
    let args = |more: &[&'static str]| {
        let mut args = vec!["prune", "--json", "--force", "--now", LATER, "-S"];
        args.push("prune.policy=protect-recent");
        args.extend([
            "-S",
            "prune.protect_tokens=0",
            "-S",
            "prune.minimum_tokens=0",
        ]);
        args.extend(["-S", "prune.protect_turns=1"]);
        args.extend(more);
        args
    };
    let mut said = plim.run(&args(&["--dry-run"])).json();
    assert!(
        !said["cuts"].as_array().unwrap().is_empty(),
        "there is something to prune: {said}"
    );
    assert_eq!(said["applied"], false);
    let mut done = plim.run(&args(&[])).json();
    assert_eq!(done["applied"], true);
    said.as_object_mut().unwrap().remove("applied");
    done.as_object_mut().unwrap().remove("applied");
    assert_eq!(said, done);
    let view = plim.run(&["context", "--json", "--now", LATER]).json();
    let cleared: Vec<&Value> = view["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["disposition"] == "cleared")
        .map(|item| &item["entry"])
        .collect();
    for cut in done["cuts"].as_array().unwrap() {
        assert!(cleared.contains(&&cut["entry"]), "{cut}");
    }
    let again = plim.run(&args(&[])).json();
    assert_eq!(again["applied"], false, "nothing is pruned twice");
}

#[test]
fn the_dry_run_of_a_summary_without_a_model_says_exactly_what_the_compaction_then_does() {
    let plim = Program::new();
    long_session(&plim);
    let words = plim.run(&["compact", "--force", "--dry-run"]);
    assert!(!words.out.contains('~'), "{words:?}");
    let said = plim.run(&["compact", "--force", "--dry-run", "--json"]);
    let said = said.json();
    assert_eq!(said["tokens_after_is_exact"], true);
    let done = plim.run(&["compact", "--yes", "--force", "--json"]).json();
    assert_eq!(done["applied"], true);
    for key in [
        "tokens_before",
        "tokens_after",
        "summarized",
        "kept",
        "first_kept",
    ] {
        assert_eq!(said[key], done[key], "{key}");
    }
    let view = plim.run(&["context", "--json"]).json();
    assert_eq!(view["usage"]["tokens"], said["tokens_after"], "{view}");
}

#[test]
fn a_compaction_without_consent_changes_nothing() {
    let plim = Program::new();
    long_session(&plim);
    let before = std::fs::read(plim.session()).unwrap();
    let shown = plim.run(&["compact", "--force"]);
    assert_eq!(shown.code, 5, "{shown:?}");
    for words in [
        "written without a model",
        "audit: sections ",
        " covered:",
        "\n✓ 1. ",
    ] {
        assert!(shown.out.contains(words), "{words}: {shown:?}");
    }
    assert!(!shown.out.contains("passed"), "{shown:?}");
    assert!(shown.err.contains("--yes"), "{shown:?}");
    let shown = plim.run(&["compact", "--force", "--json", "--diff"]);
    assert_eq!(shown.code, 5);
    assert_eq!(shown.json()["applied"], false);
    assert!(shown.json()["diff"].as_str().unwrap().contains("+ "));
    let planned = plim.run(&["compact", "--force", "--dry-run", "--json"]);
    assert_eq!(planned.code, 0);
    assert_eq!(planned.json()["calls"], 0);
    let keys = |json: &Value| {
        json.as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let proposed: Vec<String> = keys(&shown.json());
    let nothing = Program::new();
    assert_eq!(nothing.say("help").code, 0);
    let nothing = nothing.run(&["compact", "--yes", "--json"]).json();
    for json in [planned.json(), nothing] {
        assert_eq!(keys(&json), proposed);
    }
    let planned = planned.json();
    assert_eq!(
        (&planned["engine"], &planned["model"], &planned["stages"]),
        (
            &"layered".into(),
            &"extractive".into(),
            &"extractive".into()
        )
    );
    assert_eq!(planned["first_kept"], shown.json()["first_kept"]);
    assert_eq!(planned["summarized"], shown.json()["summarized"]);
    assert_eq!(planned["ruler"], shown.json()["ruler"]);
    assert_eq!(std::fs::read(plim.session()).unwrap(), before);
}

#[test]
fn a_compaction_is_applied_listed_and_undone() {
    let plim = Program::new();
    long_session(&plim);
    let before = plim.run(&["context", "--json"]).json();
    let done = plim.run(&[
        "compact",
        "--yes",
        "--force",
        "--json",
        "--instructions",
        "big.txt",
    ]);
    let done = done.json();
    let keys: Vec<&str> = done
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "applied",
            "entry",
            "trigger",
            "engine",
            "model",
            "stages",
            "calls",
            "attempts",
            "degraded",
            "label",
            "edited",
            "mended",
            "tokens_before",
            "tokens_after",
            "tokens_after_is_exact",
            "ruler",
            "first_kept",
            "summarized",
            "kept",
            "engine_reason",
            "history_share",
            "summary",
            "aliases",
            "rebuilt",
            "audit",
            "grounding",
            "written_by_code_percent",
            "demands",
            "turns",
            "diff",
            "usage",
            "duration_ms",
            "reason"
        ]
    );
    assert_eq!(done["applied"], true);
    assert_eq!(done["engine"], "layered");
    assert!(
        done["tokens_after"].as_u64() < done["tokens_before"].as_u64(),
        "{done}"
    );
    let listed = plim.run(&["summary", "--json"]).json();
    assert_eq!(listed[0]["entry"], done["entry"]);
    assert_eq!(listed[0]["state"], "in force");
    assert_eq!(listed[0]["summary"], done["summary"]);
    let id = done["entry"].as_str().unwrap().to_owned();
    let same = plim.run(&["summary", "--diff", "1", &id]);
    assert_eq!(same.code, 0, "{same:?}");
    assert!(same.out.contains("unchanged lines"), "{same:?}");
    assert!(!same.out.contains("\n+ "), "{same:?}");
    let same = plim.run(&["summary", "--json", "--diff", "1", &id]).json();
    assert_eq!(same["entries"], json!([id, id]));
    let none = plim.run(&["summary", "--diff", "1", "#9"]);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("this session has 1"), "{none:?}");
    let undone = plim.run(&["uncompact"]);
    assert_eq!(undone.code, 0, "{undone:?}");
    let after = plim.run(&["context", "--json"]).json();
    assert_eq!(
        after["items"].as_array().unwrap().len(),
        before["items"].as_array().unwrap().len()
    );
    assert_eq!(after["usage"]["by_category"]["summary"], 0);
    let again = plim.run(&["uncompact"]);
    assert_eq!(again.code, 1);
    assert!(again.err.contains("no compaction to undo"), "{again:?}");
    assert!(again.err.contains("hint: "), "{again:?}");
}

#[test]
fn nothing_to_compact_is_no_error() {
    let plim = Program::new();
    assert_eq!(plim.say("help").code, 0);
    for args in [
        &["compact"][..],
        &["compact", "--yes"],
        &["compact", "--dry-run"],
    ] {
        let ran = plim.run(args);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.starts_with("nothing to compact"), "{ran:?}");
    }
    let ran = plim.run(&["compact", "--yes", "--json"]);
    assert_eq!(ran.json()["applied"], false);
}

#[test]
fn entries_are_pinned_dropped_and_restored() {
    let plim = Program::new();
    long_session(&plim);
    let rows = |plim: &Program| plim.run(&["context", "--json"]).json();
    let view = rows(&plim);
    let first = view["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["category"] == "user")
        .unwrap()["entry"]
        .as_str()
        .unwrap()
        .to_owned();
    let find = |view: &Value, list: &str| {
        view[list]
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["entry"] == *first)
            .cloned()
    };
    let pinned = plim.run(&["pin", &first]);
    assert_eq!(pinned.code, 0, "{pinned:?}");
    assert!(pinned.out.contains(&first), "{pinned:?}");
    assert_eq!(find(&rows(&plim), "items").unwrap()["pinned"], true);
    assert_eq!(plim.run(&["drop", &first]).code, 0);
    // A placeholder is where the order of roles needs one.
    assert_eq!(
        find(&rows(&plim), "items").unwrap()["disposition"],
        "dropped"
    );
    assert_eq!(plim.run(&["restore", &first]).code, 0);
    assert_eq!(find(&rows(&plim), "items").unwrap()["disposition"], "sent");
    let last = view["items"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .find(|item| item["category"] == "user")
        .unwrap()["entry"]
        .as_str()
        .unwrap()
        .to_owned();
    for (args, words) in [
        (["drop", last.as_str()], "your newest message"),
        (["pin", "nonsense"], "no entry nonsense"),
    ] {
        let before = std::fs::read(plim.session()).unwrap();
        let refused = plim.run(&args);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.err.contains(words), "{refused:?}");
        assert!(refused.err.contains("hint: "), "{refused:?}");
        assert_eq!(std::fs::read(plim.session()).unwrap(), before);
    }
}

#[test]
fn a_session_that_is_open_elsewhere_is_not_changed() {
    let plim = Program::new();
    long_session(&plim);
    let path = plim.session();
    let before = std::fs::read(&path).unwrap();
    let now = plimsoll::transcript::Timestamp(0);
    let held = session::SessionLog::open(&path, now).unwrap();
    for args in [
        &["prune", "--force"][..],
        &["compact", "--yes", "--force"],
        &["uncompact"],
        &["pin", "e0000000"],
    ] {
        let ran = plim.run(args);
        assert_eq!(ran.code, 1, "{args:?}: {ran:?}");
        assert!(ran.err.contains("nothing was changed"), "{args:?}: {ran:?}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{args:?}");
    }
    assert_eq!(plim.run(&["context"]).code, 0, "looking is always possible");
    drop(held);
}
