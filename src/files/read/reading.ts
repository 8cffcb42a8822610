import { identityFields } from '../../contract/contract.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { type ContractDocument, parseContractFile } from '../formats/native/native.ts';
import { readText } from './text.ts';

/** What one file comes to: plain JSON data, for it may cross threads. */
export type FileReading = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** Kept for positions, which are asked for later; empty where nobody will. */
  readonly text: string;
};

export type ReadRequest = {
  readonly root: string;
  readonly statuses?: readonly string[] | undefined;
  /** Whether it is only asked which contracts the files mean, and not what they say of them. */
  readonly identitiesOnly?: boolean | undefined;
};

/** Reads one file, named relative to the root. */
export function readFile(file: string, request: ReadRequest): FileReading {
  const { root, statuses, identitiesOnly } = request;
  const read = readText(file, root);
  if ('problem' in read) return { contracts: [], diagnostics: [read.problem], text: '' };
  const { contracts, diagnostics } = parseContractFile(file, read.text, statuses);
  if (identitiesOnly) return { contracts: contracts.map(withIdentityAlone), diagnostics, text: '' };
  return { contracts, diagnostics, text: contracts.length > 0 ? read.text : '' };
}

function withIdentityAlone(contract: ContractDocument): ContractDocument {
  const fields = identityFields.flatMap((field) => {
    const value = contract.fields[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...contract, fields: Object.fromEntries(fields), fieldPlaces: {} };
}
