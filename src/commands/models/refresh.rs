//! `plim models --refresh`: asks every provider that can be asked which models it has, and
//! models.dev what it knows of all, at once, and keeps the lists. One that answers is enough; the others are named.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use futures::future::join_all;
use plimsoll::agent::AgentSetup;
use plimsoll::cli::{ExitCode, ModelsArgs};
use plimsoll::provider::{
    EndpointReport, ListedModel, ModelLists, NamedLimit, ProviderError, Registry,
    embedded_snapshot, forget_limits, read_refreshed,
};
use serde_json::{Value, json};

use crate::commands::output::{CommandResult, put, put_json, say};
use crate::commands::setup::CommandSetup;
use crate::launch::ExitFailure;
use plimsoll::transcript::{grouped, plural};

/// How long a provider may take for all pages of its list.
const LIST_PATIENCE: Duration = Duration::from_secs(4);

/// How many names of one kind of change are listed.
const LISTED_NAMES: usize = 8;

type RefreshAnswer = (EndpointReport, Result<Vec<ListedModel>, ProviderError>);

pub(super) async fn refresh(
    args: ModelsArgs,
    registry: &Registry,
    setup: &AgentSetup,
    at: &CommandSetup<'_>,
) -> CommandResult {
    let reports = registry.reports().into_iter();
    let asked = reports.filter(|report| report.missing.is_none());
    let patience = LIST_PATIENCE.max(registry.probe_time());
    let asking = asked
        .filter(|report| report.key.is_some() || report.is_configured || report.is_probed)
        .map(|report| async move {
            let answer = registry.list_models(&report.id, patience).await;
            // Nobody set up the servers of this machine: those that do not run are no news,
            // those that take a connection and say nothing are.
            let is_silent = matches!(answer, Err(ProviderError::Timeout { .. }));
            let is_set = report.key.is_some() || report.is_configured;
            (answer.is_ok() || is_set || is_silent).then_some((report, answer))
        });
    let (answers, published) = futures::join!(join_all(asking), ask_models_dev(registry, setup));
    let answers: Vec<RefreshAnswer> = answers.into_iter().flatten().collect();
    if answers.is_empty() && published.is_none() {
        return Err(ExitFailure::failed(
            "no provider to ask: no key and no address is set, and no local server answers",
        )
        .with_hint("store a key with `plim login PROVIDER`; `plim doctor` shows the setup")
        .with_code(ExitCode::Configuration));
    }
    let path = at.launch.paths.listed_models_file();
    let mut lists = ModelLists::read(&path);
    let mut changes: Vec<ListChange> = answers
        .iter()
        .map(|(report, answer)| ListChange::of(report, lists.models(), answer, patience))
        .collect();
    if answers.iter().any(|(_, answer)| answer.is_ok()) {
        for (report, answer) in answers {
            if let Ok(list) = answer {
                lists.replace(&report.id, &registry.shown_base(&report.id), list);
            }
        }
        lists.write(&path).map_err(|error| {
            ExitFailure::failed(format!("{}: {error}", path.display()))
                .with_hint("check the folder's permissions; the previous list stays in use")
        })?;
    }
    forget_refusals(&mut changes, &at.launch.paths.limits_file())?;
    changes.extend(published);
    tell(&changes, args.json)
}

/// Asks models.dev, unless the settings say that nobody does.
async fn ask_models_dev(registry: &Registry, setup: &AgentSetup) -> Option<ListChange> {
    let url = setup.catalogue_url()?;
    let file = setup.paths.refreshed_models_file();
    let known: Vec<String> = published_models(&file);
    let now = setup.clock.now();
    let asked = registry
        .refresh_catalogue(&url, &file, now, LIST_PATIENCE)
        .await;
    let mut change = ListChange {
        is_published: true,
        ..ListChange::named("models.dev", "models.dev")
    };
    match asked {
        Ok(models) => {
            change.listed = models;
            let current = published_models(&file);
            let missing = |from: &[String], of: &[String]| {
                let from: BTreeSet<&String> = from.iter().collect();
                let rest = of.iter().filter(|id| !from.contains(id));
                rest.cloned().collect()
            };
            change.new = missing(&known, &current);
            change.gone = missing(&current, &known);
        }
        Err(error) => change.error = Some(format!("{error}; the previous facts stay in use")),
    }
    Some(change)
}

/// The ids of the models that models.dev described when it was asked last, or else those of
/// the snapshot.
fn published_models(file: &Path) -> Vec<String> {
    let refreshed = read_refreshed(file);
    let known = if refreshed.models().next().is_some() {
        &refreshed
    } else {
        embedded_snapshot()
    };
    known.models().map(|model| model.to_string()).collect()
}

