import { type LiveContract, managedFields } from '../contract/contract.ts';
import type { JsonObject } from '../core/json.ts';
import { equalPlaces } from './place.ts';
import {
  comparableStates,
  type ContractVersion,
  type HistoryRules,
  unknownFields,
} from './version.ts';

/**
 * The last version, if the contract gets back what the version before it had, place by place;
 * undefined where the history leaves that open. `changed` has the fields of the change as it leaves
 * them, null for one that it removes; `versions` are newest first.
 */
export function findTakenBack(
  live: LiveContract,
  changed: JsonObject,
  versions: readonly ContractVersion[],
  rules: HistoryRules,
) {
  const [last, before] = versions;
  const { version, updatedAt } = live;
  if (version === undefined || updatedAt === undefined) return undefined;
  // Otherwise somebody has edited the contract since it was read.
  if (last?.version !== version || last.updatedAt !== updatedAt) return undefined;
  if (before?.version === undefined) return undefined;
  const snapshots = versions.map(({ document }) => document);
  const unknown = unknownFields(managedFields, live.document, snapshots, before.document);
  if (unknown.some((field) => Object.hasOwn(changed, field))) return undefined;
  const target = Object.fromEntries(
    Object.entries({ ...live.document, ...changed }).filter(([, value]) => value !== null),
  );
  const [after = {}, former = {}] = comparableStates([target, before.document], rules);
  for (const field of managedFields) {
    if (unknown.includes(field)) continue;
    if (!equalPlaces(after[field], former[field], [field], rules.arrays)) return undefined;
  }
  return { version, former: before.version, updatedAt };
}
