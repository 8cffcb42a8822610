import type { DesiredContract, Identity } from '../contract/contract.ts';
import { identityKey, identityKinds } from '../contract/identity.ts';
import type { Diagnostic, SourcePosition } from '../core/diagnostic.ts';

export type Claims = {
  readonly contracts: readonly DesiredContract[];
  readonly diagnostics: readonly Diagnostic[];
};

/** Contracts that are declared once; one that an earlier place claims is an error naming both. */
export function refuseDuplicates(contracts: readonly DesiredContract[]): Claims {
  const claimed = new Map<string, SourcePosition>();
  const diagnostics: Diagnostic[] = [];
  const unclaimed = contracts.filter(({ identity, source }) => {
    const keys = keysOf(identity);
    const first = keys.map((key) => claimed.get(key)).find((place) => place !== undefined);
    if (first) diagnostics.push(duplicateClaim(source, first));
    else for (const key of keys) claimed.set(key, source);
    return !first;
  });
  return { contracts: unclaimed, diagnostics };
}

/** One for each kind of identity. */
function keysOf(identity: Identity): string[] {
  return identityKinds.flatMap((kind) => {
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
