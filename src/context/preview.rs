//! First words of a message, on one line, safe to print anywhere.

use std::sync::Arc;

use crate::transcript::{AssistantPart, Entry, EntryBody, Message, Part};

/// Longest preview in characters.
const PREVIEW_CHARS: usize = 120;

/// First words of what an entry says to a model; empty when it says nothing.
pub fn of_entry(entry: &Entry) -> Arc<str> {
    match &entry.body {
        EntryBody::Message(message) => of_message(message),
        EntryBody::Compaction(compaction) => of_text(&compaction.summary),
        EntryBody::BranchSummary { summary, .. } => of_text(summary),
        EntryBody::CustomMessage { content, .. } => of_parts(content),
        _ => Arc::from(""),
    }
}

/// First words of a message; tool calls appear as `name(arguments)`.
pub(super) fn of_message(message: &Message) -> Arc<str> {
    match message {
        Message::User(user) => of_parts(&user.content),
        Message::ToolResult(result) => of_parts(&result.content),
        Message::BashExecution(run) => of_text(&format!("! {}", run.command)),
        Message::Assistant(answer) => {
            for part in &answer.content {
                match part {
                    AssistantPart::Text(text) if !text.trim().is_empty() => return of_text(text),
                    AssistantPart::ToolCall(call) => {
                        return of_text(&format!("{}({})", call.name, call.arguments));
                    }
                    _ => {}
                }
            }
            Arc::from(answer.error.as_deref().map_or_else(String::new, clean))
        }
    }
}

fn of_parts(parts: &[Part]) -> Arc<str> {
    for part in parts {
        match part {
            Part::Text(text) if !text.trim().is_empty() => return of_text(text),
            Part::Image(image) => return of_text(&format!("[{}]", image.mime)),
            Part::Text(_) => {}
        }
    }
    Arc::from("")
}

/// First words of a text.
pub(super) fn of_text(text: &str) -> Arc<str> {
    Arc::from(clean(text))
}

fn clean(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    // Enough source for the preview even when most of it is blank.
    for word in text.split_whitespace().take(PREVIEW_CHARS) {
        if length > 0 {
            out.push(' ');
            length += 1;
        }
        for c in word.chars() {
            if length >= PREVIEW_CHARS {
                out.push('…');
                return out;
            }
            out.push(if is_safe(c) { c } else { '\u{fffd}' });
            length += 1;
        }
    }
    out
}

/// No control characters, no invisible formatting, no direction overrides.
fn is_safe(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_bounded_and_harmless() {
        assert_eq!(&*of_text("  a\n\tb  "), "a b");
        assert_eq!(&*of_text("x\u{1b}]0;t\u{7}"), "x\u{fffd}]0;t\u{fffd}");
        assert_eq!(of_text(&"y".repeat(500)).chars().count(), PREVIEW_CHARS + 1);
    }
}
