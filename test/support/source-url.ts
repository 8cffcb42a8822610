/** Where a file of `src/` is, for the code of a process of its own to import it. */
export function sourceUrl(file: string): string {
  return new URL(`../../src/${file}`, import.meta.url).href;
}
