//! What a table of cues is made of: cues, scripts and the table.

/// What a phrase tells about the clause that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cue {
    /// It holds from here on, or for all of something.
    Lasting,
    /// It may hold in general: with an order it does.
    Generally,
    /// Always, never.
    Absolute,
    /// A fact to be relied on follows.
    Remember,
    /// The person wants to be asked.
    AskFirst,
    /// The agent may do something by itself.
    Allowed,
    /// Something is forbidden.
    Forbidden,
    /// An order of the kind that rules are made of.
    Order,
    /// A negation.
    Negative,
    /// Must, should, is to be.
    Modal,
    /// Must, of several: “log lines must be JSON”.
    Duty,
    /// The clause begins with one thing that is known: “the button …”, “they …”.
    Definite,
    /// A most or a least.
    Limit,
    /// A preference of the person's.
    Prefer,
    /// The project, the machine, the house.
    Scope,
    /// A convention: what we do, what all of a kind have.
    We,
    /// One thing and not the other.
    Contrast,
    /// How the agent talks and what its answers look like.
    Manner,
    /// How one answer is to be: short.
    Topic,
    /// What a word of the person's means.
    Meaning,
    /// On every occasion of a kind.
    Each,
    /// On a condition.
    Whenever,
    /// Words before what is said again or in addition: “one more thing: …”.
    Preface,
    /// Something that is done is to be done no more: “stop adding …”.
    Cease,
    /// A piece of work.
    Task,
    /// What the work is to make sure.
    Purpose,
    /// A question begins.
    Question,
    /// A question that is a polite request.
    Request,
    /// It is told what happens or happened.
    Narration,
    /// Something goes wrong.
    Trouble,
    /// Somebody else says it.
    Report,
    /// It is only supposed.
    Suppose,
    /// A set phrase.
    Idiom,
    /// For this once.
    Now,
    /// One occasion or one place of the work: when you are done, in line 4, that file.
    Once,
    /// How things of a kind look or where they are: kebab-case, next to the code.
    Style,
    /// Work that changes what is there: delete, rename.
    Change,
    /// What follows belongs to the question before.
    Then,
    /// Something else follows.
    Aside,
    /// Two things are joined.
    And,
    /// Says nothing at the beginning of a clause.
    Filler,
    /// A question mark behind it asks nothing.
    Tag,
    /// A rule is taken back.
    Withdraw,
    /// What was forbidden is permitted again.
    Reallow,
    /// A name for a rule, which says nothing of what it is about.
    RuleName,
    /// Rules follow: “two things for the future:”.
    Head,
    /// A text that others read: a mail, a readme, a ticket.
    Paper,
    /// What is built, or whoever uses it: “the button must …”, “users must …”.
    Product,
    /// It held somewhere else or formerly: “in the old company”, “had to”.
    Formerly,
    /// Any of a kind: “a file”, “all files”.
    Generic,
    /// Why, or what follows from it: “because …”, “so …”.
    Reason,
    /// Somebody wonders at what happens: “strange”.
    Wonder,
    /// Words to be passed on: “tell the client …”.
    Relay,
    /// One thing that is known: “the query”.
    Known,
    /// To put an end to a rule: “drop”, “ignore”.
    Drop,
    /// What a rule is called: “rule”, “limit”, “ban”.
    RuleNoun,
    /// It is at an end: “off”, “no longer applies”.
    Over,
    /// Something that was done is to be done no more: “stop …”, “no more …”.
    Halt,
    /// Something is not to be touched, changed or deleted.
    Touch,
    /// What may be off limits: a folder, a file, a table.
    Place,
    /// One thing and nothing else: “just”, “only”.
    Solely,
}

impl Cue {
    /// Whether its phrases are mostly names of things, which many languages share.
    pub fn is_of_things(self) -> bool {
        matches!(
            self,
            Self::We | Self::Scope | Self::Style | Self::Paper | Self::Product | Self::Place
        )
    }

    /// Its place in a set of cues.
    pub fn bit(self) -> u128 {
        1 << self as u32
    }
}

/// How a language is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Latin letters, and whatever has no script of its own here.
    Latin,
    /// Cyrillic letters.
    Cyrillic,
    /// No spaces between words.
    Han,
    /// Han letters and kana.
    Kana,
    /// Spaces between words that go on with particles.
    Hangul,
}

impl Script {
    /// Whether phrases are found within words.
    pub fn is_found_within(self) -> bool {
        matches!(self, Self::Han | Self::Kana | Self::Hangul)
    }
}

/// The cues of a language.
pub struct CueTable {
    pub script: Script,
    /// The verb comes last.
    pub is_verb_last: bool,
    /// Frequent words that tell the language.
    pub common: &'static str,
    /// How words are typed in haste, each with what is meant: `q=que`.
    pub hasty: &'static str,
    /// Words that are typed without the apostrophe that joins them to the word before (`-t`) or
    /// after (`j-`).
    pub clitics: &'static str,
    pub cues: &'static [(Cue, &'static str)],
}
