/** A plan that returns contracts to former states; it is applied like any other. */

import pLimit from 'p-limit';
import { formatVersion, managedFields } from '../contract/contract.ts';
import { differingFields, keepUnstated } from '../contract/equality.ts';
import { contractLabel, idKey } from '../contract/identity.ts';
import {
  type Diagnostic,
  hasErrors,
  type Problem,
  type SourcePosition,
  SyncError,
} from '../core/diagnostic.ts';
import { compareCodeUnits, defined, type JsonObject } from '../core/json.ts';
import {
  fieldsToRestore,
  type RollbackConflict,
  undoRun,
  versionBefore,
  versionsNumbered,
} from '../history/rollback.ts';
import { type ContractVersion, inTodaysShape, unknownFields } from '../history/version.ts';
import { contentFor, noFacts } from '../plan/facts.ts';
import type { LivePair } from '../plan/pair.ts';
import { contractProblems, type Plan, type UnchangedPlan, type UpdatePlan } from '../plan/plan.ts';
import { type Rules, rulesFor } from '../plan/rules.ts';
import { enforceLimits } from '../plan/limits.ts';
import { makePlan } from '../plan/seal.ts';
import { blockedBy, planUpdate } from '../plan/update.ts';
import type { Session } from '../session.ts';
import { withAgreements } from './agreement.ts';
import { openLineage } from './downstream.ts';
import { lookUpPeople } from './facts.ts';
import { fetchVersions } from './history.ts';
import { noticesOfSending, plannedDialect } from './plan.ts';
import type { PastTime, RollbackTarget, RunRecord } from './target.ts';

/** A reason overrides lifecycle and compatibility: contract-sync may undo what it did. */
export async function planRollback(
  pairs: readonly LivePair[],
  listed: readonly LivePair[],
  target: RollbackTarget,
  session: Session,
  reason?: string,
): Promise<Plan> {
  const { rules } = session;
  const wanted = await pLimit(session.concurrency).map(pairs, async (pair) => {
    const versions = await fetchVersions(pair.live, rules, session.reader);
    const restored = restore(pair, versions, target, rules);
    return { pair, restored, desired: desiredOf(pair, restored, rules) };
  });
  const files = wanted.map(({ desired }) => desired);
  const people = await lookUpPeople(files, rules, session.reader);
  const contracts: Planned[] = [];
  const notes = [...(session.notices ?? [])];
  for (const { pair, restored, desired: asked } of wanted) {
    const { desired, problems } = contentFor(pair.live, asked, { ...noFacts, people });
    const own = rulesFor(pair, rules);
    const made = allowWithReason(planUpdate(pair.live, desired, own), reason);
    const plan = blockedBy(made, problems);
    const all = [...plan.problems, ...restored.problems];
    contracts.push(withoutPlaces({ ...plan, ...defined({ team: own.team }), problems: all }));
    notes.push(...leavesGit(plan, pair, rules));
  }
  if (target.kind === 'run' && target.records.size === 0) notes.push(nothingToUndo);
  if (target.kind === 'run' && target.isPartial) notes.push(partialRun);
  notes.push(...(await noticesOfSending(contracts, session)));
  // A reason doesn't stand in for those who read what goes.
  const found = { pairs: listed, rules };
  const lineage = openLineage({ pairs: listed, listsAll: true }, session);
  const judged = await withAgreements(contracts, found, session, lineage, Date.now());
  const made = makePlan(session.catalogUrl, judged, notes, {
    dialect: plannedDialect(session),
    environment: session.environment?.name,
    arrays: rules.arrays,
  });
  return enforceLimits(keepReason(made, reason), rules, session.overrides);
}

const nothingToUndo: Diagnostic = {
  code: 'nothing-to-undo',
  severity: 'information',
  message: 'This run changed nothing, so there is nothing to take back.',
};

const partialRun: Diagnostic = {
  code: 'run-partial',
  severity: 'warning',
  message:
    'The run ended before it could report all outcomes. Where it was not sure, what the catalog has as the run meant it counts as its own.',
  hint: 'Check the plan for values that others set.',
};

type Planned = UpdatePlan | UnchangedPlan;

function isLiftable({ severity, scope, impact }: Problem): boolean {
  return severity === 'error' && (scope === 'change' || impact === 'breaking');
}

