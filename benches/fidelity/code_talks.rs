//! Conversations about code. Each goes on long after the point where a small window is full,
//! and what comes later speaks of what came before, as people and models do.

use std::fmt::Write as _;

use super::project::{SourceFile, come_back, decision, files};
use super::talk::{Dice, Talk};

/// Lines of a file that a model reads at once.
const FILE_LINES: usize = 170;

/// One change: read unless it was read lately, edit, and say what was done.
fn change(talk: &mut Talk, dice: &mut Dice, file: &SourceFile, is_known: bool) -> String {
    if !is_known {
        let text = format!("I look at `{}` first.", file.name());
        talk.read(&text, &file.path, &file.content(FILE_LINES));
    }
    let (old, new) = file.change(dice, FILE_LINES);
    let (function, member) = (file.function(dice), file.member(dice));
    talk.edit(
        &format!("`{function}` takes the limit now."),
        &file.path,
        &old,
        &new,
    );
    talk.say(format!(
        "Done: `{function}` in `{}` no longer needs `&mut self`, and `{member}` checks `{}`.",
        file.path, file.constant
    ));
    function
}

/// Whether a model goes on with a file without reading it again: often when it has.
fn is_known(dice: &mut Dice, worked_on: &[usize], file: usize) -> bool {
    worked_on.contains(&file) && dice.chance(50)
}

fn test_output(file: &SourceFile, failing: &[String], passed: usize) -> String {
    let mut out = format!("running {} tests\n", passed + failing.len());
    for function in &file.functions {
        let _ = writeln!(out, "test {}::{function}_of_nothing ... ok", file.name());
    }
    for name in failing {
        let _ = writeln!(out, "test {name} ... FAILED");
    }
    for name in failing {
        let _ = writeln!(
            out,
            "---- {name} stdout ----\nassertion `left == right` failed\n  left: 3\n right: 4"
        );
    }
    let _ = writeln!(
        out,
        "test result: {passed} passed; {} failed; finished in 2.41s",
        failing.len()
    );
    out
}

pub fn long_refactor() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(1));
    let files = files(&mut dice, 30, "rs");
    talk.user(
        "We move the limits out of the call sites into the types, module by module. Never change \
         a public name without asking me. Keep commits small. Start with the parser.",
    );
    let mut worked_on = Vec::new();
    for turn in 0..80 {
        let at = if turn < 24 && dice.chance(60) {
            turn
        } else {
            dice.below(24)
        };
        let known = is_known(&mut dice, &worked_on, at);
        let function = change(&mut talk, &mut dice, &files[at], known);
        worked_on.push(at);
        if turn % 5 == 2 {
            let other = come_back(&mut dice, &files, &worked_on).clone();
            let decided = decision(&mut dice, &files[at], &other);
            talk.say(decided);
        }
        if turn % 12 == 6 {
            let steps: Vec<String> = files[turn / 12 * 3..turn / 12 * 3 + 6]
                .iter()
                .map(|file| format!("move the limit of {} into {}", file.name(), file.types[0]))
                .collect();
            talk.plan(&steps, 2);
        }
        let other = come_back(&mut dice, &files, &worked_on).clone();
        let ask = match dice.below(4) {
            0 => format!(
                "good. does {} still compile with the new `{function}`?",
                other.name()
            ),
            1 => format!("now the same for `{}`", other.member(&mut dice)),
            2 => format!(
                "what was the reason for {} again? then go on with {}",
                other.constant, other.path
            ),
            _ => "next one please".to_owned(),
        };
        talk.user(ask);
        talk.say(format!(
            "`{}` calls `{}` and `{}`; I take care of `{}` there.",
            other.path,
            function,
            other.function(&mut dice),
            other.types[1]
        ));
    }
    talk
}

pub fn test_fix_loop() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(2));
    let files = files(&mut dice, 7, "rs");
    talk.user("cargo test has 9 failures since the merge of #412, please get it green. don't touch tests/golden.");
    let mut worked_on = Vec::new();
    for turn in 0..90 {
        let at = dice.below(files.len());
        let file = &files[at];
        let failing = format!(
            "{}::{}_keeps_order",
            file.name().trim_end_matches(".rs"),
            file.function(&mut dice)
        );
        let command = format!("cargo test -p core {}", file.name().trim_end_matches(".rs"));
        let failing_now = vec![failing.clone()];
        talk.run(
            "",
            &command,
            &test_output(file, &failing_now, 40 + turn),
            true,
        );
        let other = come_back(&mut dice, &files, &worked_on).clone();
        talk.read(
            &format!("`{failing}` goes through `{}`.", other.member(&mut dice)),
            &other.path,
            &other.content(120),
        );
        let function = other.function(&mut dice);
        let (old, new) = other.change(&mut dice, 120);
        talk.edit("", &other.path, &old, &new);
        let is_fixed = dice.chance(60);
        let still = if is_fixed { vec![] } else { failing_now };
        talk.run(
            "",
            &command,
            &test_output(file, &still, 41 + turn),
            !is_fixed,
        );
        worked_on.push(at);
        if turn % 5 == 4 {
            talk.say(format!(
                "`{failing}` is green; `{function}` dropped the last {} of the {}.",
                turn, other.types[0]
            ));
            let decided = decision(&mut dice, file, &other);
            talk.user(format!(
                "ok, and is {} really the cause in {} too? {decided}",
                other.constant, file.path
            ));
        }
    }
    talk
}

