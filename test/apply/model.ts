/** Random desired states, edits by others, plans, and applies in which everything goes wrong. */

import fc from 'fast-check';
import { expect } from 'vitest';
import { apply, type Apply } from '../../src/apply/apply.ts';
import { guardFor } from '../../src/apply/stored.ts';
import type { Outcome } from '../../src/apply/outcome.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { makePlan, patchOf } from '../../src/plan/seal.ts';
import { type Plan, updates } from '../../src/plan/plan.ts';
import { isAsPlanned, judgeCommits, judgeOutcome, landings } from './judge.ts';
import { type SmallCatalog, type ServerKind } from './small-catalog.ts';
import { createSmallEndpoint, fetchFrom, type Mishap } from './small-server.ts';
import { clientOf, connectTo, desiredOf, hasty, rules } from './world.ts';

/** What the test knows: what is wanted, and which plans have been shown to anybody. */
export type Model = {
  readonly wanted: Record<string, JsonObject>;
  readonly shown: Plan[];
  /** Contracts that others have edited since the last plan was shown, where a guard sees it. */
  readonly edited: Set<string>;
};

/** The catalog, seen by us through its interface, and by others and the judge directly. */
export type Real = { readonly catalog: SmallCatalog; readonly ids: readonly string[] };

type Command = fc.AsyncCommand<Model, Real>;

const fieldNames = ['a', 'b', 'c', 'd'] as const;
const column = fc.record({
  name: fc.constantFrom(...fieldNames),
  dataType: fc.constantFrom('INT', 'TEXT'),
});
const rule = fc.record({ name: fc.constantFrom(...fieldNames), rule: fc.constantFrom('x', 'y') });
const named = <T extends { readonly name: string }>(item: fc.Arbitrary<T>) =>
  fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: 4 });

export const managed: fc.Arbitrary<JsonObject> = fc.record(
  {
    description: fc.constantFrom('one', 'two', 'three'),
    entityStatus: fc.constantFrom('Active', 'Deprecated'),
    schema: named(column),
    semantics: named(rule),
    owners: fc.constantFrom([], [{ type: 'user', name: 'ada' }]),
  },
  { requiredKeys: [] },
);

/** Whatever the status, the work may have been done or may be done yet: a gateway has sent it on. */
const unclear = fc.record<Mishap>({
  answer: fc.constantFrom<Mishap['answer'][]>('reset', 'reset', 500, 502, 503, 429, 429),
  lands: fc.constantFrom('now', 'never', 'late'),
});
/** Done or not: not later. By the interface (§7) 400 says for sure that it is not done. */
const refusal = fc.constantFrom<Mishap[]>(
  { answer: 400, lands: 'never' },
  { answer: 409, lands: 'never' },
  { answer: 412, lands: 'now' },
  { answer: 423, lands: 'now' },
);
const lie = fc.constant<Mishap>({ answer: 'yes', lands: 'never' });
const mishap = fc.option(
  fc.oneof(
    { arbitrary: unclear, weight: 6 },
    { arbitrary: refusal, weight: 1 },
    { arbitrary: lie, weight: 1 },
  ),
  { nil: undefined, freq: 3 },
);

const contract = fc.nat({ max: 1 });

type Circumstances = {
  /** What happens to the requests of the run, in the order of their arrival. */
  readonly mishaps: readonly (Mishap | undefined)[];
  readonly concurrency: number;
  /** The request before which all that is late lands; what is late after that lands in the end. */
  readonly landAt?: number;
  /** The request at whose arrival the run is interrupted, or the process killed. */
  readonly interruptAt?: number;
  readonly killAt?: number;
  /** The request before whose commit others edit a contract. */
  readonly edit?: { readonly at: number; readonly number: number; readonly fields: JsonObject };
  /** Whether two processes apply the plan at the same time. */
  readonly twice?: boolean;
};

const applying = fc
  .record<Circumstances>(
    {
      mishaps: fc.array(mishap, { maxLength: 8, size: 'max' }),
      concurrency: fc.constantFrom(1, 2),
      landAt: fc.nat({ max: 8 }),
      interruptAt: fc.nat({ max: 8 }),
      killAt: fc.nat({ max: 8 }),
      edit: fc.record({ at: fc.nat({ max: 5 }), number: contract, fields: managed }),
      twice: fc.constant(true),
    },
    { requiredKeys: ['mishaps', 'concurrency'] },
  )
  .map(applyPlan);

/** Desired states, edits by others, plans, and applies of all kinds. */
export const commands = [
  fc.tuple(contract, managed).map(([number, fields]) => desire(number, fields)),
  fc.tuple(contract, managed).map(([number, fields]) => editByOthers(number, fields)),
  fc.constant(showPlan()),
  // The more often, the more is tried.
  applying,
  applying,
];

function desire(number: number, fields: JsonObject): Command {
  return {
    check: () => true,
    run: async (model, { ids }) => {
      model.wanted[ids[number] ?? ''] = fields;
    },
    toString: () => `desire(${number}, ${JSON.stringify(fields)})`,
  };
}

function editByOthers(number: number, fields: JsonObject): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      edit(real, number, fields);
      noteEdited(model, real, number);
    },
    toString: () => `editByOthers(${number}, ${JSON.stringify(fields)})`,
  };
}

function noteEdited({ shown, edited }: Model, { catalog, ids }: Real, number: number): void {
  const id = ids[number] ?? '';
  const change = shown
    .slice(-1)
    .flatMap(updates)
    .find((each) => each.id === id);
  if (change && !isAsPlanned(change, catalog.find(id).document)) edited.add(id);
}

