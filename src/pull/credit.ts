/** Whose edits a pull takes over. Pure. */

import { contractLabel } from '../contract/identity.ts';
import { differingFields } from '../contract/restate-fields.ts';
import { compareCodeUnits, type JsonObject } from '../core/json.ts';
import { withId } from '../history/snapshot.ts';
import { parseVersions } from '../history/version.ts';
import type { Divergence } from './divergence.ts';

/** The users of the versions of one contract that are pulled, the latest first. */
export type Credit = {
  readonly contract: string;
  readonly file: string;
  readonly users: readonly string[];
};

/**
 * Of the snapshots of a contract, newest first: all versions since the last that was as the file
 * says. If there is none, nobody knows how far back the file stands, and the last version counts.
 */
export function creditFor(
  { live, desired, base = desired, rules }: Divergence,
  snapshots: readonly JsonObject[],
): Credit {
  const versions = parseVersions(withId(live.id, snapshots), rules);
  const agreed = versions.findIndex(
    (version) =>
      differingFields(version, (base.refine?.(version) ?? base).managed, rules).size === 0,
  );
  const pulled = versions.slice(0, agreed < 0 ? 1 : agreed);
  const users = pulled.flatMap(({ user }) => (user === undefined ? [] : [user]));
  const { file } = desired.source;
  return { contract: contractLabel(live), file, users: [...new Set(users)] };
}

/** All of them, each once, by name. */
export function creditedUsers(credits: readonly Credit[]): readonly string[] {
  return [...new Set(credits.flatMap(({ users }) => users))].toSorted(compareCodeUnits);
}
