//! The demo session of the tour, `assets/demo-session.jsonl`: written by the rules below,
//! kept in the repository, and checked for what the tour needs of it.
//!
//! `BLESS=1 cargo test` writes the file again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll::context::ruler::Approximate;
use plimsoll::context::{
    ContextSettings, ContextView, Disposition, Gate, PruneSettings, RequestContext, ViewAssembler,
};
use plimsoll::session::{Durability, Header, SessionLog, load};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, AuditRecord, Compaction, CompactionCost, CompactionDetails,
    Decision, Entry, EntryBody, EntryId, Message, ModelInfo, ModelRef, Part, PromptCache,
    StopReason, SummaryAppendix, SummaryCheck, Timestamp, ToolCall, ToolResult, Transcript,
};
use serde_json::{Value, json};

use crate::demo_texts as texts;

/// 2026-03-02 08:10 UTC: long enough ago for every cache to be cold.
const START_MS: i64 = 1_772_439_000_000;
/// Between two entries.
const STEP_MS: i64 = 21_000;
/// A day later, when the tour begins.
pub const LATER: Timestamp = Timestamp(START_MS + 86_400_000);
/// The window of the offline model.
const WINDOW_TOKENS: u64 = 32_000;

/// The committed file.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo-session.jsonl")
}

/// A log in the making.
struct Story {
    entries: Vec<Entry>,
    calls: usize,
}

impl Story {
    fn add(&mut self, body: EntryBody) -> EntryId {
        let number = self.entries.len() as u32 + 1;
        // Spread, so that ids differ in their first digits, as real ones do.
        let id = EntryId::new(format!("{:08x}", number.wrapping_mul(0x9e37_79b1)));
        self.entries.push(Entry {
            id: id.clone(),
            parent: self.entries.last().map(|entry| entry.id.clone()),
            timestamp: Timestamp(START_MS + STEP_MS * i64::from(number)),
            body,
        });
        id
    }

    fn message(&mut self, message: Message) -> EntryId {
        self.add(EntryBody::Message(Arc::new(message)))
    }

    fn user(&mut self, text: &str) -> EntryId {
        self.message(Message::user_text(text))
    }

    fn answer(&mut self, content: Vec<AssistantPart>, stop: StopReason) {
        self.message(Message::Assistant(AssistantMessage {
            content,
            provider: "offline".to_owned(),
            model: "plain".to_owned(),
            stop,
            ..AssistantMessage::default()
        }));
    }

    fn say(&mut self, text: &str) {
        self.answer(vec![AssistantPart::Text(text.to_owned())], StopReason::Stop);
    }

    /// An answer with parallel calls, and their results.
    fn act(&mut self, text: &str, acts: Vec<Act>) {
        let mut content = vec![AssistantPart::Text(text.to_owned())];
        let mut results = Vec::new();
        for act in acts {
            self.calls += 1;
            let id = format!("call_{}", self.calls);
            results.push(ToolResult {
                call_id: id.clone(),
                tool_name: act.tool.to_owned(),
                is_error: act.is_error,
                content: vec![Part::Text(act.output)],
                details: Some(act.details),
            });
            content.push(AssistantPart::ToolCall(ToolCall {
                id,
                name: act.tool.to_owned(),
                arguments: act.arguments,
                malformed: None,
            }));
        }
        self.answer(content, StopReason::ToolUse);
        for result in results {
            self.message(Message::ToolResult(result));
        }
    }
}

/// A call with its result.
struct Act {
    tool: &'static str,
    arguments: Value,
    output: String,
    details: Value,
    is_error: bool,
}

fn read(path: &str, output: String) -> Act {
    let lines = output.lines().count();
    Act {
        tool: "read",
        arguments: json!({"path": path}),
        details: json!({"path": path, "lines": lines, "total": lines}),
        output,
        is_error: false,
    }
}

