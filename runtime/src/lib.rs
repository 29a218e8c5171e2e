//! Doorlist: a runtime in which a model acts only through doors.

pub mod sandbox;
