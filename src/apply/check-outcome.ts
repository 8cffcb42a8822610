import type { CatalogReader } from '../catalog/catalog.ts';
import { chooseDialect } from '../catalog/dialects/choose.ts';
import { type LiveContract, optionalFields } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { diff } from '../patch/diff.ts';
import { labelPointer } from '../plan/change.ts';
import type { Run } from './run.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { landed, notLanded, type Outcome, type OutcomeError, skipped } from './outcome.ts';
import { explain, reasons } from './reasons.ts';

type Looking = Pick<Run, 'reader' | 'rules' | 'dialect' | 'signal'>;

/** What is known before the look. */
type Circumstances = {
  /** Whether an earlier sending may have landed. */
  readonly mayHaveLanded: boolean;
  /** Why the last sending was not answered with yes. */
  readonly error?: unknown;
};

/** Reads the contract and tells what became of the change; undefined: it has not moved at all. */
export async function checkOutcome(
  change: UpdatePlan,
  run: Looking,
  { mayHaveLanded, error }: Circumstances,
): Promise<Outcome | undefined> {
  const seen = await see(change, run);
  switch (seen.kind) {
    case 'interrupted':
      return mayHaveLanded
        ? notLanded(change, 'failed', reasons.unknown(reasons.interrupted.message))
        : skipped(change, reasons.interrupted);
    case 'unreadable':
      return mayHaveLanded
        ? notLanded(change, 'failed', reasons.unknown(explain(seen.error).message))
        : notLanded(change, 'failed', unread(error, explain(seen.error)));
    case 'gone':
      return notLanded(change, 'stale', reasons.gone);
    case 'seen': {
      const { live, missing } = seen;
      if (missing.length === 0)
        return landed(change, live, mayHaveLanded ? 'applied' : 'unchanged');
      if (!hasMoved(change, live)) return undefined;
      const reason = mayHaveLanded ? reasons.movedOn(live.version) : reasons.moved(live.version);
      return notLanded(change, 'stale', reason, { live, differences: missing });
    }
  }
}

/** Why a change has not landed whose contract could not be read. */
function unread(error: unknown, why: OutcomeError): OutcomeError {
  return error === undefined ? why : reasons.refused({ ...explain(error), why: why.message });
}

/**
 * What the answer to a patch is worth. One that shows the change in a new version is believed; any
 * other is compared with the list: servers echo what they have not stored, and may leave out what
 * was not asked for.
 */
export async function checkAnswer(
  change: UpdatePlan,
  answer: LiveContract,
  run: Looking,
): Promise<Outcome> {
  const isNew = answer.version !== undefined && answer.version !== change.liveVersion;
  if (isNew && missingFrom(answer, change, run).length === 0) {
    return landed(change, answer, 'applied');
  }
  const seen = await see(change, run);
  switch (seen.kind) {
    case 'interrupted':
      return notLanded(change, 'unverified', reasons.unverified(reasons.interrupted.message));
    case 'unreadable':
      return notLanded(change, 'unverified', reasons.unverified(explain(seen.error).message));
    case 'gone':
      return notLanded(change, 'unverified', reasons.unverified(reasons.gone.message));
    case 'seen': {
      const { live, missing } = seen;
      if (missing.length === 0) return landed(change, live, 'applied');
      const reason = hasMoved(change, live)
        ? reasons.differs(missing)
        : reasons.storedNothing(missing);
      return notLanded(change, 'unverified', reason, { live, differences: missing });
    }
  }
}

type Seen =
  | { readonly kind: 'seen'; readonly live: LiveContract; readonly missing: readonly string[] }
  | { readonly kind: 'gone' | 'interrupted' }
  | { readonly kind: 'unreadable'; readonly error: unknown };

/**
 * Looks at the contract. An interruption ends the look: it may be of a whole list, or wait for a
 * server that does not answer, and a runner that is told to stop has few seconds left.
 */
async function see(change: UpdatePlan, run: Looking): Promise<Seen> {
  if (run.signal?.aborted) return { kind: 'interrupted' };
  try {
    const live = await readContract(change, run.reader, run.signal);
    return live
      ? { kind: 'seen', live, missing: missingFrom(live, change, run) }
      : { kind: 'gone' };
  } catch (error) {
    return run.signal?.aborted ? { kind: 'interrupted' } : { kind: 'unreadable', error };
  }
}

/** Where the contract is not what was planned, in the eyes of its catalog. */
function missingFrom(
  live: LiveContract,
  change: UpdatePlan,
  { rules, dialect }: Looking,
): string[] {
  const { equivalence } = chooseDialect(dialect, live);
  return differences(change, live, {
    ...rules,
    equivalence: { ...rules.equivalence, ...equivalence },
  });
}

/**
 * A contract as it stands now, with the fields that the change touches. The interface reads no
 * contract by id: the list is asked for those of its asset (§4.1), or for all where it has none.
 */
async function readContract(
  { id, entityId, target }: UpdatePlan,
  reader: CatalogReader,
  signal?: AbortSignal,
): Promise<LiveContract | undefined> {
  const fields = optionalFields.filter((field) => Object.hasOwn(target, field));
  const query = { fields, ...(entityId !== undefined && { entity: entityId }) };
  for await (const { contracts } of reader.list(query, signal)) {
    const found = contracts.find((contract) => contract.id === id);
    if (found) return found;
  }
  return undefined;
}

/**
 * Where a live contract is not what the change makes of it, by label; nowhere: the change has
 * landed. Compared as planning compares, so what the server adds of its own is no difference.
 */
export function differences(
  { target }: UpdatePlan,
  live: LiveContract,
  { equivalence, arrays }: Pick<Rules, 'equivalence' | 'arrays'>,
): string[] {
  const wanted = targetDocument(live, target, equivalence, arrays);
  return diff(live.document, wanted, arrays).map((edit) =>
    edit.desired
      ? labelPointer(edit.desired, wanted, arrays)
      : labelPointer(edit.live ?? [], live.document, arrays),
  );
}

/** Whether the contract has been written since the plan was made. */
function hasMoved({ liveVersion, liveUpdatedAt }: UpdatePlan, live: LiveContract): boolean {
  return liveUpdatedAt === undefined
    ? live.version !== liveVersion
    : live.updatedAt !== liveUpdatedAt;
}
