/** The versions of a contract: who made it what it was, when, and what that changed. */

import type { LiveContract } from '../contract/contract.ts';
import { parseLiveContract } from '../contract/live.ts';
import type { JsonObject } from '../core/json.ts';
import { changesBetween, type VersionChange } from './changes.ts';
import {
  inTodaysShape,
  mayHoldMore,
  type Numbering,
  numberingOf,
  withoutBookkeeping,
} from './snapshot.ts';
import { comparableStates, type HistoryRules } from './state.ts';

/** The contract as the catalog held it then, and what it was made of. */
export type ContractVersion = LiveContract & {
  /** Who wrote it last. */
  readonly user?: string;
  /** Against the version before; none where no earlier one is known. */
  readonly changes: readonly VersionChange[];
  /** Whether these are at least the changes: other edits may have been merged into the version. */
  readonly mayHoldMore: boolean;
  /** Absent where the number is higher than the one before. */
  readonly numbering?: Numbering;
  /** The document without the catalog's notes: a value that all rules say is equal in two versions is the same in both. */
  readonly state: JsonObject;
  /** That of the version before, where one is known. */
  readonly before?: JsonObject;
};

/** The versions of a history, newest first as they come (interface §2.5). */
export function parseVersions(
  snapshots: readonly JsonObject[],
  rules: HistoryRules,
): readonly ContractVersion[] {
  const contracts = snapshots
    .map((snapshot) => parseLiveContract(inTodaysShape(snapshot)))
    .filter((contract) => contract !== undefined);
  const states = comparableStates(
    contracts.map(({ document }) => withoutBookkeeping(document)),
    rules,
  );
  return contracts.map((contract, index) => {
    const before = contracts[index + 1];
    const [own = {}, earlier = own] = states.slice(index, index + 2);
    return {
      ...describeVersion(contract, before),
      changes: changesBetween(earlier, own, rules),
      state: own,
      ...(before && { before: earlier }),
    };
  });
}

function describeVersion(contract: LiveContract, before: LiveContract | undefined) {
  const { document, version } = contract;
  const numbering = before && numberingOf(version, before.version);
  const user = document['updatedBy'];
  return {
    ...contract,
    ...(typeof user === 'string' && { user }),
    mayHoldMore: mayHoldMore(document, before?.version),
    ...(numbering && { numbering }),
  };
}
