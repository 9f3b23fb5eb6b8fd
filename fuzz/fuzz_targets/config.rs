//! Any text as a file of settings, the user's or the project's: no panic, an error in words
//! that a terminal can show, and settings that are in range where there is none. The first
//! byte chooses whose file it is.

#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use plimsoll::config::{SettingSources, SourceFile, resolve, show};

fuzz_target!(|data: &[u8]| {
    let [whose, bytes @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let file = SourceFile {
        path: PathBuf::from("config.toml"),
        text: text.to_owned(),
    };
    let sources = SettingSources {
        user_file: (whose % 2 == 0).then(|| file.clone()),
        project_file: (whose % 2 == 1).then_some(file),
        cwd: PathBuf::from("/nowhere"),
        ..SettingSources::default()
    };
    match resolve(&sources) {
        Ok(resolved) => {
            let shown = show(&resolved);
            assert!(!shown.is_empty());
            // Reading it twice is reading it once.
            assert_eq!(resolve(&sources).expect("it was read"), resolved);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
