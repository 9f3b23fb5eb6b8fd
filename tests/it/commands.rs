//! The commands on a session: numbers that add up, the same bytes twice, and nothing
//! changed that was not asked for.

use std::collections::BTreeMap;
use std::path::Path;

use plimsoll::session;
use serde_json::{Value, json};

use super::program::Program;

/// A time long after everything in the logs: caches are cold.
const LATER: &str = "2030-01-01T00:00:00Z";

/// A log with everything that repair and projection know.
fn odd_log() -> String {
    let entry = |id: &str, parent: Option<&str>, rest: Value| {
        let mut line = json!({"id": id, "parentId": parent, "timestamp": "2026-01-02T03:04:05Z"});
        let fields = line.as_object_mut().unwrap();
        fields.extend(rest.as_object().unwrap().clone());
        line.to_string()
    };
    let message = |message: Value| json!({"type": "message", "message": message});
    let answer = |content: Value, stop: &str| {
        message(
            json!({"role": "assistant", "content": content, "stopReason": stop,
            "provider": "offline", "model": "plain"}),
        )
    };
    let result = |call: &str, text: &str| {
        message(
            json!({"role": "toolResult", "toolCallId": call, "toolName": "read",
            "content": [{"type": "text", "text": text}], "isError": false}),
        )
    };
    let call = |id: &str| {
        json!({"type": "toolCall", "id": id, "name": "read",
        "arguments": {"path": "a.txt"}})
    };
    let bodies = [
        message(json!({"role": "user", "content": "read the file 漢字 👩‍🚀"})),
        answer(json!([call("c1"), call("c2")]), "toolUse"),
        result("c1", &"a line of the file\n".repeat(2_000)),
        result("c1", "a second answer"),
        result("c9", "nobody asked"),
        message(json!({"role": "user", "content": "and now?"})),
        answer(
            json!([{"type": "text", "text": "half"}, call("c3")]),
            "aborted",
        ),
        message(
            json!({"role": "bashExecution", "command": "ls", "output": "a.txt",
            "exitCode": 0, "excludeFromContext": true}),
        ),
        message(
            json!({"role": "bashExecution", "command": "pwd", "output": "/",
            "exitCode": 0}),
        ),
        json!({"type": "branch_summary", "fromId": "e0000000", "summary": "tried another way"}),
        json!({"type": "custom_message", "customType": "note", "content": "mind the gap",
            "display": true}),
        json!({"type": "context_edit", "targetId": "e0000005",
            "replacement": {"content": "and then?"}}),
        json!({"type": "from_the_future", "data": 1}),
        message(json!({"role": "user", "content": "go on"})),
        answer(json!([{"type": "text", "text": "done"}]), "stop"),
    ];
    let mut log = json!({"type": "session", "version": 3, "id": "odd",
        "timestamp": "2026-01-02T03:04:05Z", "cwd": "/nowhere"})
    .to_string();
    let mut parent: Option<String> = None;
    for (index, body) in bodies.into_iter().enumerate() {
        let id = format!("e{index:07}");
        log.push('\n');
        log.push_str(&entry(&id, parent.as_deref(), body));
        parent = Some(id);
    }
    log.push('\n');
    log
}

/// A session of the offline provider with large results and a compaction.
fn long_session(plim: &Program) {
    let lines = "one of many lines of a long file\n".repeat(600);
    plim.file("big.txt", &lines);
    for _ in 0..4 {
        assert_eq!(plim.say("read big.txt").code, 0);
    }
    assert_eq!(plim.say("help").code, 0);
}

/// The sum rules of `context --json`.
fn adds_up(view: &Value, session: &Path) {
    let items = view["items"].as_array().unwrap();
    let tokens: u64 = items
        .iter()
        .map(|item| item["tokens"].as_u64().unwrap())
        .sum();
    assert_eq!(view["usage"]["tokens"], tokens, "Σ items");
    let mut by_category: BTreeMap<&str, u64> = BTreeMap::new();
    for item in items {
        *by_category
            .entry(item["category"].as_str().unwrap())
            .or_default() += item["tokens"].as_u64().unwrap();
    }
    for (category, tokens) in view["usage"]["by_category"].as_object().unwrap() {
        let sum = by_category.get(category.as_str()).copied().unwrap_or(0);
        assert_eq!(*tokens, sum, "{category}");
    }
    assert_eq!(items[0]["category"], "system");
    assert_eq!(items[1]["category"], "tools");
    let left_out = view["left_out"].as_array().unwrap();
    let mut listed: Vec<&str> = items
        .iter()
        .chain(left_out)
        .filter_map(|row| row["entry"].as_str())
        .collect();
    let loaded = session::load(session).unwrap();
    let branch = loaded.transcript.branch();
    let mut speaking: Vec<&str> = branch
        .iter()
        .filter(|entry| entry.body.speaks_to_model())
        .map(|entry| entry.id.as_str())
        .collect();
    listed.sort_unstable();
    speaking.sort_unstable();
    assert_eq!(listed, speaking, "each entry that speaks, once");
}

