import { describe, expect, onTestFinished, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import { apply } from '../../src/apply/apply.ts';
import type { Apply } from '../../src/apply/apply.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import type { Effects } from '../../src/core/effects.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import type { Outcome, Outcomes } from '../../src/apply/outcome.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { serveCatalog } from '../support/workspace.ts';
import { letPass, startFaultyProxy, type Decide, type Passing } from '../support/faulty-proxy.ts';
import { idOf } from '../support/server.ts';
import { clientOf, connectTo, hasty, historyOf, listAll, planFor, rules } from './world.ts';

const rule = { name: 'amount is positive', rule: '{}' };

/** A catalog of some contracts, and a way to it on which requests can go wrong. */
async function openWorld(count = 1, contract: JsonObject = {}) {
  const catalog = await serveCatalog({
    seed: Array.from({ length: count }, (_, number) => ({
      id: idOf(number),
      name: `table ${String(number).padStart(2, '0')}`,
      description: 'Old.',
      entity: { id: idOf(number), type: 'table' },
      semantics: [],
      ...contract,
    })),
  });
  const proxy = await startFaultyProxy(catalog.url);
  onTestFinished(proxy.close);
  const direct = connectTo(catalog);
  const seen: Passing[] = [];
  return {
    direct,
    seen,
    /** Every contract is to get this description, or these fields. */
    plan: (managed: JsonObject = { description: 'New.' }): Promise<Plan> =>
      planFor(
        Object.fromEntries(Array.from({ length: count }, (_, n) => [idOf(n), managed])),
        direct,
      ),
    edit: (number: number, patch: Patch) => clientOf(direct).writer.patch(idOf(number), patch),
    run: async (
      plan: Plan,
      decide: Decide = letPass,
      options: Partial<Apply> = {},
    ): Promise<Outcomes> => {
      proxy.behave((request) => {
        seen.push(request);
        return decide(request);
      });
      return apply({
        plan,
        ...clientOf(connectTo({ ...catalog, url: proxy.url })),
        rules,
        product: standard,
        concurrency: 1,
        effects: hasty,
        ...options,
      });
    },
  };
}

function results({ outcomes }: Outcomes): Outcome['result'][] {
  return outcomes.map(({ result }) => result);
}

function isPatch({ method }: Passing): boolean {
  return method === 'PATCH';
}

describe('a contract that moved since the plan', () => {
  test('is stale and left alone; the others land', async () => {
    const world = await openWorld(3);
    const plan = await world.plan();
    await world.edit(1, [{ op: 'replace', path: '/description', value: 'By others.' }]);
    const outcomes = await world.run(plan);
    expect(results(outcomes)).toEqual(['applied', 'stale', 'applied']);
    expect(outcomes.outcomes[1]).toMatchObject({
      versionBefore: '0.1',
      versionAfter: '0.2',
      differences: ['description'],
      error: { code: 'contract-moved' },
    });
    const [, edited] = await listAll(world.direct);
    expect(edited?.document['description']).toBe('By others.');
  });

  test('is recognised by its version if the catalog gives no updatedAt', async () => {
    const world = await openWorld(2);
    const plan = await world.plan();
    const contracts = plan.contracts.map((contract) => {
      if (contract.action !== 'update') return contract;
      const { liveUpdatedAt: _, ...rest } = contract;
      return rest;
    });
    await world.edit(1, [{ op: 'replace', path: '/description', value: 'By others.' }]);
    expect(results(await world.run({ ...plan, contracts }))).toEqual(['applied', 'stale']);
    expect(world.seen.find(isPatch)?.body).toContain('"path":"/version","value":0.1');
  });

  test('is not sent without anything that shows whether the contract moved', async () => {
    const world = await openWorld();
    const plan = await world.plan();
    const contracts = plan.contracts.map((contract) => {
      if (contract.action !== 'update') return contract;
      const { liveUpdatedAt: _, liveVersion: __, ...rest } = contract;
      return rest;
    });
    const outcomes = await world.run({ ...plan, contracts });
    expect(outcomes.outcomes).toMatchObject([{ result: 'skipped', error: { code: 'no-guard' } }]);
    expect(world.seen).toEqual([]);
  });
});

test('two applies of one plan at the same time land every change once', async () => {
  const world = await openWorld(20);
  const plan = await world.plan({ description: 'New.', semantics: [rule] });
  const both = await Promise.all([
    world.run(plan, letPass, { concurrency: 5 }),
    world.run(plan, letPass, { concurrency: 3 }),
  ]);
  const [first = [], second = []] = both.map(results);
  for (const [index, result] of first.entries()) {
    expect(new Set([result, second[index]])).toEqual(new Set(['applied', 'unchanged']));
  }
  for (const live of await listAll(world.direct)) {
    expect(live).toMatchObject({ version: '0.2', document: { semantics: [rule] } });
  }
});

/** What a request is for. */
function stepOf({ method, body }: Passing): string {
  if (method !== 'PATCH') return method;
  const operations: Patch = JSON.parse(body);
  return operations.some(({ op }) => op === 'test') ? 'guarded' : 'bare';
}

/** As a server does that knows no `test`. */
const refuseTests: Decide = ({ body }) =>
  body.includes('"op":"test"') ? { moment: 'before commit', how: 400 } : undefined;

describe('a server that knows no test operation', () => {
  test('gets the patches without a guard after a look, and the run warns once', async () => {
    const world = await openWorld(3);
    const outcomes = await world.run(await world.plan(), refuseTests);
    expect(results(outcomes)).toEqual(['applied', 'applied', 'applied']);
    expect(outcomes.diagnostics).toMatchObject([{ code: 'guards-refused', severity: 'warning' }]);
    const refused = 'guarded, guarded, guarded, GET';
    const sentBare = 'bare, bare, bare, GET';
    expect(world.seen.map(stepOf).join(', ')).toBe(`${refused}, ${refused}, ${sentBare}`);
  });

  test('is not one that refuses another operation: its guards stay', async () => {
    const world = await openWorld(2);
    const plan = await world.plan({ semantics: [rule] });
    const outcomes = await world.run(plan, (request) =>
      isPatch(request) && request.body.includes('/semantics/-')
        ? { moment: 'before commit', how: 400 }
        : undefined,
    );
    expect(results(outcomes)).toEqual(['applied', 'applied']);
    expect(outcomes.diagnostics).toEqual([]);
    expect(world.seen.map(stepOf)).not.toContain('bare');
  });
});

const isBad = ({ path }: Passing) => Number(path.slice(-2)) < 10;

test('changes that the catalog refuses for their content lift no guard of others', async () => {
  const world = await openWorld(14);
  const outcomes = await world.run(
    await world.plan(),
    (request) =>
      isPatch(request) && isBad(request) ? { moment: 'before commit', how: 400 } : undefined,
    { maxFailures: 50 },
  );
  expect(outcomes.summary).toMatchObject({ applied: 4, failed: 10 });
  expect(outcomes.diagnostics).toEqual([]);
  const others = world.seen.filter((request) => isPatch(request) && !isBad(request));
  expect(others.map(stepOf)).toEqual(['guarded', 'guarded', 'guarded', 'guarded']);
});

describe('an accepted patch', () => {
  test('is checked by the list if the answer lacks fields that only the list has', async () => {
    const world = await openWorld();
    const plan = await world.plan({ owners: [{ type: 'user', name: 'ada' }] });
    const [live] = await listAll(world.direct);
    const { owners: _, ...bare } = live?.document ?? {};
    let once = false;
    const outcomes = await world.run(plan, (request) => {
      if (!isPatch(request) || once) return undefined;
      once = true;
      return { moment: 'after commit', how: { json: { ...bare, version: 0.2 } } };
    });
    expect(results(outcomes)).toEqual(['applied']);
    expect(world.seen.at(-1)?.path).toContain('fields=owners');
    expect(world.seen.at(-1)?.path).toContain(`entity=${idOf(0)}`);
  });
});

test('a lost answer and a lost look leave the outcome open, and a new run closes it', async () => {
  const world = await openWorld();
  const plan = await world.plan({ semantics: [rule] });
  const outcomes = await world.run(plan, (request) => ({
    moment: isPatch(request) ? 'after commit' : 'before commit',
    how: 'reset',
  }));
  expect(outcomes.outcomes).toMatchObject([
    { result: 'unverified', error: { code: 'outcome-unknown' } },
  ]);
  expect(results(await world.run(plan))).toEqual(['unchanged']);
  expect(await historyOf(idOf(0), world.direct)).toHaveLength(2);
});

const refuseAll =
  (how: number): Decide =>
  (request) =>
    isPatch(request) ? { moment: 'before commit', how } : undefined;

describe('a run that had better stop', () => {
  test('stops after ten failures in a row', async () => {
    const world = await openWorld(14);
    const outcomes = await world.run(await world.plan(), refuseAll(413));
    expect(outcomes.summary).toMatchObject({ failed: 10, skipped: 4 });
    expect(outcomes.outcomes.at(-1)?.error).toMatchObject({ code: 'stopped-early' });
  });

  test('goes on while some succeed', async () => {
    const world = await openWorld(14);
    let patches = 0;
    const outcomes = await world.run(await world.plan(), (request) => {
      patches += Number(isPatch(request));
      return patches === 5 ? undefined : refuseAll(413)(request);
    });
    expect(outcomes.summary).toMatchObject({ applied: 1, failed: 13, skipped: 0 });
  });

  test.for([401, 403])('stops at the first %i', async (status) => {
    const world = await openWorld(3);
    const outcomes = await world.run(await world.plan(), refuseAll(status));
    expect(outcomes.summary).toMatchObject({ failed: 1, skipped: 2 });
  });

  test('stops after as many failures as the user allows, and for no other reason', async () => {
    const world = await openWorld(6);
    const outcomes = await world.run(await world.plan(), refuseAll(403), { maxFailures: 4 });
    expect(outcomes.summary).toMatchObject({ failed: 4, skipped: 2 });
  });
});

/** The seconds that an interrupted run has for its last read are not over before it is. */
const unhurried: Partial<Effects> = { ...hasty, sleep: () => new Promise(() => undefined) };

describe('an interruption', () => {
  test('finishes the patch in flight, reads the catalog once and skips the rest', async () => {
    const world = await openWorld(3);
    const interruption = new AbortController();
    const outcomes = await world.run(await world.plan(), () => interruption.abort(), {
      signal: interruption.signal,
      effects: unhurried,
    });
    expect(results(outcomes)).toEqual(['applied', 'skipped', 'skipped']);
    expect(outcomes.outcomes[1]?.error).toMatchObject({ code: 'interrupted' });
    expect(world.seen.map(stepOf)).toEqual(['guarded', 'GET']);
  });

  test('verifies nothing where that read takes longer than it has', async () => {
    const world = await openWorld(2);
    const interruption = new AbortController();
    const waits: number[] = [];
    const outcomes = await world.run(
      await world.plan(),
      (request) => {
        if (isPatch(request)) return interruption.abort();
        return { moment: 'before commit', how: 'silence' };
      },
      {
        signal: interruption.signal,
        effects: {
          ...hasty,
          sleep: async (milliseconds) => void waits.push(milliseconds),
        },
      },
    );
    expect(outcomes.outcomes).toMatchObject([
      { result: 'unverified', error: { code: 'outcome-unknown' } },
      { result: 'skipped' },
    ]);
    expect(waits).toEqual([5000]);
  });

  test('ends the wait before another sending, and sends nothing', async () => {
    const world = await openWorld();
    const interruption = new AbortController();
    const told: string[] = [];
    const waits: number[] = [];
    const outcomes = await world.run(
      await world.plan(),
      () => ({ moment: 'before commit', how: 500, headers: { 'retry-after': '7' } }),
      {
        signal: interruption.signal,
        onRetry: (line) => told.push(line),
        effects: {
          ...hasty,
          sleep: (milliseconds, signal) => {
            waits.push(milliseconds);
            if (waits.length > 1) return Promise.resolve();
            interruption.abort();
            return Promise.reject(signal?.reason);
          },
        },
      },
    );
    expect(outcomes.outcomes).toMatchObject([
      { result: 'unverified', error: { code: 'outcome-unknown' } },
    ]);
    expect(world.seen.filter(isPatch)).toHaveLength(1);
    expect(waits).toEqual([7000, 5000]);
    expect(told).toEqual([expect.stringMatching(/status 500.* in 7\.0 s\.$/u)]);
  });

  test('leaves time for one look at a contract whose answer was lost', async () => {
    const world = await openWorld();
    const interruption = new AbortController();
    const outcomes = await world.run(
      await world.plan(),
      (request) => {
        if (!isPatch(request)) return undefined;
        interruption.abort();
        return { moment: 'after commit', how: 'reset' };
      },
      { signal: interruption.signal, effects: unhurried },
    );
    expect(results(outcomes)).toEqual(['applied']);
    expect(world.seen).toHaveLength(2);
  });

  test.each([
    { patch: 'reset', result: 'unverified', code: 'outcome-unknown' },
    { patch: 400, result: 'skipped', code: 'interrupted' },
  ] as const)('gives up a look that is under way: $patch', async ({ patch, result, code }) => {
    const world = await openWorld();
    const interruption = new AbortController();
    const outcomes = await world.run(
      await world.plan(),
      (request) => {
        if (isPatch(request)) return { moment: 'before commit', how: patch };
        interruption.abort();
        return { moment: 'before commit', how: 'silence' };
      },
      { signal: interruption.signal },
    );
    expect(outcomes.outcomes).toMatchObject([{ result, error: { code } }]);
    expect(world.seen).toHaveLength(2);
  });
});

/** The contract, in a form that nobody expects. */
function odd(live: LiveContract): LiveContract {
  return {
    ...live,
    get document(): JsonObject {
      throw new RangeError('odd');
    },
  };
}

test('an unexpected error about one change is the outcome of that change', async () => {
  const world = await openWorld(2);
  const plan = await world.plan();
  const { reader } = clientOf(world.direct);
  const outcomes = await world.run(plan, letPass, {
    reader: {
      ...reader,
      list: async function* (query) {
        for await (const { contracts } of reader.list(query)) {
          yield { contracts: contracts.map((live) => (live.id === idOf(0) ? odd(live) : live)) };
        }
      },
    },
  });
  expect(outcomes.outcomes).toMatchObject([
    {
      result: 'unverified',
      error: { code: 'outcome-unknown', message: expect.stringContaining('odd') },
    },
    { result: 'applied' },
  ]);
});

test('a plan with errors is not applied', async () => {
  const world = await openWorld();
  const plan = { ...(await world.plan()), errored: true };
  await expect(world.run(plan)).rejects.toMatchObject({ code: 'plan-errored' });
  expect(world.seen).toEqual([]);
});
