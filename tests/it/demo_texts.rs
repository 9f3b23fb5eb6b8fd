//! The larger texts of the demo session: files, listings and logs of a repository that
//! does not exist. Written by rules, so that they are long without being noise.

use std::fmt::Write as _;

/// The tables of the service.
const TABLES: [(&str, &str); 6] = [
    ("sailings", "departs"),
    ("arrivals", "arrived"),
    ("bookings", "booked"),
    ("berths", "free_from"),
    ("tickets", "issued"),
    ("refunds", "paid_back"),
];

/// `list .`
pub fn tree() -> String {
    let mut out = String::from(
        "Cargo.toml\nAGENTS.md\ncompose.yaml\nmigrations/0001_init.sql\nsrc/main.rs\nsrc/config.rs\nsrc/store/mod.rs\n",
    );
    for (table, _) in TABLES {
        let _ = writeln!(
            out,
            "src/store/{table}.rs\nsrc/routes/{table}.rs\ntests/{table}.rs"
        );
    }
    out
}

/// `migrations/0001_init.sql`
pub fn schema() -> String {
    let mut out =
        String::from("-- Timetable of the ferries. Times are TEXT, local to the port.\n\n");
    for (table, column) in TABLES {
        let _ = write!(
            out,
            "CREATE TABLE {table} (\n    id          INTEGER PRIMARY KEY,\n    port        TEXT NOT NULL REFERENCES ports (code),\n    vessel      TEXT NOT NULL,\n    {column:<11} TEXT NOT NULL, -- 'YYYY-MM-DD HH:MM' in ports.zone\n    note        TEXT\n);\nCREATE INDEX {table}_by_{column} ON {table} (port, {column});\n\n"
        );
    }
    out
}

/// `src/store/<table>.rs`
pub fn store(table: &str, column: &str) -> String {
    let name = table.trim_end_matches('s');
    let mut out = format!(
        "//! Reads and writes {table}.\n\nuse sqlx::PgPool;\n\nuse crate::clock::PortTime;\nuse crate::store::{{Page, StoreError}};\n\n"
    );
    for (verb, condition) in [
        ("next", ">="),
        ("latest", "<"),
        ("on_day", "LIKE"),
        ("between", "BETWEEN"),
        ("of_vessel", "="),
        ("count", "<>"),
        ("first_of_day", ">="),
        ("last_of_day", "<="),
        ("cancelled", "IS DISTINCT FROM"),
        ("delayed", ">"),
        ("to_port", "="),
        ("overnight", "NOT LIKE"),
    ] {
        let _ = write!(
            out,
            "/// `{verb}`: {table} of a port, compared as text.\npub async fn {verb}(\n    pool: &PgPool,\n    port: &str,\n    at: &str,\n    page: Page,\n) -> Result<Vec<Row>, StoreError> {{\n    let rows = sqlx::query_as::<_, Row>(\n        \"SELECT id, port, vessel, {column}, note FROM {table} \\\n         WHERE port = $1 AND {column} {condition} $2 \\\n         ORDER BY {column} LIMIT $3 OFFSET $4\",\n    )\n    .bind(port)\n    .bind(at)\n    .bind(page.limit)\n    .bind(page.offset)\n    .fetch_all(pool)\n    .await?;\n    rows.into_iter().map(|{name}| {name}.checked()).collect()\n}}\n\n"
        );
    }
    out
}

/// What `search` finds for `departs`.
pub fn matches() -> String {
    let mut out = String::new();
    for (table, column) in TABLES {
        let _ = writeln!(out, "src/store/{table}.rs");
        for line in 0..6 {
            let number = 14 + line * 22;
            let _ = writeln!(
                out,
                "  {number}:        \"SELECT id, port, vessel, {column}, note FROM {table} \\"
            );
        }
        let _ = writeln!(
            out,
            "src/routes/{table}.rs\n  31:    let at = query.{column}.unwrap_or_else(|| clock.local(port));"
        );
    }
    out
}

