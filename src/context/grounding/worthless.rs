//! Texts that stand for no conversation, or for another one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::audit::{keywords, language};
use crate::context::identifiers;
use crate::context::summary::template::NONE;
use crate::transcript::Message;

use super::claim::{GroundingSources, Worthless};
use super::fold::{folded_text, word_hash};
use super::index::{SourceIndex, TextOrigin};
use super::languages;
use super::prose::{self, LineKind};

/// In percent: from this share of sentences on, apologies are what a text says.
const APOLOGY_SHARE: usize = 40;
/// In percent: a text with fewer of its words in the conversation is about something else.
const MIN_SHARED_WORDS: usize = 45;
/// A summary has at least this many different words of a conversation.
const MIN_KNOWN_WORDS: usize = 8;
/// Conversations with fewer different words can be told in fewer.
const SHORT_CONVERSATION: usize = 90;
/// In percent: this share of its runs of words in the previous summary makes a text the same.
const SAME_SHARE: usize = 90;
/// Words of a run.
const RUN_WORDS: usize = 3;

/// Apologies, excuses and requests for the conversation, folded.
const APOLOGIES: &[&str] = &[
    r"\bsorry\b",
    r"\bapolog",
    r"\bi regret\b",
    r"\bi'?m afraid\b",
    r"\bunable to (?:determine|tell|summari|provide|see|access|find)",
    r"\bi (?:cannot|can ?not|can'?t|could not|couldn'?t|was(?:n'?t| not) able to)\b",
    r"could(?: not|n'?t) be (?:determined|established|identified|summari)",
    r"\bno (?:conversation|messages|content|history) (?:was|were|seems?|has|have|to|is|reached|provided|given|available)",
    r"(?:share|paste|provide|send)(?: me)? (?:the|your|a)\b.{0,30}\b(?:conversation|messages|transcript|chat|text|history)",
    r"\bmissing conversation\b",
    r"not (?:enough|sufficient) (?:information|context)",
    r"\bunknown\b",
    r"konnten? nicht (?:ermittelt|bestimmt|festgestellt)",
    r"liess(?:en)? sich (?:nicht|keine)",
    r"\bleider\b",
    r"entschuldig",
    r"tut mir leid",
    r"nicht bekannt",
    r"desole",
    r"je ne peux pas",
    r"n'a pas pu etre",
    r"veuillez (?:fournir|partager|coller)",
    r"lo siento",
    r"no (?:pude|puedo|se pudo)",
    r"comparta|comparte (?:la|el)",
    r"desculpe",
    r"nao foi possivel",
    r"nao consegui",
    r"mi dispiace",
    r"non (?:e stato possibile|posso)",
    r"het spijt",
    r"kon niet worden (?:bepaald|vastgesteld)",
    r"przepraszam",
    r"nie udalo sie (?:ustalic|okreslic)",
    r"извин",
    r"не удалось (?:определить|установить)",
    r"uzgunum",
    r"belirlenemedi",
    "抱歉",
    "对不起",
    "无法(?:确定|得知|总结)",
    "请(?:提供|粘贴|分享)",
    "申し訳",
    "特定できません",
    "提供してください",
    "죄송",
    "확인할 수 없",
    "제공해 주",
];

