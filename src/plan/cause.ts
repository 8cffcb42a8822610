/** What has caused a difference: the file, somebody's edit of the catalog, or both. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { canonicalJson, type JsonObject } from '../core/json.ts';
import { type Difference, diffByPlace } from '../patch/difference.ts';
import { keyPathOf } from '../patch/key-path.ts';
import { merge } from '../patch/merge.ts';
import type { Edit } from '../patch/operation.ts';
import { formatPointer } from '../patch/pointer.ts';
import type { Cause } from './plan.ts';
import type { Rules } from './rules.ts';

/** What the files said before the change under review. */
export type Base = {
  /** As a file declared it then; absent where none did: then the file asks for everything. */
  readonly declared: DesiredContract | undefined;
};

/** A live contract and its file, seen against the base. */
export type ThreeWay = {
  /** What the author of the file asks for, and nothing else. */
  readonly asked: JsonObject;
  /** What the catalog differs in beyond that: from what is live to what the file says. */
  readonly drift: readonly Difference[];
  /** Places, by key, at which the file overwrites an edit of the catalog. */
  readonly conflicts: readonly string[];
};

/** `file` is the live document with each managed field as the file has it. */
export function compareThreeWays(
  live: LiveContract,
  file: JsonObject,
  { declared }: Base,
  { equivalence, arrays }: Rules,
): ThreeWay {
  const before = declared
    ? targetDocument(live, declared.managed, equivalence, arrays)
    : live.document;
  const { merged: asked, conflicts } = merge(before, file, live.document, arrays);
  return { asked, conflicts, drift: diffByPlace(asked, file, arrays) };
}

/** The cause of an edit that leads from live to the target: the gravest within its place. */
export function causeOf(
  edit: Edit,
  documents: { readonly live: JsonObject; readonly target: JsonObject },
  differences: readonly Difference[],
  { threeWay, arrays }: { readonly threeWay: ThreeWay } & Pick<Rules, 'arrays'>,
): Cause {
  const place = formatPointer(
    edit.live
      ? keyPathOf(edit.live, documents.live, arrays)
      : keyPathOf(edit.desired ?? [], documents.target, arrays),
  );
  const { conflicts, drift } = threeWay;
  if (conflicts.some((conflict) => isWithin(conflict, place) || isWithin(place, conflict)))
    return 'conflict';
  const inside = differences.filter((difference) => isWithin(difference.place, place));
  const known = new Set(drift.map(canonicalJson));
  const isDrift = inside.length > 0 && inside.every((each) => known.has(canonicalJson(each)));
  return isDrift ? 'drift' : 'file';
}

function isWithin(place: string, container: string): boolean {
  return place === container || place.startsWith(`${container}/`);
}
