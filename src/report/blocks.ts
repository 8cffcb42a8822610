import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import type { JsonValue } from '../core/json.ts';
import type { Change, ContractPlan, Transition } from '../plan/plan.ts';
import type { Line, ShownValues } from './values.ts';
import { styleText } from 'node:util';

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
      /** Where given, at most so many, each on one line with its contract's name. */
      readonly most?: number;
    }
  | {
      readonly kind: 'table';
      readonly title?: string | undefined;
      readonly columns: readonly string[];
      readonly rows: readonly TableRow[];
    }
  | {
      readonly kind: 'contracts';
      readonly title?: string;
      readonly note?: string;
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

/** In a run of problems with equal hints, the last one has the hint. */
export function shareHints(problems: readonly ReportedProblem[]): ReportedProblem[] {
  return problems.map(({ hint, ...problem }, index) => {
    const isRepeated = hint === undefined || hint === problems[index + 1]?.hint;
    return isRepeated ? problem : { ...problem, hint };
  });
}

export type TableRow = {
  readonly state?: { readonly word: string; readonly gravity: Gravity; readonly isLeft: boolean };
  /** A number is shown with the title of its column: `9 from git`. */
  readonly cells: readonly (Words | number)[];
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
export type ListLine = Omit<Line, 'kind'> & {
  readonly kind: Line['kind'] | 'plain' | 'same';
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

export type Merge = { readonly into: string; readonly hasFailed: boolean };

export type FiledPlan = Exclude<ContractPlan, { readonly action: 'unmanaged' }>;

export type ContractReport = {
  readonly label: string;
  readonly team?: string | undefined;
  readonly verdict: FiledPlan['action'];
  readonly breaking: boolean;
  readonly gravity: Gravity;
  readonly source: SourcePosition;
  readonly transition?: (Transition & Pick<ChangeReport, 'source' | 'blame'>) | undefined;
  /** The planned version, and the expected one: `0.2 or 1.0`. */
  readonly versions?: { readonly before: string; readonly expected?: string } | undefined;
  readonly changes: readonly ChangeReport[];
  /** With counts of elements: ` +1 −2`. */
  readonly fields: readonly { readonly field: string; readonly edits: string }[];
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
  /** What the members have in common; a single one is shown as it is. */
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

function makePalette(paint: (format: Parameters<typeof styleText>[0]) => Paint): Palette {
  return {
    added: paint('green'),
    removed: paint('red'),
    changed: paint('yellow'),
    faint: paint('dim'),
    strong: paint('bold'),
    error: paint(['red', 'bold']),
    warning: paint('yellow'),
    good: paint('green'),
  };
}

export const coloured = makePalette(
  (format) => (text) => styleText(format, text, { validateStream: false }),
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
