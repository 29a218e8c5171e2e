/**
 * What is thrown is the door's own error; console.log goes to the trace. The types are those of wit/,
 * written by `doorlist build`.
 *
 * @type {import("./bindings/door").Door["greet"]}
 */
export function greet(name) {
  if (!name) throw new Error("expected a name");
  return `Hello, ${name}!`;
}
