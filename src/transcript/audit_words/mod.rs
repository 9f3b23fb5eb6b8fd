//! What the audit of a summary says, in words: the same ones on every screen, in every line
//! and in every stream.
//!
//! Each part names what was checked and what was found before repair. A part that was not
//! checked says so or is left out; no word says more than the record behind it.

use super::{AskCheck, AuditRecord, CompactionDetails, EntryId, SummaryCheck, grouped, plural};

/// The author of a summary that no model wrote, in logs and JSON.
pub const EXTRACTIVE_AUTHOR: &str = "extractive";
/// Of a summary of which code wrote a larger share, in percent, this is said.
const MAX_UNSAID_CODE_PERCENT: u64 = 50;
/// Longest reason of another program that is shown, in characters.
const REASON_CHARS: usize = 60;
/// What stands where there is no record.
pub const NOT_AUDITED: &str = "not audited";
/// Between two parts.
const PART_GAP: &str = " · ";

/// What a part of an audit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AuditSubject {
    /// The headings of the template.
    Sections,
    /// Identifiers that the summary has to carry.
    Identifiers,
    /// Standing rules of the person.
    Rules,
    /// Claims that the conversation has as well.
    Claims,
    /// The latest ask.
    Ask,
    /// Secrets in the text.
    Secrets,
    /// The text as a whole: its language, its length, its end.
    Text,
    /// What code wrote itself.
    Repairs,
}

impl AuditSubject {
    /// The subject of a reason code.
    pub fn of_reason(code: &str) -> Self {
        match code {
            "missing_section" | "duplicate_section" => Self::Sections,
            "missing_identifiers" | "altered_identifier" => Self::Identifiers,
            "missing_rules" => Self::Rules,
            "ungrounded" => Self::Claims,
            "latest_user_ask_not_reflected" => Self::Ask,
            "secret" => Self::Secrets,
            "mended" => Self::Repairs,
            _ => Self::Text,
        }
    }
}

/// Whether what was checked holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditState {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// Nobody looked.
    Unchecked,
}

/// One part of what an audit says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPart {
    /// What it is about.
    pub subject: AuditSubject,
    /// The words, e.g. `rules 9/9`.
    pub words: String,
    /// Whether it holds.
    pub state: AuditState,
}

impl AuditPart {
    fn of(subject: AuditSubject, holds: bool, words: String) -> Self {
        let state = if holds {
            AuditState::Holds
        } else {
            AuditState::Fails
        };
        Self {
            subject,
            words,
            state,
        }
    }
}

/// One thing that a check found, or that code put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditDetail {
    /// The part that it belongs to.
    pub subject: AuditSubject,
    /// What it is, in one clause.
    pub text: String,
    /// The message it comes from, when there is one.
    pub source: Option<EntryId>,
    /// Whether code put it right.
    pub is_mended: bool,
}

impl SummaryCheck {
    /// What was checked, part by part; empty where nothing was.
    pub fn parts(&self) -> Vec<AuditPart> {
        let mut parts = Vec::new();
        if let Some(audit) = self.audit.as_ref().filter(|audit| !audit.is_blank()) {
            parts.extend(audit.sections_part());
            parts.push(audit.identifiers_part());
            parts.extend(audit.rules_part(self.rules_in_block));
            parts.extend(self.claims_part(audit));
            parts.push(audit.ask_part());
            let secrets = format!("secrets {}", audit.secrets);
            let is_clean = audit.secrets == 0;
            parts.push(AuditPart::of(AuditSubject::Secrets, is_clean, secrets));
            parts.extend(audit.text_parts());
        }
        parts.extend(self.repairs_part());
        parts
    }

    /// All parts on one line; [`NOT_AUDITED`] where nothing was checked.
    pub fn in_words(&self) -> String {
        let mut words: Vec<String> = self.parts().into_iter().map(|part| part.words).collect();
        if self.is_unaudited() {
            words.insert(0, NOT_AUDITED.to_owned());
        }
        words.join(PART_GAP)
    }

    /// Whether there is no record of an audit.
    pub fn is_unaudited(&self) -> bool {
        self.audit.as_ref().is_none_or(AuditRecord::is_blank)
    }

