/** What a plan leaves as it is in the catalog: apart from what the files ask for. */

import { contractLabel } from '../../contract/identity.ts';
import { count } from '../../core/text.ts';
import { type LeftReason, leftReason, leftReasons } from '../../plan/make.ts';
import type { DriftedPlace, Plan } from '../../plan/plan.ts';
import type { Difference } from '../../patch/difference.ts';
import { labelKeyPath } from '../../patch/key-path.ts';
import { parsePointer } from '../../patch/pointer.ts';
import { differenceText, differingLines, type Line, lineSigns } from '../values.ts';
import { blameWords, mergedWords, unknownWords } from './change.ts';

/** Contracts that differ from the base for one reason. */
export type DriftReport = {
  readonly title: string;
  readonly headline: string;
  readonly contracts: readonly DriftedContract[];
  /** What can be done about it. */
  readonly waysOut: string;
};

type DriftedContract = {
  readonly label: string;
  readonly updatedBy?: string;
  readonly places: readonly DriftedPlaceReport[];
};

/** An edited place on a line, and below it the lines of a text that has several. */
type DriftedPlaceReport = { readonly words: string; readonly lines: readonly Line[] };

type DriftWords = Pick<DriftReport, 'title' | 'waysOut'> & {
  readonly headline: (amount: number) => string;
  readonly verbs: Verbs;
};

/** `before` is live, so what is removed is what the catalog has and the file has not. */
type Verbs = Readonly<Record<'removed' | 'added' | 'moved', string>>;

const wordsOf: Readonly<Record<LeftReason, DriftWords>> = {
  edited: {
    title: 'Drift',
    headline: (amount) =>
      `${count(amount, 'contract was', 'contracts were')} edited in the catalog; the edits stay (catalog → file)`,
    waysOut:
      'To keep an edit, bring it into the file with `contract-sync pull`. To undo them all, apply with `drift: overwrite`.',
    verbs: { removed: 'was added', added: 'was removed', moved: 'was moved' },
  },
  notApplied: {
    title: 'Merged, not applied yet',
    headline: (amount) =>
      `${count(amount, 'contract lacks', 'contracts lack')} what is merged and not applied yet (catalog → file)`,
    waysOut: 'Nobody edited this in the catalog: the apply of the merge brings it about.',
    verbs: { removed: 'is removed', added: 'is added', moved: 'is moved' },
  },
  unknown: {
    title: 'Not known',
    headline: (amount) =>
      `${count(amount, 'contract differs', 'contracts differ')} from the base, edited in the catalog or not applied yet; that stays (catalog → file)`,
    waysOut:
      'Look at the history: `contract-sync history NAME`. To bring the files about all the same, apply with `drift: overwrite`.',
    verbs: { removed: 'is only in the catalog', added: 'is only in the file', moved: 'is moved' },
  },
};

/** What a plan leaves as it is, by its reason. */
export function describeDrift({ contracts }: Plan, now?: number): readonly DriftReport[] {
  return leftReasons.flatMap((kind) => {
    const { headline, verbs, ...words } = wordsOf[kind];
    const left = contracts.flatMap((contract): DriftedContract[] => {
      if (!('drift' in contract)) return [];
      const { differences, updatedBy } = contract.drift;
      const places = differences.filter((place) => leftReason(place) === kind);
      if (places.length === 0) return [];
      return [
        {
          label: contractLabel(contract),
          ...(updatedBy !== undefined && kind !== 'notApplied' && { updatedBy }),
          places: places.map((place) => reportPlace(place, verbs, now)),
        },
      ];
    });
    return left.length > 0 ? [{ ...words, headline: headline(left.length), contracts: left }] : [];
  });
}

function reportPlace(
  place: DriftedPlace,
  verbs: Verbs,
  now: number | undefined,
): DriftedPlaceReport {
  const { blame, mergedIn, unknown, ...difference } = place;
  const { words, lines } = hasLines(difference)
    ? inLines(difference, verbs)
    : { words: differenceText(difference, verbs), lines: [] };
  const asides = [
    ...(mergedIn === undefined ? [] : [mergedWords(mergedIn)]),
    ...(unknown === undefined ? [] : [unknownWords(unknown)]),
    ...(blame ? [blameWords(blame, now)] : []),
  ];
  return { words: [words, asides.join('; ')].filter((each) => each !== '').join('  '), lines };
}

/** All of them as text without colours. */
export function driftedText(places: readonly DriftedPlaceReport[]): string[] {
  return places.flatMap(({ words, lines }) => [
    words,
    ...lines.map(({ kind, text }) => `  ${lineSigns[kind]} ${text}`),
  ]);
}

function hasLines({ before, after }: Difference): boolean {
  return [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
}

function inLines({ place, before, after }: Difference, verbs: Verbs): DriftedPlaceReport {
  const label = labelKeyPath(parsePointer(place) ?? []);
  const lines = differingLines(before, after, 1);
  if (before !== undefined && after !== undefined) return { words: `${label}:`, lines };
  const verb = after === undefined ? verbs.removed : verbs.added;
  // A sign would say what an apply does, and none does anything here.
  const plainLines = lines.map(({ text }): Line => ({ kind: 'context', text }));
  return { words: `${label} ${verb}:`, lines: plainLines };
}
