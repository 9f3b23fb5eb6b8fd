//! How far one word is from another, for "did you mean".

/// Insertions, deletions and replacements of characters from one word to the other. Takes
/// time in proportion to the product of both lengths: for short names only.
pub fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, left) in from.chars().enumerate() {
        let mut diagonal = i;
        let mut before = i + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(&to) {
            let replaced = diagonal + usize::from(left != *right);
            diagonal = *cell;
            before = replaced.min(before + 1).min(*cell + 1);
            *cell = before;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected| {
            assert_eq!(edit_distance(a, b), expected, "{a:?} {b:?}");
        };
        check("", "", 0);
        check("", "abc", 3);
        check("abc", "", 3);
        check("read", "raed", 2);
        check("kitten", "sitting", 3);
        check("same", "same", 0);
    }
}
