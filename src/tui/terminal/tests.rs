use std::io::Read as _;

use super::*;

fn env<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
    move |name| {
        pairs
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| (*value).to_owned())
    }
}

#[test]
fn depth_follows_the_environment() {
    for (pairs, depth) in [
        (&[("TERM", "xterm")][..], ColorDepth::Ansi16),
        (&[("TERM", "xterm-256color")], ColorDepth::Ansi256),
        (
            &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
            ColorDepth::TrueColor,
        ),
        (&[("TERM", "xterm-kitty")], ColorDepth::TrueColor),
        (
            &[("COLORTERM", "truecolor"), ("NO_COLOR", "1")],
            ColorDepth::None,
        ),
        (
            &[("COLORTERM", "24bit"), ("NO_COLOR", "")],
            ColorDepth::TrueColor,
        ),
        (&[("TERM", "dumb")], ColorDepth::None),
        (&[], ColorDepth::Ansi16),
    ] {
        assert_eq!(color_depth(env(pairs)), depth, "{pairs:?}");
    }
}

#[test]
fn kitty_keys_only_where_they_are_known() {
    for (pairs, speaks) in [
        (&[("TERM", "xterm-kitty")][..], true),
        (&[("TERM_PROGRAM", "WezTerm")], true),
        (&[("KITTY_WINDOW_ID", "1")], true),
        (&[("KITTY_WINDOW_ID", "1"), ("TMUX", "/tmp/x")], false),
        (&[("TERM", "xterm-256color")], false),
        (&[], false),
    ] {
        assert_eq!(speaks_kitty_keyboard(env(pairs)), speaks, "{pairs:?}");
    }
}

#[test]
fn background_from_colorfgbg() {
    for (value, dark) in [
        ("15;0", Some(true)),
        ("0;15", Some(false)),
        ("0;default;7", Some(false)),
        ("15;default;8", Some(true)),
        ("15;default", None),
        ("", None),
    ] {
        assert_eq!(
            has_dark_background(env(&[("COLORFGBG", value)])),
            dark,
            "{value:?}"
        );
    }
    assert_eq!(has_dark_background(env(&[])), None);
}

const ALL_ON: TerminalOptions = TerminalOptions {
    mouse: true,
    kitty_keyboard: true,
    title: true,
};

const ALL_OFF: TerminalOptions = TerminalOptions {
    mouse: false,
    kitty_keyboard: false,
    title: false,
};

#[test]
fn restoring_ends_every_mode_in_order() {
    let mut out = Vec::new();
    write_restore(&mut out, ALL_ON).unwrap();
    let text = String::from_utf8(out).unwrap();
    let mut at = 0;
    for code in [
        "\u{1b}[?2026l",
        "\u{1b}[23;2t",
        "\u{1b}[<1u",
        "\u{1b}[?1000l",
        "\u{1b}[?1004l",
        "\u{1b}[?2004l",
        "\u{1b}[?1049l",
        "\u{1b}[?25h",
    ] {
        let found = text
            .find(code)
            .unwrap_or_else(|| panic!("{code:?} in {text:?}"));
        assert!(found >= at, "{code:?} too early");
        at = found;
    }
    let mut plain = Vec::new();
    write_restore(&mut plain, ALL_OFF).unwrap();
    let plain = String::from_utf8(plain).unwrap();
    assert!(
        !plain.contains("<1u") && !plain.contains("]2;"),
        "{plain:?}"
    );
    // Nothing was entered here: nothing is written, nothing fails.
    restore();
    restore();
    let codes = [
        (EndSignal::HangUp, 129),
        (EndSignal::Interrupt, 130),
        (EndSignal::Quit, 131),
        (EndSignal::Abort, 134),
        (EndSignal::Other(14), 142),
        (EndSignal::Terminate, 143),
    ];
    for (signal, code) in codes {
        assert_eq!(signal.exit_code(), code);
    }
}

/// Names the scenario for the copy of this test that runs inside a pseudo-terminal.
const SCENARIO: &str = "TERMINAL_SCENARIO";

const ENTER: &str = "\u{1b}[?1049h";
const LEAVE: &str = "\u{1b}[?1049l";

/// Not a test of its own: what the processes of the tests below do.
#[test]
fn scenario_inside_a_terminal() {
    let Ok(scenario) = std::env::var(SCENARIO) else {
        return;
    };
    install_panic_hook();
    let mut guard = TerminalGuard::enter(ALL_ON).unwrap();
    match scenario.as_str() {
        "drop" => drop(guard),
        "panic" => panic!("for the test"),
        "suspend" => guard.suspend().unwrap(),
        "lost" => {
            restore();
            assert!(guard.retake_if_lost().unwrap());
            assert!(!guard.retake_if_lost().unwrap());
        }
        signal if signal.starts_with("signal ") => {
            let number: i32 = signal.trim_start_matches("signal ").parse().unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let ended = runtime.block_on(async {
                let wait = tokio::spawn(ended_by_signal());
                tokio::task::yield_now().await;
                let this = rustix::process::getpid();
                let signal = rustix::process::Signal::from_named_raw(number).unwrap();
                rustix::process::kill_process(this, signal).unwrap();
                wait.await.unwrap().unwrap()
            });
            assert_eq!(i32::from(ended.exit_code()), 128 + number);
            std::process::exit(i32::from(ended.exit_code()));
        }
        other => panic!("no scenario {other}"),
    }
}

/// Runs a scenario in a pseudo-terminal; gives back what it wrote and its exit code.
fn run(scenario: &str) -> (String, u32) {
    let pty = portable_pty::native_pty_system();
    let pair = pty.openpty(portable_pty::PtySize::default()).unwrap();
    let mut command = portable_pty::CommandBuilder::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "tui::terminal::tests::scenario_inside_a_terminal",
        "--nocapture",
    ]);
    command.env(SCENARIO, scenario);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut output = Vec::new();
    let mut reader = pair.master.try_clone_reader().unwrap();
    // The end of a pseudo-terminal is an error on Linux.
    let _ = reader.read_to_end(&mut output);
    (
        String::from_utf8_lossy(&output).into_owned(),
        child.wait().unwrap().exit_code(),
    )
}

#[test]
fn the_screen_comes_back_whatever_happens() {
    for (scenario, code, times) in [
        ("drop", 0, 1),
        ("panic", 101, 1),
        ("suspend", 0, 2),
        ("lost", 0, 2),
        ("signal 1", 129, 1),
        ("signal 2", 130, 1),
        ("signal 3", 131, 1),
        ("signal 6", 134, 1),
        ("signal 14", 142, 1),
        ("signal 15", 143, 1),
    ] {
        let (output, exit) = run(scenario);
        assert_eq!(exit, code, "{scenario}: {output:?}");
        assert_eq!(
            output.matches(ENTER).count(),
            times,
            "{scenario}: {output:?}"
        );
        assert_eq!(
            output.matches(LEAVE).count(),
            times,
            "{scenario}: {output:?}"
        );
        let left = output.rfind(LEAVE).unwrap();
        assert!(output.rfind(ENTER).unwrap() < left, "{scenario}");
        assert!(
            output.rfind("\u{1b}[?25h").unwrap() > left,
            "{scenario}: cursor"
        );
        if scenario == "panic" {
            assert!(
                output.rfind("for the test").unwrap() > left,
                "reported on the old screen"
            );
        }
    }
}
