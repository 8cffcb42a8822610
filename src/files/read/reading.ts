import { identityFields } from '../../contract/contract.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import {
  type ContractDocument,
  type FormatRules,
  parseContractFile,
} from '../formats/contract-file.ts';
import type { SourceFile } from './text.ts';

/** The contracts of one file, and what is wrong with it. */
export type FileReading = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
};

export type ReadingRules = FormatRules & {
  /** Whether it is only asked which contracts the files mean, and not what they say of them. */
  readonly identitiesOnly?: boolean | undefined;
};

/** Parses and checks one file. */
export function parseSource(
  source: SourceFile,
  { identitiesOnly, ...rules }: ReadingRules,
): FileReading {
  if ('problem' in source) return { contracts: [], diagnostics: [source.problem] };
  const { contracts, diagnostics } = parseContractFile(source, rules);
  return { contracts: identitiesOnly ? contracts.map(withIdentityAlone) : contracts, diagnostics };
}

function withIdentityAlone({ fields, index, place }: ContractDocument): ContractDocument {
  const identity = [...identityFields, 'movedFrom', 'movedByRule'].flatMap((field) => {
    const value = fields[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { fields: Object.fromEntries(identity), index, place };
}
