//! How things look and are written: theme, code colours, times and paths.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use super::super::render::highlight::Highlighter;
use super::super::theme::Theme;

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
    /// How times and paths are written.
    pub locale: UserLocale,
}

/// Where the user is.
#[derive(Debug)]
pub struct UserLocale {
    /// For times of day.
    pub zone: TimeZone,
    /// The home directory, written as `~`.
    pub home: Option<PathBuf>,
}

impl Default for UserLocale {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            home: None,
        }
    }
}

impl Appearance {
    /// Uses another theme; what is cached of the old one is drawn again.
    pub fn use_theme(&mut self, theme: Theme) {
        self.theme = theme;
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
    fn the_home_directory_is_written_as_a_tilde() {
        let mut appearance = Appearance::default();
        assert_eq!(appearance.short_path(Path::new("/home/a/x")), "/home/a/x");
        appearance.locale.home = Some("/home/a".into());
        assert_eq!(appearance.short_path(Path::new("/home/a/x")), "~/x");
        assert_eq!(appearance.short_path(Path::new("/home/a")), "~");
        assert_eq!(appearance.short_path(Path::new("/home/ab")), "/home/ab");
    }
}
