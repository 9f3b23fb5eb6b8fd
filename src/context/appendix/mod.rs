//! The parts that code appends to a summary: tool failures, files, workspace rules. Kept as
//! data with the compaction, accumulated from one to the next, rendered for the model.

mod failures;
mod files;
mod gist;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use crate::transcript::{EntryId, Message, SummaryAppendix, ToolCall};

use super::fence;
use super::redact;
use super::summary::document::SummaryDocument;
use super::summary::{SourceMessage, excerpt, untrusted};

/// Failure lines that are rendered.
const FAILURES_SHOWN: usize = 8;
/// Longest rendered list of files, in characters.
const FILES_CHARS: usize = 900;
/// Longest rendered workspace rules, in characters.
const RULES_CHARS: usize = 2_000;
/// Tags of what is rendered.
const READ_FILES: &str = "read-files";
const MODIFIED_FILES: &str = "modified-files";
const RULES: &str = "workspace-critical-rules";

pub use failures::{CallSubject, shown, subject_of};
pub use files::{FileUse, files_of};
pub(super) use files::{is_path_argument, written_files};
pub use gist::gist;

/// Adds what these messages did to what was known before. A failed call changed no file.
pub fn accumulate(
    previous: Option<&SummaryAppendix>,
    messages: &[SourceMessage],
) -> SummaryAppendix {
    accumulate_addressed(previous, messages, |_| None)
}

/// The same, where each failure names the address (`r41`) of its result.
pub fn accumulate_addressed(
    previous: Option<&SummaryAppendix>,
    messages: &[SourceMessage],
    address_of: impl Fn(&EntryId) -> Option<String>,
) -> SummaryAppendix {
    let mut read: BTreeSet<String> = BTreeSet::new();
    let mut modified: BTreeSet<String> = BTreeSet::new();
    let mut failures = failures::ToolFailures::default();
    if let Some(previous) = previous {
        read.extend(previous.read_files.iter().cloned());
        modified.extend(previous.modified_files.iter().cloned());
        failures.inherit(&previous.failures);
    }
    let mut open: HashMap<&str, &ToolCall> = HashMap::new();
    for source in messages {
        match source.message.as_ref() {
            Message::Assistant(assistant) => {
                let calls = assistant.tool_calls();
                open = calls.map(|call| (call.id.as_str(), call)).collect();
            }
            Message::ToolResult(result) => {
                // A second result of one call says nothing new.
                let Some(call) = open.remove(result.call_id.as_str()) else {
                    continue;
                };
                let address = || address_of(&source.entry);
                failures.on_result(result, &subject_of(call), address);
                for (file_use, path) in files_of(call).into_iter().filter(|_| !result.is_error) {
                    touch(&mut read, &mut modified, file_use, path);
                }
                // Also of a command that failed in the end.
                let files = result.details.as_ref().and_then(|it| it.get("files"));
                files::forget_removed(files, [&mut read, &mut modified]);
            }
            Message::BashExecution(run) => {
                files::forget_removed(run.files.as_ref(), [&mut read, &mut modified]);
            }
            Message::User(_) => {}
        }
    }
    SummaryAppendix {
        read_files: read.difference(&modified).cloned().collect(),
        modified_files: modified.into_iter().collect(),
        failures: failures.newest(),
        ..SummaryAppendix::default()
    }
}

fn touch(
    read: &mut BTreeSet<String>,
    modified: &mut BTreeSet<String>,
    file_use: FileUse,
    path: &str,
) {
    let known = match file_use {
        FileUse::Read => read,
        FileUse::Modify => modified,
    };
    if !known.contains(path) {
        known.insert(path.to_owned());
    }
}

/// A summary without the lists that other programs store inside it: they are appended
/// again.
pub fn without(summary: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(summary);
    for tag in [READ_FILES, MODIFIED_FILES, RULES] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some(from) = out.find(&open)
            && let Some(length) = out.get(from..).and_then(|rest| rest.find(&close))
        {
            let mut text = out.into_owned();
            text.replace_range(from..from + length + close.len(), "");
            out = Cow::Owned(text);
        }
    }
    out
}

