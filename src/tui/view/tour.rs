//! The panel of the introduction and of its offer: below everything, in rows of its own, so
//! that it hides nothing of what it talks about.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::gauge::GaugeScale;
use super::super::keymap::Action;
use super::super::model::Model;
use super::super::render::{safe, wrap};
use super::super::tour::{Tour, TourStep, TourWords};
use super::rows::{indented, put};

/// The panel takes at most this share of the screen.
const SHARE: u16 = 3;
/// Rows from which the panel has a title of its own.
const TITLE_FROM: u16 = 12;
/// Rows below which there is no panel at all: the screen itself needs them.
const PANEL_FROM: u16 = 3;

/// The text of the panel.
struct TourPanel {
    title: String,
    words: TourWords,
    /// The prefix of the words where there is little room.
    place: String,
    end: &'static str,
}

impl TourPanel {
    fn of(model: &Model) -> Option<Self> {
        let key = model.keymap.key_of(Action::Ledger).unwrap_or("/context");
        let Some(tour) = model.introduction.tour else {
            return model.introduction.is_offered.then(|| Self {
                title: "first start".to_owned(),
                words: Tour::offer(key),
                place: String::new(),
                end: "esc closes",
            });
        };
        let number = tour.step.number();
        Some(Self {
            title: match tour.step {
                TourStep::Over => "practice · done".to_owned(),
                _ => format!("practice {number} of {}", TourStep::COUNT),
            },
            words: tour.words(percent(model), key),
            place: format!("{number}/{} ", TourStep::COUNT),
            end: "Ctrl-C: skip",
        })
    }
}

/// The screen above the panel, which is at the bottom.
pub(super) fn above(model: &Model, screen: Rect) -> Rect {
    Rect {
        height: screen.height - panel(model, screen).len() as u16,
        ..screen
    }
}

fn panel(model: &Model, screen: Rect) -> Vec<Line<'static>> {
    let panel = TourPanel::of(model).filter(|_| screen.height >= PANEL_FROM);
    panel.map_or_else(Vec::new, |said| lines(model, said, screen))
}

/// Draws the panel.
pub(super) fn draw(model: &Model, screen: Rect, buffer: &mut Buffer) {
    let lines = panel(model, screen);
    let rows = lines.len() as u16;
    let panel = Rect {
        y: screen.bottom() - rows,
        height: rows,
        ..screen
    };
    for (row, line) in (0..rows).zip(lines) {
        put(buffer, panel, row, &line);
    }
}

/// All that fits: title, what there is to see and what to do; else only what to do.
fn lines(model: &Model, said: TourPanel, screen: Rect) -> Vec<Line<'static>> {
    let theme = &model.look.theme;
    let width = indented(screen).width;
    let most = usize::from((screen.height / SHARE).max(1));
    let TourPanel {
        title,
        words,
        place,
        end,
    } = said;
    let margin = usize::from(indented(screen).x - screen.x);
    let indent = |line: Line<'static>| {
        let mut spans = vec![Span::raw(" ".repeat(margin))];
        spans.extend(line.spans);
        Line::from(spans)
    };
    let task = Line::from(vec![
        Span::styled("▸ ", theme.accent),
        Span::styled(words.task, theme.accent),
    ]);
    let what = Line::styled(words.what, theme.text);
    let task = wrap::wrap_indent(&task, width, 2);
    let what = wrap::wrap(&what, width);
    if screen.height >= TITLE_FROM {
        let title = rule(model, &title, end, screen.width);
        let all = what.len() + task.len() < most;
        let body = if all { what } else { Vec::new() };
        if task.len() < most {
            let body = body.into_iter().chain(task).map(indent);
            return std::iter::once(title).chain(body).collect();
        }
    }
    let short = place + words.short;
    let room = usize::from(width);
    let rest = format!("  {end}");
    let mut spans = vec![Span::styled(safe::one_line(&short, room), theme.accent)];
    if wrap::width(&short) + wrap::width(&rest) <= room {
        spans.push(Span::styled(rest, theme.dim));
    }
    vec![indent(Line::from(spans))]
}

/// A rule that says what this is, how far it is, and how to end it.
fn rule(model: &Model, name: &str, end: &'static str, width: u16) -> Line<'static> {
    let theme = &model.look.theme;
    let used = wrap::width(name) + wrap::width(end) + 8;
    let rule = "─".repeat(usize::from(width).saturating_sub(used));
    Line::from(vec![
        Span::styled("── ", theme.border),
        Span::styled(name.to_owned(), theme.heading),
        Span::styled(format!(" {rule} "), theme.border),
        Span::styled(end, theme.dim),
        Span::styled(" ──", theme.border),
    ])
}

fn percent(model: &Model) -> u64 {
    let view = model.session.view.as_ref();
    let share = view.and_then(|view| Some(GaugeScale::of(view)?.percent(view.usage.tokens)));
    share.unwrap_or(0)
}
