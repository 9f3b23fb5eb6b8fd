//! Files as tools see them: opened only when they are files, told apart by their first bytes,
//! and, where they are edited, held as text with the byte order mark and line endings known.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::read_log::FileStamp;
use crate::tool::outcome::ToolError;
use crate::tool::place::path::ResolvedPath;
use crate::transcript::{grouped, similar_names};

/// As much as is looked at to tell text from other data.
pub(in crate::tool) const SNIFF_BYTES: usize = 8 * 1024;

/// Larger files are not edited in memory.
const MAX_EDIT_BYTES: u64 = 16 * 1024 * 1024;

/// The UTF-8 byte order mark.
pub(in crate::tool) const BOM: &str = "\u{feff}";

/// Names in a directory that are compared with one that does not exist.
const MAX_COMPARED: usize = 2_000;

/// Names offered when a file does not exist.
const MAX_SUGGESTIONS: usize = 3;

/// The kind of content by the first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tool) enum ContentKind {
    /// Readable text.
    Text,
    /// An image that models understand, with its media type.
    Image(&'static str),
    /// UTF-16 with a byte order mark.
    Utf16,
    /// Anything else.
    Binary,
}

/// Tells what a file is from its beginning.
pub(in crate::tool) fn sniff(start: &[u8]) -> ContentKind {
    if start.starts_with(b"\x89PNG\r\n\x1a\n") {
        ContentKind::Image("image/png")
    } else if start.starts_with(b"\xff\xd8\xff") {
        ContentKind::Image("image/jpeg")
    } else if start.starts_with(b"GIF87a") || start.starts_with(b"GIF89a") {
        ContentKind::Image("image/gif")
    } else if start.starts_with(b"RIFF") && start.get(8..12) == Some(b"WEBP") {
        ContentKind::Image("image/webp")
    } else if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        ContentKind::Utf16
    } else if start.contains(&0) {
        ContentKind::Binary
    } else {
        // Terminal logs hold escape sequences; data holds far more control bytes than that.
        let controls = start
            .iter()
            .filter(|byte| byte.is_ascii_control() && !b"\n\r\t\x0c\x08\x1b".contains(byte))
            .count();
        if controls * 10 > start.len() {
            ContentKind::Binary
        } else {
            ContentKind::Text
        }
    }
}

/// Opens a regular file. Pipes and devices are refused, because reading them can hang.
pub(in crate::tool) fn open(path: &ResolvedPath) -> Result<(File, Metadata), ToolError> {
    let metadata = std::fs::metadata(&path.absolute).map_err(|error| cannot_read(path, &error))?;
    if metadata.is_dir() {
        return Err(ToolError(format!(
            "{} is a directory. Use `list` to see what is in it.",
            path.shown
        )));
    }
    if !metadata.is_file() {
        return Err(ToolError(format!(
            "{} is not a regular file (a pipe, socket or device).",
            path.shown
        )));
    }
    let file = File::open(&path.absolute).map_err(|error| cannot_read(path, &error))?;
    if is_system_file(&file) {
        return Err(ToolError(format!(
            "{} is on a file system that shows the running system, not files; it was not read.",
            path.shown
        )));
    }
    Ok((file, metadata))
}

/// Whether a file is one of the kernel's, wherever its file system is mounted: `environ` of a
/// process counts as a regular file.
pub(in crate::tool) fn is_system_file(file: &File) -> bool {
    #[cfg(target_os = "linux")]
    {
        /// The number of `sysfs` in `statfs(2)`.
        const SYSFS_MAGIC: rustix::fs::FsWord = 0x6265_6572;
        rustix::fs::fstatfs(file)
            .is_ok_and(|it| [rustix::fs::PROC_SUPER_MAGIC, SYSFS_MAGIC].contains(&it.f_type))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
        false
    }
}

/// Why a path cannot be read, with names that may have been meant.
pub(in crate::tool) fn cannot_read(path: &ResolvedPath, error: &io::Error) -> ToolError {
    if error.kind() == io::ErrorKind::NotFound {
        ToolError(format!("{} does not exist.{}", path.shown, guesses(path)))
    } else {
        ToolError(format!("{} cannot be read: {error}.", path.shown))
    }
}

