//! The effect of the settings of the terminal: on the screen and line by line, at the start
//! and when they are changed.

use std::fs;

use anyhow::Result;

use super::pty::{Pty, State};
use super::terminal::{Place, has, ready};

const MOUSE_ON: &str = "\u{1b}[?1000h";
const MOUSE_OFF: &str = "\u{1b}[?1000l";
const TITLE: &str = "\u{1b}]2;";
const TITLE_BACK: &str = "\u{1b}[23;2t";
const OSC9: &str = "\u{1b}]9;";

fn open(place: &Place, settings: &[&str]) -> Result<Pty> {
    let mut arguments = Vec::new();
    for setting in settings {
        arguments.extend(["-S", setting]);
    }
    ready(Pty::start(place.plim(&arguments), 120, 40)?)
}

/// Types a line and waits for what is said of it.
fn set(pty: &mut Pty, setting: &str, said: &str) -> Result<()> {
    pty.send(&format!("/settings {setting}"))?;
    pty.wait_for(&format!("/settings {setting}"))?;
    pty.send("\r")?;
    pty.wait(said, |state| state.text().contains(said))?;
    Ok(())
}

/// Whether anything on the screen has a colour.
fn has_colour(state: &State) -> bool {
    let screen = state.parser.screen();
    let (rows, columns) = screen.size();
    let is_coloured = |row, column| {
        let cell = screen.cell(row, column);
        cell.is_some_and(|cell| cell.fgcolor() != vt100::Color::Default)
    };
    (0..rows).any(|row| (0..columns).any(|column| is_coloured(row, column)))
}

fn colours(state: &State) -> Vec<vt100::Color> {
    let screen = state.parser.screen();
    let (rows, columns) = screen.size();
    let mut found = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let colour = screen.cell(row, column).map(vt100::Cell::fgcolor);
            if let Some(colour) = colour.filter(|it| !found.contains(it)) {
                found.push(colour);
            }
        }
    }
    found
}

#[test]
fn the_screen_follows_its_settings_at_the_start_and_at_once() -> Result<()> {
    let place = Place::new()?;
    let off = ["mouse=false", "title=false", "color=false", "keys.vi=true"];
    let mut pty = open(&place, &off)?;
    pty.wait_for("INSERT")?;
    {
        let state = pty.state();
        assert!(!has(&state.bytes, MOUSE_ON), "the mouse is not captured");
        assert!(!has(&state.bytes, TITLE), "the window has no title of ours");
        assert!(!has_colour(&state));
    }
    set(&mut pty, "mouse=true", "mouse: active for this session")?;
    pty.wait("the mouse", |state| has(&state.bytes, MOUSE_ON))?;
    set(&mut pty, "title=true", "title: active for this session")?;
    pty.wait("the title", |state| has(&state.bytes, TITLE))?;
    set(&mut pty, "color=true", "color: active for this session")?;
    pty.wait("colours", has_colour)?;
    set(
        &mut pty,
        "keys.vi=false",
        "keys.vi: active for this session",
    )?;
    pty.wait("no modes", |state| !state.text().contains("INSERT"))?;
    let before = colours(&pty.state());
    set(&mut pty, "theme=light", "theme: active for this session")?;
    pty.wait("change theme", |state| colours(state) != before)?;
    // A theme that is not there changes nothing, and nobody says that it is in force.
    let light = colours(&pty.state());
    set(&mut pty, "theme=nowhere", "no such theme")?;
    assert!(!pty.state().text().contains("theme: active"));
    assert_eq!(colours(&pty.state()), light);
    set(&mut pty, "mouse=false", "mouse: active for this session")?;
    pty.wait("no mouse", |state| has(&state.bytes, MOUSE_OFF))?;
    set(&mut pty, "title=false", "title: active for this session")?;
    pty.wait("the old title", |state| has(&state.bytes, TITLE_BACK))?;
    Ok(())
}

#[test]
fn a_theme_is_that_of_the_setting_from_the_start() -> Result<()> {
    let place = Place::new()?;
    let [dark, light] = ["theme=dark", "theme=light"].map(|theme| -> Result<_> {
        let pty = open(&place, &[theme])?;
        let found = colours(&pty.state());
        Ok(found)
    });
    assert_ne!(dark?, light?);
    Ok(())
}

