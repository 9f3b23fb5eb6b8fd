//! What `plim prune --dry-run --json` says is what the next request then records and sends:
//! both policies, every state of the gate, guard and superseded results.

use plimsoll::transcript::Timestamp;
use serde_json::{Value, json};

use super::program::Program;
use super::server::{Server, Wire, text};

/// When the newest answer came, in milliseconds: 2027-01-15T08:00:00Z.
const ANSWERED: i64 = 1_800_000_000_000;
const MODEL: &str = "claude-sonnet-4-5";

/// One session and the settings that it is asked under.
struct Case {
    name: &'static str,
    /// Lines of each result, oldest first, and the file that was read.
    results: Vec<(usize, String)>,
    settings: &'static [&'static str],
    /// Seconds since the newest answer.
    pause_secs: i64,
    gate: &'static str,
    /// Whether results are trimmed, cleared, cut by the guard.
    expected: [bool; 3],
}

fn time(at: i64) -> String {
    plimsoll::session::to_rfc3339(Timestamp(at))
}

/// Each result is asked for in a turn of its own.
fn log(case: &Case) -> String {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": case.name,
        "timestamp": time(ANSWERED - 9_000_000), "cwd": "/nowhere"})];
    let mut add = |message: Value| {
        let n = lines.len();
        let parent = (n > 1).then(|| format!("{:08x}", n - 1));
        lines.push(
            json!({"type": "message", "id": format!("{n:08x}"), "parentId": parent,
            "timestamp": time(ANSWERED), "message": message}),
        );
    };
    let answer = |content: Value, stop: &str| {
        json!({"role": "assistant", "content": content, "stopReason": stop,
            "provider": "anthropic", "model": MODEL})
    };
    for (n, (length, path)) in case.results.iter().enumerate() {
        add(json!({"role": "user", "content": format!("read {path}")}));
        let call = json!({"type": "toolCall", "id": format!("c{n}"), "name": "read",
            "arguments": {"path": path}});
        add(answer(json!([call]), "toolUse"));
        let initial = path.get(..1).unwrap();
        let body = format!("{initial}: one of many lines of a long file\n").repeat(*length);
        add(
            json!({"role": "toolResult", "toolCallId": format!("c{n}"), "toolName": "read",
            "content": [{"type": "text", "text": body}], "isError": false}),
        );
        add(answer(json!([{"type": "text", "text": "read"}]), "stop"));
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

fn files(lengths: &[usize]) -> Vec<(usize, String)> {
    let named = lengths.iter().enumerate();
    named
        .map(|(n, &length)| (length, format!("f{n}")))
        .collect()
}

fn cases() -> Vec<Case> {
    let protect: &[&str] = &[
        "prune.policy=protect-recent",
        "prune.protect_tokens=6250",
        "prune.minimum_tokens=2500",
        "prune.protect_turns=1",
    ];
    let case = |name, results, settings, (pause_secs, gate), expected| Case {
        name,
        results,
        settings,
        pause_secs,
        gate,
        expected,
    };
    let few: &[&str] = &["window.user=100000", "prune.min_prunable_chars=1000"];
    let forced: &[&str] = &["window.user=100000", "prune.force_ratio=0.5"];
    let [nothing, trimmed, cleared, both, guarded] = [
        [false; 3],
        [true, false, false],
        [false, true, false],
        [true, true, false],
        [false, false, true],
    ];
    let same = |lines| (lines, "same".to_owned());
    let mut read_again = vec![same(900), same(900), same(900)];
    read_again.extend(files(&[100; 3]));
    let large = files(&[400, 400, 400, 400, 400, 400, 3_200]);
    vec![
        case("cold", files(&[400; 7]), few, (300, "cold"), trimmed),
        case("warm", files(&[400; 7]), few, (299, "warm"), nothing),
        case("full", large, few, (300, "cold"), both),
        case("forced", files(&[600; 6]), forced, (10, "forced"), trimmed),
        // Below a quarter of the load line.
        case(
            "again",
            read_again,
            &["window.user=225000"],
            (3_600, "cold"),
            cleared,
        ),
        case("protect", files(&[400; 6]), protect, (1, "cold"), cleared),
        case(
            "little",
            files(&[150; 2]),
            protect,
            (3_600, "cold"),
            nothing,
        ),
        case("guard", files(&[100, 3_800]), few, (1, "warm"), guarded),
    ]
}

/// The cuts that a log holds, as the command writes them.
fn recorded(log: &str, kind: &str) -> Vec<Value> {
    log.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|entry| entry["customType"] == kind)
        .flat_map(|entry| entry["data"]["cuts"].as_array().unwrap().clone())
        .collect()
}

/// The identity of a cut wherever it is written.
fn essence(cut: &Value) -> (String, String, u64, u64) {
    let entry = cut.get("entry").or_else(|| cut.get("target")).unwrap();
    let number = |names: [&str; 2]| {
        let found = names.iter().find_map(|name| cut.get(*name));
        found.and_then(Value::as_u64).unwrap()
    };
    (
        entry.as_str().unwrap().to_owned(),
        cut["phase"].as_str().unwrap().to_owned(),
        number(["tokens_before", "tokensBefore"]),
        number(["tokens_after", "tokensAfter"]),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dry_run_says_what_the_next_request_then_does() {
    for case in cases() {
        let server = Server::start(Wire::Anthropic, vec![text("done")]).await;
        let plim = Program::new()
            .with("ANTHROPIC_API_KEY", "test-key")
            .with("ANTHROPIC_BASE_URL", &server.base);
        let file = plim.file("session.jsonl", &log(&case));
        let file = file.to_str().unwrap();
        let now = time(ANSWERED + case.pause_secs * 1_000);
        let mut common = vec!["--now", &now];
        for setting in case.settings {
            common.extend(["-S", setting]);
        }
        let before = std::fs::read_to_string(file).unwrap();
        let mut look = vec!["prune", file, "--dry-run", "--json"];
        look.extend(&common);
        let said = plim.run(&look).json();
        assert_eq!(said["gate"], case.gate, "{}: {said}", case.name);
        let count = |key: &str| said[key].as_u64().unwrap();
        let found = [
            count("trimmed") > 0,
            count("cleared") > 0,
            said["guard"] != json!([]),
        ];
        assert_eq!(found, case.expected, "{}: {said}", case.name);
        assert_eq!(std::fs::read_to_string(file).unwrap(), before);
        let mut ask = vec!["--session", file, "-p", "x"];
        ask.extend(&common);
        let ran = plim.run(&ask);
        assert_eq!(ran.code, 0, "{}: {ran:?}", case.name);
        let after = std::fs::read_to_string(file).unwrap();
        for (kind, listed) in [("plimsoll.prune", "cuts"), ("plimsoll.guard", "guard")] {
            let promised: Vec<_> = said[listed]
                .as_array()
                .unwrap()
                .iter()
                .map(essence)
                .collect();
            let done: Vec<_> = recorded(&after, kind).iter().map(essence).collect();
            assert_eq!(promised, done, "{}: {kind}", case.name);
        }
        let sent = server.body(0).to_string();
        let placeholders = sent.matches("content cleared").count() as u64
            + sent.matches("superseded").count() as u64;
        assert_eq!(placeholders, count("cleared"), "{}", case.name);
    }
}
