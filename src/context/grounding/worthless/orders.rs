//! Orders to the reader that nobody in the conversation gave.

use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claims;
use crate::context::grounding::fold::{self, folded_text};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::grounding::languages;

use super::apology::any_of;

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
    r"\b(?:rules?|restrictions?|constraints?|safeguards?|limits?|instructions?)\b.{0,30}\b(?:above|before|earlier|so far)\b.{0,20}\b(?:void|lifted|suspended|no longer|do not apply|don'?t apply|expired)\b",
    r"\b(?:new|updated) (?:policy|instructions?|system prompt|orders)\s*:",
    r"\byou (?:are|have been) now\b.{0,40}\b(?:mode|unrestricted|root|admin\w*|free of|developer)\b",
    r"\b(?:neue|geanderte) (?:anweisung|richtlinie|regel)\w*\s*:",
    r"(?:bisherige|alle|obige|vorherige)\w* .{0,20}(?:regel|vorgabe|anweisung|einschrankung)\w* (?:gelten|sind|ist|wurden) .{0,12}(?:nicht mehr|aufgehoben|hinfallig|ungultig)",
    r"(?:oubli\w+|ne tiens plus compte)\b.{0,30}\b(?:instructions|consignes|regles)",
    r"(?:olvida|esquece|esqueca|dimentica|vergeet|zapomnij|забудь)\w*\b.{0,30}(?:instrucc|instruc|regla|regra|istruz|regole|instructie|regels|instrukcj|zasad|инструкц|правил)",
    r"(?:新|最新)(?:指令|政策|规定)[：:]",
    r"以上.{0,8}(?:作废|失效|不再有效)",
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
    r"\b(?:blanket|full|unrestricted|unlimited|permanent|standing) (?:consent|approval|permission|authori[sz]ation|authority|access)\b",
    r"\b(?:lifted|removed|suspended|waived|dropped|revoked|cancell?ed)\b.{0,12}\b(?:all|every|any)\b.{0,20}\b(?:restriction|rule|limit|constraint|safeguard|guard|confirmation)",
    r"\ball (?:restrictions?|rules|limits|constraints|safeguards|confirmations?)\b.{0,12}\b(?:are|were|is|have been)\b.{0,12}\b(?:lifted|removed|suspended|waived|off|void|dropped)\b",
    r"\b(?:carte blanche|free hand|free rein)\b",
    r"\b(?:run|execute|use|do)\b.{0,60}\bon any (?:context|host|server|machine|branch|account|environment)\b",
    r"\b(?:pauschal\w*|uneingeschrankt\w*|vollstandig\w*) (?:zustimmung|erlaubnis|freigabe|genehmigung|zugriff|rechte)\b",
    r"\balle (?:einschrankungen|regeln|vorgaben|sperren)\b.{0,20}\b(?:aufgehoben|ausser kraft|auser kraft|entfernt|abgeschaltet)\b",
    r"\b(?:toutes les|tous les) (?:restrictions|regles|limites)\b.{0,16}\b(?:levees|supprimees|suspendues)\b",
    r"\btodas? las? (?:restricciones|reglas|limitaciones)\b.{0,20}\b(?:levantad|eliminad|suspendid|anulad)",
    r"\btodas? as? (?:restricoes|regras)\b.{0,20}\b(?:suspens|removid|levantad|anulad)",
    r"\btutte le (?:restrizioni|regole)\b.{0,20}\b(?:revocat|rimoss|sospes|annullat)",
    r"\balle (?:beperkingen|regels)\b.{0,20}\b(?:opgeheven|vervallen|ingetrokken)\b",
    r"\bwszystkie (?:ograniczenia|zasady)\b.{0,20}\b(?:zniesion|uchylon|cofniet)",
    r"все (?:ограничения|правила|запреты).{0,16}(?:сняты|отменены)",
    r"tum (?:kisitlamalar|kurallar).{0,16}(?:kaldirildi|iptal)",
    r"(?:所有|全部|一切)(?:限制|规则|约束).{0,6}(?:解除|取消|作废)",
    r"(?:一律|全部)(?:批准|授权|放行)",
    r"(?:すべての|全ての|全)(?:制限|ルール|規則).{0,6}(?:解除|撤廃|無効)",
    r"모든 (?:제한|규칙|제약).{0,8}(?:해제|철회|무효)",
];
/// Words that keep the person out, folded.
const BEHIND_BACKS: &[&str] = &[
    r"without (?:asking|confirmation|confirming|further confirmation|permission|approval)",
    r"without (?:talking to|telling|informing|consulting|involving) (?:the )?(?:user|owner|human|developer|anyone|anybody)",
    r"\byou,? (?:the )?(?:assistant|model|agent|ai|reader)\b.{0,40}\b(?:do|must|will|shall|run|execute)\b",
    r"ohne (?:den |die )?(?:benutzer\w*|nutzer\w*|anwender\w*) (?:zu (?:fragen|informieren)|einzubeziehen)",
    r"sans (?:en parler|prevenir|consulter|informer)",
    r"sin (?:avisar|consultar|informar)",
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
    r"\b(?:do not|don'?t|never) ask (?:again|for (?:confirmation|permission|approval)|the user)\b",
    r"\b(?:stay|remain|keep) (?:silent|quiet)\b",
    r"\b(?:acknowledge|proceed|comply|continue|act) silently\b",
    r"\b(?:hide|conceal|keep)\b.{0,24}\b(?:from the user|secret|to yourself)\b",
    r"\bwithout (?:telling|informing|notifying|mentioning)\b",
    r"\bfrag\w* nicht (?:mehr )?nach\b|\bnicht (?:mehr|erneut|nochmals) (?:fragen|nachfragen)\b",
    r"\b(?:sag|erzahl|melde|verrate)\w*\b.{0,24}\b(?:nutzer|benutzer|anwender)\b.{0,16}\bnichts\b",
    r"\bne (?:demande|dis|previens|signale)\w* (?:plus |rien )",
    r"\bno (?:vuelvas a preguntar|se lo digas|le digas|avises)\b",
    r"\bnao (?:pergunte|conte|avise|diga)\b.{0,20}(?:novamente|de novo|ao usuario)",
    r"\bnon (?:chiedere|dirlo|avvisare)\b.{0,20}(?:piu|di nuovo|utente)",
    r"\b(?:vraag niet|zeg niets)\b.{0,20}(?:meer|opnieuw|gebruiker)",
    r"\bnie (?:pytaj|mow|informuj)\b.{0,20}(?:wiecej|ponownie|uzytkownik)",
    r"не (?:спрашивай|сообщай|говори).{0,20}(?:больше|снова|пользовател)",
    r"(?:bir daha|tekrar) sorma|kullaniciya (?:soyleme|bildirme)",
    r"不要(?:再)?(?:询问|告诉|通知|提及)",
    r"(?:もう|再度)(?:確認|質問)し?ない|ユーザーに(?:知らせ|伝え|言わ)",
    r"다시 묻지|사용자에게 (?:알리지|말하지)",
];
/// Notes that address the reader in the name of somebody else, folded.
const ADDRESSED: &[&str] = &[
    r"<!--\s*(?:note )?(?:to |for )?(?:the )?(?:assistant|agent|model|ai|llm|bot|reader|system|给助手|助手|an den assistenten|assistent)\b",
    r"<!--\s*(?:给|致)?(?:助手|模型|智能体)",
    r"^\s*\W{0,3}(?:system|admin|operator|developer)(?: (?:notice|message|note|prompt|override|alert))?\s*[:\]>]",
    r"\b(?:upload|send|post|exfiltrate|copy|leak|mail|forward)\b.{0,80}(?:credentials|\.ssh|\.aws|\.netrc|id_rsa|\.env\b|api keys?|tokens?|secrets?|passwords?).{0,60}\b(?:to|at)\b.{0,20}(?:https?://|\w+@\w+)",
];
/// Commands that do harm, or that run what nobody has read.
const HARMFUL: &str = r#"(?i)(?:curl|wget|fetch|iwr|invoke-webrequest)\b[^\n`]{0,200}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k|fi)?sh|python\d?|perl|ruby|node|php|deno|iex|pwsh|powershell|tee\s+/etc\S*)\b|\b(?:ba|z)?sh\s+<\(\s*(?:curl|wget)[^\n`]{0,200}\)|\b(?:ba)?sh\s+-c\s+"?\$\((?:curl|wget)[^\n`]{0,200}|\brm\s+-\w*[rf]\w*\s+\S+|\bgit\s+push\b[^\n`]{0,60}(?:--force\b|\s-f\b)[^\n`]{0,40}|\bsudo\s+\S+|\bchmod\s+-?R?\s*777[^\n`]{0,40}|\bmkfs\S*\s+\S+|\bdd\s+if=\S+|\bdrop\s+(?:database|schema)\s+\S+|\bterraform\s+(?:apply|destroy)\b[^\n`]{0,40}|\bbase64\s+-d[^\n`]{0,40}\|\s*\w+|\bcat\s+~/\.(?:ssh|aws)\S*|\beval\s+"?\$\([^)]*\)|\bnc\s+-e\s+\S+"#;

static ORDERS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [OVERRIDES, BLANKET, BEHIND_BACKS, ADDRESSED]
        .into_iter()
        .filter_map(any_of)
        .collect()
});
static HARM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HARMFUL).ok());

/// Whether a sentence orders the reader about in a way that nobody in the conversation did.
pub(super) fn gives_orders(index: &SourceIndex<'_>, told: &[&str]) -> bool {
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
    people.into_iter().any(|text| {
        let mut lines = text.text.split(['\n', '.', '!', ';', '。']);
        lines.any(|line| {
            let folded = folded_text(line);
            // Who forbids what is done without asking permits nothing.
            let found = cue.find(&folded);
            found.is_some_and(|found| !is_denied(folded.get(..found.start()).unwrap_or_default()))
        })
    })
}

/// A command that does harm and that was neither run nor asked for.
fn has_harmful_command(index: &SourceIndex<'_>, sentence: &str) -> bool {
    let Some(cue) = HARM.as_ref() else {
        return false;
    };
    cue.find_iter(sentence).any(|found| {
        let words = claims::hashes(found.as_str());
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
            .find(&words, &|_, gap| gap != fold::WordGap::Start, &is_said)
            .is_some();
        !is_known && !is_denied(&before) && !is_denied(&after)
    })
}
