//! Questions in words: may this call run, does this summary count, what becomes of a message
//! that is too large.

use crate::agent::{
    AgentEvent, ApprovalDecision, ApprovalRequest, CompactionEvent, CompactionProposal, ContextOp,
    Op, OversizeOffer, ReviewDecision, TurnEvent, TurnOp,
};
use crate::context::replaced_turns::LostText;
use crate::tui::numbers;
use crate::tui::overlay::question::oversize;

/// Answers to an approval, in words.
const APPROVAL_CHOICES: &str = "y: allow once. s: allow all calls of this tool in this session. \
    p: allow this pattern in this session. a: always allow this pattern. n: deny. Any other \
    text: deny and send the text to the model.";
/// Answers to a review, in words.
const REVIEW_CHOICES: &str = "y: apply this summary. n: discard it. r: write it again. Any other \
    text: write it again with these instructions.";

/// The question that waits for an answer.
#[derive(Debug)]
pub(super) enum PlainQuestion {
    /// A call.
    Approval(Box<ApprovalRequest>),
    /// A summary.
    Review(Box<CompactionProposal>),
    /// A message that is larger than the window.
    Oversize(Box<OversizeOffer>),
}

impl PlainQuestion {
    /// The question in an event.
    pub(super) fn of(event: &AgentEvent) -> Option<Self> {
        if let AgentEvent::Turn(TurnEvent::Approval(request)) = event {
            Some(Self::Approval(request.clone()))
        } else if let AgentEvent::Compaction(CompactionEvent::Review(proposal)) = event {
            Some(Self::Review(proposal.clone()))
        } else if let AgentEvent::Turn(TurnEvent::Oversize(offer)) = event {
            Some(Self::Oversize(offer.clone()))
        } else {
            None
        }
    }

    /// Whether an event says that it needs no answer any more.
    pub(super) fn is_closed_by(&self, event: &AgentEvent) -> bool {
        match self {
            Self::Approval(request) => matches!(
                event,
                AgentEvent::Turn(TurnEvent::ApprovalClosed { id }) if *id == request.id
            ),
            Self::Oversize(offer) => matches!(
                event,
                AgentEvent::Turn(TurnEvent::OversizeClosed { id }) if *id == offer.id
            ),
            // Only an answer closes it.
            Self::Review(_) => false,
        }
    }

    /// The question, with all that is needed to answer it.
    pub(super) fn lines(&self) -> Vec<String> {
        match self {
            Self::Approval(request) => approval(request),
            Self::Review(proposal) => review(proposal),
            Self::Oversize(offer) => too_large(offer),
        }
    }

    /// The possible answers.
    pub(super) fn choices(&self) -> Vec<String> {
        match self {
            Self::Approval(_) => vec![APPROVAL_CHOICES.to_owned()],
            Self::Review(_) => vec![REVIEW_CHOICES.to_owned()],
            Self::Oversize(offer) => numbered(offer),
        }
    }

    /// The op of an answer; `None` for one that means nothing.
    pub(super) fn answer(&self, line: &str) -> Option<Op> {
        let line = line.trim();
        let lower = line.to_lowercase();
        if line.is_empty() {
            return None;
        }
        let words = || Some(line.to_owned());
        Some(match self {
            Self::Approval(request) => Op::Turn(TurnOp::Approve {
                id: request.id,
                decision: match lower.as_str() {
                    "y" | "yes" => ApprovalDecision::Once,
                    "s" => ApprovalDecision::Session,
                    "p" => ApprovalDecision::Pattern(request.pattern.clone()),
                    "a" => ApprovalDecision::Always(request.pattern.clone()),
                    "n" | "no" => ApprovalDecision::Deny { feedback: None },
                    _ => ApprovalDecision::Deny { feedback: words() },
                },
            }),
            Self::Review(_) => Op::Context(ContextOp::Review(match lower.as_str() {
                "y" | "yes" => ReviewDecision::Accept,
                "n" | "no" => ReviewDecision::Cancel,
                "r" => ReviewDecision::Retry { instructions: None },
                _ => ReviewDecision::Retry {
                    instructions: words(),
                },
            })),
            Self::Oversize(offer) => {
                let at = line.parse::<usize>().ok()?.checked_sub(1)?;
                let (choice, ..) = oversize::choices(offer).into_iter().nth(at)?;
                Op::Turn(TurnOp::FitMessage {
                    id: offer.id,
                    choice,
                })
            }
        })
    }
}

fn approval(request: &ApprovalRequest) -> Vec<String> {
    let mut lines = vec![format!(
        "question: allow {}? {}",
        request.call.name, request.title
    )];
    lines.push(format!("in {}", request.cwd.display()));
    let asked_by = request.asked_by.as_ref();
    lines.extend(asked_by.map(|child| format!("asked by {}", child.label())));
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
    lines.push(format!("pattern: {}", request.pattern));
    lines.push(APPROVAL_CHOICES.to_owned());
    lines
}

fn too_large(offer: &OversizeOffer) -> Vec<String> {
    let mut lines = vec![format!(
        "question: the message is too large: about {} tokens with system prompt and tools; {} \
         has space for {}.",
        numbers::grouped(offer.needed_tokens),
        offer.model,
        numbers::grouped(offer.usable_tokens),
    )];
    lines.extend(numbered(offer));
    lines
}

fn numbered(offer: &OversizeOffer) -> Vec<String> {
    let choices = oversize::choices(offer).into_iter().enumerate();
    choices
        .map(|(at, (_, choice, _))| format!("{}: {}", at + 1, choice.words))
        .collect()
}

fn review(proposal: &CompactionProposal) -> Vec<String> {
    let mut lines = vec![format!(
        "summary of {}, from {} to about {} tokens:",
        numbers::plural(proposal.effect.summarized, "message"),
        numbers::tokens(proposal.effect.tokens_before),
        numbers::tokens(proposal.effect.tokens_after),
    )];
    lines.extend(proposal.summary.lines().map(str::to_owned));
    lines.extend(turns(proposal));
    lines.extend(proposal.author_label());
    let verdict = &proposal.verdict;
    lines.push(format!("audit: {}", verdict.check.in_words()));
    lines.extend(verdict.details().into_iter().map(|detail| {
        let end = if detail.is_mended { " (repaired)" } else { "" };
        format!("found: {}{end}", detail.text)
    }));
    lines.push(REVIEW_CHOICES.to_owned());
    lines
}

/// Of a first summary the turns that go, with what is lost of each.
fn turns(proposal: &CompactionProposal) -> Vec<String> {
    let comparison = &proposal.comparison;
    if comparison.turns.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("{}:", comparison.left_title)];
    for turn in &comparison.turns {
        lines.push(format!("turn {}; {}", turn.in_words(), turn.cover.name()));
        lines.extend(turn.lost.iter().map(LostText::in_words));
    }
    lines
}
