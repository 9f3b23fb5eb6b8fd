//! Frames of a backtrace that lie in a library: what they name is nobody's work.

/// Parts of the paths where compilers, runtimes and package managers keep their own sources.
const LIBRARY_PATHS: [&str; 13] = [
    "/rustc/",
    "/.cargo/registry/",
    "/.rustup/toolchains/",
    "/csu/",
    "/sysdeps/",
    "/node_modules/",
    "node:internal/",
    "/site-packages/",
    "/dist-packages/",
    "/lib/python",
    "java.base/",
    "/go/pkg/mod/",
    "/usr/local/go/src/",
];
/// Longest line that announces frames, in bytes.
const MAX_ANNOUNCEMENT: usize = 80;
/// How the second line of a frame begins, behind white space.
const PLACE: &str = "at ";

/// How a list of frames is announced, in lower case.
const ANNOUNCED: &str = "backtrace:";

/// The lines of an output without the frames of libraries. The frames of own code stay: behind
/// `backtrace:` those that say where they are.
pub(super) fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines().peekable();
    let mut is_in_trace = false;
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            let next = lines.peek().copied().unwrap_or_default();
            is_in_trace = if is_in_trace {
                is_frame(line) || is_place(line)
            } else {
                line.len() <= MAX_ANNOUNCEMENT && line.to_lowercase().contains(ANNOUNCED)
            };
            let is_elsewhere = is_library_place(next) || is_in_trace && !is_place(next);
            if is_library_place(line) || is_frame(line) && is_elsewhere {
                continue;
            }
            return Some(line);
        }
    })
}

/// Where a frame is, in a library: `at /rustc/…/panicking.rs:689:5`, `File "/usr/lib/python3/…"`.
fn is_library_place(line: &str) -> bool {
    is_place(line) && LIBRARY_PATHS.iter().any(|path| line.contains(path))
}

fn is_place(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(PLACE) || line.starts_with("File \"")
}

/// The first line of a frame, which names a function: `  12: core::panicking::panic_fmt`.
pub(super) fn is_frame(line: &str) -> bool {
    let Some((number, name)) = line.trim_start().split_once(": ") else {
        return false;
    };
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && !name.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_libraries_go_and_those_of_own_code_stay() {
        let trace = "thread 'main' panicked at src/lexer.rs:42:9:\nindex out of bounds\n\
            stack backtrace:\n   0: core::panicking::panic_fmt\n             at /rustc/59807616/library/core/src/panicking.rs:80:14\n   \
            1: app::lexer::next\n             at ./src/lexer.rs:42:9\n   \
            2: __libc_start_call_main\n             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n\
            \x20   at Module._compile (node:internal/modules/cjs/loader:1105:14)\n\
            \x20   at parse (/srv/app/src/parse.js:10:3)\n\
            \x20 File \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw_decode\n\
            \x20 File \"/srv/app/tool.py\", line 7, in main";
        let left: Vec<&str> = own_lines(trace).map(str::trim).collect();
        assert_eq!(
            left,
            [
                "thread 'main' panicked at src/lexer.rs:42:9:",
                "index out of bounds",
                "stack backtrace:",
                "1: app::lexer::next",
                "at ./src/lexer.rs:42:9",
                "at parse (/srv/app/src/parse.js:10:3)",
                "File \"/srv/app/tool.py\", line 7, in main",
            ]
        );
    }

    #[test]
    fn frames_of_a_program_without_places_are_those_of_somebody_else() {
        let trace = "error: no toolchain\n\nStack backtrace:\n   0: anyhow::error::from\n   \
            1: rustup::config::no_toolchain_error\n  13: <unknown>\n\n[exit code 1]\n\
            3: crate::kept::name";
        let left: Vec<&str> = own_lines(trace).filter(|line| !line.is_empty()).collect();
        assert_eq!(
            left,
            [
                "error: no toolchain",
                "Stack backtrace:",
                "[exit code 1]",
                "3: crate::kept::name"
            ]
        );
    }

    #[test]
    fn a_line_that_only_names_a_library_is_no_frame() {
        let text = "12: note\nsee /rustc/59807616 and node_modules/left-pad/index.js";
        assert_eq!(own_lines(text).count(), 2);
    }
}
