//! Who permits a thing: words of a person that give it, order it or agree to an offer of it.

use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::{folded_text, tail_of, word_hash};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::grounding::prose;

use super::super::reader::Finding;
use super::super::tokens;
use super::object::{PermittedThing, STEM_CHARS, share_in, telling_words};
use super::{ConsentCues, all_cues, cues_of, is_denied};

/// What kind of permission a clause claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConsentKind {
    /// A person gave it.
    Granted,
    /// It was given, nobody says by whom.
    Open,
    /// Something may be done.
    May,
    /// Something need not be done any more.
    Release,
}

/// A permission that a summary claims.
#[derive(Clone, Debug)]
pub(super) struct ClaimedConsent {
    /// How it is claimed.
    pub kind: ConsentKind,
    /// What it is for.
    pub thing: PermittedThing,
    /// It is said to hold on a condition.
    pub is_conditional: bool,
    /// It is said to hold always, or for all things.
    pub is_wide: bool,
}

/// In hundredths: who denies more of a thing speaks of it.
const FORBIDDEN_SHARE: usize = 50;
/// A denial of so few words is about each of them.
const SHORT_DENIAL_WORDS: usize = 7;
/// Occurrences of a word that are read.
const MAX_PLACES: usize = 120;
/// Bytes around a word that are read.
const LINE_BYTES: usize = 400;
/// So short an answer says yes in its last word.
const SHORT_ANSWER_WORDS: usize = 5;
/// Messages after an answer in which the person agrees to it.
const ANSWER_MESSAGES: usize = 3;

