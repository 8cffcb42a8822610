/** What became of a plan, as plain JSON (`schemas/outcomes.schema.json`). */

import { type ChangedFields, editorOf, type LiveContract } from '../contract/contract.ts';
import { type Diagnostic, plainDiagnostic } from '../core/diagnostic.ts';
import { defined, isObject, type JsonObject } from '../core/json.ts';
import { sidesOf } from '../plan/change.ts';
import type { Override, Plan, PlannedDialect, UpdatePlan } from '../plan/plan.ts';

export type OutcomeResult =
  | 'applied'
  | 'unchanged'
  | 'stale'
  | 'failed'
  | 'unverified'
  /** Landed, but on another state than was read right before: an edit may be lost. */
  | 'overlapped'
  /** Accepted, and waiting for an approval in the catalog. */
  | 'held'
  | 'skipped'
  /** Not what was approved, so not sent. */
  | 'not-reviewed'
  /** Approved, but the current plan does not know the contract. */
  | 'not-found'
  /** Edited in the catalog while no file asks for a change: the edit stays. */
  | 'left';

export type Outcome = {
  readonly result: OutcomeResult;
  /** Absent for a creation that is not known to have happened. */
  readonly id?: string;
  readonly fullyQualifiedName?: string;
  /** Of the change, as its plan or its review has it. */
  readonly fingerprint?: string;
  /** As planned against. */
  readonly versionBefore?: string;
  /** As last seen; absent where the contract was not seen. */
  readonly versionAfter?: string;
  /** The plan's prediction, where the catalog counted otherwise. */
  readonly predictedVersions?: readonly string[];
  /** Worth knowing although the change has landed. */
  readonly note?: string;
  /** What the change made of which fields, for `rollback --run`. */
  readonly changed?: ChangedFields;
  /** The catalog's own account of what it changed (interface §2.3). */
  readonly changeDescription?: JsonObject;
  readonly differences?: readonly string[];
  /** What the plan warned of; absent where it warned of nothing. */
  readonly warnings?: readonly Diagnostic[];
  readonly error: OutcomeError | null;
};

export type OutcomeError = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** `run`: the catalog denies access; `contract`: others may land. Absent: not known. */
  readonly scope?: 'run' | 'contract';
};

export type Outcomes = {
  readonly formatVersion: '1.0';
  readonly catalogUrl?: string;
  readonly environment?: string;
  readonly commit?: string;
  readonly uncommitted?: true;
  readonly dialect?: PlannedDialect;
  /** Absent where no plan could be made, so that nothing was applied. */
  readonly planHash?: string;
  /** Rules lifted for the plan, and why. */
  readonly overrides?: readonly Override[];
  readonly summary: Readonly<Record<OutcomeResult, number>>;
  /** In the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** What kept the run from applying anything, or single contracts from being planned. */
  readonly diagnostics: readonly Diagnostic[];
};

/** `unchanged`: the contract shows the change, but not by this run. */
export function landed(
  change: UpdatePlan,
  live: LiveContract,
  result: 'applied' | 'unchanged',
  sending: {
    readonly answer: LiveContract | undefined;
    /** Whether the catalog is known to have heeded the guard. */
    readonly isGuarded: boolean;
    readonly note: string | undefined;
  },
): Outcome {
  const { answer, isGuarded, note } = sending;
  // Lists have neither, and `changeDescription` sums up the changes of some minutes.
  const { incrementalChangeDescription, changeDescription: summedUp } = (answer ?? live).document;
  const changeDescription = incrementalChangeDescription ?? summedUp;
  return {
    result,
    ...subject(change, live),
    ...(result === 'applied' && {
      ...misprediction(change, live, isGuarded && answer?.version === live.version),
      changed: changedFields(change, live, answer ?? live),
    }),
    ...(isObject(changeDescription) && { changeDescription }),
    ...defined({ note }),
    error: null,
  };
}

function changedFields(
  change: UpdatePlan,
  live: LiveContract,
  { version, updatedAt, document }: LiveContract,
): ChangedFields {
  const stored = Object.entries(live.document);
  return {
    before: sidesOf(change).live,
    after: Object.fromEntries(stored.filter(([field]) => Object.hasOwn(change.target, field))),
    ...defined({ version, updatedAt, updatedBy: editorOf(document) }),
  };
}

export type NotLanded = Exclude<OutcomeResult, 'applied' | 'unchanged' | 'overlapped'>;

/** A contract as read, and where it differs from what was sent. */
export type Seen = { readonly live: LiveContract; readonly differences: readonly string[] };

export function notLanded(
  change: Subject,
  result: NotLanded,
  error: OutcomeError | null,
  seen?: Seen,
): Outcome {
  const { live, differences } = seen ?? {};
  return { result, ...subject(change, live), ...defined({ differences }), error };
}

/** `lost`: places of others. The change's own error, if any, follows in the message. */
export function overlapped(
  outcome: Outcome,
  error: OutcomeError,
  lost: readonly string[],
): Outcome {
  const { differences = [], error: other } = outcome;
  const why = { ...error, message: other ? `${error.message} ${other.message}` : error.message };
  const places = [...lost, ...differences];
  return { ...outcome, result: 'overlapped', differences: places, error: why };
}

type Subject = Partial<
  Pick<UpdatePlan, 'id' | 'fullyQualifiedName' | 'fingerprint' | 'liveVersion' | 'problems'>
>;

function subject(change: Subject, { version: versionAfter }: Partial<LiveContract> = {}) {
  const { id, fullyQualifiedName, fingerprint, liveVersion: versionBefore, problems = [] } = change;
  const warned = problems.filter(({ severity }) => severity === 'warning').map(plainDiagnostic);
  const warnings = warned.length > 0 ? warned : undefined;
  return defined({ id, fullyQualifiedName, fingerprint, versionBefore, versionAfter, warnings });
}

// A note, no error: servers differ in how they count (interface §3).
function misprediction(
  { predictedVersions }: UpdatePlan,
  { version }: LiveContract,
  isUndisturbed: boolean,
) {
  const isPredicted = version === undefined || predictedVersions.includes(version);
  if (isPredicted || predictedVersions.length === 0) return {};
  if (isUndisturbed) return { predictedVersions };
  const note = `Version ${version} instead of ${predictedVersions.join(' or ')}: somebody else may have changed the contract meanwhile.`;
  return { predictedVersions, note };
}

export function summarizeOutcomes(
  plan: Partial<Plan>,
  outcomes: readonly Outcome[],
  diagnostics: readonly Diagnostic[] = [],
): Outcomes {
  const { catalogUrl, environment, commit, uncommitted, dialect, planHash, overrides } = plan;
  const summary: Record<OutcomeResult, number> = {
    applied: 0,
    unchanged: 0,
    stale: 0,
    failed: 0,
    unverified: 0,
    overlapped: 0,
    held: 0,
    skipped: 0,
    'not-reviewed': 0,
    'not-found': 0,
    left: 0,
  };
  for (const { result } of outcomes) summary[result] += 1;
  return {
    formatVersion: '1.0',
    ...defined({ catalogUrl, environment, commit, uncommitted, dialect, planHash, overrides }),
    summary,
    outcomes,
    diagnostics,
  };
}

const isGood: ReadonlySet<string> = new Set(['applied', 'unchanged', 'left']);

export function allLanded({ summary }: Outcomes): boolean {
  return Object.entries(summary).every(([result, of]) => of === 0 || isGood.has(result));
}
