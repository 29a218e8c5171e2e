// Promises and timers of a world in which nothing else runs: their callbacks are called, in order,
// until what the door returned is settled.

import "./timers.js";
import Promises from "promise-polyfill";

export class Turns {
  tasks = [];
  timers = [];
  now = 0;
  next = 1;

  /// Calls a function, and of what it returns gives the value that it comes to.
  finish(body) {
    const value = body();
    if (typeof value?.then !== "function") {
      this.run(() => false);
      return value;
    }
    let settled;
    value.then(
      (value) => (settled = { value }),
      (error) => (settled = { error }),
    );
    this.run(() => settled);
    if (!settled) throw new Error("it waits for a promise that nothing settles");
    if ("error" in settled) throw settled.error;
    return settled.value;
  }

  /// Takes turns until there are none, or there is enough. A timer's turn comes at once: what is
  /// waited for is the order, not the time.
  run(enough) {
    for (;;) {
      while (this.tasks.length) this.tasks.shift()();
      if (enough()) return;
      let first;
      for (const timer of this.timers) {
        if (!first || timer.due < first.due || (timer.due === first.due && timer.id < first.id)) first = timer;
      }
      if (!first) return;
      this.now = first.due;
      if (first.every === undefined) this.clear(first.id);
      else first.due += Math.max(first.every, 1);
      first.call();
    }
  }

  set(callback, wait, values, repeats) {
    const delay = Math.max(Number(wait) || 0, 0);
    const id = this.next++;
    this.timers.push({ id, due: this.now + delay, every: repeats ? delay : undefined, call: () => callback(...values) });
    return id;
  }

  clear(id) {
    this.timers = this.timers.filter((timer) => timer.id !== id);
  }
}

export function install(turns) {
  Promises._immediateFn = (task) => turns.tasks.push(task);
  Promises._unhandledRejectionFn = () => {};
  globalThis.Promise = Promises;
  globalThis.queueMicrotask = (task) => turns.tasks.push(task);
  globalThis.setTimeout = (callback, wait, ...values) => turns.set(callback, wait, values, false);
  globalThis.setInterval = (callback, wait, ...values) => turns.set(callback, wait, values, true);
  globalThis.setImmediate = (callback, ...values) => turns.set(callback, 0, values, false);
  globalThis.clearTimeout = globalThis.clearInterval = globalThis.clearImmediate = (id) => turns.clear(id);
}
