//! How things look and are written: theme, code colours, times and paths.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

use super::super::render::highlight::Highlighter;
use super::super::theme::Theme;
use crate::config::{DiffSides, ScreenMotion, UiSettings};

/// How things look.
#[derive(Debug, Default)]
pub struct Appearance {
    /// The theme.
    pub theme: Theme,
    /// Grows with each change of the theme.
    pub generation: u64,
    /// Names for `/theme`.
    pub theme_names: Vec<String>,
    /// For code.
    pub highlighter: Highlighter,
    /// What moves, and how wide text and diffs are.
    pub drawing: DrawingStyle,
    /// How times and paths are written.
    pub locale: UserLocale,
}

/// The settings of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawingStyle {
    /// How much moves.
    pub motion: ScreenMotion,
    /// Columns of a line of text at most; 0 for all of the screen.
    pub text_width: u16,
    /// How the sides of a diff are placed.
    pub diff_sides: DiffSides,
}

impl From<&UiSettings> for DrawingStyle {
    fn from(ui: &UiSettings) -> Self {
        Self {
            motion: ui.motion,
            text_width: ui.text_width,
            diff_sides: ui.diff,
        }
    }
}

impl Default for DrawingStyle {
    fn default() -> Self {
        Self::from(&UiSettings::default())
    }
}

impl DrawingStyle {
    /// Columns for text on a page of this many columns. A page that is only a little wider is
    /// used whole.
    pub fn text_columns(&self, page: u16) -> u16 {
        const LITTLE: u16 = 8;
        match self.text_width {
            0 => page,
            most if page <= most.saturating_add(LITTLE) => page,
            most => most,
        }
    }

    /// A time that goes on, as it is shown: where motion is reduced in whole seconds.
    pub fn shown_time(&self, elapsed: Duration) -> Duration {
        if self.is_calm() {
            Duration::from_secs(elapsed.as_secs())
        } else {
            elapsed
        }
    }

    /// Whether nothing moves but once a second.
    pub fn is_calm(&self) -> bool {
        self.motion == ScreenMotion::Reduced
    }
}

/// Where the user is.
#[derive(Debug)]
pub struct UserLocale {
    /// For times of day.
    pub zone: TimeZone,
    /// The home directory, written as `~`.
    pub home: Option<PathBuf>,
    /// The machine's name, for links to its files; may be empty.
    pub host: String,
}

impl Default for UserLocale {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            home: None,
            host: String::new(),
        }
    }
}

impl Appearance {
    /// Uses another theme; what is cached of the old one is drawn again.
    pub fn use_theme(&mut self, theme: Theme) {
        self.theme = theme;
        self.generation += 1;
    }

    /// Draws in another way; what is cached is drawn again.
    pub fn draw_as(&mut self, drawing: DrawingStyle) {
        self.drawing = drawing;
        self.generation += 1;
    }

    /// A path as people write it.
    pub fn short_path(&self, path: &Path) -> String {
        let home = self.locale.home.as_ref();
        match home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
            Some(rest) => format!("~/{}", rest.display()),
            None => path.display().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_wider_than_set_and_a_screen_that_is_a_little_wider_is_used_whole() {
        let columns = |text_width, page| {
            let drawing = DrawingStyle {
                text_width,
                ..DrawingStyle::default()
            };
            drawing.text_columns(page)
        };
        assert_eq!(columns(110, 40), 40);
        assert_eq!(columns(110, 118), 118);
        assert_eq!(columns(110, 119), 110);
        assert_eq!(columns(0, 400), 400);
        assert_eq!(columns(u16::MAX, 400), 400);
    }

    #[test]
    fn the_home_directory_is_written_as_a_tilde() {
        let mut appearance = Appearance::default();
        assert_eq!(appearance.short_path(Path::new("/home/a/x")), "/home/a/x");
        appearance.locale.home = Some("/home/a".into());
        assert_eq!(appearance.short_path(Path::new("/home/a/x")), "~/x");
        assert_eq!(appearance.short_path(Path::new("/home/a")), "~");
        assert_eq!(appearance.short_path(Path::new("/home/ab")), "/home/ab");
    }
}
