//! What texts say about rules, remembered for the whole process: the view, an engine, a review
//! and a dry run read the same messages, each with a reader of its own.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::finder::{self, MessageRules};

/// So many texts are remembered, and at most as many that were read before them.
const MAX_TEXTS: usize = 8_192;

static REMEMBERED: LazyLock<Mutex<RememberedTexts>> = LazyLock::new(Mutex::default);

/// Two keyed hashes of a text. The keys are new in each process, so nobody writes two texts
/// with the same ones.
type TextKey = [u64; 2];

#[derive(Debug, Default)]
struct RememberedTexts {
    keys: [RandomState; 2],
    newer: HashMap<TextKey, Arc<MessageRules>>,
    older: HashMap<TextKey, Arc<MessageRules>>,
}

impl RememberedTexts {
    fn get(&mut self, key: &TextKey) -> Option<Arc<MessageRules>> {
        if let Some(known) = self.newer.get(key) {
            return Some(Arc::clone(known));
        }
        let known = self.older.remove(key)?;
        self.insert(*key, Arc::clone(&known));
        Some(known)
    }

    fn insert(&mut self, key: TextKey, rules: Arc<MessageRules>) {
        if self.newer.len() >= MAX_TEXTS {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, rules);
    }
}

/// Reads the text of a message that a person typed, unless that was done before.
pub(super) fn read(text: &str) -> Arc<MessageRules> {
    let remembered = || REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = remembered().keys.each_ref().map(|it| it.hash_one(text));
    if let Some(known) = remembered().get(&key) {
        return known;
    }
    let rules = Arc::new(finder::read(text));
    remembered().insert(key, Arc::clone(&rules));
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_reading_finds() {
        for text in ["never push to main", "fix the test", "never push to main"] {
            assert_eq!(*read(text), finder::read(text), "{text}");
        }
    }

    #[test]
    fn what_was_asked_for_lately_stays_and_the_rest_is_forgotten() {
        let mut texts = RememberedTexts::default();
        let key = |at: usize| [at as u64, 0];
        for at in 0..4 * MAX_TEXTS {
            texts.insert(key(at), Arc::default());
            assert!(texts.get(&key(0)).is_some(), "{at}");
        }
        assert!(texts.newer.len() + texts.older.len() <= 2 * MAX_TEXTS);
        assert!(texts.get(&key(MAX_TEXTS)).is_none());
    }
}
