/** What a comment keeps of its plan, so that a later run can say place by place what has changed. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SourcePosition } from '../core/diagnostic.ts';
import { keepNumber } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
import { fingerprintOf, hashOfChanges } from '../plan/fingerprint.ts';
import type { Plan } from '../plan/plan.ts';
import { type ReviewedChange, reviewedChanges } from '../review/reviewed.ts';

/** A change that a comment has kept, and the file that asks for it. */
export type KeptChange = ReviewedChange & { readonly source: SourcePosition };

export function packPlan(plan: Plan): string {
  const changes = reviewedChanges(plan).map((change) => {
    const { fullyQualifiedName, fingerprint, source, differences } = change;
    if (change.action === 'create') return { fullyQualifiedName, fingerprint, source };
    const { id, liveVersion, liveUpdatedAt } = change;
    return { id, fullyQualifiedName, liveVersion, liveUpdatedAt, source, differences };
  });
  return deflateRawSync(JSON.stringify(changes)).toString('base64');
}

/** More than any comment can hold: what is longer was made to fill the memory. */
const mostBytes = 4_000_000;

type Packed = { readonly source: SourcePosition } & (
  | { readonly id: string; readonly differences: readonly Difference[] }
  | { readonly fullyQualifiedName: string; readonly fingerprint: string }
);

/** The changes of the plan again, if it is the one of the hash. */
export function unpackPlan(
  text: string,
  { environment }: Pick<Plan, 'environment'>,
  hash: string,
): readonly KeptChange[] | undefined {
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes });
    const packed: Packed[] = JSON.parse(json.toString(), keepNumber);
    const changes = packed.map((change) =>
      'id' in change
        ? { ...change, fingerprint: fingerprintOf(change.id, change.differences) }
        : change,
    );
    const fingerprints = changes.map(({ fingerprint }) => fingerprint);
    return hashOfChanges(fingerprints, environment) === hash ? changes : undefined;
  } catch {
    return undefined;
  }
}
