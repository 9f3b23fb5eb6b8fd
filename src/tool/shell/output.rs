//! The output of a command: shown as it comes, kept to a page (its beginning and, more of it,
//! its end), and written to a file in full once it is more than that.

use std::collections::VecDeque;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;

use super::super::page::{PAGE_BYTES, PAGE_LINES, counted};
use crate::disk::private;
use crate::transcript::grouped;

/// The part of a page that goes to the beginning, in percent. Failures show at the end.
const HEAD_PERCENT: usize = 40;

/// A file of kept output is not larger than this.
const MAX_SPILL_BYTES: u64 = 64 * 1024 * 1024;

/// Takes the output of one command.
pub(super) struct CommandOutput {
    progress: mpsc::Sender<String>,
    /// The end of the last piece, when it may be the beginning of a character.
    unfinished: Vec<u8>,
    /// The first bytes.
    head: Vec<u8>,
    /// The last ones of those that do not fit there.
    tail: VecDeque<u8>,
    total_bytes: u64,
    newlines: u64,
    spill_dir: Option<PathBuf>,
    spill: Option<SpillFile>,
}

/// The file with the full output.
struct SpillFile {
    path: PathBuf,
    file: File,
    written: u64,
    failure: Option<io::Error>,
}

impl CommandOutput {
    pub(super) fn new(spill_dir: Option<PathBuf>, progress: mpsc::Sender<String>) -> Self {
        Self {
            progress,
            unfinished: Vec::new(),
            head: Vec::new(),
            tail: VecDeque::new(),
            total_bytes: 0,
            newlines: 0,
            spill_dir,
            spill: None,
        }
    }

    /// Takes the next bytes.
    pub(super) async fn push(&mut self, bytes: &[u8]) {
        self.show(bytes);
        let room = PAGE_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(PAGE_BYTES);
        self.tail.drain(..surplus);
        self.total_bytes += bytes.len() as u64;
        self.newlines += newlines(bytes);
        if let Some(spill) = &mut self.spill {
            spill.write(bytes).await;
        } else if self.is_long() {
            self.begin_spill(bytes).await;
        }
    }

    /// The page, with a notice when something was left out.
    pub(super) async fn finish(mut self) -> String {
        if !self.is_long() {
            return String::from_utf8_lossy(&self.head).into_owned();
        }
        let kept: Vec<u8> = self.head.iter().chain(&self.tail).copied().collect();
        let head = self.head_part().to_vec();
        let end = end_part(&kept);
        let mut text = String::from_utf8_lossy(&head).into_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let left_out = self.total_bytes - (head.len() + end.len()) as u64;
        let lines_left_out = self
            .newlines
            .saturating_sub(newlines(&head) + newlines(end));
        let _ = write!(
            text,
            "\n[{} ({} bytes) left out here; {}]\n\n",
            counted(lines_left_out, "line", "lines"),
            grouped(left_out),
            self.spill_notice().await
        );
        text.push_str(&String::from_utf8_lossy(end));
        text
    }

    fn is_long(&self) -> bool {
        self.total_bytes > PAGE_BYTES as u64 || self.newlines > PAGE_LINES as u64
    }

    fn head_part(&self) -> &[u8] {
        let max_bytes = PAGE_BYTES * HEAD_PERCENT / 100;
        let max_lines = PAGE_LINES * HEAD_PERCENT / 100;
        let start = self.head.get(..max_bytes).unwrap_or(&self.head);
        let breaks = start
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(index, _)| index + 1)
            .take(max_lines);
        // Without a line break in it, the cut is anywhere but inside a character.
        let end = breaks
            .last()
            .unwrap_or_else(|| start.len() - unfinished_len(start));
        start.get(..end).unwrap_or(start)
    }

    /// Sends what is complete to the screen. When the screen is behind, it misses a piece.
    fn show(&mut self, bytes: &[u8]) {
        self.unfinished.extend_from_slice(bytes);
        let complete = self.unfinished.len() - unfinished_len(&self.unfinished);
        let piece: Vec<u8> = self.unfinished.drain(..complete).collect();
        if !piece.is_empty() {
            let text = String::from_utf8_lossy(&piece).into_owned();
            let _ = self.progress.try_send(text);
        }
    }

    /// Everything so far is in memory: `head`, or head and the newest bytes.
    async fn begin_spill(&mut self, newest: &[u8]) {
        let Some(dir) = self.spill_dir.take() else {
            return;
        };
        let Ok((path, file)) = create(dir).await else {
            return;
        };
        let mut spill = SpillFile {
            path,
            file,
            written: 0,
            failure: None,
        };
        let before = self.total_bytes - newest.len() as u64;
        let earlier = self.head.get(..before as usize).unwrap_or(&self.head);
        spill.write(earlier).await;
        spill.write(newest).await;
        self.spill = Some(spill);
    }

    async fn spill_notice(&mut self) -> String {
        let Some(spill) = &mut self.spill else {
            return "it was not kept: narrow the command, or pipe it into a file".to_owned();
        };
        if let Err(error) = spill.file.flush().await {
            spill.failure = Some(error);
        }
        let path = spill.path.display();
        match &spill.failure {
            Some(error) => format!("the rest could not be kept in {path}: {error}"),
            None if spill.written < self.total_bytes => format!(
                "the first {} of {} bytes are in {path}",
                grouped(spill.written),
                grouped(self.total_bytes)
            ),
            None => format!("all of it is in {path}, for `read` and `search`"),
        }
    }
}

