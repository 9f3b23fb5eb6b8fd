//! The program and what is around it on a desk: the mouse, the clipboard, what a terminal
//! says of itself, files that change beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use anyhow::{Context as _, Result};
use rustix::process::Signal;

use super::pty::{Pty, State};
use super::terminal::{Place, has, ready};

/// The query for the terminal's background, after the other questions.
const QUESTION: &str = "\u{1b}[?u\u{1b}[c\u{1b}]11;?\u{1b}\\";
/// The kitty keyboard protocol is switched on.
const KITTY_ON: &str = "\u{1b}[>1u";
const KITTY_OFF: &str = "\u{1b}[<1u";
/// The mouse is captured.
const MOUSE_ON: &str = "\u{1b}[?1000h";

fn wrote(what: &str) -> impl Fn(&State) -> bool + '_ {
    move |state| has(&state.bytes, what)
}

#[test]
fn a_terminal_that_answers_gets_its_colours_and_its_keys() -> Result<()> {
    let place = Place::new()?;
    let mut command = place.plim(&[]);
    command.env("COLORTERM", "truecolor");
    let mut pty = ready(Pty::start(command, 120, 40)?)?;
    pty.wait("the question", wrote(QUESTION))?;
    assert!(!has(&pty.state().bytes, KITTY_ON));
    // The heading of the light theme; what is typed around the answer stays typed.
    let light = "38;2;129;84;0";
    assert!(!has(&pty.state().bytes, light), "dark until it says so");
    pty.send("ab\u{1b}[?0u\u{1b}[?62c\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\cd")?;
    pty.wait("the light theme", wrote(light))?;
    pty.wait("the keyboard", wrote(KITTY_ON))?;
    pty.wait_for("› abcd")?;
    assert!(!pty.state().text().contains("rgb"));
    // Once for the draft, twice to leave.
    pty.send("\u{3}\u{3}\u{3}")?;
    pty.wait_for_end()?;
    assert!(has(&pty.state().bytes, KITTY_OFF));
    Ok(())
}

#[test]
fn a_terminal_without_the_protocol_keeps_its_keys() -> Result<()> {
    let place = Place::new()?;
    let mut pty = place_open(&place, &[])?;
    pty.wait("the question", wrote(QUESTION))?;
    pty.send("\u{1b}[?62c\u{1b}]11;rgb:0000/0000/0000\u{7}")?;
    pty.send("typed")?;
    pty.wait_for("› typed")?;
    assert!(!has(&pty.state().bytes, KITTY_ON));
    Ok(())
}

#[test]
fn a_draft_survives_a_kill() -> Result<()> {
    let place = Place::new()?;
    let mut pty = place_open(&place, &[])?;
    pty.send("half a thought\u{a}and its second line")?;
    pty.wait_for("and its second line")?;
    let drafts = place.home().join("data/drafts");
    pty.wait("the draft on disk", |_| {
        drafts.read_dir().is_ok_and(|mut it| it.next().is_some())
    })?;
    pty.signal(Signal::KILL)?;
    pty.wait_for_end()?;
    let again = place_open(&place, &[])?;
    again.wait_for("half a thought")?;
    again.wait_for("and its second line")?;
    Ok(())
}

#[test]
fn a_draft_of_a_session_that_is_not_kept_is_not_in_the_next_one() -> Result<()> {
    let place = Place::new()?;
    for said in [None, Some("list\r")] {
        let mut pty = place_open(&place, &["--no-session"])?;
        if let Some(said) = said {
            pty.send(said)?;
            pty.wait_for("answered with")?;
        }
        pty.send("half a thought")?;
        pty.wait_for("half a thought")?;
        std::thread::sleep(std::time::Duration::from_millis(900));
        pty.signal(Signal::HUP)?;
        pty.wait_for_end()?;
        let drafts = place.home().join("data/drafts");
        let kept = drafts.read_dir().map_or(0, Iterator::count);
        assert_eq!(kept, 0, "after {said:?}");
    }
    let next = place_open(&place, &[])?;
    next.wait_for(" › ")?;
    assert!(!next.state().text().contains("half a thought"));
    Ok(())
}

