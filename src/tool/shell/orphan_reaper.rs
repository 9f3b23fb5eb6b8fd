//! Ends the commands of a program that was killed and cannot end them itself.
//!
//! A small shell beside the program, started with its first command, reads which process
//! groups are running from a pipe whose only writer is the program. When the pipe ends, what
//! is still named is asked to end, then made to. It is not for commands that ended by
//! themselves: those are taken off the list, so that a number that is used again is never
//! hit.

use std::collections::BTreeSet;
use std::io::{self, PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;

/// Lines are `+ group` and `- group`; anything else is passed over, and so is what a signal
/// would take for more than one group (0 and 1). A group that has ended is not looked at
/// again. Half a second lies between asking and making, as when the user stops a command.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
groups=
drop() {
    left=
    for group in $groups; do [ "$group" = "$1" ] || left="$left $group"; done
    groups=$left
}
while read -r sign id; do
    case $id in '' | *[!0-9]* | 0* | 1 | ???????????*) continue ;; esac
    case $sign in
    +) drop "$id"; groups="$groups $id" ;;
    -) drop "$id" ;;
    esac
done
for group in $groups; do kill -TERM "-$group"; done
for turn in 1 2 3 4 5; do
    for group in $groups; do kill -0 "-$group" || drop "$group"; done
    [ "$groups" ] || exit 0
    sleep 0.1 || sleep 1
done
for group in $groups; do kill -KILL "-$group"; done
"#;

/// The name of the reaper in a list of processes.
const NAME: &str = "plim-guardian";

static REAPER: Mutex<OrphanReaper> = Mutex::new(OrphanReaper {
    groups: BTreeSet::new(),
    pipe: None,
});

/// A process group that does not outlive the program while this is held.
#[derive(Debug)]
pub struct ReapedGroup(Pid);

struct OrphanReaper {
    groups: BTreeSet<i32>,
    /// Closed when the program execs, so that no command holds it open.
    pipe: Option<PipeWriter>,
}

impl ReapedGroup {
    /// Has a guardian ready, so that the command that is started next is named at once. It
    /// comes up while the command does.
    pub fn prepare() {
        let mut guardian = lock();
        if guardian.pipe.is_none() {
            guardian.begin();
        }
    }

    /// Names a group by its leader, which has not been waited for.
    pub fn new(leader: Pid) -> Self {
        let mut guardian = lock();
        guardian.groups.insert(leader.as_raw_pid());
        guardian.tell('+', leader.as_raw_pid());
        Self(leader)
    }

    /// The group.
    pub fn group(&self) -> Pid {
        self.0
    }
}

impl Drop for ReapedGroup {
    fn drop(&mut self) {
        let mut guardian = lock();
        guardian.groups.remove(&self.0.as_raw_pid());
        guardian.tell('-', self.0.as_raw_pid());
    }
}

fn lock() -> MutexGuard<'static, OrphanReaper> {
    REAPER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OrphanReaper {
    /// Says a change; a guardian that somebody killed is replaced by one that knows all.
    fn tell(&mut self, sign: char, group: i32) {
        let line = format!("{sign} {group}\n");
        let told = self.pipe.as_mut().map(|it| it.write_all(line.as_bytes()));
        if !matches!(told, Some(Ok(()))) {
            self.begin();
        }
    }

    fn begin(&mut self) {
        // Without one everything works, except that a kill leaves commands running.
        self.pipe = start(&self.groups)
            .inspect_err(|error| {
                tracing::warn!(%error, "commands have no guard process");
            })
            .ok();
    }
}

fn start(groups: &BTreeSet<i32>) -> io::Result<PipeWriter> {
    let (reader, mut writer) = io::pipe()?;
    let mut shell = Command::new("sh");
    shell
        .args(["-c", SCRIPT, NAME])
        .current_dir("/")
        // Neither a key of the terminal nor its end may reach it before it has done its work,
        .process_group(0)
        // nor may it hold a pipe that somebody reads to its end, or keys.
        .stdin(reader)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env_clear();
    if let Some(path) = std::env::var_os("PATH") {
        shell.env("PATH", path);
    }
    // It ends with the program; there is nothing to wait for.
    drop(shell.spawn()?);
    for group in groups {
        writeln!(writer, "+ {group}")?;
    }
    Ok(writer)
}

#[cfg(test)]
mod tests {
    use std::process::Child;
    use std::time::{Duration, Instant};

    use super::*;

    /// Longer than the script takes to end who does not end by itself.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn sleeper() -> Child {
        let mut command = Command::new("sleep");
        command.arg("300").process_group(0).spawn().unwrap()
    }

    fn ended(child: &mut Child) -> bool {
        child.try_wait().unwrap().is_some()
    }

    fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
        let began = Instant::now();
        while !is_so() {
            assert!(began.elapsed() < PATIENCE, "{what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn only_what_is_still_named_is_ended_and_nothing_but_numbers_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (mut named, mut removed, mut unnamed) = (sleeper(), sleeper(), sleeper());
        let mut writer = start(&BTreeSet::new()).unwrap();
        let mark = folder.path().join("mark");
        let words = [
            format!("+ {0}\n+ {0}\n- {0}\n", removed.id()),
            format!(
                "+ $(touch {0})\n+ `touch {0}`\n+ 7;touch {0}\n",
                mark.display()
            ),
            // Everybody, the guardian's own group, and what no system has.
            "+ -1\n+ 1\n+ 0\n+ 00\n+ 99999999999999999999\n+ *\n+\n- x\n\n+ \\\n".to_owned(),
            format!("* {0}\n+{0}\n+ {0} {0}\n+ -{0}\n", unnamed.id()),
            // The last one to be ended: when it is, nobody else will be.
            format!("+ {}\n", named.id()),
            format!("+ {}", unnamed.id()),
        ];
        writer.write_all(words.concat().as_bytes()).unwrap();
        drop(writer);
        wait("it goes on", || ended(&mut named));
        assert!(!ended(&mut removed) && !ended(&mut unnamed));
        assert!(!mark.exists());
        for child in [&mut removed, &mut unnamed] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn who_ignores_the_polite_signal_is_killed() {
        let mut deaf = Command::new("sh")
            .args(["-c", "trap '' TERM; while :; do sleep 1; done"])
            .process_group(0)
            .spawn()
            .unwrap();
        drop(start(&BTreeSet::from([deaf.id() as i32])).unwrap());
        wait("it goes on", || ended(&mut deaf));
    }

    #[test]
    fn a_guardian_that_was_killed_is_replaced_by_one_that_knows_all() {
        let mut child = sleeper();
        let mut guardian = OrphanReaper {
            groups: BTreeSet::from([child.id() as i32]),
            // Nobody reads it any more.
            pipe: Some(io::pipe().unwrap().1),
        };
        guardian.tell('-', 99_999);
        drop(guardian);
        wait("it goes on", || ended(&mut child));
    }
}
