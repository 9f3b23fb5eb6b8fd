//! Cells as lines: a gutter of three columns (what became of it, who speaks, a blank)
//! and the content.

mod tool;

use std::cell::Cell as Flag;
use std::rc::Rc;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::cell::{Body, Cell, Note, RenderContext, compaction, part, shell_run};
use super::marks::Mark;
use super::streamed::StreamBrush;
use crate::agent::NoticeLevel;
use crate::context::Disposition;
use crate::transcript::{
    AssistantPart, Author, Compaction, Entry, EntryBody, Message, NoteKind, Part, SummaryCheck,
    Timestamp, is_server_summary,
};
use crate::tui::audit_line::{AuditLayout, audit_rows};
use crate::tui::numbers;
use crate::tui::render::markdown::TextColumns;
use crate::tui::render::{link, markdown, safe, wrap};

/// Columns of the gutter on a screen that has room for one.
const GUTTER: u16 = 3;
/// Columns left free on the right where there is a full gutter.
const MARGIN: u16 = 1;
/// Below this many columns the gutter is one column.
const NARROW: u16 = 24;
/// Lines of reasoning that a closed cell shows.
const THINKING_LINES: usize = 1;
/// Lines at the end of a growing summary that are shown.
const SUMMARY_TAIL_LINES: usize = 8;
/// Lines of a message that are drawn; more is for the item view of `/context`.
const MAX_LINES: usize = 5_000;

/// The lines of a cell.
pub(super) fn of(
    cell: &mut Cell,
    paint: &RenderContext<'_>,
    mark: Option<&Mark>,
    is_focused: bool,
) -> Rc<Vec<Line<'static>>> {
    let page = CellPage {
        paint: *paint,
        mark,
        is_focused,
        is_expanded: cell.is_expanded,
        max_lines: cell.max_lines(),
        is_cut: Flag::new(false),
    };
    let mut is_endless = false;
    let mut lines = match &mut cell.body {
        Body::User(entry) => user(&page, entry),
        Body::Answer(message, at) => answer(&page, message, *at),
        Body::StreamingText(stream) => {
            let brush = StreamBrush {
                width: paint.width,
                columns: page.text_columns(),
                theme: paint.theme,
                highlighter: paint.highlighter,
            };
            let frame = |body| page.frame(" ", paint.theme.assistant, body);
            return stream.lines(&brush, frame);
        }
        Body::StreamingThinking(text) => thinking(&page, text),
        Body::StreamingCall { name, bytes, .. } => tool::being_written(&page, name, *bytes),
        Body::Tool(card) => {
            is_endless = true;
            tool::card(&page, card)
        }
        Body::Shell(entry) => {
            is_endless = true;
            shell_run(entry).map_or_else(Vec::new, |run| tool::shell(&page, run))
        }
        Body::Compaction {
            entry,
            kept_turns,
            is_undone,
        } => compaction(entry)
            .map_or_else(Vec::new, |it| boundary(&page, it, *kept_turns, *is_undone)),
        Body::Compacting(text) => compacting(&page, text),
        Body::Note(note) => self::note(&page, note),
    };
    if !is_endless {
        lines.truncate(MAX_LINES);
    }
    cell.has_more = page.is_cut.get();
    let is_out = [Disposition::Summarized, Disposition::Omitted];
    if mark.is_some_and(|mark| is_out.contains(&mark.disposition)) {
        fade(&mut lines, paint.theme.dim);
    }
    Rc::new(lines)
}

/// Columns before the text of every line on a screen of this width.
pub(super) fn gutter(width: u16) -> u16 {
    if width < NARROW { 1 } else { GUTTER }
}

/// A cell about to be drawn.
struct CellPage<'a> {
    paint: RenderContext<'a>,
    mark: Option<&'a Mark>,
    is_focused: bool,
    is_expanded: bool,
    /// Lines of one part that an open cell shows for now.
    max_lines: usize,
    /// Whether an open cell has more than that.
    is_cut: Flag<bool>,
}

