//! The findings as a text for people and as JSON. Texts of servers lose their control
//! characters here.

use std::fmt::Write as _;

use plimsoll::cli;
use plimsoll::context::WindowSource;
use plimsoll::context::window::ASSUMED_WINDOW_TOKENS;
use plimsoll::provider::KeyOrigin;
use serde_json::{Value, json};

use super::network::ListingAnswer;
use super::{CheckedProvider, ChosenModel, DoctorFindings, DoctorProblem, FactSources};
use plimsoll::transcript::{ReasoningState, grouped, plural};

impl DoctorFindings {
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        if let Some(chosen) = &self.chosen {
            row(
                &mut out,
                "model",
                &format!("{} · {}", chosen.model, chosen.reason),
            );
            row(&mut out, "window", &chosen.window());
            if let Some(state) = &chosen.reasoning {
                row(&mut out, "reasoning", &state.words());
            }
            row(&mut out, "facts", &chosen.facts.text());
        }
        for checked in &self.providers {
            row(&mut out, &checked.report.name, &checked.line());
        }
        row(&mut out, "catalogue", &self.catalogue.text());
        let machine = &self.machine;
        row(&mut out, "keys", &KeyOrigin::ORDER.join(" ▸ "));
        row(&mut out, "certificates", &machine.roots);
        let proxies: Vec<String> = machine
            .proxies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let proxies = if proxies.is_empty() {
            "none".to_owned()
        } else {
            proxies.join(" ")
        };
        row(&mut out, "proxy", &proxies);
        row(&mut out, "clock", &machine.clock);
        let writable = if machine.sessions_writable {
            "writable"
        } else {
            "not writable"
        };
        let sessions = format!("{} · {writable}", machine.sessions.display());
        row(&mut out, "sessions", &sessions);
        for (name, text) in self.stores.rows() {
            row(&mut out, &name, &text);
        }
        row(&mut out, "terminal", &machine.terminal);
        self.problems_text(&mut out);
        plain(&out)
    }

    fn problems_text(&self, out: &mut String) {
        if self.problems.is_empty() {
            out.push_str("\nno problems\n");
            return;
        }
        let count = self.problems.len() as u64;
        let _ = writeln!(out, "\n{}", plural(count, "problem"));
        for problem in &self.problems {
            let sign = if problem.is_error { "error" } else { "warning" };
            let _ = writeln!(out, "\n{sign}: {}", problem.text);
            if let Some(hint) = &problem.hint {
                let _ = writeln!(out, "hint: {}", cli::in_shell_words(hint));
            }
        }
    }

    pub(super) fn json(&self) -> Value {
        let machine = &self.machine;
        let proxies = machine
            .proxies
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)));
        json!({
            "ok": !self.problems.iter().any(|problem| problem.is_error),
            "model": self.chosen.as_ref().map(ChosenModel::json),
            "key_order": KeyOrigin::ORDER,
            "providers": self.providers.iter().map(CheckedProvider::json).collect::<Vec<_>>(),
            "network": {
                "certificates": machine.roots,
                "proxies": proxies.collect::<serde_json::Map<_, _>>(),
            },
            "catalogue": {
                "snapshot": self.catalogue.snapshot,
                "refreshed": self.catalogue.refreshed,
                "refreshing": self.catalogue.is_refreshing,
            },
            "clock": machine.clock,
            "sessions": {"folder": machine.sessions, "writable": machine.sessions_writable},
            "stores": self.stores.json(),
            "terminal": machine.terminal,
            "problems": self.problems.iter().map(DoctorProblem::json).collect::<Vec<_>>(),
        })
    }
}

/// Width of the first column.
const NAME_COLUMNS: usize = 12;

fn row(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "{name:NAME_COLUMNS$}  {text}");
}

fn plain(text: &str) -> String {
    text.chars()
        .filter(|char| *char == '\n' || !char.is_control())
        .collect()
}

impl FactSources {
    fn text(&self) -> String {
        format!(
            "limits: {} · price: {} · abilities: {}",
            self.limits, self.price, self.abilities
        )
    }
}

