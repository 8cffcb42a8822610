import fc from 'fast-check';
import { expect } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import { guard } from '../../src/apply/guard.ts';
import { documented } from '../../src/catalog/dialects/choose.ts';
import type { CatalogConnection } from '../../src/catalog/client.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import {
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../src/core/json.ts';
import { evaluate } from '../../src/patch/evaluate.ts';
import { differences } from '../../src/apply/stored.ts';
import type { Outcome } from '../../src/apply/outcome.ts';
import { updates, type Plan, type UpdatePlan } from '../../src/plan/plan.ts';
import { letPass, type Decide, type Fault, type FaultyProxy } from './faulty-proxy.ts';
import { clientOf, hasty, historyOf, planFor, rules } from './world.ts';

/** What the test knows: what is wanted, and which plans have been shown to anybody. */
export type Model = {
  readonly wanted: Record<string, JsonObject>;
  readonly shown: Plan[];
  /** Contracts that others have edited since the last plan was shown. */
  readonly edited: Set<string>;
};

/** The catalog, seen by us through a proxy, and by others and the judge directly. */
export type Real = {
  /** Whether the server heeds `test` operations; without them a bare patch can lose a race. */
  readonly heedsTests: boolean;
  readonly ids: readonly string[];
  readonly proxy: FaultyProxy;
  readonly tool: CatalogConnection;
  readonly others: CatalogConnection;
};

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

/** Whatever the status, the work may have been done: a gateway may have sent the request twice. */
const mishap: fc.Arbitrary<Fault | undefined> = fc.option(
  fc.record<Fault>({
    moment: fc.constantFrom('before commit', 'after commit', 'during answer'),
    how: fc.constantFrom<Fault['how'][]>('reset', 'reset', 500, 502, 503, 429),
  }),
  { nil: undefined, freq: 3 },
);

const contract = fc.nat({ max: 1 });

type Circumstances = {
  /** What happens to the requests of the run, in the order of their arrival. */
  readonly mishaps: readonly (Fault | undefined)[];
  readonly concurrency: number;
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
      if (await edit(real, number, fields)) model.edited.add(real.ids[number] ?? '');
    },
    toString: () => `editByOthers(${number}, ${JSON.stringify(fields)})`,
  };
}

/** Whether it changed anything. Others take care too: what doubles a column must be our doing. */
async function edit({ others, ids }: Real, number: number, fields: JsonObject): Promise<boolean> {
  const id = ids[number] ?? '';
  const [change] = updates(await planFor({ [id]: fields }, others));
  if (!change) return false;
  return clientOf(others)
    .writer.patch(id, [...(guard(change, documented) ?? []), ...change.patch])
    .then(
      () => true,
      () => false,
    );
}

function showPlan(): Command {
  return {
    check: () => true,
    run: async (model, { others }) => {
      model.shown.push(await planFor(model.wanted, others));
      model.edited.clear();
    },
    toString: () => 'showPlan()',
  };
}

function applyPlan(circumstances: Circumstances): Command {
  return {
    check: ({ shown }) => shown.length > 0,
    run: async (model, real) => {
      const plan = model.shown.at(-1);
      if (!plan) return;
      const landedBefore = await landings(plan, real);
      const told = await runApply(
        plan,
        real,
        real.heedsTests ? circumstances : tame(circumstances),
      );
      await judgeHistory(model.shown, real);
      for (const outcomes of told) {
        for (const [index, outcome] of outcomes.entries()) {
          await judgeOutcome(outcome, updates(plan)[index], {
            model,
            real,
            landedBefore,
            isAlone: told.length === 1,
          });
        }
      }
    },
    toString: () => `applyPlan(${JSON.stringify(circumstances)})`,
  };
}

/** Nobody comes between the look at a contract and the bare patch. */
function tame({ mishaps, concurrency, interruptAt }: Circumstances): Circumstances {
  return { mishaps, concurrency, ...(interruptAt !== undefined && { interruptAt }) };
}

/** The outcomes of each process that lived to tell them. */
async function runApply(
  plan: Plan,
  real: Real,
  { mishaps, concurrency, interruptAt, killAt, edit: meanwhile, twice }: Circumstances,
): Promise<(readonly Outcome[])[]> {
  const interruption = new AbortController();
  let arrived = -1;
  let killed = false;
  const decide: Decide = async ({ body }) => {
    arrived += 1;
    const fault = mishaps[arrived];
    if (arrived === interruptAt) interruption.abort();
    if (arrived === killAt) killed = true;
    if (meanwhile && arrived === meanwhile.at) await edit(real, meanwhile.number, meanwhile.fields);
    return fault ?? refusal(real, body);
  };
  real.proxy.behave(decide);
  // What a killed process has sent may still land; it sends no more, and hears no answer.
  const lifeline: typeof fetch = async (input, init) => {
    if (killed) throw new Dead();
    const response = await fetch(input, init);
    if (killed) throw new Dead();
    return response;
  };
  const connection = { ...real.tool, effects: { ...hasty, fetch: lifeline } };
  const processes = Array.from({ length: twice ? 2 : 1 }, () =>
    apply({
      plan,
      ...clientOf(connection),
      rules,
      dialect: 'auto',
      concurrency,
      signal: interruption.signal,
      effects: hasty,
    }),
  );
  const all = await Promise.all(processes);
  real.proxy.behave(letPass);
  return killed ? [] : all.map(({ outcomes }) => outcomes);
}

