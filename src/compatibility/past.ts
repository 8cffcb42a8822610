/** What a change breaks that was promised before: against versions that people may still rely on. */

import type { LiveContract } from '../contract/contract.ts';
import type { JsonObject } from '../core/json.ts';
import { formatDay } from '../core/time.ts';
import { keyPathOf } from '../patch/key-path.ts';
import { formatPointer } from '../patch/pointer.ts';
import { compareContracts } from './compare.ts';
import { type ConsumerEffect, impactOf, type Mode, type RuleId } from './rule.ts';
import type { StatusSince } from './term.ts';
import type { Widening } from './type.ts';

/** What the catalog's history says of a contract; `unreadable`: why it says nothing. */
export type KnownPast =
  | {
      readonly kind: 'known';
      /** Absent where the catalog keeps no times. */
      readonly since?: StatusSince;
      /** Newest first. */
      readonly promised: readonly PromisedVersion[];
    }
  | { readonly kind: 'unreadable'; readonly why: string };

/** A version that people could rely on, and until when, in epoch milliseconds. */
export type PromisedVersion = {
  readonly version?: string;
  readonly status: string;
  readonly until?: number;
  readonly document: JsonObject;
};

/** The fields in which a change can break anything. */
const promisingFields: ReadonlySet<string> = new Set(['schema', 'sla']);

/** Whether a change to these fields has to be compared with earlier versions. */
export function mayBreakPromises(fields: readonly string[]): boolean {
  return fields.some((field) => promisingFields.has(field));
}

/** What is gone either went now, and is found so, or had gone before, and is no news. */
const departures: ReadonlySet<RuleId> = new Set([
  'column-removed',
  'column-renamed',
  'contract-emptied',
]);

/** How states are compared. */
type Comparing = { readonly mode: Mode; readonly widenings: readonly Widening[] };

/** A break of what a version promised. */
type BrokenPromise = { readonly effect: ConsumerEffect; readonly by: PromisedVersion };

/**
 * What breaks an earlier version and neither breaks the live contract nor was broken by it already,
 * each place once, by the newest version that it breaks.
 */
export function findBrokenPromises(
  live: LiveContract,
  target: JsonObject,
  promised: readonly PromisedVersion[],
  comparing: Comparing,
): readonly BrokenPromise[] {
  const broken = (from: JsonObject, to: JsonObject) => breaks([from, to], comparing);
  const told = new Set(broken(live.document, target).map(({ place }) => place));
  return promised.flatMap((by) => {
    const before = new Set(broken(by.document, live.document).map(({ place }) => place));
    return broken(by.document, target).flatMap(({ effect, place }) => {
      if (departures.has(effect.rule) || before.has(place) || told.has(place)) return [];
      told.add(place);
      return [{ effect, by }];
    });
  });
}

function breaks(
  [before, after]: readonly [JsonObject, JsonObject],
  { mode, widenings }: Comparing,
): readonly { readonly effect: ConsumerEffect; readonly place: string }[] {
  return compareContracts(before, after, widenings)
    .filter(({ rule }) => impactOf(rule, mode) === 'breaking')
    .map((effect) => ({
      effect,
      place: formatPointer(keyPathOf(effect.pointer, after, {})),
    }));
}

/** `Against version 1.3 (Active until 2026-10-20): …` */
export function describeBrokenPromise({ effect, by }: BrokenPromise): string {
  const { version = 'an earlier one', status, until } = by;
  const end = until === undefined ? '' : ` until ${formatDay(until)}`;
  return `Against version ${version} (${status}${end}): ${effect.message}`;
}
