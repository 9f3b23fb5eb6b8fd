//! Approval before a tool runs. Pure: a mode, what was allowed before, and a plan in; a
//! verdict out. It never asks anybody itself.
//!
//! A glob never stands for a compound shell command, nor for words that run something else;
//! and nothing that was allowed for the workspace stands for a path outside of it, or for a
//! file that asks wherever it is.

use globset::{GlobBuilder, GlobMatcher};

use self::command::{CommandFacts, PatternCoverage, coverage, has_wildcard, is_joined};
use super::interface::Effect;
use super::outcome::ToolError;
use super::plan::Plan;

pub(super) mod command;
#[cfg(test)]
mod tests;

/// The tool whose titles are commands.
const COMMAND_TOOL: &str = "shell";

/// The rule for calls that run without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApprovalMode {
    /// Reading inside the workspace, and commands that only look; everything else asks.
    #[default]
    Ask,
    /// Reading only; everything else is refused.
    ReadOnly,
    /// Reading and editing inside the workspace; commands ask, unless they only look.
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

/// The verdict on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Allow,
    /// The user decides.
    Ask,
    /// It does not run; the reason is for the model and the user.
    Refuse(String),
}

/// How long something is allowed, and by that where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grant {
    /// By the settings.
    Configured,
    /// In this folder, until it is revoked.
    Always,
    /// Until the session is closed.
    Session,
}

/// Calls of a tool that need no question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permission {
    /// How long.
    pub grant: Grant,
    /// The tool.
    pub tool: String,
    /// A glob on the titles of its calls; `None` stands for all of them.
    pub pattern: Option<String>,
}

impl Permission {
    /// The calls that it covers, for people.
    pub fn calls(&self) -> String {
        let Some(pattern) = &self.pattern else {
            return "all calls".to_owned();
        };
        let is_remembered = self.grant != Grant::Configured && self.tool == COMMAND_TOOL;
        match coverage(pattern) {
            PatternCoverage::Reviewed if is_remembered => format!("{pattern} (reviewed options)"),
            PatternCoverage::Itself if is_remembered => {
                format!("{pattern} (reviewed options only)")
            }
            _ => pattern.clone(),
        }
    }
}

/// The mode together with what was allowed on top of it.
#[derive(Clone, Debug)]
pub struct ApprovalPolicy {
    mode: ApprovalMode,
    is_plan_mode: bool,
    /// Commands that only look run unasked.
    frees_read_only: bool,
    rules: Vec<PermissionRule>,
}

/// A permission that is ready to be compared.
#[derive(Clone, Debug)]
struct PermissionRule {
    permission: Permission,
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
            is_plan_mode: false,
            frees_read_only: false,
            rules: Vec::new(),
        };
        for text in allow_patterns {
            match text.split_once(':') {
                _ if text.trim().is_empty() => {}
                None => policy.allow(Permission {
                    grant: Grant::Configured,
                    tool: text.trim().to_owned(),
                    pattern: None,
                }),
                Some((tool, pattern)) if !tool.trim().is_empty() && !pattern.is_empty() => {
                    let rule = PermissionRule::new(Permission {
                        grant: Grant::Configured,
                        tool: tool.trim().to_owned(),
                        pattern: Some(pattern.to_owned()),
                    });
                    if rule.commands.is_none() && !is_joined(pattern) {
                        return Err(ToolError(format!(
                            "approvals.allow: `{text}` is not a valid pattern; brackets and \
                             braces in it have to be closed, or escaped with a backslash."
                        )));
                    }
                    policy.rules.push(rule);
                }
                Some(_) => {
                    return Err(ToolError(format!(
                        "approvals.allow: `{text}` is not a pattern; write `tool:glob`, such \
                         as `shell:cargo test *`."
                    )));
                }
            }
        }
        Ok(policy)
    }

    /// Has commands that only look run unasked where commands ask, or ask again.
    #[must_use]
    pub fn with_read_only(mut self, runs_unasked: bool) -> Self {
        self.frees_read_only = runs_unasked;
        self
    }

    /// Whether the call runs without a question only because it is a command that only looks.
    pub fn runs_as_read_only(&self, tool: &str, effect: Effect, plan: &Plan) -> bool {
        self.decide(tool, effect, plan) == Verdict::Allow
            && self.mode != ApprovalMode::All
            && self.is_free_command(effect, plan)
            && !self.is_remembered(tool, effect, plan)
    }

    fn is_free_command(&self, effect: Effect, plan: &Plan) -> bool {
        let command = plan.command.as_ref();
        self.frees_read_only
            && effect == Effect::Execute
            && plan.is_inside()
            && command.is_some_and(CommandFacts::is_read_only)
    }

    fn is_remembered(&self, tool: &str, effect: Effect, plan: &Plan) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| rule.covers(tool, effect, plan))
    }

    /// Decides on a call.
    pub fn decide(&self, tool: &str, effect: Effect, plan: &Plan) -> Verdict {
        if self.is_plan_mode && !matches!(effect, Effect::Read | Effect::Fetch) {
            return Verdict::Refuse(format!(
                "`{tool}` was not run: plan mode is on, and until the user ends it nothing is \
                 changed and no command is run. Make it a step of your plan instead."
            ));
        }
        if self.mode == ApprovalMode::All {
            return Verdict::Allow;
        }
        if self.mode == ApprovalMode::ReadOnly && effect != Effect::Read {
            return Verdict::Refuse(format!(
                "`{tool}` was not run: in read-only mode nothing is changed and no command is \
                 run. Say what you would do instead."
            ));
        }
        let is_inside = plan.is_inside();
        let is_free = match effect {
            Effect::Read => is_inside,
            Effect::Edit => is_inside && self.mode == ApprovalMode::Edits,
            Effect::Execute => self.is_free_command(effect, plan),
            Effect::Fetch | Effect::Serve => false,
        };
        if is_free || self.is_remembered(tool, effect, plan) {
            Verdict::Allow
        } else {
            Verdict::Ask
        }
    }

    /// Whether only looking is allowed for now, whatever the mode.
    pub fn is_plan_mode(&self) -> bool {
        self.is_plan_mode
    }

    /// Allows nothing but looking from here on, or again what the mode says.
    pub fn set_plan_mode(&mut self, on: bool) {
        self.is_plan_mode = on;
    }

    /// Allows something from here on. A tool as a whole still asks for paths outside the
    /// workspace; a pattern that is no valid glob allows exactly the title that it spells.
    pub fn allow(&mut self, permission: Permission) {
        if !self.rules.iter().any(|rule| rule.permission == permission) {
            self.rules.push(PermissionRule::new(permission));
        }
    }

    /// Allows it no longer; false when it was not allowed.
    pub fn revoke(&mut self, permission: &Permission) -> bool {
        let before = self.rules.len();
        self.rules.retain(|rule| rule.permission != *permission);
        self.rules.len() < before
    }

    /// Forgets what was allowed for one session.
    pub fn end_session(&mut self) {
        self.rules
            .retain(|rule| rule.permission.grant != Grant::Session);
    }

    /// The mode.
    pub fn mode(&self) -> ApprovalMode {
        self.mode
    }

    /// The permissions on top of the mode, the longest lasting first.
    pub fn permissions(&self) -> Vec<Permission> {
        let mut all: Vec<Permission> = self.rules.iter().map(|it| it.permission.clone()).collect();
        all.sort();
        all
    }
}