#[test]
fn a_draft_that_goes_along_into_a_new_session_is_not_left_in_the_old_one() -> Result<()> {
    let place = Place::new()?;
    let mut pty = place_open(&place, &["--session", "x.jsonl"])?;
    pty.send("list\r")?;
    pty.wait_for("answered")?;
    pty.send("half a thought")?;
    let drafts = place.home().join("data/drafts");
    let names = || -> Vec<_> {
        let files = drafts.read_dir().into_iter().flatten().flatten();
        files.map(|file| file.file_name()).collect()
    };
    pty.wait("the draft on disk", |_| names().len() == 1)?;
    let old = names();
    pty.send("\u{10}")?;
    pty.wait_for("/compact")?;
    pty.send("/new")?;
    pty.wait_for("/new")?;
    pty.send("\r")?;
    pty.wait("the draft of the new session", |_| {
        names().len() == 1 && names() != old
    })?;
    pty.wait_for("half a thought")?;
    pty.signal(Signal::KILL)?;
    pty.wait_for_end()?;
    let again = place_open(&place, &["--session", "x.jsonl"])?;
    again.wait_for("answered")?;
    assert!(!again.state().text().contains("half a thought"));
    Ok(())
}

#[test]
fn each_session_has_a_draft_of_its_own_with_its_images() -> Result<()> {
    let place = Place::new()?;
    fs::write(place.work().join("shot.png"), b"\x89PNG\r\n\x1a\n0000")?;
    let mut pty = place_open(&place, &["--session", "x.jsonl"])?;
    pty.send("list\r")?;
    pty.wait_for("answered")?;
    pty.send("about x \u{1b}[200~shot.png\u{1b}[201~")?;
    pty.wait_for("about x [shot.png]")?;
    let drafts = place.home().join("data/drafts");
    let is_kept = |_: &State| {
        let files = drafts.read_dir().into_iter().flatten().flatten();
        let mut texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
        texts.any(|text| text.contains("shot.png"))
    };
    pty.wait("the draft on disk", is_kept)?;
    pty.signal(Signal::KILL)?;
    pty.wait_for_end()?;
    let other = place_open(&place, &[])?;
    assert!(!other.state().text().contains("about x"));
    let mut again = place_open(&place, &["--session", "x.jsonl"])?;
    again.wait_for("about x [shot.png]")?;
    again.send("\u{3}/quit\r")?;
    again.wait_for_end()?;
    assert!(!is_kept(&again.state()), "what was cleared is not kept");
    Ok(())
}

#[test]
fn what_waits_when_the_program_is_left_is_in_the_composer_of_the_session() -> Result<()> {
    let place = Place::new()?;
    let mut pty = place_open(&place, &[])?;
    pty.send("list\r")?;
    pty.wait_for("answered")?;
    pty.send("!sleep 100\r")?;
    pty.wait_for("shell sleep 100")?;
    pty.send("!touch NEVER\r")?;
    pty.wait_for("⧗ later !touch NEVER")?;
    pty.send("and then this\r")?;
    pty.wait_for("⧗ later and then this")?;
    pty.send("/quit\r")?;
    pty.wait_for("Queued messages were not sent")?;
    pty.wait_for_end()?;
    let pty = place_open(&place, &["--continue"])?;
    pty.wait_for("› !touch NEVER")?;
    pty.wait_for("and then this")?;
    assert!(!place.work().join("NEVER").exists());
    Ok(())
}

