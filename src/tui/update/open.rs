//! Which screen opens for what. The only place that knows the screens by name.

use std::sync::Arc;

use super::agent::{ask, end_compaction};
use super::user_commands as own;
use crate::agent::{
    ApprovalRequest, ChangesReport, CompactionProposal, LoginChoice, ModelChoice, NotesView,
    NoticeLevel, Op, OversizeOffer, PermissionList, Query, RewindPlan, SessionList, SettingsReport,
    UndoPlan, WireView,
};
use crate::transcript::{EntryId, Standing, Transcript};
use crate::tui::command;
use crate::tui::effect::Effect;
use crate::tui::keymap::{self, Action, Context};
use crate::tui::model::{HistoryUse, Model, PaletteAsked};
use crate::tui::overlay::Overlay;
use crate::tui::overlay::history::rewind::RewindPreview;
use crate::tui::overlay::history::undo::UndoPreview;
use crate::tui::overlay::history::{Timeline, Tree};
use crate::tui::overlay::inspect::help::{Help, HelpRow};
use crate::tui::overlay::inspect::ledger::Ledger;
use crate::tui::overlay::inspect::summaries::Summaries;
use crate::tui::overlay::inspect::tables::Tables;
use crate::tui::overlay::inspect::text::TextView;
use crate::tui::overlay::inspect::wire::Wire;
use crate::tui::overlay::lists::changes::Changes;
use crate::tui::overlay::lists::jobs::Jobs;
use crate::tui::overlay::lists::login::Login;
use crate::tui::overlay::lists::palette::{Act, Offer, Palette};
use crate::tui::overlay::lists::permissions::Permissions;
use crate::tui::overlay::lists::picker::{Models, Themes};
use crate::tui::overlay::lists::sessions::Sessions;
use crate::tui::overlay::lists::settings::Settings;
use crate::tui::overlay::question::approval::Approval;
use crate::tui::overlay::question::oversize::Oversize;
use crate::tui::overlay::review::Review;

/// Everything in the window.
pub(super) fn ledger(model: &mut Model) -> Vec<Effect> {
    push(model, Box::new(Ledger::all()))
}

/// What is not sent in full.
pub(super) fn pruned(model: &mut Model) -> Vec<Effect> {
    push(model, Box::new(Ledger::pruned()))
}

/// Every compaction of the session.
pub(super) fn summaries(model: &mut Model) -> Vec<Effect> {
    let Some(summaries) = Summaries::of(&model.scene()) else {
        model.say(NoticeLevel::Info, "this session has no compaction yet");
        return Vec::new();
    };
    push(model, Box::new(summaries))
}

/// Keys and commands, from their tables.
pub(super) fn help(model: &mut Model) -> Vec<Effect> {
    let commands = command::COMMANDS.iter().map(|command| HelpRow {
        group: "commands".to_owned(),
        keys: format!("/{} {}", command.name, command.arguments)
            .trim_end()
            .to_owned(),
        text: command.help.to_owned(),
    });
    let own = model.own.commands.iter().map(|command| HelpRow {
        group: "your own commands".to_owned(),
        keys: own::usage(command),
        text: own::help(model, command),
    });
    let rows = model.keymap.rows();
    let keys = keymap::Context::ALL.into_iter().flat_map(|context| {
        rows.iter()
            .filter(move |row| row.binding.context == context && !row.keys.is_empty())
            .map(move |row| HelpRow {
                group: format!("keys: {} (keys.{})", context.title(), context.name()),
                keys: row.keys.join(", "),
                text: format!("{} ({})", row.binding.help, row.binding.name),
            })
    });
    let rows = commands.chain(own).chain(keys).collect();
    push(model, Box::new(Help::new(rows)))
}

/// Everything that can be done by name.
pub(super) fn palette(model: &mut Model) -> Vec<Effect> {
    let palette = Palette::new(offers(model));
    push(model, Box::new(palette));
    model.palette_asked = PaletteAsked {
        models: true,
        sessions: true,
    };
    let mut effects = ask(Op::query(Query::Models));
    effects.extend(ask(Op::query(Query::Sessions { all: false })));
    effects
}

/// The user's own commands are others now: an open palette has them.
pub(super) fn offer_anew(model: &mut Model) {
    if !is_open::<Palette>(model) {
        return;
    }
    let offers = offers(model);
    let screens = model.overlays.iter_mut();
    for palette in screens.filter_map(|it| it.downcast_mut::<Palette>()) {
        palette.offer(offers.clone());
    }
}

