//! Numbers with their units: times, sizes, shares, money, counts.

use std::sync::LazyLock;

use regex::Regex;

/// A number with its unit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    /// As it is written.
    pub text: String,
    /// The number in the unit's smallest form, e.g. milliseconds.
    value: f64,
    /// What is counted.
    unit: &'static str,
    /// The last digit that is written stands for this much.
    precision: f64,
}

/// A unit as it is written, what it is a unit of, and how many of the smallest it has.
const UNITS: &[(&str, &str, f64)] = &[
    ("ms", "time", 1.0),
    ("millisecond", "time", 1.0),
    ("milliseconds", "time", 1.0),
    ("s", "time", 1e3),
    ("sec", "time", 1e3),
    ("secs", "time", 1e3),
    ("second", "time", 1e3),
    ("seconds", "time", 1e3),
    ("min", "time", 6e4),
    ("mins", "time", 6e4),
    ("minute", "time", 6e4),
    ("minutes", "time", 6e4),
    ("h", "time", 3.6e6),
    ("hour", "time", 3.6e6),
    ("hours", "time", 3.6e6),
    ("day", "time", 8.64e7),
    ("days", "time", 8.64e7),
    ("week", "time", 6.048e8),
    ("weeks", "time", 6.048e8),
    ("b", "size", 1.0),
    ("byte", "size", 1.0),
    ("bytes", "size", 1.0),
    ("kb", "size", 1e3),
    ("mb", "size", 1e6),
    ("gb", "size", 1e9),
    ("tb", "size", 1e12),
    ("kib", "size", 1024.0),
    ("mib", "size", 1_048_576.0),
    ("gib", "size", 1_073_741_824.0),
    ("%", "percent", 1.0),
    ("percent", "percent", 1.0),
    ("$", "dollars", 1.0),
    ("usd", "dollars", 1.0),
    ("€", "euros", 1.0),
    ("eur", "euros", 1.0),
    ("token", "tokens", 1.0),
    ("tokens", "tokens", 1.0),
    ("line", "lines", 1.0),
    ("lines", "lines", 1.0),
    ("row", "rows", 1.0),
    ("rows", "rows", 1.0),
    ("test", "tests", 1.0),
    ("tests", "tests", 1.0),
    ("file", "files", 1.0),
    ("files", "files", 1.0),
    ("request", "requests", 1.0),
    ("requests", "requests", 1.0),
    ("user", "users", 1.0),
    ("users", "users", 1.0),
    ("retry", "retries", 1.0),
    ("retries", "retries", 1.0),
    ("attempts", "retries", 1.0),
    ("px", "pixels", 1.0),
    ("hz", "hertz", 1.0),
];

static QUANTITY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let units = UNITS
        .iter()
        .map(|(unit, ..)| *unit)
        .filter(|unit| unit.bytes().all(|b| b.is_ascii_alphabetic()));
    let mut units: Vec<&str> = units.collect();
    units.sort_by_key(|unit| std::cmp::Reverse(unit.len()));
    let units = units.join("|");
    let number = r"\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?";
    Regex::new(&format!(
        r"(?i)(?P<sign>[$€])\s?(?P<amount>{number})|(?P<number>{number})\s?(?P<unit>(?:{units})\b|[%€$])"
    ))
    .ok()
});

impl Quantity {
    /// Whether this one, as a summary writes it, says `true_one`: rounded to the precision
    /// that is written here it is the same.
    pub(super) fn says(&self, true_one: &Self) -> bool {
        let half = self.precision / 2.0 * (1.0 + 1e-9);
        self.unit == true_one.unit && (self.value - true_one.value).abs() <= half
    }

    /// Whether both are the same amount of the same thing.
    pub(super) fn is_exactly(&self, other: &Self) -> bool {
        self.unit == other.unit && (self.value - other.value).abs() <= self.value.abs() * 1e-9
    }
}

/// The numbers with units of a text, in order. Linear.
pub(super) fn quantities(text: &str) -> Vec<Quantity> {
    let Some(pattern) = QUANTITY.as_ref() else {
        return Vec::new();
    };
    pattern
        .captures_iter(text)
        .filter_map(|found| {
            let whole = found.get(0)?;
            let before = text.get(..whole.start())?.chars().next_back();
            // Part of a name, a version or a longer number.
            if before
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '#' | '/'))
            {
                return None;
            }
            let number = found
                .name("amount")
                .or_else(|| found.name("number"))?
                .as_str();
            let unit = found.name("sign").or_else(|| found.name("unit"))?.as_str();
            quantity(whole.as_str(), number, unit)
        })
        .collect()
}

fn quantity(text: &str, number: &str, unit: &str) -> Option<Quantity> {
    let plain: String = number.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    let unit = unit.to_lowercase();
    let (_, unit, factor) = UNITS.iter().find(|(name, ..)| *name == unit)?;
    let decimals = plain
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let decimals = i32::try_from(decimals.min(12)).unwrap_or(12);
    Some(Quantity {
        text: text.to_owned(),
        value: plain.parse::<f64>().ok()? * factor,
        unit,
        precision: 10_f64.powi(-decimals) * factor,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_same_in_another_unit_or_rounded() {
        let one = |text: &str| quantities(text).remove(0);
        for (written, said, is_same) in [
            ("4.6 s", "4.555 s", true),
            ("4.6 s", "4555 ms", true),
            ("4.5 s", "4.555 s", false),
            ("$47,500", "$47500", true),
            ("$50,000", "$47,500", false),
            ("30 seconds", "30s", true),
            ("30 minutes", "30 s", false),
            ("12%", "12 percent", true),
        ] {
            assert_eq!(one(written).says(&one(said)), is_same, "{written} {said}");
        }
    }

    #[test]
    fn versions_names_and_bare_numbers_are_no_quantities() {
        for text in ["v1.5s", "file_3 mb", "12", "a12s", "1.2.3 s", "30 sheep"] {
            assert_eq!(quantities(text), [], "{text}");
        }
    }
}