fn shell(command: &str, output: String, exit_code: i32) -> Act {
    Act {
        tool: "shell",
        arguments: json!({"command": command}),
        details: json!({"exitCode": exit_code, "durationMs": 2_340, "timedOut": false, "cancelled": false}),
        output,
        is_error: exit_code != 0,
    }
}

fn search(pattern: &str, output: String, count: u64) -> Act {
    Act {
        tool: "search",
        arguments: json!({"pattern": pattern, "path": "src"}),
        details: json!({"matches": count, "files": 12}),
        output,
        is_error: false,
    }
}

/// An edit of one line, by its number in the file.
fn edit(path: &str, line: usize, old: &str, new: &str) -> Act {
    let diff = format!("@@ -{line} +{line} @@\n-{old}\n+{new}\n");
    Act {
        tool: "edit",
        arguments: json!({"path": path, "old_text": old, "new_text": new}),
        details: json!({"diff": diff, "path": path, "added": 1, "removed": 1}),
        output: format!("Edited {path}: 1 line added, 1 removed."),
        is_error: false,
    }
}

fn write(path: &str, content: &str) -> Act {
    let lines = content.lines().count();
    Act {
        tool: "write",
        arguments: json!({"path": path, "content": content}),
        details: json!({"path": path, "added": lines, "removed": 0}),
        output: format!("Wrote {path}: {lines} lines."),
        is_error: false,
    }
}

/// The whole story, in order.
fn story() -> Vec<Entry> {
    let mut story = Story {
        entries: Vec::new(),
        calls: 0,
    };
    story.add(EntryBody::SessionInfo {
        name: "ferry times to timestamptz".to_owned(),
    });
    survey(&mut story);
    first_summary(&mut story);
    trial(&mut story);
    repair(&mut story);
    indexes(&mut story);
    wrap_up(&mut story);
    story.entries
}

fn survey(story: &mut Story) {
    story.user("Our ferry timetable keeps times as TEXT in local time. Plan the move to timestamptz. Look first, change nothing. The API on port 8443 must stay up, and v1 clients still send 'YYYY-MM-DD HH:MM'.");
    let list = Act {
        tool: "list",
        arguments: json!({"path": "."}),
        details: json!({"path": ".", "lines": 25}),
        output: texts::tree(),
        is_error: false,
    };
    story.act(
        "I look at the layout and the schema.",
        vec![list, read("migrations/0001_init.sql", texts::schema())],
    );
    story.act(
        "Six tables. Where are the columns used?",
        vec![
            search(
                "departs|arrived|booked|free_from|issued|paid_back",
                texts::matches(),
                42,
            ),
            read("src/store/tickets.rs", texts::store("tickets", "issued")),
        ],
    );
    story.say("Six tables hold times as text, each with one store and one route. Comparison and order rely on the text form, which breaks at the change of summer time.\n\nPlan:\n- [x] survey of tables and uses\n- [ ] add `*_at timestamptz` columns beside the old ones\n- [ ] backfill with `AT TIME ZONE ports.zone`\n- [ ] switch the stores, then the routes\n- [ ] drop the TEXT columns one release later (v0.11)");
    story.user("Good. We decided: never rewrite in place, always add the new column beside the old one. Work on branch times/tz, base commit 4f2a91c. Test database is 127.0.0.1:54329.");
    story.act(
        "I create the branch and check the database.",
        vec![
            shell(
                "git switch -c times/tz 4f2a91c",
                "Switched to a new branch 'times/tz'\n\n[exit code 0]".to_owned(),
                0,
            ),
            shell(
                "pg_isready -h 127.0.0.1 -p 54329",
                "127.0.0.1:54329 - accepting connections\n\n[exit code 0]".to_owned(),
                0,
            ),
        ],
    );
    story.say("Branch times/tz stands at 4f2a91c, the test database answers on port 54329.");
}

const FIRST_SUMMARY: &str = "## Goal
Move the ferry timetable from local times as TEXT to timestamptz.

## Constraints & Preferences
- The API on port 8443 stays up; v1 clients still send 'YYYY-MM-DD HH:MM'.
- Never rewrite in place: add the new column beside the old one.

