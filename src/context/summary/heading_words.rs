//! The words by which headings are known, in the languages that models write summaries in.
//!
//! A table is data: words and phrases separated by `|`, in lower case. `*` lets the last word
//! go on: `rule*` is in “Rules of the user”. Words of languages without spaces are looked for
//! anywhere.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::template::SectionRole;

/// Of a title that says two things, the role that stands first here is its role.
const ROLES: [(SectionRole, &str); 12] = [
    (
        SectionRole::Goal,
        "goal*|objective*|aim|aims|purpose|mission|this is about|\
         ziel*|zweck|worum es geht|objectif*|but|objetivo*|meta|obiettivo|obiettivi|scopo|doel*|\
         cel|cele|цель|цели|amaç*|amac*|hedef*|目标|目的|目標|ゴール|목표",
    ),
    (
        SectionRole::Constraints,
        "constraint*|rule*|preference*|guideline*|\
         einschränkung*|vorgabe*|regel*|präferenz*|vorlieben|randbedingung*|rahmenbedingung*|\
         contrainte*|règle*|préférence*|consigne*|restriccion*|restricción|regla*|preferencia*|\
         norma*|restriç*|regra*|preferência*|vincol*|regol*|preferenz*|beperking*|voorkeur*|\
         randvoorwaard*|ograniczeni*|zasad*|reguł*|preferencj*|ограничени*|правил*|предпочтени*|\
         kısıt*|kural*|tercih*|约束|规则|偏好|限制|制約|ルール|規則|제약|규칙|선호",
    ),
    (
        SectionRole::InProgress,
        "in progress|ongoing|under way|running|being done|in arbeit|laufend*|in bearbeitung|\
         en cours|en curso|en progreso|en marcha|em andamento|em curso|em progresso|in corso|\
         in uitvoering|bezig|lopend*|w toku|w trakcie|в работе|в процессе|выполняется|\
         devam ed*|süren|yapılmakta|进行中|進行中|作業中|진행 중|진행중",
    ),
    (
        SectionRole::Progress,
        "progress*|work state|state of the work|state of work|status|\
         fortschritt*|stand|arbeitsstand|avancement*|progrès|progression|état|progreso*|avance*|\
         estado|progresso*|avanzament*|stato|voortgang|postęp*|stan|ход|прогресс*|состояние|\
         ilerleme*|durum*|进展|进度|進捗|経過|진행|진척|경과",
    ),
    (
        SectionRole::Done,
        "done|completed|finished|erledigt*|fertig*|abgeschlossen*|fait|faits|terminé*|accompli*|\
         réalisé*|hecho|terminad*|completad*|feito|feitos|concluíd*|fatto|completat*|conclus*|\
         gedaan|klaar|afgerond*|voltooid*|zrobion*|gotow*|ukończon*|wykonan*|zakończon*|\
         сделан*|готов*|завершен*|завершён*|выполнен*|yapılan*|tamamlan*|biten*|完成|完了|済|완료",
    ),
    (
        SectionRole::Decisions,
        "decision*|decided|choice*|entscheidung*|beschlüsse|beschluss|décision*|choix|decisión|\
         decisiones|decisão|decisões|decisioni|beslissing*|besluit*|keuze*|decyzj*|ustaleni*|\
         решени*|karar*|决定|决策|決定|判断|결정",
    ),
    (
        SectionRole::PendingAsks,
        "pending|user ask*|open ask*|request*|waiting for|asked for|user wants|user asked|\
         offene*|ausstehend*|anfrage*|wünsche|auftrag|aufträge|demande*|en attente|petición|peticiones|\
         solicitud*|pendiente*|pedido*|solicitaç*|pendente*|richiest*|verzoek*|openstaand*|\
         prośb*|oczekując*|запрос*|просьб*|ожида*|istek*|bekleyen*|talep*|请求|待处理|依頼|要求|\
         未対応|요청",
    ),
    (
        SectionRole::Blocked,
        "blocked|blocker*|blocking|waiting|blockiert*|hinderniss*|hindernis|bloqué*|blocage*|\
         bloquant*|bloquead*|bloqueo*|bloqueio*|bloccat*|blocchi|blocco|geblokkeerd*|blokkade*|\
         zablokowan*|blokad*|przeszkod*|заблокирован*|блокир*|препятств*|engel*|bloke*|\
         阻塞|受阻|阻碍|ブロック|停滞|阻害|차단|막힘|막힌",
    ),
    (
        SectionRole::NextSteps,
        "next|todo*|to do|plan|plans|planned|remaining|open|future|nächste*|prochain*|étape*|próxim*|proxim*|siguiente*|prossim*|volgende|\
         następn*|kolejn*|следующ*|дальнейш*|sonraki|sıradaki|下一步|待办|后续|次|今後|다음|향후",
    ),
    (
        SectionRole::Files,
        "file*|datei*|fichier*|archivo*|fichero*|arquivo*|ficheiro*|bestand*|plik*|файл*|dosya*|\
         文件|ファイル|파일",
    ),
    (
        SectionRole::Critical,
        "critical|important|context|remember*|kritisch*|wichtig*|kontext*|contexte*|critique*|\
         contexto*|crític*|importante*|contesto*|critic*|kritiek*|belangrijk*|krytyczn*|ważn*|\
         контекст*|важн*|критич*|bağlam*|kritik*|önemli*|背景|关键|上下文|重要|文脈|コンテキスト|\
         중요|맥락|컨텍스트|배경|핵심",
    ),
    (
        SectionRole::Identifiers,
        "identifier*|names and numbers|exact names|kennung*|bezeichner*|identifikator*|\
         identifiant*|identificador*|identificator*|identificati*|identyfikator*|идентификатор*|\
         tanımlayıcı*|kimlik*|标识|識別子|식별자",
    ),
];

