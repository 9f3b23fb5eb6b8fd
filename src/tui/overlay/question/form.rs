//! Asks what a server wants to know from the person: a form of plain fields, or an address to
//! visit. A panel at the bottom, so that the conversation that led here stays readable.
//!
//! Invariant: nothing is sent but by the row that says so, and the key that refuses sends
//! nothing.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use serde_json::Map;
use url::Url;

use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{
    AgentEvent, FieldKind, FormAnswer, FormField, FormRequest, Op, TurnEvent, TurnOp,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::question::{
    self, PanelLayout, Question, QuestionChoice, QuestionKey, QuestionWords,
};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{TextField, paint};

/// What is said below every question of a server.
pub const NO_SECRETS: &str = "It goes to that server: give no password and no key.";
/// Columns of a value in its row.
const VALUE_COLUMNS: usize = 60;

/// The form.
pub struct Form {
    request: Box<FormRequest>,
    has_keyboard: bool,
    selected: usize,
    /// The field that is being written.
    field: Option<TextField>,
    /// What was filled in, by field.
    texts: Vec<String>,
    /// Why it cannot be sent yet.
    fault: Option<String>,
    /// The question, at the width of the newest layout.
    body: Vec<Line<'static>>,
}

/// A row of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormRow {
    Field(usize),
    Open,
    Copy,
    Send,
    Decline,
}

impl Form {
    /// Shows this form, its first row selected.
    pub fn new(request: Box<FormRequest>) -> Self {
        let fields = request.form.fields.iter();
        Self {
            texts: fields.map(|field| field.default.clone()).collect(),
            request,
            has_keyboard: false,
            selected: 0,
            field: None,
            fault: None,
            body: Vec::new(),
        }
    }

    fn rows_of(&self) -> Vec<FormRow> {
        let form = &self.request.form;
        let mut rows: Vec<FormRow> = (0..form.fields.len()).map(FormRow::Field).collect();
        if form.address.is_some() {
            rows.extend([FormRow::Open, FormRow::Copy]);
        }
        rows.extend([FormRow::Send, FormRow::Decline]);
        rows
    }

    fn row(&self) -> FormRow {
        let rows = self.rows_of();
        rows.get(self.selected).copied().unwrap_or(FormRow::Decline)
    }

    fn field_at(&self, at: usize) -> Option<&FormField> {
        self.request.form.fields.get(at)
    }

    fn choice(&self, row: FormRow) -> QuestionChoice {
        let has_address = self.request.form.address.is_some();
        match row {
            FormRow::Field(at) => {
                let Some(field) = self.field_at(at) else {
                    return QuestionChoice::new("");
                };
                let mark = if field.is_required { "*" } else { "" };
                let text = self.texts.get(at).map_or("", String::as_str);
                let value = safe::one_line(text, VALUE_COLUMNS);
                let takes = field.takes();
                let words = match (text.is_empty(), field.help.is_empty()) {
                    (false, _) => format!("{}{mark}: {value}", field.title),
                    (true, true) => format!("{}{mark}: ({takes})", field.title),
                    (true, false) => format!("{}{mark}: ({takes}; {})", field.title, field.help),
                };
                QuestionChoice {
                    words: safe::one_line(&words, 200),
                    short: if text.is_empty() {
                        format!("{}{mark}: ({takes})", field.title)
                    } else {
                        format!("{}{mark}: {value}", field.title)
                    },
                }
            }
            FormRow::Open => QuestionChoice::new(format!("open {} in the browser", self.host())),
            FormRow::Copy => QuestionChoice::new("copy the address"),
            FormRow::Send if has_address => QuestionChoice::new("done there: continue"),
            FormRow::Send => QuestionChoice::new("send this"),
            FormRow::Decline => QuestionChoice::new("decline"),
        }
    }

