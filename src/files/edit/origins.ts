import { applySplices, lineStart, type Splice } from './lines.ts';

/** For each line of a text, the line of the first text that it came from; lines count from 1. */
export type Origins = readonly number[];

/** Those of a text before its first edit. */
export function firstOrigins(text: string): Origins {
  return text.split('\n').map((_, index) => index + 1);
}

/** The origins after an edit: only the lines that it touches are looked at. */
export function laterOrigins(origins: Origins, text: string, splices: readonly Splice[]): Origins {
  const later: number[] = [];
  let [line, offset] = [0, 0];
  for (const { start, end, splices: own } of touchedLines(text, splices)) {
    const first = line + breaksIn(text.slice(offset, start));
    const before = text.slice(start, end);
    const after = applySplices(before, own);
    const next = first + breaksIn(before) + 1;
    later.push(...origins.slice(line, first));
    later.push(...originsWithin(origins.slice(first, next), before, after));
    [line, offset] = [next, end + 1];
  }
  return [...later, ...origins.slice(line)];
}

/** Whole lines without their last line feed, and the splices in them, from where they begin. */
type TouchedLines = {
  readonly start: number;
  readonly end: number;
  readonly splices: readonly Splice[];
};

function touchedLines(text: string, splices: readonly Splice[]): readonly TouchedLines[] {
  const groups: { start: number; end: number; own: Splice[] }[] = [];
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    const last = groups.at(-1);
    const end = lastOfLine(text, splice.end);
    if (last && splice.start <= last.end) {
      last.end = Math.max(last.end, end);
      last.own.push(splice);
    } else {
      groups.push({ start: lineStart(text, splice.start), end, own: [splice] });
    }
  }
  return groups.map(({ start, end, own }) => ({
    start,
    end,
    splices: own.map((each) => ({ ...each, start: each.start - start, end: each.end - start })),
  }));
}

function lastOfLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed;
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}

/** Equal lines came from where they were, new ones from the line above. */
function originsWithin(origins: Origins, before: string, after: string): Origins {
  const [former, later] = [before.split('\n'), after.split('\n')];
  const least = Math.min(former.length, later.length);
  const top = commonStart(former, later, least);
  const bottom = commonStart(former.toReversed(), later.toReversed(), least - top);
  const places = Map.groupBy(
    former.slice(top, former.length - bottom).map((line, index) => ({ line, index: top + index })),
    ({ line }) => line,
  );
  let last = origins[top] ?? origins.at(-1) ?? 1;
  const middle = later.slice(top, later.length - bottom).map((line) => {
    const place = places.get(line)?.shift();
    last = (place && origins[place.index]) ?? last;
    return last;
  });
  return [...origins.slice(0, top), ...middle, ...origins.slice(former.length - bottom)];
}

function commonStart(a: readonly string[], b: readonly string[], most: number): number {
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}
