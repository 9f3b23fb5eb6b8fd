//! The user's own commands, from file to message; and what settings change on the screen.

use std::path::Path;
use std::sync::Arc;

use crate::agent::{
    AgentEvent, InterfaceChange, ListedPrompt, ListedResource, Op, PromptBlank, Query, QueryReply,
    ServerOffers, SessionEvent, SettingOp, SettingOutcome, SettingsReport, TurnOp,
};
use crate::config::{
    CommandSources, InterfacePart, NotifyWhen, SettingValue, UiSettings, UserCommands,
};
use crate::transcript::ModelRef;
use crate::tui::command;
use crate::tui::effect::Effect;
use crate::tui::msg::Msg;
use crate::tui::testing::Harness;

/// Writes the files and gives them to the interface, as its runner does.
fn read(it: &mut Harness, folder: &Path, files: &[(&str, &str)], line: Option<&str>) {
    for (name, text) in files {
        let path = folder.join("commands").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let sources = CommandSources::below(folder);
    let own = command::read_own(&sources, &folder.join("work"));
    it.send(Msg::Commands(own, line.map(str::to_owned)));
}

const REVIEW: &str = "---\ndescription: looks at a change\u{1b}[2J\nargument-hint: BRANCH\nmodel: a/b\n---\nReview $1.";

#[test]
fn an_own_command_is_read_anew_and_sent_as_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let mut it = Harness::new(80, 24);
    it.type_text("/git:review main");
    it.keys("enter");
    let line = "git:review main";
    let asks = Effect::ReadCommands {
        line: Some(line.to_owned()),
    };
    assert!(it.take_effects().contains(&asks));
    read(
        &mut it,
        folder.path(),
        &[("git/review.md", REVIEW)],
        Some(line),
    );
    let ops = it.take_ops();
    assert_eq!(
        ops[0],
        Op::Setting(SettingOp::Model(ModelRef::new("a", "b")))
    );
    assert!(matches!(&ops[1], Op::Turn(TurnOp::Submit { text, .. }) if text == "Review main."));
}

#[test]
fn nothing_in_an_own_command_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut it = Harness::new(80, 24);
    for text in ["!rm -rf .", "/quit", "/help"] {
        read(&mut it, folder.path(), &[("x.md", text)], Some("x"));
        let ops = it.take_ops();
        let [Op::Turn(TurnOp::Submit { text: said, .. })] = ops.as_slice() else {
            panic!("{ops:?}");
        };
        assert_eq!(said, text);
    }
}

#[test]
fn own_commands_are_offered_and_an_unknown_one_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut it = Harness::new(80, 24);
    it.type_text("/");
    assert!(
        it.take_effects()
            .contains(&Effect::ReadCommands { line: None })
    );
    it.type_text("git");
    read(&mut it, folder.path(), &[("git/review.md", REVIEW)], None);
    let screen = it.screen();
    assert!(screen.contains("/git:review BRANCH"), "{screen}");
    assert!(screen.contains("looks at a change") && !screen.contains('\u{1b}'));
    it.keys("ctrl-u ctrl-p");
    it.type_text("git:rev");
    it.keys("enter");
    assert_eq!(it.model.composer.buffer.text(), "/git:review ");
    it.keys("ctrl-u");
    it.type_text("/nonsense");
    it.keys("enter");
    it.send(Msg::Commands(
        it.model.user_commands.known.clone(),
        Some("nonsense".to_owned()),
    ));
    assert!(it.screen().contains("there is no /nonsense"));
    assert_eq!(it.model.composer.buffer.text(), "/nonsense");
}

