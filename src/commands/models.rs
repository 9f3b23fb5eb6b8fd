//! `plim models`: what could be used, what is known about it and from whom; with
//! `--refresh`, what the providers themselves say.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use futures::future::join_all;
use plimsoll::agent::SessionSource;
use plimsoll::cli::{ExitCode, ModelsArgs};
use plimsoll::provider::{
    ListedModel, NamedLimit, ProviderError, Registry, forget_limits, read_listed, with_list,
    write_listed,
};
use plimsoll::transcript::{ModelInfo, PromptCache};
use serde_json::{Value, json};

use super::{Done, Place, grouped, put, put_json, say};
use crate::launch::Failure;

/// A list of models is some hundred kilobytes.
const LIST_PATIENCE: Duration = Duration::from_secs(20);

/// How many names of one kind of change are listed.
const LISTED_NAMES: usize = 8;

/// `plim models`
pub async fn models(args: ModelsArgs, at: &Place<'_>) -> Done {
    let registry = at.launch.setup(SessionSource::Memory, false).registry();
    if args.refresh {
        return refresh(args, &registry, at).await;
    }
    let rows = registry.available();
    if args.json {
        let rows = rows
            .iter()
            .map(|(info, missing)| row_json(info, missing.as_deref()));
        return put_json(&Value::Array(rows.collect()));
    }
    let mut out = String::new();
    for (info, missing) in &rows {
        let window = info.window_tokens.map_or_else(|| "?".to_owned(), grouped);
        let _ = writeln!(
            out,
            "{:44}  {window:>10}  {:15}  {:52}  {:9}  {}",
            info.model.to_string(),
            info.window_source.name(),
            price(info),
            cache_name(info.prompt_cache),
            missing.as_deref().map_or("ready", shortest),
        );
    }
    put(&out)
}

/// The first of the ways to get what is missing.
fn shortest(missing: &str) -> &str {
    missing.split(", or ").next().unwrap_or(missing)
}

fn price(info: &ModelInfo) -> String {
    info.price.map_or_else(String::new, |price| {
        let long = price.long.map_or_else(String::new, |long| {
            format!(
                "; with more than {} tokens in the prompt ${} in, ${} out, cache ${} read, ${} write",
                grouped(long.from_tokens),
                long.input,
                long.output,
                long.cache_read,
                long.cache_write
            )
        });
        format!(
            "${} in, ${} out, cache ${} read, ${} write{long}",
            price.input, price.output, price.cache_read, price.cache_write
        )
    })
}

fn cache_name(cache: PromptCache) -> &'static str {
    match cache {
        PromptCache::None => "no cache",
        PromptCache::Ttl => "ttl",
        PromptCache::Prefix => "prefix",
    }
}

fn row_json(info: &ModelInfo, missing: Option<&str>) -> Value {
    json!({
        "model": info.model.to_string(),
        "window": info.window_tokens,
        "window_source": info.window_source.name(),
        "input_limit": info.input_limit_tokens,
        "max_output": info.max_output_tokens,
        "images": info.images,
        "thinking": info.thinking,
        "prompt_cache": cache_name(info.prompt_cache),
        "price": info.price.map(|price| json!({
            "input": price.input,
            "output": price.output,
            "cache_read": price.cache_read,
            "cache_write": price.cache_write,
            "long": price.long.map(|long| json!({
                "above": long.from_tokens,
                "input": long.input,
                "output": long.output,
                "cache_read": long.cache_read,
                "cache_write": long.cache_write,
            })),
        })),
        "available": missing.is_none(),
        "missing": missing,
    })
}

/// What one provider answered.
type Answer = (String, Result<Vec<ListedModel>, ProviderError>);

