//! Asks before a tool runs: what, where, with the diff of an edit. A panel at the bottom,
//! so that the conversation that led here stays readable.
//!
//! Invariant: a call is allowed only by the key that chooses a row, and by nothing that is
//! typed; the key that refuses is no.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{AgentEvent, ApprovalDecision, ApprovalRequest, Op, TurnEvent, TurnOp};
use crate::config::DiffSides;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::question::{
    self, PanelLayout, Question, QuestionChoice, QuestionKey, QuestionWords,
};
use crate::tui::render::{diff, safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ScrollLines, TextField, paint};

/// Rows per page of what is asked about: about a panel on a small screen.
const PAGE_ROWS: isize = 10;

/// The tool whose calls people call commands.
const SHELL: &str = "shell";

/// Columns of a pattern in its row; all of it is shown before it counts.
const PATTERN_COLUMNS: usize = 40;

/// The question.
pub struct Approval {
    request: Box<ApprovalRequest>,
    has_keyboard: bool,
    selected: usize,
    /// The row whose text field is open.
    field: Option<ApprovalAnswer>,
    reason: TextField,
    pattern: TextField,
    /// The pattern ends with the session, instead of holding in this folder.
    ends_with_session: bool,
    /// The subject of the question.
    body: ScrollLines,
    /// How `body` was laid out.
    laid_out: Option<BodyKey>,
}

/// All that the lines of the body depend on, beside the request.
#[derive(Clone, PartialEq)]
struct BodyKey {
    width: u16,
    theme: Theme,
    code_generation: u64,
    diff_sides: DiffSides,
    /// The pattern that is being written.
    pattern: Option<String>,
}

/// A row of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ApprovalAnswer {
    Once,
    Deny,
    Pattern,
    All,
}

impl ApprovalAnswer {
    /// The place of the keys of its field.
    fn screen(self) -> Screen {
        match self {
            Self::Pattern => Screen::Pattern,
            Self::Once | Self::Deny | Self::All => Screen::Field,
        }
    }
}

impl Approval {
    /// Asks about this request.
    pub fn new(request: Box<ApprovalRequest>) -> Self {
        Self {
            pattern: TextField::new(&request.pattern),
            request,
            has_keyboard: false,
            selected: 0,
            field: None,
            reason: TextField::default(),
            ends_with_session: false,
            body: ScrollLines::default(),
            laid_out: None,
        }
    }

    /// The rows: what grants least first. A call without a pattern has no row for one.
    fn answers(&self) -> Vec<ApprovalAnswer> {
        let all = [
            ApprovalAnswer::Once,
            ApprovalAnswer::Deny,
            ApprovalAnswer::Pattern,
            ApprovalAnswer::All,
        ];
        let has_pattern = !self.request.pattern.trim().is_empty();
        all.into_iter()
            .filter(|it| *it != ApprovalAnswer::Pattern || has_pattern)
            .collect()
    }

    fn selected(&self) -> ApprovalAnswer {
        let found = self.answers().get(self.selected).copied();
        found.unwrap_or(ApprovalAnswer::Once)
    }

    fn choice(&self, answer: ApprovalAnswer) -> QuestionChoice {
        match answer {
            ApprovalAnswer::Once => QuestionChoice::new("allow once"),
            ApprovalAnswer::Deny => QuestionChoice::new("deny and say why"),
            ApprovalAnswer::Pattern => {
                if self.request.pattern.trim() == "*" {
                    let what = self.whole_tool();
                    return QuestionChoice {
                        words: format!("allow all {what} always"),
                        short: format!("always all {what}"),
                    };
                }
                let pattern = safe::one_line(&self.request.pattern, PATTERN_COLUMNS);
                QuestionChoice {
                    words: format!("allow `{pattern}` always"),
                    short: format!("always `{pattern}`"),
                }
            }
            ApprovalAnswer::All => {
                let what = self.whole_tool();
                QuestionChoice {
                    words: format!("allow ALL {what} until you quit"),
                    short: format!("ALL {what} until you quit"),
                }
            }
        }
    }

    /// Everything that the last row allows.
    fn whole_tool(&self) -> String {
        match self.request.call.name.as_str() {
            SHELL => "shell commands".to_owned(),
            name => format!("calls of {}", safe::one_line(name, 20)),
        }
    }