#[test]
fn the_ledger_adds_up_whatever_the_log_holds() {
    let plim = Program::new();
    let odd = plim.file("odd.jsonl", &odd_log());
    for extra in [
        &[][..],
        &["--pending", "and what about this?"],
        &["--offline", "--context-window", "0"],
        &["--context-cap", "20000", "-S", "ruler=chars4"],
    ] {
        let mut args = vec!["context", "odd.jsonl", "--json"];
        args.extend(extra);
        let view = plim.run(&args).json();
        adds_up(&view, &odd);
    }
    long_session(&plim);
    let compacted = plim.run(&["compact", "--yes", "--force", "--json"]);
    assert_eq!(compacted.code, 0, "{compacted:?}");
    let view = plim.run(&["context", "--json"]).json();
    adds_up(&view, &plim.session());
    assert!(view["usage"]["by_category"]["summary"].as_u64().unwrap() > 0);
}

#[test]
fn the_ledger_has_its_keys_in_order() {
    let plim = Program::new();
    plim.file("odd.jsonl", &odd_log());
    let view = plim
        .run(&["context", "odd.jsonl", "--json", "--pending", "next"])
        .json();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(
        keys(&view),
        [
            "session",
            "leaf",
            "model",
            "engine",
            "preset",
            "window",
            "ruler",
            "usage",
            "items",
            "left_out",
            "repair",
            "guard",
            "prune",
            "compaction"
        ]
    );
    assert_eq!(view["session"], "odd");
    assert_eq!(view["leaf"], "e0000014");
    assert_eq!(
        view["model"], "offline/plain",
        "the model that answered last"
    );
    assert_eq!(view["preset"], "default");
    let other = plim
        .run(&["context", "odd.jsonl", "--json", "--preset", "openclaw"])
        .json();
    assert_eq!(other["preset"], "openclaw");
    assert_eq!(other["ruler"]["name"], "chars4");
    assert_eq!(
        keys(&view["compaction"]),
        [
            "due",
            "would_summarize",
            "would_keep",
            "tokens_after_estimate"
        ]
    );
    let pending = view["items"].as_array().unwrap().last().unwrap();
    assert_eq!(pending["category"], "pending");
    assert_eq!(pending["entry"], Value::Null);
    let of = |name: &str| {
        let rows = view["left_out"].as_array().unwrap();
        rows.iter().filter(|row| row["disposition"] == name).count()
    };
    assert_eq!((of("duplicate"), of("orphaned"), of("excluded")), (1, 1, 1));
    let cleared = plim.run(&["context", "odd.jsonl", "--json", "--filter", "orphaned"]);
    assert_eq!(cleared.json()["items"], json!([]));
    assert_eq!(cleared.json()["left_out"].as_array().unwrap().len(), 1);
}

#[test]
fn the_same_time_gives_the_same_bytes() {
    let plim = Program::new();
    plim.file("odd.jsonl", &odd_log());
    for command in [
        &["context", "odd.jsonl", "--json"][..],
        &["context", "odd.jsonl"],
        &["request", "odd.jsonl"],
        &["request", "odd.jsonl", "--provider", "anthropic"],
        &["prune", "odd.jsonl", "--dry-run", "--json"],
    ] {
        let mut args = command.to_vec();
        args.extend(["--now", LATER]);
        let first = plim.run(&args);
        assert_eq!(first.code, 0, "{first:?}");
        assert_eq!(first.out, plim.run(&args).out, "{command:?}");
    }
}

