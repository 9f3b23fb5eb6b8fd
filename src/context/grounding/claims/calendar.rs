//! Days and their weekdays.

/// A day counted from 1970-01-01.
pub(super) fn day_number(year: u32, month: u32, day: u32) -> i64 {
    let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The month and the day of a day that is counted from 1970-01-01.
pub(super) fn month_and_day(number: i64) -> Option<(u32, u32)> {
    let days = number + 719_468;
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    Some((u32::try_from(month).ok()?, u32::try_from(day).ok()?))
}

/// The day of the week, 0 for Monday.
pub(super) fn weekday(number: i64) -> usize {
    usize::try_from((number + 3).rem_euclid(7)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_from_their_numbers() {
        for (date, of_week) in [
            ((2026, 1, 19), 0),
            ((2025, 3, 17), 0),
            ((2024, 2, 29), 3),
            ((1970, 1, 1), 3),
        ] {
            let (year, month, day) = date;
            let number = day_number(year, month, day);
            assert_eq!(weekday(number), of_week, "{date:?}");
            assert_eq!(month_and_day(number), Some((month, day)), "{date:?}");
        }
    }
}
