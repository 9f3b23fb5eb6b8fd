//! `plim context` and `plim request`: what the next request would carry, and its bytes.
//! Both only look; nothing is written, locked or sent.

use plimsoll::agent::Lookout;
use plimsoll::cli::{ContextArgs, ExitCode, RequestArgs};
use plimsoll::context::{ContextView, Disposition};
use plimsoll::headless::{ContextLabels, context_json};
use plimsoll::provider::ProviderError;
use serde_json::Value;

use super::{Done, Place, ledger, put, put_json, say};
use crate::launch::Failure;

/// `plim context`
pub async fn context(args: &ContextArgs, at: &Place<'_>) -> Done {
    let filter = args.filter.as_deref().map(disposition).transpose()?;
    let mut lookout = at.look(&args.session).await?;
    lookout.set_pending(args.pending.as_deref());
    let view = lookout.view();
    if args.json {
        return put_json(&filtered(json(&lookout, &view), filter));
    }
    let text = ledger::text(&view, &lookout.helm.model.model.to_string(), filter);
    put(&text)
}

/// The view of a session as JSON.
pub fn json(lookout: &Lookout, view: &ContextView) -> Value {
    let conversation = &lookout.conversation;
    let leaf = conversation.transcript().leaf();
    context_json(
        view,
        ContextLabels {
            session: conversation.id(),
            leaf: leaf.map(plimsoll::transcript::EntryId::as_str),
            model: &lookout.helm.model.model.to_string(),
            engine: conversation.engine().id,
            preset: lookout.preset(),
        },
    )
}

fn disposition(name: &str) -> Result<Disposition, Failure> {
    Disposition::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Disposition::ALL.iter().map(|known| known.name()).collect();
        Failure::usage(
            format!("--filter {name}: there is no such disposition"),
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
pub async fn request(args: &RequestArgs, at: &Place<'_>) -> Done {
    let mut lookout = at.look(&args.session).await?;
    if let Some(provider) = &args.provider {
        lookout
            .use_provider(provider)
            .map_err(|error| unknown(&error))?;
    }
    if args.diff_previous {
        say_change(&mut lookout);
    }
    let body = lookout.wire_body().map_err(|error| unknown(&error))?;
    put_json(&body)
}

fn unknown(error: &ProviderError) -> Failure {
    Failure::failed(error.to_string())
        .with_hint("`plim models` lists providers and models")
        .with_code(ExitCode::Configuration)
}

/// Stdout carries the body alone.
fn say_change(lookout: &mut Lookout) {
    let text = match lookout.change_since_previous() {
        None => "there is no request before this one".to_owned(),
        Some(change) => {
            let same = change.unchanged_messages;
            match change.first_difference {
                None => format!("the first {same} messages are unchanged; the rest is new"),
                Some(difference) => {
                    format!("the first {same} messages are unchanged, then: {difference}")
                }
            }
        }
    };
    say(&text, None);
}
