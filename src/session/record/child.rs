//! Links to the sessions of sub-agents as `custom` lines: other programs keep them and send
//! nothing of them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::compaction::UsageFields;
use crate::transcript::{ChildEnd, ChildLink};

const CHILD: &str = "plimsoll.agent";

/// The link that a `custom` line holds, when it is one.
pub(super) fn read(custom_type: &str, data: &str) -> Option<ChildLink> {
    if custom_type != CHILD {
        return None;
    }
    let line: ChildLine = serde_json::from_str(data).ok()?;
    Some(ChildLink {
        number: line.number,
        agent: line.agent,
        task: line.task,
        call: line.call,
        session: line.session,
        file: line.file,
        model: line.model,
        is_background: line.background,
        end: line.end.map(|end| ChildEnd {
            state: end.state,
            requests: end.requests,
            unpriced: end.unpriced,
            estimated: end.estimated,
            usage: end.usage.into(),
        }),
    })
}

/// `customType` and `data` of a link.
pub(super) fn write(link: &ChildLink) -> (&'static str, Value) {
    let fields = ChildLine {
        number: link.number,
        agent: link.agent.clone(),
        task: link.task.clone(),
        call: link.call.clone(),
        session: link.session.clone(),
        file: link.file.clone(),
        model: link.model.clone(),
        background: link.is_background,
        end: link.end.as_ref().map(|end| EndFields {
            state: end.state.clone(),
            requests: end.requests,
            unpriced: end.unpriced,
            estimated: end.estimated,
            usage: end.usage.into(),
        }),
    };
    (CHILD, json!(fields))
}

#[derive(Serialize, Deserialize)]
struct ChildLine {
    number: u64,
    #[serde(default)]
    agent: String,
    #[serde(default)]
    task: String,
    #[serde(default)]
    call: String,
    #[serde(default)]
    session: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    model: String,
    #[serde(default)]
    background: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<EndFields>,
}

#[derive(Serialize, Deserialize)]
struct EndFields {
    state: String,
    #[serde(default)]
    requests: u64,
    #[serde(default)]
    unpriced: u64,
    #[serde(default)]
    estimated: u64,
    #[serde(default)]
    usage: UsageFields,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Usage;

    #[test]
    fn a_link_is_read_as_it_was_written_and_a_later_one_has_the_end() {
        let mut link = ChildLink {
            number: 3,
            agent: "explore".to_owned(),
            task: "find \"漢字\"".to_owned(),
            call: "c1".to_owned(),
            session: "s2".to_owned(),
            file: "agents/s2.jsonl".to_owned(),
            model: "p/m".to_owned(),
            is_background: true,
            end: None,
        };
        let (custom_type, data) = write(&link);
        assert!(data.get("end").is_none());
        assert_eq!(read(custom_type, &data.to_string()), Some(link.clone()));
        link.end = Some(ChildEnd {
            state: "stopped".to_owned(),
            requests: 4,
            unpriced: 1,
            estimated: 2,
            usage: Usage {
                input_tokens: 10,
                output_tokens: 7,
                cost_usd: Some(0.25),
                ..Usage::default()
            },
        });
        let (_, data) = write(&link);
        assert_eq!(read(CHILD, &data.to_string()), Some(link));
        assert_eq!(read(CHILD, r#"{"agent":"no number"}"#), None);
        assert_eq!(read("plimsoll.files", &data.to_string()), None);
    }
}
