//! The command line. Data goes to standard output, everything else to standard error.

mod add;
mod allow;
mod asking;
mod at_terminal;
mod build;
mod by_hand;
mod call;
mod check;
mod compile_apart;
mod demo;
mod deny;
mod dev;
mod diagram;
mod doors;
mod exit;
mod folder_choice;
mod history;
mod init;
mod least_policy;
mod lock;
mod mcp;
mod model;
mod new;
mod nod;
mod page;
mod place;
mod print;
mod reach;
mod resume;
mod revoke;
mod run;
mod run_choice;
mod runs;
mod say;
mod sessions;
mod show;
mod shown_change;
mod terminal;
mod test;
mod trace;
mod r#try;
mod withdraw;

use print::{data, note};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use exit::Exit;
pub(crate) use place::own;

/// Runs loops in which a model can act only through doors: WebAssembly components on a list.
#[derive(Parser)]
#[command(name = "doorlist", version, about, after_help = AFTER_HELP, arg_required_else_help = true)]
struct Cli {
    /// Print JSON for programs instead of text for people; a command that fails prints {"error": …}.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
    Init(init::Init),
    New(new::New),
    Build(build::Build),
    Test(test::Test),
    Dev(dev::Dev),
    Doors(doors::Doors),
    Check(check::Check),
    Add(add::Add),
    Lock(lock::Lock),
    Allow(allow::Allow),
    Revoke(revoke::Revoke),
    Diagram(diagram::Diagram),
    Run(run::Run),
    Resume(resume::Resume),
    Runs(runs::Runs),
    Say(say::Say),
    Page(page::Page),
    History(history::History),
    Trace(trace::TraceCommand),
    Nod(nod::NodCommand),
    Deny(deny::Deny),
    Withdraw(withdraw::Withdraw),
    Call(call::Call),
    Try(r#try::Try),
    Mcp(mcp::Mcp),
    Sessions(sessions::Sessions),
    #[command(hide = true)]
    CompileApart(compile_apart::CompileApart),
}

/// What every command is given beside its own arguments.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    /// Whether programs read it.
    pub(crate) json: bool,
}

/// Parses the arguments, does the command, and says how it ended.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output { json: cli.json };
    if let Command::CompileApart(apart) = &cli.command {
        // Before any thread: each takes of the memory that it is about to bound.
        return apart.perform();
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return report(&error.into(), output),
    };
    let exit = runtime.block_on(cli.command.perform(output));
    // A read of the terminal that nobody will answer must not keep the process.
    runtime.shutdown_background();
    match exit {
        Ok(exit) => exit.code(),
        Err(error) if is_unread(&error) => Exit::Done.code(),
        Err(error) => report(&error, output),
    }
}

/// Whoever read standard output had enough of it, as `head` has.
fn is_unread(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<std::io::Error>();
    error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

impl Command {
    async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        match self {
            Self::Demo(demo) => demo.perform(output).await,
            Self::Init(init) => init.perform(output),
            Self::New(new) => new.perform(output),
            Self::Test(test) => test.perform(output).await,
            Self::Dev(dev) => dev.perform(output).await,
            Self::Build(build) => build.perform(output).await,
            Self::Doors(doors) => doors.perform(output),
            Self::Check(check) => check.perform(output),
            Self::Add(add) => add.perform(output).await,
            Self::Lock(lock) => lock.perform(output).await,
            Self::Allow(allow) => allow.perform(output).await,
            Self::Revoke(revoke) => revoke.perform(output),
            Self::Diagram(diagram) => diagram.perform(output),
            Self::Run(run) => run.perform(output).await,
            Self::Resume(resume) => resume.perform(output).await,
            Self::Runs(runs) => runs.perform(output).await,
            Self::Say(say) => say.perform(output).await,
            Self::Page(page) => page.perform(output).await,
            Self::History(history) => history.perform(output).await,
            Self::Trace(trace) => trace.perform(output).await,
            Self::Nod(nod) => nod.perform(output).await,
            Self::Deny(deny) => deny.perform(output).await,
            Self::Withdraw(withdraw) => withdraw.perform(output).await,
            Self::Call(call) => call.perform(output).await,
            Self::Try(attempt) => attempt.perform(output).await,
            Self::Mcp(mcp) => mcp.perform(output).await,
            Self::Sessions(sessions) => sessions.perform(output).await,
            Self::CompileApart(_) => unreachable!("it was performed before there were threads"),
        }
    }
}

/// Says what went wrong, to a person and to a program that asked for JSON. Many errors say what their
/// source says; it is then not said twice.
fn report(error: &anyhow::Error, output: Output) -> ExitCode {
    let (exit, error) = Exit::of_error(error);
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if said.is_empty() {
            said = cause;
        } else if !said.contains(&cause) {
            said = format!("{said}: {cause}");
        }
    }
    if output.json {
        // Whoever no longer reads it is not to be told.
        let _ = data!("{}", serde_json::json!({ "error": said }));
    }
    note!("doorlist: {said}");
    exit.code()
}

const AFTER_HELP: &str = "\
A loop is a folder with loop.txt (the list, the stops, the goal) and doors/ (the components).
Start with `doorlist demo`, or with `doorlist init DIR` and `doorlist run DIR \"…\"`.

Exit codes: 0 done, 1 error, 2 wrong usage; of a run: 10 put-backs, 11 same failure,
12 waiting for a nod, 13 fuel, 14 cancelled, 15 model error, 16 bad loop, 17 length;
20 not on the list, 21 the door failed; 30 something was found, or not accepted or allowed;
130 ended at once by a second Ctrl-C.";
