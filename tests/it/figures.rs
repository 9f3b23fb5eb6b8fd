//! Figures that a test measures, for whoever runs it with `--nocapture`.

use std::fmt::Display;

/// Prints a figure, or lines of them, into what the test harness captures.
#[expect(
    clippy::print_stdout,
    reason = "the harness captures nothing else that is printed"
)]
pub fn show(figures: impl Display) {
    println!("{figures}");
}
