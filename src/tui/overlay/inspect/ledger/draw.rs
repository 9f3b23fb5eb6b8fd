//! Draws the ledger: rows in columns under the totals, the reason of the selected row
//! below. Columns drop out as the terminal gets narrower; words, tokens and the reason stay.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::super::bar;
use super::Ledger;
use super::index::{LedgerIndex, LedgerRow, LedgerScope, weight};
use super::totals::{Totals, totals};
use crate::context::{ContextView, Disposition};
use crate::tui::keymap::Screen;
use crate::tui::marks;
use crate::tui::overlay::hints::{self, ScreenHints};
use crate::tui::overlay::inspect::facts::ItemFacts;
use crate::tui::overlay::{OverlayScene, numbers};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{VisibleItem, paint};

/// From this height on there is room for the bar and the column heads.
pub(super) const MEDIUM_ROWS: u16 = 9;

/// From this height on the story of the selected row has two rows.
const TALL_ROWS: u16 = 16;

/// Columns of the share bar in a row.
const SHARE_COLUMNS: u16 = 6;

/// The reason has this share of what words and reason have together.
const WHY_SHARE: u16 = 4;
const WHY_PARTS: u16 = 7;

/// Which columns fit; widths in columns.
struct LedgerColumns {
    turn: u16,
    role: u16,
    words: u16,
    category: u16,
    tokens: u16,
    share: u16,
    age: u16,
    state: u16,
    why: u16,
}

impl LedgerColumns {
    /// The columns for a width; without reasons the words have their room.
    fn of_width(width: u16, has_reasons: bool) -> Self {
        let mut columns = Self {
            turn: 0,
            role: 0,
            words: 0,
            category: 0,
            tokens: 8,
            share: 0,
            age: 0,
            state: 2,
            why: 0,
        };
        // What the reason, the words or the detail below say too goes first.
        let has_room = |width_with_reasons: u16, without: u16| {
            width
                >= if has_reasons {
                    width_with_reasons
                } else {
                    without
                }
        };
        if has_room(60, 56) {
            columns.age = 5;
        }
        if has_room(96, 72) {
            columns.turn = 5;
            columns.share = SHARE_COLUMNS + 1;
        }
        if has_room(110, 64) {
            columns.role = 10;
        }
        if has_room(126, 40) {
            columns.state = 13;
        }
        if has_room(150, 110) {
            columns.category = 10;
        }
        let fixed = columns.turn
            + columns.role
            + columns.category
            + columns.tokens
            + columns.share
            + columns.age
            + columns.state
            + 1;
        let free = width.saturating_sub(fixed);
        let has_why = has_reasons && width >= 56;
        columns.why = if has_why {
            free * WHY_SHARE / WHY_PARTS
        } else {
            0
        };
        columns.words = free - columns.why;
        columns
    }
}

/// Draws everything and says where the caret of the text filter is.
pub(super) fn ledger(
    ledger: &Ledger,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    paint::clear(buffer, area, theme.text);
    let Some(view) = scene.view else {
        paint::text(
            buffer,
            area,
            (0, 0),
            area.width,
            "nothing is measured yet",
            theme.dim,
        );
        ScreenHints::of(Screen::Ledger, scene).draw(area, buffer);
        return None;
    };
    let index = ledger.index();
    let top = totals(
        ledger,
        &Totals::new(ledger, view, scene),
        area,
        buffer,
        theme,
    );
    if area.height >= MEDIUM_ROWS {
        let columns = LedgerColumns::of_width(area.width, index.has_reasons);
        heads(&columns, ledger, area, top, buffer, theme);
    }
    rows(
        ledger,
        index,
        view,
        body(ledger, area, scene),
        buffer,
        scene,
    );
    if area.height >= MEDIUM_ROWS {
        detail(ledger, index, view, area, buffer, scene);
    }
    footer(ledger, area, buffer, scene)
}

/// Where the rows are.
pub(super) fn body(ledger: &Ledger, area: Rect, scene: &OverlayScene<'_>) -> Rect {
    let Some(view) = scene.view else {
        return Rect::default();
    };
    let totals = Totals::new(ledger, view, scene);
    let top = 1 + totals.lines(area, scene.theme).len() as u16;
    if area.height < MEDIUM_ROWS {
        return hints::above(area, 1, Screen::Ledger, scene);
    }
    let above = hints::above(area, top + 2, Screen::Ledger, scene);
    paint::inner(above, 0, detail_rows(area))
}

/// Rows of the story of the selected row.
fn detail_rows(area: Rect) -> u16 {
    1 + u16::from(area.height >= TALL_ROWS)
}

/// A row of cells, left to right.
struct CellPen<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    row: u16,
    column: u16,
}

