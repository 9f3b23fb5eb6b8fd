//! From a key to its place on the screen.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::pty::{Pty, State};
use super::{COLUMNS, Place, report};

/// Keys whose echo is measured.
pub const KEYS: usize = 150;
/// Between two keys at least: a fast typist.
const SHORTEST_PAUSE: Duration = Duration::from_millis(30);
/// Microseconds that are spread over the pauses: a frame and a bit. The echo of a key is a
/// frame itself, so equal pauses would always meet the same moment between two others.
const SPREAD_US: u64 = 17_500;
/// Shares nothing with it: steps over it again and again without a pattern.
const STEP_US: u64 = 7_919;
/// Characters that the composer is let grow to.
const FULL_ROW: usize = 40;

/// Echo while nothing else happens.
pub fn idle_echo(place: &Place) -> Result<()> {
    echo("key echo, idle", &mut place.offline(&[])?)
}

/// Types single characters and waits for each to appear in the composer.
pub fn echo(what: &str, pty: &mut Pty) -> Result<()> {
    let mut times = Vec::new();
    let mut typed = String::new();
    for index in 0..KEYS {
        let key = char::from(b'a' + (index % 26) as u8);
        if typed.len() >= FULL_ROW {
            pty.send("\u{15}")?;
            pty.wait("an empty composer", |state| {
                composer(state).is_some_and(|text| !text.starts_with(&typed))
            })?;
            typed.clear();
        }
        typed.push(key);
        let pressed = Instant::now();
        pty.send(&key.to_string())?;
        let seen = pty.wait("the key", |state| {
            composer(state).is_some_and(|text| text.starts_with(&typed))
        })?;
        times.push(seen - pressed);
        pause(index);
    }
    report::times(what, &mut times)
}

/// Waits as a typist does between two keys.
pub fn pause(index: usize) {
    let spread = (index as u64 * STEP_US) % SPREAD_US;
    std::thread::sleep(SHORTEST_PAUSE + Duration::from_micros(spread));
}

/// The text of the composer's first row.
fn composer(state: &State) -> Option<String> {
    let rows: Vec<String> = state.parser.screen().rows(0, COLUMNS).collect();
    let row = rows.iter().rev().find_map(|row| row.strip_prefix(" › "))?;
    Some(row.to_owned())
}
