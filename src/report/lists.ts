import { contractLabel } from '../contract/identity.ts';
import { defined, type JsonValue } from '../core/json.ts';
import { clip, count } from '../core/text.ts';
import { parsePointer } from '../patch/pointer.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { type LeftReason, leftReason, leftReasons } from '../plan/seal.ts';
import type { DriftedPlace, Plan } from '../plan/plan.ts';
import type { Comparison, ContractComparison } from '../review/compare.ts';
import {
  type BlockOf,
  differingLines,
  inlineLines,
  type ListItem,
  type ListLine,
  type Merge,
} from './blocks.ts';
import { describePeople } from './contract.ts';
import { originWords } from './history.ts';

type Compared = {
  readonly place: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  readonly behind?: string | undefined;
};

type Verbs = { readonly removed: string; readonly added: string; readonly moved: string };

type DriftWords = {
  readonly title: string;
  readonly headline: (amount: number) => string;
  readonly advice: string;
  /** Whether differences read file → catalog, as an edit went, and not catalog → file. */
  readonly isTurned: boolean;
  readonly verbs: Verbs;
};

const wordsOf: Readonly<Record<LeftReason, DriftWords>> = {
  edited: {
    title: 'Drift',
    headline: (amount) =>
      `${count(amount, 'contract was', 'contracts were')} edited in the catalog; left alone (file → catalog)`,
    advice:
      'To keep an edit, bring it into the file with `contract-sync pull`. To undo them all, apply with `drift: overwrite`.',
    isTurned: true,
    verbs: { removed: 'was removed', added: 'was added', moved: 'was moved; the file moves it' },
  },
  notApplied: {
    title: 'Merged, not applied yet',
    headline: (amount) =>
      `${count(amount, 'contract has', 'contracts have')} merged changes that aren't applied yet (catalog → file)`,
    advice: "The catalog wasn't edited: the apply of the merge makes these changes.",
    isTurned: false,
    verbs: { removed: 'is removed', added: 'is added', moved: 'is moved' },
  },
  unknown: {
    title: 'Unknown cause',
    headline: (amount) =>
      `${count(amount, 'contract differs', 'contracts differ')} from the base, edited in the catalog or not applied yet; left alone (file → catalog)`,
    advice:
      'Look at the history: `contract-sync history NAME`. To apply the files anyway, use `drift: overwrite`.',
    isTurned: true,
    verbs: {
      removed: 'is only in the file',
      added: 'is only in the catalog',
      moved: 'is elsewhere; the file moves it',
    },
  },
};

export type DriftView = {
  readonly now?: number | undefined;
  /** For a reader to whom an apply is the merge of a pull request. */
  readonly merge?: Merge | undefined;
};

export function driftBlocks(
  { contracts }: Plan,
  { now, merge }: DriftView = {},
): BlockOf<'list'>[] {
  return leftReasons.flatMap((kind) => {
    const words = wordsOf[kind];
    const items = contracts.flatMap((contract): ListItem[] => {
      if (!('drift' in contract)) return [];
      const { differences, updatedBy } = contract.drift;
      const places = differences.filter((place) => leftReason(place) === kind);
      if (places.length === 0) return [];
      const isEdit = updatedBy !== undefined && kind !== 'notApplied';
      const aside = isEdit ? `last written by ${updatedBy}` : undefined;
      const lines = places.flatMap((place) => linesOfPlace(place, words, now));
      return [{ label: contractLabel(contract), aside, lines }];
    });
    if (items.length === 0) return [];
    const isOther = !contracts.some((each) => each.action === 'update' && each.drift);
    const others = isOther ? 'other contract' : 'contract';
    const headline =
      merge && kind === 'edited'
        ? `${count(items.length, `${others} was`, `${others}s were`)} edited in the catalog. Merging leaves those edits alone (file → catalog)`
        : words.headline(items.length);
    return [
      { kind: 'list', title: words.title, lead: { words: headline, advice: words.advice }, items },
    ];
  });
}

