//! Overflows that are told without two sizes: a clause whose subject is the prompt or the
//! window, and that says in the same breath that it is too much.

use super::EXCESSES;

/// What does not fit, or what it does not fit into.
const SUBJECTS: &[&str] = &[
    "prompt",
    "input token",
    "input length",
    "input size",
    "input sequence",
    "input text",
    "length of input",
    "length of the input",
    "your input",
    "the input",
    "inputs",
    "context window",
    "context length",
    "context size",
    "context limit",
    "context budget",
    "maximum context",
    "max context",
    "model's context",
    "token count",
    "number of input",
    "message tokens",
    "token length",
    "number of tokens",
    "total tokens",
    "sequence length",
    "conversation",
    "chat history",
    "message history",
    "message length",
    "messages are",
    "message is",
    "request is",
    "n_ctx",
    "max_model_len",
    "max_seq_len",
    "kontextfenster",
    "kontextlänge",
    "kontextgröße",
    "eingabe",
    "fenêtre de contexte",
    "longueur du contexte",
    "taille du contexte",
    "l'entrée",
    "ventana de contexto",
    "longitud del contexto",
    "la entrada",
    "finestra di contesto",
    "lunghezza del contesto",
    "janela de contexto",
    "comprimento do contexto",
    "a entrada",
    "contextvenster",
    "contextlengte",
    "invoer",
    "okno kontekstu",
    "okna kontekstu",
    "długość kontekstu",
    "окно контекста",
    "окна контекста",
    "длина контекста",
    "длину контекста",
    "bağlam penceresi",
    "bağlam uzunluğu",
    "上下文",
    "输入",
    "提示词",
    "コンテキスト",
    "プロンプト",
    "入力",
    "컨텍스트",
    "프롬프트",
    "입력",
];

/// Further words that say it in a clause.
const COMPLAINTS: &[&str] = &[
    "beyond",
    "n't fit",
    "overflow",
    "must be less than",
    "should be less than",
    "must be at most",
    "should be at most",
    "should have at most",
    "überschritt",
    "trop grand",
    "demasiado larg",
    "troppo lung",
    "muito long",
    "te groot",
    "przekroczon",
    "zbyt dług",
    "no longer fits",
    "слишком длин",
    "слишком больш",
    "aştı",
    "çok uzun",
    "超长",
    "超過",
    "長すぎ",
    "너무 깁",
    "너무 길",
];

/// A clause with one of these speaks of something else.
const OTHERS: &[&str] = &[
    "image",
    "file",
    "attachment",
    "document",
    "audio",
    "video",
    "tool",
    "function",
    "stop",
    "schema",
    "array",
    "string",
    "header",
    "budget_tokens",
    "output tokens",
    "completion tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "maxoutputtokens",
    "max_tokens",
    "max_new_tokens",
    "dimension",
    "temperature",
    "minute",
    "per day",
    "today",
    "daily",
    "hour",
    "month",
    "second",
    "timeout",
    "timed out",
    "time limit",
    "zeit",
    "délai",
    "concurren",
    "expired",
    "access token",
    "authentication",
    "api key",
    "account",
    "organization",
    "credits",
    "plan",
    "queue",
    "batch",
    "memory",
    "gib",
    "bytes",
    " kb",
    " mb",
    "trained",
    "beta",
    "inappropriate",
    "violat",
    "分钟",
    "并发",
    "秒",
];

/// The room for the answer, which counts where it is added to the prompt.
const ANSWER_ROOMS: &[&str] = &[
    "max_completion_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "max_tokens",
    "maximum output tokens",
    "completion tokens",
    "output tokens",
];
const SUMS: &[&str] = &["+ ", "and ", "plus ", "with "];

/// How many words may stand between the subject and what is said of it.
const MOST_WORDS_BETWEEN: usize = 6;
/// The same where words are not divided, in bytes: a character has three.
const MOST_BYTES_BETWEEN: usize = 48;

/// Whether a clause of normalised text (lower case, single spaces) says that the prompt is too
/// long.
pub(super) fn says_too_long(text: &str) -> bool {
    clauses(text).any(|clause| {
        let clause = without_answer_room(clause);
        !OTHERS.iter().any(|word| begins_word(&clause, word)) && has_near(&clause)
    })
}

/// Whether a word of the text begins like this: `tool` is not in `toolong`.
fn begins_word(text: &str, begin: &str) -> bool {
    text.match_indices(begin).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| !c.is_ascii_alphanumeric())
    })
}

/// Sentences, and the strings of a body that is JSON.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| {
        matches!(
            c,
            '"' | '{' | '}' | '[' | ']' | ';' | '!' | '?' | '。' | '\n'
        )
    };
    text.split(ends).flat_map(|part| part.split(". "))
}

/// The clause without the room for the answer where that is a part of a sum.
fn without_answer_room(clause: &str) -> String {
    ANSWER_ROOMS.iter().fold(clause.to_owned(), |text, room| {
        SUMS.iter().fold(text, |text, sum| {
            text.replace(&format!("{sum}{room}"), "")
                .replace(&format!("{sum}`{room}`"), "")
        })
    })
}

/// Whether a subject and an excess stand near each other, in either order.
fn has_near(clause: &str) -> bool {
    let places = |words: &[&str]| -> Vec<(usize, usize)> {
        let all = words.iter().flat_map(|word| {
            let found = clause.match_indices(*word);
            found.map(|(at, it)| (at, at + it.len()))
        });
        all.collect()
    };
    let excesses: Vec<_> = [EXCESSES, COMPLAINTS]
        .into_iter()
        .flat_map(places)
        .collect();
    let is_near = |from: usize, to: usize| {
        let between = clause.get(from..to);
        between.is_some_and(|between| {
            let words = between.split_whitespace().count();
            words <= MOST_WORDS_BETWEEN
                && (between.is_ascii() || between.len() <= MOST_BYTES_BETWEEN)
        })
    };
    !excesses.is_empty()
        && places(SUBJECTS).into_iter().any(|(start, end)| {
            let mut excesses = excesses.iter();
            excesses.any(|&(from, to)| is_near(end, from) || is_near(to, start))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_about_the_prompt_that_says_too_much_is_an_overflow_in_any_words() {
        for text in [
            "input token length too long",
            "error 17. the prompt you sent is much too large for this model",
            "e1002 prompttoolong: prompt length exceeds maximum input length 4096",
            "the total length of input and max_tokens should be less than or equal to 131072",
            "la requête dépasse la fenêtre de contexte du modèle",
            "die eingabe ist zu lang",
            "das kontextfenster wird überschritten",
            "l'entrée est trop longue pour ce modèle",
            "la entrada supera la ventana de contexto",
            "запрос превышает окно контекста",
            "girdi, bağlam penceresi sınırını aşıyor",
            "输入内容过长",
            "プロンプトが長すぎます",
            "입력이 너무 깁니다",
            "this conversation does not fit the model",
        ] {
            assert!(says_too_long(text), "{text}");
        }
    }

    #[test]
    fn what_is_said_of_something_else_is_none() {
        for text in [
            "context deadline exceeded",
            "context length 131072 requires 24.1 gib of memory, more than is available",
            "the maximum tokens you requested exceeds the model limit of 10000",
            "max_tokens exceeds the context window",
            "invalid 'messages': array too long. expected an array with maximum length 2048",
            "the request exceeded the time limit",
            "too many images in the prompt",
            "the prompt was flagged. too many requests of this kind",
            "authentication token is too long",
            "your request to the queue is too large",
        ] {
            assert!(!says_too_long(text), "{text}");
        }
    }
}
