//! Places whose contents an action changes: production, and folders, tables and disks that are
//! emptied.

/// Words for what runs for real, in lower case.
const PRODUCTION: &[&str] = &[
    "prod",
    "prd",
    "production",
    "live",
    "produktion",
    "produktiv",
    "produktivsystem",
    "produktivdatenbank",
    "produktionsdatenbank",
    "produktivdaten",
    "echtsystem",
    "producción",
    "produccion",
    "produção",
    "producao",
    "produzione",
    "productie",
    "produkcja",
    "produkcji",
    "produkcyjna",
    "produkcyjnej",
    "прод",
    "проде",
    "продакшн",
    "продакшене",
    "canlı",
    "canli",
    "üretim",
    "uretim",
];
/// The same in scripts without spaces.
const PRODUCTION_SIGNS: &[&str] = &["生产", "本番", "프로덕션", "운영"];

/// What is emptied, beginnings of words in lower case.
const STORES: &[&str] = &[
    "director",
    "folder",
    "dir",
    "bucket",
    "table",
    "database",
    "volume",
    "disk",
    "partition",
    "environment",
    "cluster",
    "account",
    "backup",
    "snapshot",
    "artifact",
    "artefact",
    "inbox",
    "mailbox",
    "trash",
    "verzeichnis",
    "ordner",
    "arbeitsverzeichnis",
    "tabelle",
    "datenbank",
    "laufwerk",
    "platte",
    "papierkorb",
    "postfach",
    "répertoire",
    "dossier",
    "base",
    "disque",
    "corbeille",
    "carpeta",
    "tabla",
    "disco",
    "pasta",
    "tabela",
    "cartella",
    "tabella",
    "map",
    "tabel",
    "schijf",
    "katalog",
    "folder",
    "baza",
    "bazę",
    "dysk",
    "каталог",
    "папк",
    "таблиц",
    "баз",
    "диск",
    "dizin",
    "klasör",
    "tablo",
    "disk",
];
/// The same in scripts without spaces.
const STORE_SIGNS: &[&str] = &[
    "目录",
    "文件夹",
    "数据库",
    "表",
    "磁盘",
    "ディレクトリ",
    "フォルダ",
    "データベース",
    "テーブル",
    "ディスク",
    "디렉터리",
    "디렉토리",
    "폴더",
    "데이터베이스",
    "테이블",
    "디스크",
];

/// Words after which `production` is a property of code, in lower case.
const OF_CODE: &[&str] = &[
    "code",
    "build",
    "builds",
    "bundle",
    "mode",
    "profile",
    "config",
    "configuration",
    "settings",
    "setting",
    "dependencies",
    "template",
    "image",
];

/// Whether a clause in lower case names production, in a name that is no file.
pub(super) fn names_production(clause: &str) -> bool {
    let mut tokens = clause.split_whitespace().peekable();
    while let Some(token) = tokens.next() {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        let is_file = bare.contains(['/', '.']);
        let mut words = bare.split(|c: char| !c.is_alphanumeric());
        let next = tokens
            .peek()
            .map_or("", |next| next.trim_matches(|c: char| !c.is_alphanumeric()));
        if !is_file && words.any(|word| PRODUCTION.contains(&word)) && !OF_CODE.contains(&next) {
            return true;
        }
    }
    PRODUCTION_SIGNS.iter().any(|sign| clause.contains(sign))
}

/// Whether a clause in lower case names a place that can be emptied.
pub(super) fn names_a_store(clause: &str) -> bool {
    let mut words = clause.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        STORES.iter().any(|store| {
            if store.len() < 5 {
                word == *store || word.strip_suffix('s') == Some(store)
            } else {
                word.starts_with(store)
            }
        })
    }) || STORE_SIGNS.iter().any(|sign| clause.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn production_is_a_place_and_no_property_of_code() {
        for (clause, expected) in [
            ("the row in nk_prod was corrected", true),
            ("the rows on production were updated", true),
            ("the production build was updated", false),
            ("config/prod.yml was changed", false),
            ("the product page was updated", false),
            ("生产环境的数据已更新", true),
        ] {
            assert_eq!(names_production(clause), expected, "{clause}");
        }
    }

    #[test]
    fn folders_and_tables_are_emptied_and_code_is_not() {
        for (clause, expected) in [
            ("the work directory has been cleaned up", true),
            ("das arbeitsverzeichnis wurde geleert", true),
            ("cleaned up the imports", false),
            ("directly cleared", false),
        ] {
            assert_eq!(names_a_store(clause), expected, "{clause}");
        }
    }
}