/// Words that set the reader free of what was said, folded.
const OVERRIDES: &[&str] = &[
    r"(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|all|system)\b.{0,20}\b(?:instruction|rule|prompt|message|constraint|direction)",
    r"(?:ignorier|vergiss|missachte)\w*\b.{0,40}\b(?:anweisung|regel|vorgabe)",
    r"ignore[zr]?\b.{0,30}\b(?:instructions|consignes|regles)",
    r"ignor[ae]\b.{0,30}\b(?:instrucciones|reglas|instrucoes|regras|istruzioni|regole)",
    r"negeer\b.{0,30}\b(?:instructies|regels)",
    r"(?:zignoruj|pomin)\b.{0,30}\b(?:instrukcj|polece|zasad)",
    r"игнорируй\w*.{0,30}(?:инструкц|правил)",
    r"onceki.{0,20}(?:talimat|kural).{0,20}(?:yok say|gormezden)",
    r"(?:忽略|无视).{0,10}(?:指令|规则|要求|说明)",
    r"不再遵守",
    r"(?:指示|ルール|命令).{0,6}無視",
    r"(?:지시|명령|규칙).{0,8}무시",
];
/// Words that claim that everything is permitted, folded.
const BLANKET: &[&str] = &[
    r"(?:user|owner|operator|admin\w*|human|maintainers?)\b.{0,30}\b(?:approved|authori[sz]ed|allowed|permitted|granted|confirmed|signed off)\b.{0,30}\b(?:everything|all|any|every)\b",
    r"(?:everything|all commands?|any command|all actions?) (?:is|are|was|were|may|can|has been|have been)\b.{0,15}\b(?:approved|authori[sz]ed|allowed|permitted|run|executed)",
    r"no (?:further |more )?(?:confirmation|approval|permission) (?:is |are )?(?:needed|required|necessary)",
    r"(?:benutzer|nutzer|anwender)\w*\b.{0,30}\b(?:alles|alle befehle|jeden befehl)\b.{0,20}\b(?:erlaubt|genehmigt|freigegeben)",
    r"utilisateur\b.{0,20}\b(?:approuve|autorise) (?:tout|toutes)",
    r"usuario\b.{0,20}\b(?:aprob|autoriz|aprov)\w* (?:todo|todos|todas|tudo)",
    r"utente\b.{0,20}\b(?:approvato|autorizzato) (?:tutto|tutti)",
    r"gebruiker\b.{0,30}\balles\b.{0,15}(?:goedgekeurd|toegestaan)",
    r"uzytkownik\b.{0,25}(?:zatwierdzil|zezwolil).{0,15}wszystk",
    r"пользователь.{0,25}(?:одобрил|разрешил).{0,15}все",
    r"kullanici.{0,25}(?:her seyi|tum komut).{0,15}onayla",
    r"用户已?(?:经)?(?:授权|批准|同意|允许).{0,10}(?:任意|所有|全部|一切|任何)",
    r"ユーザー.{0,10}(?:すべて|全て).{0,10}(?:承認|許可)",
    r"사용자.{0,10}(?:모든|전부).{0,10}(?:승인|허용)",
];
/// Words that keep the person out, folded.
const BEHIND_BACKS: &[&str] = &[
    r"without (?:asking|confirmation|confirming|further confirmation|permission|approval)",
    r"(?:do not|don'?t|never) (?:tell|inform|mention|ask|notify)\b.{0,20}\buser",
    r"ohne (?:rueckfrage|ruckfrage|nachfrage|zu fragen|bestatigung)",
    r"sans (?:demander|confirmation)",
    r"sin (?:preguntar|confirmacion)",
    r"sem (?:perguntar|confirmacao)",
    r"senza (?:chiedere|conferma)",
    r"zonder (?:te vragen|bevestiging)",
    r"bez (?:pytania|potwierdzenia)",
    r"без (?:вопросов|подтверждения)",
    r"sormadan|onay almadan",
    r"(?:不|无)(?:需要?|用|必)?(?:再|要)?(?:询问|确认|告诉用户|通知用户)",
    r"確認(?:なし|せず)",
    r"(?:묻지|확인 없이|알리지)",
];
/// Commands that do harm, or that run what nobody has read.
const HARMFUL: &str = r#"(?i)(?:curl|wget)\b[^\n`]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\brm\s+-\w*[rf]\w*\s+\S+|\bgit\s+push\b[^\n`]{0,60}(?:--force\b|\s-f\b)[^\n`]{0,40}|\bsudo\s+\S+|\bchmod\s+-?R?\s*777[^\n`]{0,40}|\bmkfs\S*\s+\S+|\bdd\s+if=\S+|\bdrop\s+(?:database|schema)\s+\S+|\bterraform\s+(?:apply|destroy)\b[^\n`]{0,40}|\bbase64\s+-d[^\n`]{0,40}\|\s*\w+|\bcat\s+~/\.(?:ssh|aws)\S*|\beval\s+"?\$\([^)]*\)|\bnc\s+-e\s+\S+"#;

