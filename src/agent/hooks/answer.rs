//! What a hook of the shared form answers: its exit code, or JSON on stdout; and what several
//! of them come to. Pure: nothing is run here.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::config::HookEvent;
use crate::engine::text::{cleaned, one_line};

/// The exit code with which a hook blocks; stderr is its reason.
const BLOCKING_CODE: i32 = 2;
/// Longest text that a hook adds to the conversation.
const MAX_TEXT_CHARS: usize = 10_000;
/// Of a complaint, this much is shown.
const COMPLAINT_CHARS: usize = 200;

/// How a hook ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::agent) struct HookEnd {
    /// Exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// What a hook says about a call that would be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::agent) enum HookPermission {
    Allow,
    Ask,
}

/// A text with the hook that gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agent) struct HookText {
    /// Its command, in short.
    pub hook: String,
    pub text: String,
}

/// What one hook wants, or several of one event.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::agent) struct HookVerdict {
    /// It forbids what is about to be done, with the reason.
    pub block: Option<HookText>,
    /// A deny wins over a question, and a question over an allowance.
    pub permission: Option<HookPermission>,
    /// Other arguments for the call, in the shared form, with the hook that gave them.
    pub input: Option<(String, Map<String, Value>)>,
    /// Texts for the model.
    pub contexts: Vec<HookText>,
    /// The turn shall end, with the reason.
    pub stop: Option<HookText>,
    /// Texts for the user alone.
    pub messages: Vec<HookText>,
    /// Hooks that failed; nothing is blocked by that.
    pub failures: Vec<HookText>,
}

/// JSON on stdout.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct HookOutput {
    #[serde(rename = "continue")]
    go_on: Option<bool>,
    stop_reason: Option<String>,
    system_message: Option<String>,
    decision: Option<String>,
    reason: Option<String>,
    additional_context: Option<String>,
    hook_specific_output: Option<SpecificOutput>,
}

/// The part that depends on the event.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SpecificOutput {
    permission_decision: Option<String>,
    permission_decision_reason: Option<String>,
    updated_input: Option<Map<String, Value>>,
    additional_context: Option<String>,
}

impl HookVerdict {
    /// What the end of one hook means. `hook` is its command in short.
    pub(in crate::agent) fn of(event: HookEvent, hook: &str, end: &HookEnd) -> Self {
        let named = |text: &str| HookText {
            hook: hook.to_owned(),
            text: shortened(text),
        };
        match end.code {
            Some(0) => Self::of_output(event, hook, &end.stdout),
            Some(BLOCKING_CODE) => Self::of_block(event, named(&end.stderr)),
            code => {
                let last = end
                    .stderr
                    .lines()
                    .rev()
                    .find(|line| !line.trim().is_empty());
                let said = last.map_or(String::new(), |line| format!(": {line}"));
                let how = match code {
                    Some(code) => format!("exit code {code}"),
                    None => "ended by a signal".to_owned(),
                };
                Self::failed(hook, &format!("{how}{said}"))
            }
        }
    }

    /// A hook that failed: everything goes on as if it were not there.
    pub(in crate::agent) fn failed(hook: &str, why: &str) -> Self {
        let failure = HookText {
            hook: hook.to_owned(),
            text: one_line(why, COMPLAINT_CHARS),
        };
        Self {
            failures: vec![failure],
            ..Self::default()
        }
    }

    /// Exit code 2: where nothing can be forbidden any more, the reason is only told.
    fn of_block(event: HookEvent, mut reason: HookText) -> Self {
        if reason.text.trim().is_empty() {
            "no reason given".clone_into(&mut reason.text);
        }
        if can_block(event) {
            return Self {
                block: Some(reason),
                ..Self::default()
            };
        }
        Self {
            messages: vec![reason],
            ..Self::default()
        }
    }

