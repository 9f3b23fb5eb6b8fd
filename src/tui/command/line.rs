//! The kinds of a typed line: a message, a shell command, or a slash command.

/// Whether a text goes to the model, other than commands do.
pub fn is_message(text: &str) -> bool {
    !text.starts_with('!') && slash_command(text).is_none()
}

/// The command line in a text that begins with a command, not with a path.
pub fn slash_command(text: &str) -> Option<&str> {
    let line = text.strip_prefix('/')?;
    let name = line.split_whitespace().next().unwrap_or_default();
    let is_name = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '?'));
    is_name.then_some(line)
}
