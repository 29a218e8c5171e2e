//! Calls WASI itself: what a language's library would refuse or tidy up goes through.

use wasip2::clocks::wall_clock::Datetime;
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, ErrorCode, NewTimestamp, OpenFlags, PathFlags,
};

wit_bindgen::generate!({ world: "prober", generate_all });

mod config;
mod hosts;
mod own_hosts;

use exports::test::prober::files::Guest;

#[cfg(target_family = "wasm")]
export!(Door);

struct Door;

impl Guest for Door {
    fn folders() -> Vec<String> {
        get_directories()
            .into_iter()
            .map(|(_, name)| name)
            .collect()
    }

    fn read(folder: String, path: String) -> Result<String, String> {
        let file = open(&folder, &path, OpenFlags::empty(), DescriptorFlags::READ)?;
        let (bytes, _) = file.read(1 << 20, 0).map_err(code)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn write(folder: String, path: String, text: String) -> Result<(), String> {
        let file = open(&folder, &path, OpenFlags::CREATE, DescriptorFlags::WRITE)?;
        file.write(text.as_bytes(), 0).map(drop).map_err(code)
    }

    fn cut(folder: String, path: String) -> Result<(), String> {
        open(&folder, &path, OpenFlags::TRUNCATE, DescriptorFlags::READ).map(drop)
    }

    fn link(folder: String, path: String, other: String, to: String) -> Result<(), String> {
        let (from, into) = (granted(&folder)?, granted(&other)?);
        from.link_at(PathFlags::empty(), &path, &into, &to)
            .map_err(code)
    }

    fn rename(folder: String, path: String, other: String, to: String) -> Result<(), String> {
        let (from, into) = (granted(&folder)?, granted(&other)?);
        from.rename_at(&path, &into, &to).map_err(code)
    }

    fn point(folder: String, path: String, target: String) -> Result<(), String> {
        granted(&folder)?.symlink_at(&target, &path).map_err(code)
    }

    fn remove(folder: String, path: String) -> Result<(), String> {
        granted(&folder)?.unlink_file_at(&path).map_err(code)
    }

    fn date(folder: String, path: String, seconds: u64) -> Result<(), String> {
        let to = || {
            NewTimestamp::Timestamp(Datetime {
                seconds,
                nanoseconds: 999_999_999,
            })
        };
        let folder = granted(&folder)?;
        folder
            .set_times_at(PathFlags::SYMLINK_FOLLOW, &path, to(), to())
            .map_err(code)
    }

    fn resize(folder: String, path: String, size: u64) -> Result<(), String> {
        let open = |use_as| open(&folder, &path, OpenFlags::empty(), use_as);
        let file = open(DescriptorFlags::WRITE).or_else(|_| open(DescriptorFlags::READ))?;
        file.set_size(size).map_err(code)
    }
}

/// The folder that is granted under this name, or one below it that is opened first.
fn granted(folder: &str) -> Result<Descriptor, String> {
    for (descriptor, name) in get_directories() {
        if name == folder {
            return Ok(descriptor);
        }
        if let Some(below) = folder.strip_prefix(&format!("{name}/")) {
            let (follow, as_folder) = (PathFlags::SYMLINK_FOLLOW, OpenFlags::DIRECTORY);
            return descriptor
                .open_at(follow, below, as_folder, DescriptorFlags::READ)
                .map_err(code);
        }
    }
    Err(format!("{folder} is not granted"))
}

fn open(
    folder: &str,
    path: &str,
    how: OpenFlags,
    use_as: DescriptorFlags,
) -> Result<Descriptor, String> {
    let folder = granted(folder)?;
    folder
        .open_at(PathFlags::SYMLINK_FOLLOW, path, how, use_as)
        .map_err(code)
}

fn code(error: ErrorCode) -> String {
    error.name().to_owned()
}
