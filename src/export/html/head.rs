//! The top of the page: what session this is, what it holds and cost, its standing rules, its
//! steps and the files that it changed.

use super::cost::{CostSummary, dollars};
use super::markup::Markup;
use crate::context::rules::RuleBook;
use crate::export::branch::BranchReading;
use crate::export::{DocumentSource, problem_lines, title};
use crate::session::{Header, to_rfc3339};
use crate::transcript::{
    EntryBody, FileLedger, Message, Timestamp, TodoList, Transcript, grouped, plural,
};

/// More files are a list that nobody reads.
const MAX_FILES: usize = 500;

/// What the branch holds.
#[derive(Default)]
struct BranchCounts {
    turns: u64,
    answers: u64,
    calls: u64,
    failures: u64,
    compactions: u64,
    pruned: u64,
}

impl BranchCounts {
    fn of(reading: &BranchReading) -> Self {
        let mut counts = Self::default();
        for entry in &reading.entries {
            counts.turns += u64::from(entry.is_typed_by_user());
            counts.pruned += u64::from(reading.cut_of(&entry.id).is_some());
            match entry.message().map(AsRef::as_ref) {
                Some(Message::Assistant(answer)) => {
                    counts.answers += 1;
                    counts.calls += answer.tool_calls().count() as u64;
                }
                Some(Message::ToolResult(result)) => {
                    counts.failures += u64::from(result.is_error);
                }
                _ => counts.compactions += u64::from(is_compaction(&entry.body)),
            }
        }
        counts
    }
}

fn is_compaction(body: &EntryBody) -> bool {
    matches!(body, EntryBody::Compaction(_))
}

pub(super) fn write(out: &mut Markup, source: DocumentSource<'_>, reading: &BranchReading) {
    let DocumentSource {
        header, transcript, ..
    } = source;
    let cost = CostSummary::of(reading);
    out.raw("<header class=\"page\">\n<h1>")
        .text(&title(transcript))
        .raw("</h1>\n<dl class=\"facts\">");
    for (name, value) in facts(header, reading, &cost) {
        out.raw("<div><dt>")
            .raw(name)
            .raw("</dt><dd>")
            .text(&value)
            .raw("</dd></div>");
    }
    out.raw("</dl>\n");
    problems(out, source);
    models(out, &cost);
    rules(out, transcript, reading);
    steps(out, reading);
    files(out, transcript);
    out.raw("</header>\n");
}

fn facts(
    header: &Header,
    reading: &BranchReading,
    cost: &CostSummary,
) -> Vec<(&'static str, String)> {
    let counts = BranchCounts::of(reading);
    let mut facts = vec![
        ("Session", header.id.clone()),
        ("Started", when(header.timestamp)),
        ("Directory", header.cwd.clone()),
        ("Turns", grouped(counts.turns)),
        ("Answers", grouped(counts.answers)),
        (
            "Tool calls",
            match counts.failures {
                0 => grouped(counts.calls),
                failures => format!("{}, {} failed", grouped(counts.calls), grouped(failures)),
            },
        ),
    ];
    if let Some(parent) = &header.parent_session {
        facts.push(("Forked from", parent.clone()));
    }
    if counts.compactions > 0 {
        facts.push(("Compactions", grouped(counts.compactions)));
    }
    if counts.pruned > 0 {
        facts.push(("Pruned results", grouped(counts.pruned)));
    }
    if reading.off_branch > 0 {
        let other = plural(reading.off_branch as u64, "entry");
        facts.push(("On other branches, not shown", other));
    }
    let total = cost.total();
    if total.requests > 0 {
        let usage = total.usage;
        facts.push((
            "Tokens",
            format!(
                "{} in ({} cached), {} out",
                grouped(usage.prompt_tokens()),
                grouped(usage.cache_read_tokens),
                grouped(usage.output_tokens)
            ),
        ));
        let known = usage.cost_usd.map_or("price not known".to_owned(), dollars);
        facts.push(("Cost", known));
    }
    facts
}

