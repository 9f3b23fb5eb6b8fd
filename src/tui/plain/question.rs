//! Questions in words: may this call run, does this summary count.

use crate::agent::{
    AgentEvent, ApprovalDecision, ApprovalRequest, CompactionProposal, Op, ReviewDecision,
};
use crate::tui::numbers;

/// Answers to an approval, in words.
const APPROVAL_CHOICES: &str = "y: yes, once. s: this tool for the session. p: this pattern for the \
                                session. a: always for this pattern. n: no. Anything else is a no, with these words to the \
                                model.";
/// Answers to a review, in words.
const REVIEW_CHOICES: &str = "y: use this summary. n: leave everything as it was. r: write it \
                              again. Anything else: write it again with these instructions.";

/// What waits for an answer.
#[derive(Debug)]
pub enum Question {
    /// A call.
    Approval(Box<ApprovalRequest>),
    /// A summary.
    Review(Box<CompactionProposal>),
}

impl Question {
    /// The question in an event.
    pub fn of(event: &AgentEvent) -> Option<Self> {
        match event {
            AgentEvent::Approval(request) => Some(Self::Approval(request.clone())),
            AgentEvent::CompactionReview(proposal) => Some(Self::Review(proposal.clone())),
            _ => None,
        }
    }

    /// Whether it is the approval of this number.
    pub fn is_of(&self, id: u64) -> bool {
        matches!(self, Self::Approval(request) if request.id == id)
    }

    /// The question, with all that is needed to answer it.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Approval(request) => approval(request),
            Self::Review(proposal) => review(proposal),
        }
    }

    /// What can be answered.
    pub fn choices(&self) -> &'static str {
        match self {
            Self::Approval(_) => APPROVAL_CHOICES,
            Self::Review(_) => REVIEW_CHOICES,
        }
    }

    /// What an answer means; `None` for an empty one, which means nothing.
    pub fn answer(&self, line: &str) -> Option<Op> {
        let line = line.trim();
        let lower = line.to_lowercase();
        if line.is_empty() {
            return None;
        }
        let words = || Some(line.to_owned());
        Some(match self {
            Self::Approval(request) => Op::Approve {
                id: request.id,
                decision: match lower.as_str() {
                    "y" | "yes" => ApprovalDecision::Once,
                    "s" => ApprovalDecision::Session,
                    "p" => ApprovalDecision::Pattern(request.pattern.clone()),
                    "a" => ApprovalDecision::Always(request.pattern.clone()),
                    "n" | "no" => ApprovalDecision::Deny { feedback: None },
                    _ => ApprovalDecision::Deny { feedback: words() },
                },
            },
            Self::Review(_) => Op::Review(match lower.as_str() {
                "y" | "yes" => ReviewDecision::Accept,
                "n" | "no" => ReviewDecision::Cancel,
                "r" => ReviewDecision::Retry { instructions: None },
                _ => ReviewDecision::Retry {
                    instructions: words(),
                },
            }),
        })
    }
}

fn approval(request: &ApprovalRequest) -> Vec<String> {
    let mut lines = vec![format!(
        "question: may {} run? {}",
        request.call.name, request.title
    )];
    lines.push(format!("in {}", request.cwd.display()));
    for path in &request.outside {
        lines.push(format!(
            "warning: outside the workspace: {}",
            path.display()
        ));
    }
    let cautions = request.cautions.iter();
    lines.extend(cautions.map(|it| format!("warning: {it}")));
    lines.extend(
        request
            .diff
            .iter()
            .flat_map(|diff| diff.lines())
            .map(str::to_owned),
    );
    lines.push(format!("the pattern: {}", request.pattern));
    lines.push(APPROVAL_CHOICES.to_owned());
    lines
}

fn review(proposal: &CompactionProposal) -> Vec<String> {
    let audit = &proposal.audit;
    let mut lines = vec![format!(
        "summary of {}, from {} to about {} tokens:",
        numbers::plural(proposal.summarized, "message"),
        numbers::tokens(proposal.tokens_before),
        numbers::tokens(proposal.tokens_after),
    )];
    lines.extend(proposal.summary.lines().map(str::to_owned));
    lines.push(format!(
        "audit: {} of {} sections, {} of {} identifiers, latest ask {}, {} found",
        audit.sections_found,
        audit.sections_total,
        audit.identifiers_found,
        audit.identifiers_total,
        if audit.last_ask { "kept" } else { "missing" },
        numbers::plural(audit.secrets, "secret"),
    ));
    lines.extend(audit.missing.iter().map(|it| format!("missing: {it}")));
    lines.push(REVIEW_CHOICES.to_owned());
    lines
}
