/** The plan that a hash was made of, out of the catalog's own history. */

import pLimit from 'p-limit';
import { ApiError } from '../catalog/fault.ts';
import type { CatalogReader } from '../catalog/catalog.ts';
import type { LiveContract } from '../contract/contract.ts';
import { parseLiveContract } from '../contract/live.ts';
import { planHash } from '../plan/fingerprint.ts';
import {
  type Plan,
  type UnchangedPlan,
  type UpdatePlan,
  creations,
  updates,
} from '../plan/plan.ts';
import { type PlanLive, openLivePlanner, type Sync } from '../sync.ts';

/**
 * Goes back through what was written to the contracts of a plan, one write at a time, and plans
 * anew, until the plan has the hash that was reviewed. A hash cannot be met by accident, so what is
 * found is the reviewed plan; where the files are others now, or the history does not reach back,
 * nothing is found. A token that may not read histories and a catalog that fails are told.
 */
export async function recoverPlan(
  plan: Plan,
  reviewedHash: string,
  session: Sync,
): Promise<Plan | ApiError | undefined> {
  const planState = await openLivePlanner({
    ...session,
    dialect: plan.dialect?.name ?? session.dialect,
  });
  if (!planState) return undefined;
  const state = new Map(updates(plan).map((change) => [change.id, change]));
  try {
    for await (const write of writesBackwards(plan, session.reader)) {
      await undo(write, state, planState);
      const contracts = [...state.values(), ...creations(plan)];
      if (planHash(contracts, plan.environment) === reviewedHash)
        return { ...plan, contracts, planHash: reviewedHash };
    }
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

/** One write: what the contract was before, and when it ceased to be that. */
type Write = { readonly before: LiveContract; readonly at: number };

async function undo(
  { before }: Write,
  state: Map<string, UpdatePlan>,
  planState: PlanLive,
): Promise<void> {
  const planned = await planState(before);
  if (planned?.action === 'update') state.set(before.id, planned);
  else state.delete(before.id);
}

/** Histories asked for at once, and all in all: an old review is better made anew. */
const batchSize = 32;
const mostContracts = 1024;

/**
 * The writes to the plan's contracts, latest first. Contracts come in the order of their last
 * write, so whatever is later than the next contract's is complete.
 */
async function* writesBackwards(plan: Plan, reader: CatalogReader): AsyncGenerator<Write> {
  const contracts = plan.contracts
    .filter(isDated)
    .toSorted((a, b) => b.liveUpdatedAt - a.liveUpdatedAt);
  const limit = pLimit(8);
  let pending: Write[] = [];
  for (let read = 0; read < Math.min(contracts.length, mostContracts); read += batchSize) {
    const batch = contracts.slice(read, read + batchSize);
    const histories = await limit.map(batch, ({ id }) => writesTo(id, reader));
    pending = [...pending, ...histories.flat()].toSorted((a, b) => b.at - a.at);
    const horizon = contracts[read + batchSize]?.liveUpdatedAt ?? 0;
    yield* pending.filter(({ at }) => at >= horizon);
    pending = pending.filter(({ at }) => at < horizon);
  }
}

type Dated = (UpdatePlan | UnchangedPlan) & { readonly liveUpdatedAt: number };

function isDated(contract: Plan['contracts'][number]): contract is Dated {
  return 'liveUpdatedAt' in contract && contract.liveUpdatedAt !== undefined;
}

/** Each version but the first has replaced the one before it (interface §2.5: newest first). */
async function writesTo(id: string, reader: CatalogReader): Promise<Write[]> {
  const { versions } = await reader.versions(id);
  const states = versions
    .map((snapshot) => parseLiveContract({ id, ...snapshot }))
    .filter((state) => state !== undefined);
  return states.slice(1).map((before, index) => ({ before, at: states[index]?.updatedAt ?? 0 }));
}