impl CellPen<'_> {
    fn cell(&mut self, width: u16, text: &str, style: Style) {
        if width == 0 {
            return;
        }
        let room = usize::from(width.saturating_sub(1).max(1));
        let shown = safe::one_line(text, room);
        paint::text(
            self.buffer,
            self.area,
            (self.column, self.row),
            width,
            &shown,
            style,
        );
        self.column += width;
    }

    fn number(&mut self, width: u16, text: &str, style: Style) {
        let pad = usize::from(width.saturating_sub(1)).saturating_sub(wrap::width(text));
        let padded = format!("{}{text}", " ".repeat(pad));
        paint::text(
            self.buffer,
            self.area,
            (self.column, self.row),
            width,
            &padded,
            style,
        );
        self.column += width;
    }
}

fn heads(
    columns: &LedgerColumns,
    ledger: &Ledger,
    area: Rect,
    row: u16,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let style = theme.dim.add_modifier(Modifier::UNDERLINED);
    paint::tint(buffer, area, row, style);
    let mut pen = CellPen {
        buffer,
        area,
        row,
        column: 1,
    };
    pen.cell(
        columns.state,
        if columns.state > 2 { "state" } else { "" },
        style,
    );
    pen.cell(columns.turn, "turn", style);
    pen.cell(columns.role, "from", style);
    pen.cell(columns.words, "first words", style);
    pen.cell(columns.category, "category", style);
    let tokens = match ledger.options.scope {
        LedgerScope::All => "tokens",
        LedgerScope::Pruned => "out",
    };
    pen.number(columns.tokens, tokens, style);
    pen.cell(columns.share, "share", style);
    pen.number(columns.age, "age", style);
    pen.cell(columns.why, "why", style);
}

fn rows(
    ledger: &Ledger,
    index: &LedgerIndex,
    view: &Arc<ContextView>,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    if index.rows.is_empty() {
        let text = match ledger.options.scope {
            LedgerScope::Pruned if ledger.options.words.is_empty() => "everything is sent in full",
            _ => "nothing matches; esc: show all rows",
        };
        paint::text(buffer, area, (1, 0), area.width, text, theme.dim);
        return;
    }
    let columns = LedgerColumns::of_width(area.width, index.has_reasons);
    for VisibleItem {
        line,
        at,
        is_selected,
    } in ledger.cursor.visible()
    {
        let Some(row) = index.rows.get(at) else { break };
        match row {
            LedgerRow::Leaf(leaf) => {
                if let Some(facts) = ItemFacts::of(*leaf, view, scene.entries) {
                    leaf_row(&facts, &columns, ledger, area, line, buffer, scene);
                }
            }
            LedgerRow::Compaction {
                count,
                tokens_full,
                open,
                id,
            } => {
                let age = scene
                    .entries
                    .get(id)
                    .map(|entry| numbers::ago(scene.now.secs_since(entry.timestamp)));
                let text = compaction_words(*count, *tokens_full, *open, age);
                heading(&text, area, line, buffer, theme.dim);
            }
            LedgerRow::Turn {
                turn,
                count,
                tokens,
            } => {
                let text = turn_words(*turn, *count, *tokens);
                heading(&text, area, line, buffer, theme.heading);
            }
        }
        if is_selected {
            paint::cursor(buffer, area, line, theme);
        }
    }
}

fn compaction_words(count: u64, tokens_full: u64, is_open: bool, age: Option<String>) -> String {
    let sign = if is_open { "▾" } else { "▸" };
    let messages = numbers::plural(count, "message");
    let tokens = numbers::grouped(tokens_full);
    let age = age.map_or_else(String::new, |age| format!(" · {age}"));
    format!("{sign} {messages} replaced by summary · ~{tokens} tokens{age}")
}

fn turn_words(turn: u32, count: u64, tokens: u64) -> String {
    let name = if turn == 0 {
        "before the first turn".to_owned()
    } else {
        format!("turn {turn}")
    };
    let rows = numbers::plural(count, "row");
    format!("{name} · {rows} · {} tokens", numbers::grouped(tokens))
}

fn heading(text: &str, area: Rect, row: u16, buffer: &mut Buffer, style: Style) {
    let shown = safe::one_line(text, usize::from(area.width.saturating_sub(1)));
    paint::text(buffer, area, (1, row), area.width, &shown, style);
}

