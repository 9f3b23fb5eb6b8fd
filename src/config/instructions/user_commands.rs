//! Commands of the user: Markdown files whose text becomes a message. Found below a
//! `commands` folder of the user and one of the project; a subfolder comes before the name,
//! as in `git:review`.
//!
//! Nothing in them runs: what is written there is only ever text for the model. Those of a
//! project are read from inside it alone, and choose no model unless it is trusted.

use std::path::{Path, PathBuf};

use super::front_matter::FrontMatter;
use super::skills::{Skill, SkillOrigin, Skills};
use crate::config::layers::trust::TrustedDirs;
use crate::config::paths::UserPaths;
use crate::config::value::parse_model;
use crate::context::invisible;
use crate::disk::open;
use crate::disk::project::{ProjectFile, root_of};
use crate::transcript::ModelRef;

/// A larger file is not a message.
const MAX_BYTES: u64 = 256 * 1024;
/// More files than anybody has commands; a folder that leads elsewhere ends here.
const MAX_FILES: usize = 500;
/// The names of commands that are skills begin with this.
const SKILL_PREFIX: &str = "skill:";
/// Folders below each other.
const MAX_DEPTH: usize = 4;

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserCommand {
    /// Without the slash, e.g. `review` or `git:review`.
    pub name: String,
    /// The description; empty when the file has none.
    pub description: String,
    /// Its arguments, as help shows them; may be empty.
    pub arguments: String,
    /// The model from there on.
    pub model: Option<ModelRef>,
    /// The file.
    pub path: PathBuf,
    /// The project that it is of; `None` for the user's own.
    pub project: Option<PathBuf>,
    body: String,
}

/// Where the user's own commands and skills come from.
#[derive(Clone, Debug)]
pub struct CommandSources {
    /// The user's own folders.
    pub paths: UserPaths,
    /// Folders whose projects may choose a model and have skills.
    pub trusted: TrustedDirs,
    /// Whether skills are commands too.
    pub has_skills: bool,
}

impl CommandSources {
    /// Everything below one directory, nothing trusted.
    pub fn below(root: &Path) -> Self {
        Self {
            paths: UserPaths::below(root),
            trusted: TrustedDirs::default(),
            has_skills: true,
        }
    }
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
    pub fn read(sources: &CommandSources, cwd: &Path, is_taken: impl Fn(&str) -> bool) -> Self {
        let mut all = Self::default();
        let own = CommandFolder::own(&sources.paths);
        let project = CommandFolder::of_project(cwd, &sources.trusted);
        let project = project.filter(|it| it.folder != own.folder);
        for folder in project.into_iter().chain([own]) {
            let mut files = Vec::new();
            folder.collect(&folder.folder, 0, &mut files, &mut all.problems);
            files.sort();
            for file in files {
                all.add(&folder, file, &is_taken);
            }
        }
        if sources.has_skills {
            // What is wrong with skills is said where they are listed.
            let skills = Skills::read(&sources.paths, cwd, &sources.trusted);
            let skills = skills.found.iter().map(UserCommand::of_skill);
            let known = std::mem::take(&mut all.commands);
            all.commands = skills.collect();
            let is_new = |it: &UserCommand| !it.name.starts_with(SKILL_PREFIX);
            all.commands.extend(known.into_iter().filter(is_new));
        }
        all.commands.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The command of this name.
    pub fn find(&self, name: &str) -> Option<&UserCommand> {
        self.commands.iter().find(|command| command.name == name)
    }

    fn add(&mut self, folder: &CommandFolder, file: PathBuf, is_taken: &impl Fn(&str) -> bool) {
        let shown = file.display();
        let Some(name) = name_of(&folder.folder, &file) else {
            self.problems.push(format!(
                "{shown} is not a command: its name may contain only letters, digits, - and _"
            ));
            return;
        };
        if is_taken(&name) {
            self.problems.push(format!(
                "{shown} is not used: /{name} is a built-in command"
            ));
            return;
        }
        if self.find(&name).is_some() {
            // The project's has been read before the user's.
            return;
        }
        let text = match folder.read(&file) {
            Ok(text) => text,
            Err(reason) => {
                self.problems.push(format!("{shown} is not used: {reason}"));
                return;
            }
        };
        let cleaned = invisible::cleaned(&text);
        if cleaned.removed > 0 {
            let removed = invisible::removed_text(cleaned.removed);
            self.problems.push(format!("{shown}: {removed}"));
        }
        match parse(&cleaned.text) {
            Ok((mut head, body)) => {
                if folder.may_not_choose() && head.model.take().is_some() {
                    self.problems.push(format!(
                        "{shown}: its model is not used, because this project is not trusted"
                    ));
                }
                self.commands.push(UserCommand {
                    name,
                    description: head.description,
                    arguments: head.arguments,
                    model: head.model,
                    path: file,
                    project: folder.project.as_ref().map(|it| it.root.clone()),
                    body,
                });
            }
            Err(reason) => self.problems.push(format!("{shown} is not used: {reason}")),
        }
    }
}

impl UserCommand {
    /// A message that begins like this asks for a skill, wherever it comes from.
    fn of_skill(skill: &Skill) -> Self {
        let name = format!("{SKILL_PREFIX}{}", skill.name);
        Self {
            body: format!("/{name} $ARGUMENTS"),
            name,
            description: skill.description.clone(),
            arguments: "[MESSAGE]".to_owned(),
            model: None,
            path: skill.path.clone(),
            project: match &skill.origin {
                SkillOrigin::Own => None,
                SkillOrigin::Project { root, .. } => Some(root.clone()),
            },
        }
    }

