//! Draws the list of compactions: one row each, the facts of the selected one below.
//! Columns drop out as the terminal gets narrower; number, sizes and state stay.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::{Summaries, SummaryRecord};
use crate::transcript::{CompactionStanding, NOT_AUDITED, SummaryCheck};
use crate::tui::audit_line::{AuditLayout, audit_rows};
use crate::tui::keymap::Screen;
use crate::tui::overlay::hints::{self, ScreenHints};
use crate::tui::overlay::{OverlayScene, numbers};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::paint;

/// From this height on the facts of the selected row are shown.
const TALL_ROWS: u16 = 16;
/// Rows of the audit's words among them.
const AUDIT_ROWS: usize = 2;
/// Rows of these facts, with their rule.
const FACT_ROWS: u16 = 5 + AUDIT_ROWS as u16;
/// From this height on the columns have names.
const HEADED_ROWS: u16 = 6;

/// Columns for the mark in front of a row.
const MARK_COLUMNS: u16 = 2;

/// Which columns fit; widths in columns, 0 when one is left out.
struct SummaryColumns {
    number: u16,
    age: u16,
    trigger: u16,
    sizes: u16,
    change: u16,
    model: u16,
    audit: u16,
    mended: u16,
    state: u16,
}

impl SummaryColumns {
    fn of_width(width: u16) -> Self {
        let is_wide = width >= 110;
        Self {
            number: 4,
            age: 5,
            trigger: if width >= 70 { 11 } else { 0 },
            sizes: if width >= 70 { 20 } else { 15 },
            change: if width >= 60 { 6 } else { 0 },
            model: if is_wide { width.saturating_sub(96) } else { 0 },
            audit: if is_wide {
                22
            } else if width >= 70 {
                10
            } else {
                0
            },
            mended: if is_wide { 10 } else { 0 },
            state: 11,
        }
    }
}

/// Where the rows are.
pub(super) fn body(area: Rect, scene: &OverlayScene<'_>) -> Rect {
    let head = if area.height >= HEADED_ROWS { 2 } else { 1 };
    let facts = if area.height >= TALL_ROWS {
        FACT_ROWS
    } else {
        0
    };
    let above = hints::above(area, head, Screen::Summaries, scene);
    paint::inner(above, 0, facts)
}

/// Draws everything.
pub(super) fn summaries(
    list: &Summaries,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    paint::clear(buffer, area, theme.text);
    let count = numbers::plural(list.records.len() as u64, "compaction");
    let remark = match list.marked.len() {
        0 => count,
        marked => format!("{marked} of {count} marked"),
    };
    paint::title(buffer, area, "summaries", &remark, theme);
    let columns = SummaryColumns::of_width(area.width);
    if area.height >= HEADED_ROWS {
        let style = theme.dim.add_modifier(Modifier::UNDERLINED);
        paint::tint(buffer, area, 1, style);
        let mut pen = SummaryPen::new(buffer, area, 1);
        for (width, name) in [
            (columns.number, "#"),
            (columns.age, "age"),
            (columns.trigger, "trigger"),
            (columns.sizes, "before → after"),
            (columns.change, ""),
            (columns.model, "model"),
            (columns.audit, "audit"),
            (columns.mended, "repaired"),
            (columns.state, "state"),
        ] {
            pen.cell(width, name, style);
        }
    }
    let body = body(area, scene);
    for item in list.cursor.visible() {
        let Some(record) = list.records.get(item.at) else {
            continue;
        };
        cells(list, record, &columns, body, item.line, buffer, scene);
        if item.is_selected {
            paint::tint(buffer, body, item.line, theme.selection);
        }
    }
    let is_tall = area.height >= TALL_ROWS;
    if let Some(record) = list.selected().filter(|_| is_tall) {
        let at = body.bottom().saturating_sub(area.y);
        facts(record, list.kept(record), area, at, buffer, theme);
    }
    ScreenHints::of(Screen::Summaries, scene).draw(area, buffer);
}

