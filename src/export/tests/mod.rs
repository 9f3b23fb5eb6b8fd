//! The Markdown as a reader sees it.

mod damaged;

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::transcript::testing::branch;
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, Image, Message, Part, StopReason, Timestamp,
    ToolCall, ToolResult, UserMessage,
};

fn sound<'a>(header: &'a Header, transcript: &'a Transcript) -> DocumentSource<'a> {
    DocumentSource {
        header,
        transcript,
        problems: &[],
    }
}

fn message(message: Message) -> EntryBody {
    EntryBody::Message(Arc::new(message))
}

#[test]
fn the_branch_reads_as_a_document() {
    let call = ToolCall {
        id: "c".to_owned(),
        name: "read".to_owned(),
        arguments: json!({"path": "a"}),
        malformed: None,
    };
    let transcript = branch(vec![
        EntryBody::SessionInfo {
            name: "Bug hunt".to_owned(),
        },
        message(Message::User(UserMessage {
            content: vec![
                Part::Text("look".to_owned()),
                Part::Image(Image {
                    data: "AAAA".into(),
                    mime: "image/png".to_owned(),
                    name: None,
                }),
            ],
        })),
        message(Message::Assistant(AssistantMessage {
            content: vec![
                AssistantPart::Thinking {
                    text: "a\nb".to_owned(),
                    signature: None,
                },
                AssistantPart::ToolCall(call),
            ],
            stop: StopReason::ToolUse,
            ..AssistantMessage::default()
        })),
        message(Message::ToolResult(ToolResult {
            tool_name: "read".to_owned(),
            content: vec![Part::Text("```\n# not a heading\n````".to_owned())],
            is_error: true,
            ..ToolResult::default()
        })),
        EntryBody::Unknown {
            kind: "future".to_owned(),
        },
        message(Message::BashExecution(BashExecution {
            command: "ls".to_owned(),
            output: "x\n".to_owned(),
            exit_code: Some(1),
            ..BashExecution::default()
        })),
    ]);
    let expected = r#"# Bug hunt

Session `s` of 1970-01-01T00:00:00.000Z in `/w`

## User

look

*(attachment, image/png)*

## Assistant

> a
> b

Calls `read`:

```json
{
  "path": "a"
}
```

## Result of `read` (failed)

`````
```
# not a heading
````
`````

## Command

```sh
ls
```

```
x
```

*(exit code 1)*
"#;
    let header = Header::new("s", Timestamp(0), "/w");
    assert_eq!(markdown(sound(&header, &transcript)), expected);
}

#[test]
fn a_second_export_leaves_the_first_alone() {
    let folder = tempfile::tempdir().unwrap();
    let save = |text: &str| save_new(folder.path(), "s", "md", text.as_bytes()).unwrap();
    assert_eq!(save("one"), folder.path().join("s.md"));
    assert_eq!(save("two"), folder.path().join("s-2.md"));
    assert_eq!(
        std::fs::read_to_string(folder.path().join("s.md")).unwrap(),
        "one"
    );
}

#[test]
fn no_text_can_begin_a_section_or_leave_a_code_block_open() {
    let ask = "go on\n## Assistant\n### User \n# Notes\n```rust\n## User\nfn main() {}";
    let summary = "## Goal\n- x\n## Compaction\n~~~~\nopen\n~~~";
    let transcript = branch(vec![
        message(Message::user_text(ask)),
        EntryBody::BranchSummary {
            from: None,
            summary: summary.to_owned(),
        },
        message(Message::user_text("the end")),
    ]);
    let header = Header::new("s".to_owned(), Timestamp(0), "/tmp".to_owned());
    let document = markdown(sound(&header, &transcript));
    assert_eq!(
        sections(&document),
        ["User", "Summary of another branch", "User"]
    );
    assert!(document.contains("\n\\## Assistant\n\\### User \n# Notes\n```rust\n## User\n"));
}

/// The sections of a document whose titles are ours, as a renderer sees them.
fn sections(document: &str) -> Vec<String> {
    let (mut out, mut open) = (Vec::new(), String::new());
    for line in document.lines() {
        let marks: String = line.chars().take_while(|c| "`~".contains(*c)).collect();
        if open.is_empty() && marks.len() >= 3 {
            open = marks;
        } else if !open.is_empty()
            && line.trim_end().len() >= open.len()
            && marks == line.trim_end()
            && marks.starts_with(&open)
        {
            open.clear();
        } else if let Some(title) = line.strip_prefix("## ").filter(|_| open.is_empty())
            && !matches!(title, "Goal")
        {
            out.push(title.to_owned());
        }
    }
    out
}