function allowWithReason(plan: Planned, reason: string | undefined): Planned {
  if (reason === undefined || plan.action !== 'blocked') return plan;
  const problems = plan.problems.map((problem): Problem =>
    isLiftable(problem)
      ? { ...problem, severity: 'warning', hint: `Allowed: ${reason}`, allowed: { reason } }
      : problem,
  );
  return { ...plan, action: hasErrors(problems) ? 'blocked' : 'update', problems };
}

function keepReason(plan: Plan, reason: string | undefined): Plan {
  if (reason === undefined) return plan;
  const lifted = plan.contracts
    .flatMap(contractProblems)
    .filter(({ allowed }) => allowed?.reason === reason)
    .map(({ code }) => code);
  const overrides = [...new Set(lifted)]
    .toSorted(compareCodeUnits)
    .map((rule) => ({ rule, reason }));
  return overrides.length > 0 ? { ...plan, overrides } : plan;
}

function desiredOf({ live }: LivePair, { fields, described }: Restored, rules: Rules) {
  const source: SourcePosition = { file: described, line: 1, column: 1, format: 'version' };
  const { asWritten } = rules.conventions;
  const managed = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, value && asWritten(field, value)]),
  );
  return { identity: { id: live.id }, managed, source, locate: () => source };
}

function withoutPlaces(plan: Planned): Planned {
  const hint =
    'If you mean it, roll back again with --reason "…": it is kept in the plan and its outcomes.';
  const problems = plan.problems
    .map((problem) => (isLiftable(problem) ? { ...problem, hint } : problem))
    .map(({ source, ...problem }) =>
      source && source.format !== 'version' ? { ...problem, source } : problem,
    );
  if (plan.action === 'unchanged') return { ...plan, problems };
  const changes = plan.changes.map(({ source: _source, ...change }) => change);
  return { ...plan, problems, changes };
}

const nextApply = {
  leave: 'with a base, an apply leaves this rollback alone, as drift; without one, it undoes it',
  block: 'with a base, `drift: block` blocks it; without one, an apply undoes this rollback',
  overwrite: 'the next apply undoes this rollback',
} as const;

function leavesGit(plan: Planned, { live, desired }: LivePair, rules: Rules): Diagnostic[] {
  if (plan.action !== 'update' || !desired) return [];
  const restored = { ...live, document: { ...live.document, ...plan.target } };
  const { managed } = keepUnstated(restored, desired);
  const differing = differingFields(restored, managed, rules);
  if (!Object.keys(plan.target).some((field) => differing.has(field))) return [];
  const { source } = desired;
  const drift = rulesFor({ live, desired }, rules).drift;
  const message = `The file of ${contractLabel(live)} differs: ${nextApply[drift]}.`;
  const hint = `Then update the file: contract-sync pull ${source.file}`;
  return [{ code: 'git-differs', severity: 'information', message, hint, source }];
}

type Restored = {
  /** `null` removes a field. */
  readonly fields: JsonObject;
  readonly described: string;
  readonly problems: readonly Problem[];
};

function restore(
  pair: LivePair,
  versions: readonly ContractVersion[],
  target: RollbackTarget,
  rules: Rules,
): Restored {
  switch (target.kind) {
    case 'version':
      return restoreVersion(pair, requireVersion(pair, versions, target.version), versions);
    case 'time':
      return restorePast(pair, versions, target);
    case 'run': {
      const record = target.records.get(idKey(pair.live.id)) ?? 'not-recorded';
      return restoreBeforeRun(pair, versions, record, rules);
    }
  }
}

function restoreVersion(
  { live }: LivePair,
  version: ContractVersion,
  versions: readonly ContractVersion[],
): Restored {
  const then = version.document;
  const now = inTodaysShape(live.document);
  const snapshots = versions.map(({ document }) => document);
  const unknown = unknownFields(managedFields, now, snapshots, then);
  const known = managedFields.filter((field) => !unknown.includes(field));
  return {
    fields: fieldsToRestore(then, now, known),
    described: `version ${version.version ?? '?'}`,
    problems: leftUnknown(unknown),
  };
}

