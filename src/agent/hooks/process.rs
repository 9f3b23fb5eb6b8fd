//! Runs one hook: a command of the user in a process group of its own, JSON on its stdin,
//! JSON on its stdout. Nothing of it is left when this returns, and nothing of it may take
//! more than its time or a bounded amount of memory.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::tokio::{CommandWrap, KillOnDrop, ProcessGroup};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

use super::answer::HookEnd;
use crate::engine::text::one_line;
use crate::tool::ReapedGroup;

/// More than this is not an answer but a mistake.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;
/// Bytes of stderr that are kept.
const MAX_ERROR_BYTES: usize = 4 * 1024;
/// Bytes per read.
const CHUNK_BYTES: usize = 16 * 1024;
/// Of its last words, this much is shown.
const SHOWN_CHARS: usize = 160;

/// The variable that hooks of the shared form find their project by.
const PROJECT_VARIABLE: &str = "CLAUDE_PROJECT_DIR";

/// The output of a command that has to succeed. An error is one clause that says what was wrong
/// with it.
pub(in crate::agent) async fn run(
    command: &str,
    cwd: &Path,
    words: Vec<u8>,
    limit: Duration,
) -> Result<Vec<u8>, String> {
    let end = finish(command, cwd, words, limit).await?;
    if end.code == Some(0) {
        return Ok(end.stdout.into_bytes());
    }
    let last = end
        .stderr
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty());
    let last = one_line(last.unwrap_or_default(), SHOWN_CHARS);
    let said = if last.is_empty() { "" } else { ": " };
    let how = match end.code {
        Some(code) => format!("exit status: {code}"),
        None => "a signal".to_owned(),
    };
    Err(format!("it ended with {how}{said}{last}"))
}

/// How a command ends, whatever its exit code. An error: it did not start, took too long or
/// printed too much.
pub(super) async fn finish(
    command: &str,
    cwd: &Path,
    words: Vec<u8>,
    limit: Duration,
) -> Result<HookEnd, String> {
    let running = run_to_end(command, cwd, words);
    let Ok(ended) = tokio::time::timeout(limit, running).await else {
        return Err(format!("it took longer than {} s", limit.as_secs()));
    };
    ended.map_err(|error| format!("it could not be started: {error}"))?
}

/// The inner error is the command's own doing.
async fn run_to_end(
    command: &str,
    cwd: &Path,
    words: Vec<u8>,
) -> io::Result<Result<HookEnd, String>> {
    let mut wrap = CommandWrap::with_new("sh", |shell| {
        shell
            .arg("-c")
            .arg(command)
            .current_dir(cwd)
            .env(PROJECT_VARIABLE, cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    });
    wrap.wrap(KillOnDrop).wrap(ProcessGroup::leader());
    ReapedGroup::prepare();
    let mut child = wrap.spawn()?;
    let group = HookProcessGroup(
        child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .map(ReapedGroup::new),
    );
    let stdin = child.stdin().take();
    let (stdout, stderr) = (child.stdout().take(), child.stderr().take());
    let feeding = async move {
        if let Some(mut stdin) = stdin {
            // A command that has no use for it need not read it.
            let _ = stdin.write_all(&words).await;
        }
    };
    let ending = async {
        let status = child.wait().await;
        // Whoever it left behind would keep the pipes open.
        drop(group);
        status
    };
    let reading = (
        read(stdout, MAX_ANSWER_BYTES),
        read(stderr, MAX_ERROR_BYTES),
    );
    let ((), answer, errors, status) = tokio::join!(feeding, reading.0, reading.1, ending);
    let status = status?;
    if answer.is_cut {
        return Ok(Err(format!(
            "it printed more than {MAX_ANSWER_BYTES} bytes"
        )));
    }
    Ok(Ok(HookEnd {
        code: status.code(),
        stdout: String::from_utf8_lossy(&answer.bytes).into_owned(),
        stderr: String::from_utf8_lossy(&errors.bytes).into_owned(),
    }))
}

/// Bytes from a pipe.
#[derive(Default)]
struct HookOutput {
    bytes: Vec<u8>,
    /// There was more than is kept.
    is_cut: bool,
}

/// Reads to the end, so that nobody hangs on a full pipe; keeps the first bytes.
async fn read(pipe: Option<impl AsyncRead + Unpin>, max_bytes: usize) -> HookOutput {
    let mut heard = HookOutput::default();
    let Some(mut pipe) = pipe else { return heard };
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(length @ 1..) = pipe.read(&mut chunk).await {
        let room = max_bytes - heard.bytes.len();
        heard.is_cut |= length > room;
        heard.bytes.extend(chunk.iter().take(length.min(room)));
    }
    heard
}

/// The processes of one hook; all of them end with this value.
struct HookProcessGroup(Option<ReapedGroup>);

impl Drop for HookProcessGroup {
    fn drop(&mut self) {
        if let Some(guarded) = &self.0 {
            let _ = kill_process_group(guarded.group(), Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ran(command: &str, limit_ms: u64) -> Result<String, String> {
        let cwd = std::env::temp_dir();
        let limit = Duration::from_millis(limit_ms);
        run(command, &cwd, b"{\"a\":1}".to_vec(), limit)
            .await
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    #[tokio::test]
    async fn words_go_in_and_come_out() {
        assert_eq!(ran("cat", 5_000).await.as_deref(), Ok("{\"a\":1}"));
        assert_eq!(ran("exit 0 <&-", 5_000).await.as_deref(), Ok(""));
    }

    #[tokio::test]
    async fn what_goes_wrong_is_said_in_one_clause() {
        let failed = ran("echo first >&2; echo 'no such key' >&2; exit 3", 5_000).await;
        let said = failed.unwrap_err();
        assert!(said.ends_with("3: no such key"), "{said}");
        let flood = ran("head -c 3000000 /dev/zero", 5_000).await;
        assert!(flood.unwrap_err().contains("more than"));
        assert!(ran("no-such-command-here", 5_000).await.is_err());
    }

    #[tokio::test]
    async fn a_slow_one_is_killed_with_all_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("alive");
        let slow = format!("(sleep 1; touch {0}) & sleep 30", mark.display());
        assert!(ran(&slow, 200).await.unwrap_err().contains("longer"));
        // One that ends leaves nothing behind either, and is not waited for.
        let left = format!("(sleep 1; touch {0}) & echo '{{}}'", mark.display());
        assert_eq!(ran(&left, 900).await.as_deref(), Ok("{}\n"));
        tokio::time::sleep(Duration::from_millis(1_300)).await;
        assert!(!mark.exists());
    }
}
