/**
 * What is thrown is the door's own error; console.log goes to the trace.
 *
 * @param {string} name
 * @returns {string}
 */
export function greet(name) {
  if (!name) throw new Error("expected a name");
  return `Hello, ${name}!`;
}
