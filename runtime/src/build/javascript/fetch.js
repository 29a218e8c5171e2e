// fetch, over doorlist:host/http: one call of the host is one request with the whole of its answer, so a
// promise of it is settled at once. Each redirect that is followed is a request like the first.

import { send } from "doorlist:host/http@0.1.0";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const REDIRECTS = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 20;

function fail(what) {
  throw new TypeError(`fetch: ${what}`);
}

class Headers {
  /// Small name -> its values, in the order in which they came.
  #values = new Map();

  constructor(init) {
    if (init === undefined || init === null) return;
    const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  append(name, value) {
    const key = small(name);
    this.#values.set(key, [...(this.#values.get(key) ?? []), text(name, value)]);
  }

  set(name, value) {
    this.#values.set(small(name), [text(name, value)]);
  }

  delete(name) {
    this.#values.delete(small(name));
  }

  get(name) {
    return this.#values.get(small(name))?.join(", ") ?? null;
  }

  has(name) {
    return this.#values.has(small(name));
  }

  getSetCookie() {
    return [...(this.#values.get("set-cookie") ?? [])];
  }

  forEach(callback, self) {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries() {
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name);
      // A cookie may have a comma in it.
      if (name === "set-cookie") for (const value of values) yield [name, value];
      else yield [name, values.join(", ")];
    }
  }

  *keys() {
    for (const [name] of this) yield name;
  }

  *values() {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }
}

function small(name) {
  const key = String(name).toLowerCase();
  return NAME.test(key) ? key : fail(`expected the name of a header, found ${JSON.stringify(String(name))}`);
}

function text(name, value) {
  const trimmed = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (/[\0\r\n]/.test(trimmed)) fail(`the header ${name} has a line end or a zero in its value`);
  return trimmed;
}

/// What a request and a response share: a body that is there as a whole, and is read once.
class Body {
  bodyUsed = false;
  headers;
  #bytes;

  constructor(body, headers) {
    this.headers = new Headers(headers);
    const [bytes, type] = whole(body);
    this.#bytes = bytes;
    if (type && !this.headers.has("content-type")) this.headers.set("content-type", type);
  }

  #take() {
    if (this.bodyUsed) fail("the body was read already");
    this.bodyUsed = this.#bytes !== null;
    return this.#bytes ?? new Uint8Array(0);
  }

  /// Its bytes once more, for another object.
  static of(body) {
    if (body.bodyUsed) fail("the body was read already");
    return body.#bytes;
  }

  async bytes() {
    return this.#take();
  }

  async arrayBuffer() {
    return this.#take().slice().buffer;
  }

  async text() {
    return new TextDecoder().decode(this.#take()).replace(/^\uFEFF/, "");
  }

  async json() {
    return JSON.parse(await this.text());
  }
}

/// A body as bytes, and the type that it has by itself.
function whole(body) {
  if (body === undefined || body === null) return [null, null];
  if (body instanceof ArrayBuffer) return [new Uint8Array(body.slice(0)), null];
  if (ArrayBuffer.isView(body)) {
    return [new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice(), null];
  }
  const type = body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "text/plain";
  return [new TextEncoder().encode(String(body).toWellFormed()), `${type};charset=UTF-8`];
}

class Request extends Body {
  constructor(input, init = {}) {
    const from = input instanceof Request ? input : undefined;
    super(init.body ?? (from ? Body.of(from) : null), init.headers ?? from?.headers);
    this.method = method(init.method ?? from?.method ?? "GET");
    this.url = from ? from.url : address(String(input)).href;
    this.redirect = init.redirect ?? from?.redirect ?? "follow";
    if (Body.of(this) && ["GET", "HEAD"].includes(this.method)) fail(`${this.method} has no body`);
  }

  clone() {
    return new Request(this);
  }
}

function method(name) {
  const large = String(name).toUpperCase();
  return ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"].includes(large) ? large : String(name);
}

function address(url, base) {
  try {
    return new URL(url, base);
  } catch {
    fail(`expected a URL such as https://example.com/a, found ${JSON.stringify(url)}`);
  }
}

class Response extends Body {
  type = "default";
  url = "";
  redirected = false;

  constructor(body = null, init = {}) {
    super(body, init.headers);
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? "";
    this.ok = this.status >= 200 && this.status < 300;
  }

  clone() {
    const { type, url, redirected } = this;
    return Object.assign(new Response(Body.of(this), this), { type, url, redirected });
  }

  static json(data, init = {}) {
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(JSON.stringify(data), { ...init, headers });
  }
}

/// One request. What the host refuses says which grant would allow it.
function ask(method, url, headers, body) {
  try {
    return send({ method, url: url.href, headers: [...headers], body });
  } catch (error) {
    fail(error?.payload?.val ?? error);
  }
}

function follow(request) {
  let { method, headers } = request;
  let url = address(request.url);
  let body = Body.of(request);
  for (let followed = 0; ; followed++) {
    const answer = ask(method, url, headers, body);
    const { status, reason } = answer;
    const response = new Response(answer.body, { status, statusText: reason, headers: answer.headers });
    Object.assign(response, { type: "basic", url: url.href, redirected: followed > 0 });
    const location = REDIRECTS.includes(status) && response.headers.get("location");
    if (!location || request.redirect === "manual") return response;
    if (request.redirect === "error") fail(`${url.href} leads elsewhere`);
    if (followed === MOST_REDIRECTS) fail(`more than ${MOST_REDIRECTS} redirects`);
    const next = address(location, url);
    headers = new Headers(headers);
    // As browsers do: what was to be changed there is only looked at here.
    if (status === 303 ? method !== "HEAD" : status < 303 && method === "POST") {
      method = "GET";
      body = null;
      for (const name of [...headers.keys()].filter((name) => name.startsWith("content-"))) headers.delete(name);
    }
    // What the door says of itself is for whom it was said to.
    if (next.origin !== url.origin) for (const name of ["authorization", "cookie"]) headers.delete(name);
    url = next;
  }
}

globalThis.fetch = (input, init) => new Promise((done) => done(follow(new Request(input, init))));
Object.assign(globalThis, { Headers, Request, Response });
