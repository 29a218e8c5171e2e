// What a door in JavaScript finds beside the language: console, timers, random numbers, promises.

import random from "wasi:random/random@0.2.0";
import { getStderr } from "wasi:cli/stderr@0.2.0";
import { Turns, install } from "./turns.js";

const turns = new Turns();
install(turns);

// console: everything goes to the trace, standard output is nobody's.

let stderr;

function print(text) {
  stderr ??= getStderr();
  const bytes = utf8(text + "\n");
  // The most that one write takes.
  for (let at = 0; at < bytes.length; at += 4096) {
    stderr.blockingWriteAndFlush(bytes.slice(at, at + 4096));
  }
}

function utf8(text) {
  const escaped = encodeURIComponent(text.toWellFormed());
  const bytes = [];
  for (let i = 0; i < escaped.length; i++) {
    if (escaped[i] === "%") {
      bytes.push(parseInt(escaped.slice(i + 1, i + 3), 16));
      i += 2;
    } else {
      bytes.push(escaped.charCodeAt(i));
    }
  }
  return bytes;
}

function shown(value, seen = []) {
  if (typeof value === "string") return seen.length ? JSON.stringify(value) : value;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${value.name || "(anonymous)"}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Error) return stack(value);
  if (seen.includes(value)) return "[circular]";
  const inner = [...seen, value];
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `[${Array.from(value, (item) => shown(item, inner)).join(", ")}]`;
  }
  if (value instanceof Map) {
    return `Map {${[...value].map(([k, v]) => `${shown(k, inner)} => ${shown(v, inner)}`).join(", ")}}`;
  }
  if (value instanceof Set) return `Set {${[...value].map((item) => shown(item, inner)).join(", ")}}`;
  if (value instanceof Date || value instanceof RegExp) return String(value);
  return `{${Object.entries(value).map(([k, v]) => `${k}: ${shown(v, inner)}`).join(", ")}}`;
}

const log = (...values) => print(values.map((value) => shown(value)).join(" "));
globalThis.console = {
  log, info: log, debug: log, warn: log, error: log, dir: log,
  trace: (...values) => log(...values, stack(new Error("trace"))),
  assert: (holds, ...values) => holds || log("assertion failed:", ...values),
  table: log, group: log, groupEnd() {}, time() {}, timeEnd() {}, count() {},
};

// Random numbers: of the host at every use, never of the time when the door was built.

function bytes(length) {
  return random.getRandomBytes(length);
}

// 53 bits, as many as a number holds.
Math.random = () => {
  const [a, b, c, d, e, f, g] = bytes(7);
  const high = ((a & 31) * 256 + b) * 256 + c;
  const low = ((d * 256 + e) * 256 + f) * 256 + g;
  return (high * 2 ** 32 + low) / 2 ** 53;
};

globalThis.crypto = {
  getRandomValues(array) {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes(array.byteLength));
    return array;
  },
  randomUUID() {
    const all = Array.from(bytes(16));
    all[6] = (all[6] & 15) | 64;
    all[8] = (all[8] & 63) | 128;
    const hex = all.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  },
};

// Where something went wrong, by the lines of the sources and not of the bundle.

// Below the frames of the prelude and of packages are those of the door.
Error.stackTraceLimit = 50;

function stack(error) {
  const lines = String(error.stack ?? "").split("\n").map(placed).filter((line) => line);
  return [`${error.name}: ${error.message}`, ...lines].join("\n");
}

/// A line of a stack that is the door's own; "" for any other.
function placed(line) {
  const found = line.match(/^(.*)\(\/?door\.js:(\d+)/);
  const place = found && source(Number(found[2]));
  return place ? `${found[1]}(${place})` : "";
}

function source(number) {
  const at = globalThis.__doorlist_lines?.lines[number - 1];
  return at ? `${globalThis.__doorlist_lines.files[at[0]]}:${at[1]}` : undefined;
}

function place(error) {
  for (const [, number] of String(error.stack ?? "").matchAll(/door\.js:(\d+)/g)) {
    const found = source(Number(number));
    if (found) return ` (${found})`;
  }
  return "";
}

/// The function that a door's module has for an export, which is looked for while it is built.
export function opened(owner, label, name, signature, saysErrors) {
  const exported = owner?.[name];
  if (typeof exported !== "function") {
    const there = Object.keys(owner ?? {}).join(", ") || "nothing";
    throw new Error(`${label}: expected the export ${signature}, which the WIT names; found ${there}`);
  }
  return (...values) => {
    try {
      return turns.finish(() => exported(...values));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      print(stack(error));
      if (!saysErrors) throw error;
      // One that a door throws on purpose says enough; of every other it is told where.
      throw error.constructor === Error ? error.message : `${error.name}: ${error.message}${place(error)}`;
    }
  };
}
