/** ES2026; Node has it, and TypeScript's library does not. */
interface JSON {
  rawJSON(text: string): unknown;
}
