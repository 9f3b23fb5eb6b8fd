//! `-p`: what goes to stdout and stderr, the exit code, and that nothing is lost.

use serde_json::{Value, json};

use super::program::{Program, Ran, dead_address, server_that_says};
use super::web::{Web, chat};

/// A failure is one sentence and a hint on stderr, with a defined exit code.
fn fails(ran: &Ran, code: i32, sentence: &str) {
    assert_eq!(ran.code, code, "{ran:?}");
    assert!(ran.err.contains(sentence), "{sentence}: {ran:?}");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(lines.len() <= 2, "one sentence, one hint: {ran:?}");
    assert!(
        lines.last().is_some_and(|line| line.starts_with("hint: ")),
        "a hint: {ran:?}"
    );
    assert!(!ran.err.contains("panicked"), "{ran:?}");
}

#[test]
fn the_answer_alone_is_on_stdout() {
    let plim = Program::new();
    plim.file("a.txt", "forty-two\n");
    let ran = plim.run(&["--offline", "-p", "read a.txt"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("forty-two"), "{ran:?}");
    assert_eq!(ran.err, "");
}

#[test]
fn what_is_piped_stands_behind_the_prompt() {
    let plim = Program::new();
    let cases = [
        (
            vec!["--offline", "-p", "first"],
            "second",
            "first\n\n<stdin>\nsecond\n</stdin>",
        ),
        (vec!["--offline", "-p"], "alone", "alone"),
    ];
    for (args, input, expected) in cases {
        let ran = plim.pipe(&args, input);
        assert_eq!(ran.code, 0, "{ran:?}");
        let log = std::fs::read_to_string(plim.session()).unwrap();
        let typed = json!(expected).to_string();
        assert!(log.contains(&typed), "{typed} in {log}");
    }
    fails(
        &plim.pipe(&["--offline", "-p"], " \n"),
        2,
        "no message given",
    );
    fails(&plim.run(&["--offline", "-p", ""]), 2, "no message given");
}

#[test]
fn json_is_one_object() {
    let plim = Program::new();
    let ran = plim.run(&["--offline", "-p", "help", "--output-format", "json"]);
    let result = ran.json();
    assert_eq!(result["type"], "result");
    assert_eq!(result["stop_reason"], "stop");
    assert_eq!(result["compactions"], 0);
    assert!(result["usage"]["input"].as_u64().unwrap() > 0);
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    let expected = [
        "type",
        "text",
        "stop_reason",
        "exit_code",
        "usage",
        "cost",
        "session",
        "compactions",
        "saved",
    ];
    assert_eq!(keys, expected);
    assert_eq!(result["saved"], true);
    let listed = plim.run(&["sessions", "--json"]).json();
    assert_eq!(listed[0]["session"], result["session"]);
}

#[test]
fn sessions_are_searched_named_and_thrown_away() {
    let plim = Program::new();
    plim.run(&["--offline", "-p", "help with the parser"]);
    plim.run(&["--offline", "-p", "write a poem"]);
    let list = |args: &[&str]| plim.run(&[&["sessions", "--json"], args].concat()).json();
    assert_eq!(list(&[]).as_array().unwrap().len(), 2);
    let found = list(&["PARSER"]);
    assert_eq!(found.as_array().unwrap().len(), 1);
    let id = found[0]["session"].as_str().unwrap().to_owned();
    let named = plim.run(&["sessions", "rename", &id, "the parser\u{1b}[2J"]);
    assert_eq!(named.code, 0, "{}", named.err);
    assert_eq!(list(&["parser"])[0]["name"], "the parser\u{1b}[2J");
    assert!(!plim.run(&["sessions"]).out.contains('\u{1b}'));
    assert!(plim.run(&["sessions", "--all"]).out.contains("the parser"));
    let refused = plim.run(&["sessions", "delete", &id]);
    assert_eq!(refused.code, 5);
    assert!(refused.err.contains("--yes"), "{}", refused.err);
    let deleted = plim.run(&["sessions", "delete", &id, "--yes"]);
    assert_eq!(deleted.code, 0, "{}", deleted.err);
    assert_eq!(list(&["parser"]), json!([]));
    assert_eq!(list(&[]).as_array().unwrap().len(), 1);
    let trashed = deleted.out.trim().strip_prefix("moved to ").unwrap();
    assert!(std::path::Path::new(trashed).is_file(), "{trashed}");
}

#[test]
fn a_stream_says_what_happens_in_order() {
    let plim = Program::new();
    plim.file("a.txt", "forty-two\n");
    let args = [
        "--offline",
        "-p",
        "read a.txt",
        "--output-format",
        "stream-json",
    ];
    let lines = plim.run(&args).lines();
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    let known = [
        "session",
        "view",
        "text_delta",
        "thinking_delta",
        "tool_call",
        "tool_result",
        "approval",
        "usage",
        "pruned",
        "guarded",
        "repaired",
        "compaction_started",
        "compaction_progress",
        "compaction_audited",
        "compaction_applied",
        "compaction_cancelled",
        "compaction_failed",
        "compaction_undone",
        "retrying",
        "notice",
        "turn_finished",
        "result",
    ];
    for kind in &kinds {
        assert!(known.contains(kind), "{kind}");
    }
    let at = |kind: &str| kinds.iter().position(|other| *other == kind);
    let order = [
        "session",
        "view",
        "tool_call",
        "tool_result",
        "turn_finished",
        "result",
    ];
    let places: Vec<usize> = order
        .iter()
        .map(|kind| at(kind).unwrap_or_else(|| panic!("{kind} in {kinds:?}")))
        .collect();
    assert!(places.is_sorted(), "{kinds:?}");
    assert_eq!(places.last(), Some(&(lines.len() - 1)));
    let call = &lines[at("tool_call").unwrap()];
    let result = &lines[at("tool_result").unwrap()];
    assert_eq!(call["call_id"], result["call_id"]);
    assert_eq!(call["arguments"]["path"], "a.txt");
    let rulers = lines.iter().filter(|line| line["type"] == "view");
    let mut rulers: Vec<&Value> = rulers.map(|view| &view["ruler"]["name"]).collect();
    rulers.dedup();
    assert_eq!(
        rulers.len(),
        1,
        "one ruler from the first view on: {rulers:?}"
    );
    for view in lines.iter().filter(|line| line["type"] == "view") {
        let categories = view["usage"]["by_category"].as_object().unwrap();
        let sum: u64 = categories.values().filter_map(Value::as_u64).sum();
        assert_eq!(view["usage"]["tokens"], sum);
    }
    let streamed: String = lines
        .iter()
        .skip(at("tool_result").unwrap())
        .filter(|line| line["type"] == "text_delta")
        .filter_map(|line| line["text"].as_str())
        .collect();
    assert_eq!(lines.last().unwrap()["text"], streamed.trim_end());
}

#[test]
fn what_needs_approval_is_refused_and_said() {
    let plim = Program::new();
    let ran = plim.run(&["--offline", "-p", "write b.txt: hello"]);
    fails(&ran, 5, "denied");
    assert!(!plim.dir().join("b.txt").exists());
    let args = [
        "--offline",
        "-p",
        "write b.txt: x",
        "--output-format",
        "stream-json",
    ];
    let ran = plim.run(&args);
    assert_eq!(ran.code, 5);
    let approval = ran
        .lines()
        .into_iter()
        .find(|line| line["type"] == "approval");
    let approval = approval.unwrap();
    assert_eq!(approval["name"], "write");
    assert_eq!(approval["decision"], "refused");
    let allowed = plim.run(&["--offline", "--approve", "all", "-p", "write b.txt: hello"]);
    assert_eq!(allowed.code, 0, "{allowed:?}");
    assert!(plim.dir().join("b.txt").exists());
}

#[test]
fn no_session_leaves_no_file() {
    let plim = Program::new();
    assert_eq!(
        plim.run(&["--offline", "--no-session", "-p", "help"]).code,
        0
    );
    assert_eq!(plim.run(&["sessions", "--json"]).json(), json!([]));
}

#[test]
fn bad_input_is_one_sentence_with_a_hint() {
    let plim = Program::new();
    plim.file("empty.jsonl", "");
    plim.file("prose.jsonl", "this is not a session\n");
    plim.file(
        "other.jsonl",
        "{\"parentUuid\":null,\"sessionId\":\"x\",\"type\":\"user\"}\n",
    );
    let broken = plim.file("broken.toml", "prune = [\n");
    let broken = broken.display().to_string();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["--offlin", "-p", "x"], 2, "--offlin"),
        (&["-p", "x", "--output-format", "xml"], 2, "xml"),
        (&["-p", "x", "--max-cost", "-1"], 3, "US dollars above 0"),
        (&["-p", "/help"], 2, "/help is a command of the screen"),
        (&["-p", "/compact the rest"], 2, "/compact is a command"),
        (&["context", "--filter", "sideways"], 2, "sideways"),
        (
            &["--offline", "-S", "prune.polcy=off", "-p", "x"],
            3,
            "prune.polcy",
        ),
        (
            &["--offline", "-S", "prune.soft_ratio=7", "-p", "x"],
            3,
            "prune.soft_ratio",
        ),
        (
            &["--offline", "--config", &broken, "-p", "x"],
            3,
            "broken.toml",
        ),
        (&["--offline", "-C", "nowhere", "-p", "x"], 2, "nowhere"),
        (&["--offline", "--add-dir", "gone", "-p", "x"], 2, "gone"),
        (&["--offline", "-r", "abcdef", "-p", "x"], 1, "abcdef"),
        (
            &["--offline", "--session", "prose.jsonl", "-p", "x"],
            1,
            "prose.jsonl",
        ),
        (&["context", "missing.jsonl"], 1, "missing.jsonl"),
        (&["context", "empty.jsonl"], 1, "empty"),
        (&["context", "prose.jsonl"], 1, "not a session file"),
        (&["pin", "other.jsonl", "e1"], 1, "claude-code"),
        (&["export", "prose.jsonl"], 1, "not a session file"),
        (&["context"], 1, "no session"),
        (&["-m", "nobody/nothing", "-p", "x"], 3, "nobody/nothing"),
        (&["request", "--provider", "nobody", "-c"], 1, "no session"),
    ];
    for (args, code, sentence) in cases {
        let ran = plim.run(args);
        fails(&ran, *code, sentence);
        assert_eq!(ran.out, "", "{args:?}");
    }
    let prose = std::fs::read_to_string(plim.dir().join("prose.jsonl")).unwrap();
    assert_eq!(
        prose, "this is not a session\n",
        "foreign files are left alone"
    );
}

