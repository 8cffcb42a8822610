import type { JsonObject } from '../../src/core/json.ts';
import {
  type ContractVersion,
  type HistoryRules,
  parseVersions,
} from '../../src/history/version.ts';
import { defaultRules } from '../../src/plan/rules.ts';

export const standard: HistoryRules = defaultRules;

export const hour = 3_600_000;

/** The moment so many hours after the first version. */
export function at(hours: number): number {
  return 1_790_000_000_000 + hours * hour;
}

/** A snapshot per state, oldest first: 0.1, 0.2 …, an hour apart, by ada unless a state says who. */
function snapshotsOf(states: readonly JsonObject[]): readonly JsonObject[] {
  return states
    .map((state, index) => ({
      id: 'c1',
      name: 'orders',
      version: Math.round(index + 1) / 10,
      updatedAt: at(index),
      updatedBy: 'ada',
      ...state,
    }))
    .toReversed();
}

/** Newest first. */
export function versionsOf(
  states: readonly JsonObject[],
  rules: HistoryRules = standard,
): readonly ContractVersion[] {
  return parseVersions(snapshotsOf(states), rules);
}
