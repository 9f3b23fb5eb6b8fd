//! Plimsoll: a terminal chat agent that always shows how loaded the model's context is.
//!
//! This page is the map: what is where, who may use whom, what always holds, and where to
//! add something. A test reads the imports below `src/` and keeps the first two true.
//!
//! # Layers
//!
//! Functional core, imperative shell. From the inside out:
//!
//! - [`disk`]: opening and making files safely: no other program decides what is read, written
//!   or waited for.
//! - [`clock`]: time, ids and chance; a fake of them for tests.
//! - [`transcript`]: the whole conversation as plain data; entries, messages, parts, the tree.
//! - [`context`]: the part of it that the model sees; rulers, window, projection, guard, prune,
//!   tail, summary, audit, diff. Pure: no clock, file, network, task or terminal; two readings
//!   of a conversation at the same time go through `src/parallel.rs`.
//! - [`engine`]: the seam between a transcript and a view; engines by id, and the check of
//!   every view. All are built on `context`.
//! - [`provider`]: the only place that speaks HTTP to a model; `offline` needs none.
//! - [`checkpoint`]: former contents of files that a session changed, and restoring them.
//! - [`tool`]: read, list, search, write, edit, shell, jobs, the list of steps; and the rules
//!   for running without asking.
//! - [`session`]: the log on disk: JSON Lines, append only.
//! - [`foreign`]: sessions of other programs, read where they lie and imported.
//! - [`export`]: a session as a document for people or as a session of another program.
//! - [`fulltext`]: search in the text of all sessions.
//! - [`config`]: one table of settings; files, environment and flags in layers;
//!   keys that were entered, and the user's own commands.
//! - [`mcp`]: servers that offer tools: started, asked, kept from flooding the window.
//! - [`agent`]: one task that owns a session; turns, tool calls, compaction, recovery,
//!   settings and keys that change while it runs, and the practice session.
//! - [`tui`]: the screen. `update` decides, the runner does, the view draws. `tour` is the
//!   introduction; `plain` is the chat line by line.
//! - [`browser`]: opens an address in the person's browser.
//! - [`headless`]: a run without a screen; text, JSON and streams for scripts.
//! - [`cli`]: the command line as typed data.
//!
//! `crates/tokens` is a package of its own: the public tokenizers, as tables that are made when
//! it is built. `context` counts with it. `crates/cues` has the phrases of thirteen languages
//! by which `context::rules` finds rules. Tests need both to be quick, so they are optimised in
//! every build.
//!
//! The binary puts them together: `src/main.rs`, `src/launch.rs` (what a run is started
//! with), `src/screen.rs` and `src/commands/`; what they print goes through `src/safe_output.rs`,
//! which shows a terminal the control characters of foreign text. An arrow reads "is used
//! by":
//!
//! ```text
//! transcript → context → engine → agent → tui, headless → main
//! transcript → provider, checkpoint → tool, session → agent
//! disk → provider, checkpoint, tool, session, fulltext, config, agent, tui, main
//! session → foreign → export, fulltext → agent, main
//! context → export
//! transcript → clock → engine, provider, checkpoint, tool, session, agent, tui, main
//! engine, tool, config → mcp → agent, main
//! browser → tui, main
//! context, provider, tool → config → agent, tui, headless, cli, main
//! ```
//!
//! The screen never sees a provider, a session file, a tool or an engine: `agent::Op` goes
//! down, `agent::AgentEvent` comes up, and whoever runs without a screen reads the same
//! stream.
//!
//! # What always holds
//!
//! 1. The log only grows. Pruning, compaction, pins and undo are entries of their own;
//!    what was said stays in the file.
//! 2. One view. Gauge, guard, pruning, compaction, ledger and request read the same
//!    [`context::ContextView`], and every entry that speaks to the model is in its items
//!    or in its left-out list, exactly once.
//! 3. Calls and results stay paired in whatever is sent, and the last message of the user
//!    is always there.
//! 4. The same log, settings and clock reading give the same request, byte for byte.
//!    Prompt caches depend on it.
//! 5. Formats of providers and of the disk are private types, converted at the edge.
//! 6. Time, ids and chance come from `src/clock.rs`; no other file asks the system for them.
//! 7. Errors say what happened, what was kept and what to do next.
//!
//! # A message on its way
//!
//! Enter becomes `tui::msg::Msg`; `tui::update` answers with an effect that sends
//! `Op::Submit`. The actor writes the entry, lets the engine assemble a view (its decisions
//! go into the log first) and publishes it: the gauge moves before the request leaves. At
//! the load line it compacts. The provider streams; deltas come up as events. Tool calls
//! are approved, run, cut to fit, written, and the circle closes. A refusal for length is
//! answered by recovery: smaller views, then a compaction, then the message once more.
//!
//! # Reading order
//!
//! `src/transcript/entry/mod.rs`, `src/context/view.rs` (what every part agrees on),
//! `src/context/assemble/mod.rs` (the order of the steps), `src/agent/protocol/` (the seam),
//! `src/agent/turn/mod.rs`, then `src/tui/update/mod.rs` and
//! `src/tui/view/mod.rs`.
//!
//! # Where to add
//!
//! - a slash command: a row in `src/tui/command/mod.rs`, which also says what it does line by
//!   line; its id in `id.rs` beside it; what it does in `src/tui/update/command/mod.rs`
//! - a key: a row in `src/tui/keymap/table.rs`; of a screen on top, in one of the `_keys.rs`
//!   beside it, which decodes it, hints it, helps with it and is the place of `[keys]`
//! - an overlay: a file in a room of `src/tui/overlay/`, made of the widgets of
//!   `src/tui/widget/`, and the row of its command; data of the agent opens it in
//!   `src/tui/update/open.rs`. One that comes by itself hears only the keys of
//!   `src/tui/overlay/question/`
//! - a tool: a file in `src/tool/files/` or a folder beside it, with a table of its arguments;
//!   a row in `src/tool/source.rs`. Tools that need more than their scope come from a
//!   `ToolSource` of their own, which `AgentSetup::sources` carries
//! - a provider that speaks a known protocol: a row in `src/provider/registry/rows.rs`;
//!   another protocol: a folder in `src/provider/` (an encoder and a decoder, both pure), an
//!   arm in `src/provider/protocol/reader/formats.rs`, its rules
//!   in `tests/it/strict.rs` or a file beside it; `fuzz/` covers every decoder
//! - a model: models.dev, whose snapshot `examples/models_snapshot.rs` makes; what it lacks or
//!   has wrong is an entry in `assets/models.toml`; how a new family is asked to reason: a
//!   `[[reasoning]]` row there
//! - a text for people: the terms of `docs/glossary.md`; `tests/it/plain_words.rs` has the table of
//!   what is not said
//! - a context engine: a row in `src/engine/registry.rs`; one that chooses messages is a
//!   `SelectionPolicy` (`src/engine/selecting.rs`). `tests/it/engine_contract.rs` tests every row
//! - a theme: a file in `themes/`, named in `src/tui/theme/mod.rs`
//! - a setting: a row in its group's file in `src/config/table/`, which says what a change
//!   does: at the start, or live which part of the program takes it over. One match over the
//!   parts carries it out (`src/agent/settings/apply.rs`), and one in each interface over its
//!   own. `tests/it/setting_effects.rs` wants the test of its effect; its row in
//!   `docs/settings.md` follows with `BLESS=1`

#![warn(unreachable_pub)]

#[cfg(not(unix))]
compile_error!(
    "Plimsoll runs on Unix only: it stops commands by process group and opens files by descriptor"
);

pub mod agent;
pub mod browser;
pub mod checkpoint;
pub mod cli;
pub mod clock;
pub mod config;
pub mod context;
pub mod disk;
pub mod engine;
pub mod export;
pub mod foreign;
pub mod fulltext;
pub mod headless;
pub mod mcp;
mod parallel;
pub mod provider;
pub mod session;
pub mod tool;
pub mod transcript;
pub mod tui;
