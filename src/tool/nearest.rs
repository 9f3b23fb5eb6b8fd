//! The nearest of some names, for "did you mean". Short names only: it is quadratic in
//! their length.

/// Names longer than this are not compared: nobody mistypes them by a letter, and a hostile
/// one would cost time.
const MAX_NAME_CHARS: usize = 120;

/// The candidates that are close enough to be meant, nearest first, at most `limit`.
/// Case is ignored; equal distances keep the order of the candidates.
pub(super) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    if wanted.is_empty() || wanted.len() > MAX_NAME_CHARS {
        return Vec::new();
    }
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| Some((score(&wanted, candidate)?, candidate)))
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found
        .into_iter()
        .take(limit)
        .map(|(_, name)| name)
        .collect()
}

/// Edit distance when it is at most about a third of the longer name; a name that contains the
/// other one counts as near, too.
fn score(wanted: &[char], candidate: &str) -> Option<usize> {
    let other: Vec<char> = candidate.to_lowercase().chars().collect();
    if other.is_empty() || other.len() > MAX_NAME_CHARS {
        return None;
    }
    let longer = wanted.len().max(other.len());
    let distance = distance(wanted, &other);
    let allowed = longer.div_ceil(3);
    let is_part = |a: &[char], b: &[char]| a.len() >= 3 && b.windows(a.len()).any(|w| w == a);
    if distance <= allowed {
        Some(distance)
    } else if is_part(wanted, &other) || is_part(&other, wanted) {
        Some(distance.max(allowed))
    } else {
        None
    }
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut before = i + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(b) {
            let cost = diagonal + usize::from(left != right);
            diagonal = *cell;
            before = cost.min(before + 1).min(*cell + 1);
            *cell = before;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(a.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected| {
            let [a, b] = [a, b].map(|s| s.chars().collect::<Vec<_>>());
            assert_eq!(distance(&a, &b), expected, "{a:?} {b:?}");
        };
        check("", "", 0);
        check("", "abc", 3);
        check("abc", "", 3);
        check("read", "raed", 2);
        check("kitten", "sitting", 3);
        check("same", "same", 0);
    }

    #[test]
    fn near_names_come_first_and_far_ones_not_at_all() {
        let names = ["read", "list", "search", "write", "edit", "shell"];
        assert_eq!(nearest("Red", names, 3), ["read"]);
        assert_eq!(nearest("searhc", names, 3), ["search"]);
        assert_eq!(nearest("read_file", names, 3), ["read"]);
        assert!(nearest("bash", names, 3).is_empty());
        assert!(nearest(&"x".repeat(5000), names, 3).is_empty());
    }
}