pub fn many_small_files() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(3));
    talk.user("Split config/all.yaml into one file per service. Every file needs an owner and a timeout; the default timeout is 30 s. Always use two spaces.");
    let services: Vec<String> = files(&mut dice, 110, "yaml")
        .iter()
        .map(|file| {
            file.name()
                .replace('_', "-")
                .trim_end_matches(".yaml")
                .to_owned()
        })
        .collect();
    let mut done: Vec<(String, String, usize)> = Vec::new();
    for (n, service) in services.iter().enumerate() {
        let path = format!("config/services/{service}.yaml");
        let variable = format!("{}_TIMEOUT_MS", service.to_uppercase().replace('-', "_"));
        let port = 7_000 + n * 13;
        let body = format!(
            "name: {service}\nowner: team-{}\nport: {port}\nenv:\n  {variable}: {}\n",
            n % 6,
            500 + n * 50
        );
        let values = (0..60).fold(String::new(), |mut out, line| {
            let _ = writeln!(
                out,
                "  - {{ key: {service}.{line}, value: {} }}",
                dice.hex(6)
            );
            out
        });
        talk.write("", &path, &format!("{body}values:\n{values}"));
        talk.run("", &format!("yamllint {path}"), "ok\n", false);
        done.push((path, variable, port));
        if n % 4 == 3 {
            let (path, variable, port) = dice.one_of(&done).clone();
            talk.say(format!(
                "Four more are split. `{service}` listens on port {port}."
            ));
            talk.user(match dice.below(3) {
                0 => format!("why does {path} set {variable}? keep it but mention it in README.md"),
                1 => format!("who owns the service on {port}? see {variable}"),
                _ => "go on".to_owned(),
            });
            talk.edit(
                "",
                "config/README.md",
                "## Services",
                &format!("## Services\n- {path}: {variable}"),
            );
            talk.run(
                "",
                &format!("git diff --stat {path}"),
                " 1 file changed\n",
                false,
            );
        }
    }
    talk
}

pub fn one_huge_log() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(4));
    let files = files(&mut dice, 8, "go");
    talk.user("Requests hang since yesterday 14:05. The log is in /var/log/gateway/current.log. Find out why; do not restart anything.");
    let ids: Vec<String> = (0..6).map(|_| format!("req-{}", dice.hex(10))).collect();
    for part in 0..14 {
        let mut log = String::new();
        for line in 0..170 {
            let id = format!("req-{}", dice.hex(10));
            let file = dice.one_of(&files);
            let _ = writeln!(
                log,
                "2026-03-04T14:{:02}:{:02}Z INFO {}:{} {id} handled in {} ms",
                part * 5,
                line % 60,
                file.name(),
                line + 20,
                dice.below(900)
            );
            if line == 90 {
                let _ = writeln!(
                    log,
                    "2026-03-04T14:{:02}:59Z ERROR {}: {} {}: lease lost, code E{}",
                    part * 5,
                    file.name(),
                    ids[part % 6],
                    file.member(&mut dice),
                    4100 + part
                );
            }
        }
        talk.run(
            "",
            &format!(
                "sed -n {},{}p /var/log/gateway/current.log",
                part * 170,
                part * 170 + 170
            ),
            &log,
            false,
        );
        let file = dice.one_of(&files).clone();
        talk.say(format!(
            "{} lost its lease in `{}` (E{}): `{}` waits for `{}` without a timeout.",
            ids[part % 6],
            file.path,
            4100 + part,
            file.member(&mut dice),
            file.constant
        ));
        talk.user(format!(
            "and {}? was it the same as E{}",
            ids[(part + 2) % 6],
            4100 + part / 2
        ));
    }
    let mut worked_on = Vec::new();
    for _ in 0..40 {
        let at = dice.below(files.len());
        worked_on.push(at);
        let known = is_known(&mut dice, &worked_on, at);
        change(&mut talk, &mut dice, &files[at], known);
        let other = come_back(&mut dice, &files, &worked_on).clone();
        talk.user(format!(
            "does that also explain {} in {}?",
            dice.one_of(&ids),
            other.name()
        ));
        talk.say(format!(
            "Yes: `{}` of `{}` took the same path.",
            other.function(&mut dice),
            other.path
        ));
    }
    talk
}