/// Forgets limits from refusals, which were about the models served then.
fn forget_refusals(changes: &mut [ListChange], path: &Path) -> Result<(), ExitFailure> {
    let has_answered = |limit: &NamedLimit| {
        let mut answered = changes.iter().filter(|change| change.error.is_none());
        answered.any(|change| change.provider == limit.provider)
    };
    let forgotten = forget_limits(path, has_answered).map_err(|error| {
        ExitFailure::failed(format!("{}: {error}", path.display())).with_hint(
            "check the folder's permissions; the limits learnt from servers stay in \
                use",
        )
    })?;
    for change in changes {
        let own = forgotten
            .iter()
            .filter(|limit| limit.provider == change.provider);
        change.forgotten = own
            .map(|limit| format!("{} ({})", limit.model, grouped(limit.tokens)))
            .collect();
    }
    Ok(())
}

/// The changes of a provider's list since the last one.
struct ListChange {
    provider: String,
    /// The name for people.
    name: String,
    listed: usize,
    new: Vec<String>,
    changed: Vec<String>,
    gone: Vec<String>,
    /// Windows that its server had named in refusals.
    forgotten: Vec<String>,
    error: Option<String>,
    /// The error is about the key.
    is_refused: bool,
    /// It is what models.dev says of all.
    is_published: bool,
}

impl ListChange {
    /// Nothing yet.
    fn named(provider: &str, name: &str) -> Self {
        Self {
            provider: provider.to_owned(),
            name: name.to_owned(),
            listed: 0,
            new: Vec::new(),
            changed: Vec::new(),
            gone: Vec::new(),
            forgotten: Vec::new(),
            error: None,
            is_refused: false,
            is_published: false,
        }
    }

    fn of(
        report: &EndpointReport,
        before: &[ListedModel],
        answer: &Result<Vec<ListedModel>, ProviderError>,
        patience: Duration,
    ) -> Self {
        let mut change = Self::named(&report.id, &report.name);
        let list = match answer {
            Ok(list) => list,
            Err(error) => {
                change.error = Some(match error {
                    ProviderError::Timeout { .. } => format!(
                        "no list from {} in {} s; its previous list stays in use",
                        report.base_url,
                        patience.as_secs()
                    ),
                    other => other.to_string(),
                });
                change.is_refused = error.is_refused_key();
                return change;
            }
        };
        change.listed = list.len();
        let old: BTreeMap<&str, &ListedModel> = before
            .iter()
            .filter(|model| model.provider == report.id)
            .map(|model| (model.model.as_str(), model))
            .collect();
        for model in list {
            match old.get(model.model.as_str()) {
                None => change.new.push(model.model.clone()),
                Some(known) if *known != model => change.changed.push(model.model.clone()),
                Some(_) => {}
            }
        }
        let gone = old
            .keys()
            .filter(|id| !list.iter().any(|model| model.model == **id));
        change.gone = gone.map(|id| (*id).to_owned()).collect();
        change
    }

    fn json(&self) -> Value {
        json!({
            "provider": self.provider,
            "listed": self.listed,
            "new": self.new,
            "changed": self.changed,
            "gone": self.gone,
            "forgotten": self.forgotten,
            "error": self.error,
        })
    }

    fn text(&self) -> String {
        let mut out = format!("{}: {}", self.name, plural(self.listed as u64, "model"));
        let all = [
            ("new", &self.new),
            ("changed", &self.changed),
            ("gone", &self.gone),
            ("limits learnt from refusals forgotten", &self.forgotten),
        ];
        for (word, names) in all {
            if names.is_empty() {
                continue;
            }
            let shown: Vec<&str> = names
                .iter()
                .take(LISTED_NAMES)
                .map(String::as_str)
                .collect();
            let more = if names.len() > LISTED_NAMES {
                ", …"
            } else {
                ""
            };
            let _ = write!(out, "; {} {word}: {}{more}", names.len(), shown.join(", "));
        }
        if all.iter().all(|(_, names)| names.is_empty()) {
            out.push_str(", nothing new");
        }
        out
    }
}

/// One provider that answers is enough; those that do not are named.
fn tell(changes: &[ListChange], as_json: bool) -> CommandResult {
    let failed = changes.iter().filter(|change| change.error.is_some());
    // What models.dev says is no provider's answer.
    let mut asked: Vec<&ListChange> = changes.iter().filter(|it| !it.is_published).collect();
    if asked.is_empty() {
        asked = changes.iter().collect();
    }
    let all_failed = asked.iter().all(|change| change.error.is_some());
    for change in failed {
        let error = change.error.as_deref().unwrap_or_default();
        say(&format!("{}: {error}", change.name), None);
    }
    if all_failed {
        say(
            "no provider sent a list",
            Some("`plim doctor` checks each provider and lists problems"),
        );
    }
    if as_json {
        put_json(&Value::Array(
            changes.iter().map(ListChange::json).collect(),
        ))?;
    } else {
        let answered = changes.iter().filter(|change| change.error.is_none());
        let lines: Vec<String> = answered.map(|change| change.text() + "\n").collect();
        put(&lines.concat())?;
    }
    let all_refused = asked.iter().all(|change| change.is_refused);
    let code = match (all_failed, all_refused) {
        (true, true) => ExitCode::Configuration,
        (true, false) => ExitCode::Failed,
        (false, _) => ExitCode::Done,
    };
    Ok(code as u8)
}