## Progress
### Done
- Survey: six tables (sailings, arrivals, bookings, berths, tickets, refunds), one store and one route each.
- Branch times/tz created from 4f2a91c.

### In Progress
- [ ] add `*_at timestamptz` columns

### Blocked
(none)

## Decisions
- Columns are added, the TEXT columns go one release later, in v0.11.

## Next Steps
1. Write migrations/0002_timestamptz.sql and try it on a copy.

## Critical Context
- Test database: 127.0.0.1:54329.

## Relevant Files
- migrations/0001_init.sql
- src/store/tickets.rs

## Exact identifiers
- 4f2a91c, 127.0.0.1:54329, 8443, times/tz, v0.11";

fn first_summary(story: &mut Story) {
    let first_kept = story
        .user("Write the migration and try it on the copy ferry_copy. Read the sailings and berths stores before you touch them.");
    story.add(EntryBody::Compaction(Box::new(Compaction {
        summary: FIRST_SUMMARY.to_owned(),
        first_kept: Some(first_kept),
        tokens_before: 9_412,
        details: CompactionDetails {
            tokens_after: 2_108,
            ruler: "o200k".to_owned(),
            engine: "layered".to_owned(),
            model: "extractive".to_owned(),
            instructions: Some("keep ports and commits".to_owned()),
            check: SummaryCheck {
                audit: Some(AuditRecord {
                    sections_found: 10,
                    sections_total: 10,
                    identifiers_found: 5,
                    identifiers_total: 5,
                    ask: plimsoll::transcript::AskCheck::Verbatim,
                    passed: true,
                    ..AuditRecord::default()
                }),
                ..SummaryCheck::default()
            },
            appendix: SummaryAppendix {
                read_files: vec![
                    "migrations/0001_init.sql".to_owned(),
                    "src/store/tickets.rs".to_owned(),
                ],
                ..SummaryAppendix::default()
            },
            summarized_messages: 14,
            cost: CompactionCost {
                duration_ms: 38,
                ..CompactionCost::default()
            },
            ..CompactionDetails::default()
        },
        from_hook: false,
    })));
}

fn trial(story: &mut Story) {
    story.act(
        "I read both stores, then write the migration.",
        vec![
            read("src/store/sailings.rs", texts::store("sailings", "departs")),
            read("src/store/berths.rs", texts::store("berths", "free_from")),
        ],
    );
    story.act(
        "The statements are the same for all six tables.",
        vec![write(
            "migrations/0002_timestamptz.sql",
            &texts::migration(),
        )],
    );
    story.act(
        "Now the trial on the copy, and the tests beside it.",
        vec![
            shell("just migrate ferry_copy", texts::migration_log(true), 1),
            shell("cargo test", texts::test_run(true), 101),
        ],
    );
    story.say("The trial failed and was rolled back: row 4471 departs 2025-03-30 02:15, an hour that does not exist in Europe/Oslo. Two tests fail for the same reason (tests/sailings.rs:97 and :118).");
}

fn repair(story: &mut Story) {
    story.user("Row 4471 is a typing error, ports confirmed 03:15. Decision: times in the missing hour move forward by one hour, and every moved row is logged. Try again.");
    story.act(
        "I put the rule into src/clock.rs and run it again.",
        vec![
            edit(
                "src/clock.rs",
                44,
                "    zone.local(text).ok()",
                "    zone.local(text).or_later(HOUR).ok()",
            ),
            edit(
                "migrations/0002_timestamptz.sql",
                9,
                "UPDATE sailings SET",
                "UPDATE sailings /* moved rows: log_moved() */ SET",
            ),
        ],
    );
    story.act(
        "Both files changed; the trial once more.",
        vec![
            shell(
                "just migrate ferry_copy --log moved.csv",
                texts::migration_log(false),
                0,
            ),
            shell("cargo test", texts::test_run(false), 0),
        ],
    );
    story.act("Green. I commit.", vec![shell(
        "git commit -am 'Times in the missing hour move forward'",
        "[times/tz 8c03d7e] Times in the missing hour move forward\n 2 files changed, 31 insertions(+), 2 deletions(-)\n\n[exit code 0]".to_owned(),
        0,
    )]);
    story.say("Committed as 8c03d7e. 600000 rows moved, 3 of them by one hour; they are in moved.csv.\n\n- [x] migration 0002 with backfill\n- [ ] switch the six stores\n- [ ] v1 routes keep accepting the old form\n- [ ] announce the lock time to ports@ferry.example");
}

