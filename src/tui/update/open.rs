//! Opens the screens: the only place that makes them.

use std::sync::Arc;

use crate::agent::{
    ApprovalRequest, ChangesReport, CompactionProposal, FormRequest, LoginChoice, ModelChoice,
    NotesView, NoticeLevel, OversizeOffer, PermissionList, Query, RecallReport, RewindPlan,
    RuleList, ServerReport, SessionList, SettingsReport, UndoPlan, WireView,
};
use crate::transcript::{CompactionStanding, EntryId, Transcript};
use crate::tui::command;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{HistoryUse, Model, ScreenRequest, user_commands};
use crate::tui::overlay::Overlay;
use crate::tui::overlay::history::rewind::RewindPreview;
use crate::tui::overlay::history::undo::UndoPreview;
use crate::tui::overlay::history::{Timeline, Tree};
use crate::tui::overlay::inspect::ledger::Ledger;
use crate::tui::overlay::inspect::legend::Legend;
use crate::tui::overlay::inspect::summaries::Summaries;
use crate::tui::overlay::inspect::tables::Tables;
use crate::tui::overlay::inspect::text::TextView;
use crate::tui::overlay::inspect::wire::Wire;
use crate::tui::overlay::lists::agents::Agents;
use crate::tui::overlay::lists::changes::Changes;
use crate::tui::overlay::lists::jobs::Jobs;
use crate::tui::overlay::lists::login::Login;
use crate::tui::overlay::lists::palette::{Palette, PaletteAct, PaletteOffer};
use crate::tui::overlay::lists::permissions::Permissions;
use crate::tui::overlay::lists::picker::{Models, Themes};
use crate::tui::overlay::lists::recall::RecallHits;
use crate::tui::overlay::lists::rules::Rules;
use crate::tui::overlay::lists::servers::{NO_SERVERS, Servers};
use crate::tui::overlay::lists::sessions::Sessions;
use crate::tui::overlay::lists::settings::Settings;
use crate::tui::overlay::question::approval::Approval;
use crate::tui::overlay::question::form::Form;
use crate::tui::overlay::question::oversize::Oversize;
use crate::tui::overlay::review::Review;
use crate::tui::render::safe;

/// Everything in the window.
pub(super) fn ledger(model: &mut Model) -> Vec<Effect> {
    show(model, Box::new(Ledger::all()))
}

/// Opens the ledger of items that are not sent in full.
pub(super) fn pruned(model: &mut Model) -> Vec<Effect> {
    show(model, Box::new(Ledger::pruned()))
}

/// Every compaction of the session.
pub(super) fn summaries(model: &mut Model) -> Vec<Effect> {
    let Some(summaries) = Summaries::of(&model.scene()) else {
        model.say(NoticeLevel::Info, "this session has no compaction yet");
        return Vec::new();
    };
    let id = model.open_screen(Box::new(summaries));
    let op = model.queries.ask_from_screen(Query::Fidelity, id);
    vec![Effect::Send(op)]
}

/// The legend of the gauge.
pub(super) fn legend(model: &mut Model) -> Vec<Effect> {
    show(model, Box::new(Legend::default()))
}

/// Everything that can be done by name.
pub(super) fn palette(model: &mut Model) -> Vec<Effect> {
    let palette = Palette::new(offers(model));
    let id = model.open_screen(Box::new(palette));
    let queries = [Query::Models, Query::Sessions { all: false }];
    let asked = queries.map(|query| Effect::Send(model.queries.ask_from_screen(query, id)));
    asked.into()
}

/// Offers the user's own commands again in an open palette.
pub(super) fn renew_offers(model: &mut Model) {
    let offers = offers(model);
    let screens = model.screens.iter_mut();
    for palette in screens.filter_map(|it| it.downcast_mut::<Palette>()) {
        palette.offer(offers.clone());
    }
}

