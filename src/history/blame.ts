/** Who made a contract what it is, place by place. */

import type { JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { type KeyPath, valueByKey } from '../patch/key-path.ts';
import { formatPointer } from '../patch/pointer.ts';
import { changesAt } from './place.ts';
import type { ContractVersion } from './version.ts';

/** Since when a place is what it is. */
export type Blame =
  /** The version that gave it its value, or took it away; and the value that was there before. */
  | { readonly kind: 'changed'; readonly version: ContractVersion; readonly before?: JsonValue }
  /** It has its value since the first version that is known. */
  | { readonly kind: 'first-known'; readonly version: ContractVersion }
  /** No version that is known has anything there. */
  | { readonly kind: 'never-set' };

/** For a place of a contract as the newest version has it. */
export function blamePlace(
  versions: readonly ContractVersion[],
  path: KeyPath,
  arrays: DiffOptions,
): Blame {
  const [last] = changesAt(versions, path, arrays).take(1);
  if (!last) return blameFirst(versions, path);
  const { version, before } = last;
  return { kind: 'changed', version, ...(before !== undefined && { before }) };
}

function blameFirst(versions: readonly ContractVersion[], path: KeyPath): Blame {
  const version = versions.at(-1);
  const isThere = version && valueByKey(version.state, path) !== undefined;
  return isThere ? { kind: 'first-known', version } : { kind: 'never-set' };
}

/** For the order of an array's elements; where no version is known to have changed it, the array. */
export function blameOrder(
  versions: readonly ContractVersion[],
  array: KeyPath,
  arrays: DiffOptions,
): Blame {
  const start = `${formatPointer(array)}/`;
  const version = versions.find(({ changes }) =>
    changes.some(
      ({ kind, path }) =>
        kind === 'move' && path.startsWith(start) && !path.slice(start.length).includes('/'),
    ),
  );
  return version ? { kind: 'changed', version } : blamePlace(versions, array, arrays);
}
