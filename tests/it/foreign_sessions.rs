//! Sessions of other programs on the command line: read where they lie, and imported.

use serde_json::{Value, json};

use super::program::Program;

/// A conversation of Claude Code with a call that fails, a compaction and a dead end.
fn conversation(program: &Program) -> String {
    let cwd = program.dir().canonicalize().unwrap();
    let line = |uuid: &str, parent: Option<&str>, kind: &str, message: Value| {
        json!({ "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "tides",
            "cwd": cwd, "version": "2.1.330", "timestamp": "2026-11-22T09:00:00.000Z",
            "message": message })
    };
    let user = |uuid: &str, parent: Option<&str>, text: &str| {
        line(
            uuid,
            parent,
            "user",
            json!({ "role": "user", "content": text }),
        )
    };
    let answer = |uuid: &str, parent: &str, block: Value| {
        let message = json!({ "id": uuid, "role": "assistant", "model": "claude-x",
            "content": [block], "usage": { "input_tokens": 9, "output_tokens": 3 } });
        line(uuid, Some(parent), "assistant", message)
    };
    let mut boundary = line("b", None, "system", Value::Null);
    boundary["subtype"] = json!("compact_boundary");
    boundary["logicalParentUuid"] = json!("a2");
    boundary["compactMetadata"] = json!({ "trigger": "manual", "preTokens": 900 });
    let mut summary = user(
        "s",
        Some("b"),
        "Summary:\nSt Malo has 11.84 m in tides.csv.",
    );
    summary["isCompactSummary"] = json!(true);
    let call = json!({ "type": "tool_use", "id": "c", "name": "Bash",
        "input": { "command": "cat tides.csv" } });
    let result = json!({ "role": "user", "content": [{ "type": "tool_result",
        "tool_use_id": "c", "content": "no such file", "is_error": true }] });
    let said = |text: &str| json!({ "type": "text", "text": text });
    let lines = [
        user("u1", None, "Which port in tides.csv has the highest tide?"),
        answer("a1", "u1", call),
        line("r1", Some("a1"), "user", result),
        user("d1", Some("r1"), "A dead end"),
        answer("a2", "r1", said("St Malo has 11.84 m.")),
        boundary,
        summary,
        user("u2", Some("s"), "And Hoefn?"),
        answer("a3", "u2", said("1.77 m.")),
        json!({ "type": "from-the-future" }),
    ];
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

#[test]
fn a_session_of_another_program_is_read_where_it_lies() {
    let program = Program::new();
    let path = program.file("tides.jsonl", &conversation(&program));
    let before = std::fs::read(&path).unwrap();
    let name = path.to_str().unwrap();
    let ran = program.run(&["--offline", "context", name, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!ran.out.contains("A dead end"));
    assert!(
        ran.err.contains("from-the-future"),
        "what is not understood is said: {}",
        ran.err
    );
    let items = ran.json()["items"].to_string();
    assert!(items.contains("And Hoefn?") && items.contains("11.84"));
    let left = ran.json()["left_out"].as_array().unwrap().len();
    assert!(
        left >= 3,
        "both sides of the compaction are accounted for: {left}"
    );
    let summary = program.run(&["summary", name, "--json"]).json();
    assert_eq!(summary[0]["tokens_before"], 900);
    assert_eq!(summary[0]["model"], "claude-code");
    let fidelity = program
        .run(&["--offline", "fidelity", name, "--json"])
        .json();
    assert_eq!(fidelity["compactions"].as_array().unwrap().len(), 1);
    let dry = program.run(&["--offline", "compact", name, "--dry-run", "--json"]);
    assert_eq!(dry.code, 0, "{dry:?}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(
        program.run(&["sessions", "--all", "--json"]).json(),
        json!([])
    );
}

#[test]
fn an_import_says_what_it_made_and_what_is_lost_and_can_be_continued() {
    let program = Program::new();
    let path = program.file("tides.jsonl", &conversation(&program));
    let name = path.to_str().unwrap();
    let made = program.run(&["import", name, "--json"]).json();
    let counted = [
        "tool_calls",
        "tool_results",
        "errors",
        "images",
        "attachments",
        "compactions",
    ];
    let counts: Vec<u64> = counted
        .iter()
        .map(|key| made[key].as_u64().unwrap())
        .collect();
    assert_eq!(counts, [1, 1, 1, 0, 0, 1]);
    assert_eq!(made["lost"][0]["line"], 10);
    let again = program.run(&["import", name, "--json"]).json();
    assert_eq!(
        (&again["session"], &again["state"]),
        (&made["session"], &json!("up-to-date"))
    );
    let listed = program.run(&["sessions", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let session = made["session"].as_str().unwrap();
    let on = program.run(&["--offline", "--resume", session, "-p", "Thanks."]);
    assert_eq!(on.code, 0, "{on:?}");
    let text = program.run(&["export", session, "--format", "md"]).out;
    assert!(text.contains("Thanks.") && text.contains("1.77 m."));
}

#[test]
fn the_newest_session_of_a_program_has_a_short_name() {
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("projects/-w");
    std::fs::create_dir_all(&store).unwrap();
    let program = Program::new().with("CLAUDE_CONFIG_DIR", home.path().to_str().unwrap());
    std::fs::write(store.join("tides.jsonl"), conversation(&program)).unwrap();
    let summary = program.run(&["summary", "@claude", "--json"]);
    assert_eq!(summary.json().as_array().unwrap().len(), 1, "{summary:?}");
    let all = program.run(&["import", "claude-code", "--all"]);
    assert!(
        all.out.contains("2 turns") && all.out.contains("line 10"),
        "{all:?}"
    );
    let none = program.run(&["summary", "@codex"]);
    assert!(
        none.code == 1 && none.err.contains("codex has no session of"),
        "{none:?}"
    );
    let unknown = program.run(&["import", "nobody", "--all"]);
    assert!(
        unknown.code == 2 && unknown.err.contains("claude-code"),
        "{unknown:?}"
    );
}

#[test]
fn a_file_that_no_program_here_wrote_is_refused_with_a_reason() {
    let program = Program::new();
    program.file("notes.txt", "hello\n");
    let ran = program.run(&["import", "notes.txt"]);
    assert!(
        ran.code == 1 && ran.err.contains("no session of a program known here"),
        "{ran:?}"
    );
    program.say("hello");
    let own = program.session().display().to_string();
    let ran = program.run(&["import", &own]);
    assert!(
        ran.code == 1 && ran.err.contains("is a session already"),
        "{ran:?}"
    );
    let ran = program.run(&["import", "sessions/gone.jsonl"]);
    assert!(
        ran.code == 1 && ran.err.contains("gone.jsonl does not exist"),
        "{ran:?}"
    );
    program.file(
        "empty.jsonl",
        "{\"sessionId\":\"g\",\"projectHash\":\"h\"}\n",
    );
    let ran = program.run(&["import", "empty.jsonl"]);
    assert!(
        ran.code == 1 && ran.err.contains("holds no message"),
        "{ran:?}"
    );
    let open = program.run(&["--offline", "--resume", "empty.jsonl", "-p", "on"]);
    assert!(
        open.code == 1 && open.err.contains("holds no message"),
        "{open:?}"
    );
}

#[test]
fn the_newest_session_of_a_program_is_continued_and_its_import_says_where_it_comes_from() {
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("projects/-w");
    std::fs::create_dir_all(&store).unwrap();
    let program = Program::new().with("CLAUDE_CONFIG_DIR", home.path().to_str().unwrap());
    let source = store.join("tides.jsonl");
    std::fs::write(&source, conversation(&program)).unwrap();
    let before = std::fs::read(&source).unwrap();
    let on = program.run(&["--offline", "--resume", "@claude", "-p", "Thanks."]);
    assert_eq!(on.code, 0, "{on:?}");
    assert!(
        on.err.contains("imported from claude-code 2.1.330"),
        "{on:?}"
    );
    assert!(
        on.err.contains("from-the-future"),
        "what is lost is said: {on:?}"
    );
    assert_eq!(std::fs::read(&source).unwrap(), before);
    let listed = program.run(&["sessions", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let origin = &listed[0]["imported"];
    assert_eq!(origin["program"], "claude-code");
    assert_eq!(origin["path"], source.to_str().unwrap());
    assert_eq!(origin["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(origin["lossy"][0]["line"], 10);
    let rows = program.run(&["sessions"]).out;
    assert!(rows.contains("[from claude-code 2.1.330]"), "{rows}");
    let ledger = program.run(&["--offline", "context"]).out;
    assert!(
        ledger.starts_with("imported from claude-code 2.1.330: "),
        "{ledger}"
    );
    // The model is told where what it reads comes from.
    let sent = program.run(&["--offline", "request"]).out;
    assert!(
        sent.contains("was imported from claude-code 2.1.330"),
        "{sent}"
    );
    assert!(
        sent.contains("Thanks.") && !sent.contains("A dead end"),
        "{sent}"
    );
    // Again: the session that was continued, not a second one.
    let again = program.run(&["--offline", "--resume", "@claude", "-p", "Again."]);
    assert!(again.err.contains("up to date"), "{again:?}");
    let sessions = program.run(&["sessions", "--all", "--json"]).json();
    assert_eq!(sessions.as_array().unwrap().len(), 1);
    let text = program.run(&["export", "--format", "md"]).out;
    assert!(text.contains("Thanks.") && text.contains("Again."));
}

#[test]
fn rules_of_an_imported_session_hold_only_when_they_are_confirmed() {
    let program = Program::new();
    let text = conversation(&program).replace("And Hoefn?", "Never push to main.");
    let path = program.file("tides.jsonl", &text);
    let made = program.run(&["import", path.to_str().unwrap()]);
    assert!(
        made.out.contains("possible rules: 1, none active"),
        "{made:?}"
    );
    let state = |program: &Program| {
        let rules = program.run(&["rules", "--json"]).json();
        let rule = rules["rules"][0].clone();
        (
            rule["id"].as_str().unwrap().to_owned(),
            rule["state"].clone(),
        )
    };
    let (id, before) = state(&program);
    assert_eq!(before, "possible");
    let confirmed = program.run(&["rules", "confirm", &id]);
    assert_eq!(confirmed.code, 0, "{confirmed:?}");
    assert_eq!(state(&program).1, "active");
    // What is said here holds at once.
    program.run(&[
        "--offline",
        "-c",
        "-p",
        "Always run cargo fmt before a commit.",
    ]);
    let rules = program.run(&["rules", "--json"]).json();
    assert_eq!(rules["rules"][1]["state"], "active", "{rules}");
}

#[test]
fn text_is_found_in_sessions_of_ours_and_of_others_before_and_after_an_import() {
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("projects/-w");
    std::fs::create_dir_all(&store).unwrap();
    let program = Program::new().with("CLAUDE_CONFIG_DIR", home.path().to_str().unwrap());
    let source = store.join("tides.jsonl");
    std::fs::write(&source, conversation(&program)).unwrap();
    program.say("Which gauge did St Malo have?");
    let found = program.run(&["search", "Malo", "--json"]).json();
    let programs: Vec<&Value> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["program"])
        .collect();
    assert_eq!(programs.len(), 2, "{found}");
    assert!(programs.contains(&&json!("claude-code")) && programs.contains(&&Value::Null));
    let failed = program.run(&[
        "search", "--errors", "--tool", "bash", "no", "such", "file", "--json",
    ]);
    let failed = failed.json();
    assert_eq!(failed[0]["hits"][0]["role"], "tool_result");
    assert_eq!(failed[0]["path"], source.to_str().unwrap());
    let text = program.run(&["search", "tides.csv"]).out;
    assert!(
        text.contains("claude-code") && text.contains("plim resume "),
        "{text}"
    );
    let path = failed[0]["path"].as_str().unwrap();
    assert_eq!(program.run(&["import", path]).code, 0);
    let after = program.run(&["search", "highest", "tide", "--json"]).json();
    assert_eq!(after.as_array().unwrap().len(), 1, "{after}");
    assert_eq!(after[0]["program"], Value::Null);
    let none = program.run(&["search", "xyzzy"]);
    assert!(
        none.code == 0 && none.out.contains("nothing found in"),
        "{none:?}"
    );
    let empty = program.run(&["search", "?!"]);
    assert!(
        empty.code == 2 && empty.err.contains("no word"),
        "{empty:?}"
    );
}

#[test]
fn sessions_of_pi_are_listed_searched_and_opened_as_they_are() {
    let home = tempfile::tempdir().unwrap();
    let program = Program::new().with("PI_CODING_AGENT_DIR", home.path().to_str().unwrap());
    let cwd = program.dir().canonicalize().unwrap();
    let store = home.path().join("sessions/--w--");
    std::fs::create_dir_all(&store).unwrap();
    let path = store.join("2026-11-22T09-00-00-000Z_p1.jsonl");
    let message = |role: &str, content: Value| {
        json!({ "type": "message", "id": role, "parentId": null,
            "timestamp": "2026-11-22T09:00:00.000Z", "message": { "role": role, "content": content } })
    };
    let lines = [
        json!({ "type": "session", "version": 3, "id": "p1", "cwd": cwd,
            "timestamp": "2026-11-22T09:00:00.000Z" }),
        message("user", json!("Which port has the highest tide?")),
    ];
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    std::fs::write(&path, &text).unwrap();
    let doctor = program.run(&["--offline", "doctor", "--json"]).json();
    let row = &doctor["stores"][0];
    assert_eq!(
        (&row["program"], &row["sessions"]),
        (&json!("pi"), &json!(1)),
        "{doctor}"
    );
    let context = program.run(&["--offline", "context", "@pi"]);
    assert!(
        context.code == 0 && context.out.contains("highest tide"),
        "{context:?}"
    );
    let found = program
        .run(&["search", "highest", "--program", "pi", "--json"])
        .json();
    assert_eq!(found[0]["path"], path.to_str().unwrap(), "{found}");
    let import = program.run(&["import", "@pi", "--all"]);
    assert!(
        import.code != 0 && import.err.contains("no import is needed"),
        "{import:?}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "only read");
}

#[test]
fn doctor_names_the_stores_it_finds_and_those_that_it_does_not_understand() {
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("projects/-w");
    std::fs::create_dir_all(&store).unwrap();
    let program = Program::new().with("CLAUDE_CONFIG_DIR", home.path().to_str().unwrap());
    let source = store.join("tides.jsonl");
    std::fs::write(&source, conversation(&program)).unwrap();
    let found = program.run(&["--offline", "doctor", "--json"]).json();
    let row = &found["stores"][0];
    assert_eq!(
        (&row["program"], &row["sessions"]),
        (&json!("claude-code"), &json!(1))
    );
    assert_eq!(
        (&row["version"], &row["unknown"]["from-the-future"]),
        (&json!("2.1.330"), &json!(1))
    );
    let text = conversation(&program)
        .replace("\"user\"", "\"asker\"")
        .replace("\"assistant\"", "\"answerer\"");
    std::fs::write(&source, text).unwrap();
    let ran = program.run(&["--offline", "doctor"]);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("nothing of them is understood"), "{ran:?}");
}
