//! One spelling for each file: absolute, relative and bare names, with a line or without,
//! are one identifier.

use std::collections::HashMap;

use super::classify::{IdentifierKind, without_line};
use super::collect::{FoundIdentifier, Spelling, file_key};
use super::identifier::IdentifierUse;

/// Folders of a path that are compared, from the end.
const MAX_SEGMENTS: usize = 16;

/// Which files end with a path.
#[derive(Clone, Copy, Default)]
struct SuffixUse {
    files: usize,
    /// The one that was named last.
    newest: usize,
}

/// Joins what names the same file, and gives each file one spelling: what a person typed,
/// else the shortest that is unambiguous and usable.
pub(super) fn one_per_file(found: &mut Vec<FoundIdentifier>) {
    let keys: Vec<Option<String>> = found
        .iter()
        .map(|it| {
            let is_path = it.identifier.kind == IdentifierKind::Path;
            is_path.then(|| file_key(&it.identifier.text).to_owned())
        })
        .collect();
    let whole = suffixes(&keys, found, |_| true);
    let is_longest = |key: &str| !whole.contains_key(key);
    let ends = suffixes(&keys, found, is_longest);
    let mut gone: Vec<usize> = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        let Some(file) = key.as_deref().and_then(|key| ends.get(key)) else {
            continue;
        };
        let part = found.get(at).cloned();
        if let (Some(part), Some(whole)) = (part, found.get_mut(file.newest)) {
            absorb(whole, part);
            gone.push(at);
        }
    }
    let mut at = 0;
    let mut gone = gone.into_iter().peekable();
    found.retain(|_| {
        let is_gone = gone.next_if_eq(&at).is_some();
        at += 1;
        !is_gone
    });
    for file in found {
        if file.identifier.kind == IdentifierKind::Path {
            spell(file, &ends);
        }
        let own = file.identifier.file.as_deref();
        if let Some(longer) = own.and_then(|own| ends.get(own)).filter(|it| it.files == 1)
            && let Some(Some(key)) = keys.get(longer.newest)
        {
            file.identifier.file = Some(key.clone());
        }
    }
}

/// The ends of paths, from a folder on, with the files that have them.
fn suffixes(
    keys: &[Option<String>],
    found: &[FoundIdentifier],
    is_wanted: impl Fn(&str) -> bool,
) -> HashMap<String, SuffixUse> {
    let newest = |at: usize| found.get(at).map_or(0, |it| it.newest);
    let mut out: HashMap<String, SuffixUse> = HashMap::new();
    for (at, key) in keys.iter().enumerate() {
        let Some(key) = key.as_deref().filter(|key| is_wanted(key)) else {
            continue;
        };
        let cuts = key.rmatch_indices('/').take(MAX_SEGMENTS);
        for suffix in cuts.filter_map(|(cut, _)| key.get(cut + 1..)) {
            let known = out.entry(suffix.to_owned()).or_default();
            if known.files == 0 || newest(at) >= newest(known.newest) {
                known.newest = at;
            }
            known.files += 1;
        }
    }
    out
}

fn absorb(whole: &mut FoundIdentifier, part: FoundIdentifier) {
    let (known, other) = (&mut whole.identifier, part.identifier);
    known.uses += other.uses;
    let both_named = known.origin > IdentifierUse::NamedAgain
        && other.origin > IdentifierUse::NamedAgain
        && whole.first != part.first
        && known.origin.max(other.origin) <= IdentifierUse::Named;
    if other.origin < known.origin {
        known.origin = other.origin;
        known.entry = other.entry;
        known.line = other.line;
    }
    if both_named {
        known.origin = IdentifierUse::NamedAgain;
    }
    whole.first = whole.first.min(part.first);
    whole.newest = whole.newest.max(part.newest);
    whole.carried = match (whole.carried, part.carried) {
        (Some(one), Some(two)) => Some(one.min(two)),
        (one, two) => one.or(two),
    };
    whole.spellings.extend(part.spellings);
}

/// Chooses the spelling of a file and keeps the others that mean nothing else.
fn spell(file: &mut FoundIdentifier, ends: &HashMap<String, SuffixUse>) {
    let is_clear = |it: &&Spelling| ends.get(file_key(&it.text)).is_none_or(|it| it.files == 1);
    let clear: Vec<&Spelling> = file.spellings.iter().filter(is_clear).collect();
    let length = |it: &&&Spelling| it.text.chars().count();
    let typed = clear.iter().filter(|it| it.is_typed);
    // Of what a person wrote the form that says most.
    let typed = typed.max_by_key(|it| (it.text.matches('/').count(), it.text.len()));
    let is_usable = |it: &&&Spelling| it.is_argument || without_line(&it.text).contains('/');
    let usable = clear.iter().filter(is_usable).min_by_key(length);
    let any = clear.iter().min_by_key(length);
    let Some(chosen) = typed.or(usable).or(any) else {
        return;
    };
    let text = if chosen.is_typed {
        chosen.text.clone()
    } else {
        without_line(&chosen.text).to_owned()
    };
    let mut others: Vec<String> = Vec::new();
    for spelling in clear {
        let bare = without_line(&spelling.text);
        if bare != text && !others.iter().any(|known| known == bare) {
            others.push(bare.to_owned());
        }
    }
    file.identifier.text = text;
    file.identifier.spellings = others;
}