// A catalog's versions may lack fields of a contract.
function leftUnknown(fields: readonly string[]): readonly Problem[] {
  if (fields.length === 0) return [];
  const [were, they] =
    fields.length === 1 ? ['was', 'it stays as it is'] : ['were', 'they stay as they are'];
  const names = fields.map((field) => `\`${field}\``).join(', ');
  const message = `The catalog's history doesn't say what ${names} ${were}: ${they}.`;
  const hint = 'Set in its file what should be different, and apply it.';
  return [{ code: 'field-not-recorded', severity: 'warning', message, hint }];
}

function requireVersion({ live }: LivePair, versions: readonly ContractVersion[], number: string) {
  const [found, other] = versionsNumbered(versions, number);
  if (found && !other) return found;
  const label = contractLabel(live);
  const wanted = formatVersion(number);
  if (!found) throw noSuchVersion(label, wanted);
  const message = `${label} has several versions ${wanted}: the catalog reset its numbers.`;
  throw new SyncError('ambiguous-version', message, { hint: 'Give a time with --before.' });
}

function noSuchVersion(label: string, which: string): SyncError {
  return new SyncError('no-such-version', `${label} has no version ${which}.`, {
    hint: `List its versions with \`contract-sync history ${label}\`.`,
  });
}

function restorePast(
  pair: LivePair,
  versions: readonly ContractVersion[],
  target: PastTime,
): Restored {
  const past = versionBefore(versions, target.time);
  if (!past && target.skipsNewer) {
    const message = `It has no version from before ${target.text}: it stays as it is.`;
    const problem = { code: 'no-such-version', severity: 'information', message } as const;
    return { fields: {}, described: '', problems: [problem] };
  }
  if (!past) throw noSuchVersion(contractLabel(pair.live), `from before ${target.text}`);
  const restored = restoreVersion(pair, past.version, versions);
  const { mergedInto } = past;
  if (!mergedInto) return restored;
  const message = `Edits from before ${target.text} may be missing: the catalog merged them into ${mergedInto.version ?? 'a version'}, written later.`;
  return {
    ...restored,
    problems: [...restored.problems, { code: 'merged-version', severity: 'warning', message }],
  };
}

function restoreBeforeRun(
  { live }: LivePair,
  versions: readonly ContractVersion[],
  record: RunRecord,
  rules: Rules,
): Restored {
  const described = 'what it was before the run';
  if (typeof record === 'string') {
    const message = `Can't tell what the run changed from what others did: ${unknownRuns[record]}.`;
    const hint = 'Return the contract to a version (--to) or to a time (--before).';
    // An error, since nothing of the run is undone.
    const problem = { code: 'unknown-run', severity: 'error', message, hint } as const;
    return { fields: {}, described, problems: [problem] };
  }
  const { fields, conflicts, mergedInto } = undoRun(
    record,
    inTodaysShape(live.document),
    versions,
    rules,
  );
  if (conflicts.length === 0 && Object.keys(fields).length === 0) {
    const message = 'Nothing is left of what the run changed.';
    const problem = { code: 'nothing-to-undo', severity: 'information', message } as const;
    return { fields, described, problems: [problem] };
  }
  const problems = conflicts.map(heldByOthers);
  if (!mergedInto) return { fields, described, problems };
  const { version = '?', user = 'its user' } = mergedInto;
  const message = `The catalog merged later edits of ${user} into ${version}: one that set the same values again counts as the run's.`;
  const merged = { code: 'merged-version', severity: 'warning', message } as const;
  return { fields, described, problems: [merged, ...problems] };
}

const unknownRuns = {
  unverified: 'it did not learn whether its change landed',
  held: 'the catalog took its change and held it back, so it may have landed since',
  'not-recorded': "the outcomes don't say what it changed in this contract",
} as const satisfies Record<Exclude<RunRecord, object>, string>;

function heldByOthers({ label, of, blame }: RollbackConflict): Problem {
  const place = of === 'order' ? `The order of \`${label}\`` : `\`${label}\``;
  const { user = 'Somebody', version } = blame.kind === 'never-set' ? {} : blame.version;
  const number = version === undefined ? '' : ` (${version})`;
  const message = `${place} stays as it is: ${user} changed it after the run${number}.`;
  return { code: 'changed-since-run', severity: 'warning', message };
}
