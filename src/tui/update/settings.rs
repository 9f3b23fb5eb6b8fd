//! Settings that are changed while the program runs: what is typed, and what becomes of it.

use super::agent::ask;
use super::open;
use crate::agent::{NoticeLevel, Op, Query, SettingsReport};
use crate::config::Value;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::overlay::lists::settings::Settings;

/// `/settings`, `/settings WORDS`, `/settings key=value`
pub(super) fn command(model: &mut Model, arguments: &str) -> Vec<Effect> {
    let Some((key, value)) = arguments.split_once('=') else {
        arguments.clone_into(&mut model.sought);
        return ask(Op::query(Query::Settings));
    };
    let value = Value::Text(value.trim().to_owned());
    vec![Effect::change_setting(key.trim(), value)]
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
    let change = outcome.interface.clone();
    change.map(Effect::UseInterface).into_iter().collect()
}
