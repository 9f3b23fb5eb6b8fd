//! Exit codes of a headless run; see `TurnEnd::exit_code`.

pub(crate) const DONE: u8 = 0;
pub(crate) const FAILED: u8 = 1;
pub(crate) const CREDENTIALS: u8 = 3;
pub(crate) const OVERFLOW: u8 = 4;
pub(crate) const REFUSED: u8 = 5;
pub(crate) const INTERRUPTED: u8 = 130;
