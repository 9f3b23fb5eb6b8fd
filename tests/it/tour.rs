//! The introduction in the program itself: it is offered once, it can be walked through with
//! the keys it names, left at any moment, and it leaves nothing behind.

use std::fs;

use anyhow::Result;
use portable_pty::CommandBuilder;

use super::pty::Pty;
use super::terminal::{Place, ready};

const ENTER: &str = "\r";
const ESC: &str = "\u{1b}";
const END: &str = "\u{1b}[F";
const CTRL_C: &str = "\u{3}";
const F2: &str = "\u{1b}OQ";
const OFFER: &str = "first start";

/// A home in which the program has never been started.
fn first_start(place: &Place, arguments: &[&str]) -> Result<CommandBuilder> {
    let command = place.plim(arguments);
    fs::remove_file(place.home().join("data/introduced"))?;
    Ok(command)
}

/// Takes the offer of the first start.
fn taken(command: CommandBuilder, columns: u16, rows: u16) -> Result<Pty> {
    let mut pty = ready(Pty::start(command, columns, rows)?)?;
    pty.wait_for(OFFER)?;
    pty.send(ENTER)?;
    Ok(pty)
}

fn at(pty: &Pty, step: usize) -> Result<()> {
    pty.wait_for(&format!("practice {step} of 6"))?;
    Ok(())
}

fn is_over(pty: &Pty) -> Result<()> {
    pty.wait("the own session", |state| {
        let text = state.text();
        !text.contains("practice") && text.contains(" › ")
    })?;
    Ok(())
}

/// Does what a step asks for, and waits for the next one.
fn walk(pty: &mut Pty, step: usize) -> Result<()> {
    at(pty, step)?;
    match step {
        1 => {
            pty.wait_for("compacts at")?;
            pty.send(F2)?;
        }
        2 => {
            pty.send(ENTER)?;
            pty.wait_for("n N cuts")?;
            pty.send(ESC)?;
            pty.wait_for("rows · by order")?;
            pty.send(ESC)?;
        }
        3 => {
            pty.send("/prune\r")?;
            pty.wait_for("the freed part")?;
            pty.send("/pruned\r")?;
        }
        4 => {
            pty.wait_for("replaced by summary")?;
            pty.send(END)?;
            pty.wait_for("›≈")?;
            pty.send("r")?;
            pty.wait_for("again: do it")?;
            pty.send("r")?;
        }
        5 => {
            pty.send(ESC)?;
            pty.wait_for(" › ")?;
            pty.send("/compact\r")?;
            pty.wait_for("Enter: review it")?;
            pty.send(ENTER)?;
            pty.wait_for("x discard")?;
            pty.send("a")?;
        }
        _ => {
            pty.wait_for("type /uncompact")?;
            pty.send("/uncompact\r")?;
            pty.wait_for("practice · done")?;
        }
    }
    if step < 6 {
        at(pty, step + 1)?;
    }
    Ok(())
}

#[test]
fn the_introduction_is_walked_through_once() -> Result<()> {
    let place = Place::new()?;
    let mut pty = taken(first_start(&place, &[])?, 120, 40)?;
    for step in 1..=6 {
        walk(&mut pty, step)?;
    }
    pty.send(ENTER)?;
    is_over(&pty)?;
    pty.wait_for("compacts at")?;
    pty.send("/quit\r")?;
    assert_eq!(pty.wait_for_end()?, 0);
    let mut left: Vec<_> = fs::read_dir(place.home().join("data"))?
        .filter_map(|entry| Some(entry.ok()?.file_name()))
        .collect();
    left.sort();
    // What was typed in practice is no history, no draft, no session.
    assert_eq!(
        left,
        ["history", "introduced"],
        "only /quit was typed outside"
    );

    let pty = ready(Pty::start(
        super::pty::command(env!("CARGO_BIN_EXE_plim"), &place.home(), &place.work()),
        80,
        24,
    )?)?;
    assert!(!pty.state().text().contains(OFFER));
    Ok(())
}

#[test]
fn one_key_ends_the_introduction_at_every_step() -> Result<()> {
    let place = Place::new()?;
    let mut pty = taken(first_start(&place, &[])?, 80, 24)?;
    for steps in 0..=6 {
        for step in 1..=steps {
            walk(&mut pty, step)?;
        }
        if steps < 6 {
            at(&pty, steps + 1)?;
        }
        pty.send(CTRL_C)?;
        is_over(&pty)?;
        pty.wait_for("%")?;
        pty.send("/intro\r")?;
    }
    at(&pty, 1)?;
    pty.send("what is a load line?\r")?;
    pty.wait_for("not in the practice session")?;
    pty.send(CTRL_C)?;
    is_over(&pty)?;
    pty.wait_for("› what is a load line?")?;
    Ok(())
}

#[test]
fn whoever_just_writes_is_not_held_up() -> Result<()> {
    let place = Place::new()?;
    let mut pty = ready(Pty::start(first_start(&place, &[])?, 80, 24)?)?;
    pty.wait_for(OFFER)?;
    pty.wait_for("/uncompact")?;
    pty.send("help\r")?;
    pty.wait("the answer without the offer", |state| {
        let text = state.text();
        text.contains("runs a shell command") && !text.contains(OFFER)
    })?;
    Ok(())
}

#[test]
fn the_offer_can_be_closed() -> Result<()> {
    let place = Place::new()?;
    let mut pty = ready(Pty::start(first_start(&place, &[])?, 80, 24)?)?;
    pty.wait_for(OFFER)?;
    pty.send(ESC)?;
    pty.wait("a screen without it", |state| !state.text().contains(OFFER))?;
    pty.send("/intro\r")?;
    at(&pty, 1)
}

#[test]
fn nobody_is_introduced_who_came_for_something() -> Result<()> {
    for arguments in [&["list"][..], &["--session", "x.jsonl"], &["--no-session"]] {
        let place = Place::new()?;
        let pty = ready(Pty::start(first_start(&place, arguments)?, 80, 24)?)?;
        assert!(!pty.state().text().contains(OFFER), "{arguments:?}");
    }
    let place = Place::new()?;
    let pty = Pty::start(first_start(&place, &["--plain"])?, 80, 24)?;
    pty.wait_for("you: ")?;
    assert!(!pty.state().text().contains(OFFER));
    Ok(())
}

#[test]
fn an_offer_that_would_come_again_does_not_come() -> Result<()> {
    let place = Place::new()?;
    let command = first_start(&place, &[])?;
    // Where its mark would be, nothing can be written.
    fs::remove_dir(place.home().join("data"))?;
    fs::write(place.home().join("data"), "")?;
    let mut pty = ready(Pty::start(command, 80, 24)?)?;
    assert!(!pty.state().text().contains(OFFER));
    pty.send("/intro\r")?;
    at(&pty, 1)?;
    Ok(())
}
