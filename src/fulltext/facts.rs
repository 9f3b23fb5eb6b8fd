//! What filters ask of an entry, as words of the index: a filter that few entries pass costs
//! what those few cost, and not a look at every hit of a common word.

use std::path::Path;

use super::document::Document;
use super::query::SearchFilter;
use super::store::IndexedSession;
use crate::session::fingerprint;

/// The program of our own sessions, as filters name it.
const OWN: &str = "plimsoll";
/// The word of a result that says that its call failed.
const FAILED: &str = "e1";

/// The words of an entry: its program, its directory with those above, its tool, and whether
/// it failed.
pub(super) fn words_of(session: &IndexedSession, document: &Document) -> String {
    let program = match session.program.as_str() {
        "" => OWN,
        program => program,
    };
    let mut words = vec![program_word(program)];
    words.extend(Path::new(&session.cwd).ancestors().map(dir_word));
    if !document.tool.is_empty() {
        words.push(tool_word(&document.tool));
    }
    if document.is_error {
        words.push(FAILED.to_owned());
    }
    words.join(" ")
}

/// A query of texts that matches only entries which may pass a filter.
pub(super) fn narrowed(matching: &str, filter: &SearchFilter) -> String {
    let mut out = format!("{{text}} : ({matching})");
    let program = filter.program.as_deref().map(program_word);
    let dir = filter.dir.as_deref().map(|dir| dir_word(Path::new(dir)));
    let tool = filter.tool.as_deref().map(tool_word);
    let failed = filter.errors.then(|| FAILED.to_owned());
    for word in [program, dir, tool, failed].into_iter().flatten() {
        out.push_str(" AND {facts} : \"");
        out.push_str(&word);
        out.push('"');
    }
    out
}

fn program_word(program: &str) -> String {
    format!("p{}", fingerprint(program.as_bytes()))
}

/// Paths that differ only by a separator at their end are one.
fn dir_word(dir: &Path) -> String {
    let plain: std::path::PathBuf = dir.components().collect();
    format!("d{}", fingerprint(plain.as_os_str().as_encoded_bytes()))
}

fn tool_word(tool: &str) -> String {
    format!("t{}", fingerprint(tool.to_ascii_lowercase().as_bytes()))
}
