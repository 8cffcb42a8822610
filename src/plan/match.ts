import { composed } from '../contract/canonical-name.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import {
  contractLabel,
  identityKey,
  idKey,
  identityKinds,
  strongestKind,
  type IdentityKind,
  writtenNames,
} from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';

/** Pairs live contracts with files as they come in; keeps no live document. */
export type Matcher = {
  /** The file that means this live contract, if any; a live contract is to be asked about once. */
  readonly match: (live: LiveContract) => DesiredContract | undefined;
  /** The file that says that it is this contract under its old name. */
  readonly movedTo: (live: LiveContract) => DesiredContract | undefined;
  /** The same, for good; undefined where the file has another contract, by its own name. */
  readonly claimMoved: (live: LiveContract) => DesiredContract | undefined;
  /** Whether the contract of a file has come. */
  readonly hasContract: (file: DesiredContract) => boolean;
  /** Whether a live contract that came has a file. */
  readonly isMatched: (id: string) => boolean;
  /** The files whose contract never came. */
  readonly unmatched: () => DesiredContract[];
  /** Files that cannot be told apart, or that mean more than one live contract. */
  readonly diagnostics: () => Diagnostic[];
};

export function createMatcher(desired: readonly DesiredContract[]): Matcher {
  const index = indexByKind(desired);
  const matched = new Map<DesiredContract, string[]>();
  const matchedIds = new Set<string>();
  const moved = indexMoves(desired);
  const claimedByMove = new Set<DesiredContract>();
  const claims: Diagnostic[] = [];

  function match(live: LiveContract): DesiredContract | undefined {
    const [contract, ...rivals] = candidates(index, live);
    if (!contract) return undefined;
    matchedIds.add(idKey(live.id));
    for (const rival of rivals) claims.push(claimedTwice(live, contract, rival));
    for (const claimant of [contract, ...rivals])
      matched.set(claimant, [...(matched.get(claimant) ?? []), live.id]);
    return contract;
  }

  function movedTo(live: LiveContract): DesiredContract | undefined {
    if (moved.size === 0) return undefined;
    return writtenNames(live)
      .map((name) => moved.get(name))
      .find((contract) => contract !== undefined);
  }

  function claimMoved(live: LiveContract): DesiredContract | undefined {
    const contract = movedTo(live);
    if (!contract || (matched.has(contract) && !claimedByMove.has(contract))) return undefined;
    claimedByMove.add(contract);
    matchedIds.add(idKey(live.id));
    matched.set(contract, [...(matched.get(contract) ?? []), live.id]);
    return contract;
  }

  function ambiguities(): Diagnostic[] {
    return [...matched].flatMap(([contract, ids]) =>
      ids.length > 1 ? [ambiguous(contract, ids)] : [],
    );
  }

  return {
    match,
    movedTo,
    claimMoved,
    hasContract: (file) => matched.has(file),
    isMatched: (id) => matchedIds.has(idKey(id)),
    unmatched: () => desired.filter((contract) => !matched.has(contract)),
    diagnostics: () => [...claims, ...ambiguities()],
  };
}

function indexMoves(desired: readonly DesiredContract[]): ReadonlyMap<string, DesiredContract> {
  return new Map(
    desired.flatMap((contract) =>
      (contract.movedFrom ?? []).map((name) => [composed(name), contract] as const),
    ),
  );
}

/** Only the kinds of identity that the files use, strongest first. */
type Index = readonly (readonly [IdentityKind, ReadonlyMap<string, DesiredContract>])[];

function indexByKind(desired: readonly DesiredContract[]): Index {
  const byKind = Map.groupBy(desired, ({ identity }) => strongestKind(identity));
  return identityKinds.flatMap((kind) => {
    const contracts = byKind.get(kind) ?? [];
    const byKey = contracts.map(
      (contract) => [identityKey(kind, contract.identity) ?? '', contract] as const,
    );
    return byKey.length === 0 ? [] : [[kind, new Map(byKey)] as const];
  });
}

/** Strongest identity first: one file may mean this contract by its id, another by its name. */
function candidates(index: Index, live: LiveContract): DesiredContract[] {
  const found: DesiredContract[] = [];
  for (const [kind, byKey] of index) {
    const key = identityKey(kind, live);
    const contract = key === undefined ? undefined : byKey.get(key);
    if (contract) found.push(contract);
  }
  return found;
}

function claimedTwice(
  live: LiveContract,
  first: DesiredContract,
  second: DesiredContract,
): Diagnostic {
  const { file, line } = first.source;
  return {
    code: 'contract-claimed-twice',
    severity: 'error',
    message: `${contractLabel(live)} is already declared at ${file}:${line}.`,
    hint: 'Keep one of the two: a contract has one file.',
    source: second.source,
  };
}

function ambiguous(contract: DesiredContract, liveIds: readonly string[]): Diagnostic {
  const isByEntity = strongestKind(contract.identity) === 'entity.fullyQualifiedName';
  const ids = liveIds.toSorted(compareCodeUnits).join(', ');
  return {
    code: 'ambiguous-identity',
    severity: 'error',
    message: `${contractLabel(contract.identity)} matches several live contracts: ${ids}.`,
    hint: isByEntity
      ? "Set `odcs.name` in the configuration: an entity with several contracts needs the contract's name too."
      : 'Add the `id` of the one you mean.',
    source: contract.source,
  };
}
