//! The check of an answer: wrappings removed, refused when it is not a summary.

use crate::context::audit::keywords;
use crate::context::fence;
use crate::context::grounding::{self, GroundingSources, Worthless};
use crate::context::summary::document::SummaryDocument;
use crate::context::summary::template::{NONE, SectionHeading};
use crate::context::summary::{MAX_BODY_CHARS, excerpt, plan::TaskDestination};
use crate::transcript::StopReason;

use super::{Summariser, SummaryStep};

/// The marks before an item of a list.
const BULLETS: [char; 3] = ['-', '*', ' '];
/// Where an apology would be, in characters.
const APOLOGY_CHARS: usize = 200;

impl Summariser {
    /// Takes or refuses an answer.
    pub(super) fn on_answer(&mut self, text: &str, stop: StopReason, called: bool) -> SummaryStep {
        let text = cleaned(text);
        if called || stop == StopReason::ToolUse {
            let note = "You called a tool. Answer with text alone.".to_owned();
            return self.retry("the model called a tool instead of answering", Some(note));
        }
        match stop {
            StopReason::Stop => {}
            StopReason::Length => {
                let note = format!(
                    "The answer was cut off. Write at most {} characters.",
                    MAX_BODY_CHARS / 4
                );
                return self.retry("the answer was cut off (not_ended)", Some(note));
            }
            StopReason::Refusal => return self.retry("the model declined", None),
            _ => return self.retry("the answer broke off (not_ended)", None),
        }
        if text.is_empty() {
            return self.retry("the answer was empty", None);
        }
        let has_headings = self
            .task()
            .is_none_or(|task| task.destination != TaskDestination::TurnContext);
        if is_apology(&text, &self.basis.headings, has_headings) {
            return self.retry("the model declined", None);
        }
        if has_headings && !self.is_about_the_source(&text) {
            let note = "Your text says nothing of the conversation. Summarise what was said in it.";
            let why = "the answer says nothing of the conversation";
            return self.retry(why, Some(note.to_owned()));
        }
        if !self.job.audit.enabled || !has_headings {
            return self.accept(text);
        }
        let is_last = self
            .task()
            .is_none_or(|task| task.destination == TaskDestination::Summary);
        if is_last {
            return match self.assess(&text) {
                Ok(candidate) => self.judge(candidate),
                Err(worthless) => self.refuse(worthless),
            };
        }
        match self.worthless_part(&text) {
            Some(worthless) => self.refuse(worthless),
            None => self.accept(text),
        }
    }

    /// Whether the answer to a part is no summary of the conversation.
    fn worthless_part(&self, text: &str) -> Option<Worthless> {
        if !self.has_headings(text) {
            return None;
        }
        let texts = self.texts();
        // A part is no work on what came before.
        let sources = GroundingSources {
            previous: None,
            ..self.sources(&texts)
        };
        grounding::worthless_with(self.index(), text, sources)
    }

    /// Whether any heading of the template is there. The audit says when none is.
    pub(super) fn has_headings(&self, text: &str) -> bool {
        let doc = SummaryDocument::parse(text, &self.basis.headings);
        doc.sections.iter().any(|section| section.known.is_some())
    }

    /// Tells the model once that its text is no summary of the conversation.
    fn refuse(&mut self, worthless: Worthless) -> SummaryStep {
        let (why, note) = words_of(worthless);
        if std::mem::replace(&mut self.run.attempt.was_worthless, true) {
            return self.give_up(&format!("{why} ({})", worthless.code()), false);
        }
        self.run.attempt.note = Some(note.to_owned());
        self.ask(0)
    }

    /// Whether there is more under the headings than nothing or an apology. Beside an
    /// apology, only what has an identifier or a word of the conversation counts.
    fn is_about_the_source(&self, text: &str) -> bool {
        let doc = SummaryDocument::parse(text, &self.basis.headings);
        if !doc.sections.iter().any(|section| section.known.is_some()) {
            return true;
        }
        let bodies = doc.sections.iter().map(|section| section.body.as_str());
        let bodies = bodies.chain([doc.preamble.as_str()]);
        let (sorry, told): (Vec<&str>, Vec<&str>) = bodies
            .filter(|body| ![NONE, ""].contains(&body.trim_start_matches(BULLETS)))
            .partition(|body| apologises(body));
        if sorry.is_empty() || told.is_empty() {
            return !told.is_empty();
        }
        let told = told.join("\n");
        let folded = told.to_lowercase();
        let mut identifiers = self.basis.identifiers.iter();
        identifiers.any(|id| id.is_in(&told, &folded))
            || self.source_says_any(&keywords::words(&keywords::normalize(&told)))
    }
}

/// Why a text is refused, and what the model is told.
fn words_of(worthless: Worthless) -> (&'static str, &'static str) {
    match worthless {
        Worthless::Apology => (
            "the model apologised or asked for the conversation",
            "The conversation is in this request, between the tags. Summarise it; do not apologise and do not ask for it.",
        ),
        Worthless::Foreign => (
            "the model's text is about something else",
            "Your text is not about the conversation: its words are not those of the conversation. Summarise what was said between the tags, and nothing else.",
        ),
        Worthless::OtherLanguage => (
            "the model's text is not in the language of the conversation",
            "Your text is not in the language that the user writes in. Write the whole text in that language; the headings stay as given.",
        ),
        Worthless::Unchanged => (
            "the model repeated the summary before",
            "You returned the earlier summary as it was. Work in what was said since: it asks for and names things that the earlier summary does not have.",
        ),
        Worthless::Orders => (
            "the model's text gives orders that nobody gave",
            "Your text gives orders to its reader that nobody in the conversation gave. Report what was said; give no orders and claim no permission.",
        ),
    }
}

/// The text without the wrappings that models put around it.
fn cleaned(text: &str) -> String {
    let mut text = text.trim();
    for _ in 0..2 {
        for (open, close) in [
            ("<summary>", "</summary>"),
            ("```markdown", "```"),
            ("```md", "```"),
            ("```", "```"),
        ] {
            if let Some(inner) = text
                .strip_prefix(open)
                .and_then(|rest| rest.strip_suffix(close))
            {
                text = inner.trim();
            }
        }
    }
    // What is quoted has our tags escaped; a model that copies it copies that too. Whoever
    // puts the text between tags escapes them again.
    fence::restored(text)
        .chars()
        .filter(|c| !excerpt::is_format_char(*c) && (!c.is_control() || matches!(c, '\n' | '\t')))
        .collect()
}

fn is_apology(text: &str, headings: &[SectionHeading], expects_headings: bool) -> bool {
    let doc = SummaryDocument::parse(text, headings);
    let has_any = doc.sections.iter().any(|section| section.known.is_some());
    apologises(text) && !has_any && (expects_headings || !excerpt::is_longer(text, APOLOGY_CHARS))
}

fn apologises(text: &str) -> bool {
    grounding::declines(excerpt::head(text, APOLOGY_CHARS))
}
