//! What is written is read again by our own readers: out and in gives what was there, and out
//! and in once more changes nothing.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::foreign::{self, ForeignSession, SessionPlace};
use crate::session;
use crate::transcript::testing::branch;
use crate::transcript::{
    AssistantMessage, AssistantPart, Compaction, Cut, CutForm, CutPhase, Decision, EntryId, Image,
    Message, Part, StopReason, ToolCall, ToolResult, Usage, UserMessage,
};

/// A picture of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const BOTH: [ReceiverProgram; 2] = [ReceiverProgram::ClaudeCode, ReceiverProgram::Codex];

fn header() -> Header {
    Header::new("s1", Timestamp(1_795_222_163_267), "/tmp/a.b")
}

fn message(message: Message) -> EntryBody {
    EntryBody::Message(Arc::new(message))
}

fn ask(text: &str) -> EntryBody {
    message(Message::user_text(text))
}

fn answer(parts: Vec<AssistantPart>) -> AssistantMessage {
    let has_calls = parts
        .iter()
        .any(|part| matches!(part, AssistantPart::ToolCall(_)));
    AssistantMessage {
        content: parts,
        provider: "anthropic".to_owned(),
        model: "m-1".to_owned(),
        usage: Some(Usage {
            input_tokens: 10,
            output_tokens: 2,
            cache_read_tokens: 7,
            ..Usage::default()
        }),
        stop: if has_calls {
            StopReason::ToolUse
        } else {
            StopReason::Stop
        },
        ..AssistantMessage::default()
    }
}

fn text(text: &str) -> AssistantPart {
    AssistantPart::Text(text.to_owned())
}

fn call(id: &str) -> AssistantPart {
    AssistantPart::ToolCall(ToolCall {
        id: id.to_owned(),
        name: "read".to_owned(),
        arguments: json!({"path": id}),
        malformed: None,
    })
}

fn result(id: &str, parts: Vec<Part>, is_error: bool) -> EntryBody {
    message(Message::ToolResult(ToolResult {
        call_id: id.to_owned(),
        tool_name: "read".to_owned(),
        content: parts,
        is_error,
        details: None,
    }))
}

fn picture() -> Part {
    Part::Image(Image {
        data: PNG.into(),
        mime: "image/png".to_owned(),
        name: None,
    })
}

fn summary(text: &str, first_kept: Option<usize>) -> EntryBody {
    EntryBody::Compaction(Box::new(Compaction {
        summary: text.to_owned(),
        first_kept: first_kept.map(|at| EntryId::new(at.to_string())),
        tokens_before: 5_000,
        ..Compaction::default()
    }))
}

/// The first export of a session.
fn write_native(
    receiver: ReceiverProgram,
    header: &Header,
    transcript: &Transcript,
    agents: &[SubAgent],
) -> NativeSession {
    native(NativeExport {
        receiver,
        header,
        transcript,
        agents,
        number: 1,
    })
}

/// A session written for a program and read again, of which nothing is lost.
fn through(receiver: ReceiverProgram, transcript: &Transcript) -> Transcript {
    let (read, written) = read_back(receiver, transcript);
    assert_eq!(read.lost, [], "{receiver}: {written}");
    read.transcript().unwrap()
}

/// What a program's reader finds in a session that was written for it, and its text.
fn read_back(receiver: ReceiverProgram, transcript: &Transcript) -> (ForeignSession, String) {
    let written = write_native(receiver, &header(), transcript, &[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(written.file.file_name().unwrap());
    std::fs::write(&path, &written.bytes).unwrap();
    let read = foreign::read(&SessionPlace::of(&path), None).unwrap();
    assert_eq!(read.origin.session, written.session);
    assert_eq!(read.cwd, "/tmp/a.b");
    (read, text_of(&written))
}

fn text_of(written: &NativeSession) -> String {
    String::from_utf8(written.bytes.clone()).unwrap()
}

fn parts_words(parts: &[Part]) -> String {
    let words = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Image(image) => format!("<{} {}>", image.mime, image.data.len()),
    });
    let words: Vec<String> = words.filter(|it| !it.trim().is_empty()).collect();
    words.join("\n")
}