impl SpillFile {
    async fn write(&mut self, bytes: &[u8]) {
        let room = MAX_SPILL_BYTES.saturating_sub(self.written);
        let bytes = bytes.get(..room as usize).unwrap_or(bytes);
        if self.failure.is_some() || bytes.is_empty() {
            return;
        }
        match self.file.write_all(bytes).await {
            Ok(()) => self.written += bytes.len() as u64,
            Err(error) => self.failure = Some(error),
        }
    }
}

async fn create(dir: PathBuf) -> io::Result<(PathBuf, File)> {
    let made = tokio::task::spawn_blocking(move || {
        private::create_unlinked_folder(&dir)?;
        let named = tempfile::Builder::new()
            .prefix("shell-")
            .suffix(".log")
            .tempfile_in(&dir)?;
        named.keep().map_err(|error| error.error)
    });
    let (file, path) = made.await.map_err(io::Error::other)??;
    Ok((path, File::from_std(file)))
}

/// The end of what was kept, from the beginning of a line where there is one.
fn end_part(kept: &[u8]) -> &[u8] {
    let max_bytes = PAGE_BYTES * (100 - HEAD_PERCENT) / 100;
    let max_lines = PAGE_LINES * (100 - HEAD_PERCENT) / 100;
    let from = kept.len().saturating_sub(max_bytes);
    let end = kept.get(from..).unwrap_or(kept);
    let body = end.strip_suffix(b"\n").unwrap_or(end);
    let starts: Vec<usize> = body
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(index, _)| index + 1)
        .collect();
    let first_whole = starts.len().saturating_sub(max_lines);
    let start = starts.get(first_whole).copied().unwrap_or_else(|| {
        // One long line: not inside a character.
        end.iter()
            .position(|byte| byte & 0b1100_0000 != 0b1000_0000)
            .unwrap_or(0)
    });
    end.get(start..).unwrap_or(end)
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.split(|byte| *byte == b'\n').skip(1).count() as u64
}

/// Bytes at the end that may be the beginning of a UTF-8 character.
fn unfinished_len(bytes: &[u8]) -> usize {
    for (back, byte) in bytes.iter().rev().enumerate().take(3) {
        let needed = match byte {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            0x80..=0xbf => continue,
            _ => return 0,
        };
        return if back + 1 < needed { back + 1 } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(dir: Option<PathBuf>) -> (CommandOutput, mpsc::Receiver<String>) {
        let (sender, receiver) = mpsc::channel(10_000);
        (CommandOutput::new(dir, sender), receiver)
    }

    #[test]
    fn characters_are_not_split() {
        let check = |text: &str, cut: usize, expected| {
            assert_eq!(
                unfinished_len(text.as_bytes().get(..cut).unwrap()),
                expected
            );
        };
        check("aé", 3, 0);
        check("aé", 2, 1);
        check("漢", 2, 2);
        check("😀", 3, 3);
        check("abc", 3, 0);
        assert_eq!(unfinished_len(&[0x80; 9]), 0);
    }

    #[tokio::test]
    async fn the_screen_gets_whole_characters() {
        let (mut out, mut shown) = output(None);
        for byte in "aé漢😀b".as_bytes() {
            out.push(&[*byte]).await;
        }
        assert_eq!(out.finish().await, "aé漢😀b");
        let mut text = String::new();
        while let Ok(piece) = shown.try_recv() {
            text.push_str(&piece);
        }
        assert_eq!(text, "aé漢😀b");
    }

    #[tokio::test]
    async fn a_page_has_head_tail_and_the_way_to_the_rest() {
        let dir = tempfile::tempdir().unwrap();
        let (mut out, _shown) = output(Some(dir.path().join("outputs")));
        let lines = (1..=3_000).fold(String::new(), |text, n| text + &format!("{n}\n"));
        for piece in lines.as_bytes().chunks(777) {
            out.push(piece).await;
        }
        let page = out.finish().await;
        assert!(page.starts_with("1\n2\n"));
        assert!(page.ends_with("\n2999\n3000\n"));
        assert!(page.contains("\n800\n\n[1,000 lines ("), "{page}");
        assert!(page.contains("\n\n1801\n"), "{page}");
        let path = page.split("all of it is in ").nth(1).unwrap();
        let path = path.split(", for").next().unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), lines);
    }

    #[tokio::test]
    async fn bytes_are_bounded_and_nothing_is_needed_to_keep() {
        let (mut out, _shown) = output(None);
        for _ in 0..400 {
            out.push("漢字".repeat(500).as_bytes()).await;
        }
        assert!(out.head.len() + out.tail.len() <= 2 * PAGE_BYTES);
        let page = out.finish().await;
        assert!(page.len() < PAGE_BYTES + 300);
        assert!(!page.contains('\u{fffd}'));
        assert!(page.contains("it was not kept"));
    }
}
