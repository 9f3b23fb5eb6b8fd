//! The `write` tool: a whole file, new or replaced.

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::read_log::FileStamp;
use super::save::{check_read, details, save};
use super::text_file::{BOM, TextFile};
use crate::checkpoint::FileDifference;
use crate::tool::arguments::{
    ArgumentRow, CallArguments, FILE_DESCRIPTION, RequiredText, object_schema,
};
use crate::tool::interface::{Effect, Tool};
use crate::tool::outcome::run_blocking;
use crate::tool::outcome::{ToolError, ToolOutcome};
use crate::tool::page::counted;
use crate::tool::place::path::{ResolvedPath, resolve};
use crate::tool::plan::Plan;
use crate::tool::scope::{ToolJob, ToolScope};
use crate::transcript::ToolSchema;

static PATH: RequiredText = RequiredText::new("path", FILE_DESCRIPTION);
static CONTENT: RequiredText = RequiredText::new("content", "The complete new content.");
/// All of them, in the order of the schema.
static ARGUMENTS: [&dyn ArgumentRow; 2] = [&PATH, &CONTENT];

/// Writes a whole file.
#[derive(Clone, Copy, Debug)]
pub struct WriteTool;

/// A call that may be carried out, with the state it is based on.
struct PreparedWrite {
    path: ResolvedPath,
    content: String,
    change: FileDifference,
    /// `None` for a new file.
    expected: Option<FileStamp>,
}

impl PreparedWrite {
    fn new(arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Self, ToolError> {
        let (path, content) = parsed(arguments, scope)?;
        let content = content.to_owned();
        let Ok(metadata) = std::fs::metadata(&path.absolute) else {
            return Ok(Self {
                change: FileDifference::between(&path.shown, None, Some(&content)),
                path,
                content,
                expected: None,
            });
        };
        if !metadata.is_file() {
            return Err(ToolError(format!(
                "{} exists and is not a regular file; nothing was changed.",
                path.shown
            )));
        }
        check_read(&path, scope)?;
        let stamp = FileStamp::of(&path.absolute)
            .map_err(|error| super::text_file::cannot_read(&path, &error))?;
        Ok(Self {
            change: change(&path, &content),
            path,
            content,
            expected: Some(stamp),
        })
    }
}

fn parsed<'a>(
    arguments: &'a Map<String, Value>,
    scope: &ToolScope,
) -> Result<(ResolvedPath, &'a str), ToolError> {
    let arguments = CallArguments::new("write", &ARGUMENTS, arguments)?;
    let path = resolve(arguments.text(&PATH)?, scope)?;
    Ok((path, arguments.text(&CONTENT)?))
}

/// The preview of replacing a file. Content that is not text cannot be shown as a diff, but may
/// be replaced.
fn change(path: &ResolvedPath, content: &str) -> FileDifference {
    let old = TextFile::load(path).map(|file| file.encode(&file.text));
    let old = old.as_deref().unwrap_or("");
    FileDifference::between(&path.shown, Some(old), Some(content))
}

