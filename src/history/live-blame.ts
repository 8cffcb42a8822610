/** Who made the places of a live contract what they are, as its catalog's history tells. */

import type { LiveContract } from '../contract/contract.ts';
import type { JsonObject } from '../core/json.ts';
import { type KeyPath, valueByKey } from '../patch/key-path.ts';
import type { LivePlace } from '../patch/merge.ts';
import { type Blame, blameOrder, blamePlace } from './blame.ts';
import type { HistoryRules } from './state.ts';
import { type ContractVersion, parseVersions } from './version.ts';

/** A blame that names a version. */
export type KnownBlame = Exclude<Blame, { readonly kind: 'never-set' }> & {
  /** Whether the place is empty since. */
  readonly isRemoval: boolean;
};

/**
 * Of each place, in their order, from the snapshots of the contract, newest first. Undefined where it
 * was never set, or where the history does not lead to what was read: somebody edits meanwhile.
 */
export function blameLive(
  live: LiveContract,
  snapshots: readonly JsonObject[],
  places: readonly LivePlace[],
  rules: HistoryRules,
): readonly (KnownBlame | undefined)[] {
  const { updatedAt = Infinity } = live;
  const until = snapshots.filter((snapshot) => Number(snapshot['updatedAt'] ?? 0) <= updatedAt);
  // What was read stands in front: whatever it changes is in no version that is known.
  const [read, ...versions] = parseVersions([live.document, ...until], rules);
  return places.map(({ path, of }) => {
    if (!read || versions.length === 0) return undefined;
    const blame = (of === 'order' ? blameOrder : blamePlace)(
      [read, ...versions],
      path,
      rules.arrays,
    );
    if (blame.kind === 'never-set' || blame.version === read) return undefined;
    return { ...blame, isRemoval: of === 'value' && isAbsent(read, path) };
  });
}

function isAbsent({ state }: ContractVersion, path: KeyPath): boolean {
  return valueByKey(state, path) === undefined;
}