    /// Whether a summary has claims that nothing says and that are neither struck nor marked.
    pub fn has_unmarked_claims(&self, summary: &str) -> bool {
        let left = self.ungrounded.iter().filter(|claim| !claim.is_struck);
        left.into_iter()
            .any(|claim| !summary.contains(&format!("{} [unverified]", claim.text)))
    }

    /// Each thing that was found, by subject, as far as the log says.
    pub fn details(&self) -> Vec<AuditDetail> {
        let detail = |subject, text, is_mended| AuditDetail {
            subject,
            text,
            source: None,
            is_mended,
        };
        let mut details = Vec::new();
        if let Some(audit) = &self.audit {
            let when = if self.mended.is_empty() {
                "is missing"
            } else {
                "was missing before the repair"
            };
            let missing = audit.missing.iter().map(|name| format!("`{name}` {when}"));
            let altered = audit
                .altered
                .iter()
                .map(|pair| match pair.split_once(" → ") {
                    Some((written, real)) => format!("`{written}` should be `{real}`"),
                    None => format!("`{pair}` was altered"),
                });
            let identifiers = missing.chain(altered);
            details.extend(identifiers.map(|it| detail(AuditSubject::Identifiers, it, false)));
        }
        let claims = self.ungrounded.iter().map(|claim| {
            let end = if claim.is_struck { "; struck" } else { "" };
            let class = claim.class.replace('_', " ");
            let text = format!("{class} `{}`: nowhere in the conversation{end}", claim.text);
            detail(AuditSubject::Claims, text, claim.is_struck)
        });
        details.extend(claims);
        let repairs = self.mended.iter().cloned();
        details.extend(repairs.map(|it| detail(AuditSubject::Repairs, it, true)));
        details
    }

    /// The verdict in few columns: how many parts hold of those that were checked.
    pub fn tally(&self) -> AuditTally {
        let parts = self.parts();
        let count = |state| parts.iter().filter(|part| part.state == state).count();
        let (held, failed) = (count(AuditState::Holds), count(AuditState::Fails));
        let worst = parts.iter().find(|part| part.state == AuditState::Fails);
        AuditTally {
            held,
            checked: held + failed,
            worst: worst.map(|part| part.words.clone()),
        }
    }

    fn claims_part(&self, audit: &AuditRecord) -> Option<AuditPart> {
        let struck = self.ungrounded.iter().filter(|it| it.is_struck).count();
        if audit.claims_total == 0 && self.ungrounded.is_empty() {
            return None;
        }
        let mut words = if audit.claims_total == 0 {
            format!("ungrounded {}", self.ungrounded.len())
        } else {
            format!("grounded {}/{}", audit.claims_grounded, audit.claims_total)
        };
        if struck > 0 {
            words = format!("{words} ({struck} struck)");
        }
        let holds = audit.claims_grounded >= audit.claims_total && self.ungrounded.is_empty();
        Some(AuditPart::of(AuditSubject::Claims, holds, words))
    }

    fn repairs_part(&self) -> Option<AuditPart> {
        let percent = self.written_by_code_percent;
        let words = match (percent, self.mended.len()) {
            (0, 0) => return None,
            (0, repairs) => plural(repairs as u64, "repair"),
            (percent, _) => format!("{percent}% written by code"),
        };
        let holds = percent <= MAX_UNSAID_CODE_PERCENT;
        Some(AuditPart::of(AuditSubject::Repairs, holds, words))
    }
}

/// How much of an audit holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditTally {
    /// Parts that hold.
    pub held: usize,
    /// Parts that were checked.
    pub checked: usize,
    /// The words of the first one that does not hold.
    pub worst: Option<String>,
}

impl AuditRecord {
    /// Whether nothing was looked at.
    pub fn is_blank(&self) -> bool {
        let blank = Self {
            passed: self.passed,
            ..Self::default()
        };
        *self == blank
    }

    fn has_reason(&self, code: &str) -> bool {
        self.reasons.iter().any(|reason| reason == code)
    }

    fn sections_part(&self) -> Option<AuditPart> {
        let (found, total) = (self.sections_found, self.sections_total);
        if total == 0 {
            return None;
        }
        let is_complete = found >= total;
        let mut words = format!("sections {found}/{total}");
        let is_twice = self.has_reason("duplicate_section");
        let is_mixed_up = is_complete && self.has_reason("missing_section");
        if is_mixed_up {
            words.push_str(" (out of order)");
        } else if is_twice {
            words.push_str(" (one twice)");
        }
        let holds = is_complete && !is_twice && !is_mixed_up;
        Some(AuditPart::of(AuditSubject::Sections, holds, words))
    }

