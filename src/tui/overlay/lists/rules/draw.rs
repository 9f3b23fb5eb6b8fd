//! The screen of rules: the list by groups, and below it all that is known of the selected
//! one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::super::hints::{self, ScreenHints};
use super::super::super::{OverlayScene, numbers};
use super::{RuleField, RuleGroup, Rules, group};
use crate::agent::{RuleList, RuleListing};
use crate::context::rules::{RulePlace, RuleState};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{Page, VisibleItem, paint};

/// From this height on the selected rule is shown below the list,
const TALL_ROWS: u16 = 16;
/// in this share of the rows.
const DETAIL_DIVISOR: u16 = 3;
/// From this width on a row has tokens, and from the second on the turn.
const WIDE_COLUMNS: u16 = 72;
const WIDEST_COLUMNS: u16 = 100;
/// Columns of a place or a reason.
const PLACE_COLUMNS: usize = 26;
/// Columns that a rule has at least before what is said about it gives way.
const TEXT_COLUMNS: usize = 16;
/// Below this width the groups have short titles.
const TITLE_COLUMNS: u16 = 60;

/// A line of the list.
enum RuleLine {
    Group(RuleGroup),
    /// A position among the shown ones.
    Rule(usize),
}

/// Where the parts are.
struct RuleAreas {
    list: Rect,
    detail: Rect,
    /// The row of a text field; `None` while none is open.
    field: Option<u16>,
}

impl RuleAreas {
    fn of(it: &Rules, area: Rect, scene: &OverlayScene<'_>) -> Self {
        let body = hints::body(area, Screen::Rules, scene);
        let below = if area.height >= TALL_ROWS && !it.list.rules.is_empty() {
            area.height / DETAIL_DIVISOR
        } else {
            0
        };
        let above_keys = body.bottom().saturating_sub(area.y + 1);
        let field = it.field.as_ref().map(|_| above_keys);
        let field_rows = u16::from(field.is_some() && body.height > 0);
        let list = paint::inner(body, 0, below + field_rows);
        let detail = paint::inner(body, list.height, field_rows);
        Self {
            list,
            detail,
            field,
        }
    }
}

pub(super) fn layout(it: &mut Rules, area: Rect, scene: &OverlayScene<'_>) {
    let lines = lines(it);
    let selected = it.cursor.selected();
    let is_it = |line: &RuleLine| matches!(line, RuleLine::Rule(at) if *at == selected);
    // The title of the first group is above its first rule.
    let at = match selected {
        0 => 0,
        _ => lines.iter().position(is_it).unwrap_or_default(),
    };
    let height = RuleAreas::of(it, area, scene).list.height;
    it.cursor.layout_around(at, height, lines.len());
}

fn lines(it: &Rules) -> Vec<RuleLine> {
    let mut lines = Vec::with_capacity(it.shown.len() + 3);
    let mut above = None;
    for (at, &row) in it.shown.iter().enumerate() {
        let own = it.list.rules.get(row).map(group);
        if let Some(own) = own.filter(|_| own != above) {
            lines.push(RuleLine::Group(own));
        }
        above = own;
        lines.push(RuleLine::Rule(at));
    }
    lines
}

pub(super) fn screen(
    it: &Rules,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    let page = Page {
        title: "rules",
        remark: &it.list.totals(),
    };
    page.draw(area, buffer, theme);
    draw_hints(it, area, buffer, scene);
    let areas = RuleAreas::of(it, area, scene);
    list(it, areas.list, buffer, theme);
    if areas.detail.height > 1 {
        detail(it, areas.detail, buffer, scene);
    }
    remark(it, area, buffer, theme);
    let label = match it.field.as_ref()? {
        RuleField::Filter(_) => " filter: ",
        RuleField::Added(_) => " new rule: ",
        RuleField::Reworded { .. } => " rule: ",
    };
    let field = it.field.as_ref()?.field();
    let row = areas.field?;
    field.draw(area, row, buffer, label, theme.accent, theme.text)
}

fn list(it: &Rules, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    if it.shown.is_empty() {
        empty(it, area, buffer, theme);
        return;
    }
    let lines = lines(it);
    let selected = it.cursor.selected();
    for item in it.cursor.visible() {
        match lines.get(item.at) {
            Some(RuleLine::Group(group)) => {
                let title = title(it, *group, area.width);
                paint::text(
                    buffer,
                    area,
                    (1, item.line),
                    area.width,
                    title,
                    theme.heading,
                );
            }
            Some(RuleLine::Rule(at)) => {
                let listing = it.shown.get(*at).and_then(|&at| it.list.rules.get(at));
                if let Some(listing) = listing {
                    row(listing, item, area, buffer, theme);
                }
                if *at == selected {
                    paint::cursor(buffer, area, item.line, theme);
                }
            }
            None => break,
        }
    }
}

