//! Requests of one opening: to granted hosts and to no other.
//!
//! The door's own words decide nothing but which grant is looked for: the address is looked up and
//! judged here, the connection goes to that address, and what names the host on the way is written
//! here. A redirect is an answer like any other: whether the door may follow it is asked anew.
//!
//! A door sends them by `wasi:http`, or by `doorlist:host/http` where its language has no other way.
//! Those are two faces of this: what is asked through either is judged by [`Network::begin`] and goes
//! out by the one wire.

mod address;
mod body;
mod own_face;
mod resolver;
mod wasi_face;
mod wire;

use std::collections::BTreeSet;
use std::sync::Arc;

use http::Request;
use http::uri::Scheme;
use loop_spec::policy::Origin;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi_http::p2::HttpResult;
use wasmtime_wasi_http::p2::bindings::http::outgoing_handler::Host;
use wasmtime_wasi_http::p2::bindings::http::types::{self, ErrorCode, Method};
use wasmtime_wasi_http::p2::types::{HostFutureIncomingResponse, HostOutgoingRequest};
use wasmtime_wasi_http::{
    Error, RequestOptions, Result, WasiBody, WasiHttpCtx, WasiHttpCtxView, WasiHttpHooks,
};

use super::printed::Printer;
use super::reached::MOST_PATHS;
use crate::grants::Grants;
pub(super) use own_face::add_http;
pub use resolver::{Resolver, SystemResolver};
pub(super) use wasi_face::only_granted_hosts;
use wire::{Answer, Wire};

/// What one opening has to do with the network.
pub(super) struct Network {
    ctx: WasiHttpCtx,
    hooks: Hooks,
}

struct Hooks {
    wire: Arc<Wire>,
    /// What it asked for, granted or not.
    asked: BTreeSet<Origin>,
    printer: Printer,
}

impl Network {
    /// `limit` is in bytes of all bodies together.
    pub(super) fn new(
        grants: &Grants,
        limit: u64,
        resolver: Arc<dyn Resolver>,
        printer: Printer,
    ) -> Self {
        let mut ctx = WasiHttpCtx::new();
        ctx.set_field_size_limit(REQUEST_HEADERS);
        let hooks = Hooks {
            wire: Arc::new(Wire::new(grants, limit, resolver)),
            asked: BTreeSet::new(),
            printer,
        };
        Self { ctx, hooks }
    }

    pub(super) fn view<'a>(&'a mut self, table: &'a mut ResourceTable) -> WasiHttpCtxView<'a> {
        let Self { ctx, hooks } = self;
        WasiHttpCtxView { hooks, table, ctx }
    }

    /// Sends a request, or refuses it before anything of it begins.
    fn begin(
        &mut self,
        table: &mut ResourceTable,
        request: Resource<HostOutgoingRequest>,
        options: Option<Resource<types::RequestOptions>>,
    ) -> HttpResult<Resource<HostFutureIncomingResponse>> {
        let asked = table.get(&request)?;
        // CONNECT makes a tunnel, and TRACE is answered with what was asked, secrets and all.
        if matches!(asked.method, Method::Connect | Method::Trace) {
            return Err(ErrorCode::HttpRequestMethodInvalid.into());
        }
        let tls = !matches!(asked.scheme, Some(types::Scheme::Http));
        let authority = asked.authority.as_deref().unwrap_or_default();
        let Some(origin) = Origin::of_request(tls, authority) else {
            return Err(ErrorCode::HttpRequestUriInvalid.into());
        };
        if !self.hooks.grants(origin) {
            return Err(ErrorCode::HttpRequestDenied.into());
        }
        self.view(table).handle(request, options)
    }

    /// Whether more was sent and received than may be.
    pub(super) fn is_over(&self) -> bool {
        self.hooks.wire.is_over()
    }

    /// What the door asked for, granted or not.
    pub(super) fn asked(&self) -> &BTreeSet<Origin> {
        &self.hooks.asked
    }
}

impl Hooks {
    /// Whether requests to `origin` are granted. Keeps that it was asked for.
    fn grants(&mut self, origin: Origin) -> bool {
        let granted = self.wire.grants(&origin);
        if !granted {
            let said =
                format!("[doorlist: {origin} is not among the hosts that this door is granted]\n");
            self.printer.print(said.as_bytes());
        }
        if self.asked.len() < MOST_PATHS {
            self.asked.insert(origin);
        }
        granted
    }
}

impl WasiHttpHooks for Hooks {
    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<()>> + Send>,
    ) -> Box<dyn Future<Output = Result<Answer>> + Send> {
        let wire = Arc::clone(&self.wire);
        Box::new(async move {
            let tls = request.uri().scheme() == Some(&Scheme::HTTPS);
            let authority = request.uri().authority().map_or("", |it| it.as_str());
            let origin = Origin::of_request(tls, authority).filter(|origin| wire.grants(origin));
            let origin = origin.ok_or(Error::HttpRequestDenied)?;
            wire.send(origin, request, options.unwrap_or_default())
                .await
        })
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        CHUNK
    }
}

/// Bytes of the headers of one request, as the host keeps them: what servers take, twice.
const REQUEST_HEADERS: usize = 16 << 10;

/// Bytes of a body that the host holds until they are sent.
const CHUNK: usize = 64 << 10;
