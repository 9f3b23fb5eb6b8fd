//! The header of a Markdown file: YAML between two lines of `---`, before the text. Commands,
//! skills and agents begin with one.
//!
//! Invariant: a header that other programs accept is read. What strict YAML refuses, such as
//! a description with a colon in it, is read line by line as `key: text`.

use serde_json::{Map, Value};

/// The line before and after a header.
const FENCE: &str = "---";
/// A header is some lines; a longer one is not read.
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// A file: the fields of its header, and its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    fields: Map<String, Value>,
    /// The text after the header, without space around it.
    pub body: String,
}

/// Why a header cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrontMatterError {
    /// The end of the file comes first.
    #[error("its header has no closing line of ---")]
    Open,
    /// It is too long to be one.
    #[error("its header is longer than {MAX_HEADER_BYTES} bytes")]
    Long,
    /// Neither YAML nor lines of `key: text`.
    #[error("line {0} of its header is not `key: value`")]
    Line(usize),
}

impl FrontMatter {
    /// Splits a file. One that does not begin with `---` has no header and is all text.
    ///
    /// # Errors
    ///
    /// The header has no end, is too long, or is none.
    pub fn parse(text: &str) -> Result<Self, FrontMatterError> {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let Some(rest) = text.strip_prefix(FENCE).and_then(after_line_end) else {
            return Ok(Self {
                fields: Map::new(),
                body: text.trim().to_owned(),
            });
        };
        let (header, body) = split(rest).ok_or(FrontMatterError::Open)?;
        if header.len() > MAX_HEADER_BYTES {
            return Err(FrontMatterError::Long);
        }
        let fields = match as_yaml(header) {
            Some(fields) => fields,
            None => as_lines(header)?,
        };
        Ok(Self {
            fields,
            body: body.trim().to_owned(),
        })
    }

    /// A field as one text; a list as it is written in one line. `None` where it is missing
    /// or empty.
    pub fn text(&self, key: &str) -> Option<String> {
        let text = as_text(self.fields.get(key)?);
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A field as a list: one of YAML, or a text whose parts are separated by commas or
    /// spaces outside of brackets. Empty where it is missing.
    pub fn list(&self, key: &str) -> Vec<String> {
        match self.fields.get(key) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items.iter().map(as_text).collect(),
            Some(other) => separated(&as_text(other)),
        }
    }

    /// A field as yes or no; `None` where it is missing or neither.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.text(key)?.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// A field that holds names and texts, in their order. Empty where it is missing.
    pub fn pairs(&self, key: &str) -> Vec<(String, String)> {
        let fields = self.fields.get(key).and_then(Value::as_object);
        let fields = fields.into_iter().flatten();
        fields
            .map(|(key, value)| (key.clone(), as_text(value)))
            .collect()
    }

    /// The names of all fields, in their order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }
}

/// What follows a fence: spaces, and the end of the line.
fn after_line_end(rest: &str) -> Option<&str> {
    rest.trim_start_matches([' ', '\t']).strip_prefix('\n')
}

/// The header without its last line, and what follows.
fn split(rest: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            return Some((rest.get(..at)?, rest.get(at + line.len()..)?));
        }
        at += line.len();
    }
    None
}

/// The fields when the header is strict YAML.
fn as_yaml(header: &str) -> Option<Map<String, Value>> {
    if header.trim().is_empty() {
        return Some(Map::new());
    }
    match serde_saphyr::from_str::<Value>(header).ok()? {
        Value::Object(fields) => Some(fields),
        // Comments alone.
        Value::Null => Some(Map::new()),
        _ => None,
    }
}

/// The fields when each line is `key: text`; a line that is set in continues the one before.
fn as_lines(header: &str) -> Result<Map<String, Value>, FrontMatterError> {
    let mut fields = Map::new();
    let mut last: Option<String> = None;
    for (index, line) in header.lines().enumerate() {
        let is_inner = line.starts_with([' ', '\t']);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let (true, Some(Value::String(text))) =
            (is_inner, last.as_ref().and_then(|key| fields.get_mut(key)))
        {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
            continue;
        }
        // The fence is the first line.
        let number = index + 2;
        let (key, value) = line.split_once(':').ok_or(FrontMatterError::Line(number))?;
        let key = key.trim().to_owned();
        let value = block_mark_removed(unquoted(value.trim()));
        fields.insert(key.clone(), Value::String(value.to_owned()));
        last = Some(key);
    }
    Ok(fields)
}