    fn choose_words(&self) -> &'static str {
        match self.row() {
            FormRow::Field(at) => match self.field_at(at).map(|field| &field.kind) {
                Some(FieldKind::Flag | FieldKind::Choice(_)) => "next value",
                _ => "fill in",
            },
            FormRow::Open => "open it",
            FormRow::Copy => "copy the address",
            FormRow::Send => "send",
            FormRow::Decline => "decline",
        }
    }

    fn answer(&self, answer: FormAnswer) -> Reaction {
        let id = self.request.id;
        Reaction::Close(vec![Effect::Send(Op::Turn(TurnOp::AnswerForm {
            id,
            answer,
        }))])
    }

    fn address(&self) -> String {
        self.request.form.address.clone().unwrap_or_default()
    }

    /// Where the address leads, as browsers read it.
    fn host(&self) -> String {
        let url = Url::parse(&self.address()).ok();
        let host = url.as_ref().and_then(Url::host_str);
        safe::one_line(host.unwrap_or("nowhere"), VALUE_COLUMNS)
    }

    fn choose(&mut self) -> Reaction {
        self.fault = None;
        match self.row() {
            FormRow::Field(at) => self.begin(at),
            FormRow::Open => return Reaction::Act(vec![Effect::Browse(self.address())]),
            FormRow::Copy => return Reaction::Act(vec![Effect::Copy(self.address())]),
            FormRow::Send => return self.send(),
            FormRow::Decline => return self.answer(FormAnswer::Decline),
        }
        Reaction::Consumed
    }

    /// Another value of a field with few, or its text to be written.
    fn begin(&mut self, at: usize) {
        let Some(field) = self.request.form.fields.get(at) else {
            return;
        };
        let Some(text) = self.texts.get_mut(at) else {
            return;
        };
        match &field.kind {
            FieldKind::Flag => {
                let next = if text == "yes" { "no" } else { "yes" };
                next.clone_into(text);
            }
            FieldKind::Choice(choices) => {
                let now = choices
                    .iter()
                    .position(|(value, shown)| value == text || shown == text);
                let next = now.map_or(0, |now| now + 1) % choices.len().max(1);
                if let Some((_, shown)) = choices.get(next) {
                    shown.clone_into(text);
                }
            }
            FieldKind::Text { .. } | FieldKind::Number { .. } | FieldKind::Choices(_) => {
                self.field = Some(TextField::new(text));
            }
        }
    }

    /// Takes what was written, when it fits.
    fn take(&mut self) {
        let (FormRow::Field(at), Some(written)) = (self.row(), &self.field) else {
            return;
        };
        let text = written.text();
        let read = self.field_at(at).map(|field| field.value_of(&text));
        if let Some(Err(fault)) = read
            && !text.trim().is_empty()
        {
            self.fault = Some(fault);
            return;
        }
        if let Some(slot) = self.texts.get_mut(at) {
            *slot = text;
        }
        (self.field, self.fault) = (None, None);
        self.selected += 1;
    }

    fn send(&mut self) -> Reaction {
        let mut content = Map::new();
        let fields = self.request.form.fields.iter().zip(&self.texts);
        for (at, (field, text)) in fields.enumerate() {
            match field.value_of(text) {
                Ok(Some(value)) => _ = content.insert(field.name.clone(), value),
                Ok(None) => {}
                Err(fault) => {
                    (self.fault, self.selected) = (Some(fault), at);
                    return Reaction::Consumed;
                }
            }
        }
        self.answer(FormAnswer::Accept(content))
    }

    fn body_lines(&self, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let form = &self.request.form;
        let asked_by = self.request.asked_by.iter();
        let asked_by = asked_by.map(|child| format!("asked by {}", child.label()));
        let mut lines: Vec<_> = asked_by
            .flat_map(|text| wrapped(&text, width, theme.accent))
            .collect();
        lines.extend(wrapped(&form.message, width, theme.text));
        let address = form.address.iter();
        lines.extend(address.flat_map(|it| wrapped(it, width, theme.accent)));
        lines.extend(wrapped(NO_SECRETS, width, theme.dim));
        let fault = self.fault.iter();
        lines.extend(fault.flat_map(|it| wrapped(&format!("! {it}"), width, theme.warning)));
        lines
    }

    fn panel(&self, area: Rect) -> PanelLayout {
        let rows = if self.field.is_some() {
            1
        } else {
            self.rows_of().len()
        };
        PanelLayout::of(area, self.body.len(), rows)
    }
}

fn wrapped(text: &str, width: u16, style: Style) -> Vec<Line<'static>> {
    let visible = safe::visible(text).into_owned();
    let lines = visible.lines();
    lines
        .flat_map(|line| wrap::wrap(&Line::styled(line.to_owned(), style), width))
        .collect()
}

impl Question for Form {
    fn has_keyboard(&self) -> bool {
        self.has_keyboard
    }

