//! The division of the rows. The most important parts stay when there are few: the composer,
//! the gauge, the transcript, and last the ornaments.

use ratatui::layout::Rect;

use super::super::composer::Layout;
use super::super::model::Model;
use super::{input, todo};

/// Rows from which the header has a rule.
const RULES_FROM: u16 = 12;
/// Rows from which there is a header.
const HEADER_FROM: u16 = 8;
/// Rows from which there is a status line.
const STATUS_FROM: u16 = 5;
/// The composer takes at most this share of the screen.
const COMPOSER_SHARE: u16 = 3;
/// Queued messages and commands that are listed.
const QUEUED_ROWS: u16 = 3;
/// Rows that a panel needs at least, to ask and to take an answer, beside what goes on.
const PANEL_ROWS: u16 = 6;
/// Rows of a panel where only the draft stays in sight.
const SMALL_PANEL_ROWS: u16 = 3;
/// Lines of a completion list.
const POPUP_ROWS: u16 = 10;

/// The areas of the main screen; empty where there is no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// Session, directory, model.
    pub header: Rect,
    /// Below it.
    pub header_rule: Rect,
    /// The transcript.
    pub chat: Rect,
    /// The activity.
    pub status: Rect,
    /// The steps that the model keeps.
    pub todo: Rect,
    /// Messages that wait.
    pub queued: Rect,
    /// Above the composer.
    pub composer_rule: Rect,
    /// Where the user writes.
    pub composer: Rect,
    /// How full the window is.
    pub gauge: Rect,
    /// The completion list, over the transcript.
    pub popup: Rect,
}

impl Areas {
    /// Where a panel may be: what goes on, the draft and the gauge stay in sight beside a question,
    /// on a small screen at least the draft, which is where characters go.
    pub fn above_composer(&self) -> Rect {
        let top = self.header.y;
        let room = |below: &Rect| Rect {
            y: top,
            height: below.y.saturating_sub(top),
            ..*below
        };
        let (above, small) = (room(&self.status), room(&self.composer));
        if above.height >= PANEL_ROWS {
            above
        } else if small.height >= SMALL_PANEL_ROWS {
            small
        } else {
            room(&self.gauge)
        }
    }

    /// Divides a screen.
    pub fn of(model: &Model, area: Rect) -> Self {
        let height = area.height;
        let layout = Layout::of(&model.composer.buffer, input::columns(area.width).into());
        let wanted = u16::try_from(layout.rows.len()).unwrap_or(u16::MAX);
        let has = |from: u16| u16::from(height >= from);
        let queued =
            (model.activity.queued.len() + usize::from(model.outgoing.replaces.is_some())) as u16;
        let rows = AreaRows {
            header: has(HEADER_FROM),
            header_rule: has(RULES_FROM),
            status: has(STATUS_FROM),
            todo: todo::rows(model, height),
            queued: queued.min(QUEUED_ROWS).min(height / 4),
            composer_rule: has(RULES_FROM),
            composer: wanted.clamp(1, (height / COMPOSER_SHARE).max(1)),
            // One row says how full it is; from two on one can write as well.
            gauge: 1,
        };
        rows.place(model, area)
    }
}

struct AreaRows {
    header: u16,
    header_rule: u16,
    status: u16,
    todo: u16,
    queued: u16,
    composer_rule: u16,
    composer: u16,
    gauge: u16,
}

impl AreaRows {
    fn place(&self, model: &Model, area: Rect) -> Areas {
        let composer = if area.height < 2 { 0 } else { self.composer };
        let below =
            self.status + self.todo + self.queued + self.composer_rule + composer + self.gauge;
        let above = self.header + self.header_rule;
        let chat = area.height.saturating_sub(below + above);
        let mut y = area.y;
        let mut take = |rows: u16| {
            let rows = rows.min(area.bottom().saturating_sub(y));
            let taken = Rect {
                y,
                height: rows,
                ..area
            };
            y += rows;
            taken
        };
        let mut areas = Areas {
            header: take(self.header),
            header_rule: take(self.header_rule),
            chat: take(chat),
            status: take(self.status),
            todo: take(self.todo),
            queued: take(self.queued),
            composer_rule: take(self.composer_rule),
            composer: take(composer),
            gauge: take(self.gauge),
            popup: Rect::default(),
        };
        if let Some(popup) = model.completion.popup() {
            let bottom = areas.composer.y.saturating_sub(self.composer_rule);
            let room = bottom.saturating_sub(area.y + above);
            let rows = (popup.items.len() as u16).min(POPUP_ROWS).min(room);
            areas.popup = Rect {
                y: bottom - rows,
                height: rows,
                ..area
            };
        }
        areas
    }
}
