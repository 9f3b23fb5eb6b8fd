//! The list of identifiers in a summary: symbols grouped by their file, several of a kind on
//! a line, and beside numbers without a meaning the words that they were said with.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::classify::IdentifierKind;
use super::collect::file_key;
use super::identifier::Identifier;
use super::whole_line::whole_words;

/// Characters of Markdown around one identifier: back quotes, comma, space.
pub(super) const LIST_MARKUP_CHARS: usize = 4;
/// Characters of identifiers after which a line ends.
const LINE_CHARS: usize = 120;
/// Longest quote beside an identifier, in characters.
const QUOTE_CHARS: usize = 120;
/// Most characters of quotes together.
const ALL_QUOTES_CHARS: usize = 600;

/// Characters of a list, with its line ends.
pub fn list_chars(lines: &[String]) -> usize {
    lines.iter().map(|line| line.chars().count() + 1).sum()
}

/// The lines of the list. Within `quote_chars` characters numbers, hashes and tickets come
/// with the words that they were said with.
pub fn list_lines(identifiers: &[&Identifier], quote_chars: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let grouped = SymbolsOfFiles::of(identifiers);
    let mut packed = PackedLines::default();
    let mut quotes = quote_chars.min(ALL_QUOTES_CHARS);
    for (at, it) in identifiers.iter().enumerate() {
        if grouped.placed.contains(&at) {
            continue;
        }
        if let Some(symbols) = grouped.by_file.get(&at) {
            let names: Vec<String> = symbols.iter().map(|it| coded(&it.text)).collect();
            lines.push(format!("- {}: {}", coded(&it.text), names.join(", ")));
            continue;
        }
        let quote = quote_of(it).filter(|quote| quote.chars().count() <= quotes);
        if let Some(quote) = quote {
            quotes -= quote.chars().count();
            lines.push(format!("- {} — {quote}", coded(&it.text)));
        } else {
            packed.push(it);
        }
    }
    for (file, symbols) in &grouped.unlisted {
        let names: Vec<String> = symbols.iter().map(|it| coded(&it.text)).collect();
        lines.push(format!("- {}: {}", coded(file), names.join(", ")));
    }
    lines.extend(packed.lines());
    lines
}

/// As code; a text with back quotes of its own is none.
fn coded(text: &str) -> String {
    format!("`{text}`")
}

/// The words that an identifier was said with, where they tell something.
fn quote_of(it: &Identifier) -> Option<String> {
    if !super::select::needs_line(it.kind) {
        return None;
    }
    let line = it.line.replace('`', "'");
    let line = line.trim().trim_start_matches(['-', '*', '#', '>', ' ']);
    let is_data =
        line.starts_with(['{', '[', '<', '|']) || line.contains("\":") || line.contains('=');
    let around = window_of(line, &it.text)?;
    let words = around.split_whitespace().count();
    (!is_data && words > 2).then_some(around)
}

/// The whole words of a line around an identifier, at most [`QUOTE_CHARS`] characters.
fn window_of(line: &str, text: &str) -> Option<String> {
    let at = line.find(text)?;
    let (before, rest) = line.split_at_checked(at)?;
    let lead = super::texts::whole_tail(before, QUOTE_CHARS / 2);
    let after = rest.get(text.len()..)?;
    let used = lead.chars().count() + text.chars().count();
    let trail = whole_words(after, QUOTE_CHARS.checked_sub(used)?);
    Some(format!("{}{text}{}", lead.trim_start(), trail.trim_end()))
}

/// Symbols under the files that they were named with.
struct SymbolsOfFiles<'a> {
    /// By the position of the file in the list.
    by_file: HashMap<usize, Vec<&'a Identifier>>,
    /// Files that are not in the list and have at least two symbols, in the order of their
    /// first.
    unlisted: Vec<(&'a str, Vec<&'a Identifier>)>,
    /// Positions of the symbols that are under a file.
    placed: HashSet<usize>,
}

impl<'a> SymbolsOfFiles<'a> {
    fn of(identifiers: &[&'a Identifier]) -> Self {
        let mut files: HashMap<&str, usize> = HashMap::new();
        for (at, it) in identifiers.iter().enumerate().rev() {
            if it.kind.is_file() {
                let spellings = it.spellings.iter().map(String::as_str);
                for spelling in spellings.chain([it.text.as_str()]) {
                    files.insert(file_key(spelling), at);
                }
            }
        }
        let mut out = Self {
            by_file: HashMap::new(),
            unlisted: Vec::new(),
            placed: HashSet::new(),
        };
        let mut homeless: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, it) in identifiers.iter().enumerate() {
            let Some(file) = it.file.as_deref() else {
                continue;
            };
            if let Some(&listed) = files.get(file) {
                out.by_file.entry(listed).or_default().push(it);
                out.placed.insert(at);
            } else {
                homeless.entry(file).or_default().push(at);
            }
        }
        let mut groups: Vec<(&str, Vec<usize>)> = homeless.into_iter().collect();
        groups.retain(|(file, symbols)| {
            // A path costs more than it says beside few short names.
            let names = symbols.iter().filter_map(|&at| identifiers.get(at));
            let chars: usize = names.map(|it| it.text.len()).sum();
            symbols.len() > 1 && chars > file.len()
        });
        groups.sort_by_key(|(_, symbols)| symbols.first().copied());
        for (file, symbols) in groups {
            let names = symbols
                .iter()
                .filter_map(|&at| identifiers.get(at).copied());
            out.unlisted.push((file, names.collect()));
            out.placed.extend(symbols);
        }
        out
    }
}

/// Identifiers side by side, each kind on lines of its own.
#[derive(Default)]
struct PackedLines<'a> {
    /// Files, other pointers, names, measures.
    groups: [Vec<&'a Identifier>; 4],
}

impl<'a> PackedLines<'a> {
    fn push(&mut self, it: &'a Identifier) {
        let [files, pointers, names, measures] = &mut self.groups;
        let group = match it.kind {
            kind if kind.is_file() => files,
            kind if kind.is_pointer() => pointers,
            IdentifierKind::Quantity | IdentifierKind::Date | IdentifierKind::Port => measures,
            _ => names,
        };
        group.push(it);
    }

    fn lines(&self) -> Vec<String> {
        let mut out = Vec::new();
        for group in &self.groups {
            let mut line = String::new();
            for it in group {
                if !line.is_empty() && line.len() + it.text.len() > LINE_CHARS {
                    out.push(std::mem::take(&mut line));
                }
                line.push_str(if line.is_empty() { "- " } else { ", " });
                line.push_str(&coded(&it.text));
            }
            if !line.is_empty() {
                out.push(line);
            }
        }
        out
    }
}
