//! Whether a summary tells a failure, in whatever section.

use std::sync::LazyLock;

use regex::Regex;

use super::keywords;

/// It fails, failed or ends badly, in lower case, by language.
static FAILS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let spaced = r"fail\w*|broken?|error\w*|crash\w*|aborted|refused|rejected|exit code [1-9]\d*\
        |exits with|exited with|could not|cannot|unable to|does not (?:run|work|compile|build)\
        |fehlgeschlag\w*|fehler\w*|scheiter\w*|abgebrochen|schlug\w*|schlägt|geht nicht\
        |échou\w*|échec\w*|erreur\w*|fall[aóo]\w*|falha\w*|falhou|fracas\w*|error\w*|erro\w*\
        |fallit\w*|fallisce|errore|mislukt\w*|faalt|fout\w*|nie powiod\w*|nieudan\w*|błąd\w*\
        |не удал\w*|ошибк\w*|провал\w*|упал\w*|başarısız\w*|hata\w*";
    let inside = "失败|失敗|错误|报错|エラー|실패|오류";
    Regex::new(&format!(r"\b(?:{spaced})\b|{inside}")).ok()
});

/// It ended well after all, or nothing failed, in lower case.
static ENDS_WELL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:succeed\w*|success\w*|passed|passes|put right|resolved|no (?:errors?|failures?)|without errors?|(?:0|none|nothing) failed|never failed|(?:did|does) not fail|didn't fail|erfolgreich|behoben|keine fehler|réussi\w*|résolu\w*|con éxito|resuelt\w*|sin errores|com sucesso|con successo|geslaagd|opgelost|успешно|исправлен\w*)\b|成功|通过|解決|성공",
    )
    .ok()
});

/// In hundredths: this much of the words of what failed stand in the line that tells it.
const SUBJECT_SHARE: usize = 60;
/// The same for the words of how it failed, and the fewest of them.
const GIST_SHARE: usize = 34;
const MIN_GIST_WORDS: usize = 3;

/// The lines of a text that say that something fails or failed and not that it ended well.
pub(super) fn told_in(text: &str) -> Vec<String> {
    let has = |cue: &Option<Regex>, line: &str| cue.as_ref().is_some_and(|cue| cue.is_match(line));
    let lines = text.lines().map(keywords::normalize);
    lines
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter(|line| has(&FAILS, line) && !has(&ENDS_WELL, line))
        .collect()
}

/// Whether one of these lines tells a failure: ``bash `cargo test`: 1 failed``.
pub(super) fn is_told(lines: &[String], failure: &str) -> bool {
    let failure = keywords::normalize(failure);
    let parts = failure
        .split_once('`')
        .and_then(|(_, rest)| rest.split_once('`'));
    let (subject, gist) = parts.unwrap_or((failure.as_str(), failure.as_str()));
    lines.iter().any(|line| {
        let share = |text: &str| {
            let mut words = keywords::words(text);
            words.sort_unstable();
            words.dedup();
            let hits = words
                .iter()
                .filter(|word| line.contains(word.as_str()))
                .count();
            (hits, hits * 100 / words.len().max(1))
        };
        let (named, subject_share) = share(subject);
        let (hits, gist_share) = share(gist);
        named > 0 && subject_share >= SUBJECT_SHARE
            || hits >= MIN_GIST_WORDS && gist_share >= GIST_SHARE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_told_by(text: &str) -> bool {
        let failure = "shell `cargo --version`: error: rustup could not choose a version of cargo \
            to run, because one wasn't specified explicitly";
        is_told(&told_in(text), failure)
    }

    #[test]
    fn a_failure_is_told_in_any_section_by_words_that_say_that_it_failed() {
        for text in [
            "### Done\n- `cargo --version` failed because rustup has no default toolchain.",
            "## Progress\n- Still failing: `cargo --version` (exit code 1)",
            "## Notes\n- `cargo --version` ist fehlgeschlagen.",
            "## Notes\n- `cargo --version` a échoué.",
            "- cargo --version falló.",
            "- rustup could not choose a version of cargo to run.",
        ] {
            assert!(is_told_by(text), "{text}");
        }
        for text in [
            "### Done\n- `cargo --version` succeeded.",
            "- `cargo --version` failed first and then passed.",
            "- `cargo --version` was run.",
            "- The lexer fails with E0308.",
            "### Failed `cargo --version`\n- (none)",
            "- No errors with `cargo --version`.",
        ] {
            assert!(!is_told_by(text), "{text}");
        }
    }
}
