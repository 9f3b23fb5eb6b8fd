//! Commands that run in the background: which, their state, the end of their output.
//! Ends them; begins none.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{AgentEvent, JobInfo, Op, TurnEvent, TurnOp};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::overlay::inspect::text::TextView;
use crate::tui::render::{ansi, safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, Page, ScrollMotion, VisibleItem, paint};

/// The list takes at most this share of the screen; the rest is output.
const LIST_SHARE: u16 = 3;

/// The list.
pub struct Jobs {
    jobs: Vec<JobInfo>,
    cursor: ListCursor,
}

impl Jobs {
    /// Shows these jobs, oldest first, and selects the newest.
    pub fn new(jobs: Vec<JobInfo>) -> Self {
        let mut cursor = ListCursor::default();
        cursor.motion(ScrollMotion::Last, jobs.len());
        Self { jobs, cursor }
    }

    fn selected(&self) -> Option<&JobInfo> {
        self.jobs.get(self.cursor.selected())
    }

    /// The rows that list them.
    fn list(&self, area: Rect, scene: &OverlayScene<'_>) -> Rect {
        let body = hints::body(area, Screen::Jobs, scene);
        let rows = (self.jobs.len() as u16).min((area.height / LIST_SHARE).max(1));
        paint::inner(body, 0, body.height.saturating_sub(rows))
    }

    fn row(&self, item: VisibleItem, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(job) = self.jobs.get(item.at) else {
            return;
        };
        let row = item.line;
        let (sign, style) = match &job.end {
            None => ("▸", theme.accent),
            Some(end) if end.is_error => ("✗", theme.error),
            Some(_) => ("✓", theme.dim),
        };
        let standing = standing(job);
        let number = format!("{sign} {} ", job.id);
        let used = 2 + paint::text(buffer, area, (2, row), area.width, &number, style);
        let room = usize::from(area.width).saturating_sub(usize::from(used));
        let command_room = room
            .saturating_sub(wrap::width(&standing) + 3)
            .max(room / 2);
        let command = safe::one_line(&job.command, command_room);
        let used = used + paint::text(buffer, area, (used, row), area.width, &command, theme.text);
        paint::right(
            buffer,
            area,
            (used + 1, row),
            &format!("{standing} "),
            style,
        );
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
    }

    /// The newest lines that fit.
    fn output(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(job) = self.selected().filter(|_| area.width > 0) else {
            return;
        };
        let lines: Vec<_> = ansi::lines(job.output.trim_end(), theme)
            .iter()
            .flat_map(|line| wrap::wrap(line, area.width))
            .collect();
        let skipped = lines.len().saturating_sub(usize::from(area.height));
        for (row, line) in (0..area.height).zip(lines.iter().skip(skipped)) {
            paint::line(buffer, area, (0, row), line);
        }
    }
}

/// The state of a job, in words.
fn standing(job: &JobInfo) -> String {
    let time = numbers::elapsed(job.elapsed);
    match &job.end {
        None => format!("running · {time}"),
        Some(end) => format!("{} · {time}", safe::one_line(&end.how, 40)),
    }
}

impl Overlay for Jobs {
    fn name(&self) -> &'static str {
        "jobs"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Jobs)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Jobs, key);
        if hints::scrolls_list(&mut self.cursor, action, self.jobs.len()) {
            return Reaction::Consumed;
        }
        match (action, self.selected()) {
            (Some(ScreenAction::Back), _) => Reaction::Close(Vec::new()),
            (Some(ScreenAction::Stop), Some(job)) if job.end.is_none() => {
                Reaction::Act(vec![Effect::Send(Op::Turn(TurnOp::KillJob(job.id)))])
            }
            (Some(ScreenAction::Open), Some(job)) => Reaction::Open(Box::new(TextView::new(
                job.command.clone(),
                job.output.clone(),
            ))),
            _ => Reaction::Ignored,
        }
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Turn(TurnEvent::Jobs(jobs)) = event else {
            return Reaction::Ignored;
        };
        self.jobs.clone_from(jobs);
        self.cursor.select(self.cursor.selected(), self.jobs.len());
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let list = self.list(area, scene);
        self.cursor.layout(list.height, self.jobs.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let running = self.jobs.iter().filter(|job| job.end.is_none()).count();
        let page = Page {
            title: "jobs",
            remark: &format!("{running} running"),
        };
        page.draw(area, buffer, theme);
        let is_running = self.selected().is_some_and(|job| job.end.is_none());
        ScreenHints::of(Screen::Jobs, scene)
            .only_if(is_running, ScreenAction::Stop)
            .draw(area, buffer);
        let list = self.list(area, scene);
        for item in self.cursor.visible() {
            self.row(item, list, buffer, theme);
        }
        let body = hints::body(area, Screen::Jobs, scene);
        let below = paint::inner(body, list.height, 0);
        if below.height > 1 {
            paint::rule(buffer, below, 0, theme);
            self.output(paint::inner(below, 1, 0), buffer, theme);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::agent::JobEnd;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn job(id: u64, command: &str, output: &str, end: Option<(&str, bool)>) -> JobInfo {
        JobInfo {
            id,
            command: command.to_owned(),
            output: output.to_owned(),
            elapsed: Duration::from_secs(74 * id),
            end: end.map(|(how, is_error)| JobEnd {
                how: how.to_owned(),
                is_error,
            }),
        }
    }

    fn jobs() -> Vec<JobInfo> {
        vec![
            job(1, "cargo test", "ok\n", Some(("exit code 0", false))),
            job(
                2,
                "cargo build \u{1b}[2J",
                "error\n",
                Some(("exit code 101", true)),
            ),
            job(
                3,
                "npm run dev -- --port 8080",
                "listening \u{1b}[32mon\u{1b}[0m 8080 漢字\nGET /\u{1b}[2J\n",
                None,
            ),
        ]
    }

    #[test]
    fn jobs_look_like_this() {
        let stage = OverlayStage::empty();
        let mut screen = Jobs::new(jobs());
        fixture::assert_looks!("jobs", stage, &mut screen);
    }

    #[test]
    fn only_what_runs_is_ended_and_the_list_follows() {
        let stage = OverlayStage::empty();
        let mut screen = Jobs::new(jobs());
        assert_eq!(
            stage.press(&mut screen, "x"),
            [Effect::Send(Op::Turn(TurnOp::KillJob(3)))]
        );
        assert_eq!(stage.press(&mut screen, "k x"), []);
        assert_eq!(stage.opens(&mut screen, "Enter").name(), "text");
        let mut left = jobs();
        left.truncate(1);
        stage.report(&mut screen, &AgentEvent::Turn(TurnEvent::Jobs(left)));
        assert!(stage.draw(&mut screen, 80, 24).contains("0 running"));
        assert!(stage.closes(&mut screen, "Esc"));
    }
}
