//! Doorlist: a runtime in which a model acts only through doors.

pub mod build;
pub mod doors;
pub mod grants;
pub mod init;
pub mod journal;
