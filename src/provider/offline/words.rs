//! Plain words in pieces: clauses, quoted words, leading verbs. Knows no command.

/// Pairs of quoting characters.
const QUOTES: &[(char, char)] = &[('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’')];

/// Words that may join two commands, longest first.
const JOINTS: &[&str] = &[
    ", and then ",
    " and then ",
    ", then ",
    ", and ",
    " then ",
    " and ",
    "; ",
    ", ",
];

/// A word, or a quoted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandWord {
    /// Without its quotes.
    pub text: String,
    /// Whether it was quoted.
    pub is_quoted: bool,
}

impl CommandWord {
    /// Whether it is this word, unquoted, in any case.
    pub(super) fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.text.eq_ignore_ascii_case(word)
    }
}

fn closing(quote: char) -> Option<char> {
    QUOTES
        .iter()
        .find(|(open, _)| *open == quote)
        .map(|(_, close)| *close)
}

/// Splits at spaces outside quotes. A quote opens only at the start of a word, so that
/// apostrophes are letters.
pub(super) fn words(text: &str) -> Vec<CommandWord> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = closing(first).and_then(|close| {
            let inner = rest.strip_prefix(first)?;
            inner.split_once(close)
        });
        let is_quoted = quoted.is_some();
        let (word, after) = quoted
            .map(|(inner, after)| (inner, after.trim_start_matches(['.', ',', '?', '!'])))
            .or_else(|| rest.split_once(char::is_whitespace))
            .unwrap_or((rest, ""));
        out.push(CommandWord {
            text: word.to_owned(),
            is_quoted,
        });
        rest = after.trim_start();
    }
    out
}

/// The text without quotes when it is quoted as a whole.
pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    QUOTES
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))
        .unwrap_or(text)
}

/// The text after one of `verbs`, in any case; `None` when none leads.
pub(super) fn after<'a>(text: &'a str, verbs: &[&str]) -> Option<&'a str> {
    verbs.iter().find_map(|verb| {
        let (head, rest) = text.split_at_checked(verb.len())?;
        let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
        (head.eq_ignore_ascii_case(verb) && ends).then(|| rest.trim())
    })
}

/// Splits a line where a joint is followed by something that `begins` a command.
pub(super) fn clauses<'a>(line: &'a str, begins: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut waiting_for: Option<char> = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        let opens = before.is_whitespace().then(|| closing(c)).flatten();
        waiting_for = match waiting_for {
            Some(close) => (c != close).then_some(close),
            // An unclosed quote is a letter.
            None => opens.filter(|close| {
                line.get(at + c.len_utf8()..)
                    .is_some_and(|rest| rest.contains(*close))
            }),
        };
        before = c;
        if waiting_for.is_some() || at < start {
            continue;
        }
        let rest = line.get(at..).unwrap_or_default();
        let joint = JOINTS
            .iter()
            .find(|joint| rest.strip_prefix(**joint).is_some_and(begins));
        if let Some(joint) = joint {
            out.push(line.get(start..at).unwrap_or_default().trim());
            start = at + joint.len();
        }
    }
    out.push(line.get(start..).unwrap_or_default().trim());
    out.retain(|clause| !clause.is_empty());
    out
}
