//! Settings that are changed while the program runs: what is typed, and what becomes of it.

use super::agent::ask;
use super::open;
use crate::agent::{NoticeLevel, Op, SettingOutcome, SettingsOp, SettingsReport};
use crate::config::Value;
use crate::tui::composer::Vi;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::overlay::settings::Settings;

/// The one setting whose values are files: whoever reads them says whether there is one.
const THEME: &str = "theme";

/// `/settings`, `/settings WORDS`, `/settings key=value`
pub(super) fn command(model: &mut Model, arguments: &str) -> Vec<Effect> {
    let Some((key, value)) = arguments.split_once('=') else {
        arguments.clone_into(&mut model.sought);
        return ask(Op::Settings(SettingsOp::List));
    };
    if key.trim() == THEME {
        return vec![Effect::KeepTheme(value.trim().to_owned())];
    }
    ask(Op::Settings(SettingsOp::Set {
        key: key.trim().to_owned(),
        value: Value::Text(value.trim().to_owned()),
    }))
}

/// The agent said the settings: a screen for them, or a line about what was typed.
pub(super) fn reported(model: &mut Model, report: SettingsReport) -> Vec<Effect> {
    let is_open = model.overlays.iter().any(|it| it.name() == Settings::NAME);
    let Some(outcome) = &report.outcome else {
        return if is_open {
            Vec::new()
        } else {
            open::settings(model, report)
        };
    };
    if !is_open {
        let level = if outcome.is_refused {
            NoticeLevel::Warning
        } else {
            NoticeLevel::Info
        };
        let text = match outcome.key {
            "" => outcome.text.clone(),
            key => format!("{key}: {}", outcome.text),
        };
        model.say(level, text);
    }
    take_over(model, outcome)
}

/// What the interface does differently from here on.
fn take_over(model: &mut Model, outcome: &SettingOutcome) -> Vec<Effect> {
    let Some(ui) = &outcome.ui else {
        return Vec::new();
    };
    match outcome.key {
        "notify.when" => model.attention.when = ui.notify_when,
        "keys.vi" => model.composer.vi = ui.vi.then(Vi::default),
        key => {
            return vec![Effect::UseUi {
                key,
                ui: ui.clone(),
            }];
        }
    }
    Vec::new()
}
