//! The check of a text before it is repaired, and the decision to ask again.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::Arc;

use aho_corasick::AhoCorasick;

use crate::context::IdentifierPolicy;
use crate::context::audit::share;
use crate::context::audit::{self, AuditOutcome, LatestAsk, keywords};
use crate::context::extractive;
use crate::context::grounding::{
    self, Claim, ClaimClass, Grounding, GroundingSources, OwnedSourceIndex, OwnedSources,
    SourceIndex, Worthless,
};
use crate::context::identifiers;
use crate::context::summary::document::SummaryDocument;
use crate::context::summary::template::{SectionRole, TURN_CONTEXT};
use crate::context::summary::{SourceMessage, SummaryJob, excerpt, untrusted};
use crate::parallel;
use crate::transcript::EntryId;

use super::{
    RequestAttempt, Summariser, SummaryBaseline, SummaryCandidate, SummaryStep, WritingPhase,
    prepare,
};

/// Most times that a summary is asked for again.
const MAX_AUDIT_RETRIES: u32 = 3;

impl Summariser {
    /// Checks all but the claims of a text.
    pub(super) fn check(&self, text: &str) -> AuditOutcome {
        let suspects = audit::suspects(&self.basis, text);
        let tells: Vec<&str> = suspects.into_iter().flat_map(|it| it.tells).collect();
        let said = self.said_of(&tells);
        let occurs = |token: &str| said.contains(token);
        audit::check(&self.basis, text, (self.job.count)(text), &occurs)
    }

    /// A summariser of a job that checks texts. The index of the sources and the identifiers are
    /// made at the same time where no alias changes the sources.
    pub(super) fn with_index(job: SummaryJob) -> Self {
        if job.audit.identifier_policy == IdentifierPolicy::Anonymize {
            return Self::new(job);
        }
        let instructions = untrusted::instructions(job.instructions.as_deref());
        let rules = job.kept.rules.iter().map(|rule| rule.text.as_str());
        let (instructions, ask) = (instructions.as_deref(), job.ask.as_ref());
        let texts = standing_texts(rules.collect(), &job.kept.texts, instructions, ask);
        let sources = OwnedSources {
            messages: prepare::grounds(&job),
            previous: prepare::previous_text(&job),
            texts: texts.into_iter().map(str::to_owned).collect(),
        };
        let index = || OwnedSourceIndex::of(sources.clone());
        let (index, mut machine) = parallel::both(index, || Self::new(job));
        machine.index = OnceCell::from(index);
        machine
    }