function linesOfPlace(
  planned: DriftedPlace,
  { isTurned, verbs }: DriftWords,
  now: number | undefined,
): ListLine[] {
  const { place, behind, before: ofCatalog, after: ofFile } = { ...planned, ...planned.inWords };
  const [before, after] = isTurned ? [ofFile, ofCatalog] : [ofCatalog, ofFile];
  const origin = originWords(planned, now);
  const headed = (words: string): ListLine => ({
    kind: 'plain',
    text: origin === undefined ? words : `${words}  ${origin}`,
  });
  const people = describePeople({ path: place, ...defined({ before, after }) });
  if (people && people.length > 0)
    return people.map(({ label, before: from, after: to }) => {
      const sides = inlineLines({ before: from, after: to }) ?? [];
      const names = sides.map(({ text }) => text).join(' → ');
      if (from !== undefined && to !== undefined) return headed(`${label}: ${names}`);
      return headed(`${label} ${names} ${from === undefined ? verbs.added : verbs.removed}`);
    });
  const hasLines = [before, after].some(
    (value) => typeof value === 'string' && value.includes('\n'),
  );
  if (!hasLines) return [headed(differenceText({ place, behind, before, after }, verbs))];
  const isEdited = before !== undefined && after !== undefined;
  const verb = after === undefined ? verbs.removed : verbs.added;
  return [
    headed(isEdited ? `${labelOfPlace(place)}:` : `${labelOfPlace(place)} ${verb}:`),
    ...differingLines(before, after, 1).map((line): ListLine => ({
      ...line,
      // A sign would mean an action, and an apply leaves these places as they are.
      ...(!isEdited && { kind: 'context' }),
      isBelow: true,
    })),
  ];
}

// Unchanged contracts that a terminal names; the rest is counted.
const mostNames = 10;

/** Contracts without a file, and those that the plan leaves out. */
export function nameBlocks({ contracts, selection }: Plan): BlockOf<'names'>[] {
  const unmanaged = contracts.filter((contract) => contract.action === 'unmanaged');
  const live = count(unmanaged.length, 'live contract has', 'live contracts have');
  const { only = [], exclude = [], team, paths = [], changedSince, leftOut = [] } = selection ?? {};
  const flags = [
    ...(team === undefined ? [] : [`--team ${team}`]),
    ...paths,
    ...only.map((pattern) => `--only ${pattern}`),
    ...exclude.map((pattern) => `--exclude ${pattern}`),
    ...(changedSince === undefined ? [] : [`--changed-since ${changedSince}`]),
  ].join(' ');
  const without = count(leftOut.length, 'contract was', 'contracts were');
  return [
    {
      kind: 'names',
      title: `${live} no file`,
      aside: ' (left alone)',
      names: unmanaged.map((contract) => {
        const label = contractLabel(contract);
        const { hadFile } = contract;
        if (!hadFile) return { label };
        return { label, note: `had a file until ${hadFile.until}: ${hadFile.file}` };
      }),
      most: mostNames,
    },
    {
      kind: 'names',
      title: `${without} left out`,
      aside: ` by ${flags}`,
      names: leftOut.map((label) => ({ label })),
      most: 0,
    },
  ];
}

export function comparisonBlock({ contracts }: Comparison): BlockOf<'list'> {
  return {
    kind: 'list',
    title: 'Since the review',
    items: contracts.map((contract) => ({
      sign: signs[contract.kind],
      label: contractLabel(contract),
      aside: verdicts[contract.kind],
      lines: (signs[contract.kind] === 'good' ? [] : contract.differences).flatMap(
        (compared): ListLine[] => {
          const { kind, difference } = compared;
          if (kind !== 'changed') return [{ kind: signs[kind], text: differenceText(difference) }];
          return [
            { kind: 'removed', text: differenceText(compared.approved) },
            { kind: 'added', text: differenceText(difference) },
          ];
        },
      ),
    })),
  };
}

const signs = {
  landed: 'good',
  superseded: 'good',
  new: 'added',
  gone: 'removed',
  changed: 'changed',
  same: 'same',
} as const;

const verdicts: Readonly<Record<ContractComparison['kind'], string>> = {
  landed: 'already landed',
  superseded: 'landed, and was changed again since',
  new: 'was not in the reviewed plan',
  gone: 'was reviewed; is not planned now',
  changed: 'differs from what was reviewed',
};

/** On one line, shortened: `schema[amount].dataType: "INT" → "BIGINT"`. */
function differenceText(
  { place, before, after, behind }: Compared,
  verbs: Verbs = { removed: 'removed', added: 'added', moved: 'moved' },
): string {
  const label = labelOfPlace(place);
  if (before !== undefined && after !== undefined)
    return `${label}: ${brief(before)} → ${brief(after)}`;
  if (before !== undefined) return `${label}: ${brief(before)} ${verbs.removed}`;
  if (after !== undefined) return `${label}: ${brief(after)} ${verbs.added}`;
  return `${label}: ${verbs.moved} ${behind === undefined ? 'to the start' : `behind ${clip(behind, longestValue)}`}`;
}

export function labelOfPlace(place: string): string {
  return labelKeyPath(parsePointer(place) ?? []);
}

const longestValue = 160;

function brief(value: JsonValue): string {
  return clip(JSON.stringify(value), longestValue);
}
