//! Who has to agree before a tool runs. Pure: a mode, what was allowed before, and a plan in;
//! a verdict out. It never asks anybody itself.
//!
//! A glob never stands for a compound shell command, and nothing that was allowed for the
//! workspace stands for a path outside of it.

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};

use super::command_pattern::is_compound;
use super::{Effect, Plan, ToolError};

#[cfg(test)]
mod tests;

/// What runs without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApprovalMode {
    /// Reading inside the workspace; everything else asks.
    #[default]
    Ask,
    /// Reading only; everything else is refused.
    ReadOnly,
    /// Reading and editing inside the workspace; commands ask.
    Edits,
    /// Everything.
    All,
}

impl ApprovalMode {
    /// The name in settings and flags.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::ReadOnly => "read-only",
            Self::Edits => "edits",
            Self::All => "all",
        }
    }

    /// The mode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Ask, Self::ReadOnly, Self::Edits, Self::All]
            .into_iter()
            .find(|m| m.name() == name)
    }
}

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Allow,
    /// The user decides.
    Ask,
    /// It does not run; the reason is for the model and the user.
    Refuse(String),
}

/// The mode together with what was allowed on top of it.
#[derive(Clone, Debug)]
pub struct ApprovalPolicy {
    mode: ApprovalMode,
    tools: BTreeSet<String>,
    rules: Vec<Rule>,
}

/// Calls of one tool whose title matches.
#[derive(Clone, Debug)]
struct Rule {
    tool: String,
    pattern: String,
    /// With `*` that stops at `/`, for titles that are paths; `None` where the pattern is no
    /// valid glob and matches only itself.
    paths: Option<GlobMatcher>,
    /// With `*` that matches everything, for commands.
    commands: Option<GlobMatcher>,
}

impl ApprovalPolicy {
    /// A policy with patterns from the configuration: `tool:glob`, or `tool` alone for all
    /// its calls. Fails on the first pattern that is neither.
    pub fn new(mode: ApprovalMode, allow_patterns: &[String]) -> Result<Self, ToolError> {
        let mut policy = Self {
            mode,
            tools: BTreeSet::new(),
            rules: Vec::new(),
        };
        for text in allow_patterns {
            match text.split_once(':') {
                _ if text.trim().is_empty() => {}
                None => policy.allow_tool(text.trim()),
                Some((tool, pattern)) if !tool.trim().is_empty() && !pattern.is_empty() => {
                    let rule = Rule::new(tool.trim(), pattern);
                    if rule.commands.is_none() && !is_compound(pattern) {
                        return Err(ToolError(format!(
                            "approvals_allow: `{text}` is not a valid pattern; brackets and \
                             braces in it have to be closed, or escaped with a backslash."
                        )));
                    }
                    policy.rules.push(rule);
                }
                Some(_) => {
                    return Err(ToolError(format!(
                        "approvals_allow: `{text}` is not a pattern; write `tool:glob`, such \
                         as `shell:cargo test *`."
                    )));
                }
            }
        }
        Ok(policy)
    }

    /// Decides on a call.
    pub fn decide(&self, tool: &str, effect: Effect, plan: &Plan) -> Verdict {
        if self.mode == ApprovalMode::All {
            return Verdict::Allow;
        }
        if self.mode == ApprovalMode::ReadOnly && effect != Effect::Read {
            return Verdict::Refuse(format!(
                "`{tool}` was not run: in read-only mode nothing is changed and no command is \
                 run. Say what you would do instead."
            ));
        }
        let is_inside = plan.outside.is_empty();
        let is_free = match effect {
            Effect::Read => is_inside,
            Effect::Edit => is_inside && self.mode == ApprovalMode::Edits,
            Effect::Execute => false,
        };
        let is_remembered = (is_inside && self.tools.contains(tool))
            || self
                .rules
                .iter()
                .any(|rule| rule.covers(tool, effect, plan));
        if is_free || is_remembered {
            Verdict::Allow
        } else {
            Verdict::Ask
        }
    }

    /// Allows a tool from here on. Paths outside the workspace still ask.
    pub fn allow_tool(&mut self, tool: &str) {
        self.tools.insert(tool.to_owned());
    }

    /// Allows calls of a tool whose title matches a glob from here on, such as a plan
    /// suggests. A pattern that is no valid glob allows exactly the title that it spells.
    pub fn allow_pattern(&mut self, tool: &str, pattern: &str) {
        self.rules.push(Rule::new(tool, pattern));
    }
}

impl Rule {
    fn new(tool: &str, pattern: &str) -> Self {
        let glob = |is_path| {
            GlobBuilder::new(pattern)
                .literal_separator(is_path)
                .backslash_escape(true)
                .build()
                .ok()
                .map(|glob| glob.compile_matcher())
        };
        Self {
            tool: tool.to_owned(),
            pattern: pattern.to_owned(),
            paths: glob(true),
            commands: glob(false),
        }
    }

    fn covers(&self, tool: &str, effect: Effect, plan: &Plan) -> bool {
        if self.tool != tool {
            return false;
        }
        if self.pattern == plan.title || self.pattern == globset::escape(&plan.title) {
            return true;
        }
        let matches = |glob: &Option<GlobMatcher>| {
            glob.as_ref().is_some_and(|glob| glob.is_match(&plan.title))
        };
        if effect == Effect::Execute {
            // `cargo test *` means `cargo test` without arguments, too.
            let is_bare = self.pattern.strip_suffix(" *") == Some(plan.title.as_str());
            !is_compound(&plan.title) && (is_bare || matches(&self.commands))
        } else {
            // A pattern for the workspace, such as `**`, must not reach beyond it.
            let is_absolute = self.pattern.starts_with('/');
            (plan.outside.is_empty() || is_absolute) && matches(&self.paths)
        }
    }
}
