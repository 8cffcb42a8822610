import { contractLabel, idKey } from '../contract/identity.ts';
import { canonicalJson, compareNames, defined } from '../core/json.ts';
import type { Difference } from '../patch/describe.ts';
import { differencesOf, fingerprintOf } from '../plan/seal.ts';
import {
  type ContractPlan,
  type CreatePlan,
  type LiveIdentity,
  type Plan,
  plannedChanges,
  type UpdatePlan,
} from '../plan/plan.ts';

/** The approved plan against a new one. */
export type Comparison = {
  /** `rest`: nothing but what was approved; what is missing has been applied already. */
  readonly verdict: 'same' | 'rest' | 'different';
  /** Those that differ, by name. */
  readonly contracts: readonly ContractComparison[];
};

export type ContractComparison = {
  /** Absent before its creation. */
  readonly id?: string;
  readonly fullyQualifiedName?: string;
  /**
   * `landed`: approved, and the catalog shows it; `superseded`: it has shown it, and was changed
   * since; `new`: not approved; `gone`: approved and no longer planned; `changed`: at some place
   * another value would be overwritten or written.
   */
  readonly kind: 'landed' | 'superseded' | 'new' | 'gone' | 'changed';
  readonly differences: readonly DifferenceComparison[];
};

export type DifferenceComparison =
  | { readonly kind: 'same' | 'new' | 'gone'; readonly difference: Difference }
  /** Another value on either side. */
  | { readonly kind: 'changed'; readonly approved: Difference; readonly difference: Difference };

/** Compares two plans contract by contract and place by place. */
export function comparePlans(approved: Plan, proposed: Plan): Comparison {
  return compareChanges(reviewedIn(approved, proposed), proposed);
}

export function compareChanges(
  approved: readonly ReviewedChange[],
  proposed: Plan,
  landings: Landings = new Map(),
): Comparison {
  const keyOf = createKeys(proposed);
  const before = new Map(approved.map((change) => [keyOf(change), change]));
  const after = new Map(reviewedChanges(proposed).map((change) => [keyOf(change), change]));
  const contracts: ContractComparison[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(key);
    const is = after.get(key);
    const kind = kindOf(was, is, landings);
    if (!kind) continue;
    const { id, fullyQualifiedName } = is ?? was ?? {};
    const differences = compareDifferences(was?.differences ?? [], is?.differences ?? []);
    contracts.push({ ...defined({ id, fullyQualifiedName }), kind, differences });
  }
  contracts.sort((a, b) => compareNames(contractLabel(a), contractLabel(b)));
  const isRest = contracts.every(({ kind }) => kind === 'landed' || kind === 'superseded');
  if (contracts.length === 0) return { verdict: 'same', contracts };
  return { verdict: isRest ? 'rest' : 'different', contracts };
}

// An approved creation has a name alone; once it exists, the catalog has its id.
function createKeys({ contracts }: Plan): (change: ReviewedChange) => string {
  const ids = new Map<string, string>();
  for (const contract of contracts) {
    const { fullyQualifiedName } = contract;
    if (!('id' in contract) || contract.action === 'missing') continue;
    if (fullyQualifiedName !== undefined) ids.set(fullyQualifiedName, idKey(contract.id));
  }
  return ({ id, fullyQualifiedName = '' }) =>
    id === undefined ? (ids.get(fullyQualifiedName) ?? fullyQualifiedName) : idKey(id);
}

function kindOf(
  approved: ReviewedChange | undefined,
  proposed: ReviewedChange | undefined,
  landings: Landings,
): ContractComparison['kind'] | undefined {
  if (!approved) return 'new';
  if (!proposed) return landings.get(approved) ?? 'gone';
  return approved.fingerprint === proposed.fingerprint ? undefined : 'changed';
}