/// All words and phrases, ready to be looked for at once.
struct HeadingCues {
    finder: Option<AhoCorasick>,
    /// The position in [`ROLES`] of each.
    roles: Vec<usize>,
}

static CUES: LazyLock<HeadingCues> = LazyLock::new(|| {
    let all = ROLES.iter().enumerate();
    let all = all.flat_map(|(at, (_, cues))| cues.split('|').map(move |cue| (at, cue)));
    let (roles, texts): (Vec<usize>, Vec<String>) =
        all.map(|(at, cue)| (at, looked_for(cue))).unzip();
    HeadingCues {
        finder: AhoCorasick::new(texts).ok(),
        roles,
    }
});

/// What belongs under a heading, by its words.
pub(in crate::context) fn role_of(title: &str) -> SectionRole {
    let title = spaced(title);
    // Part of many words, so it has to be all of the title.
    if title == " active " {
        return SectionRole::InProgress;
    }
    let hits = CUES.finder.iter();
    let hits = hits.flat_map(|finder| finder.find_overlapping_iter(&title));
    let roles = hits.filter_map(|hit| CUES.roles.get(hit.pattern().as_usize()));
    let first = roles.min().and_then(|at| ROLES.get(*at));
    first.map_or(SectionRole::Other, |(role, _)| *role)
}

/// A title in lower case, each word between single spaces.
fn spaced(title: &str) -> String {
    // A capital `İ` of Turkish leaves its dot behind.
    let title = title.to_lowercase().replace('\u{307}', "");
    let words = title.split(|c: char| !c.is_alphanumeric());
    let mut out = String::from(" ");
    for word in words.filter(|word| !word.is_empty()) {
        out.push_str(word);
        out.push(' ');
    }
    out
}