/// What a branch says, whatever the ids of its entries: one text for each message, and for a
/// compaction the numbers of those that stay.
fn canonical(transcript: &Transcript) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut numbers: Vec<(EntryId, usize)> = Vec::new();
    for entry in transcript.branch() {
        let words = match &entry.body {
            EntryBody::CustomMessage { content, .. } => format!("note: {}", parts_words(content)),
            EntryBody::Compaction(compaction) => {
                let first = compaction.first_kept.as_ref();
                let kept = numbers.iter().filter(|(id, _)| Some(id) == first);
                let kept: Vec<usize> = kept.map(|(_, number)| *number).collect();
                format!(
                    "summary: {} ({}) keeps from {kept:?}",
                    compaction.summary.trim(),
                    compaction.tokens_before
                )
            }
            EntryBody::Message(message) => message_words(message),
            _ => continue,
        };
        numbers.push((entry.id.clone(), out.len()));
        out.push(words);
    }
    out
}

fn message_words(message: &Message) -> String {
    match message {
        Message::User(user) => format!("user: {}", parts_words(&user.content)),
        Message::ToolResult(result) => {
            let words = parts_words(&result.content);
            let words = words.replacen("Process exited with code 1\nOutput:\n", "", 1);
            format!("result of {}, {}: {words}", result.call_id, result.is_error)
        }
        Message::BashExecution(run) => format!("run: {}", run.command),
        Message::Assistant(answer) => {
            let parts = answer.content.iter().map(|part| match part {
                AssistantPart::Text(text) => format!("text {text}"),
                AssistantPart::Thinking { signature, .. } => format!("reasoning {signature:?}"),
                AssistantPart::RedactedThinking { data } => format!("sealed {data}"),
                AssistantPart::ToolCall(call) => {
                    format!("call {} {} {}", call.id, call.name, call.arguments)
                }
            });
            let parts: Vec<String> = parts.collect();
            let usage = answer.usage.map(|usage| {
                (
                    usage.prompt_tokens(),
                    usage.cache_read_tokens,
                    usage.output_tokens,
                )
            });
            let (model, error) = (&answer.model, &answer.error);
            format!("model {model} {usage:?} {error:?}: {}", parts.join("; "))
        }
    }
}

#[test]
fn pairs_errors_images_models_and_usage_come_back() {
    let transcript = branch(vec![
        message(Message::User(UserMessage {
            content: vec![Part::Text("look".to_owned()), picture()],
        })),
        message(Message::Assistant(answer(vec![
            text("two"),
            call("c1"),
            call("c2"),
        ]))),
        result("c2", vec![Part::Text("none".to_owned())], true),
        result("c1", vec![Part::Text("seen".to_owned()), picture()], false),
        message(Message::Assistant(answer(vec![text("done")]))),
    ]);
    for receiver in BOTH {
        let read = canonical(&through(receiver, &transcript));
        let usage = "Some((17, 7, 2))";
        assert_eq!(
            read,
            [
                "user: look\n<image/png 96>".to_owned(),
                format!(
                    "model m-1 {usage} None: text two; call c1 read {{\"path\":\"c1\"}}; call c2 \
                     read {{\"path\":\"c2\"}}"
                ),
                "result of c1, false: seen\n<image/png 96>".to_owned(),
                "result of c2, true: none".to_owned(),
                format!("model m-1 {usage} None: text done"),
            ],
            "{receiver}"
        );
    }
}

#[test]
fn reasoning_goes_back_to_its_own_provider_and_to_no_other() {
    let item = json!({
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "why"}],
        "encrypted_content": "c2VhbGVk",
    });
    let reasoned = |provider: &str, signature: &str| {
        let part = AssistantPart::Thinking {
            text: "why".to_owned(),
            signature: Some(signature.to_owned()),
        };
        let mut answer = answer(vec![part, text("so")]);
        provider.clone_into(&mut answer.provider);
        branch(vec![ask("q"), message(Message::Assistant(answer))])
    };
    let (claude, gpt) = (
        reasoned("anthropic", "c2ln"),
        reasoned("openai", &item.to_string()),
    );
    let written =
        |receiver, transcript| text_of(&write_native(receiver, &header(), transcript, &[]));
    let claude_file = written(ReceiverProgram::ClaudeCode, &claude);
    assert!(
        claude_file.contains("\"signature\":\"c2ln\""),
        "{claude_file}"
    );
    let codex_file = written(ReceiverProgram::Codex, &gpt);
    for kept in ["\"id\":\"rs_1\"", "\"encrypted_content\":\"c2VhbGVk\""] {
        assert!(codex_file.contains(kept), "{codex_file}");
    }
    assert_eq!(
        through(ReceiverProgram::Codex, &gpt).branch()[1]
            .message()
            .unwrap(),
        &Arc::new(Message::Assistant(AssistantMessage {
            content: vec![
                AssistantPart::Thinking {
                    text: "why".to_owned(),
                    signature: Some(item.to_string()),
                },
                text("so"),
            ],
            stop: StopReason::Stop,
            ..match gpt.branch()[1].message().unwrap().as_ref() {
                Message::Assistant(answer) => answer.clone(),
                _ => unreachable!(),
            }
        }))
    );
    for (receiver, transcript) in [
        (ReceiverProgram::ClaudeCode, &gpt),
        (ReceiverProgram::Codex, &claude),
    ] {
        let out = write_native(receiver, &header(), transcript, &[]);
        assert!(!text_of(&out).contains("why"), "{}", text_of(&out));
        assert_eq!(out.losses.len(), 1);
        assert!(out.losses[0].words().starts_with("1 × reasoning"));
    }
}

