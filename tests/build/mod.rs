//! The doors of the repository: built from their sources, and what they do once they are built.

mod committed;
mod doors;
mod native;
mod page;
mod place;
mod workshop;

pub(crate) use workshop::{build, repository, target_dir};
