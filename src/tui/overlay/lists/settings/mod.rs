//! Every setting with its value, where that came from, what it does and what it accepts.
//! Typing filters the list; Enter changes the selected one for this session, further keys
//! keep it in a file or take it out again.
//!
//! Invariant: what is drawn is the value that the agent said it uses.

mod draw;
mod rows;
#[cfg(test)]
mod tests;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::{Overlay, OverlayScene, Reaction, hints};
use crate::agent::{
    AgentEvent, Op, QueryReply, SettingOp, SettingOutcome, SettingState, SettingsReport,
};
use crate::config::{
    ChangeEffect, InterfacePart, LivePart, Setting, SettingKind, SettingValue, Settings as Values,
    SettingsFile, find,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::theme;
use crate::tui::widget::{ListCursor, TextField};

/// The list.
pub struct Settings {
    report: SettingsReport,
    /// Names of the themes there are.
    themes: Vec<String>,
    filter: TextField,
    cursor: ListCursor,
    /// Positions in the report's rows, in the order of the screen.
    found: Vec<usize>,
    editing: Option<ValueEditor>,
    /// The outcome of the newest change.
    said: Option<SettingRemark>,
}

/// How the selected value is being changed.
enum ValueEditor {
    /// The text that the user types.
    Typed(TextField),
    /// One of several names is chosen.
    Chosen { names: Vec<String>, at: usize },
}

/// A sentence about one setting.
struct SettingRemark {
    key: &'static str,
    text: String,
    is_refused: bool,
}

impl From<&SettingOutcome> for SettingRemark {
    fn from(outcome: &SettingOutcome) -> Self {
        Self {
            key: outcome.key,
            text: outcome.text.clone(),
            is_refused: outcome.is_refused,
        }
    }
}

impl Settings {
    /// The name of the screen.
    pub const NAME: &'static str = "settings";

    /// Shows these, filtered by what is sought; `themes` are those there are.
    pub fn new(report: SettingsReport, sought: &str, themes: &[String]) -> Self {
        let mut it = Self {
            report,
            themes: themes.to_vec(),
            filter: TextField::new(sought),
            cursor: ListCursor::default(),
            found: Vec::new(),
            editing: None,
            said: None,
        };
        it.narrow();
        it
    }

    fn narrow(&mut self) {
        self.found = rows::found(&self.report.rows, &self.filter.text());
        self.cursor.select(0, self.found.len());
    }

    fn selected(&self) -> Option<(&SettingState, &'static Setting)> {
        let at = self.found.get(self.cursor.selected())?;
        let state = self.report.rows.get(*at)?;
        Some((state, find(state.key)?.0))
    }

    /// Enter: a switch is turned over, everything else is asked for in its row.
    fn begin(&mut self) -> Reaction {
        let Some((state, setting)) = self.selected() else {
            return Reaction::Consumed;
        };
        let value = rows::newest(state);
        if let (SettingKind::Bool, SettingValue::Bool(on)) = (setting.kind, value) {
            return set(setting, SettingValue::Bool(!on));
        }
        self.editing = Some(match self.names(setting) {
            Some(names) => {
                let now = value.as_text();
                let at = names.iter().position(|name| Some(name.as_str()) == now);
                let at = at.unwrap_or_default();
                ValueEditor::Chosen { names, at }
            }
            None => ValueEditor::Typed(TextField::new(&rows::editable(value))),
        });
        self.said = None;
        Reaction::Consumed
    }

    /// The names that a setting chooses from.
    fn names(&self, setting: &Setting) -> Option<Vec<String>> {
        match setting.kind {
            SettingKind::Choice(names) => Some(names.iter().map(|&name| name.to_owned()).collect()),
            // The table cannot know them: users have their own.
            _ if setting.applies
                == ChangeEffect::Live(LivePart::Interface(InterfacePart::Theme))
                && !self.themes.is_empty() =>
            {
                let automatic = [theme::AUTO.to_owned()];
                Some(automatic.into_iter().chain(self.themes.clone()).collect())
            }
            _ => None,
        }
    }

    /// Enter while a value is asked for: sent, or refused with what would be accepted.
    fn finish(&mut self) -> Reaction {
        let Some((_, setting)) = self.selected() else {
            return Reaction::Consumed;
        };
        let text = match &self.editing {
            Some(ValueEditor::Typed(field)) => field.text(),
            Some(ValueEditor::Chosen { names, at }) => names.get(*at).cloned().unwrap_or_default(),
            None => return Reaction::Consumed,
        };
        if let Some(expected) = refusal(setting, &text) {
            self.said = Some(SettingRemark {
                key: setting.key,
                text: format!("refused: expected {expected}"),
                is_refused: true,
            });
            return Reaction::Consumed;
        }
        self.editing = None;
        set(setting, SettingValue::Text(text))
    }

    fn on_editing_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(self.own_screen(), key);
        match action {
            Some(ScreenAction::Back) => {
                self.editing = None;
                self.said = None;
                return Reaction::Consumed;
            }
            Some(ScreenAction::Open) => return self.finish(),
            _ => {}
        }
        match &mut self.editing {
            Some(ValueEditor::Typed(field)) => {
                field.on_key(key);
            }
            Some(ValueEditor::Chosen { names, at }) => {
                let count = names.len().max(1);
                match action {
                    Some(ScreenAction::NextValue { forward: true }) => *at = (*at + 1) % count,
                    Some(ScreenAction::NextValue { forward: false }) => {
                        *at = (*at + count - 1) % count;
                    }
                    _ => {}
                }
            }
            None => {}
        }
        Reaction::Consumed
    }

    fn own_screen(&self) -> Screen {
        match self.editing {
            None => Screen::Settings,
            Some(ValueEditor::Typed(_)) => Screen::Field,
            Some(ValueEditor::Chosen { .. }) => Screen::SettingChoice,
        }
    }

    fn save(&self, place: SettingsFile) -> Reaction {
        self.ask(|key| SettingOp::Save { key, place })
    }

    fn ask(&self, op: impl FnOnce(String) -> SettingOp) -> Reaction {
        match self.selected() {
            Some((state, _)) => act(op(state.key.to_owned())),
            None => Reaction::Consumed,
        }
    }
}