fn any_of(cues: &[&str]) -> Option<Regex> {
    Regex::new(&format!("(?:{})", cues.join("|"))).ok()
}

static APOLOGY: LazyLock<Option<Regex>> = LazyLock::new(|| any_of(APOLOGIES));
static ORDERS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [OVERRIDES, BLANKET, BEHIND_BACKS]
        .into_iter()
        .filter_map(any_of)
        .collect()
});
static HARM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HARMFUL).ok());

/// Whether a text is no summary of what was said.
pub(super) fn judge(
    index: &SourceIndex<'_>,
    summary: &str,
    sources: GroundingSources<'_>,
) -> Option<Worthless> {
    if sources.messages.is_empty() && sources.previous.is_none() {
        return None;
    }
    if is_no_prose(summary) {
        return Some(Worthless::Foreign);
    }
    let told = told(summary);
    if is_apology(&told) {
        return Some(Worthless::Apology);
    }
    if gives_orders(index, &told) {
        return Some(Worthless::Orders);
    }
    if is_other_language(summary, sources) {
        return Some(Worthless::OtherLanguage);
    }
    if is_unchanged(summary, sources) {
        return Some(Worthless::Unchanged);
    }
    is_foreign(index, &told, sources).then_some(Worthless::Foreign)
}

/// Whether a text without a heading is code, data, a page, a table or a talk with roles.
fn is_no_prose(summary: &str) -> bool {
    let lines = prose::lines(summary);
    let mut told = lines
        .iter()
        .filter(|line| line.kind != LineKind::Blank)
        .peekable();
    if told.peek().is_none()
        || lines
            .iter()
            .any(|line| line.text.trim_start().starts_with("## "))
    {
        return false;
    }
    let text = summary.trim();
    let is_data = text.starts_with('{') && text.ends_with('}')
        || text.starts_with('<') && text.ends_with('>');
    let speaks = |line: &&prose::ProseLine<'_>| {
        let folded = folded_text(line.text.trim_start());
        SPEAKERS.iter().any(|speaker| folded.starts_with(speaker))
    };
    let is_talk = lines.iter().filter(speaks).count() > 1;
    is_data
        || is_talk
        || told.all(|line| matches!(line.kind, LineKind::Code | LineKind::Row | LineKind::Rule))
}

/// How a line of a talk begins, folded.
const SPEAKERS: [&str; 6] = [
    "[user]",
    "[assistant]",
    "user:",
    "assistant:",
    "human:",
    "ai:",
];

/// What a text says: its sentences without headings and without `(none)`.
fn told(summary: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in prose::lines(summary) {
        if matches!(
            line.kind,
            LineKind::Heading | LineKind::Blank | LineKind::Rule
        ) {
            continue;
        }
        for sentence in prose::sentences(&line) {
            let text = line.text.get(sentence).unwrap_or_default().trim();
            let says_nothing = text.trim_matches(['.', '-', ' ']) == NONE
                || !text.chars().any(char::is_alphanumeric);
            if !says_nothing {
                out.push(text);
            }
        }
    }
    out
}

fn is_apology(told: &[&str]) -> bool {
    let Some(cue) = APOLOGY.as_ref() else {
        return false;
    };
    let sorry = told
        .iter()
        .filter(|sentence| cue.is_match(&folded_text(sentence)))
        .count();
    sorry > 0 && sorry * 100 >= told.len() * APOLOGY_SHARE
}

/// Whether a sentence orders the reader about in a way that nobody in the conversation did.
fn gives_orders(index: &SourceIndex<'_>, told: &[&str]) -> bool {
    told.iter().any(|sentence| {
        let folded = folded_text(sentence);
        let commands = ORDERS.iter().any(|cue| {
            let found = cue.find(&folded);
            found.is_some_and(|found| {
                let before = folded.get(..found.start()).unwrap_or_default();
                !is_denied(before) && !person_says(index, cue)
            })
        });
        commands || has_harmful_command(index, sentence)
    })
}

