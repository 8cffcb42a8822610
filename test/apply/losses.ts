/** A hundred appends over connections that break, on servers that treat `test` in their own ways. */

import { apply } from '../../src/apply/apply.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import { deepEqual } from '../../src/core/json.ts';
import type { ServerKind } from './small-catalog.ts';
import { serveSmallCatalog } from './small-server.ts';
import { clientOf, hasty, planFor, rules } from './world.ts';
import { idOf } from '../support/server.ts';

const rule = { name: 'amount is positive', rule: '{}' };

/** The same numbers for the same seed, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export type Losses = {
  readonly kind: ServerKind;
  /** How many of all requests get no answer, from 0 to 1. */
  readonly part: number | 'every third';
  /** Whether the server has carried out a patch whose answer is lost. */
  readonly moment: 'before' | 'after' | 'either';
  readonly count?: number;
  /** How many processes apply the plan at once. */
  readonly processes?: number;
};

/** What became of the contracts. */
type Tally = {
  readonly landed: number;
  readonly doubled: number;
  /** How many the first run says to have landed. */
  readonly told: number;
};

/** Applies one rule to each of a hundred contracts. */
export async function applyOverLosses(
  { kind, part, moment, count = 100, processes = 1 }: Losses,
  seed: number,
): Promise<Tally> {
  const random = randomFrom(seed);
  for (let warm = 0; warm < 10; warm += 1) random();
  let requests = 0;
  const isLost = () => (part === 'every third' ? (requests += 1) % 3 === 0 : random() < part);
  const server = await serveSmallCatalog(
    kind,
    Array.from({ length: count }, (_, number) => ({ id: idOf(number), semantics: [] })),
    () => {
      if (!isBroken || !isLost()) return undefined;
      const isAfter = moment === 'after' || (moment === 'either' && random() < 0.5);
      return { answer: 'reset', lands: isAfter ? 'now' : 'never' };
    },
    () => (isBroken && isLost() ? 'reset' : undefined),
  );
  let isBroken = false;
  const ids = server.catalog.contracts().map((_, number) => idOf(number));
  const wanted = Object.fromEntries(ids.map((id) => [id, { semantics: [rule] }]));
  const plan = await planFor(wanted, server.connection);
  isBroken = true;
  const runs = await Promise.all(
    Array.from({ length: processes }, async () =>
      apply({
        plan,
        ...clientOf({ ...server.connection, concurrency: 8 }),
        rules,
        product: standard,
        concurrency: 8,
        effects: hasty,
      }),
    ),
  );
  const lists = server.catalog.contracts().map(({ semantics }) => semantics ?? null);
  return {
    landed: lists.filter((list) => deepEqual(list, [rule])).length,
    doubled: lists.filter((list) => Array.isArray(list) && list.length > 1).length,
    told: runs[0]?.summary.applied ?? 0,
  };
}
