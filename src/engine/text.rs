//! Texts of messages in short, without invisible characters, without secrets.

pub use crate::context::fence::neutralised;
pub use crate::context::invisible::{cleaned, cleaned_result, removed_text};
pub use crate::context::redact::redact;
pub use crate::context::summary::excerpt::one_line;
pub use crate::context::{
    CopiedCut, copied_cut, cut_ends, excerpt_notice, first_words, shortened, without_image,
};