#[test]
fn prompts_and_resources_of_servers_are_offered_and_a_prompt_is_sent_as_it_is_typed() {
    let mut it = Harness::new(80, 24);
    let blank = |name: &str, is_required| PromptBlank {
        name: name.to_owned(),
        is_required,
    };
    let offers = ServerOffers {
        resources: vec![ListedResource {
            server: "web".to_owned(),
            uri: "note://1".to_owned(),
            about: "The first".to_owned(),
        }],
        prompts: vec![ListedPrompt {
            server: "web".to_owned(),
            name: "review".to_owned(),
            about: "Reviews a file".to_owned(),
            arguments: vec![blank("file", true), blank("tone", false)],
        }],
    };
    let event = SessionEvent::ServersOffer(Arc::new(offers));
    it.event(AgentEvent::Session(event));
    it.type_text("/web");
    it.send(Msg::Commands(UserCommands::default(), None));
    let screen = it.screen();
    assert!(screen.contains("/web:review FILE [TONE]"), "{screen}");
    assert!(screen.contains("Reviews a file"), "{screen}");
    it.keys("ctrl-u");
    let line = "web:review a.rs".to_owned();
    it.send(Msg::Commands(UserCommands::default(), Some(line)));
    let ops = it.take_ops();
    let is_sent =
        |op: &Op| matches!(op, Op::Turn(TurnOp::Submit { text, .. }) if text == "/web:review a.rs");
    assert!(ops.iter().any(is_sent), "{ops:?}");
    it.keys("ctrl-u");
    it.type_text("see @note");
    it.send(Msg::Files(vec!["src/note.rs".to_owned()]));
    let screen = it.screen();
    assert!(
        screen.contains("web:note://1") && screen.contains("src/note.rs"),
        "{screen}"
    );
}

#[test]
fn a_broken_file_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut it = Harness::new(120, 40);
    let files = [("help.md", "mine"), ("open.md", "---\ndescription: x\n")];
    read(&mut it, folder.path(), &files, None);
    read(&mut it, folder.path(), &[], None);
    assert_eq!(it.model.user_commands.reported_problems(), 2);
    assert_eq!(it.screen().matches("is a built-in command").count(), 1);
}

#[test]
fn a_typed_setting_is_asked_for_and_used_by_the_screen() {
    let mut it = Harness::new(80, 24);
    it.type_text("/settings notify.when = always");
    it.keys("enter");
    let set = SettingOp::Set {
        key: "notify.when".to_owned(),
        value: SettingValue::Text("always".to_owned()),
    };
    assert_eq!(it.take_ops(), [Op::Setting(set)]);
    let ui = UiSettings {
        notify_when: NotifyWhen::Always,
        mouse: false,
        ..UiSettings::default()
    };
    let mut report = |key, part| {
        it.event(AgentEvent::reply(QueryReply::Settings(Box::new(
            SettingsReport {
                rows: Vec::new(),
                user_file: "/u".into(),
                project_file: "/p".into(),
                outcome: Some(SettingOutcome {
                    key,
                    text: "active for this session".to_owned(),
                    is_refused: false,
                    interface: Some(InterfaceChange {
                        part,
                        ui: Box::new(ui.clone()),
                    }),
                }),
            },
        ))));
        it.take_effects()
    };
    for (key, part) in [
        ("notify.when", InterfacePart::NotifyWhen),
        ("mouse", InterfacePart::Mouse),
    ] {
        let change = InterfaceChange {
            part,
            ui: Box::new(ui.clone()),
        };
        assert_eq!(report(key, part), [Effect::UseInterface(change)]);
    }
    assert!(it.screen().contains("mouse: active for this session"));
}

#[test]
fn what_is_typed_behind_login_is_not_remembered() {
    let mut it = Harness::new(80, 24);
    it.type_text("/login openai sk-secret");
    it.keys("enter");
    let effects = it.take_effects();
    assert!(effects.contains(&Effect::SaveHistory("/login openai".to_owned())));
    assert!(!effects.iter().any(|it| matches!(
        it,
        Effect::Send(Op::Query {
            query: Query::Logins,
            ..
        })
    )));
    assert!(it.screen().contains("/login takes the provider;"));
}

#[test]
fn an_open_palette_has_the_commands_that_were_just_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut it = Harness::new(80, 24);
    it.keys("ctrl-p d e p l o y");
    assert!(it.screen().contains("nothing matches"));
    read(&mut it, folder.path(), &[("deploy.md", "Deploy it.")], None);
    assert!(it.screen().contains("/deploy"), "{}", it.screen());
}

#[test]
fn an_own_command_says_that_its_model_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut it = Harness::new(80, 24);
    let line = Some("git:review main");
    read(&mut it, folder.path(), &[("git/review.md", REVIEW)], line);
    assert!(
        it.screen()
            .contains("/git:review names a/b; /model goes back")
    );
}

#[test]
fn a_theme_that_is_named_becomes_the_sessions_value() {
    let mut it = Harness::new(80, 24);
    for line in ["/theme light", "/settings theme=light"] {
        it.take_effects();
        it.type_text(line);
        it.keys("esc enter");
        let kept = Effect::KeepTheme("light".to_owned());
        assert!(it.take_effects().contains(&kept), "{line}");
    }
}
