/** Who set what a plan overwrites: asked of the catalog's history, contract by contract. */

import pLimit from 'p-limit';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError } from '../core/errors.ts';
import { count } from '../core/text.ts';
import { type PastFiles, readPast } from '../files/past.ts';
import { blameLive, type KnownBlame } from '../history/place.ts';
import type { Provenance } from '../history/provenance.ts';
import { withId } from '../history/state.ts';
import { livePlaceOf } from '../plan/drift.ts';
import type { Change, LiveBlame, Plan } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import { readOptionsOf } from '../sync/read-options.ts';
import type { ReadContract } from '../sync/understand.ts';
import { sourceVersions } from './history.ts';
import { type Blamable, isBlamable, mostSuspects, type Suspects } from './suspects.ts';

/** The plan, with who set each value that it overwrites, removes or contradicts. */
export async function withBlame(plan: Plan, suspects: Suspects, session: Session): Promise<Plan> {
  const { kept, amount } = suspects;
  if (amount() > kept.size) return withRemark(plan, tooMany(amount()));
  const contracts = plan.contracts.filter(isBlamable).filter(({ id }) => kept.has(id));
  const files = [...new Set(contracts.map(({ source }) => source.file))];
  const past = readPast(files, session.files, readOptionsOf(session));
  const limit = pLimit(session.concurrency);
  const blamed = await limit.map(contracts, async (contract) => {
    const read = kept.get(contract.id);
    return read ? blameContract(contract, read, { session, past }) : contract;
  });
  const known = new Map(blamed.flatMap((each) => ('id' in each ? [[each.id, each] as const] : [])));
  const failures = blamed.filter((each) => 'error' in each);
  const told = {
    ...plan,
    contracts: plan.contracts.map((each) =>
      'id' in each && each.id !== undefined ? (known.get(each.id) ?? each) : each,
    ),
  };
  const [first] = failures;
  return first ? withRemark(told, unreadable(failures.length, first.error)) : told;
}

type Asking = {
  readonly session: Pick<Session, 'reader'>;
  readonly past: Promise<PastFiles>;
};

async function blameContract(
  contract: Blamable,
  read: ReadContract,
  { session, past }: Asking,
): Promise<Blamable | { readonly error: SyncError }> {
  try {
    const { versions } = await session.reader.versions(contract.id);
    const found = blamesOf(contract, read, versions);
    const known = found.filter((blame) => blame !== undefined);
    const sources = sourceVersions(
      known.map(({ version }) => version),
      read,
      await past,
      versions,
    );
    const sourced = found.map((blame) => blame && told(blame, sources[known.indexOf(blame)]));
    return attach(contract, sourced);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return { error };
  }
}

/** Of the changes first, then of the drift that is left. */
function blamesOf(
  contract: Blamable,
  { live, rules }: ReadContract,
  versions: Parameters<typeof blameLive>[1],
): readonly (KnownBlame | undefined)[] {
  const changes = contract.action === 'unchanged' ? [] : contract.changes;
  const places = [...changes, ...(contract.drift?.differences ?? [])].map(livePlaceOf);
  return blameLive(live, withId(live.id, versions), places, rules);
}

function told(
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

function withRemark(plan: Plan, remark: Diagnostic): Plan {
  return { ...plan, diagnostics: [...plan.diagnostics, remark] };
}

function tooMany(amount: number): Diagnostic {
  return {
    code: 'blame-left-out',
    severity: 'information',
    message: `The plan doesn't say who set what it changes: that takes a request for each of ${amount} contracts.`,
    hint: `Add --blame to ask for more than ${mostSuspects}.`,
  };
}

function unreadable(amount: number, { message }: SyncError): Diagnostic {
  const histories = count(amount, 'contract', 'contracts');
  return {
    code: 'history-unreadable',
    severity: 'warning',
    message: `The plan doesn't say who set what it changes in ${histories}: can't read the history. ${message}`,
  };
}
