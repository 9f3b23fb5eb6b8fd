//! The headings of a summary, in order, and what belongs under each.

use crate::context::TemplateKind;

use super::excerpt;
use super::heading_words::role_of;

/// The text under a heading without content.
pub const NONE: &str = "(none)";
/// Heading of the beginning of a split turn.
pub const TURN_CONTEXT: &str = "Turn context";
/// Heading of rules and wishes, also where a template has none and rules were repaired.
pub const CONSTRAINTS: &str = "Constraints & Preferences";
/// Heading of identifiers, also where a template has none and some were repaired.
pub const IDENTIFIERS: &str = "Exact identifiers";
/// Heading of the latest ask, also where a template has none and it was repaired.
pub const PENDING_ASKS: &str = "Pending user asks";
/// Longest heading that a custom template can have, in characters.
const MAX_TITLE_CHARS: usize = 80;

/// The content that belongs under a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionRole {
    /// The goal.
    Goal,
    /// Rules and wishes.
    Constraints,
    /// Parent of done, in progress, blocked.
    Progress,
    /// Finished work.
    Done,
    /// Work that is going on.
    InProgress,
    /// Obstacles.
    Blocked,
    /// Decisions with their reasons.
    Decisions,
    /// Requests of the user without a result yet.
    PendingAsks,
    /// The next steps.
    NextSteps,
    /// Facts that must not be lost.
    Critical,
    /// Identifiers, verbatim.
    Identifiers,
    /// Files.
    Files,
    /// A heading of the user's that says none of these.
    Other,
}

/// One heading of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionHeading {
    /// 2 for `##`, 3 for `###`.
    pub level: usize,
    /// Its text.
    pub title: String,
    /// The content that belongs under it.
    pub role: SectionRole,
}

impl SectionHeading {
    fn new(level: usize, title: &str) -> Self {
        Self {
            level,
            title: title.to_owned(),
            role: role_of(title),
        }
    }

    /// As a line of Markdown.
    pub fn line(&self) -> String {
        format!("{} {}", "#".repeat(self.level), self.title)
    }
}

/// The headings of a template, in order.
pub fn headings(kind: &TemplateKind) -> Vec<SectionHeading> {
    let lines: &[&str] = match kind {
        TemplateKind::Standard => &[
            "Goal",
            CONSTRAINTS,
            "Progress",
            "### Done",
            "### In Progress",
            "### Blocked",
            "Decisions",
            PENDING_ASKS,
            "Next Steps",
            "Critical Context",
            IDENTIFIERS,
            "Relevant Files",
        ],
        TemplateKind::Openclaw => &[
            "Decisions",
            "Open TODOs",
            "Constraints/Rules",
            PENDING_ASKS,
            IDENTIFIERS,
        ],
        TemplateKind::Opencode => &[
            "Goal",
            CONSTRAINTS,
            "Progress",
            "### Done",
            "### In Progress",
            "### Blocked",
            "Key Decisions",
            "Next Steps",
            "Critical Context",
            "Relevant Files",
        ],
        TemplateKind::Custom(lines) => {
            let own = custom(lines);
            return if own.is_empty() {
                headings(&TemplateKind::Standard)
            } else {
                own
            };
        }
    };
    lines.iter().map(|line| from_line(line)).collect()
}

fn from_line(line: &str) -> SectionHeading {
    let level = if line.starts_with("###") { 3 } else { 2 };
    SectionHeading::new(level, line.trim_start_matches('#').trim())
}

fn custom(lines: &[String]) -> Vec<SectionHeading> {
    let mut out: Vec<SectionHeading> = Vec::new();
    for line in lines {
        let heading = from_line(&excerpt::one_line(line, MAX_TITLE_CHARS));
        let known = out
            .iter()
            .any(|h| normal(&h.title) == normal(&heading.title));
        if !heading.title.is_empty() && !known {
            out.push(heading);
        }
    }
    out
}

/// A title without case, emphasis, closing marks and the colon that models add, and with `and`
/// written out.
pub fn normal(title: &str) -> String {
    title
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | ':' | '：' | '#'))
        .to_lowercase()
        .replace('&', "and")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_their_headings_in_order() {
        let count = |kind: &TemplateKind| {
            let all = headings(kind);
            (all.iter().filter(|h| h.level == 2).count(), all.len())
        };
        assert_eq!(count(&TemplateKind::Standard), (9, 12));
        assert_eq!(count(&TemplateKind::Openclaw), (5, 5));
        assert_eq!(count(&TemplateKind::Opencode), (7, 10));
        let custom = headings(&TemplateKind::Custom(vec![
            "## Ziele".into(),
            "### Offen".into(),
            "Dateien:".into(),
            "ziele".into(),
            String::new(),
        ]));
        let lines: Vec<String> = custom.iter().map(SectionHeading::line).collect();
        assert_eq!(lines, ["## Ziele", "### Offen", "## Dateien:"]);
        assert_eq!(count(&TemplateKind::Custom(vec![])), (9, 12));
    }

    #[test]
    fn roles_follow_from_the_words() {
        let all = headings(&TemplateKind::Standard);
        let roles: Vec<SectionRole> = all.iter().map(|h| h.role).collect();
        assert_eq!(
            roles,
            [
                SectionRole::Goal,
                SectionRole::Constraints,
                SectionRole::Progress,
                SectionRole::Done,
                SectionRole::InProgress,
                SectionRole::Blocked,
                SectionRole::Decisions,
                SectionRole::PendingAsks,
                SectionRole::NextSteps,
                SectionRole::Critical,
                SectionRole::Identifiers,
                SectionRole::Files
            ]
        );
    }
}
