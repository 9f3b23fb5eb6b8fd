//! Every setting does what its row says: for each key of the table the test that shows it.
//! A key without one fails here, and so does a test that is no longer there.

use std::collections::BTreeSet;
use std::path::Path;

use plimsoll::config::{Settings, all_settings, find};

/// Each setting with the test of its effect: on a request, a view, a summary, the screen or
/// what a command may do.
const EFFECTS: &[(&str, &str)] = &[
    ("model", "the_model_that_is_set_answers"),
    ("fallback_models", "another_model_takes_over"),
    (
        "overflow_upgrade",
        "a_larger_model_answers_what_the_smaller_one_could_not",
    ),
    ("base_url", "the_address_that_is_set_is_asked"),
    ("thinking", "how_hard_to_think_is_sent"),
    ("system", "the_system_prompt_is_the_one_that_is_set"),
    (
        "append_system",
        "a_change_is_used_by_the_next_view_and_request",
    ),
    ("max_turns", "one_message_takes_no_more_requests_than_set"),
    (
        "max_cost",
        "no_request_follows_one_that_cost_as_much_as_allowed",
    ),
    (
        "agents.window_cap",
        "the_window_of_sub_agents_has_a_cap_of_its_own",
    ),
    ("titles", "a_list_shows_short_titles_unless_they_are_off"),
    (
        "title_model",
        "a_model_for_titles_is_asked_once_after_the_first_turn_and_its_cost_counts",
    ),
    (
        "extra_dirs",
        "a_file_in_a_further_directory_is_read_without_a_question",
    ),
    ("trusted_dirs", "a_trusted_project_may_set_everything"),
    ("approvals.mode", "another_approval_mode_counts_at_once"),
    (
        "approvals.allow",
        "a_pattern_that_is_allowed_runs_without_a_question",
    ),
    (
        "approvals.read_only",
        "a_command_that_only_reads_runs_without_a_question_and_its_result_says_so",
    ),
    (
        "tools.off",
        "a_tool_that_is_off_is_not_offered_and_a_wrong_name_is_said",
    ),
    (
        "tools.fetch",
        "pages_are_fetched_only_where_that_is_switched_on_and_agreed_to",
    ),
    (
        "mcp.defer",
        "two_hundred_and_fifty_tools_cost_as_much_as_two",
    ),
    (
        "loop_guard",
        "without_the_guard_a_loop_is_left_alone_and_jobs_are_no_loop",
    ),
    (
        "skills",
        "without_skills_nothing_is_told_and_nothing_loaded",
    ),
    (
        "tools.shell_timeout_secs",
        "another_time_limit_is_kept_and_told_to_the_model",
    ),
    (
        "tools.checkpoint_mb",
        "what_has_no_room_to_be_kept_is_changed_and_said",
    ),
    (
        "retry.max_attempts",
        "a_request_is_tried_as_often_as_set_and_so_is_a_summary",
    ),
    (
        "retry.max_wait_secs",
        "a_wait_that_is_longer_than_allowed_ends_the_turn",
    ),
    (
        "stream.stall_secs",
        "a_stream_that_is_silent_for_long_enough_fails",
    ),
    (
        "probe.local",
        "usual_ports_are_left_alone_where_that_is_wanted_and_addresses_that_were_set_are_not",
    ),
    (
        "probe.local_ms",
        "a_silent_server_costs_the_probe_time_and_is_said_to_be_silent_not_away",
    ),
    (
        "prompt_cache.ttl",
        "the_prompt_cache_is_asked_as_set_and_nothing_of_other_peoples_servers",
    ),
    (
        "prompt_cache.diagnosis",
        "the_prompt_cache_is_asked_as_set_and_nothing_of_other_peoples_servers",
    ),
    (
        "catalogue.refresh",
        "models_dev_is_asked_once_a_day_beside_a_chat_and_not_where_it_is_switched_off",
    ),
    (
        "catalogue.url",
        "models_dev_is_asked_once_a_day_beside_a_chat_and_not_where_it_is_switched_off",
    ),
    ("tls.roots", "certificates_are_trusted_as_set"),
    ("tls.ca_file", "certificates_are_trusted_as_set"),
    (
        "lanes.global",
        "one_lane_makes_a_summary_wait_for_the_answer",
    ),
    (
        "agent.window_cap",
        "windows_and_caps_decide_how_much_is_used",
    ),
    (
        "preset",
        "openclaw_holds_single_results_and_the_total_before_each_call",
    ),
    (
        "context.engine",
        "a_sliding_window_sends_the_newest_turns_and_asks_no_model_for_a_summary",
    ),
    (
        "context.engine_command",
        "a_program_that_hangs_lies_dies_or_floods_costs_a_notice_and_nothing_else",
    ),
    (
        "context.engine_limit_ms",
        "programs_that_cannot_begin_are_set_aside_at_once",
    ),
    (
        "memory.flush",
        "before_a_compaction_the_model_may_add_notes_which_are_said_and_taken_back",
    ),
    (
        "memory.sessions",
        "recall_reaches_notes_and_with_memory_sessions_other_sessions_of_the_project",
    ),
    (
        "memory.engine",
        "without_a_memory_nothing_is_read_or_kept_and_an_unknown_one_is_said",
    ),
    (
        "context.server",
        "the_server_is_asked_to_clear_only_where_it_can",
    ),
    ("ruler", "tokens_are_counted_as_set"),
    (
        "ruler_margin",
        "a_fixed_margin_ends_what_is_learnt_from_usage",
    ),
    ("window.user", "windows_and_caps_decide_how_much_is_used"),
    ("window.cap", "windows_and_caps_decide_how_much_is_used"),
    (
        "window.warn_below",
        "windows_and_caps_decide_how_much_is_used",
    ),
    ("window.min", "windows_and_caps_decide_how_much_is_used"),
    (
        "window.input_limit",
        "windows_and_caps_decide_how_much_is_used",
    ),
    (
        "prune.policy",
        "the_policy_says_whether_and_how_results_are_shortened",
    ),
    ("prune.gate", "gate_ttl_and_force_say_when_a_prune_runs"),
    ("prune.ttl_secs", "gate_ttl_and_force_say_when_a_prune_runs"),
    (
        "prune.force_ratio",
        "gate_ttl_and_force_say_when_a_prune_runs",
    ),
    (
        "prune.force_min_gain",
        "gate_ttl_and_force_say_when_a_prune_runs",
    ),
    (
        "prune.keep_last_assistants",
        "what_is_protected_from_a_prune_is_what_is_set",
    ),
    (
        "prune.soft_ratio",
        "ratios_say_from_which_share_results_are_trimmed_and_cleared",
    ),
    (
        "prune.hard_ratio",
        "ratios_say_from_which_share_results_are_trimmed_and_cleared",
    ),
    (
        "prune.min_prunable_chars",
        "ratios_say_from_which_share_results_are_trimmed_and_cleared",
    ),
    ("prune.min_prunable_share", "little_to_clear_is_left_alone"),
    (
        "prune.soft.max_chars",
        "a_trimmed_result_has_the_length_that_is_set",
    ),
    (
        "prune.soft.head_chars",
        "a_trimmed_result_has_the_length_that_is_set",
    ),
    (
        "prune.soft.tail_chars",
        "a_trimmed_result_has_the_length_that_is_set",
    ),
    (
        "prune.hard.enabled",
        "ratios_say_from_which_share_results_are_trimmed_and_cleared",
    ),
    (
        "prune.hard.placeholder",
        "placeholders_are_the_words_that_are_set",
    ),
    (
        "prune.superseded",
        "a_result_that_a_later_one_made_pointless_goes_when_that_is_set",
    ),
    (
        "prune.arguments",
        "arguments_of_old_writes_are_left_out_when_that_is_set",
    ),
    (
        "prune.difference_reads",
        "a_read_of_what_was_read_is_a_difference_when_that_is_set",
    ),
    (
        "prune.protect_errors",
        "what_is_protected_from_a_prune_is_what_is_set",
    ),
    (
        "prune.tools.allow",
        "what_is_protected_from_a_prune_is_what_is_set",
    ),
    (
        "prune.tools.deny",
        "what_is_protected_from_a_prune_is_what_is_set",
    ),
    (
        "prune.protect_tokens",
        "protect_recent_keeps_the_tokens_and_turns_that_are_set",
    ),
    (
        "prune.minimum_tokens",
        "protect_recent_keeps_the_tokens_and_turns_that_are_set",
    ),
    (
        "prune.protect_turns",
        "protect_recent_keeps_the_tokens_and_turns_that_are_set",
    ),
    (
        "prune.protect_whole_turns",
        "protect_recent_keeps_the_tokens_and_turns_that_are_set",
    ),
    (
        "guard.enabled",
        "the_guard_cuts_what_is_too_large_for_its_share_and_says_so_in_the_words_set",
    ),
    (
        "guard.single_share",
        "the_guard_cuts_what_is_too_large_for_its_share_and_says_so_in_the_words_set",
    ),
    (
        "guard.result_weight",
        "openclaw_holds_single_results_and_the_total_before_each_call",
    ),
    (
        "guard.total_share",
        "the_total_guard_holds_the_shares_that_are_set_when_it_is_asked_for_or_always",
    ),
    (
        "guard.total_target",
        "the_total_guard_holds_the_shares_that_are_set_when_it_is_asked_for_or_always",
    ),
    (
        "guard.total_always",
        "the_total_guard_holds_the_shares_that_are_set_when_it_is_asked_for_or_always",
    ),
    (
        "guard.notice",
        "a_compaction_cuts_with_the_words_that_are_set",
    ),
    (
        "guard.placeholder",
        "placeholders_are_the_words_that_are_set",
    ),
    (
        "guard.tool_output_max_chars",
        "the_guard_cuts_what_is_too_large_for_its_share_and_says_so_in_the_words_set",
    ),
    (
        "media.ageing",
        "attachments_become_text_after_the_turns_and_groups_that_are_set",
    ),
    (
        "media.keep_turns",
        "attachments_become_text_after_the_turns_and_groups_that_are_set",
    ),
    ("media.keep_groups", "no_group_is_kept_when_none_is_to_be"),
    (
        "compaction.auto",
        "at_the_load_line_a_summary_is_written_unless_that_is_off",
    ),
    (
        "compaction.threshold",
        "reserve_and_threshold_place_the_load_line",
    ),
    (
        "compaction.reserved",
        "reserve_and_threshold_place_the_load_line",
    ),
    (
        "compaction.reserve",
        "reserve_and_threshold_place_the_load_line",
    ),
    (
        "compaction.reserve_max_share",
        "reserve_and_threshold_place_the_load_line",
    ),
    (
        "compaction.model",
        "what_is_set_is_what_the_summariser_is_asked",
    ),
    (
        "compaction.tail_turns",
        "a_compaction_keeps_the_turns_and_tokens_that_are_set",
    ),
    (
        "compaction.keep_recent_tokens",
        "a_compaction_keeps_the_turns_and_tokens_that_are_set",
    ),
    (
        "compaction.keep_recent_max",
        "a_compaction_keeps_the_turns_and_tokens_that_are_set",
    ),
    (
        "compaction.tail_few_asks",
        "with_few_asks_all_of_them_are_kept_when_that_is_set",
    ),
    (
        "compaction.always_chunk",
        "history_is_read_in_the_parts_that_are_set",
    ),
    (
        "compaction.max_history_share",
        "history_is_read_in_the_parts_that_are_set",
    ),
    (
        "compaction.template",
        "what_is_set_is_what_the_summariser_is_asked",
    ),
    (
        "compaction.instructions",
        "what_is_set_is_what_the_summariser_is_asked",
    ),
    (
        "compaction.timeout_secs",
        "a_compaction_that_takes_too_long_changes_nothing",
    ),
    (
        "compaction.max_attempts",
        "an_overflow_is_recovered_from_as_often_as_set",
    ),
    (
        "compaction.auto_continue",
        "auto_continue_is_decided_by_its_hook",
    ),
    (
        "compaction.background",
        "a_summary_written_ahead_counts_at_the_load_line_and_keeps_what_was_said_since",
    ),
    ("compaction.review", "summaries_wait_for_a_review_as_set"),
    (
        "compaction.on_overflow_failure",
        "a_summary_that_takes_too_long_on_overflow_is_made_without_a_model_or_named",
    ),
    (
        "workspace_sections",
        "the_sections_that_are_set_follow_a_summary",
    ),
    (
        "audit.enabled",
        "summaries_are_checked_asked_for_again_and_corrected_as_set",
    ),
    (
        "audit.retries",
        "summaries_are_checked_asked_for_again_and_corrected_as_set",
    ),
    (
        "audit.mend",
        "summaries_are_checked_asked_for_again_and_corrected_as_set",
    ),
    (
        "audit.identifier_policy",
        "what_is_set_is_what_the_summariser_is_asked",
    ),
    (
        "audit.identifier_instructions",
        "what_is_set_is_what_the_summariser_is_asked",
    ),
    (
        "audit.max_identifiers",
        "a_summary_has_to_carry_as_many_identifiers_of_as_many_messages_as_set",
    ),
    (
        "audit.identifier_messages",
        "a_summary_has_to_carry_as_many_identifiers_of_as_many_messages_as_set",
    ),
    (
        "hooks.before_compact",
        "before_compact_may_bring_the_summary_and_after_compact_is_told",
    ),
    (
        "hooks.after_compact",
        "before_compact_may_bring_the_summary_and_after_compact_is_told",
    ),
    (
        "hooks.before_request",
        "before_request_adds_messages_that_are_counted_shown_and_kept",
    ),
    (
        "hooks.auto_continue",
        "auto_continue_is_decided_by_its_hook",
    ),
    (
        "hooks.claude",
        "hooks_of_claude_code_run_when_that_is_set_and_the_project_is_trusted",
    ),
    (
        "hooks.timeout_secs",
        "a_hook_that_fails_is_slow_or_talks_garbage_is_set_aside_once_and_blocks_nothing",
    ),
    (
        "theme",
        "the_screen_follows_its_settings_at_the_start_and_at_once",
    ),
    (
        "mouse",
        "the_screen_follows_its_settings_at_the_start_and_at_once",
    ),
    (
        "color",
        "the_screen_follows_its_settings_at_the_start_and_at_once",
    ),
    ("plain", "the_chat_is_line_by_line_when_that_is_set"),
    (
        "title",
        "the_screen_follows_its_settings_at_the_start_and_at_once",
    ),
    ("notify.when", "the_user_is_called_when_and_how_it_is_set"),
    ("notify.method", "the_user_is_called_when_and_how_it_is_set"),
    (
        "keys.vi",
        "the_screen_follows_its_settings_at_the_start_and_at_once",
    ),
    (
        "terminal.links",
        "addresses_can_be_clicked_and_the_tab_shows_that_something_runs_as_set",
    ),
    (
        "terminal.progress",
        "addresses_can_be_clicked_and_the_tab_shows_that_something_runs_as_set",
    ),
    ("motion", "nothing_turns_where_motion_is_reduced"),
    (
        "transcript.width",
        "text_is_as_wide_as_set_and_the_sides_of_a_diff_are_placed_as_set",
    ),
    (
        "transcript.diff",
        "text_is_as_wide_as_set_and_the_sides_of_a_diff_are_placed_as_set",
    ),
];

