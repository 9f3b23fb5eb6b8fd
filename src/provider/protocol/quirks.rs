//! The differences of a provider from others that speak its wire format.
//!
//! The quirks of a provider are a field of its row in the table of endpoints; encoders,
//! retries and lists read them from there and compare no ids.

use super::wire_ids::CallIdStyle;
use crate::provider::catalogue::listing::style::ListStyle;
use crate::provider::http::call::KeyHeader;

/// The differences of one provider. [`Quirks::NONE`] is a provider without any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::provider) struct Quirks {
    /// The ids of tool calls that it takes.
    pub call_ids: CallIdStyle,
    /// The reasoning of earlier answers that it wants back.
    pub reasoning: ReturnedReasoning,
    /// How chat completions are told how much to reason.
    pub effort: EffortField,
    /// Refuses words of the user directly after tool results, and an answer at the end.
    pub has_strict_turns: bool,
    /// Caches prompts of Claude only where the body asks for it.
    pub asks_claude_to_cache: bool,
    /// Gemini in chat completions: from its third generation on it refuses calls without
    /// the signature of their reasoning.
    pub wants_signed_calls: bool,
    /// How its list of models is asked for, where its chat completions have a poorer one.
    pub list: Option<ListStyle>,
    /// A refusal without a body says that the request is longer than the window.
    pub empty_refusal_is_overflow: bool,
    /// Chat completions at its own host take [`FIELD`](super::conversation_key::FIELD).
    pub takes_conversation_field: bool,
    /// The header in which it reads to which conversation a request belongs.
    pub conversation_header: Option<&'static str>,
    /// At its own host it says why its cache did not have a prompt, and keeps prompts as long
    /// as it is asked to.
    pub tells_of_its_cache: bool,
    /// The header in which it takes the key, where it is not the usual one of the format.
    pub key_header: Option<KeyHeader>,
}

impl Quirks {
    /// Nothing differs.
    pub(crate) const NONE: Self = Self {
        call_ids: CallIdStyle::Any,
        reasoning: ReturnedReasoning::Marked,
        effort: EffortField::Word,
        has_strict_turns: false,
        asks_claude_to_cache: false,
        wants_signed_calls: false,
        list: None,
        empty_refusal_is_overflow: false,
        takes_conversation_field: false,
        conversation_header: None,
        key_header: None,
        tells_of_its_cache: false,
    };

    /// The quirks of a provider whose requests go to the host of another one, or to its own:
    /// how a host keeps conversations and prompts, and what fields of its own it has for how much
    /// to reason, is a matter of the host.
    pub(crate) fn at_host(self, host: Option<Self>) -> Self {
        Self {
            effort: host
                .map(|host| host.effort)
                .filter(|effort| *effort != EffortField::Word)
                .unwrap_or(self.effort),
            tells_of_its_cache: host.is_some_and(|host| host.tells_of_its_cache),
            takes_conversation_field: host.is_some_and(|host| host.takes_conversation_field),
            conversation_header: host
                .and_then(|host| host.conversation_header)
                .or(self.conversation_header),
            key_header: host.and_then(|host| host.key_header).or(self.key_header),
            ..self
        }
    }
}

/// The fields of chat completions that say how much to reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::provider) enum EffortField {
    /// `reasoning_effort`, with `none` for off.
    Word,
    /// `reasoning`, an object with an effort or a switch.
    Object,
    /// `reasoning_effort`, and `thinking` as a switch for off.
    Switch,
    /// `enable_thinking`: on or off.
    Flag,
}

/// The reasoning of earlier answers that a server wants back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::provider) enum ReturnedReasoning {
    Marked,
    /// All of it, in every answer.
    All,
    Nothing,
}