pub fn re_reads() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(9));
    let files = files(&mut dice, 6, "ts");
    talk.user("explain how the cache invalidation works and clean it up, step by step. ask before you delete a file");
    let mut worked_on = Vec::new();
    for turn in 0..100 {
        let at = dice.below(files.len());
        let file = &files[at];
        talk.read("", &file.path, &file.content(150));
        worked_on.push(at);
        if turn % 3 == 2 {
            let other = come_back(&mut dice, &files, &worked_on).clone();
            let function = other.function(&mut dice);
            let (old, new) = other.change(&mut dice, 120);
            talk.edit("", &other.path, &old, &new);
            talk.say(format!(
                "`{}` now waits for `{function}`; `{}` is unchanged.",
                other.path,
                file.member(&mut dice)
            ));
            talk.user(format!(
                "read {} again, I changed {} by hand",
                file.name(),
                other.types[2]
            ));
        }
    }
    talk
}

pub fn failure_and_recovery() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(10));
    let files = files(&mut dice, 14, "rs");
    talk.user("Upgrade the HTTP stack to version 2.4.0. If something breaks go back to 1.9.3. Never use --force. Budget: $20 of CI time.");
    let mut worked_on = Vec::new();
    for turn in 0..80 {
        let at = dice.below(files.len());
        let file = &files[at];
        let flag = *dice.one_of(&[
            "--no-default-features",
            "--all-targets",
            "--locked",
            "--offline",
        ]);
        let command = format!(
            "cargo build {flag} -p {}",
            file.path.split('/').nth(1).unwrap_or("core")
        );
        let lines = (0..45).fold(String::new(), |mut out, line| {
            let _ = writeln!(
                out,
                "   Compiling {} v0.{line}.{turn}",
                dice.one_of(&["hyper", "tower", "bytes", "futures"])
            );
            out
        });
        let output = format!(
            "{lines}error[E0{}]: mismatched types in {}:{}: expected `{}`, found `{}`\n",
            270 + turn % 20,
            file.path,
            10 + turn,
            file.types[0],
            file.types[1]
        );
        talk.run("", &command, &output, true);
        let other = come_back(&mut dice, &files, &worked_on).clone();
        talk.read("", &other.path, &other.content(130));
        let (old, new) = other.change(&mut dice, 120);
        talk.edit("", &other.path, &old, &new);
        worked_on.push(at);
        if dice.chance(35) {
            talk.run(
                "",
                &format!("git checkout {}", other.path),
                "Updated 1 path\n",
                false,
            );
            talk.say(format!(
                "That made it worse, I took `{}` back. `{}` has to change first.",
                other.path,
                file.member(&mut dice)
            ));
        } else {
            talk.run(
                "",
                &command,
                &format!("{lines}    Finished in 41.2s\n"),
                false,
            );
        }
        if turn % 4 == 3 {
            talk.user(match dice.below(3) {
                0 => format!(
                    "what did E0{} say about {}?",
                    270 + turn % 20,
                    file.types[0]
                ),
                1 => format!("try {} without {flag}", other.name()),
                _ => decision(&mut dice, file, &other),
            });
        }
    }
    talk
}

pub fn several_compactions() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(8));
    let files = files(&mut dice, 36, "py");
    talk.user("Port the importer to the new API, ticket IMP-77. Output must stay byte-identical to fixtures/import-v1.bin. Answer in short sentences.");
    let mut worked_on = Vec::new();
    for turn in 0..130 {
        let at = if dice.chance(50) {
            turn % files.len()
        } else {
            dice.below(files.len())
        };
        let known = is_known(&mut dice, &worked_on, at);
        change(&mut talk, &mut dice, &files[at], known);
        worked_on.push(at);
        let other = come_back(&mut dice, &files, &worked_on).clone();
        if turn % 9 == 4 {
            talk.user(format!(
                "note: `{}` is called by the billing job at night. we stick with {} rather than {}",
                other.member(&mut dice),
                other.types[0],
                other.types[1]
            ));
            talk.say(format!("Noted. I leave `{}` as it is.", other.path));
        } else {
            talk.user(match dice.below(4) {
                0 => format!("is {} done?", other.path),
                1 => format!("then {} for IMP-77", other.function(&mut dice)),
                2 => "compare with fixtures/import-v1.bin".to_owned(),
                _ => "ok".to_owned(),
            });
        }
        talk.run(
            "",
            &format!("python -m pytest tests/{}", other.name()),
            "3 passed in 1.2s\n",
            false,
        );
    }
    talk
}
