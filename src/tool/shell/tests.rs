//! Running, flooding, stopping.

use rustix::process::{Pid, test_kill_process};
use serde_json::json;
use std::path::Path;

use super::super::test_scope::{TestScope, names, object, text};
use crate::clock::Stopwatch;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::*;

fn tool() -> ShellTool {
    ShellTool::new(Duration::from_secs(20))
}

async fn run(t: &TestScope, command: &str) -> ToolOutcome {
    t.run(&tool(), json!({ "command": command })).await
}

/// Process ids that a test's command wrote to a file, one a line.
fn pids(path: &Path) -> Vec<Pid> {
    std::fs::read_to_string(path)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| Pid::from_raw(line.trim().parse().ok()?))
        .collect()
}

/// Whether a process runs; one that has ended but was not collected does not.
fn is_running(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let is_zombie = stat.is_ok_and(|stat| stat.contains(") Z "));
    !is_zombie && test_kill_process(pid).is_ok()
}

async fn wait_for(what: impl Fn() -> bool) {
    for _ in 0..3_000 {
        if what() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it did not happen within thirty seconds");
}

/// Starts a command, waits for its process ids, then stops it.
async fn cancelled(t: &TestScope, command: &str, count: usize) -> (ToolOutcome, Vec<Pid>) {
    let cancel = CancellationToken::new();
    let file = t.path("pids");
    let stop = async {
        wait_for(|| pids(&file).len() == count).await;
        cancel.cancel();
    };
    let tool = tool();
    let call = t.run_until(&tool, json!({ "command": command }), cancel.clone());
    let (outcome, ()) = tokio::join!(call, stop);
    (outcome, pids(&file))
}

#[tokio::test]
async fn output_and_exit_codes() {
    let t = TestScope::new();
    let check = async |command: &str, expected: &str, is_error: bool| {
        let outcome = run(&t, command).await;
        assert_eq!(
            (text(&outcome).as_str(), outcome.is_error),
            (expected, is_error),
            "{command}"
        );
    };
    check("echo hi", "hi\n\n[exit code 0]", false).await;
    check("printf hi", "hi\n\n[exit code 0]", false).await;
    check("true", "[exit code 0]", false).await;
    check("exit 3", "[exit code 3]", true).await;
    check(
        "echo a; echo b >&2; echo c",
        "a\nb\nc\n\n[exit code 0]",
        false,
    )
    .await;
    check("kill -9 $$", "[killed by signal 9]", true).await;
    check("cat", "[exit code 0]", false).await;
    check("printf 'caf\\351'", "caf\u{fffd}\n\n[exit code 0]", false).await;
    check(
        "echo $TERM $PAGER $GIT_TERMINAL_PROMPT",
        "dumb cat 0\n\n[exit code 0]",
        false,
    )
    .await;
    let outcome = run(&t, "pwd; exit 1").await;
    assert_eq!(
        text(&outcome),
        format!("{}\n\n[exit code 1]", t.scope.cwd.display())
    );
    let details = outcome.details.unwrap();
    assert_eq!(details["exitCode"], 1);
    assert_eq!(
        (&details["timedOut"], &details["cancelled"]),
        (&json!(false), &json!(false))
    );
    assert!(details["durationMs"].is_u64());
}

#[tokio::test]
async fn progress_is_streamed() {
    let t = TestScope::new();
    let (progress, mut shown) = mpsc::channel(100);
    let job = ToolJob {
        progress,
        ..t.job()
    };
    tool()
        .run(object(json!({"command": "echo one; echo two"})), job)
        .await;
    let mut seen = String::new();
    while let Some(piece) = shown.recv().await {
        seen.push_str(&piece);
    }
    assert_eq!(seen, "one\ntwo\n");
}

#[tokio::test]
async fn cancel_ends_the_whole_group() {
    let t = TestScope::new();
    let command = "echo started; sleep 300 & echo $! >> pids; sleep 300 & echo $! >> pids; wait";
    let (outcome, pids) = cancelled(&t, command, 2).await;
    assert_eq!(text(&outcome), "started\n\n[stopped by the user]");
    assert!(outcome.is_error);
    assert_eq!(outcome.details.unwrap()["cancelled"], true);
    wait_for(|| pids.iter().all(|pid| !is_running(*pid))).await;
}

#[tokio::test]
async fn last_words_are_heard() {
    let t = TestScope::new();
    let command = "trap 'echo cleaned up; exit' TERM; echo $$ > pids; sleep 300 & wait";
    let (outcome, _) = cancelled(&t, command, 1).await;
    assert_eq!(text(&outcome), "cleaned up\n\n[stopped by the user]");
}

#[tokio::test]
async fn who_ignores_the_polite_signal_is_killed() {
    let t = TestScope::new();
    let command =
        "trap '' TERM; (sleep 300; sleep 300) & echo $! > pids; while :; do sleep 1; done";
    let started = Stopwatch::start();
    let (outcome, pids) = cancelled(&t, command, 1).await;
    assert!(text(&outcome).ends_with("[stopped by the user]"));
    assert!(started.elapsed() < Duration::from_mins(1));
    wait_for(|| pids.iter().all(|pid| !is_running(*pid))).await;
}

#[tokio::test]
async fn the_time_limit_stops_a_command() {
    let t = TestScope::new();
    let arguments = json!({"command": "echo a; sleep 300", "timeout_secs": 1});
    let short = ShellTool::new(Duration::from_millis(990));
    let outcome = t.run(&short, json!({"command": "echo a; sleep 300"})).await;
    assert!(text(&outcome).starts_with("a\n\n[stopped after 0 seconds, the time limit"));
    assert_eq!(outcome.details.unwrap()["timedOut"], true);
    let plan = t.plan(&short, arguments).unwrap();
    assert_eq!(plan.title, "echo a; sleep 300");
}

#[tokio::test]
async fn background_processes_do_not_hold_up_the_answer() {
    let t = TestScope::new();
    let started = Stopwatch::start();
    let outcome = run(&t, "sleep 300 & echo $! > pids; echo done").await;
    assert!(started.elapsed() < Duration::from_mins(1));
    let expected = "done\n\n[exit code 0; processes that it started in the background are still \
        running, their output is no longer read]";
    assert_eq!(text(&outcome), expected);
    for pid in pids(&t.path("pids")) {
        assert!(is_running(pid));
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
}

#[tokio::test]
async fn a_dropped_run_leaves_nothing_behind() {
    let t = TestScope::new();
    let tool = tool();
    let file = t.path("pids");
    let command = json!({"command": "sleep 300 & echo $! > pids; wait"});
    tokio::select! {
        _ = t.run(&tool, command) => panic!("it ended by itself"),
        () = wait_for(|| pids(&file).len() == 1) => {}
    }
    wait_for(|| pids(&file).iter().all(|pid| !is_running(*pid))).await;
}

#[tokio::test]
async fn a_flood_is_cut_and_can_be_stopped() {
    let t = TestScope::new();
    let outcome = run(&t, "yes | head -c 3000000").await;
    let page = text(&outcome);
    assert!(page.len() < 60_000, "{}", page.len());
    assert!(page.ends_with("y\n\n[exit code 0]"));
    let kept = names(t.scope.spill_dir.as_deref().unwrap());
    assert_eq!(kept.len(), 1);
    assert!(page.contains(kept.first().unwrap()), "{page}");
    let path = t
        .scope
        .spill_dir
        .clone()
        .unwrap()
        .join(kept.first().unwrap());
    assert_eq!(std::fs::metadata(path).unwrap().len(), 3_000_000);
    let (outcome, _) = cancelled(&t, "echo $$ > pids; exec yes", 1).await;
    assert!(text(&outcome).ends_with("[stopped by the user]"));
}

#[tokio::test]
async fn wrong_calls() {
    let mut t = TestScope::new();
    for arguments in [
        json!({}),
        json!({"command": " \n"}),
        json!({"command": "a\0b"}),
        json!({"command": "ls", "timeout_secs": 100_000}),
        json!({"cmd": "ls"}),
    ] {
        t.plan(&tool(), arguments.clone()).unwrap_err();
        assert!(t.run(&tool(), arguments).await.is_error);
    }
    t.scope.cwd = t.path("gone");
    let outcome = run(&t, "ls").await;
    assert!(outcome.is_error && text(&outcome).contains("could not be started in"));
}

#[test]
fn plans_suggest_a_pattern() {
    let t = TestScope::new();
    let plan = t
        .plan(&tool(), json!({"command": "cargo build -p a\n"}))
        .unwrap();
    assert_eq!(
        (plan.title.as_str(), plan.pattern.as_str()),
        ("cargo build -p a", "cargo build *")
    );
    let plan = t.plan(&tool(), json!({"command": "cd a\nrm b"})).unwrap();
    assert_eq!(plan.pattern, plan.title);
    assert!(!plan.title.contains('\n'));
}

#[tokio::test]
async fn a_command_that_runs_goes_on_in_the_background_with_what_it_has_printed() {
    let t = TestScope::new();
    let detach = CancellationToken::new();
    let (progress, mut shown) = mpsc::channel(100);
    let job = ToolJob {
        detach: detach.clone(),
        progress,
        ..t.job()
    };
    let command = "echo first; while [ ! -e go ]; do sleep 0.02; done; echo last; exit 3";
    let arguments = object(json!({"command": command, "timeout_secs": 1}));
    let running = tokio::spawn(async move { tool().run(arguments, job).await });
    assert_eq!(shown.recv().await.as_deref(), Some("first\n"));
    detach.cancel();
    let outcome = running.await.unwrap();
    assert!(!outcome.is_error);
    assert!(text(&outcome).contains("as job 1"), "{outcome:?}");
    assert_eq!(outcome.details.unwrap()["job"], 1);
    // Its time limit does not hold any more.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let info = t.scope.jobs.get(1).unwrap();
    assert_eq!((info.output.as_str(), info.end), ("first\n", None));
    t.write("go", "");
    wait_for(|| t.scope.jobs.get(1).unwrap().end.is_some()).await;
    let info = t.scope.jobs.get(1).unwrap();
    assert_eq!(info.output, "first\nlast\n");
    assert_eq!(info.end.unwrap().how, "exit code 3");
    assert_eq!(
        t.scope.jobs.take_untold().len(),
        1,
        "the model will be told"
    );
}
