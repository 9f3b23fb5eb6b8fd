//! One top-level piece of Markdown to lines: parser events in, prefixed rows out.
//!
//! No recursion: what is open is a stack, so hostile nesting costs no call depth.

use pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream,
};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::nesting::Nesting;
use super::table::Table;
use super::{CODE_CONTINUATION_INDENT, Canvas};
use crate::tui::render::{link, safe, wrap};

/// Renders a piece. `ordinal` is the number of the first ordered item when it continues a
/// list that was cut.
pub(super) fn render(text: &str, ordinal: Option<u64>, canvas: &Canvas<'_>) -> Vec<Line<'static>> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let parser = Parser::new_ext(text, options);
    let definitions: Vec<(usize, String)> = parser
        .reference_definitions()
        .iter()
        .map(|(label, def)| (def.span.start, format!("[{label}]: {}", def.dest)))
        .collect();
    let mut writer = Writer::new(canvas, ordinal);
    // An address with signs that could have been Markdown comes in one piece.
    for event in TextMergeStream::new(parser) {
        writer.event(event);
    }
    writer.flush();
    writer.definitions(definitions);
    writer.out
}

/// A link or image whose text is being collected.
struct Target {
    url: String,
    text: String,
}

struct Writer<'a> {
    canvas: &'a Canvas<'a>,
    out: Vec<Line<'static>>,
    nesting: Nesting,
    /// The next number of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    ordinal: Option<u64>,
    styles: Vec<Style>,
    inline: Vec<Span<'static>>,
    targets: Vec<Target>,
    code: Option<(String, String)>,
    table: Option<Table>,
    /// A blank row goes before the next block.
    gap_due: bool,
}

