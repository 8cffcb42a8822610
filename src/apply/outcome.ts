/** What became of a plan, as plain JSON (`schemas/outcomes.schema.json`), and why. */

import { type ChangedFields, editorOf, type LiveContract } from '../contract/contract.ts';
import {
  describeReference,
  parseReference,
  type PeopleField,
  peopleIn,
} from '../contract/identity.ts';
import { type Diagnostic, plainDiagnostic, type Problem } from '../core/diagnostic.ts';
import { defined, type JsonObject } from '../core/json.ts';
import { sidesOf } from '../plan/seal.ts';
import type { CreatePlan, Override, Plan, PlannedDialect, UpdatePlan } from '../plan/plan.ts';
import { type OutcomeError, reasons } from './reasons.ts';

export type OutcomeResult =
  | 'applied'
  | 'unchanged'
  | 'stale'
  | 'failed'
  /** Refused, but a part of it was stored all the same. */
  | 'landed-in-part'
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
  /** The fingerprint of the change, as its plan or its review has it. */
  readonly fingerprint?: string;
  /** The version that was planned against. */
  readonly versionBefore?: string;
  /** The version last seen; absent where the contract was not seen. */
  readonly versionAfter?: string;
  /** Worth knowing although the change has landed. */
  readonly note?: string;
  /** The fields before and after the change, for `rollback --run`. */
  readonly changed?: ChangedFields;
  readonly differences?: readonly string[];
  /** The plan's warnings; absent without any. */
  readonly warnings?: readonly Diagnostic[];
  readonly error: OutcomeError | null;
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
  /** Written while the run went on. */
  readonly partial?: true;
  /** Rules lifted for the plan, and why. */
  readonly overrides?: readonly Override[];
  readonly summary: Readonly<Record<OutcomeResult, number>>;
  /** In the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** What kept the run from applying anything, or single contracts from being planned. */
  readonly diagnostics: readonly Diagnostic[];
};

/** A contract as read, and where it differs from what was sent. */
export type Seen = { readonly live: LiveContract; readonly differences: readonly string[] };

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
  const { answer, isGuarded } = sending;
  const isOurs = result === 'applied';
  const isUndisturbed = isGuarded && answer?.version === live.version;
  const changed = isOurs ? changedFields(change, live, answer ?? live) : undefined;
  const unexpected = isOurs && !isUndisturbed ? misprediction(change, live) : undefined;
  const note = sending.note ?? unexpected;
  return { result, ...namesOf(change, live), ...defined({ changed, note }), error: null };
}

/** Of a change that the run may have sent, while it goes on; `answer`: what the catalog accepted. */
export function undecided(change: UpdatePlan | CreatePlan, answer?: LiveContract): Outcome {
  const outcome = outcomeOf(change, 'unverified', answer ? reasons.unchecked : reasons.unrecorded);
  if (change.action === 'create') return outcome;
  const { live: before, target: after } = sidesOf(change);
  const changed = answer ? changedFields(change, answer, answer) : { before, after };
  return { ...outcome, changed };
}

/** `why`: the refusal of the rest. */
export function landedInPart(
  change: UpdatePlan,
  live: LiveContract,
  fields: readonly PeopleField[],
  why: OutcomeError,
): Outcome {
  const before = pickFields(sidesOf(change).live, fields);
  const after = pickFields(live.document, fields);
  const { version, updatedAt } = live;
  const parts = fields.map((field) => `${field} ${named(before, field)} → ${named(after, field)}`);
  const { hint } = why;
  const error = {
    ...why,
    code: 'landed-in-part',
    message: `The catalog changed ${parts.join(', ')}, without a version of it, and then refused the rest. ${why.message}`,
    hint: `To take that back: contract-sync rollback --run FILE, with the outcomes of this run.${hint === undefined ? '' : ` ${hint}`}`,
  };
  const changed = { before, after, ...defined({ version, updatedAt }) };
  return { result: 'landed-in-part', ...namesOf(change, live), changed, error };
}

