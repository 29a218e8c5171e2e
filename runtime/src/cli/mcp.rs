//! `doorlist mcp`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use doorlist::ambient::System;
use doorlist::journal::FolderJournal;
use doorlist::loop_folder::{FolderSource, LoopFolder};
use doorlist::mcp::{Admitted, DoorServer, PATH, Stateless, serve_http, serve_lines};
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;

use super::place::named_folders;
use super::print::{data, note};
use super::run::{accepted, ctrl_c, gate};
use super::{Exit, Output, own};

/// Offer the doors of a folder to a client of the Model Context Protocol, over standard input and
/// output, or to many over HTTP.
///
/// The listed doors are the client's tools, and nothing else is: no tool adds a door, a grant or a nod.
/// Every call goes through the whole gate. A door that must be asked first is answered "waiting for a
/// nod: run `doorlist nod ID`, then call again", unless `by` in [ask] of policy.toml has "client" and
/// the client can ask its person. In a folder without loop.txt every door that was built or accepted
/// there is listed.
///
/// Each client is a session of its own, kept in sessions/. Clients start this command themselves:
/// `doorlist mcp install CLIENT` says how.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    command: Option<McpCommand>,
    /// The loop's folder, or one of doors.
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Serve over HTTP at this address, under /mcp, instead of standard input and output.
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,
    /// What a client over HTTP must carry as `authorization: Bearer …`. Needed where others than this
    /// machine can reach the server; better given by the environment than as an argument.
    #[arg(
        long,
        value_name = "TOKEN",
        env = "DOORLIST_MCP_TOKEN",
        hide_env_values = true
    )]
    token: Option<String>,
    /// A name that clients over HTTP call the server by, beside localhost; can be given several times.
    #[arg(long, value_name = "NAME[:PORT]")]
    host: Vec<String>,
    /// The origin of a page that may speak to it, beside those of this machine.
    #[arg(long, value_name = "SCHEME://NAME:PORT")]
    origin: Vec<String>,
}

#[derive(Subcommand)]
enum McpCommand {
    Install(Install),
}

/// Say how a client starts the server of a folder, or write that into the client's own file.
#[derive(Args)]
struct Install {
    /// The client.
    client: Client,
    /// The loop's folder, or one of doors.
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Write the entry into the client's file of the project where you are; what else is in it stays.
    #[arg(long)]
    write: bool,
}

/// A client, by where it reads its servers from.
#[derive(Clone, Copy, ValueEnum)]
enum Client {
    /// Claude Code: .mcp.json; Claude Desktop takes the same entry.
    Claude,
    /// Visual Studio Code: .vscode/mcp.json.
    Vscode,
    /// Cursor: .cursor/mcp.json.
    Cursor,
}

impl Mcp {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        if let Some(McpCommand::Install(install)) = self.command {
            return install.perform(output);
        }
        let folder = LoopFolder::of_doors(&self.dir, own()?)?;
        let gate = gate(&folder)?;
        let journal = Arc::new(FolderJournal::sessions(folder.dir())?);
        let (source, snapshot) = FolderSource::open(folder.clone())?;
        // One that is not accepted is refused at its call; the person is told now.
        if let Err(locked) = accepted(&folder, &snapshot) {
            note!("{locked}");
        }
        // Where the client starts the server is not where its person types.
        let place = format!("-C {}", std::path::absolute(folder.dir())?.display());
        let source: Arc<Mutex<FolderSource>> = Arc::new(Mutex::new(source));
        let server = move || {
            let (journal, source) = (journal.clone(), source.clone());
            DoorServer::new(journal, &System, gate.clone(), source, &place)
        };
        let doors = format!("{}: {} doors", self.dir.display(), snapshot.doors.len());
        let Some(address) = self.http else {
            note!("{doors}; standard input is the client's");
            let (from, to) = (tokio::io::stdin(), tokio::io::stdout());
            let served = serve_lines(server(), from, to).await;
            served.context("serving the client")?;
            return Ok(Exit::Done);
        };
        let admitted = Admitted {
            token: self.token,
            hosts: self.host,
            origins: self.origin,
        };
        admitted.check(address)?;
        let listener = TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("listening at {address}"))?;
        note!("{doors}; http://{}{PATH}", listener.local_addr()?);
        let stateless = Stateless::default();
        let server = move || server().stateless(stateless.clone());
        serve_http(listener, server, admitted, ctrl_c().await).await?;
        Ok(Exit::Done)
    }
}

impl Install {
    fn perform(&self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::of_doors(&self.dir, own()?)?;
        let dir = folder.dir().canonicalize().context("the folder's path")?;
        let name = dir
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let program = std::env::current_exe().context("where this program is")?;
        let entry = self.client.entry(&program, &dir)?;
        let variables = variables(&folder)?;
        if !variables.is_empty() && !output.json {
            note!(
                "its policy takes secrets from {}; set them where the client is started, or under \
                 `env` of the entry",
                variables.join(", ")
            );
        }
        let (file, key) = self.client.place();
        if self.write {
            let path = Path::new(file);
            write(path, key, &name, &entry)?;
            if output.json {
                data!(
                    "{}",
                    json!({ "written": file, "name": name, "entry": entry })
                )?;
            } else {
                note!("wrote the server {name:?} into {file}; start the client anew");
            }
            return Ok(Exit::Done);
        }
        let whole = json!({ key: { name: entry } });
        if output.json {
            data!("{}", json!({ "file": file, "content": whole }))?;
        } else {
            note!("in {file} of a project (`--write` puts it there):");
            data!("{}", serde_json::to_string_pretty(&whole)?)?;
        }
        Ok(Exit::Done)
    }
}

impl Client {
    fn entry(self, program: &Path, dir: &Path) -> anyhow::Result<Value> {
        let mut entry = json!({
            "command": program,
            "args": ["mcp", dir],
        });
        if matches!(self, Self::Vscode) {
            entry["type"] = "stdio".into();
        }
        // The client may be started where they are not set.
        let named = named_folders()?;
        if !named.is_empty() {
            entry["env"] = json!(named);
        }
        Ok(entry)
    }

    /// The file, and the key that servers stand under.
    fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Claude => (".mcp.json", "mcpServers"),
            Self::Vscode => (".vscode/mcp.json", "servers"),
            Self::Cursor => (".cursor/mcp.json", "mcpServers"),
        }
    }
}

/// The variables that the policy of a folder takes secrets from.
fn variables(folder: &LoopFolder) -> anyhow::Result<Vec<String>> {
    let policy = folder.policy()?;
    let secrets = policy.doors().flat_map(|(_, door)| &door.secrets);
    let mut variables: Vec<String> = secrets.map(|it| it.variable.clone()).collect();
    variables.sort();
    variables.dedup();
    Ok(variables)
}

/// Puts an entry into a client's file, and leaves everything else in it as it is.
fn write(file: &Path, key: &str, name: &str, entry: &Value) -> anyhow::Result<()> {
    let shown = file.display();
    let mut whole: Map<String, Value> = match std::fs::read_to_string(file) {
        Ok(text) => serde_json::from_str(&text)
            .with_context(|| format!("{shown}: expected a JSON object; nothing was written"))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(error).with_context(|| shown.to_string()),
    };
    let servers = whole.entry(key).or_insert_with(|| json!({}));
    let servers = servers
        .as_object_mut()
        .with_context(|| format!("{shown}: expected an object at `{key}`; nothing was written"))?;
    servers.insert(name.to_owned(), entry.clone());
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let text = serde_json::to_string_pretty(&whole)? + "\n";
    std::fs::write(file, text).with_context(|| shown.to_string())
}
