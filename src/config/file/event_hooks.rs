//! `[[hooks.EVENT]]` tables, and the same in the settings of Claude Code, which are JSON.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use toml::de::DeValue;

use super::providers::TableFields;
use super::toml_text::{TomlText, type_name};
use crate::config::error::ConfigError;
use crate::config::settings::{EventHook, HookEvent};
use crate::config::table::kind::SettingKind;

pub(super) const HOOK_KEYS: [&str; 3] = ["matcher", "command", "timeout"];
/// Seconds that a hook may take.
const TIMEOUT: SettingKind = SettingKind::Int {
    min: 1,
    max: EventHook::MAX_TIMEOUT_SECS,
    unit: "seconds",
};

/// A hook with the line where its table begins, from 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HookPatch {
    pub line: usize,
    pub hook: EventHook,
}

/// The hooks of one event.
///
/// # Errors
///
/// Anything but a list of tables, unknown keys and bad values, with file and line.
pub(crate) fn hooks(
    event: HookEvent,
    value: &DeValue<'_>,
    offset: usize,
    place: TomlText<'_>,
) -> Result<Vec<HookPatch>, ConfigError> {
    let path = format!("hooks.{}", event.name());
    let DeValue::Array(items) = value else {
        return Err(ConfigError::new(format!(
            "{}: `{path}` is {}; expected a list of tables",
            place.at(offset),
            type_name(value)
        ))
        .with_hint(format!("write [[{path}]] above its command")));
    };
    let mut patches = Vec::new();
    for item in items {
        let offset = item.span().start;
        let fields = TableFields::new(&path, item.get_ref(), offset, place)?;
        fields.only(&HOOK_KEYS)?;
        let command: Option<String> = fields.get("command", SettingKind::Text)?;
        let Some(command) = command.filter(|line| !line.trim().is_empty()) else {
            return Err(ConfigError::new(format!(
                "{}: `{path}` has no `command`",
                place.at(offset)
            )));
        };
        patches.push(HookPatch {
            line: place.line(offset),
            hook: EventHook {
                event,
                matcher: fields
                    .get("matcher", SettingKind::Text)?
                    .unwrap_or_default(),
                command,
                timeout_secs: fields.get("timeout", TIMEOUT)?,
            },
        });
    }
    Ok(patches)
}

/// The part of Claude Code's settings that is about hooks.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ClaudeSettings {
    hooks: BTreeMap<String, Vec<ClaudeMatcher>>,
    disable_all_hooks: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ClaudeMatcher {
    matcher: Option<String>,
    hooks: Vec<ClaudeHook>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ClaudeHook {
    #[serde(rename = "type")]
    kind: String,
    command: Option<String>,
    timeout: Option<f64>,
}

/// Hooks in the settings of Claude Code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaudeHooks {
    /// Those that can be run here.
    pub hooks: Vec<EventHook>,
    /// What is not supported, by event or kind.
    pub skipped: Vec<String>,
}

/// Reads the text of `.claude/settings.json`.
///
/// # Errors
///
/// Text that is not JSON of that form, in one clause.
pub fn claude_hooks(text: &str) -> Result<ClaudeHooks, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let settings: ClaudeSettings =
        serde_json::from_value(value).map_err(|error| error.to_string())?;
    let mut found = ClaudeHooks::default();
    if settings.disable_all_hooks {
        return Ok(found);
    }
    for (name, matchers) in settings.hooks {
        let Some(event) = HookEvent::from_name(&name) else {
            found.skipped.push(name);
            continue;
        };
        for group in matchers {
            for hook in group.hooks {
                let command = hook.command.filter(|line| !line.trim().is_empty());
                let (true, Some(command)) = (hook.kind == "command", command) else {
                    found.skipped.push(format!("{name} of type {}", hook.kind));
                    continue;
                };
                found.hooks.push(EventHook {
                    event,
                    matcher: group.matcher.clone().unwrap_or_default(),
                    command,
                    timeout_secs: hook.timeout.map(|secs| secs.ceil().max(1.0) as u64),
                });
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_of_claude_code_are_read() {
        let text = r#"{
            "model": "opus",
            "hooks": {
                "PreToolUse": [
                    {"matcher": "Bash|Edit", "hooks": [
                        {"type": "command", "command": "check.sh", "timeout": 2.5},
                        {"type": "prompt", "prompt": "Is it safe?"}
                    ]}
                ],
                "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
                "WorktreeCreate": [{"hooks": []}]
            }
        }"#;
        let found = claude_hooks(text).unwrap();
        let shown: Vec<_> = found
            .hooks
            .iter()
            .map(|it| {
                (
                    it.event.name(),
                    it.matcher.as_str(),
                    it.command.as_str(),
                    it.timeout_secs,
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("PreToolUse", "Bash|Edit", "check.sh", Some(3)),
                ("Stop", "", "say done", None),
            ]
        );
        assert_eq!(
            found.skipped,
            ["PreToolUse of type prompt", "WorktreeCreate"]
        );
        let off = claude_hooks(r#"{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": []}]}}"#);
        assert_eq!(off, Ok(ClaudeHooks::default()));
        assert!(claude_hooks("[1").is_err());
        assert!(claude_hooks(r#"{"hooks": 3}"#).is_err());
    }
}
