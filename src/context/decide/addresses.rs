//! Cuts name where the original is: the model can have it back by that address.

use std::collections::HashMap;

use crate::context::projection::{Measurer, ViewBuilder};
use crate::context::prune::{self, PlannedCut};
use crate::context::recall::{RECALL_TOOL, RecallAddress, with_address};
use crate::transcript::{EntryId, Transcript};

/// The planned cuts with the addresses of what they cut. `transcript` is `None` where the model
/// has no tool to ask with: then they stay as they are, and so does a cut that saves nothing
/// with an address in it.
pub(super) fn addressed(
    transcript: Option<&Transcript>,
    mut planned: Vec<PlannedCut>,
    list: &ViewBuilder,
    measurer: &mut Measurer,
) -> Vec<PlannedCut> {
    let Some(transcript) = transcript.filter(|_| !planned.is_empty()) else {
        return planned;
    };
    let branch = transcript.branch();
    let numbered = branch.iter().enumerate();
    let positions: HashMap<&EntryId, usize> = numbered.map(|(at, it)| (&it.id, at)).collect();
    for PlannedCut { at, cut } in &mut planned {
        let result = list.result_at(*at);
        let call = result.and_then(|info| prune::call_of(info));
        let address = match call.filter(|call| call.name == RECALL_TOOL) {
            // A copy leads to its original.
            Some(copy) => copy.arguments["id"].as_str().and_then(RecallAddress::parse),
            None => positions.get(&cut.target).map(|at| RecallAddress::at(*at)),
        };
        // An answer is cut once: until then it is sent as it is.
        let sent = list.items.get(*at).and_then(|item| item.sent.as_ref());
        let whole = result.map(|info| &info.whole).or(sent);
        let (Some(address), Some(whole)) = (address, whole) else {
            continue;
        };
        let form = with_address(&cut.form, address);
        let (_, tokens) = measurer.shortened(&cut.target, whole, &form);
        let tokens = list.count_of(&cut.target, tokens);
        if tokens < cut.tokens_before {
            cut.form = form;
            cut.tokens_after = tokens;
        }
    }
    planned
}
