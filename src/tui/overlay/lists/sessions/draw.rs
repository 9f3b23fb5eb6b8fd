//! Draws the picker of sessions: rows, and beside or below them how the selected one ends.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::{SessionPrompt, Sessions};
use crate::agent::{SessionListing, SessionPeek};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::hints::{self, ScreenHints};
use crate::tui::overlay::lists::picker::FILTER_LABEL;
use crate::tui::overlay::{OverlayScene, numbers};
use crate::tui::render::{safe, wrap};
use crate::tui::widget::paint;

/// From this width on the preview is beside the list,
const WIDE_COLUMNS: u16 = 100;
/// from this height on below it.
const TALL_ROWS: u16 = 16;
/// From this width of the list on its rows have numbers.
const NUMBERS_FROM: u16 = 48;
/// Rows that a message of the preview may take.
const MESSAGE_ROWS: usize = 3;
/// The program whose sessions are our own.
const OWN: &str = "plimsoll";
/// Columns of a name in a question.
const NAME_COLUMNS: usize = 40;

/// Draws everything; answers where the caret is.
pub(super) fn sessions(
    it: &Sessions,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    paint::clear(buffer, area, theme.text);
    let SessionAreas {
        field_row,
        list,
        preview,
    } = SessionAreas::of(area, scene);
    if field_row > 0 {
        let place = match &it.list.found {
            Some(words) => format!("found: {}", safe::one_line(words, NAME_COLUMNS)),
            None if it.list.all => format!("sessions · all folders{}", programs(it)),
            None => format!("sessions · this folder{}", programs(it)),
        };
        let count = format!("{} of {}", it.found.len(), it.list.sessions.len());
        paint::title(buffer, area, &place, &count, theme);
    }
    rows(it, list, buffer, scene);
    if let (Some(preview), Some(session)) = (preview, it.selected()) {
        let peek = it.peek.as_ref().filter(|peek| peek.path == session.path);
        ending(session, peek, preview, buffer, scene);
    }
    if area.height > 2
        && let Some(caret) = foot(it, area, buffer, scene)
    {
        return Some(caret);
    }
    let label = (FILTER_LABEL, theme.accent);
    it.field
        .draw(area, field_row, buffer, label.0, label.1, theme.text)
}

/// The programs whose sessions can be shown, the one that is shown in brackets.
fn programs(it: &Sessions) -> String {
    if it.list.programs.is_empty() {
        return String::new();
    }
    let shown = it.list.program.as_deref().unwrap_or(OWN);
    let names = std::iter::once(OWN).chain(it.list.programs.iter().map(String::as_str));
    let names = names.map(|name| {
        if name == shown {
            format!("[{name}]")
        } else {
            name.to_owned()
        }
    });
    format!(" · {}", names.collect::<Vec<_>>().join(" "))
}

/// Where the parts of the screen are.
pub(super) struct SessionAreas {
    /// The row of the text field.
    field_row: u16,
    pub list: Rect,
    preview: Option<Rect>,
}

impl SessionAreas {
    pub(super) fn of(area: Rect, scene: &OverlayScene<'_>) -> Self {
        let field_row = u16::from(area.height > 3);
        let foot = if area.height > 2 {
            hints::rows(area, Screen::Sessions, scene)
        } else {
            0
        };
        let body = paint::inner(area, field_row + 1, foot);
        let (list, preview) = if body.width >= WIDE_COLUMNS {
            let left = body.width / 2;
            let list = Rect {
                width: left,
                ..body
            };
            let preview = Rect {
                x: body.x + left,
                width: body.width - left,
                ..body
            };
            (list, Some(preview))
        } else if area.height < TALL_ROWS {
            (body, None)
        } else {
            let list = paint::inner(body, 0, body.height / 2);
            (list, Some(paint::inner(body, list.height, 0)))
        };
        Self {
            field_row,
            list,
            preview,
        }
    }
}

fn rows(it: &Sessions, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
    let theme = scene.theme;
    if it.found.is_empty() {
        let text = if it.list.sessions.is_empty() {
            "no sessions here"
        } else {
            "nothing matches"
        };
        paint::text(buffer, area, (2, 0), area.width, text, theme.dim);
    }
    for item in it.cursor.visible() {
        let row = item.line;
        let session = it
            .found
            .get(item.at)
            .and_then(|&at| it.list.sessions.get(at));
        let Some(session) = session else { continue };
        let mut remark = numbers::age(scene.now.secs_since(session.updated));
        if area.width >= NUMBERS_FROM {
            let entries = match session.entries {
                _ if session.hit.is_some() => found_in(session),
                0 => format!("{}B", numbers::short(session.bytes)),
                1 => "1 entry".to_owned(),
                many => format!("{} entries", numbers::grouped(many)),
            };
            remark = format!("{entries}  {remark:>4}");
            if it.list.all {
                remark = format!("{}  {remark}", folder(session));
            }
        }
        let taken = wrap::width(&remark) as u16 + 2;
        let (title, style) = match (&session.name, it.is_open(session)) {
            (_, true) => (title(session), theme.accent),
            (Some(_), _) => (title(session), theme.text.add_modifier(Modifier::BOLD)),
            (None, _) => (title(session), theme.text),
        };
        let words = paint::RemarkedWords {
            words: &title,
            style,
            remark: &remark,
            remark_columns: taken,
            remark_style: theme.dim,
        };
        words.draw(buffer, area, (2, row));
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
        if it.is_open(session) {
            paint::text(buffer, area, (1, row), 1, "●", theme.accent);
        }
    }
}

