//! Files that the program itself writes beside the configuration: saved settings, keys that
//! were entered, and what was always allowed.

pub mod permissions;
pub(super) mod privacy;
mod private_file;
pub mod secrets;
mod servers;
pub(super) mod store;
