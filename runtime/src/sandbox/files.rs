//! `wasi:filesystem` of one opening: that of wasmtime-wasi, which opens files and folders alone, with
//! an account of what was looked for.

use wasmtime::component::{Linker, Resource};
use wasmtime::{Result, StoreContextMut};
use wasmtime_wasi::filesystem::{WasiFilesystemCtxView, WasiFilesystemView as _};
use wasmtime_wasi::p2::FsResult;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, Host as _,
    HostDescriptor as _, NewTimestamp, OpenFlags, PathFlags,
};

use super::plain;
use super::state::State;

/// The arguments of `open-at`.
type OpenAt = (
    Resource<Descriptor>,
    PathFlags,
    String,
    OpenFlags,
    DescriptorFlags,
);

/// The arguments of `set-times-at`.
type SetTimesAt = (
    Resource<Descriptor>,
    PathFlags,
    String,
    NewTimestamp,
    NewTimestamp,
);

/// Opening a pipe waits until somebody writes to it, in a thread that nobody can end, and a device
/// answers however it likes. What a granted folder holds of these stays closed, whatever function
/// would open it.
pub(super) fn only_plain_files(linker: &mut Linker<State>) -> Result<()> {
    let mut types = linker.instance(TYPES)?;
    types.func_wrap_async("[method]descriptor.open-at", |store, arguments| {
        Box::new(open_at(store, arguments))
    })?;
    types.func_wrap_async("[method]descriptor.set-times-at", |store, arguments| {
        Box::new(set_times_at(store, arguments))
    })?;
    types.func_wrap_async("[method]descriptor.stat-at", |store, arguments| {
        Box::new(stat_at(store, arguments))
    })
}

async fn open_at(
    mut store: StoreContextMut<'_, State>,
    (folder, path_flags, path, flags, use_as): OpenAt,
) -> Result<(Result<Resource<Descriptor>, ErrorCode>,)> {
    let change = use_as.contains(DescriptorFlags::WRITE)
        || use_as.contains(DescriptorFlags::MUTATE_DIRECTORY)
        || flags.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE);
    store.data_mut().reached.path(&path, change);
    let mut files = store.data_mut().filesystem();
    let opened = open_plain(&mut files, &folder, path_flags, path, flags, use_as).await;
    told(&mut files, opened)
}

/// wasmtime-wasi opens what it dates.
async fn set_times_at(
    mut store: StoreContextMut<'_, State>,
    (folder, path_flags, path, accessed, modified): SetTimesAt,
) -> Result<(Result<(), ErrorCode>,)> {
    let mut files = store.data_mut().filesystem();
    let set = if path_flags.contains(PathFlags::SYMLINK_FOLLOW) {
        set_times(&mut files, &folder, path, accessed, modified).await
    } else {
        // Nothing is opened but the folder that it is in.
        files
            .set_times_at(folder, path_flags, path, accessed, modified)
            .await
    };
    told(&mut files, set)
}

async fn stat_at(
    mut store: StoreContextMut<'_, State>,
    (folder, path_flags, path): (Resource<Descriptor>, PathFlags, String),
) -> Result<(Result<DescriptorStat, ErrorCode>,)> {
    store.data_mut().reached.path(&path, false);
    let mut files = store.data_mut().filesystem();
    let found = files.stat_at(folder, path_flags, path).await;
    told(&mut files, found)
}

async fn open_plain(
    files: &mut WasiFilesystemCtxView<'_>,
    folder: &Resource<Descriptor>,
    path_flags: PathFlags,
    path: String,
    flags: OpenFlags,
    use_as: DescriptorFlags,
) -> FsResult<Resource<Descriptor>> {
    let it = Resource::new_borrow(folder.rep());
    let found = files.stat_at(it, path_flags, path.clone()).await;
    // What is not there, or not within reach, is told by opening it.
    if found.is_ok_and(|found| !is_plain(found.type_)) {
        return Err(ErrorCode::NotPermitted.into());
    }
    let Descriptor::Dir(folder) = files.table.get(folder)? else {
        return Err(ErrorCode::NotDirectory.into());
    };
    let how = plain::How {
        path_flags,
        flags,
        use_as,
    };
    let opened = plain::open(folder, path, how).await?;
    Ok(files.table.push(opened)?)
}

async fn set_times(
    files: &mut WasiFilesystemCtxView<'_>,
    folder: &Resource<Descriptor>,
    path: String,
    accessed: NewTimestamp,
    modified: NewTimestamp,
) -> FsResult<()> {
    let mut opened = Err(ErrorCode::NotPermitted.into());
    // A folder, and a file that may only be read, are dated too.
    for use_as in [DescriptorFlags::WRITE, DescriptorFlags::READ] {
        let (follow, flags) = (PathFlags::SYMLINK_FOLLOW, OpenFlags::empty());
        opened = open_plain(files, folder, follow, path.clone(), flags, use_as).await;
        let other = |error: &_| matches!(error, ErrorCode::Access | ErrorCode::IsDirectory);
        match &opened {
            Err(error) if error.downcast_ref().is_some_and(other) => {}
            _ => break,
        }
    }
    let opened = opened?;
    let it = Resource::new_borrow(opened.rep());
    let set = files.set_times(it, accessed, modified).await;
    files.table.delete(opened)?;
    set
}

fn told<T>(
    files: &mut WasiFilesystemCtxView<'_>,
    came: FsResult<T>,
) -> Result<(Result<T, ErrorCode>,)> {
    match came {
        Ok(value) => Ok((Ok(value),)),
        Err(error) => Ok((Err(files.convert_error_code(error)?),)),
    }
}

fn is_plain(found: DescriptorType) -> bool {
    use DescriptorType::{Directory, RegularFile, SymbolicLink};
    matches!(found, RegularFile | Directory | SymbolicLink)
}

/// The interface by the name that the linker has it under.
const TYPES: &str = "wasi:filesystem/types@0.2.12";
