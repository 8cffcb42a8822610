import type { DesiredContract } from '../contract/contract.ts';
import { identityKeys } from '../contract/identity.ts';
import type { Diagnostic, SourcePosition } from '../diagnostic.ts';

/** The contracts that an earlier place claims already: an error each, which names both places. */
export function duplicateClaims(contracts: readonly DesiredContract[]): Diagnostic[] {
  const claimed = new Map<string, SourcePosition>();
  return contracts.flatMap(({ identity, source }) => {
    const keys = identityKeys(identity);
    const first = keys.map((key) => claimed.get(key)).find((place) => place !== undefined);
    for (const key of keys) if (!claimed.has(key)) claimed.set(key, source);
    return first ? [duplicateClaim(source, first)] : [];
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
