import { identityFields } from '../../contract/contract.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { type ContractDocument, parseContractFile } from '../formats/native/native.ts';
import type { SourceFile } from './text.ts';

/** What one file comes to: plain JSON data, for it may cross threads. */
export type FileReading = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
};

export type ReadingRules = {
  /** The statuses of the lifecycle: any other is an error. Without them none is checked. */
  readonly statuses?: readonly string[] | undefined;
  /** Whether it is only asked which contracts the files mean, and not what they say of them. */
  readonly identitiesOnly?: boolean | undefined;
};

/** Parses and checks one file. */
export function parseSource(
  source: SourceFile,
  { statuses, identitiesOnly }: ReadingRules,
): FileReading {
  if ('problem' in source) return { contracts: [], diagnostics: [source.problem] };
  const { contracts, diagnostics } = parseContractFile(source, statuses);
  return { contracts: identitiesOnly ? contracts.map(withIdentityAlone) : contracts, diagnostics };
}

function withIdentityAlone(contract: ContractDocument): ContractDocument {
  const fields = identityFields.flatMap((field) => {
    const value = contract.fields[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...contract, fields: Object.fromEntries(fields) };
}
