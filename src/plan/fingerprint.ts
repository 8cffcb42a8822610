/** The hashes by which a plan is approved and kept. */

import { hash } from 'node:crypto';
import { idKey } from '../contract/identity.ts';
import { canonicalJson, compareCodeUnits, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
import type { ContractPlan, Plan } from './plan.ts';

/**
 * What a reviewer approves of one contract: SHA-256 of the canonical JSON (RFC 8785) of its id and
 * of what becomes what at which place. Never of indices, versions, operations or clocks.
 */
export function fingerprintOf(id: string, differences: readonly Difference[]): string {
  const places = differences.map(tupleOf).map(canonicalJson).toSorted(compareCodeUnits);
  return hashOf(`[${JSON.stringify(idKey(id))},[${places.join(',')}]]`);
}

/** An absent value is an empty list, so that it is no `null`. */
function tupleOf({ place, before, after, behind }: Difference): JsonValue {
  const sides = [before, after].map((value) => (value === undefined ? [] : [value]));
  return [place, ...sides, ...(behind === undefined ? [] : [behind])];
}

/** What a reviewer approves of a creation: its name and request, by the same hash. */
export function fingerprintOfCreation(name: string, body: JsonObject): string {
  return hashOf(canonicalJson(['create', name, body]));
}

/**
 * What a reviewer approves of a plan: SHA-256 of the sorted fingerprints of its changes, and of the
 * environment where one was chosen: copies of a catalog have the same ids.
 */
export function planHash(contracts: readonly ContractPlan[], environment?: string): string {
  const fingerprints = contracts.flatMap((contract) =>
    contract.action === 'update' || contract.action === 'create' ? [contract.fingerprint] : [],
  );
  return hashOfChanges(fingerprints, environment);
}

/** What a reviewer approves of changes with these fingerprints. */
export function hashOfChanges(fingerprints: readonly string[], environment?: string): string {
  const sorted = fingerprints.toSorted(compareCodeUnits);
  return hashOf(canonicalJson(environment === undefined ? sorted : [environment, sorted]));
}

/** A plan as it is written: the checksum is over all of it, the plan hash over what is approved. */
export type SavedPlan = Plan & { readonly checksum: string };

export function sealPlan(plan: Plan): SavedPlan {
  return { ...plan, checksum: checksumOf(plan) };
}

/** SHA-256 of the canonical JSON (RFC 8785): white space and the order of members do not count. */
export function checksumOf(plan: JsonValue): string {
  return hashOf(canonicalJson(plan));
}

function hashOf(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}