/** Others take care too: what doubles a column must be our doing. */
function edit({ catalog, ids }: Real, number: number, fields: JsonObject): void {
  const id = ids[number] ?? '';
  const [change] = updates(planNow({ [id]: fields }, catalog));
  if (!change) return;
  const tests =
    catalog.kind === 'refuses test' ? [] : guardFor(change, { product: standard, rules });
  catalog.takeIn(id, [...tests, ...patchOf(change.changes)], 'others')();
}

/** The plan that brings each contract to what is wanted of it, by its id. */
function planNow(wanted: Model['wanted'], catalog: SmallCatalog): Plan {
  const plans = Object.entries(wanted).map(([id, fields]) => {
    const live = catalog.find(id);
    return planUpdate(live, desiredOf(live, fields), rules);
  });
  return makePlan('https://catalog', plans, []);
}

function showPlan(): Command {
  return {
    check: () => true,
    run: async (model, { catalog }) => void show(model, catalog),
    toString: () => 'showPlan()',
  };
}

export function show({ wanted, shown, edited }: Model, catalog: SmallCatalog): Plan {
  const plan = planNow(wanted, catalog);
  shown.push(plan);
  edited.clear();
  return plan;
}

function applyPlan(circumstances: Circumstances): Command {
  return {
    check: ({ shown }) => shown.length > 0,
    run: async (model, real) => {
      const { catalog } = real;
      // Whoever applies an old plan to a server that ignores tests has no guard at all.
      if (catalog.kind === 'ignores test') show(model, catalog);
      const plan = model.shown.at(-1);
      if (!plan) return;
      const landedBefore = landings(plan, catalog);
      const run = await runApply(plan, real, bearable(circumstances, catalog.kind));
      const { told, liedAbout } = run;
      const isAlone = told.length === 1;
      const evidence = { catalog, landedBefore, edited: model.edited, liedAbout, isAlone };
      for (const outcomes of told) {
        for (const change of updates(plan)) {
          const outcome = outcomes.find(({ id }) => id === change.id);
          if (!outcome) throw new Error('A change without an outcome.');
          judgeOutcome(outcome, change, evidence);
        }
      }
      run.land();
      judgeCommits(model.shown, catalog);
    },
    toString: () => `applyPlan(${JSON.stringify(circumstances)})`,
  };
}

/**
 * Without tests nobody must come between the read of a contract and the bare patch. A guard that is
 * refused although it holds counts as a server that knows none.
 */
function bearable(circumstances: Circumstances, kind: ServerKind): Circumstances {
  const isRefused = circumstances.mishaps.some((mishap) => mishap?.answer === 400);
  if (kind !== 'refuses test' && kind !== 'ignores test' && !isRefused) return circumstances;
  const { killAt: _, edit: __, ...rest } = circumstances;
  const { twice: ___, ...alone } = rest;
  return kind === 'ignores test' ? alone : rest;
}

type Told = {
  /** The outcomes of each process that lived to tell them. */
  readonly told: readonly (readonly Outcome[])[];
  readonly liedAbout: ReadonlySet<string>;
  /** Lands what is late. */
  readonly land: () => void;
};

async function runApply(plan: Plan, real: Real, circumstances: Circumstances): Promise<Told> {
  const { mishaps, concurrency, landAt, interruptAt, killAt, edit: meanwhile } = circumstances;
  const interruption = new AbortController();
  const liedAbout = new Set<string>();
  let arrived = -1;
  let killed = false;
  const arrive = (): Mishap | undefined => {
    arrived += 1;
    if (arrived === landAt) endpoint.land();
    if (arrived === interruptAt) interruption.abort();
    if (arrived === killAt) killed = true;
    if (meanwhile && arrived === meanwhile.at) edit(real, meanwhile.number, meanwhile.fields);
    return mishaps[arrived];
  };
  const endpoint = createSmallEndpoint(
    real.catalog,
    ({ id }) => {
      const fault = arrive();
      if (fault?.answer === 'yes') liedAbout.add(id);
      return fault;
    },
    () => {
      const fault = arrive();
      return fault?.answer === 'yes' ? undefined : fault?.answer;
    },
  );
  const answering = fetchFrom(endpoint);
  // What a killed process has sent may still land; it sends no more, and hears no answer.
  const lifeline: typeof fetch = async (input, init) => {
    if (killed) throw new Dead();
    const response = await answering(input, init);
    if (killed) throw new Dead();
    return response;
  };
  const processes = Array.from({ length: circumstances.twice ? 2 : 1 }, () =>
    applyTo(lifeline, plan, { concurrency, signal: interruption.signal }),
  );
  const outcomes = await Promise.all(processes);
  return { told: killed ? [] : outcomes, liedAbout, land: endpoint.land };
}

class Dead extends Error {}

async function applyTo(
  fetch: typeof globalThis.fetch,
  plan: Plan,
  options: Pick<Apply, 'concurrency' | 'signal'>,
): Promise<readonly Outcome[]> {
  const connection = connectTo(
    { url: 'https://catalog', token: 'token' },
    { effects: { ...hasty, fetch } },
  );
  const { outcomes } = await apply({
    ...options,
    plan,
    ...clientOf(connection),
    rules,
    product: standard,
    effects: hasty,
  });
  return outcomes;
}

/** Whatever happened: a last run or two, undisturbed, bring the catalog to the files. */
export async function expectConvergence(model: Model, { catalog }: Real): Promise<void> {
  const answering = fetchFrom(createSmallEndpoint(catalog));
  await applyTo(answering, show(model, catalog), { concurrency: 2 });
  expect(planNow(model.wanted, catalog).summary.update).toBe(0);
  judgeCommits(model.shown, catalog);
}
