/** Which file a contract belongs to: one, by the contract's name or an older one. */

import type { Diagnostic, SourcePosition } from '../core/diagnostic.ts';
import type { DesiredContract, Identity } from './contract.ts';
import { identityKey, identityKinds, strongestKind, writtenNames } from './identity.ts';
import { composed } from './names.ts';

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
