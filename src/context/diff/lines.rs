//! Aligning two texts: sections by their headings, lines inside a section, and within
//! a changed block the lines that are nearest to each other.

use std::collections::BTreeMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Largest block of changed lines whose pairs are searched, as old × new.
const MAX_PAIRINGS: usize = 4_096;
/// Lines pair when at least this share of their words is the same.
const MIN_SIMILARITY: f64 = 0.3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AlignedLine<'a> {
    /// On both sides.
    Same(&'a str),
    /// On the left only.
    Removed(&'a str),
    /// On the right only.
    Added(&'a str),
    /// Nearest to each other within a changed block.
    Changed(&'a str, &'a str),
}

/// Whether a line is a heading of a summary.
pub(super) fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
}

/// A heading line (none before the first) and the lines under it.
struct SectionLines<'a> {
    heading: &'a str,
    lines: Vec<&'a str>,
}

/// Aligns two texts.
pub(super) fn align<'a>(left: &'a str, right: &'a str) -> Vec<AlignedLine<'a>> {
    let (old, new) = (blocks(left), blocks(right));
    let titles = |blocks: &[SectionLines<'a>]| -> Vec<&'a str> {
        blocks.iter().map(|b| b.heading).collect()
    };
    let mut out = Vec::new();
    for op in capture_diff_slices(Algorithm::Patience, &titles(&old), &titles(&new)) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            let pairs = old.iter().skip(old_index).zip(new.iter().skip(new_index));
            for (left, right) in pairs.take(len) {
                if !left.heading.is_empty() {
                    out.push(AlignedLine::Same(left.heading));
                }
                body(&left.lines, &right.lines, &mut out);
            }
            continue;
        }
        for block in old.get(op.old_range()).unwrap_or_default() {
            whole(block, AlignedLine::Removed, &mut out);
        }
        for block in new.get(op.new_range()).unwrap_or_default() {
            whole(block, AlignedLine::Added, &mut out);
        }
    }
    out
}

fn blocks(text: &str) -> Vec<SectionLines<'_>> {
    let mut out = vec![SectionLines {
        heading: "",
        lines: Vec::new(),
    }];
    for line in text.lines() {
        if is_heading(line) {
            out.push(SectionLines {
                heading: line,
                lines: Vec::new(),
            });
        } else if let Some(block) = out.last_mut() {
            block.lines.push(line);
        }
    }
    out
}

fn whole<'a>(
    block: &SectionLines<'a>,
    side: impl Fn(&'a str) -> AlignedLine<'a>,
    out: &mut Vec<AlignedLine<'a>>,
) {
    if !block.heading.is_empty() {
        out.push(side(block.heading));
    }
    out.extend(block.lines.iter().map(|line| side(line)));
}

fn body<'a>(old: &[&'a str], new: &[&'a str], out: &mut Vec<AlignedLine<'a>>) {
    for op in capture_diff_slices(Algorithm::Patience, old, new) {
        let before = old.get(op.old_range()).unwrap_or_default();
        let after = new.get(op.new_range()).unwrap_or_default();
        if matches!(op, DiffOp::Equal { .. }) {
            out.extend(before.iter().map(|line| AlignedLine::Same(line)));
        } else {
            changed(before, after, out);
        }
    }
}

/// Pairs each old line with the nearest new one, keeping the order of both sides.
fn changed<'a>(old: &[&'a str], new: &[&'a str], out: &mut Vec<AlignedLine<'a>>) {
    let mut next = 0;
    if old.len() * new.len() <= MAX_PAIRINGS {
        let bags: Vec<WordBag<'_>> = new.iter().map(|line| bag(line)).collect();
        for line in old {
            let own = bag(line);
            let nearest = bags
                .iter()
                .enumerate()
                .skip(next)
                .map(|(index, other)| (similarity(&own, other), index))
                .filter(|(share, _)| *share >= MIN_SIMILARITY)
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            match nearest {
                Some((_, at)) => {
                    let skipped = new.get(next..at).unwrap_or_default();
                    out.extend(skipped.iter().map(|line| AlignedLine::Added(line)));
                    out.extend(new.get(at).map(|other| AlignedLine::Changed(line, other)));
                    next = at + 1;
                }
                None => out.push(AlignedLine::Removed(line)),
            }
        }
    } else {
        out.extend(old.iter().map(|line| AlignedLine::Removed(line)));
    }
    out.extend(new.iter().skip(next).map(|line| AlignedLine::Added(line)));
}

type WordBag<'a> = BTreeMap<&'a str, usize>;

/// Most words of a line that are compared.
const MAX_BAG_WORDS: usize = 64;

fn bag(line: &str) -> WordBag<'_> {
    let mut out = WordBag::new();
    let mut add = |word| *out.entry(word).or_default() += 1;
    let words = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    for word in words.take(MAX_BAG_WORDS) {
        if word.is_ascii() {
            add(word);
        } else {
            // Scripts without spaces: by character.
            word.split_inclusive(|_| true)
                .take(MAX_BAG_WORDS)
                .for_each(&mut add);
        }
    }
    out
}

/// Share of words that both have, 0–1.
fn similarity(a: &WordBag<'_>, b: &WordBag<'_>) -> f64 {
    let shared: usize = a
        .iter()
        .map(|(word, count)| b.get(word).map_or(0, |other| *count.min(other)))
        .sum();
    let total = a.values().sum::<usize>() + b.values().sum::<usize>();
    if total == 0 {
        return 0.0;
    }
    2.0 * shared as f64 / total as f64
}