fn title(it: &Rules, group: RuleGroup, width: u16) -> &'static str {
    let is_wide = width >= TITLE_COLUMNS;
    let is_full = {
        let mut rules = it.list.rules.iter();
        rules.any(|it| it.standing.place == RulePlace::NotFitting)
    };
    match group {
        RuleGroup::Active if is_wide && is_full => "active; the rules block is full",
        RuleGroup::Active if is_wide => "active: every request holds them word for word",
        RuleGroup::Active => "active",
        RuleGroup::Possible if is_wide => "possible: kept word for word once you confirm them",
        RuleGroup::Possible => "possible: confirm or strike",
        RuleGroup::Ended => "struck or replaced",
    }
}

/// No rule at all, or none with the words of the filter.
fn empty(it: &Rules, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let paragraphs = if it.list.rules.is_empty() {
        vec![
            ("No rules were found in your messages.", theme.text),
            (RuleList::ABOUT, theme.dim),
            ("a: add a rule.", theme.dim),
        ]
    } else {
        vec![("no rule has these words; esc: show all", theme.dim)]
    };
    let mut row = 0;
    for (text, style) in paragraphs {
        for line in wrapped(text, area.width) {
            paint::text(buffer, area, (1, row), area.width, &line, style);
            row += 1;
        }
    }
}

/// One column that tells the state, and its style.
fn mark<'a>(listing: &RuleListing, theme: &'a Theme) -> (&'static str, &'a Style) {
    let rule = &listing.standing.rule;
    match rule.state {
        RuleState::Active if listing.standing.place == RulePlace::NotFitting => {
            ("!", &theme.warning)
        }
        RuleState::Active if rule.is_confirmed => ("✓", &theme.success),
        RuleState::Active => ("●", &theme.success),
        RuleState::Possible => ("?", &theme.warning),
        RuleState::Struck | RuleState::Superseded => ("✕", &theme.dim),
    }
}

fn row(listing: &RuleListing, item: VisibleItem, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let (sign, style) = mark(listing, theme);
    paint::text(buffer, area, (2, item.line), 1, sign, *style);
    let facts = facts(listing, area.width);
    let columns = wrap::width(&facts);
    let text = &listing.standing.rule.text;
    let room = usize::from(area.width).saturating_sub(5);
    let has_facts = columns > 0 && room >= TEXT_COLUMNS.min(wrap::width(text)) + columns + 2;
    let words = paint::RemarkedWords {
        words: text,
        style: match group(listing) {
            RuleGroup::Ended => theme.dim,
            RuleGroup::Active | RuleGroup::Possible => theme.text,
        },
        remark: if has_facts { &facts } else { "" },
        remark_columns: if has_facts { columns as u16 + 3 } else { 1 },
        remark_style: match listing.standing.place {
            RulePlace::NotFitting => theme.warning,
            RulePlace::InWindow | RulePlace::InBlock | RulePlace::NotActive => theme.dim,
        },
    };
    words.draw(buffer, area, (4, item.line));
}

/// What stands at the right end of a row.
fn facts(listing: &RuleListing, width: u16) -> String {
    let place = safe::one_line(listing.place_words(), PLACE_COLUMNS);
    if width < WIDE_COLUMNS {
        return match listing.standing.place {
            RulePlace::InBlock => "block".to_owned(),
            RulePlace::NotFitting => place,
            // The group says it.
            RulePlace::InWindow | RulePlace::NotActive => String::new(),
        };
    }
    let tokens = match group(listing) {
        RuleGroup::Active | RuleGroup::Possible => {
            numbers::plural(listing.standing.tokens, "token")
        }
        RuleGroup::Ended => String::new(),
    };
    if width < WIDEST_COLUMNS {
        return format!("{place} {tokens:>10}");
    }
    let turn = listing
        .turn
        .map_or_else(String::new, |turn| format!("turn {turn}"));
    format!("{place} {tokens:>10} {turn:>9}")
}