#[test]
fn looking_changes_nothing() {
    let plim = Program::new();
    let mut log = odd_log();
    log.push_str("{\"type\":\"message\",\"id\":\"torn");
    let path = plim.file("odd.jsonl", &log);
    for command in [
        &["context"][..],
        &["context", "--json"],
        &["request"],
        &["request", "--diff-previous"],
        &["prune", "--dry-run"],
        &["prune", "--dry-run", "--force", "--json"],
        &["compact", "--dry-run"],
        &["summary"],
        &["export", "--format", "md"],
        &["export"],
    ] {
        let (name, rest) = command.split_first().unwrap();
        let mut args = vec![*name, "odd.jsonl"];
        args.extend(rest);
        let ran = plim.run(&args);
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        assert!(!ran.out.is_empty(), "{args:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), log, "{args:?}");
        let beside = std::fs::read_dir(plim.dir()).unwrap().count();
        assert_eq!(beside, 1, "{args:?} left a file behind");
    }
}

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
fn a_compaction_without_consent_changes_nothing() {
    let plim = Program::new();
    long_session(&plim);
    let before = std::fs::read(plim.session()).unwrap();
    let shown = plim.run(&["compact", "--force"]);
    assert_eq!(shown.code, 5, "{shown:?}");
    assert!(shown.out.contains("audit"), "{shown:?}");
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
        for key in proposed.iter().filter(|key| *key != "diff") {
            assert!(keys(&json).contains(key), "no {key} in {json}");
        }
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
            "attempts",
            "degraded",
            "edited",
            "mended",
            "tokens_before",
            "tokens_after",
            "ruler",
            "first_kept",
            "summarized",
            "kept",
            "summary",
            "audit",
            "usage",
            "duration_ms"
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
    // A placeholder stands where the order of roles needs one.
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
        (["drop", last.as_str()], "newest user message"),
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
fn the_request_is_the_view_and_holds_no_key() {
    let plim = Program::new().with("ANTHROPIC_API_KEY", "sk-ant-secret-0123456789");
    plim.file("odd.jsonl", &odd_log());
    let body = plim.run(&["request", "odd.jsonl", "--provider", "anthropic"]);
    assert_eq!(body.code, 0, "{body:?}");
    assert!(!body.out.contains("sk-ant"), "no key");
    let messages = body.json()["messages"].to_string();
    assert!(messages.contains("and then?"), "the edit is sent");
    assert!(!messages.contains("nobody asked"), "the orphan is not");
    let own = plim.run(&["request", "odd.jsonl", "--diff-previous"]);
    assert!(own.err.contains("unchanged"), "{own:?}");
    own.json();
}

#[test]
fn a_request_needs_no_key() {
    let plim = Program::new();
    plim.file("odd.jsonl", &odd_log());
    let body = plim.run(&["request", "odd.jsonl", "--provider", "anthropic"]);
    assert_eq!(body.code, 0, "{body:?}");
    let unknown = plim.run(&["request", "odd.jsonl", "--provider", "nobody"]);
    assert_eq!(unknown.code, 3, "{unknown:?}");
}

#[test]
fn an_export_is_the_file_or_reads_well() {
    let plim = Program::new();
    let log = odd_log();
    plim.file("odd.jsonl", &log);
    assert_eq!(plim.run(&["export", "odd.jsonl"]).out, log);
    let text = plim.run(&["export", "odd.jsonl", "--format", "md"]).out;
    assert!(text.starts_with("# Session"), "{text}");
    assert!(text.contains("漢字"));
    let page = plim.run(&["export", "odd.jsonl", "--format", "html"]).out;
    assert!(
        page.starts_with("<!doctype html>") && page.contains("漢字"),
        "{page}"
    );
    let body = plim.run(&["export", "odd.jsonl", "--format", "json"]);
    assert_eq!(body.json(), plim.run(&["request", "odd.jsonl"]).json());
}

#[test]
fn models_and_settings_are_listed() {
    let plim = Program::new();
    let models = plim.run(&["models", "--json"]).json();
    let offline = models
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["model"] == "offline/plain");
    assert_eq!(offline.unwrap()["available"], true);
    assert!(plim.run(&["models"]).out.contains("ANTHROPIC_API_KEY"));
    let shown = plim.run(&["config", "show", "-S", "prune.policy=off"]);
    assert!(shown.out.contains("prune.policy"), "{shown:?}");
    assert!(plim.run(&["config", "default"]).out.contains("[prune]"));
}

#[test]
fn a_broken_configuration_does_not_hide_where_it_is() {
    let plim = Program::new();
    let path = plim.run(&["config", "path"]).out;
    let path = Path::new(path.trim());
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "nonsense = [").unwrap();
    assert_eq!(plim.run(&["config", "path"]).code, 0);
    assert_eq!(plim.run(&["config", "default"]).code, 0);
    let shown = plim.run(&["config", "show"]);
    assert_eq!(shown.code, 3);
    assert!(shown.err.contains("config.toml"), "{shown:?}");
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
