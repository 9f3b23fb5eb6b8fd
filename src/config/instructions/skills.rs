//! Skills: folders with a `SKILL.md`, whose header says when it is useful and whose text says
//! how to do it. The names and descriptions are part of the system prompt; a text is read when
//! it is used.
//!
//! A project's skills count only where the user trusts the project, and only from inside it.
//! Nothing in a skill runs by itself.

use std::fmt;
use std::path::{Path, PathBuf};

use super::front_matter::FrontMatter;
use crate::config::layers::trust::TrustedDirs;
use crate::config::paths::UserPaths;
use crate::context::invisible;
use crate::disk::open;
use crate::disk::project::{ProjectFile, root_of};

/// The file that makes a folder a skill.
const FILE: &str = "SKILL.md";
/// A larger file is no text for a model.
const MAX_BYTES: u64 = 256 * 1024;
/// Folders of one place; a place that leads elsewhere ends here.
const MAX_FOLDERS: usize = 500;
/// Folders below each other.
const MAX_DEPTH: usize = 3;
/// Characters of a name.
const MAX_NAME_CHARS: usize = 64;
/// Characters of a description; the rest is cut.
const MAX_DESCRIPTION_CHARS: usize = 1_024;
/// Bytes of all names and descriptions in the system prompt: some 4,000 tokens.
const MAX_LISTED_BYTES: usize = 16 * 1024;
/// Folders of a project that hold skills, this program's own first.
const PROJECT_FOLDERS: [&str; 3] = [".plimsoll/skills", ".claude/skills", ".agents/skills"];
/// Folders below the home directory that hold skills.
const HOME_FOLDERS: [&str; 2] = [".agents/skills", ".claude/skills"];

/// One skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Lower-case letters, digits and hyphens.
    pub name: String,
    /// When it is useful, on one line.
    pub description: String,
    /// The licence, when the header names one.
    pub license: Option<String>,
    /// What it needs of the machine, when the header says so.
    pub compatibility: Option<String>,
    /// Further facts of the header.
    pub metadata: Vec<(String, String)>,
    /// Tools that its author expects. Nothing is allowed because of them.
    pub allowed_tools: Vec<String>,
    /// Only the user may start it.
    pub is_manual: bool,
    /// The file.
    pub path: PathBuf,
    /// Where it was found.
    pub origin: SkillOrigin,
}

/// Where a skill was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillOrigin {
    /// In the user's own folders.
    Own,
    /// In a trusted project.
    Project {
        /// The folder that holds the folder of skills.
        folder: PathBuf,
        /// Nothing outside is read.
        root: PathBuf,
    },
}

/// A folder that is no skill, or is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedSkill {
    /// The file or folder.
    pub path: PathBuf,
    /// One clause.
    pub reason: String,
}

/// All skills of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skills {
    /// By name.
    pub found: Vec<Skill>,
    /// In the order in which they were met.
    pub refused: Vec<RefusedSkill>,
    /// Names that have no room in the system prompt.
    pub unlisted: Vec<String>,
}

impl fmt::Display for RefusedSkill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not used: {}", self.path.display(), self.reason)
    }
}

impl Skill {
    /// The folder that paths in its text refer to.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Its text as the file has it now.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, as one clause.
    pub fn read(&self) -> Result<String, String> {
        let text = read(&self.path, &self.origin)?;
        let file = FrontMatter::parse(&text).map_err(|error| error.to_string())?;
        if file.body.is_empty() {
            return Err("it has no text after its header".to_owned());
        }
        Ok(file.body)
    }

    /// Its line in the system prompt.
    pub fn line(&self) -> String {
        format!("- {}: {}", self.name, self.description)
    }
}

impl Skills {
    /// Reads the headers as they are now. Of several with one name the nearest project's
    /// counts, then the user's.
    pub fn read(paths: &UserPaths, cwd: &Path, trusted: &TrustedDirs) -> Self {
        let mut all = Self::default();
        let root = root_of(cwd);
        for dir in cwd.ancestors().take_while(|dir| dir.starts_with(root)) {
            let is_trusted = trusted.holds(dir);
            let origin = SkillOrigin::Project {
                folder: dir.to_owned(),
                root: root.to_owned(),
            };
            for name in PROJECT_FOLDERS {
                all.take_place(&dir.join(name), &origin, is_trusted);
            }
        }
        let below_home = paths.home().into_iter();
        let below_home = below_home.flat_map(|home| HOME_FOLDERS.map(|name| home.join(name)));
        for place in std::iter::once(paths.skills_dir()).chain(below_home) {
            all.take_place(&place, &SkillOrigin::Own, true);
        }
        all.found.sort_by(|a, b| a.name.cmp(&b.name));
        all.measure();
        all
    }

