//! Limits that servers named when they refused a request as too long, kept in a file
//! between runs.
//!
//! A server's own word about what it takes is worth more than a table, and less than what
//! the user sets. It counts for the address that it came from, and until the server's list
//! says something else than it did when the limit was named.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::disk::{open, private};
use crate::transcript::{ModelInfo, ModelRef, WindowSource};

/// Limits that are kept; those that were named longest ago go first.
const MAX_LIMITS: usize = 256;
/// A larger file is none of ours.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// A limit that a server named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedLimit {
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// Where it was said: the base address, without secrets.
    pub base: String,
    /// The limit, in tokens.
    pub tokens: u64,
    /// The window assumed until then, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<u64>,
}

impl NamedLimit {
    /// Whether it is about this model at this address.
    pub(in crate::provider) fn is_of(&self, model: &ModelRef, base: &str) -> bool {
        self.provider == model.provider && self.model == model.model && self.base == base
    }

    /// Whether nothing better is known about the window.
    fn holds_for(&self, known: &ModelInfo) -> bool {
        let is_lower = known.window_tokens.is_none_or(|window| {
            self.tokens < window.min(known.input_limit_tokens.unwrap_or(window))
        });
        let says_otherwise = known.window_tokens != self.instead_of;
        match known.window_source {
            WindowSource::User => false,
            WindowSource::Server | WindowSource::Listed => is_lower && !says_otherwise,
            _ => is_lower,
        }
    }

    /// Lays it over what is known otherwise.
    pub(in crate::provider) fn over(&self, mut known: ModelInfo) -> ModelInfo {
        if self.holds_for(&known) {
            known.window_tokens = Some(self.tokens);
            known.window_source = WindowSource::Refusal;
        }
        known
    }
}

/// The file's form.
#[derive(Default, Serialize, Deserialize)]
struct LimitFile {
    limits: Vec<NamedLimit>,
}

/// Reads the file; one that is missing or broken is empty: what is too long is refused
/// again.
pub fn read_limits(path: &Path) -> Vec<NamedLimit> {
    let text = open::read(path, MAX_FILE_BYTES).unwrap_or_default();
    let file: LimitFile = serde_json::from_slice(&text).unwrap_or_default();
    file.limits
}

/// Keeps a limit in the place of what the same server said before.
///
/// # Errors
///
/// When the folder or the file cannot be written.
pub fn keep_limit(path: &Path, limit: NamedLimit) -> io::Result<()> {
    let mut limits = read_limits(path);
    let model = ModelRef::new(&limit.provider, &limit.model);
    limits.retain(|known| !known.is_of(&model, &limit.base));
    limits.push(limit);
    let surplus = limits.len().saturating_sub(MAX_LIMITS);
    limits.drain(..surplus);
    write(path, limits)
}

/// Forgets those for which `is_obsolete` says so, and gives them.
///
/// # Errors
///
/// When the file cannot be written; without any to forget it is left alone.
pub fn forget_limits(
    path: &Path,
    is_obsolete: impl FnMut(&NamedLimit) -> bool,
) -> io::Result<Vec<NamedLimit>> {
    let (forgotten, kept): (Vec<_>, Vec<_>) = read_limits(path).into_iter().partition(is_obsolete);
    if !forgotten.is_empty() {
        write(path, kept)?;
    }
    Ok(forgotten)
}

fn write(path: &Path, limits: Vec<NamedLimit>) -> io::Result<()> {
    private::replace(path, &serde_json::to_vec_pretty(&LimitFile { limits })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(base: &str, tokens: u64) -> NamedLimit {
        NamedLimit {
            provider: "p".to_owned(),
            model: "m".to_owned(),
            base: base.to_owned(),
            tokens,
            instead_of: Some(128_000),
        }
    }

    fn window(known: Option<u64>, source: WindowSource) -> (Option<u64>, WindowSource) {
        let mut info = ModelInfo::unknown(ModelRef::new("p", "m"));
        info.window_tokens = known;
        info.window_source = source;
        let info = limit("b", 32_768).over(info);
        (info.window_tokens, info.window_source)
    }

    #[test]
    fn a_limit_only_lowers_and_yields_to_the_user_and_to_news_of_the_server() {
        let named = (Some(32_768), WindowSource::Refusal);
        assert_eq!(window(None, WindowSource::Assumed), named);
        assert_eq!(window(Some(128_000), WindowSource::Catalogue), named);
        assert_eq!(window(Some(256_000), WindowSource::Catalogue), named);
        assert_eq!(window(Some(128_000), WindowSource::Server), named);
        for (tokens, source) in [
            (16_000, WindowSource::Catalogue),
            (128_000, WindowSource::User),
            (65_536, WindowSource::Server),
            (65_536, WindowSource::Listed),
        ] {
            assert_eq!(window(Some(tokens), source), (Some(tokens), source));
        }
    }

    #[test]
    fn the_known_input_limit_is_no_news() {
        let mut info = ModelInfo::unknown(ModelRef::new("p", "m"));
        info.window_tokens = Some(400_000);
        info.input_limit_tokens = Some(272_000);
        let named = |tokens| limit("b", tokens).over(info.clone()).window_tokens;
        assert_eq!(named(272_000), Some(400_000));
        assert_eq!(named(271_999), Some(271_999));
    }

    #[test]
    fn the_newest_word_of_an_address_is_kept_until_it_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/limits.json");
        assert_eq!(read_limits(&path), []);
        for (base, tokens) in [("a", 1), ("b", 2), ("a", 3)] {
            keep_limit(&path, limit(base, tokens)).unwrap();
        }
        assert_eq!(read_limits(&path), [limit("b", 2), limit("a", 3)]);
        let gone = forget_limits(&path, |limit| limit.base == "b").unwrap();
        assert_eq!(
            (gone, read_limits(&path)),
            (vec![limit("b", 2)], vec![limit("a", 3)])
        );
        for broken in ["", "{", "[]", "\0", "{\"limits\":3}"] {
            std::fs::write(&path, broken).unwrap();
            assert_eq!(read_limits(&path), [], "{broken:?}");
        }
        for n in 0..=MAX_LIMITS {
            keep_limit(&path, limit(&n.to_string(), 1)).unwrap();
        }
        let kept = read_limits(&path);
        assert_eq!((kept.len(), kept[0].base.as_str()), (MAX_LIMITS, "1"));
    }
}
