//! The introduction as the screen knows it: offered, going on, or neither.

use super::super::tour::Tour;

/// The introduction.
#[derive(Debug, Default)]
pub struct Introduction {
    /// Whether it is offered: on the first start, until the user does something else.
    pub is_offered: bool,
    /// Its step while it goes on: the session is one to practise on.
    pub tour: Option<Tour>,
    /// Nobody has told yet what the gauge shows.
    pub explains_gauge: bool,
}
