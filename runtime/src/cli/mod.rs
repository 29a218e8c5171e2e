//! The command line. Data goes to standard output, everything else to standard error.

mod build;
mod check;
mod demo;
mod diagram;
mod exit;
mod history;
mod init;
mod model;
mod page;
mod place;
mod resume;
mod run;
mod run_choice;
mod runs;
mod show;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use exit::Exit;
pub(crate) use place::own;

/// Runs loops in which a model can act only through doors: WebAssembly components on a list.
#[derive(Parser)]
#[command(name = "doorlist", version, about, after_help = AFTER_HELP, arg_required_else_help = true)]
struct Cli {
    /// Print JSON for programs instead of text for people.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
    Init(init::Init),
    Build(build::Build),
    Check(check::Check),
    Diagram(diagram::Diagram),
    Run(run::Run),
    Resume(resume::Resume),
    Runs(runs::Runs),
    Page(page::Page),
    History(history::History),
    Trace(trace::TraceCommand),
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
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return report(&error.into()),
    };
    let exit = runtime.block_on(cli.command.perform(output));
    // A read of the terminal that nobody will answer must not keep the process.
    runtime.shutdown_background();
    match exit {
        Ok(exit) => exit.code(),
        Err(error) => report(&error),
    }
}

impl Command {
    async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        match self {
            Self::Demo(demo) => demo.perform(output).await,
            Self::Init(init) => init.perform(output),
            Self::Build(build) => build.perform(output),
            Self::Check(check) => check.perform(output),
            Self::Diagram(diagram) => diagram.perform(output),
            Self::Run(run) => run.perform(output).await,
            Self::Resume(resume) => resume.perform(output).await,
            Self::Runs(runs) => runs.perform(output).await,
            Self::Page(page) => page.perform(output).await,
            Self::History(history) => history.perform(output).await,
            Self::Trace(trace) => trace.perform(output).await,
        }
    }
}

/// Says what went wrong. Many errors say what their source says; it is then not said twice.
fn report(error: &anyhow::Error) -> ExitCode {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if said.is_empty() {
            said = cause;
        } else if !said.contains(&cause) {
            said = format!("{said}: {cause}");
        }
    }
    eprintln!("doorlist: {said}");
    Exit::Error.code()
}

const AFTER_HELP: &str = "\
A loop is a folder with loop.txt (the list, the stops, the goal) and doors/ (the components).
Start with `doorlist demo`, or with `doorlist init DIR` and `doorlist run DIR \"…\"`.

Exit codes: 0 done, 1 error, 2 wrong usage; of a run: 10 put-backs, 11 same failure,
12 waiting for a nod, 13 fuel, 14 cancelled, 15 model error, 16 bad loop; 20 not on the list,
21 the door failed; 30 check found something.";
