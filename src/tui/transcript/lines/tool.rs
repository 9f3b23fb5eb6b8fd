//! Tool cards and commands of the user: one line when closed, all there is when open.

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;

use super::super::card::{ToolCard, ToolState};
use super::{CellPage, open_hint, since};
use crate::agent::ChildInfo;
use crate::transcript::{BashExecution, Message, Part};
use crate::tui::gauge;
use crate::tui::numbers;
use crate::tui::overlay::lists::agents;
use crate::tui::render::diff::DiffLook;
use crate::tui::render::{ansi, diff, link, safe, wrap};

/// Lines of a diff that a closed card shows.
const CLOSED_DIFF_LINES: usize = 12;
/// Lines of an error that a closed card shows.
const CLOSED_ERROR_LINES: usize = 8;
/// Newest lines of output that a running card shows.
const RUNNING_LINES: usize = 5;
/// One argument of an open card has this share of its lines.
const ARGUMENT_SHARE: usize = 10;
/// Characters that a line counts as at most: a long one is as many lines.
const LINE_CHARS: usize = 150;
/// Lines of the output of a command that a closed card shows.
const CLOSED_OUTPUT_LINES: usize = 3;
/// Bytes at the end of an output that are read for them.
const CLOSED_OUTPUT_BYTES: usize = 8 * 1024;
/// What is sent instead of a cut result has this share of the lines of an open card.
const SENT_SHARE: usize = 6;
/// The tool whose runs can go on in the background, and how.
const SHELL: &str = "shell";
const BACKGROUND_HINT: &str = "ctrl-b: background";
/// A run shorter than this is not worth a number.
const WORTH_TELLING: Duration = Duration::from_secs(1);

/// A call that the model is writing.
pub(super) fn being_written(page: &CellPage<'_>, name: &str, bytes: usize) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let line = page.spread(
        vec![Span::styled(safe::one_line(name, 40), theme.tool)],
        "",
        theme.text,
        vec![Span::styled(
            format!("writing {} bytes", numbers::grouped(bytes as u64)),
            theme.dim,
        )],
    );
    page.frame(page.paint.spinner(), theme.tool, vec![line])
}

/// A tool call.
pub(super) fn card(page: &CellPage<'_>, card: &ToolCard) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let is_error = card.result().is_some_and(|result| result.is_error);
    let (sign, style) = match &card.state {
        ToolState::Waiting => ("○", theme.dim),
        ToolState::Running { .. } => (page.paint.spinner(), theme.tool),
        ToolState::Done if card.result().is_none() => ("○", theme.dim),
        ToolState::Done if is_error => ("✗", theme.error),
        ToolState::Done => ("●", theme.tool),
    };
    let name = safe::one_line(card.name(), 40);
    let mut name_style = theme.tool;
    if page.is_focused {
        name_style = name_style.patch(theme.selection);
    }
    let left = vec![Span::styled(name, name_style), Span::raw(" ")];
    let right = vec![Span::styled(facts(page, card), theme.dim)];
    let title_style = link::to(theme.text, file_address(page, card));
    let mut body = vec![page.spread(left, &card.title(), title_style, right)];
    if let ToolState::Running { output, .. } = &card.state {
        body.extend(tail(page, output));
    }
    if let Some(info) = &card.agent {
        body.push(agent(page, info));
    }
    if page.is_expanded {
        open(page, card, &mut body);
    } else {
        closed(page, card, is_error, &mut body);
    }
    page.frame(sign, style, body)
}