/// `2026-11-23 07:24 UTC`; empty when nothing says when.
pub(super) fn when(at: Timestamp) -> String {
    if at.0 <= 0 {
        return String::new();
    }
    let text = to_rfc3339(at);
    let minutes = text.rsplit_once(':').map_or("", |(minutes, _)| minutes);
    format!("{} UTC", minutes.replace('T', " "))
}

fn models(out: &mut Markup, cost: &CostSummary) {
    if cost.by_model.len() < 2 {
        return;
    }
    out.raw("<details><summary>Cost by model</summary><table><tr><th>Model</th><th>Requests")
        .raw("</th><th>In</th><th>Cached</th><th>Out</th><th>Cost</th></tr>");
    for (model, sum) in &cost.by_model {
        let usage = &sum.usage;
        out.raw("<tr><td>").text(model);
        for number in [
            sum.requests,
            usage.prompt_tokens(),
            usage.cache_read_tokens,
            usage.output_tokens,
        ] {
            out.raw("</td><td class=\"n\">").text(&grouped(number));
        }
        let price = usage.cost_usd.map_or_else(String::new, dollars);
        out.raw("</td><td class=\"n\">")
            .text(&price)
            .raw("</td></tr>");
    }
    out.raw("</table></details>\n");
}

/// What of the session's file could not be read, open at once.
fn problems(out: &mut Markup, source: DocumentSource<'_>) {
    if source.problems.is_empty() {
        return;
    }
    out.raw("<details open><summary>Not readable in the session's file (")
        .number(source.problems.len() as u64)
        .raw(")</summary><ul class=\"plain\">");
    for line in problem_lines(source.problems) {
        out.raw("<li>").text(&line).raw("</li>");
    }
    out.raw("</ul></details>\n");
}

/// The standing rules with the message that says each.
fn rules(out: &mut Markup, transcript: &Transcript, reading: &BranchReading) {
    let book = RuleBook::of(transcript);
    if book.rules.is_empty() {
        return;
    }
    out.raw("<details><summary>Standing rules (")
        .number(book.rules.len() as u64)
        .raw(")</summary><ul class=\"plain\">");
    for rule in &book.rules {
        out.raw("<li><span class=\"badge\">")
            .raw(rule.state.name())
            .raw("</span> ")
            .text(&rule.text)
            .raw(" ");
        if let Some(at) = reading.place(&rule.source) {
            out.link_to(at);
        }
        out.raw("</li>");
    }
    out.raw("</ul></details>\n");
}

/// The newest list of steps.
fn steps(out: &mut Markup, reading: &BranchReading) {
    let Some(list) = TodoList::newest(&reading.entries).filter(|it| !it.items.is_empty()) else {
        return;
    };
    out.raw("<details><summary>Steps (")
        .number(list.done() as u64)
        .raw(" of ")
        .number(list.items.len() as u64)
        .raw(" done)</summary><pre>")
        .text(&list.lines())
        .raw("</pre></details>\n");
}

/// The files that the session left in another state than it found them.
fn files(out: &mut Markup, transcript: &Transcript) {
    let ledger = FileLedger::of(transcript);
    if ledger.changed() == 0 {
        return;
    }
    let changed = ledger.files.iter();
    let changed = changed.filter(|(_, file)| file.original != file.latest);
    out.raw("<details><summary>Changed files (")
        .number(ledger.changed() as u64)
        .raw(")</summary><ul class=\"plain\">");
    for (path, file) in changed.take(MAX_FILES) {
        out.raw("<li><code>").text(path).raw("</code> ");
        out.text(&file.by.words().join(", ")).raw("</li>");
    }
    if ledger.changed() > MAX_FILES {
        let more = grouped((ledger.changed() - MAX_FILES) as u64);
        out.raw("<li>and ").text(&more).raw(" more</li>");
    }
    out.raw("</ul></details>\n");
}
