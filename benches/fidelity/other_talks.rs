//! Conversations that are not, or not only, about code.

use std::fmt::Write as _;

use super::project::{come_back, files};
use super::talk::{Dice, Talk};

pub fn research() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(5));
    let vendors = [
        "Nordkabel",
        "Helios Grid",
        "Aquaterra",
        "Brandt & Sohn",
        "Lumen Works",
        "Ostsee Netz",
        "Pacific Array",
        "Tidewater",
    ];
    let themes = [
        "price",
        "warranty",
        "delivery",
        "losses",
        "service",
        "recycling",
    ];
    talk.user("Compare suppliers of sea cable for the harbour project: price per km, warranty, delivery. The budget is 4.2 million EUR, delivery within 26 weeks. Give sources for every number.");
    let mut facts: Vec<(usize, String, String)> = Vec::new();
    for turn in 0..100 {
        let at = dice.below(vendors.len());
        let (vendor, theme) = (vendors[at], *dice.one_of(&themes));
        let slug = vendor.to_lowercase().replace([' ', '&'], "-");
        let url = format!(
            "https://www.{slug}.example/products/{theme}-{}",
            2020 + turn % 6
        );
        let mut page = String::new();
        for paragraph in 0..30 {
            let _ = writeln!(
                page,
                "{vendor} states for series {}-{} a {theme} of {} EUR per km and {} weeks, tested \
                 at {} kV with {}% losses after {} hours; the report of {} names other conditions.",
                dice.one_of(&["SK", "NX", "HV"]),
                100 + dice.below(800),
                40_000 + dice.below(60_000),
                8 + dice.below(30),
                10 + dice.below(90),
                1 + dice.below(9),
                500 + paragraph * 24,
                dice.one_of(&["Ingrid Maas", "Tomas Lind", "Aiko Mori", "P. Okafor"])
            );
        }
        talk.fetch(&format!("I look for the {theme} of {vendor}."), &url, &page);
        let price = format!("{} EUR", 41_000 + dice.below(50) * 1_000);
        talk.say(format!(
            "{vendor}: {price} per km, {} weeks, {}% losses. Source: {url}",
            10 + dice.below(20),
            2 + dice.below(6)
        ));
        facts.push((at, price, url));
        let (known, price, url) = dice.one_of(&facts).clone();
        talk.user(match dice.below(4) {
            0 => format!(
                "was {} really {price}? which series was that",
                vendors[known]
            ),
            1 => format!("put {url} into the list of sources"),
            2 => format!(
                "we decided against {} because of the losses, go with {} instead of it for now",
                vendors[known], vendor
            ),
            _ => "next supplier".to_owned(),
        });
        talk.say(format!("{}: {price}, from {url}.", vendors[known]));
    }
    talk
}

pub fn languages_and_rules() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(6));
    let files = files(&mut dice, 16, "ts");
    let rules = [
        "Antworte immer auf Deutsch, auch wenn ich Englisch schreibe.",
        "ne touche jamais à legacy/, sans exception",
        "从现在开始,所有日志都用 UTC 时间。",
        "コメントは日本語で書かないでください。",
        "No uses librerías nuevas sin preguntarme antes.",
        "always run the linter before you say that something is done",
        "Высота строки не больше 100 символов.",
        "Please answer in short sentences.",
    ];
    let mut worked_on = Vec::new();
    for turn in 0..90 {
        let at = dice.below(files.len());
        let file = &files[at];
        worked_on.push(at);
        let ask = match turn % 4 {
            0 => format!(
                "Bitte ändere `{}` in {} so, dass leere Eingaben erlaubt sind.",
                file.function(&mut dice),
                file.path
            ),
            1 => format!("et maintenant {} dans {}", file.types[0], file.name()),
            2 => format!("请看一下 {} 里的 {}", file.path, file.function(&mut dice)),
            _ => format!("now {} please", file.member(&mut dice)),
        };
        let rule = if turn % 4 == 1 {
            rules.get(turn / 4).copied().unwrap_or_default()
        } else {
            ""
        };
        talk.user(format!("{ask} {rule}").trim().to_owned());
        talk.read("", &file.path, &file.content(140));
        let function = file.function(&mut dice);
        let (old, new) = file.change(&mut dice, 140);
        talk.edit("", &file.path, &old, &new);
        let other = come_back(&mut dice, &files, &worked_on).clone();
        talk.say(format!(
            "Fertig: `{function}` in `{}` nimmt leere Eingaben an; `{}` ruft es über `{}` auf.",
            file.path,
            other.path,
            other.function(&mut dice)
        ));
    }
    talk
}

pub fn ticket_ops() -> Talk {
    let (mut talk, mut dice) = (Talk::default(), Dice::new(7));
    let hosts = [
        "db-eu-1.internal",
        "db-eu-2.internal",
        "cache-7.internal",
        "edge-12.internal",
        "10.0.4.17:5432",
        "10.0.4.18:5432",
    ];
    talk.user("On call with me today. Tickets come from OPS. Never run anything on db-eu-1 without my ok; the error budget is 0.3%. Page Mara for anything above 5 minutes of downtime.");
    let mut open: Vec<(String, String, String)> = Vec::new();
    for turn in 0..52 {
        let ticket = format!("OPS-{}", 4100 + turn * 3);
        let host = (*dice.one_of(&hosts)).to_owned();
        let commit = dice.hex(8);
        let user = match dice.below(3) {
            0 => format!("{ticket}: {host} is slow since deploy {commit}"),
            1 => format!(
                "new one: {ticket}, disk at {}% on {host}",
                80 + dice.below(19)
            ),
            _ => format!(
                "look at {ticket} (latency {} ms on {host})",
                300 + dice.below(2_000)
            ),
        };
        talk.user(user);
        let mut rows = String::new();
        for row in 0..70 {
            let _ = writeln!(
                rows,
                "{host} pod-{}-{} {} restarts={} cpu={}m commit={}",
                dice.hex(4),
                row,
                dice.one_of(&["Running", "Pending", "CrashLoopBackOff"]),
                dice.below(9),
                dice.below(900),
                dice.hex(8)
            );
        }
        let service = *dice.one_of(&["ledger_api", "quota-sync", "reportWorker", "auth_gate"]);
        talk.run(
            "",
            &format!("kubectl get pods -n {service} --field-selector spec.nodeName={host}"),
            &rows,
            false,
        );
        talk.run(
            "",
            &format!(
                "kubectl rollout history deploy/{service} --revision={}",
                turn + 2
            ),
            &format!(
                "revision {} commit {commit} image registry.local/{service}:v3.{turn}.0\n",
                turn + 2
            ),
            dice.chance(20),
        );
        talk.say(format!("{ticket}: `{service}` v3.{turn}.0 ({commit}) leaks connections on {host}; rolled back, errors at 0.{}%.", 1 + dice.below(8)));
        open.push((ticket.clone(), commit, host));
        let (old, commit, host) = open[open.len().saturating_sub(1 + dice.below(9))].clone();
        talk.user(match dice.below(4) {
            0 => format!("reopen {old}, {commit} is back on {host}"),
            1 => format!("was {old} also {service}?"),
            2 => format!("write the note for {old} and {ticket}"),
            _ => "ok next".to_owned(),
        });
        talk.say(format!("{old} was {commit} on {host}."));
    }
    talk
}
