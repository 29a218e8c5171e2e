//! Doorlist: a runtime in which a model acts only through doors.

pub mod ambient;
pub mod build;
pub mod doors;
pub mod driver;
pub mod gate;
pub mod grants;
pub mod init;
pub mod journal;
pub mod loop_folder;
pub mod loop_run;
pub mod models;
pub mod sandbox;
