//! Sub-agents that a model may start: two of our own, and Markdown files with a header, found
//! in `agents` folders of the project and of the user.
//!
//! Those of a project are read only when the user trusts it: they instruct a model that works
//! unseen.

use std::path::{Path, PathBuf};

use crate::config::instructions::front_matter::FrontMatter;
use crate::config::layers::trust::TrustedDirs;
use crate::config::paths::UserPaths;
use crate::config::value::parse_model;
use crate::context::invisible;
use crate::disk::open;
use crate::disk::project::{ProjectFile, root_of};
use crate::transcript::ModelRef;

/// A larger file is no instruction.
const MAX_BYTES: u64 = 256 * 1024;
/// Descriptions are sent with every request.
const MAX_DESCRIPTION_CHARS: usize = 300;
/// More agents than a model can choose among.
const MAX_AGENTS: usize = 40;
/// Folders of a project, and of the home directory, the nearest to this program first.
const PROJECT_FOLDERS: [&str; 3] = [".plimsoll/agents", ".agents/agents", ".claude/agents"];
const HOME_FOLDERS: [&str; 2] = [".agents/agents", ".claude/agents"];

/// The agent that is started when none is named.
pub const DEFAULT_AGENT: &str = "general";

/// The tools of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AgentTools {
    /// All that its caller has.
    #[default]
    All,
    /// Those that change nothing.
    ReadOnly,
    /// Those with these names.
    Only(Vec<String>),
}

/// An agent that can be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentDefinition {
    /// Names it in calls.
    pub name: String,
    /// What it is good for, for the model that chooses.
    pub description: String,
    /// What it is told besides the system prompt.
    pub prompt: String,
    /// Its tools.
    pub tools: AgentTools,
    /// Its model; `None`: that of its caller.
    pub model: Option<ModelRef>,
    /// The most tokens of its window.
    pub window_cap: Option<u64>,
    /// The file; `None` for our own.
    pub path: Option<PathBuf>,
}

/// All agents, and what is wrong with files that are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentDefinitions {
    /// Our own first, then by name.
    pub agents: Vec<AgentDefinition>,
    /// One sentence each.
    pub problems: Vec<String>,
}

impl AgentDefinitions {
    /// Our own and those in files, as they are now. A file may replace one of our own.
    pub fn read(paths: &UserPaths, cwd: &Path, trusted: &TrustedDirs) -> Self {
        let mut all = Self::default();
        let mut found: Vec<AgentDefinition> = Vec::new();
        for folder in AgentFolder::all(paths, cwd, trusted) {
            if !folder.may_be_used() {
                let shown = folder.folder.display();
                all.problems.push(format!(
                    "{shown} is not used, because this project is not trusted; add the project \
                     to trusted_dirs"
                ));
                continue;
            }
            for file in folder.files() {
                match folder.read(&file) {
                    Ok(agent) if found.iter().any(|it| it.name == agent.name) => {}
                    Ok(_) if found.len() >= MAX_AGENTS => {}
                    Ok(agent) => found.push(agent),
                    Err(why) => all
                        .problems
                        .push(format!("{} is not used: {why}", file.display())),
                }
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        let is_replaced = |own: &AgentDefinition| found.iter().any(|it| it.name == own.name);
        let own = built_in().into_iter().filter(|own| !is_replaced(own));
        all.agents = own.collect();
        all.agents.extend(found);
        all
    }

    /// Our own alone.
    pub fn built_in() -> Self {
        Self {
            agents: built_in().into(),
            problems: Vec::new(),
        }
    }

    /// The agent of this name.
    pub fn find(&self, name: &str) -> Option<&AgentDefinition> {
        self.agents.iter().find(|agent| agent.name == name)
    }
}

fn built_in() -> [AgentDefinition; 2] {
    let own = |name: &str, description: &str, prompt: &str, tools| AgentDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        prompt: prompt.trim().to_owned(),
        tools,
        ..AgentDefinition::default()
    };
    [
        own(
            "explore",
            "finds and reads, changes nothing",
            include_str!("../../../assets/prompts/agent-explore.md"),
            AgentTools::ReadOnly,
        ),
        own(
            DEFAULT_AGENT,
            "does a whole task with all tools",
            include_str!("../../../assets/prompts/agent-general.md"),
            AgentTools::All,
        ),
    ]
}

struct AgentFolder {
    folder: PathBuf,
    project: Option<AgentProject>,
}

struct AgentProject {
    /// The folder that holds the folder of agents.
    folder: PathBuf,
    root: PathBuf,
    is_trusted: bool,
}

impl AgentFolder {
    /// Those that exist; the project's come first.
    fn all(paths: &UserPaths, cwd: &Path, trusted: &TrustedDirs) -> Vec<Self> {
        let mut folders = vec![paths.agents_dir()];
        folders.extend(
            paths
                .home()
                .into_iter()
                .flat_map(|home| HOME_FOLDERS.map(|name| home.join(name))),
        );
        let root = root_of(cwd);
        let mut all: Vec<Self> = Vec::new();
        let inside = cwd.ancestors().take_while(|dir| dir.starts_with(root));
        for dir in inside {
            for folder in PROJECT_FOLDERS.map(|name| dir.join(name)) {
                // The home directory may be the project.
                if folder.is_dir() && !folders.contains(&folder) {
                    all.push(Self {
                        folder,
                        project: Some(AgentProject {
                            folder: dir.to_owned(),
                            root: root.to_owned(),
                            is_trusted: trusted.holds(dir),
                        }),
                    });
                }
            }
        }
        let own = folders.into_iter().filter(|folder| folder.is_dir());
        all.extend(own.map(|folder| Self {
            folder,
            project: None,
        }));
        all
    }