#[test]
fn a_folder_or_an_unreadable_file_is_no_session() {
    let plim = Program::new();
    std::fs::create_dir(plim.dir().join("folder.jsonl")).unwrap();
    fails(&plim.run(&["context", "folder.jsonl"]), 1, "folder.jsonl");
    let binary = plim.dir().join("binary.jsonl");
    std::fs::write(&binary, [0xff, 0xfe, 0x00, 0x0a]).unwrap();
    fails(&plim.run(&["context", "binary.jsonl"]), 1, "binary.jsonl");
}

const WRONG_KEY: &str = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\n\
    connection: close\r\n\r\n{\"error\":{\"message\":\"Incorrect API key provided\",\
    \"type\":\"invalid_request_error\",\"code\":\"invalid_api_key\"}}";
const GARBAGE: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
    connection: close\r\n\r\ndata: {\"choices\": [this is not JSON\n\n";
const CUT_OFF: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
    connection: close\r\n\r\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half \
    an ans\"}}]}\n\n";

/// A run against an address; the question must be in the session whatever happens.
fn ask(base: &str) -> (Program, Ran) {
    let plim = Program::new().with("OPENAI_API_KEY", "sk-test-0123456789");
    let ran = plim.run(&[
        "-m",
        "openai/gpt-test",
        "--base-url",
        base,
        "-S",
        "retry.max_attempts=1",
        "-p",
        "a question",
    ]);
    let log = std::fs::read_to_string(plim.session()).unwrap();
    assert!(log.contains("a question"), "the question is kept: {log}");
    assert!(!log.contains("sk-test"), "no key in the log");
    assert!(!ran.err.contains("sk-test"), "no key on stderr: {ran:?}");
    (plim, ran)
}

const TWO_HOURS: &str = "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\n\
    retry-after: 7200\r\nconnection: close\r\n\r\n{\"error\":{\"message\":\"slow down\"}}";

#[test]
fn a_wait_that_is_longer_than_allowed_ends_the_turn() {
    let base = server_that_says(TWO_HOURS);
    for (allowed, said) in [("120", None), ("3600", Some("retry.max_wait_secs=3600"))] {
        let plim = Program::new().with("OPENAI_API_KEY", "sk-test-0123456789");
        let mut args = vec![
            "-m",
            "openai/gpt-test",
            "--base-url",
            &base,
            "-p",
            "a question",
        ];
        if let Some(setting) = said {
            args.extend(["-S", setting]);
        }
        let ran = plim.run(&args);
        fails(&ran, 1, "wait 7200 s");
        assert!(
            ran.err
                .contains(&format!("retry.max_wait_secs is {allowed} s")),
            "{ran:?}"
        );
    }
}

#[test]
fn a_dead_server_is_said_and_nothing_is_lost() {
    let (_, ran) = ask(&dead_address());
    fails(&ran, 1, "127.0.0.1");
}

#[test]
fn a_wrong_key_is_a_matter_of_configuration() {
    let (_, ran) = ask(&server_that_says(WRONG_KEY));
    fails(&ran, 3, "Incorrect API key");
}

#[test]
fn a_malformed_stream_is_said_and_what_came_is_kept() {
    let (_, ran) = ask(&server_that_says(GARBAGE));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("hint: "), "{ran:?}");
    let (plim, ran) = ask(&server_that_says(CUT_OFF));
    assert_eq!(ran.code, 1, "{ran:?}");
    let log = std::fs::read_to_string(plim.session()).unwrap();
    assert!(log.contains("half an ans"), "{log}");
}

#[test]
fn a_missing_key_names_its_variable() {
    let plim = Program::new();
    let ran = plim.run(&["-m", "anthropic/claude-sonnet-5-5", "-p", "x"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("ANTHROPIC_API_KEY"), "{ran:?}");
}

#[test]
fn ctrl_c_ends_with_130_and_keeps_everything() {
    use std::io::{BufRead, BufReader};
    let plim = Program::new();
    let args = [
        "--offline",
        "--approve",
        "all",
        "-p",
        "run sleep 30",
        "--output-format",
        "stream-json",
    ];
    let mut child = plim.command(&args).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("\"tool_call\"") {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "ended early");
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    let last = rest.lines().last().unwrap();
    let result: Value = serde_json::from_str(last).unwrap();
    assert_eq!(result["type"], "result");
    assert_eq!(result["stop_reason"], "aborted");
    let log = std::fs::read_to_string(plim.session()).unwrap();
    assert!(log.contains("toolResult"), "the call is answered: {log}");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let plim = Program::new();
    for format in ["text", "json", "stream-json"] {
        let args = ["--offline", "-p", "help", "--output-format", format];
        let mut child = plim.command(&args).spawn().unwrap();
        drop(child.stdout.take());
        let ran = child.wait_with_output().unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!((ran.status.code(), err.as_str()), (Some(0), ""), "{format}");
    }
}

#[test]
fn a_message_larger_than_the_window_exits_4_with_its_cause() {
    let plim = Program::new();
    let huge = "word ".repeat(40_000);
    let args = [
        "--offline",
        "--context-window",
        "20000",
        "-p",
        "--output-format",
    ];
    let ran = plim.pipe(&[&args[..], &["json"]].concat(), &huge);
    assert_eq!(ran.code, 4, "{ran:?}");
    let error = &ran.json()["error"];
    assert_eq!(error["cause"], "message_too_large", "{error}");
    assert!(error["message"].as_str().unwrap().contains("too large"));
    let stream = plim.pipe(&[&args[..], &["stream-json"]].concat(), &huge);
    assert_eq!(stream.code, 4);
    let lines = stream.lines();
    let failed = lines
        .iter()
        .find(|line| line["type"] == "compaction_failed");
    assert_eq!(failed.unwrap()["cause"], "message_too_large");
}

#[test]
fn an_engine_that_is_not_known_is_refused_with_those_that_are() {
    let plim = Program::new();
    for args in [vec!["--engine", "nope"], vec!["-S", "context.engine=nope"]] {
        let ran = plim.run(&[&["--offline"], &args[..], &["-p", "help"]].concat());
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(
            ran.err.contains("nope") && ran.err.contains("layered, sliding-window, retrieval"),
            "{ran:?}"
        );
    }
}

#[test]
fn an_own_command_is_sent_with_its_text_and_arguments() {
    let web = Web::start(|_| chat("hello"));
    let plim = Program::new()
        .with("OPENAI_API_KEY", "k")
        .with("OPENAI_BASE_URL", &format!("{}/v1", web.base));
    let folder = plim.dir().join(".plimsoll/commands/git");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("review.md");
    std::fs::write(&file, "---\ndescription: x\n---\nReview $1: $ARGUMENTS.").unwrap();
    let args = ["-m", "openai/x", "-p", "/git:review 'one two' three"];
    let sent = |ran: Ran| {
        assert_eq!(ran.code, 0, "{ran:?}");
        web.asked().last().unwrap().body.clone()
    };
    let body = sent(plim.run(&args));
    assert!(body.contains("Review one two: 'one two' three."), "{body}");
    std::fs::write(&file, "Newer.").unwrap();
    let body = sent(plim.run(&args));
    assert!(body.contains("Newer.\\n\\n'one two' three"), "{body}");
    // Text that is no command is sent unchanged.
    let body = sent(plim.run(&["-m", "openai/x", "-p", "/etc/hosts is what?"]));
    assert!(body.contains("/etc/hosts is what?"), "{body}");
}

#[test]
fn a_model_that_declines_is_no_success() {
    let plim = Program::new();
    let web = Web::start(|_| {
        let (status, head, body) = chat("I sta");
        (status, head, body.replace("\"stop\"", "\"content_filter\""))
    });
    let base = format!("{}/v1", web.base);
    let ran = plim.run(&["--base-url", &base, "-m", "openai/test", "-p", "go"]);
    fails(&ran, 1, "the model declined to answer");
    assert_eq!(ran.out.trim(), "I sta", "what arrived is there");
}
