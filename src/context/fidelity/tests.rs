//! Scores of small logs, by hand.

use serde_json::json;

use super::*;
use crate::context::ContextSettings;
use crate::context::ruler::{Approximate, Ruler};
use crate::transcript::{
    AssistantMessage, AssistantPart, CompactionDetails, Decision, Message, Part, StopReason,
    SummaryAppendix, Timestamp, ToolCall, ToolResult,
};

/// A log in the making.
#[derive(Default)]
struct Log {
    transcript: Transcript,
    calls: usize,
}

impl Log {
    fn add(&mut self, body: EntryBody) -> EntryId {
        let id = EntryId::new(format!("e{}", self.transcript.len()));
        self.transcript
            .append(id.clone(), Timestamp(0), body)
            .unwrap();
        id
    }

    fn message(&mut self, message: Message) -> EntryId {
        self.add(EntryBody::Message(Arc::new(message)))
    }

    fn user(&mut self, text: &str) -> EntryId {
        self.message(Message::user_text(text))
    }

    fn answer(&mut self, text: &str) -> EntryId {
        self.message(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text.to_owned())],
            ..AssistantMessage::default()
        }))
    }

    fn act(&mut self, tool: &str, arguments: serde_json::Value, output: &str, is_error: bool) {
        self.calls += 1;
        let id = format!("call-{}", self.calls);
        self.message(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::ToolCall(ToolCall {
                id: id.clone(),
                name: tool.to_owned(),
                arguments,
                malformed: None,
            })],
            stop: StopReason::ToolUse,
            ..AssistantMessage::default()
        }));
        self.message(Message::ToolResult(ToolResult {
            call_id: id,
            tool_name: tool.to_owned(),
            content: vec![Part::Text(output.to_owned())],
            is_error,
            details: None,
        }));
    }

    fn compact(&mut self, summary: &str, first_kept: Option<&EntryId>) -> EntryId {
        self.add(EntryBody::Compaction(Box::new(Compaction {
            summary: summary.to_owned(),
            first_kept: first_kept.cloned(),
            ..Compaction::default()
        })))
    }

    fn score(&self, entry: &EntryId) -> FidelityScore {
        score(&self.transcript, entry).unwrap()
    }

    fn fates(&self, entry: &EntryId, class: ProbeClass) -> Vec<(String, &'static str)> {
        let classes = self.score(entry).classes;
        let probes = classes
            .into_iter()
            .find(|it| it.class == class)
            .unwrap()
            .probes;
        probes
            .into_iter()
            .map(|it| (it.text, it.fate.name()))
            .collect()
    }
}

/// A summary, and what is expected of one fact.
fn fate_of(
    class: ProbeClass,
    log: impl Fn(&mut Log),
    summary: &str,
) -> Vec<(String, &'static str)> {
    let mut at = Log::default();
    log(&mut at);
    let kept = at.user("now the rest");
    let entry = at.compact(summary, Some(&kept));
    at.fates(&entry, class)
}

#[test]
fn names_that_later_messages_use_are_kept_reworded_or_gone() {
    let mut log = Log::default();
    log.user("port src/lexer.rs and keep TokenKind, see ENT-221");
    log.act(
        "read",
        json!({"path": "src/lexer.rs"}),
        "fn next_token() {} const MAX_LEN",
        false,
    );
    let kept = log.user("and what about ENT-300?");
    let entry = log.compact("- `lexer.rs`: nextToken", Some(&kept));
    log.answer("`next_token` in src/lexer.rs uses TokenKind, MAX_LEN, ENT-300 and NewName");
    assert_eq!(
        log.fates(&entry, ProbeClass::Hindsight),
        [
            ("src/lexer.rs".to_owned(), "reworded"),
            ("MAX_LEN".to_owned(), "gone"),
            ("next_token".to_owned(), "reworded"),
            ("TokenKind".to_owned(), "gone"),
        ]
    );
    assert!(log.score(&entry).phrase().starts_with("hindsight 2/4"));
}

/// Instructions that another program puts in again and again are nobody's need.
#[test]
fn what_a_program_puts_in_later_needs_nothing() {
    let told = "skills are listed in SKILL.md below .codex/skills; sandbox_mode is read-only";
    let put_in = || EntryBody::CustomMessage {
        custom_type: "codex.instructions".to_owned(),
        content: vec![Part::Text(told.to_owned())],
        display: false,
    };
    let mut log = Log::default();
    log.add(put_in());
    log.user("read big1.py");
    let kept = log.user("and then?");
    let entry = log.compact("nothing", Some(&kept));
    log.add(put_in());
    log.answer("big1.py is long");
    assert_eq!(
        log.fates(&entry, ProbeClass::Hindsight),
        [("big1.py".to_owned(), "gone")]
    );
}

