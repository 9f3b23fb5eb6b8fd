//! Themes by name: those of the program, and the user's own from their folder, which are
//! read again when their file changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::super::theme::{AUTO, ColorDepth, LoadedTheme, Theme};
use crate::clock;
use crate::disk::open;

/// No theme is larger.
const MAX_BYTES: u64 = 256 * 1024;

/// Which theme is used, and where others are.
#[derive(Clone, Debug)]
pub struct ThemeOptions {
    /// Its name; `auto` for dark or light.
    pub name: String,
    /// Whether the terminal's background is dark, as far as that is known.
    pub is_dark: Option<bool>,
    /// Colours that the terminal can show.
    pub color_depth: ColorDepth,
    /// The user's own themes.
    pub dir: Option<PathBuf>,
}

/// How often the file of the user's own theme is looked at, while it is in use.
const WATCH: Duration = Duration::from_secs(1);

/// Looks at the theme file that is in use, when it is one of the user's.
#[derive(Debug)]
pub(super) struct ThemeWatcher {
    /// When to look next.
    pub due: Instant,
    file: Option<ThemeFile>,
}

impl Default for ThemeWatcher {
    fn default() -> Self {
        Self {
            due: clock::instant() + WATCH,
            file: None,
        }
    }
}

impl ThemeWatcher {
    /// Follows the file of the theme that is in use now, if it has one.
    pub(super) fn follow(&mut self, options: &ThemeOptions) {
        self.file = ThemeFile::of(options, &options.name);
    }

    /// Whether there is a file to look at.
    pub(super) fn is_watching(&self) -> bool {
        self.file.is_some()
    }

    /// Looks; the name of the theme whose file was written since.
    pub(super) fn changed_theme(&mut self) -> Option<String> {
        self.due = clock::instant() + WATCH;
        let file = self.file.as_mut()?;
        file.has_changed().then(|| file.name.clone())
    }
}

/// A theme file of the user in the state in which it was read.
#[derive(Debug)]
struct ThemeFile {
    name: String,
    path: PathBuf,
    stamp: Option<ThemeStamp>,
}

/// Tells one state of a file from another.
type ThemeStamp = (SystemTime, u64);

impl ThemeFile {
    /// The file of a theme, if it is one of the user's.
    fn of(options: &ThemeOptions, name: &str) -> Option<Self> {
        let path = own_file(options, name).filter(|path| path.is_file())?;
        Some(Self {
            stamp: stamp(&path),
            name: name.to_owned(),
            path,
        })
    }

    /// Whether the file was written since the last call. One that is gone for a moment, as
    /// editors do it, has not changed.
    fn has_changed(&mut self) -> bool {
        let stamp = stamp(&self.path);
        let changed = stamp.is_some() && stamp != self.stamp;
        if changed {
            self.stamp = stamp;
        }
        changed
    }
}

fn stamp(path: &Path) -> Option<ThemeStamp> {
    let known = fs::metadata(path).ok()?;
    Some((known.modified().ok()?, known.len()))
}

fn own_file(options: &ThemeOptions, name: &str) -> Option<PathBuf> {
    let dir = options.dir.as_ref()?;
    let is_name = !name.is_empty() && !name.contains(['/', '\\']);
    is_name.then(|| dir.join(format!("{name}.toml")))
}

/// Every name that `/theme` takes, sorted.
pub(super) fn names(options: &ThemeOptions) -> Vec<String> {
    let mut names: Vec<String> = Theme::bundled_names()
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    let own = options.dir.as_ref().and_then(|dir| fs::read_dir(dir).ok());
    for file in own.into_iter().flatten().flatten() {
        let path = file.path();
        let is_theme = path.extension().is_some_and(|ending| ending == "toml");
        if let Some(name) = path.file_stem().filter(|_| is_theme) {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    names.dedup();
    names
}

/// Whether a theme of this name follows the terminal's background.
pub(super) fn is_automatic(name: &str) -> bool {
    name.is_empty() || name == AUTO
}

pub(super) fn load(options: &ThemeOptions, name: &str) -> Result<LoadedTheme, String> {
    let own = own_file(options, name).and_then(|path| open::read_text(&path, MAX_BYTES).ok());
    let (theme, warnings) = if let Some(text) = own {
        let (theme, warnings) =
            Theme::from_toml(&text).map_err(|error| format!("theme {name}: {error}"))?;
        let named = warnings.into_iter().map(|it| format!("theme {name}: {it}"));
        (theme, named.collect())
    } else {
        let name = match (is_automatic(name), options.is_dark) {
            (true, Some(false)) => "light",
            (true, _) => "dark",
            (false, _) => name,
        };
        let theme = Theme::bundled(name).ok_or_else(|| {
            let known = Theme::bundled_names().join(", ");
            format!("no such theme; known themes: {known}")
        })?;
        (theme, Vec::new())
    };
    Ok(LoadedTheme {
        theme: Box::new(theme.for_terminal(options.color_depth)),
        warnings,
    })
}
