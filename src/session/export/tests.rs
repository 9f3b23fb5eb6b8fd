//! The Markdown as a reader sees it.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::transcript::testing::branch;
use crate::transcript::{Image, Timestamp, ToolCall, UserMessage};

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
    assert_eq!(markdown(&header, &transcript), expected);
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
