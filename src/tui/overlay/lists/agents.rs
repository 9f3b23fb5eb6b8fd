//! Sub-agents: which, their state, how loaded they are. Opens one to read along and stops one.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::super::hints::{self, ScreenHints};
use super::super::inspect::agent::AgentView;
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{AgentEvent, ChildEvent, ChildInfo, ChildState, Op, Query, QueryReply, TurnOp};
use crate::tui::effect::Effect;
use crate::tui::gauge;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, Page, ScrollMotion, VisibleItem, paint};

/// From this width on the gauge has room beside the task.
const GAUGE_FROM: u16 = 70;

/// The list.
pub struct Agents {
    agents: Vec<ChildInfo>,
    cursor: ListCursor,
}

impl Agents {
    /// Shows these, oldest first, and selects the newest.
    pub fn new(agents: Vec<ChildInfo>) -> Self {
        let mut cursor = ListCursor::default();
        cursor.motion(ScrollMotion::Last, agents.len());
        Self { agents, cursor }
    }

    fn selected(&self) -> Option<&ChildInfo> {
        self.agents.get(self.cursor.selected())
    }

    fn row(&self, item: VisibleItem, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(agent) = self.agents.get(item.at) else {
            return;
        };
        let row = item.line;
        let (sign, style) = sign(agent.state, theme);
        let indent = "  ".repeat(agent.id.depth() - 1);
        let left = format!(
            "{indent}{sign} {} {}",
            agent.id,
            safe::one_line(&agent.agent, 20)
        );
        let mut used = 1 + paint::text(buffer, area, (1, row), area.width, &left, style);
        let right = right_half(agent, area.width, theme);
        let room = usize::from(area.width.saturating_sub(used)).saturating_sub(right.width() + 3);
        let task = match agent.doing.as_str() {
            "" => agent.task.clone(),
            doing => format!("{} · {doing}", agent.task),
        };
        let task = safe::one_line(&task, room);
        used += paint::text(buffer, area, (used + 1, row), area.width, &task, theme.text);
        let start = area.width.saturating_sub(right.width() as u16 + 1);
        paint::line(buffer, area, (start.max(used + 1), row), &right);
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
    }
}

/// Gauge and numbers, where they have room.
fn right_half(agent: &ChildInfo, width: u16, theme: &Theme) -> Line<'static> {
    if width < GAUGE_FROM {
        return Line::styled(agent.state.name(), theme.dim);
    }
    let mut spans = Vec::new();
    if agent.load.tokens > 0 {
        spans.extend(gauge::small(agent.load, theme));
        spans.push(Span::raw("  "));
    }
    spans.push(Span::styled(facts(agent), theme.dim));
    Line::from(spans)
}

/// The sign of a state and its colour.
pub(in crate::tui) fn sign(
    state: ChildState,
    theme: &Theme,
) -> (&'static str, ratatui::style::Style) {
    match state {
        ChildState::Running => ("▸", theme.accent),
        ChildState::Asking => ("?", theme.warning),
        ChildState::Done => ("✓", theme.dim),
        ChildState::Failed => ("✗", theme.error),
        ChildState::Stopped | ChildState::Interrupted => ("■", theme.warning),
    }
}

/// State, requests, tokens, price and time, in words.
pub(in crate::tui) fn facts(agent: &ChildInfo) -> String {
    let cost = agent.usage.cost_usd;
    let cost = cost.map_or_else(String::new, |usd| format!(" · ${usd:.4}"));
    let time = if agent.elapsed.is_zero() {
        String::new()
    } else {
        format!(" · {}", numbers::elapsed(agent.elapsed))
    };
    format!(
        "{} · {} · {} tok{cost}{time}",
        agent.state.name(),
        numbers::plural(agent.requests, "request"),
        numbers::tokens(agent.tokens_used()),
    )
}