function compareDifferences(approved: readonly Difference[], proposed: readonly Difference[]) {
  const left = [...approved];
  const take = (matches: (difference: Difference) => boolean): Difference | undefined => {
    const index = left.findIndex(matches);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  // Equal ones are paired before any is taken for a changed one.
  const equal = new Set(
    proposed.filter((difference) =>
      take((other) => canonicalJson(other) === canonicalJson(difference)),
    ),
  );
  const compared = proposed.map((difference): DifferenceComparison => {
    if (equal.has(difference)) return { kind: 'same', difference };
    const approved = take(({ place }) => place === difference.place);
    return approved ? { kind: 'changed', approved, difference } : { kind: 'new', difference };
  });
  return [...compared, ...left.map((difference) => ({ kind: 'gone', difference }) as const)];
}

/** An approved change; a creation has a name and no id yet. */
export type ReviewedChange = {
  readonly id?: string;
  readonly fullyQualifiedName?: string;
  readonly liveVersion?: string;
  readonly liveUpdatedAt?: number;
  readonly fingerprint: string;
  readonly differences?: readonly Difference[];
  /** Recovered by its hash, so which state of the contract was reviewed is not known. */
  readonly isUndated?: boolean;
};

/** `superseded`: a version shows the change, and a later edit or commit has replaced it. */
export type Landings = ReadonlyMap<ReviewedChange, 'landed' | 'superseded'>;

export function reviewedChanges(plan: Plan): ((UpdatePlan | CreatePlan) & ReviewedChange)[] {
  return plannedChanges(plan).map((change) => ({
    ...change,
    differences: differencesOf(change, plan.arrays),
  }));
}

/**
 * The changes of a saved plan. No hash covers the names of a contract, so a change whose names are
 * not those that the catalog has for its id is none of that contract.
 */
export function reviewedIn(saved: Plan, { contracts }: Plan): ReviewedChange[] {
  const live = new Map<string, LiveIdentity>();
  for (const contract of contracts)
    if (contract.action !== 'missing' && contract.action !== 'create')
      live.set(idKey(contract.id), contract);
  return reviewedChanges(saved).map((change) => {
    if (!('id' in change)) return change;
    const { id, ...renamed } = change;
    const { name, fullyQualifiedName } = live.get(idKey(id)) ?? change;
    const isSame = name === change.name && fullyQualifiedName === change.fullyQualifiedName;
    return isSame ? change : renamed;
  });
}

/** An approved creation has an id once it exists. */
export function contractKeys({ id, fullyQualifiedName }: ContractNames): string[] {
  return [id && idKey(id), fullyQualifiedName].filter((key) => key !== undefined);
}

type ContractNames = { readonly id?: string; readonly fullyQualifiedName?: string };

export type RefusedChange =
  | {
      readonly kind: 'not-reviewed';
      readonly change: UpdatePlan | CreatePlan;
      readonly isKnown: boolean;
    }
  | { readonly kind: 'not-found'; readonly change: ReviewedChange };

export type Decision = {
  readonly fresh: Plan;
  readonly approved: Plan;
  readonly refused: readonly RefusedChange[];
};

/**
 * Sends the changes whose fingerprints were reviewed, latest first, and have not landed since. A
 * reviewed change is not found where the fresh plan has nothing of it and it has not landed.
 */
export function decideChanges(
  fresh: Plan,
  reviewed: readonly ReviewedChange[],
  landings: Landings,
): Decision {
  const byContract = Map.groupBy(
    reviewed,
    (change) => contractKeys(change)[0] ?? change.fingerprint,
  );
  const contracts: ContractPlan[] = [];
  const refused: RefusedChange[] = [];
  const known = new Set<string>();
  for (const contract of fresh.contracts) {
    const keys = contractKeys(contract);
    const reviews = byContract.get(keys[0] ?? '');
    if (isAccountedFor(contract, reviews ?? [], landings)) for (const key of keys) known.add(key);
    const isChange = contract.action === 'update' || contract.action === 'create';
    if (!isChange || reviews?.some((each) => isReviewed(contract, each) && !landings.has(each)))
      contracts.push(contract);
    else refused.push({ kind: 'not-reviewed', change: contract, isKnown: reviews !== undefined });
  }
  for (const [key, changes] of byContract) {
    const [latest] = changes;
    if (latest && !known.has(key)) refused.push({ kind: 'not-found', change: latest });
  }
  return { fresh, approved: { ...fresh, contracts }, refused };
}

// The name was reviewed too, and a fingerprint covers the id alone.
function isReviewed(
  change: UpdatePlan | CreatePlan,
  { fingerprint, fullyQualifiedName = change.fullyQualifiedName }: ReviewedChange,
): boolean {
  return change.fingerprint === fingerprint && change.fullyQualifiedName === fullyQualifiedName;
}

/**
 * Joins the reviews of each contract, given latest first: at each place the latest one counts.
 */
export function reviewedTogether(reviewed: readonly ReviewedChange[]): ReviewedChange[] {
  return [...Map.groupBy(reviewed, ({ id }) => id && idKey(id))].flatMap(([id, changes]) => {
    const [latest] = changes;
    if (id === undefined || !latest || changes.length < 2) return [];
    const places = new Map<string, Difference>();
    for (const difference of changes.toReversed().flatMap((change) => change.differences ?? [])) {
      const earlier = places.get(difference.place);
      const { before, ...rest } = difference;
      // It was made either of what the earlier one leaves or of what was there before both.
      const isAfter =
        earlier && canonicalJson([earlier.after ?? []]) === canonicalJson([before ?? []]);
      const joined = isAfter ? { ...rest, ...defined({ before: earlier.before }) } : difference;
      places.set(difference.place, joined);
    }
    // Its own differences are only the latest ones.
    const { differences: _own, ...names } = latest;
    return [{ ...names, fingerprint: fingerprintOf(id, [...places.values()]) }];
  });
}

export function approveWhole(fresh: Plan): Decision {
  return { fresh, approved: fresh, refused: [] };
}

// Planned, blocked, or landed. A comment without room for its plan has no values, so agreement of
// files and catalog has to do.
function isAccountedFor(
  contract: ContractPlan,
  reviewed: readonly ReviewedChange[],
  landings: Landings,
): boolean {
  switch (contract.action) {
    case 'missing':
      return false;
    case 'unmanaged':
      return contract.retired === true && reviewed.every((change) => landings.has(change));
    case 'unchanged':
      return reviewed.every((change) => !change.differences || landings.has(change));
    default:
      return true;
  }
}
