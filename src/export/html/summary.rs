//! A compaction with both sides: the summary, and the messages that it replaces; what the audit
//! found, and which messages each line is similar to.

use std::fmt::Write as _;
use std::sync::Arc;

use super::article::ArticleWriter;
use super::cost::usage_words;
use crate::context::first_words;
use crate::context::sources::coverage;
use crate::context::summary::SourceMessage;
use crate::export::branch::{CompactionPlace, Place};
use crate::transcript::{
    AuditRecord, Compaction, CompactionStanding, SummaryCheck, grouped, plural,
};

impl ArticleWriter<'_> {
    /// The article of a compaction, after its heading.
    pub(super) fn compaction(&mut self, at: Place, compaction: &Compaction) {
        let mut places = self.reading.compactions.iter();
        let Some(place) = places.find(|it| it.at == at).copied() else {
            return;
        };
        let replaced = self.replaced_by(place);
        self.out
            .raw("<div class=\"side\">Summary</div>")
            .prose(&compaction.summary);
        let appended = &compaction.details.appendix.for_others;
        if !appended.is_empty() {
            self.out
                .raw("<details><summary>Sent with it</summary><div class=\"said\">")
                .text(appended)
                .raw("</div></details>");
        }
        self.checks(&compaction.details.check);
        self.sources(&compaction.summary, &replaced);
        self.replaced_list(&replaced);
    }

    /// The heading's remarks.
    pub(super) fn compaction_meta(&mut self, at: Place, compaction: &Compaction) {
        let details = &compaction.details;
        let place = self.reading.compactions.iter().find(|it| it.at == at);
        let (badge, words) = match place.map(|it| it.standing) {
            Some(CompactionStanding::InForce) => ("<span class=\"badge good\">", "active"),
            Some(CompactionStanding::Superseded) => ("<span class=\"badge\">", "replaced"),
            _ => ("<span class=\"badge bad\">", "undone"),
        };
        self.out.raw(badge).raw(words).raw("</span>");
        self.out.raw("<span class=\"meta\">");
        self.out.raw(details.cause.trigger.name());
        if !details.model.is_empty() {
            self.out.raw(", by ").text(&details.model);
        }
        if compaction.tokens_before > 0 {
            self.out
                .raw(", ")
                .text(&grouped(compaction.tokens_before))
                .raw(" → ")
                .text(&grouped(details.tokens_after))
                .raw(" tokens");
        }
        if details.cost.requests > 0 {
            self.out
                .raw(", written with ")
                .text(&usage_words(&details.cost.usage));
        }
        self.out.raw("</span>");
        for (is_so, words) in [
            (details.degraded, "written without a model"),
            (details.edited, "edited"),
            (compaction.from_hook, "by a hook"),
        ] {
            if is_so {
                self.out.raw("<span class=\"badge\">").raw(words);
                self.out.raw("</span>");
            }
        }
    }

    /// The messages that a compaction replaced when it was applied: those between the kept part
    /// of the one before and its own.
    fn replaced_by(&self, place: CompactionPlace) -> Vec<Place> {
        let before = self.reading.compactions.iter().rfind(|it| {
            let is_undone = it.standing == CompactionStanding::Undone;
            it.at < place.at && !is_undone
        });
        let from = before.map_or(0, |it| it.first_kept.min(place.first_kept));
        let entries = &self.reading.entries;
        let speaks = |at: &Place| entries.get(*at).is_some_and(|it| it.body.speaks_to_model());
        (from..place.first_kept).filter(speaks).collect()
    }

    fn checks(&mut self, check: &SummaryCheck) {
        let Some(audit) = &check.audit else {
            return;
        };
        self.out.raw("<details><summary>Audit: ");
        self.out
            .raw(if audit.passed { "passed" } else { "not passed" })
            .text(&audit_words(audit))
            .raw("</summary><ul class=\"plain\">");
        let lists = [
            ("Missing", &audit.missing),
            ("Altered", &audit.altered),
            ("Added back", &check.mended),
        ];
        for (name, items) in lists {
            for item in items {
                self.out.raw("<li><span class=\"badge\">").raw(name);
                self.out.raw("</span> ").text(item).raw("</li>");
            }
        }
        for claim in &check.ungrounded {
            let name = if claim.is_struck {
                "Not said, removed"
            } else {
                "Not said, marked"
            };
            self.out.raw("<li><span class=\"badge bad\">").raw(name);
            self.out.raw("</span> ").text(&claim.text).raw("</li>");
        }
        self.out.raw("</ul></details>");
    }

    /// Line by line, the messages that say something similar.
    fn sources(&mut self, summary: &str, replaced: &[Place]) {
        let entries = replaced
            .iter()
            .filter_map(|at| self.reading.entries.get(*at));
        let messages: Vec<SourceMessage> = entries
            .filter_map(|entry| {
                Some(SourceMessage {
                    entry: entry.id.clone(),
                    message: Arc::clone(entry.message()?),
                    tokens: 0,
                })
            })
            .collect();
        let found = coverage(summary, &messages);
        if found.lines.is_empty() {
            return;
        }
        let lines: Vec<&str> = summary.lines().collect();
        self.out
            .raw("<details class=\"sources\"><summary>Sources: the messages that each line is ")
            .raw("similar to</summary><table><tr><th>Line of the summary</th><th>Messages")
            .raw("</th></tr>");
        for similar in &found.lines {
            let line = lines.get(similar.line).copied().unwrap_or_default();
            self.out.raw("<tr><td>").text(line).raw("</td><td>");
            for id in &similar.messages {
                self.linked(self.reading.place(id));
            }
            self.out.raw("</td></tr>");
        }
        self.out.raw("</table>");
        if !found.uncovered.is_empty() {
            self.out.raw("<p>Messages that no line is similar to:</p>");
            for id in &found.uncovered {
                self.linked(self.reading.place(id));
            }
        }
        self.out.raw("</details>");
    }

    fn linked(&mut self, at: Option<Place>) {
        let reading = self.reading;
        let Some((at, entry)) = at.and_then(|at| Some((at, reading.entries.get(at)?))) else {
            return;
        };
        self.out.raw("<div>").link_to(at).raw(" ");
        self.out.text(&first_words(entry)).raw("</div>");
    }

    fn replaced_list(&mut self, replaced: &[Place]) {
        if replaced.is_empty() {
            return;
        }
        let count = plural(replaced.len() as u64, "message");
        self.out
            .raw("<details class=\"replaced\"><summary>Replaces ")
            .text(&count)
            .raw(", each above in full</summary>");
        for at in replaced {
            self.linked(Some(*at));
        }
        self.out.raw("</details>");
    }
}

fn audit_words(audit: &AuditRecord) -> String {
    let mut words = String::new();
    for (found, total, what) in [
        (audit.sections_found, audit.sections_total, "sections"),
        (
            audit.identifiers_found,
            audit.identifiers_total,
            "identifiers",
        ),
        (audit.rules_found, audit.rules_total, "rules"),
        (audit.claims_grounded, audit.claims_total, "claims"),
    ] {
        if total > 0 {
            let _ = write!(words, ", {found} of {total} {what}");
        }
    }
    words
}