    fn identifiers_part(&self) -> AuditPart {
        let (found, total) = (self.identifiers_found, self.identifiers_total);
        let known = grouped(self.identifiers_known);
        let subject = AuditSubject::Identifiers;
        if total == 0 && self.identifiers_known > 0 {
            return AuditPart {
                subject,
                words: format!("identifiers not checked ({known} known)"),
                state: AuditState::Unchecked,
            };
        }
        let mut words = match total {
            0 => "identifiers none".to_owned(),
            _ => format!("identifiers {found}/{total}"),
        };
        let mut remarks = Vec::new();
        if self.identifiers_known > 0 {
            remarks.push(format!("of {known} known"));
        }
        if !self.altered.is_empty() {
            remarks.push(format!("{} altered", self.altered.len()));
        }
        if !remarks.is_empty() {
            words = format!("{words} ({})", remarks.join(", "));
        }
        AuditPart::of(subject, found >= total && self.altered.is_empty(), words)
    }

    /// Rules, with how many of them stand in the rules block, which no summary can lose.
    fn rules_part(&self, in_block: u64) -> Option<AuditPart> {
        let (found, total) = (self.rules_found, self.rules_total);
        let mut words = format!("rules {found}/{total}");
        if in_block > 0 {
            words = format!("{words} ({in_block} in the rules block)");
        }
        (total > 0).then(|| AuditPart::of(AuditSubject::Rules, found >= total, words))
    }

    fn ask_part(&self) -> AuditPart {
        let (words, state) = match self.ask {
            AskCheck::Verbatim => ("ask kept verbatim", AuditState::Holds),
            AskCheck::Reflected => ("ask ✓", AuditState::Holds),
            AskCheck::Missing => ("ask ✗", AuditState::Fails),
            AskCheck::Unchecked => ("ask not checked", AuditState::Unchecked),
        };
        AuditPart {
            subject: AuditSubject::Ask,
            words: words.to_owned(),
            state,
        }
    }

    /// What else does not hold: each reason that no number stands for.
    fn text_parts(&self) -> impl Iterator<Item = AuditPart> {
        let of_text = |code: &&String| AuditSubject::of_reason(code) == AuditSubject::Text;
        let codes = self.reasons.iter().filter(of_text);
        codes.map(|code| AuditPart::of(AuditSubject::Text, false, reason_words(code)))
    }
}

/// A reason that stands for the text as a whole, in words.
fn reason_words(code: &str) -> String {
    match code {
        "wrong_language" => "in another language".to_owned(),
        "partly_wrong_language" => "partly in another language".to_owned(),
        "failures_not_told" => "open failures not named".to_owned(),
        "rules_not_told" => "standing rules not named".to_owned(),
        "too_long" => "longer than what it summarises".to_owned(),
        "empty" => "empty of content".to_owned(),
        "not_ended" => "cut off".to_owned(),
        other => other.replace('_', " ").chars().take(REASON_CHARS).collect(),
    }
}

/// What a reader has to know of who wrote a summary; `None` for the text of a model.
/// `model` is [`EXTRACTIVE_AUTHOR`] where code alone wrote it.
pub fn author_label(model: &str, degraded: bool, written_by_code_percent: u64) -> Option<String> {
    if model != EXTRACTIVE_AUTHOR && written_by_code_percent > MAX_UNSAID_CODE_PERCENT {
        let percent = written_by_code_percent;
        Some(format!("more than half written by code: {percent}%"))
    } else if degraded {
        Some("written without a model: it gave no usable text".to_owned())
    } else if model == EXTRACTIVE_AUTHOR {
        Some("written without a model".to_owned())
    } else {
        None
    }
}

impl CompactionDetails {
    /// What a reader has to know of who wrote it; `None` for the text of a model.
    pub fn author_label(&self) -> Option<String> {
        let percent = self.check.written_by_code_percent;
        author_label(&self.model, self.degraded, percent)
    }
}

#[cfg(test)]
mod tests;