/** Of a change that went without its status, for `why`. */
export function withRefusal(outcome: Outcome, why: OutcomeError): Outcome {
  const { result, error } = outcome;
  if (!error) {
    const isPart = result === 'applied';
    const rest = isPart ? 'was sent without it' : 'was there already';
    const message = `${why.message} The rest of the change ${rest}.`;
    return { ...outcome, result: isPart ? 'landed-in-part' : 'failed', error: { ...why, message } };
  }
  const fate = fatesOfRest[result] ?? "The rest of the change hasn't landed either";
  const message = `${why.message} ${fate}: ${error.message}`;
  const hint = [error.hint, why.hint].filter((each) => each !== undefined).join(' ');
  return { ...outcome, error: { ...error, message, ...(hint && { hint }) } };
}

const fatesOfRest: { readonly [result in OutcomeResult]?: string } = {
  'landed-in-part': 'Of the rest of the change, a part has landed',
  overlapped: 'The rest of the change has landed',
  held: 'The rest of the change waits in the catalog',
  unverified: "It isn't known whether the rest of the change has landed",
};

function pickFields(document: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([field]) => fields.includes(field)));
}

function named(document: JsonObject, field: PeopleField): string {
  const people = peopleIn(document, field).flatMap((item) => parseReference(item) ?? []);
  return people.map(describeReference).join(' and ') || 'none';
}

function changedFields(
  change: UpdatePlan,
  live: LiveContract,
  { version, updatedAt, document }: LiveContract,
): ChangedFields {
  return {
    before: sidesOf(change).live,
    after: pickFields(live.document, Object.keys(change.target)),
    ...defined({ version, updatedAt, updatedBy: editorOf(document) }),
  };
}

// A note, no error: servers differ in how they count (interface §3).
function misprediction(
  { predictedVersions }: UpdatePlan,
  { version }: LiveContract,
): string | undefined {
  const isPredicted = version === undefined || predictedVersions.includes(version);
  if (isPredicted || predictedVersions.length === 0) return undefined;
  return `Version ${version} instead of ${predictedVersions.join(' or ')}: somebody else may have changed the contract meanwhile.`;
}

/** The outcome of any creation, and of a change that has not landed, or may not have. */
export function outcomeOf(
  change: Subject,
  result: OutcomeResult,
  error: OutcomeError | null,
  { live, differences, note }: Partial<Seen> & { readonly note?: string | undefined } = {},
): Outcome {
  return { result, ...namesOf(change, live), ...defined({ differences, note }), error };
}

/** `lost`: places of others. The change's own error, if any, follows in the message. */
export function overlapped(
  outcome: Outcome,
  error: OutcomeError,
  lost: readonly string[],
): Outcome {
  const { differences = [], error: other } = outcome;
  const message = other ? `${error.message} ${other.message}` : error.message;
  const places = [...lost, ...differences];
  return { ...outcome, result: 'overlapped', differences: places, error: { ...error, message } };
}

/** A change, planned or reviewed. */
type Subject = {
  readonly id?: string;
  readonly fullyQualifiedName?: string;
  readonly fingerprint?: string;
  readonly liveVersion?: string;
  readonly problems?: readonly Problem[];
};

function namesOf(change: Subject, live: LiveContract | undefined) {
  const {
    id = live?.id,
    fullyQualifiedName,
    fingerprint,
    liveVersion: versionBefore,
    problems = [],
  } = change;
  const warned = problems.filter(({ severity }) => severity === 'warning').map(plainDiagnostic);
  const warnings = warned.length > 0 ? warned : undefined;
  const versionAfter = live?.version;
  return defined({ id, fullyQualifiedName, fingerprint, versionBefore, versionAfter, warnings });
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
    'landed-in-part': 0,
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

/** Whether the catalog shows the change, by this run or from before. */
export function hasLanded({ result }: Outcome): boolean {
  return result === 'applied' || result === 'unchanged';
}

export function allLanded({ outcomes }: Outcomes): boolean {
  return outcomes.every((outcome) => hasLanded(outcome) || outcome.result === 'left');
}