    fn may_be_used(&self) -> bool {
        self.project.as_ref().is_none_or(|it| it.is_trusted)
    }

    /// Its Markdown files by name; folders below it are not looked into.
    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let paths = entries.flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|it| it == "md") && !path.is_dir())
            .take(MAX_AGENTS)
            .collect();
        files.sort();
        files
    }

    fn read(&self, file: &Path) -> Result<AgentDefinition, String> {
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
        let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
        let mut agent = parse(&invisible::cleaned(&text).text)?;
        if agent.name.is_empty() {
            let stem = file.file_stem().and_then(|stem| stem.to_str());
            stem.unwrap_or_default().clone_into(&mut agent.name);
        }
        if !is_name(&agent.name) {
            return Err("its name may contain only letters, digits, - and _".to_owned());
        }
        agent.path = Some(file.to_owned());
        Ok(agent)
    }
}

fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !name.is_empty() && name.chars().all(is_plain)
}

fn parse(text: &str) -> Result<AgentDefinition, String> {
    let file = FrontMatter::parse(text).map_err(|error| error.to_string())?;
    if file.body.is_empty() {
        return Err("it has no text after its header".to_owned());
    }
    let description = file.text("description");
    let description = description.ok_or("its header has no description")?;
    let description: String = description
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(MAX_DESCRIPTION_CHARS)
        .collect();
    let window_cap = match file.text("window_cap").or_else(|| file.text("window-cap")) {
        None => None,
        Some(text) => {
            let digits: String = text.chars().filter(|c| !matches!(c, '_' | ',')).collect();
            let tokens: u64 = digits
                .parse()
                .map_err(|_| "window_cap must be a number of tokens".to_owned())?;
            Some(tokens)
        }
    };
    let tools = match file.list("tools") {
        names if names.is_empty() || names.iter().any(|name| name == "*") => AgentTools::All,
        names => AgentTools::Only(names.iter().map(|name| tool_name(name)).collect()),
    };
    Ok(AgentDefinition {
        name: file.text("name").unwrap_or_default(),
        description,
        prompt: file.body.clone(),
        tools,
        // Other programs write names of families, such as `sonnet`: the caller's model then.
        model: file.text("model").and_then(|name| parse_model(&name)),
        window_cap,
        path: None,
    })
}