    /// The index of all that a summary may draw on. It and the extractive summary read the whole
    /// conversation, and neither needs the other: they are made at the same time, once.
    pub(super) fn index(&self) -> &SourceIndex<'_> {
        let index = self.index.get_or_init(|| {
            let sources = OwnedSources {
                messages: self.source.grounds.clone(),
                previous: self.job.previous_summary.clone(),
                texts: self.texts().into_iter().map(str::to_owned).collect(),
            };
            let index = || OwnedSourceIndex::of(sources.clone());
            let (index, _) = parallel::both(index, || self.baseline());
            index
        });
        index.get()
    }

    /// The index of the messages that a summary before has replaced.
    fn earlier_index(&self) -> &SourceIndex<'_> {
        let index = self.earlier_index.get_or_init(|| {
            let messages = self.job.background.earlier.iter().enumerate();
            let messages = messages.map(|(number, message)| SourceMessage {
                entry: EntryId::new(number.to_string()),
                message: Arc::clone(message),
                tokens: 0,
            });
            OwnedSourceIndex::of(OwnedSources {
                messages: messages.collect(),
                ..OwnedSources::default()
            })
        });
        index.get()
    }

    pub(super) fn rate(&self, text: &str) -> AuditOutcome {
        let index = self.index();
        let rest = || {
            let mut outcome = self.check(text);
            if let Some(failure) = self.untold_failure(text) {
                outcome.add_untold_failure(&failure);
            }
            outcome
        };
        let (grounding, mut outcome) = parallel::both(|| grounding::check_with(index, text), rest);
        outcome.add_grounding(self.with_earlier(grounding, text));
        outcome
    }

    /// Rates the text of the last request; or why it is no summary at all. The conversation is
    /// read once for both.
    pub(super) fn assess(&self, text: &str) -> Result<Box<SummaryCandidate>, Worthless> {
        let texts = self.texts();
        let sources = self.sources(&texts);
        if self.has_headings(text)
            && let Some(worthless) = grounding::worthless_with(self.index(), text, sources)
        {
            return Err(worthless);
        }
        let text = self.with_turn_context(text);
        let outcome = self.rate(&text);
        Ok(Box::new(SummaryCandidate {
            lacking_percent: self.lacking_percent(&text, &outcome),
            text,
            audit: outcome,
        }))
    }

    /// The text with the beginning of a turn whose rest stays.
    pub(super) fn with_turn_context(&self, text: &str) -> String {
        match &self.run.turn_context {
            Some(context) => format!("{text}\n\n## {TURN_CONTEXT}\n{}", demoted(context)),
            None => text.to_owned(),
        }
    }

    /// The claims of a text, looked up in all that it may draw on.
    pub(super) fn grounding_of(&self, text: &str) -> Grounding {
        self.with_earlier(grounding::check_with(self.index(), text), text)
    }

    /// Names that were said before all that a summary draws on were said all the same.
    pub(super) fn with_earlier(&self, grounding: Grounding, text: &str) -> Grounding {
        let mut grounding = self.with_earlier_figures(grounding, text);
        let background = &self.job.background;
        let is_name = |class| {
            matches!(
                class,
                ClaimClass::Path
                    | ClaimClass::Identifier
                    | ClaimClass::Symbol
                    | ClaimClass::Address
                    | ClaimClass::Host
                    | ClaimClass::Version
            )
        };
        let open = grounding.claims.iter();
        let open = open.filter(|claim| !claim.is_grounded && is_name(claim.class));
        let names: Vec<String> = open.map(|claim| claim.text.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // One reading tells what nobody ever said: inventions can be many.
        let said = self.said_of(&names);
        for claim in &mut grounding.claims {
            let name = claim.text.as_str();
            if claim.is_grounded || !is_name(claim.class) || !said.contains(name) {
                continue;
            }
            let mut is_absent = |text: &str| !identifiers::contains_whole(text, name);
            let mut demands = background.demands.iter();
            let mut earlier = background.earlier.iter();
            claim.is_grounded = demands.any(|demand| demand.text == name)
                || earlier.any(|message| !identifiers::each_text(message, &mut is_absent));
        }
        grounding
    }

    /// The same for figures: what an earlier message says is somewhere in the conversation, also
    /// when no summary since has it.
    fn with_earlier_figures(&self, grounding: Grounding, text: &str) -> Grounding {
        let is_figure = |claim: &Claim| {
            matches!(
                claim.class,
                ClaimClass::Date
                    | ClaimClass::Money
                    | ClaimClass::Percentage
                    | ClaimClass::Measure
                    | ClaimClass::TestCount
                    | ClaimClass::Count
            )
        };
        if self.job.background.earlier.is_empty() || !grounding.ungrounded().any(is_figure) {
            return grounding;
        }
        let found = grounding::check_with(self.earlier_index(), text);
        let mut grounding = grounding;
        for claim in &mut grounding.claims {
            let is_same = |other: &Claim| {
                other.line == claim.line && other.span == claim.span && other.class == claim.class
            };
            let is_said = |other: &Claim| other.is_grounded && is_same(other);
            claim.is_grounded |= is_figure(claim) && found.claims.iter().any(is_said);
        }
        grounding
    }

    /// All that a summary may draw on.
    pub(super) fn sources<'a>(&'a self, texts: &'a [&'a str]) -> GroundingSources<'a> {
        GroundingSources {
            messages: &self.source.grounds,
            previous: self.job.previous_summary.as_deref(),
            texts,
        }
    }

    /// What may be said without a message.
    pub(super) fn texts(&self) -> Vec<&str> {
        let rules = self.basis.rules.iter().map(|rule| rule.text.as_str());
        let instructions = self.job.instructions.as_deref();
        let ask = self.job.ask.as_ref();
        standing_texts(rules.collect(), &self.job.kept.texts, instructions, ask)
    }

    /// The share of what was demanded that a text lacks, in percent.
    pub(super) fn lacking_percent(&self, text: &str, outcome: &AuditOutcome) -> u64 {
        share::lacking_percent(&self.basis, text, &self.baseline().document, outcome)
    }

    /// The extractive summary of the same job: what the log has something for.
    pub(super) fn baseline(&self) -> &SummaryBaseline {
        self.baseline.get_or_init(|| {
            let extract = extractive::extract(extractive::ExtractSource {
                messages: &self.source.all,
                previous: self.job.previous_summary.as_deref(),
                headings: &self.basis.headings,
                ask: self.job.ask.as_ref(),
                instructions: self.job.instructions.as_deref(),
                possible_rules: &self.job.background.possible_rules,
                identifiers: &self.basis.identifiers,
                identifiers_fixed: self.basis.identifiers_fixed,
                identifiers_left: self.basis.identifiers_left,
            });
            SummaryBaseline {
                document: SummaryDocument::parse(&extract.text, &self.basis.headings),
                extract,
            }
        })
    }

    /// The newest failure that was not put right, when a text names nothing as blocked and
    /// none of these failures anywhere.
    fn untold_failure(&self, text: &str) -> Option<String> {
        let headings = &self.basis.headings;
        let is_blocked = |role| role == SectionRole::Blocked;
        if !headings.iter().any(|heading| is_blocked(heading.role)) {
            return None;
        }
        let doc = SummaryDocument::parse(text, headings);
        if share::states_any(&doc, headings, SectionRole::Blocked) {
            return None;
        }
        let failures = extractive::open_failures(&self.source.all);
        let told = keywords::normalize(text);
        let is_told = |failure: &String| {
            let words = keywords::words(&keywords::normalize(failure));
            let hits = words.iter().filter(|word| told.contains(*word)).count();
            hits * 2 >= words.len()
        };
        failures
            .last()
            .filter(|_| !failures.iter().any(is_told))
            .cloned()
    }

    /// Which of these tokens anybody ever said: in the source, beside it, before it. All are
    /// looked for at once, without case.
    fn said_of<'t>(&self, tokens: &[&'t str]) -> HashSet<&'t str> {
        let mut found = HashSet::new();
        if tokens.is_empty() {
            return found;
        }
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(tokens);
        let Ok(finder) = finder else {
            // Nothing is changed that could not be looked up.
            return tokens.iter().copied().collect();
        };
        let distinct = tokens.iter().collect::<HashSet<_>>().len();
        let mut read = |text: &str| {
            let has_hidden = !text.is_ascii() && text.contains(excerpt::is_format_char);
            let shown: Cow<'_, str> = if has_hidden {
                let seen = text.chars().filter(|c| !excerpt::is_format_char(*c));
                seen.collect::<String>().into()
            } else {
                text.into()
            };
            let hits = finder.find_overlapping_iter(shown.as_ref());
            found.extend(hits.filter_map(|hit| tokens.get(hit.pattern().as_usize()).copied()));
            found.len() < distinct
        };
        let background = &self.job.background;
        let ask = self.job.ask.iter().map(|ask| &ask.text);
        let previous = self.job.previous_summary.as_deref();
        if let Some(previous) = previous.map(grounding::without_unverified)
            && !read(&previous)
        {
            return found;
        }
        let texts = ask.chain(&self.job.instructions);
        let rules = self.basis.rules.iter().map(|rule| &rule.text);
        let texts = texts.chain(rules).chain(&self.job.kept.texts);
        let demands = background.demands.iter().map(|demand| &demand.text);
        if texts.chain(demands).all(|text| read(text)) {
            let beside = self.source.all.iter().chain(&background.kept);
            let messages = beside.map(|source| &source.message);
            let mut messages = messages.chain(&background.earlier);
            messages.all(|message| identifiers::each_text(message, &mut read));
        }
        found
    }

    /// Whether any of these words, in lower case, is in the source.
    pub(super) fn source_says_any(&self, words: &[String]) -> bool {
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words);
        let Ok(finder) = finder else { return true };
        let mut is_silent = |text: &str| {
            if text.is_ascii() {
                !finder.is_match(text)
            } else {
                !finder.is_match(&keywords::normalize(text))
            }
        };
        let mut before = self.job.previous_summary.iter();
        let mut messages = self.source.all.iter();
        !(before.all(|text| is_silent(text))
            && messages.all(|source| identifiers::each_text(&source.message, &mut is_silent)))
    }

    /// Asks again while that is allowed and the text does not hold.
    pub(super) fn judge(&mut self, candidate: Box<SummaryCandidate>) -> SummaryStep {
        self.note_unread();
        let passed = candidate.audit.record.passed;
        let (round, best) = match std::mem::replace(&mut self.phase, WritingPhase::Tasks) {
            WritingPhase::AuditRetry { round, best }
                if best.audit.badness() <= candidate.audit.badness() =>
            {
                (round, best)
            }
            WritingPhase::AuditRetry { round, .. } => (round, candidate),
            WritingPhase::Tasks => (0, candidate),
        };
        let retries = self.job.audit.retries.min(MAX_AUDIT_RETRIES);
        if passed || round >= retries {
            return self.finish(*best);
        }
        self.phase = WritingPhase::AuditRetry {
            round: round + 1,
            best,
        };
        self.run.attempt = RequestAttempt {
            tight: self.run.attempt.tight,
            skipped: self.run.attempt.skipped,
            halvings: self.run.attempt.halvings,
            ..RequestAttempt::default()
        };
        self.ask(0)
    }
}

/// Rules, surroundings, instructions and the newest ask.
fn standing_texts<'a>(
    rules: Vec<&'a str>,
    kept: &'a [String],
    instructions: Option<&'a str>,
    ask: Option<&'a LatestAsk>,
) -> Vec<&'a str> {
    let mut texts = rules;
    texts.extend(kept.iter().map(String::as_str));
    texts.extend(instructions);
    texts.extend(ask.map(|ask| ask.text.as_str()));
    texts
}

/// Headings inside the turn's context would pose as sections of the summary.
fn demoted(context: &str) -> String {
    context
        .lines()
        .map(|line| {
            if line.starts_with('#') {
                format!("**{}**", line.trim_start_matches('#').trim())
            } else {
                line.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}