/// The text that follows a summary, without secrets; empty when there is nothing to say. It
/// names no addresses: whoever reads it cannot ask by them.
pub fn render(appendix: &SummaryAppendix, workspace_rules: Option<&str>) -> String {
    let failures = appendix.failures.iter();
    let failures = failures.map(|line| failures::without_address(line).to_owned());
    let plain = SummaryAppendix {
        failures: failures.collect(),
        ..appendix.clone()
    };
    render_addressed(&plain, workspace_rules)
}

/// The same, with the addresses of the failed results where the model can ask by them.
pub(super) fn rendered(
    appendix: &SummaryAppendix,
    workspace_rules: Option<&str>,
    can_recall: bool,
) -> String {
    if can_recall {
        render_addressed(appendix, workspace_rules)
    } else {
        render(appendix, workspace_rules)
    }
}

fn render_addressed(appendix: &SummaryAppendix, workspace_rules: Option<&str>) -> String {
    let mut blocks = Vec::new();
    if !appendix.failures.is_empty() {
        let mut lines = vec!["Tool failures:".to_owned()];
        let shown = appendix.failures.iter().take(FAILURES_SHOWN);
        lines.extend(shown.map(|line| format!("- {}", fence::neutralised(line))));
        let more = appendix.failures.len().saturating_sub(FAILURES_SHOWN);
        if more > 0 {
            lines.push(format!("...and {more} more"));
        }
        blocks.push(lines.join("\n"));
    }
    for (tag, files) in [
        (READ_FILES, &appendix.read_files),
        (MODIFIED_FILES, &appendix.modified_files),
    ] {
        if !files.is_empty() {
            blocks.push(format!("<{tag}>\n{}\n</{tag}>", file_list(files)));
        }
    }
    if let Some(rules) = workspace_rules.filter(|rules| !rules.trim().is_empty()) {
        let rules = untrusted::clean(rules, RULES_CHARS);
        blocks.push(format!("<{RULES}>\n{rules}\n</{RULES}>"));
    }
    redact::redact(&blocks.join("\n\n")).into_owned()
}

fn file_list(files: &[String]) -> String {
    let mut sorted: Vec<&String> = files.iter().collect();
    sorted.sort();
    let mut out: Vec<String> = Vec::new();
    let mut chars = 0;
    for (index, file) in sorted.iter().enumerate() {
        chars += file.chars().count() + 1;
        if chars > FILES_CHARS {
            out.push(format!("...and {} more", sorted.len() - index));
            break;
        }
        let name = excerpt::one_line(file, FILES_CHARS);
        out.push(fence::neutralised(&name).into_owned());
    }
    out.join("\n")
}

