//! One cell: what it is, whether it is open, and how it looked last time.

use std::rc::Rc;
use std::sync::Arc;

use jiff::tz::TimeZone;
use ratatui::text::Line;

use super::card::ToolCard;
use super::marks::{Mark, Marks};
use super::streamed::StreamedText;
use super::{card, lines};
use crate::agent::NoticeLevel;
use crate::transcript::{
    AssistantPart, BashExecution, Compaction, Entry, EntryBody, EntryId, Message, Timestamp,
};
use crate::tui::model::DrawingStyle;
use crate::tui::render::highlight::Highlighter;
use crate::tui::render::link::FilePlace;
use crate::tui::theme::Theme;

/// Lines of one part that an open cell shows at first; scrolling to its end shows more.
const OPEN_LINES: usize = 400;
/// Frames of the spinner, one column each.
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/// The sign of what runs where nothing turns.
const STILL: &str = "◌";
/// How long one frame of the spinner stays.
const SPINNER_MS: i64 = 100;

/// The context for drawing a cell.
#[derive(Clone, Copy, Debug)]
pub struct RenderContext<'a> {
    /// Columns, gutter included.
    pub width: u16,
    /// The theme.
    pub theme: &'a Theme,
    /// Grows with each change of the theme.
    pub theme_generation: u64,
    /// For code blocks.
    pub highlighter: &'a Highlighter,
    /// The clock.
    pub now: Timestamp,
    /// For times of day.
    pub zone: &'a TimeZone,
    /// What moves, and how wide text and diffs are.
    pub drawing: DrawingStyle,
    /// Where files are, for links to them.
    pub files: FilePlace<'a>,
}

impl RenderContext<'_> {
    /// The spinner now; a sign that stays where motion is reduced.
    pub fn spinner(&self) -> &'static str {
        if self.drawing.is_calm() {
            return STILL;
        }
        let frame = self.now.0.div_euclid(SPINNER_MS).rem_euclid(10);
        SPINNER[frame as usize]
    }
}

/// One thing in the transcript.
#[derive(Debug)]
pub struct Cell {
    /// The entry that it shows, if any.
    pub entry: Option<EntryId>,
    /// The content.
    pub body: Body,
    /// Whether it is open.
    pub is_expanded: bool,
    /// Whether there is more than it shows while open.
    pub(super) has_more: bool,
    /// Whether it tells of a request that was too long and is not answered yet.
    pub(super) is_recovery: bool,
    /// How often it was made longer.
    grown: u32,
    laid_out: Option<CellLines>,
}

/// The content of a cell.
#[derive(Debug)]
pub enum Body {
    /// A message of the user.
    User(Arc<Entry>),
    /// A block of an answer: text or thinking, by its place in the message.
    Answer(Arc<Message>, usize),
    /// Text that is streaming.
    StreamingText(Box<StreamedText>),
    /// Reasoning that is streaming.
    StreamingThinking(String),
    /// A tool call that is being written.
    StreamingCall {
        /// Which call of the answer.
        index: u32,
        /// The tool.
        name: String,
        /// Bytes of arguments so far.
        bytes: usize,
    },
    /// A tool call with its result.
    Tool(Box<ToolCard>),
    /// A command that the user ran.
    Shell(Arc<Entry>),
    /// A compaction.
    Compaction {
        /// Its entry.
        entry: Arc<Entry>,
        /// Turns that it kept.
        kept_turns: u64,
        /// It no longer counts.
        is_undone: bool,
    },
    /// A summary that is being written.
    Compacting(String),
    /// Something between the messages.
    Note(Note),
}

/// One remark between the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// One column.
    pub sign: &'static str,
    /// How serious.
    pub level: NoticeLevel,
    /// The event.
    pub text: String,
    /// The next step.
    pub hint: Option<String>,
}

/// The newest layout of a cell, with all that it depends on.
#[derive(Debug)]
struct CellLines {
    width: u16,
    theme_generation: u64,
    highlight_generation: u64,
    mark: Option<Mark>,
    is_focused: bool,
    lines: Rc<Vec<Line<'static>>>,
}

impl Cell {
    /// A closed cell.
    pub fn new(entry: Option<EntryId>, body: Body) -> Self {
        Self {
            entry,
            body,
            is_expanded: false,
            has_more: false,
            is_recovery: false,
            grown: 0,
            laid_out: None,
        }
    }

    /// Lines of one part that it shows while open.
    pub(super) fn max_lines(&self) -> usize {
        OPEN_LINES.saturating_mul(1_usize.checked_shl(self.grown).unwrap_or(usize::MAX))
    }

    /// Shows twice as much while open: what was scrolled through is laid out, no more.
    pub(super) fn grow(&mut self) {
        self.grown += 1;
        self.touch();
    }