/// The line of a file on which a passage begins; 0 when it is nowhere.
fn line_of(file: &str, passage: &str) -> usize {
    let at = file.lines().position(|line| line.contains(passage));
    at.map_or(0, |at| at + 1)
}

fn indexes(story: &mut Story) {
    let queries = texts::store("sailings", "departs_at");
    story.user("Are the new indexes used? And how long would the lock last in production?");
    story.act(
        "I ask the planner, and look at the store as it is now.",
        vec![
            shell("psql -p 54329 ferry_copy -f plans.sql", texts::plans(), 0),
            read(
                "src/store/sailings.rs",
                texts::store("sailings", "departs_at"),
            ),
            read(
                "src/store/refunds.rs",
                texts::store("refunds", "paid_back_at"),
            ),
        ],
    );
    story.say("All six plans use their `*_at` index. With CREATE INDEX CONCURRENTLY the longest lock is the SET NOT NULL on bookings, about 400 ms. I suggest `statement_timeout = '2s'` for the migration.");
    story.user("Fine. Switch the sailings store first, only that one.");
    story.act("One store, one query at a time.", vec![
        edit("src/store/sailings.rs", line_of(&queries, "ORDER BY departs_at"), "ORDER BY departs LIMIT", "ORDER BY departs_at LIMIT"),
        edit("src/store/sailings.rs", line_of(&queries, "    at: &str,"), "    at: &str,", "    at: PortTime,"),
        shell("cargo check", "error[E0308]: mismatched types\n  --> src/routes/sailings.rs:31:47\n   |\n31 |     store::sailings::next(&pool, port, &at, page)\n   |                                        ^^^ expected `PortTime`, found `&String`\n\n[exit code 101]".to_owned(), 101),
    ]);
    story.say("src/routes/sailings.rs:31 still passes text. The route has to parse the v1 form at its edge; I have not changed it.");
}

