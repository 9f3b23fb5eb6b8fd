//! When to call a user who looks at another window: an answer is done, or a question waits.

use crate::agent::{AgentEvent, CompactionEvent, TurnEnd, TurnEvent};
use crate::transcript::StopReason;
use crate::tui::effect::Effect;
use crate::tui::model::{Attention, Model};

/// The call that an event is worth, if it is worth one now.
pub(super) fn on_event(model: &Model, event: &AgentEvent) -> Vec<Effect> {
    let what = if let AgentEvent::Turn(TurnEvent::Approval(request)) = event {
        format!("{} waits for your answer", request.call.name)
    } else if let AgentEvent::Compaction(CompactionEvent::Review(_)) = event {
        "a summary waits for your review".to_owned()
    } else if let AgentEvent::Turn(TurnEvent::Finished(end)) = event {
        finished(end)
    } else {
        return Vec::new();
    };
    if !model.attention.wants_call() || what.is_empty() {
        return Vec::new();
    }
    let name = &model.session.name;
    let text = if name.is_empty() {
        what
    } else {
        format!("{name}: {what}")
    };
    vec![Effect::Call(text)]
}

/// The message about the end of a turn; none about a stop by the user.
fn finished(end: &TurnEnd) -> String {
    match (&end.error, end.stop) {
        (Some(error), _) => error.text.clone(),
        (None, StopReason::Aborted) => String::new(),
        (None, _) => "the answer is done".to_owned(),
    }
}

/// The window gained or lost the focus.
pub(super) fn on_focus(attention: &mut Attention, has_focus: bool) {
    attention.is_away = !has_focus;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::NotifyWhen;
    use crate::tui::input::Input;
    use crate::tui::msg::Msg;
    use crate::tui::testing::Harness;

    fn end(stop: StopReason) -> AgentEvent {
        AgentEvent::Turn(TurnEvent::Finished(TurnEnd {
            stop,
            text: String::new(),
            error: None,
            error_kind: None,
            exit_code: 0,
        }))
    }

    fn calls(screen: &mut Harness) -> Vec<String> {
        let effects = screen.take_effects().into_iter();
        let calls = effects.filter_map(|effect| match effect {
            Effect::Call(text) => Some(text),
            _ => None,
        });
        calls.collect()
    }

    #[test]
    fn who_looks_elsewhere_is_called_once_per_answer() {
        let mut screen = Harness::new(80, 24);
        screen.event(end(StopReason::Stop));
        assert_eq!(calls(&mut screen), [""; 0], "the window has the focus");
        screen.send(Msg::Input(Input::Focus(false)));
        screen.event(end(StopReason::Stop));
        assert_eq!(calls(&mut screen), ["refactor-auth: the answer is done"]);
        screen.event(end(StopReason::Aborted));
        assert_eq!(calls(&mut screen), [""; 0], "stopped by hand");
        screen.send(Msg::Input(Input::Focus(true)));
        screen.event(end(StopReason::Stop));
        assert_eq!(calls(&mut screen), [""; 0], "back again");
    }

    #[test]
    fn always_and_never() {
        let mut screen = Harness::new(80, 24);
        screen.model.attention.when = NotifyWhen::Always;
        screen.event(end(StopReason::Stop));
        assert_eq!(calls(&mut screen).len(), 1);
        screen.model.attention.when = NotifyWhen::Never;
        screen.send(Msg::Input(Input::Focus(false)));
        screen.event(end(StopReason::Stop));
        assert_eq!(calls(&mut screen).len(), 0);
    }
}