impl Tool for WriteTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: "write".to_owned(),
            description: "Writes a whole file, making it and its folders when they do not \
                exist. To replace a file that exists, read it first; to change parts of it, \
                use `edit`, which is shorter and safer."
                .to_owned(),
            parameters: object_schema(&ARGUMENTS),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Edit
    }

    fn plan(&self, arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError> {
        let (path, content) = parsed(arguments, scope)?;
        // Before the user agrees, an answer would say what is there and what is not.
        if path.asks_before_writing(scope) {
            let diff = if path.absolute.is_file() {
                change(&path, content).diff
            } else {
                FileDifference::between(&path.shown, None, Some(content)).diff
            };
            return Ok(Plan::changing(path, diff, scope));
        }
        let call = PreparedWrite::new(arguments, scope)?;
        Ok(Plan::changing(call.path, call.change.diff, scope))
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(run_blocking(move || {
            job.check_target(&parsed(&arguments, &job.scope)?.0.absolute)?;
            let call = PreparedWrite::new(&arguments, &job.scope)?;
            save(&call.path, call.content.as_bytes(), call.expected, &job)?;
            let content = call.content.strip_prefix(BOM).unwrap_or(&call.content);
            let lines = counted(content.lines().count() as u64, "line", "lines");
            let shown = &call.path.shown;
            let text = match call.expected {
                None => format!("Created {shown} ({lines})."),
                Some(_) => format!(
                    "Replaced {shown} ({lines}; +{} −{}).",
                    call.change.added, call.change.removed
                ),
            };
            Ok(ToolOutcome::text(text).with_details(details(&call.change, &call.path)))
        }))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::tool::test_scope::{TestScope, names, text};

    #[tokio::test]
    async fn new_files_come_with_their_folders() {
        let t = TestScope::new();
        let outcome = t
            .run(
                &WriteTool,
                json!({"path": "a/b/c.txt", "content": "one\ntwo\n"}),
            )
            .await;
        assert_eq!(text(&outcome), "Created a/b/c.txt (2 lines).");
        assert_eq!(t.content("a/b/c.txt"), "one\ntwo\n");
        let details = outcome.details.unwrap();
        assert_eq!(
            (&details["added"], &details["removed"]),
            (&json!(2), &json!(0))
        );
        assert_eq!(details["path"], "a/b/c.txt");
        let mode = std::fs::metadata(t.path("a/b/c.txt"))
            .unwrap()
            .permissions()
            .mode();
        assert_ne!(
            mode & 0o044,
            0,
            "others may read it as any new file: {mode:o}"
        );
    }

    #[tokio::test]
    async fn what_was_just_written_may_be_written_again() {
        let t = TestScope::new();
        for content in ["one\n", "two\n", "two\n"] {
            let outcome = t
                .run(&WriteTool, json!({"path": "a", "content": content}))
                .await;
            assert!(!outcome.is_error, "{}", text(&outcome));
            assert_eq!(t.content("a"), content);
        }
    }

    #[tokio::test]
    async fn unread_and_changed_files_are_not_replaced() {
        let t = TestScope::new();
        t.write("a", "old");
        let write = json!({"path": "a", "content": "new"});
        let outcome = t.run(&WriteTool, write.clone()).await;
        assert!(outcome.is_error && text(&outcome).contains("Read it first"));
        t.plan(&WriteTool, write.clone()).unwrap_err();
        t.read("a").await;
        assert!(
            t.plan(&WriteTool, write.clone())
                .unwrap()
                .diff
                .unwrap()
                .contains("-old")
        );
        t.write("a", "theirs");
        let outcome = t.run(&WriteTool, write.clone()).await;
        assert!(outcome.is_error && text(&outcome).contains("changed by something else"));
        assert_eq!(t.content("a"), "theirs");
        t.read("a").await;
        assert!(!t.run(&WriteTool, write).await.is_error);
        assert_eq!(t.content("a"), "new");
        assert_eq!(names(&t.path("")), ["a"]);
    }

    #[tokio::test]
    async fn symlinks_stay_and_their_target_changes() {
        let t = TestScope::new();
        t.write("real", "old");
        symlink("real", t.path("link")).unwrap();
        t.read("link").await;
        let outcome = t
            .run(&WriteTool, json!({"path": "link", "content": "new"}))
            .await;
        assert_eq!(text(&outcome), "Replaced real (1 line; +1 −1).");
        assert!(t.path("link").is_symlink());
        assert_eq!(t.content("real"), "new");
    }

    #[tokio::test]
    async fn directories_and_outside() {
        let t = TestScope::new();
        t.write("dir/a", "");
        let outcome = t
            .run(&WriteTool, json!({"path": "dir", "content": ""}))
            .await;
        assert!(outcome.is_error);
        let outcome = t
            .run(&WriteTool, json!({"path": "dir/a/b", "content": ""}))
            .await;
        assert!(outcome.is_error && text(&outcome).contains("cannot be written"));
        let plan = t
            .plan(&WriteTool, json!({"path": "../x", "content": ""}))
            .unwrap();
        assert_eq!(plan.outside, [t.root().join("x")]);
    }
    #[tokio::test]
    async fn before_the_user_agrees_nothing_says_what_is_outside() {
        let t = TestScope::new();
        std::fs::create_dir(t.root().join("there")).unwrap();
        std::fs::write(t.root().join("there/file"), "old\n").unwrap();
        t.write(".envrc", "old\n");
        for path in [
            "../there/file",
            "../there",
            "../missing",
            "../there/file/x",
            ".envrc",
        ] {
            let plan = t.plan(&WriteTool, json!({"path": path, "content": "new\n"}));
            let plan = plan.unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(!plan.is_inside(), "{path}");
            assert!(plan.diff.unwrap().contains("+new"), "{path}");
            let call = json!({"path": path, "old_text": "a", "new_text": "b"});
            assert!(
                t.plan(&crate::tool::files::edit::EditTool, call).is_ok(),
                "{path}"
            );
        }
        // The user sees what would be replaced.
        let plan = t.plan(
            &WriteTool,
            json!({"path": "../there/file", "content": "new\n"}),
        );
        assert!(plan.unwrap().diff.unwrap().contains("-old"));
        // After the yes a file that was not read is still not replaced.
        let call = json!({"path": "../there/file", "content": "new\n"});
        let outcome = t.run(&WriteTool, call).await;
        assert!(outcome.is_error && text(&outcome).contains("Read it first"));
    }

    #[tokio::test]
    async fn a_path_that_leads_elsewhere_after_the_yes_is_not_written() {
        let t = TestScope::new();
        let other = t.root().join("other");
        std::fs::create_dir(&other).unwrap();
        std::fs::create_dir(t.path("dir")).unwrap();
        let call = json!({"path": "dir/new", "content": "x"});
        let plan = t.plan(&WriteTool, call.clone()).unwrap();
        assert!(plan.is_inside());
        std::fs::remove_dir(t.path("dir")).unwrap();
        symlink(&other, t.path("dir")).unwrap();
        let job = ToolJob {
            target: plan.target,
            ..t.job()
        };
        let outcome = WriteTool
            .run(crate::tool::test_scope::object(call), job)
            .await;
        assert!(outcome.is_error);
        assert!(text(&outcome).contains("leads to"), "{}", text(&outcome));
        assert!(names(&other).is_empty());
    }

    #[tokio::test]
    async fn a_link_that_comes_up_while_it_is_written_is_not_followed() {
        let t = TestScope::new();
        let other = t.root().join("other");
        std::fs::create_dir(&other).unwrap();
        let path = resolve("dir/new", &t.scope).unwrap();
        symlink(&other, t.path("dir")).unwrap();
        let error = save(&path, b"x", None, &t.job()).unwrap_err();
        assert!(error.0.contains("became a link"), "{error}");
        assert!(names(&other).is_empty());
    }
}