    /// A prompt of an MCP server: the message asks for it by its name, wherever it comes from.
    pub fn of_server(server: &str, prompt: &str, about: &str, arguments: String) -> Self {
        let name = format!("{server}:{prompt}");
        Self {
            body: format!("/{name} $ARGUMENTS"),
            name,
            description: about.to_owned(),
            arguments,
            model: None,
            path: PathBuf::from(format!("MCP server {server}")),
            project: None,
        }
    }

    /// The message, with what was typed after the name: `$ARGUMENTS` is all of it, `$1` to
    /// `$9` are its words (quotes keep several together). What no place was made for comes
    /// after the text.
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
        out.truncate(out.trim_end().len());
        out
    }
}

#[derive(Default)]
struct CommandHead {
    description: String,
    arguments: String,
    model: Option<ModelRef>,
}

struct CommandFolder {
    folder: PathBuf,
    project: Option<CommandProject>,
}

/// The project that a folder of commands is of.
struct CommandProject {
    /// The folder that holds `.plimsoll`.
    folder: PathBuf,
    root: PathBuf,
    is_trusted: bool,
}

impl CommandFolder {
    fn own(paths: &UserPaths) -> Self {
        Self {
            folder: paths.commands_dir(),
            project: None,
        }
    }

    /// That of the nearest folder from `cwd` upwards that has one.
    fn of_project(cwd: &Path, trusted: &TrustedDirs) -> Option<Self> {
        let commands = |dir: &Path| dir.join(".plimsoll").join("commands");
        let dir = cwd.ancestors().find(|dir| commands(dir).is_dir())?;
        let project = CommandProject {
            folder: dir.to_owned(),
            root: root_of(dir).to_owned(),
            is_trusted: trusted.holds(dir),
        };
        Some(Self {
            folder: commands(dir),
            project: Some(project),
        })
    }

    fn may_not_choose(&self) -> bool {
        self.project.as_ref().is_some_and(|it| !it.is_trusted)
    }

