use std::time::Duration;

use super::*;
use crate::agent::{CallCount, ToolCount, ToolReport};
use crate::config::SettingOrigin;
use crate::tui::overlay::fixture::{self, OverlayStage};

fn tool(name: &str, is_off: bool) -> ToolReport {
    ToolReport {
        name: name.to_owned(),
        does: "Reads a file 漢字 \u{1b}[2J".to_owned(),
        tokens: 120,
        is_off,
    }
}

fn server(name: &str, phase: LinkPhase) -> ServerReport {
    ServerReport {
        name: name.to_owned(),
        phase,
        program: "npx -y server".to_owned(),
        origin: SettingOrigin::Default,
        version: Some("files 1.2, protocol 2025-06-18".to_owned()),
        listed: ToolCount::default(),
        deferred: ToolCount {
            tools: 2,
            tokens: 240,
        },
        has_changed: false,
        calls: CallCount::default(),
        tools: vec![
            tool(&format!("{name}__read"), false),
            tool(&format!("{name}__write"), true),
        ],
        is_switched_off: false,
        is_listed: false,
        entering: 0,
    }
}

fn listed() -> ServerReport {
    let files = server("files", LinkPhase::Ready);
    ServerReport {
        listed: files.deferred,
        deferred: ToolCount::default(),
        is_listed: true,
        calls: CallCount {
            calls: 4,
            failures: 1,
            time: Duration::from_millis(1_234),
            last_error: Some("it took longer than 60 s\u{1b}[2J".to_owned()),
        },
        ..files
    }
}

fn all() -> Vec<ServerReport> {
    let off = ServerReport {
        is_switched_off: true,
        deferred: ToolCount::default(),
        ..server("off", LinkPhase::Off)
    };
    let why = "its program ended with exit status 7".to_owned();
    vec![
        listed(),
        server("tickets", LinkPhase::Starting),
        server("db", LinkPhase::Failed(why)),
        off,
    ]
}

fn switch(what: &str, on: bool) -> [Effect; 1] {
    let what = what.to_owned();
    let act = ServerAct::Switch { what, on };
    [Effect::Send(Op::Setting(SettingOp::Servers(act)))]
}

#[test]
fn servers_look_like_this() {
    let stage = OverlayStage::session();
    fixture::assert_looks!("servers", stage, &mut Servers::new(all()));
    let mut failed = Servers::new(all());
    stage.press(&mut failed, "j j");
    let shown = stage.draw(&mut failed, 100, 24);
    assert!(
        shown.contains("failed: its program ended with exit status 7"),
        "{shown}"
    );
    let narrow = stage.draw(&mut Servers::new(all()), 80, 24);
    assert!(narrow.contains("4 calls, 1 failed"), "{narrow}");
    let empty = stage.draw(&mut Servers::new(Vec::new()), 80, 24);
    assert!(empty.contains("no MCP servers"), "{empty}");
}

#[test]
fn what_costs_the_cache_is_said_before_it_is_done() {
    let stage = OverlayStage::session();
    let mut screen = Servers::new(all());
    assert_eq!(stage.press(&mut screen, "o"), []);
    let shown = stage.draw(&mut screen, 100, 24);
    assert!(
        shown.contains("2 tools leave the list with the next request"),
        "{shown}"
    );
    assert_eq!(stage.press(&mut screen, "o"), switch("files__*", false));
    assert_eq!(stage.press(&mut screen, "o j k"), [], "asked for anew");
    assert_eq!(stage.press(&mut screen, "o"), []);
    assert_eq!(stage.press(&mut screen, "j j j o"), switch("off__*", true));
    assert_eq!(
        stage.press(&mut screen, "k o"),
        switch("db__*", false),
        "it is not in the list"
    );
}

#[test]
fn what_a_server_that_is_off_adds_to_the_list_is_said_before_it_is_switched_on() {
    let stage = OverlayStage::session();
    let off = ServerReport {
        deferred: ToolCount::default(),
        entering: 2,
        ..server("off", LinkPhase::Off)
    };
    let mut screen = Servers::new(vec![off]);
    assert_eq!(stage.press(&mut screen, "o"), []);
    let shown = stage.draw(&mut screen, 100, 24);
    assert!(
        shown.contains("2 tools enter the list with the next request"),
        "{shown}"
    );
    assert_eq!(stage.press(&mut screen, "o"), switch("off__*", true));
}

#[test]
fn a_tool_is_taken_out_and_put_back_and_the_screen_follows() {
    let stage = OverlayStage::session();
    let mut screen = ServerTools::new(server("db", LinkPhase::Ready));
    fixture::assert_looks!("server_tools", stage, &mut screen);
    assert_eq!(stage.press(&mut screen, "o"), switch("db__read", false));
    assert_eq!(stage.press(&mut screen, "j o"), switch("db__write", true));
    let mut costly = ServerTools::new(listed());
    assert_eq!(stage.press(&mut costly, "o"), []);
    assert_eq!(stage.press(&mut costly, "o"), switch("files__read", false));
    let off = ServerReport {
        is_switched_off: true,
        ..server("db", LinkPhase::Off)
    };
    let reply = AgentEvent::reply(QueryReply::Servers(vec![off]));
    stage.report(&mut screen, &reply);
    assert_eq!(stage.press(&mut screen, "o"), [], "its server is off");
    assert!(
        stage
            .draw(&mut screen, 80, 24)
            .contains("the server is off")
    );
}

#[test]
fn lists_are_taken_anew_switches_are_kept_and_tools_open() {
    let stage = OverlayStage::session();
    let mut screen = Servers::new(all());
    let send = |act| [Effect::Send(Op::Setting(SettingOp::Servers(act)))];
    assert_eq!(stage.press(&mut screen, "r"), send(ServerAct::Reload));
    assert_eq!(stage.press(&mut screen, "s"), send(ServerAct::Keep));
    let reply = AgentEvent::reply(QueryReply::Servers(vec![listed()]));
    stage.report(&mut screen, &reply);
    assert!(
        stage
            .draw(&mut screen, 80, 24)
            .contains("1 server, 1 ready")
    );
    assert!(stage.closes(&mut screen, "Esc"));
}

#[test]
fn line_by_line_the_same_is_said() {
    let lines = lines(&all());
    assert_eq!(
        lines[0],
        "files: ready, 2 tools listed, ~240 tok, 4 calls, 1 failed, 1.2s"
    );
    assert!(
        lines.contains(&"  failed: its program ended with exit status 7".to_owned()),
        "{lines:?}"
    );
    assert_eq!(super::lines(&[]), [NO_SERVERS]);
}