#[test]
fn a_paste_folds_above_ten_lines_or_a_thousand_characters() -> Result<()> {
    for (pasted, shown) in [
        ("a line\n".repeat(10).trim_end().to_owned(), "a line"),
        (
            "a line\n".repeat(11).trim_end().to_owned(),
            "[pasted 11 lines]",
        ),
        ("x".repeat(1_000), "xxxxxxxx"),
        ("x".repeat(1_001), "[pasted 1,001 chars]"),
    ] {
        let place = Place::new()?;
        let mut pty = place_open(&place, &[])?;
        pty.send(&format!("\u{1b}[200~{pasted}\u{1b}[201~"))?;
        pty.wait_for(shown)?;
        assert_eq!(
            pty.state().text().contains("[pasted"),
            shown.starts_with('['),
            "{shown}"
        );
    }
    Ok(())
}

/// Starts where a desktop's clipboard is reached with a program that does this.
fn on_a_desktop(place: &Place, program: &str, does: &str) -> Result<Pty> {
    let programs = place.home().join("bin");
    fs::create_dir(&programs)?;
    let program = programs.join(program);
    fs::write(&program, format!("#!/bin/sh\n{does}\n"))?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
    let mut command = place.plim(&[]);
    let path = std::env::var("PATH")?;
    command.env("PATH", format!("{}:{path}", programs.display()));
    command.env("WAYLAND_DISPLAY", "none");
    ready(Pty::start(command, 120, 40)?)
}

#[test]
fn a_picture_in_the_clipboard_is_attached() -> Result<()> {
    let place = Place::new()?;
    let picture = "[ -e \"$HOME/picture\" ] && cat \"$HOME/picture\"";
    let mut pty = on_a_desktop(&place, "wl-paste", picture)?;
    pty.send("see \u{16}")?;
    pty.wait_for("no picture in the clipboard")?;
    fs::write(place.home().join("picture"), b"\x89PNG\r\n\x1a\nand so on")?;
    pty.send("\u{16}")?;
    pty.wait_for("› see [image")?;
    fs::write(place.home().join("picture"), "text")?;
    pty.send("\u{16}")?;
    pty.wait_for("no picture in the clipboard")?;
    Ok(())
}

#[test]
fn what_is_dragged_over_is_on_both_clipboards() -> Result<()> {
    let place = Place::new()?;
    fs::write(place.work().join("note.txt"), "remember the milk\n")?;
    let keep = "cat > \"$HOME/part\" && mv \"$HOME/part\" \"$HOME/copied\"";
    let mut pty = on_a_desktop(&place, "wl-copy", keep)?;
    pty.send("read note.txt\r")?;
    pty.wait_for("remember the milk")?;
    let (row, column) = {
        let state = pty.state();
        let rows = state.parser.screen().rows(0, 120);
        let mut found = rows.enumerate().filter_map(|(row, text)| {
            let (before, _) = text.split_once("the milk")?;
            Some((row + 1, before.chars().count() + 1))
        });
        found.next().context("the line is on the screen")?
    };
    let end = column + "the milk".len() - 1;
    pty.send(&format!(
        "\u{1b}[<0;{column};{row}M\u{1b}[<32;{end};{row}M\u{1b}[<0;{end};{row}m"
    ))?;
    // "the milk" in base64.
    pty.wait("OSC 52", wrote("\u{1b}]52;c;dGhlIG1pbGs="))?;
    let copied = place.home().join("copied");
    pty.wait("the desktop's clipboard", |_| copied.exists())?;
    assert_eq!(fs::read_to_string(&copied)?, "the milk");
    Ok(())
}

#[test]
fn the_mouse_stays_the_terminals_when_it_is_switched_off() -> Result<()> {
    let place = Place::new()?;
    let pty = place_open(&place, &["-S", "mouse=false"])?;
    assert!(!has(&pty.state().bytes, MOUSE_ON));
    let pty = place_open(&place, &[])?;
    assert!(has(&pty.state().bytes, MOUSE_ON));
    Ok(())
}

