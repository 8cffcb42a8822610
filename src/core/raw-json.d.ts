/** ES2026, which Node has and TypeScript's library has not yet. */
interface JSON {
  rawJSON(text: string): unknown;
}