#[test]
fn what_the_tail_has_the_summary_need_not_say() {
    let mut log = Log::default();
    log.user("use read_config of src/a.rs");
    let kept = log.user("again: read_config");
    let entry = log.compact("nothing", Some(&kept));
    log.answer("read_config it is, in src/a.rs");
    let score = log.score(&entry);
    let counts = score.counts(ProbeClass::Hindsight);
    assert_eq!((counts.in_tail, counts.due(), counts.kept()), (1, 1, 0));
    assert_eq!(score.counts(ProbeClass::Ask).in_tail, 1);
}

#[test]
fn files_of_one_name_are_told_apart_by_their_folders() {
    let mut log = Log::default();
    log.user("see src/a/mod.rs and src/b/mod.rs");
    log.user("go on");
    let entry = log.compact("- `src/a/mod.rs`", None);
    log.answer("src/a/mod.rs first, src/b/mod.rs next");
    let fates = log.fates(&entry, ProbeClass::Hindsight);
    let expected = [("src/a/mod.rs", "verbatim"), ("src/b/mod.rs", "gone")];
    assert_eq!(fates, expected.map(|(text, fate)| (text.to_owned(), fate)));
}

#[test]
fn nothing_later_means_nothing_was_needed_yet() {
    let mut log = Log::default();
    log.user("see src/a.rs");
    let entry = log.compact("none", None);
    let phrase = log.score(&entry).phrase();
    assert!(
        phrase.starts_with("hindsight: nothing came after it yet"),
        "{phrase}"
    );
}

#[test]
fn a_command_that_failed_must_be_said_to_have_failed() {
    let run = |log: &mut Log| {
        log.act(
            "bash",
            json!({"command": "cargo test parser"}),
            "test a::b ... FAILED",
            true,
        );
    };
    for (summary, expected) in [
        ("- `cargo test parser` failed", "verbatim"),
        ("- failed: cargo run of the test for parser", "reworded"),
        ("- ran `cargo test parser`", "gone"),
        ("nothing", "gone"),
    ] {
        let fates = fate_of(ProbeClass::Commands, run, summary);
        assert_eq!(
            fates,
            [("cargo test parser (failed)".to_owned(), expected)],
            "{summary}"
        );
    }
    let fates = fate_of(ProbeClass::Tests, run, "the test b fails");
    assert_eq!(fates, [("a::b failed".to_owned(), "reworded")]);
}

#[test]
fn open_steps_are_those_of_the_newest_list() {
    let steps = |log: &mut Log| {
        log.answer("- [ ] write the old parser");
        log.answer("- [x] write the lexer\n- [ ] port the printer module");
    };
    let fates = fate_of(ProbeClass::Steps, steps, "Next: port the printer module");
    assert_eq!(fates, [("port the printer module".to_owned(), "verbatim")]);
}

#[test]
fn decisions_and_numbers_are_found() {
    let said = |log: &mut Log| {
        log.user("Let's use sqlite instead of postgres. Should we go with redis? Limit: 30 s.");
    };
    let fates = fate_of(
        ProbeClass::Decisions,
        said,
        "sqlite, instead of postgres: let's use it",
    );
    assert_eq!(
        fates,
        [(
            "Let's use sqlite instead of postgres.".to_owned(),
            "reworded"
        )]
    );
    let fates = fate_of(ProbeClass::Numbers, said, "at most 30 seconds");
    assert_eq!(fates, [("30 s".to_owned(), "reworded")]);
    let fates = fate_of(ProbeClass::Numbers, said, "at most 31 seconds");
    assert_eq!(fates, [("30 s".to_owned(), "gone")]);
}

#[test]
fn what_stands_beside_the_summary_counts_with_it() {
    let mut log = Log::default();
    log.act(
        "write",
        json!({"path": "src/a.rs", "content": "x"}),
        "ok",
        false,
    );
    let entry = log.add(EntryBody::Compaction(Box::new(Compaction {
        summary: "look at @1".to_owned(),
        details: CompactionDetails {
            appendix: SummaryAppendix {
                modified_files: vec!["src/a.rs".to_owned()],
                ..SummaryAppendix::default()
            },
            aliases: vec![("@1".to_owned(), "src/long_name.rs".to_owned())],
            ..CompactionDetails::default()
        },
        ..Compaction::default()
    })));
    let fates = log.fates(&entry, ProbeClass::Files);
    assert_eq!(fates, [("src/a.rs (changed)".to_owned(), "verbatim")]);
}

