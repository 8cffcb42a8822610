import type { DesiredContract } from '../contract/contract.ts';
import { completeReferences } from '../contract/equality.ts';
import {
  describeReference,
  lookedUpBy,
  type Lookups,
  parseReference,
  peopleFields,
  peopleIn,
  type PersonReference,
} from '../contract/reference.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import {
  compareCodeUnits,
  deepEqual,
  isArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { ContractPlan, UnchangedPlan, UpdatePlan } from './plan.ts';

/** A file whose references are the catalog's own, as far as they are known. */
type Resolved = { readonly desired: DesiredContract; readonly problems: readonly Problem[] };

/** Each reference that has been found as its id, type and name: no other one is sure to be stored. */
function resolveReferences(desired: DesiredContract, live: JsonObject, lookups: Lookups): Resolved {
  const fields = peopleFields.filter((field) => isArray(desired.managed[field]));
  const problems: Problem[] = [];
  const resolved = fields.map((field) => {
    const items = distinct(peopleIn(desired.managed, field).map((item) => resolve(item, lookups)));
    problems.push(...unresolved(desired, field, { live, lookups }));
    return [field, items] as const;
  });
  if (resolved.length === 0) return { desired, problems };
  const managed = { ...desired.managed, ...Object.fromEntries(resolved) };
  return { desired: { ...desired, managed }, problems };
}

function resolve(item: JsonValue, lookups: Lookups): JsonValue {
  const reference = parseReference(item);
  const lookup = reference && lookups(reference);
  return lookup?.kind === 'found'
    ? { id: lookup.id, type: reference?.type ?? '', name: lookup.name }
    : item;
}

function distinct(items: readonly JsonValue[]): JsonValue[] {
  return items.filter(
    (item, index) => items.findIndex((other) => deepEqual(item, other)) === index,
  );
}

type Against = { readonly live: JsonObject; readonly lookups: Lookups };

/** The references that are not found, unless the live contract has them as the file names them. */
function unresolved(
  { managed, locate }: DesiredContract,
  field: string,
  { live, lookups }: Against,
): Problem[] {
  const items = peopleIn(managed, field);
  const completed = completeReferences(live[field] ?? null, items);
  return items.flatMap((item, index) => {
    const reference = parseReference(item);
    const isLive = isArray(completed) && completed[index] !== item;
    if (!reference || isLive) return [];
    return problemOf(reference, lookups, locate([field, String(index)]));
  });
}

function problemOf(
  reference: PersonReference,
  lookups: Lookups,
  source: SourcePosition,
): Problem[] {
  const lookup = lookups(reference);
  switch (lookup?.kind) {
    case 'unknown':
      return [unknown(reference, source)];
    case 'unreadable':
      return [{ ...unreadable(reference, lookup.why), source }];
    default:
      return [];
  }
}

/** Its hint is added once all names have been seen. */
function unknown(reference: PersonReference, source: SourcePosition): Problem {
  const problem: Problem = {
    code: 'unknown-reference',
    severity: 'error',
    message: `The catalog has no ${reference.type} ${namedAs(reference)}.`,
    source,
  };
  unknowns.set(problem, reference);
  return problem;
}

/** An id alone says nothing to people. */
function namedAs({ name, ...reference }: PersonReference): string {
  if (name === undefined || reference.id === undefined)
    return quote(lookedUpBy({ ...reference, ...(name !== undefined && { name }) }));
  return `${quote(name)} with the id ${reference.id}`;
}

function unreadable(reference: PersonReference, why: string): Omit<Problem, 'source'> {
  return {
    code: 'reference-unreadable',
    severity: 'error',
    message: `Can't look up ${describeReference(reference)}: ${why}`,
    hint: 'The other contracts can be applied; plan again for this one.',
  };
}

/** What a run knows of users and teams. */
export type People = {
  /** Takes what the catalog has said; until then references stay as they are written. */
  readonly learn: (answers: Lookups) => void;
  /** Takes the names in a live contract: one may be meant by a file that errs. */
  readonly see: (live: JsonObject) => void;
  readonly resolve: (desired: DesiredContract, live: JsonObject) => Resolved;
  /** The plans with the nearest name beside each name that the catalog does not know. */
  readonly suggest: (contracts: readonly ContractPlan[]) => ContractPlan[];
};

export function createPeople(): People {
  let lookups: Lookups | undefined;
  const names = new Map<string, Set<string>>();
  const see: People['see'] = (live) => {
    if (!lookups) return;
    for (const item of peopleFields.flatMap((field) => peopleIn(live, field))) {
      const { type, name } = parseReference(item) ?? {};
      if (type !== undefined && name !== undefined)
        names.set(type, (names.get(type) ?? new Set()).add(name));
    }
  };
  const withHint = (problem: Problem): Problem => {
    const reference = unknowns.get(problem);
    if (!reference) return problem;
    const known = [...(names.get(reference.type) ?? [])].toSorted(compareCodeUnits);
    const hint =
      didYouMean(lookedUpBy(reference), known) ??
      `Correct it, or create the ${reference.type} in the catalog first.`;
    return { ...problem, hint };
  };
  return {
    learn: (answers) => {
      lookups = answers;
    },
    see,
    resolve: (desired, live) =>
      lookups ? resolveReferences(desired, live, lookups) : { desired, problems: [] },
    suggest: (contracts) =>
      contracts.map((contract) =>
        'problems' in contract && contract.problems.some((problem) => unknowns.has(problem))
          ? { ...contract, problems: contract.problems.map(withHint) }
          : contract,
      ),
  };
}

/** Whom the problems are about that say that the catalog does not know somebody. */
const unknowns = new WeakMap<Problem, PersonReference>();

/** The plan of a contract, blocked by these problems where it is to be changed. */
export function blockedBy(
  plan: UpdatePlan | UnchangedPlan,
  problems: readonly Problem[],
): UpdatePlan | UnchangedPlan {
  if (problems.length === 0 || plan.action === 'unchanged') return plan;
  return { ...plan, action: 'blocked', problems: [...plan.problems, ...problems] };
}