/// The sub-agent of a call: who it is, its gauge, what it took and what it does.
fn agent(page: &CellPage<'_>, info: &ChildInfo) -> Line<'static> {
    let theme = page.paint.theme;
    let (sign, style) = agents::sign(info.state, theme);
    let mut left = vec![Span::styled(format!("{sign} agent {} ", info.id), style)];
    if info.load.tokens > 0 {
        left.extend(gauge::small(info.load, theme));
        left.push(Span::raw(" "));
    }
    let doing = match info.doing.as_str() {
        "" => String::new(),
        doing => format!("· {doing}"),
    };
    // The time is the card's.
    let told = ChildInfo {
        elapsed: Duration::ZERO,
        ..info.clone()
    };
    let right = vec![Span::styled(agents::facts(&told), theme.dim)];
    page.spread(left, &doing, theme.dim, right)
}

/// The address of the file that a call is about, when its title is the path of one.
fn file_address(page: &CellPage<'_>, card: &ToolCard) -> Option<String> {
    let path = card.detail("path").and_then(Value::as_str)?;
    let is_title = card.title() == path && !path.starts_with('~');
    is_title.then(|| link::file(page.paint.files, path))?
}

/// The text on the right: outcome, size, what became of it, time.
fn facts(page: &CellPage<'_>, card: &ToolCard) -> String {
    if let ToolState::Running { since: start, .. } = card.state {
        let time = since(page, start);
        return if card.name() == SHELL {
            format!("{BACKGROUND_HINT} · {time}")
        } else {
            time
        };
    }
    let mut facts = Vec::new();
    let count = |name: &str| card.detail(name).and_then(Value::as_u64);
    if let Some(code) = card.detail("exitCode").and_then(Value::as_i64) {
        facts.push(format!("exit {code}"));
    }
    if let (Some(added), Some(removed)) = (count("added"), count("removed")) {
        facts.push(format!("+{added} −{removed}"));
    }
    if let Some(lines) = count("lines").or_else(|| output_lines(card)) {
        facts.push(numbers::plural(lines, "line"));
    }
    if let Some(matches) = count("matches") {
        let noun = if matches == 1 { "match" } else { "matches" };
        facts.push(format!("{} {noun}", numbers::grouped(matches)));
    }
    if card.detail("readOnly").and_then(Value::as_bool) == Some(true) {
        facts.push("read-only: not asked".to_owned());
    }
    if let Some(elapsed) = card.elapsed().filter(|&elapsed| elapsed >= WORTH_TELLING) {
        facts.push(numbers::elapsed(elapsed));
    }
    if let Some(mark) = page.mark.filter(|_| card.result().is_some()) {
        // A provider counts whole requests: what one part takes is a share by estimate.
        let full = format!("~{}", numbers::tokens(mark.tokens_full));
        facts.push(if mark.is_cut() {
            format!("{full} → {} {}", mark.word(), numbers::tokens(mark.tokens))
        } else {
            format!("{full} tok")
        });
    }
    if card.state == ToolState::Waiting {
        facts.push("waiting".to_owned());
    } else if card.result().is_none() {
        facts.push("not run".to_owned());
    }
    if page.is_focused {
        facts.push(open_hint(page).to_owned());
    }
    facts.join(" · ")
}

/// Lines of the output of a command that went well, when a closed card hides some.
fn output_lines(card: &ToolCard) -> Option<u64> {
    let is_done = card.name() == SHELL && card.result().is_some_and(|it| !it.is_error);
    let text = is_done.then(|| result_text(card))?;
    let lines = without_status(&text).trim_end().lines().count();
    (lines > CLOSED_OUTPUT_LINES).then_some(lines as u64)
}

fn closed(page: &CellPage<'_>, card: &ToolCard, is_error: bool, body: &mut Vec<Line<'static>>) {
    let theme = page.paint.theme;
    if is_error {
        let end = OutputEnd {
            max_rows: CLOSED_ERROR_LINES,
            style: theme.text,
            is_error: true,
        };
        body.extend(end.rows(page, &result_text(card)));
    } else if let Some(diff) = card.detail("diff").and_then(Value::as_str) {
        changes(page, card, diff, CLOSED_DIFF_LINES, body);
    } else if card.name() == SHELL && card.result().is_some() {
        let end = OutputEnd {
            max_rows: CLOSED_OUTPUT_LINES,
            style: theme.dim,
            is_error: false,
        };
        body.extend(end.rows(page, without_status(&result_text(card))));
    }
    if let Some(reason) = page
        .mark
        .filter(|mark| mark.is_cut())
        .and_then(|m| m.reason())
    {
        body.push(page.spread(
            vec![Span::styled("… ", theme.dim)],
            &format!(
                "{reason} ({}: see both)",
                if page.is_focused { "enter" } else { "ctrl-o" }
            ),
            theme.dim,
            Vec::new(),
        ));
    }
}

fn open(page: &CellPage<'_>, card: &ToolCard, body: &mut Vec<Line<'static>>) {
    let theme = page.paint.theme;
    if let Some(arguments) = card.arguments().and_then(Value::as_object) {
        for (name, value) in arguments {
            argument(page, name, value, body);
        }
    }
    if let Some(diff) = card.detail("diff").and_then(Value::as_str) {
        rule(page, "diff", body);
        changes(page, card, diff, page.max_lines, body);
    }
    if card.result().is_some() {
        rule(page, "result", body);
        output(page, &result_text(card), page.max_lines, body);
    }
    let Some(mark) = page.mark.filter(|mark| mark.is_cut()) else {
        return;
    };
    let reason = mark.reason().unwrap_or_default();
    rule(page, &format!("{} · {reason}", mark.word()), body);
    let sent = mark.item.as_ref().and_then(|item| item.sent.as_deref());
    match sent {
        Some(sent) => output(page, &sent.text(), page.max_lines / SENT_SHARE, body),
        None => body.extend(page.plain("not sent", theme.dim)),
    }
}

/// A command that the user ran.
pub(super) fn shell(page: &CellPage<'_>, run: &BashExecution) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let is_error = run.exit_code != Some(0) && run.job.is_none();
    let mut facts = vec![match run.exit_code {
        Some(code) => format!("exit {code}"),
        None => run.ending(),
    }];
    facts.push(numbers::plural(run.output.lines().count() as u64, "line"));
    if run.excluded {
        facts.push("not in the context".to_owned());
    } else if let Some(mark) = page.mark {
        facts.push(format!("~{} tok", numbers::tokens(mark.tokens)));
    }
    if page.is_focused {
        facts.push(open_hint(page).to_owned());
    }
    let sign = if run.excluded { "!! " } else { "! " };
    let sign_style = if is_error { theme.error } else { theme.user };
    let mut body = vec![page.spread(
        vec![Span::styled(sign, sign_style)],
        &run.command,
        theme.text,
        vec![Span::styled(facts.join(" · "), theme.dim)],
    )];
    if page.is_expanded {
        output(page, &run.output, page.max_lines, &mut body);
    } else {
        output(page, &run.output, CLOSED_DIFF_LINES, &mut body);
    }
    page.frame(super::BAR, theme.user, body)
}

fn argument(page: &CellPage<'_>, name: &str, value: &Value, body: &mut Vec<Line<'static>>) {
    let theme = page.paint.theme;
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let name = format!("{}: ", safe::one_line(name, 40));
    if text.lines().count() <= 1 && wrap::width(&text) < usize::from(page.columns()) {
        let line = Line::from(vec![
            Span::styled(name, theme.dim),
            Span::styled(safe::visible(&text).replace('\t', " "), theme.text),
        ]);
        body.extend(wrap::wrap_indent(&line, page.columns(), 2));
        return;
    }
    body.push(super::cut(
        Line::styled(name, theme.dim),
        page.columns().into(),
    ));
    let (head, rest) = head(&text, page.max_lines / ARGUMENT_SHARE);
    body.extend(page.plain(head, theme.text));
    more(page, rest, body);
}

/// A diff, up to a number of lines. The card says which file it is.
fn changes(
    page: &CellPage<'_>,
    card: &ToolCard,
    diff: &str,
    max_lines: usize,
    body: &mut Vec<Line<'static>>,
) {
    let title = card.title();
    let named = card.detail("path").and_then(Value::as_str);
    let look = DiffLook {
        width: page.columns(),
        theme: page.paint.theme,
        highlighter: Some(page.paint.highlighter),
        sides: page.paint.drawing.diff_sides,
        path: named.unwrap_or(&title),
    };
    let (head, rest) = head(diff::without_names(diff), max_lines);
    body.extend(diff::lines(head, &look));
    more(page, rest, body);
}

/// The rows of a closed card that show how an output ends, where it says what came of it.
struct OutputEnd {
    max_rows: usize,
    /// The style of what has no colour of its own.
    style: Style,
    /// Whether it must be read: long lines are broken, and what is hidden is said.
    is_error: bool,
}

impl OutputEnd {
    fn rows(&self, page: &CellPage<'_>, text: &str) -> Vec<Line<'static>> {
        let theme = page.paint.theme;
        let text = text.trim_end();
        let from = text.ceil_char_boundary(text.len().saturating_sub(CLOSED_OUTPUT_BYTES));
        let (before, read) = text.split_at_checked(from).unwrap_or(("", text));
        let lines = ansi::lines(read, theme);
        let skip = lines.len().saturating_sub(self.max_rows);
        let hidden = before.matches('\n').count() + skip;
        let mut rows = Vec::new();
        for mut line in lines.into_iter().skip(skip) {
            for span in line.spans.iter_mut().filter(|it| it.style == theme.text) {
                span.style = self.style;
            }
            if self.is_error {
                rows.extend(wrap::wrap(&line, page.columns()));
            } else {
                rows.push(super::cut(line, page.columns().into()));
            }
        }
        rows.drain(..rows.len().saturating_sub(self.max_rows));
        if self.is_error && hidden > 0 {
            let text = format!("… {} before", numbers::plural(hidden as u64, "line"));
            rows.splice(..0, page.plain(&text, theme.dim));
        }
        rows
    }
}

/// The output of a command without the line that the tool adds for the model: the card says
/// how it ended.
fn without_status(text: &str) -> &str {
    const STATUS: &str = "[exit code 0";
    match text.rsplit_once(STATUS) {
        Some((output, "]")) => output,
        _ => text,
    }
}

/// Output with its colours, up to a number of lines.
fn output(page: &CellPage<'_>, text: &str, max_lines: usize, body: &mut Vec<Line<'static>>) {
    let (head, rest) = head(text, max_lines);
    for line in ansi::lines(head, page.paint.theme) {
        body.extend(wrap::wrap(&line, page.columns()));
    }
    more(page, rest, body);
}

/// The newest lines of a run.
fn tail(page: &CellPage<'_>, text: &str) -> Vec<Line<'static>> {
    let lines = ansi::lines(text, page.paint.theme);
    let skip = lines.len().saturating_sub(RUNNING_LINES);
    lines
        .into_iter()
        .skip(skip)
        .map(|line| super::cut(line, page.columns().into()).patch_style(page.paint.theme.dim))
        .collect()
}

fn rule(page: &CellPage<'_>, title: &str, body: &mut Vec<Line<'static>>) {
    let style: Style = page.paint.theme.dim;
    body.push(page.spread(vec![Span::styled("─ ", style)], title, style, Vec::new()));
}

fn more(page: &CellPage<'_>, rest: u64, body: &mut Vec<Line<'static>>) {
    if rest > 0 {
        let text = format!("… {} more", numbers::plural(rest, "line"));
        body.extend(page.plain(&text, page.paint.theme.dim));
        page.is_cut.set(page.is_expanded);
    }
}

/// The text of the result; attachments by name.
fn result_text(card: &ToolCard) -> String {
    let Some(result) = card.result() else {
        return String::new();
    };
    let mut text = Message::ToolResult(result.clone()).text();
    for part in &result.content {
        if let Part::Image(image) = part {
            text.push_str(
                "
[",
            );
            text.push_str(image.name.as_deref().unwrap_or(&image.mime));
            text.push(']');
        }
    }
    text
}

/// The first lines of a text, and how many lines are left. A long line is as many.
fn head(text: &str, max_lines: usize) -> (&str, u64) {
    let by_lines = text
        .match_indices('\n')
        .nth(max_lines.saturating_sub(1))
        .map_or(text.len(), |(at, _)| at);
    let by_chars = text
        .char_indices()
        .nth(max_lines.saturating_mul(LINE_CHARS))
        .map_or(text.len(), |(at, _)| at);
    let (head, rest) = text
        .split_at_checked(by_lines.min(by_chars))
        .unwrap_or((text, ""));
    let rest = rest.strip_prefix('\n').unwrap_or(rest);
    (head, rest.lines().count() as u64)
}