/// A condition of a permission, folded.
static CONDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let spaced = "once|after \\w+|as soon as|as long as|provided|assuming|une fois que|only (?:if|when|after|with)\
        |unless|until|if|when|limited to|restricted to|subject to|sobald|nachdem|wenn|falls|solange|erst wenn|des que|apres\
        |si (?:les?|la|l'|tu|vous|on|ca|los|las|el|todo|tout)|quand|a condition|una vez que|despues\
        |cuando|siempre que|assim que|depois|se (?:os?|as?|il|la|lo|i|gli|tudo|tutto)|quando|dopo\
        |zodra|nadat|jak tylko|jesli|gdy|после|если|когда|как только";
    let inside = "之后|以后|如果|只要|等.{1,12}再|才|後に|たら|れば|한 후|하면";
    Regex::new(&format!(r"\b(?:{spaced})\b|{inside}")).ok()
});
/// Words that sound like a condition and leave it to the agent, folded.
static NO_CONDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "if (?:you|u|that|it|this) (?:want|like|need|prefer|think|must|wish|feel|helps?|makes sense|is easier)\\w*\
        |when(?:ever)? (?:(?:you|u)(?:'re| are)? (?:want|like|need|done|ready|think)\\w*|necessary|needed)|if (?:needed|necessary)\
        |(?:just |only )?(?:this )once|at once|wenn (?:du|es) (?:willst|magst|meinst|notig|hilft)\\w*|si (?:tu|vous) (?:veux|voulez)\
        |si quieres|si hace falta|se quiser|se vuoi|als je wil\\w*|если (?:хочешь|нужно|надо)";
    Regex::new(&format!(r"\b(?:{words})\b")).ok()
});
/// A permission that holds for one time or for one thing only, folded.
static LIMIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "(?:this|that|just) once|(?:this|that|one|just one|a single) time|for (?:today|now)|today only\
        |just for (?:this|that|now|today)|(?:only|just) this (?:one|time)|nothing else|nowhere else|not more\
        |only|except|dieses (?:eine )?mal|nur|sonst nichts|cette fois|une (?:seule )?fois|seulement|uniquement\
        |rien d'autre|esta vez|una (?:sola )?vez|solo|solamente|nada mas|desta vez|dessa vez|so desta\
        |so dessa|uma vez|apenas|somente|mais nada|questa volta|soltanto|nient'altro|deze keer|eenmalig\
        |alleen|tym razem|tylko|в этот раз|один раз|только|bu sefer\\w*|bir kere\\w*|sadece";
    Regex::new(&format!(
        r"\b(?:{words})\b|这次|这一次|只|仅|今回|だけ|이번|만\b"
    ))
    .ok()
});
/// A permission that holds always, or for all things, folded.
static WIDE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "always|from (?:now|here) on|any ?time|whenever|every \\w+|in general|generally|standing|permanent\\w*\
        |blanket|in (?:the )?future|all future|ongoing|going forward|any|anything|everything|anywhere|everywhere|whatever\
        |freely|at will|full|unrestricted|without (?:any )?(?:restrictions?|limits?)|unlimited|regardless|as needed|as (?:you|it) (?:want|like|see)s?\\b.{0,6}|rest of the session\
        |immer|ab jetzt|jederzeit|grundsatzlich|kunftig|dauerhaft|alle[sn]?|beliebig\\w*|toujours|desormais|a tout moment\
        |librement|tou(?:t|te|tes|s)|siempre|de ahora en adelante|en general|libremente|tod[oa]s?|cualquier\\w*|sempre\
        |a partir de agora|livremente|qualquer|tudo|d'ora in poi|liberamente|tutt[oiae]|qualsiasi|altijd|voortaan|alles\
        |zawsze|od teraz|wszystk\\w+|всегда|отныне|любо\\w+|her zaman|artik";
    Regex::new(&format!(r"\b(?:{words})\b|总是|以后都|今后|随时|任意|随意|所有|常に|今後|いつでも|自由に|勝手に|항상|앞으로|모든"))
        .ok()
});
/// An idea or a question without its mark, folded: nobody permits anything by it.
static MUSED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let asks = "(?:hm+ |so |and |wait |ok |btw )?(?:is|are|was|were) (?:it|there|that|this|we|the|they|these)|do (?:we|i|they|you)\
        |does|did|has|have (?:we|you|they)|how|what(?:'?s)?|why|where|which|who|should (?:we|i|it)|shall we|can (?:we|i|it)|could (?:we|i|it)|would (?:it|we)";
    let muses = "(?:we|i|one) (?:could|might)|maybe|perhaps|not sure|wondering|wonder (?:if|whether)|vielleicht|peut-etre|quiza|talvez|forse|misschien|moze|может быть";
    Regex::new(&format!(r"^\W*(?:{asks})\b|\b(?:{muses})\b|吗\W*$|か\W*$")).ok()
});
/// Things that stay as they are, folded: a sentence with them does not permit all of it.
static KEEPS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "keep|leave|stays?|hold off|wait|skip|lass|behalte?|bleibt|garde|laisse|deja|manten|mantem|deixa|lascia|tieni|laat|houd|zostaw|оставь|не трогай";
    Regex::new(&format!(r"\b(?:{words})\b|保留|残し|남겨")).ok()
});
/// What is to be left alone, folded.
static SPARES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "leave .{1,40} alone|(?:keep|stay) (?:out|away)|hands off|off limits|hold off|not yet|lass .{1,40} in ruhe|finger weg\
        |ne touche pas|touche pas|no toques|nao mexa|non toccare|blijf af|nie ruszaj|не трогай";
    Regex::new(&format!(
        r"\b(?:{words})\b|别动|不要动|勿动|触らない|건드리지"
    ))
    .ok()
});
/// The person wants to be asked, folded, where nothing says the contrary.
static ASKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "ask|asking|fragen|frag|nachfragen|demande(?:r|z)?|pregunta\\w*|pergunt\\w*|chied\\w*|vraag|vragen|pytaj|zapytaj|спраш\\w*|спроси\\w*";
    Regex::new(&format!(r"\b(?:{words})\b|问我|聞いて|물어")).ok()
});
/// A statement of how things are, folded.
static STATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^\W*(?:thats|(?:that|this|it|there|they|he|she)(?:'?s| is| are| was| were| has| have))\b",
    )
    .ok()
});

/// What a person does, folded: `let me send it`.
static OWN_ACT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "let me|i'?ll|i will|i'?m going to|leave .{1,30} to me|das mache? ich|mach ich|je m'en|je le ferai|lo hago yo|lo reviso yo|eu faco|lo faccio io|ik doe|я сам\\w*";
    Regex::new(&format!(r"\b(?:{words})\b|我来|我自己|私がや|내가 할")).ok()
});
/// An answer that puts it off, folded.
static PUTS_OFF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "wait|first|later|not yet|hold on|ask|check with|talk|think|see|show|warte|erst|spater|zeig|noch nicht\
        |attends|d'abord|plus tard|montre|espera|primero|luego|espere|primeiro|depois|aspetta|prima|dopo|wacht|eerst|later\
        |poczekaj|najpierw|подожди|сначала|потом|покажи";
    Regex::new(&format!(r"\b(?:{words})\b|等|先|待って|まず|잠깐|먼저")).ok()
});

fn has(cue: &LazyLock<Option<Regex>>, text: &str) -> bool {
    cue.as_ref().is_some_and(|cue| cue.is_match(text))
}

