//! Where Doorlist keeps what is its own on this machine.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use directories::ProjectDirs;
use doorlist::loop_folder::Own;
use doorlist::sandbox::{Apart, Compiling, Sandbox, Settings};
use loop_spec::policy::CompileLimits;

/// The folders that the environment names, else those of the platform.
pub(crate) fn own() -> anyhow::Result<Own> {
    let named = |variable| std::env::var_os(variable).filter(|value| !value.is_empty());
    let platform = ProjectDirs::from("", "", "doorlist");
    let of_platform = |dir: fn(&ProjectDirs) -> PathBuf| {
        platform.as_ref().map(dir).with_context(|| {
            format!("expected a home folder, found none; set {CONFIG} and {CACHE} instead")
        })
    };
    let config = match named(CONFIG) {
        Some(dir) => dir.into(),
        None => of_platform(|dirs| dirs.config_dir().to_owned())?,
    };
    let cache = match named(CACHE) {
        Some(dir) => dir.into(),
        None => of_platform(|dirs| dirs.cache_dir().to_owned())?,
    };
    let variable = |name: &str| std::env::var(name).ok();
    Ok(Own {
        config,
        cache,
        variable,
    })
}

/// The variables that name folders of Doorlist's own here, with whole paths.
pub(crate) fn named_folders() -> anyhow::Result<BTreeMap<&'static str, PathBuf>> {
    let set = [CONFIG, CACHE].into_iter().filter_map(|variable| {
        let dir = std::env::var_os(variable).filter(|dir| !dir.is_empty())?;
        Some((variable, dir))
    });
    set.map(|(variable, dir)| Ok((variable, std::path::absolute(dir)?)))
        .collect()
}

/// The sandbox for one loop at a terminal.
pub(crate) fn sandbox(own: &Own) -> anyhow::Result<Sandbox> {
    let mut settings = Settings::for_one_loop(Some(own.cache.clone()));
    if let Some(CompileLimits { memory, time }) = own.compile_limits()? {
        let milliseconds = time.as_millis().to_string();
        settings.compiling = Compiling::Apart(Apart {
            program: std::env::current_exe()?,
            arguments: ["compile-apart", &memory.to_string(), &milliseconds]
                .map(Into::into)
                .into(),
            memory,
            time,
        });
    }
    Ok(Sandbox::new(settings)?)
}

/// Names the folder of what a person has allowed.
const CONFIG: &str = "DOORLIST_CONFIG";
/// Names the folder of compiled components.
const CACHE: &str = "DOORLIST_CACHE";
