/** Every sequence of faults at every moment of one change, against the real apply code. */

import { apply } from '../../src/apply/apply.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import type { Outcome } from '../../src/apply/outcome.ts';
import { ApiError, type Fault, statusFault } from '../../src/catalog/fault.ts';
import type { CatalogReader, CatalogWriter } from '../../src/catalog/catalog.ts';
import { deepEqual, isArray, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { parsePointer, valueAt } from '../../src/patch/pointer.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { makePlan } from '../../src/plan/seal.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { createSmallCatalog, type Landing, type ServerKind } from './small-catalog.ts';
import { desiredOf, hasty, liveOf, rules } from './world.ts';
import { idOf } from '../support/server.ts';

/** What goes wrong with a patch; what lands late does so before so many further requests. */
const patchFaults = [
  { answer: 409, lands: 'never' },
  { answer: 400, lands: 'never' },
  { answer: 'lost', lands: 'never' },
  { answer: 'lost', lands: 'now' },
  { answer: 'lost', lands: 1 },
  { answer: 'lost', lands: 2 },
  { answer: 'lost', lands: Infinity },
  { answer: 429, lands: 'never' },
  { answer: 429, lands: 'now' },
  { answer: 429, lands: 2 },
  { answer: 'yes', lands: 'never' },
] as const;
type PatchFault = (typeof patchFaults)[number];

/** Somebody else writes, right before a request: where the change does, or somewhere else. */
const edits = ['edit there', 'edit elsewhere'] as const;
type FaultChoice = PatchFault | (typeof edits)[number];

/** What happens to the requests of a run, by their number. */
type Schedule = readonly { readonly at: number; readonly fault: FaultChoice }[];

/** A change of one contract, and how to tell what became of it. */
export type Work = {
  readonly name: string;
  readonly managed: JsonObject;
  /** The edit of others at the very place. */
  readonly edit: Patch;
  /** Where a guard can see an edit. */
  readonly places: readonly string[];
  readonly isDone: (document: JsonObject) => boolean;
  readonly isDoubled: (document: JsonObject) => boolean;
};

const id = idOf(0);
const rule = { name: 'amount is positive', rule: '{}' };
const column = (name: string, dataType = 'TEXT') => ({ name, dataType });
const initial: JsonObject = {
  id,
  description: 'Old.',
  semantics: [{ name: 'first', rule: '{}' }],
  schema: [column('id'), column('amount'), column('city')],
};

export const works: readonly Work[] = [
  {
    name: 'replace a value',
    managed: { description: 'New.' },
    edit: [{ op: 'replace', path: '/description', value: 'By others.' }],
    places: ['/description'],
    isDone: ({ description }) => description === 'New.',
    isDoubled: () => false,
  },
  {
    name: 'append to a list',
    managed: { semantics: [{ name: 'first', rule: '{}' }, rule] },
    edit: [{ op: 'add', path: '/semantics/0', value: { name: 'theirs', rule: '{}' } }],
    places: [],
    isDone: ({ semantics }) => countNamed(semantics, rule.name) === 1,
    isDoubled: ({ semantics }) => countNamed(semantics, rule.name) > 1,
  },
  {
    name: 'remove from a list',
    managed: { schema: [column('id'), column('city')] },
    edit: [{ op: 'replace', path: '/schema/1', value: column('weight') }],
    places: ['/schema/1/name', '/schema/1/dataType'],
    isDone: ({ schema }) => countNamed(schema, 'amount') === 0 && lengthOf(schema) === 2,
    isDoubled: ({ schema }) => lengthOf(schema) < 2,
  },
];

function countNamed(list: JsonValue | undefined, name: string): number {
  return isArray(list) ? list.filter((item) => deepEqual(valueAt(item, ['name']), name)).length : 0;
}

function lengthOf(list: JsonValue | undefined): number {
  return isArray(list) ? list.length : 0;
}

function planOf({ managed }: Work, documents: readonly JsonObject[]): Plan {
  const plans = documents
    .map(liveOf)
    .map((live) => planUpdate(live, desiredOf(live, managed), rules));
  return makePlan('https://catalog', plans, []);
}

/** What a run came to. */
type Trial = {
  /** Of what kind each request was, in their order. */
  readonly requests: readonly ('read' | 'patch')[];
  /** Promises that were broken. */
  readonly broken: readonly string[];
};

/** One change of one contract, or of so many alike, on one kind of server. */
export type Setting = {
  readonly work: Work;
  readonly kind: ServerKind;
  readonly contracts: number;
};

/** Applies the change with these faults. */
async function tryOut({ work, kind, contracts }: Setting, schedule: Schedule): Promise<Trial> {
  const ids = Array.from({ length: contracts }, (_, number) => idOf(number));
  const catalog = createSmallCatalog(
    kind,
    ids.map((id) => ({ ...initial, id })),
  );
  const plan = planOf(work, catalog.contracts());
  const requests: ('read' | 'patch')[] = [];
  const broken: string[] = [];
  const late: { readonly at: number; readonly land: Landing }[] = [];
  const lastRead = new Map(ids.map((id) => [id, catalog.find(id).document]));
  /** Whether the last read before its outcome showed the change. */
  const shown = new Map<string, boolean>();
  const planned = catalog.find(id).document;

  const faults = schedule.map(({ fault }) => fault).filter((fault) => typeof fault !== 'string');
  // A guard that is refused although it holds shows a server that knows no tests.
  const wasRefused = faults.some(({ answer }) => answer === 400);
  const isTested = kind !== 'refuses test' && kind !== 'ignores test';
  // A lost append that lands after its second sending.
  const mayDouble =
    kind === 'ignores test' && faults.some(({ lands }) => typeof lands === 'number');

  const isAsPlanned = (document: JsonObject): boolean =>
    ['/updatedAt', '/version', ...work.places].every((path) =>
      deepEqual(at(document, path), at(planned, path)),
    );

  /** What is to become of the request, after what happens before it. */
  function arrive(request: 'read' | 'patch'): PatchFault | undefined {
    const number = requests.push(request) - 1;
    const due = late.filter((each) => each.at <= number);
    for (const { land } of due.splice(0)) land();
    late.splice(0, late.length, ...late.filter((each) => each.at > number));
    let own: PatchFault | undefined;
    for (const { at, fault } of schedule) {
      if (at !== number) continue;
      if (typeof fault === 'string') editByOthers(fault);
      else own = fault;
    }
    return own;
  }

  function editByOthers(where: (typeof edits)[number]): void {
    const elsewhere: Patch = [{ op: 'add', path: '/sla', value: { edit: requests.length } }];
    catalog.takeIn(id, where === 'edit there' ? work.edit : elsewhere, 'others')();
  }

  /** The landing of a patch, watched. */
  function watched(id: string, patch: Patch): Landing {
    const isGuarded = kind !== 'ignores test' && patch.some(({ op }) => op === 'test');
    if (isTested && !isGuarded && !wasRefused) broken.push('is sent without a guard');
    const read = lastRead.get(id) ?? {};
    const arrived = catalog.find(id).document;
    const landing = catalog.takeIn(id, patch);
    return () => {
      const before = kind === 'heeds test, not atomic' ? arrived : catalog.find(id).document;
      const count = catalog.commits.length;
      const answer = landing();
      if (catalog.commits.length === count) return answer;
      if (!isAsPlanned(read)) broken.push('lands over an edit that was read before');
      if (isGuarded && !isAsPlanned(before)) broken.push('lands over an edit that a guard sees');
      if (work.isDoubled(catalog.find(id).document) && !mayDouble) broken.push('lands twice');
      return answer;
    };
  }

  /** The contract, or how it fails. */
  function answerTo(id: string, patch: Patch): JsonObject | number | 'lost' {
    const fault = arrive('patch');
    const land = watched(id, patch);
    if (typeof fault?.lands === 'number')
      late.push({ at: requests.length - 1 + fault.lands, land });
    const answer = !fault || fault.lands === 'now' ? land() : undefined;
    if (fault && fault.answer !== 'yes') return fault.answer;
    if (answer && answer.status !== 200) return answer.status;
    return answer?.body ?? imagine(id, catalog.find(id).document, patch);
  }

  const writer: CatalogWriter = {
    create: async () => {
      throw new Error('Nothing is created here.');
    },
    patch: async (id, patch, { repeats = false } = {}) => {
      for (let isRepeated = false; ; isRepeated = true) {
        const answer = answerTo(id, patch);
        if (typeof answer === 'object') return liveOf(answer);
        if (answer !== 429 || !repeats) throw failureOf(answer, isRepeated);
      }
    },
  };
  const reader: Pick<CatalogReader, 'list'> = {
    list: async function* () {
      arrive('read');
      const contracts = ids.map(catalog.find);
      for (const live of contracts) lastRead.set(live.id, live.document);
      yield { contracts };
    },
  };
  const { outcomes } = await apply({
    plan,
    reader: reader as CatalogReader,
    writer,
    rules,
    product: standard,
    concurrency: 1,
    effects: hasty,
    onOutcome: ({ id = '' }) => shown.set(id, work.isDone(lastRead.get(id) ?? {})),
  });
  for (const [index, id] of ids.entries()) {
    const ours = catalog.commits.filter((each) => each.id === id && each.author === 'tool').length;
    broken.push(...liesOf(outcomes[index], { isShown: shown.get(id) ?? false, ours }));
  }
  for (const { land } of late) land();
  return { requests, broken };
}

function at(document: JsonObject, path: string): JsonValue | undefined {
  return valueAt(document, parsePointer(path) ?? []);
}

/** What an outcome says and the catalog does not bear out. */
function liesOf(
  outcome: Outcome | undefined,
  { isShown, ours }: { readonly isShown: boolean; readonly ours: number },
): string[] {
  if (!outcome) return ['no outcome'];
  const { result } = outcome;
  if (result === 'applied' && !isShown) return ['applied, and not stored'];
  if (result === 'unchanged' && ours > 0) return ['unchanged, and it was us'];
  const isSure = ['skipped', 'failed', 'stale'].includes(result);
  return isSure && ours > 0 ? [`${result}, and it has landed`] : [];
}

const request = { operation: 'patch', method: 'PATCH', url: new URL('https://catalog') } as const;

/** Of a patch of which an earlier sending, one too many, may have landed. */
function failureOf(answer: number | 'lost', isRepeated: boolean): ApiError {
  const lost = {
    code: 'connection-lost',
    message: 'Lost.',
    transient: true,
    mayHaveLanded: true,
  } as const;
  const fault: Fault =
    answer === 'lost'
      ? lost
      : statusFault({ status: answer, headers: new Headers(), text: '', bytes: 0 }, 'patch', 0);
  return new ApiError(
    request,
    isRepeated ? { ...fault, mayHaveLanded: true, isSecondTry: true } : fault,
    1,
  );
}

/** What a server answers that stores nothing and says that it did. */
function imagine(id: string, document: JsonObject, patch: Patch): JsonObject {
  const answer = createSmallCatalog('ignores test', [document]).takeIn(id, patch)();
  return answer.status === 200 ? answer.body : document;
}

export type Enumeration = {
  readonly cases: number;
  /** The first schedules that broke a promise, as text. */
  readonly broken: readonly string[];
};

const mostReported = 5;

/**
 * Runs the change with every schedule of at most so many faults. Which requests there are depends on
 * the faults before them: each schedule is extended at every later request that it led to.
 */
export async function enumerate(setting: Setting, mostFaults: number): Promise<Enumeration> {
  let cases = 0;
  const broken: string[] = [];
  const visit = async (schedule: Schedule): Promise<void> => {
    cases += 1;
    const trial = await tryOut(setting, schedule);
    if (trial.broken.length > 0 && broken.length < mostReported)
      broken.push(`${JSON.stringify(schedule)}: ${trial.broken.join('; ')}`);
    if (schedule.length === mostFaults) return;
    for (const next of extensions(schedule, trial.requests)) await visit([...schedule, next]);
  };
  await visit([]);
  return { cases, broken };
}

/** One more fault, behind the last; an edit can come before what goes wrong with the same request. */
function extensions(schedule: Schedule, requests: Trial['requests']): Schedule {
  const last = schedule.at(-1);
  return requests.flatMap((request, at) => {
    if (last && at < last.at) return [];
    const isSame = last?.at === at;
    if (isSame && typeof last.fault !== 'string') return [];
    const faults: readonly FaultChoice[] = [
      ...(isSame ? [] : edits),
      ...(request === 'patch' ? patchFaults : []),
    ];
    return faults.map((fault) => ({ at, fault }));
  });
}