/// Settings with these values, each given as a file or a flag gives it.
pub fn settings(pairs: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    set_all(&mut settings, pairs);
    settings
}

/// Puts values into settings by their keys.
pub fn set_all(settings: &mut Settings, pairs: &[(&str, &str)]) {
    for (key, text) in pairs {
        let (setting, _) = find(key).unwrap();
        setting
            .set(settings, &setting.parse_text(text))
            .unwrap_or_else(|expected| panic!("{key} = {text}: expected {expected}"));
    }
}

#[test]
fn every_setting_has_a_test_of_its_effect() {
    let tests = names_of_tests();
    let listed: Vec<&str> = EFFECTS.iter().map(|(key, _)| *key).collect();
    let known: Vec<&str> = all_settings().map(|setting| setting.key).collect();
    for key in &known {
        let times = listed.iter().filter(|listed| *listed == key).count();
        assert_eq!(times, 1, "{key}: name the one test that shows its effect");
    }
    for (key, test) in EFFECTS {
        assert!(known.contains(key), "there is no setting {key}");
        assert!(tests.contains(*test), "{key}: there is no test {test}");
    }
}

/// The names of all functions that are marked as tests.
fn names_of_tests() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = BTreeSet::new();
    collect(&root.join("src"), &mut names);
    collect(&root.join("tests"), &mut names);
    names
}

fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            names.extend(tests_of(&text));
        }
    }
}

fn tests_of(text: &str) -> Vec<String> {
    let mut is_marked = false;
    let mut names = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_marked = true;
        }
        let name = line
            .strip_prefix("async fn ")
            .or_else(|| line.strip_prefix("fn "));
        if let Some((name, _)) = name.and_then(|rest| rest.split_once('('))
            && std::mem::take(&mut is_marked)
        {
            names.push(name.to_owned());
        }
    }
    names
}