#[test]
fn a_theme_of_ones_own_is_read_again_when_it_is_written() -> Result<()> {
    let place = Place::new()?;
    let themes = place.home().join("themes");
    fs::create_dir(&themes)?;
    let file = themes.join("mine.toml");
    fs::write(
        &file,
        "inherits = \"dark\"\n[styles]\nheading = \"#123456\"\n",
    )?;
    let mut command = place.plim(&["-S", "theme=mine"]);
    command.env("COLORTERM", "truecolor");
    let pty = ready(Pty::start(command, 120, 40)?)?;
    pty.wait("its colour", wrote("38;2;18;52;86"))?;
    fs::write(
        &file,
        "inherits = \"dark\"\n[styles]\nheading = \"#654321\"\nheadin = \"red\"\n",
    )?;
    pty.wait("the other colour", wrote("38;2;101;67;33"))?;
    pty.wait_for("theme mine: ")?;
    fs::write(&file, "heading = [")?;
    pty.wait_for("the theme in use stays")?;
    Ok(())
}

fn place_open(place: &Place, arguments: &[&str]) -> Result<Pty> {
    ready(Pty::start(place.plim(arguments), 120, 40)?)
}

#[test]
fn an_edit_is_shown_and_taken_back_also_after_a_kill() -> Result<()> {
    let place = Place::new()?;
    let file = place.work().join("note.txt");
    fs::write(&file, "colour\r\n")?;
    let mut pty = place_open(&place, &["--approve", "all"])?;
    pty.send("read note.txt\r")?;
    pty.wait_for("1 line")?;
    pty.send("replace \"colour\" with \"color\" in note.txt\r")?;
    pty.wait("the edit", |_| {
        fs::read_to_string(&file).is_ok_and(|text| text == "color\r\n")
    })?;
    pty.wait_for("Replaced 1 passage")?;
    let pid = rustix::process::Pid::from_raw(i32::try_from(pty.pid)?).context("no process id")?;
    rustix::process::kill_process(pid, Signal::KILL)?;
    pty.wait_for_end()?;

    let mut pty = place_open(&place, &["--approve", "all", "--continue"])?;
    pty.send("/diff\r")?;
    // The list of commands and the chat have the other words of this screen, too.
    pty.wait_for("r rewind")?;
    pty.send("r")?;
    pty.wait_for("rewind to before which message?")?;
    pty.send("g\r")?;
    pty.wait_for("1 restored")?;
    pty.send("b")?;
    pty.wait("the file", |_| {
        fs::read_to_string(&file).is_ok_and(|text| text == "colour\r\n")
    })?;
    pty.wait_for("undo with /undo")?;
    // What was asked first can be asked again.
    pty.wait_for("› read note.txt")?;
    Ok(())
}

#[test]
fn a_storm_of_sizes_ends_in_the_last_one() -> Result<()> {
    let place = Place::new()?;
    let mut pty = place_open(&place, &[])?;
    pty.send("/context\r")?;
    pty.wait_for("sent")?;
    for round in 0..60_u16 {
        pty.resize(20 + round * 7 % 120, 6 + round * 5 % 40)?;
    }
    for (columns, rows) in [(1, 1), (2, 2), (500, 200), (80, 24)] {
        pty.resize(columns, rows)?;
    }
    pty.wait("the ledger at its new size", |state| {
        let text = state.text();
        text.contains("sent") && text.contains("esc back")
    })?;
    pty.send("\u{1b}")?;
    pty.wait_for(" › ")?;
    pty.send("still here")?;
    pty.wait_for("› still here")?;
    Ok(())
}

#[test]
fn five_megabytes_are_pasted_and_typed_behind() -> Result<()> {
    const LINES: usize = 100_000;
    let place = Place::new()?;
    let mut pty = place_open(&place, &[])?;
    let line = "fifty characters of a log that somebody has copied";
    pty.send(&format!(
        "\u{1b}[200~{}\u{1b}[201~ what is it?",
        format!("{line}\n").repeat(LINES)
    ))?;
    pty.wait_for("[pasted 100,000 lines] what is it?")?;
    pty.send("\u{3}")?;
    pty.wait_for("write a message")?;
    Ok(())
}
