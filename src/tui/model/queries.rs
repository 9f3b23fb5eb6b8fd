//! Which questions to the agent are open, and what each was asked for.
//!
//! Invariant: a reply opens or feeds what asked for it. A reply to a question that is not
//! open any more, or whose asker was closed, does nothing.

use std::mem::{Discriminant, discriminant};

use super::super::effect::Effect;
use super::screens::{ScreenId, ScreenStack};
use crate::agent::{CompactOptions, Op, Query, QueryId};

/// The open questions, oldest first.
#[derive(Debug, Default)]
pub struct Queries {
    asked: u64,
    open: Vec<OpenQuery>,
}

#[derive(Debug)]
struct OpenQuery {
    id: QueryId,
    kind: Discriminant<Query>,
    asker: Option<ScreenId>,
    purpose: ReplyPurpose,
}

/// The purpose of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplyPurpose {
    /// A screen opens with it.
    Screen(ScreenRequest),
    /// The screen that asked follows it.
    Feed(ScreenId),
}

/// The state of a screen before the reply that it shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScreenRequest {
    /// The text typed after the command: the filter of a list.
    pub filter: String,
    /// The purpose of the whole history.
    pub history_use: HistoryUse,
}

/// The purpose of the whole history.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum HistoryUse {
    /// The timeline.
    #[default]
    Timeline,
    /// The tree.
    Tree,
    /// To pick the message that is gone back to, with files or without.
    Rewind,
    /// To pick the first message that this compaction keeps.
    FirstKept(CompactOptions),
}

impl Queries {
    /// Asks for a screen of its own.
    pub fn ask_for_screen(&mut self, query: Query, request: ScreenRequest) -> Op {
        self.ask(query, None, ReplyPurpose::Screen(request))
    }

    /// Asks on behalf of a screen: either it follows the reply itself, or another screen
    /// opens above it.
    pub fn ask_from_screen(&mut self, query: Query, asker: ScreenId) -> Op {
        let purpose = if opens_screen(&query) {
            ReplyPurpose::Screen(ScreenRequest::default())
        } else {
            ReplyPurpose::Feed(asker)
        };
        self.ask(query, Some(asker), purpose)
    }

    /// A newer question of a kind from one asker takes the place of the older one, whose
    /// reply nobody waits for any more.
    fn ask(&mut self, query: Query, asker: Option<ScreenId>, purpose: ReplyPurpose) -> Op {
        let kind = discriminant(&query);
        self.open.retain(|it| it.kind != kind || it.asker != asker);
        self.asked += 1;
        let id = QueryId(self.asked);
        self.open.push(OpenQuery {
            id,
            kind,
            asker,
            purpose,
        });
        Op::Query { id, query }
    }

    /// Gives the questions among effects of a screen their ids. `asker` is `None` for one
    /// that closes with them.
    pub fn adopt(&mut self, effects: Vec<Effect>, asker: Option<ScreenId>) -> Vec<Effect> {
        let adopted = effects.into_iter().map(|effect| match (effect, asker) {
            (Effect::Send(Op::Query { query, .. }), Some(asker)) => {
                Effect::Send(self.ask_from_screen(query, asker))
            }
            (Effect::Send(Op::Query { query, .. }), None) => {
                Effect::Send(self.ask_for_screen(query, ScreenRequest::default()))
            }
            (effect, _) => effect,
        });
        adopted.collect()
    }

    /// Closes the question that a reply belongs to, and says what the reply is for. `None`:
    /// nobody waits for it any more.
    pub fn close(&mut self, id: QueryId, screens: &ScreenStack) -> Option<ReplyPurpose> {
        let at = self.open.iter().position(|it| it.id == id)?;
        let query = self.open.remove(at);
        // Questions of closed screens are left over; some have no reply at all.
        self.open
            .retain(|it| it.asker.is_none_or(|asker| screens.has(asker)));
        let is_wanted = query.asker.is_none_or(|asker| screens.has(asker));
        is_wanted.then_some(query.purpose)
    }

