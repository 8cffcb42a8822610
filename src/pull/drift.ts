/** What somebody edited in the catalog, apart from what the files ask for. Pure. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { contractLabel } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { labelKeyPath } from '../patch/key-path.ts';
import { parsePointer } from '../patch/pointer.ts';
import { compareThreeWays } from '../plan/cause.ts';
import type { Rules } from '../plan/rules.ts';
import type { Divergence } from './divergence.ts';

/** A live contract, its file, and what the file said at the base. */
type BasedContract = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  /** Absent where no file declared the contract then: the file asks for all that differs. */
  readonly declared: DesiredContract | undefined;
  readonly rules: Rules;
};

/** What to take into a file, and the places that stay as the file says. */
type Drift = {
  readonly divergence?: Divergence;
  readonly problems: readonly Diagnostic[];
};

/**
 * The state that the file has to say for nothing to be drift: live, with all that the file has
 * changed since the base. Where both have changed something, the file's stays.
 */
export function driftOf({ live, desired, declared, rules }: BasedContract): Drift {
  const inItsWords = (file: DesiredContract): DesiredContract => file.refine?.(live) ?? file;
  const { managed } = inItsWords(desired);
  const file = targetDocument(live, managed, rules.equivalence, rules.arrays);
  const base = { declared: declared && inItsWords(declared) };
  const { asked, drift, conflicts } = compareThreeWays(live, file, base, rules);
  const problems = conflicts.map((place) => bothChanged(place, live, desired));
  if (drift.length === 0 || !declared) return { problems };
  const state = { ...live, document: asked };
  return { divergence: { live: state, desired, rules, base: declared }, problems };
}

function bothChanged(place: string, live: LiveContract, desired: DesiredContract): Diagnostic {
  const pointer = parsePointer(place) ?? [];
  return {
    code: 'conflict',
    severity: 'warning',
    message: `Both the file and the catalog changed \`${labelKeyPath(pointer)}\` of ${contractLabel(live)}: kept the file's value.`,
    hint: 'To take the edit, pull without --drift, or copy it into the file by hand.',
    source: desired.locate(pointer.slice(0, 1)),
  };
}