fn offers(model: &Model) -> Vec<Offer> {
    let commands = command::COMMANDS.iter().filter(|it| it.name != "palette");
    let commands = commands.map(|command| Offer {
        name: format!("/{}", command.name),
        help: command.help.to_owned(),
        kind: "command".to_owned(),
        act: Act::Command(command.name.to_owned()),
    });
    let own = model.own.commands.iter().map(|command| Offer {
        name: format!("/{}", command.name),
        help: own::help(model, command),
        kind: "your own".to_owned(),
        act: Act::Command(command.name.clone()),
    });
    let rows = model.keymap.rows().iter().filter(|row| {
        // What edits the text at the caret has no use for a name.
        !matches!(row.binding.context, Context::List | Context::Question)
            && !matches!(
                row.binding.action,
                Action::Palette | Action::Move(_) | Action::Delete(_) | Action::Kill(_)
            )
    });
    let mut seen: Vec<Action> = Vec::new();
    let keys = rows.filter_map(|row| {
        let action = row.binding.action;
        if seen.contains(&action) {
            return None;
        }
        seen.push(action);
        Some(Offer {
            name: row.binding.name.to_owned(),
            help: row.binding.help.to_owned(),
            kind: row.keys.first().cloned().unwrap_or_default(),
            act: Act::Key(action),
        })
    });
    let themes = model.look.theme_names.iter().map(|name| Offer {
        name: name.clone(),
        help: "these colours".to_owned(),
        kind: "theme".to_owned(),
        act: Act::Theme(name.clone()),
    });
    commands.chain(own).chain(keys).chain(themes).collect()
}

/// A choice of colours.
pub(super) fn themes(model: &mut Model) -> Vec<Effect> {
    let names = model.look.theme_names.clone();
    let current = model.look.theme.name.clone();
    push(model, Box::new(Themes::new(names, current)))
}

/// A summary that waits for an answer. An open review has taken it over already, as it
/// sees every event.
pub(super) fn review(model: &mut Model, proposal: Box<CompactionProposal>) -> Vec<Effect> {
    end_compaction(model);
    let screens = model.overlays.iter();
    let mut reviews = screens.filter_map(|it| it.downcast_ref::<Review>());
    if reviews.any(|review| !review.is_stored()) {
        return Vec::new();
    }
    push(model, Box::new(Review::new(proposal)))
}

/// A compaction of the log.
pub(super) fn stored_review(
    model: &mut Model,
    entry: EntryId,
    standing: Standing,
    proposal: Box<CompactionProposal>,
) -> Vec<Effect> {
    push(model, Box::new(Review::stored(entry, standing, proposal)))
}

/// A call that waits for an answer.
pub(super) fn approval(model: &mut Model, request: Box<ApprovalRequest>) -> Vec<Effect> {
    push(model, Box::new(Approval::new(request)))
}

/// A message that is larger than the window.
pub(super) fn oversize(model: &mut Model, offer: Box<OversizeOffer>) -> Vec<Effect> {
    push(model, Box::new(Oversize::new(offer)))
}

/// The exact request.
pub(super) fn wire(model: &mut Model, wire: Box<WireView>) -> Vec<Effect> {
    model.overlays.retain(|overlay| !overlay.is::<Wire>());
    push(model, Box::new(Wire::new(wire)))
}

/// What is remembered of the project.
pub(super) fn notes(model: &mut Model, notes: NotesView) -> Vec<Effect> {
    push(model, Box::new(TextView::new(notes.place, notes.text)))
}

/// Facts in rows.
pub(super) fn tables(model: &mut Model, tables: Tables) -> Vec<Effect> {
    push(model, Box::new(tables))
}

/// A choice of models.
pub(super) fn models(model: &mut Model, models: Vec<ModelChoice>) -> Vec<Effect> {
    // An open list has taken them over already, as it sees every event.
    if std::mem::take(&mut model.palette_asked.models) || is_open::<Models>(model) {
        return Vec::new();
    }
    let current = model.session.model.clone();
    push(model, Box::new(Models::new(models, current)))
}