/// Whether a folded clause says that something holds always, or for all things.
pub(super) fn is_wide(clause: &str) -> bool {
    has(&WIDE, clause)
}

/// Whether a folded clause makes something depend on something else.
pub(super) fn has_condition(clause: &str) -> bool {
    let rest = NO_CONDITION
        .as_ref()
        .map_or_else(|| clause.into(), |cue| cue.replace_all(clause, " "));
    has(&CONDITION, &rest)
}

/// Where somebody permits it.
pub(super) fn witness(index: &SourceIndex<'_>, claimed: &ClaimedConsent) -> Finding {
    for word in &claimed.thing.words {
        let forms = std::iter::once(word.clone())
            .chain(tokens::other_number(word))
            .chain(stems(word));
        for form in forms {
            let mut places = index.places(word_hash(&form)).take(MAX_PLACES);
            if let Some(place) = places.find(|place| is_permitted_at(index, *place, claimed)) {
                return Finding::At(place);
            }
        }
    }
    Finding::Nowhere
}

fn is_permitted_at(index: &SourceIndex<'_>, place: usize, claimed: &ClaimedConsent) -> bool {
    let Some(text) = index.text_at(place) else {
        return false;
    };
    let line = index.line_at(place, LINE_BYTES);
    match text.origin {
        TextOrigin::Person | TextOrigin::Standing => {
            let message = text.message;
            any_clause(line, &|said| said.permits(claimed, index, message))
        }
        TextOrigin::Output => {
            matches!(claimed.kind, ConsentKind::Open | ConsentKind::May)
                && is_open_by_output(index, line, claimed)
        }
        TextOrigin::Answer => {
            let message = text.message;
            is_offered(line, claimed) && message.is_some_and(|message| is_agreed_to(index, message))
        }
        TextOrigin::Argument => false,
    }
}

/// Beginnings of a word that can be its stem.
fn stems(word: &str) -> impl Iterator<Item = String> {
    let count = word.chars().count();
    (1..=4)
        .filter(move |cut| count >= cut + STEM_CHARS)
        .map(move |cut| word.chars().take(count - cut).collect())
}

/// Whether something that is no person says that the thing is permitted, which no person
/// forbids: what a file orders permits nothing.
fn is_open_by_output(index: &SourceIndex<'_>, line: &str, claimed: &ClaimedConsent) -> bool {
    let permits = any_clause(line, &|said| {
        said.gives() && said.permits(claimed, index, None)
    });
    let forbidden = Forbidden {
        missing: &claimed.thing.words,
        thing: &claimed.thing,
        since: None,
    };
    permits && !forbidden.is_said(index)
}

/// The end of the answer that a message replies to, folded.
fn answer_before(index: &SourceIndex<'_>, message: Option<usize>) -> String {
    let Some(before) = message.and_then(|message| message.checked_sub(1)) else {
        return String::new();
    };
    let answers = index
        .texts_of(before)
        .filter(|text| text.origin == TextOrigin::Answer);
    let texts: Vec<String> = answers
        .map(|text| folded_text(tail_of(&text.text, 2 * LINE_BYTES)))
        .collect();
    texts.join("\n")
}

/// Words of a thing that somebody may forbid.
struct Forbidden<'a> {
    /// The words that are looked for.
    missing: &'a [String],
    /// The whole thing.
    thing: &'a PermittedThing,
    /// Only what is said from this message on.
    since: Option<usize>,
}

impl Forbidden<'_> {
    /// Whether a person forbids it.
    fn is_said(&self, index: &SourceIndex<'_>) -> bool {
        let forms = self.missing.iter().flat_map(|word| {
            let others = tokens::other_number(word).into_iter().chain(stems(word));
            std::iter::once(word.clone()).chain(others)
        });
        let mut places = forms.flat_map(|form| index.places(word_hash(&form)).take(MAX_PLACES));
        places.any(|place| {
            let text = index.text_at(place);
            let is_meant = text.is_some_and(|text| {
                let is_person = matches!(text.origin, TextOrigin::Person | TextOrigin::Standing);
                is_person && (text.message >= self.since || text.message.is_none())
            });
            let line = index.line_at(place, LINE_BYTES);
            is_meant && any_clause(line, &|said| self.is_in(said))
        })
    }

    fn is_in(&self, said: &SaidClause<'_>) -> bool {
        let speaks_of_it = self.thing.is_all_of(said.clause)
            || share_in(&self.thing.words, said.clause) > FORBIDDEN_SHARE;
        let is_short = said.clause.split_whitespace().count() <= SHORT_DENIAL_WORDS;
        (speaks_of_it || is_short) && share_in(self.missing, said.clause) > 0 && said.is_refused()
    }
}

