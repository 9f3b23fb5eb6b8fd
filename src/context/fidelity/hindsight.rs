//! Hindsight: the names that the messages after a compaction used although they had been
//! said before it. What is neither in the kept part nor in the summary had to be found again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::context::redact;
use crate::transcript::EntryId;

use super::branch::DividedLog;
use super::carried::{CarriedText, NameIndex};
use super::names::{self, NameKind, SpelledName};
use super::texts;
use super::{Probe, ProbeFate};

/// Spellings of one name that are looked for: the first that were met.
const MAX_SPELLINGS: usize = 6;

/// A name that was used afterwards.
struct UsedName {
    kind: NameKind,
    spellings: Vec<String>,
    /// The folder, of a file whose name others have too.
    folder: Option<String>,
    /// Where it was said last before; `None` while it was not.
    said: Option<EntryId>,
}

impl UsedName {
    fn spell(&mut self, text: &str) {
        if self.spellings.len() < MAX_SPELLINGS && !self.spellings.iter().any(|it| it == text) {
            self.spellings.push(text.to_owned());
        }
    }
}

/// Identity of a name: its key, with its folder where the key is ambiguous.
type NameId = (String, String);

/// Tells files apart that have one name in several folders.
struct Telling {
    /// Last segments that stand for several files.
    ambiguous: HashSet<String>,
}

impl Telling {
    fn id(&self, name: SpelledName<'_>) -> NameId {
        let key = names::key(name);
        let is_ambiguous = name.kind == NameKind::Path && self.ambiguous.contains(&key);
        let folder = if is_ambiguous {
            names::folder(name.text).to_lowercase()
        } else {
            String::new()
        };
        (key, folder)
    }
}

/// The names that were used after a compaction and said before it, each with what became of
/// it. In the order of their ids.
pub(super) fn probes(log: &DividedLog, carried: &CarriedText, tail: &NameIndex) -> Vec<Probe> {
    let mut later = Vec::new();
    for said in &log.later {
        texts::each_written_text(said, &mut |text| {
            later.push(redact::redact(text).into_owned());
        });
    }
    let telling = telling(log, &later);
    let mut used = used_names(&later, &telling);
    for said in &log.replaced {
        texts::each_text(said, &mut |text| {
            names::each_name(text, &mut |name| {
                if let Some(known) = used.get_mut(&telling.id(name)) {
                    known.spell(name.text);
                    known.said = Some(said.entry.clone());
                }
            });
        });
    }
    let said_before = used.into_iter().filter(|(_, name)| name.said.is_some());
    said_before
        .map(|((key, _), name)| {
            let folder = name.folder.as_deref();
            let fate = if tail.has(&key, folder) {
                ProbeFate::InTail
            } else {
                carried.name(&name.spellings, &key, folder).into()
            };
            Probe {
                text: name.spellings.into_iter().next().unwrap_or_default(),
                kind: name.kind.name(),
                entry: name.said,
                fate,
            }
        })
        .collect()
}

fn used_names(later: &[String], telling: &Telling) -> BTreeMap<NameId, UsedName> {
    let mut used: BTreeMap<NameId, UsedName> = BTreeMap::new();
    for text in later {
        names::each_name(text, &mut |name| {
            let id = telling.id(name);
            let folder = (!id.1.is_empty()).then(|| id.1.clone());
            let known = used.entry(id).or_insert_with(|| UsedName {
                kind: name.kind,
                spellings: Vec::new(),
                folder,
                said: None,
            });
            known.spell(name.text);
        });
    }
    used
}

/// Finds the file names that stand for several files: said in more than one folder.
fn telling(log: &DividedLog, later: &[String]) -> Telling {
    let mut folders: HashMap<String, BTreeSet<String>> = HashMap::new();
    for text in later {
        names::each_name(text, &mut |name| {
            if name.kind == NameKind::Path {
                let known = folders.entry(names::key(name)).or_default();
                note_folder(known, name.text);
            }
        });
    }
    for said in &log.replaced {
        texts::each_text(said, &mut |text| {
            names::each_name(text, &mut |name| {
                if name.kind == NameKind::Path
                    && let Some(known) = folders.get_mut(&names::key(name))
                {
                    note_folder(known, name.text);
                }
            });
        });
    }
    let several = folders.into_iter().filter(|(_, folders)| folders.len() > 1);
    Telling {
        ambiguous: several.map(|(key, _)| key).collect(),
    }
}

fn note_folder(known: &mut BTreeSet<String>, path: &str) {
    let folder = names::folder(path);
    if !folder.is_empty() {
        known.insert(folder.to_lowercase());
    }
}
