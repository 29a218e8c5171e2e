//! `wasi:filesystem` of one opening: that of wasmtime-wasi, which opens files and folders alone, with
//! an account of what was looked for.

use wasmtime::component::{Linker, Resource};
use wasmtime::{Result, StoreContextMut};
use wasmtime_wasi::filesystem::{WasiFilesystemCtxView, WasiFilesystemView as _};
use wasmtime_wasi::p2::FsResult;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, Host as _,
    HostDescriptor as _, OpenFlags, PathFlags,
};

use super::state::State;

/// The arguments of `open-at`.
type OpenAt = (
    Resource<Descriptor>,
    PathFlags,
    String,
    OpenFlags,
    DescriptorFlags,
);

/// Opening a pipe waits until somebody writes to it, in a thread that nobody can end, and a device
/// answers however it likes. What a granted folder holds of these stays closed.
pub(super) fn only_plain_files(linker: &mut Linker<State>) -> Result<()> {
    let mut types = linker.instance(TYPES)?;
    types.func_wrap_async("[method]descriptor.open-at", |store, arguments| {
        Box::new(open_at(store, arguments))
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
    let it = Resource::new_borrow(folder.rep());
    let found = files.stat_at(it, path_flags, path.clone()).await;
    // What is not there, or not within reach, is told by opening it.
    if found.is_ok_and(|found| !is_plain(found.type_)) {
        return Ok((Err(ErrorCode::NotPermitted),));
    }
    let opened = files.open_at(folder, path_flags, path, flags, use_as).await;
    told(&mut files, opened)
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