/// Commands in the background.
pub(super) fn jobs(model: &mut Model) -> Vec<Effect> {
    if model.session.jobs.is_empty() {
        model.say(NoticeLevel::Info, "nothing runs in the background");
        return Vec::new();
    }
    let jobs = model.session.jobs.clone();
    push(model, Box::new(Jobs::new(jobs)))
}

/// What the session has changed in files.
pub(super) fn changes(model: &mut Model, report: ChangesReport) -> Vec<Effect> {
    if report.files.is_empty() && report.unlisted == 0 && report.unseen.is_none() {
        model.say(NoticeLevel::Info, "this session has changed no files");
        return Vec::new();
    }
    push(model, Box::new(Changes::new(report)))
}

/// What going back would do.
pub(super) fn rewind(model: &mut Model, plan: RewindPlan) -> Vec<Effect> {
    push(model, Box::new(RewindPreview::new(plan)))
}

/// What an undo would change.
pub(super) fn undo(model: &mut Model, plan: UndoPlan) -> Vec<Effect> {
    push(model, Box::new(UndoPreview::new(plan)))
}

/// What may run without a question. An open screen has taken the list over already, as it
/// sees every event.
pub(super) fn permissions(model: &mut Model, list: PermissionList) -> Vec<Effect> {
    if is_open::<Permissions>(model) {
        return Vec::new();
    }
    push(model, Box::new(Permissions::new(list)))
}

/// Every setting.
pub(super) fn settings(model: &mut Model, report: SettingsReport) -> Vec<Effect> {
    let sought = std::mem::take(&mut model.sought);
    let themes = &model.look.theme_names;
    let screen = Settings::new(report, &sought, themes);
    push(model, Box::new(screen))
}

/// Who has a key, and where one is entered.
pub(super) fn logins(model: &mut Model, choices: Vec<LoginChoice>) -> Vec<Effect> {
    let sought = std::mem::take(&mut model.sought);
    if is_open::<Login>(model) {
        return Vec::new();
    }
    push(model, Box::new(Login::new(choices, &sought)))
}

/// A choice of sessions. An open one has taken the new list over already, as it sees every
/// event.
pub(super) fn sessions(model: &mut Model, list: SessionList) -> Vec<Effect> {
    if is_open::<Sessions>(model) || std::mem::take(&mut model.palette_asked.sessions) {
        return Vec::new();
    }
    if list.sessions.is_empty() && !list.all {
        // There may be some elsewhere.
        return ask(Op::query(Query::Sessions { all: true }));
    }
    if list.sessions.is_empty() {
        model.say(NoticeLevel::Info, "there is no session yet");
        return Vec::new();
    }
    let sessions = Sessions::new(list);
    let peek = sessions.peek();
    push(model, Box::new(sessions));
    peek
}

/// The whole history, for what it was asked for.
pub(super) fn history(model: &mut Model, transcript: Arc<Transcript>) -> Vec<Effect> {
    let overlay: Option<Box<dyn Overlay>> = match std::mem::take(&mut model.history_use) {
        HistoryUse::Tree => Tree::of(transcript).map(|it| Box::new(it) as _),
        HistoryUse::Timeline => {
            Timeline::of(transcript, &model.scene()).map(|it| Box::new(it) as _)
        }
        HistoryUse::Rewind => {
            Timeline::of(transcript, &model.scene()).map(|it| Box::new(it.rewinding()) as _)
        }
        HistoryUse::FirstKept(options) => Timeline::of(transcript, &model.scene())
            .map(|it| Box::new(it.picking_for(options)) as _),
    };
    let Some(overlay) = overlay else {
        model.say(NoticeLevel::Info, "nothing was said yet");
        return Vec::new();
    };
    push(model, overlay)
}

/// Whether a screen of this kind is open. It has taken the newest list over already, as it
/// sees every event.
fn is_open<T: Overlay>(model: &Model) -> bool {
    model.overlays.iter().any(|it| it.is::<T>())
}

fn push(model: &mut Model, overlay: Box<dyn Overlay>) -> Vec<Effect> {
    if overlay.comes_by_itself() {
        model.has_offered_enter = false;
        // Who was in a panel finds the keyboard in the composer, as with any new question.
        let panels = model.overlays.iter_mut();
        for panel in panels.filter(|it| !it.is_full_screen()) {
            panel.give_keyboard(false);
        }
    }
    model.overlays.push(overlay);
    Vec::new()
}
