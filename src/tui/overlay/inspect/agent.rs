//! The session of a sub-agent, read along: what it was told, says, calls and gets, and the text
//! that streams. It is steered and stopped from here.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::super::hints::{self, ScreenHints};
use super::super::lists::agents::facts;
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{
    AgentEvent, ChildEvent, ChildInfo, ChildTranscript, Op, Query, QueryReply, TurnOp,
};
use crate::transcript::{AssistantPart, EntryBody, Message};
use crate::tui::effect::Effect;
use crate::tui::gauge;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::render::safe;
use crate::tui::transcript::call_title;
use crate::tui::widget::{
    MarkedText, Page, RowMark, ScrollText, TextField, TextRow, TextSides, TextTone, paint,
};

/// Lines of a result that are shown.
const RESULT_LINES: usize = 12;
/// Columns of a title in the head.
const TITLE_COLUMNS: usize = 60;

/// A session to read along.
pub struct AgentView {
    info: ChildInfo,
    sheet: ScrollText,
    /// The last row is in sight, so that new ones are followed.
    is_at_end: bool,
    /// What is typed for it.
    message: Option<TextField>,
}

impl AgentView {
    /// Shows a session from its end.
    pub fn new(transcript: &ChildTranscript) -> Self {
        let mut view = Self {
            info: transcript.info.clone(),
            sheet: ScrollText::new(rows(transcript)),
            is_at_end: true,
            message: None,
        };
        view.follow();
        view
    }

    /// Brings the end into sight.
    fn follow(&mut self) {
        let last = self.sheet.rows().len().saturating_sub(1);
        self.sheet.reveal(last);
    }

    fn ask(&self) -> Reaction {
        let query = Op::query(Query::Child(self.info.id.clone()));
        Reaction::Act(vec![Effect::Send(query)])
    }

    fn take(&mut self, transcript: &ChildTranscript) {
        self.info.clone_from(&transcript.info);
        self.sheet.replace(rows(transcript));
        if self.is_at_end {
            self.follow();
        }
    }

    fn on_field_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let Some(field) = &mut self.message else {
            return Reaction::Ignored;
        };
        match scene.keymap.screen_action(Screen::Field, key) {
            Some(ScreenAction::Back) => self.message = None,
            Some(ScreenAction::Open) => {
                let text = field.text().trim().to_owned();
                self.message = None;
                if !text.is_empty() {
                    let tell = TurnOp::TellChild {
                        id: self.info.id.clone(),
                        text,
                    };
                    return Reaction::Act(vec![Effect::Send(Op::Turn(tell))]);
                }
            }
            _ => drop(field.on_key(key)),
        }
        Reaction::Consumed
    }

    fn body(&self, area: Rect, scene: &OverlayScene<'_>) -> Rect {
        let body = hints::body(area, Screen::Agent, scene);
        // The gauge above, a message below.
        paint::inner(body, 1, u16::from(self.message.is_some()))
    }
}

/// What was said, as rows.
fn rows(transcript: &ChildTranscript) -> Vec<TextRow> {
    let mut rows = Vec::new();
    for entry in &transcript.entries {
        match &entry.body {
            EntryBody::Message(message) => push_message(message, &mut rows),
            EntryBody::Compaction(compaction) => {
                heading("summary of what was before", &mut rows);
                text(&compaction.summary, &mut rows);
            }
            EntryBody::CustomMessage { .. } => heading("a note of the program", &mut rows),
            _ => {}
        }
    }
    if !transcript.live.trim().is_empty() {
        heading("answers", &mut rows);
        text(&transcript.live, &mut rows);
    }
    if rows.is_empty() {
        text("nothing was said yet", &mut rows);
    }
    rows
}

