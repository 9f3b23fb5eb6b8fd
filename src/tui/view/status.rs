//! The line above the composer that says what is going on.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::composer::Recall;
use super::super::gauge::Level;
use super::super::model::Model;
use super::super::numbers;
use super::super::overlay::review;
use super::super::render::{safe, wrap};
use super::rows::{halves, indented};
use crate::agent::NoticeLevel;

/// What was typed of a command of vi takes at most so many columns.
const VI_TYPED_COLUMNS: usize = 20;
/// Shorter activities are not shown.
const WORTH_SAYING: Duration = Duration::from_millis(300);
/// Columns from which on the way to stop is said beside what goes on.
const HINT_FROM: usize = 34;
/// Columns from which on a search says what it looks for.
const SEARCH_FROM: u16 = 60;
/// The words while only the user is waited for.
const WAITING: &str = "waiting for your answer";
/// Columns between the left and the right half.
const SPACE: usize = 2;

/// The line: the activity; else the newest message; else how much is new below.
pub(super) fn line(model: &Model, area: Rect, buffer: &mut Buffer) {
    let area = indented(area);
    let theme = &model.look.theme;
    let below = below(model);
    let jobs = jobs(model);
    let search = search(model, area.width);
    let vi_mode = vi_mode(model);
    // Where there is room for one only, the search says more.
    let is_tight = area.width < SEARCH_FROM && !search.is_empty();
    let below = if is_tight { String::new() } else { below };
    let agents = agents(model);
    let right = [plan_mode(model), &agents, &jobs, &vi_mode, &search, &below].into_iter();
    let right: Vec<&str> = right.filter(|text| !text.is_empty()).collect();
    let right = Line::styled(right.join(" · "), theme.accent);
    let room = usize::from(area.width).saturating_sub(right.width() + SPACE);
    let elapsed = model.activity.elapsed(model.now);
    let left = if let Some(recall) = model.composer.recall() {
        recall_line(model, recall, room)
    } else if model.activity.is_busy() && elapsed >= WORTH_SAYING {
        // What was said a moment ago must not hide that something goes on.
        let (text, style) = said(model).unwrap_or((model.activity.text(model.now), theme.text));
        let spinner = model.paint(area.width).spinner();
        let time = numbers::elapsed(model.look.drawing.shown_time(elapsed));
        // Esc stops a turn that asks for consent, and asks about a summary that is reviewed.
        let is_reviewing = model.screens.is_open(review::NAME);
        let tail = if room < HINT_FROM || is_reviewing {
            time
        } else {
            format!("{time} · Esc: stop")
        };
        let text_room = room.saturating_sub(wrap::width(&tail) + 2 * SPACE);
        Line::from(vec![
            Span::styled(format!("{spinner} "), theme.accent),
            Span::styled(safe::one_line(&text, text_room), style),
            Span::raw("  "),
            Span::styled(
                safe::one_line(&tail, room.saturating_sub(2 * SPACE)),
                theme.dim,
            ),
        ])
    } else if let Some((text, style)) = said(model) {
        Line::styled(safe::one_line(&text, room), style)
    } else if model.activity.is_busy() {
        // What would come next is not what goes on.
        Line::default()
    } else if model.has_question() {
        Line::styled(safe::one_line(WAITING, room), theme.warning)
    } else {
        outlook(model, room)
    };
    halves(area, buffer, &left, &right);
}

/// The newest message, while it counts, in the colour of its severity.
fn said(model: &Model) -> Option<(String, Style)> {
    let theme = &model.look.theme;
    let toast = model.status.toast.as_ref()?;
    let style = match toast.level {
        NoticeLevel::Info => theme.dim,
        NoticeLevel::Warning => theme.warning,
        NoticeLevel::Error => theme.error,
    };
    Some((toast.text.clone(), style))
}

