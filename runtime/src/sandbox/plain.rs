//! Opening a path of a granted folder, which can become a pipe or a device at any moment.

use std::fs::File;
use std::io;
use std::sync::Arc;

#[cfg(unix)]
use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsMaybeDirExt as _};
use cap_std::fs::{Dir, OpenOptions};
use wasmtime_wasi::OpenMode;
use wasmtime_wasi::filesystem::{self, Descriptor};
use wasmtime_wasi::p2::bindings::filesystem::types::{
    DescriptorFlags, ErrorCode, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{FsError, FsResult};
use wasmtime_wasi::runtime::spawn_blocking;

/// How a path is opened, as `open-at` has it.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) path_flags: PathFlags,
    pub(super) flags: OpenFlags,
    pub(super) use_as: DescriptorFlags,
}

/// What `path` leads to within `folder`: a file or a folder. To look first and open then is not enough,
/// so it is opened without waiting for another end, and looked at before anything else is done with it.
///
/// # Errors
/// Those of `open-at`; `not-permitted` where it is neither a file nor a folder.
pub(super) async fn open(folder: &filesystem::Dir, path: String, how: How) -> FsResult<Descriptor> {
    how.check()?;
    let mode = how.mode();
    if folder.perms.write_not_permitted() && mode.contains(OpenMode::WRITE) {
        return Err(ErrorCode::NotPermitted.into());
    }
    let within: Arc<File> = folder.dir.clone();
    let opened = spawn_blocking(move || how.open(&within, &path)).await?;
    Ok(match opened {
        Opened::Dir(dir) => Descriptor::Dir(filesystem::Dir::new(dir, folder.perms, mode, false)),
        Opened::File(file) => {
            Descriptor::File(filesystem::File::new(file, folder.perms, mode, false))
        }
    })
}

enum Opened {
    Dir(File),
    File(File),
}

impl How {
    /// What the system would be asked for in vain.
    fn check(self) -> Result<(), ErrorCode> {
        use DescriptorFlags as Use;
        let synced =
            Use::FILE_INTEGRITY_SYNC | Use::DATA_INTEGRITY_SYNC | Use::REQUESTED_WRITE_SYNC;
        let no_folder = OpenFlags::CREATE | OpenFlags::EXCLUSIVE | OpenFlags::TRUNCATE;
        if self.use_as.intersects(synced) {
            Err(ErrorCode::Unsupported)
        } else if self.flags.contains(OpenFlags::DIRECTORY) && self.flags.intersects(no_folder) {
            Err(ErrorCode::Invalid)
        } else {
            Ok(())
        }
    }

    /// What is not opened for writing is opened for reading, as the system wants one of them.
    fn mode(self) -> OpenMode {
        let mut mode = OpenMode::empty();
        let writes = self.use_as.contains(DescriptorFlags::WRITE);
        let changes = self
            .flags
            .intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE);
        mode.set(OpenMode::WRITE, writes || changes);
        mode.set(
            OpenMode::READ,
            self.use_as.contains(DescriptorFlags::READ) || !writes,
        );
        mode
    }

    fn open(self, within: &File, path: &str) -> FsResult<Opened> {
        let within = Dir::from_std_file(within.try_clone()?);
        let file = within.open_with(path, &self.options());
        let file = file.map_err(told_of_a_pipe)?.into_std();
        let found = file.metadata()?.file_type();
        let folder_wanted = self.flags.contains(OpenFlags::DIRECTORY);
        if found.is_dir() {
            // Windows opens a folder for writing, other systems say so themselves.
            let writes = self.mode().contains(OpenMode::WRITE);
            return if writes {
                Err(ErrorCode::IsDirectory.into())
            } else {
                Ok(Opened::Dir(file))
            };
        }
        if !found.is_file() {
            return Err(ErrorCode::NotPermitted.into());
        }
        if folder_wanted {
            return Err(ErrorCode::NotDirectory.into());
        }
        if self.flags.contains(OpenFlags::TRUNCATE) {
            file.set_len(0)?;
        }
        Ok(Opened::File(file))
    }

    /// Cutting is left for when it is known to be a file.
    fn options(self) -> OpenOptions {
        let mode = self.mode();
        let follow = match self.path_flags.contains(PathFlags::SYMLINK_FOLLOW) {
            true => FollowSymlinks::Yes,
            false => FollowSymlinks::No,
        };
        let creates = self.flags.contains(OpenFlags::CREATE);
        let exclusive = self.flags.contains(OpenFlags::EXCLUSIVE);
        let mut options = OpenOptions::new();
        options
            .read(mode.contains(OpenMode::READ))
            .write(mode.contains(OpenMode::WRITE))
            .create(creates)
            .create_new(creates && exclusive)
            .follow(follow)
            .maybe_dir(true);
        #[cfg(unix)]
        options.nonblock(true);
        options
    }
}

/// A pipe that nobody reads is not opened for writing where nobody waits.
fn told_of_a_pipe(error: io::Error) -> FsError {
    /// The same number on every Unix: there is nobody at the other end, or no such device.
    const ENXIO: i32 = 6;
    match error.raw_os_error() {
        Some(ENXIO) if cfg!(unix) => ErrorCode::NotPermitted.into(),
        _ => error.into(),
    }
}