/// A cue as it stands in a [`spaced`] title: whole words between spaces, where there are any.
fn looked_for(cue: &str) -> String {
    let is_unspaced = cue.chars().any(|c| ('\u{2e80}'..='\u{d7ff}').contains(&c));
    match cue.strip_suffix('*') {
        _ if is_unspaced => cue.to_owned(),
        Some(stem) => format!(" {stem}"),
        None => format!(" {cue} "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::TemplateKind;
    use crate::context::summary::template::headings;
    use SectionRole::{
        Blocked, Constraints, Critical, Decisions, Done, Goal, Identifiers, InProgress, NextSteps,
        PendingAsks, Progress,
    };

    #[test]
    fn the_headings_are_known_in_thirteen_languages() {
        let languages = [
            "Goal|Constraints & Preferences|Progress|Done|In Progress|Blocked|Decisions|Pending user asks|Next Steps|Critical Context|Exact identifiers|Relevant Files",
            "Ziel|Einschränkungen & Vorlieben|Fortschritt|Erledigt|In Arbeit|Blockiert|Entscheidungen|Offene Wünsche des Benutzers|Nächste Schritte|Wichtiger Kontext|Genaue Bezeichner|Wichtige Dateien",
            "Objectif|Contraintes et préférences|Avancement|Fait|En cours|Bloqué|Décisions|Demandes de l'utilisateur|Prochaines étapes|Contexte critique|Identifiants exacts|Fichiers concernés",
            "Objetivo|Restricciones y preferencias|Progreso|Hecho|En curso|Bloqueado|Decisiones|Peticiones pendientes|Próximos pasos|Contexto crítico|Identificadores exactos|Archivos relevantes",
            "Objetivo|Restrições e preferências|Progresso|Feito|Em andamento|Bloqueado|Decisões|Pedidos pendentes do usuário|Próximos passos|Contexto crítico|Identificadores exatos|Arquivos relevantes",
            "Obiettivo|Vincoli e preferenze|Avanzamento|Fatto|In corso|Bloccato|Decisioni|Richieste dell'utente in sospeso|Prossimi passi|Contesto critico|Identificatori esatti|File rilevanti",
            "Doel|Beperkingen en voorkeuren|Voortgang|Gedaan|Bezig|Geblokkeerd|Beslissingen|Openstaande verzoeken|Volgende stappen|Kritieke context|Exacte identificaties|Relevante bestanden",
            "Cel|Ograniczenia i preferencje|Postęp|Zrobione|W toku|Zablokowane|Decyzje|Oczekujące prośby|Następne kroki|Krytyczny kontekst|Dokładne identyfikatory|Istotne pliki",
            "Цель|Ограничения и предпочтения|Прогресс|Сделано|В работе|Заблокировано|Решения|Запросы пользователя|Следующие шаги|Критический контекст|Точные идентификаторы|Важные файлы",
            "Amaç|Kısıtlar ve tercihler|İlerleme|Tamamlananlar|Devam eden|Engellenen|Kararlar|Bekleyen kullanıcı istekleri|Sonraki adımlar|Kritik bağlam|Tam tanımlayıcılar|İlgili dosyalar",
            "目标|约束与偏好|进展|已完成|进行中|受阻|决策|用户待处理请求|下一步|关键背景|准确标识符|相关文件",
            "目的|制約と好み|進捗|完了|進行中|ブロック中|決定事項|ユーザーの未対応の依頼|次のステップ|重要な背景|正確な識別子|関連ファイル",
            "목표|제약 및 선호|진행 상황|완료|진행 중|막힘|결정 사항|사용자 요청|다음 단계|중요 맥락|정확한 식별자|관련 파일",
        ];
        // What the roles of the standard template are is said in its own test.
        let all: Vec<SectionRole> = headings(&TemplateKind::Standard)
            .iter()
            .map(|heading| heading.role)
            .collect();
        for language in languages {
            let roles: Vec<SectionRole> = language.split('|').map(role_of).collect();
            assert_eq!(roles, all, "{language}");
        }
    }

    #[test]
    fn headings_in_plain_words_are_known() {
        for (title, role) in [
            ("What this is about", Goal),
            ("Rules the user set", Constraints),
            ("State of the work", Progress),
            ("Finished", Done),
            ("Running", InProgress),
            ("Waiting", Blocked),
            ("Choices made", Decisions),
            ("What the user wants now", PendingAsks),
            ("What the user is waiting for", PendingAsks),
            ("What comes next", NextSteps),
            ("Worth remembering", Critical),
            ("Names and numbers", Identifiers),
            ("Abandoned attempts", SectionRole::Other),
            ("Contribution", SectionRole::Other),
            ("Measurements", SectionRole::Other),
        ] {
            assert_eq!(role_of(title), role, "{title}");
        }
    }
}