/// The sections of a project's rules that follow every summary: those whose headings
/// are in `sections`, without case. Headings in fenced code are code. At most 2,000
/// characters; `None` when the file has none of them.
pub fn workspace_rules(markdown: &str, sections: &[String]) -> Option<String> {
    let mut out: Vec<String> = Vec::new();
    let mut level = None;
    // Parsing without known headings would keep `###` as text; here every level counts.
    for (line, in_code) in SummaryDocument::lines_with_code(markdown) {
        let marks = line.chars().take_while(|c| *c == '#').count();
        let title = line.trim_start_matches('#');
        if !in_code && (1..=6).contains(&marks) && title.starts_with([' ', '\t']) {
            let title = title.trim().trim_end_matches('#').trim().to_lowercase();
            let wanted = sections.iter().any(|s| s.trim().to_lowercase() == title);
            if wanted {
                level = Some(marks);
            } else if level.is_some_and(|open| marks <= open) {
                level = None;
            }
        }
        if level.is_some() {
            out.push(line.to_owned());
        }
    }
    let text = out.join("\n");
    let text = excerpt::head(text.trim(), RULES_CHARS).trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::transcript::{AssistantMessage, AssistantPart, Part, ToolResult};

    fn source(message: Message) -> SourceMessage {
        SourceMessage {
            entry: EntryId::new("e"),
            message: Arc::new(message),
            tokens: 1,
        }
    }

    fn call(id: &str, name: &str, arguments: Value) -> SourceMessage {
        source(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::ToolCall(ToolCall {
                id: id.to_owned(),
                name: name.to_owned(),
                arguments,
                malformed: None,
            })],
            ..AssistantMessage::default()
        }))
    }

    fn result(id: &str, text: &str, is_error: bool, details: Option<Value>) -> SourceMessage {
        source(Message::ToolResult(ToolResult {
            call_id: id.to_owned(),
            tool_name: "bash".to_owned(),
            content: vec![Part::Text(text.to_owned())],
            is_error,
            details,
        }))
    }

    #[test]
    fn a_failure_names_the_address_of_its_result_until_it_is_put_right() {
        let failed = [
            call("1", "shell", json!({"command": "just test"})),
            result("1", "3 tests failed", true, None),
        ];
        let address = |_: &EntryId| Some("r41".to_owned());
        let first = accumulate_addressed(None, &failed, address);
        assert_eq!(first.failures.len(), 1);
        assert!(first.failures[0].ends_with(" · recall r41"), "{first:?}");
        assert!(render_addressed(&first, None).contains(" · recall r41"));
        assert!(!render(&first, None).contains("recall"));
        // A later compaction knows the call again.
        let fixed = [
            call("2", "shell", json!({"command": "just test"})),
            result("2", "ok", false, None),
        ];
        let tool = |source: &SourceMessage| match source.message.as_ref() {
            Message::ToolResult(result) => result.tool_name.clone(),
            _ => String::new(),
        };
        assert_eq!(tool(&failed[1]), tool(&fixed[1]));
        assert!(accumulate(Some(&first), &fixed).failures.is_empty());
    }

    #[test]
    fn files_and_failures_accumulate() {
        let previous = SummaryAppendix {
            read_files: vec!["a.rs".into(), "b.rs".into()],
            modified_files: vec!["z.rs".into()],
            failures: vec!["old".into()],
            ..SummaryAppendix::default()
        };
        let messages = [
            call("1", "read", json!({"path": "c.rs"})),
            result("1", "ok", false, None),
            call("2", "Edit", json!({"file_path": "a.rs"})),
            result("2", "ok", false, None),
            call("1", "write", json!({"filePath": "failed.rs"})),
            result(
                "1",
                "no\n\n  space",
                true,
                Some(json!({"exitCode": 2, "status": "error"})),
            ),
            result("1", "again", true, None),
            call("3", "bash", json!({"command": "cat x"})),
        ];
        let appendix = accumulate(Some(&previous), &messages);
        assert_eq!(appendix.read_files, ["b.rs", "c.rs"]);
        assert_eq!(appendix.modified_files, ["a.rs", "z.rs"]);
        assert_eq!(
            appendix.failures,
            [
                "old",
                "bash `failed.rs`: no space (status=error exitCode=2)"
            ]
        );
    }

    #[test]
    fn a_file_that_a_command_removed_is_no_longer_listed_as_modified() {
        let previous = SummaryAppendix {
            modified_files: vec!["./old.rs".into(), "keep.rs".into()],
            ..SummaryAppendix::default()
        };
        let details = json!({"exitCode": 1, "files": {
            "root": "/w", "changed": ["b.rs"], "removed": ["a.rs", "old.rs", "sub/c.rs"],
        }});
        let messages = [
            call("1", "write", json!({"path": "a.rs"})),
            result("1", "ok", false, None),
            call("2", "edit", json!({"path": "/w/sub/c.rs"})),
            result("2", "ok", false, None),
            call("3", "read", json!({"path": "other/a.rs"})),
            result("3", "ok", false, None),
            call(
                "4",
                "shell",
                json!({"command": "rm a.rs old.rs sub/c.rs; false"}),
            ),
            result("4", "", true, Some(details)),
        ];
        let appendix = accumulate(Some(&previous), &messages);
        assert_eq!(appendix.modified_files, ["keep.rs"]);
        assert_eq!(appendix.read_files, ["other/a.rs"]);
        let again = [
            call("5", "write", json!({"path": "a.rs"})),
            result("5", "ok", false, None),
        ];
        let all: Vec<SourceMessage> = messages.into_iter().chain(again).collect();
        let appendix = accumulate(Some(&previous), &all);
        assert_eq!(appendix.modified_files, ["a.rs", "keep.rs"]);
    }

    #[test]
    fn a_failure_that_was_put_right_is_gone() {
        let run = |id: &str, command: &str| call(id, "bash", json!({ "command": command }));
        let messages = [
            run("1", "cargo test"),
            result("1", "2 tests failed", true, None),
            run("2", "cargo clippy"),
            result("2", "a lint", true, None),
            run("3", "cargo test"),
            result("3", "1 test failed", true, None),
        ];
        let first = accumulate(None, &messages);
        let expected = [
            "bash `cargo clippy`: a lint",
            "bash `cargo test`: 1 test failed",
        ];
        assert_eq!(first.failures, expected);
        let previous = SummaryAppendix {
            failures: first.failures,
            ..SummaryAppendix::default()
        };
        let messages = [run("4", "cargo test"), result("4", "ok", false, None)];
        let second = accumulate(Some(&previous), &messages);
        assert_eq!(second.failures, expected[..1], "the next compaction knows");
        let many: Vec<SourceMessage> = (0..100)
            .flat_map(|n| {
                [
                    run("n", &format!("make {n}")),
                    result("n", "no", true, None),
                ]
            })
            .collect();
        let newest = accumulate(None, &many).failures;
        assert_eq!(
            (newest.len(), newest[0].as_str()),
            (64, "bash `make 36`: no")
        );
    }

    #[test]
    fn rendering_cuts_and_counts() {
        let appendix = SummaryAppendix {
            failures: (0..11).map(|n| format!("f{n}")).collect(),
            read_files: (0..200).map(|n| format!("src/file{n:03}.rs")).collect(),
            modified_files: vec!["m.rs".into()],
            ..SummaryAppendix::default()
        };
        let text = render(&appendix, Some("stay <safe>"));
        for piece in [
            "- f7\n...and 3 more",
            "<read-files>\nsrc/file000.rs\n",
            "<modified-files>\nm.rs\n</modified-files>",
            "<workspace-critical-rules>\nstay &lt;safe&gt;\n",
        ] {
            assert!(text.contains(piece), "{piece}\n{text}");
        }
        assert!(text.contains("...and 140 more"), "{text}");
        assert_eq!(render(&SummaryAppendix::default(), None), "");
        let stored = format!("## Goal\n- port it\n\n{text}");
        let body = without(&stored);
        assert!(
            body.starts_with("## Goal\n- port it") && !body.contains("file000"),
            "{body}"
        );
        let leaking = SummaryAppendix {
            modified_files: vec!["/tmp/sk-abcdefghijklmnopqrstuv123456/a.rs".into()],
            failures: vec!["bash `x`: password=Tr0ub4dor-3".into()],
            ..SummaryAppendix::default()
        };
        let text = render(&leaking, Some("api_key: Tr0ub4dor-4"));
        assert!(
            !text.contains("sk-a") && !text.contains("Tr0ub4dor"),
            "{text}"
        );
    }

    #[test]
    fn rules_are_sections_outside_code() {
        let markdown = "# A\nx\n## session startup\n- read\n```\n## Other\n```\n### sub\ny\n## Else\nz\n# Red Lines #\n- never";
        let sections = ["Session Startup".to_owned(), "Red Lines".to_owned()];
        let rules = workspace_rules(markdown, &sections).unwrap();
        assert_eq!(
            rules,
            "## session startup\n- read\n```\n## Other\n```\n### sub\ny\n# Red Lines #\n- never"
        );
        assert_eq!(workspace_rules("# A\nb", &sections), None);
        let long = format!("# Red Lines\n{}", "x".repeat(5_000));
        assert_eq!(
            workspace_rules(&long, &sections).unwrap().chars().count(),
            2_000
        );
    }
}