impl<'a> Writer<'a> {
    fn new(canvas: &'a Canvas<'a>, ordinal: Option<u64>) -> Self {
        Self {
            canvas,
            out: Vec::new(),
            nesting: Nesting::new(canvas.width, canvas.theme.border),
            lists: Vec::new(),
            ordinal,
            styles: Vec::new(),
            inline: Vec::new(),
            targets: Vec::new(),
            code: None,
            table: None,
            gap_due: false,
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => self.inline_code(&text),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            Event::SoftBreak | Event::HardBreak => self.line_break(),
            Event::Rule => self.rule(),
            Event::TaskListMarker(done) => self.task(done),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let theme = self.canvas.theme;
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin_block(),
            Tag::Heading { level, .. } => {
                self.begin_block();
                self.styles.push(heading_style(theme.heading, level));
            }
            Tag::BlockQuote(_) => {
                self.begin_block();
                self.nesting.push_quote();
                self.push_style(|style| style.add_modifier(Modifier::ITALIC));
            }
            Tag::CodeBlock(kind) => {
                self.begin_block();
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((info, String::new()));
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.begin_block();
                }
                let first = first.map(|n| self.ordinal.take().unwrap_or(n));
                self.lists.push(first);
            }
            Tag::Item => self.begin_item(),
            Tag::Table(alignments) => {
                self.begin_block();
                self.table = Some(Table::new(alignments));
            }
            inline => self.start_inline(inline),
        }
    }

    fn start_inline(&mut self, tag: Tag<'_>) {
        let theme = self.canvas.theme;
        match tag {
            Tag::Emphasis => self.push_style(|style| style.add_modifier(Modifier::ITALIC)),
            Tag::Strong => self.push_style(|style| style.add_modifier(Modifier::BOLD)),
            Tag::Strikethrough => {
                self.push_style(|style| style.add_modifier(Modifier::CROSSED_OUT));
            }
            Tag::Link { dest_url, .. } => {
                let address = link::web(&dest_url);
                self.targets.push(Target {
                    url: dest_url.to_string(),
                    text: String::new(),
                });
                self.push_style(|style| {
                    let style = style.patch(theme.accent).add_modifier(Modifier::UNDERLINED);
                    link::to(style, address)
                });
            }
            Tag::Image { dest_url, .. } => {
                self.span("image: ", theme.dim);
                self.targets.push(Target {
                    url: dest_url.to_string(),
                    text: String::new(),
                });
                self.push_style(|style| style.patch(theme.accent));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_block(),
            TagEnd::Heading(_) => {
                self.end_block();
                self.styles.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.end_block();
                self.nesting.pop();
                self.styles.pop();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.gap_due = true;
                }
            }
            TagEnd::Item => self.end_item(),
            TagEnd::Table => self.end_table(),
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some(table) = &mut self.table {
                    table.end_row();
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.inline);
                if let Some(table) = &mut self.table {
                    table.push_cell(cell);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => self.end_target(),
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles
            .last()
            .copied()
            .unwrap_or(self.canvas.theme.text)
    }

    fn push_style(&mut self, change: impl FnOnce(Style) -> Style) {
        self.styles.push(change(self.style()));
    }

    fn span(&mut self, text: &str, style: Style) {
        self.inline
            .push(Span::styled(safe::visible(text).into_owned(), style));
    }

    fn text(&mut self, text: &str) {
        if let Some((_, code)) = &mut self.code {
            code.push_str(text);
            return;
        }
        if let Some(target) = self.targets.last_mut() {
            target.text.push_str(text);
        }
        self.span(text, self.style());
    }

    fn inline_code(&mut self, text: &str) {
        if let Some(target) = self.targets.last_mut() {
            target.text.push_str(text);
        }
        self.span(text, self.style().patch(self.canvas.theme.code));
    }

    fn html(&mut self, html: &str) {
        let mut parts = html.split('\n');
        self.span(parts.next().unwrap_or_default(), self.canvas.theme.dim);
        for part in parts {
            self.flush();
            self.span(part, self.canvas.theme.dim);
        }
    }

    /// Line breaks stay as written: models break lines where they mean it.
    fn line_break(&mut self) {
        if self.table.is_some() {
            self.span(" ", self.style());
        } else {
            self.flush();
        }
    }

    fn rule(&mut self) {
        self.begin_block();
        let columns = self.text_room();
        self.row(&Line::styled("─".repeat(columns), self.canvas.theme.border));
        self.gap_due = true;
    }

    fn task(&mut self, done: bool) {
        let (mark, style) = if done {
            ("☑ ", self.canvas.theme.success)
        } else {
            ("☐ ", self.canvas.theme.dim)
        };
        self.span(mark, style);
    }

    fn end_target(&mut self) {
        self.styles.pop();
        let Some(Target { url, text }) = self.targets.pop() else {
            return;
        };
        let is_shown = url == text || url.strip_prefix("mailto:") == Some(text.as_str());
        if !is_shown && !url.is_empty() {
            self.span(&format!(" ({url})"), self.canvas.theme.dim);
        }
    }

    fn begin_item(&mut self) {
        self.flush();
        let depth = self.lists.len().saturating_sub(1);
        let next = self.lists.last_mut().and_then(Option::as_mut);
        let number = next.map(|next| std::mem::replace(next, next.saturating_add(1)));
        self.nesting
            .push_item(depth, number, self.canvas.theme.accent);
    }

    fn end_item(&mut self) {
        self.flush();
        // An item without text still shows its marker.
        if self.nesting.owes_marker() {
            self.row(&Line::default());
        }
        self.nesting.pop();
    }

    fn begin_block(&mut self) {
        self.flush();
        if self.gap_due && !self.out.is_empty() {
            // The gap belongs to the containers around the block, not to a new item.
            let row = self.nesting.gap_row();
            self.out.push(row);
        }
        self.gap_due = false;
    }

    fn end_block(&mut self) {
        self.flush();
        self.gap_due = true;
    }

    fn end_code(&mut self) {
        let Some((info, code)) = self.code.take() else {
            return;
        };
        let language = info.split([' ', ',', '{']).next().unwrap_or_default();
        self.row(&Line::styled(
            format!("```{}", safe::visible(&info)),
            self.canvas.theme.dim,
        ));
        for line in self
            .canvas
            .highlighter
            .highlight(&code, language, self.canvas.theme)
        {
            self.rows(&line, CODE_CONTINUATION_INDENT);
        }
        self.row(&Line::styled("```", self.canvas.theme.dim));
        self.gap_due = true;
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else {
            return;
        };
        let columns = self.nesting.room();
        for line in table.lines(columns, self.canvas.theme) {
            self.row(&line);
        }
        self.gap_due = true;
    }

    /// Link definitions have no event; showing them loses nothing.
    fn definitions(&mut self, mut definitions: Vec<(usize, String)>) {
        definitions.sort();
        if !definitions.is_empty() {
            self.begin_block();
        }
        for (_, text) in definitions {
            self.span(&text, self.canvas.theme.dim);
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.table.is_some() || self.inline.iter().all(|span| span.content.is_empty()) {
            return;
        }
        let line = Line::from(link::with_addresses(std::mem::take(&mut self.inline)));
        self.wrapped(&line, self.text_room(), 0);
    }

    fn row(&mut self, line: &Line<'_>) {
        self.rows(line, 0);
    }

    /// Columns for text between the containers' prefixes and the margin.
    fn text_room(&self) -> usize {
        let unused = self.canvas.width.saturating_sub(self.canvas.text_width);
        let room = self.nesting.room();
        room.saturating_sub(unused.into()).max(1)
    }

    /// Wraps a line into the room between the containers' prefixes and the margin.
    fn rows(&mut self, line: &Line<'_>, indent: u16) {
        self.wrapped(line, self.nesting.room(), indent);
    }

    fn wrapped(&mut self, line: &Line<'_>, room: usize, indent: u16) {
        for row in wrap::wrap_indent(line, room as u16, indent) {
            let style = row.style;
            let mut spans = self.nesting.prefix();
            spans.extend(row.spans.into_iter().map(|span| Span {
                style: style.patch(span.style),
                ..span
            }));
            self.out.push(Line::from(spans));
        }
        self.gap_due = false;
    }
}

/// Levels differ by attribute, not by colour.
fn heading_style(style: Style, level: HeadingLevel) -> Style {
    match level {
        HeadingLevel::H1 => style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        HeadingLevel::H2 => style.add_modifier(Modifier::BOLD),
        _ => style.add_modifier(Modifier::BOLD | Modifier::ITALIC),
    }
}