/// The kind of the part in which a text was found.
fn found_in(session: &SessionListing) -> String {
    let role = session.hit.as_ref().map_or("", |hit| hit.role);
    let tool = session.hit.as_ref().and_then(|hit| hit.tool.as_deref());
    let name = match role {
        "tool_call" => "call",
        "tool_result" => "result",
        other => other,
    };
    let tool = tool.map_or_else(String::new, |tool| format!(" of {tool}"));
    safe::one_line(&format!("{name}{tool}"), NAME_COLUMNS / 2)
}

fn title(session: &SessionListing) -> String {
    if let Some(hit) = &session.hit {
        return hit.excerpt.clone();
    }
    match session.label() {
        "" => "(nothing was said)".to_owned(),
        label => label.to_owned(),
    }
}

/// The last part of the session's directory.
fn folder(session: &SessionListing) -> String {
    let last = session
        .cwd
        .rsplit(['/', '\\'])
        .find(|part| !part.is_empty());
    safe::one_line(last.unwrap_or("/"), NAME_COLUMNS / 2)
}

/// The facts of a session, and how it ends.
fn ending(
    session: &SessionListing,
    peek: Option<&SessionPeek>,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    let room = area.width.saturating_sub(3);
    let one_line = |text: &str| safe::one_line(text, usize::from(room));
    let ago = |time| numbers::ago(scene.now.secs_since(time));
    let mut facts = vec![
        format!("{}B", numbers::short(session.bytes)),
        format!("began {}", ago(session.created)),
        format!("last entry {}", ago(session.updated)),
    ];
    if let Some(origin) = &session.origin {
        facts.insert(0, format!("imported from {origin}"));
    }
    if let Some(peek) = peek {
        if let Some(tokens) = peek.tokens {
            facts.insert(0, format!("{} tokens", numbers::short(tokens)));
        }
        if let Some(model) = &peek.model {
            facts.insert(0, model.to_string());
        }
    }
    let mut lines = vec![
        (one_line(&title(session)), theme.heading),
        (one_line(&facts.join(" · ")), theme.dim),
        (
            one_line(&match session.hit {
                None => format!("{} · {}", session.id, session.cwd),
                Some(_) => format!("{} · {}", session.first_words, session.cwd),
            }),
            theme.dim,
        ),
        (String::new(), theme.dim),
    ];
    for (is_user, text) in peek.map_or(&[][..], |peek| &peek.messages) {
        let style = if *is_user { theme.user } else { theme.text };
        let sign = if *is_user { "▌" } else { " " };
        // Enough for the rows that a message may take.
        let short = safe::one_line(text, usize::from(room) * MESSAGE_ROWS);
        for part in wrap::wrap(&Line::raw(short), room.saturating_sub(2)) {
            lines.push((format!("{sign} {part}"), style));
        }
    }
    let head = 4.min(lines.len());
    let tail = usize::from(area.height).saturating_sub(head);
    // The end of the conversation matters more than what led to it.
    let skipped = (lines.len() - head).saturating_sub(tail);
    let shown = lines
        .iter()
        .take(head)
        .chain(lines.iter().skip(head + skipped));
    for (row, (text, style)) in (0..area.height).zip(shown) {
        paint::text(buffer, area, (0, row), 1, "│", theme.border);
        paint::text(buffer, area, (2, row), room, text, *style);
    }
}

/// Hints, a question, or what happened.
fn foot(
    it: &Sessions,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    let row = area.height - 1;
    let room = usize::from(area.width.saturating_sub(1));
    match &it.asking {
        SessionPrompt::Name(field) => {
            return field.draw(area, row, buffer, " name: ", theme.accent, theme.text);
        }
        SessionPrompt::Delete => {
            let name = it.selected().map(title).unwrap_or_default();
            let name = safe::one_line(&name, NAME_COLUMNS);
            let text = format!("y: move to the trash · any other key: keep · {name}");
            let text = safe::one_line(&text, room);
            paint::text(buffer, area, (1, row), area.width, &text, theme.warning);
        }
        SessionPrompt::Nothing if !it.remark.is_empty() => {
            let text = safe::one_line(&it.remark, room);
            paint::text(buffer, area, (1, row), area.width, &text, theme.warning);
        }
        SessionPrompt::Nothing => {
            let folders = if it.list.all {
                "this folder"
            } else {
                "all folders"
            };
            ScreenHints::of(Screen::Sessions, scene)
                .saying(ScreenAction::AllFolders, folders)
                .draw(area, buffer);
        }
    }
    None
}
