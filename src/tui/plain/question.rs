//! Questions in words: may this call run, does this summary count, what becomes of a message
//! that is too large.

use std::collections::HashMap;

use serde_json::Map;

use crate::agent::{
    AgentEvent, ApprovalDecision, ApprovalRequest, CompactionEvent, CompactionProposal, ContextOp,
    FormAnswer, FormRequest, Op, OversizeOffer, QuestionForm, ReviewDecision, TurnEvent, TurnOp,
};
use crate::context::replaced_turns::LostText;
use crate::tui::numbers;
use crate::tui::overlay::question::form::NO_SECRETS;
use crate::tui::overlay::question::oversize;

/// Answers to an approval, in words.
const APPROVAL_CHOICES: &str = "y: allow once. s: allow all calls of this tool in this session. \
    p: allow this pattern in this session. a: always allow this pattern. n: deny. Any other \
    text: deny and send the text to the model.";
/// Answers to a form, in words.
const FORM_CHOICES: &str = "NAME=VALUE; NAME=VALUE: send these. y: send it as it is. n: decline. \
    c: cancel.";
/// Answers to a review, in words.
const REVIEW_CHOICES: &str = "y: apply this summary. n: discard it. d: strike what was never said. \
    r: write it again. Any other text: write it again with these instructions.";

/// The question that waits for an answer.
#[derive(Debug)]
pub(super) enum PlainQuestion {
    /// A call.
    Approval(Box<ApprovalRequest>),
    /// A summary.
    Review(Box<CompactionProposal>),
    /// A message that is larger than the window.
    Oversize(Box<OversizeOffer>),
    /// What a tool that runs wants to know.
    Form(Box<FormRequest>),
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
        } else if let AgentEvent::Turn(TurnEvent::Form(request)) = event {
            Some(Self::Form(request.clone()))
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
            Self::Form(request) => matches!(
                event,
                AgentEvent::Turn(TurnEvent::FormClosed { id }) if *id == request.id
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
            Self::Form(request) => form(request),
        }
    }

    /// The possible answers.
    pub(super) fn choices(&self) -> Vec<String> {
        match self {
            Self::Approval(_) => vec![APPROVAL_CHOICES.to_owned()],
            Self::Review(_) => vec![REVIEW_CHOICES.to_owned()],
            Self::Oversize(offer) => numbered(offer),
            Self::Form(_) => vec![FORM_CHOICES.to_owned()],
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
                "d" => ReviewDecision::Strike,
                "r" => ReviewDecision::Retry { instructions: None },
                _ => ReviewDecision::Retry {
                    instructions: words(),
                },
            })),
            Self::Form(request) => Op::Turn(TurnOp::AnswerForm {
                id: request.id,
                answer: match lower.as_str() {
                    "n" | "no" => FormAnswer::Decline,
                    "c" => FormAnswer::Cancel,
                    "y" | "yes" => filled_in(&request.form, "")?,
                    _ => filled_in(&request.form, line)?,
                },
            }),
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

fn form(request: &FormRequest) -> Vec<String> {
    let form = &request.form;
    let mut lines = vec![format!(
        "question: the MCP server {} asks: {}",
        form.asker, form.message
    )];
    let asked_by = request.asked_by.as_ref();
    lines.extend(asked_by.map(|child| format!("asked by {}", child.label())));
    lines.extend(form.address.iter().map(|it| format!("address: {it}")));
    lines.push(NO_SECRETS.to_owned());
    lines.extend(form.fields.iter().map(|field| {
        let mark = if field.is_required { ", required" } else { "" };
        let default = match field.default.as_str() {
            "" => String::new(),
            default => format!(", else {default}"),
        };
        let (name, takes, help) = (&field.name, field.takes(), &field.help);
        format!("field {name} ({takes}{mark}{default}): {help}")
    }));
    lines.push(FORM_CHOICES.to_owned());
    lines
}

/// The fields of a line `NAME=VALUE; NAME=VALUE`; `None` when one of them does not fit.
fn filled_in(form: &QuestionForm, line: &str) -> Option<FormAnswer> {
    let mut given: HashMap<&str, &str> = HashMap::new();
    for part in line.split(';').filter(|part| !part.trim().is_empty()) {
        let (name, value) = part.split_once('=')?;
        given.insert(name.trim(), value.trim());
    }
    let mut content = Map::new();
    for field in &form.fields {
        let text = given.remove(field.name.as_str()).unwrap_or(&field.default);
        if let Some(value) = field.value_of(text).ok()? {
            content.insert(field.name.clone(), value);
        }
    }
    given.is_empty().then_some(FormAnswer::Accept(content))
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
    lines.extend(proposal.cut_label());
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