fn leaf_row(
    facts: &ItemFacts<'_>,
    columns: &LedgerColumns,
    ledger: &Ledger,
    area: Rect,
    row: u16,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    let is_out = facts.is_left_out;
    let text_style = if is_out { theme.dim } else { theme.text };
    let amount = weight(facts, ledger.options.scope);
    // Left out rows show what they would cost, in parentheses: it is not in the total.
    let tokens = if is_out && ledger.options.scope == LedgerScope::All {
        format!("(~{})", numbers::short(facts.tokens_full))
    } else if is_out {
        format!("~{}", numbers::short(amount))
    } else {
        numbers::short(amount)
    };
    let age = facts
        .timestamp
        .map_or(String::new(), |at| numbers::age(scene.now.secs_since(at)));
    let turn = if facts.turn == 0 {
        String::new()
    } else {
        facts.turn.to_string()
    };
    let mut pen = CellPen {
        buffer,
        area,
        row,
        column: 1,
    };
    let (state, style) = state(facts, columns.state > 2, theme);
    pen.cell(columns.state, &state, style);
    pen.number(columns.turn, &turn, theme.dim);
    pen.cell(columns.role, facts.speaker(scene.entries), theme.dim);
    pen.cell(columns.words, facts.preview, text_style);
    pen.cell(columns.category, bar::label(facts.category), theme.dim);
    pen.number(columns.tokens, &tokens, text_style);
    let gauge = theme.gauge[facts.category.index()];
    pen.cell(columns.share, &share(amount, ledger.index().largest), gauge);
    pen.number(columns.age, &age, theme.dim);
    pen.cell(columns.why, facts.reason, theme.dim);
}

/// Symbol and word; what the user asked for goes before what happened by itself.
fn state(facts: &ItemFacts<'_>, with_word: bool, theme: &Theme) -> (String, Style) {
    let (symbol, word, style) = if facts.pinned {
        (marks::PINNED, "pinned", theme.accent)
    } else if facts.restored && facts.disposition == Disposition::Sent {
        (marks::RESTORED, "restored", theme.accent)
    } else {
        let disposition = facts.disposition;
        (
            marks::symbol(disposition),
            marks::word(disposition),
            marks::style(disposition, theme),
        )
    };
    if with_word {
        (format!("{symbol} {word}"), style)
    } else {
        (symbol.to_owned(), style)
    }
}

/// A bar in eighths of a column, relative to the largest row.
fn share(tokens: u64, largest: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if largest == 0 || tokens == 0 {
        return String::new();
    }
    let cells = tokens as f64 / largest as f64 * f64::from(SHARE_COLUMNS);
    let eighths = ((cells * 8.0).round() as usize).max(1);
    let rest = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    format!("{}{rest}", "█".repeat(eighths / 8))
}

/// The full story of the selected row, or what a key would do.
fn detail(
    ledger: &Ledger,
    index: &LedgerIndex,
    view: &ContextView,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    let body = body(ledger, area, scene);
    let below = Rect::new(area.x, body.bottom(), area.width, detail_rows(area));
    let (text, style) = if let Some(plan) = &ledger.plan {
        let action = plan.action.on_screen();
        let rows = scene.keymap.screen_rows(Screen::Ledger);
        let key = rows.iter().find(|row| row.action == action);
        let key = key.and_then(|row| row.keys.first()).unwrap_or(&"");
        let text = format!("{} · {key} again: do it · esc: cancel", plan.text);
        (text, theme.warning)
    } else if let Some(note) = &ledger.note {
        (note.clone(), theme.warning)
    } else {
        let selected = index.rows.get(ledger.selected(view));
        if matches!(selected, Some(LedgerRow::Compaction { .. })) {
            let text = "messages replaced by a summary: enter reads it, space shows them";
            (text.to_owned(), theme.dim)
        } else {
            (selected_story(selected, view, scene), theme.dim)
        }
    };
    let room = area.width.saturating_sub(2).max(1);
    let all = usize::from(room) * usize::from(below.height);
    let shown = Line::styled(safe::one_line(&text, all), style);
    for (row, line) in (0..below.height).zip(wrap::wrap(&shown, room)) {
        paint::line(buffer, below, (1, row), &line);
    }
}

fn selected_story(
    selected: Option<&LedgerRow>,
    view: &ContextView,
    scene: &OverlayScene<'_>,
) -> String {
    let Some(LedgerRow::Leaf(leaf)) = selected else {
        return String::new();
    };
    let Some(facts) = ItemFacts::of(*leaf, view, scene.entries) else {
        return String::new();
    };
    let story = story(&facts);
    let call = facts.call(scene.entries).filter(|call| !call.is_empty());
    call.map_or(story.clone(), |call| format!("{call} · {story}"))
}

fn story(facts: &ItemFacts<'_>) -> String {
    if facts.disposition == Disposition::Sent {
        let shape = format!("sent in full: {} tokens", numbers::grouped(facts.tokens));
        return match (facts.pinned, facts.reason) {
            (true, "") => format!("{shape}, pinned: never pruned or summarised"),
            (false, "") => shape,
            (_, reason) => format!("{shape} · {reason}"),
        };
    }
    format!(
        "{}: {} → {} tokens · {}",
        marks::word(facts.disposition),
        facts.grouped_full(),
        numbers::grouped(facts.tokens),
        facts.reason
    )
}

fn footer(
    ledger: &Ledger,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    let row = area.height.saturating_sub(1);
    if let Some(field) = &ledger.words {
        return field.draw(area, row, buffer, "/", theme.accent, theme.text);
    }
    ScreenHints::of(Screen::Ledger, scene).draw(area, buffer);
    None
}
