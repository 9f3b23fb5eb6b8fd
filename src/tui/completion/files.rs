//! Files of the workspace, matched fuzzily.

use std::sync::Arc;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::Item;

/// Files that are considered; a tree with more is searched by its first ones.
const MAX_FILES: usize = 50_000;

/// The known files of the workspace.
#[derive(Debug, Default)]
pub struct Files {
    all: Vec<Arc<str>>,
    is_known: bool,
    is_asked: bool,
    /// The newest query and what matched: a longer query searches only there.
    last: Option<(String, Vec<Arc<str>>)>,
}

impl Files {
    /// The files, relative to the workspace.
    pub fn set(&mut self, files: Vec<String>) {
        self.all = files.into_iter().take(MAX_FILES).map(Arc::from).collect();
        self.is_known = true;
        self.is_asked = false;
        self.last = None;
    }

    /// Whether the files must be listed now; true once until they came.
    pub fn start_scan(&mut self) -> bool {
        !self.is_known && !std::mem::replace(&mut self.is_asked, true)
    }

    /// Forgets the list, which may have changed: it is made again next time.
    pub fn forget(&mut self) {
        self.is_known = false;
    }

    /// The best matches for a query.
    pub fn matching(&mut self, query: &str, max: usize) -> Vec<Item> {
        let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
        let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
        let pool = match &self.last {
            Some((shorter, found)) if query.starts_with(shorter.as_str()) => found,
            _ => &self.all,
        };
        let mut chars = Vec::new();
        let mut scored: Vec<(u32, Arc<str>)> = pool
            .iter()
            .filter_map(|path| {
                let score = pattern.score(Utf32Str::new(path, &mut chars), &mut matcher)?;
                Some((score, Arc::clone(path)))
            })
            .collect();
        // Stable: among equals the order of the listing, short paths first.
        scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.len().cmp(&b.1.len())));
        let found: Vec<Arc<str>> = scored.into_iter().map(|(_, path)| path).collect();
        // What is typed in full needs no completing.
        let rest = found.iter().filter(|path| path.as_ref() != query);
        let items = rest.take(max).map(|path| item(path)).collect();
        self.last = Some((query.to_owned(), found));
        items
    }
}

fn item(path: &str) -> Item {
    let insert = if path.ends_with('/') && !path.contains(char::is_whitespace) {
        // One goes on into a directory.
        format!("@{path}")
    } else if path.contains(char::is_whitespace) {
        format!("@\"{path}\" ")
    } else {
        format!("@{path} ")
    };
    Item {
        insert,
        label: path.to_owned(),
        detail: String::new(),
    }
}