    fn of_output(event: HookEvent, hook: &str, stdout: &str) -> Self {
        let named = |text: String| HookText {
            hook: hook.to_owned(),
            text: shortened(&text),
        };
        let text = stdout.trim();
        if !text.starts_with('{') {
            let is_context = matches!(event, HookEvent::UserPromptSubmit | HookEvent::SessionStart);
            let contexts = (is_context && !text.is_empty()).then(|| named(text.to_owned()));
            return Self {
                contexts: contexts.into_iter().collect(),
                ..Self::default()
            };
        }
        let output: HookOutput = match serde_json::from_str(text) {
            Ok(output) => output,
            Err(error) => {
                return Self::failed(hook, &format!("its output is not a valid answer ({error})"));
            }
        };
        let specific = output.hook_specific_output.unwrap_or_default();
        let reason = specific.permission_decision_reason.or(output.reason);
        let decision = specific.permission_decision.or(output.decision);
        let mut verdict = Self {
            input: specific.updated_input.map(|input| (hook.to_owned(), input)),
            contexts: [specific.additional_context, output.additional_context]
                .into_iter()
                .flatten()
                .filter(|text| !text.trim().is_empty())
                .map(named)
                .collect(),
            messages: output.system_message.map(named).into_iter().collect(),
            ..Self::default()
        };
        match decision.as_deref() {
            Some("deny" | "block") => {
                let blocked = Self::of_block(event, named(reason.unwrap_or_default()));
                verdict.block = blocked.block;
                verdict.messages.extend(blocked.messages);
            }
            Some("ask") => verdict.permission = Some(HookPermission::Ask),
            Some("allow" | "approve") => verdict.permission = Some(HookPermission::Allow),
            Some(other) => {
                let why = format!("its decision `{other}` is not known");
                verdict.failures.extend(Self::failed(hook, &why).failures);
            }
            None => {}
        }
        if output.go_on == Some(false) {
            let why = output.stop_reason.unwrap_or_default();
            let why = if why.trim().is_empty() {
                "no reason given".to_owned()
            } else {
                why
            };
            verdict.stop = Some(named(why));
        }
        verdict
    }

    /// What several hooks of one event come to, in their order.
    pub(in crate::agent) fn and(mut self, next: Self) -> Self {
        self.block = self.block.or(next.block);
        self.permission = self.permission.max(next.permission);
        self.input = next.input.or(self.input);
        self.stop = self.stop.or(next.stop);
        self.contexts.extend(next.contexts);
        self.messages.extend(next.messages);
        self.failures.extend(next.failures);
        self
    }
}

/// Events at which something can still be forbidden, or told to the model.
fn can_block(event: HookEvent) -> bool {
    match event {
        HookEvent::PreToolUse
        | HookEvent::PostToolUse
        | HookEvent::UserPromptSubmit
        | HookEvent::Stop
        | HookEvent::SubagentStop
        | HookEvent::PreCompact => true,
        HookEvent::SessionStart
        | HookEvent::SessionEnd
        | HookEvent::PostCompact
        | HookEvent::Notification => false,
    }
}

