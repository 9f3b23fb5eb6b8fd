use super::*;
use crate::agent::{NextStart, QueryReply, SettingOp};
use crate::config::{SettingOrigin, all_settings};
use crate::tui::overlay::fixture::{self, OverlayStage};

fn report(outcome: Option<SettingOutcome>) -> SettingsReport {
    let user = "/home/ada/.config/plimsoll/config.toml";
    let origin = |key: &str| match key {
        "prune.policy" => SettingOrigin::UserFile {
            path: user.into(),
            line: 12,
        },
        "mouse" => SettingOrigin::ProjectFile {
            path: "/src/api/.plimsoll/config.toml".into(),
            line: 3,
        },
        "thinking" => SettingOrigin::Environment("PLIMSOLL_THINKING".to_owned()),
        "max_turns" => SettingOrigin::Session,
        _ => SettingOrigin::Default,
    };
    let state = |setting: &'static Setting| SettingState {
        key: setting.key,
        value: match setting.key {
            "guard.placeholder" => SettingValue::Text(fixture::HOSTILE.to_owned()),
            _ => setting.get(&Values::default()),
        },
        origin: origin(setting.key),
        next_start: None,
    };
    SettingsReport {
        rows: all_settings().map(state).collect(),
        user_file: user.into(),
        project_file: "/src/api/.plimsoll/config.toml".into(),
        outcome,
    }
}

fn outcome(key: &'static str, text: &str, is_refused: bool) -> AgentEvent {
    AgentEvent::reply(QueryReply::Settings(Box::new(report(Some(
        SettingOutcome {
            key,
            text: text.to_owned(),
            is_refused,
            interface: None,
        },
    )))))
}

fn set_to(key: &str, value: SettingValue) -> Effect {
    Effect::Send(Op::Setting(SettingOp::Set {
        key: key.to_owned(),
        value,
    }))
}

#[test]
fn settings_look_like_this() {
    let stage = OverlayStage::empty();
    let mut it = Settings::new(report(None), "", &[]);
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let name = format!("settings_{columns}x{rows}");
        insta::assert_snapshot!(name, stage.draw(&mut it, columns, rows));
    }
    fixture::assert_safe_at_all_sizes(&stage, &mut it);
    stage.press(&mut it, "p r u n e . p o l Enter Down");
    stage.report(
        &mut it,
        &outcome("prune.policy", "active for this session", false),
    );
    insta::assert_snapshot!("settings_choosing_80x24", stage.draw(&mut it, 80, 24));
    fixture::assert_safe_at_all_sizes(&stage, &mut it);
}

#[test]
fn a_switch_turns_and_a_name_is_chosen() {
    let stage = OverlayStage::empty();
    let mut it = Settings::new(report(None), "mouse", &[]);
    assert_eq!(
        stage.press(&mut it, "Enter"),
        [set_to("mouse", SettingValue::Bool(false))]
    );
    let mut it = Settings::new(report(None), "prune.policy", &[]);
    assert_eq!(stage.press(&mut it, "Enter Esc"), []);
    let off = SettingValue::Text("off".to_owned());
    let effects = stage.press(&mut it, "Enter Up Enter");
    let next = stage.press(&mut it, "Enter Down Enter");
    assert!(
        [effects, next]
            .concat()
            .contains(&set_to("prune.policy", off)),
        "off is one step away"
    );
}

#[test]
fn a_theme_is_one_of_those_there_are() {
    let stage = OverlayStage::empty();
    let themes = ["dark".to_owned(), "mine".to_owned()];
    let mut it = Settings::new(report(None), "theme", &themes);
    // Whoever reads its file says whether it can be kept.
    assert_eq!(
        stage.press(&mut it, "Enter Down Down Enter"),
        [Effect::KeepTheme("mine".to_owned())]
    );
}

