import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import { apply } from '../../src/apply/apply.ts';
import { DeadlineError } from '../../src/http/send.ts';
import { retryPolicy } from '../../src/catalog/send.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { isRepeatable } from '../../src/apply/delivery.ts';
import { updates } from '../../src/plan/plan.ts';
import { patchOf } from '../../src/plan/change.ts';
import type { Outcome } from '../../src/apply/outcome.ts';
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

const before = {
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

type Case = {
  readonly fault: string;
  /** What happens to the patch, by the number of the attempt, from 1. */
  readonly does: (attempt: number) => Mishap | undefined;
  readonly result: Outcome['result'];
  readonly code?: string;
  /** How often the change is in the catalog's history. */
  readonly lands: 0 | 1;
  /** How many times the patch is tried. */
  readonly sends: number;
  /** What is otherwise where the patch would do harm if it landed twice. */
  readonly harmful?: Partial<Case>;
};

const once =
  (mishap: Mishap) =>
  (attempt: number): Mishap | undefined =>
    attempt === 1 ? mishap : undefined;
const always = (mishap: Mishap) => (): Mishap => mishap;

const breaks = ['reset', 502, 503, 504, 500] as const;

/** A passing fault costs at most another sending; which one, a look at the contract decides. */
const passing: Case[] = breaks.flatMap((how): Case[] => [
  {
    fault: `once ${how}, after sending, before the commit`,
    does: once({ moment: 'before commit', how }),
    result: 'applied',
    lands: 1,
    sends: 2,
  },
  {
    fault: `once ${how}, after the commit, before the answer`,
    does: once({ moment: 'after commit', how }),
    result: 'applied',
    lands: 1,
    sends: 1,
  },
]);

const lasting: Case[] = breaks.flatMap((how): Case[] => [
  {
    fault: `always ${how}, before the commit`,
    does: always({ moment: 'before commit', how }),
    result: 'unverified',
    code: 'outcome-unknown',
    lands: 0,
    sends: how === 'reset' ? 8 : 5,
  },
  {
    fault: `always ${how}, after the commit`,
    does: always({ moment: 'after commit', how }),
    result: 'applied',
    lands: 1,
    sends: 1,
  },
]);

const cases: readonly Case[] = [
  { fault: 'none', does: () => undefined, result: 'applied', lands: 1, sends: 1 },
  {
    fault: 'no connection, once',
    does: once('no connection'),
    result: 'applied',
    lands: 1,
    sends: 2,
  },
  {
    fault: 'never a connection',
    does: always('no connection'),
    result: 'failed',
    code: 'unreachable',
    lands: 0,
    // The writer has never heard from this host.
    sends: retryPolicy.firstContact,
  },
  ...passing,
  ...lasting,
  {
    fault: 'a cut answer, once',
    does: once({ moment: 'during answer', how: 'reset' }),
    result: 'applied',
    lands: 1,
    sends: 1,
  },
  {
    fault: 'silence before the commit, once',
    does: once({ moment: 'before commit', how: 'silence' }),
    result: 'applied',
    lands: 1,
    sends: 2,
  },
  {
    fault: 'silence after the commit, once',
    does: once({ moment: 'after commit', how: 'silence' }),
    result: 'applied',
    lands: 1,
    sends: 1,
  },
  {
    fault: 'silence in the middle of the answer, once',
    does: once({ moment: 'during answer', how: 'silence' }),
    result: 'applied',
    lands: 1,
    sends: 1,
  },
  {
    fault: '503 with Retry-After, once, before the commit',
    does: once({ moment: 'before commit', how: 503, headers: { 'retry-after': '7' } }),
    result: 'applied',
    lands: 1,
    sends: 2,
  },
  {
    fault: '429 with Retry-After, once',
    does: once({ moment: 'before commit', how: 429, headers: { 'retry-after': '7' } }),
    result: 'applied',
    lands: 1,
    sends: 2,
  },
  {
    fault: '429 once, after the commit',
    does: once({ moment: 'after commit', how: 429 }),
    result: 'applied',
    lands: 1,
    // Its guard keeps the second from landing.
    sends: 2,
    harmful: { sends: 1 },
  },
  {
    fault: '429 always',
    does: always({ moment: 'before commit', how: 429 }),
    result: 'unverified',
    code: 'outcome-unknown',
    lands: 0,
    // Pauses grow to 20 seconds, for ten minutes.
    sends: 43,
  },
  ...[429, 503].map((how): Case => ({
    fault: `${how} with a Retry-After beyond all patience`,
    does: always({ moment: 'before commit', how, headers: { 'retry-after': '3600' } }),
    result: 'unverified',
    code: 'outcome-unknown',
    lands: 0,
    sends: 1,
  })),
  {
    fault: '400 always, guard or no guard',
    does: always({ moment: 'before commit', how: 400 }),
    result: 'failed',
    code: 'bad-request',
    lands: 0,
    // As a patch and as fields with its guard, then without.
    sends: 3,
  },
  ...(
    [
      [403, 'forbidden'],
      [404, 'contract-gone'],
      [413, 'too-large'],
    ] as const
  ).map(([how, code]): Case => ({
    fault: `${how}`,
    does: always({ moment: 'before commit', how }),
    result: 'failed',
    code,
    lands: 0,
    sends: 1,
  })),
];

let catalog: Sandbox;
let proxy: FaultyProxy;
let contracts = 0;

/** With a contract for each case. */
async function openCatalog(): Promise<void> {
  const numbers = cases.map((_, index) => contracts + index);
  catalog = await startSandbox({
    seed: numbers.map((number) => ({
      ...before,
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
async function applyOne(managed: JsonObject, does: Case['does']) {
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

  test.for(cases)('$fault: $result', async (fault) => {
    const run = await applyOne(managed, fault.does);
    const expected = run.isHarmless ? fault : { ...fault, ...fault.harmful };
    const { result, code, lands, sends } = expected;
    expect(run.outcome).toMatchObject({ result, error: code === undefined ? null : { code } });
    expect(run.sends).toBe(sends);
    expect(run.history).toHaveLength(1 + lands);
    expect(run.left.summary.update).toBe(1 - lands);
  });
});