impl ChosenModel {
    fn window(&self) -> String {
        let window = &self.window;
        let source = window.source.name();
        let tokens = match window.tokens {
            _ if self.is_to_be_asked => {
                return "unknown; its server is asked before the first request".to_owned();
            }
            _ if window.source == WindowSource::Assumed => {
                let tokens = window.tokens.unwrap_or(ASSUMED_WINDOW_TOKENS);
                return format!("unknown; assuming {} tokens", grouped(tokens));
            }
            Some(tokens) => format!("{} tokens", grouped(tokens)),
            None => "unknown".to_owned(),
        };
        match (window.capped_by, window.uncapped_tokens) {
            (Some(cap), Some(whole)) => {
                format!(
                    "{tokens} ({} cap; {} by {source})",
                    cap.name(),
                    grouped(whole)
                )
            }
            _ => format!("{tokens} ({source})"),
        }
    }

    fn json(&self) -> Value {
        json!({
            "model": self.model,
            "reason": self.reason,
            "usable": self.is_usable,
            "window": {"tokens": self.window.tokens, "source": self.window.source.name()},
            "reasoning": self.reasoning.as_ref().map(ReasoningState::json),
            "sources": {
                "limits": self.facts.limits,
                "price": self.facts.price,
                "abilities": self.facts.abilities,
            },
        })
    }
}

impl DoctorProblem {
    fn json(&self) -> Value {
        json!({
            "severity": if self.is_error { "error" } else { "warning" },
            "text": plain(&self.text),
            "hint": self.hint.as_deref().map(cli::in_shell_words),
        })
    }
}

impl CheckedProvider {
    fn line(&self) -> String {
        let mut parts = vec![self.state()];
        if !self.report.base_url.is_empty() {
            parts.push(self.report.base_url.clone());
        }
        if let Some(key) = &self.report.key {
            parts.push(format!("key from {}", key.name()));
        }
        if let Some(served) = &self.served {
            let window = served
                .window_tokens
                .map_or("window unknown".to_owned(), |n| {
                    format!("window {}", grouped(n))
                });
            let of = served
                .largest_window_tokens
                .map_or_else(String::new, |n| format!(" of {}", grouped(n)));
            parts.push(format!("{} · {window}{of}", served.name));
        }
        if let Some(limit) = self.limit_tokens {
            parts.push(format!("refused more than {}", grouped(limit)));
        }
        parts.join(" · ")
    }

    fn state(&self) -> String {
        match &self.reached {
            ListingAnswer::Lists { models, .. } => {
                format!("ok, {}", plural(*models as u64, "model"))
            }
            ListingAnswer::NoList(_) => "answers, but lists no models".to_owned(),
            ListingAnswer::Silent(_) => "does not answer".to_owned(),
            ListingAnswer::Unreachable(_) if self.report.is_local => "not running".to_owned(),
            ListingAnswer::Unreachable(_) => "not reachable".to_owned(),
            ListingAnswer::Refused(_) => "no working key".to_owned(),
            ListingAnswer::Unset => {
                let missing = self.report.missing.as_deref().unwrap_or_default();
                format!("not set up: {missing}")
            }
        }
    }

    fn json(&self) -> Value {
        let (state, models, why) = match &self.reached {
            ListingAnswer::Lists { models, .. } => ("ok", Some(*models), None),
            ListingAnswer::NoList(why) => ("no_list", None, Some(why)),
            ListingAnswer::Unreachable(why) => ("unreachable", None, Some(why)),
            ListingAnswer::Silent(why) => ("silent", None, Some(why)),
            ListingAnswer::Refused(why) => ("refused", None, Some(why)),
            ListingAnswer::Unset => ("unset", None, self.report.missing.as_ref()),
        };
        json!({
            "provider": self.report.id,
            "name": self.report.name,
            "base_url": self.report.base_url,
            "mended": self.report.note,
            "key": self.report.key.as_ref().map(KeyOrigin::name),
            "local": self.report.is_local,
            "state": state,
            "models": models,
            "why": why.map(|why| plain(why)),
            "named_limit": self.limit_tokens,
            "serves": self.served.as_ref().map(|served| json!({
                "model": served.name,
                "window": served.window_tokens,
                "largest_window": served.largest_window_tokens,
                "images": served.images,
                "cuts_silently": served.kind.cuts_silently(),
            })),
        })
    }
}