#[test]
fn a_compaction_keeps_both_sides_and_names_what_stays() {
    // The answer before the summary is part of what the summary says: it must not be taken for it.
    let transcript = branch(vec![
        ask("one"),
        message(Message::Assistant(answer(vec![text("ok")]))),
        ask("two"),
        message(Message::Assistant(answer(vec![call("c")]))),
        result("c", vec![Part::Text("r".to_owned())], false),
        message(Message::Assistant(answer(vec![text("ok")]))),
        summary("all is ok", Some(2)),
        ask("three"),
    ]);
    for receiver in BOTH {
        let read = canonical(&through(receiver, &transcript));
        assert_eq!(
            read[6], "summary: all is ok (5000) keeps from [2]",
            "{receiver}"
        );
        assert_eq!(read.len(), 8, "{receiver}: {read:?}");
        assert_eq!(
            (read[0].as_str(), read[7].as_str()),
            ("user: one", "user: three")
        );
    }
}

#[test]
fn what_is_not_sent_is_left_out_and_said() {
    let cut = Cut {
        target: EntryId::new("2"),
        form: CutForm::Clear {
            placeholder: "[cleared]".to_owned(),
        },
        phase: CutPhase::Hard,
        reason: "old".to_owned(),
        tokens_before: 9,
        tokens_after: 1,
    };
    let decide = |decision| EntryBody::Decision(decision);
    let transcript = branch(vec![
        ask("one"),
        message(Message::Assistant(answer(vec![call("c"), call("open")]))),
        result("c", vec![Part::Text("long".to_owned())], false),
        ask("dropped"),
        decide(Decision::Drop {
            target: EntryId::new("3"),
        }),
        ask("undone"),
        decide(Decision::Undo {
            target: EntryId::new("5"),
        }),
        decide(Decision::Guard { cuts: vec![cut] }),
        result("nothing", vec![Part::Text("x".to_owned())], false),
        message(Message::Assistant(AssistantMessage {
            stop: StopReason::Error,
            error: Some("overloaded".to_owned()),
            ..answer(vec![text("half"), call("never")])
        })),
    ]);
    let written = write_native(ReceiverProgram::ClaudeCode, &header(), &transcript, &[]);
    let losses: Vec<String> = written.losses.iter().map(ExportLoss::words).collect();
    assert_eq!(
        losses,
        [
            "1 × call without a result: written with one that says so",
            "1 × message that was dropped from the context: left out",
            "1 × message that was undone: left out",
            "1 × result without its call: left out",
            "1 × call of an answer that broke off: left out",
        ]
    );
    let file = text_of(&written);
    assert!(file.contains("\"compactedToolIds\":[\"c\"]"), "{file}");
    assert!(file.contains("\"isApiErrorMessage\":true"), "{file}");
    let read = through(ReceiverProgram::ClaudeCode, &transcript);
    let said = canonical(&read).join("\n");
    assert!(
        said.contains("result of open, true: no result recorded"),
        "{said}"
    );
    assert!(
        !said.contains("dropped") && !said.contains("undone"),
        "{said}"
    );
    let is_cleared = |entry: &&Arc<crate::transcript::Entry>| {
        matches!(&entry.body, EntryBody::Decision(Decision::Prune { .. }))
    };
    assert_eq!(read.branch().iter().filter(is_cleared).count(), 1);
}

