//! Files as they are opened and made here. Whoever prepared a folder decides neither that
//! the program waits, nor which file it writes to, nor who may read what it writes.
//!
//! - [`open`]: only regular files, without waiting; a link is followed or refused as the
//!   caller says.
//! - [`replace`]: files that are written whole or not at all; [`open_folder`] holds on to
//!   the folder that was checked.
//! - [`private`]: what the program writes for itself is its owner's alone, whatever umask
//!   it was started with.
//! - [`project`]: files that a project provides are read from inside it alone, and only
//!   when nobody else owns them.
//! - [`ignores`]: lists of ignored files that can be read at all.

pub mod ignores;
pub mod open;
pub mod open_folder;
pub mod private;
pub mod project;
pub mod replace;
