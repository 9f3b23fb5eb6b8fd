//! Commands of the user: Markdown files whose text becomes a message. Found below a
//! `commands` folder of the user and one of the project; a subfolder comes before the name,
//! as in `git:review`.
//!
//! Nothing in them runs: what is written there is only ever text for the model.

use std::path::{Path, PathBuf};

use super::paths::Paths;
use super::value::parse_model;
use crate::transcript::ModelRef;

/// A larger file is no message.
const MAX_BYTES: u64 = 256 * 1024;
/// More files than anybody has commands; a folder that leads elsewhere ends here.
const MAX_FILES: usize = 500;
/// Folders below each other.
const MAX_DEPTH: usize = 4;

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserCommand {
    /// Without the slash, e.g. `review` or `git:review`.
    pub name: String,
    /// What it does; empty when the file does not say.
    pub description: String,
    /// Its arguments, as help shows them; may be empty.
    pub arguments: String,
    /// Who answers from there on.
    pub model: Option<ModelRef>,
    /// The file.
    pub path: PathBuf,
    body: String,
}

/// All commands, and what is wrong with files that are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserCommands {
    /// By name; the project's come before the user's of the same name.
    pub commands: Vec<UserCommand>,
    /// One sentence each.
    pub problems: Vec<String>,
}

impl UserCommands {
    /// Reads the files as they are now. `is_taken` says which names the program has itself.
    pub fn read(paths: &Paths, cwd: &Path, is_taken: impl Fn(&str) -> bool) -> Self {
        let mut all = Self::default();
        let project = cwd
            .ancestors()
            .map(|dir| dir.join(".plimsoll").join("commands"))
            .find(|dir| dir.is_dir());
        let own = paths.commands_dir();
        let folders = project.into_iter().filter(|dir| *dir != own);
        for folder in folders.chain([own.clone()]) {
            let mut files = Vec::new();
            collect(&folder, 0, &mut files);
            files.sort();
            for file in files {
                all.add(&folder, file, &is_taken);
            }
        }
        all.commands.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The command of this name.
    pub fn find(&self, name: &str) -> Option<&UserCommand> {
        self.commands.iter().find(|command| command.name == name)
    }

    fn add(&mut self, folder: &Path, file: PathBuf, is_taken: &impl Fn(&str) -> bool) {
        let shown = file.display();
        let Some(name) = name_of(folder, &file) else {
            self.problems.push(format!(
                "{shown} is no command: its name may have letters, digits, - and _"
            ));
            return;
        };
        if is_taken(&name) {
            self.problems.push(format!(
                "{shown} is not used: /{name} is a command of the program"
            ));
            return;
        }
        if self.find(&name).is_some() {
            // The project's has been read before the user's.
            return;
        }
        match read(&file).and_then(|text| parse(&text)) {
            Ok((head, body)) => self.commands.push(UserCommand {
                name,
                description: head.description,
                arguments: head.arguments,
                model: head.model,
                path: file,
                body,
            }),
            Err(reason) => self.problems.push(format!("{shown} is not used: {reason}")),
        }
    }
}

impl UserCommand {
    /// The message, with what was typed behind the name: `$ARGUMENTS` is all of it, `$1` to
    /// `$9` are its words (quotes keep several together). What no place was made for comes
    /// behind the text.
    pub fn message(&self, arguments: &str) -> String {
        let arguments = arguments.trim();
        let words = words(arguments);
        let mut out = String::with_capacity(self.body.len() + arguments.len());
        let mut has_place = false;
        let mut rest = self.body.as_str();
        while let Some((before, behind)) = rest.split_once('$') {
            out.push_str(before);
            rest = behind;
            if let Some(behind) = rest.strip_prefix("ARGUMENTS") {
                out.push_str(arguments);
                has_place = true;
                rest = behind;
                continue;
            }
            let digit = rest.chars().next().and_then(|c| c.to_digit(10));
            let is_alone = !rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
            match digit.filter(|digit| *digit > 0 && is_alone) {
                Some(digit) => {
                    let word = words.get(digit as usize - 1);
                    out.push_str(word.map_or("", String::as_str));
                    has_place = true;
                    rest = rest.get(1..).unwrap_or_default();
                }
                None => out.push('$'),
            }
        }
        out.push_str(rest);
        if !has_place && !arguments.is_empty() {
            out.push_str("\n\n");
            out.push_str(arguments);
        }
        out
    }
}

#[derive(Default)]
struct Head {
    description: String,
    arguments: String,
    model: Option<ModelRef>,
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if files.len() >= MAX_FILES {
            return;
        }
        if path.is_dir() {
            if depth < MAX_DEPTH {
                collect(&path, depth + 1, files);
            }
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
}

fn name_of(folder: &Path, file: &Path) -> Option<String> {
    let below = file.strip_prefix(folder).ok()?.with_extension("");
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    let parts = parts?;
    let is_plain = |part: &&str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    parts.iter().all(is_plain).then(|| parts.join(":"))
}

fn read(file: &Path) -> Result<String, String> {
    let known = std::fs::metadata(file).map_err(|error| error.to_string())?;
    // A pipe would never end.
    if !known.is_file() || known.len() > MAX_BYTES {
        return Err(format!("it is no file of at most {} KiB", MAX_BYTES / 1024));
    }
    std::fs::read_to_string(file).map_err(|error| error.to_string())
}

/// Head and text. A file that begins with `---` has a head, and it ends with `---`.
fn parse(text: &str) -> Result<(Head, String), String> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let Some(rest) = text.strip_prefix("---\n") else {
        return full(Head::default(), &text);
    };
    let mut head = Head::default();
    let mut at = 0;
    for (index, line) in rest.split_inclusive('\n').enumerate() {
        at += line.len();
        let line = line.trim();
        if line == "---" {
            return full(head, rest.get(at..).unwrap_or_default());
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 2;
        let (key, value) = line
            .split_once(':')
            .ok_or_else(|| format!("line {number} of its head is not `key: value`"))?;
        let value = unquoted(value.trim());
        match key.trim() {
            "description" => value.clone_into(&mut head.description),
            "argument-hint" => value.clone_into(&mut head.arguments),
            "model" => {
                let model = parse_model(value)
                    .ok_or_else(|| format!("line {number}: the model is not provider/model"))?;
                head.model = Some(model);
            }
            // Other programs keep further things there.
            _ => {}
        }
    }
    Err("its head has no end: a line of ---".to_owned())
}

fn full(head: Head, body: &str) -> Result<(Head, String), String> {
    let body = body.trim();
    if body.is_empty() {
        return Err("it has no text".to_owned());
    }
    Ok((head, body.to_owned()))
}

fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .iter()
        .find_map(|&quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}

/// Words; what is in quotes is one.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Desk {
        folder: tempfile::TempDir,
        paths: Paths,
    }