#[test]
fn lines_of_claude_code_form_one_chain_with_all_that_readers_want() {
    let transcript = branch(vec![
        ask("one"),
        message(Message::Assistant(answer(vec![text("ok")]))),
        summary("s", None),
        ask("two"),
    ]);
    let written = write_native(ReceiverProgram::ClaudeCode, &header(), &transcript, &[]);
    let name = format!("projects/-tmp-a-b/{}.jsonl", written.session);
    assert_eq!(written.file.to_str().unwrap(), name);
    let text = text_of(&written);
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut last = Value::Null;
    for line in lines.iter().filter(|line| line.get("uuid").is_some()) {
        let is_boundary = line["type"] == "system";
        let parent = if is_boundary {
            "logicalParentUuid"
        } else {
            "parentUuid"
        };
        assert_eq!(line[parent], last, "{line}");
        for key in ["cwd", "timestamp", "sessionId", "version", "userType"] {
            assert!(
                line[key].as_str().is_some_and(|it| !it.is_empty()),
                "{key}: {line}"
            );
        }
        last = line["uuid"].clone();
    }
    assert_eq!(lines[0]["type"], "plimsoll-origin");
}

#[test]
fn a_file_of_pi_has_the_whole_tree_and_what_was_cut() {
    let cut = Cut {
        target: EntryId::new("2"),
        form: CutForm::Clear {
            placeholder: "[cleared]".to_owned(),
        },
        phase: CutPhase::Hard,
        reason: "old".to_owned(),
        tokens_before: 9,
        tokens_after: 1,
    };
    let transcript = branch(vec![
        ask("one"),
        message(Message::Assistant(answer(vec![call("c")]))),
        result("c", vec![Part::Text("long".to_owned())], false),
        EntryBody::Decision(Decision::Guard { cuts: vec![cut] }),
        summary("s", Some(1)),
        ask("two"),
    ]);
    let written = write_native(ReceiverProgram::Pi, &header(), &transcript, &[]);
    let read = session::read(&written.bytes, std::path::Path::new("p")).unwrap();
    assert_eq!(read.problems, []);
    assert_eq!(canonical(&read.transcript), canonical(&transcript));
    let last = read.transcript.branch().pop().unwrap();
    let EntryBody::ContextEdit {
        target,
        replacement,
    } = &last.body
    else {
        panic!("{last:?}");
    };
    assert_eq!(target.as_str(), "2");
    assert_eq!(replacement, &Some(vec![Part::Text("[cleared]".to_owned())]));
}