#[test]
fn a_number_out_of_range_is_refused_in_the_row() {
    let stage = OverlayStage::empty();
    let mut it = Settings::new(report(None), "prune.soft_ratio", &[]);
    assert_eq!(stage.press(&mut it, "Enter C-u 7 Enter"), []);
    let screen = stage.draw(&mut it, 80, 24);
    assert!(
        screen.contains("refused: expected a share from 0 to 1"),
        "{screen}"
    );
    let effects = stage.press(&mut it, "C-u 0 . 4 Enter");
    let text = SettingValue::Text("0.4".to_owned());
    assert_eq!(effects, [set_to("prune.soft_ratio", text)]);
    // What the agent refuses stays in sight, and so does the value in force.
    stage.report(
        &mut it,
        &outcome("prune.soft_ratio", "above prune.hard_ratio", true),
    );
    let screen = stage.draw(&mut it, 80, 24);
    assert!(screen.contains("above prune.hard_ratio") && screen.contains("0.3"));
}

#[test]
fn keys_save_and_reset_what_is_selected() {
    let stage = OverlayStage::empty();
    let mut it = Settings::new(report(None), "window.cap", &[]);
    let save = |place| {
        [Effect::Send(Op::Setting(SettingOp::Save {
            key: "window.cap".to_owned(),
            place,
        }))]
    };
    assert_eq!(stage.press(&mut it, "C-s"), save(SettingsFile::User));
    assert_eq!(stage.press(&mut it, "C-o"), save(SettingsFile::Project));
    let reset = SettingOp::Reset {
        key: "window.cap".to_owned(),
    };
    assert_eq!(
        stage.press(&mut it, "C-r"),
        [Effect::Send(Op::Setting(reset))]
    );
    assert_eq!(stage.press(&mut it, "Esc"), []);
    assert!(stage.draw(&mut it, 80, 24).contains("The agent"));
    assert!(stage.closes(&mut it, "Esc"));
}

#[test]
fn words_of_the_help_find_a_setting_and_nothing_is_harmless() {
    let stage = OverlayStage::empty();
    let mut it = Settings::new(report(None), "screen readers", &[]);
    assert_eq!(it.selected().unwrap().0.key, "plain");
    stage.press(&mut it, "z z z");
    assert_eq!(stage.press(&mut it, "Enter C-s C-r"), []);
    assert!(stage.draw(&mut it, 80, 24).contains("no setting matches"));
}

#[test]
fn a_list_is_edited_as_a_list() {
    let stage = OverlayStage::empty();
    let mut it = Settings::new(report(None), "prune.tools.deny", &[]);
    let effects = stage.press(&mut it, "Enter Enter");
    let text = SettingValue::Text("[\"skill\"]".to_owned());
    assert_eq!(effects, [set_to("prune.tools.deny", text)]);
}

#[test]
fn what_is_read_at_the_start_is_not_shown_as_in_force() {
    let stage = OverlayStage::empty();
    let mut before = report(None);
    let screen = |report: &SettingsReport, sought: &str| {
        stage.draw(&mut Settings::new(report.clone(), sought, &[]), 120, 40)
    };
    let untouched = screen(&before, "tls.roots");
    assert!(untouched.contains("read at the start"), "{untouched}");
    assert!(!untouched.contains("→"), "{untouched}");
    assert!(!screen(&before, "prune.policy").contains("read at the start"));
    let row = before.rows.iter_mut().find(|row| row.key == "tls.roots");
    row.unwrap().next_start = Some(NextStart {
        value: SettingValue::Text("bundled".to_owned()),
        is_saved: false,
    });
    let unsaved = screen(&before, "tls.roots");
    assert!(unsaved.contains("system → bundled"), "{unsaved}");
    assert!(
        unsaved.contains("read at the start; bundled is not saved"),
        "{unsaved}"
    );
    let row = before.rows.iter_mut().find(|row| row.key == "tls.roots");
    row.unwrap().next_start.as_mut().unwrap().is_saved = true;
    let saved = screen(&before, "tls.roots");
    assert!(
        saved.contains("until the next start, then bundled"),
        "{saved}"
    );
}

#[test]
fn a_switch_that_waits_for_the_next_start_is_turned_back() {
    let stage = OverlayStage::empty();
    let mut waiting = report(None);
    let row = waiting.rows.iter_mut().find(|row| row.key == "plain");
    row.unwrap().next_start = Some(NextStart {
        value: SettingValue::Bool(true),
        is_saved: false,
    });
    let mut it = Settings::new(waiting, "plain", &[]);
    assert_eq!(it.selected().unwrap().0.key, "plain");
    assert_eq!(
        stage.press(&mut it, "Enter"),
        [set_to("plain", SettingValue::Bool(false))]
    );
}
