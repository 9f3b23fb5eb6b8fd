//! Settings that are changed while the program runs: what is typed, and what becomes of it.

use crate::agent::{NoticeLevel, Query, SettingsReport};
use crate::config::SettingValue;
use crate::tui::effect::Effect;
use crate::tui::model::{Model, ScreenRequest};

/// `/settings`, `/settings WORDS`, `/settings key=value`
pub(super) fn command(model: &mut Model, arguments: &str) -> Vec<Effect> {
    let Some((key, value)) = arguments.split_once('=') else {
        return show(model, Query::Settings, arguments);
    };
    let value = SettingValue::Text(value.trim().to_owned());
    vec![Effect::change_setting(key.trim(), value)]
}

/// Asks for a list that opens with a filter.
pub(super) fn show(model: &mut Model, query: Query, filter: &str) -> Vec<Effect> {
    let request = ScreenRequest {
        filter: filter.to_owned(),
        ..ScreenRequest::default()
    };
    vec![Effect::Send(model.queries.ask_for_screen(query, request))]
}

/// Says in a line what became of a changed setting; returns what its part of the interface
/// has to do.
pub fn tell_setting(model: &mut Model, report: &SettingsReport) -> Vec<Effect> {
    if let Some(outcome) = &report.outcome {
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
    interface_effects(report)
}

/// The effect of a changed setting on the interface.
pub(super) fn interface_effects(report: &SettingsReport) -> Vec<Effect> {
    let outcome = report.outcome.as_ref();
    let change = outcome.and_then(|outcome| outcome.interface.clone());
    change.map(Effect::UseInterface).into_iter().collect()
}
