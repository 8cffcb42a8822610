/** What a comment keeps of its plan, so that a later run can say place by place what has changed. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SourcePosition } from '../core/diagnostic.ts';
import { keepNumber } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
import { fingerprintOf, planHash } from '../plan/fingerprint.ts';
import { makePlan } from '../plan/make.ts';
import {
  creations,
  updates,
  type CreatePlan,
  type Plan,
  type PlanSubject,
  type UpdatePlan,
} from '../plan/plan.ts';

export function packPlan(plan: Plan): string {
  const changes = updates(plan).map(
    ({ id, fullyQualifiedName, liveVersion, liveUpdatedAt, source, differences }) => ({
      id,
      fullyQualifiedName,
      liveVersion,
      liveUpdatedAt,
      source,
      differences,
    }),
  );
  const created = creations(plan).map(({ fullyQualifiedName, fingerprint, source }) => ({
    fullyQualifiedName,
    fingerprint,
    source,
  }));
  return deflateRawSync(JSON.stringify([...changes, ...created])).toString('base64');
}

/** More than any comment can hold: what is longer was made to fill the memory. */
const mostBytes = 4_000_000;

/** The plan again, if it is the one of the hash. */
export function unpackPlan(text: string, subject: PlanSubject, hash: string): Plan | undefined {
  const { catalogUrl, environment } = subject;
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes });
    const changes: (PackedUpdate | PackedCreation)[] = JSON.parse(json.toString(), keepNumber);
    const contracts = changes.map(unpackChange);
    if (planHash(contracts, environment) !== hash) return undefined;
    return makePlan(catalogUrl, contracts, [], environment === undefined ? {} : { environment });
  } catch {
    return undefined;
  }
}

type Packed = { readonly source: SourcePosition };
type PackedUpdate = Packed & { readonly id: string; readonly differences: readonly Difference[] };
type PackedCreation = Packed & {
  readonly fullyQualifiedName: string;
  readonly fingerprint: string;
};

function unpackChange(change: PackedUpdate | PackedCreation): UpdatePlan | CreatePlan {
  if (!('id' in change)) return { ...bareCreation, ...change };
  return { ...bareUpdate, ...change, fingerprint: fingerprintOf(change.id, change.differences) };
}

const bare = { changes: [], target: {}, problems: [] } as const;

const bareUpdate = {
  ...bare,
  action: 'update',
  predictedVersions: [],
  patch: [],
  guard: [],
} as const;

const bareCreation = {
  ...bare,
  action: 'create',
  name: '',
  entity: { id: '', type: '' },
  body: {},
} as const;
