//! `plim skills`: the skills of this directory, where each comes from and what it takes, and
//! what was not used.

use std::fmt::Write as _;
use std::sync::Arc;

use plimsoll::cli::JsonArg;
use plimsoll::config::{Skill, SkillOrigin, Skills};
use plimsoll::context::ruler::Ruler;
use plimsoll::engine::counting::{TokenCounting, ruler_of};
use plimsoll::transcript::grouped;
use serde_json::{Value, json};

use super::output::{CommandResult, put, put_json, say};
use super::setup::CommandSetup;

/// `plim skills`
pub fn skills(form: JsonArg, at: &CommandSetup<'_>) -> CommandResult {
    let settings = &at.launch.resolved.settings;
    if !settings.agent.tools.skills {
        say("skills are off", Some("set skills = true to use them"));
    }
    let skills = Skills::read(&at.launch.paths, &at.launch.cwd, &at.launch.trusted_dirs());
    let ruler = ruler_of(settings.context.ruler, TokenCounting::default());
    let rows: Vec<SkillSize> = skills
        .found
        .iter()
        .map(|skill| SkillSize::of(skill, &skills, &ruler))
        .collect();
    if form.json {
        put_json(&as_json(&rows, &skills))
    } else {
        put(&as_text(&rows, &skills))
    }
}

/// A skill with what it takes.
struct SkillSize<'a> {
    skill: &'a Skill,
    /// Tokens of its text; or why it cannot be read.
    text: Result<u64, String>,
    /// Tokens of its line in each request; 0 when the model is not told of it.
    line_tokens: u64,
}

impl<'a> SkillSize<'a> {
    fn of(skill: &'a Skill, skills: &Skills, ruler: &Arc<dyn Ruler>) -> Self {
        let is_listed = skills.listed().any(|it| it.name == skill.name);
        let line_tokens = if is_listed {
            ruler.text_tokens(&skill.line())
        } else {
            0
        };
        Self {
            skill,
            text: skill.read().map(|text| ruler.text_tokens(&text)),
            line_tokens,
        }
    }

    fn origin(&self) -> &'static str {
        match self.skill.origin {
            SkillOrigin::Own => "own",
            SkillOrigin::Project { .. } => "project",
        }
    }

    fn size(&self) -> String {
        let text = match &self.text {
            Ok(tokens) => format!("{} tokens when used", grouped(*tokens)),
            Err(reason) => format!("cannot be used: {reason}"),
        };
        match (self.line_tokens, self.skill.is_manual) {
            (0, true) => format!("{text}, only by /skill:{}", self.skill.name),
            (0, false) => format!("{text}, not in the list of the model"),
            (line, _) => format!("{text}, {} in each request", grouped(line)),
        }
    }
}

fn as_text(rows: &[SkillSize<'_>], skills: &Skills) -> String {
    let mut out = String::new();
    if rows.is_empty() {
        out.push_str("no skills; docs/skills.md says where they are looked for\n");
    }
    for row in rows {
        let _ = writeln!(
            out,
            "{}  {}\n    {} ({})\n    {}",
            row.skill.name,
            row.skill.description,
            row.skill.path.display(),
            row.origin(),
            row.size()
        );
    }
    let listed: u64 = rows.iter().map(|row| row.line_tokens).sum();
    if listed > 0 {
        let _ = writeln!(
            out,
            "\nthe list takes {} tokens of each request",
            grouped(listed)
        );
    }
    if !skills.refused.is_empty() {
        out.push_str("\nnot used:\n");
    }
    for refused in &skills.refused {
        let _ = writeln!(out, "    {}: {}", refused.path.display(), refused.reason);
    }
    out
}

fn as_json(rows: &[SkillSize<'_>], skills: &Skills) -> Value {
    let found = rows.iter().map(|row| {
        let skill = row.skill;
        let metadata = skill
            .metadata
            .iter()
            .map(|(key, value)| (key.clone(), json!(value)));
        json!({
            "name": skill.name,
            "description": skill.description,
            "path": skill.path.display().to_string(),
            "origin": row.origin(),
            "tokens": row.text.as_ref().ok(),
            "list_tokens": row.line_tokens,
            "manual": skill.is_manual,
            "problem": row.text.as_ref().err(),
            "license": skill.license,
            "compatibility": skill.compatibility,
            "allowed_tools": skill.allowed_tools,
            "metadata": metadata.collect::<serde_json::Map<_, _>>(),
        })
    });
    let refused = skills.refused.iter().map(|refused| {
        json!({
            "path": refused.path.display().to_string(),
            "reason": refused.reason,
        })
    });
    json!({
        "skills": found.collect::<Vec<_>>(),
        "refused": refused.collect::<Vec<_>>(),
    })
}
