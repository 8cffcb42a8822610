/** Who set the values that a plan overwrites, by the catalog's history. */

import pLimit from 'p-limit';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { count } from '../core/text.ts';
import { type PastFiles, readPast } from '../files/past.ts';
import { blameLive, type KnownBlame } from '../history/place.ts';
import type { Provenance } from '../history/provenance.ts';
import { readSnapshots } from '../history/state.ts';
import { livePlaceOf } from '../plan/drift.ts';
import type { LivePair } from '../plan/pair.ts';
import type { Change, LiveBlame, Plan, UnchangedPlan, UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { readOptionsOf, type Session } from '../session.ts';
import { sourceVersions } from './history.ts';
import type { Pairing } from './pairs.ts';

type Blamable = UpdatePlan | UnchangedPlan;

type Blaming = {
  readonly plan: Plan;
  readonly suspects: readonly Blamable[];
  readonly pairing: Pairing;
};

export async function withBlame(
  { plan, suspects, pairing: { pairs, rules } }: Blaming,
  session: Session,
): Promise<Plan> {
  const pairOf = new Map(pairs.flatMap((pair) => (pair.live ? [[pair.live.id, pair]] : [])));
  const files = [...new Set(suspects.map(({ source }) => source.file))];
  const past = readPast(files, session.files, readOptionsOf(session));
  const blamed = await pLimit(session.concurrency).map(suspects, async (contract) => {
    const pair = pairOf.get(contract.id);
    if (!pair) return contract;
    try {
      const { versions } = await session.reader.versions(contract.id);
      return attach(contract, blamesOf(contract, pair, { rules, versions, past: await past }));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      return error;
    }
  });
  const known = new Map(
    blamed.flatMap((each) => (each instanceof SyncError ? [] : [[each.id, each] as const])),
  );
  const told = {
    ...plan,
    contracts: plan.contracts.map((each) =>
      'id' in each && each.id !== undefined ? (known.get(each.id) ?? each) : each,
    ),
  };
  const failures = blamed.filter((each) => each instanceof SyncError);
  const [first] = failures;
  if (!first) return told;
  return { ...told, diagnostics: [...plan.diagnostics, unreadable(failures.length, first)] };
}

type Known = {
  readonly rules: Rules;
  readonly versions: readonly JsonObject[];
  readonly past: PastFiles;
};

function blamesOf(
  contract: Blamable,
  pair: LivePair,
  { rules, versions, past }: Known,
): readonly (LiveBlame | undefined)[] {
  const { live } = pair;
  const changes = contract.action === 'unchanged' ? [] : contract.changes;
  const places = [...changes, ...(contract.drift?.differences ?? [])].map(livePlaceOf);
  const found = blameLive(live, readSnapshots(live, versions, rules.conventions), places, rules);
  const known = found.filter((blame) => blame !== undefined);
  const blamed = known.map(({ version }) => version);
  const sources = sourceVersions(blamed, pair, { past, snapshots: versions, rules });
  return found.map((blame) => blame && liveBlame(blame, sources[known.indexOf(blame)]));
}

function liveBlame(
  { kind, version, isRemoval }: KnownBlame,
  provenance: Provenance = { kind: 'unknown' },
): LiveBlame {
  const { user, updatedAt, version: number } = version;
  return {
    kind: kind === 'first-known' ? 'known-since' : isRemoval ? 'removed' : 'set',
    ...(user !== undefined && { user }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(number !== undefined && { version: number }),
    ...(provenance.kind !== 'unknown' && { provenance }),
  };
}

function attach(contract: Blamable, blames: readonly (LiveBlame | undefined)[]): Blamable {
  const changes = contract.action === 'unchanged' ? [] : contract.changes;
  const { drift } = contract;
  const differences = drift?.differences.map((each, index) => {
    const blame = blames[changes.length + index];
    return blame ? { ...each, blame } : each;
  });
  const shared = drift && differences && { drift: { ...drift, differences } };
  if (contract.action === 'unchanged') return { ...contract, ...shared };
  return {
    ...contract,
    ...shared,
    changes: changes.map((change, index) => withOwn(change, blames[index])),
  };
}

function withOwn(change: Change, blame: LiveBlame | undefined): Change {
  if (!blame || change.carrier) return change;
  return { ...change, blame: change.kind === 'move' ? { ...blame, kind: 'moved' } : blame };
}

function unreadable(amount: number, { message }: SyncError): Diagnostic {
  const histories = count(amount, 'contract', 'contracts');
  return {
    code: 'history-unreadable',
    severity: 'warning',
    message: `The plan doesn't say who set what it changes in ${histories}: can't read the history. ${message}`,
  };
}