/// A clause, or a whole sentence, that somebody said, folded.
struct SaidClause<'a> {
    clause: &'a str,
    sentence: &'a str,
    /// The line it stands in: it tells the language.
    line: &'a str,
}

impl SaidClause<'_> {
    fn any(&self, of: &dyn Fn(&ConsentCues) -> Option<&Regex>) -> bool {
        cues_of(self.line).any(|(cues, _)| of(cues).is_some_and(|cue| cue.is_match(self.clause)))
    }

    fn gives(&self) -> bool {
        self.any(&|cues| cues.gives.as_ref())
    }

    /// `without asking me` denies nothing that is permitted.
    fn without_releases(&self) -> String {
        let mut out = self.clause.to_owned();
        for (cues, _) in cues_of(self.line) {
            for cue in [&cues.releases, &cues.unasked].into_iter().flatten() {
                out = cue.replace_all(&out, " ").into_owned();
            }
        }
        out
    }

    /// Whether it denies something, or the person wants to be asked.
    fn is_refused(&self) -> bool {
        let rest = self.without_releases();
        let asks = cues_of(self.line).any(|(cues, _)| {
            cues.asks_first
                .as_ref()
                .is_some_and(|cue| cue.is_match(&rest))
        });
        asks || has(&ASKS, &rest) || has(&SPARES, &rest) || is_denied(&rest, self.line)
    }

    /// Whether it permits what is claimed; `message` is its own, where a person says it.
    fn permits(
        &self,
        claimed: &ClaimedConsent,
        index: &SourceIndex<'_>,
        message: Option<usize>,
    ) -> bool {
        let keeps =
            has(&KEEPS, self.clause) && !claimed.thing.words.iter().any(|word| has(&KEEPS, word));
        let is_none = has(&OWN_ACT, self.clause)
            || keeps
            || !self.gives() && has(&STATES, self.clause)
            || has(&MUSED, self.sentence)
            || super::is_of_a_document(self.sentence);
        if is_none {
            return false;
        }
        let is_named = claimed.thing.is_named_in(self.clause)
            || self.names_with(claimed, &|| answer_before(index, message));
        if !is_named {
            return false;
        }
        let releases =
            self.any(&|cues| cues.releases.as_ref()) || self.any(&|cues| cues.unasked.as_ref());
        let is_given = match claimed.kind {
            ConsentKind::Release => releases || self.gives() && !self.is_refused(),
            _ => !self.is_refused(),
        };
        is_given && self.is_as_wide_as(claimed) && {
            let missing = claimed.thing.missing_in(self.clause);
            let forbidden = Forbidden {
                missing: &missing,
                thing: &claimed.thing,
                since: message,
            };
            missing.is_empty() || !forbidden.is_said(index)
        }
    }

    /// Whether the clause names nothing but the thing, and the rest of the message or the answer
    /// before it tells what is meant.
    fn names_with(&self, claimed: &ClaimedConsent, before: &dyn Fn() -> String) -> bool {
        let thing = &claimed.thing;
        thing.is_all_of(self.clause)
            && thing.is_named_in(&[self.clause, self.line, &before()].join("\n"))
    }

    /// Whether the permission is not wider than what was said: a condition is told, and what is
    /// allowed once, or for one thing, is not allowed for all.
    fn is_as_wide_as(&self, claimed: &ClaimedConsent) -> bool {
        let drops_condition = claimed.kind != ConsentKind::May
            && !claimed.is_conditional
            && has_condition(self.sentence);
        let is_wider = claimed.is_wide && (!is_wide(self.sentence) || has(&LIMIT, self.sentence));
        !drops_condition && !is_wider
    }
}

/// A question that asks somebody to do something, folded.
static REQUEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "(?:can|could|would|will) (?:you|u)|(?:kannst|konntest|wurdest) du|peux-tu|tu peux|pouvez-vous\
        |puedes|podrias|voce pode|pode|poderia|puoi|potresti|kun je|kan je|mozesz|можешь|yapabilir misin";
    Regex::new(&format!(
        r"^\W*(?:\w+ ){{0,2}}?(?:{words})\b|^(?:能不能|可以帮|请)"
    ))
    .ok()
});