fn wrap_up(story: &mut Story) {
    story.user("Parse it at the edge, in the route. Then stop for today.");
    story.act(
        "Who else calls it?",
        vec![search(
            "sailings::next",
            "src/routes/sailings.rs\n  31:    store::sailings::next(&pool, port, &at, page)\n"
                .to_owned(),
            1,
        )],
    );
    story.act(
        "The route parses, the store gets a time.",
        vec![edit(
            "src/routes/sailings.rs",
            31,
            "    let at = query.departs.unwrap_or_else(|| clock.local(port));",
            "    let at = PortTime::parse_v1(&query.departs, port)?;",
        )],
    );
    story.act("Check and commit.", vec![
        shell("cargo check", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 4.02s\n\n[exit code 0]".to_owned(), 0),
        shell("git commit -am 'Sailings are read by time'", "[times/tz d51be20] Sailings are read by time\n 2 files changed, 9 insertions(+), 7 deletions(-)\n\n[exit code 0]".to_owned(), 0),
    ]);
    story.say("Done for today, at d51be20.\n\n- [x] sailings store and route\n- [ ] arrivals, bookings, berths, tickets, refunds\n- [ ] announce the lock time to ports@ferry.example\n- [ ] drop the TEXT columns in v0.11");
}

/// The file as the rules write it.
fn written() -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.jsonl");
    let header = Header::new(
        "demo-ferry-times",
        Timestamp(START_MS),
        "/home/ada/ferrytable",
    );
    let mut log = SessionLog::create(&path, &header);
    for entry in story() {
        log.append(&entry, Durability::Buffered).unwrap();
    }
    log.close().unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_committed_demo_is_what_the_rules_write() {
    crate::documents::same_or_bless(&path(), &written());
}

/// The committed session, which has to load without problems.
pub fn transcript() -> Transcript {
    let loaded = load(&path()).unwrap();
    assert_eq!(loaded.problems, [], "problems in the demo");
    loaded.transcript
}

/// The request that the offline model would be sent, and the decisions for it.
pub fn evaluate(transcript: &Transcript, prune: PruneSettings) -> (ContextView, Vec<Decision>) {
    let settings = ContextSettings {
        prune,
        ..ContextSettings::default()
    };
    let request_context = RequestContext {
        // As long as the real one, so that the numbers are near those of the tour.
        system: "You are a careful assistant at work in a repository. "
            .repeat(40)
            .into(),
        tools: plimsoll::tool::ToolSet::builtin(std::time::Duration::from_mins(2)).schemas(),
        memory: None,
        skills: None,
        servers: Arc::default(),
        repeatable: Arc::new(["read", "list", "search"].map(str::to_owned).into()),
        workspace_rules: None,
        model: ModelInfo {
            window_tokens: Some(WINDOW_TOKENS),
            window_source: plimsoll::transcript::WindowSource::Catalogue,
            max_output_tokens: 4_096,
            prompt_cache: PromptCache::None,
            ..ModelInfo::unknown(ModelRef::new("offline", "plain"))
        },
        samples: Arc::default(),
        live: None,
        tools_running: false,
    };
    let mut assembler = ViewAssembler::new(Arc::new(settings), Arc::new(Approximate));
    let evaluation = assembler.evaluate(
        transcript,
        &request_context,
        LATER,
        plimsoll::context::ShrinkMode::default(),
    );
    (evaluation.view, evaluation.decisions)
}

#[test]
fn the_demo_gives_the_tour_something_to_prune() {
    let transcript = transcript();
    assert!(
        (55..=120).contains(&transcript.len()),
        "{}",
        transcript.len()
    );
    let off = PruneSettings {
        gate: plimsoll::context::GateKind::Off,
        ..PruneSettings::default()
    };
    let (whole, decisions) = evaluate(&transcript, off);
    assert!(decisions.is_empty());
    assert!(
        whole.usage.tokens < whole.window.load_line_effective,
        "no compaction by itself"
    );
    assert!(
        whole.usage.tokens * 2 > WINDOW_TOKENS,
        "{}",
        whole.usage.tokens
    );

    let (view, decisions) = evaluate(&transcript, PruneSettings::default());
    assert_eq!(view.prune.gate, Gate::Cold);
    assert!(
        matches!(decisions.as_slice(), [Decision::Prune { .. }]),
        "{decisions:?}"
    );
    assert!(view.prune.trimmed >= 3, "{:?}", view.prune);
    assert!(view.prune.tokens_saved > 3_000, "{:?}", view.prune);
    assert!(
        view.items
            .iter()
            .any(|item| item.disposition == Disposition::Trimmed)
    );
    assert!(
        view.compaction.would_summarize > 10,
        "{:?}",
        view.compaction
    );
}

#[test]
fn undoing_the_summary_of_the_demo_brings_its_messages_back() {
    let mut transcript = transcript();
    let (before, _) = evaluate(&transcript, PruneSettings::default());
    let summary = transcript
        .entries()
        .iter()
        .find(|entry| matches!(entry.body, EntryBody::Compaction(_)))
        .map(|entry| entry.id.clone())
        .unwrap();
    let undo = Entry {
        id: EntryId::new("undo"),
        parent: transcript.leaf().cloned(),
        timestamp: LATER,
        body: EntryBody::Decision(Decision::Undo { target: summary }),
    };
    transcript.push(Arc::new(undo)).unwrap();
    let (after, _) = evaluate(&transcript, PruneSettings::default());
    assert!(before.left_out.iter().count() > 10);
    assert!(after.items.iter().count() > before.items.iter().count() + 10);
}
