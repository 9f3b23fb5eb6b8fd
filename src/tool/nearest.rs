//! The nearest of some names, for "did you mean". Short names only: it is quadratic in
//! their length.

use crate::transcript::edit_distance;

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
    let wanted = name.to_lowercase();
    if wanted.is_empty() || wanted.chars().count() > MAX_NAME_CHARS {
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
fn score(wanted: &str, candidate: &str) -> Option<usize> {
    let other = candidate.to_lowercase();
    let chars = |text: &str| text.chars().count();
    if other.is_empty() || chars(&other) > MAX_NAME_CHARS {
        return None;
    }
    let longer = chars(wanted).max(chars(&other));
    let distance = edit_distance(wanted, &other);
    let allowed = longer.div_ceil(3);
    let is_part = |a: &str, b: &str| chars(a) >= 3 && b.contains(a);
    if distance <= allowed {
        Some(distance)
    } else if is_part(wanted, &other) || is_part(&other, wanted) {
        Some(distance.max(allowed))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
