/** What is thrown is the door's own error; console.log goes to the trace. */
export function greet(name: string): string {
  if (!name) throw new Error("expected a name");
  return `Hello, ${name}!`;
}