/// The text looked for among the sent messages, and the keys.
fn recall_line(model: &Model, recall: &Recall, room: usize) -> Line<'static> {
    let theme = &model.look.theme;
    let query = safe::one_line(recall.query(), room / 2);
    let (style, hint) = if recall.is_found() {
        (theme.accent, "Ctrl-R: older · Enter: use it · Esc: back")
    } else {
        (theme.warning, "no sent message matches · Esc: back")
    };
    let found = format!("sent: {query}▏ ");
    let left = room.saturating_sub(wrap::width(&found));
    Line::from(vec![
        Span::styled(safe::one_line(&found, room), style),
        Span::raw(if left > 0 { " " } else { "" }),
        Span::styled(safe::one_line(hint, left.saturating_sub(1)), theme.dim),
    ])
}

/// Says before it happens that a compaction is due or near, and what can be done instead;
/// else nothing.
fn outlook(model: &Model, room: usize) -> Line<'static> {
    let theme = &model.look.theme;
    let Some(view) = model.session.view.as_deref() else {
        return Line::default();
    };
    let (what, style) =
        if let (true, Some(wanted)) = (view.compaction.due, view.compaction.waits_for) {
            let what = format!(
                "the last compaction freed too little: the next one waits until {} tokens",
                numbers::tokens(wanted)
            );
            (what, theme.warning)
        } else if view.compaction.due {
            let next = view.compaction.before_message;
            let what = format!(
                "the next message first compacts {} → about {}",
                numbers::plural(next.summarized, "message"),
                numbers::tokens(next.tokens_after_estimate),
            );
            (what, theme.warning)
        } else {
            let Some(at) = view.compaction.compacts_at else {
                return Line::default();
            };
            let left = numbers::tokens(at.saturating_sub(view.usage.tokens));
            match Level::of(view) {
                Level::Calm => return Line::default(),
                Level::Warning => (format!("{left} tokens until compaction"), theme.dim),
                Level::Alarm => (format!("{left} tokens until compaction"), theme.warning),
            }
        };
    let prune = match view.prune.would_free {
        0 => String::new(),
        free => format!("/prune frees {}, ", numbers::tokens(free)),
    };
    let ways = format!(" · {prune}/compact compacts now, /context lists what fills it");
    let is_fitting = wrap::width(&what) + wrap::width(&ways) <= room;
    let ways = if is_fitting { ways } else { String::new() };
    Line::from(vec![
        Span::styled(safe::one_line(&what, room), style),
        Span::styled(ways, theme.dim),
    ])
}

/// That nothing is changed for now.
fn plan_mode(model: &Model) -> &'static str {
    if model.session.mode.is_planning {
        "PLAN"
    } else {
        ""
    }
}

/// How many commands run in the background.
fn jobs(model: &Model) -> String {
    let jobs = model.session.background.jobs.iter();
    match jobs.filter(|job| job.end.is_none()).count() as u64 {
        0 => String::new(),
        running => numbers::plural(running, "job"),
    }
}

/// How many sub-agents run.
fn agents(model: &Model) -> String {
    let agents = model.session.background.agents.iter();
    match agents.filter(|it| !it.state.is_over()).count() as u64 {
        0 => String::new(),
        running => numbers::plural(running, "agent"),
    }
}

/// The mode of vi, when its modes are on, and what was typed of a command.
fn vi_mode(model: &Model) -> String {
    let Some(vi) = &model.composer.vi else {
        return String::new();
    };
    let typed: String = vi.typed().iter().collect();
    if typed.is_empty() {
        return vi.mode().name().to_owned();
    }
    let typed = safe::one_line(&typed, VI_TYPED_COLUMNS);
    format!("{} {typed}", vi.mode().name())
}

/// The searched text, and which match of how many is shown.
fn search(model: &Model, width: u16) -> String {
    let Some(search) = model.conversation.search() else {
        return String::new();
    };
    let (at, of) = search.count();
    if width < SEARCH_FROM {
        return format!("{at}/{of}");
    }
    let query = safe::one_line(search.query(), usize::from(width) / 4);
    format!("\"{query}\" {at}/{of} · n N · Esc")
}

/// How much is below the viewport.
fn below(model: &Model) -> String {
    if model.conversation.is_following() {
        return String::new();
    }
    let new = model.conversation.new_lines() as u64;
    if new > 0 {
        format!("↓ {} · Ctrl-End", numbers::plural(new, "new line"))
    } else {
        "↓ more · Ctrl-End".to_owned()
    }
}
