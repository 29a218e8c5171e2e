//! `wasi:filesystem` of one opening: that of wasmtime-wasi, which opens files and folders alone.

use wasmtime::component::{Linker, Resource};
use wasmtime::{Result, StoreContextMut};
use wasmtime_wasi::filesystem::WasiFilesystemView as _;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, Host as _, HostDescriptor as _,
    OpenFlags, PathFlags,
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
    })
}

async fn open_at(
    mut store: StoreContextMut<'_, State>,
    (folder, path_flags, path, flags, use_as): OpenAt,
) -> Result<(Result<Resource<Descriptor>, ErrorCode>,)> {
    let mut files = store.data_mut().filesystem();
    let it = Resource::new_borrow(folder.rep());
    let found = files.stat_at(it, path_flags, path.clone()).await;
    // What is not there, or not within reach, is told by opening it.
    if found.is_ok_and(|found| !is_plain(found.type_)) {
        return Ok((Err(ErrorCode::NotPermitted),));
    }
    let opened = files.open_at(folder, path_flags, path, flags, use_as).await;
    match opened {
        Ok(descriptor) => Ok((Ok(descriptor),)),
        Err(error) => Ok((Err(files.convert_error_code(error)?),)),
    }
}

fn is_plain(found: DescriptorType) -> bool {
    use DescriptorType::{Directory, RegularFile, SymbolicLink};
    matches!(found, RegularFile | Directory | SymbolicLink)
}

/// The interface by the name that the linker has it under.
const TYPES: &str = "wasi:filesystem/types@0.2.12";