fn cells(
    list: &Summaries,
    record: &SummaryRecord,
    columns: &SummaryColumns,
    area: Rect,
    row: u16,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    let compaction = &record.compaction;
    let details = &compaction.details;
    let style = match record.state {
        CompactionStanding::InForce => theme.text,
        _ => theme.dim,
    };
    let sign = if list.is_marked(record) { "◆" } else { " " };
    let mut pen = SummaryPen::new(buffer, area, row);
    pen.column = 0;
    pen.cell(MARK_COLUMNS, sign, theme.accent);
    pen.cell(columns.number, &record.number.to_string(), style);
    let age = numbers::age(scene.now.secs_since(record.timestamp));
    pen.cell(columns.age, &age, theme.dim);
    pen.cell(columns.trigger, details.cause.trigger.name(), style);
    let [before, after] = [compaction.tokens_before, details.tokens_after].map(|tokens| {
        if columns.trigger > 0 {
            numbers::grouped(tokens)
        } else {
            numbers::short(tokens)
        }
    });
    pen.cell(columns.sizes, &format!("{before} → {after}"), style);
    let change = numbers::change(compaction.tokens_before, details.tokens_after);
    pen.cell(columns.change, &change, style);
    pen.cell(columns.model, &details.model, style);
    let (audit, audit_style) = verdict(&details.check, columns.mended > 0, theme);
    pen.cell(columns.audit, &audit, audit_style);
    pen.cell(columns.mended, &mended(record), style);
    let state_style = match record.state {
        CompactionStanding::InForce => theme.success,
        CompactionStanding::Superseded => theme.dim,
        CompactionStanding::Undone | CompactionStanding::Elsewhere => theme.warning,
    };
    // The column has no room for the branch.
    let state = match record.state {
        CompactionStanding::Elsewhere => "elsewhere",
        other => other.words(),
    };
    pen.cell(columns.state, state, state_style);
}

/// The verdict of the audit in a cell: what does not hold, or how much holds.
fn verdict(check: &SummaryCheck, is_wide: bool, theme: &Theme) -> (String, Style) {
    if check.is_unaudited() {
        let words = if is_wide { NOT_AUDITED } else { "none" };
        return (words.to_owned(), theme.dim);
    }
    let tally = check.tally();
    let held = format!("{}/{}", tally.held, tally.checked);
    match tally.worst {
        Some(worst) if is_wide => (format!("! {worst}"), theme.warning),
        Some(_) => (format!("! {held}"), theme.warning),
        None if is_wide => (format!("✓ {held} hold"), theme.success),
        None => (format!("✓ {held}"), theme.success),
    }
}

fn mended(record: &SummaryRecord) -> String {
    match record.compaction.details.check.mended.len() {
        0 => "—".to_owned(),
        parts => parts.to_string(),
    }
}

/// The facts of the selected compaction, under a rule.
fn facts(
    record: &SummaryRecord,
    kept: &str,
    area: Rect,
    top: u16,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    paint::rule(buffer, area, top, theme);
    let columns = area.width.saturating_sub(2);
    let [who, kept, mended, instructions] = fact_lines(record, kept);
    let layout = AuditLayout {
        lead: "audit: ",
        width: columns,
        ..AuditLayout::default()
    };
    let mut audit = audit_rows(&record.compaction.details.check, layout, theme);
    audit.resize(AUDIT_ROWS, Line::default());
    let dim = |words: &str| {
        let shown = safe::one_line(words, usize::from(columns));
        Line::styled(shown, theme.dim)
    };
    let lines = [
        vec![dim(&who)],
        audit,
        vec![dim(&kept), dim(&mended), dim(&instructions)],
    ];
    for (row, line) in (top + 1..).zip(lines.concat()) {
        paint::line(buffer, area, (1, row), &line);
    }
}

/// The author, what was kept, the repairs and the instructions, a line each.
fn fact_lines(record: &SummaryRecord, kept: &str) -> [String; 4] {
    let compaction = &record.compaction;
    let details = &compaction.details;
    let mut made = vec![
        format!("by {}", details.model),
        format!(
            "{} replaced",
            numbers::plural(details.summarized_messages, "message")
        ),
    ];
    if details.cost.duration_ms > 0 {
        let took = std::time::Duration::from_millis(details.cost.duration_ms);
        made.push(numbers::wall(took));
    }
    made.extend(details.author_label());
    made.extend(details.cut_label());
    for (is_so, word) in [
        (details.edited, "edited by you"),
        (compaction.from_hook, "written by a hook"),
    ] {
        if is_so {
            made.push(word.to_owned());
        }
    }
    let mended = match details.check.mended.len() {
        0 => "repaired: nothing".to_owned(),
        _ => format!("repaired: {}", details.check.mended.join("; ")),
    };
    let instructions = details.instructions.as_ref().map_or_else(
        || "instructions: none".to_owned(),
        |text| format!("instructions: {text}"),
    );
    [
        format!("#{} · {}", record.number, made.join(" · ")),
        format!("kept of what no other message says: {kept}"),
        mended,
        instructions,
    ]
}

/// Writes cells from left to right.
struct SummaryPen<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    row: u16,
    column: u16,
}

impl<'a> SummaryPen<'a> {
    fn new(buffer: &'a mut Buffer, area: Rect, row: u16) -> Self {
        Self {
            buffer,
            area,
            row,
            column: MARK_COLUMNS,
        }
    }

    fn cell(&mut self, width: u16, text: &str, style: Style) {
        let room = usize::from(width.saturating_sub(1));
        if room == 0 && wrap::width(text) > usize::from(width) {
            return;
        }
        let shown = safe::one_line(text, room.max(1));
        let at = (self.column, self.row);
        paint::text(self.buffer, self.area, at, width, &shown, style);
        self.column += width;
    }
}