impl CellPage<'_> {
    fn gutter(&self) -> u16 {
        gutter(self.paint.width)
    }

    /// Columns beside the gutter and the margin on the right.
    fn columns(&self) -> u16 {
        let margin = if self.gutter() == GUTTER { MARGIN } else { 0 };
        let taken = self.gutter() + margin;
        self.paint.width.saturating_sub(taken).max(1)
    }

    /// Columns for text, and for what uses all of the screen.
    fn text_columns(&self) -> TextColumns {
        let all = self.columns();
        TextColumns {
            all,
            text: self.paint.drawing.text_columns(all),
        }
    }

    /// Puts the gutter before lines: the mark and the sign before the first one. A bar
    /// goes on beside all of them.
    fn frame(
        &self,
        sign: &'static str,
        style: Style,
        body: Vec<Line<'static>>,
    ) -> Vec<Line<'static>> {
        let theme = self.paint.theme;
        let (mark, mark_style) = self.mark.map_or((" ", theme.text), |mark| mark.sign(theme));
        let is_bar = sign == BAR;
        let mut lines = Vec::with_capacity(body.len());
        for (at, line) in body.into_iter().enumerate() {
            let (mark, sign) = match at {
                0 => (mark, sign),
                _ if is_bar => (" ", sign),
                _ => (" ", " "),
            };
            let mut spans = Vec::with_capacity(line.spans.len() + 3);
            let is_wide = wrap::width(sign) > 1;
            match (self.gutter() == GUTTER, mark == " ") {
                // Below a wide sign the text begins a column later, into the margin.
                (true, _) => {
                    spans.push(Span::styled(mark, mark_style));
                    spans.push(Span::styled(sign, style));
                    spans.push(Span::raw(" "));
                }
                (false, true) => {
                    spans.push(Span::styled(if is_wide { " " } else { sign }, style));
                }
                (false, false) => spans.push(Span::styled(mark, mark_style)),
            }
            spans.extend(line.spans);
            lines.push(Line::from(spans).style(line.style));
        }
        lines
    }

    /// Text on the left and text on the right of one line. The left one is cut when
    /// there is too little room, the right one left out when it would take half.
    fn spread(
        &self,
        mut left: Vec<Span<'static>>,
        title: &str,
        style: Style,
        right: Vec<Span<'static>>,
    ) -> Line<'static> {
        let columns = usize::from(self.text_columns().text);
        let right_width: usize = right.iter().map(|span| wrap::width(&span.content)).sum();
        let left_width: usize = left.iter().map(|span| wrap::width(&span.content)).sum();
        let shows_right = right_width > 0 && left_width + right_width + 2 <= columns;
        let taken = if shows_right { right_width + 2 } else { 0 };
        let room = columns.saturating_sub(left_width + taken);
        let title = safe::one_line(title, room);
        let pad = columns.saturating_sub(left_width + wrap::width(&title) + right_width);
        left.push(Span::styled(title, style));
        if shows_right {
            left.push(Span::raw(" ".repeat(pad)));
            left.extend(right);
        }
        cut(Line::from(left), columns)
    }

    /// Foreign text in one style, wrapped.
    fn plain(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        let columns = self.text_columns().text;
        text.lines()
            .take(MAX_LINES)
            .flat_map(|line| {
                let line = safe::visible(line);
                let line = wrap::expand_tabs(&line);
                let line = Line::from(Span::styled(line.into_owned(), style));
                wrap::wrap(&link::line_with_addresses(line), columns)
            })
            .collect()
    }
}

/// The bar beside the user's words.
const BAR: &str = "▌";

fn user(page: &CellPage<'_>, entry: &Entry) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let (who, text) = match &entry.body {
        EntryBody::Message(message) => ("you", user_text(message)),
        EntryBody::BranchSummary { summary, .. } => ("branch summary", summary.clone()),
        EntryBody::CustomMessage { content, .. } => {
            let who = match entry.body.author() {
                Author::Note(NoteKind::Hook) => "hook",
                Author::Note(_) => "plimsoll",
                _ => "another program",
            };
            (who, parts_text(content))
        }
        _ => ("", String::new()),
    };
    let time = numbers::clock(entry.timestamp, page.paint.zone);
    let rules = page.mark.map(|mark| mark.rules.in_words());
    let rules = rules.filter(|rules| !rules.is_empty());
    let beside = rules.map_or(time.clone(), |rules| format!("{rules} · {time}"));
    let mut body = vec![page.spread(
        vec![Span::styled(who, theme.user)],
        "",
        theme.text,
        vec![Span::styled(beside, theme.dim)],
    )];
    body.extend(page.plain(&text, theme.text));
    page.frame(BAR, theme.user, body)
}

fn user_text(message: &Message) -> String {
    match message {
        Message::User(user) => parts_text(&user.content),
        other => other.text(),
    }
}

/// Text of a message; attachments by name.
fn parts_text(parts: &[Part]) -> String {
    let parts: Vec<String> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Image(image) => {
                format!("[{}]", image.name.as_deref().unwrap_or(&image.mime))
            }
        })
        .collect();
    parts.join("\n")
}

fn answer(page: &CellPage<'_>, message: &Message, at: usize) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    match part(message, at) {
        Some(AssistantPart::Text(text)) => {
            let body = markdown::render(text, page.text_columns(), theme, page.paint.highlighter);
            page.frame(" ", theme.assistant, body)
        }
        Some(AssistantPart::Thinking { text, .. }) => thinking(page, text),
        Some(AssistantPart::RedactedThinking { data }) => {
            let what = if is_server_summary(data) {
                "continued by the server from a summary of its own"
            } else {
                "reasoning, encrypted by the provider"
            };
            let line = Line::styled(what, theme.thinking);
            page.frame("✻", theme.thinking, vec![cut(line, page.columns().into())])
        }
        _ => Vec::new(),
    }
}