/// The parts of a clause around a word that contrasts them.
fn contrasted(clause: &str) -> impl Iterator<Item = &str> {
    const WORDS: [&str; 8] = [
        " mais ", " pero ", " ma ", " mas ", " но ", " ale ", " ama ", " maar ",
    ];
    let found = WORDS.iter().find_map(|word| clause.split_once(word));
    let (head, tail) = found.map_or((clause, None), |(head, tail)| (head, Some(tail)));
    // `2) you may restart it 3) never the other`
    let parts = std::iter::once(head).chain(tail);
    parts.flat_map(|part| part.split(") "))
}

/// Whether something holds of a clause or sentence of a line that asks nothing.
fn any_clause(line: &str, holds: &dyn Fn(&SaidClause<'_>) -> bool) -> bool {
    let whole = folded_text(line);
    // People type without capitals: what follows a full stop is another sentence.
    let mut pieces: Vec<&str> = Vec::new();
    let mut rest = line;
    while let Some((at, mark)) = [". ", "! ", "? "]
        .iter()
        .filter_map(|mark| Some((rest.find(mark)?, mark)))
        .min()
    {
        let (piece, after) = rest.split_at(at + mark.len() - 1);
        pieces.push(piece);
        rest = after.trim_start();
    }
    pieces.push(rest);
    pieces.into_iter().flat_map(prose::lines).any(|line| {
        let mut sentences = prose::sentences(&line).into_iter();
        sentences.any(|sentence| {
            let text = line.text.get(sentence.clone()).unwrap_or_default();
            let sentence_text = folded_text(text);
            if text.trim_end().ends_with(['?', '？']) && !has(&REQUEST, &sentence_text) {
                return false;
            }
            let mut clauses: Vec<&str> = prose::clauses(line.text, sentence.clone())
                .into_iter()
                .filter_map(|clause| line.text.get(clause.span))
                .flat_map(contrasted)
                .collect();
            clauses.push(text);
            let sentence = sentence_text;
            clauses.into_iter().any(|clause| {
                holds(&SaidClause {
                    clause: &folded_text(clause),
                    sentence: &sentence,
                    line: &whole,
                })
            })
        })
    })
}

/// What makes an answer an offer, besides a question mark, folded.
static OFFER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "shall i|should i|want me to|would you like|let me know|if you (?:agree|approve|want|like)|i (?:can|could|would|suggest|propose|recommend|plan to|want to|need)\
        |i'd|i'll|proposal|plan|option|ready to|ok(?:ay)? to|soll ich|ich (?:kann|konnte|wurde|schlage)|vorschlag|je (?:peux|propose|renomme)\
        |puedo|propongo|posso|proponho|propongo|kan ik|ik kan|moge|proponuje|могу|предлагаю";
    Regex::new(&format!(
        r"\b(?:{words})\b|[?？]|可以吗|要不要|建议|しましょう|提案|할까요|제안"
    ))
    .ok()
});

/// Whether a piece of a line of an answer names the thing, and does not deny it.
fn is_offered(line: &str, claimed: &ClaimedConsent) -> bool {
    let whole = folded_text(line);
    let mut pieces = whole.split_inclusive(['.', '?', '!', ';', '。', '？']);
    let named = |piece: &str| claimed.thing.is_named_in(piece) && !is_denied(piece, &whole);
    pieces.any(named) || named(&whole)
}

/// Whether an answer offers something and the person says yes to it.
fn is_agreed_to(index: &SourceIndex<'_>, answer: usize) -> bool {
    let mut told = index.texts_of(answer);
    let is_offer =
        told.any(|text| text.origin == TextOrigin::Answer && has(&OFFER, &folded_text(&text.text)));
    if !is_offer {
        return false;
    }
    let after = answer + 1..=answer + ANSWER_MESSAGES;
    let mut people = after
        .flat_map(|message| index.texts_of(message))
        .filter(|text| text.origin == TextOrigin::Person);
    people.next().is_some_and(|text| {
        let head: String = text.text.chars().take(LINE_BYTES).collect();
        let folded = folded_text(&head);
        let ends = |c: char| matches!(c, ',' | '.' | ';' | '!' | '\n' | '，' | '。' | '、');
        let first = folded.split(ends).next().unwrap_or_default();
        // `For this one yes`.
        let last = first.split_whitespace().next_back().unwrap_or_default();
        let is_short = first.split_whitespace().count() <= SHORT_ANSWER_WORDS
            && telling_words(first).is_empty();
        let affirms = |text: &str| {
            all_cues().any(|(cues, _)| cues.affirms.as_ref().is_some_and(|cue| cue.is_match(text)))
        };
        !is_denied(first, &folded)
            && !has(&PUTS_OFF, first)
            && (affirms(&folded) || is_short && affirms(last))
    })
}