/// The selected rule in full, where it stands, and what can be done.
fn detail(it: &Rules, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
    let theme = scene.theme;
    paint::rule(buffer, area, 0, theme);
    let Some(listing) = it.selected() else {
        return;
    };
    let rule = &listing.standing.rule;
    let id = safe::one_line(rule.id.as_str(), usize::from(area.width / 3));
    let id = format!(" {id} ");
    let used = paint::text(buffer, area, (1, 0), area.width, &id, theme.dim);
    let origin = format!(" {} ", origin(listing, scene));
    paint::right(buffer, area, (used + 2, 0), &origin, theme.dim);
    let text = wrapped(&rule.text, area.width);
    let text = text.iter().map(|line| (line, theme.text));
    let standing = standing(it, listing);
    let standing = wrapped(&standing, area.width);
    let standing: Vec<_> = standing.iter().map(|line| (line, theme.dim)).collect();
    // A long rule leaves room for what is said of it.
    let room = usize::from(area.height.saturating_sub(1)).saturating_sub(standing.len());
    let rows = text.take(room.max(1)).chain(standing);
    for (row, (line, style)) in (1..area.height).zip(rows) {
        paint::text(buffer, area, (1, row), area.width, line, style);
    }
}

/// Who said it and when.
fn origin(listing: &RuleListing, scene: &OverlayScene<'_>) -> String {
    let entry = scene.entries.get(&listing.standing.rule.source);
    let age = entry.map_or_else(String::new, |entry| {
        let ago = numbers::ago(scene.now.secs_since(entry.timestamp));
        format!(", {ago}")
    });
    match (listing.turn, entry.and_then(|entry| entry.message())) {
        (Some(turn), _) => format!("said in turn {turn}{age}"),
        (None, Some(_)) => format!("said on another branch{age}"),
        (None, None) => format!("added by hand{age}"),
    }
}

/// Where a rule stands, and what can be done about it.
fn standing(it: &Rules, listing: &RuleListing) -> String {
    let rule = &listing.standing.rule;
    let tokens = numbers::plural(listing.standing.tokens, "token");
    let reason = if rule.reason.is_empty() {
        rule.state.name()
    } else {
        &rule.reason
    };
    match (listing.standing.place, group(listing)) {
        (RulePlace::InWindow, _) => {
            "Active. Its message is in the window word for word, so nothing is added.".to_owned()
        }
        (RulePlace::InBlock, _) => format!(
            "Active. No message in the window says it; the rules block holds it word for \
             word: {tokens}."
        ),
        (RulePlace::NotFitting, _) => format!(
            "Active, but the rules block is full at {} tokens: only the address of its \
             message is sent. Confirm it to send it before others, or strike another.",
            numbers::grouped(it.list.budget_tokens)
        ),
        (RulePlace::NotActive, RuleGroup::Possible) => {
            format!("Told to summaries only: {reason}. Confirm or strike it.")
        }
        (RulePlace::NotActive, _) => format!("Not sent: {reason}. Restore it to send it again."),
    }
}

/// What became of an act, in the place of the keys.
fn remark(it: &Rules, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let row = area.height.saturating_sub(1);
    let Some(remark) = it.remark.as_ref().filter(|_| row > 0) else {
        return;
    };
    let bottom = paint::inner(area, row, 0);
    paint::clear(buffer, bottom, theme.text);
    let style = if remark.is_refusal {
        theme.warning
    } else {
        theme.success
    };
    let shown = safe::one_line(&remark.text, usize::from(area.width.saturating_sub(2)));
    paint::text(buffer, bottom, (1, 0), area.width, &shown, style);
}

/// The keys that mean something for the selected rule.
fn draw_hints(it: &Rules, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
    if let Some(field) = &it.field {
        ScreenHints::of(field.screen(), scene).draw(area, buffer);
        return;
    }
    let selected = it.selected();
    let group = selected.map(group);
    let is_standing = matches!(group, Some(RuleGroup::Active | RuleGroup::Possible));
    let is_confirmed = selected.is_some_and(|it| it.standing.rule.is_confirmed);
    let possible = it.possible().count();
    let has_choice = group == Some(RuleGroup::Possible) && possible > 1;
    ScreenHints::of(Screen::Rules, scene)
        .only_if(selected.is_some(), ScreenAction::Open)
        .only_if(is_standing, ScreenAction::Strike)
        .only_if(is_standing && !is_confirmed, ScreenAction::Confirm)
        .saying(ScreenAction::ConfirmAll, format!("confirm all {possible}"))
        .only_if(has_choice, ScreenAction::ConfirmAll)
        .only_if(group == Some(RuleGroup::Ended), ScreenAction::Restore)
        .only_if(group == Some(RuleGroup::Active), ScreenAction::Edit)
        .only_if(!it.list.rules.is_empty(), ScreenAction::Find)
        .draw(area, buffer);
}

/// Text in lines that fit between the margins, safe to print.
fn wrapped(text: &str, width: u16) -> Vec<String> {
    let line = Line::raw(safe::visible(text).into_owned());
    let room = width.saturating_sub(2).max(1);
    let lines = wrap::wrap(&line, room);
    lines.iter().map(ToString::to_string).collect()
}