    /// The action of Enter, for the hint.
    fn choose_words(&self) -> &'static str {
        match (self.field, self.selected()) {
            (Some(ApprovalAnswer::Pattern), _) if self.ends_with_session => "allow until you quit",
            (Some(ApprovalAnswer::Pattern), _) => "allow always in this folder",
            (Some(_), _) if self.reason.is_blank() => "deny",
            (Some(_), _) => "deny with these words",
            (None, ApprovalAnswer::Once) => "allow once",
            (None, ApprovalAnswer::Deny) => "deny and say why",
            (None, ApprovalAnswer::Pattern) => "see the pattern, then allow",
            (None, ApprovalAnswer::All) => "allow ALL until you quit",
        }
    }

    fn choose(&mut self) -> Reaction {
        match self.selected() {
            ApprovalAnswer::Once => self.answer(ApprovalDecision::Once),
            ApprovalAnswer::All => self.answer(ApprovalDecision::Session),
            with_field @ (ApprovalAnswer::Deny | ApprovalAnswer::Pattern) => {
                self.field = Some(with_field);
                Reaction::Consumed
            }
        }
    }

    /// Sends the answer. Words that were to go with another one stay with the user.
    fn answer(&self, decision: ApprovalDecision) -> Reaction {
        let says_why = matches!(decision, ApprovalDecision::Deny { feedback: Some(_) });
        let effects = vec![Effect::Send(Op::Turn(TurnOp::Approve {
            id: self.request.id,
            decision,
        }))];
        if says_why || self.reason.is_blank() {
            return Reaction::Close(effects);
        }
        Reaction::Return(self.reason.text(), effects)
    }

    fn take_field(&self, answer: ApprovalAnswer) -> Reaction {
        if answer != ApprovalAnswer::Pattern {
            let words = self.reason.text().trim().to_owned();
            let feedback = (!words.is_empty()).then_some(words);
            return self.answer(ApprovalDecision::Deny { feedback });
        }
        let pattern = self.pattern.text();
        if self.pattern.is_blank() {
            Reaction::Consumed
        } else if self.ends_with_session {
            self.answer(ApprovalDecision::Pattern(pattern))
        } else {
            self.answer(ApprovalDecision::Always(pattern))
        }
    }

    fn on_field_key(
        &mut self,
        answer: ApprovalAnswer,
        key: KeyEvent,
        scene: &OverlayScene<'_>,
    ) -> Reaction {
        let is_pattern = answer == ApprovalAnswer::Pattern;
        match scene.keymap.screen_action(answer.screen(), key) {
            Some(ScreenAction::Back) => self.field = None,
            Some(ScreenAction::Open) => return self.take_field(answer),
            Some(ScreenAction::Duration) => self.ends_with_session ^= true,
            _ if is_pattern => drop(self.pattern.on_key(key)),
            _ => drop(self.reason.on_key(key)),
        }
        Reaction::Consumed
    }

    fn scroll(&mut self, rows: isize) -> Reaction {
        if self.body.fits() {
            return Reaction::Ignored;
        }
        self.body.by(rows);
        Reaction::Consumed
    }

    /// The title of the call is in the rule when it fits there beside the diff.
    fn title_is_in_rule(&self, width: u16) -> bool {
        let title = &self.request.title;
        let is_plain = safe::one_line(title, title.len()) == *title;
        let room = usize::from(width).saturating_sub(TITLE_TAKEN_COLUMNS);
        self.request.diff.is_some() && is_plain && wrap::width(title) <= room
    }

    /// The scrolled part: the whole title, the arguments or the diff.
    fn body_lines(&self, width: u16, scene: &OverlayScene<'_>) -> Vec<Line<'static>> {
        let (request, theme) = (&self.request, scene.theme);
        let mut lines = Vec::new();
        // A field shows only the end of what is longer than its row.
        if self.field == Some(ApprovalAnswer::Pattern) {
            let text = format!("will be allowed: {}", self.pattern.text());
            lines.extend(wrapped(&text, width, theme.accent));
        }
        if let Some(child) = &request.asked_by {
            let text = format!("asked by {}", child.label());
            lines.extend(wrapped(&text, width, theme.accent));
        }
        for path in &request.outside {
            let text = format!("! outside the workspace: {}", path.display());
            lines.extend(wrapped(&text, width, theme.warning));
        }
        for caution in &request.cautions {
            lines.extend(wrapped(&format!("! {caution}"), width, theme.warning));
        }
        if !self.title_is_in_rule(width) {
            lines.extend(wrapped(&request.title, width, theme.text));
        }
        match &request.diff {
            Some(text) => {
                let look = scene.diff_look(width, &request.title);
                lines.extend(diff::lines(diff::without_names(text), &look));
            }
            // Then the title is the arguments, whole.
            None if serde_json::to_string(&request.call.arguments_object())
                .is_ok_and(|all| all == request.title) => {}
            None => {
                for (name, value) in request.call.arguments_object() {
                    let value = value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned);
                    // The title says it already.
                    if value == request.title {
                        continue;
                    }
                    lines.extend(wrapped(&format!("{name}: {value}"), width, theme.dim));
                }
            }
        }
        lines
    }

    /// How far the body is scrolled at first: where only lines around a change would be in
    /// sight, to the change. Warnings are always read first.
    fn first_change(&self, lines: &[Line<'_>], room: u16) -> isize {
        let has_warnings = !self.request.outside.is_empty() || !self.request.cautions.is_empty();
        let change = diff::first_change(lines);
        // Both sides of a changed line are in sight.
        if has_warnings || self.request.diff.is_none() || change + 1 < usize::from(room) {
            return 0;
        }
        isize::try_from(change).unwrap_or(0)
    }

    fn panel(&self, area: Rect, body_rows: usize) -> PanelLayout {
        let choices = if self.field.is_some() {
            1
        } else {
            self.answers().len()
        };
        PanelLayout::of(area, body_rows, choices)
    }

    /// Lines out of sight, and the key to them: those below before those above.
    fn hidden_lines(&self) -> Option<(&'static str, usize, QuestionKey)> {
        match (self.body.below(), self.body.above()) {
            (0, 0) => None,
            (0, above) => Some(("↑", above, QuestionKey::PageUp)),
            (below, _) => Some(("↓", below, QuestionKey::PageDown)),
        }
    }

    fn draw_title(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
        let theme = scene.theme;
        paint::rule(buffer, area, 0, theme);
        let name = safe::one_line(&self.request.call.name, 30);
        let what = if self.title_is_in_rule(inner_width(area)) {
            format!("{name} {}", self.request.title)
        } else {
            name
        };
        let title = format!(" allow {what}? ");
        let mut used = 1 + paint::text(buffer, area, (1, 0), area.width, &title, theme.warning);
        if let Some((sign, count, key)) = self.hidden_lines() {
            let key = question::key_name(scene.keymap, key);
            let key = key.map_or_else(String::new, |key| format!("· {key} "));
            let words = if area.width < ROOMY_COLUMNS {
                ""
            } else {
                "more lines "
            };
            let more = format!("{sign} {count} {words}{key}");
            used += paint::text(buffer, area, (used, 0), area.width, &more, theme.accent);
        }
        let place = safe::one_line(&self.request.cwd.to_string_lossy(), 40);
        paint::right(
            buffer,
            area,
            (used + 2, 0),
            &format!(" in {place} "),
            theme.dim,
        );
    }

    /// The rows to choose from, or the field of the chosen one.
    fn draw_answers(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        scene: &OverlayScene<'_>,
    ) -> Option<Position> {
        let (label, field) = match self.field {
            None => {
                let answers = self.answers().into_iter();
                let choices: Vec<QuestionChoice> = answers.map(|it| self.choice(it)).collect();
                question::draw_choices(area, buffer, &choices, self.selected, scene);
                return None;
            }
            Some(ApprovalAnswer::Pattern) if self.ends_with_session => {
                ("until you quit, allow: ", &self.pattern)
            }
            Some(ApprovalAnswer::Pattern) => ("always allow here: ", &self.pattern),
            Some(_) => ("deny, because: ", &self.reason),
        };
        let (theme, row) = (scene.theme, 0);
        field.draw(area, row, buffer, label, theme.accent, theme.text)
    }

    fn hints(&self, scene: &OverlayScene<'_>) -> Vec<(String, String)> {
        let choose = self.choose_words();
        let Some(answer) = self.field else {
            let words = QuestionWords {
                choose,
                refuse: "deny and stop",
                has_rows: true,
            };
            return question::hints(scene, &words);
        };
        let mut hints = vec![("Enter:", choose), ("Esc:", "back to the list")];
        if answer == ApprovalAnswer::Pattern {
            let other = if self.ends_with_session {
                "always in this folder"
            } else {
                "only until you quit"
            };
            hints.push(("Tab:", other));
        }
        let owned = |(key, what): (&str, &str)| (key.to_owned(), what.to_owned());
        hints.into_iter().map(owned).collect()
    }
}

