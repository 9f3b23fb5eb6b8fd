//! Paths: in full, as the end of a longer one, or joined from a folder and what it lists.

use crate::context::grounding::fold::{self, WordGap};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::identifiers;

use super::reader::Finding;

/// A path, as it was said or as the end of a longer one; with a line, that line too.
pub(super) fn path(index: &SourceIndex<'_>, token: &str) -> Finding {
    let bare = identifiers::without_line(token).trim_end_matches('/');
    let line = token.get(bare.len()..).unwrap_or_default();
    let lines_known = fold::words_of(line)
        .iter()
        .all(|word| index.count(word.hash) > 0);
    let found = whole_path(index, bare).or_else(|| joined_path(index, bare));
    if lines_known { found } else { Finding::Nowhere }
}

fn whole_path(index: &SourceIndex<'_>, path: &str) -> Finding {
    Finding::of(path_place(index, path, &|place| {
        begins_a_name(index, path, place)
    }))
}

fn begins_a_name(index: &SourceIndex<'_>, path: &str, place: usize) -> bool {
    match index.gap_at(place) {
        WordGap::Hyphen | WordGap::Underscore => false,
        WordGap::Dot => path.starts_with('.'),
        _ => true,
    }
}

fn path_place(
    index: &SourceIndex<'_>,
    path: &str,
    accepts: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let words = fold::words_of(path);
    let hashes: Vec<u64> = words.iter().map(|word| word.hash).collect();
    let joins = |number: usize, gap: WordGap| {
        words.get(number).is_some_and(|word| match word.gap {
            WordGap::Slash => gap == WordGap::Slash,
            WordGap::Dot => gap == WordGap::Dot,
            // `0.14.0+zc417`
            WordGap::Sign => gap == WordGap::Sign,
            _ => gap.joins() && gap != WordGap::Slash,
        })
    };
    if hashes.is_empty() {
        None
    } else {
        index.find(&hashes, &joins, accepts)
    }
}

/// A folder that is known and a path that was said from there: a path of two parts, of an
/// absolute path a file, or a name that is said where the folder is.
fn joined_path(index: &SourceIndex<'_>, path: &str) -> Finding {
    let is_absolute = path.starts_with(['/', '~']) || path.get(1..2) == Some(":");
    let cuts = path.match_indices(['/', '\\']).map(|(at, _)| at);
    for at in cuts.skip(usize::from(is_absolute)) {
        let (folder, rest) = path.split_at_checked(at).unwrap_or((path, ""));
        let rest = rest.trim_start_matches(['/', '\\']);
        // A file with its ending is told anywhere, a folder where its parent is listed.
        let is_name = !(rest.contains(['/', '\\']) || is_absolute && rest.contains('.'));
        let folder_ends = |place: usize| {
            let after = place + fold::words_of(folder).len();
            index.gap_at(after) != WordGap::Slash
        };
        let Some(known) = path_place(index, folder, &folder_ends) else {
            continue;
        };
        let begins = |place: usize| {
            begins_a_name(index, rest, place)
                && index.gap_at(place) != WordGap::Slash
                && (!is_name || is_listed_with(index, folder, known, place, is_absolute))
        };
        if let Some(place) = path_place(index, rest, &begins) {
            return Finding::At(place);
        }
    }
    Finding::Nowhere
}

/// Whether a name stands in a listing of a folder: in the same message or the ones after it.
/// Of an absolute path a call or its output has to list it.
fn is_listed_with(
    index: &SourceIndex<'_>,
    folder: &str,
    known: usize,
    place: usize,
    by_a_call: bool,
) -> bool {
    let origin = index.text_at(place).map(|text| text.origin);
    if by_a_call && !matches!(origin, Some(TextOrigin::Argument | TextOrigin::Output)) {
        return false;
    }
    let message = |place: usize| index.text_at(place).and_then(|text| text.message);
    let Some(at) = message(place) else {
        return false;
    };
    let is_before =
        |folder: usize| message(folder).is_some_and(|m| m <= at && at - m <= LISTING_MESSAGES);
    is_before(known) || path_place(index, folder, &|folder| is_before(folder)).is_some()
}

/// Messages between a command that lists a folder and what it lists.
const LISTING_MESSAGES: usize = 2;
