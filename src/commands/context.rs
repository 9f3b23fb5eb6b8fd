//! `plim context` and `plim request`: what the next request would carry, and its bytes.
//! Both only look; nothing is written, locked or sent.

use std::fmt::Write as _;
use std::time::Duration;

use plimsoll::agent::OfflineSession;
use plimsoll::cli::{ContextArgs, ExitCode, RequestArgs};
use plimsoll::context::{Category, ContextView, Disposition};
use plimsoll::headless::{ContextLabels, context_json};
use plimsoll::provider::ProviderError;
use serde_json::{Value, json};

use super::ledger;
use super::output::{CommandResult, put, put_json, say};
use super::setup::CommandSetup;
use crate::launch::ExitFailure;
use plimsoll::session;
use plimsoll::transcript::{ImportRecord, grouped};
use plimsoll::tui::render::safe;

/// `plim context`
pub async fn context(args: &ContextArgs, at: &CommandSetup<'_>) -> CommandResult {
    let filter = args.filter.as_deref().map(disposition).transpose()?;
    let mut offline = at.look(&args.session).await?;
    offline.set_pending(args.pending.as_deref());
    let view = offline.view();
    let counted = if args.exact {
        Some(counted_by_provider(&mut offline, &view).await?)
    } else {
        None
    };
    if args.json {
        let mut ledger = filtered(view_json(&offline, &view), filter);
        if let Some(origin) = offline.conversation.origin() {
            ledger["imported"] = session::origin_json(origin);
        }
        if let Some((counted, estimate)) = counted {
            ledger["counted"] = json!({"tokens": counted, "estimate": estimate});
        }
        return put_json(&ledger);
    }
    let model = &offline.connection.model.model;
    let mut text = ledger::text(&view, &model.to_string(), filter);
    if let Some(origin) = offline.conversation.origin() {
        text = format!("{}{text}", origin_words(origin));
    }
    if let Some((counted, estimate)) = counted {
        let _ = writeln!(
            text,
            "\ncounted by {}: {} tokens; estimated here: {}",
            model.provider,
            grouped(counted),
            grouped(estimate)
        );
    }
    put(&text)
}

/// Where an imported session comes from.
fn origin_words(origin: &ImportRecord) -> String {
    let short: String = origin.sha256.chars().take(12).collect();
    let hash = if short.is_empty() {
        String::new()
    } else {
        format!(" (sha256 {short}…)")
    };
    let lost = match origin.lost.len() {
        0 => String::new(),
        1 => "; 1 part was not carried over".to_owned(),
        many => format!("; {many} parts were not carried over"),
    };
    let line = format!(
        "imported from {}: {}{hash}{lost}",
        origin.source(),
        origin.path
    );
    format!("{}\n", safe::visible(&line))
}

/// The provider's own count of the request, and the estimate of the same.
async fn counted_by_provider(
    offline: &mut OfflineSession,
    view: &ContextView,
) -> Result<(u64, u64), ExitFailure> {
    /// Counting takes about as long as the upload.
    const PATIENCE: Duration = Duration::from_secs(30);
    let request = offline.request();
    let counting = offline.connection.registry.count_tokens(&request, PATIENCE);
    let counted = counting.await.map_err(|error| {
        let code = if error.is_refused_key() {
            ExitCode::Configuration
        } else {
            ExitCode::Failed
        };
        ExitFailure::failed(error.to_string())
            .with_hint("without --exact no request is sent: the estimate needs no provider")
            .with_code(code)
    })?;
    // The text of the composer is in the view, but in no request.
    let pending = view.usage.by_category.get(Category::Pending);
    let estimate = view.usage.tokens.saturating_sub(pending);
    counted.map(|counted| (counted, estimate)).ok_or_else(|| {
        let provider = &request.model.provider;
        ExitFailure::failed(format!("{provider} cannot count the tokens of a request"))
            .with_hint("omit --exact: the estimate is calibrated on its reported usage")
    })
}

/// The view of a session as JSON.
pub fn view_json(offline: &OfflineSession, view: &ContextView) -> Value {
    let conversation = &offline.conversation;
    let leaf = conversation.transcript().leaf();
    context_json(
        view,
        ContextLabels {
            session: conversation.id(),
            leaf: leaf.map(plimsoll::transcript::EntryId::as_str),
            model: &offline.connection.model.model.to_string(),
            engine: conversation.engine().id,
            preset: offline.preset(),
        },
    )
}

fn disposition(name: &str) -> Result<Disposition, ExitFailure> {
    Disposition::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Disposition::ALL.iter().map(|known| known.name()).collect();
        ExitFailure::usage(
            format!("--filter {name}: no such disposition"),
            format!("one of {}", names.join(", ")),
        )
    })
}

/// Only what has this disposition; the totals stay those of the whole view.
fn filtered(mut ledger: Value, filter: Option<Disposition>) -> Value {
    if let Some(filter) = filter {
        for list in ["items", "left_out"] {
            if let Some(rows) = ledger.get_mut(list).and_then(Value::as_array_mut) {
                rows.retain(|row| {
                    row.get("disposition").and_then(Value::as_str) == Some(filter.name())
                });
            }
        }
    }
    ledger
}

/// `plim request`
pub async fn request(args: &RequestArgs, at: &CommandSetup<'_>) -> CommandResult {
    let mut offline = at.look(&args.session).await?;
    if let Some(provider) = &args.provider {
        offline
            .use_provider(provider)
            .map_err(|error| unknown(&error))?;
    }
    if args.diff_previous {
        say_change(&mut offline);
    }
    let body = offline.wire_body().map_err(|error| unknown(&error))?;
    put_json(&body)
}

/// A provider or model that is not there.
pub(super) fn unknown(error: &ProviderError) -> ExitFailure {
    ExitFailure::failed(error.to_string())
        .with_hint("`plim models` lists providers and models")
        .with_code(ExitCode::Configuration)
}

/// Stdout carries the body alone.
fn say_change(offline: &mut OfflineSession) {
    let text = match offline.change_since_previous() {
        None => "no previous request".to_owned(),
        Some(change) => {
            let same = change.unchanged_messages;
            let cache = change
                .cache
                .map_or_else(String::new, |said| format!("\n{said}"));
            match change.first_difference {
                None => format!("the first {same} messages are unchanged, the rest is new{cache}"),
                Some(difference) => {
                    format!("the first {same} messages are unchanged, then: {difference}{cache}")
                }
            }
        }
    };
    say(&text, None);
}
