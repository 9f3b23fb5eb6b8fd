//! Sharing a measured total among estimates.

/// Splits `total` in proportion to `weights` by largest remainder: the shares add up
/// to `total` exactly, and each is within one of its exact share. Ties go to the
/// earlier one. With no weight at all, everything goes to the first.
pub(super) fn apportion(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    if sum == 0 {
        let mut shares = vec![0; weights.len()];
        if let Some(first) = shares.first_mut() {
            *first = total;
        }
        return shares;
    }
    let mut shares = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    let mut given: u64 = 0;
    for (index, &weight) in weights.iter().enumerate() {
        let exact = u128::from(total) * u128::from(weight);
        let share = (exact / sum) as u64;
        given += share;
        shares.push(share);
        remainders.push((exact % sum, index));
    }
    let left = (total - given) as usize;
    if left > 0 {
        remainders.select_nth_unstable_by(left - 1, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        for &(_, index) in remainders.iter().take(left) {
            shares[index] += 1;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn adds_up_and_stays_close(
            total in 0u64..10_000_000, weights in prop::collection::vec(0u64..100_000, 1..200),
        ) {
            let shares = apportion(total, &weights);
            prop_assert_eq!(shares.iter().sum::<u64>(), total);
            let sum: u64 = weights.iter().sum();
            if sum > 0 {
                for (share, weight) in shares.iter().zip(&weights) {
                    let exact = total as f64 * *weight as f64 / sum as f64;
                    prop_assert!((*share as f64 - exact).abs() <= 1.0);
                }
            }
        }
    }
}
