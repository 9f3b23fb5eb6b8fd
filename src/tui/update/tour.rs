//! The introduction over the usual screens: its offer, the key that ends it, what a practice
//! session may not be asked for, and the next step.

use crossterm::event::{KeyCode, KeyModifiers};

use crate::agent::{NoticeLevel, Op, Query, SettingOp, TurnOp};
use crate::tui::effect::Effect;
use crate::tui::gauge::{GaugeScale, ScaleEnd};
use crate::tui::input::Input;
use crate::tui::model::{Activity, Model};
use crate::tui::msg::Msg;
use crate::tui::numbers;
use crate::tui::tour::{Tour, TourStep};

/// Handles a message in the introduction; `None` when it is for the usual screens.
pub(super) fn before(model: &mut Model, msg: &Msg) -> Option<Vec<Effect>> {
    if model.introduction.is_offered {
        return answer_to_offer(model, msg);
    }
    let tour = model.introduction.tour.as_mut()?;
    if let Msg::Agent(event) = msg {
        tour.on_event(event);
    }
    let Msg::Input(Input::Key(key)) = msg else {
        return None;
    };
    let skips = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    let begins = tour.step == TourStep::Over
        && key.code == KeyCode::Enter
        && model.screens.is_empty()
        && model.composer.buffer.is_empty();
    (skips || begins).then(|| vec![Effect::EndTour])
}

/// Enter where there is nothing to send takes the offer, Esc declines it.
fn answer_to_offer(model: &mut Model, msg: &Msg) -> Option<Vec<Effect>> {
    let Msg::Input(Input::Key(key)) = msg else {
        return None;
    };
    if !model.screens.is_empty() || !model.composer.buffer.is_empty() {
        return None;
    }
    let effects = match key.code {
        KeyCode::Enter => vec![Effect::BeginTour],
        KeyCode::Esc => Vec::new(),
        _ => return None,
    };
    model.introduction.is_offered = false;
    Some(effects)
}

/// The effects of the usual screens, without those that have to wait; and the next step.
pub(super) fn after(model: &mut Model, mut effects: Vec<Effect>) -> Vec<Effect> {
    // Whoever sends something has found the way.
    let asks = |effect: &Effect| {
        let drafts = matches!(effect, Effect::Send(Op::Turn(TurnOp::Draft { .. })));
        !drafts && matches!(effect, Effect::Send(_) | Effect::BeginTour)
    };
    model.introduction.is_offered &= !effects.iter().any(asks);
    let Some(tour) = model.introduction.tour.as_mut() else {
        return effects;
    };
    tour.advance(&model.screens);
    let (mut refused, mut message, mut would_keep) = (false, None, false);
    effects.retain(|effect| match effect {
        Effect::Send(op) if !Tour::allows(op) => {
            refused = true;
            would_keep |= is_about_settings(op);
            if let Op::Turn(TurnOp::Submit { text, .. }) = op {
                message = Some(text.clone());
            }
            false
        }
        // The user's own commands are for the user's own sessions.
        Effect::ReadCommands { line } => {
            refused |= line.is_some();
            false
        }
        Effect::SaveDraft(_)
        | Effect::SaveHistory(_)
        | Effect::BeginTour
        | Effect::KeepLegendShown => false,
        Effect::Send(_)
        | Effect::Quit
        | Effect::Suspend
        | Effect::Copy(_)
        | Effect::Browse(_)
        | Effect::Call(_)
        | Effect::Edit { .. }
        | Effect::ScanFiles
        | Effect::Attach { .. }
        | Effect::CountMentions { .. }
        | Effect::AttachClipboard
        | Effect::UseInterface(_)
        | Effect::EndTour
        | Effect::LoadTheme(_)
        | Effect::KeepTheme(_) => true,
    });
    if refused {
        model.activity = Activity::default();
        let text = if would_keep {
            "the practice session saves no setting and no key; ctrl-c ends it"
        } else {
            "not in the practice session: ctrl-c ends it and keeps your text"
        };
        model.say(NoticeLevel::Info, text);
    }
    if let Some(message) = message {
        model.composer.buffer.replace(&message);
    }
    effects
}

/// Whether an op changes settings or keys, or asks for them.
fn is_about_settings(op: &Op) -> bool {
    matches!(
        op,
        Op::Setting(
            SettingOp::Set { .. }
                | SettingOp::Save { .. }
                | SettingOp::Reset { .. }
                | SettingOp::Login { .. }
                | SettingOp::Logout(_)
        ) | Op::Query {
            query: Query::Settings | Query::Logins,
            ..
        }
    )
}

/// Says what the gauge shows, unless somebody was told before. The introduction tells it by
/// itself.
pub(super) fn explain_gauge(model: &mut Model) -> Option<Effect> {
    let introduction = &model.introduction;
    let is_told = introduction.is_offered || introduction.tour.is_some();
    if !introduction.explains_gauge || is_told || model.session.published.is_empty() {
        return None;
    }
    let view = model.session.view.as_deref()?;
    let scale = GaugeScale::of(view)?;
    let full = numbers::tokens(scale.full);
    let text = match scale.end {
        ScaleEnd::Compaction => format!(
            "the bar at the bottom is full at {full} tokens: there Plimsoll compacts by itself \
             (╎). Each colour is a kind of text, ╌ is what pruning took out, ~ is an estimate, \
             ▲ from 70%, ‼ from 90%"
        ),
        ScaleEnd::Window => format!(
            "the bar at the bottom is full at {full} tokens: the usable window. Each colour is a \
             kind of text, ╌ is what pruning took out, ~ is an estimate, ▲ from 70%, ‼ from 90%"
        ),
    };
    model.introduction.explains_gauge = false;
    let hint = Some("f4: legend".to_owned());
    model.remark("·", NoticeLevel::Info, text, hint);
    Some(Effect::KeepLegendShown)
}
