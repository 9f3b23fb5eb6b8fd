//! Claims, what they are looked up in and what becomes of them.

use crate::context::audit;
use crate::context::summary::SourceMessage;
use crate::transcript::EntryId;

/// What follows a claim that was marked before.
pub(super) const UNVERIFIED: &str = " [unverified]";

/// What kind of thing a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimClass {
    /// A file or folder.
    Path,
    /// An identifier: hash, ticket, UUID, flag, environment variable.
    Identifier,
    /// A name of code: function, type, field.
    Symbol,
    /// A web or mail address.
    Address,
    /// A host, with or without a port.
    Host,
    /// A version.
    Version,
    /// A date or a time.
    Date,
    /// An amount of money.
    Money,
    /// A percentage.
    Percentage,
    /// A number with a unit.
    Measure,
    /// A count of tests.
    TestCount,
    /// A done action that cannot be undone, with its object.
    DoneAction,
    /// An action with an effect outside of the files of the conversation, whose verb no table
    /// of actions that cannot be undone has.
    Effect,
    /// A small number of things, which a summariser may have counted itself.
    Count,
    /// A sentence that is quoted as the person's.
    Quote,
    /// The name of a person or a product.
    Name,
    /// A permission that somebody is said to have given, or a rule that is said not to hold.
    Permission,
    /// Who is said to have wanted, proposed or decided something.
    Attribution,
}

impl ClaimClass {
    /// The name in logs and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Identifier => "identifier",
            Self::Symbol => "symbol",
            Self::Address => "address",
            Self::Host => "host",
            Self::Version => "version",
            Self::Date => "date",
            Self::Money => "money",
            Self::Percentage => "percentage",
            Self::Measure => "measure",
            Self::TestCount => "test_count",
            Self::DoneAction => "done_action",
            Self::Effect => "effect",
            Self::Count => "count",
            Self::Quote => "quote",
            Self::Name => "name",
            Self::Permission => "permission",
            Self::Attribution => "attribution",
        }
    }

    /// A sentence with such a claim is struck when nothing says it; one with another is
    /// marked.
    pub fn is_hard(self) -> bool {
        !matches!(
            self,
            Self::Symbol
                | Self::Effect
                | Self::Count
                | Self::Quote
                | Self::Name
                | Self::Attribution
        )
    }
}

/// A claim of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// As the summary writes it.
    pub text: String,
    /// Its kind.
    pub class: ClaimClass,
    /// Line of the summary, from 0.
    pub line: usize,
    /// Where it is in that line, in bytes.
    pub span: std::ops::Range<usize>,
    /// Whether anything that counts as a source says it.
    pub is_grounded: bool,
    /// The newest message that says it; `None` where none does, or where it comes from the
    /// previous summary, a rule or the instructions.
    pub source: Option<EntryId>,
}

/// Everything that a summary may draw on.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroundingSources<'a> {
    /// The messages that the summary replaces, and the kept ones after them.
    pub messages: &'a [SourceMessage],
    /// The stored summary of what came before.
    pub previous: Option<&'a str>,
    /// Rules, surroundings, instructions: texts without a message.
    pub texts: &'a [&'a str],
}

/// The claims of a summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grounding {
    /// All claims that could be checked, in the order of the text.
    pub claims: Vec<Claim>,
}

impl Grounding {
    /// Claims that nothing says.
    pub fn ungrounded(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| !claim.is_grounded)
    }
}

/// A text without what nothing says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StruckText {
    /// The text.
    pub text: String,
    /// Claims whose sentence or clause was taken out.
    pub struck: Vec<Claim>,
    /// Claims that are marked `[unverified]`.
    pub marked: Vec<Claim>,
}

/// Why a text is no summary of the conversation at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worthless {
    /// It apologises, or asks for the conversation.
    Apology,
    /// It has too few of the conversation's words.
    Foreign,
    /// It is in another language than the person's.
    OtherLanguage,
    /// It repeats the previous summary although there is something new.
    Unchanged,
    /// It gives the reader orders that nobody in the conversation gave.
    Orders,
}

impl Worthless {
    /// The reason code in logs and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Apology => "apology",
            Self::Foreign => "foreign_text",
            Self::OtherLanguage => audit::WRONG_LANGUAGE,
            Self::Unchanged => "unchanged_summary",
            Self::Orders => "orders_to_the_reader",
        }
    }
}