    /// The user has turned to something else: screens that were asked for from the main
    /// screen do not open any more.
    pub fn withdraw_screens(&mut self) {
        self.open.retain(|it| it.asker.is_some());
    }
}

/// Whether the reply to a question of a screen is shown on another screen above it.
fn opens_screen(query: &Query) -> bool {
    match query {
        Query::Wire
        | Query::Compaction(_)
        | Query::Rules
        | Query::Permissions
        | Query::Changes
        | Query::RewindPlan { .. }
        | Query::Cost
        | Query::Tools
        | Query::Servers
        | Query::Engines
        | Query::History
        | Query::Notes
        | Query::Recall(_) => true,
        Query::Fidelity
        | Query::Foresee(_)
        | Query::Settings
        | Query::Logins
        | Query::Models
        | Query::Sessions { .. }
        | Query::ForeignSessions { .. }
        | Query::SessionText(_)
        | Query::SessionPeek(_)
        | Query::Child(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::inspect::text::TextView;

    fn id_of(op: &Op) -> QueryId {
        match op {
            Op::Query { id, .. } => *id,
            other => panic!("{other:?} is no question"),
        }
    }

    fn screen() -> Box<TextView> {
        Box::new(TextView::new("notes".to_owned(), String::new()))
    }

    #[test]
    fn each_reply_is_for_what_asked_and_only_once() {
        let mut screens = ScreenStack::default();
        let palette = screens.push(screen());
        let mut queries = Queries::default();
        let fed = queries.ask_from_screen(Query::Models, palette);
        let opened = queries.ask_for_screen(Query::Models, ScreenRequest::default());
        let opens = ReplyPurpose::Screen(ScreenRequest::default());
        assert_eq!(queries.close(id_of(&opened), &screens), Some(opens));
        let feeds = ReplyPurpose::Feed(palette);
        assert_eq!(queries.close(id_of(&fed), &screens), Some(feeds));
        assert_eq!(queries.close(id_of(&fed), &screens), None);
    }

    #[test]
    fn a_newer_question_of_a_kind_takes_the_place_of_the_older_one() {
        let screens = ScreenStack::default();
        let mut queries = Queries::default();
        let request = |history_use| ScreenRequest {
            history_use,
            ..ScreenRequest::default()
        };
        let tree = queries.ask_for_screen(Query::History, request(HistoryUse::Tree));
        let rewind = queries.ask_for_screen(Query::History, request(HistoryUse::Rewind));
        let cost = queries.ask_for_screen(Query::Cost, ScreenRequest::default());
        assert_eq!(queries.close(id_of(&tree), &screens), None);
        let purpose = ReplyPurpose::Screen(request(HistoryUse::Rewind));
        assert_eq!(queries.close(id_of(&rewind), &screens), Some(purpose));
        assert!(queries.close(id_of(&cost), &screens).is_some());
    }

    #[test]
    fn what_a_closed_screen_asked_is_not_wanted_any_more() {
        let mut screens = ScreenStack::default();
        let ledger = screens.push(screen());
        let mut queries = Queries::default();
        let wire = queries.ask_from_screen(Query::Wire, ledger);
        screens.clear();
        // A screen of that kind again is another screen.
        screens.push(screen());
        assert_eq!(queries.close(id_of(&wire), &screens), None);
    }

    #[test]
    fn withdrawn_screens_do_not_open() {
        let mut screens = ScreenStack::default();
        let ledger = screens.push(screen());
        let mut queries = Queries::default();
        let cost = queries.ask_for_screen(Query::Cost, ScreenRequest::default());
        let wire = queries.ask_from_screen(Query::Wire, ledger);
        queries.withdraw_screens();
        assert_eq!(queries.close(id_of(&cost), &screens), None);
        assert!(queries.close(id_of(&wire), &screens).is_some());
    }
}
