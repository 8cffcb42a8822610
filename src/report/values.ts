import { diffArrays } from 'diff';
import { type SchemaOptions, stringify, type ToStringOptions } from 'yaml';
import type { SourcePosition } from '../core/diagnostic.ts';
import { InexactNumber, isArray, isObject, type JsonValue } from '../core/json.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { parsePointer } from '../patch/pointer.ts';

function inlineValue(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? undefined : value;
  if (!isArray(value) && !isObject(value)) return String(value);
  return Object.keys(value).length === 0 ? JSON.stringify(value) : undefined;
}

// Makes empty text and outer blanks visible.
function quoteBlank(text: string): string {
  return text === '' || text !== text.trim() ? JSON.stringify(text) : text;
}

const yamlOptions: ToStringOptions & SchemaOptions = {
  lineWidth: 0,
  indentSeq: false,
  customTags: [
    {
      tag: 'tag:yaml.org,2002:float',
      default: true,
      identify: (value) => value instanceof InexactNumber,
      resolve: Number,
      stringify: ({ value }) => String(value),
    },
  ],
};

function valueLines(value: JsonValue): string[] {
  const text = typeof value === 'string' ? value : stringify(value, yamlOptions);
  return text.replace(/\n$/u, '').split('\n');
}

export type ShownValues = {
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
};
type Compared = ShownValues & { readonly place: string; readonly behind?: string | undefined };

export type Verbs = Readonly<Record<'removed' | 'added' | 'moved', string>>;

/** On one line, shortened: `schema[amount].dataType: "INT" → "BIGINT"`. */
export function differenceText(
  { place, before, after, behind }: Compared,
  verbs: Verbs = { removed: 'removed', added: 'added', moved: 'moved' },
): string {
  const label = labelOfPlace(place);
  const [from, to] = [before, after].map(
    (value) => value !== undefined && clip(JSON.stringify(value), 160),
  );
  if (from && to) return `${label}: ${from} → ${to}`;
  if (from) return `${label}: ${from} ${verbs.removed}`;
  if (to) return `${label}: ${to} ${verbs.added}`;
  return `${label}: ${verbs.moved} ${behind === undefined ? 'to the start' : `behind ${clip(behind, 160)}`}`;
}

export function labelOfPlace(place: string): string {
  return labelKeyPath(parsePointer(place) ?? []);
}

export function clip(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export type Line = {
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  readonly text: string;
};

/**
 * In front of a line in a diff: one character, so that no text can pass for another kind of line.
 */
export const lineSigns = { added: '+', removed: '-', context: ' ', gap: ' ' } as const;

/** One line for each side; undefined where a value takes several, or both are too long. */
export function inlineLines({ before, after }: ShownValues, longest = Infinity) {
  const left = before === undefined ? '' : inlineValue(before);
  const right = after === undefined ? '' : inlineValue(after);
  if (left === undefined || right === undefined) return undefined;
  if (left.length + right.length > longest) return undefined;
  return [
    ...(before === undefined ? [] : [{ kind: 'removed', text: quoteBlank(left) } as const]),
    ...(after === undefined ? [] : [{ kind: 'added', text: quoteBlank(right) } as const]),
  ];
}

export function differingLines(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  context: number,
): Line[] {
  if (before === undefined) return after === undefined ? [] : allLines(after, 'added');
  if (after === undefined) return allLines(before, 'removed');
  const options = { maxEditLength: mostEdits };
  const parts = diffArrays(valueLines(before), valueLines(after), options);
  if (!parts) return [...allLines(before, 'removed'), ...allLines(after, 'added')];
  const lines = parts.flatMap(({ value, added, removed }): Line[] => {
    const kind = added ? 'added' : removed ? 'removed' : 'context';
    return value.map((text) => ({ kind, text }));
  });
  return foldContext(lines, context);
}

function allLines(value: JsonValue, kind: Line['kind']): Line[] {
  return valueLines(value).map((text) => ({ kind, text }));
}

// Time grows with the square of the lines that differ: two texts of 100,000 would take hours.
const mostEdits = 1000;

function foldContext(lines: readonly Line[], context: number): Line[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, index) => {
    if (kind === 'context') return;
    for (let other = index - context; other <= index + context; other += 1) near.add(other);
  });
  return lines.flatMap((line, index): Line[] => {
    if (near.has(index)) return [line];
    return index === 0 || near.has(index - 1) ? [{ kind: 'gap', text: '…' }] : [];
  });
}

/** `contracts/orders.yaml:2`, or `back to` a past version. */
export function placeText(source: SourcePosition): string {
  const { file, format } = source;
  return format === 'version' ? `back to ${file}` : `${file}:${lineWithKey(source)}`;
}

/** With the key where it has its own word: `41 (physicalType)`. */
export function lineWithKey({ line, key }: SourcePosition): string {
  return key === undefined ? `${line}` : `${line} (${key})`;
}

/** Below `base`, the page of the repository's files; undefined for a past version. */
export function linkToPlace(base: string | undefined, source: SourcePosition): string | undefined {
  const { file, line, format } = source;
  if (base === undefined || format === 'version') return undefined;
  // Parentheses would end a link's target in Markdown; `encodeURIComponent` leaves them alone.
  const segments = file.toWellFormed().split('/').map(encodeURIComponent);
  const path = segments.join('/').replaceAll('(', '%28').replaceAll(')', '%29');
  return `${base}/${path}#L${line}`;
}
