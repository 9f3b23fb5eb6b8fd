//! New calls of a model that imitates what it sees of shortened ones: such a call holds the
//! mark of a cut where content belongs, and must never run.

use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use super::cut::ARGUMENT_NOTE;
use crate::transcript::{Cut, CutForm, Decision, Entry, EntryBody, LEFT_OUT_FIELD, ToolCall};

/// What a new call has of a cut.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CopiedCut {
    /// The field that says what is missing of an old call.
    #[error(
        "This call was not run. `{LEFT_OUT_FIELD}` only marks where arguments of an old call are \
         not shown any more; it holds no content. Read the file for what it holds now, and give \
         every argument in full. An address like r41 leads to the original by the tool `recall`, \
         where there is one."
    )]
    Field,
    /// The text that stands where something was cut.
    #[error(
        "This call was not run. It holds a text that only marks where something was cut from \
         this conversation: {0}. It is not part of any file. Read the file or run the tool again \
         for the whole text, and give every argument in full. An address like r41 leads to the \
         original by the tool `recall`, where there is one."
    )]
    Text(String),
}

/// The mark of a cut in the arguments of a new call. `branch` holds the decisions that made the
/// marks which the model has seen.
pub fn copied_cut(call: &ToolCall, branch: &[Arc<Entry>]) -> Option<CopiedCut> {
    if call.arguments.get(LEFT_OUT_FIELD).is_some() {
        return Some(CopiedCut::Field);
    }
    let mut texts = Vec::new();
    collect_texts(&call.arguments, &mut texts);
    texts.retain(|text| !text.is_empty());
    let imitated = texts.iter().find(|text| is_imitated_note(text));
    if let Some(text) = imitated {
        return Some(CopiedCut::Text(text.trim().to_owned()));
    }
    let cuts = branch.iter().rev().flat_map(|entry| cuts_of(entry));
    let mut marks = cuts.flat_map(|cut| marks_of(&cut.form));
    let found = marks.find(|mark| texts.iter().any(|text| mark.is_in(text)));
    found.map(|mark| CopiedCut::Text(mark.text.to_owned()))
}

/// A text that stands in the context where something was cut.
struct CutMark<'a> {
    text: &'a str,
    /// It names an entry: nobody writes it who has not seen it.
    is_unique: bool,
}

impl CutMark<'_> {
    /// Whether a text holds the mark: anywhere when it is unique, else as a line of its own, as
    /// it stands in the context.
    fn is_in(&self, text: &str) -> bool {
        if !text.contains(self.text) {
            return false;
        }
        self.is_unique || text.lines().any(|line| line.trim() == self.text)
    }
}

fn marks_of(form: &CutForm) -> Vec<CutMark<'_>> {
    let marks: Vec<(&str, bool)> = match form {
        CutForm::Trim { notice, .. } => vec![(notice, false)],
        CutForm::Clear { placeholder } => vec![(placeholder, false)],
        CutForm::Difference { text, .. } => vec![(text.lines().next().unwrap_or_default(), false)],
        CutForm::Arguments { calls } => calls.iter().map(|cut| (cut.note.as_str(), true)).collect(),
    };
    let marks = marks.into_iter().map(|(text, is_unique)| CutMark {
        text: text.trim(),
        is_unique,
    });
    marks.filter(|mark| !mark.text.is_empty()).collect()
}

/// Whether all of a text is one note of the kind that stands beside shortened arguments, with
/// whatever numbers.
fn is_imitated_note(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(ARGUMENT_NOTE) && text.ends_with(']') && !text.contains('\n')
}

fn cuts_of(entry: &Entry) -> &[Cut] {
    match &entry.body {
        EntryBody::Decision(Decision::Prune { cuts, .. } | Decision::Guard { cuts }) => cuts,
        _ => &[],
    }
}

fn collect_texts<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => fields
            .values()
            .for_each(|value| collect_texts(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::context::cut::argument_note;
    use crate::transcript::{ArgumentCut, CutPhase, EntryId, Timestamp};

    const NOTICE: &str = "[… 5,000 characters cut to keep the context small …]";
    const PLACEHOLDER: &str = "[Old tool result content cleared]";

    fn branch() -> Vec<Arc<Entry>> {
        let cut = |form| Cut {
            target: EntryId::new("a1"),
            form,
            phase: CutPhase::Soft,
            reason: String::new(),
            tokens_before: 2_000,
            tokens_after: 20,
        };
        let note = argument_note(&["content"], 9_000, &EntryId::new("a1"));
        let cuts = vec![
            cut(CutForm::Trim {
                head_chars: 10,
                tail_chars: 0,
                notice: NOTICE.to_owned(),
            }),
            cut(CutForm::Clear {
                placeholder: PLACEHOLDER.to_owned(),
            }),
            cut(CutForm::Arguments {
                calls: vec![ArgumentCut {
                    call: 0,
                    names: vec!["content".to_owned()],
                    note,
                }],
            }),
        ];
        let body = EntryBody::Decision(Decision::Guard { cuts });
        vec![Arc::new(Entry {
            id: EntryId::new("d1"),
            parent: None,
            timestamp: Timestamp(0),
            body,
        })]
    }

    #[test]
    fn marks_of_cuts_are_found_and_nothing_else_is() {
        let note = argument_note(&["content"], 9_000, &EntryId::new("a1"));
        let other = argument_note(&["content"], 77, &EntryId::new("zz"));
        for (arguments, is_copied) in [
            (json!({"path": "a", "content": "fn main() {}\n"}), false),
            (json!({"path": "a", (LEFT_OUT_FIELD): ""}), true),
            (json!({"path": "a", "content": note}), true),
            (json!({"path": "a", "content": other}), true),
            (
                json!({"path": "a", "content": format!("// {note}\n")}),
                true,
            ),
            // A text about notes is a text.
            (
                json!({"path": "a", "content": format!("x\n{other}\ny\n")}),
                false,
            ),
            (
                json!({"path": "a", "content": format!("head\n{NOTICE}\ntail\n")}),
                true,
            ),
            (
                json!({"path": "a", "content": format!("let s = \"{PLACEHOLDER}\";\n")}),
                false,
            ),
            (json!({"edits": [{"new": PLACEHOLDER}]}), true),
            (
                json!({"command": format!("cat > a <<E\n  {PLACEHOLDER}\nE")}),
                true,
            ),
        ] {
            let call = ToolCall {
                id: "c".to_owned(),
                name: "write".to_owned(),
                arguments: arguments.clone(),
                malformed: None,
            };
            let found = copied_cut(&call, &branch());
            assert_eq!(found.is_some(), is_copied, "{arguments}");
        }
    }

    #[test]
    fn the_errors_say_what_to_do() {
        let field = CopiedCut::Field.to_string();
        assert!(
            field.contains("not run") && field.contains("Read the file"),
            "{field}"
        );
        let text = CopiedCut::Text(NOTICE.to_owned()).to_string();
        assert!(text.contains(NOTICE), "{text}");
    }
}