    /// Shows everything while open.
    pub(super) fn grow_to_the_end(&mut self) {
        self.grown = usize::BITS;
        self.touch();
    }

    /// How far it has grown, to go back there.
    pub(super) fn grown(&self) -> u32 {
        self.grown
    }

    /// Shows as much while open as it did.
    pub(super) fn shrink_to(&mut self, grown: u32) {
        self.grown = grown;
        self.touch();
    }

    /// Its content changed: draw it again.
    pub fn touch(&mut self) {
        self.laid_out = None;
    }

    /// Whether it can show more than it does when closed.
    pub fn can_expand(&self) -> bool {
        match &self.body {
            Body::Tool(_) | Body::Shell(_) | Body::Compaction { .. } => true,
            Body::Answer(..) | Body::StreamingThinking(_) => self.thinking().is_some(),
            _ => false,
        }
    }

    /// Whether it is one line directly under another such line.
    pub fn is_compact(&self) -> bool {
        matches!(
            self.body,
            Body::Tool(_) | Body::StreamingCall { .. } | Body::Note(_)
        )
    }

    /// Whether it shows an entry, alone or with another one.
    pub fn is_about(&self, entry: &EntryId) -> bool {
        let is_result =
            matches!(&self.body, Body::Tool(card) if card.result_entry() == Some(entry));
        is_result || self.entry.as_ref() == Some(entry)
    }

    /// The text of an answer.
    pub fn answer(&self) -> Option<String> {
        match &self.body {
            Body::Answer(message, at) => match part(message, *at) {
                Some(AssistantPart::Text(text)) => Some(text.clone()),
                _ => None,
            },
            Body::StreamingText(stream) => Some(stream.text().to_owned()),
            _ => None,
        }
    }

    fn thinking(&self) -> Option<&str> {
        match &self.body {
            Body::Answer(message, at) => match part(message, *at) {
                Some(AssistantPart::Thinking { text, .. }) => Some(text),
                _ => None,
            },
            Body::StreamingThinking(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it changes with the clock.
    fn is_moving(&self) -> bool {
        match &self.body {
            Body::Tool(card) => card.is_running(),
            Body::StreamingCall { .. } | Body::Compacting(_) => true,
            _ => false,
        }
    }

    /// How it looks: lines of at most `paint.width` columns, from the cache when nothing
    /// changed.
    pub fn lines(
        &mut self,
        paint: &RenderContext<'_>,
        marks: &Marks,
        is_focused: bool,
    ) -> Rc<Vec<Line<'static>>> {
        let mark = self.mark(marks);
        let highlight_generation = paint.highlighter.generation();
        if let Some(cached) = &self.laid_out
            && cached.width == paint.width
            && cached.theme_generation == paint.theme_generation
            && cached.highlight_generation == highlight_generation
            && cached.is_focused == is_focused
            && cached.mark.as_ref() == mark
            && !self.is_moving()
        {
            return Rc::clone(&cached.lines);
        }
        let mark = mark.cloned();
        let lines = lines::of(self, paint, mark.as_ref(), is_focused);
        self.laid_out = Some(CellLines {
            width: paint.width,
            theme_generation: paint.theme_generation,
            highlight_generation,
            mark,
            is_focused,
            lines: Rc::clone(&lines),
        });
        lines
    }

    /// The lines of the newest layout; none since the cell changed.
    pub fn laid_out(&self) -> &[Line<'static>] {
        self.laid_out.as_ref().map_or(&[], |it| it.lines.as_slice())
    }

    /// The mark of the entry that the cell is about: for a tool card that of the result.
    fn mark<'a>(&self, marks: &'a Marks) -> Option<&'a Mark> {
        let of_result = match &self.body {
            Body::Tool(card) => card.result_entry().and_then(|entry| marks.get(entry)),
            _ => None,
        };
        of_result.or_else(|| self.entry.as_ref().and_then(|entry| marks.get(entry)))
    }
}

/// A block of an answer.
pub(super) fn part(message: &Message, at: usize) -> Option<&AssistantPart> {
    match message {
        Message::Assistant(assistant) => assistant.content.get(at),
        _ => None,
    }
}

/// The command of a shell cell.
pub(super) fn shell_run(entry: &Entry) -> Option<&BashExecution> {
    match entry.message().map(AsRef::as_ref) {
        Some(Message::BashExecution(run)) => Some(run),
        _ => None,
    }
}

/// The compaction of a boundary.
pub(super) fn compaction(entry: &Entry) -> Option<&Compaction> {
    match &entry.body {
        EntryBody::Compaction(compaction) => Some(compaction),
        _ => None,
    }
}

pub(super) fn card_mut(cell: &mut Cell) -> Option<&mut card::ToolCard> {
    match &mut cell.body {
        Body::Tool(card) => Some(card),
        _ => None,
    }
}