#[test]
fn sub_agents_are_written_beside_the_session_and_found_there() {
    let agent = SubAgent {
        header: Header::new("s1-agent", Timestamp(1_795_222_163_300), "/tmp/a.b"),
        transcript: branch(vec![
            ask("count the rows"),
            message(Message::Assistant(answer(vec![text("four")]))),
        ]),
    };
    let transcript = branch(vec![
        ask("one"),
        message(Message::Assistant(answer(vec![text("ok")]))),
    ]);
    for receiver in BOTH {
        let agents = std::slice::from_ref(&agent);
        let written = write_native(receiver, &header(), &transcript, agents);
        let folder = tempfile::tempdir().unwrap();
        let put = |file: &std::path::Path, bytes: &[u8]| {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let path = put(&written.file, &written.bytes);
        for beside in &written.beside {
            put(&beside.file, &beside.bytes);
        }
        let read = foreign::read(&SessionPlace::of(&path), None).unwrap();
        assert_eq!(
            canonical(&read.transcript().unwrap()).len(),
            2,
            "{receiver}"
        );
        assert_eq!(read.children.len(), 1, "{receiver}: {:?}", read.lost);
        let child = canonical(&read.children[0].transcript().unwrap());
        assert_eq!(child[0], "user: count the rows", "{receiver}");
        assert_eq!(child.len(), 2, "{receiver}: {child:?}");
        assert_eq!(read.children[0].parent.as_ref(), Some(&written.session));
    }
}

/// A text from so few that they collide with each other and with summaries.
fn words() -> impl Strategy<Value = String> {
    let few = prop::sample::select(vec![
        "ok",
        "all is ok",
        "a\nb",
        "Summary:\nx",
        "\nSummary:\nx",
        "analysis:\ny",
        "令牌 🙂",
        "Process exited with code 2\nOutput:\nz",
        "{\"metadata\":{\"exit_code\":1},\"output\":\"q\"}",
        " padded ",
    ]);
    prop_oneof![few.prop_map(str::to_owned), "[a-z<>&\"\\\\ ]{0,12}x"]
}

fn any_answer() -> impl Strategy<Value = Vec<EntryBody>> {
    let calls = prop::collection::vec((words(), any::<bool>(), any::<bool>()), 0..3);
    let ends = prop::sample::select(vec![
        StopReason::Stop,
        StopReason::Length,
        StopReason::Error,
    ]);
    (words(), calls, any::<bool>(), any::<bool>(), ends).prop_map(
        |(said, calls, has_text, has_usage, stop)| {
            let mut parts = Vec::new();
            if has_text || calls.is_empty() {
                parts.push(text(&said));
            }
            // Some providers use ids again.
            let id = |number: usize| format!("call|{number}");
            parts.extend((0..calls.len()).map(|number| call(&id(number))));
            let mut answer = answer(parts);
            answer.usage = answer.usage.filter(|_| has_usage);
            if calls.is_empty() {
                answer.stop = stop;
            }
            let results = calls.into_iter().enumerate();
            let results = results.filter(|(_, (.., is_there))| *is_there);
            let results: Vec<EntryBody> = results
                .map(|(number, (said, is_error, _))| {
                    result(&id(number), vec![Part::Text(said)], is_error)
                })
                .collect();
            let mut bodies = vec![message(Message::Assistant(answer))];
            bodies.extend(results);
            bodies
        },
    )
}

fn any_session() -> impl Strategy<Value = Transcript> {
    let ask_strategy = words().prop_map(|it| vec![ask(&it)]);
    let note = words().prop_map(|it| {
        vec![EntryBody::CustomMessage {
            custom_type: "x".to_owned(),
            content: vec![Part::Text(it)],
            display: false,
        }]
    });
    let compaction = (words(), 0_usize..12).prop_map(|(it, at)| vec![summary(&it, Some(at))]);
    let piece = prop_oneof![
        4 => ask_strategy,
        5 => any_answer(),
        1 => note,
        2 => compaction,
    ];
    prop::collection::vec(piece, 1..14).prop_map(|pieces| {
        let mut bodies = vec![ask("first")];
        bodies.extend(pieces.into_iter().flatten());
        branch(bodies)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn out_and_in_once_more_changes_nothing(transcript in any_session()) {
        for receiver in BOTH {
            let once = through(receiver, &transcript);
            let twice = through(receiver, &once);
            prop_assert_eq!(canonical(&once), canonical(&twice), "{}", receiver);
        }
    }

    #[test]
    fn every_text_that_was_said_is_in_the_file_once_read(transcript in any_session()) {
        for receiver in BOTH {
            let read = canonical(&through(receiver, &transcript)).join("\n");
            for entry in transcript.branch() {
                let said = match entry.message().map(AsRef::as_ref) {
                    Some(Message::User(_)) => entry.message().unwrap().text(),
                    Some(Message::Assistant(answer)) => answer.text(),
                    _ => continue,
                };
                prop_assert!(read.contains(said.trim()), "{receiver}: {said:?} in {read}");
            }
        }
    }

    #[test]
    fn a_damaged_session_is_written_and_reads_back(
        transcript in any_session(),
        damages in prop::collection::vec((0_usize..3_000, 0_usize..30, 0_usize..4), 1..6),
    ) {
        let mut bytes = session::imported_bytes(
            &header(),
            &transcript.branch().iter().map(|it| crate::transcript::Entry::clone(it)).collect::<Vec<_>>(),
        );
        let header_end = bytes.iter().position(|it| *it == b'\n').unwrap_or(0) + 1;
        for (at, length, junk) in damages {
            let at = (header_end + at).min(bytes.len());
            let end = (at + length).min(bytes.len());
            let junk: &[u8] = [&b""[..], b"\"}", b"\xff\xfe", b"null"][junk];
            bytes.splice(at..end, junk.iter().copied());
        }
        let Ok(read) = session::read(&bytes, std::path::Path::new("s")) else {
            return Ok(());
        };
        let is_ask = |it: &Arc<crate::transcript::Entry>| it.is_typed_by_user();
        if !read.transcript.branch().iter().any(is_ask) {
            return Ok(());
        }
        for receiver in ReceiverProgram::ALL {
            let written = write_native(receiver, &read.header, &read.transcript, &[]);
            prop_assert!(std::str::from_utf8(&written.bytes).is_ok());
        }
        // Which entry a compaction keeps from may be one that damage left without a message.
        let said = |transcript: &Transcript| -> Vec<String> {
            let lines = canonical(transcript).into_iter();
            lines
                .map(|it| it.split(" keeps from ").next().unwrap_or_default().to_owned())
                .collect()
        };
        for receiver in BOTH {
            // What damage took from beside a compaction is named as a loss.
            let once = read_back(receiver, &read.transcript).0.transcript().unwrap();
            let twice = read_back(receiver, &once).0.transcript().unwrap();
            prop_assert_eq!(said(&once), said(&twice));
        }
        crate::export::html((&read).into());
    }
}
