import { createHash } from 'node:crypto';
import { canonicalJson, compareCodeUnits, type JsonValue } from '../core/json.ts';
import type { ContractPlan, UpdatePlan } from './plan.ts';

/**
 * What a reviewer approves: SHA-256 of the canonical JSON (RFC 8785) of every change's contract
 * id, live version and operations, and of every creation's name and request. Never of rendered text, file positions or clocks.
 */
export function planHash(contracts: readonly ContractPlan[]): string {
  const approved = contracts
    .filter((contract): contract is UpdatePlan => contract.action === 'update')
    .toSorted((a, b) => compareCodeUnits(a.id, b.id))
    .map(({ id, liveVersion, patch }): JsonValue => [id, liveVersion ?? null, patch]);
  const created = contracts
    .filter((contract) => contract.action === 'create')
    .map(({ fullyQualifiedName, body }): JsonValue => ['create', fullyQualifiedName, body]);
  const all = [
    ...approved,
    ...created.toSorted((a, b) => compareCodeUnits(canonicalJson(a), canonicalJson(b))),
  ];
  return `sha256:${createHash('sha256').update(canonicalJson(all)).digest('hex')}`;
}
