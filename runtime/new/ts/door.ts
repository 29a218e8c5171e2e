// Types of wit/, written by `doorlist build`.
import type { Door } from "./bindings/door";

/** What is thrown is the door's own error; console.log goes to the trace. */
export const greet: Door["greet"] = (name) => {
  if (!name) throw new Error("expected a name");
  return `Hello, ${name}!`;
};