function refusal({ heedsTests }: Real, body: string): Fault | undefined {
  return heedsTests || !body.includes('"op":"test"')
    ? undefined
    : { moment: 'before commit', how: 400 };
}

class Dead extends Error {}

/** The changes of a plan that stand in the catalog's history as ours. */
async function landings(plan: Plan, { others }: Real): Promise<ReadonlySet<string>> {
  const landed = new Set<string>();
  for (const change of updates(plan)) {
    const next = following(change, await historyOf(change.id, others));
    if (next?.document['updatedBy'] === 'tool') landed.add(change.id);
  }
  return landed;
}

/** The version that came after the one that was planned against. */
function following(change: UpdatePlan, history: readonly LiveContract[]): LiveContract | undefined {
  const base = history.findIndex(({ updatedAt }) => updatedAt === change.liveUpdatedAt);
  return base < 0 ? undefined : history[base + 1];
}

/** Nothing is ours in the catalog but what a shown plan said, on the version that it said it of. */
async function judgeHistory(shown: readonly Plan[], { ids, others }: Real): Promise<void> {
  for (const id of ids) {
    const history = await historyOf(id, others);
    for (const [index, { document }] of history.entries()) {
      if (document['updatedBy'] !== 'tool') continue;
      const base = history[index - 1];
      const plans = shown.flatMap(updates).filter((change) => {
        if (change.id !== id || change.liveUpdatedAt !== base?.updatedAt) return false;
        return deepEqual(content(evaluate(base?.document ?? {}, change.patch)), content(document));
      });
      expect(plans).not.toEqual([]);
    }
    for (const field of ['schema', 'semantics']) {
      const names = namesOf(history.at(-1)?.document[field]);
      expect(new Set(names).size).toBe(names.length);
    }
  }
}

/** A document without what the server writes. */
function content(document: JsonValue): JsonObject {
  if (!isObject(document)) return {};
  const { version: _, updatedAt: __, updatedBy: ___, changeDescription: ____, ...rest } = document;
  return rest;
}

function namesOf(list: JsonValue | undefined): (JsonValue | undefined)[] {
  return isArray(list) ? list.map((item) => (isObject(item) ? item['name'] : item)) : [];
}

type Evidence = {
  readonly model: Model;
  readonly real: Real;
  readonly landedBefore: ReadonlySet<string>;
  /** Whether no other process was applying. */
  readonly isAlone: boolean;
};

/** An outcome says no more and no less than the catalog's history. */
async function judgeOutcome(
  { result, error }: Outcome,
  change: UpdatePlan | undefined,
  { model, real, landedBefore, isAlone }: Evidence,
): Promise<void> {
  if (!change) throw new Error('An outcome without a change.');
  const history = await historyOf(change.id, real.others);
  const next = following(change, history);
  const isOurs = next?.document['updatedBy'] === 'tool';
  // Others may wish the same: then a lost answer cannot tell whose doing it was.
  const isOthers = history.some(
    (live) =>
      live.document['updatedBy'] !== 'tool' && differences(change, live, rules).length === 0,
  );
  // Edited between the plan and the run: never overwritten, and never told to be applied.
  if (model.edited.has(change.id) && !landedBefore.has(change.id) && !isOthers) {
    expect(['applied', 'unverified']).not.toContain(result);
  }
  const isOpen = error?.code === 'outcome-unknown' || !isAlone;
  const expectNoMore = (): void => {
    if (!isOpen) expect(isOurs).toBe(landedBefore.has(change.id));
  };
  const judge: Readonly<Record<Outcome['result'], () => void>> = {
    applied: () => expect(isOurs || isOthers).toBe(true),
    // The proxy never lies about what was stored: others came between, or the look was lost.
    unverified: () => expect(isOurs).toBe(true),
    unchanged: () =>
      expect(history.map((live) => differences(change, live, rules))).toContainEqual([]),
    stale: () => expect(next).toBeDefined(),
    skipped: expectNoMore,
    failed: expectNoMore,
  };
  judge[result]();
}

/** Whatever happened: a last run or two, undisturbed, bring the catalog to the files. */
export async function expectConvergence({ wanted, shown }: Model, real: Real): Promise<void> {
  real.proxy.behave(letPass);
  // What a killed process has sent may land between a plan and its apply: then once more.
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const plan = await planFor(wanted, real.others);
    shown.push(plan);
    await apply({
      plan,
      ...clientOf(real.tool),
      rules,
      dialect: 'auto',
      concurrency: 2,
      effects: hasty,
    });
  }
  const left = await planFor(wanted, real.others);
  expect(left.summary.update).toBe(0);
  await judgeHistory(shown, real);
}
