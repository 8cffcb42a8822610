import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../core/json.ts';
import type { Plan } from './plan.ts';

/** A plan as it is written: the checksum is over all of it, the plan hash over what is approved. */
export type SavedPlan = Plan & { readonly checksum: string };

export function sealPlan(plan: Plan): SavedPlan {
  return { ...plan, checksum: checksumOf(plan) };
}

/** SHA-256 of the canonical JSON (RFC 8785): white space and the order of members do not count. */
export function checksumOf(plan: JsonValue): string {
  return `sha256:${createHash('sha256').update(canonicalJson(plan)).digest('hex')}`;
}
