//! Asks before a tool runs: what, where, with the diff of an edit. A panel at the bottom,
//! so that the conversation that led here stays readable.
//!
//! Invariant: nothing but `y`, Enter, `s` and a confirmed pattern (`p`, `a`) ever allows a call;
//! Esc is no.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::field::Field;
use super::keys::Motion;
use super::{Overlay, Reaction, Scene, keys, paint};
use crate::agent::{AgentEvent, ApprovalDecision, ApprovalRequest, Op};
use crate::tui::effect::Effect;
use crate::tui::render::{diff, safe, wrap};
use crate::tui::theme::Theme;

/// The panel takes at most this share of the screen: one part in `SHARE_PARTS` stays
/// for the conversation.
const SHARE_PARTS: u16 = 3;

/// Rows per screen up or down: about a panel on a small screen.
const PAGE_ROWS: u16 = 10;

/// The question.
pub struct Approval {
    request: Box<ApprovalRequest>,
    input: Option<Input>,
    scroll: std::cell::Cell<u16>,
}

/// A text field in focus.
enum Input {
    Pattern(Field),
    Always(Field),
    Feedback(Field),
}

impl Input {
    fn field(&mut self) -> &mut Field {
        match self {
            Self::Pattern(field) | Self::Always(field) | Self::Feedback(field) => field,
        }
    }
}

impl Approval {
    /// Asks about this request.
    pub fn new(request: Box<ApprovalRequest>) -> Self {
        Self {
            request,
            input: None,
            scroll: std::cell::Cell::new(0),
        }
    }

    fn answer(&self, decision: ApprovalDecision) -> Reaction {
        Reaction::Close(vec![Effect::Send(Op::Approve {
            id: self.request.id,
            decision,
        })])
    }

    fn on_input_key(&mut self, key: KeyEvent) -> Option<Reaction> {
        let input = self.input.as_mut()?;
        match key.code {
            KeyCode::Esc => self.input = None,
            KeyCode::Enter => {
                let decision = match input {
                    Input::Pattern(field) | Input::Always(field) if field.is_blank() => {
                        return Some(Reaction::Consumed);
                    }
                    Input::Pattern(field) => ApprovalDecision::Pattern(field.text().to_owned()),
                    Input::Always(field) => ApprovalDecision::Always(field.text().to_owned()),
                    Input::Feedback(field) => ApprovalDecision::Deny {
                        feedback: (!field.is_blank()).then(|| field.text().trim().to_owned()),
                    },
                };
                return Some(self.answer(decision));
            }
            _ => {
                input.field().on_key(key);
            }
        }
        Some(Reaction::Consumed)
    }

    fn scroll(&self, motion: Motion) {
        let at = self.scroll.get();
        self.scroll.set(match motion {
            Motion::Up => at.saturating_sub(1),
            Motion::Down => at.saturating_add(1),
            Motion::PageUp | Motion::HalfUp => at.saturating_sub(PAGE_ROWS),
            Motion::PageDown | Motion::HalfDown => at.saturating_add(PAGE_ROWS),
            Motion::First => 0,
            Motion::Last => u16::MAX,
        });
    }