    impl Desk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let paths = Paths::below(&folder.path().join("home"));
            Self { folder, paths }
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn read(&self) -> UserCommands {
            let cwd = self.folder.path().join("work");
            UserCommands::read(&self.paths, &cwd, |name| name == "help")
        }
    }

    const REVIEW: &str = "---\ndescription: \"Looks at a change\"\nargument-hint: [BRANCH]\n\
        model: anthropic/claude-haiku\ntags: x\n---\n\nReview $1 against $2: $ARGUMENTS.\n";

    #[test]
    fn a_file_is_a_command_and_a_folder_comes_before_its_name() {
        let desk = Desk::new();
        desk.write("home/commands/git/review.md", REVIEW);
        desk.write("work/.plimsoll/commands/plain.md", "Just this.");
        let all = desk.read();
        assert_eq!(all.problems, [""; 0]);
        let review = all.find("git:review").unwrap();
        assert_eq!(review.description, "Looks at a change");
        assert_eq!(review.arguments, "[BRANCH]");
        assert_eq!(
            review.model,
            Some(ModelRef::new("anthropic", "claude-haiku"))
        );
        assert_eq!(all.find("plain").unwrap().message(""), "Just this.");
    }

    #[test]
    fn arguments_go_where_the_text_has_a_place_for_them() {
        let desk = Desk::new();
        desk.write("home/commands/review.md", REVIEW);
        desk.write(
            "home/commands/cost.md",
            "It costs $5.00 or $10 in $HOME: $0",
        );
        desk.write("home/commands/plain.md", "Just this.");
        let all = desk.read();
        let message = |name: &str, arguments: &str| all.find(name).unwrap().message(arguments);
        assert_eq!(
            message("review", "'my branch' main"),
            "Review my branch against main: 'my branch' main."
        );
        // What was typed is not read again.
        assert_eq!(message("review", "$2 b"), "Review $2 against b: $2 b.");
        assert_eq!(message("review", ""), "Review  against : .");
        assert_eq!(message("plain", "and that"), "Just this.\n\nand that");
        assert_eq!(message("cost", ""), "It costs .00 or $10 in $HOME: $0");
    }

    #[test]
    fn what_is_no_command_is_said_and_shadows_nothing() {
        let desk = Desk::new();
        desk.write("home/commands/help.md", "mine");
        desk.write("home/commands/open.md", "---\ndescription: x\n");
        desk.write("home/commands/head.md", "---\nno colon\n---\ntext");
        desk.write("home/commands/model.md", "---\nmodel: gpt\n---\ntext");
        desk.write("home/commands/empty.md", "---\ndescription: x\n---\n");
        desk.write("home/commands/two words.md", "text");
        desk.write("home/commands/note.txt", "text");
        let all = desk.read();
        assert_eq!(all.commands, []);
        assert_eq!(all.problems.len(), 6, "{:#?}", all.problems);
        let said = all.problems.join("\n");
        for words in [
            "of the program",
            "no end",
            "line 2",
            "provider/model",
            "no text",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }

    #[test]
    fn the_projects_own_comes_before_the_users() {
        let desk = Desk::new();
        desk.write("home/commands/go.md", "user");
        desk.write("work/.plimsoll/commands/go.md", "project");
        let all = desk.read();
        assert_eq!(all.commands.len(), 1);
        assert_eq!(all.find("go").unwrap().message(""), "project");
        desk.write("work/.plimsoll/commands/go.md", "newer");
        assert_eq!(desk.read().find("go").unwrap().message(""), "newer");
    }
}