    /// The files below a folder, and which folders lead elsewhere.
    fn collect(
        &self,
        folder: &Path,
        depth: usize,
        files: &mut Vec<PathBuf>,
        problems: &mut Vec<String>,
    ) {
        if let Err(problem) = self.check_inside(folder) {
            problems.push(problem);
            return;
        }
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if files.len() + problems.len() >= MAX_FILES {
                return;
            }
            if path.is_dir() {
                if depth < MAX_DEPTH {
                    self.collect(&path, depth + 1, files, problems);
                }
            } else if path.extension().is_some_and(|ending| ending == "md") {
                files.push(path);
            }
        }
    }

    /// A project's folder must not list what lies outside.
    fn check_inside(&self, folder: &Path) -> Result<(), String> {
        let Some(project) = &self.project else {
            return Ok(());
        };
        let real = |path: &Path| path.canonicalize().map_err(|error| error.to_string());
        if real(folder)?.starts_with(real(&project.root)?) {
            return Ok(());
        }
        let shown = folder.display();
        Err(format!("{shown} is not used: it is outside the project"))
    }

    fn read(&self, file: &Path) -> Result<String, String> {
        let read = match &self.project {
            None => open::read(file, MAX_BYTES),
            Some(project) => ProjectFile {
                path: file,
                folder: &project.folder,
                root: &project.root,
                is_trusted: project.is_trusted,
            }
            .read(MAX_BYTES),
        };
        let bytes = read.map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
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

/// Head and text.
fn parse(text: &str) -> Result<(CommandHead, String), String> {
    let file = FrontMatter::parse(text).map_err(|error| error.to_string())?;
    if file.body.is_empty() {
        return Err("it is empty".to_owned());
    }
    let model = file.text("model").map(|model| {
        parse_model(&model)
            .ok_or_else(|| "the model in its header must be written as provider/model".to_owned())
    });
    let head = CommandHead {
        description: file.text("description").unwrap_or_default(),
        arguments: file.text("argument-hint").unwrap_or_default(),
        model: model.transpose()?,
    };
    Ok((head, file.body))
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

    struct CommandsDesk {
        folder: tempfile::TempDir,
        sources: CommandSources,
    }

    impl CommandsDesk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let sources = CommandSources::below(&folder.path().join("home"));
            Self { folder, sources }
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn read(&self) -> UserCommands {
            let cwd = self.folder.path().join("work");
            UserCommands::read(&self.sources, &cwd, |name| name == "help")
        }
    }

    const REVIEW: &str = "---\ndescription: \"Looks at a change\"\nargument-hint: [BRANCH]\n\
        model: anthropic/claude-haiku\ntags: x\n---\n\nReview $1 against $2: $ARGUMENTS.\n";

    #[test]
    fn a_file_is_a_command_and_a_folder_comes_before_its_name() {
        let desk = CommandsDesk::new();
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
        let desk = CommandsDesk::new();
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
        let desk = CommandsDesk::new();
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
            "built-in command",
            "no closing line",
            "line 2",
            "provider/model",
            "it is empty",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }

    #[test]
    fn a_projects_command_chooses_a_model_only_when_the_project_is_trusted() {
        let mut desk = CommandsDesk::new();
        desk.write("work/.plimsoll/commands/review.md", REVIEW);
        desk.write("home/commands/own.md", REVIEW);
        let all = desk.read();
        assert_eq!(all.find("review").unwrap().model, None);
        assert!(all.find("own").unwrap().model.is_some());
        assert!(
            all.problems[0].contains("not trusted"),
            "{:?}",
            all.problems
        );
        let settings = crate::config::settings::Settings {
            trusted_dirs: vec![desk.folder.path().join("work")],
            ..crate::config::settings::Settings::default()
        };
        desk.sources.trusted =
            TrustedDirs::new(&settings, &crate::config::paths::EnvironmentVars::new());
        let all = desk.read();
        assert!(all.find("review").unwrap().model.is_some());
        assert_eq!(all.problems, [""; 0]);
    }

    #[test]
    fn a_projects_commands_come_from_inside_it_and_show_what_they_say() {
        use std::os::unix::fs::symlink;
        let desk = CommandsDesk::new();
        desk.write("outside/secret.md", "key");
        desk.write("work/.plimsoll/commands/good.md", "text");
        desk.write("work/.plimsoll/commands/tags.md", "a\u{e0041}\u{e0042}b");
        let at = |name: &str| {
            desk.folder
                .path()
                .join("work/.plimsoll/commands")
                .join(name)
        };
        symlink("good.md", at("link.md")).unwrap();
        symlink("../../../outside/secret.md", at("far.md")).unwrap();
        symlink("/proc/self/environ", at("environment.md")).unwrap();
        symlink("loop.md", at("loop.md")).unwrap();
        symlink("/dev/zero", at("endless.md")).unwrap();
        symlink("../../../outside", at("zfolder")).unwrap();
        let all = desk.read();
        let names: Vec<&str> = all.commands.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["good", "link", "tags"]);
        assert_eq!(all.find("tags").unwrap().message(""), "ab");
        let said = all.problems.join("\n");
        for words in [
            "far.md",
            "environment.md",
            "loop.md",
            "endless.md",
            "zfolder",
            "2 invisible",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        // The user's own may be links to anywhere.
        std::fs::create_dir_all(desk.folder.path().join("home/commands")).unwrap();
        let own = desk.folder.path().join("home/commands/own.md");
        symlink(desk.folder.path().join("outside/secret.md"), own).unwrap();
        assert_eq!(desk.read().find("own").unwrap().message(""), "key");
    }

    #[test]
    fn a_skill_is_a_command_that_asks_for_it() {
        let mut desk = CommandsDesk::new();
        let head = "---\ndescription: fills forms\n---\nSteps.";
        desk.write("home/skills/pdf/SKILL.md", head);
        desk.write("home/commands/skill/pdf.md", "not a skill");
        let all = desk.read();
        let pdf = all.find("skill:pdf").unwrap();
        assert_eq!(pdf.description, "fills forms");
        assert_eq!(pdf.message("a.pdf now"), "/skill:pdf a.pdf now");
        assert_eq!(pdf.message(""), "/skill:pdf");
        assert_eq!(all.commands.len(), 1);
        desk.sources.has_skills = false;
        assert_eq!(
            desk.read().find("skill:pdf").unwrap().message(""),
            "not a skill"
        );
    }

    #[test]
    fn the_projects_own_comes_before_the_users() {
        let desk = CommandsDesk::new();
        desk.write("home/commands/go.md", "user");
        desk.write("work/.plimsoll/commands/go.md", "project");
        let all = desk.read();
        assert_eq!(all.commands.len(), 1);
        assert_eq!(all.find("go").unwrap().message(""), "project");
        desk.write("work/.plimsoll/commands/go.md", "newer");
        assert_eq!(desk.read().find("go").unwrap().message(""), "newer");
    }
}
