//! cline and aider.

use serde_json::json;

use super::*;

#[test]
fn cline_blocks_are_messages() {
    let call = json!([{ "type": "text", "text": "look" },
        { "type": "tool_use", "id": "c1", "name": "read", "input": {} }]);
    let result = json!([{ "type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": true },
        { "type": "text", "text": "<environment_details>here" }]);
    let document = json!({ "version": 1, "sessionId": "c", "system_prompt": "be good", "messages": [
        { "role": "user", "ts": 1_795_340_000_000_i64, "content": [{ "type": "text", "text": "<task>\ngo\n</task>" }] },
        { "role": "assistant", "modelInfo": { "modelId": "m", "providerId": "p" }, "content": call },
        { "role": "user", "content": result },
        { "role": "assistant", "content": "done" },
        { "role": "judge", "content": "?" },
    ]});
    let (_folder, path) = file("c.messages.json", &[document]);
    let session = read(&path);
    let expected = [
        "user: go",
        "model: look",
        "call: read",
        "error: no",
        "note: <environment_details>here",
        "model: done",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(session.lost[0].place, SourcePlace::Row("5".to_owned()));
}

const AIDER: &str = "-*- markdown -*-
# aider chat started at 2026-11-22 09:00:00

> Model: gpt-x with diff format

#### first turn
#### on two lines

The answer.

```
#### no turn
> no notice
# aider chat started at 1999-01-01 00:00:00
```

> Tokens: 1k sent

# aider chat started at 2026-11-22 10:00:00

#### again
Yes.  
";

#[test]
fn aider_marks_do_not_count_inside_fences() {
    let (_folder, path) = file_of(".aider.chat.history.md", AIDER.as_bytes());
    let store = crate::foreign::SessionStore {
        program: crate::foreign::ForeignProgram::Aider,
        root: path.clone(),
    };
    let listed = crate::foreign::sessions_in(&store).unwrap();
    let ids: Vec<&str> = listed.iter().map(|it| it.session.as_str()).collect();
    assert_eq!(ids, ["2026-11-22 10:00:00", "2026-11-22 09:00:00"]);
    assert_eq!(path_of(&read(&path)), ["user: again", "model: Yes."]);
    let first = read(&PathBuf::from(format!(
        "{}#2026-11-22 09:00:00",
        path.display()
    )));
    let said = path_of(&first);
    assert_eq!(
        said[..2],
        [
            "note: Model: gpt-x with diff format",
            "user: first turn\non two lines"
        ]
    );
    assert!(
        said[2].starts_with("model: The answer.") && said[2].contains("#### no turn"),
        "{said:?}"
    );
    assert_eq!(said[3..], ["note: Tokens: 1k sent"]);
}