fn offers(model: &Model) -> Vec<PaletteOffer> {
    let commands = command::COMMANDS.iter().filter(|it| it.name != "palette");
    let commands = commands.map(|command| PaletteOffer {
        name: format!("/{}", command.name),
        help: command.help.to_owned(),
        kind: "command".to_owned(),
        act: PaletteAct::Command(command.name.to_owned()),
    });
    let own = model
        .user_commands
        .known
        .commands
        .iter()
        .map(|command| PaletteOffer {
            name: format!("/{}", command.name),
            help: user_commands::help(&model.look, command),
            kind: "your own".to_owned(),
            act: PaletteAct::Command(command.name.clone()),
        });
    let rows = model.keymap.rows().iter().filter(|row| {
        // What edits the text at the caret has no use for a name.
        !matches!(
            row.binding.context,
            Context::List | Context::Question | Context::Screen(_)
        ) && !matches!(
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
        Some(PaletteOffer {
            name: row.binding.name.to_owned(),
            help: row.binding.help.to_owned(),
            kind: row.keys.first().cloned().unwrap_or_default(),
            act: PaletteAct::Key(action),
        })
    });
    let themes = model.look.theme_names.iter().map(|name| PaletteOffer {
        name: name.clone(),
        help: "change theme".to_owned(),
        kind: "theme".to_owned(),
        act: PaletteAct::Theme(name.clone()),
    });
    commands.chain(own).chain(keys).chain(themes).collect()
}

/// A choice of colours.
pub(super) fn themes(model: &mut Model) -> Vec<Effect> {
    let names = model.look.theme_names.clone();
    let current = model.look.theme.name.clone();
    show(model, Box::new(Themes::new(names, current)))
}

/// A summary that waits for an answer.
pub(super) fn review(model: &mut Model, proposal: Box<CompactionProposal>) -> Vec<Effect> {
    show(model, Box::new(Review::new(proposal)))
}

/// A compaction of the log.
pub(super) fn stored_review(
    model: &mut Model,
    entry: EntryId,
    standing: CompactionStanding,
    proposal: Box<CompactionProposal>,
) -> Vec<Effect> {
    show(model, Box::new(Review::stored(entry, standing, proposal)))
}

/// A call that waits for an answer.
pub(super) fn approval(model: &mut Model, request: Box<ApprovalRequest>) -> Vec<Effect> {
    show(model, Box::new(Approval::new(request)))
}

/// A message that is larger than the window.
pub(super) fn oversize(model: &mut Model, offer: Box<OversizeOffer>) -> Vec<Effect> {
    show(model, Box::new(Oversize::new(offer)))
}

/// Asks what a tool that runs wants to know.
pub(super) fn form(model: &mut Model, request: Box<FormRequest>) -> Vec<Effect> {
    show(model, Box::new(Form::new(request)))
}

/// The exact request.
pub(super) fn wire(model: &mut Model, wire: Box<WireView>) -> Vec<Effect> {
    show(model, Box::new(Wire::new(wire)))
}

/// Opens the notes of the project.
pub(super) fn notes(model: &mut Model, notes: NotesView) -> Vec<Effect> {
    show(model, Box::new(TextView::new(notes.place, notes.text)))
}

/// Where a text was said; a line when it was said nowhere.
pub(super) fn recall(model: &mut Model, report: RecallReport) -> Vec<Effect> {
    if report.hits.is_empty() {
        model.say(NoticeLevel::Info, RecallReport::NOTHING);
        return Vec::new();
    }
    show(model, Box::new(RecallHits::new(report)))
}

/// Facts in rows.
pub(super) fn tables(model: &mut Model, tables: Tables) -> Vec<Effect> {
    show(model, Box::new(tables))
}

pub(super) fn models(model: &mut Model, models: Vec<ModelChoice>) -> Vec<Effect> {
    let current = model.session.model.clone();
    show(model, Box::new(Models::new(models, current)))
}

/// Commands in the background.
pub(super) fn jobs(model: &mut Model) -> Vec<Effect> {
    if model.session.background.jobs.is_empty() {
        model.say(NoticeLevel::Info, "no commands in the background");
        return Vec::new();
    }
    let jobs = model.session.background.jobs.clone();
    show(model, Box::new(Jobs::new(jobs)))
}

/// Sub-agents.
pub(super) fn agents(model: &mut Model) -> Vec<Effect> {
    if model.session.background.agents.is_empty() {
        model.say(NoticeLevel::Info, "no sub-agents in this session yet");
        return Vec::new();
    }
    let agents = model.session.background.agents.clone();
    show(model, Box::new(Agents::new(agents)))
}

/// The MCP servers.
pub(super) fn servers(model: &mut Model, servers: Vec<ServerReport>) -> Vec<Effect> {
    if servers.is_empty() {
        model.say(NoticeLevel::Info, NO_SERVERS);
        return Vec::new();
    }
    show(model, Box::new(Servers::new(servers)))
}

/// Opens the session's changes to files.
pub(super) fn changes(model: &mut Model, report: ChangesReport) -> Vec<Effect> {
    if report.files.is_empty() && report.unlisted == 0 && report.unseen.is_none() {
        model.say(NoticeLevel::Info, "this session has changed no files");
        return Vec::new();
    }
    show(model, Box::new(Changes::new(report)))
}

/// Opens the preview of a rewind.
pub(super) fn rewind(model: &mut Model, plan: RewindPlan) -> Vec<Effect> {
    show(model, Box::new(RewindPreview::new(plan)))
}

/// Opens the preview of an undo.
pub(super) fn undo(model: &mut Model, plan: UndoPlan) -> Vec<Effect> {
    show(model, Box::new(UndoPreview::new(plan)))
}

/// Opens the standing rules.
pub(super) fn rules(model: &mut Model, list: RuleList) -> Vec<Effect> {
    show(model, Box::new(Rules::new(list)))
}

/// Opens the permissions.
pub(super) fn permissions(model: &mut Model, list: PermissionList) -> Vec<Effect> {
    show(model, Box::new(Permissions::new(list)))
}

/// Every setting; those that the filter finds first.
pub(super) fn settings(model: &mut Model, report: SettingsReport, filter: &str) -> Vec<Effect> {
    let screen = Settings::new(report, filter, &model.look.theme_names);
    show(model, Box::new(screen))
}

/// Opens the list of providers with keys, where one is entered.
pub(super) fn logins(model: &mut Model, choices: Vec<LoginChoice>, filter: &str) -> Vec<Effect> {
    show(model, Box::new(Login::new(choices, filter)))
}

/// Columns of words that were searched for.
const FOUND_COLUMNS: usize = 40;

/// A choice of sessions.
pub(super) fn sessions(
    model: &mut Model,
    list: SessionList,
    request: ScreenRequest,
) -> Vec<Effect> {
    if let (true, Some(words)) = (list.sessions.is_empty(), &list.found) {
        // The index may be brought up to date meanwhile.
        let words = safe::one_line(words, FOUND_COLUMNS);
        let text = format!("looking for {words} in all sessions");
        model.say(NoticeLevel::Info, text);
    }
    let is_empty = list.sessions.is_empty() && list.programs.is_empty() && list.found.is_none();
    if is_empty && !list.all {
        // There may be some elsewhere.
        let query = Query::Sessions { all: true };
        return vec![Effect::Send(model.queries.ask_for_screen(query, request))];
    }
    if is_empty {
        model.say(NoticeLevel::Info, "there is no session yet");
        return Vec::new();
    }
    let sessions = Sessions::new(list);
    let peek = sessions.peek();
    let id = model.open_screen(Box::new(sessions));
    model.queries.adopt(peek, Some(id))
}

/// The whole history, for what it was asked for.
pub(super) fn history(
    model: &mut Model,
    transcript: Arc<Transcript>,
    history_use: HistoryUse,
) -> Vec<Effect> {
    let overlay: Option<Box<dyn Overlay>> = match history_use {
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
        model.say(NoticeLevel::Info, "no messages yet");
        return Vec::new();
    };
    show(model, overlay)
}

fn show(model: &mut Model, overlay: Box<dyn Overlay>) -> Vec<Effect> {
    model.open_screen(overlay);
    Vec::new()
}
