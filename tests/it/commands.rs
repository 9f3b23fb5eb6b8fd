//! The commands on a session: numbers that add up, the same bytes twice, and nothing
//! changed that was not asked for.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use plimsoll::session;
use serde_json::{Value, json};

use super::program::Program;

/// A time long after everything in the logs: caches are cold.
pub const LATER: &str = "2030-01-01T00:00:00Z";

/// Stands for the directory in a session that is copied.
const HERE: &str = "{the working directory}";

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

/// A session of the offline provider with large results. Recorded once; each test has a copy
/// as its own.
pub fn long_session(plim: &Program) {
    static RECORDED: OnceLock<(OsString, String)> = OnceLock::new();
    let lines = "one of many lines of a long file\n".repeat(600);
    plim.file("big.txt", &lines);
    let cwd = |plim: &Program| plim.dir().canonicalize().unwrap().display().to_string();
    let (name, log) = RECORDED.get_or_init(|| {
        let first = Program::new();
        first.file("big.txt", &lines);
        for _ in 0..4 {
            assert_eq!(first.say("read big.txt").code, 0);
        }
        assert_eq!(first.say("help").code, 0);
        let path = first.session();
        let log = fs::read_to_string(&path).unwrap();
        assert!(log.contains(&cwd(&first)));
        let name = path.file_name().unwrap().to_owned();
        (name, log.replace(&cwd(&first), HERE))
    });
    let folder = session::encode_cwd(Path::new(&cwd(plim)));
    let folder = plim.home().join("plimsoll/data/sessions").join(folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), log.replace(HERE, &cwd(plim))).unwrap();
    assert_eq!(plim.session(), folder.join(name));
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
            "rules",
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
            "tokens_after_estimate",
            "waits_for",
            "compacts_at"
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
fn the_prompt_cache_is_asked_as_set_and_nothing_of_other_peoples_servers() {
    let plim = Program::new();
    plim.file("odd.jsonl", &odd_log());
    let body = |plim: &Program, settings: &[&str]| {
        let mut args = vec!["request", "odd.jsonl", "--provider", "anthropic"];
        for setting in settings {
            args.extend(["-S", setting]);
        }
        plim.run(&args).json()
    };
    let usual = body(&plim, &[]);
    assert!(usual["diagnostics"].is_object(), "{usual}");
    assert!(!usual.to_string().contains("\"ttl\""), "{usual}");
    let hour = body(
        &plim,
        &["prompt_cache.ttl=1h", "prompt_cache.diagnosis=false"],
    );
    assert!(hour["diagnostics"].is_null(), "{hour}");
    assert!(hour.to_string().contains("\"ttl\":\"1h\""), "{hour}");
    let elsewhere = Program::new().with("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
    elsewhere.file("odd.jsonl", &odd_log());
    let elsewhere = body(&elsewhere, &["prompt_cache.ttl=1h"]);
    assert!(elsewhere["diagnostics"].is_null(), "{elsewhere}");
    assert!(!elsewhere.to_string().contains("\"ttl\""), "{elsewhere}");
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
