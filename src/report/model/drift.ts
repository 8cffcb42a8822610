/** Edits of the catalog that a plan leaves as they are: told apart from what the files ask for. */

import { contractLabel } from '../../contract/identity.ts';
import { count } from '../../core/text.ts';
import type { DriftedPlace, Plan } from '../../plan/plan.ts';
import { differenceText } from '../values.ts';
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
  /** One line for each edited place. */
  readonly places: readonly string[];
};

export function describeDrift({ contracts }: Plan, now?: number): DriftReport {
  const drifted = contracts.flatMap((contract): DriftedContract[] => {
    if (!('drift' in contract)) return [];
    const { differences, updatedBy } = contract.drift;
    const places = differences.map((place) => editText(place, now));
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
      'To keep an edit, bring it into the file. To undo all of them, apply with `drift: overwrite`.',
  };
}

/** An edit on one line: `description: "By hand." → "As in the file."`. */
function editText({ blame, ...difference }: DriftedPlace, now: number | undefined): string {
  const text = differenceText(difference, {
    removed: 'was added',
    added: 'was removed',
    moved: 'was moved',
  });
  return blame ? `${text}  ${blameWords(blame, now)}` : text;
}