fn act(op: SettingOp) -> Reaction {
    Reaction::Act(vec![Effect::Send(Op::Setting(op))])
}

fn set(setting: &Setting, value: SettingValue) -> Reaction {
    Reaction::Act(vec![Effect::change_setting(setting.key, value)])
}

/// The accepted values, when a text is not one.
fn refusal(setting: &Setting, text: &str) -> Option<String> {
    let value = setting.parse_text(text);
    let takes_file = matches!(setting.kind, SettingKind::Prompt | SettingKind::Template);
    if takes_file && value.as_text().is_some_and(|text| text.starts_with('@')) {
        // Whether there is such a file, whoever reads it says.
        return None;
    }
    setting.set(&mut Values::default(), &value).err()
}

impl Overlay for Settings {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn screen(&self) -> Option<Screen> {
        Some(self.own_screen())
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        if self.editing.is_some() {
            return self.on_editing_key(key, scene);
        }
        let action = scene.keymap.screen_action(Screen::Settings, key);
        match action {
            Some(ScreenAction::Back) if !self.filter.text().is_empty() => {
                self.filter = TextField::default();
                self.narrow();
                return Reaction::Consumed;
            }
            Some(ScreenAction::Back) => return Reaction::Close(Vec::new()),
            Some(ScreenAction::Open) => return self.begin(),
            Some(ScreenAction::Save) => return self.save(SettingsFile::User),
            Some(ScreenAction::SaveInProject) => return self.save(SettingsFile::Project),
            Some(ScreenAction::Reset) => return self.ask(|key| SettingOp::Reset { key }),
            _ => {}
        }
        if hints::scrolls_list(&mut self.cursor, action, self.found.len()) {
            return Reaction::Consumed;
        }
        if self.filter.on_key(key) {
            self.narrow();
        } else {
            return Reaction::Ignored;
        }
        Reaction::Consumed
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        match &mut self.editing {
            Some(ValueEditor::Typed(field)) => field.insert(text),
            Some(ValueEditor::Chosen { .. }) => {}
            None => {
                self.filter.insert(text);
                self.narrow();
            }
        }
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Reply {
            reply: QueryReply::Settings(report),
            ..
        } = event
        else {
            return Reaction::Ignored;
        };
        self.report = SettingsReport::clone(report);
        self.said = report.outcome.as_ref().map(SettingRemark::from);
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let lines = draw::lines(self);
        let at = draw::selected_line(self, &lines);
        let height = draw::body(area, scene).height;
        self.cursor.layout_around(at, height, lines.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::screen(self, area, buffer, scene)
    }
}