/// From this width on the title says how much is below in words.
const ROOMY_COLUMNS: u16 = 60;

/// Columns of the rule that the title of a call leaves to the question and what is below.
const TITLE_TAKEN_COLUMNS: usize = 24;

fn wrapped(text: &str, width: u16, style: Style) -> Vec<Line<'static>> {
    let visible = safe::visible(text).into_owned();
    let lines = visible.lines().flat_map(|line| {
        let line = wrap::expand_tabs(line).into_owned();
        wrap::wrap(&Line::styled(line, style), width)
    });
    lines.collect()
}

fn inner_width(area: Rect) -> u16 {
    area.width.saturating_sub(2).max(1)
}

impl Question for Approval {
    fn has_keyboard(&self) -> bool {
        self.has_keyboard
    }

    fn give_keyboard(&mut self, has: bool) {
        self.has_keyboard = has;
        if !has {
            // Whoever comes back finds what grants least.
            (self.selected, self.field) = (0, None);
        }
    }

    fn takes_text(&self) -> bool {
        self.field.is_some()
    }

    fn on_question_key(&mut self, key: QuestionKey, _scene: &OverlayScene<'_>) -> Reaction {
        let last = self.answers().len().saturating_sub(1);
        match key {
            QuestionKey::Up => self.selected = self.selected.saturating_sub(1),
            QuestionKey::Down => self.selected = (self.selected + 1).min(last),
            QuestionKey::Choose => return self.choose(),
            QuestionKey::Refuse => return self.answer(ApprovalDecision::Deny { feedback: None }),
            QuestionKey::PageUp => return self.scroll(-PAGE_ROWS),
            QuestionKey::PageDown => return self.scroll(PAGE_ROWS),
            QuestionKey::Switch => return Reaction::Ignored,
        }
        Reaction::Consumed
    }
}