#[test]
fn what_was_dropped_or_is_a_secret_is_no_probe() {
    let mut log = Log::default();
    let dropped = log.user("the code is in src/dropped.rs");
    log.add(EntryBody::Decision(Decision::Drop { target: dropped }));
    log.user("token ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789 for src/kept.rs");
    log.user("go on");
    let entry = log.compact("none", None);
    log.answer("src/dropped.rs and src/kept.rs ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789");
    let fates = log.fates(&entry, ProbeClass::Hindsight);
    assert_eq!(fates, [("src/kept.rs".to_owned(), "gone")]);
}

#[test]
fn an_entry_that_is_no_compaction_has_no_score() {
    let mut log = Log::default();
    let user = log.user("hello");
    assert_eq!(score(&log.transcript, &user), None);
    assert_eq!(score(&log.transcript, &EntryId::new("none")), None);
}

/// A long talk about `count` files.
fn long_talk(count: usize) -> Log {
    let mut log = Log::default();
    for n in 0..count {
        log.user(&format!(
            "change src/part{n}/file_{n}.rs so that handle_{n} is faster"
        ));
        let body = format!("fn handle_{n}() {{}} // line of the file\n").repeat(40);
        log.act(
            "read",
            json!({"path": format!("src/part{n}/file_{n}.rs")}),
            &body,
            false,
        );
        log.answer(&format!(
            "handle_{n} is done; before it I used handle_{}",
            n / 2
        ));
    }
    log
}

#[test]
fn a_session_is_compacted_in_memory_where_a_window_is_full() {
    let log = long_talk(80);
    let ruler: Arc<dyn Ruler> = Arc::new(Approximate);
    let settings = ContextSettings::default();
    let run = simulate(&log.transcript, &settings, &ruler, 16_000);
    assert!(run.entries.len() >= 2, "{:?}", run.entries);
    for entry in &run.entries {
        let score = score(&run.transcript, entry).unwrap();
        assert!(score.replaced > 0 && score.summary_chars > 0);
        assert_eq!(
            score.counts(ProbeClass::Ask).due(),
            0,
            "the newest ask is kept"
        );
    }
    let roomy = simulate(&log.transcript, &settings, &ruler, 1_000_000);
    assert!(roomy.entries.is_empty());
    assert_eq!(roomy.tokens, run.tokens);
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    /// Texts as nobody expects them.
    fn ugly() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just(String::new()),
            Just("src/a_b/c.rs:12:5 foo::Bar_baz --flag ENT-221 v1.2.3 30 s $4,000".to_owned()),
            Just("决定采用 sqlite。下一步 src/解析.rs".to_owned()),
            Just("e\u{301}\u{200d}\u{202e}👩‍🚀\r\n\0\u{7f}".to_owned()),
            Just("- [ ] do it\r\n- [x] done\n```\n--- FAIL: TestX\n".to_owned()),
            Just("test a::b ... FAILED\nFAILED x.py::y".to_owned()),
            Just("x/".repeat(20_000)),
            Just("a".repeat(100_000)),
            "\\PC{0,40}",
        ];
        proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.join(" "))
    }

    fn log_of(texts: &[String], at: usize) -> (Log, EntryId) {
        let mut log = Log::default();
        let mut entry = None;
        for (n, text) in texts.iter().enumerate() {
            if n == at.min(texts.len() - 1) {
                entry = Some(log.compact(text, None));
            }
            match n % 3 {
                0 => {
                    log.user(text);
                }
                1 => log.act(
                    "bash",
                    json!({"command": text, "path": text}),
                    text,
                    n % 2 == 0,
                ),
                _ => {
                    log.answer(text);
                }
            }
        }
        (log, entry.unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn the_same_log_gives_the_same_score(
            texts in proptest::collection::vec(ugly(), 1..8),
            at in 0_usize..8,
        ) {
            let (log, entry) = log_of(&texts, at);
            let first = log.score(&entry);
            prop_assert_eq!(&first, &log.score(&entry));
            for class in &first.classes {
                prop_assert_eq!(class.counts().due() + class.counts().in_tail, class.probes.len());
            }
        }

        #[test]
        fn a_summary_that_says_everything_loses_no_name(
            texts in proptest::collection::vec(ugly(), 2..8),
        ) {
            let mut log = Log::default();
            for text in &texts {
                log.user(text);
            }
            let entry = log.compact(&texts.join("\n"), None);
            for text in &texts {
                log.answer(text);
            }
            let counts = log.score(&entry).counts(ProbeClass::Hindsight);
            prop_assert_eq!(counts.gone, 0);
        }
    }
}
