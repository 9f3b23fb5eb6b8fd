//! The system prompt: our text or the user's, where the program runs, the project's
//! rules, the list of skills, and what the user adds.
//!
//! Invariant: no date, time or other chance, so that the provider's prompt cache holds.

use std::path::Path;

use super::rules::ProjectRules;
use super::skills::Skills;
use crate::config::settings::AgentSettings;

/// The built-in system prompt.
const BASE: &str = include_str!("../../../assets/prompts/system.md");

/// Where the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Platform<'a> {
    /// Operating system, e.g. `linux`.
    pub os: &'a str,
    /// The working directory of the tools.
    pub cwd: &'a Path,
}

/// The system prompt. The same arguments give the same bytes.
/// `memory` is what is remembered of the project, with its heading.
pub fn system_prompt(
    settings: &AgentSettings,
    platform: Platform<'_>,
    rules: &ProjectRules,
    memory: Option<&str>,
    skills: &Skills,
) -> String {
    let base = settings.prompt.system.as_deref().unwrap_or(BASE).trim();
    let mut parts = Vec::new();
    if !base.is_empty() {
        parts.push(base.to_owned());
    }
    parts.push(format!(
        "Operating system: {}. Working directory: {}.",
        platform.os,
        platform.cwd.display()
    ));
    for file in &rules.files {
        let text = file.shown_text();
        if file.text.trim().is_empty() {
            continue;
        }
        parts.push(format!("# Rules from {}\n\n{text}", file.path.display()));
    }
    parts.extend(memory.map(str::to_owned));
    parts.extend(skills.part());
    if let Some(more) = &settings.prompt.append {
        parts.push(more.trim().to_owned());
    }
    parts.join("\n\n")
}
