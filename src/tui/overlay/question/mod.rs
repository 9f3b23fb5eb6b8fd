//! The shared parts of overlays that open by themselves: who has the keyboard while one is
//! open, which keys they understand, and the words and the list that say so.
//!
//! Invariant: text never answers a question. What is typed and pasted goes to the composer
//! until somebody moves the keyboard into the question, and Enter answers only while the
//! hints say that it does.

pub mod approval;
pub mod form;
pub mod oversize;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{OverlayScene, Reaction};
use crate::tui::keymap::{Action, Keymap};
use crate::tui::render::{safe, wrap};
use crate::tui::widget::paint::{self, KeyHint};

pub use crate::tui::keymap::QuestionKey;

/// The rule with the title, and the hints.
const FRAME_ROWS: u16 = 2;

/// From this many rows on a panel leaves one part in `SHARE_PARTS` to the conversation.
const SHARED_FROM_ROWS: u16 = 14;
const SHARE_PARTS: u16 = 3;

/// Columns before a choice: the sign of the selected one.
const SIGN_COLUMNS: u16 = 2;

/// A question that an overlay asks by itself.
pub trait Question {
    /// Whether keys are for it: somebody moved the keyboard there.
    fn has_keyboard(&self) -> bool;

    /// The keyboard was moved into it, or away from it.
    fn give_keyboard(&mut self, has: bool);

    /// Whether characters and all other keys are its own while it has the keyboard: a text
    /// field is open, or it is a screen with keys of its own.
    fn takes_text(&self) -> bool {
        true
    }

    /// Whether the first key of somebody at rest only moves the keyboard into it: there is
    /// something to read before there is something to answer.
    fn is_read_first(&self) -> bool {
        false
    }

    /// A key of questions, while no text goes to it.
    fn on_question_key(&mut self, key: QuestionKey, scene: &OverlayScene<'_>) -> Reaction;

    /// The result of an [`Effect::Edit`](crate::tui::effect::Effect::Edit) that it wanted.
    fn on_edited(&mut self, _text: String, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::Ignored
    }
}

/// The owner of the keyboard while a question is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keyboard {
    /// The overlay: somebody moved it there, or opened the overlay.
    #[default]
    Inside,
    /// The composer, which is empty and at rest: arrows and Enter are the question's.
    Ready,
    /// Whatever somebody writes or looks at; one key moves it into the question.
    Away,
    /// A list or a search of the composer that has this key too: Esc closes it first.
    Busy,
}

/// The state of the keyboard as the top overlay has to know it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyboardState {
    /// The owner.
    pub keyboard: Keyboard,
    /// Something smaller has Esc: a list, a search, a mode of vi, a screen below.
    pub escape_is_taken: bool,
}

/// The actions of a question's keys, in words.
pub struct QuestionWords<'a> {
    /// The action of Enter.
    pub choose: &'a str,
    /// The action of Esc.
    pub refuse: &'a str,
    /// Whether there are rows to move between.
    pub has_rows: bool,
}

/// The keys that work now and what they do.
pub fn hints(scene: &OverlayScene<'_>, words: &QuestionWords<'_>) -> Vec<(String, String)> {
    use QuestionKey::{Choose, Down, Refuse, Switch, Up};
    let state = scene.keyboard;
    let answer: (&[QuestionKey], &str) = (&[Switch], "answer");
    let moves: &[QuestionKey] = if words.has_rows { &[Up, Down] } else { &[] };
    let (choose, refuse) = (words.choose, words.refuse);
    let keys: Vec<(&[QuestionKey], &str)> = match state.keyboard {
        Keyboard::Inside => vec![
            (&[Choose], choose),
            (&[Refuse], refuse),
            (moves, "move"),
            (&[Switch], "back to the input"),
        ],
        Keyboard::Ready => vec![(&[Choose], choose), (&[Refuse], refuse), (moves, "move")],
        Keyboard::Away if state.escape_is_taken => vec![answer],
        Keyboard::Away => vec![answer, (&[Refuse], refuse)],
        Keyboard::Busy => vec![answer],
    };
    let mut hints: Vec<(String, String)> = keys
        .into_iter()
        .filter_map(|(keys, what)| {
            let names = keys.iter().filter_map(|key| key_name(scene.keymap, *key));
            let names: Vec<String> = names.collect();
            (!names.is_empty()).then(|| (format!("{}:", names.join(" ")), what.to_owned()))
        })
        .collect();
    if state.keyboard == Keyboard::Busy {
        hints.insert(
            0,
            ("Esc".to_owned(), "closes what is open, then".to_owned()),
        );
    }
    hints
}