impl Overlay for Approval {
    fn name(&self) -> &'static str {
        "approval"
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
        let width = inner_width(area);
        let field = self.field == Some(ApprovalAnswer::Pattern);
        let key = BodyKey {
            width,
            theme: scene.theme.clone(),
            code_generation: scene.highlighter.generation(),
            diff_sides: scene.diff_sides,
            pattern: field.then(|| self.pattern.text()),
        };
        if self.laid_out.as_ref() == Some(&key) {
            let room = self.panel(area, self.body.count()).body.height;
            self.body.resize(room);
            return;
        }
        let lines = self.body_lines(width, scene);
        let room = self.panel(area, lines.len()).body.height;
        let change = self.first_change(&lines, room);
        self.body.layout(lines, room);
        if self.laid_out.replace(key).is_none() {
            self.body.by(change);
        }
    }

    fn rows(&self, area: Rect) -> u16 {
        self.panel(area, self.body.count()).panel.height
    }

    fn screen(&self) -> Option<Screen> {
        self.field.map(ApprovalAnswer::screen)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        match self.field {
            Some(answer) => self.on_field_key(answer, key, scene),
            None => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        match self.field {
            Some(ApprovalAnswer::Pattern) => self.pattern.insert(text),
            Some(_) => self.reason.insert(text),
            None => return Reaction::Ignored,
        }
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Turn(TurnEvent::ApprovalClosed { id }) = event else {
            return Reaction::Ignored;
        };
        if *id != self.request.id {
            return Reaction::Ignored;
        }
        if self.reason.is_blank() {
            return Reaction::Close(Vec::new());
        }
        Reaction::Return(self.reason.text(), Vec::new())
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let layout = self.panel(area, self.body.count());
        paint::clear(buffer, layout.panel, theme.text);
        self.body.draw(layout.body, 1, buffer);
        self.draw_title(layout.panel, buffer, scene);
        let caret = self.draw_answers(paint::margin(layout.choices), buffer, scene);
        question::draw_hints(layout.panel, buffer, &self.hints(scene), scene);
        caret
    }
}

#[cfg(test)]
mod tests;
