import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import { apply } from '../../src/apply/apply.ts';
import { DeadlineError } from '../../src/http/send.ts';
import { retryPolicy } from '../../src/catalog/send.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { isRepeatable } from '../../src/apply/delivery.ts';
import { updates } from '../../src/plan/plan.ts';
import { patchOf } from '../../src/plan/seal.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  letPass,
  startFaultyProxy,
  type Fault,
  type FaultyProxy,
} from '../support/faulty-proxy.ts';
import { idOf } from '../support/server.ts';
import { clientOf, connectTo, hasty, historyOf, planFor, rules } from './world.ts';

const column = (name: string) => ({ name, dataType: 'TEXT' });
const [id, amount, city] = [column('id'), column('amount'), column('city')];
const columns = [id, amount, city];
const rule = { name: 'amount is positive', rule: '{}' };

const initial = {
  description: 'Old.',
  entityStatus: 'Draft',
  schema: columns,
  sla: { refresh: 'daily' },
  owners: [{ type: 'user', name: 'ada' }],
};

/** What a patch does, by the operation that does it. */
const kinds: Readonly<Record<string, JsonObject>> = {
  'replace a field': { description: 'New.' },
  'change the status': { entityStatus: 'Active' },
  'add a field': { semantics: [rule] },
  'remove a field': { sla: null },
  'append to a list': { schema: [...columns, column('zip')] },
  'remove from a list': { schema: [id, city] },
  'move in a list': { schema: [city, id, amount] },
  'replace in a list': { schema: [id, { ...amount, dataType: 'DECIMAL' }, city] },
  'change what lists leave out': { owners: [{ type: 'team', name: 'sales' }] },
};

/** `no connection`: the patch does not even leave. */
type Mishap = Fault | 'no connection';

type Row = readonly [
  fault: string,
  /** What happens to the patch, by the number of the attempt, from 1. */
  does: (attempt: number) => Mishap | undefined,
  result: string,
  /** How often the change is in the catalog's history. */
  lands: 0 | 1,
  /** How many times the patch is tried. */
  sends: number,
  /** The same, where the patch would do harm if it landed twice. */
  sendsOfHarmful?: number,
];

const once =
  (mishap: Mishap) =>
  (attempt: number): Mishap | undefined =>
    attempt === 1 ? mishap : undefined;
const always = (mishap: Mishap) => (): Mishap => mishap;

type How = Fault['how'];
const before = (how: How, retryAfter?: string): Fault => ({
  moment: 'before commit',
  how,
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
});
const after = (how: How): Fault => ({ moment: 'after commit', how });
const during = (how: How): Fault => ({ moment: 'during answer', how });

const breaks = ['reset', 502, 503, 504, 500] as const;
const unknown = 'unverified: outcome-unknown';

const rows: readonly Row[] = [
  ['none', () => undefined, 'applied', 1, 1],
  ['no connection, once', once('no connection'), 'applied', 1, 2],
  // The writer has never heard from this host.
  [
    'no connection, always',
    always('no connection'),
    'failed: unreachable',
    0,
    retryPolicy.firstContact,
  ],
  // A passing fault costs at most another sending; which one, a look at the contract decides.
  ...breaks.flatMap((how): Row[] => [
    [`once ${how}, before the commit`, once(before(how)), 'applied', 1, 2],
    [`once ${how}, after the commit`, once(after(how)), 'applied', 1, 1],
    [`always ${how}, before the commit`, always(before(how)), unknown, 0, how === 'reset' ? 8 : 5],
    [`always ${how}, after the commit`, always(after(how)), 'applied', 1, 1],
  ]),
  ['a cut answer, once', once(during('reset')), 'applied', 1, 1],
  ['silence before the commit, once', once(before('silence')), 'applied', 1, 2],
  ['silence after the commit, once', once(after('silence')), 'applied', 1, 1],
  ['silence in the middle of the answer, once', once(during('silence')), 'applied', 1, 1],
  ['503 with Retry-After, once', once(before(503, '7')), 'applied', 1, 2],
  ['429 with Retry-After, once', once(before(429, '7')), 'applied', 1, 2],
  // Its guard keeps the second from landing.
  ['429 once, after the commit', once(after(429)), 'applied', 1, 2, 1],
  // Pauses grow to 20 seconds, for ten minutes.
  ['429 always', always(before(429)), unknown, 0, 39],
  ['429 with a Retry-After beyond all patience', always(before(429, '3600')), unknown, 0, 1],
  ['503 with a Retry-After beyond all patience', always(before(503, '3600')), unknown, 0, 1],
  // As a patch and as fields with its guard, then without.
  ['400, guard or no guard', always(before(400)), 'failed: bad-request', 0, 3],
  ['403', always(before(403)), 'failed: forbidden', 0, 1],
  ['404', always(before(404)), 'failed: contract-gone', 0, 1],
  ['413', always(before(413)), 'failed: too-large', 0, 1],
];

