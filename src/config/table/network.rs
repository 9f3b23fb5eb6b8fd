//! Rows of how requests travel: tries, waits, certificates, lanes.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::LivePart;
use super::field::{CACHE_TTLS, ROOTS};
use super::kind::SettingKind;
use super::row::{SECS, Setting, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!(
        "retry.max_attempts",
        agent.network.retry_max_attempts,
        Live(LivePart::Requests),
        int(1, 100, "tries"),
        "Attempts per request, including the first. Requests for a summary: at most 3."
    ),
    row!("retry.max_wait_secs", agent.network.retry_max_wait_secs, Live(LivePart::Requests), SECS, "Longest wait accepted from a provider before a retry; a longer one ends the turn.", unset "120 with -p, no limit on the screen"),
    row!(
        "stream.stall_secs",
        agent.network.stream_stall_secs,
        AtStart,
        SECS,
        "Time without data after which a streamed answer fails."
    ),
    row!(
        "probe.local",
        agent.network.probe_local,
        AtStart,
        SettingKind::Bool,
        "Ask the usual ports of Ollama, llama.cpp, LM Studio and vLLM for their models. Your own addresses and your chosen model are always asked."
    ),
    row!(
        "probe.local_ms",
        agent.network.probe_ms,
        AtStart,
        int(50, 60_000, "milliseconds"),
        "Time limit for the list of models of a server on this machine; closed ports cost no time."
    ),
    row!(
        "prompt_cache.ttl",
        agent.network.prompt_cache.ttl,
        Live(LivePart::Requests),
        SettingKind::Choice(CACHE_TTLS),
        "Lifetime of prompts in the cache of Anthropic's own API: 5m (writing costs 1.25 times the uncached price) or 1h (twice the price). prune.ttl_secs follows the lifetime that the server used."
    ),
    row!(
        "prompt_cache.diagnosis",
        agent.network.prompt_cache.diagnosis,
        Live(LivePart::Requests),
        SettingKind::Bool,
        "Ask Anthropic and OpenAI (GPT-5.6 and later) for the reason of prompt cache misses; /wire shows the answer. Anthropic stores fingerprints of the requests for this."
    ),
    row!(
        "catalogue.refresh",
        agent.network.catalogue_refresh,
        AtStart,
        SettingKind::Bool,
        "Update windows, prices and end dates of models from models.dev: in the background of a chat, at most once a day, and with `plim models --refresh`. Optional: nothing depends on it."
    ),
    row!("catalogue.url", agent.network.catalogue_url, AtStart, SettingKind::Url, "Address of models.dev or of a mirror.", unset "https://models.dev/api.json"),
    row!(
        "tls.roots",
        agent.network.tls_roots,
        AtStart,
        SettingKind::Choice(ROOTS),
        "Trusted certificate roots: those of the system (the bundled ones if it has none) or the bundled ones."
    ),
    row!("tls.ca_file", agent.network.tls_ca_file, AtStart, SettingKind::Text, "PEM file with further certificate authorities, e.g. of a company proxy.", unset "none"),
    row!(
        "lanes.global",
        agent.limits.lanes_global,
        AtStart,
        int(1, 64, "calls"),
        "Maximum number of model requests at the same time, those of sub-agents and of compaction.background included; the others wait for their turn."
    ),
];
