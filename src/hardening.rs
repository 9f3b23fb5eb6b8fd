//! Hides this process from others. It holds keys: commands that a model runs have the same
//! user, and would read its environment and memory, or find them in a core file.
//!
//! A program that is started from here has none of it: the system asks each for itself.

/// Closes the process to others, as far as the system can.
pub fn close_process() {
    no_core_file();
    #[cfg(any(target_os = "linux", target_os = "android"))]
    not_dumpable();
}

/// No memory of this process in a file. Commands inherit it as the limit that they may raise
/// again.
fn no_core_file() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Core);
    let none = Rlimit {
        current: Some(0),
        maximum: before.maximum,
    };
    // Where it is refused, nothing else would help.
    let _ = setrlimit(Resource::Core, none);
}

/// `/proc/PID/environ` and the like are root's, and nobody may trace the process.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn not_dumpable() {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
