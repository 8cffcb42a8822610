/** A line and a column of a text, both from 1. */
export type Place = { readonly line: number; readonly column: number };

/** Turns offsets of a text into places. */
export type Lines = { readonly place: (offset: number) => Place };

/**
 * The lines of a text, counted when a position is first asked for. The package's own counter
 * misses the line breaks inside of what it cannot parse.
 */
export function linesOf(text: string): Lines {
  let starts: readonly number[] | undefined;
  return {
    place: (offset) => {
      starts ??= lineStarts(text);
      // Some syntax errors are placed past the end.
      const within = Math.min(offset, text.length);
      const line = lastNotAfter(starts, within);
      return { line: line + 1, column: within - (starts[line] ?? 0) + 1 };
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return starts;
}

/** Index of the last of ascending numbers that is at most a limit; the first is 0. */
function lastNotAfter(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
