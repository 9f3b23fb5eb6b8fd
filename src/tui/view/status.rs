//! The header, and the line above the composer that says what is going on.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::composer::Recall;
use super::super::gauge::Level;
use super::super::model::{Model, SessionState};
use super::super::numbers;
use super::super::render::{safe, wrap};
use super::{indented, put};
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

/// Session, directory, model.
pub(super) fn header(model: &Model, area: Rect, buffer: &mut Buffer) {
    let area = indented(area);
    let theme = &model.look.theme;
    let session = &model.session;
    let right = safe::one_line(&answering(session, area.width), usize::from(area.width) / 2);
    let mut left = vec![Span::styled("plimsoll", theme.heading)];
    let mut room = usize::from(area.width).saturating_sub(8 + wrap::width(&right) + SPACE);
    let mut add = |separator: &'static str, text: &str, style: Style| {
        let text = safe::one_line(text, room.saturating_sub(wrap::width(separator)));
        room = room.saturating_sub(wrap::width(separator) + wrap::width(&text));
        if !text.is_empty() {
            left.push(Span::styled(separator, theme.dim));
            left.push(Span::styled(text, style));
        }
    };
    if model.introduction.tour.is_some() {
        add(" · ", "practice", theme.warning);
    }
    if !session.name.is_empty() {
        add(" · ", &session.name, theme.text);
    }
    if !session.cwd.as_os_str().is_empty() {
        add("  ", &model.look.short_path(&session.cwd), theme.dim);
    }
    let (left, right) = (Line::from(left), Line::styled(right, theme.dim));
    halves(area, buffer, &left, &right);
}

/// The model, how hard it reasons and the engine, as much as half of the width takes; how the
/// model reasons says more than which engine it is.
fn answering(session: &SessionState, width: u16) -> String {
    let (name, engine) = (session.model.short_id(), &session.engine);
    if engine.is_empty() {
        return String::new();
    }
    let plain = format!("{name} · {engine}");
    let Some(state) = &session.about_model.reasoning else {
        return plain;
    };
    let (long, short) = (state.words(), state.short_words());
    let candidates = [
        format!("{name} · reasoning: {long} · {engine}"),
        format!("{name} · reasoning: {short} · {engine}"),
        format!("{name} · reasoning: {short}"),
        format!("{name} · reasoning: {}", state.sent.name()),
    ];
    let room = usize::from(width) / 2;
    let mut fitting = candidates.into_iter();
    let fitting = fitting.find(|text| wrap::width(text) <= room);
    fitting.unwrap_or(plain)
}

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
    let right = [plan_mode(model), &jobs, &vi_mode, &search, &below].into_iter();
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
        let tail = if room < HINT_FROM {
            time
        } else {
            format!("{time} · esc stops")
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
        (theme.accent, "ctrl-r older · enter takes it · esc back")
    } else {
        (theme.warning, "nothing like that was sent · esc back")
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
                "at the load line: the last compaction did not help, the next waits for {} tokens",
                numbers::tokens(wanted)
            );
            (what, theme.warning)
        } else if view.compaction.due {
            let next = view.compaction.before_message;
            let what = format!(
                "at the load line: the next message first compacts {} → about {}",
                numbers::plural(next.summarized, "message"),
                numbers::tokens(next.tokens_after_estimate),
            );
            (what, theme.warning)
        } else {
            let line = view.window.load_line_effective;
            let left = numbers::tokens(line.saturating_sub(view.usage.tokens));
            match Level::of(view) {
                Level::Calm => return Line::default(),
                Level::Warning => (format!("{left} tokens to the load line"), theme.dim),
                Level::Alarm => {
                    let what = format!("{left} tokens to the load line: a compaction is near");
                    (what, theme.warning)
                }
            }
        };
    let prune = match view.prune.would_free {
        0 => String::new(),
        free => format!("/prune frees {}, ", numbers::tokens(free)),
    };
    let ways = format!(" · {prune}/compact shows it now, /context what fills it");
    let is_fitting = wrap::width(&what) + wrap::width(&ways) <= room;
    let ways = if is_fitting { ways } else { String::new() };
    Line::from(vec![
        Span::styled(safe::one_line(&what, room), style),
        Span::styled(ways, theme.dim),
    ])
}

/// That nothing is changed for now.
fn plan_mode(model: &Model) -> &'static str {
    if model.session.plan_mode { "PLAN" } else { "" }
}

/// How many commands run in the background.
fn jobs(model: &Model) -> String {
    let jobs = model.session.jobs.iter();
    match jobs.filter(|job| job.end.is_none()).count() as u64 {
        0 => String::new(),
        running => numbers::plural(running, "job"),
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
    format!("\"{query}\" {at}/{of} · n N · esc")
}

/// How much is below the viewport.
fn below(model: &Model) -> String {
    if model.conversation.is_following() {
        return String::new();
    }
    let new = model.conversation.new_lines() as u64;
    if new > 0 {
        format!("↓ {} · ctrl-end", numbers::plural(new, "new line"))
    } else {
        "↓ more · ctrl-end".to_owned()
    }
}

fn halves(area: Rect, buffer: &mut Buffer, left: &Line<'_>, right: &Line<'_>) {
    put(buffer, area, 0, left);
    let width = right.width() as u16;
    if width < area.width && left.width() + right.width() < usize::from(area.width) {
        let place = Rect {
            x: area.right() - width,
            width,
            ..area
        };
        put(buffer, place, 0, right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{ModelRef, ReasoningFacts, ReasoningOff, ThinkingLevel};

    /// The header of a model that is asked to think so hard.
    fn right(wish: ThinkingLevel, columns: u16) -> String {
        let facts = ReasoningFacts {
            by_default: Some(ThinkingLevel::High),
            off: ReasoningOff::Disabled,
            ..ReasoningFacts::default()
        };
        let mut session = SessionState {
            model: ModelRef::new("anthropic", "claude-sonnet-5-5"),
            engine: "layered".to_owned(),
            ..SessionState::default()
        };
        session.about_model.reasoning = Some(facts.state(wish));
        answering(&session, columns)
    }

    #[test]
    fn how_hard_the_model_reasons_is_in_the_header_as_far_as_there_is_room() {
        use ThinkingLevel::{Default, Low, Off};
        for (wish, columns, expected) in [
            (
                Default,
                160,
                "claude-sonnet-5-5 · reasoning: model default (high) · layered",
            ),
            (
                Default,
                120,
                "claude-sonnet-5-5 · reasoning: default (high) · layered",
            ),
            (
                Default,
                100,
                "claude-sonnet-5-5 · reasoning: default (high)",
            ),
            (Default, 80, "claude-sonnet-5-5 · reasoning: default"),
            (Default, 60, "claude-sonnet-5-5 · layered"),
            (Off, 100, "claude-sonnet-5-5 · reasoning: off · layered"),
            (Off, 80, "claude-sonnet-5-5 · reasoning: off"),
            (Low, 80, "claude-sonnet-5-5 · reasoning: low"),
        ] {
            assert_eq!(right(wish, columns), expected, "{wish:?} {columns}");
        }
        let unknown = SessionState {
            engine: "layered".to_owned(),
            ..SessionState::default()
        };
        assert_eq!(answering(&unknown, 160), " · layered");
    }
}
