/** How an ODCS document and the catalog stand to each other. Pure. */

import { targetDocument } from '../../contract/equality.ts';
import type { JsonObject } from '../../core/json.ts';
import { managedOf } from '../../files/formats/desired.ts';
import { mapOdcs, type MappedContract } from '../../files/formats/odcs/map.ts';
import { refineByLive } from '../../files/formats/odcs/refine.ts';
import { defaultOdcsRules } from '../../files/formats/odcs/settings.ts';
import { type Difference, diffByPlace } from '../../patch/difference.ts';
import { formatPointer, type Pointer } from '../../patch/pointer.ts';
import type { Divergence, FileChecks } from '../divergence.ts';

/** A contract of a document beside its live one. */
export type Standing = {
  readonly contract: MappedContract;
  /** As it asks the catalog for them. */
  readonly managed: JsonObject;
  /** From what is live to what the document says. */
  readonly differences: readonly Difference[];
};

/** Which contract of a document, and what it is compared with. */
export type Compared = {
  readonly pointer: Pointer;
  readonly difference: Pick<Divergence, 'live' | 'rules'>;
  readonly checks: FileChecks;
};

type MappedContracts = ReadonlyMap<string, MappedContract>;

/** A document is asked about once for each contract and field, and mapping it takes a while. */
const mapped = new WeakMap<JsonObject, { of: FileChecks['odcs']; contracts: MappedContracts }>();

/** The contracts of a document by their pointers; none where it has errors. */
export function mappedIn(document: JsonObject, { statuses, odcs }: FileChecks): MappedContracts {
  const known = mapped.get(document);
  if (known && known.of === odcs) return known.contracts;
  const { settings, run } = odcs ?? defaultOdcsRules;
  const { contracts, diagnostics } = mapOdcs(document, settings, { ...run, statuses });
  const isBroken = diagnostics.some(({ severity = 'error' }) => severity === 'error');
  const byPointer = new Map(
    (isBroken ? [] : contracts).map((each) => [formatPointer(each.pointer), each] as const),
  );
  mapped.set(document, { of: odcs, contracts: byPointer });
  return byPointer;
}

/** Undefined where the document has errors, or no such contract. */
export function standingIn(
  document: JsonObject,
  { pointer, difference: { live, rules }, checks }: Compared,
): Standing | undefined {
  const contract = mappedIn(document, checks).get(formatPointer(pointer));
  if (!contract) return undefined;
  const managed = refineByLive(managedOf(contract.fields), live.document, contract.refinement);
  const target = targetDocument(live, managed, rules.equivalence, rules.arrays);
  return { contract, managed, differences: diffByPlace(live.document, target, rules.arrays) };
}

/** Whether the document says a field, or a member of it, otherwise than the catalog. */
export function differsIn({ differences }: Standing, ...path: readonly string[]): boolean {
  const asked = formatPointer(path);
  return differences.some(({ place }) => isWithin(place, asked) || isWithin(asked, place));
}

function isWithin(place: string, container: string): boolean {
  return place === container || place.startsWith(`${container}/`);
}

/** Whether something of what differed does no more, and nothing differs now that did not. */
export function isBetter(before: Standing, after: Standing): boolean {
  const former = new Set(before.differences.map(({ place }) => place));
  const isNew = after.differences.some(({ place }) => !former.has(place));
  return !isNew && after.differences.length < before.differences.length;
}