fn push_message(message: &Message, rows: &mut Vec<TextRow>) {
    match message {
        Message::User(_) => {
            heading("task or message", rows);
            text(&message.text(), rows);
        }
        Message::Assistant(answer) => {
            heading("answer", rows);
            for part in &answer.content {
                match part {
                    AssistantPart::Text(said) => text(said, rows),
                    AssistantPart::ToolCall(call) => {
                        let line = format!("● {} {}", call.name, call_title(&call.arguments));
                        quiet(&line, rows);
                    }
                    _ => {}
                }
            }
        }
        Message::ToolResult(result) => {
            let whole = result.text();
            let all = whole.lines().count();
            for line in whole.lines().take(RESULT_LINES) {
                quiet(&format!("  {line}"), rows);
            }
            if all > RESULT_LINES {
                quiet(&format!("  … {} more lines", all - RESULT_LINES), rows);
            }
        }
        Message::BashExecution(_) => {}
    }
}

fn heading(words: &str, rows: &mut Vec<TextRow>) {
    if !rows.is_empty() {
        rows.push(TextRow::left(""));
    }
    rows.push(TextRow::left(words).marked(RowMark::Heading));
}

fn text(said: &str, rows: &mut Vec<TextRow>) {
    rows.extend(said.trim_end().lines().map(TextRow::left));
}

fn quiet(line: &str, rows: &mut Vec<TextRow>) {
    rows.push(TextRow {
        left: Some(vec![MarkedText::safe(line, TextTone::Quiet)]),
        ..TextRow::default()
    });
}

