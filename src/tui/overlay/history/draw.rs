//! Draws timeline and tree: a list, the selected message below it where there is room.
//! Columns drop out as the terminal gets narrower; what was said stays.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::super::hints::{self, ScreenHints};
use super::super::{OverlayScene, numbers};
use super::rows::{TimelineStep, TreeNode};
use super::{HistoryPlace, Timeline, Tree};
use crate::transcript::EntryBody;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::marks;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::paint;
use crate::tui::widget::scroll_text::text_lines;

/// From this height on the selected message is shown below the list,
const TALL_ROWS: u16 = 14;
/// in this share of the rows.
const PREVIEW_DIVISOR: u16 = 3;
/// From this width on rows have numbers.
const WIDE_COLUMNS: u16 = 60;
/// Columns of the remarks at the right end of a row.
const REMARK_COLUMNS: u16 = 24;
/// Columns of an age, and the blank after it.
const AGE_COLUMNS: u16 = 5;

/// Draws the timeline; answers where the caret is.
pub(super) fn timeline(
    it: &Timeline,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    let title = if it.picks_for.is_some() {
        "keep which messages? from this one on"
    } else if it.is_rewinding {
        "rewind to before which message?"
    } else {
        "timeline"
    };
    let count = numbers::plural(it.messages() as u64, "message");
    paint::clear(buffer, area, theme.text);
    paint::title(buffer, area, title, &count, theme);
    let HistoryAreas { list, preview } = HistoryAreas::of(area, it.list_screen(), scene);
    for item in it.cursor.visible() {
        if let Some(step) = it.steps.get(item.at) {
            step_row(step, list, item.line, buffer, scene);
            if item.is_selected {
                paint::cursor(buffer, list, item.line, theme);
            }
        }
    }
    if let (Some(preview), Some(step)) = (preview, it.selected()) {
        let rules = step.rules.in_words();
        said(
            &step.place,
            &rules,
            &consequence(it),
            preview,
            buffer,
            theme,
        );
    }
    let bottom = area.height.saturating_sub(1);
    if it.search.is_open() && bottom > 0 {
        return it.search.draw(area, bottom, buffer, theme);
    }
    if let Some(offer) = &it.offer {
        let text = format!("{} · enter again: do it · esc: cancel", offer.words);
        foot(&text, it.list_screen(), area, buffer, scene);
        return None;
    }
    let undoes = it.list_screen() == Screen::Timeline
        && it.selected().is_some_and(|step| step.place.act.is_some());
    let enter = match it.list_screen() {
        Screen::FirstKept => "keep from here",
        Screen::RewindTarget => "preview",
        _ if undoes => "undo",
        _ => "show",
    };
    if it.remark.is_empty() && area.height > 1 {
        ScreenHints::of(it.list_screen(), scene)
            .saying(ScreenAction::Open, enter)
            .draw(area, buffer);
        return None;
    }
    foot(&it.remark, it.list_screen(), area, buffer, scene);
    None
}

/// The effect of the most likely key on the selected message.
fn consequence(it: &Timeline) -> String {
    let act = it.selected().and_then(|step| step.place.act.as_ref());
    if let Some(act) = act.filter(|_| it.list_screen() == Screen::Timeline) {
        return match act.acts {
            1 => "enter: undo it".to_owned(),
            acts => format!("enter: undo it and {} newer", acts - 1),
        };
    }
    if it.picks_for.is_some() {
        let before = numbers::plural(it.cursor.selected() as u64, "message");
        format!("enter: {before} before it replaced by summary")
    } else if it.later() == 0 {
        "the conversation ends here".to_owned()
    } else {
        let later = numbers::plural(it.later() as u64, "message");
        format!("rewind leaves {later} on another branch")
    }
}

/// Draws the tree; answers where the caret is.
pub(super) fn tree(
    it: &Tree,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    let branches = it.branches();
    let count = match branches {
        1 => "1 branch".to_owned(),
        many => format!("{many} branches"),
    };
    paint::clear(buffer, area, theme.text);
    paint::title(buffer, area, "tree", &count, theme);
    let HistoryAreas { list, preview } = HistoryAreas::of(area, Screen::Tree, scene);
    for item in it.cursor.visible() {
        if let Some(node) = it.nodes.get(item.at) {
            node_row(node, list, item.line, buffer, scene);
            if item.is_selected {
                paint::cursor(buffer, list, item.line, theme);
            }
        }
    }
    if let (Some(preview), Some(node)) = (preview, it.selected()) {
        let what = match (node.is_here, node.is_active) {
            (true, _) => "the conversation is here",
            (false, true) => "on the active branch",
            (false, false) => "enter: switch to this branch",
        };
        said(&node.place, "", what, preview, buffer, theme);
    }
    let bottom = area.height.saturating_sub(1);
    if let Some(field) = it.naming.as_ref().filter(|_| bottom > 0) {
        return field.draw(area, bottom, buffer, " name: ", theme.accent, theme.text);
    }
    if it.search.is_open() && bottom > 0 {
        return it.search.draw(area, bottom, buffer, theme);
    }
    foot(&it.remark, Screen::Tree, area, buffer, scene);
    None
}

/// Where the list is, and where the preview, where there is room for one.
pub(super) struct HistoryAreas {
    pub list: Rect,
    preview: Option<Rect>,
}

impl HistoryAreas {
    pub(super) fn of(area: Rect, screen: Screen, scene: &OverlayScene<'_>) -> Self {
        let below = if area.height >= TALL_ROWS {
            area.height / PREVIEW_DIVISOR
        } else {
            0
        };
        let list = paint::inner(hints::above(area, 1, screen, scene), 0, below);
        let preview = Rect::new(area.x, list.bottom(), area.width, below);
        Self {
            list,
            preview: (below > 0).then_some(preview),
        }
    }
}