/// `cargo test`, with or without the two failures.
pub fn test_run(fails: bool) -> String {
    let mut out = String::from(
        "   Compiling ferrytable v0.9.2 (/home/ada/ferrytable)\n    Finished `test` profile [unoptimized + debuginfo] target(s) in 21.40s\n     Running tests/it.rs\n\nrunning 72 tests\n",
    );
    for (table, column) in TABLES {
        for case in [
            "empty_port",
            "one_row",
            "order_is_by_time",
            "page_ends",
            "unknown_vessel",
            "midnight",
            "summer_time_begins",
            "summer_time_ends",
            "two_ports_share_a_zone",
            "a_vessel_changes_port",
            "page_beyond_the_end",
            "v1_form_is_accepted",
        ] {
            let broken = fails && table == "sailings" && case.starts_with("summer");
            let end = if broken { "FAILED" } else { "ok" };
            let _ = writeln!(out, "test {table}::{column}::{case} ... {end}");
        }
    }
    if fails {
        out.push_str(
            "\nfailures:\n\n---- sailings::departs::summer_time_ends stdout ----\nassertion `left == right` failed: two sailings at 02:30\n  left: [\"2025-10-26 02:30\", \"2025-10-26 02:30\"]\n right: [2025-10-26T00:30:00Z, 2025-10-26T01:30:00Z]\n  at tests/sailings.rs:118\n\n---- sailings::departs::summer_time_begins stdout ----\nsailing 4471 departs 2025-03-30 02:15, which does not exist in Europe/Oslo\n  at tests/sailings.rs:97\n\ntest result: FAILED. 70 passed; 2 failed; 0 ignored; finished in 3.12s\n\n[exit code 101]",
        );
    } else {
        out.push_str(
            "\ntest result: ok. 72 passed; 0 failed; 0 ignored; finished in 3.05s\n\n[exit code 0]",
        );
    }
    out
}

/// Output of the trial migration on a copy of the data.
pub fn migration_log(fails: bool) -> String {
    let mut out = String::from("connecting to postgres://ferry@127.0.0.1:54329/ferry_copy\n");
    for batch in 0..120 {
        let (table, column) = TABLES[batch % TABLES.len()];
        let first = batch * 5_000 + 1;
        let _ = writeln!(
            out,
            "batch {batch:>3}  {table}.{column}  rows {first}–{}  {} ms",
            first + 4_999,
            180 + batch * 7 % 90
        );
    }
    if fails {
        out.push_str("ERROR 22008 in batch 120: row 4471: \"2025-03-30 02:15\" is not a time in Europe/Oslo\nrolled back, nothing was changed\n\n[exit code 1]");
    } else {
        out.push_str("committed 6 tables, 600000 rows, 3 rows moved by one hour\n\n[exit code 0]");
    }
    out
}

/// A query plan before and after.
pub fn plans() -> String {
    let mut out = String::new();
    for (table, column) in TABLES {
        let _ = write!(
            out,
            "EXPLAIN ANALYZE SELECT * FROM {table} WHERE port = 'BGO' ORDER BY {column} LIMIT 20;\n Limit  (cost=0.42..9.11 rows=20 width=64) (actual time=0.031..0.058 rows=20 loops=1)\n   ->  Index Scan using {table}_by_{column} on {table}  (cost=0.42..2172.40 rows=5000 width=64)\n         Index Cond: (port = 'BGO'::text)\n         Buffers: shared hit=7\n Planning Time: 0.184 ms\n Execution Time: 0.083 ms\n\n"
        );
    }
    out.push_str("[exit code 0]");
    out
}

/// `migrations/0002_timestamptz.sql`
pub fn migration() -> String {
    let mut out = String::from(
        "-- Times become timestamptz. Rows that name an hour twice keep the first.\n\n",
    );
    for (table, column) in TABLES {
        let _ = write!(
            out,
            "ALTER TABLE {table} ADD COLUMN {column}_at timestamptz;\nUPDATE {table} SET {column}_at = {column}::timestamp AT TIME ZONE ports.zone\n  FROM ports WHERE ports.code = {table}.port;\nALTER TABLE {table} ALTER COLUMN {column}_at SET NOT NULL;\nCREATE INDEX CONCURRENTLY {table}_by_{column}_at ON {table} (port, {column}_at);\n\n"
        );
    }
    out
}