impl PermissionRule {
    fn new(permission: Permission) -> Self {
        let glob = |is_path| {
            GlobBuilder::new(permission.pattern.as_deref()?)
                .literal_separator(is_path)
                .backslash_escape(true)
                .build()
                .ok()
                .map(|glob| glob.compile_matcher())
        };
        Self {
            paths: glob(true),
            commands: glob(false),
            permission,
        }
    }

    fn covers(&self, tool: &str, effect: Effect, plan: &Plan) -> bool {
        if !is_named(&self.permission.tool, tool) {
            return false;
        }
        let Some(pattern) = &self.permission.pattern else {
            // Whoever allows all commands allows those that are odd.
            return effect == Effect::Execute || plan.is_inside();
        };
        match effect {
            Effect::Execute => plan.cautions.is_empty() && self.covers_command(pattern, plan),
            Effect::Fetch => plan.cautions.is_empty() && covers_address(pattern, &plan.title),
            Effect::Serve => plan.cautions.is_empty() && self.covers_text(pattern, plan),
            Effect::Read | Effect::Edit => self.covers_path(pattern, plan),
        }
    }

    fn covers_command(&self, pattern: &str, plan: &Plan) -> bool {
        let is_text = self.commands.is_none();
        if is_exactly(pattern, &plan.title) || (is_text && pattern == plan.title) {
            return true;
        }
        // `cargo test *` means `cargo test` without arguments, too.
        let is_bare = pattern.strip_suffix(" *") == Some(plan.title.as_str());
        let is_like = || {
            self.commands
                .as_ref()
                .is_some_and(|glob| glob.is_match(&plan.title))
        };
        plan.command.as_ref().is_some_and(|command| {
            let is_written = self.permission.grant == Grant::Configured;
            if is_bare {
                return command.fits_written(pattern);
            }
            let fits = if is_written {
                command.fits_written(pattern)
            } else {
                command.fits_remembered(pattern)
            };
            fits && is_like()
        })
    }

    fn covers_text(&self, pattern: &str, plan: &Plan) -> bool {
        pattern == plan.title
            || self
                .commands
                .as_ref()
                .is_some_and(|glob| glob.is_match(&plan.title))
    }

    fn covers_path(&self, pattern: &str, plan: &Plan) -> bool {
        if *pattern == plan.title || *pattern == globset::escape(&plan.title) {
            return true;
        }
        // A pattern for the workspace, such as `**`, must not reach beyond it; and what asks
        // wherever it is has to be named.
        let is_absolute = pattern.starts_with('/');
        plan.cautions.is_empty()
            && (plan.outside.is_empty() || is_absolute)
            && self
                .paths
                .as_ref()
                .is_some_and(|glob| glob.is_match(&plan.title))
    }
}

/// Whether a pattern stands for an address: for itself, or with a `*` at its end for what
/// begins like it on one host.
fn covers_address(pattern: &str, address: &str) -> bool {
    /// Those of `https://host/`.
    const SLASHES: usize = 3;
    let begin = pattern.trim_end_matches('*');
    pattern == address
        || (begin != pattern && begin.matches('/').count() >= SLASHES && address.starts_with(begin))
}

/// Whether a pattern is this very command. One with wildcards is not the command that is
/// written like it: there the shell would put file names.
fn is_exactly(pattern: &str, title: &str) -> bool {
    pattern == globset::escape(title)
        || (pattern == title && (is_joined(title) || !has_wildcard(pattern)))
}

/// Whether a rule is about a tool: by its name, or as `server__*` about all tools of a server.
fn is_named(rule: &str, tool: &str) -> bool {
    rule == tool
        || rule
            .strip_suffix('*')
            .filter(|server| server.len() > 2 && server.ends_with("__"))
            .is_some_and(|server| tool.starts_with(server))
}
