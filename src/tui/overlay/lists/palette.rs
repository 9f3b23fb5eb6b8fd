//! The palette: one list of all that can be done by name. Commands, keys' actions, themes,
//! models and sessions; a few letters find a row, Enter does it.
//!
//! Knows what can be done, not how: that is for whoever the reaction reaches.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::super::{Overlay, OverlayExit, OverlayScene, Reaction};
use super::picker::{Picker, PickerChoice};
use crate::agent::{
    AgentEvent, ModelChoice, Op, QueryReply, SessionEvent, SessionList, SessionListing, SessionOp,
    SettingOp,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Screen, ScreenAction};
use crate::tui::render::safe;
use crate::tui::theme::Theme;

/// No name is worth more columns than this.
const NAME_COLUMNS: usize = 80;

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteOffer {
    /// The name; typing is matched against it first.
    pub name: String,
    /// The description; matched as well.
    pub help: String,
    /// Its kind, or its key.
    pub kind: String,
    /// The act of Enter.
    pub act: PaletteAct,
}

/// The act of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteAct {
    /// Runs a slash command, named without the slash.
    Command(String),
    /// The action of a key.
    Key(Action),
    /// Asks the agent.
    Ask(Op),
    /// Uses a theme.
    Theme(String),
}

impl PickerChoice for PaletteOffer {
    const LABEL_GIVES_WAY: bool = true;

    fn label(&self) -> String {
        safe::one_line(&self.name, NAME_COLUMNS)
    }

    fn sought(&self) -> String {
        format!("{} {}", self.name, self.help)
    }

    fn remarks(&self, _scene: &OverlayScene<'_>) -> Vec<String> {
        vec![self.help.clone(), self.kind.clone()]
    }

    fn style(&self, theme: &Theme) -> Style {
        theme.text
    }
}

/// Shows the palette.
pub struct Palette {
    picker: Picker<PaletteOffer>,
    /// Offers that are there from the start; models and sessions follow later.
    own: Vec<PaletteOffer>,
    models: Vec<PaletteOffer>,
    sessions: Vec<PaletteOffer>,
}

impl Palette {
    /// The name of the screen.
    pub const NAME: &'static str = "palette";

    /// A palette of these; models and sessions are added as the agent names them.
    pub fn new(own: Vec<PaletteOffer>) -> Self {
        Self {
            picker: Picker::new(own.clone()),
            own,
            models: Vec::new(),
            sessions: Vec::new(),
        }
    }

    /// Replaces the offers that do not come from the agent.
    pub fn offer(&mut self, offers: Vec<PaletteOffer>) {
        self.own = offers;
        self.grow();
    }

    /// More is known: the list grows at its end, and the selected row stays selected.
    fn grow(&mut self) {
        let parts = [&self.own, &self.models, &self.sessions];
        let all = parts.into_iter().flatten().cloned().collect();
        self.picker.replace(all);
    }

    fn choose(&self) -> Reaction {
        let Some(offer) = self.picker.selected() else {
            return Reaction::Consumed;
        };
        match offer.act.clone() {
            PaletteAct::Command(name) => Reaction::Leave(OverlayExit::Command(name), Vec::new()),
            PaletteAct::Key(action) => Reaction::Leave(OverlayExit::Act(action), Vec::new()),
            PaletteAct::Ask(op) => Reaction::Close(vec![Effect::Send(op)]),
            PaletteAct::Theme(name) => Reaction::Close(vec![Effect::KeepTheme(name)]),
        }
    }
}

fn of_model(choice: &ModelChoice) -> PaletteOffer {
    PaletteOffer {
        name: choice.model.label(),
        help: choice.missing.as_ref().map_or_else(
            || "answers from now on".to_owned(),
            |missing| format!("× {missing}"),
        ),
        kind: "model".to_owned(),
        act: PaletteAct::Ask(Op::Setting(SettingOp::Model(choice.model.clone()))),
    }
}

/// The open session is not offered: it is open.
fn of_sessions(list: &SessionList) -> Vec<PaletteOffer> {
    let others = list.sessions.iter();
    others
        .filter(|session| list.open.as_ref() != Some(&session.path))
        .map(of_session)
        .collect()
}