impl Overlay for AgentView {
    fn name(&self) -> &'static str {
        "agent"
    }

    fn screen(&self) -> Option<Screen> {
        Some(match &self.message {
            Some(_) => Screen::Field,
            None if self.sheet.is_searching() => Screen::Find,
            None => Screen::Agent,
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        if self.message.is_some() {
            return self.on_field_key(key, scene);
        }
        let action = scene.keymap.screen_action(Screen::Agent, key);
        if hints::scrolls_text(&mut self.sheet, action, key) {
            let place = self.sheet.place_words();
            self.is_at_end = place == "end" || place == "all";
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Edit) if !self.info.state.is_over() => {
                self.message = Some(TextField::default());
                Reaction::Consumed
            }
            Some(ScreenAction::Stop) if !self.info.state.is_over() => {
                let stop = TurnOp::StopChild(self.info.id.clone());
                Reaction::Act(vec![Effect::Send(Op::Turn(stop))])
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        match &mut self.message {
            Some(field) => {
                field.insert(text);
                Reaction::Consumed
            }
            None => Reaction::taken(self.sheet.on_paste(text)),
        }
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if let AgentEvent::Reply {
            reply: QueryReply::Child(transcript),
            ..
        } = event
        {
            if transcript.info.id != self.info.id {
                return Reaction::Ignored;
            }
            self.take(transcript);
            return Reaction::Consumed;
        }
        let AgentEvent::Child(ChildEvent::Listed(agents)) = event else {
            return Reaction::Ignored;
        };
        match agents.iter().find(|it| it.id == self.info.id) {
            Some(info) if *info != self.info => self.ask(),
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = self.body(area, scene);
        self.sheet.layout(body, TextSides::Unified);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let label = safe::one_line(&self.info.label(), TITLE_COLUMNS);
        let page = Page {
            title: &label,
            remark: &self.sheet.place_words(),
        };
        page.draw(area, buffer, theme);
        let is_running = !self.info.state.is_over();
        if !self.sheet.is_searching() {
            ScreenHints::of(Screen::Agent, scene)
                .only_if(is_running, ScreenAction::Stop)
                .only_if(is_running, ScreenAction::Edit)
                .draw(area, buffer);
        }
        let whole = hints::body(area, Screen::Agent, scene);
        let mut head = gauge::small(self.info.load, theme);
        let words = match self.info.doing.as_str() {
            "" => facts(&self.info),
            doing => format!("{} · {doing}", facts(&self.info)),
        };
        head.push(ratatui::text::Span::raw("  "));
        let room = usize::from(whole.width).saturating_sub(Line::from(head.clone()).width() + 2);
        let words = safe::one_line(&words, room);
        head.push(ratatui::text::Span::styled(words, theme.dim));
        paint::line(buffer, whole, (1, 0), &Line::from(head));
        let body = self.body(area, scene);
        let caret = self.sheet.draw(body, buffer, theme);
        let Some(field) = &self.message else {
            return caret;
        };
        let last = whole.height.checked_sub(1)?;
        field.draw(whole, last, buffer, " message: ", theme.accent, theme.text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::{ChildId, ChildState};
    use crate::transcript::testing::entry;
    use crate::transcript::{AssistantMessage, ToolCall, ToolResult};
    use crate::tui::overlay::fixture::{self, OverlayStage};
    use crate::tui::overlay::lists::agents::tests::agent;

    fn transcript(state: ChildState) -> ChildTranscript {
        let call = ToolCall {
            id: "r1".to_owned(),
            name: "read".to_owned(),
            arguments: serde_json::json!({"path": "src/parser.rs"}),
            malformed: None,
        };
        let answer = AssistantMessage {
            content: vec![
                AssistantPart::Text("I look at the parser.".to_owned()),
                AssistantPart::ToolCall(call),
            ],
            ..AssistantMessage::default()
        };
        let result = ToolResult {
            content: vec![crate::transcript::Part::Text("line\n".repeat(30))],
            ..ToolResult::default()
        };
        let bodies = [
            Message::user_text("Where is the parser? 漢字 \u{1b}[2J"),
            Message::Assistant(answer),
            Message::ToolResult(result),
        ];
        let entries = bodies.into_iter().enumerate().map(|(at, message)| {
            let body = EntryBody::Message(Arc::new(message));
            Arc::new(entry(&at.to_string(), body))
        });
        ChildTranscript {
            info: agent("1", state),
            entries: entries.collect(),
            live: "It is in src/par".to_owned(),
        }
    }

    #[test]
    fn a_session_looks_like_this() {
        let stage = OverlayStage::empty();
        let mut view = AgentView::new(&transcript(ChildState::Running));
        fixture::assert_safe_at_all_sizes(&stage, &mut view);
        let drawn = stage.draw(&mut view, 100, 40);
        for words in [
            "agent 1 (explore: find the parser",
            "45k of 200k",
            "Where is the parser?",
            "I look at the parser.",
            "● read src/parser.rs",
            "18 more lines",
            "It is in src/par",
        ] {
            assert!(drawn.contains(words), "{words}: {drawn}");
        }
    }

    #[test]
    fn it_follows_is_steered_and_stopped() {
        let stage = OverlayStage::empty();
        let mut view = AgentView::new(&transcript(ChildState::Running));
        stage.draw(&mut view, 80, 24);
        let effects = stage.press(&mut view, "m l o o k space l e f t Enter");
        let tell = TurnOp::TellChild {
            id: ChildId::new(1),
            text: "look left".to_owned(),
        };
        assert_eq!(effects, [Effect::Send(Op::Turn(tell))]);
        let stop = TurnOp::StopChild(ChildId::new(1));
        assert_eq!(stage.press(&mut view, "x"), [Effect::Send(Op::Turn(stop))]);
        let mut changed = agent("1", ChildState::Running);
        changed.requests = 4;
        let listed = AgentEvent::Child(ChildEvent::Listed(vec![changed]));
        match stage.report(&mut view, &listed) {
            Reaction::Act(effects) => assert_eq!(
                effects,
                [Effect::Send(Op::query(Query::Child(ChildId::new(1))))]
            ),
            _ => panic!("nothing was asked"),
        }
        view.take(&transcript(ChildState::Done));
        assert!(stage.draw(&mut view, 80, 24).contains("done"));
        assert_eq!(stage.press(&mut view, "x"), []);
        assert!(stage.closes(&mut view, "Esc"));
    }

    #[test]
    fn hostile_words_stay_text() {
        let stage = OverlayStage::empty();
        let mut hostile = transcript(ChildState::Running);
        hostile.live = fixture::HOSTILE.repeat(20);
        hostile.info.doing = fixture::HOSTILE.to_owned();
        let mut view = AgentView::new(&hostile);
        fixture::assert_safe_at_all_sizes(&stage, &mut view);
    }
}
