/** What there is to say of a result, as blocks that each medium prints in its own way. */

import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import type { Change, ContractPlan, Transition } from '../plan/plan.ts';
import type { Line } from './values.ts';

export type Gravity = 'good' | 'warning' | 'error';

/**
 * A piece of a line. Its text may come from files and servers, so a medium escapes it; only `own` text,
 * which is Markdown already and holds words of ours alone, stands in Markdown as it is.
 */
export type Phrase =
  | string
  | {
      readonly text: string;
      /** `said` and `hint` have names and commands between backticks. */
      readonly as: 'own' | 'code' | 'contract' | 'said' | 'hint' | 'strong' | 'faint' | Gravity;
    }
  | { readonly contracts: readonly string[] }
  | { readonly move: Transition }
  | { readonly changes: readonly ChangeReport[] };

export type Words = readonly Phrase[];

/** A block without content is not printed, nor is its title. */
export type Block =
  | { readonly kind: 'heading'; readonly words: Words }
  | { readonly kind: 'note'; readonly words: Words; readonly gravity?: Gravity | undefined }
  /** What a result is about; on a page it stands at the end. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'problems';
      readonly problems: readonly ReportedProblem[];
      /** Where given, so many at most, each on one line with the name of its contract. */
      readonly most?: number;
      /** They are why something was not done: in a few words, where there is no room for them. */
      readonly caution?: string;
    }
  | {
      readonly kind: 'table';
      readonly title?: string | undefined;
      readonly columns: readonly string[];
      readonly rows: readonly TableRow[];
      /** Rows that stand for all of them where there is no room. */
      readonly counts?: readonly TableRow[];
    }
  | {
      readonly kind: 'contracts';
      readonly title?: string;
      readonly note?: string;
      /** What a page lists in a table, before the details. */
      readonly overview: readonly ContractReport[];
      readonly details: readonly Gathering[];
      readonly isOpen: boolean;
    }
  | {
      readonly kind: 'list';
      readonly title: string;
      readonly lead?: { readonly words: string; readonly advice: string };
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: 'names';
      /** Words of ours: `12 live contracts have no file`. */
      readonly title: string;
      /** How that came, for those who have room. */
      readonly aside: string;
      readonly names: readonly { readonly label: string; readonly note?: string }[];
      /** How many a terminal names. */
      readonly most: number;
    };

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>;

/** A page begins with its title. */
export type Report = {
  readonly title?: { readonly words: string; readonly gravity: Gravity };
  readonly blocks: readonly Block[];
};

export type Fact = {
  readonly name?: string;
  readonly value: string;
  readonly as?: 'code' | 'strong';
};

/** A problem, and of a contract's also its name and whether consumers break. */
export type ReportedProblem = Problem & { readonly contract?: string; readonly breaking?: boolean };

export type TableRow = {
  /** With a verdict in a word, which is the row's first column. */
  readonly state?: { readonly word: string; readonly gravity: Gravity; readonly isLeft: boolean };
  /** A number is read with the title of its column. */
  readonly cells: readonly (Words | number)[];
  /** Lines below the row of a terminal; the last column of a page. */
  readonly below?: readonly Words[];
  /** Changes that are shown with their values. */
  readonly changes?: readonly ChangeReport[];
};

export type ListItem = {
  readonly sign?: 'good' | 'added' | 'removed' | 'changed';
  readonly label: string;
  readonly aside?: string;
  readonly lines: readonly ListLine[];
};

/** A line without a sign may have others below it. */
export type ListLine = Omit<Line, 'kind'> & {
  readonly kind: Line['kind'] | 'plain' | 'same';
  readonly isBelow?: boolean;
};

/** A change in words. */
export type ChangeReport = Pick<Change, 'label' | 'before' | 'after' | 'source' | 'carrier'> & {
  readonly sign: 'added' | 'removed' | 'changed';
  /** Of what changes its place: `moved from 3 to 0`. */
  readonly movement?: string;
  /** Who set the live value, or which merge asks for another: `set by mira, 3 days ago, in 1.4`. */
  readonly blame?: string;
  /** A change of status, which is shown as a transition too. */
  readonly isStatus?: boolean;
};

export type FiledPlan = Exclude<ContractPlan, { readonly action: 'unmanaged' }>;

/** A contract that has a file. */
export type ContractReport = {
  readonly label: string;
  readonly verdict: FiledPlan['action'];
  /** Whether it breaks consumers, blocked or allowed. */
  readonly breaking: boolean;
  /** Of the worst that is to be said of it beside its verdict. */
  readonly gravity: Gravity;
  readonly source: SourcePosition;
  readonly transition?: Transition & Pick<ChangeReport, 'source' | 'blame'>;
  /** What was planned against, and what to expect: `0.2 or 1.0`. */
  readonly versions?: { readonly before: string; readonly expected?: string };
  readonly changes: readonly ChangeReport[];
  /** What changes beside the status, and how many elements come, go and change: ` +1 −2`. */
  readonly fields: readonly { readonly field: string; readonly edits: string }[];
  readonly problems: readonly ReportedProblem[];
  /** Problems that say no more than the verdict does. */
  readonly reasons: readonly Problem[];
};

/** What is said once, and of which contracts: of one, or of several that change alike. */
export type Gathering = {
  /** What holds for each of them; of a single contract all there is to say. */
  readonly shown: ContractReport;
  readonly members: readonly ContractReport[];
};

/** A sentence, or several pieces of one. */
export function note(words: Phrase | Words, gravity?: Gravity): Block {
  return { kind: 'note', words: Array.isArray(words) ? words : [words], gravity };
}
