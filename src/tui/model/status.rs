//! The passing content of the status line: a line that goes away by itself, and keys that do
//! something when they are pressed twice.

use crate::agent::NoticeLevel;
use crate::transcript::Timestamp;

/// How long a toast is shown.
const TOAST_MS: i64 = 4_000;
/// Within this time a second Ctrl-C leaves.
const EXIT_ARMED_MS: i64 = 2_000;
/// Within this time a second Esc opens the timeline.
const TIMELINE_ARMED_MS: i64 = 1_500;
/// Shown until the second Ctrl-C may come.
const LEAVE: &str = "press Ctrl-C again to quit";
/// Says that Esc was heard, until what it stops has stopped.
const STOPPING: &str = "stopping …";

/// The passing part of the status line.
#[derive(Debug, Default)]
pub struct StatusLine {
    /// The line that goes away by itself.
    pub toast: Option<Toast>,
    /// Ctrl-C was pressed on an empty composer; the second one leaves.
    exit_armed_until: Option<Timestamp>,
    /// Esc was pressed on an empty composer; the second one opens the timeline.
    timeline_armed_until: Option<Timestamp>,
}

/// A line that goes away by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// How serious.
    pub level: NoticeLevel,
    /// The text.
    pub text: String,
    /// When it goes away.
    pub until: Timestamp,
}

impl StatusLine {
    /// Shows a line for a moment.
    pub fn show(&mut self, level: NoticeLevel, text: impl Into<String>, now: Timestamp) {
        let until = Timestamp(now.0.saturating_add(TOAST_MS));
        self.show_until(level, text, until);
    }

    fn show_until(&mut self, level: NoticeLevel, text: impl Into<String>, until: Timestamp) {
        self.toast = Some(Toast {
            level,
            text: text.into(),
            until,
        });
    }

    /// Ends what has lasted long enough.
    pub fn expire(&mut self, now: Timestamp) {
        self.toast.take_if(|toast| toast.until <= now);
        self.exit_armed_until.take_if(|until| *until <= now);
        self.timeline_armed_until.take_if(|until| *until <= now);
    }

    /// Says that what runs is being stopped.
    pub fn show_stopping(&mut self, now: Timestamp) {
        self.show(NoticeLevel::Info, STOPPING, now);
    }

    /// Hides the remark that something is stopping, when it has stopped.
    pub fn hide_stopping(&mut self) {
        self.toast.take_if(|toast| toast.text == STOPPING);
    }

    /// Ctrl-C on an empty composer: whether it is the second one, which leaves.
    pub fn press_exit(&mut self, now: Timestamp) -> bool {
        if self.exit_armed_until.is_some() {
            return true;
        }
        let until = Timestamp(now.0.saturating_add(EXIT_ARMED_MS));
        self.exit_armed_until = Some(until);
        self.show_until(NoticeLevel::Info, LEAVE, until);
        false
    }

    /// Another key came between two Ctrl-C; the line about the second one is taken away.
    pub fn disarm_exit(&mut self) {
        self.exit_armed_until = None;
        self.toast.take_if(|toast| toast.text == LEAVE);
    }

    /// Esc on an empty composer: whether it is the second one, which opens the timeline.
    pub fn press_timeline(&mut self, now: Timestamp) -> bool {
        if self.timeline_armed_until.take().is_some() {
            return true;
        }
        let until = Timestamp(now.0.saturating_add(TIMELINE_ARMED_MS));
        self.timeline_armed_until = Some(until);
        false
    }

    /// Another key came between two Esc.
    pub fn disarm_timeline(&mut self) {
        self.timeline_armed_until = None;
    }

    /// Whether the next Esc opens the timeline.
    #[cfg(test)]
    pub fn is_timeline_armed(&self) -> bool {
        self.timeline_armed_until.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_press_counts_within_its_time_only() {
        let mut status = StatusLine::default();
        assert!(!status.press_exit(Timestamp(0)));
        assert!(status.press_exit(Timestamp(100)));
        status.expire(Timestamp(EXIT_ARMED_MS));
        assert_eq!(status.toast, None);
        assert!(!status.press_exit(Timestamp(EXIT_ARMED_MS)));
        assert!(!status.press_timeline(Timestamp(0)));
        assert!(status.press_timeline(Timestamp(1)));
        assert!(!status.press_timeline(Timestamp(2)));
        status.expire(Timestamp(2 + TIMELINE_ARMED_MS));
        assert!(!status.press_timeline(Timestamp(9_000)));
    }

    #[test]
    fn a_key_between_takes_the_line_about_leaving_away_and_no_other() {
        let mut status = StatusLine::default();
        status.press_exit(Timestamp(0));
        status.disarm_exit();
        assert_eq!(status.toast, None);
        status.show(NoticeLevel::Info, "copied", Timestamp(0));
        status.disarm_exit();
        status.hide_stopping();
        assert!(status.toast.is_some());
    }
}
