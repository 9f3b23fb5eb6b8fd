//! The window's title: which session this is, and what it does.

use super::super::model::{Model, TurnPhase};

/// One line. Changes with what goes on, never with the clock: it is written on change.
pub fn title(model: &Model) -> String {
    let activity = &model.activity;
    let state = match (&activity.compaction, &activity.phase) {
        (Some(_), _) => "compacting · ",
        (None, TurnPhase::Idle) => "",
        (None, TurnPhase::Asking) => "your answer? · ",
        (None, _) => "working · ",
    };
    let folder = model.session.cwd.file_name().unwrap_or_default();
    let name = match model.session.name.as_str() {
        "" => folder.to_string_lossy().into_owned(),
        name => name.to_owned(),
    };
    if name.is_empty() {
        return format!("{state}plimsoll");
    }
    format!("{state}{name} · plimsoll")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_session_and_what_it_does() {
        let mut model = Model::default();
        assert_eq!(title(&model), "plimsoll");
        model.session.cwd = "/home/a/api".into();
        assert_eq!(title(&model), "api · plimsoll");
        model.session.name = "refactor".to_owned();
        model.activity.phase = TurnPhase::Thinking;
        assert_eq!(title(&model), "working · refactor · plimsoll");
        model.activity.phase = TurnPhase::Asking;
        assert_eq!(title(&model), "your answer? · refactor · plimsoll");
    }
}
