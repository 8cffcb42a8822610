import { styleText } from 'node:util';
import { diffArrays } from 'diff';
import { Document, type SchemaOptions, type ToStringOptions } from 'yaml';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import { InexactNumber, isArray, isObject, type JsonValue } from '../core/json.ts';
import type { Change, ContractPlan, Transition } from '../plan/plan.ts';

export type Gravity = 'good' | 'warning' | 'error';

/**
 * A piece of a line. Each medium escapes its text, which may come from files and servers; only
 * `own` text, Markdown with no foreign words, is printed in Markdown as it is.
 */
export type Phrase =
  | string
  | {
      readonly text: string;
      /** `sentence` and `hint` have names and commands between backticks. */
      readonly as: 'own' | 'code' | 'contract' | 'sentence' | 'hint' | 'strong' | 'faint' | Gravity;
    }
  | { readonly contracts: readonly string[] }
  | { readonly move: Transition }
  | { readonly changes: readonly ChangeReport[] };

export type Words = readonly Phrase[];

/** A block without content is not printed, nor is its title. */
export type Block =
  | { readonly kind: 'heading'; readonly words: Words }
  | { readonly kind: 'note'; readonly words: Words; readonly gravity?: Gravity | undefined }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'command';
      readonly lead: string;
      readonly command: string;
      readonly language: 'sh' | 'yaml';
    }
  | {
      readonly kind: 'problems';
      readonly problems: readonly ReportedProblem[];
      /** Given, it shows at most so many, each on one line with its contract's name. */
      readonly most?: number;
    }
  | {
      readonly kind: 'table';
      /** A page of all that is known shows it. */
      readonly title?: string | undefined;
      readonly columns: readonly string[];
      readonly rows: readonly TableRow[];
    }
  | {
      readonly kind: 'contracts';
      readonly title?: string;
      readonly details: readonly Gathering[];
    }
  | {
      readonly kind: 'list';
      readonly title: string;
      readonly lead?: { readonly words: string; readonly advice: string };
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: 'names';
      readonly title: string;
      readonly aside: string;
      readonly names: readonly { readonly label: string; readonly note?: string }[];
      readonly most: number;
    };

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>;

export type Report = {
  readonly title?: { readonly words: string; readonly gravity: Gravity };
  readonly blocks: readonly Block[];
};

export type Fact = {
  readonly name?: string;
  readonly value: string;
  readonly as?: 'code' | 'strong';
};

export type ReportedProblem = Problem & { readonly contract?: string; readonly breaking?: boolean };

export type TableRow = {
  readonly state?: { readonly word: string; readonly gravity: Gravity; readonly isLeft: boolean };
  readonly cells: readonly Words[];
  readonly below?: readonly Words[];
  readonly changes?: readonly ChangeReport[];
};

export type ListItem = {
  readonly sign?: 'good' | 'added' | 'removed' | 'changed';
  readonly label: string;
  readonly aside?: string | undefined;
  readonly lines: readonly ListLine[];
};

/** Lines that are `isBelow` belong to the line without a sign above them. */
export type ListLine = {
  readonly kind: Line['kind'] | 'plain' | 'same';
  readonly text: string;
  readonly isBelow?: boolean;
};

export type ChangeReport = ShownValues & {
  readonly sign: 'added' | 'removed' | 'changed';
  readonly label: string;
  readonly source?: SourcePosition | undefined;
  readonly carrier?: Change['carrier'];
  /** `moved from 3 to 0`. */
  readonly movement?: string | undefined;
  /** Who set the live value, or which merge changes it: `set by mira, 3 days ago, in 1.4`. */
  readonly blame?: string | undefined;
};

export const changeSigns = {
  add: 'added',
  remove: 'removed',
  replace: 'changed',
  move: 'changed',
} as const;

export type Merge = { readonly into: string; readonly hasFailed: boolean };

export type FiledPlan = Exclude<ContractPlan, { readonly action: 'unmanaged' }>;

export type ContractReport = {
  readonly label: string;
  readonly team?: string | undefined;
  readonly verdict: FiledPlan['action'];
  readonly breaking: boolean;
  readonly gravity: Gravity;
  readonly source: SourcePosition;
  readonly transition?:
    | (Transition & {
        readonly source?: SourcePosition | undefined;
        readonly blame?: string | undefined;
      })
    | undefined;
  /** The planned version, and the expected one: `0.2 or 1.0`. */
  readonly versions?: { readonly before: string; readonly expected?: string } | undefined;
  readonly changes: readonly ChangeReport[];
  /** The changed fields, with counts of elements: `schema +1 −2`; who set a status. */
  readonly brief: readonly Words[];
  readonly problems: readonly ReportedProblem[];
  /** Who reads it, where the change is one that readers notice. */
  readonly downstream?: Words | undefined;
  /** Problems that only repeat the verdict. */
  readonly reasons: readonly Problem[];
  /** The operations of the patch, or the one document, where they are asked for. */
  readonly sent?:
    | { readonly kind: 'patch' | 'document'; readonly values: readonly JsonValue[] }
    | undefined;
};

export type Gathering = {
  /** The members' common parts; a single member as it is. */
  readonly shown: ContractReport;
  readonly members: readonly ContractReport[];
};

export function note(words: Phrase | Words, gravity?: Gravity): Block {
  return { kind: 'note', words: Array.isArray(words) ? words : [words], gravity };
}

export type Paint = (text: string) => string;

/** Colours by meaning; they never change which text is shown. */
export type Palette = Readonly<
  Record<'added' | 'removed' | 'changed' | 'faint' | 'strong' | 'error' | 'warning' | 'good', Paint>
>;

type Format = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

function makePalette(paint: (...formats: Format[]) => Paint): Palette {
  return {
    added: paint('green'),
    removed: paint('red'),
    changed: paint('yellow'),
    faint: paint('dim'),
    strong: paint('bold'),
    error: paint('red', 'bold'),
    warning: paint('yellow'),
    good: paint('green'),
  };
}

export const coloured = makePalette(
  (...formats) =>
    (text) =>
      styleText(formats, text, { validateStream: false }),
);

export const plain = makePalette(() => (text) => text);

const signs = {
  added: '+',
  removed: '-',
  changed: '~',
  faint: '=',
  good: '✓',
  warning: '!',
  error: '✗',
} as const;

export function signOf(colour: keyof typeof signs, palette: Palette): string {
  return palette[colour](signs[colour]);
}

type ShownValues = {
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
};

export type Line = {
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  readonly text: string;
};

/**
 * In front of a line in a diff: one character, so that no text can pass for another kind of line.
 */
export const lineSigns = { added: '+', removed: '-', context: ' ', gap: ' ', same: ' ' } as const;

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

/** Inline if possible, else with two lines around those that differ. */
export function linesOfChange(change: ShownValues): Line[] {
  return inlineLines(change) ?? differingLines(change.before, change.after, 2);
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
  const text =
    typeof value === 'string' ? value : new Document(value, yamlOptions).toString(yamlOptions);
  return text.replace(/\n$/u, '').split('\n');
}