    /// The skill of this name.
    pub fn find(&self, name: &str) -> Option<&Skill> {
        self.found.iter().find(|skill| skill.name == name)
    }

    /// The skills that a model is told of.
    pub fn listed(&self) -> impl Iterator<Item = &Skill> {
        let skills = self.found.iter().filter(|skill| !skill.is_manual);
        skills.filter(|skill| !self.unlisted.contains(&skill.name))
    }

    /// The part of the system prompt; `None` when there is nothing to say.
    pub fn part(&self) -> Option<String> {
        let lines: Vec<String> = self.listed().map(Skill::line).collect();
        (!lines.is_empty()).then(|| {
            format!(
                "# Skills\n\nInstructions for particular tasks. When a task fits a description, \
                 call the `skill` tool with its name before you begin.\n\n{}",
                lines.join("\n")
            )
        })
    }

    /// One sentence for each thing that is not used.
    pub fn notices(&self) -> Vec<String> {
        let refused = self.refused.iter().map(ToString::to_string);
        let full = (!self.unlisted.is_empty()).then(|| {
            format!(
                "the model is not told of these skills, because the list of skills is full: {}",
                self.unlisted.join(", ")
            )
        });
        refused.chain(full).collect()
    }

    /// The model is told of none; the user may start each.
    pub fn leave_to_the_user(&mut self) {
        for skill in &mut self.found {
            skill.is_manual = true;
        }
        self.unlisted.clear();
    }

    fn measure(&mut self) {
        let mut left = MAX_LISTED_BYTES;
        let mut unlisted = Vec::new();
        for skill in self.found.iter().filter(|skill| !skill.is_manual) {
            match left.checked_sub(skill.line().len()) {
                Some(rest) => left = rest,
                None => unlisted.push(skill.name.clone()),
            }
        }
        self.unlisted = unlisted;
    }

    /// Takes the skills of one folder of skills.
    fn take_place(&mut self, place: &Path, origin: &SkillOrigin, is_trusted: bool) {
        let mut files = Vec::new();
        let mut seen = 0;
        collect(place, 0, &mut seen, &mut files);
        files.sort();
        if !is_trusted {
            if !files.is_empty() {
                self.refuse(
                    place.to_owned(),
                    "skills of a project are used only in a directory of trusted_dirs".to_owned(),
                );
            }
            return;
        }
        for path in files {
            match skill(&path, origin) {
                Ok(skill) if self.find(&skill.name).is_some() => {
                    // The user's folders may be links to one another.
                    let known = self.find(&skill.name).map(|it| it.path.clone());
                    let same = |a: &Path, b: &Path| a.canonicalize().ok() == b.canonicalize().ok();
                    if let Some(known) = known.filter(|known| !same(known, &path)) {
                        let reason =
                            format!("{} has the same name and comes first", known.display());
                        self.refuse(path, reason);
                    }
                }
                Ok(skill) => self.found.push(skill),
                Err(reason) => self.refuse(path, reason),
            }
        }
    }

    fn refuse(&mut self, path: PathBuf, reason: String) {
        self.refused.push(RefusedSkill { path, reason });
    }
}

/// The skill files below a folder; a skill holds no others.
fn collect(folder: &Path, depth: usize, seen: &mut usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        *seen += 1;
        if *seen > MAX_FOLDERS {
            return;
        }
        let path = entry.path();
        if !path.is_dir() {
            continue;
        }
        let file = path.join(FILE);
        if file.symlink_metadata().is_ok() {
            files.push(file);
        } else if depth + 1 < MAX_DEPTH {
            collect(&path, depth + 1, seen, files);
        }
    }
}