fn thinking(page: &CellPage<'_>, text: &str) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let text = text.trim();
    if page.is_expanded {
        return page.frame("✻", theme.thinking, page.plain(text, theme.thinking));
    }
    let count = text.lines().count() as u64;
    let hint = format!("{} · {}", numbers::plural(count, "line"), open_hint(page));
    // The newest thought says most while it streams and is as good as any afterwards.
    let newest = text.lines().rev().find(|line| !line.trim().is_empty());
    let line = page.spread(
        Vec::new(),
        newest.unwrap_or("thinking"),
        theme.thinking,
        vec![Span::styled(hint, theme.dim)],
    );
    page.frame("✻", theme.thinking, vec![line; THINKING_LINES])
}

/// How to open (or close) what is closed (or open).
fn open_hint(page: &CellPage<'_>) -> &'static str {
    match (page.is_focused, page.is_expanded) {
        (true, false) => "enter: open",
        (true, true) => "enter: close",
        (false, _) => "ctrl-o",
    }
}

fn boundary(
    page: &CellPage<'_>,
    it: &Compaction,
    kept_turns: u64,
    is_undone: bool,
) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let details = &it.details;
    let mut facts = vec![format!(
        "compacted {} → {}",
        numbers::tokens(it.tokens_before),
        numbers::tokens(details.tokens_after)
    )];
    if details.tokens_after == 0 {
        // Files of other programs do not record the size after it.
        facts = vec![format!("compacted {}", numbers::tokens(it.tokens_before))];
    }
    facts.push(format!("{} kept", numbers::plural(kept_turns, "turn")));
    facts.extend(details.author_label());
    let mut text = facts.join(" · ");
    let style = if is_undone { theme.dim } else { theme.accent };
    if is_undone {
        text = format!("undone: {text}");
    }
    let hint = match (page.is_focused, is_undone) {
        (true, true) => "enter: review",
        (true, false) => "enter: review · u: undo",
        (false, true) => "",
        (false, false) => "/uncompact",
    };
    let hint = vec![Span::styled(hint, theme.dim)];
    let mut body = vec![page.spread(Vec::new(), &text, style, hint)];
    body.extend(audit_lines(page, &details.check));
    if let Some(label) = details.cut_label() {
        body.extend(page.plain(&label, theme.dim));
    }
    if page.is_expanded {
        body.push(Line::default());
        body.extend(markdown::render(
            &it.summary,
            page.text_columns(),
            theme,
            page.paint.highlighter,
        ));
    }
    page.frame("⚓", style, body)
}

/// What the audit found, wrapped.
fn audit_lines(page: &CellPage<'_>, check: &SummaryCheck) -> Vec<Line<'static>> {
    let layout = AuditLayout {
        width: page.columns(),
        ..AuditLayout::default()
    };
    audit_rows(check, layout, page.paint.theme)
}

fn compacting(page: &CellPage<'_>, text: &str) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let mut body = vec![Line::styled("writing a summary", theme.accent)];
    // Only the end is wanted: wrap no more than can be shown.
    let tail: Vec<&str> = text.lines().rev().take(SUMMARY_TAIL_LINES).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    let wrapped = page.plain(&tail.join("\n"), theme.dim);
    let skip = wrapped.len().saturating_sub(SUMMARY_TAIL_LINES);
    body.extend(wrapped.into_iter().skip(skip));
    page.frame("⚓", theme.accent, body)
}

fn note(page: &CellPage<'_>, note: &Note) -> Vec<Line<'static>> {
    let theme = page.paint.theme;
    let style = match note.level {
        NoticeLevel::Info => theme.dim,
        NoticeLevel::Warning => theme.warning,
        NoticeLevel::Error => theme.error,
    };
    let mut body = page.plain(&note.text, style);
    if let Some(hint) = &note.hint {
        for line in hint.lines() {
            body.extend(page.plain(&format!("→ {line}"), theme.dim));
        }
    }
    page.frame(note.sign, style, body)
}

/// Everything in one style: it no longer counts.
fn fade(lines: &mut [Line<'static>], style: Style) {
    for line in lines {
        for span in line.spans.iter_mut().filter(|it| !wrap::is_joint(it)) {
            span.style = style;
        }
    }
}

/// A line cut to a width, at a grapheme.
fn cut(line: Line<'static>, columns: usize) -> Line<'static> {
    if line.width() <= columns {
        return line;
    }
    let columns = u16::try_from(columns).unwrap_or(u16::MAX);
    let mut rows = wrap::wrap(&line, columns);
    rows.truncate(1);
    let mut row = rows.pop().unwrap_or_default();
    row.spans.retain(|span| !wrap::is_joint(span));
    row
}

/// How long something has been going on.
fn since(page: &CellPage<'_>, start: Timestamp) -> String {
    let elapsed = numbers::between(start, page.paint.now);
    numbers::elapsed(page.paint.drawing.shown_time(elapsed))
}