    fn give_keyboard(&mut self, has: bool) {
        self.has_keyboard = has;
        if has {
            return;
        }
        // What was written stays, and is checked when it is sent.
        if let (FormRow::Field(at), Some(written)) = (self.row(), self.field.take())
            && let Some(text) = self.texts.get_mut(at)
        {
            *text = written.text();
        }
        self.selected = 0;
    }

    fn takes_text(&self) -> bool {
        self.field.is_some()
    }

    fn is_read_first(&self) -> bool {
        true
    }

    fn on_question_key(&mut self, key: QuestionKey, _scene: &OverlayScene<'_>) -> Reaction {
        let last = self.rows_of().len().saturating_sub(1);
        match key {
            QuestionKey::Up => self.selected = self.selected.saturating_sub(1),
            QuestionKey::Down => self.selected = (self.selected + 1).min(last),
            QuestionKey::Choose => return self.choose(),
            QuestionKey::Refuse => return self.answer(FormAnswer::Cancel),
            QuestionKey::Switch | QuestionKey::PageUp | QuestionKey::PageDown => {
                return Reaction::Ignored;
            }
        }
        Reaction::Consumed
    }
}

impl Overlay for Form {
    fn name(&self) -> &'static str {
        "form"
    }

    fn screen(&self) -> Option<Screen> {
        self.field.as_ref().map(|_| Screen::Field)
    }

    fn is_full_screen(&self) -> bool {
        false
    }

    fn question(&self) -> Option<&dyn Question> {
        Some(self)
    }

    fn question_mut(&mut self) -> Option<&mut dyn Question> {
        Some(self)
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let width = area.width.saturating_sub(2).max(1);
        self.body = self.body_lines(width, scene.theme);
    }

    fn rows(&self, area: Rect) -> u16 {
        self.panel(area).panel.height
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        if self.field.is_none() {
            return Reaction::Ignored;
        }
        match scene.keymap.screen_action(Screen::Field, key) {
            Some(ScreenAction::Back) => (self.field, self.fault) = (None, None),
            Some(ScreenAction::Open) => self.take(),
            _ => {
                if let Some(field) = &mut self.field {
                    field.on_key(key);
                }
            }
        }
        Reaction::Consumed
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        match &mut self.field {
            Some(field) => field.insert(text),
            None => return Reaction::Ignored,
        }
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if let AgentEvent::Turn(TurnEvent::FormClosed { id }) = event
            && *id == self.request.id
        {
            return Reaction::Close(Vec::new());
        }
        Reaction::Ignored
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let layout = self.panel(area);
        let panel = layout.panel;
        paint::clear(buffer, panel, theme.text);
        paint::rule(buffer, panel, 0, theme);
        let asker = safe::one_line(&self.request.form.asker, 32);
        let title = format!(" the MCP server {asker} asks ");
        paint::text(buffer, panel, (1, 0), panel.width, &title, theme.warning);
        // What is wrong stands last; it is read first.
        let hidden = self
            .body
            .len()
            .saturating_sub(usize::from(layout.body.height));
        let skipped = if self.fault.is_some() { hidden } else { 0 };
        for (row, line) in (0..layout.body.height).zip(self.body.iter().skip(skipped)) {
            paint::line(buffer, layout.body, (1, row), line);
        }
        let place = paint::margin(layout.choices);
        if let (Some(field), FormRow::Field(at)) = (&self.field, self.row()) {
            let title = self.field_at(at).map_or("", |field| field.title.as_str());
            let label = format!("{}: ", safe::one_line(title, 30));
            let owned = |(key, what): (&str, &str)| (key.to_owned(), what.to_owned());
            let hints = [("Enter:", "take it"), ("Esc:", "back to the list")].map(owned);
            question::draw_hints(panel, buffer, &hints, scene);
            return field.draw(place, 0, buffer, &label, theme.accent, theme.text);
        }
        let rows = self.rows_of().into_iter();
        let choices: Vec<QuestionChoice> = rows.map(|row| self.choice(row)).collect();
        question::draw_choices(place, buffer, &choices, self.selected, scene);
        let words = QuestionWords {
            choose: self.choose_words(),
            refuse: "cancel",
            has_rows: true,
        };
        question::draw_hints(panel, buffer, &question::hints(scene, &words), scene);
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::agent::{AskingChild, ChildId, QuestionForm};
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn field(name: &str, kind: FieldKind, is_required: bool) -> FormField {
        FormField {
            name: name.to_owned(),
            title: name.to_owned(),
            help: "what it is for 漢字".to_owned(),
            kind,
            is_required,
            default: String::new(),
        }
    }

    fn request() -> FormRequest {
        let text = FieldKind::Text {
            min_chars: 2,
            max_chars: 9,
            format: None,
        };
        let colours = [("r", "Red"), ("g", "Green")]
            .map(|(value, shown)| (value.to_owned(), shown.to_owned()));
        FormRequest {
            id: 7,
            form: QuestionForm {
                asker: "tickets".to_owned(),
                message: "Which project? \u{1b}[2J".to_owned(),
                fields: vec![
                    field("name", text, true),
                    field("public", FieldKind::Flag, false),
                    field("colour", FieldKind::Choice(colours.into()), false),
                ],
                address: None,
            },
            asked_by: None,
        }
    }

    fn answered(answer: FormAnswer) -> [Effect; 1] {
        [Effect::Send(Op::Turn(TurnOp::AnswerForm { id: 7, answer }))]
    }

    #[test]
    fn the_form_at_its_sizes() {
        let stage = OverlayStage::empty();
        fixture::assert_looks!("form", stage, &mut Form::new(Box::new(request())));
        let shown = stage.draw(&mut Form::new(Box::new(request())), 80, 24);
        for words in [
            "the MCP server tickets asks",
            NO_SECRETS,
            "name*",
            "decline",
        ] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }

    #[test]
    fn what_is_filled_in_is_checked_and_sent_by_the_row_that_says_so() {
        let stage = OverlayStage::empty();
        let mut form = Form::new(Box::new(request()));
        let sent = stage.answer(&mut form, "Down Down Down Enter");
        assert_eq!(sent, []);
        assert!(stage.draw(&mut form, 80, 24).contains("! name is missing"));
        assert_eq!(stage.answer(&mut form, "Enter a Enter"), []);
        assert!(
            stage
                .draw(&mut form, 80, 24)
                .contains("2 to 9 characters, not 1")
        );
        let script = "b Enter Enter Down Enter Enter Down Enter";
        let sent = stage.answer(&mut form, script);
        let content = json!({"name": "ab", "public": true, "colour": "g"});
        let content = content.as_object().unwrap().clone();
        assert_eq!(sent, answered(FormAnswer::Accept(content)));
    }

    #[test]
    fn a_form_is_declined_cancelled_and_closed() {
        let stage = OverlayStage::empty();
        let script = "Down Down Down Down Enter";
        let sent = stage.answer(&mut Form::new(Box::new(request())), script);
        assert_eq!(sent, answered(FormAnswer::Decline));
        let sent = stage.answer(&mut Form::new(Box::new(request())), "Esc");
        assert_eq!(sent, answered(FormAnswer::Cancel));
        assert_eq!(
            stage.answer(&mut Form::new(Box::new(request())), "y n 1 space"),
            []
        );
        let close = |id| AgentEvent::Turn(TurnEvent::FormClosed { id });
        let mut form = Form::new(Box::new(request()));
        assert!(matches!(
            stage.report(&mut form, &close(6)),
            Reaction::Ignored
        ));
        assert!(matches!(
            stage.report(&mut form, &close(7)),
            Reaction::Close(_)
        ));
    }

    #[test]
    fn an_address_is_shown_and_opened_or_copied_only_by_the_row_that_says_so() {
        let stage = OverlayStage::empty();
        let address = "https://tickets.example/login?x=1";
        let mut request = request();
        request.form.fields.clear();
        request.asked_by = Some(AskingChild {
            id: ChildId::new(2),
            agent: "explore".to_owned(),
            task: "find it".to_owned(),
        });
        request.form.address = Some(address.to_owned());
        let mut form = Form::new(Box::new(request));
        let shown = stage.draw(&mut form, 80, 24);
        assert!(shown.contains(address), "{shown}");
        assert!(
            shown.contains("open tickets.example in the browser"),
            "{shown}"
        );
        assert!(
            shown.contains("asked by agent 2 (explore: find it)"),
            "{shown}"
        );
        assert_eq!(stage.answer(&mut form, "y o space"), []);
        let opened = stage.answer(&mut form, "Enter");
        assert_eq!(opened, [Effect::Browse(address.to_owned())]);
        let copied = stage.answer(&mut form, "Down Enter");
        assert_eq!(copied, [Effect::Copy(address.to_owned())]);
        let sent = stage.answer(&mut form, "Down Enter");
        assert_eq!(sent, answered(FormAnswer::Accept(Map::new())));
    }
}