async fn refresh(args: ModelsArgs, registry: &Registry, at: &Place<'_>) -> Done {
    let reports = registry.reports().into_iter();
    let asked = reports.filter(|report| report.missing.is_none());
    let asking = asked
        .filter(|report| report.key.is_some() || report.is_configured || report.is_local)
        .map(|report| async move {
            let answer = registry.list_models(&report.id, LIST_PATIENCE).await;
            // Nobody set up the servers of this machine: those that do not run are no news.
            let counts = answer.is_ok() || report.key.is_some() || report.is_configured;
            counts.then_some((report.id, answer))
        });
    let answers: Vec<Answer> = join_all(asking).await.into_iter().flatten().collect();
    if answers.is_empty() {
        return Err(Failure::failed(
            "no provider has a key or an address of yours to ask, and no local server answers",
        )
        .with_hint("`plim login PROVIDER` stores a key; `plim doctor` shows what is set")
        .with_code(ExitCode::Configuration));
    }
    let path = at.launch.paths.listed_models_file();
    let before = read_listed(&path);
    let mut changes: Vec<Change> = answers
        .iter()
        .map(|(id, answer)| Change::of(id, &before, answer))
        .collect();
    if answers.iter().any(|(_, answer)| answer.is_ok()) {
        write_listed(&path, merged(before, answers)).map_err(|error| {
            Failure::failed(format!("{}: {error}", path.display()))
                .with_hint("check the folder's permissions; the list in use was not changed")
        })?;
    }
    forget_refusals(&mut changes, &at.launch.paths.limits_file())?;
    tell(&changes, args.json)
}

/// What servers named when they refused a request was about what they served then.
fn forget_refusals(changes: &mut [Change], path: &Path) -> Result<(), Failure> {
    let has_answered = |limit: &NamedLimit| {
        let mut answered = changes.iter().filter(|change| change.error.is_none());
        answered.any(|change| change.provider == limit.provider)
    };
    let forgotten = forget_limits(path, has_answered).map_err(|error| {
        Failure::failed(format!("{}: {error}", path.display()))
            .with_hint("check the folder's permissions; the limits that servers named stay")
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

/// The new lists, and the old ones of those who did not answer.
fn merged(before: Vec<ListedModel>, answers: Vec<Answer>) -> Vec<ListedModel> {
    let mut lists = before;
    for (id, answer) in answers {
        if let Ok(list) = answer {
            lists = with_list(lists, &id, list);
        }
    }
    lists
}

/// What a provider's list says that its list before did not.
struct Change {
    provider: String,
    listed: usize,
    new: Vec<String>,
    changed: Vec<String>,
    gone: Vec<String>,
    /// Windows that its server had named in refusals.
    forgotten: Vec<String>,
    error: Option<String>,
    /// The error is about the key.
    is_refused: bool,
}

impl Change {
    fn of(
        provider: &str,
        before: &[ListedModel],
        answer: &Result<Vec<ListedModel>, ProviderError>,
    ) -> Self {
        let mut change = Self {
            provider: provider.to_owned(),
            listed: 0,
            new: Vec::new(),
            changed: Vec::new(),
            gone: Vec::new(),
            forgotten: Vec::new(),
            error: None,
            is_refused: false,
        };
        let list = match answer {
            Ok(list) => list,
            Err(error) => {
                change.error = Some(error.to_string());
                change.is_refused = error.is_refused_key();
                return change;
            }
        };
        change.listed = list.len();
        let old: BTreeMap<&str, &ListedModel> = before
            .iter()
            .filter(|model| model.provider == provider)
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
        let mut out = format!("{}: {} models", self.provider, self.listed);
        let all = [
            ("new", &self.new),
            ("changed", &self.changed),
            ("gone", &self.gone),
            ("forgotten of what refusals named", &self.forgotten),
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
fn tell(changes: &[Change], as_json: bool) -> Done {
    let failed = changes.iter().filter(|change| change.error.is_some());
    let all_failed = failed.clone().count() == changes.len();
    for change in failed {
        let error = change.error.as_deref().unwrap_or_default();
        say(&format!("{}: {error}", change.provider), None);
    }
    if as_json {
        put_json(&Value::Array(changes.iter().map(Change::json).collect()))?;
    } else {
        let answered = changes.iter().filter(|change| change.error.is_none());
        let lines: Vec<String> = answered.map(|change| change.text() + "\n").collect();
        put(&lines.concat())?;
    }
    let all_refused = changes.iter().all(|change| change.is_refused);
    let code = match (all_failed, all_refused) {
        (true, true) => ExitCode::Configuration,
        (true, false) => ExitCode::Failed,
        (false, _) => ExitCode::Done,
    };
    Ok(code as u8)
}