impl Overlay for Agents {
    fn name(&self) -> &'static str {
        "agents"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Agents)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Agents, key);
        if hints::scrolls_list(&mut self.cursor, action, self.agents.len()) {
            return Reaction::Consumed;
        }
        match (action, self.selected()) {
            (Some(ScreenAction::Back), _) => Reaction::Close(Vec::new()),
            (Some(ScreenAction::Stop), Some(agent)) if !agent.state.is_over() => {
                let stop = TurnOp::StopChild(agent.id.clone());
                Reaction::Act(vec![Effect::Send(Op::Turn(stop))])
            }
            (Some(ScreenAction::Open), Some(agent)) => {
                let query = Op::query(Query::Child(agent.id.clone()));
                Reaction::Act(vec![Effect::Send(query)])
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if let AgentEvent::Reply {
            reply: QueryReply::Child(transcript),
            to: Some(_),
        } = event
        {
            return Reaction::Open(Box::new(AgentView::new(transcript)));
        }
        let AgentEvent::Child(ChildEvent::Listed(agents)) = event else {
            return Reaction::Ignored;
        };
        self.agents.clone_from(agents);
        self.cursor
            .select(self.cursor.selected(), self.agents.len());
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = hints::body(area, Screen::Agents, scene);
        self.cursor.layout(body.height, self.agents.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let running = self.agents.iter().filter(|it| !it.state.is_over()).count();
        let page = Page {
            title: "sub-agents",
            remark: &format!("{running} running"),
        };
        page.draw(area, buffer, theme);
        let is_running = self.selected().is_some_and(|it| !it.state.is_over());
        ScreenHints::of(Screen::Agents, scene)
            .only_if(is_running, ScreenAction::Stop)
            .draw(area, buffer);
        let body = hints::body(area, Screen::Agents, scene);
        for item in self.cursor.visible() {
            self.row(item, body, buffer, theme);
        }
        None
    }
}

/// One line about a sub-agent, for those who read lines.
pub(in crate::tui) fn in_words(agent: &ChildInfo) -> String {
    let doing = match agent.doing.as_str() {
        "" => String::new(),
        doing => format!(", {doing}"),
    };
    let load = match agent.load.window_tokens {
        Some(window) if agent.load.tokens > 0 => format!(
            ", context {} of {}",
            numbers::tokens(agent.load.tokens),
            numbers::tokens(window)
        ),
        _ => String::new(),
    };
    let label = wrap::expand_tabs(&agent.label()).into_owned();
    format!("{label}: {}{load}{doing}", facts(agent))
}

#[cfg(test)]
pub(in crate::tui) mod tests {
    use std::time::Duration;

    use super::*;
    use crate::agent::{ChildId, ChildLoad, ChildTranscript};
    use crate::transcript::{ModelRef, Usage};
    use crate::tui::overlay::fixture::{self, OverlayStage};

    pub(in crate::tui) fn agent(id: &str, state: ChildState) -> ChildInfo {
        ChildInfo {
            id: ChildId::from_text(id).unwrap(),
            agent: "explore".to_owned(),
            task: "find the parser 漢字".to_owned(),
            call_id: format!("c{id}"),
            state,
            doing: String::new(),
            model: ModelRef::new("p", "m"),
            load: ChildLoad {
                tokens: 45_000,
                window_tokens: Some(200_000),
            },
            requests: 3,
            usage: Usage {
                input_tokens: 61_000,
                output_tokens: 1_500,
                cost_usd: Some(0.21),
                ..Usage::default()
            },
            elapsed: Duration::from_secs(74),
            is_background: false,
            session: None,
        }
    }

    fn all() -> Vec<ChildInfo> {
        let mut running = agent("2", ChildState::Running);
        running.doing = "read src/\u{1b}[2Jmain.rs".to_owned();
        vec![
            agent("1", ChildState::Done),
            running,
            agent("2.1", ChildState::Asking),
            agent("3", ChildState::Failed),
            agent("4", ChildState::Interrupted),
        ]
    }

    #[test]
    fn agents_look_like_this() {
        let stage = OverlayStage::empty();
        let mut screen = Agents::new(all());
        fixture::assert_safe_at_all_sizes(&stage, &mut screen);
        let wide = stage.draw(&mut screen, 140, 24);
        for words in [
            "sub-agents",
            "2 running",
            "✓ 1 explore",
            "▸ 2 explore find the parser 漢字 · read src/",
            "? 2.1 explore",
            "45k of 200k",
            "done · 3 requests · 62.5k tok · $0.2100",
        ] {
            assert!(wide.contains(words), "{words}: {wide}");
        }
        assert!(stage.draw(&mut screen, 40, 12).contains("running"));
    }

    #[test]
    fn hostile_names_stay_text() {
        let stage = OverlayStage::empty();
        let mut hostile = agent("1", ChildState::Running);
        hostile.task = fixture::HOSTILE.to_owned();
        hostile.agent = fixture::HOSTILE.to_owned();
        let mut screen = Agents::new(vec![hostile]);
        fixture::assert_safe_at_all_sizes(&stage, &mut screen);
    }

    #[test]
    fn only_who_runs_is_stopped_and_one_opens_to_read_along() {
        let stage = OverlayStage::empty();
        let mut screen = Agents::new(all());
        assert_eq!(stage.press(&mut screen, "x"), []);
        let stop = TurnOp::StopChild(ChildId::from_text("2.1").unwrap());
        assert_eq!(
            stage.press(&mut screen, "k k x"),
            [Effect::Send(Op::Turn(stop))]
        );
        let id = ChildId::from_text("2.1").unwrap();
        assert_eq!(
            stage.press(&mut screen, "Enter"),
            [Effect::Send(Op::query(Query::Child(id)))]
        );
        let left = ChildEvent::Listed(vec![agent("1", ChildState::Done)]);
        stage.report(&mut screen, &AgentEvent::Child(left));
        assert!(stage.draw(&mut screen, 80, 24).contains("0 running"));
        assert!(stage.closes(&mut screen, "Esc"));
    }

    #[test]
    fn a_reply_opens_the_session() {
        let stage = OverlayStage::empty();
        let mut screen = Agents::new(all());
        let reply = QueryReply::Child(Box::new(ChildTranscript {
            info: agent("1", ChildState::Done),
            entries: Vec::new(),
            live: String::new(),
        }));
        let event = AgentEvent::Reply {
            to: Some(crate::agent::QueryId(1)),
            reply,
        };
        match stage.report(&mut screen, &event) {
            Reaction::Open(opened) => assert_eq!(opened.name(), "agent"),
            _ => panic!("nothing was opened"),
        }
    }
}
