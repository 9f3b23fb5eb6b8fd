//! The window around the cells: its title, and the progress in its tab.

use std::io;

use super::Runner;
use crate::transcript::Timestamp;
use crate::tui::model::TurnPhase;
use crate::tui::{terminal, view};

/// Terminals take progress away that is not told again for a while.
const PROGRESS_AGAIN_MS: i64 = 5_000;

/// What the window was told last.
#[derive(Debug, Default)]
pub(super) struct WindowState {
    /// The title; empty before the first.
    titled: String,
    /// When it was told that something runs.
    progress_at: Option<Timestamp>,
}

impl WindowState {
    /// Somebody else had the terminal: everything is told again.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The title is told again.
    pub(super) fn forget_title(&mut self) {
        self.titled.clear();
    }
}

impl Runner {
    /// Tells the window what goes on, when that changed.
    pub(super) fn tell_window(&mut self) -> io::Result<()> {
        self.name_window()?;
        self.show_progress()
    }

    /// Says in the window's title what goes on.
    fn name_window(&mut self) -> io::Result<()> {
        if !self.options.title {
            return Ok(());
        }
        let title = view::title(&self.model);
        if title != self.window.titled {
            self.screen.queue(&self.options.line.title(&title))?;
            self.window.titled = title;
        }
        Ok(())
    }

    /// Shows in the window's tab that something runs, which a question does not.
    fn show_progress(&mut self) -> io::Result<()> {
        let activity = &self.model.activity;
        let is_shown = self.options.look.extras.progress
            && activity.is_busy()
            && activity.phase != TurnPhase::Asking;
        let now = self.model.now;
        let told = self.window.progress_at;
        let is_due = told.is_none_or(|at| now.0.saturating_sub(at.0) >= PROGRESS_AGAIN_MS);
        if is_shown && is_due {
            self.window.progress_at = Some(now);
            self.screen.queue(terminal::show_progress(true))?;
        } else if !is_shown && told.is_some() {
            self.window.progress_at = None;
            self.screen.queue(terminal::show_progress(false))?;
        }
        Ok(())
    }
}
