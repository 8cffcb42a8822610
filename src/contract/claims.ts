/** Which file a contract belongs to: one, by the contract's name or an older one. */

import { composed } from '../core/text.ts';
import type { Diagnostic, SourcePosition } from '../core/diagnostic.ts';
import type { DesiredContract, Identity, LiveContract } from './contract.ts';
import { identityKey, identityKinds, strongestKind, writtenNames } from './identity.ts';

type Claims = {
  readonly contracts: readonly DesiredContract[];
  readonly diagnostics: readonly Diagnostic[];
};

type Narrowing = { readonly has: (file: string) => boolean } | undefined;

export function refuseDuplicates(
  contracts: readonly DesiredContract[],
  narrowing: Narrowing,
): Claims {
  const claimed = new Map<string, SourcePosition>();
  const diagnostics: Diagnostic[] = [];
  const unclaimed = contracts.filter(({ identity, source }) => {
    const keys = keysOf(identity);
    const first = keys.map((key) => claimed.get(key)).find((place) => place !== undefined);
    // Reported at a file that the run reads: it may be narrowed to one of the two.
    const isHere = !first || !narrowing || narrowing.has(source.file) || !narrowing.has(first.file);
    if (first)
      diagnostics.push(isHere ? duplicateClaim(source, first) : duplicateClaim(first, source));
    else for (const key of keys) claimed.set(key, source);
    return !first;
  });
  return {
    contracts: unclaimed,
    diagnostics: [...diagnostics, ...refuseMoves(unclaimed, narrowing)],
  };
}

function refuseMoves(contracts: readonly DesiredContract[], narrowing: Narrowing): Diagnostic[] {
  const moving = contracts.filter(({ movedFrom }) => movedFrom !== undefined);
  if (moving.length === 0) return [];
  const declared = new Map(
    contracts.flatMap((contract) => ownNames(contract).map((name) => [name, contract] as const)),
  );
  return moving.flatMap((contract) =>
    (contract.movedFrom ?? []).map(composed).flatMap((name) => {
      const other = declared.get(name);
      if (!other) declared.set(name, contract);
      if (!other || other === contract) return [];
      const isThere = narrowing?.has(contract.source.file) === false;
      const source = isThere ? other.source : contract.locate(['movedFrom']);
      return [movedTwice(name, source, isThere ? contract.source : other.source)];
    }),
  );
}

function ownNames({ identity }: DesiredContract): string[] {
  const isAttached = identity.name !== undefined && identity.entity !== undefined;
  const asset = identity.entity?.fullyQualifiedName;
  return writtenNames(identity).filter((name) => !isAttached || name !== asset);
}

function movedTwice(name: string, source: SourcePosition, other: SourcePosition): Diagnostic {
  return {
    code: 'moved-name-claimed',
    severity: 'error',
    message: `${name} is claimed by ${other.file}:${other.line} too.`,
    hint: "A contract has one file: remove `movedFrom`, or the other file. Two contracts can't swap their names.",
    source,
  };
}

// An entity counts only where it is the contract's only identity: else it may have several
// contracts.
function keysOf(identity: Identity): string[] {
  const strongest = strongestKind(identity);
  return identityKinds.flatMap((kind) => {
    if (kind === 'entity.fullyQualifiedName' && kind !== strongest) return [];
    const key = identityKey(kind, identity);
    return key === undefined ? [] : [`${kind} ${key}`];
  });
}

function duplicateClaim(source: SourcePosition, first: SourcePosition): Diagnostic {
  return {
    code: 'duplicate-contract',
    severity: 'error',
    message: `This is the same contract as the one at ${first.file}:${first.line}:${first.column}.`,
    hint: 'Keep one of the two: a contract has one file.',
    source,
  };
}

/** The files that mean a live contract. */
export type FileIndex = {
  /** By identity, the strongest kind first: a second one claims what the first has. */
  readonly named: (live: LiveContract) => readonly DesiredContract[];
  /** The file that says that it is this contract under its old name. */
  readonly movedTo: (live: LiveContract) => DesiredContract | undefined;
  /** By its name, or else by its old one. */
  readonly find: (live: LiveContract) => DesiredContract | undefined;
};

export function indexFiles(files: readonly DesiredContract[]): FileIndex {
  const byKind = Map.groupBy(files, ({ identity }) => strongestKind(identity));
  // Only the kinds of identity that the files use.
  const kinds = identityKinds.flatMap((kind) => {
    const own = byKind.get(kind) ?? [];
    const byKey = new Map(own.map((file) => [identityKey(kind, file.identity) ?? '', file]));
    return own.length === 0 ? [] : [{ kind, byKey }];
  });
  const moved = new Map(
    files.flatMap((file) => (file.movedFrom ?? []).map((name) => [composed(name), file] as const)),
  );
  const named = (live: LiveContract): DesiredContract[] => {
    const found: DesiredContract[] = [];
    for (const { kind, byKey } of kinds) {
      const key = identityKey(kind, live);
      const file = key === undefined ? undefined : byKey.get(key);
      if (file) found.push(file);
    }
    return found;
  };
  const movedTo = (live: LiveContract): DesiredContract | undefined => {
    if (moved.size === 0) return undefined;
    const name = writtenNames(live).find((each) => moved.has(each));
    return name === undefined ? undefined : moved.get(name);
  };
  return { named, movedTo, find: (live) => named(live)[0] ?? movedTo(live) };
}