/// A text as a model and a screen may have it: without what nobody sees, not too long.
fn shortened(text: &str) -> String {
    let text: String = cleaned(text.trim())
        .text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    match text.char_indices().nth(MAX_TEXT_CHARS) {
        None => text,
        Some((end, _)) => format!(
            "{}\n[… the rest was left out]",
            text.get(..end).unwrap_or_default()
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(event: HookEvent, output: &Value) -> HookVerdict {
        let end = HookEnd {
            code: Some(0),
            stdout: output.to_string(),
            stderr: String::new(),
        };
        HookVerdict::of(event, "h", &end)
    }

    fn ended(event: HookEvent, code: i32, stdout: &str, stderr: &str) -> HookVerdict {
        let end = HookEnd {
            code: Some(code),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        HookVerdict::of(event, "h", &end)
    }

    fn text(found: Option<&HookText>) -> Option<&str> {
        found.map(|it| it.text.as_str())
    }

    #[test]
    fn exit_code_2_blocks_where_something_can_be_blocked() {
        for event in HookEvent::ALL {
            let verdict = ended(event, 2, "", "not on my watch\n");
            let (blocked, told) = (text(verdict.block.as_ref()), verdict.messages.len());
            if can_block(event) {
                assert_eq!((blocked, told), (Some("not on my watch"), 0), "{event:?}");
            } else {
                assert_eq!((blocked, told), (None, 1), "{event:?}");
            }
        }
        let other = ended(HookEvent::PreToolUse, 1, "", "first\nno such file\n");
        assert_eq!(other.block, None);
        assert_eq!(other.failures[0].text, "exit code 1: no such file");
    }

    #[test]
    fn plain_output_is_context_where_the_form_says_so() {
        for event in HookEvent::ALL {
            let is_context = matches!(event, HookEvent::UserPromptSubmit | HookEvent::SessionStart);
            let verdict = ended(event, 0, "the build is red\n", "");
            assert_eq!(verdict.contexts.len(), usize::from(is_context), "{event:?}");
            assert_eq!(ended(event, 0, " \n", ""), HookVerdict::default());
        }
    }

    #[test]
    fn decisions_of_both_spellings_are_understood() {
        let specific = |decision: &str| {
            json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
                "permissionDecision": decision, "permissionDecisionReason": "why"}})
        };
        let event = HookEvent::PreToolUse;
        let denied = said(event, &specific("deny"));
        assert_eq!(text(denied.block.as_ref()), Some("why"));
        assert_eq!(
            said(event, &specific("ask")).permission,
            Some(HookPermission::Ask)
        );
        assert_eq!(
            said(event, &specific("allow")).permission,
            Some(HookPermission::Allow)
        );
        let old = said(event, &json!({"decision": "block", "reason": "old"}));
        assert_eq!(text(old.block.as_ref()), Some("old"));
        let approved = said(event, &json!({"decision": "approve"}));
        assert_eq!(approved.permission, Some(HookPermission::Allow));
        assert_eq!(
            said(event, &json!({"decision": "perhaps"})).failures.len(),
            1
        );
        assert_eq!(said(event, &json!({"decision": 3})).failures.len(), 1);
        let stop = said(event, &json!({"continue": false, "stopReason": "enough"}));
        assert_eq!(text(stop.stop.as_ref()), Some("enough"));
        let told = said(event, &json!({"systemMessage": "hello"}));
        assert_eq!(told.messages[0].text, "hello");
    }

    #[test]
    fn a_deny_wins_over_a_question_and_that_over_an_allowance() {
        let allow = said(HookEvent::PreToolUse, &json!({"decision": "approve"}));
        let ask = said(
            HookEvent::PreToolUse,
            &json!({"hookSpecificOutput": {"permissionDecision": "ask"}}),
        );
        let deny = ended(HookEvent::PreToolUse, 2, "", "no");
        for order in [
            [&allow, &ask, &deny],
            [&deny, &ask, &allow],
            [&ask, &deny, &allow],
        ] {
            let all = order
                .into_iter()
                .cloned()
                .fold(HookVerdict::default(), HookVerdict::and);
            assert_eq!(text(all.block.as_ref()), Some("no"));
            assert_eq!(all.permission, Some(HookPermission::Ask));
        }
    }

    #[test]
    fn escape_bytes_and_endless_texts_do_not_get_through() {
        let verdict = ended(HookEvent::PreToolUse, 2, "", "a\u{1b}[2Jb\u{7}\u{200b}c");
        assert_eq!(text(verdict.block.as_ref()), Some("a[2Jbc"));
        let long = ended(HookEvent::SessionStart, 0, &"x".repeat(50_000), "");
        assert!(long.contexts[0].text.chars().count() < 10_100);
    }
}
