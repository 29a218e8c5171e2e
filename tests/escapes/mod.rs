//! A door tries to get at what it is not granted.

mod config;
mod files;
mod hosts;
mod own_hosts;
mod prober;
mod secrets;
mod server;
mod world;
