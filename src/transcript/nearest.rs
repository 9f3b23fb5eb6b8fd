//! Names that somebody may have meant who wrote another one, for "did you mean". Short names
//! only: the comparison is quadratic in their length.

/// Names longer than this are not compared: nobody mistypes them by a letter, and a hostile
/// one would cost time.
const MAX_NAME_CHARS: usize = 120;

/// The candidate that differs from `name` in at most a third of the characters of `name`, and
/// always in one; the first of those that differ least. Case counts.
pub fn nearest_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    /// A longer name is no misspelt key.
    const MAX_KEY_CHARS: usize = 64;
    let wanted: Vec<char> = name.chars().collect();
    if wanted.len() > MAX_KEY_CHARS {
        return None;
    }
    let allowed = (wanted.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| {
            let other: Vec<char> = candidate.chars().collect();
            (distance(&wanted, &other), candidate)
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The candidates that are close enough to be meant, nearest first, at most `limit`: they
/// differ in at most a third of their characters, or one name contains the other. Case is
/// ignored; equal distances keep the order of the candidates.
pub fn similar_names<'a>(
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

/// Insertions, deletions and replacements from one name to the other.
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
        assert_eq!(similar_names("Red", names, 3), ["read"]);
        assert_eq!(similar_names("searhc", names, 3), ["search"]);
        assert_eq!(similar_names("read_file", names, 3), ["read"]);
        assert!(similar_names("bash", names, 3).is_empty());
        assert!(similar_names(&"x".repeat(5000), names, 3).is_empty());
    }
}
