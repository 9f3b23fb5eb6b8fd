//! Identifiers in text: the tokens that a summary must carry over exactly, because a
//! changed character makes them point elsewhere: paths, links, hashes, tickets, and the names
//! that code gives things. Whole tokens only: a UUID is one, `3.14159265` is none. What is
//! kept is chosen by use. Linear in the text; secrets are never identifiers.

mod aliases;
mod classify;
mod collect;
mod failures;
mod frames;
mod identifier;
mod list;
mod select;
mod sightings;
mod spelling;
mod symbols;
mod texts;
mod tokens;
mod whole_line;

pub use aliases::{AliasCover, Aliases, under_aliases};
pub use classify::{IdentifierKind, classify, without_line};
pub use identifier::{Identifier, IdentifierLimits, IdentifierUse};
pub use list::{list_chars, list_lines};
pub use select::{IdentifierSelection, IdentifierSources, select};
pub use texts::{each_text, named_strings_of, strings_of};
pub use tokens::{candidates, contains_whole, each_candidate, is_unspaced, replace_whole};
pub use whole_line::MAX_LINE_CHARS;

/// Longest token that can be an identifier, in bytes: beyond, it is data.
pub const MAX_TOKEN_BYTES: usize = 400;

/// Stands where a secret was while tokens are cut: a noncharacter, so no text has it.
const REMOVED: char = '\u{FDD0}';

#[cfg(test)]
mod tests;
