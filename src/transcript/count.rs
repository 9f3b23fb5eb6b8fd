//! Counts as sentences show them, the same wherever one is told.

/// A count with separators: `1,204`.
pub fn grouped(count: u64) -> String {
    /// Digits between two separators.
    const GROUP: usize = 3;
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / GROUP);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(GROUP) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_stand_between_groups_of_three() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1_204, "1,204"),
            (48_312, "48,312"),
            (1_000_000, "1,000,000"),
        ] {
            assert_eq!(grouped(count), text);
        }
    }
}