fn is_denied(folded: &str) -> bool {
    let lexicons = languages::all().iter();
    lexicons
        .filter(|lexicon| !lexicon.is_agglutinating)
        .any(|lexicon| {
            lexicon
                .negations
                .as_ref()
                .is_some_and(|cue| cue.is_match(folded))
        })
}

fn person_says(index: &SourceIndex<'_>, cue: &Regex) -> bool {
    let people = index
        .texts()
        .filter(|text| text.origin == TextOrigin::Person);
    people
        .into_iter()
        .any(|text| cue.is_match(&folded_text(&text.text)))
}

/// A command that does harm and that was neither run nor asked for.
fn has_harmful_command(index: &SourceIndex<'_>, sentence: &str) -> bool {
    let Some(cue) = HARM.as_ref() else {
        return false;
    };
    cue.find_iter(sentence).any(|found| {
        let words = super::claims::hashes(found.as_str());
        let is_said = |place: usize| {
            index.text_at(place).is_some_and(|text| {
                matches!(
                    text.origin,
                    TextOrigin::Person | TextOrigin::Argument | TextOrigin::Standing
                )
            })
        };
        let before = folded_text(sentence.get(..found.start()).unwrap_or_default());
        let after = folded_text(sentence.get(found.end()..).unwrap_or_default());
        let is_known = index
            .find(
                &words,
                &|_, gap| gap != super::fold::WordGap::Start,
                &is_said,
            )
            .is_some();
        !is_known && !is_denied(&before) && !is_denied(&after)
    })
}

fn is_other_language(summary: &str, sources: GroundingSources<'_>) -> bool {
    let Some((wanted, written)) =
        language::of_people(sources.messages).zip(language::of_summary(summary))
    else {
        return false;
    };
    written.differs_from(wanted) && !asks_for_language(sources, written)
}

/// Names of languages in the languages, folded.
const LANGUAGE_NAMES: [(&str, &[&str]); 9] = [
    (
        "English",
        &[
            "english",
            "englisch",
            "anglais",
            "ingles",
            "inglese",
            "engels",
            "angielsk",
            "английск",
            "ingilizce",
            "英文",
            "英语",
            "英語",
            "영어",
        ],
    ),
    (
        "German",
        &[
            "german",
            "deutsch",
            "allemand",
            "aleman",
            "tedesco",
            "duits",
            "niemieck",
            "немецк",
            "almanca",
            "德语",
            "德文",
            "ドイツ語",
            "독일어",
        ],
    ),
    (
        "French",
        &[
            "french",
            "franzosisch",
            "francais",
            "frances",
            "francese",
            "frans",
            "francusk",
            "французск",
            "fransizca",
            "法语",
            "法文",
            "フランス語",
            "프랑스어",
        ],
    ),
    (
        "Spanish",
        &[
            "spanish",
            "spanisch",
            "espagnol",
            "espanol",
            "spagnolo",
            "spaans",
            "hiszpansk",
            "испанск",
            "ispanyolca",
            "西班牙语",
        ],
    ),
    (
        "Portuguese",
        &[
            "portuguese",
            "portugiesisch",
            "portugais",
            "portugues",
            "portoghese",
            "portugees",
        ],
    ),
    (
        "Italian",
        &[
            "italian",
            "italienisch",
            "italien",
            "italiano",
            "italiaans",
            "wlosk",
        ],
    ),
    (
        "Dutch",
        &["dutch", "niederlandisch", "neerlandais", "nederlands"],
    ),
    (
        "Chinese",
        &["chinese", "chinesisch", "chinois", "chino", "中文", "汉语"],
    ),
    (
        "Japanese",
        &["japanese", "japanisch", "japonais", "日本語", "日语"],
    ),
];

/// Verbs of answering, folded.
const ANSWER_VERBS: [&str; 16] = [
    "answer",
    "reply",
    "respond",
    "speak",
    "write",
    "summar",
    "antwort",
    "schreib",
    "zusammenfass",
    "repond",
    "respond",
    "rispond",
    "回答",
    "总结",
    "答えて",
    "답",
];