fn skill(path: &Path, origin: &SkillOrigin) -> Result<Skill, String> {
    let text = read(path, origin)?;
    let file = FrontMatter::parse(&text).map_err(|error| error.to_string())?;
    let folder = path.parent().and_then(Path::file_name);
    let folder = folder.map(|name| name.to_string_lossy().into_owned());
    let name = file.text("name").or(folder).unwrap_or_default();
    check_name(&name)?;
    let description = file.text("description").map(|text| one_line(&text));
    let description = description.ok_or("its header has no description")?;
    Ok(Skill {
        name,
        description,
        license: file.text("license").map(|text| one_line(&text)),
        compatibility: file.text("compatibility").map(|text| one_line(&text)),
        metadata: file.pairs("metadata"),
        allowed_tools: file.list("allowed-tools"),
        is_manual: file.flag("disable-model-invocation") == Some(true),
        path: path.to_owned(),
        origin: origin.clone(),
    })
}

fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > MAX_NAME_CHARS || !name.chars().all(is_plain) {
        return Err(format!(
            "its name may have only lower-case letters, digits and hyphens, at most \
             {MAX_NAME_CHARS}"
        ));
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_DESCRIPTION_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// A file without the characters that nobody sees.
fn read(path: &Path, origin: &SkillOrigin) -> Result<String, String> {
    let bytes = match origin {
        SkillOrigin::Own => open::read(path, MAX_BYTES),
        SkillOrigin::Project { folder, root } => ProjectFile {
            path,
            folder,
            root,
            is_trusted: true,
        }
        .read(MAX_BYTES),
    };
    let bytes = bytes.map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    Ok(invisible::cleaned(&text).text.into_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::config::paths::EnvironmentVars;
    use crate::config::settings::Settings;

    struct SkillsDesk {
        folder: tempfile::TempDir,
        trusted: TrustedDirs,
    }

    impl SkillsDesk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("work/sub")).unwrap();
            std::fs::create_dir_all(folder.path().join("work/.git")).unwrap();
            let trusted = TrustedDirs::default();
            Self { folder, trusted }
        }

        fn trusting(mut self) -> Self {
            let settings = Settings {
                trusted_dirs: vec![self.folder.path().join("work")],
                ..Settings::default()
            };
            self.trusted = TrustedDirs::new(&settings, &EnvironmentVars::new());
            self
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn read(&self) -> Skills {
            let at = |name: &str| self.folder.path().join(name).display().to_string();
            let environment = [("PLIMSOLL_HOME", at("plim")), ("HOME", at("home"))];
            let environment = environment.map(|(name, value)| (name.to_owned(), value));
            let paths = UserPaths::from_environment(&environment.into_iter().collect()).unwrap();
            let cwd = self.folder.path().join("work/sub");
            Skills::read(&paths, &cwd, &self.trusted)
        }
    }

    fn names(skills: &Skills) -> Vec<&str> {
        skills.found.iter().map(|it| it.name.as_str()).collect()
    }

    fn text(name: &str) -> String {
        format!("---\nname: {name}\ndescription: does {name}\n---\nSteps of {name}.\n")
    }

    #[test]
    fn skills_are_found_in_all_places_and_the_nearest_counts() {
        let desk = SkillsDesk::new().trusting();
        desk.write("work/sub/.agents/skills/pdf/SKILL.md", &text("pdf"));
        desk.write("work/.claude/skills/pdf/SKILL.md", &text("pdf"));
        desk.write("work/.plimsoll/skills/release/SKILL.md", &text("release"));
        desk.write("plim/skills/group/notes/SKILL.md", &text("notes"));
        desk.write("home/.agents/skills/mail/SKILL.md", &text("mail"));
        desk.write("home/.claude/skills/mail/SKILL.md", &text("mail"));
        desk.write("home/.claude/skills/mail/more/SKILL.md", &text("inner"));
        desk.write("home/.claude/skills/README.md", "no skill");
        let skills = desk.read();
        assert_eq!(names(&skills), ["mail", "notes", "pdf", "release"]);
        assert!(
            skills
                .find("pdf")
                .unwrap()
                .path
                .ends_with("work/sub/.agents/skills/pdf/SKILL.md")
        );
        assert_eq!(skills.refused.len(), 2, "{:?}", skills.refused);
        assert!(
            skills
                .refused
                .iter()
                .all(|it| it.reason.contains("comes first"))
        );
        let part = skills.part().unwrap();
        assert!(
            part.contains("- mail: does mail\n- notes: does notes\n"),
            "{part}"
        );
        assert_eq!(skills.find("pdf").unwrap().read().unwrap(), "Steps of pdf.");
    }

    #[test]
    fn a_project_that_is_not_trusted_has_no_skills_and_that_is_said() {
        let desk = SkillsDesk::new();
        desk.write("work/.claude/skills/pdf/SKILL.md", &text("pdf"));
        desk.write("home/.claude/skills/mail/SKILL.md", &text("mail"));
        let skills = desk.read();
        assert_eq!(names(&skills), ["mail"]);
        let said = skills.notices().join("\n");
        assert!(said.contains(".claude/skills is not used"), "{said}");
        assert!(said.contains("trusted_dirs"), "{said}");
    }

    #[test]
    fn what_leads_out_of_a_project_or_is_no_skill_is_refused_with_its_reason() {
        let desk = SkillsDesk::new().trusting();
        desk.write("outside/far/SKILL.md", &text("far"));
        desk.write("outside/SECRET.md", &text("secret"));
        desk.write("work/.plimsoll/skills/ok/SKILL.md", &text("ok"));
        let at = |name: &str| desk.folder.path().join("work/.plimsoll/skills").join(name);
        symlink("../../../outside/far", at("far")).unwrap();
        std::fs::create_dir(at("secret")).unwrap();
        symlink("../../../../outside/SECRET.md", at("secret/SKILL.md")).unwrap();
        for (folder, text) in [
            ("open", "---\nname: open\n"),
            ("mute", "---\nname: mute\n---\ntext"),
            ("big", "---\nname: Big One\ndescription: x\n---\ntext"),
        ] {
            desk.write(&format!("work/.plimsoll/skills/{folder}/SKILL.md"), text);
        }
        desk.write("plim/skills/bare/SKILL.md", "No header at all.");
        let skills = desk.read();
        assert_eq!(names(&skills), ["ok"]);
        let said = skills.notices().join("\n");
        for (folder, reason) in [
            ("far", "outside the project"),
            ("secret", "outside the project"),
            ("open", "no closing line"),
            ("mute", "no description"),
            ("big", "lower-case letters"),
            ("bare", "no description"),
        ] {
            let line = said
                .lines()
                .find(|line| line.contains(&format!("/{folder}/")));
            assert!(
                line.is_some_and(|line| line.contains(reason)),
                "{folder}: {said}"
            );
        }
        // The user's own may be links to anywhere.
        let own = desk.folder.path().join("plim/skills");
        symlink(desk.folder.path().join("outside/far"), own.join("far")).unwrap();
        assert_eq!(names(&desk.read()), ["far", "ok"]);
    }

    #[test]
    fn the_header_says_who_may_start_it_and_nothing_is_allowed_by_it() {
        let desk = SkillsDesk::new();
        desk.write(
            "plim/skills/deploy/SKILL.md",
            "---\nname: deploy\ndescription: |\n  Ships it.\n  Twice\u{e0041}.\nlicense: MIT\n\
             compatibility: needs git\nallowed-tools: Bash(git push:*) Read\n\
             disable-model-invocation: true\nmetadata:\n  author: me\n---\nPush.",
        );
        let skills = desk.read();
        let deploy = skills.find("deploy").unwrap();
        assert_eq!(deploy.description, "Ships it. Twice.");
        assert_eq!(deploy.license.as_deref(), Some("MIT"));
        assert_eq!(deploy.compatibility.as_deref(), Some("needs git"));
        assert_eq!(deploy.allowed_tools, ["Bash(git push:*)", "Read"]);
        assert_eq!(deploy.metadata, [("author".to_owned(), "me".to_owned())]);
        assert_eq!(skills.part(), None);
    }

    #[test]
    fn a_long_list_is_cut_and_that_is_said() {
        let desk = SkillsDesk::new();
        for n in 10..40 {
            let long = "x".repeat(2_000);
            let text = format!("---\nname: s{n}\ndescription: {long}\n---\ntext");
            desk.write(&format!("plim/skills/s{n}/SKILL.md"), &text);
        }
        let skills = desk.read();
        assert_eq!(skills.found.len(), 30);
        assert!(skills.part().unwrap().len() < MAX_LISTED_BYTES + 500);
        let said = skills.notices().join("\n");
        assert!(said.contains("list of skills is full: s2"), "{said}");
    }
}
