import { idKey } from '../contract/identity.ts';
import { SyncError } from '../core/errors.ts';
import { canonicalJson } from '../core/json.ts';
import type { Difference } from '../patch/describe.ts';
import { isInVersions } from '../review/landed.ts';
import type { PendingAt } from '../session.ts';
import { pendingChanges, unpackPlan } from './comment.ts';
import { approvingRecords, type OurRecord, readMergedRecords } from './records.ts';
import type { Step } from './step.ts';

/** Asks GitHub, so it is for plans in which a contract is not as its base says. */
export async function readPending(step: Step): Promise<PendingAt> {
  try {
    const records = approvingRecords(await readMergedRecords(step));
    // Of two that change one place, the later one stays.
    const waiting = new Map(records.toReversed().flatMap((record) => placesOf(record, step)));
    return (live, replaced, versions, rules) => {
      const { change, merge } = waiting.get(keyOf(live.id, replaced)) ?? {};
      // What was applied and is gone again waits for nothing, whatever the comment records.
      return change && isInVersions(versions, live, change, rules) ? undefined : merge;
    };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    step.log.text(`Can't read which merges wait for their apply. ${error.message}`);
    return () => undefined;
  }
}

function placesOf({ pull, comment }: OurRecord, { inputs }: Step) {
  const { planHash = '', plan = '' } = comment.header;
  const { environment } = inputs;
  const changes = unpackPlan(plan, environment === undefined ? {} : { environment }, planHash);
  const pending = pendingChanges(comment.header);
  const merge = { waitsFor: pull.number, commit: pull.mergeSha ?? '' };
  return (changes ?? [])
    .filter((change) => pending.some((each) => change.fingerprint.startsWith(each.fingerprint)))
    .flatMap((change) =>
      (change.differences ?? []).map((difference) => {
        const key = keyOf(change.id ?? '', difference);
        return [key, { merge, change: { ...change, differences: [difference] } }] as const;
      }),
    );
}

// With the live value that was reviewed: another one was set since.
function keyOf(id: string, { place, before }: Pick<Difference, 'place' | 'before'>): string {
  return canonicalJson([idKey(id), place, before === undefined ? [] : [before]]);
}
