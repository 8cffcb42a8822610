/** Offsets of a stretch of text; the end is exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** One piece of a text to write anew. */
export type Splice = Span & { readonly text: string };

/** How a text may be written anew for an operation; what it comes to is still to be proved. */
export type Candidate = {
  readonly splices: readonly Splice[];
  /** Where comments stood that may be gone, in the text before. */
  readonly losing?: Span | undefined;
};

/** The text with its pieces written anew; they may come in any order, and do not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let from = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, splice.start) + splice.text;
    from = splice.end;
  }
  return result + text.slice(from);
}

/** A text in the place of another, as one splice. */
export function inWhole(before: string, after: string): Splice {
  return { start: 0, end: before.length, text: after };
}