fn guesses(path: &ResolvedPath) -> String {
    let (Some(folder), Some(name)) = (path.absolute.parent(), path.absolute.file_name()) else {
        return String::new();
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return " Its directory does not exist either; use `list` to look around.".to_owned();
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let near = similar_names(
        &name.to_string_lossy(),
        names.iter().map(String::as_str).take(MAX_COMPARED),
        MAX_SUGGESTIONS,
    );
    if near.is_empty() {
        return " Use `list` to see what is there.".to_owned();
    }
    let shown_folder = Path::new(&path.shown).parent().unwrap_or(Path::new(""));
    let near: Vec<String> = near
        .iter()
        .map(|name| shown_folder.join(name).display().to_string())
        .collect();
    format!(" There is {}.", near.join(", "))
}

/// A text file in memory.
pub(in crate::tool) struct TextFile {
    /// The text without its byte order mark, line endings as they are.
    pub(in crate::tool) text: String,
    /// Whether it began with a byte order mark.
    pub(in crate::tool) has_bom: bool,
    /// The state it was read in.
    pub(in crate::tool) stamp: FileStamp,
}

impl TextFile {
    /// Reads a file that is to be changed. Only UTF-8: anything else would come back damaged.
    pub(in crate::tool) fn load(path: &ResolvedPath) -> Result<Self, ToolError> {
        let (file, metadata) = open(path)?;
        if metadata.len() > MAX_EDIT_BYTES {
            return Err(ToolError(format!(
                "{} has {} bytes; files above {} are not edited here. Use a command for it.",
                path.shown,
                grouped(metadata.len()),
                grouped(MAX_EDIT_BYTES)
            )));
        }
        let stamp = FileStamp::of(&path.absolute).map_err(|error| cannot_read(path, &error))?;
        let mut bytes = Vec::new();
        // It may grow meanwhile.
        file.take(MAX_EDIT_BYTES)
            .read_to_end(&mut bytes)
            .map_err(|error| cannot_read(path, &error))?;
        let text = String::from_utf8(bytes).map_err(|_| {
            ToolError(format!(
                "{} is not UTF-8 text, so it is not edited here.",
                path.shown
            ))
        })?;
        let (text, has_bom) = match text.strip_prefix(BOM) {
            Some(rest) => (rest.to_owned(), true),
            None => (text, false),
        };
        Ok(Self {
            text,
            has_bom,
            stamp,
        })
    }

    /// Whether most lines end in CR LF.
    pub(in crate::tool) fn is_crlf(&self) -> bool {
        let crlf = self.text.matches("\r\n").count();
        crlf > 0 && crlf * 2 > self.text.matches('\n').count()
    }

    /// Another text with this file's byte order mark, as it goes to disk.
    pub(in crate::tool) fn encode(&self, text: &str) -> String {
        let bom = if self.has_bom { BOM } else { "" };
        format!("{bom}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let check = |bytes: &[u8], kind| assert_eq!(sniff(bytes), kind, "{bytes:?}");
        check(b"", ContentKind::Text);
        check("plain\ttext\r\nüñí".as_bytes(), ContentKind::Text);
        check(b"\x1b[31mred\x1b[0m\n", ContentKind::Text);
        check(b"latin \xe9\xe8 text", ContentKind::Text);
        check(b"\x89PNG\r\n\x1a\nrest", ContentKind::Image("image/png"));
        check(b"\xff\xd8\xff\xe0", ContentKind::Image("image/jpeg"));
        check(b"GIF89a", ContentKind::Image("image/gif"));
        check(
            b"RIFF\x01\x02\x03\x04WEBPVP8",
            ContentKind::Image("image/webp"),
        );
        check(b"RIFF\x01\x02\x03\x04WAVE", ContentKind::Binary);
        check(b"\xff\xfeh\0i\0", ContentKind::Utf16);
        check(b"\x7fELF\x02\x01\x01\0", ContentKind::Binary);
        check(&[1, 2, 3, 4, 5], ContentKind::Binary);
    }
}
