//! `plim mcp` with its arguments.

use clap::{Args, Subcommand};

/// `plim mcp`
#[derive(Clone, Debug, Args)]
pub struct McpArgs {
    /// What to do.
    #[command(subcommand)]
    pub act: McpAct,
}

/// What `plim mcp` does.
#[derive(Clone, Debug, Subcommand)]
pub enum McpAct {
    /// List the configured servers; starts none
    #[command(after_help = "Example: plim mcp list")]
    List(McpListArgs),
    /// Start a server and list its tools with their tokens; exit code 1 if it fails
    #[command(after_help = "Example: plim mcp test tickets")]
    Test(McpTestArgs),
    /// Add a server to your configuration
    #[command(
        after_help = "Example: plim mcp add files -- npx -y @modelcontextprotocol/server-filesystem ."
    )]
    Add(McpAddArgs),
    /// Take a server out of your configuration
    #[command(after_help = "Example: plim mcp remove tickets")]
    Remove(McpNameArgs),
    /// Log in to a server that is reached by HTTP
    #[command(after_help = "Example: plim mcp login tickets")]
    Login(McpLoginArgs),
    /// Delete the stored login of a server and have its tokens revoked
    #[command(after_help = "Example: plim mcp logout tickets")]
    Logout(McpNameArgs),
}

/// `plim mcp list`
#[derive(Clone, Copy, Debug, Args)]
pub struct McpListArgs {
    /// Print JSON
    ///
    /// An array: each server with `name`, `kind` (`program` or `http`), `reached` (command or
    /// URL), `origin`, `off`, `logged_in` (null: it is a program), and `tools` and `tokens` of
    /// the last time it ran (null: it was not used yet).
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
}

/// `plim mcp test`
#[derive(Clone, Debug, Args)]
pub struct McpTestArgs {
    /// Name of the server
    pub name: String,
    /// Print JSON
    ///
    /// An object: `name`, `state`, `reason` (or null), `version` (or null), `tokens`, and
    /// `tools`, each with `name`, `tool`, `description` and `tokens`.
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
}

/// `plim mcp add`
#[derive(Clone, Debug, Args)]
pub struct McpAddArgs {
    /// Name of the server: letters, digits, - and _
    pub name: String,
    /// Header of each request, for a URL; `${VAR}` stands for a variable
    #[arg(long = "header", value_name = "NAME=VALUE", value_parser = pair)]
    pub headers: Vec<(String, String)>,
    /// Variable of the environment, for a program; `${VAR}` stands for one of yours
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = pair)]
    pub env: Vec<(String, String)>,
    /// Client ID for the login, for a URL whose server does not register programs
    #[arg(long, value_name = "ID")]
    pub client_id: Option<String>,
    /// URL, or a program with its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "URL|PROGRAM"
    )]
    pub target: Vec<String>,
}

/// A server by its name.
#[derive(Clone, Debug, Args)]
pub struct McpNameArgs {
    /// Name of the server
    pub name: String,
}

/// `plim mcp login`
#[derive(Clone, Debug, Args)]
pub struct McpLoginArgs {
    /// Name of the server
    pub name: String,
    /// Print the address of the login instead of opening it in a browser
    #[arg(long)]
    pub no_browser: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
