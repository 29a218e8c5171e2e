
// What `fetch` and its own are here, for an editor that has no types of a browser.
declare global {
  interface URL {
    href: string;
  }
  interface URLSearchParams {}
  interface Headers {
    append(name: string, value: string): void;
    delete(name: string): void;
    get(name: string): string | null;
    getSetCookie(): string[];
    has(name: string): boolean;
    set(name: string, value: string): void;
    forEach(callback: (value: string, name: string, headers: Headers) => void, self?: any): void;
    entries(): IterableIterator<[string, string]>;
    keys(): IterableIterator<string>;
    values(): IterableIterator<string>;
    [Symbol.iterator](): IterableIterator<[string, string]>;
  }
  interface Request {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly redirect: "follow" | "error" | "manual";
    readonly bodyUsed: boolean;
    arrayBuffer(): Promise<ArrayBuffer>;
    bytes(): Promise<Uint8Array<ArrayBuffer>>;
    json(): Promise<any>;
    text(): Promise<string>;
    clone(): Request;
  }
  interface Response {
    readonly status: number;
    readonly statusText: string;
    readonly ok: boolean;
    readonly headers: Headers;
    readonly url: string;
    readonly redirected: boolean;
    readonly bodyUsed: boolean;
    arrayBuffer(): Promise<ArrayBuffer>;
    bytes(): Promise<Uint8Array<ArrayBuffer>>;
    json(): Promise<any>;
    text(): Promise<string>;
    clone(): Response;
  }
  function fetch(input: string | URL | Request, init?: DoorRequest): Promise<Response>;
  // Where the types of a browser are there, the values are theirs.
  var Headers: typeof globalThis extends { onmessage: any; Headers: infer T }
    ? T
    : { prototype: Headers; new (init?: DoorHeaders): Headers };
  var Request: typeof globalThis extends { onmessage: any; Request: infer T }
    ? T
    : { prototype: Request; new (input: string | URL | Request, init?: DoorRequest): Request };
  var Response: typeof globalThis extends { onmessage: any; Response: infer T }
    ? T
    : {
        prototype: Response;
        new (body?: DoorBody | null, init?: DoorResponse): Response;
        json(data: any, init?: DoorResponse): Response;
      };
}
type DoorHeaders = Headers | Iterable<[string, string]> | Record<string, string>;
type DoorBody = string | ArrayBuffer | ArrayBufferView | URLSearchParams;
interface DoorRequest {
  method?: string;
  headers?: DoorHeaders;
  body?: DoorBody | null;
  redirect?: "follow" | "error" | "manual";
}
interface DoorResponse {
  status?: number;
  statusText?: string;
  headers?: DoorHeaders;
}
