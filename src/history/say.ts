/** What a file has a say in: of some of what it manages it may leave parts to the catalog. */

import { targetDocument } from '../contract/equality.ts';
import type { JsonObject } from '../core/json.ts';
import { type KeyPath, valueByKey } from '../patch/key-path.ts';
import { parsePointer } from '../patch/pointer.ts';
import type { VersionChange } from './changes.ts';
import { equalPlaces } from './place.ts';
import type { AskedState, PlanComparison } from './provenance.ts';
import type { ContractVersion } from './version.ts';

/** Whether the file would not leave a place both as it was and as a version has made it. */
export type HasSay = (version: ContractVersion, change: VersionChange) => boolean;

export function createSay(
  { managed, refine }: AskedState,
  { equivalence, arrays }: PlanComparison,
): HasSay {
  const targets = new Map<JsonObject, JsonObject>();
  const targetOf = (document: JsonObject): JsonObject => {
    const target =
      targets.get(document) ??
      targetDocument({ id: '', document }, refine?.(document) ?? managed, equivalence, arrays);
    targets.set(document, target);
    return target;
  };
  const leaves = (document: JsonObject, path: KeyPath): boolean =>
    equalPlaces(valueByKey(targetOf(document), path), valueByKey(document, path), path, arrays);
  return ({ state, before }, change) => {
    const path = parsePointer(change.path) ?? [];
    if (!Object.hasOwn(managed, path[0] ?? '')) return false;
    return !refine || !before || !leaves(before, path) || !leaves(state, path);
  };
}