/// Our name of a tool that another program may name otherwise.
pub fn tool_name(name: &str) -> String {
    // `Bash(git log:*)` names a tool with a pattern.
    let name = name.split('(').next().unwrap_or(name).trim();
    let lower = name.to_ascii_lowercase();
    let ours = match lower.as_str() {
        "grep" => "search",
        "glob" | "ls" => "list",
        "bash" => "shell",
        "multiedit" => "edit",
        "todowrite" => "todo",
        "agent" => "task",
        // Names of tools of servers are kept as they are.
        _ if name.contains("__") => return name.to_owned(),
        other => other,
    };
    ours.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct AgentDesk {
        folder: tempfile::TempDir,
    }

    impl AgentDesk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("work/.git")).unwrap();
            Self { folder }
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn read(&self, is_trusted: bool) -> AgentDefinitions {
            let root = self.folder.path();
            let work = root.join("work");
            let settings = crate::config::Settings {
                trusted_dirs: is_trusted.then(|| work.clone()).into_iter().collect(),
                ..crate::config::Settings::default()
            };
            let places = [("HOME", "home"), ("PLIMSOLL_HOME", "own")];
            let environment: crate::config::EnvironmentVars = places
                .map(|(name, dir)| (name.to_owned(), root.join(dir).display().to_string()))
                .into();
            let trusted = TrustedDirs::new(&settings, &environment);
            let paths = UserPaths::from_environment(&environment).unwrap();
            AgentDefinitions::read(&paths, &work, &trusted)
        }
    }

    const REVIEWER: &str = "---\nname: reviewer\ndescription: Use when: a change\n  is ready\n\
        tools: Read, Grep, Bash(git diff:*)\nmodel: p/small\nwindow_cap: 64_000\n---\n\nReview it.\n";

    #[test]
    fn our_own_are_always_there_and_a_file_replaces_them() {
        let desk = AgentDesk::new();
        let names = |all: &AgentDefinitions| -> Vec<String> {
            all.agents.iter().map(|it| it.name.clone()).collect()
        };
        assert_eq!(names(&desk.read(false)), ["explore", "general"]);
        desk.write(
            "own/agents/explore.md",
            "---\ndescription: mine\n---\nLook only here.",
        );
        let all = desk.read(false);
        assert_eq!(names(&all), ["general", "explore"]);
        assert_eq!(all.find("explore").unwrap().prompt, "Look only here.");
    }

    #[test]
    fn a_file_says_name_description_tools_model_and_window() {
        let desk = AgentDesk::new();
        desk.write("home/.claude/agents/r.md", REVIEWER);
        let all = desk.read(false);
        assert_eq!(all.problems, [""; 0]);
        let it = all.find("reviewer").unwrap();
        assert_eq!(it.description, "Use when: a change is ready");
        assert_eq!(it.prompt, "Review it.");
        assert_eq!(it.model, Some(ModelRef::new("p", "small")));
        assert_eq!(it.window_cap, Some(64_000));
        let tools = ["read", "search", "shell"].map(str::to_owned);
        assert_eq!(it.tools, AgentTools::Only(tools.to_vec()));
    }

    #[test]
    fn a_project_is_heard_only_when_it_is_trusted_and_then_first() {
        let desk = AgentDesk::new();
        desk.write("home/.agents/agents/reviewer.md", REVIEWER);
        let theirs = "---\nname: reviewer\ndescription: theirs\nmodel: sonnet\n---\nTheirs.";
        desk.write("work/.claude/agents/reviewer.md", theirs);
        let all = desk.read(false);
        assert_eq!(all.find("reviewer").unwrap().prompt, "Review it.");
        assert!(
            all.problems[0].contains("not trusted"),
            "{:?}",
            all.problems
        );
        let all = desk.read(true);
        let it = all.find("reviewer").unwrap();
        assert_eq!((it.prompt.as_str(), &it.model), ("Theirs.", &None));
        assert_eq!(it.tools, AgentTools::All);
    }

    #[test]
    fn a_file_that_is_no_agent_is_named_with_the_reason() {
        let desk = AgentDesk::new();
        for (name, text, reason) in [
            ("a", "no header", "no description"),
            ("b", "---\ndescription: x\n---\n", "no text"),
            ("c d", "---\ndescription: x\n---\ny", "letters"),
            (
                "e",
                "---\ndescription: x\nwindow_cap: much\n---\ny",
                "number",
            ),
        ] {
            desk.write(&format!("own/agents/{name}.md"), text);
            let all = desk.read(false);
            assert!(all.problems[0].contains(reason), "{:?}", all.problems);
            std::fs::remove_file(desk.folder.path().join(format!("own/agents/{name}.md"))).unwrap();
        }
    }
}