fn foot(remark: &str, screen: Screen, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
    let theme = scene.theme;
    let bottom = area.height.saturating_sub(1);
    if bottom == 0 {
        return;
    }
    if remark.is_empty() {
        ScreenHints::of(screen, scene).draw(area, buffer);
    } else {
        let rows = hints::rows(area, screen, scene);
        let room = area.width.saturating_sub(2).max(1);
        let shown = safe::one_line(remark, usize::from(room) * usize::from(rows));
        let lines = wrap::wrap(&Line::styled(shown, theme.warning), room);
        for (row, line) in (area.height.saturating_sub(rows)..area.height).zip(lines) {
            paint::line(buffer, area, (1, row), &line);
        }
    }
}

fn style_of(place: &HistoryPlace, theme: &Theme) -> Style {
    match &place.entry.body {
        _ if place.is_ask() => theme.user.add_modifier(Modifier::BOLD),
        EntryBody::Compaction(_) => theme.accent,
        _ if place.is_act_alone() => theme.dim,
        _ => theme.text,
    }
}

fn age(place: &HistoryPlace, scene: &OverlayScene<'_>) -> String {
    numbers::age(scene.now.secs_since(place.entry.timestamp))
}

fn step_row(
    step: &TimelineStep,
    area: Rect,
    row: u16,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    let place = &step.place;
    let is_wide = area.width >= WIDE_COLUMNS;
    let mut column = 1;
    if is_wide {
        let age = format!("{:>4}", age(place, scene));
        paint::text(buffer, area, (column, row), AGE_COLUMNS, &age, theme.dim);
        column += AGE_COLUMNS;
    }
    let indent = if place.is_ask() { 0 } else { 2 };
    let style = style_of(place, theme);
    column += indent;
    paint::text(buffer, area, (column, row), 1, place.sign(), style);
    column += 2;
    let mut signs = step.rules.sign();
    if step.branches > 0 {
        let gap = if signs.is_empty() { "" } else { " " };
        signs = format!("{signs}{gap}⑂{}", step.branches);
    }
    let mut remark = signs.clone();
    if is_wide {
        let calls = match step.calls {
            0 => String::new(),
            1 => "1 call".to_owned(),
            calls => format!("{calls} calls"),
        };
        let tokens = match step.tokens {
            0 => String::new(),
            tokens if step.is_rough => format!("~{}", numbers::short(tokens)),
            tokens => numbers::short(tokens),
        };
        remark = format!("{signs:>3} {calls:>9} {tokens:>6}");
    }
    let columns = wrap::width(&remark) as u16;
    let taken = if is_wide {
        REMARK_COLUMNS.max(columns + 2)
    } else {
        columns + 1
    };
    let words = labelled(place);
    let words = paint::RemarkedWords {
        words: &words,
        style,
        remark: &remark,
        remark_columns: taken,
        remark_style: theme.dim,
    };
    words.draw(buffer, area, (column, row));
}

fn node_row(node: &TreeNode, area: Rect, row: u16, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
    let theme = scene.theme;
    let place = &node.place;
    let mut column = 1;
    column += paint::text(
        buffer,
        area,
        (column, row),
        area.width / 2,
        &node.lead,
        theme.border,
    );
    let style = if node.is_active {
        style_of(place, theme)
    } else {
        theme.dim
    };
    paint::text(buffer, area, (column, row), 1, place.sign(), style);
    column += 2;
    let mut remark = String::new();
    if area.width >= WIDE_COLUMNS {
        remark = age(place, scene);
    }
    if node.is_here {
        remark = format!("◀ here {remark}");
    }
    let taken = wrap::width(&remark) as u16 + 2;
    let of_remark = if node.is_here {
        theme.accent
    } else {
        theme.dim
    };
    let words = labelled(place);
    let words = paint::RemarkedWords {
        words: &words,
        style,
        remark: &remark,
        remark_columns: taken,
        remark_style: of_remark,
    };
    words.draw(buffer, area, (column, row));
}

/// The name, then the words.
fn labelled(place: &HistoryPlace) -> String {
    let words = place.words();
    match &place.label {
        Some(label) => format!("[{label}] {words}"),
        None => words,
    }
}

/// The selected message under a rule that says what it `does`, and what can be done with it.
fn said(
    place: &HistoryPlace,
    does: &str,
    what: &str,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    paint::rule(buffer, area, 0, theme);
    let id = format!(" {} ", place.entry.id);
    let id = safe::one_line(&id, usize::from(area.width / 3));
    let id = format!(" {id} ");
    let mut used = paint::text(buffer, area, (1, 0), area.width, &id, theme.dim);
    if !does.is_empty() {
        let does = format!(" {} {does} ", marks::SETS_RULES);
        used += 1 + paint::text(buffer, area, (used + 2, 0), area.width, &does, theme.dim);
    }
    paint::right(buffer, area, (used + 2, 0), &format!(" {what} "), theme.dim);
    let text = place.text();
    let room = area.width.saturating_sub(2);
    let mut row = 1;
    for line in text_lines(&text).iter().take(area.height.into()) {
        let tabless = wrap::expand_tabs(line);
        let shown = safe::visible(&tabless).into_owned();
        for part in wrap::wrap(&Line::raw(shown), room) {
            if row >= area.height {
                return;
            }
            paint::line(buffer, area, (1, row), &part);
            row += 1;
        }
    }
}