fn of_session(session: &SessionListing) -> PaletteOffer {
    let name = session.label();
    PaletteOffer {
        name: if name.is_empty() {
            session.id.clone()
        } else {
            name.to_owned()
        },
        help: format!("opens this session ({})", session.id),
        kind: "session".to_owned(),
        act: PaletteAct::Ask(Op::Session(SessionOp::Resume(session.path.clone()))),
    }
}

impl Overlay for Palette {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Palette)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Palette, key);
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Open) => self.choose(),
            _ if self.picker.on_key(key, action) => Reaction::Consumed,
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        self.picker.paste(text);
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if let AgentEvent::Reply {
            reply: QueryReply::Models(models),
            ..
        }
        | AgentEvent::Session(SessionEvent::ModelsListed(models)) = event
        {
            self.models = models.iter().map(of_model).collect();
        } else if let AgentEvent::Reply {
            reply: QueryReply::Sessions(list),
            ..
        } = event
        {
            self.sessions = of_sessions(list);
        } else {
            return Reaction::Ignored;
        }
        self.grow();
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        self.picker.layout(area, Screen::Palette, scene);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        self.picker
            .draw(Self::NAME, Screen::Palette, area, buffer, scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::ModelRef;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn offer(name: &str, help: &str, kind: &str, act: PaletteAct) -> PaletteOffer {
        PaletteOffer {
            name: name.to_owned(),
            help: help.to_owned(),
            kind: kind.to_owned(),
            act,
        }
    }

    fn palette() -> Palette {
        let command = PaletteAct::Command("context".to_owned());
        let theme = PaletteAct::Theme("dark".to_owned());
        Palette::new(vec![
            offer("/context", "what is in the window", "command", command),
            offer(
                "suspend",
                "suspend",
                "ctrl-z",
                PaletteAct::Key(Action::Suspend),
            ),
            offer(fixture::HOSTILE, fixture::HOSTILE, "theme", theme),
        ])
    }

    fn models() -> AgentEvent {
        AgentEvent::reply(QueryReply::Models(vec![ModelChoice {
            missing: Some("no key: set ANTHROPIC_API_KEY".to_owned()),
            ..ModelChoice::ready("claude-haiku")
        }]))
    }

    #[test]
    fn what_comes_later_is_found_and_moves_nothing() {
        let stage = OverlayStage::empty();
        let mut it = palette();
        stage.press(&mut it, "Down");
        stage.report(&mut it, &models());
        assert_eq!(it.picker.selected().unwrap().kind, "ctrl-z");
        let haiku = Op::Setting(SettingOp::Model(ModelRef::new("anthropic", "claude-haiku")));
        let effects = stage.press(&mut it, "h a i k u Enter");
        assert_eq!(effects, [Effect::Send(haiku)]);
    }

    #[test]
    fn a_name_that_begins_so_comes_before_help_that_mentions_it() {
        let offer = |name: &str, help: &str| PaletteOffer {
            name: name.to_owned(),
            help: help.to_owned(),
            kind: "command".to_owned(),
            act: PaletteAct::Command(name.to_owned()),
        };
        let stage = OverlayStage::empty();
        let mut it = Palette::new(vec![
            offer("/summary", "comp comp: all compactions"),
            offer("/uncompact", "undo the newest compaction"),
            offer("/compact", "summarise older messages"),
        ]);
        stage.press(&mut it, "c o m p");
        assert_eq!(it.picker.selected().unwrap().name, "/compact");
        stage.press(&mut it, "Down");
        assert_eq!(it.picker.selected().unwrap().name, "/uncompact");
    }

    #[test]
    fn words_of_the_help_find_a_row_too() {
        let stage = OverlayStage::empty();
        let mut it = palette();
        stage.press(&mut it, "w i n d o w");
        assert_eq!(it.picker.selected().unwrap().name, "/context");
        stage.press(&mut it, "z z z");
        assert!(stage.press(&mut it, "Enter").is_empty());
    }

    #[test]
    fn the_palette_is_safe_at_all_sizes() {
        let stage = OverlayStage::empty();
        let mut it = palette();
        stage.report(&mut it, &models());
        insta::assert_snapshot!("palette_40x12", stage.draw(&mut it, 40, 12));
        fixture::assert_safe_at_all_sizes(&stage, &mut it);
    }
}