/// A mark that only says that the text follows.
fn block_mark_removed(value: &str) -> &str {
    match value {
        "|" | ">" | "|-" | ">-" | "|+" | ">+" => "",
        other => other,
    }
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .iter()
        .find_map(|&quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}

fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(as_text).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// The parts of a text between commas and spaces; `Bash(git add:*)` is one.
fn separated(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 && (c == ',' || c.is_whitespace()) => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> FrontMatter {
        FrontMatter::parse(text).unwrap()
    }

    #[test]
    fn a_file_without_a_header_is_text() {
        for text in ["Just this.", "\n---\nname: x\n---\n", "--- x\ny", ""] {
            let file = parsed(text);
            assert_eq!(file.body, text.trim());
            assert_eq!(file.keys().count(), 0);
        }
    }

    #[test]
    fn fields_are_read_as_yaml() {
        let file = parsed(
            "\u{feff}---  \r\nname: pdf\r\ndescription: >\r\n  Reads\r\n  PDF files\r\n\
             allowed-tools: Read, Bash(git add:*) Grep\ntools:\n  - a b\n  - 7\nversion: 1.2\n\
             hidden: yes\nmetadata:\n  author: me\n  version: \"1.0\"\nempty:\n# note\n---  \n\n\
             Body\n---\nmore\n",
        );
        assert_eq!(file.text("name").unwrap(), "pdf");
        assert_eq!(file.text("description").unwrap(), "Reads PDF files");
        assert_eq!(file.text("version").unwrap(), "1.2");
        assert_eq!(file.text("empty"), None);
        assert_eq!(file.text("missing"), None);
        assert_eq!(
            file.list("allowed-tools"),
            ["Read", "Bash(git add:*)", "Grep"]
        );
        assert_eq!(file.list("tools"), ["a b", "7"]);
        assert_eq!(file.list("missing"), [""; 0]);
        assert_eq!(file.flag("hidden"), Some(true));
        assert_eq!(file.flag("name"), None);
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            file.pairs("metadata"),
            [pair("author", "me"), pair("version", "1.0")]
        );
        assert_eq!(file.body, "Body\n---\nmore");
    }

    #[test]
    fn what_yaml_refuses_is_read_line_by_line() {
        let file = parsed(
            "---\ndescription: Use when: a build fails\nargument-hint: [BRANCH] [FILE]\n\
             name: 'two: parts'\nlong: |\n  first: line\n  second\n---\ntext",
        );
        assert_eq!(file.text("description").unwrap(), "Use when: a build fails");
        assert_eq!(file.text("argument-hint").unwrap(), "[BRANCH] [FILE]");
        assert_eq!(file.text("name").unwrap(), "two: parts");
        assert_eq!(file.text("long").unwrap(), "first: line second");
        let hint = parsed("---\nargument-hint: [BRANCH]\n---\ntext");
        assert_eq!(hint.text("argument-hint").unwrap(), "[BRANCH]");
    }

    #[test]
    fn what_is_no_header_is_refused() {
        let refused = |text: &str| FrontMatter::parse(text).unwrap_err();
        assert_eq!(refused("---\nname: x\n"), FrontMatterError::Open);
        assert_eq!(
            refused("---\na: b\nno colon\n---\n"),
            FrontMatterError::Line(3)
        );
        assert_eq!(refused("---\n- a\n---\n"), FrontMatterError::Line(2));
        let long = format!("---\na: {}\n---\n", "x".repeat(MAX_HEADER_BYTES));
        assert_eq!(refused(&long), FrontMatterError::Long);
        // Names that stand for more and more text are not followed.
        let mut bomb = "---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for n in 1..30 {
            let before = n - 1;
            let names = vec![format!("*a{before}"); 10].join(", ");
            bomb.extend([
                "a",
                &n.to_string(),
                ": &a",
                &n.to_string(),
                " [",
                &names,
                "]\n",
            ]);
        }
        bomb.push_str("---\ntext");
        assert!(parsed(&bomb).text("a29").unwrap().len() < MAX_HEADER_BYTES);
    }

    proptest::proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "(---\n)?[-a-z:\\[\\]&*|>'\"# \t\n{},!%@`]{0,120}(\n---\n)?.{0,20}") {
            if let Ok(file) = FrontMatter::parse(&text) {
                for key in file.keys() {
                    let _ = (file.text(key), file.list(key), file.flag(key), file.pairs(key));
                }
            }
        }
    }
}