    /// What scrolls: the whole title, the arguments or the diff.
    fn body(&self, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let request = &self.request;
        let mut lines = Vec::new();
        // A field shows only the end of what is longer than its row.
        if let Some(Input::Pattern(field) | Input::Always(field)) = &self.input {
            let text = format!("will be allowed: {}", field.text());
            lines.extend(wrapped(&text, width, theme.accent));
        }
        for path in &request.outside {
            let text = format!("! outside the workspace: {}", path.display());
            lines.extend(wrapped(&text, width, theme.warning));
        }
        lines.extend(wrapped(&request.title, width, theme.text));
        match &request.diff {
            Some(text) => lines.extend(diff::unified(text, width, theme)),
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

    fn title(&self, area: Rect, below: u16, buffer: &mut Buffer, theme: &Theme) {
        paint::rule(buffer, area, 0, theme);
        let name = safe::one_line(&self.request.call.name, 30);
        let title = format!(" allow {name}? ");
        let mut used = 1 + paint::text(buffer, area, (1, 0), area.width, &title, theme.warning);
        if below > 0 {
            let more = format!("{below} more lines ↓ ");
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

    fn footer(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) -> Option<Position> {
        let row = area.height.saturating_sub(1);
        match &self.input {
            Some(Input::Pattern(field)) => field.draw(
                area,
                row,
                buffer,
                ("this session, allow: ", theme.accent),
                theme.text,
            ),
            Some(Input::Always(field)) => field.draw(
                area,
                row,
                buffer,
                ("always allow here: ", theme.accent),
                theme.text,
            ),
            Some(Input::Feedback(field)) => field.draw(
                area,
                row,
                buffer,
                ("no, because: ", theme.accent),
                theme.text,
            ),
            None => {
                paint::hints(buffer, area, row, hints(area.width), theme);
                None
            }
        }
    }
}

/// All that can be answered, in as many words as there is room for.
fn hints(width: u16) -> &'static [(&'static str, &'static str)] {
    match width {
        80.. => &[
            ("y", "once"),
            ("n", "no, and why"),
            ("s", "session"),
            ("p", "session, pattern…"),
            ("a", "always…"),
            ("esc", "no"),
            ("j k", "scroll"),
        ],
        48.. => &[
            ("y", "once"),
            ("n", "no"),
            ("s", "session"),
            ("a", "always"),
            ("p", "pattern"),
            ("esc", "no"),
        ],
        _ => &[
            ("y", "once"),
            ("n", "no"),
            ("s", "session"),
            ("a", "always"),
            ("p", "…"),
        ],
    }
}

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

/// Rows of the panel: a rule, the body, a blank row, the keys.
fn height(area: Rect, body_rows: usize) -> u16 {
    let most = area.height - area.height / SHARE_PARTS;
    let wanted = u16::try_from(body_rows)
        .unwrap_or(u16::MAX)
        .saturating_add(3);
    wanted.min(most).max(area.height.min(4))
}

impl Overlay for Approval {
    fn name(&self) -> &'static str {
        "approval"
    }

    fn comes_by_itself(&self) -> bool {
        true
    }

    fn is_full_screen(&self) -> bool {
        false
    }

    fn rows(&self, area: Rect, scene: &Scene<'_>) -> u16 {
        let body = self.body(inner_width(area), scene.theme);
        height(area, body.len())
    }

    fn on_key(&mut self, key: KeyEvent, _scene: &Scene<'_>) -> Reaction {
        if let Some(reaction) = self.on_input_key(key) {
            return reaction;
        }
        if let Some(motion) = Motion::from_key(key) {
            self.scroll(motion);
            return Reaction::Consumed;
        }
        match (key.code, keys::typed(key)) {
            (KeyCode::Enter, _) | (_, Some('y')) => self.answer(ApprovalDecision::Once),
            (_, Some('s')) => self.answer(ApprovalDecision::Session),
            (KeyCode::Esc, _) => self.answer(ApprovalDecision::Deny { feedback: None }),
            (_, Some('a')) => {
                self.input = Some(Input::Always(Field::new(self.request.pattern.clone())));
                Reaction::Consumed
            }
            (_, Some('p')) => {
                self.input = Some(Input::Pattern(Field::new(self.request.pattern.clone())));
                Reaction::Consumed
            }
            (_, Some('n')) => {
                self.input = Some(Input::Feedback(Field::default()));
                Reaction::Consumed
            }
            // Typing must not slip through to the composer while a question is open.
            (_, Some(_)) => Reaction::Consumed,
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &Scene<'_>) -> Reaction {
        if let Some(input) = &mut self.input {
            input.field().insert(text);
        }
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &Scene<'_>) -> Reaction {
        match event {
            AgentEvent::ApprovalClosed { id } if *id == self.request.id => {
                Reaction::Close(Vec::new())
            }
            _ => Reaction::Ignored,
        }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let body = self.body(inner_width(area), theme);
        let height = height(area, body.len());
        let panel = Rect::new(
            area.x,
            area.y.saturating_add(area.height - height),
            area.width,
            height,
        );
        paint::clear(buffer, panel, theme.text);
        let room = height.saturating_sub(2);
        let last = u16::try_from(body.len())
            .unwrap_or(u16::MAX)
            .saturating_sub(room);
        self.scroll.set(self.scroll.get().min(last));
        let visible = body.iter().skip(usize::from(self.scroll.get()));
        for (row, line) in visible.take(usize::from(room)).enumerate() {
            paint::line(buffer, panel, (1, row as u16 + 1), line);
        }
        let below = last - self.scroll.get();
        self.title(panel, below, buffer, theme);
        self.footer(panel, buffer, theme)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fixture::{self, Stage};
    use super::*;
    use crate::transcript::ToolCall;

    fn request() -> Box<ApprovalRequest> {
        Box::new(ApprovalRequest {
            id: 7,
            call: ToolCall {
                id: "c1".to_owned(),
                name: "bash".to_owned(),
                arguments: json!({"command": "cargo build -p auth 漢字 👩‍🚀 \u{1b}[2J"}),
                malformed: None,
            },
            title: "cargo build -p auth 漢字 👩‍🚀 \u{1b}[2J".to_owned(),
            cwd: "/home/me/api".into(),
            diff: None,
            pattern: "cargo build *".to_owned(),
            outside: vec!["/etc/hosts".into()],
        })
    }

    fn edit() -> Box<ApprovalRequest> {
        let mut request = request();
        "edit".clone_into(&mut request.call.name);
        "src/lib.rs".clone_into(&mut request.title);
        let body = ["-old\n+new\n"; 40].concat();
        request.diff = Some(format!(
            "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,40 +1,40 @@\n{body}"
        ));
        request.outside.clear();
        request
    }

    fn sent(decision: ApprovalDecision) -> [Effect; 1] {
        [Effect::Send(Op::Approve { id: 7, decision })]
    }

    #[test]
    fn the_question_at_its_sizes() {
        let stage = Stage::empty();
        fixture::assert_looks!("shell", stage, &Approval::new(request()));
        fixture::assert_looks!("edit", stage, &Approval::new(edit()));
        let mut wide = request();
        wide.pattern = "cargo build -p auth -p session --release --locked --features all *".into();
        let mut asked = Approval::new(wide);
        stage.press(&mut asked, "a");
        fixture::assert_looks!("always", stage, &asked);
    }

    #[test]
    fn each_key_has_one_meaning() {
        let stage = Stage::empty();
        let cases = [
            ("y", ApprovalDecision::Once),
            ("Enter", ApprovalDecision::Once),
            ("s", ApprovalDecision::Session),
            (
                "a Enter",
                ApprovalDecision::Always("cargo build *".to_owned()),
            ),
            (
                "p Enter",
                ApprovalDecision::Pattern("cargo build *".to_owned()),
            ),
            (
                "p Backspace x Enter",
                ApprovalDecision::Pattern("cargo build x".to_owned()),
            ),
            ("Esc", ApprovalDecision::Deny { feedback: None }),
            ("n Enter", ApprovalDecision::Deny { feedback: None }),
            (
                "n u s e space n p m Enter",
                ApprovalDecision::Deny {
                    feedback: Some("use npm".to_owned()),
                },
            ),
            ("a Esc y", ApprovalDecision::Once),
        ];
        for (script, decision) in cases {
            let mut approval = Approval::new(request());
            assert_eq!(
                stage.press(&mut approval, script),
                sent(decision),
                "{script}"
            );
        }
    }

    #[test]
    fn stray_typing_allows_nothing_and_an_empty_pattern_neither() {
        let stage = Stage::empty();
        let mut approval = Approval::new(request());
        assert_eq!(stage.press(&mut approval, "x b c 1 a C-u Enter"), []);
    }

    #[test]
    fn it_closes_when_the_answer_is_no_longer_wanted() {
        let stage = Stage::empty();
        let mut approval = Approval::new(request());
        let close = |id| AgentEvent::ApprovalClosed { id };
        assert!(matches!(
            stage.report(&mut approval, &close(6)),
            Reaction::Ignored
        ));
        assert!(matches!(
            stage.report(&mut approval, &close(7)),
            Reaction::Close(_)
        ));
    }
}