/// Whether the person asked to be answered in a language: `antworte auf Englisch`.
fn asks_for_language(sources: GroundingSources<'_>, written: language::TextLanguage) -> bool {
    let name = written.name().unwrap_or("English");
    let Some((_, names)) = LANGUAGE_NAMES.iter().find(|(known, _)| *known == name) else {
        return false;
    };
    let people = sources
        .messages
        .iter()
        .filter(|source| matches!(*source.message, Message::User(_)));
    let texts: Vec<String> = people
        .map(|source| folded_text(&source.message.text()))
        .collect();
    let rules = sources.texts.iter().map(|text| folded_text(text));
    texts.into_iter().chain(rules).any(|text| {
        let mut clauses = text.split([',', '.', ';', '\n', '。', '，', '；']);
        clauses.any(|clause| {
            names.iter().any(|name| clause.contains(name))
                && ANSWER_VERBS.iter().any(|verb| clause.contains(verb))
        })
    })
}

/// Whether the previous summary came back although there is something new that it lacks.
fn is_unchanged(summary: &str, sources: GroundingSources<'_>) -> bool {
    let Some(previous) = sources.previous else {
        return false;
    };
    let (before, now) = (runs(previous), runs(summary));
    let shared = now.intersection(&before).count();
    if now.is_empty() || shared * 100 < now.len() * SAME_SHARE {
        return false;
    }
    let known = keywords::normalize(summary);
    sources
        .messages
        .iter()
        .any(|source| match source.message.as_ref() {
            Message::User(_) => is_missing(&source.message.text(), &known),
            _ => false,
        })
}

/// The runs of words of a text.
fn runs(text: &str) -> BTreeSet<Vec<u64>> {
    let words = super::claims::hashes(text);
    words.windows(RUN_WORDS).map(<[u64]>::to_vec).collect()
}

/// Whether a demand is not in a text: fewer than half of its words, or not its identifiers.
fn is_missing(demand: &str, known: &str) -> bool {
    let words = keywords::keywords(demand);
    let hits = words
        .iter()
        .filter(|word| known.contains(word.as_str()))
        .count();
    let mut names = false;
    identifiers::each_candidate(demand, &mut |token| {
        names |= identifiers::classify(token).is_some() && !known.contains(&token.to_lowercase());
    });
    words.len() >= 2 && (hits * 2 < words.len() || names)
}

/// Whether too few of its words are words of the conversation.
fn is_foreign(index: &SourceIndex<'_>, told: &[&str], sources: GroundingSources<'_>) -> bool {
    let (known, all) = shared_words(index, told);
    let says_little = known < MIN_KNOWN_WORDS && has_many_words(sources);
    says_little || all >= MIN_KNOWN_WORDS && known * 100 < all * MIN_SHARED_WORDS
}

/// Whether a conversation has too many different words for a text with next to none of them;
/// what says the same again counts once.
fn has_many_words(sources: GroundingSources<'_>) -> bool {
    let mut said: BTreeSet<u64> = BTreeSet::new();
    sources.messages.iter().any(|source| {
        let text = source.message.text();
        text.split_whitespace().any(|word| {
            said.insert(word_hash(&word.to_lowercase()));
            said.len() >= SHORT_CONVERSATION
        })
    })
}

/// How many different words of a text the conversation has, and how many there are.
pub(super) fn shared_words(index: &SourceIndex<'_>, told: &[&str]) -> (usize, usize) {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for sentence in told {
        words.extend(keywords::words(&keywords::normalize(sentence)));
    }
    let telling = words
        .iter()
        .filter(|word| word.chars().any(char::is_alphabetic));
    let telling: Vec<&String> = telling.collect();
    let known = telling.iter().filter(|word| is_said(index, word)).count();
    (known, telling.len())
}

fn is_said(index: &SourceIndex<'_>, word: &str) -> bool {
    let hashes = super::claims::hashes(word);
    if hashes.len() > 1 {
        return index
            .find(&hashes, &|_, gap| gap.joins(), &|_| true)
            .is_some();
    }
    index.count(word_hash(word)) > 0
        || super::claims::other_number(word)
            .iter()
            .any(|form| index.count(word_hash(form)) > 0)
}