/// Puts hints into the last row.
pub fn draw_hints(
    area: Rect,
    buffer: &mut Buffer,
    hints: &[(String, String)],
    scene: &OverlayScene<'_>,
) {
    let hints = hints.iter().map(|(key, what)| KeyHint::new(key, what));
    let help = scene.keymap.help_of_questions();
    paint::hints(buffer, area, &hints.collect::<Vec<_>>(), help, scene.theme);
}

/// The name of a question's key on screen; `None` when no key does it.
pub fn key_name(keymap: &Keymap, key: QuestionKey) -> Option<String> {
    let name = keymap.key_of(Action::Question(key))?;
    Some(match name {
        "up" => "↑".to_owned(),
        "down" => "↓".to_owned(),
        "pageup" => "PgUp".to_owned(),
        "pagedown" => "PgDn".to_owned(),
        _ => {
            let mut letters = name.chars();
            let first = letters.next().map(|c| c.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
    })
}

/// Where the parts of a panel are that asks something: a rule with the title on top, what is
/// asked about, the choices, and a row for the hints.
pub struct PanelLayout {
    /// All of it.
    pub panel: Rect,
    /// The area of the subject.
    pub body: Rect,
    /// The choices, or the field of one.
    pub choices: Rect,
}

impl PanelLayout {
    /// At the bottom of `area`, no larger than it has to be. Where rows are few the choices
    /// get them, but one row always says what is asked about.
    pub fn of(area: Rect, body_rows: usize, choices: usize) -> Self {
        let body_rows = u16::try_from(body_rows).unwrap_or(u16::MAX);
        let choices = u16::try_from(choices).unwrap_or(u16::MAX);
        let wanted = body_rows
            .saturating_add(choices)
            .saturating_add(FRAME_ROWS + 1);
        let most = if area.height < SHARED_FROM_ROWS {
            area.height
        } else {
            area.height - area.height / SHARE_PARTS
        };
        let height = wanted.min(most);
        let panel = Rect::new(
            area.x,
            area.y.saturating_add(area.height - height),
            area.width,
            height,
        );
        let room = height.saturating_sub(FRAME_ROWS);
        let choices = choices
            .min(room.saturating_sub(body_rows.min(1)).max(1))
            .min(room);
        Self {
            panel,
            body: paint::inner(panel, 1, choices + 1),
            choices: paint::inner(panel, height.saturating_sub(choices + 1), 1),
        }
    }
}

/// A choice in words: the shorter ones are for narrow screens.
pub struct QuestionChoice {
    /// All of it.
    pub words: String,
    /// As few columns as it can be said in.
    pub short: String,
}

impl QuestionChoice {
    /// A choice that is said in the same words at every width.
    pub fn new(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            short: words.clone(),
            words,
        }
    }
}

/// Draws the choices, one row each, as many as there are rows, the selected one among them.
pub fn draw_choices(
    area: Rect,
    buffer: &mut Buffer,
    choices: &[QuestionChoice],
    selected: usize,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    let height = usize::from(area.height);
    let room = usize::from(area.width.saturating_sub(SIGN_COLUMNS));
    let first = (selected + 1).saturating_sub(height);
    // The bar is on what Enter would take, and nowhere when Enter does something else.
    let has_enter = matches!(scene.keyboard.keyboard, Keyboard::Inside | Keyboard::Ready);
    for (row, (at, choice)) in (0..area.height).zip(choices.iter().enumerate().skip(first)) {
        let words = if wrap::width(&choice.words) <= room {
            &choice.words
        } else {
            &choice.short
        };
        let shown = safe::one_line(words, room);
        let is_selected = at == selected;
        let sign = if is_selected { "›" } else { " " };
        paint::text(buffer, area, (0, row), 1, sign, theme.accent);
        paint::text(
            buffer,
            area,
            (SIGN_COLUMNS, row),
            area.width,
            &shown,
            theme.text,
        );
        if is_selected && has_enter {
            paint::tint(buffer, area, row, theme.selection);
        }
    }
}
