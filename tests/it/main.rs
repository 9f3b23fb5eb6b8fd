//! Tests from outside the crate, in one binary.
//!
//! - `architecture`: who may use whom, what is forbidden where, how large files, functions and
//!   types may be
//! - `broken_answers`: what becomes of answers that break off, pause or fail
//! - `demo`: the demo session of README's tour, with its longer texts in `demo_texts`
//! - `diff`: `plim diff`; `fidelity`: `plim fidelity`
//! - `documents`: README, CHANGELOG and the map in `src/lib.rs` say what is so
//! - `engine_contract`: what every context engine keeps; `engine_programs`: engines in other
//!   languages, and what bad ones cost; `engine_extras`: what they may do beside choosing
//! - `examples`: the programs in `examples/`, with a session file
//! - `extractive`: the summary without a model is enough to go on from
//! - `figures`: what a test measured, for whoever wants to read it
//! - `flow_*`: what the agent sends, in which order, and what it keeps
//! - `grounding`: fictions are found in summaries, true sentences stay
//! - `hostile_repository`: what somebody else prepared does not reach out of its folder
//! - `json_schema`: what the program reads and prints is as its schemas say
//! - `keyring`: keys in the system's keyring; `leaks`: where none may ever be found
//! - `kept`: what is said of a session that could not be saved, is another's, or was begun by
//!   nobody; and that a program gets its object however a run ends
//! - `local_servers`: Ollama and its like, word by word
//! - `mcp_http`: servers of the Model Context Protocol by HTTP; `mcp_login`: logging in to one;
//!   `mcp_mentions`: their resources and prompts in messages; `mcp_memory`: thousands of calls; `mcp_server`, `mcp_web`: such servers, well-kept and not
//! - `model_catalogue`: who says what about models; `model_lists`: what providers list
//! - `plain_words`: what people read has the terms of docs/glossary.md, in British spelling
//! - `picture`: README's moving picture is what the program draws
//! - `presets`: what `default`, `openclaw`, `opencode` and `opencode-2` do, end to end
//! - `program`: the binary in a home of its own; `headless`: `-p`; `commands`: the rest,
//!   `command_changes`: those that change a session
//! - `providers`: keys, proxies, lists of models, `plim doctor`
//! - `recall`: `plim recall`
//! - `rules_found`: standing rules as people type them, and what only looks like one
//! - `rust_text`: what `architecture` reads code with
//! - `server`, `agent`: a scripted model server, and an agent that talks to it
//! - `setting_effects`: for each setting the test that shows what it does; `setting_views`,
//!   `setting_requests`, `setting_summaries`, `setting_screen`: most of these tests;
//!   `setting_live`: changes while the program runs, and what is said of them
//! - `setting_up`: addresses, keys and clocks as people have them in their first hour
//! - `shared_sessions`: what other programs make of a session is what is sent here
//! - `shell_files`: completions, manual pages, schemas, as the program prints them
//! - `strict`, `strict_anthropic`, `strict_gemini`, `strict_responses`: the rules of the
//!   wire formats, which the server holds every request to;
//!   `strict_logs`: whatever is in a log, its requests keep them; `strict_switches`: so
//!   they do when every answer is another model's
//! - `prune_parity`: a dry run says what the next request then does
//! - `terminal`: the program itself in a pseudo-terminal; `terminal_desk`: what is around it
//!   (drafts, mouse, themes, sizes); `terminal_hostile`, `hostile_text`: text that wants more
//!   than to be read; `tour`: the introduction
//! - `terminal_kill`: ended in the middle of a change, and of a rewind; `killed_commands`:
//!   while commands run
//! - `argument_share`, `read_share`: how much of a session left-out arguments and differences of
//!   reads free
//! - `alone`: what every program gets that a test starts
//! - `pty`: what `terminal` runs it in; `web`: the server that `providers` asks

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod agent;
mod alone;
mod architecture;
mod argument_share;
mod broken_answers;
mod command_changes;
mod command_rules;
mod commands;
mod demo;
mod demo_texts;
mod diff;
mod documents;
mod endless_answers;
mod engine_contract;
mod engine_extras;
mod engine_programs;
mod examples;
mod exports;
mod extractive;
mod fidelity;
mod figures;
mod flow_across;
mod flow_agents;
mod flow_arguments;
mod flow_background;
mod flow_branches;
mod flow_calibration;
mod flow_chat;
mod flow_compact;
mod flow_cost;
mod flow_counts;
mod flow_engines;
mod flow_event_hooks;
mod flow_fallback;
mod flow_fetch;
mod flow_full;
mod flow_hooks;
mod flow_jobs;
mod flow_limits;
mod flow_loops;
mod flow_mcp;
mod flow_mcp_children;
mod flow_mcp_live;
mod flow_mcp_switch;
mod flow_memory;
mod flow_misbehave;
mod flow_overflow;
mod flow_overrides;
mod flow_oversize;
mod flow_permissions;
mod flow_plan_mode;
mod flow_prefix;
mod flow_read_only;
mod flow_reads;
mod flow_recall;
mod flow_recover;
mod flow_restart;
mod flow_rewind;
mod flow_rule_acts;
mod flow_rules_files;
mod flow_servers;
mod flow_settings;
mod flow_skills;
mod flow_stop;
mod flow_summaries;
mod flow_switch;
mod flow_titles;
mod flow_todo;
mod flow_undo;
mod flow_waiting;
mod flow_wires;
mod foreign_sessions;
mod grounding;
mod grounding_consent;
mod grounding_properties;
mod grounding_told;
mod headless;
mod hostile_repository;
mod hostile_text;
mod identifier_lists;
mod json_schema;
mod kept;
#[cfg(not(target_os = "macos"))]
mod keyring;
mod killed_commands;
mod leaks;
mod local_servers;
mod mcp_http;
mod mcp_login;
mod mcp_login_acts;
mod mcp_memory;
mod mcp_mentions;
mod mcp_server;
mod mcp_web;
mod misbehaviour;
mod model_catalogue;
mod model_lists;
mod named_addresses;
mod picture;
mod plain_words;
mod presets;
mod program;
mod providers;
mod prune_parity;
mod pty;
mod read_share;
mod real_mcp;
mod reasoning_levels;
mod recall;
mod request_extras;
mod rules_found;
mod rust_text;
mod server;
mod setting_effects;
mod setting_live;
mod setting_requests;
mod setting_screen;
mod setting_summaries;
mod setting_up;
mod setting_views;
mod shared_sessions;
mod shell_files;
mod strict;
mod strict_anthropic;
mod strict_gemini;
mod strict_logs;
mod strict_responses;
mod strict_switches;
mod terminal;
mod terminal_desk;
mod terminal_hostile;
mod terminal_kill;
mod terminal_mcp;
mod tour;
mod web;
