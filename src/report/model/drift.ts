/** Edits of the catalog that a plan leaves as they are: told apart from what the files ask for. */

import { contractLabel } from '../../contract/identity.ts';
import { count } from '../../core/text.ts';
import type { DriftedPlace, Plan } from '../../plan/plan.ts';
import type { Difference } from '../../patch/difference.ts';
import { labelKeyPath } from '../../patch/key-path.ts';
import { parsePointer } from '../../patch/pointer.ts';
import { differenceText, differingLines, type Line, lineSigns } from '../values.ts';
import { blameWords } from './change.ts';

export type DriftReport = {
  /** Absent where there is none. */
  readonly headline?: string;
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

export function describeDrift({ contracts }: Plan, now?: number): DriftReport {
  const drifted = contracts.flatMap((contract): DriftedContract[] => {
    if (!('drift' in contract)) return [];
    const { differences, updatedBy } = contract.drift;
    const places = differences.map((place) => reportPlace(place, now));
    return [
      { label: contractLabel(contract), ...(updatedBy !== undefined && { updatedBy }), places },
    ];
  });
  const edited = count(drifted.length, 'contract was', 'contracts were');
  return {
    ...(drifted.length > 0 && {
      headline: `${edited} edited in the catalog; the edits stay (catalog → file)`,
    }),
    contracts: drifted,
    waysOut:
      'To keep an edit, bring it into the file with `contract-sync pull`. To undo them all, apply with `drift: overwrite`.',
  };
}

function reportPlace(place: DriftedPlace, now: number | undefined): DriftedPlaceReport {
  const { blame, ...difference } = place;
  const { words, lines } = hasLines(difference) ? inLines(difference) : inWords(difference);
  return { words: blame ? `${words}  ${blameWords(blame, now)}` : words, lines };
}

/** All of them as text without colours. */
export function driftedText(places: readonly DriftedPlaceReport[]): string[] {
  return places.flatMap(({ words, lines }) => [
    words,
    ...lines.map(({ kind, text }) => `  ${lineSigns[kind]} ${text}`),
  ]);
}

const verbs = { removed: 'was added', added: 'was removed', moved: 'was moved' } as const;

/** `description: "By hand." → "As in the file."`. */
function inWords(difference: Difference): DriftedPlaceReport {
  return { words: differenceText(difference, verbs), lines: [] };
}

function hasLines({ before, after }: Difference): boolean {
  return [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
}

function inLines({ place, before, after }: Difference): DriftedPlaceReport {
  const label = labelKeyPath(parsePointer(place) ?? []);
  const lines = differingLines(before, after, 1);
  if (before !== undefined && after !== undefined) return { words: `${label}:`, lines };
  const verb = after === undefined ? verbs.removed : verbs.added;
  // A sign would say what an apply does, and none does anything here.
  const plainLines = lines.map(({ text }): Line => ({ kind: 'context', text }));
  return { words: `${label} ${verb}:`, lines: plainLines };
}