#[test]
fn addresses_can_be_clicked_and_the_tab_shows_that_something_runs_as_set() -> Result<()> {
    const LINK: &str = ";https://a.example/x\u{1b}\\";
    const RUNS: &str = "\u{1b}]9;4;3\u{1b}\\";
    const RESTS: &str = "\u{1b}]9;4;0\u{1b}\\";
    let place = Place::new()?;
    let settings = [
        "terminal.links=on",
        "terminal.progress=on",
        "approvals.mode=all",
    ];
    let mut pty = open(&place, &settings)?;
    pty.send("see https://a.example/x.\r")?;
    pty.wait("the link", |state| has(&state.bytes, LINK))?;
    pty.wait("the answer", |state| {
        state.text().contains("I do not understand")
    })?;
    // An answer without a command can be over before the next frame.
    let start = pty.state().bytes.len();
    let wrote = |what: &'static str| {
        move |state: &State| {
            state
                .bytes
                .get(start..)
                .is_some_and(|bytes| has(bytes, what))
        }
    };
    pty.send("run sleep 1\r")?;
    pty.wait("the progress", wrote(RUNS))?;
    pty.wait("its end", wrote(RESTS))?;
    for setting in ["terminal.links", "terminal.progress"] {
        set(
            &mut pty,
            &format!("{setting}=off"),
            &format!("{setting}: active for this session"),
        )?;
    }
    let start = pty.state().bytes.len();
    pty.send("and https://a.example/x again\r")?;
    pty.wait_for("x again")?;
    pty.send("/quit\r")?;
    pty.wait_for_end()?;
    let bytes = pty.state().bytes.split_off(start);
    assert!(!has(&bytes, LINK) && !has(&bytes, RUNS));
    Ok(())
}

fn plain(place: &Place, settings: &[&str]) -> Result<Pty> {
    let mut arguments = Vec::new();
    for setting in settings {
        arguments.extend(["-S", setting]);
    }
    let pty = Pty::start(place.plim(&arguments), 200, 60)?;
    pty.wait("the prompt", |state| state.text().contains("you: "))?;
    Ok(pty)
}

#[test]
fn the_chat_is_line_by_line_when_that_is_set() -> Result<()> {
    let place = Place::new()?;
    let pty = plain(&place, &["plain=true"])?;
    assert!(pty.state().text().contains("plimsoll, line by line"));
    assert!(!pty.state().parser.screen().alternate_screen());
    Ok(())
}

/// Says something and gives the bytes that its answer wrote.
fn answered(pty: &mut Pty, times: usize) -> Result<Vec<u8>> {
    let start = pty.state().bytes.len();
    pty.send("hello\r")?;
    pty.wait("the answer", |state| {
        state.text().matches("context: ").count() >= times
    })?;
    pty.wait("the prompt", |state| {
        state.text().trim_end().ends_with("you:")
    })?;
    Ok(pty.state().bytes.split_off(start))
}

/// Changes a setting line by line, and waits for what is said of it and the next prompt.
fn set_plain(pty: &mut Pty, setting: &str, said: &str) -> Result<()> {
    pty.send(&format!("/settings {setting}\r"))?;
    pty.wait(said, |state| state.text().contains(said))?;
    pty.wait("the prompt", |state| {
        state.text().trim_end().ends_with("you:")
    })?;
    Ok(())
}

#[test]
fn the_user_is_called_when_and_how_it_is_set() -> Result<()> {
    let place = Place::new()?;
    let mut pty = plain(
        &place,
        &["plain=true", "notify.when=always", "notify.method=bell"],
    )?;
    assert!(has(&answered(&mut pty, 1)?, "\u{7}"), "the bell");
    set_plain(
        &mut pty,
        "notify.method=osc9",
        "notify.method: active for this session",
    )?;
    let bytes = answered(&mut pty, 2)?;
    assert!(has(&bytes, OSC9), "{}", String::from_utf8_lossy(&bytes));
    set_plain(
        &mut pty,
        "notify.when=never",
        "notify.when: active for this session",
    )?;
    let bytes = answered(&mut pty, 3)?;
    assert!(!has(&bytes, OSC9) && !has(&bytes, "\u{7}"));
    Ok(())
}

#[test]
fn line_by_line_what_only_the_screen_has_is_refused_and_said() -> Result<()> {
    let place = Place::new()?;
    let mut pty = plain(&place, &["plain=true"])?;
    let mut say = |line: &str, said: &[&str]| -> Result<()> {
        pty.send(&format!("{line}\r"))?;
        for words in said {
            pty.wait(words, |state| state.text().contains(words))?;
        }
        Ok(())
    };
    let nothing = "nothing was changed";
    say(
        "/settings theme=light",
        &["theme: nothing was changed", "-S theme=light"],
    )?;
    say("/settings mouse=false", &["mouse: nothing was changed"])?;
    say(
        "/settings tls.roots=bundled",
        &["tls.roots: nothing was changed", "-S tls.roots=bundled"],
    )?;
    say(
        "/settings notify.when=unfocused",
        &["notify.when: set, but no notifications with --plain"],
    )?;
    let text = pty.state().text();
    assert!(text.matches(nothing).count() >= 3, "{text}");
    assert!(!text.contains("active for this session"), "{text}");
    // Nothing was written either.
    assert!(
        fs::read_dir(place.home())?
            .flatten()
            .all(|it| it.file_name() != "config.toml")
    );
    Ok(())
}
