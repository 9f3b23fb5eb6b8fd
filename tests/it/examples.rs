//! The programs in `examples/` do what they say with a session file.

use std::fs;
use std::path::Path;

use plimsoll::session;
use plimsoll::transcript::EntryBody;

/// Its `main` is for the command line.
macro_rules! example {
    ($name:ident, $path:literal) => {
        #[expect(dead_code, reason = "its `main` is for the command line")]
        #[path = $path]
        mod $name;
    };
}

example!(engine, "../../examples/engine.rs");
example!(ledger, "../../examples/ledger.rs");
example!(models_snapshot, "../../examples/models_snapshot.rs");
example!(own_policy, "../../examples/own_policy.rs");
example!(prune_and_compact, "../../examples/prune_and_compact.rs");
example!(rules_model, "../../examples/rules_model.rs");

/// The fixture, where it may be written to.
fn session_file(folder: &Path) -> std::path::PathBuf {
    let fixture = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/it/fixtures/coding-session.jsonl"
    );
    let path = folder.join("session.jsonl");
    fs::copy(fixture, &path).unwrap();
    path
}

/// The output of the example for a session.
fn printed_ledger(path: &Path) -> String {
    let mut out = Vec::new();
    ledger::run(path, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn total_tokens(ledger: &str) -> u64 {
    let last = ledger.lines().last().unwrap_or_default();
    last.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn the_ledger_of_a_session_is_printed() {
    let home = tempfile::tempdir().unwrap();
    let ledger = printed_ledger(&session_file(home.path()));
    assert!(ledger.contains("kelp-agent loses samples"), "{ledger}");
    assert!(total_tokens(&ledger) > 5_000, "{ledger}");
}

#[test]
fn an_engine_of_ones_own_leaves_answers_out() {
    let home = tempfile::tempdir().unwrap();
    let mut out = Vec::new();
    engine::run(&session_file(home.path()), &mut out).unwrap();
    let printed = String::from_utf8(out).unwrap();
    assert!(
        printed.contains("an answer of an earlier turn"),
        "{printed}"
    );
    assert!(printed.contains("tokens are sent"), "{printed}");
}

#[test]
fn a_session_is_pruned_and_compacted_into_a_new_one() {
    let home = tempfile::tempdir().unwrap();
    let source = session_file(home.path());
    let before = fs::read(&source).unwrap();
    let target = home.path().join("new.jsonl");
    prune_and_compact::run(&source, &target).unwrap();
    assert_eq!(fs::read(&source).unwrap(), before);
    let (old, new) = (printed_ledger(&source), printed_ledger(&target));
    assert!(new.contains("  summary "), "{new}");
    assert!(total_tokens(&new) < total_tokens(&old), "{old}\n{new}");
    assert!(prune_and_compact::run(&source, &target).is_err());
}

#[test]
fn a_session_is_pruned_by_a_policy_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let path = session_file(home.path());
    let before = printed_ledger(&path);
    own_policy::run(&path).unwrap();
    let entries = session::load(&path).unwrap().transcript.branch();
    let last = &entries.last().unwrap().body;
    assert!(matches!(last, EntryBody::Decision(_)), "{last:?}");
    let after = printed_ledger(&path);
    assert!(after.contains("cleared"), "{after}");
    assert!(
        total_tokens(&after) < total_tokens(&before),
        "{before}\n{after}"
    );
}

#[test]
fn a_snapshot_of_models_is_made_of_what_models_dev_publishes() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("api.json");
    let json = serde_json::json!({"google": {"models": {"gemini-x": {
        "tool_call": true, "release_date": "2026-11-01",
        "limit": {"context": 1_000_000, "output": 64_000},
        "modalities": {"input": ["text", "image"], "output": ["text"]},
        "cost": {"input": 1, "output": 4}}}}});
    fs::write(&path, json.to_string()).unwrap();
    let mut out = Vec::new();
    models_snapshot::run(&path, "2026-11-22", &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].contains("\"2026-11-22\"") && lines[0].contains("MIT"),
        "{text}"
    );
    assert_eq!(
        lines[1..],
        [
            r#"{"id":"gemini/gemini-x","window":1000000,"max_output":64000,"can":["images","tools"],"price":[1.0,4.0,1.0,1.0]}"#
        ]
    );
    fs::write(&path, "<html>").unwrap();
    assert!(models_snapshot::run(&path, "2026-11-22", &mut Vec::new()).is_err());
}

#[test]
fn the_scorer_of_rules_learns_the_same_from_the_same_messages() {
    let folder = tempfile::tempdir().unwrap();
    let taught = "{\"text\": \"never push\", \"rules\": [\"never push\"]}\n\
                  {\"text\": \"push it\", \"rules\": []}\n";
    fs::write(folder.path().join("taught.jsonl"), taught).unwrap();
    let model = rules_model::run(folder.path()).unwrap();
    assert!(model.iter().skip(4).any(|weight| *weight != 0));
    let unseen = "{\"text\": \"always ask\", \"rules\": [\"always ask\"]}\n";
    fs::write(folder.path().join("unseen-1.jsonl"), unseen).unwrap();
    assert_eq!(rules_model::run(folder.path()).unwrap(), model);
    fs::write(folder.path().join("more.jsonl"), "no JSON\n").unwrap();
    assert!(rules_model::run(folder.path()).is_err());
}