let catalog: Sandbox;
let proxy: FaultyProxy;
let contracts = 0;

/** With a contract for each case. */
async function openCatalog(): Promise<void> {
  const numbers = rows.map((_, index) => contracts + index);
  catalog = await startSandbox({
    seed: numbers.map((number) => ({
      ...initial,
      id: idOf(number),
      name: `table ${String(number).padStart(4, '0')}`,
      // Half of them have no asset, so that the whole list must be read for a look.
      ...(number % 2 === 0 && { entity: { id: idOf(number), type: 'table' } }),
    })),
  });
  proxy = await startFaultyProxy(catalog.url);
}

async function closeCatalog(): Promise<void> {
  proxy.close();
  await catalog.close();
}

/** Applies one change to a contract of its own, with the patch going wrong as told. */
async function applyOne(managed: JsonObject, does: Row[1]) {
  const id = idOf(contracts++);
  const direct = connectTo(catalog);
  const plan = await planFor({ [id]: managed }, direct);
  let sends = 0;
  const fetch = fetchThatFails(() => does((sends += 1)));
  const { outcomes } = await apply({
    plan,
    ...clientOf(connectTo({ ...catalog, url: proxy.url }, { effects: { ...hasty, fetch } })),
    rules,
    product: standard,
    concurrency: 1,
    effects: hasty,
  });
  proxy.behave(letPass);
  const left = await planFor({ [id]: managed }, direct);
  const isHarmless = updates(plan).every(({ changes }) => isRepeatable(patchOf(changes)));
  return { outcome: outcomes[0], sends, isHarmless, history: await historyOf(id, direct), left };
}

/** Asks before each patch what is to become of it; every mishap but the first kind is the proxy's. */
function fetchThatFails(next: () => Mishap | undefined): typeof fetch {
  return (input, init) => {
    if (init?.method !== 'PATCH') return fetch(input, init);
    const mishap = next();
    if (mishap === 'no connection') {
      const cause = Object.assign(new Error('refused'), {
        code: 'ECONNREFUSED',
        syscall: 'connect',
      });
      return Promise.reject(new TypeError('fetch failed', { cause }));
    }
    const late = new AbortController();
    // As the time limit would, but not so soon that a busy machine reaches it by itself.
    const onSilence = (): void => late.abort(new DeadlineError('headers', 5000));
    proxy.behave(({ method }) =>
      method === 'PATCH' && mishap ? { ...mishap, onSilence } : undefined,
    );
    const signal = AbortSignal.any([late.signal, ...(init.signal ? [init.signal] : [])]);
    return fetch(input, { ...init, signal });
  };
}

describe.for(Object.entries(kinds))('to %s', ([, managed]) => {
  // Of few contracts each: a run lists them all, several times.
  beforeAll(openCatalog);
  afterAll(closeCatalog);

  test.for(rows)('%s', async ([, does, result, lands, sends, sendsOfHarmful = sends]) => {
    const run = await applyOne(managed, does);
    const { result: told, error } = run.outcome ?? {};
    expect(error ? `${told}: ${error.code}` : told).toBe(result);
    expect(run.sends).toBe(run.isHarmless ? sends : sendsOfHarmful);
    expect(run.history).toHaveLength(1 + lands);
    expect(run.left.summary.update).toBe(1 - lands);
  });
});
